#!/bin/sh
# The workbench through its script layer: the same keys and commands as in a terminal, on a screen in memory, each waiting
# for the worker. Shown here is what keys do to the analysis: knobs change figures and show those of before, undo and
# redo and the defaults bring settings back, the peer of a message is reached and left again, the
# exported table is the batch command's byte for byte, and mistyped values and commands say what is expected.
. t/lib/lib.sh

# script NAME TRACE [OPTIONS] < lines: the script must run to its end, all its expectations met.
script() {
	name=$1 trace=$2
	shift 2
	{ echo 1; cat; } >"$TMP/script"
	run_ok "$name" "$PAS2P" --no-config --script "$TMP/script" --size 140x34 "$@" "sample-traces/$trace"
}

# with_python NAME ARGUMENT...: a parser that is not ours takes what was written.
with_python() {
	if command -v python3 >/dev/null; then
		name=$1
		shift
		run_ok "$name" python3 "$@"
	else
		skip 1 "no python3 to show: $1"
	fi
}

script 'four knobs turn by fine and coarse steps' lu.S.4.clog2 <<'X'
:expect volume       5.0 %
]
:expect volume       5.5 %
[ [
:expect volume       4.5 %
}
:expect volume       9.5 %
) )
:expect events      80.0 %
{ {
:expect events      70.0 %
)
]
:expect relevance    1.1 %
X

script 'a knob shows the figures now and before' lu.S.4.clog2 <<'X'
Tab j j S-Left S-Left S-Left S-Left
:expect phases           13        16       -3
:expect coverage     93.6 %    92.5 %     +1.1
X

script 'turning one knob is one change to undo' lu.S.4.clog2 <<'X'
) ) { { { {
:expect events      60.0 %
u
:expect events      80.0 %
:expect phases           16        13       +3
C-r
:expect events      60.0 %
:expect phases           13        16       -3
u u
:expect Nothing to undo.
X

script 'a typed value counts as percent or fraction' lu.S.4.clog2 <<'X'
= C-u "12.5%" Enter
:expect volume      12.5 %
= C-u "0.07" Enter
:expect volume       7.0 %
= C-u "700%" Enter
:expect expected
Esc
:expect volume       7.0 %
u u
:expect volume       5.0 %
X

script 'a value is proposed in percent, and what is typed replaces it' lu.S.4.clog2 <<'X'
=
:expect volume = 5%
"7" Enter
:expect volume       7.0 %
= "12.5" Enter
:expect volume      12.5 %
=
:expect volume = 12.5%
Left Backspace "4" Enter
:expect volume      12.4 %
= Enter
:expect volume      12.4 %
X

script 'the choices switch by their keys, and the cursor keeps its event' lu.S.4.clog2 <<'X'
:goto 100
o
:expect lamport · phase
y
:expect lamport · bbp
c
:expect collectives ignore
d
:expect by the defaults? (y/n)
n
:expect lamport · bbp
:expect Settings unchanged.
d Enter
:expect lamport · bbp
d y
:expect pas2p · phase · collectives on
:expect Using the defaults; u undoes this.
u u u u
:expect pas2p · phase · collectives on
X

# The settings of the thesis are no defaults of pas2p: they come by the preset, after a question, and go by undo.
script 'a preset is asked for, taken, refused and undone' lu.S.4.clog2 <<'X'
:set phase-time mean
:preset thesis
:expect Replace similarity phase, collectives events + 3 more by preset thesis? (y/n)
n
:expect Settings unchanged.
:expect pas2p · phase · collectives on
p "th" Tab Enter
:expect by preset thesis? (y/n)
y
:expect Using preset thesis; u undoes this.
:expect changed: similarity bbp, collectives ignore
:set phase-time
:expect phase-time = slowest
:set representative
:expect representative = first
:set warmup-seconds
:expect warmup-seconds = 0
:preset thesis
:expect All settings already equal preset thesis.
u
:expect pas2p · phase · collectives on
:set warmup-seconds
:expect warmup-seconds = 0.1
C-r
:expect changed: similarity bbp, collectives ignore
d
:expect by the defaults? (y/n)
y
:expect Using the defaults; u undoes this.
:expect pas2p · phase · collectives on
d
:expect All settings already equal the defaults.
:preset thesis
Esc
:expect pas2p · phase · collectives on
:preset thesis
:resize 40x16
y
:expect Using preset thesis
X
script 'on a narrow screen the question counts' lu.S.4.clog2 --size 40x16 <<'X'
:preset thesis
:expect Change 5 settings? (y/n)
y
X
for bad in 'preset thesis' 'preset none' 'preset strict'; do
	printf ':%s\n' "$bad" >"$TMP/script"
	run_fails 2 "refused, or not answered: $bad" "$PAS2P" --no-config --script "$TMP/script" sample-traces/cg.S.4.clog2
done

script 'Enter goes to the peer of a message, < and > back and forward' cg.S.4.clog2 <<'X'
:goto 1
:goto rank 0
:expect rank 0 #2 send to rank 1 · tick 1
Enter
:expect rank 1 #3 receive from rank 0 · tick 2
<
:expect rank 0 #2 send to rank 1 · tick 1
>
:expect rank 1 #3 receive from rank 0 · tick 2
Enter
:expect rank 0 #2 send to rank 1 · tick 1
X

script 'an occurrence is shown in the grid' cg.S.4.clog2 <<'X'
3 j Enter
:expect 416 occurrences
j j i
:expect tick 19
:expect phase 3, pair exchange ^1 + transpose 2x2, occurrence 3 of 416
f
:expect occurrence 4 of 416
F F F
:expect occurrence 1 of 416
F
:expect This is the first occurrence of phase 3.
X

script 'lists sort, search and filter' lu.S.4.clog2 <<'X'
3
& "✓" Enter
:expect filter: 8 of 16
& C-u Enter
/ "^13  " Enter
:expect phase 13
/ "nothing like it" Enter
:expect No match.
/ "(" Enter
:expect bad pattern '(': column 2: missing closing parenthesis
Esc
X

script 'a pattern that takes too many steps is no pattern that matches nothing' lu.S.4.clog2 <<'X'
3
& "^((((\S|\s)+)+)+)+(?<=~)" Enter
:expect takes too many steps: make it simpler
Esc
:expect phase 11 · 490
/ "^((((\S|\s)+)+)+)+(?<=~)" Enter
:expect takes too many steps: make it simpler
1 / "^((((\S|\s)+)+)+)+(?<=~)" Enter
:expect takes too many steps: make it simpler
6 / "^((((\S|\s)+)+)+)+(?<=~)" Enter
:expect takes too many steps: make it simpler
X

script 'sorting goes through the columns that are seen, and no others' lu.S.4.clog2 <<'X'
:resize 72x20
3
:expect ▼share
s
:expect ▼covered
s
:expect name▼
s
:expect ▼phase
s
:expect mark▼
s s s
:expect ▼share
S
:expect ▲share
s
:expect ▲covered
X

script 'the grid searches its events, round the trace, and back' cg.S.4.clog2 <<'X'
/ "rank 2 #3 receive" Enter
:expect rank 2 #3 receive from
n
:expect rank 2 #3 receive from
/ C-u "send to rank 3" Enter
:expect send to rank 3
n
:expect send to rank 3
N N
:expect send to rank 3
/ C-u "nothing like it" Enter
:expect No event matches; search all calls in the timeline (4).
X

script 'what rows are sorted by, and what a knob is, is said' lu.S.4.clog2 <<'X'
3 s
:expect by covered, largest first: share of this phase and of all with a larger share
S
:expect by covered, smallest first
:sort weight
:expect by weight, largest first: number of occurrences
1 )
:expect compute: tolerance for compute times
Tab j
:expect events: similarity of two phases
Tab
:expect rank 0 #1 Bcast
X

script 'a filter that no row passes says so' lu.S.4.clog2 <<'X'
3 & "weight>1000" Enter
:expect No row matches the filter.
:expect An empty filter shows all 16 rows.
& C-u Enter
:expect relevant
X

script 'the occurrences of a phase are searched and filtered' cg.S.4.clog2 <<'X'
3 j Enter
:expect 416 occurrences
& "^1.  " Enter
:expect filter: 10 of 416
/ "^15 " Enter
:expect occurrence 15 of 416
& C-u Enter
s s s s
:expect by time, smallest first
Up Down
:expect occurrence 15 of 416
Esc
:expect pair exchange ^1
X

script 'marks stay on their event, and are listed' cg.S.4.clog2 <<'X'
:goto event rank 1 17
:expect rank 1 #17
m a
:expect Marked as a.
:goto phase 3
:expect phase 3, pair exchange ^1 + transpose 2x2, occurrence 1 of 416
m Z
:goto 0
o
' a
:expect rank 1 #17
' b
:expect There is no mark b.
' 5
:expect expected a letter
`
:expect r1 #17
j Enter
:expect phase
X

script 'A and B: two sets of settings, their figures side by side' lu.S.4.clog2 <<'X'
B
:expect No settings are pinned
A
:set events 60%
:expect phases           13        16       -3
B
:expect Settings A; the values of B are next to them.
:expect phases           16        13       +3
B
:expect phases           13        16       -3
:expect events      60.0 %
u
:expect events      80.0 %
X

for format in csv json yaml txt; do
	script "phases are exported as $format, as they are shown" lu.S.4.clog2 <<X
3
& "✓" Enter
:export $TMP/phases.$format
:expect Wrote 8 rows
:export $TMP/all.$format --all
:expect Wrote 16 rows
X
done
is "$(head -n 1 "$TMP/phases.csv" | tr -d '\r')" \
	'id,relevant,weight,ticks,time,time_min,time_max,share,cumulative,covered,first_occurrence_tick,last_occurrence_tick,waiting,compute,name' \
	'the columns by name'
is "$(grep -c '^' "$TMP/phases.csv")" 9 'one line a row'
# One name means one thing: what both have under a name, they have to the last digit.
for run in lu.S.4 cg.S.4 anysrc.5; do
	script "the phases of $run as rows" "$run.clog2" <<X
3
:export $TMP/$run.csv
Enter
:export $TMP/occurrences.csv --force
2
:export $TMP/bbps.csv --force
X
	"$PAS2P" --no-config phases --format csv "sample-traces/$run.clog2" | cut -d, -f1-9 | sort >"$TMP/batch.rows"
	is "$(cut -d, -f1-9 "$TMP/$run.csv" | sort)" "$(cat "$TMP/batch.rows")" 'names and numbers are those of the batch command'
	for list in "$run" occurrences bbps; do
		unlike "$(sed 1d "$TMP/$list.csv" | cut -d, -f1-14)" '[^-+.,0-9efalstru]' "$list: a file has numbers, neither glyphs nor sentences"
	done
	is "$(head -n 1 "$TMP/occurrences.csv")" 'occurrence,tick_first,tick_last,time,slowest,at' 'so has one of occurrences'
	is "$(head -n 1 "$TMP/bbps.csv")" 'label,weight,share,compute,tick_first,tick_last' 'and one of blocks'
done
is "$(sed -n 's/^1,//p' "$TMP/cg.S.4.csv" | cut -d, -f8 | cut -c1-6)" 0.0754 'cumulative is that of the relevant phases so far'
script 'marks as rows' lu.S.4.clog2 <<X
:goto event rank 1 17
m a
\`
:export $TMP/marks.csv
X
is "$(cat "$TMP/marks.csv")" "mark,rank,number,tick
a,1,17,$("$PAS2P" --no-config events --format csv sample-traces/lu.S.4.clog2 | awk -F, '$1 == 1 && $2 == 17 { print $12 }')" \
	'a mark is the place of its event'
with_python 'it is JSON' -c 'import json, sys; assert len(json.load(open(sys.argv[1]))) == 8' "$TMP/phases.json"
for bad in "export $TMP/all.csv" "export $TMP/all.doc"; do
	printf '3\n:%s\n' "$bad" >"$TMP/script"
	run_fails 2 "refused: $bad" "$PAS2P" --no-config --script "$TMP/script" sample-traces/cg.S.4.clog2
done
printf '3\n:export %s\n' "$TMP/none/x.csv" >"$TMP/script"
run_fails 6 'a place that cannot be written to' "$PAS2P" --no-config --script "$TMP/script" sample-traces/cg.S.4.clog2
printf '1\n:export %s\n' "$TMP/grid.csv" >"$TMP/script"
run_fails 2 'the grid has no rows' "$PAS2P" --no-config --script "$TMP/script" sample-traces/cg.S.4.clog2

# What is remembered of a trace, and what wins over it. A home of its own for it.
remember() {
	name=$1
	shift
	cat >"$TMP/script"
	XDG_CONFIG_HOME=$TMP/config XDG_STATE_HOME=$TMP/state run_ok "$name" "$PAS2P" --script "$TMP/script" --size 140x34 "$@"
}
mkdir -p "$TMP/config/pas2p"
printf 'presets: {strict: {thresholds: {events: 95%%}}}\n' >"$TMP/config/pas2p/config.yaml"
remember 'a visit' sample-traces/lu.S.4.clog2 <<'X'
:preset strict
:expect Replace events 80.0 % by preset strict? (y/n)
y
:expect events      95.0 %
:set volume 7%
1 : "goto event rank 2 9" Enter
m q
3
X
remember 'zoom is remembered: of the grid' sample-traces/ep.S.4.clog2 <<'X'
1 Z x
X
remember 'and found again' sample-traces/ep.S.4.clog2 <<'X'
u
:expect Nothing to undo.
+
4 Z
X
run_ok 'and of the timeline, if it is in front' grep -q '^timeline: {from: 0, span: ' "$TMP"/state/pas2p/[0-9a-f]*
rm -r "$TMP/state"
# Thresholds that were left otherwise are seen for as long as they are: the figures are not those of the plain command.
remember '65 % of the events' sample-traces/lu.S.4.clog2 <<'X'
:set events 65%
X
printf '%s\n' ':expect Restored your settings: pas2p phases --events 0.65' '3 j' ':expect changed: events 65.0 %  d defaults' ':expect 13 phases' \
	':resize 80x12' ':expect 1 changed' ':resize 40x16' ':expect 1 changed' d ':expect Change 1 setting? (y/n)' n ':resize 200x60' ':expect changed: events 65.0 %  d defaults  4 processes  9 128 events  run time' \
	':resize 80x24' '7 d' ':expect changed: events 65.0 %' '3 d' ':expect Replace events 65.0 %' n ':expect changed: events 65.0 %' d y ':expect 16 phases' \
	':expect 4 processes  9 128 events  run time 15.6 ms' u ':expect changed: events 65.0 %' >"$TMP/script"
XDG_CONFIG_HOME=$TMP/config XDG_STATE_HOME=$TMP/state run_ok 'a mark names what was changed, and the key back, at every size' "$PAS2P" --script "$TMP/script" --size 80x24 sample-traces/lu.S.4.clog2
is "$(XDG_STATE_HOME=$TMP/state "$PAS2P" phases --events 0.65 -f csv sample-traces/lu.S.4.clog2 | sed 1d | wc -l | tr -d ' ')" 13 'the command that is named gives the same phases'
printf ':defaults\n' >"$TMP/script"
XDG_CONFIG_HOME=$TMP/config XDG_STATE_HOME=$TMP/state run_fails 2 'a script answers the question' "$PAS2P" --script "$TMP/script" sample-traces/lu.S.4.clog2
rm -r "$TMP/state"

remember 'a visit again' sample-traces/lu.S.4.clog2 <<'X'
:preset strict
y
:set volume 7%
1 : "goto event rank 2 9" Enter
m q
3
X
run_ok 'leaves one file' test "$(find "$TMP/state/pas2p" -type f ! -name recent.yaml | wc -l)" -eq 1
cp sample-traces/lu.S.4.clog2 "$TMP/copy.clog2"
remember 'the next one, of a copy, finds settings, view, place, marks and history' "$TMP/copy.clog2" <<'X'
:expect Restored your settings: pas2p phases --
:expect changed: 
:expect events      95.0 %
:expect volume       7.0 %
:expect ▼share
1
:expect rank 2 #9
`
:expect r2 #9
Esc
1 : Up
:expect goto event rank 2 9
X
remember 'another trace has another state' sample-traces/cg.S.4.clog2 <<'X'
:expect volume       5.0 %
X
remember 'the command line wins' --volume 3% sample-traces/lu.S.4.clog2 <<'X'
:expect volume       3.0 %
:expect events      80.0 %
X
remember 'with a preset, too' --preset thesis sample-traces/lu.S.4.clog2 <<'X'
:expect pas2p · bbp · collectives off
:expect volume       5.0 %
X
remember 'what is asked for by an unknown name' sample-traces/lu.S.4.clog2 <<'X'
d y
p "strict" Enter y
:expect Using preset strict; u undoes this.
u
:expect events      80.0 %
p "none" Enter
:expect preset is 'none': expected strict or thesis
X
for f in "$TMP"/state/pas2p/[0-9a-f]*; do echo 'view: [' >"$f"; done
remember 'a damaged state is left alone, and named' sample-traces/lu.S.4.clog2 <<'X'
:expect Could not restore everything: 
:expect volume       5.0 %
X
# damage WHAT INSTEAD: a remembered visit of which one thing is wrong, as it is told on a screen that has room for it.
damage() {
	rm -r "$TMP/state"
	remember "a visit without $1" sample-traces/lu.S.4.clog2 <<'X'
:set volume 7%
1 : "goto event rank 2 9" Enter
m q m r
X
	for f in "$TMP"/state/pas2p/[0-9a-f]*; do
		sed "s/$1/$2/" "$f" >"$TMP/damaged" && ! cmp -s "$TMP/damaged" "$f" && mv "$TMP/damaged" "$f"
	done || fail "there is no $1 to damage"
	cat >"$TMP/script"
	XDG_CONFIG_HOME=$TMP/config XDG_STATE_HOME=$TMP/state run_ok "$2 is told, and the rest remembered" "$PAS2P" \
		--script "$TMP/script" --size 300x34 sample-traces/lu.S.4.clog2
}
damage 'q: {process: 2' 'q: {process: two' <<'X'
:expect marks.q.process is 'two': expected a whole number from 0 to 4294967295
:expect volume       7.0 %
1
:expect rank 2 #9
1 g ' r
:expect rank 2 #9
' q
:expect There is no mark q.
X
damage 'cursor: {process: 2' 'cursor: {process: -2' <<'X'
:expect cursor.process is '-2': expected a whole number
:expect volume       7.0 %
X
damage 'volume: 0.07' 'volume: 7' <<'X'
:expect Could not restore everything: 
:expect thresholds.volume is '7': expected
:expect volume       5.0 %
1
:expect rank 2 #9
X
damage 'spread: 1' 'spread: 3' <<'X'
:expect grid.spread is '3': expected a power of two
:expect volume       7.0 %
X
damage 'view: grid' 'view: [grid]' <<'X'
:expect view is a list: expected the name of a view
1
:expect rank 2 #9
X
remember 'what differs from the defaults is saved' sample-traces/lu.S.4.clog2 <<X
:set volume 12%
:set order lamport
:save-config $TMP/mine.yaml
:save-config
:expect saved.yaml
X
is "$(grep -v '^#' "$TMP/mine.yaml")" 'analysis:
  order: lamport
  thresholds:
    volume: 0.12' 'and no more than that'
run_ok 'and read back' "$PAS2P" --no-config --config "$TMP/mine.yaml" phases sample-traces/lu.S.4.clog2
is "$(grep -v '^#' "$TMP/config/pas2p/saved.yaml")" "$(grep -v '^#' "$TMP/mine.yaml")" 'the usual place is beside the config'
remember 'from there it is read at the next start' sample-traces/ep.S.4.clog2 <<X
:expect volume      12.0 %
:expect lamport
X
cp "$TMP/config/pas2p/config.yaml" "$TMP/config.before"
cat >>"$TMP/config/pas2p/config.yaml" <<'X'
analysis: {thresholds: {volume: 20%, events: 70%}}
ui: {mouse: true}
keys: {quit: F10, transpose: F9}
X
remember 'also what the config file says otherwise' sample-traces/is.S.4.clog2 <<X
:expect volume      12.0 %
:expect events      70.0 %
:set volume 5%
:expect volume       5.0 %
O
:expect Mouse off.
:save-config
:expect pas2p uses it from now on.
X
sed -i 's/transpose: .*/transpose: [F8]/' "$TMP/config/pas2p/saved.yaml"
remember 'the default of the method wins too, once it is saved' sample-traces/nonblock.4.clog2 <<X
:expect volume       5.0 %
:expect events      70.0 %
O
:expect Mouse on:
?
/ "turn the logical" Enter
:expect ▸F8                  turn
X
cp "$TMP/config.before" "$TMP/config/pas2p/config.yaml"
rm "$TMP/config/pas2p/saved.yaml"

script 'undo takes back zoom and filter too' lu.S.4.clog2 <<'X'
- - - -
u
:expect >2
3
& "✓" Enter
:expect filter: 8 of 16
u
:expect 16
C-r
:expect filter: 8 of 16
u u
:expect Nothing to undo.
X

script 'the mouse selects, opens, sorts and scrolls' cg.S.4.clog2 <<'X'
:click 11,11
:expect rank 1 #2 send to rank 0
:click 11,11
:expect rank 0 #3 receive from rank 1
:click 39,1
:expect ▼share
:click 20,6
:expect phase 3 · 416
:click 6,4
:expect ▼phase
:click 6,4
:expect ▲phase
:wheel 20,6
:expect phase 6 · 1
:wheel-up 20,6
:expect phase 3 · 416
:click 20,6
:click 20,6
:expect 832 occurrences
:click 80,31
1
:expect tick 18
X

script 'a place is shown where one is: in the timeline or in the grid' cg.S.4.clog2 <<'X'
4
:goto event rank 1 17
:expect rank 1 · 0.0
:goto 20
:expect rank 1 · 0.0
m a
g
' a
:expect rank 1 · 0.0
3
:goto phase 3
:expect phase 3, pair exchange ^1 + transpose 2x2, occurrence 1 of 416
X

script 'commands: set, goto, what is wrong with them' cg.S.4.clog2 <<'X'
:set volume 25%
:expect volume      25.0 %
:goto 0.02s
:expect t 0.019
:goto rank 2
:expect r2
:resize 40x10
:expect volume 25.0 %
X
script 'places have many names' cg.S.4.clog2 <<'X'
:goto tick 100
:expect tick 100
:goto rank 2 #100
:expect rank 2 #100
:goto #7
:expect rank 2 #7
:goto rank 1#17
:expect rank 1 #17
:goto event 20
:expect rank 1 #20
:goto phase 4
:expect phase 4
:goto 0.02s
:expect s · 
:goto 12 ms
:expect 0.01
:goto 20000us
:expect 0.01
:goto rank 2
:expect r2 
?
/ "^:goto" Enter
:expect goto PLACE: go to rank 3 (r3), tick 40, rank 3 #17, phase 4, i7, 12ms
X

script 'the timeline is searched: states, events, phases, and back' nonblock.4.clog2 <<'X'
4
/ "MPI_Waitall" Enter
:expect MPI_Waitall
/ "^rank 2.*send to rank 3" Enter
:expect rank 2 ·
/ "^rank 1 MPI_Isend.*phase 3" Enter
:expect rank 1 ·
N n
:expect MPI_Isend
/ "nothing like it" Enter
:expect No match.
/ "^((((\S|\s)+)+)+)+(?<=~)" Enter
:expect takes too many steps: make it simpler
e /
:expect this view cannot be searched
X

script 'options stand anywhere, and lists are sorted by a column' lu.S.4.clog2 <<X
3
:export --all "$TMP/with blanks.csv"
:expect 16 rows
:export --force --all '$TMP/with blanks.csv'
:expect 16 rows
:export $TMP/first.csv --force
:expect rows
:sort covered
:expect ▼covered
:sort covered
:expect ▲covered
:sort phase
:sort
X
run_ok 'a name with blanks is one' test -s "$TMP/with blanks.csv"
run_ok 'an option is no name' test ! -e ./--force
for bad in 'goto rank 2#100 junk' 'goto 5 6' 'goto 12 parsecs' 'goto 1.5' 'goto 99999999' 'goto 99999s' 'goto rank 1 #0' 'goto phase 2 #1' 'goto #' 'sort nothing' \
	'undo now' 'set volume 5% now' 'set volume=5% now' 'write a b' 'screen --svg' 'screen "a' 'export x.csv y.csv' 'export --none x.csv' \
	'result a b' 'preset' 'q now' 'save-config a b'; do
	printf '3\n:%s\n' "$bad" >"$TMP/script"
	run_fails 2 "refused: $bad" "$PAS2P" --no-config --script "$TMP/script" sample-traces/cg.S.4.clog2
done

# Processes were counted from 1: who types that is told the rank, and stays where the cursor is.
script 'ranks count from 0' cg.S.4.clog2 <<'X'
1
:goto rank 0
:expect rank 0
:goto rank 3 #9
:expect rank 3 #9
:goto r2 #9
:expect rank 2 #9
:goto event r1 9
:expect rank 1 #9
1 : "goto P3" Enter
:expect P3 is rank 2: ranks count from 0
Esc
1
/ "P4" Enter
:expect P4 is rank 3: ranks count from 0
X
for bad in 'goto P3' 'goto P3 #17' 'goto p3#17' 'goto event P3 9'; do
	echo ":$bad" >"$TMP/script"
	run_fails 2 "refused: $bad" "$PAS2P" --no-config --script "$TMP/script" sample-traces/cg.S.4.clog2
	like "$(cat "$ERR")" 'P3 is rank 2: ranks count from 0' 'with the rank that it is'
done

for bad in 'set nothing 5' 'set volume 2' 'goto nowhere' 'goto rank 8' 'fly'; do
	echo ":$bad" >"$TMP/script"
	run_fails 2 "refused: $bad" "$PAS2P" --no-config --script "$TMP/script" sample-traces/cg.S.4.clog2
	like "$(cat "$ERR")" '^pas2p: .*:1: ' 'with the line'
done

run_ok 'the batch command writes the table' "$PAS2P" --no-config phases --format yaml --volume 10% sample-traces/cg.S.4.clog2
cp "$OUT" "$TMP/batch.yaml"
script 'e previews the table and writes it' cg.S.4.clog2 <<X
:set volume 10%
e
:expect application: cg.S.4
Enter C-u "$TMP/table.yaml" Enter
:expect Wrote the phase table
X
run_ok 'the same bytes' cmp "$TMP/batch.yaml" "$TMP/table.yaml"
echo mine >"$TMP/table.yaml"
script 'it asks before it overwrites' cg.S.4.clog2 <<X
:set volume 10%
e Enter C-u "$TMP/table.yaml" Enter
:expect exists; overwrite it?
n
:expect Not written.
X
is "$(cat "$TMP/table.yaml")" mine 'no means no'
script 'and does on yes' cg.S.4.clog2 <<X
:set volume 10%
e Enter C-u "$TMP/table.yaml" Enter y
:expect Wrote the phase table
X
run_ok 'the new bytes' cmp "$TMP/batch.yaml" "$TMP/table.yaml"
script 'a place that cannot be written is named' cg.S.4.clog2 <<X
e Enter C-u "$TMP/none/table.yaml" Enter
:expect none
X

script 'every view at every size from 1x1 up' sendrecv.4.clog2 <<X
$(for v in 1 2 3 '?' e 'x' 0 Tab; do
	echo "$v"
	for s in 1x1 2x1 1x2 5x3 39x10 40x9 40x10 41x11 60x14 75x18 76x18 77x20 90x20 300x100; do
		echo ":resize $s"
		echo 'j l'
	done
done)
X

cat >"$TMP/keys.yaml" <<'X'
keys:
  quit: F10
  knob-up: ["+", "C-p"]
X
printf 'C-p\n:expect volume       5.5 %%\n?\n/ "leave pas2p" Enter\n:expect F10\n' >"$TMP/script"
run_ok 'keys come from the config file, and the help follows' "$PAS2P" --no-config --config "$TMP/keys.yaml" \
	--script "$TMP/script" --size 110x32 sample-traces/cg.S.4.clog2

printf 'theme: mono\nui: {ascii: true}\n' >"$TMP/ui.yaml"
printf ':screen %s\n' "$TMP/ascii.txt" >"$TMP/script"
run_ok 'so do theme and ASCII' "$PAS2P" --no-config --config "$TMP/ui.yaml" --script "$TMP/script" sample-traces/cg.S.4.clog2
unlike "$(LC_ALL=C cat "$TMP/ascii.txt")" '─' 'no line is drawn with more than ASCII'
echo 'theme: neon' >"$TMP/ui.yaml"
run_fails 2 'a theme that there is not' "$PAS2P" --no-config --config "$TMP/ui.yaml" --script "$TMP/script" sample-traces/cg.S.4.clog2
like "$(cat "$ERR")" "^pas2p: unknown theme 'neon': expected default or mono$" 'and those that there are'

script 'the screen is saved as text and as a picture' cg.S.4.clog2 <<X
:screen $TMP/screen.txt
:screen $TMP/screen.svg
X
like "$(cat "$TMP/screen.svg")" '</svg>' 'a whole SVG'
like "$(cat "$TMP/screen.txt")" 'r0     Bc' 'the text'
with_python 'it is well-formed XML' -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$TMP/screen.svg"

: >"$TMP/script"
run_fails 3 'no trace, no workbench' "$PAS2P" --no-config --script "$TMP/script" "$TMP/absent.clog2"
head -c 3000 /dev/urandom >"$TMP/noise.clog2"
run_fails 3 'noise is refused' "$PAS2P" --no-config --script "$TMP/script" "$TMP/noise.clog2"
done_testing
