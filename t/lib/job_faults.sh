# What goes wrong between the ranks of a job: t/mpi/shim/fault.c, preloaded, makes one of a rank's calls of MPI fail, hang, come late, or its last. Source it
# after lib.sh and job.sh:
#
#     faults_begin mpich                  false if there is no such MPI here; $CALLS: how many calls a rank makes in faulty's run
#     faulty 3 error:1:17                 a run of three ranks that writes $TMP/out.yaml, which holds `old`, with such a fault; its status
#     hang 3 stuck:1:17                   the same, left running, as $launched, once that rank is stuck
#     $TMP/status                         rank 0's own, if it ends by itself
#     untouched NAME                      what it was to write is as it was, and nothing lies beside it

fault_trace=sample-traces/lu.S.4.clog2

# False: no such job can be started here.
faults_begin() {
	mpi=$1
	launcher "$mpi"
	[ -n "$LAUNCH" ] && [ -e "$(dirname "$PAS2P")/preload/libpas2p-job-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null || return
	mkdir -p "$TMP/output" "$TMP/scratch"
	"mpicc.$mpi" -O1 -shared -fPIC -o "$TMP/fault.so" t/mpi/shim/fault.c || bail_out "mpicc.$mpi does not work"
	"$PAS2P" phases --format yaml -o "$TMP/right.yaml" "$fault_trace"
	faulty 3 count:0:0 || bail_out 'a job without a fault fails'
	CALLS=$(cat "$TMP/calls")
}

fault_job() {
	set -- "$1" env "LD_PRELOAD=$TMP/fault.so" "FAULT=$2" "FAULT_CALLS=$TMP/calls" "FAULT_REACHED=$TMP/reached" "FAULT_STATUS=$TMP/status" "$PAS2P" phases -q --memory 16M \
		--scratch "$TMP/scratch" --format yaml -o "$TMP/output/out.yaml" "$fault_trace"
	echo old >"$TMP/output/out.yaml"
	rm -f "$TMP/status"
	exec env --default-signal=INT "$LAUNCH" -np "$@"
}

faulty() {
	(fault_job "$@") </dev/null >"$OUT" 2>"$ERR"
}

# shellcheck disable=SC2034  # $launched is the test's
hang() {
	rm -f "$TMP/reached"
	(fault_job "$@") </dev/null >"$OUT" 2>"$ERR" &
	launched=$!
	until [ -e "$TMP/reached" ] || ! kill -0 "$launched" 2>/dev/null; do sleep 0.01; done
}

untouched() {
	is "$(head -n 1 "$TMP/output/out.yaml")" old "$1: the old output is untouched"
	is "$(ls -A "$TMP/output" "$TMP/scratch" | grep -v '^$\|:$')" out.yaml "$1: nothing is left, beside it or in the scratch folder"
}

# fails KIND RANK CALL SENTENCE
fails() {
	run_fails 8 "$1 at call $3 of rank $2" faulty 3 "$1:$2:$3"
	like "$(grep '^pas2p: ' "$ERR")" "^pas2p: $4" "$1 at call $3 of rank $2: says so"
	is "$(grep -c '^pas2p: ' "$ERR")" 1 "$1 at call $3 of rank $2: once"
	untouched "$1 at call $3 of rank $2"
}

# killed RANK CALL: the status is the launcher's.
killed() {
	faulty 3 "kill:$1:$2"
	is "$([ $? -ne 0 ] && echo ended)" ended "rank $1 is killed at call $2: the job ends with an error"
	untouched "rank $1 is killed at call $2"
}

# every_fault MPI: the test.
every_fault() {
	faults_begin "$1" || skip_all "there is no mpirun of $1, or pas2p was not built for it"
	like "$CALLS" '^[0-9]{3,}$' "rank 0 makes $CALLS calls"
	fails error 1 1 'rank 1: MPI cannot be started: error [0-9]+$'
	fails error 0 4 'rank 0: MPI failed while starting: .*[Ii]nternal.* error'
	fails error 2 11 'rank 2: MPI failed while checking that all ranks work: .*[Ii]nternal.* error'
	fails late 0 $((CALLS / 4)) 'rank 0: MPI failed while [a-z ]*: .*[Ii]nternal.* error'
	fails error 1 $((CALLS / 2)) 'rank 1: MPI failed while [a-z ]*: .*[Ii]nternal.* error'
	fails error 0 $((CALLS - 12)) 'rank 0: MPI failed while [a-z ]*: .*[Ii]nternal.* error'
	killed 1 5
	killed 0 $((CALLS / 3))
	killed 2 $((CALLS * 2 / 3))
	killed 0 $((CALLS - 12))
	run_ok 'a rank is late' faulty 3 "slow:1:$((CALLS / 2))"
	ok 'the output is right' cmp -s "$TMP/output/out.yaml" "$TMP/right.yaml"
	done_testing
}
