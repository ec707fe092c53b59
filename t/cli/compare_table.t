#!/bin/sh
# An evaluation as one command: compare --table has a row for each result, with the columns of the thesis. People judge the method by its
# errors, so there is none without a measured run time, it is computed of what was measured, and what a result does not say is absent. What
# compare says that differs between results is what differs. Results are made by hand.
. t/lib/lib.sh

laptop=t/runner/results/lu.S.4.laptop.yaml
node9=t/runner/results/lu.S.4.node9.yaml
made() { # NAME FILE SED-COMMAND...: a result that differs from another one
	name=$1 from=$2
	shift 2
	sed "$@" "$from" >"$TMP/$name.yaml"
}
cell() { # ROW COLUMN: of the CSV in $OUT
	awk -F, -v row="$1" -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == row + 1 { print $c }' "$OUT"
}

# The page and the help.
run_ok 'results of several programs' "$PAS2P" compare --table t/runner/results/*.yaml
cp "$OUT" "$TMP/page"
cmp_golden "$OUT" t/cli/compare/table.txt 'each has its row'
run_ok 'the help' "$PAS2P" compare --help
example=$(sed -n 's/^  pas2p \(compare --table .*yaml\)  .*/\1/p' "$OUT")
run_ok "its example: pas2p $example" sh -c "\"\$PAS2P\" $example"
is "$(wc -l <"$OUT")" 7 'has a row for each result, and the titles'
for abbreviation in SET PET PETE AET; do
	like "$("$PAS2P" help compare)" "\($abbreviation\)" "the page says which column is $abbreviation"
	unlike "$(head -n 1 "$TMP/page")" "(^| )$abbreviation( |\$)" "the heading says it in words"
done

# Figures.
run_ok 'as csv' "$PAS2P" compare --table -f csv "$laptop" "$node9"
is "$(head -n 1 "$OUT")" 'application,processes,nodes,similarity,order,set,set_share,pet,pete,aet,pet_scaled,pete_scaled' 'has the columns'
is "$(sed -n 2p "$OUT")" 'lu.S.4,4,1,phase,pas2p,0.0017437654533333335,0.07926206606060607,0.019836386167333332,0.0983460833030303,0.022,0.021453008113547865,0.024863267566006094' 'and the figures'
is "$(cell 2 pete)" 0.10242597689075636 'the error is |PET - AET| / AET, not what the file says (0.1), and of the unscaled PET with windows, too'
"$PAS2P" compare -f csv "$laptop" >"$TMP/phases.csv"
is "$(sed -n 2p "$TMP/phases.csv" | cut -d, -f8,9,11-13)" \
	"$(cell 1 set),$(cell 1 pet),$(cell 1 aet),$(cell 1 pete),$(cell 1 set_share)" 'the same that compare has without --table'

# Without a measured run time there is no error: not of the traced run, and not of 0.
made unmeasured "$laptop" -e '/^  aet: 0.022$/d' -e '/aet_from/d' -e '/^  pete/d' -e '/^  set_share/d'
made zero "$laptop" -e 's/^  aet: 0.022$/  aet: 0/'
made claimed "$laptop" -e '/^  aet: 0.022$/d' -e '/aet_from/d'
for name in unmeasured zero claimed; do
	like "$(cat "$TMP/$name.yaml")" '^  aet: 0\.0156' "$name: the traced run has a time"
	run_ok "$name: csv" "$PAS2P" compare --table -f csv "$TMP/$name.yaml"
	is "$(sed -n 2p "$OUT")" 'lu.S.4,4,1,phase,pas2p,0.0017437654533333335,,0.019836386167333332,,,0.021453008113547865,' "$name: nothing where run time, share and error are"
	run_ok "$name: json" "$PAS2P" compare --table -f json "$TMP/$name.yaml"
	like "$(cat "$OUT")" '"set_share": null, "pet": 0.01[0-9]*, "pete": null, "aet": null, "pet_scaled": 0.02[0-9]*, "pete_scaled": null}' "$name: null"
	run_ok "$name: table" "$PAS2P" compare --table "$TMP/$name.yaml"
	like "$(tail -n 1 "$OUT")" ' 0.001744 s +- +0.019836 s +- +- +0.021453 s +-$' "$name: dashes"
done
made far "$laptop" -e 's/^  aet: 0.022$/  aet: 0.0001/'
run_ok 'a prediction that is far off' "$PAS2P" compare --table "$TMP/far.yaml"
like "$(tail -n 1 "$OUT")" ' 17 times  +0.019836 s  197 times  0.000100 s +0.021453 s +214 times$' 'is off by a factor'

# Nodes, settings.
made two "$node9" -e 's/^  nodes: 1$/  nodes: 2/'
made unknown "$node9" -e 's/^  nodes: 1$/  nodes: 0/'
made bbp "$laptop" -e 's/^  similarity: phase$/  similarity: bbp/' -e 's/^  order: pas2p$/  order: lamport/'
run_ok 'several nodes' "$PAS2P" compare --table -f csv "$TMP/two.yaml" "$TMP/unknown.yaml" "$TMP/bbp.yaml"
is "$(cell 1 nodes)" 2 'two nodes are two'
is "$(cell 2 nodes)" '' 'what is not known is absent'
is "$(cell 2 similarity)$(cell 2 order)" '' 'so are settings of an older result'
is "$(cell 3 similarity) $(cell 3 order)" 'bbp lamport' 'others are those of the result'
run_ok 'as a table' "$PAS2P" compare --table "$TMP/unknown.yaml"
like "$(tail -n 1 "$OUT")" '^lu.S.4 +4 +- +- +- +0.0' 'with dashes'

# Names are shown, never obeyed.
made evil "$laptop" -e 's/^application: .*/application: "\\e[31mred\\u202e,\\"x\\"\\n\\u00e9"/'
for format in table csv json yaml; do
	run_ok "a name of control characters: $format" "$PAS2P" compare --table -f "$format" "$TMP/evil.yaml"
	is "$(LC_ALL=C tr -d '\n\40-\176' <"$OUT" | od -An -tx1 | tr -d ' \n')" efbfbdefbfbdefbfbdc3a9 "$format: three replaced characters and the letter"
	ok "$format: it begins no line" test "$(wc -l <"$OUT")" = "$(case $format in table | csv) echo 2 ;; json) echo 3 ;; yaml) echo 1 ;; esac)"
done

# Widths.
for width in 40 80 100 114; do
	run_ok "$width columns" env "COLUMNS=$width" "$PAS2P" compare --table t/runner/results/*.yaml
	ok 'fits' test "$(grep -v 'left out' "$OUT" | awk '{ if (length > most) most = length } END { print most }')" -le "$width"
done
run_ok '80 columns' env COLUMNS=80 "$PAS2P" compare --table t/runner/results/*.yaml
is "$(head -n 1 "$OUT")" 'application  processes  signature time  predicted time    error    run time' 'have what an evaluation needs'
is "$(tail -n 1 "$OUT")" '(6 of 12 columns are left out; COLUMNS=149 or --format json shows them)' 'and say what is left out'

# What is wrong.
run_ok 'into a file' "$PAS2P" compare --table -f csv -o "$TMP/out.csv" "$laptop"
is "$(wc -l <"$TMP/out.csv")" 2 'which has it'
run_fails 6 'onto a full disk' sh -c '"$PAS2P" compare --table "$1" >/dev/full' sh "$laptop"
run_fails 2 'no result' "$PAS2P" compare --table
run_fails 2 'a trace' "$PAS2P" compare --table sample-traces/cg.S.4.clog2
run_fails 3 'a file that is not there' "$PAS2P" compare --table "$TMP/nowhere.yaml"
head -n 30 "$laptop" >"$TMP/cut.yaml"
made negative "$laptop" -e 's/^  aet: 0.022$/  aet: -1/'
made nan "$laptop" -e 's/^  pet: .*/  pet: .nan/'
made newer "$laptop" -e 's/^pas2p_result: 1/pas2p_result: 9/'
for name in cut negative nan newer; do
	run_fails 3 "a result that is wrong: $name" "$PAS2P" compare --table "$laptop" "$TMP/$name.yaml"
	is "$(cat "$OUT")" '' "$name: nothing is printed"
	like "$(cat "$ERR")" "^pas2p: .*$name.yaml: (line [0-9]+: )?" "$name: its place is named"
done
run_fails 2 'an option of another command' "$PAS2P" phases --table sample-traces/cg.S.4.clog2

# What differs between results.
made events "$laptop" -e 's/events: 0.8/events: 0.9/'
made cpus "$laptop" -e 's/allowed: .*/allowed: "0-1"/'
made both "$laptop" -e 's/allowed: .*/allowed: "0-1"/' -e 's/^  order: pas2p$/  order: lamport/'
sed -i 's/^label: .*/label: ""/' "$TMP/events.yaml"
heads() { # TEXT RESULT...
	text=$1
	shift
	run_ok "heading: $text" "$PAS2P" compare "$@"
	is "$(head -n 1 "$OUT")" "$text" 'is what differs'
}
heads '1 result of lu.S.4' "$laptop"
heads '2 results of lu.S.4: repetitions' "$laptop" "$laptop"
heads '2 results of lu.S.4: settings differ' "$laptop" "$TMP/events.yaml"
like "$(cat "$OUT")" '^events 0\.9 ' 'the one without a label is called by them'
made lamport "$TMP/events.yaml" -e 's/^  order: pas2p$/  order: lamport/'
heads '2 results of lu.S.4: settings differ' "$TMP/lamport.yaml" "$TMP/events.yaml"
like "$(cat "$OUT")" '^lamport  ' 'of a choice only the word'
made older "$TMP/events.yaml" -e '/^analysis:/,/^  warmup/d'
heads '3 results of lu.S.4: settings differ' "$TMP/lamport.yaml" "$TMP/events.yaml" "$TMP/older.yaml"
like "$(cat "$OUT")" '^rerun on cpus 0-3  ' 'one that says no settings is called by mechanism and processors'
heads '2 results of lu.S.4: mappings differ' "$laptop" "$TMP/cpus.yaml"
heads '2 results of lu.S.4: mappings and settings differ' "$laptop" "$TMP/both.yaml"
like "$(cat "$OUT")" ': made with order lamport instead of pas2p: phases that ' 'and a line says which settings'
heads '2 results of lu.S.4: machines and mappings differ' "$laptop" "$TMP/two.yaml"
heads '6 results: traces and numbers of processes differ' sample-studies/sweep.*.half.yaml
run_ok 'yaml' "$PAS2P" compare -f yaml "$laptop" "$TMP/both.yaml"
is "$(head -n 1 "$OUT")" 'compares: "mappings, settings"' 'has them, too'

# A series of bench/prediction.sh.
mkdir -p "$TMP/series/lu/two-cores.replay" "$TMP/series/lu/failed"
echo 'lu, two cores, replay' >"$TMP/series/lu/two-cores.replay/name"
echo 'lu, failed' >"$TMP/series/lu/failed/name"
cp "$node9" "$TMP/series/lu/two-cores.replay/1.yaml"
cp "$TMP/unmeasured.yaml" "$TMP/series/lu/two-cores.replay/2.yaml"
run_ok 'a series as a table' bench/prediction.sh --table "$TMP/series"
is "$(head -n 1 "$OUT")" 'lu, two cores, replay' 'is headed by its name'
is "$(sed -n '2,4p' "$OUT")" "$("$PAS2P" compare --table "$node9" "$TMP/unmeasured.yaml")" 'and is what compare prints'
unlike "$(cat "$OUT")" failed 'one without a result has no row'
run_ok 'with intervals' bench/prediction.sh --intervals "$TMP/series"
is "$(tail -n 1 "$OUT")" '| lu, two cores, replay | 0.0, - | -2.9, - | 9.3, - | 1 of 1 | 12605.0, - |' 'what was not measured is absent there as well'
run_fails 2 'without a folder' bench/prediction.sh --table

done_testing
