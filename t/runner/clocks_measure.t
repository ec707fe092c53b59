#!/bin/sh
# `pas2p clocks --measure`, with every MPI that is here: clocks that are wrong on purpose, whose truth must lie within the bounds; processes that
# share a clock are one unit; two nodes that have a time of their own; and jobs that do not start, fail, or are ended, of which nothing is left.
. t/lib/lib.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/pas2p-probe-$mpi" ] && command -v "mpiexec.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1
export TMPDIR="$TMP/temporary"
mkdir "$TMPDIR"

# Each unit's planted offset (-OFFSET * rank) and rate lie within its bounds, in CSV; 50 ns for when zero is.
inside() { # FILE OFFSET RATE
	awk -F, -v offset="$2" -v rate="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			o = -offset * $at["rank"]; r = -rate * $at["rank"]; r = r / (1 - r)
			if (!($at["low"] - 5e-8 <= o && o <= $at["high"] + 5e-8)) { print "offset " o ": " $0; bad = 1 }
			if (!($at["rate_low"] - 2e-8 <= r && r <= $at["rate_high"] + 2e-8)) { print "rate " r ": " $0; bad = 1 }
			if ($at["verification_agrees"] != "true") { print "does not agree: " $0; bad = 1 }
		}
		END { exit bad + (NR < 3) }' "$1" || return 1
}

first_launcher=
for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi")
	first_launcher=${first_launcher:-$launcher}
	first_mpi=${first_mpi:-$mpi}

	run_ok "$mpi: units" env PAS2P_CLOCK_SKEW=0.005,50e-6 "$PAS2P" clocks -q --measure --seconds 0.4 --exchanges 40 -f csv -- "$launcher" -n 3
	is "$(wc -l <"$OUT")" 4 "$mpi: one a process"
	ok "$mpi: bounds hold what was planted" inside "$OUT" 0.005 50e-6
	run_ok "$mpi: a tree" env PAS2P_CLOCK_SKEW=-1.5,-80e-6 "$PAS2P" clocks -q --measure --schedule tree --seconds 0.4 --exchanges 40 -f csv \
		-o "$TMP/tree.csv" -- "$launcher" -n 3
	ok "$mpi: in a tree as well" inside "$TMP/tree.csv" -1.5 -80e-6

	run_ok "$mpi: one clock" "$PAS2P" clocks --measure --seconds 0.2 --exchanges 20 -- "$launcher" -n 2
	like "$(cat "$OUT")" '^1 unit, clock monotonic, schedule star: 20 samples of 20 exchanges in 200' "$mpi: what was done"
	like "$(cat "$OUT")" '^all processes share one clock$' "$mpi: and found"
	like "$(cat "$OUT")" '^   0 .* 2  ' "$mpi: both are it"
	is "$(cat "$ERR")" '' "$mpi: nothing else is said"
	for clock in mpi raw realtime tsc; do
		[ "$clock" != tsc ] || [ "$(uname -m)" = x86_64 ] || continue
		[ "$clock" = mpi ] || [ "$mpi" = "$first_mpi" ] || continue
		run_ok "$mpi: $clock" env PAS2P_CLOCK_SKEW=0.005,0 "$PAS2P" clocks -q --measure --clock "$clock" --seconds 0.1 --exchanges 30 -f csv -- \
			"$launcher" -n 2
		like "$(sed -n 3p "$OUT")" '^1,1,' "$mpi: $clock: two units"
	done

	run_fails 8 "$mpi: a job that fails" "$PAS2P" clocks --measure --seconds 0.2 -- "$launcher" -n 2 --no-such-option
	like "$(cat "$ERR")" '^pas2p: the job failed with exit status ' "$mpi: is said"
	like "$(cat "$ERR")" '^pas2p: the job: .*no-such-option' "$mpi: with what it said"
	is "$(cat "$OUT")" '' "$mpi: and nothing is printed"
done

# A node whose clock began 100 s earlier, as one of another boot: a time namespace.
cat >"$TMP/elsewhere" <<'END'
#!/bin/sh
[ "${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-0}}" != 1 ] || exec unshare --time --monotonic 100 --fork --kill-child "$@"
exec "$@"
END
chmod +x "$TMP/elsewhere"
if unshare --time --monotonic 100 --fork true 2>/dev/null; then
	run_ok 'a time namespace' "$PAS2P" clocks -q --measure --seconds 0.4 --exchanges 40 -f csv -- "$first_launcher" -n 2 "$TMP/elsewhere"
	is "$(wc -l <"$OUT")" 3 'is a unit of its own'
	ok 'and its bounds hold by how much it is ahead' inside "$OUT" 100 0
else
	skip 3 'there are no time namespaces'
fi

# The document: YAML and JSON are one.
for format in json yaml; do
	run_ok "$format" env PAS2P_CLOCK_SKEW=0.005,50e-6 "$PAS2P" clocks -q --measure --rate-error 1e-2 --exchanges 10 -f "$format" -o "$TMP/doc.$format" -- \
		"$first_launcher" -n 2
done
is "$(sed -n 's/^  "\([a-z_0-9]*\)":.*/\1/p' "$TMP/doc.json" | tr '\n' ' ')" \
	'pas2p_clocks_measured clock schedule seconds samples exchanges utc units links clocks error ' 'the keys in order'
is "$(sed -n 's/^\([a-z_0-9]*\):.*/\1/p' "$TMP/doc.yaml" | tr '\n' ' ')" \
	'pas2p_clocks_measured clock schedule seconds samples exchanges utc units links clocks error ' 'in YAML too'
like "$(cat "$TMP/doc.json")" '^  "seconds": 1,$' '--rate-error: a second at least'
like "$(cat "$TMP/doc.json")" '"ntp": \{"synchronised": (true|false), "estimated_error": ' 'what the kernel says of its time'
like "$(cat "$TMP/doc.json")" '\{"parent": 0, "child": 1, "exchanges": 210, "left_out": ' 'round trips'

# What is asked for wrongly.
run_fails 2 'no launcher' "$PAS2P" clocks --measure
like "$(cat "$ERR")" '^pas2p: --measure needs a launch command, such as: pas2p clocks --measure -- mpirun -np 2$' 'is said'
run_fails 2 'a file' "$PAS2P" clocks --measure sample-traces/coll.6.clog2 -- mpirun
like "$(cat "$ERR")" 'takes no file' 'is none of it'
run_fails 2 'a command without --measure' "$PAS2P" clocks sample-traces/coll.6.clog2 -- mpirun
like "$(cat "$ERR")" 'a launch command needs --measure' 'is said'
run_fails 2 'its options without it' "$PAS2P" clocks --seconds 3 sample-traces/coll.6.clog2
like "$(cat "$ERR")" '^pas2p: --seconds needs --measure$' 'are refused'
run_fails 2 'options of traces' "$PAS2P" clocks --measure --latency 0 -- mpirun -n 2
like "$(cat "$ERR")" '^pas2p: --latency cannot be combined with --measure$' 'are refused with it'
for option in '--by process' '--by pair' '--reference 0' '--resolution 0' '--windows auto' '--bins 50' --correct '--method auto' '--amortise 1%' \
	'--threads 0'; do
	# shellcheck disable=SC2086 # a word for each
	run_fails 2 "$option" "$PAS2P" clocks --measure $option -- mpirun -n 2
	like "$(cat "$ERR")" "^pas2p: ${option%% *} cannot be combined with --measure\$" 'is refused, be it what holds anyway'
done
run_fails 2 'a launcher that is not there' "$PAS2P" clocks --measure -- no-such-launcher -n 2
like "$(cat "$ERR")" '^pas2p: .*no-such-launcher.*(No such file|there is no program)|cannot find the program no-such-launcher' 'is said'
run_fails 2 'no such clock' "$PAS2P" clocks --measure --clock sundial -- mpirun -n 2
like "$(cat "$ERR")" 'expected monotonic, raw, realtime, tsc or mpi' 'names those that there are'
run_fails 6 'no place for the output' "$PAS2P" clocks --measure -o "$TMP/none/there" -- "$first_launcher" -n 2

# No probe: the library alone.
mkdir "$TMP/library"
cp "$(dirname "$PAS2P")/preload/libpas2p-$first_mpi.so" "$TMP/library"
run_fails 3 'no probe' env PAS2P_LIBDIR="$TMP/library" "$PAS2P" clocks --measure -- "$first_launcher" -n 2
like "$(cat "$ERR")" "^pas2p: cannot find the program pas2p-probe-$first_mpi, which measures clocks, next to " 'is said'
# One that prints something else.
printf '#!/bin/sh\necho hello; echo trouble >&2\n' >"$TMP/library/pas2p-probe-$first_mpi"
chmod +x "$TMP/library/pas2p-probe-$first_mpi"
run_fails 8 'no answer' env PAS2P_LIBDIR="$TMP/library" "$PAS2P" clocks --measure -- "$first_launcher" -n 2
like "$(cat "$ERR")" '^pas2p: no process sent a measurement' 'is said'
like "$(cat "$ERR")" '^pas2p: the job: hello$' 'with what there was instead'

# Each measurement has an output of its own.
printf '#!/bin/sh\necho "it goes to $(readlink /proc/$$/fd/1)"\nexit 1\n' >"$TMP/launcher"
chmod +x "$TMP/launcher"
run_fails 8 'a launcher that looks where its output goes' "$PAS2P" clocks --measure --mpi "$first_mpi" -- "$TMP/launcher"
like "$(cat "$ERR")" "^pas2p: the job: it goes to $(realpath "$TMPDIR")/pas2p-job\.[A-Za-z0-9]+/output\$" 'into a folder of this measurement alone'

# Ctrl-C and kill: the job goes too.
"$PAS2P" clocks --measure --seconds 60 -- "$first_launcher" -n 2 </dev/null >"$OUT" 2>"$ERR" &
measuring=$!
tries=0
while [ -z "$(find "$TMPDIR" -name output -size +0 2>/dev/null)" ] && [ "$tries" -lt 30 ] && kill -0 "$measuring" 2>/dev/null; do
	tries=$((tries + 1))
	sleep 0.1
done
kill -TERM "$measuring"
wait "$measuring"
is "$?" 143 'ended by a signal'
like "$(cat "$ERR")" '^pas2p: interrupted; the job was ended and left nothing$' 'and that is said'
is "$(ls -A "$TMPDIR")" '' 'no file is left of any of this'

done_testing
