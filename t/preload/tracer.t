#!/bin/sh
# Tracing real MPI programs, with every MPI that is here. Each program of t/preload/mpi says what it did (sizes tell who sent
# what to whom, and as which of how many), and the trace, read back, must say the same: event by event, in order, on
# the right communicator, related to the right partner, whatever the order of completion; through Fortran's three
# interfaces too. What ends before MPI_Finalize leaves local files that can be read; a clock that is wrong is put right.
. t/lib/lib.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
# Under a sanitizer this test uses one MPI and clocks.t the other: the tracer's source is the same.
! sanitized || { set -- $built && built=$1; }

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export SAID="$TMP/said"
TRACE=$TMP/traced.clog2
LINES=$TMP/lines
EVENTS=$TMP/events

trace_options=
trace() { # RANKS PROGRAM ARGS...: exit status in $status
	trace_ranks=$1
	shift
	rm -rf "$SAID" "$TMP"/traced.*
	mkdir "$SAID"
	# shellcheck disable=SC2086 # a word for each option
	"$PAS2P" trace -q $trace_options -o "$TRACE" -- "$launcher" -n "$trace_ranks" "$@" </dev/null >"$OUT" 2>"$ERR"
	status=$?
	cat "$SAID"/* >"$LINES" 2>/dev/null
	"$PAS2P" events -q --format csv "$TRACE" >"$EVENTS" 2>/dev/null
}

# Only the warnings of the given kinds, if any at all.
clean_but() { # KINDS FILE...
	clean_kinds=$1
	shift
	"$PAS2P" check --format csv -q "$@" 2>/dev/null | awk -F, -v allowed=" $clean_kinds " '
		NR > 1 && $1 != "remark" && !index(allowed, " " $2 " ") { print; bad = 1 }
		END { exit bad + (NR == 0) }' >"$TMP/odd" || { diag "$(head -n 5 "$TMP/odd")"; return 1; }
}

same() { # NAME [AWK OPTION...]
	same_name=$1
	shift
	if awk -f t/preload/mpi/compare.awk "$@" "$LINES" "$EVENTS" >"$TMP/differences" && [ -s "$LINES" ]; then
		pass "$same_name: the trace holds what the program did"
	else
		fail "$same_name: the trace holds what the program did"
		diag "status $status: $(head -n 5 "$TMP/differences") $(head -n 5 "$ERR")"
	fi
}

# Events without what depends on time.
order() { # EVENTS
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) out[i] = $i == "time" || $i == "compute" }
		{ for (i = 1; i <= NF; i++) printf "%s,", out[i] ? "" : $i; print "" }' "$1"
}

# What the trace's own records say (records.pl), process by process.
said_by_trace() { # WHAT TRACE
	perl t/preload/records.pl "$1" "$2" | sort -s -t, -n -k1,1
}

# What the Fortran programs do, as their text says.
fortran_lines() { # RANKS
	awk -v n="$1" 'BEGIN {
		for (r = 0; r < n; r++) {
			next_rank = (r + 1) % n; prev = (r + n - 1) % n; k = 0
			for (i = 1; i <= 3; i++) {
				printf "%d,%d,send,+%d,%d,%d,world,5\n", r, ++k, next_rank + 1, next_rank, 4 * (10 * r + i)
				printf "%d,%d,receive,-%d,%d,%d,world,5\n", r, ++k, prev + 1, prev, 4 * (10 * prev + i)
				printf "%d,%d,send,+%d,%d,%d,world,6\n", r, ++k, next_rank + 1, next_rank, 8 * (100 + r)
				printf "%d,%d,receive,-%d,%d,%d,world,6\n", r, ++k, prev + 1, prev, 8 * (100 + prev)
				printf "%d,%d,collective,CAllreduce,,4,world,\n", r, ++k
				printf "%d,%d,collective,CAllreduce,,4,world,\n", r, ++k
				if (i != 3) printf "%d,%d,collective,CBcast,,%d,world,\n", r, ++k, r == 0 ? 100 : 0
			}
		}
	}'
}

for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")

	for program in ring halo workers wavefront cg deadlock persist colls comms order; do
		"mpicc.$mpi" -w -O1 -o "$TMP/$program" "t/preload/mpi/$program.c" || bail_out "mpicc.$mpi does not work"
		trace 4 "$TMP/$program"
		same "$mpi: $program"
		case $program in
		order) odd='repaired-channel broken-relation' ;; # completed out of order: paired by size
		*) odd= ;;
		esac
		ok "$mpi: $program: nothing is odd in the trace" clean_but "$odd" "$TRACE"
	done
	"mpicc.$mpi" -w -O1 -o "$TMP/planned" t/preload/mpi/planned.c || bail_out "mpicc.$mpi does not work"
	trace 4 "$TMP/planned"
	if grep -q "exit status 77" "$ERR"; then
		skip 4 "$mpi is older than MPI 4 here"
	else
		same "$mpi: planned"
		ok "$mpi: planned: nothing is odd in the trace" clean_but unknown-size "$TRACE"
		said_by_trace requests "$TRACE" >"$TMP/found"
		ok "$mpi: planned: what is begun ends, once" awk -F, '{ n[$1 "," $3] += $2 == "post" ? 1 : 1000 }
			END { for (k in n) if (n[k] != 1001) { print k, n[k]; bad = 1 } exit bad + (NR < 100) }' "$TMP/found"
		said_by_trace roots "$TRACE" | sort -u >"$TMP/found"
		for r in 0 1 2 3; do
			for op in Ibcast Igather Igatherv Ireduce Iscatter Iscatterv; do echo "$r,root,$op,3"; done
		done >"$TMP/roots"
		ok "$mpi: planned: roots of what MPI_Start begins" cmp "$TMP/found" "$TMP/roots"
	fi
	# What a trace says beside its events: roots, and which receive and which collective it is that completes.
	"mpicc.$mpi" -w -O1 -o "$TMP/posts" t/preload/mpi/posts.c || bail_out "mpicc.$mpi does not work"
	for how in 2 empty; do
		trace 4 "$TMP/posts" "$how"
		grep ,root, "$LINES" >"$TMP/roots"
		grep -v ,root, "$LINES" >"$TMP/numbers"
		[ "$how" = 2 ] || { sort "$TMP/numbers" >"$TMP/sorted" && mv "$TMP/sorted" "$TMP/numbers"; }
		said_by_trace roots "$TRACE" | cmp - "$TMP/roots" && ok "$mpi: posts $how: roots" test -s "$TMP/roots" ||
			fail "$mpi: posts $how: roots"
		said_by_trace requests "$TRACE" | if [ "$how" = 2 ]; then cat; else sort; fi >"$TMP/found"
		ok "$mpi: posts $how: each number where it is begun and where it ends" cmp "$TMP/found" "$TMP/numbers"
		ok "$mpi: posts $how: and there are some" grep -q ,done, "$TMP/numbers"
	done
	# The completion of nonblocking collectives: that is where the others wait for rank 0, 0.3 s in five calls.
	"mpicc.$mpi" -w -O1 -o "$TMP/begun" t/preload/mpi/begun.c || bail_out "mpicc.$mpi does not work"
	trace 3 "$TMP/begun"
	"$PAS2P" metrics -q --format csv "$TRACE" >"$TMP/begun.csv"
	ok "$mpi: what a nonblocking collective waits for where it is completed" awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 { good = $at["collective_wait"] > 1.2 && $at["collective_wait"] < 0.8 * 3 * $at["runtime"] }
		END { exit !good }' "$TMP/begun.csv"
	ok "$mpi: and how far it overlaps is known" awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 { good = $at["overlap"] != "" }
		END { exit !good }' "$TMP/begun.csv"
	# Functions and regions as states: named, in order, as long as they took, and nothing else is different.
	"mpicc.$mpi" -w -O1 -finstrument-functions -o "$TMP/functions" t/preload/mpi/functions.c ||
		bail_out "mpicc.$mpi does not work"
	trace 3 "$TMP/functions"
	same "$mpi: functions that nobody asked for"
	is "$(said_by_trace states "$TRACE")" '' "$mpi: functions that nobody asked for are no states"
	order "$EVENTS" >"$TMP/order"
	trace_options='--functions --shortest 1e-3 --regions'
	trace 3 "$TMP/functions"
	same "$mpi: functions"
	ok "$mpi: functions: nothing is odd in the trace" clean_but '' "$TRACE"
	order "$EVENTS" | cmp - "$TMP/order" && [ -s "$TMP/order" ]
	is $? 0 "$mpi: functions: events, logical times and ticks are those without"
	# One of tiny's 30 000 calls, and what ends the program, may lose the processor, and so take long enough to be logged.
	said_by_trace states "$TRACE" | sed -n 's/^0,//p' >"$TMP/all"
	sed '/,tiny$/d; /,said_end$/d' "$TMP/all" >"$TMP/found"
	ok "$mpi: functions: the shortest are left out" [ "$(grep -c ',tiny$' "$TMP/all")" -lt 100 ]
	ok "$mpi: functions: those that are in the trace, in order" cmp "$TMP/found" "$OUT" ||
		diag "$(diff "$TMP/found" "$OUT" | head -n 5)"
	# Of three ranks, each twelve milliseconds and the three, six, nine within.
	ok "$mpi: functions: they take what they took" awk '$1 == "deeper" && $3 == 12 && $4 >= 0.0899 { found = 1 }
		END { exit !found }' <<-END
		$("$PAS2P" info -q "$TRACE")
		END
	unlike "$(cat "$ERR")" 'finstrument' "$mpi: functions: there is nothing to be said"
	ok "$mpi: functions: what was left out is counted" grep -aq PAS2P_dropped_functions "$TRACE"
	"$PAS2P" check -q "$TRACE" >"$OUT"
	ok "$mpi: functions: and told by check" grep -q 'shorter than --shortest without an MPI call: [1-9]' "$OUT"
	"mpicc.$mpi" -w -O1 -finstrument-functions -o "$TMP/ends" t/preload/mpi/ends.c || bail_out "mpicc.$mpi does not work"
	trace_options='--functions --shortest 1e-9'
	for how in many fork pcontrol; do
		trace 2 "$TMP/ends" "$how"
		same "$mpi: functions, $how"
		ok "$mpi: functions, $how: nothing is odd in the trace" clean_but '' "$TRACE"
	done
	trace 2 "$TMP/ends" exit
	like "$("$PAS2P" info -q "$TMP"/traced.*.rank*.clog2 2>/dev/null)" '^round_of +user +1[12][0-9]{3} ' \
		"$mpi: functions: of a run that broke off, too"
	"mpicc.$mpi" -w -O1 -o "$TMP/plain" t/preload/mpi/functions.c || bail_out "mpicc.$mpi does not work"
	trace 3 "$TMP/plain"
	is "$(grep -c 'the program does not report its functions: compile it with -finstrument-functions$' "$ERR")" 1 \
		"$mpi: functions of a program that is not compiled for it: it is said"
	trace_options=

	# Polls that find nothing: neither records nor computing, however many they are.
	"mpicc.$mpi" -w -O1 -o "$TMP/polls" t/preload/mpi/polls.c || bail_out "mpicc.$mpi does not work"
	trace 2 "$TMP/polls"
	same "$mpi: polls"
	# shellcheck disable=SC2046 # two words are wanted
	set -- $(sed -n 's/^polls \([0-9]*\) in \([0-9.]*\)$/\1 \2/p' "$OUT")
	ok "$mpi: $1 polls leave no record each" test "$(wc -c <"$TRACE")" -lt $(($1 * 8 + 60000))
	computed=$(awk -F, '/^rank,/ { for (i = 1; i <= NF; i++) c[$i] = i; next } $1 == 0 { sum += $(c["compute"]) }
		END { printf "%.6f", sum }' "$EVENTS")
	ok "$mpi: of $2 s of polling $computed s are computing" awk "BEGIN { exit !($computed < 0.5 * $2) }"
	for ranks in 2 3; do
		trace "$ranks" "$TMP/comms"
		same "$mpi: communicators of $ranks processes"
	done
	trace 1 "$TMP/colls"
	is "$(wc -l <"$EVENTS")" 1 "$mpi: collectives of one process are no events"

	"mpicc.$mpi" -w -O1 -pthread -o "$TMP/threads" t/preload/mpi/threads.c || bail_out "mpicc.$mpi does not work"
	trace 2 "$TMP/threads" 20
	if grep -q "exit status 77" "$ERR"; then
		skip 2 "$mpi has no MPI_THREAD_MULTIPLE here"
	else
		same "$mpi: threads" -v unordered=1
		# Two threads in one sequence of events can wait for each other crosswise.
		ok "$mpi: threads: nothing else is odd" clean_but 'broken-relation collective-mismatch' "$TRACE"
	fi

	if command -v "mpif90.$mpi" >/dev/null && command -v gfortran >/dev/null; then
		for program in fortran_h.f fortran_mpi.f90 fortran_f08.f90; do
			"mpif90.$mpi" -w -O1 -J"$TMP" -o "$TMP/fortran" "t/preload/mpi/$program" || bail_out "mpif90.$mpi does not work"
			trace 3 "$TMP/fortran"
			fortran_lines 3 >"$LINES"
			same "$mpi: $program"
			ok "$mpi: $program: nothing is odd in the trace" clean_but '' "$TRACE"
		done
	else
		skip 6 "no Fortran compiler for $mpi"
	fi

	"mpicc.$mpi" -w -O1 -o "$TMP/ends" t/preload/mpi/ends.c || bail_out "mpicc.$mpi does not work"
	trace 2 "$TMP/ends" pcontrol
	same "$mpi: records switched off and on"
	trace 2 "$TMP/ends" many
	same "$mpi: more than memory is to hold"
	like "$("$PAS2P" info -q "$TRACE")" '^CLOG_Buffer_write2disk' "$mpi: spills are logged"
	is "$(echo "$TMP"/traced.*)" "$TRACE" "$mpi: no local file is left"
	trace 2 "$TMP/ends" fork
	same "$mpi: a child that is forked and ends"
	is "$(echo "$TMP"/traced.*)" "$TRACE" "$mpi: no local file is left by the child"

	for how in abort kill segv exit; do
		# A crash that is meant is no report.
		meant=
		[ "$how" != segv ] || [ -z "${SANITIZER_REPORTS:-}" ] || meant="env ASAN_OPTIONS=$ASAN_OPTIONS:handle_segv=0"
		# shellcheck disable=SC2086 # its words
		trace 2 $meant "$TMP/ends" "$how"
		is "$status" 8 "$mpi: $how: the exit status is that of a job that failed"
		ok "$mpi: $how: there is no whole trace" test ! -e "$TRACE"
		like "$(cat "$ERR")" '^hint: [^ ]*pas2p info .*/traced\.[0-9a-z]*\.[0-9a-z]*\.rank\*\.clog2$' \
			"$mpi: $how: how to read the local files is told"
		"$PAS2P" events -q --format csv "$TMP"/traced.*.rank*.clog2 >"$EVENTS" 2>/dev/null
		# 6000 rounds of a send and a receive; the launcher may kill a rank that then loses what was in memory: at most
		# a megabyte, of 128 bytes or more an event.
		ok "$mpi: $how: many events of both ranks can be read" awk -F, '
			{ n[$1]++ } END { exit !(n[0] > 3800 && n[1] > 3800 && n[0] <= 12000 && n[1] <= 12000) }' "$EVENTS"
	done

	# What a run that broke off has left is neither removed by a later one nor mixed with it.
	trace 2 "$TMP/ends" abort
	broken=$(echo "$TMP"/traced.*)
	cksum $broken >"$TMP/sums"
	"$PAS2P" trace -q -o "$TRACE" -- "$launcher" -n 2 "$TMP/ends" kill </dev/null >"$OUT" 2>"$ERR"
	mine=$(sed -n 's/^hint: [^ ]*pas2p info //p' "$ERR")
	rm -rf "${SAID:?}"/*
	"$PAS2P" trace -q -o "$TRACE" -- "$launcher" -n 2 "$TMP/ends" many </dev/null >"$OUT" 2>"$ERR"
	cat "$SAID"/* >"$LINES"
	"$PAS2P" events -q --format csv "$TRACE" >"$EVENTS"
	same "$mpi: a run after two that broke off"
	cksum $broken >"$TMP/sums2"
	ok "$mpi: the first one's local files are as they were" cmp "$TMP/sums" "$TMP/sums2"
	"$PAS2P" info -q $mine >"$OUT" 2>"$ERR"
	like "$(cat "$OUT")" '^Processes +2$' "$mpi: the second one's local files are read by what was told"

	# Two runs with one output at the same time: the one that ends first gets the name, the other one keeps its trace
	# under a name of its own and says so; each is whole. Each rank 0 waits for the other run to have begun. (Temporary
	# folders of their own: launchers that start and end together can stumble over a shared one.)
	"mpicc.$mpi" -w -O1 -o "$TMP/meet" t/preload/mpi/meet.c || bail_out "mpicc.$mpi does not work"
	for old in none some; do
		rm -rf "$TMP/both"
		mkdir "$TMP/both" "$TMP/both/tmp.a" "$TMP/both/tmp.b"
		[ "$old" = none ] || echo old >"$TMP/both/trace.clog2"
		(
			cd "$TMP/both" || exit 1
			export OMPI_MCA_mpi_yield_when_idle=1
			TMPDIR=$PWD/tmp.a "$PAS2P" trace -q -- "$launcher" -n 2 "$TMP/meet" a b 4000 100 </dev/null >out.a 2>err.a &
			TMPDIR=$PWD/tmp.b "$PAS2P" trace -q -- "$launcher" -n 2 "$TMP/meet" b a 4000 5000 </dev/null >out.b 2>err.b
			echo $? >status.b
			wait $!
			echo $? >status.a
		)
		is "$(cat "$TMP/both"/status.* | sort | tr '\n' ' ')" '0 6 ' "$mpi: two at once, $old before: one is told" ||
			diag "$(cat "$TMP/both"/err.?)"
		kept=$(sed -n 's/^pas2p: .*trace\.clog2 was not replaced: another run wrote it meanwhile; the trace of this run is //p' "$TMP/both"/err.?)
		ok "$mpi: two at once, $old before: the other trace is where it is said to be" test -f "$kept"
		is "$(find "$TMP/both" -name '*trace.*' | wc -l)" 2 "$mpi: two at once, $old before: no other file is left"
		for t in "$TMP/both/trace.clog2" "$kept"; do
			"$PAS2P" events -q --format csv "$t" 2>/dev/null | awk -F, '
				NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { n[$c["size"]]++ }
				END { for (s in n) print s, n[s] }'
		done | sort -n >"$TMP/sizes"
		is "$(tr '\n' ';' <"$TMP/sizes")" '100 16000;5000 16000;' "$mpi: two at once, $old before: each is whole and its own"
	done

	# Nothing is written through links under any name that can be foreseen, by the command or by the variable alone.
	rm -rf "$TMP/planted"
	mkdir "$TMP/planted"
	echo precious >"$TMP/precious"
	for name in trace.clog2.partial trace.partial trace.rank000000.clog2 trace.rank000001.clog2; do
		ln -s "$TMP/precious" "$TMP/planted/$name"
	done
	run_ok "$mpi: links are there already" "$PAS2P" trace -q -o "$TMP/planted/trace.clog2" -- "$launcher" -n 2 "$TMP/ends" many
	ln -s "$TMP/precious" "$TMP/planted/trace.spawned1.clog2"
	is "$(cat "$TMP/precious")" precious "$mpi: nothing is written through them"
	is "$(find "$TMP/planted" -type l | wc -l)" 5 "$mpi: they stay"
	is "$(find "$TMP/planted" -type f)" "$TMP/planted/trace.clog2" "$mpi: beside them is the trace alone"
	library=$(realpath "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so")
	for case in file link; do
		rm "$TMP/planted/trace.clog2"
		case $case in
		file) echo old >"$TMP/planted/trace.clog2" ;;
		link) ln -s "$TMP/precious" "$TMP/planted/trace.clog2" ;;
		esac
		run_ok "$mpi: by the variable alone, over a $case" "$launcher" -n 2 env LD_PRELOAD="$library" \
			PAS2P_TRACE="$TMP/planted/trace.clog2" "$TMP/ends" many
		is "$(cat "$TMP/precious")" precious "$mpi: by the variable alone, over a $case: nothing is written through links"
		[ "$case" = file ] || like "$(cat "$ERR")" 'trace\.clog2 was not replaced: it is not a regular file; the trace of this run is ' \
			"$mpi: by the variable alone, over a $case: says where the trace is"
		# shellcheck disable=SC2046 # a word for each file
		set -- $(find "$TMP/planted" -type f)
		is $# 1 "$mpi: by the variable alone, over a $case: the trace alone is new"
		like "$("$PAS2P" info -q "$1" 2>&1)" '^Processes +2$' "$mpi: by the variable alone, over a $case: the trace is whole"
	done

	"mpicc.$mpi" -w -O1 -o "$TMP/spawn" t/preload/mpi/spawn.c || bail_out "mpicc.$mpi does not work"
	if timeout 60 "$launcher" -n 2 "$TMP/spawn" </dev/null >"$OUT" 2>&1; then
		trace 2 "$TMP/spawn"
		like "$("$PAS2P" info -q "$TRACE")" '^Events +6: 3 sends' "$mpi: a job that spawns another: its own trace"
		like "$("$PAS2P" info -q "$TMP"/traced.spawned*.clog2)" '^Events +10: 5 sends' "$mpi: and the spawned one's"
		is "$(find "$TMP" -maxdepth 1 -name 'traced.*' | wc -l)" 2 "$mpi: and nothing else"
	else
		skip 3 "$mpi does not spawn here"
	fi

	# What the launcher is asked to hand on to other nodes does not get in the way of what pas2p hands on.
	if [ "$mpi" = openmpi ]; then
		trace 2 -x PATH "$TMP/ring"
		same "$mpi: with -x"
	fi

	# Clocks that are wrong by seconds and go wrong by a thousandth: no message arrives before it was sent, but for
	# the error that the trace admits.
	export PAS2P_CLOCK_SKEW=5,1e-3
	trace 2 "$TMP/ring" 40 2000
	unset PAS2P_CLOCK_SKEW
	same "$mpi: skewed clocks"
	ok "$mpi: skewed clocks are put right" awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ time[$1 "," $2] = $(c["time"]) }
		$3 == "receive" { sent[$1 "," $2] = $(c["match_rank"]) "," $(c["match_number"]) }
		END { for (r in sent) if (time[r] - time[sent[r]] < -2e-3) { print r, time[r], time[sent[r]]; exit 1 } }
		' "$EVENTS"
done

run_fails 2 'without a command there is nothing to trace' "$PAS2P" trace -o "$TRACE"
like "$(cat "$ERR")" '^usage: pas2p trace' 'and the usage is shown'
run_fails 6 'a folder that is not there' "$PAS2P" trace -o "$TMP/nowhere/t.clog2" -- "$launcher" -n 1 true
echo precious >"$TMP/precious"
ln -s "$TMP/precious" "$TMP/link.clog2"
run_fails 6 'a link in place of the output' "$PAS2P" trace -o "$TMP/link.clog2" -- "$launcher" -n 1 touch "$TMP/started"
like "$(cat "$ERR")" 'link.clog2: it is a symbolic link' 'is told of'
is "$(cat "$TMP/precious") $(readlink "$TMP/link.clog2")" "precious $TMP/precious" 'and stays, with what it stands for'
ok 'nothing was started' test ! -e "$TMP/started"
run_fails 6 'a program without MPI' "$PAS2P" trace -o "$TRACE" -- "$launcher" -n 1 true
like "$(cat "$ERR")" 'no MPI calls traced' 'is told of'
run_fails 2 'no launcher' "$PAS2P" trace -o "$TRACE" -- "$TMP/no-such-program"
done_testing
