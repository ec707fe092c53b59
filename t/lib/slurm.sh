# A Slurm of the test's own on two nodes, near and far (two_nodes.sh), of four processors each. Source it right after lib.sh: it starts the test
# anew in a process namespace, with which all daemons end however the test ends, and skips all where that cannot be. Nothing of the machine's own
# Slurm or /etc is touched.
#
#     slurm                                   starts it; skips all where it does not start
#     on "$near" srun --mpi=pmi2 -n 2 ./x     commands for it are given on a node

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

. t/lib/two_nodes.sh

slurm_ready() {
	[ "$(on "$near" timeout -k 1 5 sinfo -h -N -o %T 2>/dev/null | grep -c '^idle')" -eq 2 ]
}

slurm() {
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

	munged --foreground --force --key-file="$S/munge/key" --socket="$S/munge/socket" --log-file="$S/munge/log" \
		--pid-file="$S/munge/pid" --seed-file="$S/munge/seed" >"$S/munge/out" 2>&1 &
	wait_until test -S "$S/munge/socket"
	on "$near" slurmctld -D -i >"$S/slurmctld.out" 2>&1 &
	on "$near" slurmd -D >"$S/near.out" 2>&1 &
	on "$far" slurmd -D >"$S/far.out" 2>&1 &
	wait_until slurm_ready
	if ! slurm_ready; then
		diag "$(tail -n 5 "$S"/*.out)"
		skip_all 'Slurm does not start here'
	fi
}
