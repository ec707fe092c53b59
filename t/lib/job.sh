# Commands as MPI jobs. Source it after lib.sh:
#
#     jobs                                  $MPIS: the MPIs that can start one here, mpich first; skips all if there is none
#     job mpich 3 phases -q trace.clog2     `pas2p phases -q trace.clog2` by three ranks
#     launcher mpich                        $LAUNCH: how to start a job of that MPI, up to -np
#     same mpich 3 phases -q trace.clog2    two checks: three ranks print and end as one process does

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_base_warn_component_unused=0
# Open MPI's launcher waits so many seconds between asking ranks to end and killing them: two seconds for each job that fails, by default.
export OMPI_MCA_odls_base_sigkill_timeout=0
# A socket and a shared segment in a folder whose name is not longer than a socket's may be.
# Ranks do not look for leaks (t/preload/mpi/no_leaks.c).
[ -z "${SANITIZER_REPORTS:-}" ] || export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
unset PAS2P_JOB PMI_SIZE PMI_RANK OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK SLURM_NTASKS SLURM_PROCID SLURM_STEP_NUM_TASKS PMIX_RANK

launcher() {
	LAUNCH=$(command -v "mpirun.$1") || LAUNCH=
}

jobs() {
	MPIS=
	for jobs_mpi in mpich openmpi; do
		launcher "$jobs_mpi"
		[ -z "$LAUNCH" ] || [ ! -e "$(dirname "$PAS2P")/preload/libpas2p-job-$jobs_mpi.so" ] || MPIS="$MPIS $jobs_mpi"
	done
	[ -n "$MPIS" ] || skip_all 'there is no mpirun of an MPI that pas2p was built for'
}

job() {
	launcher "$1"
	job_ranks=$2
	shift 2
	"$LAUNCH" -np "$job_ranks" "$PAS2P" "$@"
}

# same MPI RANKS COMMAND...: output and exit status.
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

# cycle FILE: two processes that both receive before they send what the other one receives.
cycle() {
	printf '#Paraver (01/01/2026 at 00:00):1000_ns:0:1:2(1:1,1:1)\n' >"$1"
	printf '3:2:1:2:1:200:200:1:1:1:1:100:100:8:0\n3:1:1:1:1:200:200:2:1:2:1:100:100:8:0\n' >>"$1"
}
