#!/bin/sh
# With `clocks: corrected` a command says of a trace what it would say of the file that `pas2p clocks --correct` writes, and that it does; without it,
# and where times are nothing to a command, not a byte is other than before.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
trace=sample-traces/cg.S.4.clog2

# What is of the files themselves, and the lines that say what was done.
of_file()
{
	sed -e "s,$1,FILE,g" -e "s,\`$(basename "$1" .clog2)\`,PROGRAM,g" -e "s,$(basename "$1"),FILE,g" -e "s,# $(basename "$1" .clog2),# PROGRAM," \
		-e 's/ --clocks corrected//' -e '/^- Clocks: /d' -e '/^| clocks | /d' -e '/^[Cc]locks/d' -e '/^File /,/^Format /d' -e '/^Records /d' \
		-e '/^| `FILE` | CLOG/d' -e '/clocks-corrected/d'
}

for one in cg.S.4 syncclk.4 pcontrol.4 is.S.4; do
	file=sample-traces/$one.clog2
	right=$TMP/right.clog2
	"$PAS2P" clocks -q --correct -o "$right" "$file" >/dev/null
	for command in info metrics 'metrics --by process' 'metrics --by state' 'metrics --by phase' 'metrics --by cause' 'report --format md' ''; do
		# shellcheck disable=SC2086 # words
		"$PAS2P" $command --clocks corrected "$file" 2>"$ERR" | of_file "$file" >"$TMP/setting"
		# shellcheck disable=SC2086
		"$PAS2P" $command "$right" 2>/dev/null | of_file "$right" >"$TMP/file"
		ok "$one, ${command:-overview}: says of it what it says of the file" cmp "$TMP/setting" "$TMP/file"
	done
done
ok 'there was something to say' test "$(wc -l <"$TMP/setting")" -gt 10

# Each says what was done.
run_ok 'info' "$PAS2P" info --clocks corrected "$trace"
like "$(cat "$OUT")" '^Clocks  *corrected: linear, largest shift 1.10 µs$' 'says that times were corrected, and by how much'
run_ok 'info, json' "$PAS2P" info --clocks corrected --format json "$trace"
like "$(tr -d ' \n' <"$OUT")" '"clocks":{"times":"corrected","method":"linear","largest":1.10250[0-9]*e-06,"left":0}' 'as a document, too'
run_ok 'metrics' "$PAS2P" metrics --clocks corrected "$trace"
is "$(sed -n 2p "$OUT")" 'clocks: corrected: linear, largest shift 1.10 µs' 'metrics says it'
run_ok 'metrics, rows' "$PAS2P" metrics --by state --clocks corrected "$trace"
is "$(sed -n 2p "$OUT")" 'clocks: corrected: linear, largest shift 1.10 µs' 'above rows, too'
run_ok 'metrics, several runs' "$PAS2P" metrics --clocks corrected "$trace" sample-traces/is.S.4.clog2 sample-traces/one_rank.1.clog2
is "$(grep -c '^        clocks: corrected: linear, ' "$OUT") $(grep -c '^        clocks: nothing to correct$' "$OUT")" '1 2' 'of each run for itself'
run_ok 'metrics, yaml' "$PAS2P" metrics --clocks corrected --format yaml "$trace"
like "$(cat "$OUT")" 'times: corrected' 'a document says it of the run'
run_ok 'metrics, csv' "$PAS2P" metrics --clocks corrected --format csv "$trace"
like "$(cat "$ERR")" 'cg.S.4.clog2: clocks: corrected: linear' 'rows do not, so stderr does'
run_ok 'metrics, csv, quiet' "$PAS2P" metrics -q --clocks corrected --format csv "$trace"
is "$(cat "$ERR")" '' 'unless it is to be quiet'
run_ok 'the overview' "$PAS2P" --clocks corrected "$trace"
like "$(grep '^clocks' "$OUT")" '^clocks  *corrected: linear, largest shift 1.10 µs$' 'says it'
like "$(cat "$OUT")" 'pas2p metrics --by cause --clocks corrected' 'what it recommends looks at the same times'
unlike "$(cat "$OUT")" 'pas2p phases --clocks' 'where that matters'
run_ok 'the overview of several' "$PAS2P" --clocks corrected "$trace" sample-traces/is.S.4.clog2
like "$(cat "$OUT")" '^    clocks: nothing to correct$' 'says it of each run'
run_ok 'a report' "$PAS2P" report --clocks corrected -o "$TMP/report.html" "$trace"
like "$(cat "$TMP/report.html")" 'Clocks: corrected: linear, largest shift 1.10 µs' 'a page says it'
like "$(cat "$TMP/report.html")" 'no-config --clocks corrected' 'and how it is made again'

# Nothing to correct is no error; nor is a trace that can be read in part only.
run_ok 'one process' "$PAS2P" info --clocks corrected sample-traces/one_rank.1.clog2
like "$(cat "$OUT")" '^Clocks  *nothing to correct$' 'has nothing to correct'
run_ok 'local files' "$PAS2P" info --clocks corrected sample-traces/unfinalized.m240.abortme.rank000?.clog2
like "$(cat "$OUT")" '^Clocks  *nothing to correct$' 'nor have these'
head -c 1500000 "$trace" >"$TMP/cut.clog2"
run_fails 4 'a cut trace' "$PAS2P" info --clocks corrected "$TMP/cut.clog2"
like "$(cat "$OUT")" '^Clocks  *corrected: ' 'is corrected as far as it goes'
"$PAS2P" clocks -q --correct -o "$TMP/right.clog2" "$trace" >/dev/null
run_ok 'a corrected file' "$PAS2P" info --clocks corrected "$TMP/right.clog2"
like "$(cat "$OUT")" '^Clocks  *corrected: linear$' 'still says what it is'
like "$(cat "$OUT")" '^  *nothing to correct$' 'and that there is nothing more to do'

# What goes by the file's times does not change with it, tables least of all.
for command in events bbps 'bbps --leaders' phases 'phases --format yaml' 'phases --structure' plan check; do
	# shellcheck disable=SC2086 # words
	"$PAS2P" $command "$trace" >"$TMP/file" 2>&1
	# shellcheck disable=SC2086
	"$PAS2P" $command --clocks corrected "$trace" >"$TMP/setting" 2>&1
	ok "$command: the same bytes" cmp "$TMP/setting" "$TMP/file"
done

# The usual value is as if it were not there; a config file sets it, the command line wins.
"$PAS2P" metrics "$trace" >"$TMP/file"
"$PAS2P" metrics --clocks file "$trace" >"$TMP/setting"
ok 'file: the same bytes' cmp "$TMP/setting" "$TMP/file"
unlike "$(cat "$TMP/file")" '^clocks' 'and nothing is said'
printf 'analysis: {clocks: corrected}\n' >"$TMP/pas2p.yaml"
run_ok 'a config file' "$PAS2P" info --config "$TMP/pas2p.yaml" "$trace"
like "$(cat "$OUT")" '^Clocks  *corrected' 'sets it'
run_ok 'the command line' "$PAS2P" info --config "$TMP/pas2p.yaml" --clocks file "$trace"
unlike "$(cat "$OUT")" '^Clocks' 'wins'
run_fails 2 'neither' "$PAS2P" info --clocks right "$trace"
like "$(cat "$ERR")" "clocks is 'right': expected file or corrected" 'is told so'
done_testing
