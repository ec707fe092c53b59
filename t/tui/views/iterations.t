#!/bin/sh
# Iterations of the main loop in the workbench: `#` and `:goto` go to one by its number, and refuse numbers that are none; Enter alone
# goes from outlier to outlier and round again; `;` and `,` go from one to the next, and `<` comes back; grid and timeline stay what they
# are, other views give way to the grid; the status line names the iteration; a run without a main loop says so; the structure
# over the phases unfolds in place and is remembered. A person counts what the program repeats: a wrong number or place is a wrong answer.
. t/lib/lib.sh

lu=sample-traces/lu.S.4.clog2
cg=sample-traces/cg.S.4.clog2
ep=sample-traces/ep.S.4.clog2

# script NAME TRACE < lines: it runs to its end, on a screen of SIZE.
SIZE=120x40
script() {
	{ echo 1; cat; } >"$TMP/script"
	run_ok "$1" "$PAS2P" --no-config --script "$TMP/script" --size "$SIZE" "$2"
}

script 'by its number, in the prompt' "$lu" <<'LINES'
"#"
:expect iteration (1-49; Enter: the next outlier):
"7"
:expect outlier): 7
Enter
:expect Iteration 7 of 49 · ticks 679 – 770
j
:expect tick 679
:expect iteration 7 of 49
:expect │7
<
:expect tick 0
>
:expect tick 679
LINES
script 'numbers that are none stay in the prompt, with what is possible' "$lu" <<'LINES'
"#0" Enter
:expect expected an iteration from 1 to 49
Backspace "50" Enter
:expect expected an iteration from 1 to 49
C-u "18446744073709551616" Enter
:expect expected an iteration from 1 to 49
C-u "seven" Enter
:expect expected an iteration from 1 to 49
C-u "-1" Enter
:expect expected an iteration from 1 to 49
C-u "7.5" Enter
:expect expected an iteration from 1 to 49
C-u "7 8" Enter
:expect expected an iteration from 1 to 49
C-u "  9 " Enter
:expect Iteration 9 of 49
"#" Esc
:expect iteration 9 of 49
LINES
script 'by :goto' "$lu" <<'LINES'
:goto iteration 7
:expect tick 679
:goto i8
:expect iteration 8 of 49
:goto i 49
:expect iteration 49 of 49
LINES
script 'from outlier to outlier, and round again' "$lu" <<'LINES'
"#" Enter
:expect Iteration 3 of 49, 313 µs, mean 238 µs · ticks 311 – 402 · outlier
w
:expect iteration 3 of 49, 313 µs, mean 238 µs
"#" Enter "#" Enter "#" Enter "#" Enter "#" Enter "#" Enter "#" Enter "#" Enter
:expect outlier
LINES
script 'where none stands out' "$cg" <<'LINES'
"#"
:expect iteration (1-15):
Enter
:expect none of the 15 iterations is an outlier
Esc
LINES
script 'one after the other, and back: first to where this one begins' "$lu" <<'LINES'
,
:expect No iteration begins before this place.
;
:expect Iteration 1 of 49 · ticks 131
;
:expect Iteration 2 of 49
Right ,
:expect Iteration 2 of 49
,
:expect Iteration 1 of 49
,
:expect No iteration begins before this place.
:goto i49
;
:expect No iteration begins after this place.
G
,
:expect Iteration 49 of 49
LINES
script 'the timeline stays, other views give way to the grid' "$lu" <<'LINES'
:resize 200x40
4
"#7" Enter
:expect Iteration 7 of 49
:expect phase r0
w
:expect phase 10 · MPI_Wait 21.3 µs · #
b
:expect phase 10, halo 2x2 + sweep from 0 · MPI_Send 2.67 µs · #
b
:expect iteration 6 of 49
:goto i7
;
:expect Iteration 8 of 49
:expect phase r0
<
:expect iteration 7 of 49
3
"#8" Enter
:expect Iteration 8 of 49
:expect tick
:expect loop
6
:goto i9
:expect iteration 9 of 49
LINES
script 'found by the search, as all that the status line says' "$lu" <<'LINES'
"/iteration 33 of" Enter
:expect iteration 33 of 49
LINES
script 'a column of several says which' "$lu" <<'LINES'
Z
:goto i7
:expect · iterations 6 – 7 of 49
LINES
script 'no main loop' "$ep" <<'LINES'
"#"
:expect no main loop
Esc
;
:expect no main loop
4
,
:expect no main loop
LINES
script 'another threshold has other iterations, and undo has the first again' "$cg" <<'LINES'
:goto i5
:expect iteration 5 of 15
:set collectives ignore
:expect of 16
u
:expect iteration 5 of 15
LINES
script 'the structure unfolds one deeper, and in the end folds' sample-traces/cg.S.4.clog2 <<'LINES'
3
:expect structure     1 2 25(3 2*2) 3 2 4 14(2 25(3 2*2) 3 2 5) 2 25(3 2*2) 3 2 6
|
:expect All loops are folded.
:expect structure     1 2 25(...) 3 2 4 14(...) 2 25(...) 3 2 6
|
:expect Loops are unfolded 1 of 2 levels deep.
:expect 14(2 25(...) 3 2 5)
|
:expect All loops are unfolded.
:expect 14(2 25(3 2*2) 3 2 5)
:fold
:expect All loops are folded.
LINES
SIZE=40x10
script 'on the smallest screen' "$lu" <<'LINES'
"#7" Enter
:expect Iteration 7 of 49
4 , ; 3 | |
"#99" Enter
:expect 99
C-u "9" Enter
:expect Iteration 9 of 49
:resize 10x3
"#8" Enter
:resize 40x10
:expect tick
LINES

# However wide the screen is, a line is broken between words: no bracket stands alone, nor is a count parted from what it counts.
for w in 40 41 42 43 44 45 46 47 48 49 50 51 52; do
	printf '3\n|\n|\n|\n:screen %s\n' "$TMP/screen" >"$TMP/script"
	"$PAS2P" --no-config --script "$TMP/script" --size ${w}x40 $cg
	sed '/^-- roles/,$d; /^ phase/,$d' "$TMP/screen" >>"$TMP/broken"
done
is "$(grep -c 'structure ' "$TMP/broken")" 13 'the structure at thirteen widths'
is "$(grep -E '^ *\)|\($|\*$' "$TMP/broken")" '' 'its lines are broken between words'

# refused TRACE LINE SENTENCE: the script fails with it.
refused() {
	echo "$2" >"$TMP/script"
	run_fails 2 "refused: $2" "$PAS2P" --no-config --script "$TMP/script" --size 120x40 "$1"
	like "$(cat "$ERR")" "$3" 'the sentence'
}
refused $lu ':goto i0' 'expected an iteration from 1 to 49'
refused $lu ':goto iteration 50' 'expected an iteration from 1 to 49'
refused $lu ':goto iteration' 'expected a tick .* iteration .i7.'
refused $lu ':goto i7 8' 'expected a tick '
refused $lu ':goto iseven' 'expected a tick '
refused $ep ':goto i1' 'no main loop'

# How deep it is unfolded is kept between visits.
XDG_STATE_HOME=$TMP/state
export XDG_STATE_HOME
printf '3\n|\n:expect 14(...)\n' >"$TMP/script"
run_ok 'a visit' "$PAS2P" --script "$TMP/script" --size 120x40 $cg
cat "$TMP"/state/pas2p/* >"$TMP/kept" 2>/dev/null
like "$(cat "$TMP/kept")" 'depth: 0' 'the depth is kept'
printf '3\n:expect 14(...)\n' >"$TMP/script"
run_ok 'and there on the next visit' "$PAS2P" --script "$TMP/script" --size 120x40 $cg
done_testing
