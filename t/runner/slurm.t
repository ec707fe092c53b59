#!/bin/sh
# Batch jobs, by a Slurm of the test's own on two nodes (namespaces of this machine): the script that `run --script slurm` prints
# is submitted as it is and leaves its result, from one node and from two, whatever the names of its folder are; srun starts the
# ranks with the library in them, with each MPI that this Slurm can start. A batch system keeps what a launcher has lost, so
# after each run, killed ones too, none of the program's processes may be left. All daemons live in a process namespace that
# ends with the test, however that ends; nothing of the machine's own Slurm or /etc is touched.
. t/lib/lib.sh

. t/lib/slurm.sh
. t/lib/run_table.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
slurm

started() { [ "$(left_behind)" -ge 2 ]; }
ended() { [ "$(left_behind)" -eq 0 ] && ! ls -d "$place"/pas2p-run.* >/dev/null; }
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
	if sanitized; then
		skip 1 'what a sanitizer needs to be loaded is in the environment'
	else
		job "$mpi, srun, without the environment" 2 --export=NONE
	fi
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
