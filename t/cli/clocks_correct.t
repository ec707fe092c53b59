#!/bin/sh
# A trace is corrected only when that is asked for, into a file of its own, and both the report and the file say what was done: who looks at corrected
# times must know. What the method finds does not depend on times, so it must be the same before and after.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
trace=sample-traces/cg.S.4.clog2
right=$TMP/right.clog2

# Asked for in full, or not at all.
run_fails 2 'no file for it' "$PAS2P" clocks --correct "$trace"
like "$(cat "$ERR")" '--correct needs -o FILE' 'says so'
run_fails 2 'how, but not that' "$PAS2P" clocks --method clc "$trace"
like "$(cat "$ERR")" '--method needs --correct' 'says so'
run_fails 2 'how much, but not that' "$PAS2P" clocks --amortise 2% "$trace"
like "$(cat "$ERR")" '--amortise needs --correct' 'says so'
run_fails 2 'all of an interval' "$PAS2P" clocks --correct --amortise 100% -o "$right" "$trace"
run_fails 2 'a method that is none' "$PAS2P" clocks --correct --method magic -o "$right" "$trace"
ok 'none of these writes' test ! -e "$right"

# The report on stdout, the trace in the file; 0, since no violation is left.
run_ok 'correct' "$PAS2P" clocks --correct -o "$right" "$trace"
like "$(cat "$OUT")" '317 clock violations' 'the report is of the trace as it was'
like "$(cat "$OUT")" '^corrected: linear; .* records shifted by up to .* µs; 0 clock violations after the linear step' 'and says what was done'
run_ok 'no violation is left' "$PAS2P" clocks "$right"
run_ok 'info' "$PAS2P" info "$right"
like "$(cat "$OUT")" '^Clocks  *corrected: linear$' 'says that it is corrected'
run_ok 'info, json' "$PAS2P" info --format json "$right"
like "$(cat "$OUT")" '"clocks_corrected": "linear"' 'says so, too'
"$PAS2P" check "$right" >"$OUT"
like "$(cat "$OUT")" 'note: clocks-corrected' 'and check has a note'
"$PAS2P" info "$trace" >"$OUT"
unlike "$(cat "$OUT")" 'orrected' 'a trace as it was recorded says nothing of it'

# Once more: nothing.
run_ok 'correct again' "$PAS2P" clocks --correct -o "$TMP/again.clog2" "$right"
like "$(cat "$OUT")" '^the trace was already corrected: linear' 'says that it was'
like "$(cat "$OUT")" '^nothing to correct' 'has nothing to do'
ok 'and the file is the same' cmp "$right" "$TMP/again.clog2"

# The method sees no difference.
for one in cg.S.4 lu.S.4 syncclk.4 persist.4.m246; do
	for method in auto linear clc; do
		"$PAS2P" clocks -q --correct --method $method -o "$TMP/one.clog2" sample-traces/$one.clog2 >/dev/null
		for file in sample-traces/$one.clog2 "$TMP/one.clog2"; do
			"$PAS2P" events -q --format csv "$file" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "lt" || $i == "tick" || $i == "type") at[i] }
				{ line = ""; for (i in at) line = line "," $i; print line }' >"$TMP/events.$(basename "$file")"
			"$PAS2P" phases -q --format csv "$file" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "phase" || $i == "weight") at[i] }
				{ line = ""; for (i in at) line = line "," $i; print line }' | sort >"$TMP/phases.$(basename "$file")"
		done
		ok "$one, $method: logical times, ticks and types are the same" cmp "$TMP/events.$one.clog2" "$TMP/events.one.clog2"
		ok "$one, $method: phases have their weights" cmp "$TMP/phases.$one.clog2" "$TMP/phases.one.clog2"
	done
done
ok 'there were events' test "$(wc -l <"$TMP/events.one.clog2")" -gt 100
ok 'and columns of them' test "$(tail -1 "$TMP/events.one.clog2" | tr -dc , | wc -c)" -eq 3

# Violations may be left by half of it.
run_fails 1 'linear alone' "$PAS2P" clocks -q --correct --method linear -o "$TMP/one.clog2" sample-traces/syncclk.4.clog2
like "$(cat "$OUT")" '^[0-9]* clock violations remain' 'says what is left'
run_ok 'all of it' "$PAS2P" clocks -q --correct --format json -o "$TMP/one.clog2" sample-traces/syncclk.4.clog2
is "$(sed -n '/"correction"/,/}/s/^ *"\([a-z_]*\)":.*/\1/p' "$OUT" | xargs)" \
	'correction method violations_after_linear moved largest abrupt abrupt_worst broken' 'the document has its figures'
like "$(cat "$OUT")" '"method": "both"' 'and how'
run_ok 'csv' "$PAS2P" clocks --correct --method clc --format csv -o "$TMP/one.clog2" sample-traces/syncclk.4.clog2
like "$(head -1 "$OUT")" '^rank,' 'has rows'
like "$(cat "$ERR")" 'corrected: clc' 'and says the rest beside them'

# Local files become one whole trace.
run_ok 'local files' "$PAS2P" clocks -q --correct -o "$TMP/one.clog2" sample-traces/unfinalized.m240.abortme.rank000?.clog2
run_ok 'are a trace' "$PAS2P" info "$TMP/one.clog2"
like "$(cat "$OUT")" 'CLOG-02.44, big-endian, finalized' 'of one file'

# What cannot be written.
echo old >"$TMP/old"
run_fails 6 'a folder that is not there' "$PAS2P" clocks --correct -o "$TMP/no/such" "$trace"
run_fails 6 'a full disk' "$PAS2P" clocks --correct -o /dev/full "$trace"
run_fails 2 'over the trace itself' "$PAS2P" clocks --correct -o "$right" "$right"
run_fails 3 'a trace that is not there' "$PAS2P" clocks --correct -o "$TMP/old" "$TMP/missing"
is "$(cat "$TMP/old")" old 'the old file stands'

# Damage is borne, and said.
head -c 300000 "$trace" >"$TMP/cut.clog2"
run_fails 4 'a damaged trace' "$PAS2P" clocks -q --correct -o "$TMP/one.clog2" "$TMP/cut.clog2"
like "$(cat "$ERR")" 'is damaged' 'is said to be'
run_ok 'what was readable is there' "$PAS2P" info -q "$TMP/one.clog2"
done_testing
