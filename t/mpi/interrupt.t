#!/bin/sh
# Ctrl-C, as each launcher passes it on, at any call of a job: it ends with the status that the launcher makes of 130, whether all ranks learn of it or one hangs; the
# old output stands, alone.
. t/lib/lib.sh
. t/lib/job.sh
. t/lib/job_faults.sh

# interrupted NAME: the launcher of the job that is under way gets SIGINT. Hydra makes 0 of 130 once in a while, of any program; Open MPI's always ends with 1.
interrupted() {
	kill -INT "$launched"
	wait "$launched"
	status=$?
	[ "$mpi" != mpich ] || [ "$status" -ne 0 ] || status=130
	is "$status" "$([ "$mpi" = mpich ] && echo 130 || echo 1)" "$1: exit status"
	untouched "$1"
}

# at RANK CALL: the ranks go on until they are interrupted, or one is stuck there and does not care.
at() {
	# Open MPI passes it on after a second, when all may be over.
	if [ "$mpi" = mpich ]; then
		hang 3 "begun:$1:$2"
		interrupted "$mpi, rank $1 is at call $2"
	fi
	if [ "$mpi" = mpich ] && [ "$2" -gt 10 ]; then
		is "$(cat "$TMP/status" 2>/dev/null || echo 130)" 130 "$mpi, rank $1 is at call $2: exit status of rank 0, if the launcher let it end by itself"
		# Hydra drops last words now and then.
		ok "$mpi, rank $1 is at call $2: it says so at most once" test "$(grep -c '^pas2p: interrupted$' "$ERR")" -le 1
	fi
	hang 3 "stuck:$1:$2"
	interrupted "$mpi, rank $1 is stuck at call $2"
}

for mpi in mpich openmpi; do
	faults_begin "$mpi" || continue
	at 1 4
	at 0 14
	at 1 $((CALLS / 3))
	at 2 $((CALLS / 2))
done
[ "$TAP_RUN" -gt 0 ] || skip_all 'there is no mpirun of an MPI that pas2p was built for'
done_testing
