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
:expect 317 clock violations in 6 720 messages · 4.7 % · worst -722 ns
:expect no clock violation in 4 collective ends
:expect violations over time
:expect r1         1.00 µs    606 ns
^
:expect  Enter peer
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
:expect 317 of 1 680 sends too late
j
:expect 317 of 1 680 receives too early · 1.00 µs [402 ns, 1.61 µs] at start
Enter
:expect pairs of rank 1
:expect rank 0 to rank 1 · 317 of 1 264 arrive too early, worst -722 ns
j
:expect rank 1 to rank 0 · no message arrives before it was sent
Enter
:expect No message from rank 1 arrives at rank 0 before it was sent.
k Enter
:expect rank 1 · 0.035767 s
:expect 1 clock violation
:expect ←
X
script 'Esc goes back from the pairs to the processes, and then to the view' cg.S.4.clog2 <<'X'
^ Enter
:expect pairs of rank 0
Esc
:expect offset at end
:expect 9 Models Clocks
Esc
:expect  reading 
X
script 'rows are sorted and filtered' cg.S.4.clog2 <<'X'
^
:sort offset_start
:expect ▼offset
& "^r[23]" Enter
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
:expect 317 clock violations
:screen $TMP/none
Z v v
:expect  317 clock violations
:screen $TMP/all
X
lacks '... and shows none of it then' "$TMP/none" '←'
like "$(grep -c '^ r1 .*←' "$TMP/all")" '^1' '... but with them, with its head at the receiver'
like "$(sed -n '/^-- roles/,$p' "$TMP/all")" 'w' '... in the warning role'
script '... of ASCII characters, too' cg.S.4.clog2 --ascii <<'X'
4 Z v v
:expect <<<<<<<<
X
script 'a trace whose clocks agree has no such arrow' latesender.4.clog2 <<X
4 Z v v
:screen $TMP/agree
X
lacks '... none is counted' "$TMP/agree" 'clock violation'
lacks '... none is drawn' "$TMP/agree" '←'

# Corrected times. What is shown with them is what the corrected file shows.
"$PAS2P" clocks -q --correct -o "$TMP/right.clog2" sample-traces/cg.S.4.clog2 >/dev/null
script '~ corrects the times, says so at the head, and u takes it back' cg.S.4.clog2 <<X
4
:expect 317 clock violations
~
:expect cg.S.4.clog2  corrected: linear, largest shift 1.10 µs  4 processes
:expect clocks: corrected
:screen $TMP/corrected
u
:expect 317 clock violations
:screen $TMP/recorded
C-r
:expect corrected: linear, largest shift
~
:expect clocks: file
4
:expect 317 clock violations
:clocks corrected
:expect corrected: linear, largest shift
:set clocks file
:expect 317 clock violations
X
lacks '... nothing goes back then' "$TMP/corrected" 'clock violation'
lacks '... and recorded times say nothing of it' "$TMP/recorded" 'corrected: '
script 'the sentence is as long as there is room for' cg.S.4.clog2 --clocks corrected <<'X'
:resize 80x24
:expect  cg.S.4.clog2  corrected: linear, largest shift 1.10 µs  run time 38.2 ms
:resize 60x24
:expect  cg.S.4.clog2  corrected: linear, 1.10 µs  run time 38.2 ms
:resize 40x14
:expect  cg.S.4.clog2  corrected  38.2 ms
:resize 40x13
:expect  corrected
X
printf 'analysis:\n  clocks: corrected\n' >"$TMP/config.yaml"
printf ':expect corrected: linear\n' >"$TMP/script"
run_ok 'a config file may ask for it' env XDG_STATE_HOME="$TMP/no-state" "$PAS2P" --config "$TMP/config.yaml" --script "$TMP/script" --size 120x40 sample-traces/cg.S.4.clog2
script 'Enter tells both times of an event, and the bounds of its clock' cg.S.4.clog2 --clocks corrected <<'X'
4
:goto rank 1 #100
Enter
:expect rank 1 #100 · 
:expect s, was 0.0
:expect s · clock offset 1.00 µs [
:expect ] · moved 1.00 µs
1
:goto rank 1 #100
Enter
:expect s · clock offset 1.00 µs [
:goto rank 0 #100
Enter
:expect reference clock · moved 0 s
:set collectives ignore
:goto rank 1 #100
Enter
:expect s · clock offset 1.00 µs [
X
for view in 0 3 7 @; do
	script "what view $view exports of corrected times" cg.S.4.clog2 --clocks corrected <<X
$view
:export $TMP/shown.csv --all
X
	printf '%s\n:export %s --all\n' "$view" "$TMP/file.csv" >"$TMP/script"
	run_ok '... and of the corrected file' "$PAS2P" --no-config --script "$TMP/script" --size 200x40 "$TMP/right.clog2"
	is "$(sed -e '1s/,clocks$//' -e 's/,corrected: linear$//' "$TMP/shown.csv")" "$(cat "$TMP/file.csv")" '... is the same, but that each row says so'
	is "$(sed -n '2,$s/.*,corrected: linear$/yes/p' "$TMP/shown.csv" | uniq)" yes '... does each?'
	rm -f "$TMP/shown.csv" "$TMP/file.csv"
done
printf '4 Z v v\n:screen %s\n' "$TMP/shown" >"$TMP/script"
run_ok 'the timeline of corrected times' "$PAS2P" --no-config --script "$TMP/script" --size 200x40 --clocks corrected sample-traces/cg.S.4.clog2
printf '4 Z v v\n:screen %s\n' "$TMP/file" >"$TMP/script"
run_ok '... and of the corrected file' "$PAS2P" --no-config --script "$TMP/script" --size 200x40 "$TMP/right.clog2"
drawn() { sed -e '1d' -e '/^-- roles/,$d' "$1"; }
is "$(drawn "$TMP/shown")" "$(drawn "$TMP/file")" '... is the same picture'
remembered() {
	name=$1
	shift
	cat >"$TMP/script"
	XDG_CONFIG_HOME=$TMP/config XDG_STATE_HOME=$TMP/state run_ok "$name" "$PAS2P" --script "$TMP/script" --size 120x40 "$@"
}
remembered 'it is remembered with the trace' sample-traces/cg.S.4.clog2 <<'X'
~
X
remembered '... when one comes back' sample-traces/cg.S.4.clog2 <<'X'
:expect corrected: linear
:expect Restored your settings: pas2p phases --clocks corrected
X
remembered '... not with another' sample-traces/latesender.4.clog2 <<'X'
:expect latesender.4.clog2  4 processes
X
script 'phases, ticks and weights stay, and so does the phase table' cg.S.4.clog2 <<X
3
:export $TMP/before.csv --all
:write $TMP/before.yaml
~
:export $TMP/after.csv --all
e
:expect phase table (recorded times)
:write $TMP/after.yaml
X
is "$(cut -d, -f1-4,11-12 "$TMP/after.csv")" "$(cut -d, -f1-4,11-12 "$TMP/before.csv")" 'phases'
is "$(cat "$TMP/after.yaml")" "$(cat "$TMP/before.yaml")" 'the phase table'
script 'the clocks are told by what was recorded' cg.S.4.clog2 --clocks corrected <<X
^
:expect recorded times · no clock violation in 4 collective ends
:expect 317 clock violations in 6 720 messages
:export $TMP/processes2.csv
j Enter Enter
:expect rank 1 · 0.035767 s
X
is "$(cat "$TMP/processes2.csv")" "$(cat "$TMP/processes.csv")" '... also in files'

# Writing the corrected trace.
script 'w asks where to, and writes what pas2p clocks writes' cg.S.4.clog2 <<X
^ w
:expect :write-corrected cg.S.4.corrected.clog2
C-u "write-corrected $TMP/new.clog2" Enter
:expect Wrote the corrected trace to $TMP/new.clog2: moved 50 430 records, by 1.10 µs at most.
X
run_ok 'the bytes are the same' cmp "$TMP/new.clog2" "$TMP/right.clog2"
cp sample-traces/cg.S.4.clog2 "$TMP/own.clog2"
refused() {
	printf '%s\n' "$3" >"$TMP/script"
	run_fails "$1" "$2" "$PAS2P" --no-config --script "$TMP/script" --size 200x40 "$TMP/own.clog2"
	like "$(cat "$ERR")" "$4" '... and why'
}
refused 2 'a file that is there stays' ":write-corrected $TMP/new.clog2" 'new.clog2 exists; --force replaces it'
refused 2 'the trace itself is never written to' ":write-corrected $TMP/own.clog2 --force" 'own.clog2 is an input: give the output another name'
run_ok 'it is as it was' cmp "$TMP/own.clog2" sample-traces/cg.S.4.clog2
script '--force replaces another' cg.S.4.clog2 <<X
:write-corrected $TMP/own.clog2 --force
:expect Wrote the corrected trace to $TMP/own.clog2
X
run_ok 'with the corrected trace' cmp "$TMP/own.clog2" "$TMP/right.clog2"
script 'where there is no such folder that is said' cg.S.4.clog2 <<X
:write-corrected $TMP/none/new.clog2
:expect none/new.clog2
X
script 'a trace without violations keeps its times' latesender.4.clog2 <<X
~
:expect nothing to correct
:write-corrected $TMP/same.clog2
:expect Nothing to correct: wrote the trace unchanged to $TMP/same.clog2.
X
# What has little to say.
script 'one process' one_rank.1.clog2 <<'X'
^
:expect no clock violation in 50 messages
:expect No message arrives before it was sent.
Enter
:expect pairs of rank 0
X
script 'no messages, and processes without records' unfinalized.m240.abortme.rank0000.clog2 <<'X'
^
:expect 0 messages
:expect 4 groups of ranks without messages
:expect No messages, so the clock offsets are unknown.
Enter
:expect rank 0 has no messages.
j
:expect rank 1 has no records
X
head -c 200000 sample-traces/cg.S.4.clog2 >"$TMP/cut.clog2"
"$PAS2P" clocks -q "$TMP/cut.clog2" >"$TMP/cut.txt" 2>/dev/null
printf '^\n:expect %s clock violations in\n' "$(sed -n '1s/.*messages, \([0-9]*\) clock violations.*/\1/p' "$TMP/cut.txt")" >"$TMP/script"
run_ok 'a damaged trace, as far as it can be read' "$PAS2P" --no-config --script "$TMP/script" --size 140x34 "$TMP/cut.clog2"
script 'a small screen has rows only' cg.S.4.clog2 --size 40x10 <<'X'
^
:expect 317 clock violations in 6 720 messages
:expect r3         1.10 µs           0
X
done_testing
