#!/bin/sh
# The setting compute-counter through the program: what info lists, where compute times come from then, what they are, and what is said
# of a counter that there is not. The trace is the tests' own format, which has counters (t/lib/format_text); t/formats/counters.c holds
# the accounting itself against a naive one.
. t/lib/lib.sh

built=$(dirname "$PAS2P")
both=$built/pas2p-formats

# Two processes send to each other. Between their calls the first computes for 1 s and 3 s and counts 100 and 100; the second for 2 s and 2 s
# and counts 300 and 500: 8 s are 1000. Then both for 1 s without a reading at its end, of which nothing is known: 10 s are 1000. What they
# count in calls is nobody's.
{
	echo 'pas2p text 1'
	echo 'processes 2'
	echo 'state send MPI_Send'
	echo 'state receive MPI_Recv'
	echo 'comm 0 world 0 1'
	echo 'counter INS instructions'
	echo 'counter L2'
	for p in 0 1; do
		other=$((1 - p))
		if [ $p = 0 ]; then set -- 2 5 100 100; else set -- 3 5 300 500; fi
		echo "$p 1 count 0 7"
		echo "$p 1 enter 0"
		echo "$p 1 send $other 1 8 0"
		echo "$p 1 leave 0"
		echo "$p 1 count 0 1000"
		echo "$p $1 count 0 $3"
		echo "$p $1 enter 0"
		echo "$p $1 send $other 1 8 0"
		echo "$p $1 leave 0"
		echo "$p $1 count 0 2000"
		echo "$p $2 count 0 $4"
		echo "$p $2 enter 1"
		echo "$p $2 receive $other 1 8 0"
		echo "$p $2 leave 1"
		echo "$p $2 count 0 0"
		echo "$p 6 enter 1"
		echo "$p 6 receive $other 1 8 0"
		echo "$p 6 leave 1"
		echo "$p 6 count 1 3"
	done
} >"$TMP/run.text"

computes() { # OPTION...
	"$both" events -q --format csv "$@" "$TMP/run.text" >"$TMP/events"
	column=$(head -n 1 "$TMP/events" | tr , '\n' | grep -n '^compute$' | cut -d: -f1)
	tail -n +2 "$TMP/events" | cut -d, -f"$column" | xargs
}

is "$(computes)" '1 3 1 0 2 2 1 0' 'without a counter compute times are seconds'
# Nothing reads it after the last call, so that nothing says what follows that.
is "$(computes --compute-counter INS)" '1 1 0 3 5 0' 'with it they are its increases, and add up to the same seconds'

run_ok info "$both" info "$TMP/run.text"
like "$(cat "$OUT")" 'Compute time source  MPI calls' 'info: from states'
is "$(sed -n '/counter$/,$p' "$OUT")" '    readings unit             counter
          12 instructions     INS
           2 -                L2' 'info lists counters'
run_ok 'info with it' "$both" info --compute-counter INS "$TMP/run.text"
like "$(cat "$OUT")" 'Compute time source  counter INS' 'info: from the counter'
run_ok 'as a document' "$both" info --compute-counter INS --format json "$TMP/run.text"
like "$(tr -d ' \n' <"$OUT")" '"compute":"counter","compute_counter":"INS"' 'the document says so'
like "$(tr -d ' \n' <"$OUT")" '"counters":\[\{"name":"INS","unit":"instructions","readings":12\},\{"name":"L2","unit":"","readings":2\}\]' 'and lists them'

run_fails 2 'a counter that there is not' "$both" phases --compute-counter TLB "$TMP/run.text"
like "$(cat "$ERR")" "there is no counter 'TLB': the trace has INS, L2" 'lists those that there are'
run_fails 2 'of a trace without counters' "$PAS2P" phases --compute-counter TLB sample-traces/cg.S.4.clog2
like "$(cat "$ERR")" "there is no counter 'TLB': the trace has no counters" 'says that there is none'
run_ok 'one that never rises between calls' "$both" check --compute-counter L2 "$TMP/run.text"
is "$(computes --compute-counter L2)" '1 3 1 0 2 2 1 0' 'changes nothing'

# The phase table says what it was made with, and is read back with it.
run_ok 'the phase table' "$both" phases --compute-counter INS --format yaml "$TMP/run.text"
like "$(cat "$OUT")" 'compute: counter' 'compute times are of a counter'
like "$(cat "$OUT")" 'compute_counter: INS' 'of this one'
run_ok 'without' "$both" phases --format yaml "$TMP/run.text"
ok 'the table is as it always was' sh -c '! grep counter "$1"' sh "$OUT"
printf 'analysis:\n  compute_counter: INS\n' >"$TMP/config.yaml"
run_ok 'from a config file' "$both" info --config "$TMP/config.yaml" "$TMP/run.text"
like "$(cat "$OUT")" '^Compute time source +counter INS$' 'it is taken'
run_ok 'the command line is above it' "$both" info --config "$TMP/config.yaml" --compute-counter none "$TMP/run.text"
like "$(cat "$OUT")" 'source  MPI calls' 'and can take it back'

# The workbench loads the trace again; what is there stays where that cannot be.
cat >"$TMP/script" <<X
6
:expect from MPI calls
":set compute-counter I" Tab Enter
:expect from counter INS
":set compute-counter TLB" Enter
:expect compute times are unchanged: there is no counter 'TLB': the trace has INS, L2
:expect from counter INS
":set compute-counter none" Enter
:expect from MPI calls
":clocks corrected" Enter
":set compute-counter INS" Enter
:expect from counter INS
":clocks file" Enter
:expect from counter INS
":export $TMP/summary.csv --all" Enter
X
run_ok 'the workbench' "$both" --no-config --script "$TMP/script" --size 140x34 "$TMP/run.text"
like "$(cat "$TMP/summary.csv")" 'counter INS' 'exports it'

done_testing
