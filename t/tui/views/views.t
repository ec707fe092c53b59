#!/bin/sh
# Timeline, comparison, summary and sensitivity strip through the script layer, which waits for what is computed in
# the background. Shown here: the cursor is one with the grid's in both directions, the shares under it and the message
# lines, that what is said to merge at a threshold does merge there and not before, that the summary has the numbers of
# `pas2p info`, that warnings lead to their place, and that every view stands every size and trace.
. t/lib/lib.sh

# script workers of 0 TRACE [OPTIONS] < lines: the script must run to its end, all its expectations met.
script() {
	name=$1 trace=$2
	shift 2
	{ echo 1; cat; } >"$TMP/script"
	run_ok "$name" "$PAS2P" --no-config --script "$TMP/script" --size 140x34 "$@" "sample-traces/$trace"
}

script 'the event under the cursor in the grid is under it in the timeline, and back' lu.S.4.clog2 <<'X'
:goto 30
4
:expect rank 0 · 0.002829 s · phase 4, sweep from 0 · MPI_Send 1.51 µs
1
:expect tick 30
4 w
1
:expect rank 0 #23 send to rank 1 · tick 32
4 G
1
:expect rank 0 #2 282 Allreduce
X

# On a skewed program each process is in another phase at one time. The row is that of the cursor's process, says so, and
# agrees with the grid at every event: in the status line, and in the bracket that the cursor is in.
cat >"$TMP/bracket.py" <<'X'
import re, sys
text, roles, stressed = [part.split('\n') for part in re.split('-- (?:roles|stressed)\n', open(sys.argv[1]).read())]
y = next(i for i, line in enumerate(text) if line.startswith(' phase r'))
at = stressed[y].index('r')
from_, to = at, at
while roles[y][from_ - 1] == roles[y][at]:
    from_ -= 1
while roles[y][to] == roles[y][at]:
    to += 1
print(*set(re.findall('[├─]([0-9]+)', text[y][from_:to])))
X
for at in 'rank 0 300' 'rank 1 100' 'rank 1 400' 'rank 2 777' 'rank 3 50' 'rank 3 1500'; do
	printf ':goto event %s\n:screen %s\n4\n:screen %s\n' "$at" "$TMP/in-grid" "$TMP/in-time" >"$TMP/script"
	printf '+ + + +\n:screen %s\n' "$TMP/near" >>"$TMP/script"
	"$PAS2P" --no-config --script "$TMP/script" --size 140x34 sample-traces/lu.S.4.clog2
	phase=$(sed -n 's/^ r\(ank \)*[0-9] #.* · phase \([0-9]*\)[,:].*/\2/p' "$TMP/in-grid")
	like "$(cat "$TMP/in-time")" "^ ${at% *} · .* s · phase ${phase}[,a-z0-9 +]* · " "event $at is in the grid's phase $phase"
	rank=${at% *}
	like "$(cat "$TMP/near")" "^ phase r${rank#rank } " "the row is that of $rank"
	if command -v python3 >/dev/null; then
		is "$(python3 "$TMP/bracket.py" "$TMP/near")" "$phase" 'and has that phase where the cursor is'
	else
		skip 1 'no python3 to find the bracket with'
	fi
done

script 'what a phase does stands above charts that have little room too' cg.S.4.clog2 <<X
:resize 80x24
3
:expect exchange in pairs of ranks that differ by bit 1, 8 B
:expect durations  log x
j j Enter
:screen $TMP/once
:resize 120x40
0
:expect 3  pair exchange ^1 + t…
X
like "$(cat "$TMP/once")" ' phase 1 · broadcast · 1 occurrence$' 'one occurrence'
script 'numbers of relevant phases say so' anysrc.5.clog2 <<'X'
:resize 200x60
0 v
:expect iterations; relevant phases only
X

script 'phases say what they do, also on a small screen' lu.S.4.clog2 <<'X'
:resize 80x24
3
:expect 11    A       490   8.89 µs   27.9 %   27.9 %  sweep from 0
:expect phase 11: wavefront over the 2x2 grid from rank 0 along +x +y: each process
j
:expect halo 2x2 + sweep from 0
:expect phase 10: exchange with the neighbours along x, y of the 2x2 grid; then
:sort name
:expect name▲
g
:expect phase 3: MPI allreduce of all 4; then MPI barrier of all 4
:resize 40x24
:expect phase 3: MPI allreduce of all 4; then
3 "#1" Enter
1
:resize 80x24
:expect phase 4, sweep from 0
:resize 140x34
:expect · phase 4, sweep from 0, occurrence 11 of 20
X

script 'a phase of blocks has their labels below the list' thesis-cg.4.clog2 <<'X'
3
:set similarity bbp
:expect labels 1 2 3 4 5 6 7
j
:expect label 8
X
script 'as many labels as find room' one_rank.1.clog2 --size 60x40 <<'X'
:set similarity bbp
:set compute 100%
3
j
:expect labels 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 …
X
script 'which ranks a block shows, where not all' coll.6.clog2 --size 80x11 <<'X'
2
:expect ranks 0–4 of 6
J
:expect ranks 1–5 of 6
X

script 'Enter goes to the peer of a message, < back' cg.S.4.clog2 <<'X'
:goto 1
4 Enter
:expect rank 1 ·
<
:expect rank 0 ·
X

script 'zoom, the whole run, and back' lu.S.4.clog2 <<'X'
4 Z
:expect │0
:expect │15
:expect rank 0 ·
Z
+ + + +
:expect Window     
v
:expect Messages of this rank.
v
:expect Messages of all ranks shown.
v
:expect Message lines hidden.
X

script 'zoom of the timeline is undone and redone, several in a row as one' lu.S.4.clog2 <<'X'
4 Z
:expect │15
+ + + +
:expect µs, 6.2 % of the run
u
:expect │15
C-r
:expect │0.8
u u
:expect │2
u
:expect Nothing to undo.
X

script 'blocks merge at the threshold that is told' lu.S.4.clog2 <<'X'
2 w
:expect block 76 · label 76 × 450
:expect holds at 5.3 %
:expect block 671 × 5         0.2 % away: volume 0.0 % and compute 5.3 %
:set compute 5.2%
:expect block 671 · label 671 × 5
:set compute 5.3%
:expect block 671 · label 76 × 452
X

script 'phases merge at the threshold that is told' cg.S.4.clog2 <<'X'
3 w
:expect not similar: 0.0 % of the cells agree
:expect merge at volume 50.0 %
:set volume 49.9%
:expect phase 2 · pair exchange ^1 · 832
:set volume 50%
:expect phase 2 · pair exchange ^1 · 846
X

script 'the nearest misses are searched, filtered and exported' lu.S.4.clog2 <<X
2 w
/ "block 671 " Enter
:expect block 671 · label 671 × 5
& "671" Enter
:expect filter: 1 of
:export $TMP/misses.csv
:expect Wrote 1 row to
& Enter
G
:expect ▸ block
X
is "$(sed 's/,0\.[0-9]*/,N/g' "$TMP/misses.csv" | tr -d '\r')" 'id,weight,distance,volume,events,compute
671,5,N,0,,N' 'as numbers, a threshold that does not count empty'

script 'any other partner, the two swapped, and both in the grid' anysrc.5.clog2 <<'X'
3 j j w
:expect phase 7 · workers of 0 · 16
:expect phase 10 · workers of 0 · 6
j
:expect phase 34 · workers of 0 · 1
s .
:expect phase 8 · workers of 0 · 2
i
:expect phase 34, workers of 0, occurrence 1 of 1
5 I
:expect phase 8, workers of 0, occurrence 1 of 2
5 v
:expect label
X

# The numbers of `pas2p info`, by the same trace.
run_ok 'info' "$PAS2P" --no-config info sample-traces/anysrc.5.clog2
like "$(cat "$OUT")" '8 - +15 +207 +50.74 %' 'info counts the smallest messages'
like "$(cat "$OUT")" '3 +288 +0.062700 +86.09 % +8.74 %' 'and the times of a process'
script 'the summary has them too' anysrc.5.clog2 <<'X'
6 J J j j j
:expect rank 3 · 62.8 ms: computation 86.09 % send 8.74 %
:expect 8 B – < 16 B                 207   50.7 %
J l
:expect rank 0 → rank 1: 55 messages
v
:expect The matrix shows bytes.
K K K
:expect clock-violation
G K K
:expect Barrier
X

# The sections as tables: what is under the cursor, with the numbers of `pas2p info` and `pas2p check`.
script 'each section of the summary is exported' anysrc.5.clog2 <<X
6
:export $TMP/run.csv
:expect Wrote 13 rows of run to
J
:export $TMP/notes.csv
J
:export $TMP/times.json
J
:export $TMP/pairs.csv
:expect Wrote 8 rows of messages between ranks to
J
:export $TMP/sizes.yaml
J
:export $TMP/colls.csv
J
:export $TMP/states.txt
X
is "$(sed -n '1p;/^events/p;/^lost_sends/p' "$TMP/run.csv")" 'property,value
events,821
lost_sends,0' 'the run, by name'
"$PAS2P" --no-config check --format csv sample-traces/anysrc.5.clog2 >"$TMP/check.csv"
is "$(cat "$TMP/notes.csv")" "$(cat "$TMP/check.csv")" 'warnings as pas2p check has them'
is "$(grep -c '^  {"rank"' "$TMP/times.json")" 5 'the times of each process'
is "$(sed -n '1,3p' "$TMP/pairs.csv")" 'from,to,messages,bytes
0,1,55,440
0,2,50,400' 'messages between ranks, by pairs of ranks'
is "$(head -n 1 "$TMP/sizes.yaml")" '- {from: 8, to: 15, sends: 207, bytes: 1656}' 'sizes as pas2p info counts them'
is "$(cat "$TMP/colls.csv")" 'operation,comm,calls,events,bytes
Barrier,0,1,5,0' 'collectives'
like "$(cat "$TMP/states.txt")" '^MPI_Recv +mpi +338 ' 'and calls, as text'

script 'the summary is searched and filtered, and what is shown is exported' anysrc.5.clog2 <<X
6
/ "iprobe" Enter
:expect ▸ MPI_Iprobe
/ C-u "^r[12] " Enter
:expect rank 1 · 62.8 ms
n n
:expect rank 1 → rank 0: 55 messages
N
:expect rank 2 · 62.8 ms
& "^r[12] " Enter
:expect filter: 4 of 36
:export $TMP/two.csv
:expect Wrote 2 rows of time breakdown to
J
:export $TMP/of-two.csv
:expect Wrote 2 rows of messages between ranks to
:export $TMP/of-all.csv --all
:expect Wrote 8 rows of
u
:expect clock-violation
C-r
:expect filter: 4 of 36
& C-u "nothing is like it" Enter
:expect filter: 0 of 36
j J K G
& C-u Enter
:expect r3
X
is "$(cut -d, -f1 "$TMP/two.csv")" 'rank
1
2' 'the two processes'
is "$(cat "$TMP/of-two.csv")" 'from,to,messages,bytes
1,0,55,12752
2,0,50,10936' 'and what they send'
printf '6\n& "nothing is like it" Enter\n:export %s\n' "$TMP/none.csv" >"$TMP/script"
run_fails 2 'where nothing is shown there is nothing to export' "$PAS2P" --no-config --script "$TMP/script" \
	sample-traces/anysrc.5.clog2
like "$(cat "$ERR")" 'there are no rows to export' 'and it says so'

script 'in two columns the cursor goes from one to the other' anysrc.5.clog2 <<'X'
:resize 200x60
6
:expect │ Message sizes
l
:expect │▸ 8 B
h
:expect ▸ trace
:click 16,28
:expect rank 2 → rank 0: 50 messages
k k l l l l
:expect rank 0 → rank 4: 52 messages
l
:expect │▸ 
:click 16,28
:expect rank 2 → rank 0: 50 messages
:click 16,28
:expect rank 2 #
X

cat >"$TMP/script" <<'X'
6
:expect 3 × collective-mismatch
J j j j j j j
:expect 3 of its 4 members take part
Enter
:expect Allreduce
X
run_ok 'a warning leads to its place' "$PAS2P" --no-config --script "$TMP/script" --size 140x34 \
	sample-traces/unfinalized.m240.abortme.rank000*.clog2

script 'the strip shows each measure of each knob, and the same again' lu.S.4.clog2 <<'X'
:expect phases over volume: 16
) )
:expect phases over events: 13 – 18
M
:expect relevant over events:
M
:expect coverage over events: 90.9 % – 93.6 %
) M
:expect phases over relevance: 16 – 16
X

script 'a value beyond the strip is drawn beyond it, and no mark stands on the scale' lu.S.4.clog2 <<'X'
:resize 80x24
t
:expect │0     │1 │2    │5    │10  20 %│ root
) )
:set events 50.5%
:expect │50    │70 │80   │90 │95  100 %│ root
:set events 30%
:expect │←▆
:expect │50    │70 │80   │90 │95  100 %│ root
( (
:set volume 40%
:expect →
:expect │0     │1 │2    │5    │10  20 %│ root
:resize 120x40
:set volume 5%
:expect ▲
:expect │0     │1 │2    │5     │10  20 %│ root
X

script 'a knob that decides nothing says why' lu.S.4.clog2 <<'X'
:expect compute      5.0 % bbp only
:expect events      80.0 % ━
:expect compute-of      max bbp only
)
:expect compute compares basic blocks, but
:expect similarity is phase: without effect
y
:expect compute      5.0 % ━
:expect events      80.0 % phase only
:expect absent          similar phase only
:expect over compute:
)
:expect events compares phases, but
:resize 80x24
t
:expect phase only
X

script 'of a trace without calls no time is computing' thesis-cg.4.clog2 <<'X'
4
:expect · not recorded
6
:expect not recorded
X

script 'what a signature would measure stands among the figures, and explains itself' lu.S.4.clog2 <<'X'
:expect exp. error   43.0 %
e
:expect a signature measures 8 occurrences and predicts 8.92 ms: expected error 43.0 %
:resize 80x24
:expect 8 occurrences predict 8.92 ms, exp. error 43.0 %
Esc
1 t
:expect exp. error   43.0 %
:set sample-seconds 1
:expect exp. error   11.1 %    43.0 %   -31.9
X

script 'numbers are not cut where there is little room' anysrc.5.clog2 <<'X'
:resize 80x24
t
3 w
:expect phase 8 × 2   13.8 % or –
5 v
:expect holds at 89.5 %
:resize 120x40
:expect holds at 89.5 %
:resize 40x10
t
1
:expect 38 phases  86.3 %
X

script 'zoomed out, the status line speaks of the column, and columns show shares' lu.S.4.clog2 <<'X'
:resize 100x30
Z
:expect phase  HHHHEE
:expect shares HHHHBC
:expect ticks 0 – 52 · r0: 33 of 128 events · phases 4 (H) 47 %, 2 (D) 30 %
G
:expect events · phases 13 (M)
+ + + + + + + +
:expect  phase  
x Z
:expect 11+
X
for trace in cg.S.4 lu.S.4 anysrc.5; do
	script "the letters of $trace go by share" "$trace.clog2" <<'X'
3
:expect mark
:expect    A   ✓
X
done

for trace in one_rank.1 coll.6 userstates.3 nonblock.4 sendrecv.4; do
	script "the views of $trace at every size" "$trace.clog2" <<X
$(for v in 4 5 6 t; do
	echo "$v"
	for s in 40x10 41x11 60x14 76x18 90x20 200x60 300x100; do
		echo ":resize $s"
		echo 'j l + v J - Z v v L H k G g'
		echo ':set volume 9%'
		echo 'u'
	done
done)
X
done
done_testing
