#!/bin/sh
# `info --job N`: what a job would cost, by stage. What travels to relate is held against the messages that `events` lists, one process a rank;
# alone nothing travels; the last row is the sum; more ranks than processes gain nothing more.
. t/lib/lib.sh
trace=sample-traces/lu.S.4.clog2
records_of() {
	"$PAS2P" info -q --format json "$1" | sed -n 's/^  *"records": *\([0-9]*\),*$/\1/p' | sort -n | tail -n 1
}

# of N STAGE COLUMN
of() {
	"$PAS2P" info -q --job "$1" --format csv "$trace" | awk -F, -v s="$2" -v c="$3" '$1 == s { print $c }'
}

run_ok 'as a table' "$PAS2P" info --job 4 "$trace"
like "$(cat "$OUT")" '^stage +time \[s\] +bytes sent +memory per rank \[bytes\]$' 'its titles'
for format in csv json yaml; do
	run_ok "as $format" "$PAS2P" info --job 4 --format $format "$trace"
	is "$(grep -c 'read\|relate\|order\|phases\|all' "$OUT")" 5 "as $format: a row a stage, and all"
done
far=$("$PAS2P" events --format csv "$trace" | awk -F, '$3 == "receive" && $14 != "" && $14 != $1 { n++ } END { print n + 0 }')
collectives=$("$PAS2P" events --format csv "$trace" | awk -F, '$3 == "collective" && $1 == 0 { n++ } END { print n + 0 }')
is "$(of 4 relate 3)" $((28 * far + 12 * 4 * collectives)) 'what relating sends'
records=$(records_of "$trace")
is "$(of 7 read 3)" 0 'few ranks read all, each of them'
is "$(of 8 read 3)" $((40 * records * 7 / 8)) 'many pass records on'
is "$(of 1 all 3)" 0 'one rank sends nothing'
records=$(records_of sample-traces/nonblock.4.prv)
is "$(trace=sample-traces/nonblock.4.prv && of 4 read 3)" $((5 * records * 3 / 4)) 'ranks of a PRV trace pass packed records on'
gzip -c sample-traces/nonblock.4.prv >"$TMP/packed.prv.gz"
is "$(trace=$TMP/packed.prv.gz && of 4 read 3)" 0 'a compressed file is read by each rank'
is "$(of 4 relate 4)" "$(of 9 relate 4)" 'more ranks than processes have no smaller parts'
ok 'half the ranks have the larger ones' test "$(of 2 relate 4)" -gt "$(of 4 relate 4)"
for column in 3 4; do
	is "$(of 4 all $column)" "$(($(of 4 read $column) + $(of 4 relate $column) + $(of 4 order $column) + $(of 4 phases $column)))" "column $column adds up"
done
slow=$("$PAS2P" info -q --job 4 --network 64K --latency 1 --format csv "$trace" | awk -F, '$1 == "order" { print int($2) }')
ok 'a slow network takes longer' test "$slow" -gt 100
like "$("$PAS2P" info --job 3 sample-traces/one_rank.1.clog2)" '^all ' 'of a trace without messages'
run_ok 'a job of 4 ranks' "$PAS2P" info -q --job 4 "$trace"
cmp_golden "$OUT" t/cli/info_job.txt 'what it would cost'
run_fails 2 '--network alone' "$PAS2P" info --network 1G "$trace"
like "$(cat "$ERR")" '--network needs --job N' 'says what is missing'
done_testing
