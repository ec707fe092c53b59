#!/bin/sh
# Runs in the workbench and in `pas2p metrics` are the same figures: the file that `:export` writes has the columns, rows and digits of the
# command. Several whole traces are a run each, the sample's local files are one; a file that is none leaves the others.
. t/lib/lib.sh

runs='sample-traces/lu.S.4.clog2 sample-traces/one_rank.1.clog2 sample-traces/userstates.3.clog2 sample-traces/coll.6.clog2'
parts=$(ls sample-traces/unfinalized.m240.abortme.rank*.clog2)

# script NAME FILES... < lines: it runs to its end.
script() {
	{ echo 1; cat; } >"$TMP/script"
	name=$1
	shift
	run_ok "$name" "$PAS2P" --no-config --script "$TMP/script" --size 160x40 "$@"
}

# shellcheck disable=SC2086  # files are words
script 'four runs are shown and written' $runs <<LINES
8
:expect 4 runs on 1 – 6 processes
:export $TMP/strong.csv
v
:expect weak scaling
:export $TMP/weak.json
LINES
# shellcheck disable=SC2086
"$PAS2P" --no-config metrics -q -f csv $runs >"$TMP/strong.batch"
ok 'strong: the same rows, to the last digit' cmp "$TMP/strong.csv" "$TMP/strong.batch"
# shellcheck disable=SC2086
"$PAS2P" --no-config metrics -q -f csv --scaling weak $runs >"$TMP/weak.batch"
is "$(grep -o '"speedup": [^,]*' "$TMP/weak.json" | cut -d' ' -f2 | tr '\n' ' ')" \
	"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "speedup") c = i } NR > 1 { printf "%s ", $c }' "$TMP/weak.batch")" \
	'weak: the same speedups'

# Nothing on scaling is said without it, on the smallest screen either.
script 'runs of two programs are no scaling of one' sample-traces/cg.S.4.clog2 sample-traces/lu.S.4.clog2 <<LINES
:resize 80x24
8
:expect cg.S.4.clog2 looks like another program · speedup compares runs of one program
Tab Tab
:expect cg.S.4.clog2 looks like another program
d
:expect cg.S.4.clog2 looks like another program
LINES
script 'nor those of three' sample-traces/cg.S.4.clog2 sample-traces/lu.S.4.clog2 sample-traces/is.S.4.clog2 <<LINES
8
:expect 2 runs look like other programs, first
LINES

# shellcheck disable=SC2086
script 'local files are one run beside a whole one' sample-traces/one_rank.1.clog2 $parts <<LINES
8
:expect 2 runs on 1 – 4 processes
LINES
script 'what is added and taken out' sample-traces/lu.S.4.clog2 <<LINES
8
:expect Scaling needs more runs
:add sample-traces/one_rank.1.clog2 README.md
:expect 3 runs on 1 – 4 processes
:expect README.md: README.md is a text file
:remove README.md
:expect Removed README.md
:expect 2 runs on 1 – 4 processes
g Enter
:expect one_rank.1.clog2 is open; 8 shows the runs again.
3 8
:expect ▸one_rank
Delete
:expect is the open trace
Right Delete
:expect 1 run on 1 process
LINES
script 'names of files are completed, each of several, and of runs' sample-traces/one_rank.1.clog2 <<LINES
8 : "add sample-traces/lu" Tab " sample-traces/ep" Tab
:expect :add sample-traces/lu.S.4.clog2 sample-traces/ep.S.4.clog2
Enter
:expect 3 runs on 1 – 4 processes
8 : "remove sample-traces/e" Tab
:expect :remove sample-traces/ep.S.4.clog2
Enter
:expect 2 runs on 1 – 4 processes
LINES
script 'the diagnosis is that of the command' sample-traces/one_rank.1.clog2 sample-traces/lu.S.4.clog2 <<LINES
:resize 1000x40
t
8 d
:screen $TMP/diagnosis
LINES
# Called as the workbench calls it in what it prints.
mkdir "$TMP/bin" && ln -s "$PAS2P" "$TMP/bin/pas2p"
PATH=$TMP/bin:$PATH pas2p --no-config metrics -q sample-traces/one_rank.1.clog2 sample-traces/lu.S.4.clog2 >"$TMP/table"
lines=$(diagnosis <"$TMP/table")
is "$(printf '%s\n' "$lines" | wc -l)" 4 'which has four answers'
tr -s ' \n' ' ' <"$TMP/diagnosis" >"$TMP/squeezed"
printf '%s\n' "$lines" | while read -r line; do
	grep -qF -e "$line" "$TMP/squeezed" || echo "$line"
done >"$TMP/missing"
is "$(cat "$TMP/missing")" '' 'each in the same words'
script 'a click on a tab is one on what is seen there' sample-traces/lu.S.4.clog2 <<LINES
:click 75,1
:expect Time breakdown
:click 97,1
:expect Scaling needs more runs
LINES
run_fails 3 'a first trace that is not there is an error as it was' "$PAS2P" --no-config --script "$TMP/script" gone.clog2 sample-traces/lu.S.4.clog2
like "$(cat "$ERR")" 'cannot open gone.clog2' 'with its sentence'
done_testing
