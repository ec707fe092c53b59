#!/bin/sh
# What an MPI job prints is what one process prints, byte for byte: for any number of ranks, more than processes too, by each MPI that is here (the second
# one: same_openmpi*.t),
# with a limit of memory and without; of whole traces, damaged ones, ones with a cycle, without messages.
. t/lib/lib.sh
. t/lib/job.sh
jobs

head -c 30000 sample-traces/lu.S.4.clog2 >"$TMP/damaged.clog2"
cycle "$TMP/cycle.prv"

# same MPI RANKS COMMAND...: output, messages and exit status.
same() {
	mpi=$1
	ranks=$2
	shift 2
	"$PAS2P" "$@" </dev/null >"$TMP/alone" 2>"$TMP/alone.err"
	alone=$?
	job "$mpi" "$ranks" "$@" </dev/null >"$TMP/shared" 2>"$TMP/shared.err"
	shared=$?
	ok "$ranks ranks ($mpi) of $*" cmp -s "$TMP/alone" "$TMP/shared" || diag "$(diff "$TMP/alone" "$TMP/shared" | head -n 6)"
	is "$shared" "$alone" "$ranks ranks ($mpi) of $*: exit status" || diag "$(head -n 5 "$TMP/shared.err")"
}

# Each command on each trace, with one number of ranks after the other.
next=0
each() {
	for trace in "$@"; do
		next=$((next + 1))
		[ -z "${PART:-}" ] || [ $((next % 2)) -eq "$PART" ] || continue
		case $((next % 4)) in 0) n=2 ;; 1) n=3 ;; 2) n=7 ;; *) n=4 ;; esac
		same "$first" $n $command "$trace"
	done
}
# The others ask for that one, in parts.
if [ -n "${ASKED:-}" ]; then
	case $MPIS in " "*" $ASKED") ;; *) skip_all "the MPI here has had its turn, or there is no mpirun of $ASKED" ;; esac
fi
first=${MPIS# }
first=${ASKED:-${first%% *}}

same "$first" 1 phases --format yaml sample-traces/lu.S.4.clog2
for n in 2 3 4 7; do
	same "$first" $n phases --format yaml sample-traces/lu.S.4.clog2
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
command=check
each sample-traces/userstates.3.clog2 "$TMP/damaged.clog2" "$TMP/cycle.prv"
command='info --format json'
each sample-traces/comms.6.clog2 sample-traces/one_rank.1.clog2 "$TMP/damaged.clog2" sample-traces/latesender.4.clog2
command='info --format json --memory 64M'
each sample-traces/nonblock.4.prv

# Another format, of several files.
if "$PAS2P" info sample-traces/nonblock.4.otf2 >/dev/null 2>&1; then
	same "$first" 3 phases --format yaml sample-traces/nonblock.4.otf2
fi
same "$first" 3 phases --format yaml sample-traces/unfinalized.m240.abortme.rank000*.clog2

# A file is written once, by rank 0.
"$PAS2P" phases --format yaml -o "$TMP/alone.yaml" sample-traces/cg.S.4.clog2
run_ok 'into a file' job "$first" 3 phases --format yaml -o "$TMP/shared.yaml" sample-traces/cg.S.4.clog2
ok 'the same file' cmp -s "$TMP/alone.yaml" "$TMP/shared.yaml"
is "$(cat "$OUT")" '' 'and nothing else'
done_testing
