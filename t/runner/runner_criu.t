#!/bin/sh
# Signatures with CRIU's checkpoints, where its probe succeeds: a job is stopped exactly where the table says, dumped, and runs on to
# the right end; restored, it measures the phases. Also where a rank cannot come to its stop, since it is inside a
# rendezvous whose other end has stopped before. Nothing is left of any of it: no process, no mount, no half-made folder.
. t/lib/lib.sh
. t/lib/run_table.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'
! sanitized || skip_all 'a checkpoint would go through the terabytes of addresses that a sanitizer takes'
# The work directory is kept with every checkpoint: a small one.
mkdir "$TMP/work" "$TMP/bin"
root=$PWD
steps_table 2 400 50 >"$TMP/steps.yaml"
rendezvous_table 20 >"$TMP/rendezvous.yaml"
"$PAS2P" sign "$TMP/steps.yaml" --mechanism criu --mpi "${built##* }" -o "$TMP/probe.sig" -- true run_steps \
	>"$OUT" 2>"$ERR" </dev/null
! grep -q 'criu does not work here' "$ERR" || skip_all "$(sed -n 's/^pas2p: //p' "$ERR" | head -n 1)"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
RESULT=$TMP/result.yaml
mounts=$(wc -l </proc/mounts)

nothing_left() {
	is "$(left_behind)" 0 "$1: no process is left"
	is "$(wc -l </proc/mounts)" "$mounts" "$1: no mount is left"
	is "$(ls -d "$TMP"/*.partial-* 2>/dev/null | wc -l)" 0 "$1: no half-made folder is left"
}

running() { [ "$(left_behind)" -ne 0 ]; }
copied() { [ -e "$(echo "$TMP"/x.sig.partial-*/cut-0/files/pas2p/work/theirs/file)" ]; }
over() { ! running; }

# A criu that says when it begins to restore a signature, which its images tell from the probe. With $TMP/hold it waits before the second
# time: the job of the first has ended then, and stays so until the runner is killed.
criu=${PAS2P_CRIU:-$(ls "$(dirname "$PAS2P")/criu" 2>/dev/null || PATH=$PATH:/usr/sbin command -v criu)}
cat >"$TMP/bin/criu" <<X
#!/bin/sh
case "\$*" in
restore*signature*)
	[ ! -e '$TMP/hold' ] || [ ! -e '$TMP/restores' ] || { : >'$TMP/held'; sleep 60; }
	: >'$TMP/restores'
	;;
esac
exec '$criu' "\$@"
X
chmod +x "$TMP/bin/criu"

for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	for program in run_steps run_rendezvous; do
		"mpicc.$mpi" -O1 -o "$TMP/bin/$program" "$root/t/preload/mpi/$program.c" || bail_out "mpicc.$mpi does not work"
	done
	cd "$TMP/work" || bail_out 'no work directory'

	# The memory of the program is its maker's alone, whatever the umask; the files' copies have their own rights.
	umask 000
	run_ok "$mpi: sign" "$PAS2P" sign "$TMP/steps.yaml" --mechanism criu --show-output -o "$TMP/$mpi.sig" -- \
		"$launcher" -n 2 "$TMP/bin/run_steps" 400 50
	umask 022
	is "$(find "$TMP/$mpi.sig" -path '*/files/*' -prune -o -type d -printf '%m\n' | sort -u | xargs)" 700 "$mpi: its folders are private"
	is "$(find "$TMP/$mpi.sig" -path '*/files/*' -prune -o ! -type d -printf '%m\n' | sort -u | xargs)" 600 "$mpi: and its files"
	ok "$mpi: the images are among them" test -s "$(find "$TMP/$mpi.sig/cut-0/images" -name 'pages-*.img' | head -n 1)"
	like "$(cat "$OUT")" '2 phases, 2 checkpoints' "$mpi: with as many checkpoints"
	# The sum of all that arrived on rank 0 and 1, over 400 steps: each step s gives 2 s and 2 s + 1.
	like "$(cat "$ERR")" '^sum 319600$' "$mpi: the program came to its right end after them"
	unlike "$(cat "$ERR")" 'before their stop' "$mpi: everyone stopped where the table says"
	nothing_left "$mpi: signed"
	run_ok "$mpi: run" "$PAS2P" run "$TMP/$mpi.sig" --runs 2 --aet 1 -o "$RESULT"
	like "$(cat "$OUT")" 'measured by criu [0-9.]+, 2 runs' "$mpi: the mechanism is stated"
	is "$(sed -n 's/^  weight: //p' "$RESULT" | tr '\n' ' ')" '100 100 ' "$mpi: both phases are there"
	unlike "$(sed -n 's/^  ranks: //p' "$RESULT")" '[[ ]0[],]' "$mpi: and every rank measured them"
	# Its clock goes on from where the checkpoint was taken; what it did is told apart from what restoring took all the same.
	like "$(cat "$ERR")" 'restoring took [0-9.]* s each in addition to warm-up and measuring \([0-9.]* s\): nest .* end [0-9.]*$' \
		"$mpi: what restoring took is said"
	run_ok "$mpi: run on one processor" "$PAS2P" run "$TMP/$mpi.sig" --runs 1 --cpus 0 -o "$RESULT"
	is "$(sed -n 's/^  allowed: //p' "$RESULT" | tr -d \")" 0 "$mpi: the result says so"
	# Each restored job has terminals and process numbers of its own.
	"$PAS2P" run -q "$TMP/$mpi.sig" --runs 4 -o "$TMP/beside.yaml" >/dev/null 2>"$TMP/beside" &
	beside=$!
	run_ok "$mpi: two at a time" "$PAS2P" run "$TMP/$mpi.sig" --runs 4 -o "$RESULT"
	ok "$mpi: the other too: $(cat "$TMP/beside")" wait "$beside"
	run_ok "$mpi: the same by replay" "$PAS2P" run "$TMP/$mpi.sig" --mechanism replay -o "$RESULT"
	like "$(cat "$OUT")" 'measured by rerun' "$mpi: and says so"
	nothing_left "$mpi: run"

	run_ok "$mpi: a rendezvous across the cut" "$PAS2P" sign "$TMP/rendezvous.yaml" --mechanism criu --show-output \
		-o "$TMP/$mpi-rendezvous.sig" -- "$launcher" -n 3 "$TMP/bin/run_rendezvous" 20
	like "$(cat "$ERR")" '1 of 3 ranks blocked before their stop: rank 0 is inside MPI at call 17, wanted before 18' \
		"$mpi: the checkpoint is taken although not everyone could stop"
	like "$(cat "$ERR")" '^sum 400$' "$mpi: every message arrived whole"
	run_ok "$mpi: and it can be restored" "$PAS2P" run "$TMP/$mpi-rendezvous.sig" --runs 2 -o "$RESULT"
	run_ok "$mpi: one that is polled for" "$PAS2P" sign "$TMP/rendezvous.yaml" --mechanism criu --show-output \
		-o "$TMP/$mpi-polls.sig" -- "$launcher" -n 3 "$TMP/bin/run_rendezvous" 20 poll
	like "$(cat "$ERR")" '1 of 3 ranks blocked before their stop: rank 0 is polling after call 17, wanted before 18' \
		"$mpi: a rank that polls waits, too"
	like "$(cat "$ERR")" '^sum 400$' "$mpi: and every message arrived whole"
	run_ok "$mpi: it can be restored" "$PAS2P" run "$TMP/$mpi-polls.sig" --runs 2 -o "$RESULT"
	nothing_left "$mpi: rendezvous"

	run_fails 2 "$mpi: another process count" "$PAS2P" sign "$TMP/steps.yaml" --mechanism criu -o "$TMP/x.sig" -- \
		"$launcher" -n 3 "$TMP/bin/run_steps" 400 50
	run_fails 2 "$mpi: another input" "$PAS2P" sign "$TMP/steps.yaml" --mechanism criu -o "$TMP/x.sig" -- \
		"$launcher" -n 2 "$TMP/bin/run_steps" 40 50
	nothing_left "$mpi: refused"

	# Longer steps: the two occurrences before a phase are eight steps of 5 ms.
	"$PAS2P" sign -q "$TMP/steps.yaml" --mechanism criu -o "$TMP/$mpi-long.sig" -- "$launcher" -n 2 "$TMP/bin/run_steps" 400 5000 \
		>"$OUT" 2>"$ERR" </dev/null
	run_ok "$mpi: run with longer steps" "$PAS2P" run "$TMP/$mpi-long.sig" --runs 1 -o "$RESULT"
	ok "$mpi: warm-up and measuring are told apart from restoring: $(sed -n 's/.*restoring/restoring/p' "$ERR")" \
		awk '/restoring took/ {sub(/.*\(/, ""); found = $1 >= 0.04} END {exit !found}' "$ERR"
	# The runner is killed outright: while criu restores, while the job runs, and when it has ended.
	for moment in restores runs ended; do
		rm -f "$TMP/restores" "$TMP/hold" "$TMP/held"
		[ "$moment" != ended ] || touch "$TMP/hold"
		PAS2P_CRIU=$TMP/bin/criu "$PAS2P" run -q "$TMP/$mpi-long.sig" --runs 50 -o "$RESULT" >/dev/null 2>"$ERR" </dev/null &
		runner=$!
		case $moment in
		restores) wait_until test -e "$TMP/restores" ;;
		runs) wait_until running ;;
		ended)
			wait_until test -e "$TMP/held"
			is "$(left_behind)" 0 "$mpi: no rank is left between two runs"
			;;
		esac
		kill -9 "$runner"
		wait "$runner" 2>/dev/null
		is $? 137 "$mpi: killed while the job $moment $(cat "$ERR")"
		wait_until over
		nothing_left "$mpi: killed while the job $moment"
	done

	# What must fit at restore: the program has changed since.
	printf x >>"$TMP/bin/run_steps"
	run_fails 2 "$mpi: another program than was signed" "$PAS2P" run "$TMP/$mpi.sig" -o "$RESULT"
	like "$(cat "$ERR")" 'bin/run_steps differs from the file at the checkpoint' "$mpi: names it"
	rm -f "$TMP/$mpi-rendezvous.sig/cut-0/images/core-"*
	run_fails 8 "$mpi: damaged images" "$PAS2P" run "$TMP/$mpi-rendezvous.sig" -o "$RESULT"
	like "$(cat "$ERR")" 'criu restore failed: ' "$mpi: says which step and why"

	# Some of the work directory is another user's, and so are the copies.
	mkdir -p theirs
	touch theirs/file
	chown -R 12345 theirs
	"$PAS2P" sign -q "$TMP/steps.yaml" --mechanism criu -o "$TMP/x.sig" -- "$launcher" -n 2 "$TMP/bin/run_steps" 400 10000 \
		>"$OUT" 2>"$ERR" </dev/null &
	runner=$!
	wait_until copied
	kill "$runner"
	wait "$runner" 2>/dev/null
	is $? 143 "$mpi: interrupted"
	nothing_left "$mpi: interrupted"
	cd "$root" || bail_out 'the root has gone'
done

done_testing
