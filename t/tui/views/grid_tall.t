#!/bin/sh
# Rows of the grid grow where few processes leave room: below each event stands how long was computed before it and, once that is known,
# how long its call waited, with the longest in numbers; a click on any of the lines is one on the process. Where there is no
# room, where a cell is more than an event and where ticks go down, a process has its one line.
. t/lib/lib.sh

lu=sample-traces/lu.S.4.clog2

script() {
	{ echo 1; cat; } >"$TMP/script"
	run_ok "$1" "$PAS2P" --no-config --script "$TMP/script" --size 80x24 "$lu"
}

script 'compute and waits, with the longest in numbers' <<'LINES'
:goto i18
:expect longest on screen: compute 12.7 µs · waiting 32.6 µs · root scale
:expect  comp      ▄▄    ▁▁    ▅▅    ▁▁ ▁▁       ▅▅ ▁▁       ██ ▁▁    ▅▅    ▁▁    ▄▄
:expect  wait                                    ▃▃          ▂▂
:resize 80x40
:expect · waiting 32.6 µs
LINES
script 'a click on a bar is one on its process' <<'LINES'
:click 12,8
:expect r0 #2
:click 12,9
:expect r1 #2
:click 12,17
:expect r3 #2
LINES
script 'as much as has room: an event alone, or nothing of it' <<'LINES'
:resize 80x13
:expect r3     Bc
:resize 80x200
:expect longest on screen
:resize 40x10
:expect r3
:resize 10x10
:resize 80x24
:expect longest on screen
LINES
# absent LINES: what is on the screen then has no bars.
absent() {
	printf "1\n$1:screen %s\n" "$TMP/screen" >"$TMP/script"
	run_ok "no bars: $1" "$PAS2P" --no-config --script "$TMP/script" --size 80x24 "$lu"
	is "$(grep -c 'longest on screen' "$TMP/screen")" 0 'none'
}
absent 'Z\n'
absent 'x\n'
absent ':resize 80x13\n'

# tall KEYS WHAT LINES: in the run on one screen, too, rows fill the lines that there are: how many lines rank 1 is below rank 0, and a click on the last of rank 1's.
tall() {
	printf "1 Z $1\n:screen %s\n" "$TMP/screen" >"$TMP/script"
	run_ok "the run on one screen, $2" "$PAS2P" --no-config --script "$TMP/script" --size 80x50 "$lu"
	first=$(grep -nE '^ r0( |$)' "$TMP/screen" | head -1 | cut -d: -f1)
	second=$(grep -nE '^ r1( |$)' "$TMP/screen" | head -1 | cut -d: -f1)
	is $((second - first)) "$3" "$2: rows are $3 lines high"
	printf '1 Z %s\n:click 30,%d\n:expect r1: \n' "$1" $((second + 4)) >"$TMP/script"
	run_ok "$2: all of a row is clicked on" "$PAS2P" --no-config --script "$TMP/script" --size 80x50 "$lu"
}
tall '' events 8
tall 'v v v' waiting 7
is "$(sed -n "$first,$((second - 1))p" "$TMP/screen" | grep -c '[▁▂▃▄▅▆▇█]')" 6 'with a bar, up to a blank line'
done_testing
