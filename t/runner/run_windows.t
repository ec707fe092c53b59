#!/bin/sh
# Windows from a program's trace to its prediction, with every MPI that is here: the program's steps last what they last, and no one
# of them or place of the run says what they last on average; the predicted interval must hold what the program then takes,
# measured by replay and, where that works, from checkpoints. A program that makes other calls than the traced one is not measured in
# silence: a window that never comes, calls beyond the table's, workers whose turns come otherwise.
. t/lib/lib.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
RESULT=$TMP/result.yaml
root=$PWD
# The work directory is kept with every checkpoint: a small one.
mkdir "$TMP/work" "$TMP/bin" "$TMP/control"

table() { # TRACE SETTING ...
	table_trace=$1
	shift
	"$PAS2P" phases -q --format yaml "$@" "$table_trace" >"$TMP/table.yaml" || bail_out "no table of $table_trace: $*"
}

nothing_left() {
	is "$(left_behind)" 0 "$1: no process is left"
	is "$(ls "$TMP/control" | wc -l)" 0 "$1: no control directory is left"
}

# The plain run that decides comes after the measured one, and what else the machine does may change between them by more than the
# program's own times differ; besides, one interval in twenty is wrong. Three in a row are not.
foretold() { # NAME COMMAND ...: a run whose interval holds, of three
	foretold_name=$1
	shift
	for foretold_try in 1 2; do
		"$@" >"$OUT" 2>"$ERR" </dev/null && grep -q '^  held: true' "$RESULT" && break
		diag "$foretold_name: try $foretold_try: $(tail -n 2 "$OUT")"
	done
	grep -q '^  held: true' "$RESULT" && pass "$foretold_name" || run_ok "$foretold_name" "$@"
}

# The steps' durations are known, and so is that the windows' choice gets them right within a fraction of the interval.
whole() { # NAME: of the result
	like "$(cat "$OUT")" '^Predicted run time: .* \(95 %: .* to .*\), from 8 windows' \
		"$1: the prediction is a sentence"
	like "$(cat "$OUT")" '^The run time, .*, is inside the interval' "$1: and it came true"
	is "$(sed -n 's/^  held: //p' "$RESULT")" true "$1: as the result says"
	is "$(sed -n 's/^pas2p_result: //p' "$RESULT")" 2 "$1: which is of schema 2"
	is "$(sed -n '/^windows:/,/^phases:/s/^  first: //p' "$RESULT" | xargs)" \
		"$(sed -n '/^windows:/,$s/^.*[ {]first: \([0-9]*\).*/\1/p' "$TMP/table.yaml" | xargs)" "$1: and has the table's windows"
}

for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	for program in run_known run_workers run_startall; do
		"mpicc.$mpi" -O1 -o "$TMP/bin/$program" "t/preload/mpi/$program.c" -lm || bail_out "mpicc.$mpi does not work"
	done
	cd "$TMP/work" || bail_out 'no work directory'

	run_ok "$mpi: trace" "$PAS2P" trace -q -o "$TMP/run_known.clog2" -- "$launcher" -n 2 "$TMP/bin/run_known" 120 15000
	table "$TMP/run_known.clog2" --windows 8 --window-seconds 0.1
	foretold "$mpi: replay" "$PAS2P" run --control "$TMP/control" -q "$TMP/table.yaml" --full -o "$RESULT" -- \
		"$launcher" -n 2 "$TMP/bin/run_known" 120 15000
	whole "$mpi: replay"
	run_ok "$mpi: the result can be read" "$PAS2P" compare "$RESULT" "$RESULT"
	like "$(cat "$OUT")" 'scaled prediction .* ± .*; run time in the interval' "$mpi: and compared"

	# What is spread over the first third of the run ends there.
	table "$TMP/run_known.clog2" --windows 4 --window-seconds 0.05 --window-span 0.3
	run_ok "$mpi: a part of the run" "$PAS2P" run --control "$TMP/control" --show-output --runs 2 "$TMP/table.yaml" -o "$RESULT" -- \
		"$launcher" -n 2 "$TMP/bin/run_known" 120 15000 30
	unlike "$(cat "$ERR" "$OUT")" 'came to its end' "$mpi: ends the program early"
	like "$(cat "$ERR")" 'run 2 of 2: window [0-9]+ of [0-9]+ took .* s \(.* s in the trace\)' "$mpi: each window is told of"
	like "$(cat "$OUT")" 'from 4 windows and 2 runs' "$mpi: both runs count"
	like "$(cat "$OUT")" 'The interval covers only the first 30.00 % of the run' "$mpi: and what is not known is said"
	is "$(sed -n '/^windows:/,/^phases:/s/^  runs: \[.*, .*\]/two/p' "$RESULT" | sort -u)" two "$mpi: and each has its time"
	nothing_left "$mpi"

	# Fewer steps, then more, than the trace has.
	table "$TMP/run_known.clog2" --windows 8 --window-seconds 0.1
	run_fails 2 "$mpi: another input" "$PAS2P" run --control "$TMP/control" -q "$TMP/table.yaml" -o "$RESULT" -- \
		"$launcher" -n 2 "$TMP/bin/run_known" 60 15000
	like "$(cat "$ERR")" 'rank [01] ended after 75 sends and collectives, but window [0-9]+ \(occurrences [0-9]+ to [0-9]+\) of the table (begins|ends) after its number [0-9]+: the table is from another program' \
		"$mpi: names rank, number and window"
	table "$TMP/run_known.clog2" --windows 3 --window-seconds 1000 --window-align none
	run_ok "$mpi: all of the run" "$PAS2P" run --control "$TMP/control" -q "$TMP/table.yaml" -o "$RESULT" -- \
		"$launcher" -n 2 "$TMP/bin/run_known" 120 15000
	is "$(sed -n 's/^notes: //p' "$RESULT")" '[]' "$mpi: has nothing to note"
	run_ok "$mpi: pauses by a rerun" "$PAS2P" run --control "$TMP/control" "$TMP/table.yaml" --pause 1 -o "$RESULT" -- \
		"$launcher" -n 2 "$TMP/bin/run_known" 120 15000
	like "$(cat "$ERR")" '^pas2p: note: --pause has no effect: .*table.yaml is measured by a rerun$' "$mpi: are none, which is said"
	run_ok "$mpi: more than all of it" "$PAS2P" run --control "$TMP/control" -q "$TMP/table.yaml" --full -o "$RESULT" -- \
		"$launcher" -n 2 "$TMP/bin/run_known" 124 15000
	like "$(cat "$OUT")" '^note: rank [01] makes more sends and collectives than the 150 of the table' "$mpi: says so"
	like "$(cat "$OUT")" '^note: the program made 310 sends and collectives, but the trace has 300' "$mpi: and how many"
	nothing_left "$mpi: other inputs"

	# Workers whose turns come otherwise than in the trace.
	ORDER=12 run_ok "$mpi: trace workers" "$PAS2P" trace -q -o "$TMP/run_workers.clog2" -- "$launcher" -n 3 "$TMP/bin/run_workers" 60
	table "$TMP/run_workers.clog2" --windows 4 --window-seconds 0.005
	ORDER=12 run_ok "$mpi: workers in the same order" "$PAS2P" run --control "$TMP/control" -q "$TMP/table.yaml" --full -o "$RESULT" -- \
		"$launcher" -n 3 "$TMP/bin/run_workers" 60
	is "$(sed -n 's/^notes: //p' "$RESULT")" '[]' "$mpi: workers in the same order: there is nothing to note"
	ORDER=1112 run_fails 2 "$mpi: workers in another" "$PAS2P" run --control "$TMP/control" -q "$TMP/table.yaml" -o "$RESULT" -- \
		"$launcher" -n 3 "$TMP/bin/run_workers" 60
	like "$(cat "$ERR")" 'rank 2 ended after 16 sends and collectives, but window .* or the calls depend on message timing' \
		"$mpi: workers in another: says so"
	nothing_left "$mpi: workers"

	# Of two sends that start at once, the first is over before the clock goes on. If the machine does something else in between, it is not,
	# and then there is nothing to note: not three times in a row, but a sanitizer alone takes nearly that long.
	run_ok "$mpi: trace starts" "$PAS2P" trace -q -o "$TMP/run_startall.clog2" -- "$launcher" -n 2 "$TMP/bin/run_startall" 100
	table "$TMP/run_startall.clog2" --windows 4 --window-seconds 0.01 --relevance 0
	for start_try in 1 2 3; do
		run_ok "$mpi: starts, try $start_try" "$PAS2P" run --control "$TMP/control" -q "$TMP/table.yaml" -o "$RESULT" -- \
			"$launcher" -n 2 "$TMP/bin/run_startall" 100
		starts=$(sed -n '/^phases:/,$s/^  time: //p' "$RESULT" | awk 'NR == 1 { print $1 < 5e-7 ? "less" : "more" }')
		[ "$starts" != less ] || break
	done
	sanitized || is "$starts" less "$mpi: a phase takes no time"
	is "$(grep -q 'note: phase 1: the [0-9]* measured occurrences took less than 0.5 us' "$OUT" && echo less || echo more)" "$starts" \
		"$mpi: which is noted, and else not"
	cd "$root" || bail_out 'the root has gone'
done

"$PAS2P" sign "$TMP/table.yaml" --mechanism criu --mpi "${built##* }" -o "$TMP/probe.sig" -- true run_workers >"$OUT" 2>"$ERR" </dev/null
if grep -q 'criu does not work here' "$ERR"; then
	diag "$(sed -n 's/^pas2p: //p' "$ERR" | head -n 1)"
	done_testing
	exit
fi
for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	for program in run_known run_workers; do
		"mpicc.$mpi" -O1 -o "$TMP/bin/$program" "t/preload/mpi/$program.c" -lm || bail_out "mpicc.$mpi does not work"
	done
	cd "$TMP/work" || bail_out 'no work directory'
	table "$TMP/run_known.clog2" --windows 8 --window-seconds 0.1 --warmup-seconds 0.02
	run_ok "$mpi: sign" "$PAS2P" sign "$TMP/table.yaml" --mechanism criu -o "$TMP/$mpi.sig" -- "$launcher" -n 2 "$TMP/bin/run_known" 120 15000
	like "$(cat "$OUT")" '[0-9]+ windows, [0-9]+ checkpoints, ' "$mpi: a checkpoint for each window"
	is "$(sed -n 's/^calls: //p' "$TMP/$mpi.sig/signature.yaml")" '[150, 150]' "$mpi: it knows what each rank did in all"
	foretold "$mpi: restored" "$PAS2P" run -q "$TMP/$mpi.sig" --runs 1 --full -o "$RESULT"
	whole "$mpi: restored"
	is "$(sed -n 's/^runs: //p' "$RESULT")" 1 "$mpi: windows are measured once"
	run_ok "$mpi: apart" "$PAS2P" run -q "$TMP/$mpi.sig" --pause 0.4 -o "$RESULT"
	is "$(awk '/^  pause: / { pause = $2 } /^  elapsed: / { took = $2 } /^- extra: / { n++ } END { print pause, (took > 0.4 * (n - 1)) }' "$RESULT")" \
		'0.4 1' "$mpi: between windows there are pauses, and the result tells"
	like "$(cat "$OUT")" 'total duration, with pauses of 0.4 s' "$mpi: and the text"
	unlike "$(sed -n '/^windows:/,/^phases:/s/^  seconds: //p' "$RESULT")" '^0$' "$mpi: restored: every window was measured"

	# A checkpoint that another version took.
	printf '\2' | dd of="$TMP/$mpi.sig/cut-0/files/pas2p/control/control" bs=1 seek=8 conv=notrunc 2>/dev/null
	run_fails 2 "$mpi: a checkpoint of another version" "$PAS2P" run -q "$TMP/$mpi.sig" -o "$RESULT"
	like "$(cat "$ERR")" 'from another version of pas2p: its control file has version 2, expected 3' \
		"$mpi: says which versions"
	like "$(cat "$ERR")" '^hint: make the signature again' "$mpi: says what to do"

	table "$TMP/run_workers.clog2" --windows 4 --window-seconds 0.005
	ORDER=12 run_ok "$mpi: sign workers" "$PAS2P" sign "$TMP/table.yaml" --mechanism criu -o "$TMP/$mpi-workers.sig" -- \
		"$launcher" -n 3 "$TMP/bin/run_workers" 60
	ORDER=1112 run_ok "$mpi: workers in another order" "$PAS2P" run -q "$TMP/$mpi-workers.sig" --runs 1 --full -o "$RESULT"
	like "$(cat "$OUT")" 'note: rank 1 made 46 sends and collectives, but 31 when the signature was made: its calls depend on message timing' \
		"$mpi: is noted"
	nothing_left "$mpi: restored"
	cd "$root" || bail_out 'the root has gone'
done

done_testing
