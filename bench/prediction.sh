#!/bin/sh
# How good are predictions? Traces a program, plans and makes its signature, then measures signature and whole program in turn.
#
#     bench/prediction.sh DIR NAME ON BUDGET MECHANISM PAIRS -- mpirun -np 4 ./program ...
#     bench/prediction.sh --table DIR        for each series in DIR a row for each result, as pas2p compare --table prints it
#     bench/prediction.sh --intervals DIR    a row for each series in DIR: scaled prediction, interval, cost, in Markdown (docs/results.md)
#
# ON is where the measuring runs happen: "two cores" (all that there are), "one core", or "half speed" (a control group that
# gives the job half of the processors' time; needs root). MECHANISM is checkpoints or replay. Trace, table and signature are made
# once for each NAME, on all cores; what is there already is used again. PAIRS runs of the signature alternate with as many of the
# whole program. With PAUSE each pair is measured once more with that many seconds between windows, against the same whole run; its
# cost is told without the pauses. Nothing is thrown away: each is a result in DIR/NAME/, and both tables have all of them.
#
# PAS2P: the program to use; APP: what a word of the command names the application by, where NAME does not; OPTIONS: for
# pas2p phases.
set -eu

pas2p=${PAS2P:-build/pas2p}

half_speed()
{
	if [ -d /sys/fs/cgroup/cpu ]; then
		group=/sys/fs/cgroup/cpu/pas2p-half
		mkdir -p $group
		echo 10000 >$group/cpu.cfs_period_us
		echo $((5000 * $(nproc))) >$group/cpu.cfs_quota_us
	else
		group=/sys/fs/cgroup/pas2p-half
		mkdir -p $group
		echo "$((5000 * $(nproc))) 10000" >$group/cpu.max
	fi
	echo $$ >$group/cgroup.procs
}

# What pas2p prints is kept, and shown if it fails.
logged() # LOG ARGUMENTS
{
	log=$1
	shift
	"$pas2p" "$@" >"$log" 2>&1 || {
		status=$?
		cat "$log" >&2
		exit $status
	}
}

# AET, error, half of the interval, whether it held, and cost of one result, from its `key: value` lines; - is what it does not say.
figures()
{
	awk '
		/^[a-z]/ { in_prediction = $1 == "prediction:" } # the trace has an aet, too
		in_prediction && /^  aet: / { aet = $2 }
		/^  pet_scaled: / { pet = $2 }
		/^  half: / { half = $2 }
		/^  held: / { held = $2 }
		/^  elapsed: / { elapsed = $2 }
		/^  pause: / { pause = $2 }
		/^- extra: / { windows++ } # each a checkpoint, with a pause before all but the first
		function share(of) { return aet > 0 && of != "" && of != "null" ? sprintf("%.1f", 100 * of / aet) : "-" }
		END {
			if (windows)
				elapsed -= pause * (windows - 1)
			known = aet > 0
			print (known ? sprintf("%.1f", aet) : "-"), (known ? sprintf("%+.1f", 100 * (pet / aet - 1)) : "-"), share(half), \
				(held == "" ? "-" : held), share(elapsed)
		}
	' "$1"
}

each_result()
{
	for name in "$1"/*/*/name; do
		[ -e "$(dirname "$name")/1.yaml" ] || continue # its first run failed
		printf '%s\n' "$(cat "$name")"
		"$pas2p" compare --table "$(dirname "$name")"/*.yaml
		echo
	done
}

each_series()
{
	echo "| | AET, s | error of the scaled PET, % | half of the interval, % | held | cost, % of the AET |"
	echo "|---|---|---|---|---|---|"
	for name in "$1"/*/*/name; do
		series=$(dirname "$name")
		[ -e "$series/1.yaml" ] || continue
		for result in "$series"/*.yaml; do
			figures "$result"
		done | awk -v name="$(cat "$name")" '
			{ comma = NR > 1 ? ", " : ""; aet = aet comma $1; error = error comma $2; half = half comma $3
			  held += $4 == "true"; intervals += $4 != "-"; cost = cost comma $5 }
			END { printf "| %s | %s | %s | %s | %d of %d | %s |\n", name, aet, error, half, held, intervals, cost }
		'
	done
}

case ${1:-} in
--table | --intervals)
	if [ $# -ne 2 ] || [ ! -d "$2" ]; then
		echo "$0 $1: expected the folder of series" >&2
		exit 2
	fi
	if [ "$1" = --table ]; then each_result "$2"; else each_series "$2"; fi
	exit
	;;
esac
if [ $# -lt 8 ] || [ "$7" != -- ]; then
	sed -n '/^#  /s/^# *//p' "$0" >&2
	exit 2
fi
dir=$1/$2 name=$2 on=$3 budget=$4 mechanism=$5 pairs=$6
shift 7
mkdir -p "$dir"
if [ ! -e "$dir/trace.clog2" ]; then
	logged "$dir/trace.log" trace -o "$dir/trace.clog2" -- "$@"
fi
if [ ! -e "$dir/table.yaml" ]; then
	# shellcheck disable=SC2086
	"$pas2p" phases --plan "$budget" ${OPTIONS:-} -a "${APP:-$name}" -f yaml -o "$dir/table.yaml" "$dir/trace.clog2"
fi
if [ "$mechanism" = checkpoints ] && [ ! -e "$dir/signature" ]; then
	logged "$dir/sign.log" sign "$dir/table.yaml" --stop -o "$dir/signature" -- "$@"
fi
series=$dir/$(echo "$on.$mechanism" | tr ' ' -)
cpus=$(seq -s, 0 $(($(nproc) - 1)))
case $on in
"one core") cpus=0 ;;
"half speed") half_speed ;;
esac
i=1
while [ "$pairs" -gt 0 ]; do
	mkdir -p "$series"
	echo "$name, $on, $mechanism" >"$series/name"
	while [ -e "$series/$i.yaml" ]; do
		i=$((i + 1))
	done
	if [ "$mechanism" = checkpoints ]; then
		logged "$series/$i.log" run -q "$dir/signature" --cpus "$cpus" --full -o "$series/$i.yaml"
		if [ "${PAUSE:-}" ]; then
			aet=$(sed -n 's/^  aet: //p' "$series/$i.yaml" | tail -n 1)
			mkdir -p "$series-apart"
			echo "$name, $on, $PAUSE s apart" >"$series-apart/name"
			logged "$series-apart/$i.log" run -q "$dir/signature" --cpus "$cpus" --pause "$PAUSE" --aet "$aet" \
				-o "$series-apart/$i.yaml"
		fi
	else
		logged "$series/$i.log" run -q "$dir/table.yaml" --cpus "$cpus" --full -o "$series/$i.yaml" -- "$@"
	fi
	pairs=$((pairs - 1))
done
