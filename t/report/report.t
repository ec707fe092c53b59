#!/bin/sh
# pas2p report: a page of any trace, in both formats, is well-formed, says what is not known, and is the same whenever it is made. It is written
# whole or not at all, what was readable of a damaged trace is in it with a warning, and the command that it shows makes it again.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
md=md
trace=sample-traces/cg.S.4.clog2

# Rows of each Markdown table that have more or fewer columns than its head.
uneven() { # FILE
	sed 's/\\|//g' "$1" | awk '/^\|/ { n = gsub(/\|/, ""); if (last && n != last) print FILENAME ": line " NR; last = n; next } { last = 0 }'
}

# ---- every sample ----
for file in sample-traces/*.clog2; do
	case $file in */unfinalized*) continue ;; esac
	name=${file##*/}
	run_ok "$name as HTML" "$PAS2P" report -q --no-config -o "$TMP/page.html" "$file"
	run_ok "$name as Markdown" "$PAS2P" report -q --no-config --format md -o "$TMP/page.$md" "$file"
	if command -v xmllint >/dev/null; then
		ok "$name: well-formed" xmllint --noout "$TMP/page.html"
	else
		skip 1 'no xmllint'
	fi
	is "$(uneven "$TMP/page.$md")" '' "$name: the tables' columns are even"
	is "$(grep -c '^## ' "$TMP/page.$md")" 8 "$name: the Markdown has its sections"
	is "$(grep -c '<section' "$TMP/page.html")" 10 "$name: the page has them and the pictures over time"
	ok "$name: no number is none" sh -c '! grep -nE "[^a-z](nan|inf)[^a-z]" "$1" "$2"' sh "$TMP/page.html" "$TMP/page.$md"
	ok "$name: a page is small" test "$(wc -c <"$TMP/page.html")" -lt 300000
	ok "$name: nothing is loaded or run" sh -c '! grep -nE "<script|<img|<link|href=|url\(|@import| on[a-z]+=" "$1"' sh "$TMP/page.html"
done
run_ok 'local files are one run' "$PAS2P" report -q --no-config --format md sample-traces/unfinalized.*.clog2
is "$(grep -c '^| `sample-traces/unfinalized.* not finalized |' "$OUT")" 4 'each is listed'

# ---- the same whenever it is made ----
"$PAS2P" report --no-config "$trace" >"$TMP/one"
"$PAS2P" report --no-config -j 4 -o "$TMP/two" "$trace"
ok 'the same bytes, wherever they go and however many threads read' cmp "$TMP/one" "$TMP/two"
sed -n '/<h2>Reproduce this report/,$ { s/.*<pre>\(.*\)<\/pre>/\1/p }' "$TMP/one" >"$TMP/again"
like "$(cat "$TMP/again")" '^pas2p report .*cg.S.4.clog2$' 'it says how'
mkdir "$TMP/there"
ln -s "$PWD/sample-traces" "$TMP/there/sample-traces"
ln -s "$PAS2P" "$TMP/there/pas2p"
again() { # FILE
	(cd "$TMP/there" && PATH=$PWD:$PATH sh "$1")
}
again "$TMP/again"
ok 'and that makes it again' cmp "$TMP/one" "$TMP/there/report.html"
mkdir "$TMP/config"
printf 'analysis:\n  thresholds:\n    events: 60%%\n' >"$TMP/config/mine.yaml"
"$PAS2P" report --no-config --config "$TMP/config/mine.yaml" --relevance 2% --format md --title "it's \$(mine) & \"yours\"" "$trace" >"$TMP/mine" 2>"$ERR"
sed -n '/^## Reproduce this report/,$p' "$TMP/mine" | sed -n 's/^pas2p/pas2p/p' >"$TMP/again"
again "$TMP/again"
ok 'with settings of files and options, and a title that a shell would read' cmp "$TMP/mine" "$TMP/there/report.$md"
is "$(head -n 1 "$TMP/mine")" "# it's \\\$(mine) \\& \"yours\"" 'which is the title'
like "$(cat "$TMP/mine")" '^\| relevance \| 0.02 \| 0.01 \|' 'what is not as usual is said'

"$PAS2P" report --no-config --format md --bar 12.5% --serial 0.1 --before sample-traces/ep.S.4.clog2 "$trace" >"$TMP/mine" 2>"$ERR"
sed -n 's/^pas2p report/pas2p report/p' "$TMP/mine" >"$TMP/again"
again "$TMP/again"
ok 'with all options' cmp "$TMP/mine" "$TMP/there/report.$md"
like "$(cat "$TMP/mine")" '^Values below the goal of 12.5 % are poor' 'which it heeds'

# ---- what it says ----
"$PAS2P" report --no-config --format md "$trace" >"$TMP/md"
sed '/^## Run$/,/^## Loop structure/!d' "$TMP/md" >"$TMP/part"
cmp_golden "$TMP/part" t/report/cg.ran.md 'what ran'
sed '/^## Loop structure/,/^## Where/!d' "$TMP/md" >"$TMP/part"
cmp_golden "$TMP/part" t/report/cg.structure.md 'its structure'
sed '/^## Where the time went/,/^## Phases/!d' "$TMP/md" >"$TMP/part"
cmp_golden "$TMP/part" t/report/cg.time.md 'where its time went'
is "$(grep -c '^| [0-9]* | \(yes\|no\) ' "$TMP/md")" "$("$PAS2P" phases --no-config -q --format csv "$trace" | tail -n +2 | wc -l)" 'all phases of the list'
like "$(cat "$TMP/md")" '^- Time by pattern: 73 % pair exchanges, 18 % transposes, 8 % broadcast$' 'what kinds of patterns take'
"$PAS2P" phases --no-config -q --format csv "$trace" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["id"], $at["name"] }' | sort -n >"$TMP/names"
sed -n 's/^| \([0-9]*\) | \(yes\|no\) .* | \([^|]*\) |$/\1 \3/p' "$TMP/md" | sort -n >"$TMP/part"
ok 'phases have the names of the list' cmp "$TMP/names" "$TMP/part"
like "$(cat "$TMP/md")" "$(sha256sum "$trace" | cut -c 1-64)" 'the digest of the file'
"$PAS2P" metrics --no-config "$trace" >"$TMP/metrics"
for what in 'parallel efficiency' 'load balance'; do
	value=$(sed -n "s/^ *$what  *\([0-9.]* %\).*/\1/p" "$TMP/metrics" | head -n 1)
	like "$(cat "$TMP/md")" "^\| (–.)?$what \| (\*\*)?$value" "$what as pas2p metrics has it: $value"
done
run_ok 'a trace without calls' "$PAS2P" report -q --no-config --format md sample-traces/thesis-cg.4.clog2
like "$(cat "$OUT")" '^\| parallel efficiency \| - \|' 'its efficiency is not 0'
like "$(cat "$OUT")" '^Unknown: the trace has no MPI calls, only messages\.' 'and why is said'
unlike "$(cat "$OUT")" 'Efficiency factors' 'no factor stands there'

# ---- several runs, and results ----
run_ok 'several runs' "$PAS2P" report -q --no-config -o "$TMP/runs.html" sample-traces/one_rank.1.clog2 sample-traces/latesender.4.clog2 \
	sample-traces/coll.6.clog2
like "$(cat "$TMP/runs.html")" '<h2>Scaling</h2>' 'are compared'
is "$(grep -o 'Speedup by number of processes\|Efficiency by number of processes' "$TMP/runs.html" | sort -u | wc -l)" 2 'with their curves'
like "$(cat "$TMP/runs.html")" '<h1>coll.6</h1>' 'the report is about the one of the most processes'
! command -v xmllint >/dev/null || ok 'well-formed' xmllint --noout "$TMP/runs.html"
run_ok 'weak scaling' "$PAS2P" report -q --no-config --format md --scaling weak sample-traces/one_rank.1.clog2 sample-traces/latesender.4.clog2
like "$(cat "$OUT")" '^2 runs, weak scaling: ' 'is said'
like "$(cat "$OUT")" '^pas2p report --no-config --format md --scaling weak --output' 'and how to make it again'
run_ok 'with results' "$PAS2P" report -q --no-config -o "$TMP/results.html" sample-traces/lu.S.4.clog2 t/runner/results/lu.S.4.node7.yaml \
	t/runner/results/lu.S.4.laptop.yaml
like "$(cat "$TMP/results.html")" '<h2>Predictions</h2>' 'there are predictions'
! command -v xmllint >/dev/null || ok 'well-formed' xmllint --noout "$TMP/results.html"
run_ok 'with results, as Markdown' "$PAS2P" report -q --no-config --format md sample-traces/lu.S.4.clog2 t/runner/results/lu.S.4.node7.yaml
is "$(uneven "$OUT")" '' "the tables' columns are even"
run_ok 'a result of another trace' "$PAS2P" report -q --no-config --format md sample-traces/cg.S.4.clog2 t/runner/results/lu.S.4.node7.yaml
like "$(cat "$OUT")" '^> \*\*Warning:\*\* .* is of another trace' 'is told so'
run_fails 2 'a result alone' "$PAS2P" report t/runner/results/lu.S.4.node7.yaml
like "$(cat "$ERR")" 'is a result of pas2p run: add its trace' 'has no trace'

# ---- damage ----
head -c 100000 sample-traces/lu.S.4.clog2 >"$TMP/half.clog2"
run_fails 4 'a trace that is cut off' "$PAS2P" report --no-config -o "$TMP/half.html" "$TMP/half.clog2"
like "$(cat "$TMP/half.html")" '<p class="warning">The trace is damaged' 'its report begins with that'
like "$(cat "$TMP/half.html")" '<td><b class="poor">error</b></td>' 'and lists what is missing'
! command -v xmllint >/dev/null || ok 'well-formed' xmllint --noout "$TMP/half.html"
echo nothing >"$TMP/not.clog2"
run_fails 3 'what is no trace' "$PAS2P" report -o "$TMP/not.html" "$TMP/not.clog2"
ok 'leaves no report' test ! -e "$TMP/not.html"
run_fails 3 'a broken result' "$PAS2P" report -o "$TMP/not.html" "$trace" "$TMP/no-result.yaml"
ok 'leaves none' test ! -e "$TMP/not.html"

# ---- where to ----
cp "$trace" "$TMP/own.clog2"
run_fails 2 'over its own trace' "$PAS2P" report -o "$TMP/own.clog2" "$TMP/own.clog2"
ok 'which stays' cmp "$trace" "$TMP/own.clog2"
run_fails 2 'a format of lists' "$PAS2P" report --format csv "$trace"
like "$(cat "$ERR")" 'html or md' 'is none of a page'
run_ok 'the letter' "$PAS2P" report --no-config -qfmd "$trace"
ok 'is the same' cmp "$OUT" "$TMP/md"
if command -v script >/dev/null; then
	script -qec "'$PAS2P' report --no-config $trace" /dev/null </dev/null >"$OUT"
	is $? 2 'HTML on a terminal is refused'
	like "$(cat "$OUT")" '^hint: add -o report.html, or -f md for text' 'with what would do'
	script -qec "'$PAS2P' report -q --no-config --format md $trace" /dev/null </dev/null | tr -d '\r' >"$OUT"
	ok 'Markdown is printed' cmp "$OUT" "$TMP/md"
else
	skip 3 'no terminal to be had'
fi
mkdir "$TMP/dir"
env --default-signal=INT "$PAS2P" report --no-config -o "$TMP/dir/page.html" "$trace" 2>"$ERR" &
pid=$!
while kill -0 "$pid" 2>/dev/null && [ -z "$(ls -A "$TMP/dir")" ]; do :; done
kill -s INT "$pid" 2>/dev/null
wait "$pid"
case $? in
130) is "$(ls -A "$TMP/dir")" '' 'Ctrl-C leaves no file' ;;
0) is "$(ls -A "$TMP/dir")" 'page.html' 'it was too late to interrupt: the file is whole' ;;
*) fail 'Ctrl-C' ;;
esac

done_testing
