#!/bin/sh
# Clocks in the workbench: times between processes are believed until an arrow is seen to go back. Shown here: the view has each process's
# offset with its bounds, leads to its pairs and from there to the worst message in the timeline, and writes what `pas2p clocks` writes; the timeline
# counts what goes back and shows it with a head of its own, wherever messages are shown; a trace whose clocks agree shows nothing of it.
. t/lib/lib.sh

script() {
	name=$1 trace=$2
	shift 2
	cat >"$TMP/script"
	run_ok "$name" "$PAS2P" --no-config --script "$TMP/script" --size 200x40 "$@" "sample-traces/$trace"
}

# lacks NAME FILE PATTERN: no line of the screen that was saved has it.
lacks() {
	if [ -s "$2" ] && ! grep -q "$3" "$2"; then pass "$1"; else fail "$1"; diag "$(head -40 "$2")"; fi
}

script '^ opens the clocks over any view, and closes them again' cg.S.4.clog2 <<'X'
1 ^
:expect 9 Models Clocks
:expect 317 violations in 6 720 messages · 4.7 % · worst -722 ns
:expect no violation in 4 collective ends
:expect violations over time
:expect P2         1.00 µs    606 ns
^
:expect  Enter other end
3
:clocks
:expect 9 Models Clocks
Esc
:expect Phases
X
script 'bounds are bars on one axis' cg.S.4.clog2 <<'X'
^
:expect -9.69 µs to 10.8 µs
:expect ├────────────────────●─────────────────┤
X
script '... also of ASCII characters' cg.S.4.clog2 --ascii <<'X'
^
:expect |--------------------O-----------------|
X
script 'Enter shows the pairs of a process, and then the worst message in the timeline' cg.S.4.clog2 <<'X'
^
:expect 317 of 1 680 sent too late
j
:expect 317 of 1 680 received too early · 1.00 µs [402 ns, 1.61 µs] at start
Enter
:expect pairs of P2
:expect P1 to P2 · 317 of 1 264 arrive too early, worst -722 ns
j
:expect P2 to P1 · no message arrives before it was sent
Enter
:expect No message from P2 arrives at P1 before it was sent.
k Enter
:expect P2 · 0.035767 s
:expect 1 arrow goes back
:expect ←
X
script 'Esc goes back from the pairs to the processes, and then to the view' cg.S.4.clog2 <<'X'
^ Enter
:expect pairs of P1
Esc
:expect offset at end
:expect 9 Models Clocks
Esc
:expect  structure 
X
script 'rows are sorted and filtered' cg.S.4.clog2 <<'X'
^
:sort offset_start
:expect ▼offset
& "^P[34]" Enter
:expect filter: 2 of 4
X

# Files.
script 'files have what pas2p clocks writes' cg.S.4.clog2 <<X
^
:export $TMP/processes.csv
Enter
:export $TMP/pairs.csv
:export $TMP/every.csv --all
X
"$PAS2P" clocks -q --format csv sample-traces/cg.S.4.clog2 >"$TMP/want.csv"
is "$(cat "$TMP/processes.csv")" "$(cat "$TMP/want.csv")" 'processes'
"$PAS2P" clocks -q --by pair --format csv sample-traces/cg.S.4.clog2 >"$TMP/want.csv"
is "$(cat "$TMP/every.csv")" "$(cat "$TMP/want.csv")" 'all pairs'
is "$(cat "$TMP/pairs.csv")" "$(awk -F, 'NR == 1 || $1 == 0 || $2 == 0' "$TMP/want.csv")" 'those of a process'
script 'shifts of clocks are in them, too' syncclk.4.clog2 <<X
^
:export $TMP/shifts.csv
X
"$PAS2P" clocks -q --format csv sample-traces/syncclk.4.clog2 >"$TMP/want.csv"
is "$(cat "$TMP/shifts.csv")" "$(cat "$TMP/want.csv")" 'all of them'

# The timeline.
script 'the timeline counts what goes back, also while no messages are shown' cg.S.4.clog2 <<X
4
:expect 317 arrows go back
:screen $TMP/none
Z v v
:expect  317 arrows go back
:screen $TMP/all
X
lacks '... and shows none of it then' "$TMP/none" '←'
like "$(grep -c '^ P2 .*←' "$TMP/all")" '^1' '... but with them, with its head at the receiver'
like "$(sed -n '/^-- roles/,$p' "$TMP/all")" 'w' '... in the warning role'
script '... of ASCII characters, too' cg.S.4.clog2 --ascii <<'X'
4 Z v v
:expect <<<<<<<<
X
script 'a trace whose clocks agree has no such arrow' latesender.4.clog2 <<X
4 Z v v
:screen $TMP/agree
X
lacks '... none is counted' "$TMP/agree" 'back'
lacks '... none is drawn' "$TMP/agree" '←'

# What has little to say.
script 'one process' one_rank.1.clog2 <<'X'
^
:expect no violation in 50 messages
:expect No message arrives before it was sent.
Enter
:expect pairs of P1
X
script 'no messages, and processes without records' unfinalized.m240.abortme.rank0000.clog2 <<'X'
^
:expect 0 messages
:expect 4 groups that nothing connects
:expect No messages: nothing says how far the clocks are apart.
Enter
:expect P1 neither sends nor receives messages.
j
:expect P2 has no records
X
head -c 200000 sample-traces/cg.S.4.clog2 >"$TMP/cut.clog2"
"$PAS2P" clocks -q "$TMP/cut.clog2" >"$TMP/cut.txt" 2>/dev/null
printf '^\n:expect %s violations in\n' "$(sed -n '1s/.*messages, \([0-9]*\) violations.*/\1/p' "$TMP/cut.txt")" >"$TMP/script"
run_ok 'a damaged trace, as far as it can be read' "$PAS2P" --no-config --script "$TMP/script" --size 140x34 "$TMP/cut.clog2"
script 'a small screen has rows only' cg.S.4.clog2 --size 40x10 <<'X'
^
:expect 317 violations in 6 720 messages
:expect P4         1.10 µs           0
X
done_testing
