#!/bin/sh
# Ranks that do not have the same in front of them: a file that one cannot open, or has otherwise; a folder of its own; a program that does not find its
# plug-in. And jobs that do not have the machine for themselves: two at once, more ranks than processors. By each MPI.
. t/lib/lib.sh
. t/lib/job.sh
jobs
trace=$PWD/sample-traces/lu.S.4.clog2
mkdir "$TMP/here" "$TMP/there" "$TMP/program"
cp "$trace" "$TMP/here/run.clog2"
cp sample-traces/ep.S.4.clog2 "$TMP/other.clog2"
cp "$PAS2P" "$TMP/program/pas2p"
"$PAS2P" phases --format yaml "$trace" >"$TMP/alone"
"$PAS2P" events --format csv "$trace" >"$TMP/events"

# in_folders COMMAND...: rank 1 of three is in another folder.
in_folders() {
	"$LAUNCH" -np 1 sh -c 'cd "$0" && exec "$@"' "$TMP/here" "$@" : -np 1 sh -c 'cd "$0" && exec "$@"' "$TMP/there" "$@" : \
		-np 1 sh -c 'cd "$0" && exec "$@"' "$TMP/here" "$@"
}

# others_program: rank 1 of three has a program of its own, alone in its folder.
others_program() {
	"$LAUNCH" -np 1 "$PAS2P" phases -q "$trace" : -np 1 "$TMP/program/pas2p" phases -q "$trace" : -np 1 "$PAS2P" phases -q "$trace"
}

for mpi in $MPIS; do
	launcher "$mpi"
	rm -f "$TMP/there/run.clog2"
	run_fails 3 "$mpi: a file that rank 1 does not have" in_folders "$PAS2P" phases -q run.clog2
	like "$(grep '^pas2p: ' "$ERR")" '^pas2p: rank 1: .*run\.clog2.*No such file' "$mpi: the sentence names it"
	is "$(grep -c '^pas2p: ' "$ERR")" 1 "$mpi: once"
	cp "$TMP/other.clog2" "$TMP/there/run.clog2"
	in_folders "$PAS2P" phases -q -o "$TMP/out" run.clog2 >"$OUT" 2>"$ERR"
	is "$([ $? -ne 0 ] && [ ! -e "$TMP/out" ] && echo refused)" refused "$mpi: another file of that name is no part of the trace"
	is "$(grep -c '^pas2p: ' "$ERR")" 1 "$mpi: and one sentence says so" || diag "$(cat "$ERR")"

	run_fails 3 "$mpi: a program without a plug-in" others_program
	like "$(grep '^pas2p: ' "$ERR")" "^pas2p: rank 1: .*libpas2p-job-$mpi.so was not found" "$mpi: the sentence names the rank"

	# Two jobs at once, and more ranks than processors. Open MPI's mpirun fails now and then where two of them make one folder.
	mkdir -p "$TMP/.tmp1"
	TMPDIR=$TMP/.tmp1 job "$mpi" 3 events -q --format csv "$trace" >"$TMP/first" 2>"$TMP/first.err" &
	first=$!
	run_ok "$mpi: seven ranks" job "$mpi" 7 phases -q --format yaml "$trace"
	ok "$mpi: print what one process prints" cmp -s "$OUT" "$TMP/alone"
	wait "$first"
	is $? 0 "$mpi: another job meanwhile" || diag "$(head -n 5 "$TMP/first.err")"
	ok "$mpi: prints what one process prints" cmp -s "$TMP/first" "$TMP/events"
done
done_testing
