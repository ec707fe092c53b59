#!/bin/sh
# A disk that fills up: whatever pas2p writes, there is the old file or the new one, whole; one sentence says which file cannot be
# written and why, and the exit status is the documented one. Held on a small file system of its own, since /dev/full
# refuses the first byte already, while disks fill up in the middle, at the end, or have no room for even a name.
. t/lib/lib.sh
. t/lib/run_table.sh

if [ "${1:-}" != apart ]; then
	trap - EXIT
	rm -rf "$TMP"
	mkdir "$TMP" && unshare -m mount -t tmpfs -o size=64k none "$TMP" 2>/dev/null
	status=$?
	rmdir "$TMP"
	[ $status -eq 0 ] || skip_all 'a file system can be mounted by the superuser only'
	TMPDIR=${TMP%/*} exec unshare -m "$0" apart
fi

disk=$TMP/disk
large=$PWD/sample-traces/lu.S.4.clog2 # its rows are more than the disk holds
mkdir "$disk"
mount -t tmpfs -o size=64k none "$disk" || bail_out 'the file system cannot be mounted'
XDG_CONFIG_HOME=$disk/config
XDG_STATE_HOME=$disk/state
export XDG_CONFIG_HOME XDG_STATE_HOME

# Leave so many pages, of 4096 bytes, beside an old file.
fresh() { # PAGES FILE
	rm -rf "${disk:?}"/* "$disk"/.[!.]*
	echo old >"$2"
	head -c $(((15 - $1) * 4096)) /dev/zero >"$disk/full"
}

refuses() { # NAME FILE COMMAND...
	name=$1 file=$2
	shift 2
	run_fails 6 "$name" "$@"
	like "$(cat "$ERR")" "^pas2p: .*cannot write $file: the disk is full" "$name: says so"
	is "$(wc -l <"$ERR")" 1 "$name: in one line"
	is "$(cat "$file")" old "$name: the old file stands"
	is "$(cd "$disk" && find . -type f | sort | tr '\n' ' ')" "./full ./${file##*/} " "$name: nothing is left beside it"
}

for pages in 0 1; do
	for command in 'phases --format yaml' 'phases --format json' 'events --format csv' 'bbps --format yaml' 'report --threads 2'; do
		fresh $pages "$disk/out"
		# shellcheck disable=SC2086
		refuses "$command, $pages pages left" "$disk/out" "$PAS2P" $command -o "$disk/out" "$large"
	done
done

# The same of the workbench: rows, pictures, screens, settings, and the phase table, where a key answers the question.
script() { # NAME FILE
	cat >"$TMP/script"
	fresh 0 "$2"
	refuses "$1" "$2" "$PAS2P" --script "$TMP/script" --size 200x60 "$large"
}

script 'rows from the workbench' "$disk/rows.csv" <<X
:bbps
:export $disk/rows.csv --force --all
X
script 'a picture of the screen' "$disk/screen.svg" <<X
:screen $disk/screen.svg
X
script 'the screen as text' "$disk/screen.txt" <<X
:screen $disk/screen.txt
X
script 'settings' "$disk/saved.yaml" <<X
:set volume 7%
:save-config $disk/saved.yaml
X
fresh 0 "$disk/old"
echo ":write $disk/table.yaml" >"$TMP/script"
run_fails 6 'the phase table from the workbench' "$PAS2P" --script "$TMP/script" "$large"
like "$(cat "$ERR")" "cannot write $disk/table.yaml: the disk is full" 'the phase table from the workbench: says so'
ok 'the phase table from the workbench: none is there' test ! -e "$disk/table.yaml"
fresh 0 "$disk/table.yaml"
printf '%s\ny\n:expect the disk is full\n' ":write $disk/table.yaml" >"$TMP/script"
run_ok 'over an old phase table' "$PAS2P" --script "$TMP/script" "$large"
is "$(cat "$disk/table.yaml")" old 'the old phase table stands'
echo ":write $disk/table.yaml" >"$TMP/script"
run_fails 2 'a script that leaves the question open' "$PAS2P" --script "$TMP/script" "$large"
like "$(cat "$ERR")" 'table.yaml exists; overwrite it' 'says which'

# The tracer, of a program whose trace is more than the disk holds, and the result of a run.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
for mpi in openmpi mpich; do
	if [ ! -e "$(dirname "$PAS2P")/preload/libpas2p-$mpi.so" ] || ! command -v "mpicc.$mpi" >/dev/null; then
		skip 9 "$mpi is not here"
		continue
	fi
	"mpicc.$mpi" -O1 -o "$TMP/run_steps" t/preload/mpi/run_steps.c || bail_out "mpicc.$mpi does not work"
	launcher=$(command -v "mpiexec.$mpi" || command -v "mpirun.$mpi")
	fresh 15 "$disk/traced.clog2"
	run_fails 6 "$mpi: a trace" "$PAS2P" trace -q -o "$disk/traced.clog2" -- "$launcher" -n 2 "$TMP/run_steps" 3000 1
	like "$(cat "$ERR")" "^pas2p: cannot (write|merge into) $disk/traced\.[0-9a-z]*\.clog2: " "$mpi: a trace: says so"
	is "$(cat "$disk/traced.clog2")" old "$mpi: the old trace stands"
	is "$(find "$disk" -name '*partial*' | wc -l)" 0 "$mpi: no half of a new one is left"
	steps_table 2 400 20 >"$TMP/steps.yaml"
	fresh 0 "$disk/result.yaml"
	refuses "$mpi: a result" "$disk/result.yaml" "$PAS2P" run -q --application run_steps.test -o "$disk/result.yaml" \
		"$TMP/steps.yaml" -- "$launcher" -n 2 "$TMP/run_steps" 400 50
done

# With room it is written after all.
fresh 15 "$disk/out"
run_ok 'with room' "$PAS2P" phases --format yaml -o "$disk/out" "$large"
"$PAS2P" phases --format yaml "$large" >"$TMP/whole"
ok 'with room: it is whole' cmp "$disk/out" "$TMP/whole"
umount "$disk"
done_testing
