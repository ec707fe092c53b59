#!/bin/sh
# What is a study's prediction worth? Traces a program at many sizes and on many processes, predicts each point from others, and holds it
# against what was measured there.
#
#     bench/study_prediction.sh --measure DIR LIST [ROUNDS [SECONDS]]    traces each point of LIST ROUNDS times (3)
#     bench/study_prediction.sh --predict DIR/SERIES...     predicts each point: from all others, from smaller ones, from those with its p
#     bench/study_prediction.sh --table DIR/SERIES...       a row for each prediction, in Markdown (docs/explain/fits.md)
#     bench/study_prediction.sh --summary DIR/SERIES...     a row for each series and way: median error and width, how many runs lie inside
#
# LIST has a line for each point: SERIES PARAMETERS FOLDER COMMAND..., as in
#
#     sweep n=100,p=4 . mpirun --oversubscribe -np 4 ./sweep 100
#
# with the folder to run it in. Rounds go over the whole list, so that what the machine does meanwhile is in the runs of each point. What is there
# already is not measured again; with SECONDS no run begins later than that, and the exit status is 1 while some are missing. Of each run stays
# its phase table with content, DIR/SERIES/PARAMETERS.ROUND.yaml, and DIR/load has the machine's load before each run. All ranks yield while
# they wait, as the runner has them do where they share processors.
#
# A point is predicted without any of its runs, from all other points (`others`), from those of which no parameter is larger (`smaller`), and from
# those on as many processes (`same p`), where these are at least three. Measured is the mean of its runs; `again`: what one run differs from the mean
# of the others, on average. Three things are predicted:
# AET       of the traced runs.
# compute   the sum over all phases of weight x compute time (mean over the processes, by the tracer's readings of the processor's time, outside
#           of MPI calls): the same study with each phase's compute time as its measured time and their sum as the AET, by a `result`.
# weights   of the families that are stable and everywhere: how many were predicted, how many of these exactly, the largest error.
#
# PAS2P: the program to use; OPTIONS: for pas2p phases and study.
set -eu

pas2p=${PAS2P:-build/pas2p}
export OMPI_MCA_mpi_yield_when_idle=1

# ---- measuring ----

# SERIES PARAMETERS FOLDER COMMAND...
measure_one()
{
	at=$dir/$1/$2.$round folder=$3
	shift 3
	echo "$at $(cut -d' ' -f1-3 /proc/loadavg)" >>"$dir/load"
	if (cd "$folder" && "$pas2p" trace -q -o "$at.part.clog2" -- "$@" </dev/null >"$at.log" 2>&1); then
		mv "$at.part.clog2" "$at.clog2"
	else
		echo "$at: failed, see its log" >&2
	fi
}

measure()
{
	list=$1 rounds=${2:-3} most=${3:-1000000}
	begun=$(date +%s) missing=0
	for round in $(seq "$rounds"); do
		while read -r series point rest; do
			mkdir -p "$dir/$series"
			if [ -e "$dir/$series/$point.$round.yaml" ] || [ -e "$dir/$series/$point.$round.clog2" ]; then
				continue
			fi
			if [ $(($(date +%s) - begun)) -ge "$most" ]; then
				missing=1
				continue
			fi
			# shellcheck disable=SC2086
			measure_one "$series" "$point" $rest
		done <"$list"
	done
	return $missing
}

# Traces are large: what a study needs of them is their table.
tables()
{
	for trace in "$dir"/*/*.clog2; do
		[ -e "$trace" ] || continue
		# shellcheck disable=SC2086
		"$pas2p" phases -q --content ${OPTIONS:-} -f yaml -o "${trace%.clog2}.yaml" "$trace" && rm "$trace"
	done
}

# ---- predicting ----

# Compute time for time, of one run's table. What else a result says is of no interest here.
compute_result()
{
	awk '
		function list(of,    text, i) { text = of; for (i = 1; i < processes; i++) text = text ", " of; return "[" text "]" }
		$1 == "sha256:" { sha256 = $2 }
		$1 == "processes:" && !processes { processes = $2 }
		$1 == "aet:" { aet = $2 }
		/^- id: / { id = $3 }
		/^  weight: / { weight = $2 }
		/^  ticks: / { ticks = $2 }
		/^  time: / { time = $2 }
		/^  compute: / && id {
			phases = phases sprintf("- {id: %d, weight: %d, ticks: %d, traced: %s, time: %s, deviation: 0, min: 0, max: 0, sends: %s, " \
				"runs: [%s], ranks: %s}\n", id, weight, ticks, time, $2, list(0), $2, list($2))
			sum += weight * $2
		}
		END {
			printf "pas2p_result: 1\napplication: \"\"\nlabel: \"\"\nmechanism: {name: replay, version: \"\"}\ncommand: []\n" \
				"trace: {sha256: %s, processes: %d, aet: %s}\n" \
				"host: {name: \"\", kernel: \"\", cpu: \"\", cpus: 1, allowed: \"\", memory: 0, mpi: \"\", nodes: 1}\nstarted: \"\"\n" \
				"runs: 1\nphase_time: mean\n" \
				"prediction: {coverage: 1, set: 0, pet: %.17g, pet_scaled: %.17g, elapsed: 0, aet: %.17g, aet_from: given}\n" \
				"phases:\n%s", sha256, processes, aet, sum, sum, sum, phases
		}' <"$1"
}

# The runs of points, as a study; $1: wall or compute. Neighbours beside one another: by processes, then by what else there is.
study_of()
{
	echo "study: 1"
	echo "runs:"
	i=0
	for run in $2; do
		i=$((i + 1))
		point=${run##*/}
		point=${point%.*.yaml}
		result=''
		[ "$1" = wall ] || result="result: \"../$run\", "
		echo "- {file: \"../$run\", name: r$i, ${result}parameters: {$(echo "$point" | sed 's/=/: /g; s/,/, /g')}}"
	done | if [ "$1" = wall ]; then cat; else sed 's/\(result: "[^"]*\)\.yaml"/\1.compute"/'; fi
}

runs_of()
{
	for of in "$@"; do
		for run in "$of".[0-9]*.yaml; do
			[ ! -e "$run" ] || echo "$run"
		done
	done
}

# T and direct, each with its interval, from --at as csv; nan: there is none.
asked()
{
	# shellcheck disable=SC2086
	"$pas2p" study -q ${OPTIONS:-} "$1" --at "$2" -f csv | awk -F, '
		function number(text) { return text == "" ? "nan" : text }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["family"] == "T" || $at["family"] == "direct" {
			printf "%s %s %s ", number($at["total"]), number($at["low"]), number($at["high"])
		}'
}

# What is measured of a point's runs: one line each.
measured()
{
	for run in $(runs_of "$2"); do
		if [ "$1" = wall ]; then
			awk '$1 == "aet:" { print $2; exit }' <"$run"
		else
			sed -n 's/.* aet: \([^,]*\), aet_from.*/\1/p' <"${run%.yaml}.compute"
		fi
	done
}

# "mean again T low high held direct low high held"; again: what one run differs from the mean of the point's other runs, on average, as a share.
held_against()
{
	measured "$1" "$2" | awk -v said="$3" '
		BEGIN { split(said, s, " ") }
		{ run[NR] = $1; sum += $1; held += s[2] <= $1 && $1 <= s[3]; direct += s[5] <= $1 && $1 <= s[6] }
		END {
			for (i = 1; i <= NR && NR > 1; i++) {
				off = run[i] / ((sum - run[i]) / (NR - 1)) - 1
				again += (off < 0 ? -off : off) / NR
			}
			printf "%s %s %s %s %s %d %s %s %s %d", sum / NR, again + 0, s[1], s[2], s[3], held, s[4], s[5], s[6], direct
		}'
}

# Weights: "predicted exact found worst share", by families that stay what they are when the asked run joins, told by their phases in run r1.
weights()
{
	# shellcheck disable=SC2086
	{
		"$pas2p" study -q ${OPTIONS:-} "$1" -f csv | sed 's/^/A,/'
		"$pas2p" study -q ${OPTIONS:-} "$1" --at "$3" -f csv | awk -F, '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ print "P," $at["family"] "," $at["weight"] "," $at["total"] }'
		"$pas2p" study -q ${OPTIONS:-} "$2" -f csv | sed 's/^/B,/'
	} | awk -F, -v last="$4" '
		$1 == "A" && $3 == "r1" { phases[$2] = $4 }
		$1 == "P" && $2 == "T" { total = $4 }
		$1 == "P" && $2 ~ /^[0-9]+$/ && $3 != "" { weight[$2] = $3; takes[$2] = $4 }
		$1 == "B" && $3 == "r1" { family[$4] = $2 }
		$1 == "B" && $3 == last { has[$2] = $5 }
		END {
			for (f in weight) {
				predicted++
				share += takes[f] / total
				if (!(phases[f] in family) || !(family[phases[f]] in has))
					continue
				found++
				truth = has[family[phases[f]]]
				off = weight[f] / truth - 1
				exact += (weight[f] - truth) ^ 2 < 0.25
				worst = off ^ 2 > worst ^ 2 ? off : worst
			}
			printf "%d %d %d %s %s", predicted, exact, found, worst + 0, share + 0
		}'
}

# Of points $2 those of which no parameter is larger than in $1; those with its p.
smaller()
{
	for of in $2; do
		echo "$of" "$1"
	done | awk '{
		n = split($1, a, ","); split($2, b, ","); fits = 1
		for (i = 1; i <= n; i++) { split(a[i], x, "="); split(b[i], y, "="); fits = fits && x[2] + 0 <= y[2] + 0 }
		if (fits) print $1
	}'
}

same_p()
{
	echo "$2" | grep -E "(^|,)$(echo "$1" | grep -oE '(^|,)p=[0-9]+' | tr -d ,)(,|\$)"
}

predict_one()
{
	way=$1 point=$2
	# shellcheck disable=SC2086
	runs=$(runs_of $3)
	asked_run=$(runs_of "$point" | head -n 1)
	study_of wall "$runs" >study/wall.yaml
	study_of compute "$runs" >study/compute.yaml
	study_of wall "$runs $asked_run" >study/with.yaml
	echo "$way $point $(runs_of "$point" | wc -l) $(held_against wall "$point" "$(asked study/wall.yaml "$point")")" \
		"$(held_against compute "$point" "$(asked study/compute.yaml "$point")")" \
		"$(weights study/wall.yaml study/with.yaml "$point" "r$(($(echo "$runs" | wc -l) + 1))")"
}

predict()
{
	mkdir -p study
	points=$(for run in *.yaml; do echo "${run%.*.yaml}"; done | sed 's/^\(.*\),\(p=\(.*\)\)$/\3 \1,\2/' | sort -u -V | cut -d' ' -f2)
	for run in *.yaml; do
		compute_result "$run" >"${run%.yaml}.compute"
	done
	for point in $points; do
		others=$(echo "$points" | grep -vxF "$point")
		predict_one others "$point" "$others"
		for way in smaller same_p; do
			some=$($way "$point" "$others")
			if [ "$(echo "$some" | wc -w)" -ge 3 ]; then
				predict_one $way "$point" "$some"
			fi
		done
	done >predictions
}

# ---- what came out ----

# A point a row. `T / direct`: what they are off by, and their intervals, as % of what was measured; `k/m`: only k of m runs lie in it.
table()
{
	for series in "$@"; do
		echo
		echo "**${series##*/}**"
		echo
		echo "| | AET, s | from others | from smaller | from the same p | compute, s | from others | from smaller | from the same p | weights |"
		echo "|---|---|---|---|---|---|---|---|---|---|"
		awk '
			function one(at) {
				return sprintf("%+.0f (%+.0f..%+.0f)%s", 100 * ($at / truth - 1), 100 * ($(at + 1) / truth - 1), 100 * ($(at + 2) / truth - 1),
					$(at + 3) < $3 ? sprintf(" **%d/%d**", $(at + 3), $3) : "")
			}
			function told(at) { truth = $at; return one(at + 2) " / " one(at + 6) }
			function row(array, p) { return array["others", p] " | " array["smaller", p] " | " array["same_p", p] }
			{
				if (!($2 in aet)) order[++points] = $2
				aet[$2] = sprintf("%.3g ± %.0f %%", $4, 100 * $5)
				cpu[$2] = sprintf("%.3g ± %.0f %%", $14, 100 * $15)
				wall[$1, $2] = told(4)
				compute[$1, $2] = told(14)
				weights[$1, $2] = $24 ? sprintf("%d/%d", $25, $24) : "-"
			}
			END {
				for (i = 1; i <= points; i++) {
					p = order[i]; name = p; gsub(/,/, ", ", name); gsub(/=/, " = ", name)
					counts = weights["others", p] ", " weights["smaller", p] ", " weights["same_p", p]
					gsub(/, ,/, ", none,", counts)
					printf "| %s | %s | %s | %s | %s | %s |\n", name, aet[p], row(wall, p), cpu[p], row(compute, p), counts
				}
			}' "$series/predictions"
	done
}

# "median", of numbers as lines, as %
median()
{
	sort -g | awk '{ v[NR] = $1 } END { if (NR) printf "%.0f %%", 100 * (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# Median error, median width of the interval, and how many runs lie in it; $1: which column is the truth, $2: which the value.
errors()
{
	awk -v truth="$1" -v at="$2" '{ off = $at / $truth - 1; print off < 0 ? -off : off }' lines | median
	printf ' (%s), ' "$(awk -v truth="$1" -v at="$2" '{ print ($(at + 2) - $(at + 1)) / $truth }' lines | median)"
	awk -v at="$2" '{ held += $(at + 3); runs += $3 } END { printf "%d of %d", held, runs }' lines
}

# What the file `lines` has of one series and way.
summary_row()
{
	[ -s lines ] || return 0
	echo "| $1 | $(wc -l <lines) | $(awk '{ print $5 }' lines | median) | $(errors 4 6) | $(errors 4 10) |" \
		"$(awk '{ print $15 }' lines | median) | $(errors 14 16) | $(errors 14 20) |" \
		"$(awk '{ predicted += $24; exact += $25 } END { printf "%d of %d", exact, predicted }' lines) |"
}

summary()
{
	at=$(mktemp -d)
	for series in "$@"; do
		sed "s,^,${series##*/} ," "$series/predictions"
	done >"$at/all"
	cd "$at"
	for way in others smaller same_p; do
		echo
		echo "| from $(echo "$way" | tr _ " ") | points | AET again | T | direct | compute again | T | direct | weights exact |"
		echo "|---|---|---|---|---|---|---|---|---|"
		for series in $(cut -d' ' -f1 all | uniq); do
			sed -n "s/^$series \($way .*\)/\1/p" all >lines
			summary_row "$series"
		done
		sed -n "s/^[^ ]* \($way .*\)/\1/p" all >lines
		summary_row all
	done
	rm -r "$at"
}

usage()
{
	sed -n '/^#  /s/^# *//p' "$0" >&2
	exit 2
}

[ $# -ge 2 ] || usage
what=$1
shift
case $what in
--measure)
	[ $# -ge 2 ] || usage
	mkdir -p "$1"
	dir=$(cd "$1" && pwd)
	pas2p=$(realpath "$(command -v "$pas2p")")
	shift
	outcome=0
	measure "$@" || outcome=1
	tables
	exit $outcome
	;;
--predict)
	pas2p=$(realpath "$(command -v "$pas2p")")
	for series in "$@"; do
		(cd "$series" && predict)
	done
	;;
--table) table "$@" ;;
--summary) summary "$@" ;;
*) usage ;;
esac
