#!/bin/sh
# A job script does what the command that printed it would have done, inside a batch job: so every word of it is the same
# word there, whatever it consists of, and the script can be run by hand. It is printed without executing anything, is the
# same each time, and holds of the environment only what programs are found by: the rest may be secret. What the batch system
# is asked for comes from the table. A launcher of a batch system starts programs of any MPI; which one, the program says.
. t/lib/lib.sh
. t/lib/run_table.sh

run() { # ARGUMENT...: the script to $OUT
	run_ok "run $*" "$PAS2P" run "$@"
}
refused() { # SENTENCE ARGUMENT...
	refused_says=$1
	shift
	run_fails 2 "run $*" "$PAS2P" run "$@"
	like "$(head -n 2 "$ERR")" "$refused_says" 'says why'
	is "$(cat "$OUT")" '' 'and prints nothing'
}

export PAS2P_SECRET=hunter2 OMP_NUM_THREADS=3
steps_table 6 400 20 >"$TMP/steps.yaml"
printf '#!/bin/sh\necho called >>%s/called\n' "$TMP" >"$TMP/mpirun"
chmod +x "$TMP/mpirun"

# A reader that has gone ends it, as it ends a filter.
mkfifo "$TMP/fifo"
exec 3<>"$TMP/fifo" 4>"$TMP/fifo" 3<&-
"$PAS2P" run --script slurm "$TMP/steps.yaml" -- "$TMP/mpirun" run_steps >&4 2>"$ERR"
is "$? $(cat "$ERR")" '141 ' 'without a reader it ends as by SIGPIPE, and says nothing'
exec 4>&-

run --script slurm "$TMP/steps.yaml" --nodes 4 --runs 3 --timeout 2.5 --full --mpi mpich -- "$TMP/mpirun" run_steps
cp "$OUT" "$TMP/first"
is "$(sed -n 's/^#SBATCH //p' "$OUT" | tr '\n' ' ')" '--job-name=pas2p-run_steps --nodes=4 --ntasks=6 --ntasks-per-node=2 ' \
	'Slurm is asked for the nodes, and the tasks of the table'
is "$(head -n 1 "$OUT")" '#!/bin/bash' 'it is a script of bash'
is "$(tail -n 1 "$OUT")" "exec $(realpath "$PAS2P") run $TMP/steps.yaml -o \"\${1:-result.yaml}\" --control $PWD --mpi mpich --runs 3 --full --timeout 2.5 -- $TMP/mpirun run_steps" \
	'it becomes the run, with its options and a control directory that the nodes share'
like "$(cat "$OUT")" "^cd $PWD \|\| exit 3\$" 'in the directory where it was printed'
is "$(sed -n 's/^export OMP_NUM_THREADS=//p' "$OUT")" 3 'threads are as they were'
unlike "$(cat "$OUT")" 'hunter2' 'what else the environment has is not written down'
run --script slurm "$TMP/steps.yaml" --nodes 4 --runs 3 --timeout 2.5 --full --mpi mpich -- "$TMP/mpirun" run_steps
ok 'the same each time' cmp "$OUT" "$TMP/first"
run --script pbs "$TMP/steps.yaml" --nodes 4 -- "$TMP/mpirun" run_steps
is "$(sed -n 's/^#PBS //p' "$OUT" | tr '\n' ' ')" '-S /bin/bash -N pas2p-run_steps -j oe -l select=4:ncpus=2:mpiprocs=2 ' 'PBS is asked for as much'
run --script slurm "$TMP/steps.yaml" -- "$TMP/mpirun" run_steps
unlike "$(tail -n 1 "$OUT")" '--control' 'one node needs no shared directory'
run --script slurm "$TMP/steps.yaml" --control shared -- "$TMP/mpirun" run_steps
like "$(tail -n 1 "$OUT")" "--control $PWD/shared " 'one that is named is named in full'
run --script slurm "$TMP/steps.yaml" -o "$TMP/job.sh" -- "$TMP/mpirun" run_steps
is "$(cat "$OUT")" '' 'into a file'
ok 'it is there' grep -q '^#SBATCH' "$TMP/job.sh"
run_fails 6 'where it cannot be written' "$PAS2P" run --script slurm "$TMP/steps.yaml" -o /dev/full -- "$TMP/mpirun" run_steps
steps_table 2 400 20 >"$TMP/odd.yaml"
sed -i "s/^application: .*/application: 'r.\\xc3\\xa4 #SBATCH \$(x) and so on'/" "$TMP/odd.yaml"
run --script slurm "$TMP/odd.yaml" -- "$TMP/mpirun" r
is "$(sed -n 's/^#SBATCH --job-name=//p' "$OUT")" 'pas2p-r_____SBA' \
	"the job's name has what every batch system takes"

"$PAS2P" sign "$TMP/steps.yaml" --mechanism replay --mpi mpich -o "$TMP/a.sig" -- "$TMP/mpirun" run_steps >/dev/null 2>&1
if [ -d "$TMP/a.sig" ]; then
	run --script slurm "$TMP/a.sig" --mpi mpich
	like "$(tail -n 1 "$OUT")" "run $TMP/a.sig -o \"[^ ]*\" --mpi mpich\$" 'a signature has its command'
	chmod o+w "$TMP/a.sig"
	refused '--trust' --script slurm "$TMP/a.sig"
	run --script slurm "$TMP/a.sig" --trust
	like "$(tail -n 1 "$OUT")" ' --trust$' 'trust is passed on'
fi
refused '--nodes is 7, but the table has 6 processes' --script slurm "$TMP/steps.yaml" --nodes 7 -- "$TMP/mpirun" run_steps
refused 'use it with --script' "$TMP/steps.yaml" --nodes 2 -- "$TMP/mpirun" run_steps
refused '--dry-run has no effect: leave it out' "$TMP/steps.yaml" --script slurm --dry-run -- "$TMP/mpirun" run_steps
refused 'expected slurm or pbs' "$TMP/steps.yaml" --script lsf -- "$TMP/mpirun" run_steps
refused 'a table can only be measured by a rerun' "$TMP/steps.yaml" --script slurm --mechanism criu -- "$TMP/mpirun" run_steps
refused 'which the launch command does not name' "$TMP/steps.yaml" --script slurm -- "$TMP/mpirun" other
ok 'nothing was executed' test ! -e "$TMP/called"

# A complete script, as the command of the page prints it.
mkdir "$TMP/cg"
steps_table 4 400 20 app >"$TMP/cg/app.yaml"
command=$(sed -n 's/^pas2p \(run app.yaml --script slurm .*\)/\1/p' docs/how-to/cluster.md)
like "$command" '^run app.yaml --script slurm .*-o app.job' 'docs/how-to/cluster.md has the command'
# shellcheck disable=SC2046,SC2086  # its words
(cd "$TMP/cg" && env -i $(sanitizer_options) PATH=/usr/local/bin:/usr/bin:/bin "$PAS2P" $command)
sed "s|$TMP/cg|/home/ada/cg|g; s|exec $(realpath "$PAS2P") |exec /usr/local/bin/pas2p |" "$TMP/cg/app.job" >"$TMP/printed"
cmp_golden "$TMP/printed" t/runner/app.job 'and prints this script'

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] && command -v bash >/dev/null || done_testing
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# By hand, from elsewhere, in a place whose name is hard to quote, and with arguments that are. srun is played by a program of
# that name, which says nothing of an MPI and drops what a list of its variables does not name.
place="$TMP/it's \"a\" \$HOME \\;
place"
mkdir "$place" "$TMP/bin"
steps_table 2 400 20 >"$place/the table.yaml"
for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	"mpicc.$mpi" -w -O1 -o "$place/run_steps" t/preload/mpi/run_steps.c || bail_out "mpicc.$mpi does not work"
	cat >"$TMP/bin/srun" <<-END
		#!/bin/bash
		[ "\$1" != --version ] || { echo 'slurm 22.05'; exit; }
		keep=,\$SLURM_EXPORT_ENV,
		for name in LD_PRELOAD PAS2P_CONTROL; do
			[ "\$keep" = ,, ] || [[ \$keep = *,\$name,* ]] || unset \$name
		done
		printf '%s\\n' "\$4" >'$TMP/fourth'
		exec $launcher "\${@:1:2}" "./run_steps" 400 50
	END
	chmod +x "$TMP/bin/srun"
	run_ok "$mpi: print" sh -c 'cd "$1" && shift && PATH=$1:$PATH && shift && exec "$@"' sh "$place" "$TMP/bin" "$PAS2P" run --script slurm \
		--timeout 10 --label "$(printf 'a "b"\nc')" 'the table.yaml' -- srun -n 2 ./run_steps "$(printf "o'ne\n-\$x \`y\`")"
	cp "$OUT" "$TMP/job.sh"
	for list in '' NONE A,B; do
		rm -f "$place/result.yaml" "$TMP/fourth"
		run_ok "$mpi: run it by hand, the list being '$list'" env -u LD_LIBRARY_PATH PATH=/usr/bin:/bin ${list:+SLURM_EXPORT_ENV=$list} \
			bash "$TMP/job.sh"
		ok "$mpi: the result is in its place" grep -q '^mechanism: {name: replay' "$place/result.yaml"
	done
	is "$(cat "$TMP/fourth")" "$(printf "o'ne\n-\$x \`y\`")" "$mpi: a word is what it was"
	like "$(cat "$place/result.yaml")" '^label: "a \\"b\\"\\nc"' "$mpi: so is an option's"
	run_ok "$mpi: another name for the result" bash "$TMP/job.sh" "$TMP/other result.yaml"
	ok "$mpi: is taken" test -s "$TMP/other result.yaml"
done
# Half a program is none: of it nothing is believed.
for bytes in 20 64 300 700 1000 2000 5000; do
	head -c "$bytes" "$place/run_steps" >"$place/half"
	chmod +x "$place/half"
	run_fails 2 "$bytes bytes of a program" sh -c 'cd "$1" && PATH=$2:$PATH exec "$3" trace -o x.clog2 -- srun -n 2 ./half' sh "$place" "$TMP/bin" "$PAS2P"
	like "$(cat "$ERR")" 'cannot determine the MPI of the program' 'is a sentence'
done
printf '#!/bin/sh\nexec ./run_steps\n' >"$place/run_steps.sh"
chmod +x "$place/run_steps.sh"
run_fails 2 'a script tells of no MPI' sh -c 'cd "$1" && PATH=$2:$PATH exec "$3" run "the table.yaml" -- srun -n 2 ./run_steps.sh' sh "$place" "$TMP/bin" "$PAS2P"
like "$(cat "$ERR")" 'cannot determine the MPI of the program that srun starts' 'says so'
like "$(cat "$ERR")" '^hint: give --mpi' 'and --mpi is asked for'
done_testing
