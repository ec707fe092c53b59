#!/bin/sh
# How good is a model? Builds sample-models/rows.c, fits its parts, measures a machine's messages, and compares what the model says with the program.
#
#     bench/model_prediction.sh DIR openmpi|mpich [ROUNDS]
#     bench/model_prediction.sh --table DIR...       a row for each n, in Markdown (docs/models.md)
#
# Of repetitions the least counts, everywhere: it is what least else on the machine delayed. Each of ROUNDS (3) measures, one right after the other, all that is needed: parts on one and on two processes, messages, and the program
# itself for n = 100 ... 1000. What was measured in one round is compared with the model made in it, and nothing is thrown away: DIR has a folder
# for each round, with the machine's load before and after. PAS2P: the program to use; MESSAGES: seconds for messages (15).
set -eu

pas2p=${PAS2P:-build/pas2p}
sizes='100 200 300 400 500 600 700 800 900 1000'
models=$(dirname "$0")/../sample-models

# n, and per round measured time in ms and error in %, of one number of processes
table()
{
	for p in 1 2; do
		for dir in "$@"; do
			for round in "$dir"/[0-9]*; do
				awk -F, -v name="$(basename "$dir"), $p" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
					{ printf "%s|%d|%.4g|%+.1f\n", name, $at["n"], 1e3 * $at["measured"], 100 * $at["error"] }' \
					"$round/prediction.$p.csv"
			done
		done
	done | awk -F'|' '
		!($1 in seen) { seen[$1] = ++names; name[names] = $1 }
		{ key = $1 "|" $2; if (!($2 in size)) { size[$2] = ++sizes; n[sizes] = $2 }
		  cell[key] = cell[key] (cell[key] ? ", " : "") $3 " (" $4 ")" }
		END {
			printf "| n |"; for (i = 1; i <= names; i++) printf " %s |", name[i]; print ""
			printf "|---|"; for (i = 1; i <= names; i++) printf "---|"; print ""
			for (j = 1; j <= sizes; j++) {
				printf "| %d |", n[j]; for (i = 1; i <= names; i++) printf " %s |", cell[name[i] "|" n[j]]; print ""
			}
		}'
}

# Of the program's times the least of each size.
least()
{
	awk -F, 'NR == 1 { print; next } !($1 in least) || $3 < least[$1] { least[$1] = $3; of[$1] = $0 } END { for (n in of) print of[n] }'
}

if [ "${1:-}" = --table ]; then
	shift
	table "$@"
	exit
fi
if [ $# -lt 2 ]; then
	sed -n '/^#  /s/^# *//p' "$0" >&2
	exit 2
fi
dir=$1/$2 mpi=$2 rounds=${3:-3} seconds=${MESSAGES:-15}
case $mpi in
openmpi) run='mpirun.openmpi --oversubscribe --allow-run-as-root' ;;
*) run=mpirun.$mpi ;;
esac
mkdir -p "$dir"
"mpicc.$mpi" -O2 -o "$dir/rows" "$models/rows.c"
i=1
while [ "$rounds" -gt 0 ]; do
	while [ -e "$dir/$i" ]; do
		i=$((i + 1))
	done
	round=$dir/$i
	mkdir "$round"
	uptime >"$round/load"
	# shellcheck disable=SC2086
	"$pas2p" pingpong -q -o "$round/messages.csv" --ops send,isend,recv,copy --sizes 0..16MiB --seconds "$seconds" -- $run -np 2 2>"$round/pingpong.log"
	"$pas2p" fit --value min -f yaml "$round/messages.csv" 2>"$round/fit.log" |
		sed "s/^pas2p_functions: 1/pas2p_machine: 1\nname: $mpi/; s/_intra(/(/" >"$round/machine.yaml"
	for p in 1 2; do
		# shellcheck disable=SC2086
		$run -np $p "$dir/rows" --parts 100 150 200 300 400 500 700 1000 >"$round/parts.$p.csv"
		# shellcheck disable=SC2086
		$run -np $p "$dir/rows" $sizes | least >"$round/measured.$p.csv"
		mkdir "$round/$p"
		cp "$models/rows.yaml" "$round/$p"
		"$pas2p" fit --value min -f yaml -o "$round/$p/rows.functions.yaml" "$round/parts.$p.csv" 2>"$round/fit.$p.log"
		"$pas2p" predict "$round/$p/rows.yaml" --machine "$round/machine.yaml" --measured "$round/measured.$p.csv" -f csv \
			>"$round/prediction.$p.csv" 2>"$round/prediction.$p.log"
	done
	uptime >>"$round/load"
	rounds=$((rounds - 1))
done
