#!/bin/sh
# `pas2p pingpong`, with every MPI that is here: each operation is there, in the shape that fits read, over the sizes that were asked for; what a
# launch cannot give is said; and of jobs that fail or are ended nothing is left. Predictions stand on these rows.
. t/lib/lib.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/pas2p-pingpong-$mpi" ] && command -v "mpiexec.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1
export TMPDIR="$TMP/temporary"
mkdir "$TMPDIR"

# Every point has 10 to 200 repetitions, none of them negative, and rows of a point stand together in ascending order.
shaped() { # FILE
	awk -F, '
		/^#/ { next }
		!header { header = 1; if ($0 != "op,where,bytes,p,seconds") { print "header " $0; bad = 1 } next }
		NF != 5 || $5 !~ /^[0-9.e+-]+$/ || $5 < 0 { print "row " $0; bad = 1 }
		{
			point = $1 FS $2 FS $3 FS $4
			if (point != last && point in count) { print "apart " point; bad = 1 }
			if ($1 FS $2 FS $4 == series && $3 < bytes) { print "order " $0; bad = 1 }
			count[point]++; last = point; series = $1 FS $2 FS $4; bytes = $3
		}
		END {
			for (point in count)
				if (count[point] < 10 || count[point] > 200) { print count[point] " of " point; bad = 1 }
			exit bad + !header
		}' "$1"
}

ops='send isend recv copy barrier bcast reduce allreduce gather scatter allgather alltoall'
first_launcher=
for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi")
	first_launcher=${first_launcher:-$launcher}
	first_mpi=${first_mpi:-$mpi}
	run_ok "$mpi: all operations" "$PAS2P" pingpong -q --sizes 0..16 --seconds 0.5 -o "$TMP/all.csv" -- "$launcher" -n 2
	is "$(cat "$OUT" "$ERR")" '' "$mpi: nothing is printed besides"
	ok "$mpi: rows as fits want them" shaped "$TMP/all.csv"
	is "$(grep -v '^#' "$TMP/all.csv" | sed 1d | cut -d, -f1 | uniq | tr '\n' ' ')" "$(echo "$ops" | tr ' ' '\n' | tr '\n' ' ')" "$mpi: each is there, in order"
	is "$(grep '^recv,intra,' "$TMP/all.csv" | cut -d, -f3,4 | uniq | tr '\n' ' ')" '0,2 1,2 2,2 3,2 4,2 6,2 8,2 12,2 16,2 ' "$mpi: sizes"
	is "$(grep '^barrier,' "$TMP/all.csv" | cut -d, -f3 | uniq)" 0 "$mpi: a barrier has none"
	like "$(head -n 7 "$TMP/all.csv")" '^# host: .*, 2 processes on 1 node$' "$mpi: where"
	like "$(head -n 7 "$TMP/all.csv")" '^# MPI: (Open MPI|MPICH)' "$mpi: by what"
	like "$(head -n 7 "$TMP/all.csv")" '^# date: 20[0-9-]*T[0-9:]*Z$' "$mpi: when"
	like "$(head -n 7 "$TMP/all.csv")" '^# clock resolution: [0-9.e-]* s$' "$mpi: by which clock"
	run_ok "$mpi: fits read it" "$PAS2P" fit -q "$TMP/all.csv"

	run_ok "$mpi: three processes" "$PAS2P" pingpong -q --ops bcast,send --sizes 8..8 --seconds 0.2 -- "$launcher" -n 3
	is "$(grep -v '^#' "$OUT" | sed 1d | cut -d, -f1-4 | uniq | tr '\n' ' ')" 'send,intra,8,2 bcast,intra,8,2 bcast,intra,8,3 ' \
		"$mpi: pairs, then 2 and all"
	run_fails 2 "$mpi: one process" "$PAS2P" pingpong -q --seconds 0.2 -- "$launcher" -n 1
	is "$(grep -v '^hint: ' "$ERR")" 'pas2p: pingpong: the launcher started one process: expected at least 2' "$mpi: has nobody to send to"
	run_fails 8 "$mpi: a job that fails" "$PAS2P" pingpong -o "$TMP/none.csv" -- "$launcher" -n 2 --no-such-option
	like "$(cat "$ERR")" '^pas2p: the job failed with exit status ' "$mpi: is said"
	ok "$mpi: and there is no file" test ! -e "$TMP/none.csv"
done

# What is asked for wrongly, before anything is started.
run_fails 2 'no launcher' "$PAS2P" pingpong
like "$(cat "$ERR")" '^pas2p: pingpong: no launch command given$' 'is said'
run_fails 2 'a file' "$PAS2P" pingpong sample-traces/coll.6.clog2 -- mpirun
like "$(cat "$ERR")" '^pas2p: pingpong: expected no file' 'is none of it'
run_fails 2 'an operation that there is not' "$PAS2P" pingpong --ops send,sned -- mpirun
like "$(cat "$ERR")" "^pas2p: --ops is 'sned': expected send, isend, .* or alltoall$" 'is named'
for sizes in 8 8..4 x..8 0..2048MiB 1..; do
	run_fails 2 "sizes $sizes" "$PAS2P" pingpong --sizes "$sizes" -- mpirun
	like "$(cat "$ERR")" "^pas2p: --sizes is '$sizes': expected the smallest and the largest size" 'are explained'
done
run_fails 2 'a launcher that is not there' "$PAS2P" pingpong -- no-such-launcher -n 2
like "$(cat "$ERR")" 'no-such-launcher' 'is named'
run_fails 6 'no place for the output' "$PAS2P" pingpong -o "$TMP/none/there" -- "$first_launcher" -n 2
mkdir "$TMP/library"
cp "$(dirname "$PAS2P")/preload/libpas2p-$first_mpi.so" "$TMP/library"
run_fails 3 'no program' env PAS2P_LIBDIR="$TMP/library" "$PAS2P" pingpong -- "$first_launcher" -n 2
like "$(cat "$ERR")" "^pas2p: cannot find the program pas2p-pingpong-$first_mpi, which measures messages, next to " 'is said'
printf '#!/bin/sh\necho pas2p-pingpong run 1 2 1 here MPI_1\necho pas2p-pingpong x send intra 8 2 -1\n' >"$TMP/library/pas2p-pingpong-$first_mpi"
chmod +x "$TMP/library/pas2p-pingpong-$first_mpi"
run_fails 8 'an answer that cannot be' env PAS2P_LIBDIR="$TMP/library" "$PAS2P" pingpong -- "$first_launcher" -n 1
like "$(cat "$ERR")" '^pas2p: the measurements arrived incompletely: line 2 of the answer is malformed$' 'is refused'

# Open MPI's launcher starts no more processes than it has slots for.
if [ "$first_mpi" = openmpi ]; then
	for command in pingpong machine 'clocks --measure'; do
		# shellcheck disable=SC2086  # its words
		run_fails 8 "$command: too many processes" env -u OMPI_MCA_rmaps_base_oversubscribe "$PAS2P" $command -- "$first_launcher" -n 4096
		like "$(cat "$ERR")" '^pas2p: the job did not start: not enough slots .* --oversubscribe' "$command: the option that helps is named"
		is "$(wc -l <"$ERR")" 1 "$command: in one sentence"
	done
else
	skip 9 'there is no Open MPI here'
fi

# Ended while it measures: the job goes too.
"$PAS2P" pingpong --seconds 60 -o "$TMP/ended.csv" -- "$first_launcher" -n 2 </dev/null >"$OUT" 2>"$ERR" &
measuring=$!
tries=0
while [ -z "$(find "$TMPDIR" -name output 2>/dev/null)" ] && [ "$tries" -lt 100 ] && kill -0 "$measuring" 2>/dev/null; do
	tries=$((tries + 1))
	sleep 0.1
done
ok 'the answer gathers in a folder of its own' test -n "$(find "$TMPDIR" -name output)"
kill -TERM "$measuring"
wait "$measuring"
is "$?" 143 'ended by a signal'
like "$(cat "$ERR")" '^pas2p: interrupted; the job was ended and left nothing$' 'and that is said'
is "$(ls -A "$TMPDIR")" '' 'no file is left of any of this'
ok 'none of the output either' test ! -e "$TMP/ended.csv"
done_testing
