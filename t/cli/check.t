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
		like "$(cat "$OUT")" "^remark: clock-violation \($count\): " 'as the list has them'
	else
		unlike "$(cat "$OUT")" 'clock-violation' 'has none'
	fi
	"$PAS2P" "$file" </dev/null >"$OUT" 2>"$ERR"
	is "$(sed -n 's/^warnings  *\([0-9 ]*\) clock violations.*/\1/p' "$OUT")" "$([ "$count" -eq 0 ] || echo "$count")" 'the overview has as many'
	"$PAS2P" clocks -q "$file" >"$OUT" 2>"$ERR"
	like "$(head -n 1 "$OUT")" " $count clock violations" 'so has clocks'
done
bad=
for file in sample-traces/*.clog2; do
	"$PAS2P" check "$file" >"$OUT" 2>"$ERR"
	! tail -n 1 "$OUT" | grep '^clean' || ! tail -n 1 "$OUT" | grep -q '[0-9]' || bad="$bad $file"
done
is "$bad" '' 'nothing is clean that has something'
done_testing
