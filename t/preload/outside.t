#!/bin/sh
# Time outside of MPI is not computing where a rank sleeps, or where ranks share their processors: traces know the processors of a
# node, what processor time each rank had, and what it waited for. So a person is sent to the right cause: the program, or how
# it was started.
. t/lib/lib.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
[ -r /proc/thread-self/schedstat ] || skip_all 'this kernel does not tell for how long a thread waited for a processor'
command -v taskset >/dev/null || skip_all 'there is no taskset'

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
TRACE=$TMP/traced.clog2
one=$(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')

json() { # KEY FILE: its values
	sed -n "s/^ *\"$1\": \"*\([a-z0-9]*\)\"*,*\$/\1/p" "$2" | tr '\n' ' '
}

for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	"mpicc.$mpi" -O1 -o "$TMP/outside" t/preload/mpi/outside.c || bail_out "mpicc.$mpi does not work"

	run_ok "$mpi: a rank sleeps" "$PAS2P" trace -q -o "$TRACE" -- "$launcher" -n 2 "$TMP/outside" sleep
	run_ok "$mpi: overview" "$PAS2P" "$TRACE"
	like "$(cat "$OUT")" '^most computation +rank 1 was idle outside MPI: [0-9.]+ .s of processor time in' \
		"$mpi: a sleeping rank is idle outside MPI"
	unlike "$(cat "$OUT")" '^most computation .*above the mean' "$mpi: and does not compute"
	like "$(cat "$OUT")" '^main cause +rank 1, idle outside MPI: [0-9.]+ ms of' "$mpi: nor did others wait for its computing"
	run_ok "$mpi: report" "$PAS2P" report -q --format md -o "$TMP/page" "$TRACE"
	like "$(cat "$TMP/page")" 'rank 1 was idle outside MPI' "$mpi: the report says so"
	like "$(cat "$TMP/page")" '^. 1 .*idle outside MPI' "$mpi: so does its table of processes"
	unlike "$(cat "$TMP/page")" '^. 1 .*most computation|shares its processor' "$mpi: and nothing else"
	run_ok "$mpi: diagnosis" "$PAS2P" metrics "$TRACE"
	like "$(tr -s ' \n' ' ' <"$OUT")" ' because rank 1 was idle outside MPI: [0-9.]+ .s of processor time in' "$mpi: so does the diagnosis"
	unlike "$(tr -s ' \n' ' ' <"$OUT")" 'shared-processors .[0-9]+.: .*rank 1' "$mpi: it did not wait for a processor"
	run_ok "$mpi: JSON" "$PAS2P" metrics --by process --format json "$TRACE"
	like "$(json outside_mpi "$OUT")" 'idle ' "$mpi: and JSON"

	run_ok "$mpi: ranks share a processor" taskset -c "$one" "$PAS2P" trace -q -o "$TRACE" -- "$launcher" -n 4 "$TMP/outside" busy
	run_ok "$mpi: overview" "$PAS2P" "$TRACE"
	like "$(cat "$OUT")" '^nodes +4 processes shared 1 processor$' "$mpi: it is said that they did"
	like "$(cat "$OUT")" '^most computation +rank [0-3] shared its processor: [0-9.]+ m?s of processor time in' "$mpi: no rank computes longest"
	run_ok "$mpi: report" "$PAS2P" report -q --format md -o "$TMP/page" "$TRACE"
	like "$(cat "$TMP/page")" '4 processes shared 1 processor' "$mpi: the report says so"
	run_ok "$mpi: info" "$PAS2P" info "$TRACE"
	like "$(cat "$OUT")" '^Nodes +4 processes shared 1 processor$' "$mpi: so does info"
	run_ok "$mpi: JSON" "$PAS2P" info --format json "$TRACE"
	is "$(sed -n '/"nodes": {/,/}/p' "$OUT" | tr -d ' \n')" '"nodes":{"known":1,"crowded":1,"processes":4,"processors":1},' "$mpi: and JSON"
	run_ok "$mpi: JSON of the ranks" "$PAS2P" metrics --by process --format json "$TRACE"
	is "$(json outside_mpi "$OUT" | tr ' ' '\n' | grep -c shared)" 4 "$mpi: each of them had to share"

	# What a run leaves that breaks off has it, too, but for what was waited for.
	PAS2P_KEEP_LOCAL=1 taskset -c "$one" "$PAS2P" trace -q -o "$TRACE" -- "$launcher" -n 2 "$TMP/outside" busy 2>/dev/null
	run_ok "$mpi: local files" "$PAS2P" info -q "$TMP"/traced.*.rank*.clog2
	like "$(cat "$OUT")" '^Nodes +2 processes shared 1 processor$' "$mpi: local files have it, too"
	rm -f "$TMP"/traced.*
done

# Other traces say nothing of nodes, and sentences stay as they are.
run_ok 'a trace of another tracer' "$PAS2P" info --format json sample-traces/cg.S.4.clog2
unlike "$(cat "$OUT")" '"nodes"' 'nothing is known of its nodes'
run_ok 'its overview' "$PAS2P" sample-traces/cg.S.4.clog2
like "$(cat "$OUT")" '^most computation .* above the mean' 'has its slowest rank as before'
unlike "$(cat "$OUT")" '^nodes' 'and no line on nodes'
done_testing
