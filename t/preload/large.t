#!/bin/sh
# Messages of 2 GiB and more: CLOG2's records have 31 bits for a size, so the rest stands in a record of the tracer's own, which other readers
# skip. What the trace says is what the program said, for either MPI, through a run that breaks off and through a copy in the same format.
. t/lib/lib.sh

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# of FILE KIND: sizes of the events of a kind, in order.
of() {
	"$PAS2P" events -q --format csv "$1" | awk -F, -v kind="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		$column["kind"] == kind { printf "%s%s", n++ ? " " : "", $column["size"] }'
}

tried=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null || continue
	if ! { "mpicc.$mpi" -shared -fPIC -o "$TMP/libshim-$mpi.so" t/preload/mpi/large_shim.c -ldl &&
		"mpicc.$mpi" -o "$TMP/large-$mpi" t/preload/mpi/large.c -Wl,--no-as-needed "-L$TMP" "-lshim-$mpi" "-Wl,-rpath,$TMP"; } 2>"$ERR"; then
		fail "$mpi: the program is compiled"
		diag "$(head -n 5 "$ERR")"
		continue
	fi
	tried=1
	last=8
	[ "$(echo MPI_VERSION | "mpicc.$mpi" -E -include mpi.h -xc - 2>/dev/null | tail -n 1)" -lt 4 ] || last=4294967297
	sizes="2147483647 2148532224 17179869176 1099511627776 $last"
	run_ok "$mpi: large messages are traced" "$PAS2P" trace -q -o "$TMP/$mpi.clog2" -- "mpirun.$mpi" -n 2 "$TMP/large-$mpi"
	is "$(of "$TMP/$mpi.clog2" send)" "$sizes" "$mpi: sends are as large as they were"
	is "$(of "$TMP/$mpi.clog2" receive)" "$sizes" "$mpi: and receives"
	is "$(of "$TMP/$mpi.clog2" collective)" '2148532224 0' "$mpi: and a broadcast"
	is "$("$PAS2P" check -q --format csv "$TMP/$mpi.clog2" | grep -c unknown-size)" 0 "$mpi: no size is unknown"
	run_ok "$mpi: the trace is copied" "$PAS2P" convert -q --to clog2 -o "$TMP/copy-$mpi.clog2" "$TMP/$mpi.clog2"
	is "$(of "$TMP/copy-$mpi.clog2" send) $(of "$TMP/copy-$mpi.clog2" receive)" "$sizes $sizes" "$mpi: sizes of the copy are the same"
	PAS2P_KEEP_LOCAL=1 "$PAS2P" trace -q -o "$TMP/kept-$mpi.clog2" -- "mpirun.$mpi" -n 2 "$TMP/large-$mpi" >"$OUT" 2>&1
	is "$(of "$TMP/kept-$mpi.clog2" send)" "$("$PAS2P" events -q --format csv "$TMP/kept-$mpi".*.rank*.clog2 2>/dev/null | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		$column["kind"] == "send" { printf "%s%s", n++ ? " " : "", $column["size"] }')" "$mpi: local files say the same"
done
[ -n "$tried" ] || skip_all 'there is no MPI here that pas2p was built for'
done_testing
