#!/bin/sh
# Heat in the zoomed-out grid: which process waited, and when, is seen at once. Shown here: the key goes round all measures and back, each has a
# legend with numbers, the status line says what the cursor's cell has, and cells follow zoom, groups of processes, turning and the settings
# of the analysis. What cells hold is shown by t/metrics/heat_map.c; a process's one cell is compared here with its row of metrics.
. t/lib/lib.sh

script() {
	name=$1 trace=$2
	shift 2
	cat >"$TMP/script"
	run_ok "$name" "$PAS2P" --no-config --script "$TMP/script" --size 140x34 "$@" "sample-traces/$trace"
}

script 'v goes through all measures, each with its legend, and back to events' lu.S.4.clog2 <<'X'
1 Z v
:expect Cells show: phase with the largest share
:expect phase with the largest share  · none  A 11  B 10
v
:expect computation, share of the time  · 0.0 %  
v
:expect waiting, share of the time  · 0.0 %  
v
:expect bytes sent  · 0 B  
v
:expect messages sent  · 0  
v
:expect Cells show: events
V
:expect messages sent  · 0  
V V V V V
:expect Cells show: events
X

script 'zoomed in, v shows what single events have' lu.S.4.clog2 <<'X'
1 v
:expect Cells show: size
Z v
:expect Cells show: phase with the largest
Z v
:expect Cells show: compute
X

# The cells of a process add up to its row of metrics.
{
	printf '1 Z V\n:goto rank 2#1\ng\n'
	awk -v to="$TMP/at" 'BEGIN { while (i++ < 75) printf ":screen %s-%d\nl\n", to, i }'
} >"$TMP/script"
run_ok 'a walk along a row' "$PAS2P" --no-config --script "$TMP/script" --size 80x12 sample-traces/lu.S.4.clog2
X=$(cat "$TMP"/at-* | sed -n 's/^ ticks \([0-9]*\).* r2: \([0-9]*\) message.*/\1 \2/p' | sort -u | awk '{ n += $2 } END { print n }')
"$PAS2P" metrics --by process --format csv sample-traces/lu.S.4.clog2 >"$TMP/rows.csv" 2>/dev/null
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["process"] == 2 { print $at["sends"] }' "$TMP/rows.csv")" 1130 'rank 2 sends 1 130 messages'
is "$X" 1130 '... as its cells add up to'

script 'cells follow zoom, groups of processes and turning' coll.6.clog2 --size 40x10 <<'X'
1 Z v v v _
:expect waiting, share
:expect r0–1: waiting 49.3 %
j l l l
:expect r2–3: waiting 37.1 %
x
:expect waiting, share
:expect waiting
+
:expect waiting, share
X

script 'phases are those of the settings' lu.S.4.clog2 <<'X'
1 Z v
:expect A 11  B 10
:set similarity bbp
:expect phase with the largest share  · none  A 21  B 11  C 111
:set similarity phase
:expect A 11  B 10
:set order lamport
:expect ticks 0 – 
X

script 'a trace without MPI calls says so' thesis-cg.4.clog2 --size 40x10 <<'X'
1 Z - - v v v
:expect waiting, share of the time  
X

done_testing
