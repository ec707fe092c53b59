#!/bin/sh
# Two runs in the workbench and in `pas2p diff` are the same comparison: verdict, first difference, counts, groups and the change of the run time.
# Whatever there is to see is reached by keys; a view that needs another run says how one is opened, and what goes wrong is a sentence.
. t/lib/lib.sh

script() {
	name=$1
	shift
	cat >"$TMP/script"
	run_ok "$name" "$PAS2P" --no-config --script "$TMP/script" --size 120x40 "$@"
}

refuses() {
	name=$1 why=$2
	shift 2
	run_fails 2 "$name" "$PAS2P" --no-config --script /dev/null "$@"
	like "$(cat "$ERR")" "$why" '... and why'
}

lu=sample-traces/lu.S.4.clog2
cg=sample-traces/cg.S.4.clog2
cp "$lu" "$TMP/same.clog2"
script 'a run beside its copy: nothing differs' "$lu" : "$TMP/same.clog2" <<'X'
:expect A lu.S.4.clog2
:expect B same.clog2
:expect identical · same events with the same sizes
:expect - 0 removed   + 0 added   ~ 0 resized
f
:expect No difference after this one.
F
:expect No difference before this one.
w
:expect No hunk after this one.
x
:expect + 
X

script 'corrected times are those of the open run alone' "$lu" : "$TMP/same.clog2" <<'X'
:expect A lu.S.4.clog2 · run time 15.6 ms
:set clocks corrected
:expect A lu.S.4.clog2 · corrected times
:expect B same.clog2 · recorded times
s
:expect A same.clog2 · recorded times
:expect B lu.S.4.clog2 · corrected times
X

script 'without another run it says how to open one' "$cg" <<X
5 v v
:expect No other run is open.
:expect :diff FILE opens a second run.
:expect pas2p A : B opens both.
:diff $lu
:expect B lu.S.4.clog2
:expect structure · first at tick 1, rank 0
v
:expect Nearest misses
v v
:expect structure · first at tick 1, rank 0
8
:expect 2 runs
X

# sendrecv and nonblock: 70 removed, 264 added, 160 resized by `pas2p diff`.
"$PAS2P" --no-config diff -q --hunks sample-traces/sendrecv.4.clog2 sample-traces/nonblock.4.clog2 >"$TMP/hunks.txt"
script 'what differs is counted as by pas2p diff' sample-traces/sendrecv.4.clog2 : sample-traces/nonblock.4.clog2 <<X
:expect structure · first at tick 0, rank 0 · A >1 800 B, B >1 10 B
:expect - 70 removed   + 264 added   ~ 160 resized
:expect hunk 1 of $(grep -c '^@@' "$TMP/hunks.txt")
:expect ~ tick 0       r0    >1 800 B → 10 B
b
:expect No hunk before this one.
X

# Two tracers of one program: one of them has a Gatherv more, five times.
script 'it begins at the first difference, wherever that is' sample-traces/coll.6.clog2 : sample-traces/coll.6.m246.clog2 <<'X'
:expect hunk 1 of 5
:expect rank 0 · left no tick · right tick 5: Gatherv 0 B
w w
:expect hunk 3 of 5
b
:expect hunk 2 of 5
X

# What the batch command says of the same two.
"$PAS2P" --no-config diff -q --format csv "$cg" "$lu" >"$TMP/batch.csv"
script 'the groups as a file' "$cg" : "$lu" <<X
:export $TMP/shown.csv --all
x
:expect = 
X
is "$(cut -d, -f1-8 "$TMP/shown.csv" | tr -d '–')" "$(cut -d, -f1-8 "$TMP/batch.csv")" '... have the values of pas2p diff'

script 'the knobs act on both runs' "$cg" : "$lu" <<X
:set volume 60%
:set events 20%
:export $TMP/turned.csv --all
X
"$PAS2P" --no-config diff -q --format csv --volume 60% --events 20% "$cg" "$lu" >"$TMP/turned.batch"
is "$(cut -d, -f1-8 "$TMP/turned.csv" | tr -d '–')" "$(cut -d, -f1-8 "$TMP/turned.batch")" '... as in pas2p diff'
is "$(cmp -s "$TMP/turned.batch" "$TMP/batch.csv" && echo same)" '' '... and change the groups'

script 's swaps the sides' "$cg" : "$lu" <<X
s
:expect A lu.S.4.clog2
:expect B cg.S.4.clog2
:export $TMP/swapped.csv --all
s
:expect A cg.S.4.clog2
X
"$PAS2P" --no-config diff -q --format csv "$lu" "$cg" >"$TMP/swapped.batch"
is "$(cut -d, -f1-8 "$TMP/swapped.csv" | tr -d '–')" "$(cut -d, -f1-8 "$TMP/swapped.batch")" '... as pas2p diff with the other order'

script 'runs with different numbers of processes have no ticks in common, but phases' "$cg" : sample-traces/coll.6.clog2 <<'X'
:expect processes · 4 and 6 processes
:expect r5
f
:expect Runs with different numbers of processes have no ticks in common.
X
script 'a file that is no trace is said, and another one may take its place' "$cg" : /dev/null <<X
:expect Enter tries again; :diff FILE opens another run.
Enter
:expect Enter tries again; :diff FILE opens another run.
:diff $lu
:expect structure · first at tick 1, rank 0
X
refuses 'a colon before all files' "expected one ':', between the files of two runs" : "$cg"
refuses 'a colon behind all files' "expected one ':', between the files of two runs" "$cg" :
refuses 'two colons' "expected one ':', between the files of two runs" "$cg" : "$lu" : "$lu"
run_fails 2 'a report is of one side' "$PAS2P" --no-config report "$cg" : "$lu"
like "$(cat "$ERR")" 'leave out the colon' '... and says so'
run_fails 2 'without a terminal it leads to pas2p diff' "$PAS2P" --no-config "$cg" : "$lu"
like "$(cat "$ERR")" 'comparing two runs side by side needs a terminal' '... says why'
like "$(cat "$ERR")" '^hint: pas2p diff A B compares them as text$' '... and the command'
done_testing
