#!/bin/sh
# pas2p diff from the command line: the verdict decides the exit status, since continuous integration hangs on it; every format has the
# documented keys and columns in their order; local files are told apart by a lone colon; and what cannot be compared is refused with a sentence.
# The comparison itself is tested where it is made.
. t/lib/lib.sh

cg=sample-traces/cg.S.4.clog2
lu=sample-traces/lu.S.4.clog2
XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME

# Verdicts.
run_ok 'a run and itself' "$PAS2P" diff -q "$cg" "$cg"
like "$(cat "$OUT")" '^verdict +identical: same events and sizes$' 'are identical'
like "$(cat "$OUT")" '^edits +0: 0 removed, 0 added; 0 resized \(0 by far\)$' 'without edits'
run_fails 1 'two programs' "$PAS2P" diff -q "$cg" "$lu"
like "$(cat "$OUT")" '^verdict +structure: different events$' 'differ in structure'
like "$(cat "$OUT")" '^first difference +tick 1, rank 0$' 'from the second tick on'
like "$(cat "$OUT")" '^not recorded  ' 'and the table ends with the time that no phase has'
cp "$OUT" "$TMP/one"
run_fails 1 'on one thread' "$PAS2P" diff -q --threads 1 "$cg" "$lu"
ok 'the same' cmp "$TMP/one" "$OUT"
run_fails 1 'other numbers of processes' "$PAS2P" diff -q "$cg" sample-traces/coll.6.clog2
like "$(cat "$OUT")" '^verdict +processes: different numbers of processes$' 'are a verdict of their own'
head -c 1500000 "$cg" >"$TMP/cut.clog2"
run_fails 4 'a damaged trace is told' "$PAS2P" diff -q "$cg" "$TMP/cut.clog2"
like "$(cat "$OUT")" '^verdict  ' 'after what could be compared'
run_fails 3 'a file that is not there' "$PAS2P" diff -q "$cg" "$TMP/none.clog2"

# Operands.
local="sample-traces/unfinalized.m240.abortme.rank000"
run_ok 'local files' "$PAS2P" diff -q "${local}0.clog2" "${local}1.clog2" : "${local}0.clog2" "${local}1.clog2"
like "$(cat "$OUT")" '^verdict +identical: same events and sizes$' 'on both sides of a colon'
run_fails 2 'one file' "$PAS2P" diff "$cg"
like "$(cat "$ERR")" "separate the files of the runs with ':'" 'what to give instead is said'
run_fails 2 'three files without a colon' "$PAS2P" diff "$cg" "$cg" "$cg"
run_fails 2 'a colon with nothing before it' "$PAS2P" diff : "$cg"
run_fails 2 'two colons' "$PAS2P" diff "$cg" : "$cg" : "$cg"
run_fails 2 'both lists' "$PAS2P" diff --edits --hunks "$cg" "$lu"
run_fails 2 'edits by phases alone' "$PAS2P" diff --phases-only --edits "$cg" "$lu"
run_fails 2 'a tolerance that is no share' "$PAS2P" diff --tolerance x "$cg" "$lu"

# Tolerance, and phases alone.
run_ok 'as long as itself' "$PAS2P" diff -q --tolerance 0 "$cg" "$cg"
run_ok 'a table' "$PAS2P" phases -q --content -f yaml -o "$TMP/cg.yaml" "$cg"
run_ok 'stands for its trace' "$PAS2P" diff -q --phases-only "$cg" "$TMP/cg.yaml"
like "$(cat "$OUT")" '^verdict +identical: same events and sizes \(phases only\)$' 'by phases alone'
run_fails 1 'and is another than another' "$PAS2P" diff -q --phases-only "$TMP/cg.yaml" "$lu"
run_fails 2 'but it has no events' "$PAS2P" diff -q "$cg" "$TMP/cg.yaml"
sed 's/^  aet: .*/  aet: 1.0/' "$TMP/cg.yaml" >"$TMP/slow.yaml"
run_ok 'a longer run' "$PAS2P" diff -q --phases-only "$TMP/cg.yaml" "$TMP/slow.yaml"
run_fails 1 'is beyond a tolerance' "$PAS2P" diff -q --phases-only --tolerance 50% "$TMP/cg.yaml" "$TMP/slow.yaml"
run_ok 'a table without content' "$PAS2P" phases -q -f yaml -o "$TMP/plain.yaml" "$cg"
run_fails 3 'cannot be compared' "$PAS2P" diff -q --phases-only "$cg" "$TMP/plain.yaml"
like "$(cat "$ERR")" 'phases --content' 'and how it can is said'

# Lists.
run_fails 1 'edits as CSV' "$PAS2P" diff -q --edits --effort 20000 -f csv "$cg" "$lu"
is "$(head -1 "$OUT")" 'rank,removed,added,resized,resized_far' 'have the documented columns'
is "$(awk -F, 'NR > 1 && $2 != ""' "$OUT" | wc -l)" 4 'and a row a process'
run_fails 1 'with little effort' "$PAS2P" diff -q --edits --effort 5 "$cg" "$lu"
is "$(grep -c 'more than 5' "$OUT")" 4 'every process says that it is beyond'
run_fails 1 'hunks' "$PAS2P" diff -q --hunks --effort 20000 "$cg" "$lu"
is "$(sed -n '1s/ .*//p; 2s/ .*//p; 3s/ [0-9].*//p' "$OUT" | xargs)" '--- +++ @@ tick' 'look like a unified diff'
is "$(grep -cE '^-[0-3] ' "$OUT") $(grep -cE '^\+[0-3] ' "$OUT")" \
	"$("$PAS2P" diff -q --edits --effort 20000 -f csv "$cg" "$lu" | awk -F, 'NR > 1 { r += $2; a += $3 } END { print r, a }')" \
	'with as many lines as there are edits'
run_fails 1 'hunks as CSV' "$PAS2P" diff -q --hunks --effort 20000 -f csv "$cg" "$lu"
is "$(head -1 "$OUT")" 'hunk,change,rank,type,size_a,size_b,tick_a,tick_b' 'have the documented columns'
# For people the table fits a screen, and says what is not there.
run_fails 1 'two programs' "$PAS2P" diff "$cg" "$lu"
is "$(awk 'length($0) > 80' "$OUT")" '' 'no line is longer than 80 columns'
like "$(cat "$OUT")" '^not shown: S, time A, time B, rank; --format csv shows all$' 'what is left out is said'
like "$(cat "$OUT")" '^A             B   n A  n B  change  weight  compute    rest  name$' 'the rest is there'
like "$(cat "$OUT")" '^3             -   416    -  .*  pair exchange \.\.\.$' 'with names, cut to what room there is'
ok 'nothing is -0' sh -c '! grep -Eq -- " -0\.0+( |\$)" "$1"' - "$OUT"

run_fails 1 'groups as CSV' "$PAS2P" diff -q -f csv "$cg" "$lu"
is "$(head -1 "$OUT")" 'a,b,similarity,weight_a,weight_b,time_a,time_b,change,by_weight,by_compute,by_rest,rank,name_a,name_b,same_kind' 'have the documented columns'

# Phases of one shape that do something else.
other=sample-traces/anysrc.5.clog2
run_fails 1 'workers and sweeps' "$PAS2P" diff -q "$other" "$lu"
like "$(tr '\n' ' ' <"$OUT" | tr -s ' ')" 'note: phase 21 \(workers of 0\) is matched with phase 5 \(sweep from 0\), which does something else' 'are said to be of another kind'
run_fails 1 'as CSV' "$PAS2P" diff -q -f csv "$other" "$lu"
like "$(cat "$OUT")" '^21,5,.*,workers of 0,sweep from 0,false$' 'it is a column'
run_ok 'a table with names' "$PAS2P" phases -q --content -f yaml -o "$TMP/other.yaml" "$other"
run_fails 1 'in place of the trace' "$PAS2P" diff -q --phases-only -f csv "$TMP/other.yaml" "$lu"
like "$(cat "$OUT")" '^21,5,.*,workers of 0,sweep from 0,false$' 'says the same'
sed '/^ *name: /d; /^ *kinds: /d' "$TMP/other.yaml" >"$TMP/nameless.yaml"
run_fails 1 'without names' "$PAS2P" diff -q --phases-only -f csv "$TMP/nameless.yaml" "$lu"
like "$(cat "$OUT")" '^21,5,.*,,sweep from 0,$' 'nothing is known'
sed '/^ *name: /d' "$TMP/other.yaml" >"$TMP/kinds_only.yaml"
run_fails 1 'with kinds, but without names' "$PAS2P" diff -q --phases-only "$TMP/kinds_only.yaml" "$lu"
unlike "$(cat "$OUT")" 'null|something else' 'nothing is known either'
sed 's/^\( *name: \)"*workers of 0"*$/\1"workers_of_no_rank_that_is_known"/' "$TMP/other.yaml" >"$TMP/long.yaml"
run_fails 1 'a long word for a name' env COLUMNS=70 "$PAS2P" diff -q --phases-only "$TMP/long.yaml" "$lu"
like "$(cat "$OUT")" '  workers_of[a-z_]+ \.\.\.$' 'is cut where the room ends'
run_fails 1 'in 60 columns' env COLUMNS=60 "$PAS2P" diff -q "$other" "$lu"
like "$(cat "$OUT")" '^not shown: S, n A, n B, time A, time B, rank, name; --format csv shows all$' 'one line says what is not shown'
unlike "$(cat "$OUT")" 'left out' 'and no other'
run_ok 'one run and itself' "$PAS2P" diff -q "$lu" "$lu"
unlike "$(cat "$OUT")" 'something else' 'is of the same'

# Documents.
if command -v python3 >/dev/null; then
	keys() {
		python3 -c "import json, sys; print(' '.join(json.load(open(sys.argv[1]))$2))" "$1"
	}
	run_fails 1 'json' "$PAS2P" diff -q -f json "$cg" "$lu"
	is "$(keys "$OUT" '')" 'diff a b verdict first edits hunks groups others outside change' 'has the documented keys in order'
	is "$(keys "$OUT" "['a']")" 'file processes aet' 'of a side'
	is "$(keys "$OUT" "['first']") $(keys "$OUT" "['first']['a']")" 'tick rank a b type size' 'of the first difference'
	is "$(keys "$OUT" "['edits'][0]")" 'rank edits removed added resized resized_far' 'of edits'
	is "$(keys "$OUT" "['groups'][0]")" 'a b similarity weight time compute change rank name' 'of a group of one side'
	run_ok 'json of a run and itself' "$PAS2P" diff -q -f json "$cg" "$cg"
	is "$(keys "$OUT" "['groups'][0]")" 'a b similarity weight time compute change by_weight by_compute by_rest rank name same_kind' 'of a group'
	run_fails 1 'json of other numbers of processes' "$PAS2P" diff -q -f json "$cg" sample-traces/coll.6.clog2
	is "$(keys "$OUT" '')" 'diff a b verdict first groups others outside change' 'has neither edits nor hunks'
	run_fails 1 'with lines' "$PAS2P" diff -q --hunks --effort 20000 -f json "$cg" "$lu"
	is "$(keys "$OUT" "['hunks'][0]")" 'a b removed added resized lines' 'a hunk has them'
else
	skip 12 'no python3'
fi
run_fails 1 'yaml' "$PAS2P" diff -q -f yaml "$cg" "$lu"
is "$(grep -oE '^[a-z]+' "$OUT" | xargs)" 'diff a b verdict first edits hunks groups others outside change' 'has the same keys'

done_testing
