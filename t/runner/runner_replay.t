#!/bin/sh
# Measuring by replay, with every MPI that is here: a program of known calls is run from its start, its phases are timed, and it
# is ended after the last one; times add up, and the result says what was run. What must not be measured (another process
# count, program, input; a job that fails, hangs, is interrupted) ends with a sentence and its exit code. After every run,
# however it ended, the number of processes left behind is zero: others use that machine too.
. t/lib/lib.sh
. t/lib/run_table.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'

steps_table 2 400 20 >"$TMP/steps.yaml"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
RESULT=$TMP/result.yaml
# Others may measure on this machine too: control directories of our own are in a place of their own.
CONTROL=$TMP/control
mkdir "$CONTROL"

both_run() { [ "$(left_behind)" -ge 2 ]; }
gone() { [ "$(left_behind)$(ls "$CONTROL")" = 0 ]; }
nothing_left() {
	is "$(left_behind)" 0 "$1: no process is left"
	is "$(ls "$CONTROL" | wc -l)" 0 "$1: no control directory is left"
}

value() { # KEY: of the result's prediction
	sed -n "/^prediction:/,\$s/^  $1: //p" "$RESULT"
}

for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	"mpicc.$mpi" -O1 -o "$TMP/run_steps" t/preload/mpi/run_steps.c || bail_out "mpicc.$mpi does not work"

	run_ok "$mpi: run" "$PAS2P" run --control "$CONTROL" "$TMP/steps.yaml" --runs 2 --full -o "$RESULT" -- \
		"$launcher" -n 2 "$TMP/run_steps" 400 50
	like "$(cat "$OUT")" 'measured by rerun, 2 runs' "$mpi: the mechanism is stated"
	like "$(cat "$OUT")" '^  prediction error ' "$mpi: --full gives the error of the prediction"
	like "$(cat "$ERR")" 'run 2 of 2: phase 2 took' "$mpi: progress is told"
	is "$(sed -n 's/^mechanism: //p' "$RESULT")" '{name: replay, version: ""}' "$mpi: and in the result"
	is "$(grep -c '^- id:' "$RESULT")" 2 "$mpi: with the two relevant phases"
	is "$(sed -n 's/^  sends: //p' "$RESULT" | tr '\n' ' ')" '[3, 3] [2, 2] ' "$mpi: and their calls"
	# The phases of the table tile four steps, 400 steps were run, each of 50 us at least.
	ok "$mpi: the predicted time is at least that of the steps" awk "BEGIN { exit !($(value pet) >= 0.02) }"
	ok "$mpi: the measured one too" awk "BEGIN { exit !($(value aet) >= 0.02) }"
	nothing_left "$mpi"

	# Samples: phase 1 three times a run, phase 2 once.
	awk '{ print } /^  exit:/ && !done++ {
		print "  samples:"
		print "  - {occurrence: 21, entry: [100, 100], exit: [103, 103]}"
		print "  - {occurrence: 23, entry: [110, 110], exit: [113, 113]}"
	}' "$TMP/steps.yaml" >"$TMP/samples.yaml"
	run_ok "$mpi: samples" "$PAS2P" run --control "$CONTROL" -q "$TMP/samples.yaml" --runs 2 -o "$RESULT" -- \
		"$launcher" -n 2 "$TMP/run_steps" 400 2000
	like "$(cat "$OUT")" 'measured .* measured time of one run: 4 occurrences of 2 phases' "$mpi: are counted"
	is "$(sed -n 's/^  samples: //p' "$RESULT" | tr '\n' ' ')" '3 1 ' "$mpi: phase by phase"
	# Three steps of 2 ms each: the phase's time is the mean of its samples, and what was measured their sum.
	# shellcheck disable=SC2046 # a word for each phase
	set -- $(sed -n 's/^  time: //p' "$RESULT")
	ok "$mpi: and give the time of one" awk "BEGIN { exit !($1 >= 0.006) }"
	ok "$mpi: what was measured is all of them" awk "BEGIN { d = $(value measured) - 3 * $1 - $2; exit !(d < 1e-9 && -d < 1e-9) }"
	nothing_left "$mpi"
	if [ "$mpi" = openmpi ]; then
		# mpirun sees the machine's processors, not that the ranks share one of them.
		for cpus in 0 0,1; do
			run_ok "$mpi: run on $cpus" "$PAS2P" run --control "$CONTROL" --show-output --cpus "$cpus" "$TMP/steps.yaml" -o "$RESULT" -- \
				"$launcher" -n 2 sh -c "echo yields: \$OMPI_MCA_mpi_yield_when_idle.; exec $TMP/run_steps 400 50"
			cat "$OUT" "$ERR" | grep -o 'yields: .*' | sort -u >>"$TMP/yields"
		done
		like "$(cat "$TMP/yields")" '^yields: 1\.$' "$mpi: ranks that share a processor give it up"
		like "$(cat "$TMP/yields")" '^yields: \.$' "$mpi: others do not"
		run_ok "$mpi: run with -x" "$PAS2P" run --control "$CONTROL" "$TMP/steps.yaml" -o "$RESULT" -- \
			"$launcher" -x PATH -n 2 "$TMP/run_steps" 400 50
	fi

	# Without collectives the same program makes 400 counted calls, with them 500; phase 2 of the last occurrence ends
	# behind call 400, so it is measured at all only if they are left out as the table says.
	COLLECTIVES=ignore steps_table 2 400 80 >"$TMP/sends.yaml"
	run_ok "$mpi: a table without collectives" "$PAS2P" run --control "$CONTROL" -q -o "$RESULT" "$TMP/sends.yaml" -- \
		"$launcher" -n 2 "$TMP/run_steps" 400 50
	run_fails 2 "$mpi: where they are not there" "$PAS2P" run --control "$CONTROL" -q -o "$RESULT" "$TMP/sends.yaml" -- \
		"$launcher" -n 2 "$TMP/run_steps" 399 50
	like "$(cat "$ERR")" 'ended after 399 sends' "$mpi: only sends were counted"

	run_fails 2 "$mpi: more processes than the table has" "$PAS2P" run --control "$CONTROL" -o "$RESULT" "$TMP/steps.yaml" -- \
		"$launcher" -n 3 "$TMP/run_steps" 400 50
	like "$(cat "$ERR")" 'the table is for 2 processes, but the command starts 3' "$mpi: says both numbers"
	run_fails 2 "$mpi: fewer" "$PAS2P" run --control "$CONTROL" -o "$RESULT" "$TMP/steps.yaml" -- "$launcher" -n 1 "$TMP/run_steps" 400 50
	run_fails 2 "$mpi: another input" "$PAS2P" run --control "$CONTROL" -o "$RESULT" "$TMP/steps.yaml" -- \
		"$launcher" -n 2 "$TMP/run_steps" 40 50
	like "$(cat "$ERR")" "ended after 50 sends and collectives, but the table's phases need 100" "$mpi: says why"
	run_fails 8 "$mpi: no MPI program" "$PAS2P" run --control "$CONTROL" -o "$RESULT" "$TMP/steps.yaml" -a run_steps.test -- \
		"$launcher" -n 2 true
	like "$(cat "$ERR")" 'before any rank returned from MPI_Init' "$mpi: says so"
	run_fails 8 "$mpi: a job that hangs" "$PAS2P" run --control "$CONTROL" -o "$RESULT" "$TMP/steps.yaml" --timeout 1 -a run_steps.test -- \
		"$launcher" -n 2 sleep 60
	like "$(cat "$ERR")" 'no rank made progress for 1 s: rank 0 has not returned from MPI_Init' "$mpi: names the ranks"
	run_fails 8 "$mpi: a job that fails" "$PAS2P" run --control "$CONTROL" -o "$RESULT" "$TMP/steps.yaml" -a run_steps.test -- \
		"$launcher" -n 2 sh -c 'echo last words; exit 3'
	like "$(cat "$ERR")" 'exit status' "$mpi: says how it ended"
	if [ "$mpi" = openmpi ]; then
		run_fails 8 "$mpi: a launcher that refuses" env -u OMPI_MCA_rmaps_base_oversubscribe "$PAS2P" run --control "$CONTROL" -o "$RESULT" \
			"$TMP/steps.yaml" -- "$launcher" -n 4096 "$TMP/run_steps" 400 50
		like "$(cat "$ERR")" '^pas2p: the job did not start: not enough slots .* --oversubscribe' "$mpi: the option that helps is named"
	fi
	nothing_left "$mpi, after failures"

	# Interrupted while the program sleeps long before the phases' end would come.
	steps_table 2 40000 9000 >"$TMP/long.yaml"
	for signal in INT TERM KILL; do
		# A shell's background commands ignore Ctrl-C unless something undoes that.
		perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV or die' "$PAS2P" run --control "$CONTROL" -q -o "$RESULT" "$TMP/long.yaml" -- \
			"$launcher" -n 2 "$TMP/run_steps" 40000 1000 >"$OUT" 2>"$ERR" </dev/null &
		runner=$!
		wait_until both_run
		kill -s "$signal" "$runner"
		wait "$runner" 2>/dev/null
		is $? "$(case $signal in INT) echo 130 ;; TERM) echo 143 ;; KILL) echo 137 ;; esac)" "$mpi: $signal ends it as it should"
		[ "$signal" != KILL ] || wait_until gone
		nothing_left "$mpi, after $signal"
	done
done

# What needs no run.
run_fails 2 'a table of another application' "$PAS2P" run --control "$CONTROL" "$TMP/steps.yaml" -- "$launcher" -n 2 "$TMP/other"
like "$(cat "$ERR")" '^hint: if it is that program, give --application run_steps.test$' \
	'is refused, and how to insist is said'
run_fails 2 'a table of another trace' "$PAS2P" run --control "$CONTROL" "$TMP/steps.yaml" --trace-file sample-traces/cg.S.4.clog2 -- \
	"$launcher" -n 2 "$TMP/run_steps"
like "$(cat "$ERR")" 'the table was made from another trace than sample-traces/cg.S.4.clog2' 'is refused too'
run_fails 2 'no launch command' "$PAS2P" run --control "$CONTROL" "$TMP/steps.yaml"
run_fails 3 'no table' "$PAS2P" run --control "$CONTROL" "$TMP/nothing.yaml" -- "$launcher" -n 2 "$TMP/run_steps"
run_fails 2 'a launcher that is none' "$PAS2P" run --control "$CONTROL" "$TMP/steps.yaml" -- ls "$TMP/run_steps"
like "$(cat "$ERR")" '--mpi openmpi' 'says how to name the MPI'

# What a killed sign left half-made goes away with the next one of that name; what lives, or is named otherwise, stays.
mkdir "$TMP/plain.sig.partial-DeadAB" "$TMP/plain.sig.partial-AliveC" "$TMP/plain.sig.partial-other-name"
touch "$TMP/plain.sig.partial-DeadAB/table.yaml"
exec 9<"$TMP/plain.sig.partial-AliveC"
flock 9
# A signature without checkpoints has table and command, and is measured by replay.
run_ok 'sign by replay' "$PAS2P" sign "$TMP/steps.yaml" --mechanism replay -o "$TMP/plain.sig" -- \
	"$launcher" -n 2 "$TMP/run_steps" 400 50
like "$(cat "$ERR")" 'removed 1 unfinished signature of .*plain\.sig from a killed run' 'what a killed one left is told of'
is "$(cd "$TMP" && echo *.partial-*)" 'plain.sig.partial-AliveC plain.sig.partial-other-name' 'and it alone is gone'
exec 9<&-
rm -r "$TMP"/plain.sig.partial-*
run_ok 'run it' "$PAS2P" run --control "$CONTROL" "$TMP/plain.sig" -o "$RESULT"
like "$(cat "$OUT")" 'measured by rerun' 'it is replayed'
run_fails 3 'the name is taken' "$PAS2P" sign "$TMP/steps.yaml" --mechanism replay -o "$TMP/plain.sig" -- \
	"$launcher" -n 2 "$TMP/run_steps" 400 50
is "$(ls -d "$TMP"/*.partial-* 2>/dev/null | wc -l)" 0 'no half-made signature is left'
run_fails 3 'a damaged table makes none' "$PAS2P" sign t/lib/lib.sh --mechanism replay -o "$TMP/x.sig" -- \
	"$launcher" -n 2 "$TMP/run_steps" 400 50
ok 'not even half of one' test ! -e "$TMP/x.sig"

run_ok 'compare' "$PAS2P" compare "$RESULT" "$RESULT"
like "$(cat "$OUT")" '2 of 2 phases are in all results' 'sums up'
run_ok 'compare as csv' "$PAS2P" compare -f csv "$RESULT" "$RESULT"
is "$(wc -l <"$OUT")" 5 'csv: a head and a row per phase and result'
run_ok 'compare as yaml into a file' "$PAS2P" compare -f yaml -o "$TMP/both.yaml" "$RESULT" "$RESULT"
like "$(cat "$TMP/both.yaml")" '^compares: repetitions' 'yaml says what it compares'
run_fails 2 'compare with what is no result' "$PAS2P" compare "$RESULT" "$TMP/steps.yaml"
run_fails 6 'a result that cannot be written' "$PAS2P" run --control "$CONTROL" -q -o /dev/full "$TMP/steps.yaml" -- \
	"$launcher" -n 2 "$TMP/run_steps" 400 50

done_testing
