#!/bin/sh
# What tracing cost a run is in its trace, with every MPI that is here: the tracer measures what a record costs, and info says what that
# comes to, and how much of the run that is, with what the tracer recorded of itself. What the measurement logs does not stay, and a
# trace that says nothing of it has no such figure.
. t/lib/lib.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export SAID="$TMP/said"
TRACE=$TMP/traced.clog2
mkdir "$SAID"

# The figures of tracing in JSON, and what they must come to. Prints the records, the low end of a record's cost, and what is wrong.
sums() { # FILE
	python3 - "$1" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
t = d["tracing"]
wrong = []
def near(a, b, what):
    if abs(a - b) > 1e-9 * abs(b) + 1e-15:
        wrong.append("%s: %g, not %g" % (what, a, b))
ranks = d["process_list"]
near(t["records"], sum(p["records"] for p in ranks), "records")
near(t["tracer"], sum(p["time"]["tracer"] for p in ranks), "tracer")
for end, key in (0, "tracing_low"), (1, "tracing_high"):
    near(t["time"][end], t["records"] * t["record_cost"][end] + t["tracer"], "time")
    near(t["share"][end], t["time"][end] / d["total_time"], "share")
    near(t["time"][end], sum(p[key] for p in ranks), key)
if not 1e-9 <= t["record_cost"][0] <= t["record_cost"][1] <= 2e-5:
    wrong.append("a record costs %s" % t["record_cost"])
print("; ".join(wrong) or "right")
END
}

for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	for program in ring ends; do
		"mpicc.$mpi" -w -O1 -o "$TMP/$program" "t/preload/mpi/$program.c" || bail_out "mpicc.$mpi does not work"
	done

	run_ok "$mpi: a run" "$PAS2P" trace -q -o "$TRACE" -- "$launcher" -n 4 "$TMP/ring"
	run_ok "$mpi: info" "$PAS2P" info -q "$TRACE"
	like "$(cat "$OUT")" '^Tracing overhead +(about|less than) [0-9.]+( to [0-9.]+)? % of the total time, [^:]*s: [0-9 ]+ records at [0-9.]+( to [0-9.]+)? ns each$' \
		"$mpi: says what tracing cost"
	like "$(cat "$OUT")" '^MPI_Wait +MPI +20 ' "$mpi: no record of the measurement stays"
	run_ok "$mpi: JSON" "$PAS2P" info -q --format json "$TRACE"
	cp "$OUT" "$TMP/ring.json"
	cost=$(sed -n 's/.*"record_cost": //p' "$OUT")
	if command -v python3 >/dev/null; then
		is "$(sums "$TMP/ring.json")" right "$mpi: its figures agree"
	else
		skip 1 'there is no python3'
	fi

	# Converted, the cost of a record is the same in CLOG2; in other formats records are others.
	run_ok "$mpi: convert" "$PAS2P" convert -q --force -o "$TMP/again.clog2" "$TRACE"
	run_ok "$mpi: JSON of that" "$PAS2P" info -q --format json "$TMP/again.clog2"
	is "$(sed -n 's/.*"record_cost": //p' "$OUT")" "$cost" "$mpi: converted to CLOG2, a record's cost stays"
	run_ok "$mpi: convert to PRV" "$PAS2P" convert -q --force -o "$TMP/other.prv" "$TRACE"
	run_ok "$mpi: JSON of that" "$PAS2P" info -q --format json "$TMP/other.prv"
	unlike "$(cat "$OUT")" '"tracing": ' "$mpi: another format has other records, of which nothing is known"
	is "$(grep -c '"tracing_low": null' "$OUT")" 4 "$mpi: nor of its ranks'"

	# More than memory holds: writes are in it, once.
	run_ok "$mpi: a run that writes" "$PAS2P" trace -q -o "$TRACE" -- "$launcher" -n 2 "$TMP/ends" many
	run_ok "$mpi: info" "$PAS2P" info -q "$TRACE"
	like "$(cat "$OUT")" '^Tracing .* ns each, and [0-9.]+ .?s of buffer writes and clock measurements$' "$mpi: writes are in it"
	run_ok "$mpi: JSON" "$PAS2P" info -q --format json "$TRACE"
	cp "$OUT" "$TMP/many.json"
	if command -v python3 >/dev/null; then
		is "$(sums "$TMP/many.json")" right "$mpi: and count once"
	else
		skip 1 'there is no python3'
	fi
	# The overview says so where it is 1 % or more.
	share=$(sed -n 's/.*"share": \[[^,]*, \(.*\)\].*/\1/p' "$TMP/many.json")
	run_ok "$mpi: overview" "$PAS2P" "$TRACE"
	is "$(grep -c '^tracing ' "$OUT")" "$(awk -v s="$share" 'BEGIN { print (s >= 0.01) }')" "$mpi: the overview says what is much ($share)"

	# What a run leaves that breaks off says it, too.
	"$PAS2P" trace -q -o "$TRACE" -- "$launcher" -n 2 "$TMP/ends" abort >/dev/null 2>&1
	run_ok "$mpi: local files" "$PAS2P" info -q "$TMP"/traced.*.rank*.clog2
	like "$(cat "$OUT")" '^Tracing +.* records at .* ns each' "$mpi: local files have it"
	rm -f "$TMP"/traced.*
done

run_ok 'a trace of another tracer' "$PAS2P" info -q sample-traces/cg.S.4.clog2
unlike "$(cat "$OUT")" '^Tracing overhead' 'says nothing of what tracing cost'
run_ok 'its JSON' "$PAS2P" info -q --format json sample-traces/cg.S.4.clog2
unlike "$(cat "$OUT")" '"tracing": ' 'nor does its JSON'
run_ok 'its overview' "$PAS2P" sample-traces/cg.S.4.clog2
unlike "$(cat "$OUT")" '^tracing' 'nor its overview'
done_testing
