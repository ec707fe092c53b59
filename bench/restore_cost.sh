#!/bin/sh
# What a restored checkpoint costs beyond warm-up and measuring (docs/internals/runner.md, "What restoring costs"); as root, with CRIU.
#
#     PAS2P=build/pas2p bench/restore_cost.sh [OTHER_PAS2P ...]
#
# A job of MEGABYTES (200) on 2 and on 4 ranks, with each MPI that pas2p was built for, is signed once and restored ROUNDS (10)
# times two checkpoints; with other programs given, theirs in turn with each of them. Seconds a checkpoint, of all that it takes:
# its phase and warm-up are nearly nothing. CACHE=cold: the images are on the disk alone.
set -eu
root=$PWD
here=$(realpath "${PAS2P:?}")
. t/lib/run_table.sh
work=$(mktemp -d "${TMPDIR:-/tmp}/pas2p-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$work/in" "$work/bin"
steps_table 2 400 50 >"$work/2.yaml"
steps_table 4 400 50 >"$work/4.yaml"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

spread() { # of numbers, one a line: best and median
	sort -n | awk '{v[NR] = $1} END {printf "best %.3f  median %.3f", v[1], NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'
}

evict() { # SIGNATURE
	sync
	find "$1" -type f -exec dd of='{}' oflag=nocache conv=notrunc,fdatasync count=0 status=none ';'
}

measure() { # PROGRAM NUMBER NAME
	[ "${CACHE:-warm}" = warm ] || evict "$work/$3.sig"
	(cd "$work/in" && "$1" run "$work/$3.sig" --runs 1 -o "$work/result.yaml" >/dev/null 2>"$work/says") || {
		cat "$work/says" >&2
		exit 1
	}
	sed -n 's/^  elapsed: //p' "$work/result.yaml" | awk '{print $1 / 2}' >>"$work/$3.$2"
	sed -n 's/.*restoring took \([0-9.]*\).*: nest/\1 nest/p' "$work/says" >>"$work/$3.$2.parts"
}

printf 'load %s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
for mpi in openmpi mpich; do
	[ -e "$(dirname "$here")/preload/libpas2p-$mpi.so" ] || continue
	command -v "mpicc.$mpi" >/dev/null || continue
	"mpicc.$mpi" -O1 -o "$work/bin/run_steps" "$root/t/preload/mpi/run_steps.c"
	for ranks in 2 4; do
		name=$mpi-$ranks
		(cd "$work/in" && "$here" sign -q "$work/$ranks.yaml" --mechanism criu -o "$work/$name.sig" -- \
			"$(command -v "mpirun.$mpi")" -n "$ranks" "$work/bin/run_steps" 400 50 0 $((${MEGABYTES:-200} / ranks))) >/dev/null
		round=0
		while [ "$round" -lt "${ROUNDS:-10}" ]; do
			number=0
			for program in "$here" "$@"; do
				measure "$program" "$number" "$name"
				number=$((number + 1))
			done
			round=$((round + 1))
		done
		number=0
		for program in "$here" "$@"; do
			printf '%-8s %s ranks  %s  %s\n' "$mpi" "$ranks" "$(spread <"$work/$name.$number")" "$program"
			sort -n "$work/$name.$number.parts" | sed -n '1s/^/         best mean: /p'
			number=$((number + 1))
		done
		rm -rf "$work/$name.sig"
	done
done
printf 'load %s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
