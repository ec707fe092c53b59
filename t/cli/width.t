#!/bin/sh
# Tables fit the terminal, or COLUMNS where it is set: columns give way by their priority, no row wraps, and a line says how many are left
# out and how to see them. In a pipe or a file without COLUMNS, and in CSV anywhere, all of them are there, since scripts read those.
. t/lib/lib.sh

trace='sample-traces/lu.S.4.clog2'
XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME

characters() { # awk's length() counts bytes where awk is mawk
	sed 's/[µ±]/./g'
}
widest() { # of the rows, from the title on that begins with what is given
	sed -n "/^ *$1 /,\$p" "$OUT" | characters | awk '{ if (length > most) most = length } END { print most + 0 }'
}
for command in phases:phase tune:for plan:windows bbps:block events:rank; do
	name=${command%%:*}
	run_ok "$name in a pipe" "$PAS2P" "$name" -q "$trace"
	unlike "$(tail -n 1 "$OUT")" 'left out' "$name: all columns"
	ok "$name: which are wide" test "$(widest "${command#*:}")" -gt 100
	run_ok "$name for 80 columns" env COLUMNS=80 "$PAS2P" "$name" -q "$trace"
	ok "$name: fits" test "$(widest "${command#*:}")" -le 80
	like "$(tail -n 1 "$OUT")" '^\([0-9]+ of [0-9]+ columns are left out; COLUMNS=[0-9]+ or --format json shows them\)$' "$name: says what is left out"
	wide=$(sed -n '$s/.*COLUMNS=\([0-9]*\).*/\1/p' "$OUT")
	run_ok "$name as wide as said" env "COLUMNS=$wide" "$PAS2P" "$name" -q "$trace"
	unlike "$(tail -n 1 "$OUT")" 'left out' "$name: has all"
	"$PAS2P" "$name" -q -f csv "$trace" >"$TMP/csv"
	run_ok "$name as csv" env COLUMNS=40 "$PAS2P" "$name" -q -f csv "$trace"
	ok "$name: the same" cmp "$OUT" "$TMP/csv"
done
run_ok 'phases for 80 columns' env COLUMNS=80 "$PAS2P" phases -q "$trace"
like "$(cat "$OUT")" '^phase  relevant  weight .*time \[µs\] .*share' 'the phases keep what matters'
# No line of any of them is wider, sentences above the rows included. A name of a file is as long as it is, and so is the program's as it
# was called: here a short one, wherever the checkout is.
PATH=$(dirname "$PAS2P"):$PATH
fits() { # COMMAND...: in 80 columns
	COLUMNS=80 pas2p "$@" >"$OUT" 2>"$ERR"
	is "$(characters <"$OUT" | awk 'length > 80' | head -n 2)" '' "pas2p $*: fits"
}
for sample in sample-traces/lu.S.4.clog2 sample-traces/coll.6.clog2 sample-traces/userstates.3.clog2 sample-traces/thesis-cg.4.clog2; do
	for command in info phases plan bbps events check clocks 'clocks --by pair' metrics 'metrics --by process' 'metrics --by state' 'metrics --by phase' 'metrics --by pattern' \
		'metrics --by cause' 'phases --plan 50%' 'phases --structure'; do
		# shellcheck disable=SC2086  # its words
		fits $command "$sample"
	done
done
fits clocks sample-traces/unfinalized.m240.abortme.rank000*.clog2
fits study sample-studies/grid.study.yaml
fits fit sample-models/pingpong-table1.csv
fits study sample-studies/cg.study.yaml
fits compare t/runner/results/*.yaml
fits compare --table t/runner/results/*.yaml
fits compare --table sample-studies/sweep.*.half.yaml
fits diff sample-traces/cg.S.4.clog2 sample-traces/lu.S.4.clog2
for no in '' 0 -3 many 1e3; do
	run_ok "COLUMNS='$no'" env COLUMNS="$no" "$PAS2P" plan -q "$trace"
	unlike "$(tail -n 1 "$OUT")" 'left out' 'is none'
done
if command -v script >/dev/null; then
	script -qec "stty cols 72; '$PAS2P' phases -q $trace" /dev/null </dev/null 2>"$ERR" | tr -d '\r' >"$OUT"
	ok 'on a terminal of 72 columns' test "$(widest phase)" -le 72
	like "$(cat "$OUT")" 'columns are left out' 'it says so'
else
	skip 2 'no script'
fi
done_testing
