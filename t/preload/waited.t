#!/bin/sh
# Waiting as the program itself stamped it (t/preload/mpi/waited.c) is the waiting that metrics find in its trace: in probes, fences, what is done
# with windows and files, the making of communicators, and neighbourhood collectives, with every MPI that is here; alone and as a job. None of that is an event.
. t/lib/lib.sh
. t/lib/job.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'

# Of these nothing says for whom they wait.
unknown='probe_irecv mprobe_imrecv comm_create_group'

for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	trace=$TMP/$mpi.clog2
	"mpicc.$mpi" -w -O1 -o "$TMP/waited" t/preload/mpi/waited.c || bail_out "mpicc.$mpi does not work"
	run_ok "$mpi: traced" "$PAS2P" trace -q --regions -o "$trace" -- "$launcher" -n 4 "$TMP/waited" "$TMP/file" 100
	cp "$OUT" "$TMP/truth"
	run_ok "$mpi: metrics" "$PAS2P" metrics -q --by state --format csv "$trace"
	# Stamps lie right before and behind the calls, and the machine may be busy: to a twentieth and 10 ms.
	awk -F, -v unknown=" $unknown " '
		FNR == NR { split($0, a, " "); order[++n] = a[1]; truth[a[1]] = a[2]; next }
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["name"] in truth { sync[$at["name"]] = $at["sync"] }
		END { for (i = 1; i <= n; i++) {
			k = order[i]
			off = sync[k] - truth[k]
			good = k in sync && off < 0.01 + truth[k] / 20 && (index(unknown, " " k " ") || -off < 0.01 + truth[k] / 20)
			printf "%s %s: %.4f s of %.4f s\n", good ? "held" : "missed", k, sync[k], truth[k]
		} }' "$TMP/truth" "$OUT" >"$TMP/compared"
	ok "$mpi: what each case waited" awk '/^missed/ { print; bad = 1 } END { exit bad || NR < 45 }' "$TMP/compared"
	grep -v '^held' "$TMP/compared" | while read -r line; do diag "$line"; done
	ok "$mpi: and most cases waited" awk '$6 > 0.05 { n++ } END { exit n < 40 }' "$TMP/compared"
	run_ok "$mpi: nothing is odd in the trace" "$PAS2P" check -q "$trace"
	unlike "$(cat "$OUT")" 'MPI_Win_fence|MPI_File_|MPI_Comm_split|MPI_Probe|MPI_Neighbor' "$mpi: of these calls it is known for whom they wait"
	"$PAS2P" events -q --format csv "$trace" >"$OUT"
	unlike "$(cat "$OUT")" 'Win_|File_|Comm_|Probe|_create' "$mpi: they are no events"
	like "$(cat "$OUT")" 'CNeighbor_allgather' "$mpi: but neighbourhood collectives are"
	if [ -e "$(dirname "$PAS2P")/preload/libpas2p-job-$mpi.so" ]; then
		same "$mpi" 3 metrics --by process --format json --what-if 'rank 0 x 0.5' "$trace"
		same "$mpi" 2 metrics --by cause --format csv "$trace"
	fi
done

done_testing
