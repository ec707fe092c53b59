#!/bin/sh
# --functions needs no library beside the C library's to name a program's functions: whatever has its symbol table, at a fixed address or
# not, program or shared library, static functions too. What has none has addresses instead, and that is said, with what helps. `pas2p doctor` need not
# speak of it: nothing on the machine can be missing.
. t/lib/lib.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
for tool in ldd strip; do
	command -v "$tool" >/dev/null || skip_all "there is no $tool"
done

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
TRACE=$TMP/traced.clog2
flags='-w -O0 -finstrument-functions'

states() { # the user's states, in one line; of a function without a name there are three words
	"$PAS2P" info -q "$TRACE" | awk '$2 == "user" || $4 == "user" { sub(/ +user .*/, ""); print }' | LC_ALL=C sort | paste -sd,
}

traced() { # NAME PROGRAM
	run_ok "$1" "$PAS2P" trace -q --functions -o "$TRACE" -- "$launcher" -n 2 "$2"
	cp "$ERR" "$TMP/said"
}

for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	unlike "$(ldd "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so")" 'libelf|libdw|libbfd' "$mpi: the tracer needs no library for symbol tables"
	# shellcheck disable=SC2086 # a word for each option
	"mpicc.$mpi" $flags -shared -fPIC -o "$TMP/libnamed.so" t/preload/mpi/named_library.c || bail_out "mpicc.$mpi does not work"
	for kind in pie no-pie; do
		# shellcheck disable=SC2086
		"mpicc.$mpi" $flags "-f$kind" "-$kind" -o "$TMP/named-$kind" t/preload/mpi/named.c -L"$TMP" -lnamed -Wl,-rpath,"$TMP" ||
			bail_out "mpicc.$mpi does not make a program with -$kind"
		traced "$mpi, $kind" "$TMP/named-$kind"
		is "$(states)" 'library_static,named_global,named_in_library,named_static' "$mpi, $kind: all functions have their names"
		unlike "$(cat "$TMP/said")" 'addresses instead' "$mpi, $kind: there is nothing to be said"
	done
	cp "$TMP/libnamed.so" "$TMP/kept.so"
	strip "$TMP/libnamed.so"
	traced "$mpi, stripped library" "$TMP/named-pie"
	like "$(states)" '^0x[0-9a-f]+ in libnamed\.so,named_global,named_in_library,named_static$' "$mpi: its static functions have addresses"
	is "$(sed -n 's/^.*--functions: //p' "$TMP/said")" \
		'the trace has addresses instead of names for functions of libnamed.so, because it is stripped: link it without -s' "$mpi: that is said, once"
	cp "$TMP/kept.so" "$TMP/libnamed.so"
	strip "$TMP/named-no-pie"
	traced "$mpi, stripped program" "$TMP/named-no-pie"
	like "$(states)" '^0x[0-9a-f]+ in named-no-pie,0x[0-9a-f]+ in named-no-pie,library_static,named_in_library$' "$mpi: so have those of a stripped program"
	like "$(cat "$TMP/said")" 'addresses instead of names for functions of named-no-pie' "$mpi: which is named"
done

run_any=$("$PAS2P" doctor 2>/dev/null || true)
unlike "$run_any" 'libelf|elfutils|function names' 'doctor says nothing of a library for names'
done_testing
