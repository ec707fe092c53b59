#!/bin/sh
# How jobs end that cannot go on: one exit status for all ranks, one sentence that names the rank; nothing stays of them, neither in the scratch
# folder nor where output goes; what cannot run as a job says so.
. t/lib/lib.sh
. t/lib/job.sh
jobs
mpi=${MPIS# }
mpi=${mpi%% *}
launcher "$mpi"
trace=sample-traces/lu.S.4.clog2
scratch=$TMP/scratch
mkdir "$scratch"

# Exit statuses are rank 0's.
run_fails 2 'a wrong option' job "$mpi" 3 phases --no-such-option "$trace"
is "$(grep -c 'no-such-option' "$ERR")" 1 'is said once'
run_fails 1 'a check that finds something' job "$mpi" 2 check sample-traces/userstates.3.clog2
head -c 30000 "$trace" >"$TMP/damaged.clog2"
run_fails "$("$PAS2P" check "$TMP/damaged.clog2" >/dev/null 2>&1; echo $?)" 'a damaged trace' job "$mpi" 3 check "$TMP/damaged.clog2"
printf 'no trace at all, but text' >"$TMP/text"
run_fails 3 'what is no trace' job "$mpi" 3 phases "$TMP/text"
is "$(grep -c 'text' "$ERR")" 1 'is said once, too'
run_fails "$("$PAS2P" phases "$TMP/none" >/dev/null 2>&1; echo $?)" 'a file that is not there' job "$mpi" 3 phases "$TMP/none"

# two FOLDER COMMAND...: rank 1 has a scratch folder of its own.
two() {
	other=$1
	shift
	"$LAUNCH" -np 1 "$PAS2P" "$@" --scratch "$scratch" : -np 1 "$PAS2P" "$@" --scratch "$other"
}
run_fails 2 'the scratch folder of one rank is not there' two "$TMP/none" phases --memory 16M "$trace"
like "$(cat "$ERR")" 'rank 1: cannot use the scratch folder .*/none' 'the sentence names the rank'
is "$(grep -c 'scratch folder' "$ERR")" 1 'once'

# apart COMMAND FILE OTHER: rank 1 has another file before it.
apart() {
	"$LAUNCH" -np 1 "$PAS2P" "$1" "$2" : -np 1 "$PAS2P" "$1" "$3"
}
head -n 100 sample-traces/nonblock.4.prv >"$TMP/short.prv"
run_fails 2 'one rank has a shorter file' apart check sample-traces/nonblock.4.prv "$TMP/short.prv"
like "$(cat "$ERR")" 'rank 1: .*/short.prv is [0-9]+ bytes .*, but [0-9]+ bytes .* on rank 0' 'is said'
is "$(grep -c '^pas2p: ' "$ERR")" 1 'once'
run_fails 3 'one rank has no file' apart check sample-traces/nonblock.4.prv "$TMP/none.prv"
like "$(cat "$ERR")" 'rank 1: .*none.prv' 'the sentence names the rank'
if "$PAS2P" info sample-traces/nonblock.4.otf2 >/dev/null 2>&1; then
	# What one rank sees and another does not is damage.
	mkdir "$TMP/whole" "$TMP/part"
	cp -pr sample-traces/nonblock.4* "$TMP/whole"
	cp -pr sample-traces/nonblock.4* "$TMP/part"
	find "$TMP/part" -name '*.evt' -exec rm {} +
	run_fails 4 'the event files of one rank are missing' apart check "$TMP/whole/nonblock.4.otf2" "$TMP/part/nonblock.4.otf2"
	like "$(cat "$OUT" "$ERR")" 'missing' 'is said'
	rm "$TMP/part/nonblock.4.otf2/traces.def"
	run_fails 3 'the definitions of one rank are missing' apart check "$TMP/whole/nonblock.4.otf2" "$TMP/part/nonblock.4.otf2"
	like "$(cat "$ERR")" 'rank 1: .*traces.def' 'the sentence names the rank and the file'
fi

large=t/traces/large/lu.W.8.clog2.xz
if "$PAS2P" info "$large" >/dev/null 2>&1; then # with liblzma
	"$PAS2P" phases --format yaml "$trace" >"$TMP/old.yaml"
	cp "$TMP/old.yaml" "$TMP/out.yaml"
	mkdir "$TMP/tiny"
	if unshare -m mount -t tmpfs -o size=64k tiny "$TMP/tiny" 2>/dev/null; then
		cat >"$TMP/full" <<END
mount -t tmpfs -o size=64k tiny '$TMP/tiny'
exec '$LAUNCH' -np 1 "\$@" --scratch '$scratch' : -np 1 "\$@" --scratch '$TMP/tiny'
END
		run_fails 7 'the scratch folder of one rank is full' unshare -m sh "$TMP/full" "$PAS2P" phases -q --memory 16M --format yaml \
			-o "$TMP/out.yaml" "$large"
		like "$(cat "$ERR")" 'rank 1: not enough space for .* in the scratch folder' 'the sentence names the rank'
	else
		skip 2 'only root can mount a small folder'
	fi
	is "$(ls -A "$scratch")" '' 'nothing stays in the folders'
	ok 'the old output is untouched' cmp -s "$TMP/out.yaml" "$TMP/old.yaml"

	# begin: such a job, as $launched, and the process of its rank 1, as $victim, once it has a file in the scratch folder. Its ranks have the time
	# that a launcher gives them to say how they end.
	begin() {
		env -u OMPI_MCA_odls_base_sigkill_timeout --default-signal=INT "$LAUNCH" -np 2 "$PAS2P" phases -q --memory 16M --scratch "$scratch" --format yaml -o "$TMP/out.yaml" \
			"$large" >"$OUT" 2>"$ERR" &
		launched=$!
		victim=
		while [ -z "$victim" ] && kill -0 "$launched" 2>/dev/null; do
			victim=$(grep -lsa 'PMI_RANK=1\|OMPI_COMM_WORLD_RANK=1' /proc/[0-9]*/environ 2>/dev/null | while read -r file; do
				pid=${file#/proc/}
				pid=${pid%/environ}
				grep -sqF -e "$scratch/" "/proc/$pid/maps" && echo "$pid"
			done | head -n 1)
		done
	}
	left() {
		is "$(ls -A "$scratch")" '' "$1: nothing stays in the scratch folder"
		ok "$1: the old output is untouched" cmp -s "$TMP/out.yaml" "$TMP/old.yaml"
	}

	# Killed at several moments; the launcher ends the others.
	for turn in 1 2 3; do
		begin
		looks=0
		while [ $looks -lt $((turn * 20 - 20)) ] && kill -0 "$victim" 2>/dev/null; do
			looks=$((looks + 1))
		done
		kill -KILL "$victim"
		wait "$launched"
		is "$([ $? -ne 0 ] && echo ended)" ended "a rank is killed ($turn): the job ends with an error"
		left "a rank is killed ($turn)"
	done
	# Open MPI's mpirun passes a signal on after a second, when all may be over (t/mpi/interrupt.t holds a rank back): then the output is whole.
	"$PAS2P" phases -q --format yaml "$large" >"$TMP/new.yaml"
	for signal in INT TERM; do
		begin
		kill -$signal "$launched"
		wait "$launched" # with a status that the launcher makes
		if [ "$mpi" = openmpi ] && cmp -s "$TMP/out.yaml" "$TMP/new.yaml"; then
			cp "$TMP/old.yaml" "$TMP/out.yaml"
		else
			# A launcher that is told to end by SIGTERM may not pass on what ranks say then.
			[ $signal = TERM ] || is "$(grep -c '^pas2p: interrupted$' "$ERR")" 1 "SIG$signal: rank 0 says so, once"
		fi
		left "SIG$signal"
		is "$(find "$TMP" -name '*out.yaml?*')" '' "SIG$signal: nothing lies beside it"
	done
fi

# What rank 0 does alone, and what does not run in a job.
run_ok 'a command that is not shared' job "$mpi" 3 plan "$trace"
like "$(cat "$ERR")" 'note: plan does not run in parallel: rank 0 of the 3 ranks does all the work' 'says so'
"$PAS2P" plan "$trace" >"$TMP/alone"
ok 'its output is there once' cmp -s "$OUT" "$TMP/alone"
run_ok 'options with which nothing is shared' job "$mpi" 3 clocks --correct -o "$TMP/right.clog2" sample-traces/cg.S.4.clog2
like "$(cat "$ERR")" 'note: clocks --correct does not run in parallel: rank 0 of the 3 ranks does all the work' 'say so'
run_fails 2 'the workbench' job "$mpi" 2 "$trace"
like "$(cat "$ERR")" 'the workbench does not run as an MPI job' 'says so'
run_fails 2 'trace' job "$mpi" 2 trace -- true
like "$(cat "$ERR")" 'pas2p trace starts an MPI job itself' 'says so'

# The environment.
run_ok 'PAS2P_JOB=none' env PAS2P_JOB=none "$LAUNCH" -np 2 "$PAS2P" check "$trace"
is "$(wc -l <"$OUT")" "$("$PAS2P" check "$trace" | awk 'END { print 2 * NR }')" 'each rank runs alone'
run_fails 2 'PAS2P_JOB=lam' env PAS2P_JOB=lam "$PAS2P" info "$trace"
like "$(cat "$ERR")" "PAS2P_JOB is 'lam': expected openmpi, mpich or none" 'says what is expected'
mkdir "$TMP/program"
cp "$PAS2P" "$TMP/program/pas2p"
for each in $MPIS; do
	launcher "$each"
	run_fails 3 "no plug-in ($each)" "$LAUNCH" -np 2 "$TMP/program/pas2p" info "$trace"
	is "$(grep -c "libpas2p-job-$each.so was not found" "$ERR")" 1 'is said once'
	like "$(cat "$ERR")" '^hint: install the package ' 'with what to do'
done
launcher "$mpi"
for other in $MPIS; do
	[ "$other" != "$mpi" ] || continue
	run_fails 3 'the plug-in of another MPI' env PAS2P_JOB="$other" "$LAUNCH" -np 2 "$PAS2P" info "$trace"
	like "$(cat "$ERR")" "started 2 ranks, but .*libpas2p-job-$other.so sees 1, because it is for another MPI" 'says which'
	like "$(cat "$ERR")" "^hint: set PAS2P_JOB to $mpi" 'and what to set'
done
done_testing
