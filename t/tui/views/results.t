#!/bin/sh
# Results beside the trace: what `pas2p run` measured stands next to the traced times of the same phases, and nothing stands where
# it cannot be told that the phase is the same: with other settings, for another trace, in a damaged file. Machines are chosen
# by these columns, so an export must hold the result's numbers to the last digit, and a wrong file ends with a sentence.
. t/lib/lib.sh

laptop=t/runner/results/lu.S.4.laptop.yaml
node7=t/runner/results/lu.S.4.node7.yaml
lu=sample-traces/lu.S.4.clog2

# script NAME FILE... < lines: the script must run to its end, all its expectations met.
script() {
	name=$1
	shift
	{ echo 1; cat; } >"$TMP/script"
	run_ok "$name" "$PAS2P" --no-config --script "$TMP/script" --size 150x40 "$@"
}

script 'a result is known by its content, wherever it stands' "$laptop" "$lu" <<X
3
:expect laptop · replay · 3 runs · predicted time 19.8 ms · prediction error 9.8 %
:expect 8.89 µs   12.1 µs    2.0 %    1.36
t
:export $TMP/with.csv
r
:expect No result is shown.
:export $TMP/without.csv
r
:expect measured
X
# The measured time of each phase of the result, and nothing for the others.
sed -n 's/^- id: //p; s/^  time: //p; s/^  deviation: //p' "$laptop" | paste -d, - - - | sort >"$TMP/want"
sed 1d "$TMP/with.csv" | cut -d, -f1,13,14 | sort >"$TMP/got"
is "$(grep -v ',,$' "$TMP/got")" "$(cat "$TMP/want")" 'exported rows hold what was measured, digit by digit'
is "$(grep -c ',,$' "$TMP/got")" 8 'and empty cells for phases that were not'
is "$(cut -d, -f1-12,16-18 "$TMP/with.csv")" "$(cat "$TMP/without.csv")" 'without a result the rows are as they ever were'
is "$(head -1 "$TMP/with.csv" | cut -d, -f12-15)" last_occurrence_tick,measured,deviation,ratio 'the columns have names'

script 'several results take turns' "$lu" "$laptop" "$node7" <<X
3
:expect 1 of 2
r
:expect node7 · replay · 1 run · predicted time 10.7 ms
:expect 2 of 2
:export $TMP/one.csv
r
:expect No result is shown.
r
:expect laptop · replay · 3 runs
X
script 'a result of windows: the panel has the interval, and phases their standard errors' "$lu" t/runner/results/lu.S.4.node9.yaml <<X
3
:expect node9 · replay · 1 run
:expect 1.11 ms
:expect covers it
:expect 3.26 µs    4.0 %    0.74
X
# In files a deviation is seconds; the list's share of the measured time has a name of its own.
printf '3\n:sort deviation\n' >"$TMP/script"
run_fails 2 'the list draws no deviation in seconds' "$PAS2P" --no-config --script "$TMP/script" --size 150x40 "$lu" "$laptop"
like "$(cat "$ERR")" 'measured, relative-deviation, ratio' 'and says which columns it has'
script 'a column of the result sorts; without the result the share does again' "$lu" "$laptop" <<X
3
:sort relative-deviation
:expect ▼± rel
r
:expect ▼share
X
is "$(sed 1d "$TMP/one.csv" | cut -d, -f14 | sort -u)" '' 'one run has no deviation'

script 'with other settings a phase that is no more shows no time, and P goes back' "$lu" "$laptop" <<X
3
:set volume 20%
:set events 60%
:expect measured phases are missing: measured with volume 5.0 %, events 80.0 %
:export $TMP/other.csv
P
:expect Using the settings of the result; u undoes this.
:expect prediction error 9.8 %
P
:expect The settings are already those of the result.
T
:expect 8 of 8 measured phases are missing: measured with phase-time mean
T
:set relevance 20%
:expect prediction error 9.8 %
X
# A phase that is still there has its time, and then it is one of the result's, of the same weight.
sed 1d "$TMP/other.csv" | awk -F, '$13 != "" { print $3 "," $13 }' | sort >"$TMP/there"
sed -n 's/^  weight: //p; s/^  time: //p' "$laptop" | paste -d, - - | sort >"$TMP/all"
is "$(comm -23 "$TMP/there" "$TMP/all")" '' 'no time stands beside another phase'

script 'a result without settings says so' "$lu" "$node7" <<X
P
:expect does not contain its settings
X

sed 's/^  sha256: ..../  sha256: 0123/' "$laptop" >"$TMP/other.yaml"
sed 's/^  processes: 4/  processes: 2/; s/\(sends\|ranks\): \[\([^,]*\), \([^,]*\), .*/\1: [\2, \3]/' "$laptop" >"$TMP/two.yaml"
head -c 900 "$laptop" >"$TMP/cut.yaml"
cp "$laptop" "$TMP/xcopy.yaml"
mkdir "$TMP/folder"
mkfifo "$TMP/pipe"
script 'a result is opened later; what is none, or of another trace, is refused' "$lu" <<X
3
r
Esc
:result $TMP/other.yaml
:expect other.yaml is of another trace: its SHA-256 is 0123
:result $TMP/two.yaml
:expect 2 processes, this one 4
:result $TMP/cut.yaml
:expect cut.yaml: line
:result $TMP/nowhere.yaml
:expect nowhere.yaml
:result $TMP/pipe
:expect pipe is not a file
:result $TMP/folder
:expect folder is not a file
:result t/tui/screens/result-80.keys
:expect not
:result $TMP/xcopy.yaml
:expect Result 1 of 1: laptop
:expect prediction error 9.8 %
:result $TMP/xcopy.yaml
:expect Result 1 of 1: laptop
:result $TMP/other.yaml
:expect prediction error 9.8 %
X

script 'Tab completes names of files and folders' "$lu" <<X
3 : "result $TMP/x" Tab Enter
:expect Result 1 of 1: laptop
3 : "result $TMP/f" Tab
:expect folder/
Esc
X

run_fails 2 'a result without its trace is misuse' "$PAS2P" --no-config --script /dev/null "$laptop"
like "$(cat "$ERR")" 'is a result of pas2p run: add its trace' 'and says what is missing'
run_fails 3 'a damaged result ends before anything is drawn' "$PAS2P" --no-config --script /dev/null "$lu" "$TMP/cut.yaml"
like "$(cat "$ERR")" 'cut.yaml: line' 'with file and line'
done_testing
