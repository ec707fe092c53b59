#!/bin/sh
# Tracing and replay across two nodes, whose launch agent hands nothing of the environment on, as ssh does. So all that the
# ranks on the other node know of pas2p is what the launcher was made to tell them.
. t/lib/lib.sh
. t/lib/two_nodes.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
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
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	case $mpi in
	openmpi)
		launcher="$launcher --mca plm_rsh_agent $TMP/agent --mca pml ob1 --mca btl tcp,self,vader --map-by node
			--mca oob_tcp_if_include 10.77.0.0/24 --mca btl_tcp_if_include 10.77.0.0/24
			--mca btl_vader_single_copy_mechanism none --host 10.77.0.1:2,10.77.0.2:2"
		;;
	mpich)
		launcher="$launcher -launcher ssh -launcher-exec $TMP/agent -hosts 10.77.0.1,10.77.0.2 -iface veth0 -ppn 1"
		;;
	esac
	for program in ring run_steps; do
		"mpicc.$mpi" -w -O1 -o "$TMP/$program" "t/preload/mpi/$program.c" || bail_out "mpicc.$mpi does not work"
	done
	if ! on "$near" timeout 30 $launcher -n 2 hostname </dev/null >"$OUT" 2>"$ERR" || ! grep -qx far "$OUT"; then
		diag "$(head -n 5 "$ERR")"
		skip 4 "$mpi does not launch on the other node here"
		continue
	fi
	for export in '' '-x PATH'; do
		[ "$mpi" = openmpi ] || [ -z "$export" ] || continue
		rm -f "$TMP/ring.clog2"
		run_ok "$mpi: trace $export" on "$near" timeout 60 "$PAS2P" trace -q -o "$TMP/ring.clog2" -- $launcher $export -n 2 "$TMP/ring"
		like "$("$PAS2P" info -q "$TMP/ring.clog2")" '^Events +60: 30 sends, 30 receives' "$mpi: both nodes are in the trace"
	done
	run_ok "$mpi: trace what is to be measured" on "$near" timeout 60 "$PAS2P" trace -q -o "$TMP/steps.clog2" -- $launcher -n 2 \
		"$TMP/run_steps" 200 50
	"$PAS2P" phases -q -f yaml -a run_steps --representative last -o "$TMP/steps.yaml" "$TMP/steps.clog2"
	mkdir -p "$TMP/control"
	run_ok "$mpi: replay across nodes" on "$near" timeout 90 "$PAS2P" run -q --timeout 30 --control "$TMP/control" \
		--mechanism replay -o "$TMP/result.yaml" "$TMP/steps.yaml" -- $launcher -n 2 "$TMP/run_steps" 200 50
done
done_testing
