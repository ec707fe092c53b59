#!/bin/sh
# The metrics in the workbench: every figure of view 7 is that of `pas2p metrics`, to the last digit, by program, process, state,
# phase and cause, and the diagnosis has its sentences; rows lead to where they cost most; the timeline says for whom a call waited,
# and one key follows that to the root; waits of phases and of pairs of processes add up. What a trace does not support is absent.
. t/lib/lib.sh

# script NAME TRACE [SIZE] < lines: it runs to its end.
script() {
	cat >"$TMP/script"
	run_ok "$1" "$PAS2P" --no-config --script "$TMP/script" --size "${3:-160x40}" "$2"
}

for run in lu.S.4 cg.S.4 userstates.3 coll.6 nonblock.4 one_rank.1 pcontrol.4; do
	trace=sample-traces/$run.clog2
	script "$run: everything as files" "$trace" <<LINES
7
:expect parallel efficiency
:export $TMP/factors.csv --force
b
:export $TMP/process.csv --force
b
:export $TMP/state.csv --force
b
:export $TMP/phase.csv --force
b
:export $TMP/cause.csv --force
LINES
	for by in process state phase cause; do
		"$PAS2P" --no-config metrics --by $by -f csv "$trace" 2>/dev/null >"$TMP/batch"
		# (What 10 % less would bring takes a replay a row, which only the command makes.)
		is "$(tr -d '\r' <"$TMP/$by.csv" | sort)" "$(tr -d '\r' <"$TMP/batch" | csv_without gain_10 | cut -d, -f3- | sort)" "$run: by $by, digit by digit"
	done
	"$PAS2P" --no-config metrics -f json "$trace" 2>/dev/null >"$TMP/batch.json"
	tr -d '\r' <"$TMP/factors.csv" | sed 1d | while IFS=, read -r factor value _; do
		grep -q "\"$factor\": ${value:-null}[,}]*\$" "$TMP/batch.json" || echo "$factor $value"
	done >"$TMP/differences"
	is "$(cat "$TMP/differences")" '' "$run: the factors, digit by digit"
done

# The page's numbers of a trace in which 20 receives wait 20.1 ms each for their sender.
script 'the wait under the cursor, its peer and its root' sample-traces/latesender.4.clog2 200x40 <<'LINES'
:goto event 12
4
:expect waited 20.1 ms for rank 1, late sender · cause: rank 1 computing, phase 1
!
:expect The wait was for this call: 20.1 ms (late sender); ! again: root cause.
!
:expect Root cause: rank 1 computing, phase 1, for 20.1 ms of the wait.
<
<
:goto rank 0 #12
1
!
:expect The wait was for this call: 20.1 ms
!
:expect Root cause: rank 1 computing
LINES

script 'rows lead to where they cost most' sample-traces/latesender.4.clog2 <<'LINES'
7 j j j
:expect late sender
Enter
:expect by cause
:expect computation
Enter
:expect computation before
7 v
:expect by rank
b Enter
:expect The most expensive of
7
:sort lost
:expect by call path
b Enter
:expect The most expensive occurrence of phase
LINES

script 'waits of phases and of pairs' sample-traces/lu.S.4.clog2 <<LINES
3
:expect waiting
:export $TMP/phases.csv --force
6 v v J J J
:expect Waiting between ranks
:expect waited
:export $TMP/pairs.csv --force
v
:expect Messages between ranks
7 v v v
:export $TMP/phase.csv --force
LINES
column() { # FILE COLUMN: its values, by the first column
	tr -d '\r' <"$1" | awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $1, $c }' | sort -n
}
is "$(column "$TMP/phases.csv" waiting)" "$(column "$TMP/phase.csv" sync | grep '^[0-9]')" 'the waiting of phases is the metrics'"'"'s, digit by digit'
sum() { column "$1" "$2" | awk '{ s += $2 } END { printf "%.9f\n", s }'; }
"$PAS2P" --no-config metrics --by process -f csv sample-traces/lu.S.4.clog2 2>/dev/null | cut -d, -f3- >"$TMP/process"
is "$(sum "$TMP/pairs.csv" waiting)" "$(sum "$TMP/process" sync)" 'the waits of all pairs add up to all waiting'

# The sentences of the command, in lines as wide as the screen.
printf ':resize 300x60\nt\n7 d\n:screen %s\n' "$TMP/diagnosis" >"$TMP/script"
run_ok 'the diagnosis' "$PAS2P" --no-config --script "$TMP/script" --size 300x60 sample-traces/cg.S.4.clog2
"$PAS2P" --no-config metrics sample-traces/cg.S.4.clog2 2>/dev/null | diagnosis | grep -v '^Effect' >"$TMP/want"
tr -s ' ' <"$TMP/diagnosis" >"$TMP/squeezed"
missing=$(while read -r line; do grep -qF "$line" "$TMP/squeezed" || echo "$line"; done <"$TMP/want")
ok 'has three answers to look for' test "$(wc -l <"$TMP/want")" -eq 3
is "$missing" '' 'the diagnosis has the sentences of the command'

script 'seconds or shares' sample-traces/cg.S.4.clog2 <<'LINES'
7
:expect 71.7 ms
%
:expect   46.9 %
%
:expect 71.7 ms
LINES

# Sentences name ranks as the command does, from 0.
script 'the diagnosis names ranks as everything does' sample-traces/cg.S.4.clog2 <<'LINES'
7 d
:expect rank 3 has most
LINES
like "$("$PAS2P" --no-config metrics -q sample-traces/cg.S.4.clog2)" 'rank 3 has most' 'and the command as its tables'

# A trace whose end is missing has the metrics of what is left.
head -c 400000 sample-traces/lu.S.4.clog2 >"$TMP/cut.clog2"
script 'a damaged trace' "$TMP/cut.clog2" <<'LINES'
7
:expect parallel efficiency
d
:expect unpaired-state
LINES

# What if: the run time of the command, as text.
would=$("$PAS2P" --no-config metrics --what-if 'network x 0.5, balance' -f json sample-traces/cg.S.4.clog2 2>/dev/null |
	tr -d ' \n' | sed 's/.*"what_if"://; s/.*"runtime_change":\([-0-9.e]*\).*/\1/' | awk '{ printf "%+.1f %%\n", 100 * $1 }')
like "$would" '^[-+][0-9]' 'the command says how the run time would change'
script 'what if' sample-traces/cg.S.4.clog2 <<LINES
:what-if network x 0.5, balance
:expect if network x 0.5, balance
:expect ($would of 38.2 ms unchanged)
Esc
:expect waiting 46.9 %
w Enter "rank 99 x 2" Enter
:expect unknown rank 99: expected 0 to 3
Esc
:expect waiting 46.9 %
LINES
# The same by sliders: what each turn asks for, and the figures of the command, digit by digit.
# figures TEXT: run time and factors of the command, projected.
figures() {
	"$PAS2P" --no-config metrics -q --what-if "$1" sample-traces/cg.S.4.clog2 | sed -n '/^what if/,/^$/p' |
		sed -n 's/^  \(run time\|parallel\|load balance\|communication\)\( efficiency\)\{0,1\}  *\([0-9].*\)$/\1  \3/p' | tr -s ' '
}
# shown TEXT KEYS: the sliders after KEYS ask for TEXT, and show these figures.
shown() {
	rm -f "$TMP/sliders"
	printf '7 w\n:expect no changes\n%s\n:expect what if %s: \n:screen %s\n' "$2" "$1" "$TMP/sliders" >"$TMP/script"
	run_ok "sliders: $1" "$PAS2P" --no-config --script "$TMP/script" --size 200x40 sample-traces/cg.S.4.clog2
	is "$(sed -n 's/^.*x [0-9.]* *\(run time\|parallel\|load balance\|comm\.\)\( eff\.\)\{0,1\} /\1 /p; s/^.* o[nf]f* *\(comm\.\) eff\. /\1 /p' "$TMP/sliders" |
		sed 's/│.*//; s/ *$//; s/^comm\./communication/' | tr -s ' ')" "$(figures "$1")" "... with the command's figures"
	is "$(figures "$1" | wc -l | tr -d ' ')" 4 '... which are four'
}
"$PAS2P" --no-config metrics --by process -f csv sample-traces/cg.S.4.clog2 2>/dev/null | tr -d '\r' | cut -d, -f3- >"$TMP/csv.process"
"$PAS2P" --no-config metrics --by phase -f csv sample-traces/cg.S.4.clog2 2>/dev/null | tr -d '\r' | cut -d, -f3- |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "phase,lost"; next }
		$at["phase"] ~ /^[0-9]+$/ { print $at["phase"] "," $at["imbalance"] + $at["sync"] + $at["transfer"] }' >"$TMP/csv.phase"
rank=$(column "$TMP/csv.process" useful | sort -gr -k2 | sed -n '1s/ .*//p')
phase=$(column "$TMP/csv.phase" lost | sort -gr -k2 | sed -n '1s/ .*//p')
like "$rank,$phase" '^[0-9]+,[0-9]+$' 'the heaviest rank and the phase that loses most'
shown 'network x 0.9' 'h'
shown 'network=0' 'h h h h h Left Left Left Left Left Left'
shown "rank $rank x 1.2" 'Down Right Right'
shown "phase $phase x 0.5" 'j j Left Left Left Left Left'
shown 'balance' 'j j j j Right'
shown "network x 2, rank $rank x 0.8, balance" 'l l l l l l l l l l l j h h j l h j l'
script 'sliders end' sample-traces/cg.S.4.clog2 <<'LINES'
7 w h
:expect network x 0.9
l
:expect no changes
h Esc
:expect waiting 46.9 %
w
:expect no changes
Esc
:what-if Wait=0, rank 0 x 0.25, network x 0.5, ranks 0-1 x 3
w
:expect what if MPI_Wait=0, rank 0 x 0.25, network x 0.
:expect x 0.25  parallel
h j l
:expect what if MPI_Wait=0, rank 0 x 0.3, network x 0.
:expect x 0.4   run time
Enter Backspace Backspace Backspace Backspace Backspace Backspace Backspace Backspace Backspace Backspace Backspace Backspace Backspace Backspace Backspace Enter
:expect what if MPI_Wait=0, rank 0 x 0.3, network x 0.4:
Esc
:expect waiting 46.9 %
:what-if network x 0.5, network x 0.5
w
:expect x 0.25
Left
:expect what if network x 0.2:
LINES
# Of rows it is what is under the cursor: here the second by what it lost.
column "$TMP/csv.process" useful | sort -g -k2 | sed -n '2s/ .*//p' >"$TMP/second.rank"
column "$TMP/csv.phase" lost | sort -gr -k2 | sed -n '2s/ .*//p' >"$TMP/second.phase"
script 'sliders of the row under the cursor' sample-traces/cg.S.4.clog2 <<LINES
7 v j w Down Right
:expect by rank
:expect what if rank $(cat "$TMP/second.rank") x 1.1:
Esc
b b j w Down Down Right
:expect by phase
:expect what if phase $(cat "$TMP/second.phase") x 1.1:
LINES
cat >"$TMP/script" <<'LINES'
:what-if nonsense
LINES
run_fails 2 'what is not understood is refused' "$PAS2P" --no-config --script "$TMP/script" sample-traces/cg.S.4.clog2

# The knobs change the phase rows, and nothing else.
script 'phase rows follow the thresholds' sample-traces/lu.S.4.clog2 <<LINES
:set events 50%
7 v v v
:export $TMP/phase.csv --force
LINES
"$PAS2P" --no-config metrics --by phase --events 50% -f csv sample-traces/lu.S.4.clog2 2>/dev/null | tr -d '\r' | csv_without gain_10 | cut -d, -f3- | sort >"$TMP/batch"
is "$(tr -d '\r' <"$TMP/phase.csv" | sort)" "$(cat "$TMP/batch")" 'phase rows of other thresholds, digit by digit'
done_testing
