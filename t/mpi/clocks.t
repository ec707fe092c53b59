#!/bin/sh
# What an MPI job says of clocks is what one process says, byte for byte: bounds, violations, pairs and times, of traces whose clocks agree, step,
# contradict each other; with corrected times, too. Writing a corrected trace is rank 0's alone.
. t/lib/lib.sh
. t/lib/job.sh
jobs
first=${MPIS# }
first=${first%% *}
head -c 30000 sample-traces/lu.S.4.clog2 >"$TMP/damaged.clog2"
cycle "$TMP/cycle.prv"

for n in 2 3 4 7; do
	same "$first" $n clocks --format json sample-traces/cg.S.4.clog2
done
same "$first" 3 clocks sample-traces/latesender.4.clog2
same "$first" 4 clocks --by pair --format csv sample-traces/lu.S.4.clog2
same "$first" 2 clocks --by time --bins 9 --format csv sample-traces/coll.6.clog2
same "$first" 3 clocks --format yaml --latency 2e-6 --windows 8 sample-traces/userstates.3.clog2
same "$first" 2 clocks --format json "$TMP/damaged.clog2"
same "$first" 2 clocks --format json "$TMP/cycle.prv"
same "$first" 3 clocks sample-traces/one_rank.1.clog2
same "$first" 3 clocks --reference 9 sample-traces/cg.S.4.clog2
for mpi in $MPIS; do
	[ "$mpi" = "$first" ] || same "$mpi" 3 clocks --format json sample-traces/comms.6.clog2
done

# A setting, on the command line and in a file: what a trace says with other times.
same "$first" 3 info --clocks corrected --format json sample-traces/cg.S.4.clog2
printf 'clocks: corrected\n' >"$TMP/config.yaml"
same "$first" 2 info --config "$TMP/config.yaml" sample-traces/coll.6.clog2

# A file is written once.
"$PAS2P" clocks --correct -o "$TMP/alone.clog2" sample-traces/cg.S.4.clog2 >"$TMP/alone"
run_ok 'a corrected trace' job "$first" 3 clocks --correct -o "$TMP/shared.clog2" sample-traces/cg.S.4.clog2
ok 'is the same' cmp -s "$TMP/alone.clog2" "$TMP/shared.clog2"
ok 'and what is said of it' cmp -s "$OUT" "$TMP/alone"
like "$(cat "$ERR")" 'clocks --correct does not run in parallel' 'rank 0 has done all of it'
run_fails 2 'measuring starts a job' job "$first" 2 clocks --measure -- true
like "$(cat "$ERR")" 'pas2p clocks starts an MPI job itself' 'and so does not run in one'
done_testing
