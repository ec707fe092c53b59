#!/bin/sh
# `pas2p machine`: the file has every operation with an interval, memory, and with a launcher the functions of messages; what is asked for wrongly
# is said. Figures depend on the machine; what holds on any is tested in t/models/machine_measured.c.
. t/lib/lib.sh

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export TMPDIR="$TMP/temporary"
mkdir "$TMPDIR"

run_ok 'without a launcher' "$PAS2P" machine -q --shared -o "$TMP/machine.yaml"
is "$(cat "$OUT" "$ERR")" '' 'nothing is printed besides'
is "$(sed -n 's/^\([a-z_0-9]*\):.*/\1/p' "$TMP/machine.yaml" | tr '\n' ' ')" 'pas2p_machine name ops memory nodes ' 'the keys in order'
is "$(sed -n '/^ops:/,/^#/p' "$TMP/machine.yaml" | sed -n 's/^  \([a-z_]*\):.*/\1/p')" \
	"$(sed -n 's/^MACHINE_OP(\([a-z_]*\),.*/\1/p' src/core/models/machine/ops.def)" 'each operation of the table'
is "$(sed -n '/^memory:/,$p' "$TMP/machine.yaml" | sed -n 's/^  \([a-z_]*\):.*/\1/p' | tr '\n' ' ')" 'read write copy ' 'memory'
is "$(sed -n '/^ops:/,/^nodes:/p' "$TMP/machine.yaml" | grep '^  ' |
	grep -vE '^  [a-z_]+: \[[0-9.]+(e-[0-9]+)?ns, [0-9.]+(e-[0-9]+)?ns\]$' || true)" '' 'each has an interval'
like "$(tail -n 1 "$TMP/machine.yaml")" '^- \{count: 1, cores: [1-9][0-9]*, speed: \[[01](\.[0-9]+)?(e-[0-9]+)?, 1\]\}$' '--shared: what a core keeps of its speed'

launcher=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/pas2p-pingpong-$mpi" ] && command -v "mpiexec.$mpi" >/dev/null && launcher=$(command -v "mpiexec.$mpi")
done
if [ -n "$launcher" ]; then
	run_ok 'with a launcher' "$PAS2P" machine -q --sizes 8..64 --seconds 0.5 -- "$launcher" -n 2
	is "$(sed -n '/^functions:/,$p' "$OUT" | sed -n 's/^  \([a-z]*([a-z, ]*)\): .* # .*/\1/p' | tr '\n' ' ')" \
		'send(bytes) isend(bytes) recv(bytes) copy(bytes) barrier(bytes, p) bcast(bytes, p) reduce(bytes, p) allreduce(bytes, p) gather(bytes, p) scatter(bytes, p) allgather(bytes, p) alltoall(bytes, p) ' \
		'functions of all messages'
	unlike "$(cat "$OUT")" '^nodes:' 'no nodes unless they are asked for'
	run_ok 'one process' "$PAS2P" machine --nodes --ops send --seconds 0.2 -- "$launcher" -n 1
	like "$(cat "$ERR")" '^pas2p: note: messages were not measured: expected at least 2 processes, found 1$' 'no messages, which is said'
	unlike "$(cat "$OUT")" '^functions:' 'and no functions'
	is "$(sed -n '/^nodes:/,$p' "$OUT" | sed 's/cores: [0-9]*/cores: N/')" "$(printf 'nodes:\n- {count: 1, cores: N, speed: 1}')" '--nodes: the one'
	run_fails 8 'a job that fails' "$PAS2P" machine -q --nodes -o "$TMP/none.yaml" -- "$launcher" -n 1 --no-such-option
	ok 'leaves no file' test ! -e "$TMP/none.yaml"
else
	skip 9 'there is no MPI here that pas2p was built for'
fi

run_fails 2 'nodes without a launcher' "$PAS2P" machine --nodes
like "$(cat "$ERR")" '^pas2p: --nodes needs a launch command$' 'is said'
run_fails 2 'sizes without a launcher' "$PAS2P" machine --sizes 0..8
like "$(cat "$ERR")" '^pas2p: --sizes needs a launch command' 'is said'
run_fails 2 'a file' "$PAS2P" machine sample-traces/coll.6.clog2
like "$(cat "$ERR")" '^pas2p: machine: expected -- in front of the launch command' 'is none of it'
run_fails 2 'no launcher behind --' "$PAS2P" machine --
run_fails 2 'an operation that there is not' "$PAS2P" machine --ops sned -- mpirun
like "$(cat "$ERR")" "^pas2p: --ops is 'sned'" 'is named'
run_fails 6 'no place for the output' "$PAS2P" machine -o "$TMP/none/there"
run_fails 2 "another command's option of the same name needs its value" "$PAS2P" run --nodes
like "$(cat "$ERR")" '^pas2p: --nodes: the value is missing: expected --nodes N$' 'is said'
is "$(ls -A "$TMPDIR")" '' 'no file is left of any of this'
done_testing
