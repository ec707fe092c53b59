#!/bin/sh
# Jobs that srun starts on two nodes, of a Slurm of the test's own, print what one process prints, with each MPI that this Slurm can start. Ranks that no MPI
# brings together do not all do the same work into one file: one sentence says what to give srun.
. t/lib/lib.sh
. t/lib/slurm.sh
. t/lib/job.sh
jobs
slurm

trace=sample-traces/comms.6.clog2
"$PAS2P" phases --format yaml "$trace" >"$TMP/alone.yaml"

# step MPI COMMAND...: `pas2p COMMAND` by three ranks on both nodes.
step() {
	pmi=$1
	shift
	on "$near" timeout -k 1 60 srun -Q --mpi="$pmi" -N 2 -n 3 "$PAS2P" "$@"
}

for mpi in $MPIS; do
	case $mpi in mpich) pmi=pmi2 ;; openmpi) pmi=pmix ;; esac
	if ! srun --mpi=list 2>&1 | grep -qw "$pmi"; then
		skip 6 "this Slurm has no $pmi"
		continue
	fi
	run_ok "$mpi: phases" step "$pmi" phases -q --format yaml "$trace"
	ok "$mpi: prints what one process prints" cmp -s "$OUT" "$TMP/alone.yaml"
	run_ok "$mpi: phases into a file" step "$pmi" phases -q --format yaml -o "$TMP/shared.yaml" "$trace"
	ok "$mpi: writes it" cmp -s "$TMP/shared.yaml" "$TMP/alone.yaml"
	run_fails 3 "$mpi: a file that is not there" step "$pmi" phases -q "$TMP/none"
	is "$(grep -c '^pas2p: ' "$ERR")" 1 "$mpi: is said once"
done

echo old >"$TMP/out.yaml"
run_fails 2 'without an MPI' step none phases -q --format yaml -o "$TMP/out.yaml" "$trace"
is "$(grep -c '^hint: give srun --mpi=pmi2' "$ERR")" 1 'what to give srun is said once'
is "$(cat "$TMP/out.yaml")" old 'and nothing is written'
run_ok 'without an MPI, what rank 0 does alone' step none plan -q "$trace"
"$PAS2P" plan -q "$trace" >"$TMP/alone"
ok 'is done once' cmp -s "$OUT" "$TMP/alone"
run_ok 'PAS2P_JOB=none' env PAS2P_JOB=none nsenter -t "$near" -n -u srun -Q --mpi=none -N 2 -n 3 "$PAS2P" check -q sample-traces/ep.S.4.clog2
is "$(wc -l <"$OUT")" "$("$PAS2P" check -q sample-traces/ep.S.4.clog2 | awk 'END { print 3 * NR }')" 'is three runs'

# One rank is no job, whatever the batch job around it says.
run_ok 'one task of srun' on "$near" timeout -k 1 60 srun -Q --mpi=none -N 1 -n 1 "$PAS2P" phases -q --format yaml "$trace"
ok 'is one process' cmp -s "$OUT" "$TMP/alone.yaml"
run_ok 'one rank within a larger allocation' env OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 PMIX_RANK=0 SLURM_NTASKS=3 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=3 \
	"$PAS2P" phases -q --format yaml "$trace"
ok 'is one process, too' cmp -s "$OUT" "$TMP/alone.yaml"
done_testing
