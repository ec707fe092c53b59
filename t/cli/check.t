#!/bin/sh
# pas2p check counts what it lists by its level: warnings, errors, notes. Clock violations are as many as in the overview and in pas2p clocks: those of
# little are notes and no finding, those of much are warnings and one.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME

for trace in lu.S.4:37 cg.S.4:317 anysrc.5:4 latesender.4:0; do
	file=sample-traces/${trace%%:*}.clog2
	count=${trace#*:}
	run_ok "check $file" "$PAS2P" check "$file"
	cp "$OUT" "$TMP/check"
	if [ "$count" -gt 0 ]; then
		like "$(tail -n 1 "$OUT")" "^0 warnings, 0 errors, [0-9]+ notes?$" 'counts notes'
		like "$(cat "$OUT")" "^note: clock-violation \($count\): " 'has clock violations among them'
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
/^ *note: / { seen["note"] += number() } /^ *warning: / { seen["warning"] += number() } /^ *error: / { seen["error"] += number() }
function number() { return match($0, "[(][0-9]+[)]") ? substr($0, RSTART + 1, RLENGTH - 2) : 0 }
{ last = $0 }'
for file in sample-traces/*.clog2 t/metrics/clocks.clog2.gz; do
	"$PAS2P" check "$file" >"$OUT" 2>"$ERR"
	is "$(awk "$counted"'END { printf "%d %d %d\n", seen["warning"], seen["error"], seen["note"] }' "$OUT")" \
		"$(awk "$counted"'END { printf "%d %d %d\n", n("warning", last), n("error", last), n("note", last) }' "$OUT")" "$file: the counts are those of the list"
	"$PAS2P" info "$file" 2>"$ERR" | sed -n 's/^Issues */ /;/^ [0-9]/,/^$/p' >"$TMP/info"
	is "$(awk "$counted"'END { printf "%d %d %d\n", seen["warning"], seen["error"], seen["note"] }' "$TMP/info")" \
		"$(head -n 1 "$TMP/info" | awk "$counted"'END { printf "%d %d %d\n", n("warning", last), n("error", last), n("note", last) }')" "$file: as are those of info"
done
file=t/metrics/clocks.clog2.gz
run_fails 1 'clocks that are far apart' "$PAS2P" check "$file"
like "$(cat "$OUT")" '^warning: clocks-apart \(1\): ' 'are a finding'
like "$(tail -n 1 "$OUT")" '^1 warning, 0 errors, ' 'counted as what they are'
run_ok 'another command' "$PAS2P" phases "$file"
is "$(sed -n 1p "$ERR")" 'pas2p: 1 clock violation' 'counts it'
like "$(sed -n 2p "$ERR")" "^hint: .*pas2p check $file$" 'and has the command that lists it'
run_ok 'the overview' "$PAS2P" "$file"
like "$(cat "$OUT")" '^warnings +1 clock violation$' 'too'
like "$(cat "$OUT")" '# check the warnings' 'and sends a person there'

run_ok 'a trace without issues' "$PAS2P" check sample-traces/ep.S.4.clog2
is "$(cat "$OUT")" '0 warnings, 0 errors, 0 notes' 'says so'
done_testing
