#!/bin/sh
# What an MPI job prints is what one process prints, byte for byte: for any number of ranks, more than processes too, by each MPI that is here (the
# second one, in part: same_openmpi*.t),
# with a limit of memory and without; of whole traces, damaged ones, ones with a cycle, without messages.
. t/lib/lib.sh
. t/lib/job.sh
jobs

head -c 30000 sample-traces/lu.S.4.clog2 >"$TMP/damaged.clog2"
cycle "$TMP/cycle.prv"

# Each command on each trace, with one number of ranks after the other; or one command.
next=0
turn() {
	next=$((next + 1))
	[ -z "${PART:-}" ] || [ $((next % 4)) -eq "$PART" ]
}
one() {
	if turn; then
		same "$first" "$@"
	fi
}
each() {
	for trace in "$@"; do
		turn || continue
		case $((next / 3 % 4)) in 0) n=2 ;; 1) n=3 ;; 2) n=7 ;; *) n=4 ;; esac
		same "$first" $n $command "$trace"
	done
}
# The others ask for that one, in parts.
if [ -n "${ASKED:-}" ]; then
	case $MPIS in " "*" $ASKED") ;; *) skip_all "the MPI here has had its turn, or there is no mpirun of $ASKED" ;; esac
fi
first=${MPIS# }
first=${ASKED:-${first%% *}}

one 1 phases --format yaml sample-traces/lu.S.4.clog2
for n in 2 3 4 7; do
	one $n phases --format yaml sample-traces/lu.S.4.clog2
done
command='phases --format yaml'
each sample-traces/comms.6.clog2 sample-traces/ep.S.4.clog2 sample-traces/one_rank.1.clog2 "$TMP/damaged.clog2" "$TMP/cycle.prv" sample-traces/coll.6.clog2
command='phases --format yaml --order lamport'
each sample-traces/anysrc.5.clog2 "$TMP/cycle.prv"
command='phases --format json --similarity bbp'
each sample-traces/cg.S.4.clog2 sample-traces/sendrecv.4.clog2
command='phases --format yaml --memory 64M'
each sample-traces/cg.S.4.clog2 "$TMP/damaged.clog2"
command='events --format csv'
each sample-traces/comms.6.clog2 sample-traces/one_rank.1.clog2 "$TMP/damaged.clog2" "$TMP/cycle.prv"
command='events --format csv --memory 64M'
each sample-traces/lu.S.4.clog2
command='bbps --format csv'
each sample-traces/coll.6.clog2 sample-traces/is.S.4.clog2
command='bbps --processes'
each sample-traces/coll.6.clog2 sample-traces/one_rank.1.clog2 "$TMP/cycle.prv"
command='bbps --processes --leaders --format json'
each sample-traces/cg.S.4.clog2
command='phases --content --similarity bbp --format csv'
each sample-traces/lu.S.4.clog2
command=check
each sample-traces/userstates.3.clog2 "$TMP/damaged.clog2" "$TMP/cycle.prv"
command='info --format json'
each sample-traces/comms.6.clog2 sample-traces/one_rank.1.clog2 "$TMP/damaged.clog2" sample-traces/latesender.4.clog2
command='info --format json --memory 64M'
each sample-traces/nonblock.4.prv
command='phases --graph-of 2 --format yaml'
each sample-traces/lu.S.4.clog2 sample-traces/coll.6.clog2
one 3 phases --structure=words sample-traces/lu.S.4.clog2
one 2 phases -f yaml --structure sample-traces/cg.S.4.clog2
one 3 diff sample-traces/cg.S.4.clog2 sample-traces/lu.S.4.clog2
one 2 diff --strict --hunks "$TMP/damaged.clog2" sample-traces/lu.S.4.clog2
one 4 diff --format json --hunks sample-traces/coll.6.clog2 sample-traces/comms.6.clog2
one 3 diff --edits --effort 5 sample-traces/cg.S.4.clog2 sample-traces/sendrecv.4.clog2
one 3 diff sample-traces/cg.S.4.clog2 sample-traces/coll.6.clog2
one 3 diff --phases-only sample-traces/cg.S.4.clog2 sample-studies/cg.W.8.yaml
one 3 study sample-studies/cg.study.yaml
one 4 study --format json sample-traces/cg.S.4.clog2@n=1 "$TMP/damaged.clog2@n=2" sample-traces/coll.6.clog2@n=3
one 2 study sample-traces/cg.S.4.clog2@n=1 "$TMP/nowhere.clog2@n=2"

# Of metrics the figures of each format, rows of each kind, several runs, and what is asked beside.
command='metrics --format json'
each sample-traces/cg.S.4.clog2 sample-traces/one_rank.1.clog2 "$TMP/damaged.clog2" "$TMP/cycle.prv" sample-traces/ep.S.4.clog2
command='metrics --by process --format csv'
each sample-traces/latesender.4.clog2 sample-traces/comms.6.clog2
command='metrics --by state'
each sample-traces/userstates.3.clog2 sample-traces/nonblock.4.clog2
command='metrics --by phase --format yaml'
each sample-traces/lu.S.4.clog2 sample-traces/coll.6.clog2
command='metrics --by phase --format csv --clocks corrected --memory 64M'
each sample-traces/anysrc.5.clog2
one 3 metrics sample-traces/one_rank.1.clog2 sample-traces/cg.S.4.clog2 sample-traces/comms.6.clog2 --before sample-traces/nonblock.4.clog2
one 2 metrics --rooted all --rendezvous 32768 --what-if 'balance, network x 0.5' --fail-if 'load_balance < 0.99' sample-traces/cg.S.4.clog2
one 3 metrics --what-if 'phase 999 x 2' sample-traces/cg.S.4.clog2
one 3 metrics --by cause --format csv sample-traces/latesender.4.clog2

# Another format, of several files.
if "$PAS2P" info sample-traces/nonblock.4.otf2 >/dev/null 2>&1; then
	one 3 phases --format yaml sample-traces/nonblock.4.otf2
fi
one 3 phases --format yaml sample-traces/unfinalized.m240.abortme.rank000*.clog2

# A file is written once, by rank 0.
"$PAS2P" study -q --model "$TMP/alone.model" --graph sample-traces/cg.S.4.clog2@n=1 sample-traces/lu.S.4.clog2@n=2 >/dev/null
run_ok 'a model with graphs' job "$first" 3 study -q --model "$TMP/shared.model" --graph sample-traces/cg.S.4.clog2@n=1 sample-traces/lu.S.4.clog2@n=2
ok 'the same model' cmp -s "$TMP/alone.model" "$TMP/shared.model"
"$PAS2P" phases --format yaml -o "$TMP/alone.yaml" sample-traces/cg.S.4.clog2
run_ok 'into a file' job "$first" 3 phases --format yaml -o "$TMP/shared.yaml" sample-traces/cg.S.4.clog2
ok 'the same file' cmp -s "$TMP/alone.yaml" "$TMP/shared.yaml"
is "$(cat "$OUT")" '' 'and nothing else'
done_testing
