#!/bin/sh
# Without a terminal, `pas2p FILE` prints the overview: in a pipe, in CI, in an editor's shell, that is what a person wants to see first of a run.
# It fits 80 columns, shows what was readable of damaged input with the damaged input's exit code, never breaks a terminal by what a trace or a
# file is called, and says commands that work as they are printed.
. t/lib/lib.sh

trace='sample-traces/cg.S.4.clog2'
XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME

# Called as a person would, by a name in the PATH.
ln -s "$PAS2P" "$TMP/pas2p"
PATH=$TMP:$PATH
PAS2P=pas2p

columns() { # of the longest line, in characters
	awk '{ if (length > most) most = length } END { print most + 0 }' "$1"
}
if [ "$(printf '█' | awk '{ print length }')" -ne 1 ]; then # mawk counts bytes
	columns() {
		sed 's/[█▓▒░▁▂▃▄▅▆▇·µ]/x/g' "$1" | awk '{ if (length > most) most = length } END { print most + 0 }'
	}
fi

# Two pages as they are.
for name in lu.S.4 userstates.3; do
	run_ok "$name: without a terminal" "$PAS2P" "sample-traces/$name.clog2"
	cmp_golden "$OUT" "t/cli/overview/$name.txt" "$name: its overview"
done
is "$(columns t/cli/overview/lu.S.4.txt)" 80 'the bar is as wide as the page'
run_ok 'in a pipe' sh -c '"$1" "$2" | cat' - "$PAS2P" "$trace"
like "$(cat "$OUT")" '^cg\.S\.4\.clog2   4 processes, 38\.2 ms, 13 452 events$' 'begins with what ran'
like "$(cat "$OUT")" 'loop structure        1 2 25\(3 2\*2\) 3 2 4 14\(2 25\(3 2\*2\) 3 2 5\) 2 25\(3 2\*2\) 3 2$' 'has its structure'
is "$(cat "$ERR")" '' 'and says nothing beside it'
run_ok 'in CI: no TERM, no input' env -u TERM "$PAS2P" "$trace"
cp "$OUT" "$TMP/ci"
run_ok 'again' "$PAS2P" -j 1 "$trace"
ok 'the same page' cmp "$OUT" "$TMP/ci"

# Every trace: no line too long but a command, and what is not known is not there.
bad=
for file in sample-traces/*.clog2; do
	"$PAS2P" "$file" </dev/null >"$OUT" 2>"$ERR" || bad="$bad $file: exit $?"
	grep -v '^  pas2p ' "$OUT" >"$TMP/page"
	[ "$(columns "$TMP/page")" -le 80 ] || bad="$bad $file: too wide"
	! grep -E -n 'nan|inf$|inf |-nan| -($|[ ,;])' "$OUT" || bad="$bad $file: a figure that is none"
	grep -q '^next steps$' "$OUT" || bad="$bad $file: nothing to do next"
done
is "$bad" '' 'every sample has a page of 80 columns'
run_ok 'a trace without MPI calls' "$PAS2P" sample-traces/thesis-cg.4.clog2
like "$(cat "$OUT")" '^time breakdown        unknown: the trace has no MPI calls, only messages$' 'says so'
unlike "$(cat "$OUT")" '^(parallel efficiency|longest wait|main cause|most computation) ' 'and nothing that would need them'
run_ok 'a trace of one process' "$PAS2P" sample-traces/one_rank.1.clog2
unlike "$(cat "$OUT")" '^most computation' 'has none that computes most'

# Commands work as printed.
cp "$trace" "$TMP/it's a \$(trace).clog2"
for args in "$trace" "--events 0.99 sample-traces/lu.S.4.clog2" "--relevance 20% sample-traces/lu.S.4.clog2"; do
	# shellcheck disable=SC2086 # several words
	"$PAS2P" $args </dev/null 2>"$ERR" >"$TMP/page"
	grep '^  pas2p ' "$TMP/page" >"$TMP/commands"
	# shellcheck disable=SC2086
	(PATH=$TMP:$PATH && set -e && . "$TMP/commands") >"$OUT" 2>"$ERR"
	is "$?" 0 "what '$args' says to do next can be done"
done
like "$(cat "$TMP/commands")" '^  pas2p phases --relevance 0\.' 'where too little is relevant, a threshold that helps'
unlike "$(cat "$TMP/commands")" '--relevance 0\.2 .*--relevance' 'is given once'
run_ok 'with settings' "$PAS2P" --volume 0.5 "$trace"
like "$(cat "$OUT")" "^  pas2p phases --volume 0\.5 $trace" 'its commands have them, too'
(cd "$TMP" && "./pas2p" "it's a \$(trace).clog2" </dev/null >page 2>/dev/null && grep '^  ./pas2p ' page >commands && . ./commands) >"$OUT" 2>&1
is "$?" 0 'a name that a shell would read otherwise is quoted'

# Names are data.
evil=$(printf 'a\033]0;evil\007\033[2J\342\200\256b')
cp "$trace" "$TMP/$evil.clog2"
"$PAS2P" "$TMP/$evil.clog2" </dev/null >"$OUT" 2>"$ERR"
is "$?" 0 'a name with escape sequences'
is "$(LC_ALL=C tr -d '\n -~\200-\377' <"$OUT")" '' 'none of them comes through'
ok 'nor what turns text round' sh -c '! grep -q "$(printf "\342\200\256")" "$1"' - "$OUT"
long=$(printf '%0200d' 1)
cp "$trace" "$TMP/$long.clog2"
"$PAS2P" "$TMP/$long.clog2" </dev/null >"$OUT" 2>"$ERR"
grep -v '^  pas2p ' "$OUT" >"$TMP/page"
ok 'a long name is cut' test "$(columns "$TMP/page")" -le 80
like "$(cat "$TMP/page")" '^\.\.\.0*1\.clog2   4 processes' 'in front of the figures'
cp "$trace" "$TMP/-h"
(cd "$TMP" && "./pas2p" ./-h </dev/null >page 2>&1 && cp page "$OUT")
like "$(cat "$OUT")" '^  \./pas2p phases \./-h' 'a name like an option stays a file'

# ASCII.
run_ok 'not UTF-8' env LC_ALL=C "$PAS2P" "$trace"
is "$(LC_ALL=C tr -d '\n -~' <"$OUT")" '' 'is ASCII'
cp "$OUT" "$TMP/ascii"
run_ok '--ascii' "$PAS2P" --ascii "$trace"
ok 'the same' cmp "$OUT" "$TMP/ascii"
printf 'ui:\n  ascii: true\n' >"$TMP/ascii.yaml"
run_ok 'ui.ascii of a config file' "$PAS2P" --config "$TMP/ascii.yaml" "$trace"
ok 'the same, too' cmp "$OUT" "$TMP/ascii"
cp "$trace" "$TMP/ä.clog2"
(cd "$TMP" && LC_ALL=C "./pas2p" ä.clog2 </dev/null >page 2>&1 && cp page "$OUT")
is "$(LC_ALL=C tr -d '\n -~' <"$OUT")" '' 'a name that is not ASCII is written otherwise'
(cd "$TMP" && grep '^  ./pas2p ' page >commands && command -v bash >/dev/null && bash ./commands) >"$OUT" 2>&1
is "$?" 0 'and the commands find the file all the same'

# Damaged, cut, and not a trace.
head -c 300000 sample-traces/lu.S.4.clog2 >"$TMP/cut.clog2"
run_fails 4 'a trace that is cut short' "$PAS2P" "$TMP/cut.clog2"
like "$(cat "$OUT")" '^warnings              the trace is damaged, so all values are of its readable$' 'shows what was readable, and says so'
like "$(cat "$OUT")" '^  pas2p check .*cut\.clog2' 'with what to do'
is "$(grep -c '^pas2p: ' "$ERR")" 2 'one sentence and one hint beside it'
run_fails 3 'what is not a trace' "$PAS2P" /etc/passwd
is "$(cat "$OUT")" '' 'nothing is printed'
is "$(wc -l <"$ERR")" 1 'but a sentence'
run_fails 3 'what is not there' "$PAS2P" "$TMP/no.clog2"
run_fails 2 'a setting that cannot be' "$PAS2P" --volume 7 "$trace"
if [ -w /dev/full ]; then
	"$PAS2P" "$trace" </dev/null >/dev/full 2>"$ERR"
	is "$?" 6 'a full disk'
fi

# Several runs; parts of one; results.
run_ok 'two runs' "$PAS2P" "$trace" sample-traces/lu.S.4.clog2
like "$(cat "$OUT")" '^cg\.S\.4\.clog2   4 processes' 'the overview is of the first'
is "$(sed -n '/^runs$/,$p' "$OUT" | grep -c 'parallel efficiency')" 2 'and a line for each'
like "$(cat "$OUT")" "^  pas2p metrics $trace sample-traces/lu\.S\.4\.clog2$" 'with what compares them'
is "$(columns "$OUT")" 80 'in 80 columns'
run_fails 3 'a run and what is none' "$PAS2P" "$trace" /etc/passwd
like "$(cat "$OUT")" '^cg\.S\.4\.clog2   4 processes' 'the first is shown all the same'
run_ok 'local files of one run' "$PAS2P" sample-traces/unfinalized.m240.abortme.rank000?.clog2
like "$(cat "$OUT")" '^\.\.\.finalized|^unfinalized.*rank0000\.clog2 and 3 more' 'are one'
unlike "$(cat "$OUT")" '^runs$' 'run'

# The program as it was called, in each command that is printed.
mkdir "$TMP/a b"
ln -s "$TMP/pas2p" "$TMP/a b/pas2p"
run_ok 'called by a path' "$TMP/a b/pas2p" "$trace"
like "$(cat "$OUT")" "^  '$TMP/a b/pas2p' metrics --by cause $trace$" 'commands begin with it, quoted'
run_fails 4 'damage, called by a path' "$TMP/a b/pas2p" "$TMP/cut.clog2"
like "$(cat "$ERR")" "^hint: '$TMP/a b/pas2p' check $TMP/cut\.clog2$" 'so does the hint'
run_ok 'metrics, called by a path' "$TMP/a b/pas2p" metrics "$trace"
like "$(tr -s ' \n' ' ' <"$OUT")" "'$TMP/a b/pas2p' metrics --before $trace NEW" 'and the diagnosis'
run_ok 'a result beside it' "$PAS2P" sample-traces/lu.S.4.clog2 t/runner/results/lu.S.4.laptop.yaml
is "$(cat "$ERR")" 'pas2p: note: the overview does not show results; use: pas2p compare t/runner/results/lu.S.4.laptop.yaml' 'is ignored, and that is said'

# Its options.
run_ok '-q -o' "$PAS2P" -q -o "$TMP/page" "$trace"
is "$(cat "$OUT")" '' 'nothing on stdout'
"$PAS2P" "$trace" </dev/null >"$OUT"
ok 'the page is in the file' cmp "$OUT" "$TMP/page"
run_ok '-f table' "$PAS2P" -f table "$trace"
ok 'is the same page' cmp "$OUT" "$TMP/page"
run_ok '-f csv' "$PAS2P" -f csv "$trace"
is "$(head -1 "$OUT")" 'fact,text' 'has the sentences as rows'
like "$(cat "$OUT")" '^warnings,317 clock violations$' 'by their names'
run_ok '-f json' "$PAS2P" -f json "$trace"
like "$(cat "$OUT")" '"fact": "title", "text": "cg\.S\.4\.clog2 ' 'as JSON, too'
like "$(cat "$OUT")" '"fact": "time", "text": "computation 19\.1 %, waiting 46\.9 %, transfer 33\.0 %, other 1\.0 %"' 'with the parts of the bar'
like "$(cat "$OUT")" '"fact": "structure", "text": "1 2 25\(3 2\*2\) 3 2 4 ' 'and the structure'
like "$(cat "$OUT")" '"fact": "pattern_times", "text": "73 % pair exchanges, 18 % transposes, 8 % broadcast"' 'the time by pattern'
is "$(sed -n 's/.*"fact": "reading", "text": "\(.*\)".*/\1/p' "$OUT")" "$("$PAS2P" phases -q -f json "$trace" | sed -n 's/^ *"reading": "\(.*\)",$/\1/p')" \
	'and the reading, complete'
run_ok '-f json of two runs' "$PAS2P" -f json "$trace" sample-traces/ep.S.4.clog2
like "$(cat "$ERR")" '^pas2p: this output is of the first run; for all runs use .* metrics -f json .*ep\.S\.4\.clog2$' 'says where the others are'
run_fails 2 '-o with the workbench' "$PAS2P" --plain -o "$TMP/page" "$trace"
like "$(cat "$ERR")" '^pas2p: -o needs a command' 'says what would do'
run_fails 2 '-f with the workbench' "$PAS2P" --plain -f csv "$trace"
if command -v script >/dev/null; then
	run_ok '-o on a terminal' script -qec "'$PAS2P' --no-config -o '$TMP/written' '$trace'" /dev/null
	ok 'writes the page, and opens nothing' grep -q '^phases ' "$TMP/written"
	run_ok '-f and -q on a terminal' script -qec "'$PAS2P' --no-config -q -f csv '$trace'" /dev/null
	like "$(head -n 1 "$OUT" | tr -d '\r')" '^fact,text$' 'print the rows'
else
	skip 4 'no script'
fi

# The script, which has a screen of its own, stays what it is.
echo q >"$TMP/script"
run_ok '--script without a terminal' "$PAS2P" --no-config --script "$TMP/script" "$trace"
unlike "$(cat "$OUT")" '^next steps$' 'is the workbench'

done_testing
