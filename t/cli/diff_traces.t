#!/bin/sh
# The figures that were published for pairs of real runs (docs/internals/compare-rules.md, "Logical difference", "Corresponding phases" and "Waterfall"; docs/explain/fits.md, "Studies"), through the commands that people type: two programs alike, two
# with nothing in common, and one program on other numbers of processes, as two runs and as a study. The traces come compressed
# (t/traces); without xz nothing is tested.
. t/lib/lib.sh

traces=$(dirname "$PAS2P")/t/traces
[ -r "$traces/sp.S.4.clog2" ] || skip_all 'no xz to unpack traces with'
cg=sample-traces/cg.S.4.clog2
lu=sample-traces/lu.S.4.clog2
XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME

# groups FILE: its groups in order of their ids, "1-1 2-2,3 4-", from a csv.
groups() {
	sed 1d "$1" | grep -v '^outside\|^others' | sort -t, -k1,1n -k2,2n | awk -F, '{ gsub(/\+/, ",", $1); gsub(/\+/, ",", $2); printf "%s%s-%s", sep, $1, $2; sep = " " }'
}

# of A B COLUMN: that column of the group.
of() {
	awk -F, -v a="$1" -v b="$2" -v c="$3" '$1 == a && $2 == b { print $c }' "$OUT"
}

# ---- two programs alike ----
run_fails 1 'SP and BT' "$PAS2P" diff -q "$traces/sp.S.4.clog2" "$traces/bt.S.4.clog2"
like "$(cat "$OUT")" '^verdict           structure: different events$' 'differ in structure'
like "$(cat "$OUT")" '^first difference  tick 4, rank 0$' 'from there on'
like "$(cat "$OUT")" '^ *A  >1, 2880 B$' 'where one sends'
like "$(cat "$OUT")" '^ *B  Bcast ' 'and the other broadcasts'
like "$(cat "$OUT")" '^matched phases    93\.8 % of the run time of A, 96\.4 % of B$' 'most of both is matched'
run_fails 1 'their edits' "$PAS2P" diff -q -f csv --edits "$traces/sp.S.4.clog2" "$traces/bt.S.4.clog2"
is "$(awk -F, 'NR > 1 { print $2 + $3, $4 }' "$OUT" | xargs)" '962 732 962 732 962 732 962 732' 'are as many on each rank'
run_fails 1 'their groups' "$PAS2P" diff -q -f csv "$traces/sp.S.4.clog2" "$traces/bt.S.4.clog2"
is "$(groups "$OUT")" '1-1 2-2 3-3 4-4 5-5 6-6 7-7 8-8 9-9 10-10 11-11 12-12 13-13' 'are one to one in order'
is "$(awk -F, '$1 ~ /^[0-9]+$/ { printf "%d %.6f\n", $1, $3 }' "$OUT" | sort -n | awk '{ print $2 }' | xargs)" \
	'1.000000 1.000000 1.000000 1.000000 0.937415 0.998000 0.937415 0.998000 0.937415 0.999000 0.998000 0.999000 1.000000' 'as similar as published'

# ---- nothing in common ----
run_fails 1 'BT and LU' "$PAS2P" diff -q "$traces/bt.S.4.clog2" "$lu"
like "$(cat "$OUT")" '^first difference  tick 0, rank 0$' 'differ from the start: the communicators of a broadcast'
like "$(cat "$OUT")" '^edits             4 processes with more than 2000 each$' 'by more than the effort'
run_fails 1 'their groups' "$PAS2P" diff -q -f csv "$traces/bt.S.4.clog2" "$lu"
is "$(groups "$OUT" | wc -w)" 29 'are 13 and 16'
unlike "$(groups "$OUT")" '[0-9]-[0-9]' 'of one side each'

# ---- a copy of a run ----
cp "$lu" "$TMP/copy.clog2"
run_ok 'LU and a copy of it' "$PAS2P" diff -q "$lu" "$TMP/copy.clog2"
like "$(cat "$OUT")" '^verdict           identical: same events and sizes$' 'are identical'

# ---- other numbers of processes ----
for run in cg.W.8 lu.W.8; do
	xz -dc "t/traces/large/$run.clog2.xz" >"$TMP/$run.clog2"
done
run_fails 1 'CG on 4 and on 8' "$PAS2P" diff -q "$cg" "$TMP/cg.W.8.clog2"
like "$(cat "$OUT")" '^verdict           processes: different numbers of processes$' 'are matched by roles'
like "$(cat "$OUT")" '^matched phases    98\.9 % of the run time of A, 99\.6 % of B$' 'nearly all of both'
run_fails 1 'their groups' "$PAS2P" diff -q -f csv "$cg" "$TMP/cg.W.8.clog2"
is "$(groups "$OUT")" '1,2-1,5 3-3,4 4-6 5-2 6-7,8' 'are those that were published'
is "$(of 1+2 1+5 4) $(of 1+2 1+5 5) $(of 3 3+4 4) $(of 3 3+4 5)" '833 832 416 832' 'with their weights'
run_fails 1 'LU on 4 and on 8' "$PAS2P" diff -q "$lu" "$TMP/lu.W.8.clog2"
like "$(cat "$OUT")" '^matched phases    95\.0 % of the run time of A, 78\.0 % of B$' 'are less alike'
run_fails 1 'their groups' "$PAS2P" diff -q -f csv "$lu" "$TMP/lu.W.8.clog2"
is "$(groups "$OUT" | tr ' ' '\n' | grep -x -e 1-1 -e 4-4,11 -e 6-6,13,21 -e 7-14 -e 8-8,10 -e 10-16 -e 11-12 -e -9 -e -15 | wc -l)" 9 \
	'are those that were published'
is "$(of 4 4+11 4) $(of 4 4+11 5) $(of 6 6+13+21 4) $(of 6 6+13+21 5)" '20 9331 510 9332' 'with their weights'
run_ok 'CG as a study' "$PAS2P" study -q "$cg@n=1400" "$TMP/cg.W.8.clog2@n=7000" -f csv
is "$(awk -F, 'NR > 1 { print $1 }' "$OUT" | sort -u | wc -l)" 5 'has five families'
is "$(awk -F, 'NR > 1 && $9 == "true" { print $1, $3 }' "$OUT" | xargs)" '4 5 4 2' 'one of them stable'
run_ok 'its models' "$PAS2P" study -q "$cg@n=1400" "$TMP/cg.W.8.clog2@n=7000" --models
like "$(cat "$OUT")" '^ *2  weight +10[34](\.[0-9]*)?\*p +0\.0 %$' 'a weight proportional to p'
run_ok 'a prediction of it' "$PAS2P" study -q "$cg@n=1400" "$TMP/cg.W.8.clog2@n=7000" --at n=14000,p=8 -f csv
is "$(awk -F, '$3 == "T" { printf "%.6f %.6f %.6f", $6, $7, $8 }' "$OUT")" '0.267154 0.193357 0.805950' 'is the one that was published'
done_testing
