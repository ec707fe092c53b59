#!/bin/sh
# How good is a model? Builds sample-models/rows.c, fits its parts, measures a machine's messages, and compares what the model says with the program.
#
#     bench/model_prediction.sh DIR openmpi|mpich [ROUNDS]
#     bench/model_prediction.sh --again DIR/MPI/ROUND...   the predictions alone, from what was measured
#     bench/model_prediction.sh --table DIR/MPI...       a row for each n, in Markdown (docs/explain/models-language.md)
#
# Each of ROUNDS (3) measures, one right after the other, all that is needed: messages, and on one and on two processes parts and the program itself
# for n = 100 ... 1000. Parts are in the processor's time; of messages and of the program the least repetition counts, which others delayed
# least. The model is evaluated for a processor of its own and for the share that the load leaves: speed [cores/load, 1].
# What was measured in one round is compared with the model made in it, and nothing is thrown away: DIR/MPI has a folder for each, with the load
# before and after. The table has the least measured time in ms, and by how many percent the model is off with a processor of its own; `!`: it took
# longer than the load explains. PAS2P: the program to use; MESSAGES: seconds for messages (15).
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
				[ -e "$round/prediction.$p.csv" ] || continue
				awk -F, -v name="$(basename "$dir"), $p" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
					{ printf "%s|%d|%.3g|%+.0f%s\n", name, $at["n"], 1e3 * $at["measured"],
						 100 * ($at["time_min"] / $at["measured"] - 1), $at["measured"] <= $at["time_max"] ? "" : " !" }' \
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

# What the models of a round say of the program.
predictions()
{
	"$pas2p" fit --value min -f yaml "$1/messages.csv" 2>"$1/fit.log" |
		sed "s/^pas2p_functions: 1/pas2p_machine: 1/; s/_intra(/(/" >"$1/machine.yaml"
	awk '{ sub(/.*average: /, ""); split($0, load, ", "); most = (load[1] + 0 > most ? load[1] + 0 : most) }
	     END { printf "nodes:\n- speed: [%.2f, 1]\n", (most > cores ? cores / most : 1) }' cores="$(nproc)" "$1/load" >>"$1/machine.yaml"
	for p in 1 2; do
		mkdir -p "$1/$p"
		cp "$models/rows.yaml" "$1/$p"
		"$pas2p" fit -f yaml -o "$1/$p/rows.functions.yaml" "$1/parts.$p.csv" 2>"$1/fit.$p.log"
		"$pas2p" predict "$1/$p/rows.yaml" --machine "$1/machine.yaml" --measured "$1/measured.$p.csv" -f csv >"$1/prediction.$p.csv" \
			2>"$1/prediction.$p.log"
	done
}

if [ "${1:-}" = --again ]; then
	shift
	for round in "$@"; do
		predictions "$round"
	done
	exit
fi
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
	"$pas2p" pingpong -q -o "$round/messages.csv" --ops send,isend,recv,copy --sizes 0..8MiB --seconds "$seconds" \
		-- $run -np 2 2>"$round/pingpong.log"
	for p in 1 2; do
		# shellcheck disable=SC2086
		$run -np $p "$dir/rows" --parts 100 150 200 300 400 500 700 1000 >"$round/parts.$p.csv"
		# shellcheck disable=SC2086
		$run -np $p "$dir/rows" $sizes | least >"$round/measured.$p.csv"
	done
	uptime >>"$round/load"
	predictions "$round"
	rounds=$((rounds - 1))
done
