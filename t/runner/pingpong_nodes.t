#!/bin/sh
# `pas2p pingpong` and `pas2p machine` over two nodes: pairs on one and of two, all processes over both; the machine tells them apart, and knows its
# nodes. Whoever predicts a run over several nodes needs both kinds of messages.
. t/lib/lib.sh
. t/lib/two_nodes.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/pas2p-pingpong-$mpi" ] && command -v "mpiexec.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'

two_nodes
cat >"$TMP/agent" <<END
#!/bin/sh
# HOST COMMAND..., or with ssh's -x before
[ "\$1" != -x ] || shift
case \$1 in 10.77.0.1) pid=$near ;; 10.77.0.2) pid=$far ;; *) exit 255 ;; esac
shift
exec env -i $(sanitizer_options) PATH="\$PATH" HOME="\$HOME" nsenter -t "\$pid" -n -u sh -c "cd /; \$*"
END
chmod +x "$TMP/agent"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1

for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi")
	case $mpi in
	openmpi)
		launcher="$launcher --mca plm_rsh_agent $TMP/agent --mca pml ob1 --mca btl tcp,self,vader --map-by slot
			--mca oob_tcp_if_include 10.77.0.0/24 --mca btl_tcp_if_include 10.77.0.0/24
			--mca btl_vader_single_copy_mechanism none --host 10.77.0.1:2,10.77.0.2:2"
		;;
	mpich)
		launcher="$launcher -launcher ssh -launcher-exec $TMP/agent -hosts 10.77.0.1,10.77.0.2 -iface veth0 -ppn 2"
		;;
	esac
	if ! on "$near" timeout 30 $launcher -n 3 hostname </dev/null >"$OUT" 2>"$ERR" || ! grep -qx far "$OUT"; then
		diag "$(head -n 5 "$ERR")"
		skip 7 "$mpi does not launch on the other node here"
		continue
	fi
	run_ok "$mpi: messages" on "$near" timeout 60 "$PAS2P" pingpong -q --ops recv,barrier --sizes 0..8 --seconds 0.5 -- $launcher -n 3
	is "$(grep -v '^#' "$OUT" | sed 1d | cut -d, -f1,2,4 | uniq | tr '\n' ' ')" 'recv,intra,2 recv,inter,2 barrier,intra,2 barrier,inter,3 ' \
		"$mpi: on one node, between two, and all"
	like "$(head -n 4 "$OUT")" '^# host: near, 3 processes on 2 nodes$' "$mpi: which is said"
	run_ok "$mpi: machine" on "$near" timeout 60 "$PAS2P" machine -q --nodes --ops recv --sizes 0..64 --seconds 0.5 -- $launcher -n 3
	like "$(cat "$OUT")" '^  recv\(bytes\): ' "$mpi: a function of messages between nodes"
	like "$(cat "$OUT")" '^  recv_local\(bytes\): ' "$mpi: one of those on one"
	is "$(sed -n '/^nodes:/,$p' "$OUT" | awk -F'[ ,]' '/count/ { n += $3 } END { print n + 0 }')" 2 "$mpi: both nodes"
done
done_testing
