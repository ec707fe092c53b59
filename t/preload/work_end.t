#!/bin/sh
# What a program computes after its last message belongs to its last event: phases cover it, and a signature measures it, up to
# MPI_Finalize, with every MPI that is here (docs/explain/method.md, "Compute time" and "Entry, exit and duration").
. t/lib/lib.sh

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

tried=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null || continue
	tried=1
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	"mpicc.$mpi" -O1 -o "$TMP/late" t/preload/mpi/late_work.c || bail_out "mpicc.$mpi does not work"
	trace=$TMP/$mpi.clog2
	run_ok "$mpi: traced" "$PAS2P" trace -q -o "$trace" -- "$launcher" -n 2 "$TMP/late" 80
	for similarity in phase bbp; do
		table=$TMP/$similarity.yaml
		run_ok "$mpi, $similarity: the table" "$PAS2P" phases -q --similarity $similarity --relevance 0 -a late -f yaml -o "$table" "$trace"
		coverage=$(sed -n 's/^  coverage: //p' "$table")
		# The run time also has how far apart ranks begin and end, which is more on a busy machine.
		ok "$mpi, $similarity: what follows the last message is covered" awk -v c="$coverage" 'BEGIN { exit !(c > 0.95) }'
		diag "coverage $coverage"
	done
	# A round computes for 10 ms at most.
	ok "$mpi: the last event's compute time is what follows it" sh -c '"$1" events -q --format csv "$2" | awk -F, '"'"'
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ last[$at["rank"]] = $at["compute"] }
		END { exit !(last[0] > 0.0105 && last[1] > 0.0105) }'"'" - "$PAS2P" "$trace"
	run_ok "$mpi: a table of last occurrences" "$PAS2P" phases -q --representative last -a late -f yaml -o "$TMP/last.yaml" "$trace"
	run_ok "$mpi: measured" "$PAS2P" run -q -o "$TMP/result.yaml" "$TMP/last.yaml" -- "$launcher" -n 2 "$TMP/late" 80
	ok "$mpi: the measured occurrence lasts to MPI_Finalize" awk '/^  time:/ { n++; bad = bad || $2 < 0.2 } END { exit bad || !n }' "$TMP/result.yaml"
done
[ -n "$tried" ] || skip_all 'there is no MPI here that pas2p was built for'

done_testing
