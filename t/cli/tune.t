#!/bin/sh
# pas2p tune: a command that it prints shows exactly the phases and the coverage of its row, whatever options and config files the search
# had; all formats have the same rows; a level that no settings reach has a sentence and no row; the output does not depend on threads or
# ranks.
. t/lib/lib.sh
. t/lib/job.sh

XDG_CONFIG_HOME=$TMP/config
export XDG_CONFIG_HOME
mkdir -p "$TMP/config/pas2p"
lu=sample-traces/lu.S.4.clog2

# The commands of the levels of a JSON document, each behind what its row says.
rows_of() { # FILE
	awk '/^  "rows"/ { exit }
		{ key = $1; sub(/^ *"[a-z]*": /, ""); sub(/,$/, "") }
		key == "\"relevant\":" { relevant = $0 }
		key == "\"phases\":" { phases = $0 }
		key == "\"coverage\":" { coverage = $0 }
		key == "\"command\":" { gsub(/^"|"$/, ""); gsub(/\\"/, "\""); print phases, relevant, coverage, $0 }' "$1"
}

# as_said NAME TRACE OPTION...: each command gives what its row says.
as_said() {
	name=$1
	trace=$2
	shift 2
	run_ok "tune of $name" "$PAS2P" tune -q -f json "$@" "$trace"
	rows_of "$OUT" >"$TMP/rows"
	ok "tune of $name: there is a command" test -s "$TMP/rows"
	while read -r phases relevant coverage command; do
		sh -c "$command -q -f json" >"$TMP/table" 2>"$ERR" </dev/null || echo "failed: $command"
		is "$(grep -c '"weight":' "$TMP/table") $(grep -c '"relevant": true' "$TMP/table") $(sed -n 's/^ *"coverage": \(.*\),$/\1/p' "$TMP/table" | head -n 1 | cut -c1-12)" \
			"$phases $relevant $(printf %s "$coverage" | cut -c1-12)" "$name: ${command#*phases } is as its row says"
	done <"$TMP/rows"
}

as_said LU $lu
as_said CG sample-traces/cg.S.4.clog2
as_said 'LU in blocks' $lu --similarity bbp --order lamport
as_said 'any source' sample-traces/anysrc.5.clog2 --collectives ignore
as_said 'LU with other settings' $lu --absent different --phase-time slowest --representative first --volume 7.5%
as_said 'no config file' sample-traces/ft.S.4.clog2 --no-config
printf 'analysis:\n  order: lamport\n  thresholds: {volume: 0.11, relevance: 0.02}\npresets:\n  mine:\n    collectives: ignore\n' >"$TMP/config/pas2p/config.yaml"
as_said 'LU by a config file' $lu
as_said 'LU by a preset' $lu --preset mine
as_said 'LU beside a config file' $lu --no-config
cp $lu "$TMP/"'a $trace.clog2'
as_said 'a name to be quoted' "$TMP/"'a $trace.clog2'
rm "$TMP/config/pas2p/config.yaml"

run_ok 'for people' "$PAS2P" tune -q $lu
cp "$OUT" "$TMP/people"
like "$(cat "$OUT")" '^searched    volume, events, relevance, order and absent \([0-9]+ settings tried\); similarity phase and collectives events are kept' 'says what is searched'
like "$(cat "$OUT")" '^fewest phases at 90 %: 4 of 11 relevant, coverage 90.1 %, expected error 49.0 %' 'the fewest phases at a coverage'
like "$(cat "$OUT")" '^fewest phases at 98 %: no settings reach this coverage; the highest is 95.1 %$' 'a level that none reaches has a sentence'
like "$(cat "$OUT")" '^90 % +4 ' 'the row is marked'
unlike "$(cat "$OUT")" '^[0-9/]*98 %' 'and no row that is not there'
is "$(grep -c "^    $PAS2P phases " "$OUT")" 2 'two commands'
rows=$(sed '1,/^for /d' "$OUT" | wc -l)
run_ok 'with the times of the slowest' "$PAS2P" tune -q --preset thesis sample-traces/cg.S.4.clog2
like "$(cat "$OUT")" '^now .* coverage 1[0-9][0-9]\.[0-9] % of run time, slowest rank, expected error [0-9]+ %$' 'says what shares above 100 % are of'
like "$(cat "$OUT")" '^fewest phases at 90 %: .* expected error [0-9]+ times$' 'and large errors as factors'
run_ok 'as CSV' "$PAS2P" tune -q -f csv $lu
is "$(head -n 1 "$OUT" | tr -d '\r')" 'for,relevant,coverage,pete,off,set,phases,volume,compute,events,relevance,order,absent' 'has its columns'
is "$(sed 1d "$OUT" | wc -l)" "$rows" 'and as many rows'
is "$(cut -d, -f1 "$OUT" | sed 1d | grep . | tr '\r\n' '  ' | xargs)" '90 % 95 %' 'of which two are marked'
run_ok 'as JSON' "$PAS2P" tune -q -f json $lu
is "$(grep -c '"for"' "$OUT")" $((rows + 2)) 'has them too, and the levels that are reached'
is "$(sed -n 's/^ *"level": //p' "$OUT" | xargs)" '0.9, 0.95,' 'with their coverage'
run_ok 'as YAML' "$PAS2P" tune -q -f yaml $lu
is "$(grep -c '^- for:\|^  for:' "$OUT")" $((rows + 2)) 'the same'
run_ok 'of blocks' "$PAS2P" tune -q --similarity bbp $lu
like "$(cat "$OUT")" '^searched    volume, compute, relevance and order .*similarity bbp' 'the other threshold'
unlike "$(sed -n '/^for/p' "$OUT")" 'events|absent' 'without what decides nothing of them'

# Threads and ranks.
for n in 1 2 4; do
	run_ok "with $n threads" "$PAS2P" tune -q --threads $n $lu
	ok '  the same' cmp "$OUT" "$TMP/people"
done
LAUNCH=
for mpi in mpich openmpi; do
	[ -n "$LAUNCH" ] && break
	launcher $mpi
	[ -e "$(dirname "$PAS2P")/preload/libpas2p-job-$mpi.so" ] || LAUNCH=
done
if [ -n "$LAUNCH" ]; then
	run_ok 'as a job of three ranks' "$LAUNCH" -np 3 "$PAS2P" tune -q $lu
	ok '  the same' cmp "$OUT" "$TMP/people"
else
	skip 2 'no mpirun of an MPI that pas2p was built for'
fi

done_testing
