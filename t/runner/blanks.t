#!/bin/sh
# pas2p may lie in a folder with a blank in its name, such as somebody's home: the loader's list of what to preload cannot name that, so the library is looked for by its name.
# The same jobs are traced and measured from there, with whatever the launcher needs to hand that on; a folder that no loader can name is refused.
. t/lib/lib.sh
. t/lib/run_table.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
unset LD_LIBRARY_PATH

there="$TMP/Some One's home; all"
mkdir "$there"
cp "$PAS2P" "$there/pas2p"
cp -r "$(dirname "$PAS2P")/preload" "$there"
run_fails 3 'a blank and a semicolon' "$there/pas2p" trace --mpi "${built##* }" -o "$TMP/x.clog2" -- true
like "$(cat "$ERR")" "the ranks cannot load .*Some One's home; all/.*install pas2p in another folder" 'are refused'
mv "$there" "$TMP/a:b"
run_fails 3 'a colon' "$TMP/a:b/pas2p" trace --mpi "${built##* }" -o "$TMP/x.clog2" -- true
like "$(cat "$ERR")" 'the loader accepts no colon' 'is refused'
there="$TMP/Some One's home"
mv "$TMP/a:b" "$there"

steps_table 2 400 20 >"$there/steps table.yaml"
for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	"mpicc.$mpi" -w -O1 -o "$there/collectives" t/preload/mpi/collectives.c || bail_out "mpicc.$mpi does not work"
	"mpicc.$mpi" -w -O1 -o "$there/run_steps" t/preload/mpi/run_steps.c || bail_out "mpicc.$mpi does not work"
	run_ok "$mpi: a program is traced" "$there/pas2p" trace -o "$there/my trace.clog2" -- "$launcher" -n 2 "$there/collectives" 20
	unlike "$(cat "$ERR")" 'ld\.so' "$mpi: and the loader has nothing to say"
	run_ok "$mpi: its phases" "$there/pas2p" phases "$there/my trace.clog2"
	like "$(cat "$OUT")" '^my trace: 2 processes' "$mpi: are those of two processes"
	rm "$there/my trace.clog2"
	if [ $mpi = openmpi ]; then
		run_ok "$mpi: where variables are named one by one" "$there/pas2p" trace -o "$there/x.clog2" -- "$launcher" -x HOME -n 2 "$there/collectives" 20
		ok "$mpi: there is a trace" test -s "$there/x.clog2"
		run_ok "$mpi: where folders were named before" env LD_LIBRARY_PATH=/nowhere/at/all LD_PRELOAD=libm.so.6 "$there/pas2p" trace -o "$there/y.clog2" -- \
			"$launcher" -n 2 "$there/collectives" 20
	fi
	run_ok "$mpi: phases are measured" "$there/pas2p" run --timeout 20 -o "$there/result.yaml" "$there/steps table.yaml" -- "$launcher" -n 2 "$there/run_steps" 400 50
	ok "$mpi: there is a result" test -s "$there/result.yaml"
	rm "$there/result.yaml"
done
done_testing
