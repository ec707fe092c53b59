#!/bin/sh
# Clocks that differ from process to process, as those of several nodes do: planted ones, so that the truth is known. They are measured at the start,
# at the end and, with --resync, in between; what the trace says of them is true; events, ticks and phases do not change. Processes
# that share a clock cost nothing and say nothing.
. t/lib/lib.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
# Under a sanitizer this test uses one MPI and tracer.t the other: the tracer's source is the same.
! sanitized || built=" ${built##* }"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none

# trace NAME RANKS OPTIONS PROGRAM ARGS...: $TMP/NAME.clog2
trace() {
	trace_name=$1
	trace_ranks=$2
	trace_options=$3
	shift 3
	# shellcheck disable=SC2086 # a word for each option
	"$PAS2P" trace -q $trace_options -o "$TMP/$trace_name.clog2" -- "$launcher" -n "$trace_ranks" "$@" </dev/null >"$OUT" 2>"$ERR"
	is $? 0 "$mpi: $trace_name: it runs" || diag "$(head -n 5 "$ERR")"
	perl t/preload/records.pl clocks "$TMP/$trace_name.clog2" >"$TMP/$trace_name.clocks"
}

# How many measurements a rank has.
measured() { # NAME RANK
	grep -c "^$2,clock," "$TMP/$1.clocks"
}

# What does not depend on time.
steady() { # NAME
	"$PAS2P" events -q --format csv "$TMP/$1.clog2" 2>/dev/null | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) out[i] = $i == "time" || $i == "compute" }
		{ for (i = 1; i <= NF; i++) printf "%s,", out[i] ? "" : $i; print "" }'
	"$PAS2P" phases -q --format csv --similarity phase "$TMP/$1.clog2" 2>/dev/null | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } { print "phase", $(c["id"]), $(c["weight"]), $(c["ticks"]) }' | sort
}

# The truth lies within what the trace says: all clocks were one, so nothing can arrive before it was sent by more than the bounds of both.
for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	"mpicc.$mpi" -w -O1 -o "$TMP/collectives" t/preload/mpi/collectives.c || bail_out "mpicc.$mpi does not work"
	program=$TMP/collectives

	# One clock.
	trace one 3 '--resync 0.02' "$program" 100
	is "$(cat "$TMP/one.clocks")" '' "$mpi: processes that share a clock say nothing of it"
	unlike "$("$PAS2P" info -q "$TMP/one.clog2")" PAS2P_sync_clocks "$mpi: and measure nothing"
	is "$(cat "$ERR")" '' "$mpi: and nobody is told of anything"

	# Three clocks, seconds apart, and drifting.
	export PAS2P_CLOCK_SKEW=5,4e-5
	trace apart 3 '' "$program" 100
	is "$(measured apart 0),$(measured apart 1),$(measured apart 2)" 0,2,2 "$mpi: at the start and at the end"
	ok "$mpi: what is said of clocks holds the interpolation" awk -F, '
		{ n++; if (!($4 <= 0 && $5 >= 0 && $5 - $4 < 0.1)) { print; bad = 1 } } END { exit bad + (n != 4) }' "$TMP/apart.clocks"
	trace again 3 '--resync 0.02' "$program" 400
	trace plain 3 '' "$program" 400
	# Each event is of the time of its last exchange, so the estimate is the centre of what all measurements leave there. But the first: records begin
	# after it, so that its bounds are as much wider as clocks may have parted meanwhile, and the estimate is anywhere within.
	ok "$mpi: and, where clocks are measured, goes through the middle" awk -F, '
		{ n++; middle = ($4 + $5) / 2; if (middle < 0) middle = -middle
		  if (!($4 <= 0 && $5 >= 0) || (seen[$1]++ && middle > 1e-3 * ($5 - $4) + 1e-9)) { print; bad = 1 } }
		END { exit bad || n < 6 }' "$TMP/again.clocks"
	n=$(measured again 1)
	# One burst whose messages all come 3 ms late at rank 0: it says little, and what the others know is not lost.
	"mpicc.$mpi" -std=gnu11 -O1 -fPIC -shared -o "$TMP/false.so" t/preload/mpi/false_clock.c || bail_out "mpicc.$mpi makes no library"
	export LD_PRELOAD="$TMP/false.so" FALSE_DELAY=0.003 FALSE_SLOW=24,24
	trace late 2 '--resync 0.02' "$program" 200
	unset LD_PRELOAD FALSE_DELAY FALSE_SLOW
	ok "$mpi: a slow burst does not bend the clock" awk -F, '
		{ n++; middle = ($4 + $5) / 2; if (middle < 0) middle = -middle
		  apart = 2.1e-3 * ($3 - time) + 1e-8; width = $5 - $4
		  if (!($4 <= 0 && $5 >= 0) || (n > 1 && (middle > 1e-3 * width + 1e-9 || width > last + apart || last > width + apart))) { print; bad = 1 }
		  time = $3; last = width }
		END { exit bad || n < 3 }' "$TMP/late.clocks"
	is "$(measured again 0),$(measured again 2)" "0,$n" "$mpi: as often on each other clock"
	ok "$mpi: in between too: $n times" test "$n" -gt 2
	like "$("$PAS2P" info -q "$TMP/again.clog2")" "^PAS2P_clock +event +$((2 * n))$" "$mpi: both are in the trace"
	is "$("$PAS2P" info -q "$TMP/again.clog2" | awk '$1 == "PAS2P_sync_clocks" { print ($3 >= '"$((3 * n))"') }')" 1 \
		"$mpi: as states too, of all processes"
	steady again >"$TMP/again.steady"
	steady plain >"$TMP/plain.steady"
	ok "$mpi: events, logical times, ticks and phases are those without" cmp "$TMP/again.steady" "$TMP/plain.steady"
	ok "$mpi: and there are some" grep -q '^phase 1 [1-9]' "$TMP/again.steady"
	"$PAS2P" check -q --format csv "$TMP/again.clog2" >"$OUT"
	unlike "$(cat "$OUT")" '^(warning|error),' "$mpi: nothing is odd in the trace"

	# The analysis knows more by it. All clocks are one, so that a corrected time less the true one is what it says offset is.
	"$PAS2P" clocks -q -f csv "$TMP/again.clog2" >"$TMP/with.csv"
	perl -0pe 's/PAS2P_clock\0/PAS2P_clonk\0/g' "$TMP/again.clog2" >"$TMP/without.clog2"
	"$PAS2P" clocks -q -f csv "$TMP/without.clog2" >"$TMP/without.csv"
	# Corrected times are no line, so what is known better may need more windows, of which each knows less.
	windows() { "$PAS2P" clocks -q -f json "$1" | sed -n 's/^  "windows": \([0-9]*\),/\1/p'; }
	ok "$mpi: bounds are no wider than those of messages alone" awk -F, -v apart="$(windows "$TMP/again.clog2")-$(windows "$TMP/without.clog2")" '
		BEGIN { split(apart, k, "-") }
		FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ w = $(c["high_end"]) - $(c["low_end"]) }
		NR == FNR { with[$1] = w; next }
		k[1] <= k[2] && $1 > 0 && with[$1] > w * 1.01 + 1e-8 { print $1, with[$1], w; bad = 1 }
		END { exit bad }' "$TMP/with.csv" "$TMP/without.csv"

	# Two units of two processes, one of them for both: the same bounds but for the time in between.
	export PAS2P_CLOCK_SKEW=5,4e-5,2
	trace shared 4 '' "$program" 100
	is "$(measured shared 0),$(measured shared 1),$(measured shared 2),$(measured shared 3)" 0,0,2,2 "$mpi: units of two processes"
	# A tree of five units, of which rank 0 asks none but its own children.
	export PAS2P_CLOCK_SKEW=5,4e-5,1,1
	trace tree 5 '' "$program" 50
	is "$(cut -d, -f1 "$TMP/tree.clocks" | sort | uniq -c | tr -s ' \n' ' ')" ' 2 1 2 2 2 3 2 4 ' "$mpi: in a tree: all"
	# As many units as make it one by themselves: with one MPI, since so many processes on few processors take their time.
	forest=
	case $built in
	" $mpi"*)
		forest=forest
		export PAS2P_CLOCK_SKEW=5,4e-5
		trace forest 18 '' "$program" 2
		is "$(cut -d, -f1 "$TMP/forest.clocks" | sort | uniq -c | awk '$1 == 2' | wc -l)" 17 "$mpi: 18 units: all but the first are measured twice"
		;;
	esac
	# The planted clocks are one clock: messages of the trace cannot lie outside of what is said of it.
	for name in apart again late shared tree $forest; do
		"$PAS2P" clocks -q -f json "$TMP/$name.clog2" >"$OUT"
		like "$(cat "$OUT")" '"misfit": 0,' "$mpi: $name: there is an answer"
		ok "$mpi: $name: the bounds agree with all messages" awk -F: '
			$1 ~ /"(misfit|forced)"/ && $2 + 0 > 0 { print; bad = 1 } END { exit bad }' "$OUT"
		# Many processes on few processors measure their clocks only as well as the bounds say.
		"$PAS2P" clocks -q -f csv "$TMP/$name.clog2" >"$TMP/bounds.csv"
		"$PAS2P" events -q --format csv "$TMP/$name.clog2" >"$TMP/events.csv"
		ok "$mpi: $name: clocks were put right" awk -F, '
			FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
			NR == FNR { width[$1] = $(c["high_end"]) - $(c["low_end"]); next }
			{ time[$1 "," $2] = $(c["time"]) }
			$3 == "receive" { sent[$1 "," $2] = $(c["match_rank"]) "," $(c["match_number"]) }
			END { for (r in sent) { split(r, at, ","); split(sent[r], from, ",")
				if (time[r] - time[sent[r]] < -5e-3 - width[at[1]] - width[from[1]]) { print r, time[r], time[sent[r]]; exit 1 } } }' \
			"$TMP/bounds.csv" "$TMP/events.csv"
	done

	# Local files, as a run that breaks off leaves them, have the same.
	export PAS2P_CLOCK_SKEW=5,4e-5 PAS2P_KEEP_LOCAL=1
	trace kept 3 '' "$program" 50
	unset PAS2P_KEEP_LOCAL
	"$PAS2P" clocks -q -f csv "$TMP"/kept.*.rank*.clog2 >"$OUT"
	ok "$mpi: local files say it too" awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ n++; if (!($(c["low_start"]) <= $(c["high_start"]) && $(c["high_start"]) - $(c["low_start"]) < 0.1)) { print; bad = 1 } }
		END { exit bad + (n != 3) }' "$OUT"
	is "$("$PAS2P" clocks -q -f json "$TMP"/kept.*.rank*.clog2 | grep -c '"misfit": 0,')" 1 "$mpi: and agree with the messages"
	rm -f "$TMP"/kept.*.rank*

	# No collective on the world: none can be agreed on.
	export PAS2P_CLOCK_SKEW=5,4e-5
	trace copy 2 '--resync 0.02' "$program" 100 0
	is "$(measured copy 1)" 2 "$mpi: without collectives on the world: at the start and at the end"
	like "$(cat "$ERR")" '^pas2p: note: clocks were measured at the start and the end only' "$mpi: which is told"
	unset PAS2P_CLOCK_SKEW

	# A clock whose stamps are dear.
	export PAS2P_CLOCK_SOURCE=hpet
	trace slow 2 '' "$program" 5
	is "$(grep -c "clock source hpet needs a system call for each time stamp" "$ERR")" 1 "$mpi: a slow clock source is told of, once"
	export PAS2P_CLOCK_SOURCE=kvm-clock
	trace quick 2 '' "$program" 5
	is "$(cat "$ERR")" '' "$mpi: a quick one is not"
	unset PAS2P_CLOCK_SOURCE
done
run_fails 2 'no interval' "$PAS2P" trace --resync never -o "$TMP/x.clog2" -- true
done_testing
