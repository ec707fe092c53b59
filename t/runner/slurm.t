#!/bin/sh
# Batch jobs, by a Slurm of the test's own on two nodes (namespaces of this machine): the script that `run --script slurm` prints
# is submitted as it is and leaves its result, from one node and from two, whatever the names of its folder are; srun starts the
# ranks with the library in them, with each MPI that this Slurm can start. A batch system keeps what a launcher has lost, so
# after each run, killed ones too, none of the program's processes may be left. All daemons live in a process namespace that
# ends with the test, however that ends; nothing of the machine's own Slurm or /etc is touched.
. t/lib/lib.sh

if [ -z "${SLURM_TEST_INSIDE:-}" ]; then
	for tool in slurmctld slurmd sbatch srun munged setpriv; do
		command -v "$tool" >/dev/null || skip_all "there is no $tool"
	done
	[ "$(id -u)" -eq 0 ] || skip_all 'only root can make network namespaces'
	unshare --pid --fork --mount-proc --net --uts true 2>/dev/null || skip_all 'there are no namespaces'
	SLURM_TEST_INSIDE=1 TMPDIR=$TMP setpriv --pdeathsig KILL unshare --pid --fork --kill-child --mount-proc sh "$0" &
	inside=$!
	end_inside() {
		inside_status=$?
		kill -KILL "$inside" 2>/dev/null
		(exit "$inside_status")
		tap_end
	}
	trap end_inside EXIT
	wait "$inside"
	inside_status=$?
	# shellcheck disable=SC2034  # lib.sh's: the other one has ended the TAP
	TAP_DONE=1
	exit "$inside_status"
fi

. t/lib/run_table.sh
. t/lib/two_nodes.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
two_nodes

# The nodes' names, for this mount namespace alone.
printf '127.0.0.1 localhost\n10.77.0.1 near\n10.77.0.2 far\n' >"$TMP/hosts"
mount --bind "$TMP/hosts" /etc/hosts || skip_all 'there are no mount namespaces'
S=$TMP/slurm
mkdir -p "$S/munge" "$S/state" "$S/tmp.near" "$S/tmp.far"
head -c 1024 /dev/urandom >"$S/munge/key"
chmod 600 "$S/munge/key"
cat >"$S/slurm.conf" <<END
ClusterName=test
SlurmctldHost=near(10.77.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$S/munge/socket
CredType=cred/munge
SlurmctldPidFile=$S/slurmctld.pid
SlurmctldLogFile=$S/slurmctld.log
SlurmdPidFile=$S/slurmd.%n.pid
SlurmdLogFile=$S/slurmd.%n.log
SlurmdSpoolDir=$S/spool.%n
StateSaveLocation=$S/state
TmpFS=$S/tmp.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
ReturnToService=2
MpiDefault=none
NodeName=near NodeAddr=10.77.0.1 CPUs=4
NodeName=far NodeAddr=10.77.0.2 CPUs=4
PartitionName=all Nodes=ALL Default=YES OverSubscribe=YES
END
echo 'CgroupPlugin=cgroup/v1' >"$S/cgroup.conf"
export SLURM_CONF="$S/slurm.conf"
# What a Slurm job around the test says is not for the jobs in it.
# shellcheck disable=SC2046  # a word for each name
unset $(env | sed -n 's/^\(\(SLURM\|SBATCH\|SRUN\)_[A-Za-z0-9_]*\)=.*/\1/p' | grep -v '^SLURM_CONF$\|^SLURM_TEST_INSIDE$')

wait_until() { # COMMAND...
	wait_tries=0
	until "$@" || [ "$wait_tries" -ge 200 ]; do
		sleep 0.1
		wait_tries=$((wait_tries + 1))
	done
}
ready() {
	[ "$(on "$near" timeout -k 1 5 sinfo -h -N -o %T 2>/dev/null | grep -c '^idle')" -eq 2 ]
}
munged --foreground --force --key-file="$S/munge/key" --socket="$S/munge/socket" --log-file="$S/munge/log" \
	--pid-file="$S/munge/pid" --seed-file="$S/munge/seed" >"$S/munge/out" 2>&1 &
wait_until test -S "$S/munge/socket"
on "$near" slurmctld -D -i >"$S/slurmctld.out" 2>&1 &
on "$near" slurmd -D >"$S/near.out" 2>&1 &
on "$far" slurmd -D >"$S/far.out" 2>&1 &
wait_until ready
if ! ready; then
	diag "$(tail -n 5 "$S"/*.out)"
	skip_all 'Slurm does not start here'
fi

left_behind() {
	for left_process in /proc/[0-9]*; do
		case $(readlink "$left_process/exe" 2>/dev/null) in
		"$TMP"/*) echo "$left_process" ;;
		esac
	done | wc -l
}
started() { [ "$(left_behind)" -ge 2 ]; }
ended() { [ "$(left_behind)" -eq 0 ]; }
nothing_left() {
	wait_until ended
	is "$(left_behind)" 0 "$1: no process is left"
	is "$(ls -d "$place"/pas2p-run.* 2>/dev/null)" '' "$1: no control directory is left"
}
job() { # NAME NODES: submit $TMP/job.sh, look at its result
	rm -f "$place/result.yaml"
	run_ok "$1: the script is taken, and ends well" on "$near" timeout -k 1 60 sbatch --wait --output "$TMP/job.out" $3 "$TMP/job.sh" ||
		diag "$(tail -n 5 "$TMP/job.out")"
	is "$(sed -n 's/^  nodes: //p' "$place/result.yaml")" "$2" "$1: the result names the nodes"
	is "$(grep -c '^- id:' "$place/result.yaml")" 2 "$1: and has the phases"
	nothing_left "$1"
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
place="$TMP/it's \"a\" \$HOME;
place"
mkdir "$place"
cd "$place" || bail_out 'no such folder'
steps_table 2 400 20 >'the table.yaml'
steps_table 2 40000 9000 >long.yaml
for mpi in $built; do
	case $mpi in mpich) pmi=pmi2 ;; openmpi) pmi=pmix ;; esac
	"mpicc.$mpi" -w -O1 -o run_steps "$OLDPWD/t/preload/mpi/run_steps.c" || bail_out "mpicc.$mpi does not work"
	if ! on "$near" timeout -k 1 30 srun --mpi="$pmi" -N 2 -n 2 ./run_steps 8 1 </dev/null >"$OUT" 2>"$ERR" ||
		[ "$(grep -c sum "$OUT")" -ne 1 ]; then
		diag "$(head -n 5 "$ERR")"
		skip 36 "this Slurm does not start $mpi programs"
		continue
	fi
	run_ok "$mpi: trace by srun" on "$near" timeout -k 1 60 "$PAS2P" trace -q -o steps.clog2 -- srun --mpi="$pmi" -N 2 -n 2 ./run_steps 400 50
	like "$("$PAS2P" info -q steps.clog2)" '^Events .* 800 sends, 800 receives' "$mpi: both nodes are in the trace"
	for nodes in 1 2; do
		run_ok "$mpi: a script for $nodes" "$PAS2P" run --script slurm --nodes "$nodes" --timeout 20 'the table.yaml' -o "$TMP/job.sh" -- \
			srun --mpi="$pmi" ./run_steps 400 50
		job "$mpi, srun, $nodes" "$nodes"
	done
	# sbatch reads PBS's lines as well.
	run_ok "$mpi: a script for PBS" "$PAS2P" run --script pbs --nodes 2 --timeout 20 'the table.yaml' -o "$TMP/pbs.sh" -- \
		srun --mpi="$pmi" ./run_steps 400 50
	"$PAS2P" run --script slurm --nodes 2 --timeout 20 'the table.yaml' -o "$TMP/slurm.sh" -- srun --mpi="$pmi" ./run_steps 400 50
	cp "$TMP/pbs.sh" "$TMP/job.sh"
	job "$mpi, srun, PBS" 2
	cp "$TMP/slurm.sh" "$TMP/job.sh"
	# A job that is handed none of the submitter's environment, which srun then does not hand on either.
	job "$mpi, srun, without the environment" 2 --export=NONE
	"$PAS2P" run --script slurm --nodes 2 --timeout 20 'the table.yaml' -o "$TMP/job.sh" -- "mpirun.$mpi" -n 2 ./run_steps 400 50
	job "$mpi, mpirun, 2" 2
	for signal in TERM KILL; do
		nsenter -t "$near" -n -u "$PAS2P" run -q --control "$place" long.yaml -o "$TMP/never.yaml" -- srun --mpi="$pmi" -N 2 -n 2 ./run_steps 40000 1000 \
			>"$OUT" 2>"$ERR" </dev/null &
		runner=$!
		wait_until started
		ok "$mpi: ranks run" started
		kill -s "$signal" "$runner"
		wait "$runner" 2>/dev/null
		nothing_left "$mpi, after $signal"
	done
done
cd "$OLDPWD" || exit
done_testing
