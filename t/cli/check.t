#!/bin/sh
# pas2p check counts what it found as what it is: a clock violation is one, in the same number as in the overview and in pas2p clocks, and nothing is
# called clean that is not. Violations of little are no finding, those of much are.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME

for trace in lu.S.4:37 cg.S.4:317 anysrc.5:4 latesender.4:0; do
	file=sample-traces/${trace%%:*}.clog2
	count=${trace#*:}
	run_ok "check $file" "$PAS2P" check "$file"
	cp "$OUT" "$TMP/check"
	if [ "$count" -gt 0 ]; then
		like "$(tail -n 1 "$OUT")" "^$count clock violations, 0 warnings, 0 places with damage, [0-9]+ remarks?$" 'counts clock violations'
		unlike "$(cat "$OUT")" '^clean' 'and is not clean'
		like "$(cat "$OUT")" "^clock-violation \($count\): " 'as the list has them'
	else
		unlike "$(cat "$OUT")" 'clock-violation' 'has none'
	fi
	"$PAS2P" "$file" </dev/null >"$OUT" 2>"$ERR"
	is "$(sed -n 's/^warnings  *\([0-9 ]*\) clock violations.*/\1/p' "$OUT")" "$([ "$count" -eq 0 ] || echo "$count")" 'the overview has as many'
	"$PAS2P" clocks -q "$file" >"$OUT" 2>"$ERR"
	like "$(head -n 1 "$OUT")" " $count clock violations" 'so has clocks'
done

# Each kind stands under the word that it is counted as, here and in info: no warning is listed above "0 warnings".
counted='function n(what, line,   x) { return match(line, "[0-9]+ " what) ? substr(line, RSTART, RLENGTH) + 0 : 0 }
/^ *clock-violation [(]/ || /^ *clock violation: / { seen["violation"] += number() } /^ *warning: / { seen["warning"] += number() }
/^ *damage: / { seen["damage"] += number() } /^ *remark: / { seen["remark"] += number() }
function number() { return match($0, "[(][0-9]+[)]") ? substr($0, RSTART + 1, RLENGTH - 2) : 0 }
{ last = $0 }'
for file in sample-traces/*.clog2 t/metrics/clocks.clog2.gz; do
	"$PAS2P" check "$file" >"$OUT" 2>"$ERR"
	is "$(awk "$counted"'END { printf "%d %d %d\n", seen["violation"], seen["warning"], seen["remark"] }' "$OUT")" \
		"$(awk "$counted"'END { printf "%d %d %d\n", n("clock violation", last), n("warning", last), n("remark", last) }' "$OUT")" "$file: the counts are those of the list"
	"$PAS2P" info "$file" 2>"$ERR" | sed -n '/^Warnings/,/^$/p' >"$TMP/info"
	is "$(awk "$counted"'END { printf "%d %d\n", seen["violation"], seen["warning"] }' "$TMP/info")" \
		"$(awk '/^Warnings/ { v = match($0, "[0-9]+ clock violation") ? substr($0, RSTART) + 0 : 0; printf "%d %d\n", v, $2 }' "$TMP/info")" "$file: likewise in info"
done
file=t/metrics/clocks.clog2.gz
run_fails 1 'clocks that are far apart' "$PAS2P" check "$file"
like "$(cat "$OUT")" '^clock violation: clocks-apart \(1\): ' 'are a finding'
like "$(tail -n 1 "$OUT")" '^1 clock violation, 0 warnings, ' 'counted as what they are'
run_ok 'another command' "$PAS2P" phases "$file"
like "$(cat "$ERR")" '^pas2p: 1 clock violation: .*pas2p check .* lists them$' 'says the same'
run_ok 'the overview' "$PAS2P" "$file"
like "$(cat "$OUT")" '^warnings +1 clock violation$' 'too'
like "$(cat "$OUT")" '# check the warnings' 'and sends a person there'

bad=
for file in sample-traces/*.clog2; do
	"$PAS2P" check "$file" >"$OUT" 2>"$ERR"
	! tail -n 1 "$OUT" | grep -q '^clean' || ! tail -n 1 "$OUT" | grep -q '[0-9]' || bad="$bad $file"
done
is "$bad" '' 'nothing is clean that has something'
done_testing
