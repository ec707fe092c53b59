#!/bin/sh
# The sample traces give the counts, ticks, phases and coverage that an implementation written apart from this
# one found in them (t/method/traces.expected), so that reader and method are held to more than their own word. CG's
# known structure, one phase twice in every step and one once, must show as the weights 832 and 416.
. t/lib/lib.sh

# Sends, receives, collectives, lost sends, lost receives and ticks from the events' CSV.
count='
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{ n[$at["kind"]]++; if ($at["kind"] != "collective" && $at["match_rank"] == "") lost[$at["kind"]]++ }
$at["tick"] >= ticks { ticks = $at["tick"] + 1 }
END { printf "%d / %d / %d | %d + %d | %d\n", n["send"], n["receive"], n["collective"], lost["send"], lost["receive"], ticks }'

while IFS='|' read -r name ranks events lost lamport pas2p phases relevant coverage; do
	case $name in '#'*) continue ;; esac
	set -- $name $ranks $lamport $pas2p $phases $relevant $coverage
	file=sample-traces/$1
	run_ok "$1: events in pas2p order" "$PAS2P" events --no-config --quiet --format csv "$file"
	is "$(awk -F, "$count" "$OUT")" "$(echo $events '|' $lost '|' $4)" "$1: events, lost and pas2p ticks"
	run_ok "$1: events in lamport order" "$PAS2P" events --no-config -q --order lamport --format csv "$file"
	is "$(awk -F, "$count" "$OUT")" "$(echo $events '|' $lost '|' $3)" "$1: events, lost and lamport ticks"
	run_ok "$1: phases" "$PAS2P" phases --no-config --quiet --format yaml "$file"
	is "$(awk '
		$1 == "processes:" { ranks = $2 }
		$1 == "coverage:" { coverage = $2 }
		$1 == "-" && $2 == "id:" { phases++ }
		$1 == "relevant:" && $2 == "true" { relevant++ }
		END { printf "%d %d %d %.3f\n", ranks, phases, relevant, coverage }' "$OUT")" \
		"$2 $5 $6 $7" "$1: ranks, phases, relevant phases and coverage"
done <t/method/traces.expected

run_ok 'cg: phases as CSV' "$PAS2P" phases --no-config --format csv sample-traces/cg.S.4.clog2
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["relevant"] == "true" { print $at["weight"] }' "$OUT" |
	sort -n | tail -n 2 | xargs)" '416 832' 'cg: one phase twice in every step, one once'

done_testing
