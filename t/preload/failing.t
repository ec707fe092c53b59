#!/bin/sh
# A run that leaves no trace says what was seen of it: whether the launcher refused, whether any process loaded the tracer, began
# MPI, and how it ended. A person then looks at the right place. The exit status is that of a job that failed (8), whatever number the
# launcher ends with; and what is printed to be typed can be pasted into a shell, whatever the file is called.
. t/lib/lib.sh

built=
for mpi in openmpi mpich; do
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] && command -v "mpicc.$mpi" >/dev/null && built="$built $mpi"
done
[ -n "$built" ] || skip_all 'there is no MPI here that pas2p was built for'

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
mkdir "$TMP/place"
TRACE=$TMP/place/traced.clog2

traced() { # STATUS NAME PROGRAM ARGS...
	traced_status=$1
	traced_name=$2
	shift 2
	run_fails "$traced_status" "$mpi: $traced_name" "$PAS2P" trace -q -o "$TRACE" -- "$launcher" -n 2 "$@"
	is "$(ls "$TMP/place")" "${left:-}" "$mpi: $traced_name: what is left"
}

said() { # ERE NAME
	like "$(grep '^pas2p:' "$ERR")" "$1" "$mpi: $2"
}

began='^pas2p: nothing was traced: 2 processes called MPI_Init, but ended before the first record and without MPI_Finalize: '
for mpi in $built; do
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	"mpicc.$mpi" -O1 -o "$TMP/outside" t/preload/mpi/outside.c || bail_out "mpicc.$mpi does not work"

	traced 8 'left by _exit()' "$TMP/outside" _exit 5
	said "${began}exit status 5, reported by " 'it is said how far they came, and how they ended'
	traced 8 'killed' "$TMP/outside" kill
	said "${began}(exit status 9 or )?killed by signal 9 \(Killed\), reported by " 'a signal is named'
	traced 8 'a rank that is killed while another is in MPI_Init' "$TMP/outside" half
	said '^pas2p: nothing was traced: MPI_Init had not returned in any process when the job ended: .*, reported by ' \
		'it is said that it was called'
	traced 8 'a program that fails before MPI_Init' "$TMP/outside" none 3
	said '^pas2p: no MPI calls traced: the tracer was loaded, but no process called MPI_Init' 'it is said that none began MPI'
	said '^pas2p: the program failed: exit status 3, reported by .*(mpiexec|mpirun)\.[a-z]+$' 'and the status of the program'
	unlike "$(cat "$ERR")" 'linked dynamically' "$mpi: it is not asked how the program is made"
	traced 8 'a program that is killed as it starts' sh -c 'kill -9 $$'
	unlike "$(cat "$ERR")" 'linked dynamically' "$mpi: nor of one that was killed before it began"
	traced 6 'a program without MPI' "$TMP/outside" none 0
	said '^pas2p: no MPI calls traced: the tracer was loaded, but no process called MPI_Init$' 'likewise'
	like "$(cat "$ERR")" '^hint: the program must be linked dynamically with the MPI of .*: ldd PROGRAM$' "$mpi: and what to look at"
	traced 8 'a program that is not there' "$TMP/no-such-program"
	said '^pas2p: no MPI calls traced: no process loaded the tracer before it ended$' 'nothing loaded the tracer'
	said '^pas2p: the job failed: exit status ' 'no program did'
	left=traced.clog2 traced 8 'a status after MPI_Finalize' "$TMP/outside" after 3
	said '^pas2p: the program failed: exit status 3, ' 'the trace is there all the same'
	rm "$TRACE"

	# MPICH's launcher kills the others at once; Open MPI's asks them to end first.
	rm -f "$TMP/place"/*
	run_fails 8 "$mpi: one leaves by exit()" "$PAS2P" trace -q -o "$TRACE" -- "$launcher" -n 3 "$TMP/outside" one 4
	if [ "$mpi" = mpich ]; then
		said '^pas2p: the records of 1 of 3 ranks are kept; the other ranks ended before their first record$' \
			'it is said of how many there is nothing'
	else
		said '^pas2p: the records (that each rank wrote before it ended|of [12] of 3 ranks) are kept' 'what there is is said'
	fi
	rm -f "$TMP/place"/*

	# Pasted as it is printed, it does nothing but read the local files.
	"mpicc.$mpi" -w -O1 -o "$TMP/ends" t/preload/mpi/ends.c || bail_out "mpicc.$mpi does not work"
	mkdir "$TMP/odd"
	SAID=$TMP/odd run_fails 8 "$mpi: an odd name" "$PAS2P" trace -q -o "$TMP/odd/a \$(touch executed).clog2" -- \
		"$launcher" -n 2 "$TMP/ends" exit
	sed -n 's/^hint: //p' "$ERR" >"$TMP/pasted"
	run_ok "$mpi: what is printed to be pasted reads the local files" sh "$TMP/pasted"
	like "$(cat "$OUT")" '^Processes +2$' "$mpi: all of them"
	ok "$mpi: and executes nothing" test ! -e executed
	rm -rf "$TMP/odd"
done

# A program of the one MPI under the launcher of the other would crash in the tracer.
case $built in
*openmpi*mpich* | *mpich*openmpi*)
	for pair in openmpi:mpich:'Open MPI':MPICH mpich:openmpi:MPICH:'Open MPI'; do
		program=${pair%%:*} mpi=$(echo "$pair" | cut -d: -f2)
		"mpicc.$program" -O1 -o "$TMP/other" t/preload/mpi/outside.c || bail_out "mpicc.$program does not work"
		launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
		traced 8 "a program of $program" "$TMP/other"
		said "^pas2p: the program uses $(echo "$pair" | cut -d: -f3), but the launcher or --mpi says $(echo "$pair" | cut -d: -f4)\$" 'both are named'
		is "$(grep -c '^pas2p: the program uses' "$ERR")" 1 "$mpi: once"
	done
	;;
*) skip 6 'there is one MPI here' ;;
esac

# Open MPI's launcher starts no more processes than it has slots for; MPICH's does.
case $built in
*openmpi*)
	mpi=openmpi
	launcher=$(command -v mpiexec.openmpi || command -v mpirun.openmpi)
	unset OMPI_MCA_rmaps_base_oversubscribe
	run_fails 8 'too many processes' "$PAS2P" trace -q -o "$TRACE" -- "$launcher" -n 4096 "$TMP/outside"
	like "$(cat "$ERR")" 'There are not enough slots' 'what the launcher says comes through'
	said '^pas2p: the job did not start: not enough slots .* --oversubscribe, .* \(this machine has [0-9]+ processors?\)$' \
		'the option that helps is named'
	is "$(grep -c '^pas2p:' "$ERR")" 1 'in one sentence'
	;;
*) skip 4 'there is no Open MPI here' ;;
esac
done_testing
