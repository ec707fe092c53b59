#!/bin/sh
# What the library notes while a program is measured: every boundary at the call that it lies before, those at one place at one time,
# those behind the last call where MPI_Finalize begins, and none that was not asked for; with threads too. A control file that is not
# whole, or of another version, is not used: the program runs as if there were none, and says so.
. t/lib/lib.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mkdir "$TMP/control"

for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	"mpicc.$mpi" -std=gnu11 -O1 -Isrc -pthread -o "$TMP/stamps" t/preload/mpi/stamps.c || bail_out "mpicc.$mpi does not work"
	for case in all second plain nothing threads; do
		run_ok "$mpi: $case" env LD_PRELOAD="$(dirname "$(realpath "$PAS2P")")/preload/libpas2p-$mpi.so" \
			"$launcher" -n 1 "$TMP/stamps" "$case" "$TMP/control"
		is "$(cat "$OUT")" checked "$mpi: $case: all is as it should be"
		unlike "$(cat "$ERR")" 'pas2p:' "$mpi: $case: and nothing is said"
	done
	for case in version boundaries plan slots part short; do
		run_ok "$mpi: damaged: $case" env LD_PRELOAD="$(dirname "$(realpath "$PAS2P")")/preload/libpas2p-$mpi.so" \
			"$launcher" -n 1 "$TMP/stamps" "$case" "$TMP/control"
		is "$(cat "$OUT")" checked "$mpi: damaged: $case: nothing is measured"
		like "$(cat "$ERR")" 'pas2p: rank 0 cannot use the control file in .*: it is damaged or from another version' \
			"$mpi: damaged: $case: and that is said"
	done
done

done_testing
