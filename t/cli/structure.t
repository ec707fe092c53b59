#!/bin/sh
# `pas2p phases --structure` shows a run's loops: the line that the documentation gives for each sample, wrapped to the terminal, the loops in
# rows, the main loop. Which folding it is, is said; what is not defined is absent. Its value may be left out, so what is a value and what
# is a file must be clear.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
cg=sample-traces/cg.S.4.clog2
lu=sample-traces/lu.S.4.clog2

line() { # the line in $OUT, joined
	awk 'NR > 2 && /^  / { sub("^  ", ""); text = text (text == "" ? "" : " ") $0 } /^loop  / { exit } END { print text }' "$OUT"
}

# The documentation's table.
sed -n 's/^| `\([a-z][^`]*\)` | `\([^`]*[0-9)]\)`.*/\1 \2/p' docs/explain/structure.md >"$TMP/known"
is "$(wc -l <"$TMP/known")" 7 'docs/explain/structure.md has seven traces'
while read -r name expected; do
	run_ok "$name" "$PAS2P" phases -q --structure=exact "sample-traces/$name.clog2"
	is "$(line)" "$expected" "$name: its structure is what the documentation says"
done <"$TMP/known"

# Which of the two.
run_ok 'neither asked for' "$PAS2P" phases -q --structure "$cg"
like "$(cat "$OUT")" '^cg.S.4: 1265 occurrences of 6 phases, 3 of them relevant$' 'what is folded'
like "$(cat "$OUT")" '^loop structure  exact: 12 items .5 with --structure=relevant.$' 'few symbols: the exact one'
cp "$OUT" "$TMP/exact"
for form in "--structure=exact $cg" "--structure exact $cg" "$cg --structure exact" "$cg --structure" "--structure -- $cg"; do
	# shellcheck disable=SC2086
	run_ok "as good: $form" "$PAS2P" phases -q $form
	ok "the same: $form" cmp "$OUT" "$TMP/exact"
done
for form in "--structure=relevant $cg" "$cg --structure relevant" "--structure --structure relevant $cg"; do
	# shellcheck disable=SC2086
	run_ok "as good: $form" "$PAS2P" phases -q $form
	like "$(cat "$OUT")" '^loop structure  relevant phases only: 5 items .12 with --structure=exact.$' "the relevant one: $form"
	is "$(line)" '1 2 415(3 2*2) 3 2' "its line: $form"
done
for relevance in 0 0.1% 1% 5% 20%; do
	for kind in exact relevant; do
		run_ok "$kind, at $relevance" "$PAS2P" phases -q --structure=$kind --relevance $relevance "$cg"
		is "$(sed -n '/^main/,$p' "$OUT")" "$(sed -n '/^main/,$p' "$TMP/exact")" "$kind, at $relevance: the same main loop"
	done
done
like "$(cat "$OUT")" '^main loop       15 iterations, 70.2 % of the run time:$' 'it is of the reading'
is "$(sed -n '/^main/,/^iteration/p' "$OUT" | sed '1d;$d')" '                15 x [ pair exchange ^1 8 B; 25 x [ pair exchange ^1 4 KB;
                transpose 2x2; 2 x pair exchange ^1 8 B ];
                pair exchange ^1 4 KB; transpose 2x2; pair exchange ^1 8 B;
                pair exchange ^1 16 B ]' 'broken between patterns'
run_ok 'no loop of the reading is large' "$PAS2P" phases -q --structure t/traces/mg.S.8.clog2.xz
like "$(cat "$OUT")" '^main loop       12 iterations, 10.2 % of the run time: 3\(2\*6 2\*7 2\*8\)$' 'the one of the exact structure'
run_ok 'the same' "$PAS2P" phases -q --structure=relevant t/traces/mg.S.8.clog2.xz
like "$(cat "$OUT")" '^main loop       12 iterations, .*, of all occurrences$' 'and that is said where the line is another'
for run in before after; do
	run_ok "lammps-$run" "$PAS2P" phases -q --structure "sample-traces/lammps-$run.2.clog2.xz"
	like "$(cat "$OUT")" '^main loop       47 iterations, 7.*: 47 x \[ allreduce;$' "lammps-$run: steps between rebuilt neighbour lists, which phases do not show"
done
run_ok 'many iterations that stand out' "$PAS2P" phases -q --structure t/traces/sp.S.4.clog2.xz
like "$(cat "$OUT")" '^outliers        10: iterations 1 \(.*\), 2 .*, \.\.\.$' 'the first of many outliers'
run_ok 'a run in which little repeats' "$PAS2P" phases -q --structure sample-traces/anysrc.5.clog2
like "$(cat "$OUT")" '^loop structure  relevant phases only: 77 items .103 with --structure=exact.$' 'many symbols: the shorter one'
run_ok 'the same, and nothing is relevant' "$PAS2P" phases -q --structure --relevance 100% sample-traces/anysrc.5.clog2
like "$(cat "$OUT")" '^loop structure  exact: 103 items$' 'nothing is not shorter'

# Files of a value's name.
mkdir "$TMP/in"
cp "$cg" "$TMP/in/exact"
program=$(realpath "$PAS2P")
run_fails 2 'a word is the value' sh -c "cd '$TMP/in' && '$program' phases --structure exact"
like "$(cat "$ERR")" 'no trace given' 'and no file'
run_ok 'a path is the file' sh -c "cd '$TMP/in' && '$program' phases -q --structure ./exact"
run_ok 'and what stands elsewhere' sh -c "cd '$TMP/in' && '$program' phases -q exact --structure"
run_fails 2 'no word' "$PAS2P" phases --structure=all "$cg"
like "$(cat "$ERR")" "^pas2p: --structure is 'all': expected exact, relevant or words" 'is refused'
run_fails 2 'an empty word' "$PAS2P" phases --structure= "$cg"
like "$(cat "$ERR")" '^pas2p: --structure is empty: expected exact, relevant or words' 'as well'
run_fails 2 'a misspelt word' "$PAS2P" phases --structure=relevnt "$cg"
like "$(cat "$ERR")" '^hint: did you mean relevant' 'is set right'
run_fails 2 'with another command' "$PAS2P" info --structure "$cg"
like "$(cat "$ERR")" '--structure: not an option of pas2p info' 'it is no option of that'
like "$("$PAS2P" phases --help)" '^      --structure\[=KIND\] print loops; KIND is exact, relevant or words' 'help says that the value may be left out'

# The line's width.
run_ok 'to a pipe' "$PAS2P" phases -q --structure "$lu"
is "$(sed -n 4,5p "$OUT")" '  10*1 2*2 3 10*4 5 10*6 7 2*8 10*4 5 49(10*6 7 9 10 10*11) 10*6 12 13 2*14 15
  2*16 14' 'a line has 80 columns'
cp "$OUT" "$TMP/piped"
run_ok 'to a file' "$PAS2P" phases -q --structure -o "$TMP/file" "$lu"
ok 'the same' cmp "$TMP/file" "$TMP/piped"
if command -v script >/dev/null; then
	for columns in 40 140; do
		script -qec "stty cols $columns rows 24; '$PAS2P' phases -q --structure $lu" /dev/null </dev/null | tr -d '\r' >"$OUT"
		widest=$(sed -n '4,/^$/p' "$OUT" | awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }')
		ok "a terminal of $columns columns: the line has at most that ($widest)" test "$widest" -le "$columns" -a "$widest" -gt 20
		is "$(line)" "$(sed -n 4,5p "$TMP/piped" | xargs)" "a terminal of $columns columns: it is the same line"
	done
	is "$(sed -n '4,/^$/p' "$OUT" | wc -l)" 2 'where there is room it is one line'
else
	skip 5 'no script(1)'
fi

# Rows.
run_ok 'loops as a table' "$PAS2P" phases -q --structure "$lu"
is "$(sed -n '/^loop  /,/^$/p' "$OUT" | sed '$d' | wc -l)" 10 'nine loops and a head'
like "$(cat "$OUT")" '^   6     49          49  75.15 %    239.917  49\(10\*6 7 9 10 10\*11\)$' 'a loop'
like "$(cat "$OUT")" '^   7     10         490  27.85 %      8.892    10\*11$' 'one inside it stands under it'
is "$(sed -n '/^main/,$p' "$OUT")" 'main loop       49 iterations, 74.5 % of the run time: 49 x [ sweep from 0;
                sweep from 3; halo 2x2 ]
iteration       238 µs ± 34 µs
outliers        4: iterations 3 (313 µs), 8 (316 µs), 20 (382 µs), 40 (326 µs)' 'the main loop, its iterations and its outliers'
like "$("$PAS2P" phases -q --structure "$cg")" '^   3     14          14  .*  14\(2 25\(\.\.\.\) 3 2 5\)$' 'loops inside are folded'
run_ok 'loops as CSV' "$PAS2P" phases -q --structure --format csv "$cg"
is "$(head -1 "$OUT")" 'id,main,depth,first,count,iterations,share,mean,deviation,text' 'have their columns'
is "$(sed 1d "$OUT" | cut -d, -f1-6,10)" '1,false,0,3,25,400,25(3 2*2)
2,false,1,4,2,800,2*2
3,false,0,81,14,14,14(2 25(3 2*2) 3 2 5)' 'and nothing is folded in them'
"$PAS2P" phases -q --structure --format csv t/traces/mg.S.8.clog2.xz >"$TMP/mg.csv"
"$PAS2P" phases -q --structure --format json t/traces/mg.S.8.clog2.xz | sed '1,/^    "main"/d' | tr -d ' ,' >"$TMP/main"
is "$(grep ',true,' "$TMP/mg.csv" | cut -d, -f6-9)" "$(for key in iterations share mean deviation; do sed -n "s/\"$key\"://p" "$TMP/main"; done | paste -sd,)" 'a loop that is the main one has the figures that JSON has of it'
run_ok 'some of the rows' "$PAS2P" phases -q --structure --format csv --match '^3 ' "$cg"
is "$(wc -l <"$OUT")" 2 'are picked'
run_fails 1 'none of them' "$PAS2P" phases -q --structure --match 'no such loop' "$cg"
run_ok 'a row that does not fit' "$PAS2P" phases -q --structure sample-traces/one_rank.1.clog2
like "$(cat "$OUT")" '  3\(1 2 3 4 5 6 7 8 9 10 11 12 \.\.\.$' 'is cut behind a word'
is "$(line)" '3(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16) 1 2' 'but not in the line'
like "$(cat "$OUT")" '^main loop       -, no loop has five iterations$' 'without a main loop it says so'

# Documents.
for format in json yaml; do
	run_ok "$format without it" "$PAS2P" phases -q --format $format "$cg"
	unlike "$(cat "$OUT")" structure "$format: there is none"
	"$PAS2P" phases -q --format $format "$cg" | sed '$d' >"$TMP/without"
	run_ok "$format with it" "$PAS2P" phases -q --structure --format $format "$cg"
	sed '/^ *"*structure"*:/,$d' "$OUT" >"$TMP/rest"
	is "$(sed 's/,$//' "$TMP/rest" | head -n "$(wc -l <"$TMP/without")")" "$(sed 's/,$//' "$TMP/without")" "$format: all else is as without"
	like "$(tr -d '",' <"$OUT")" '^ *kind: exact$' "$format: which folding"
	like "$(tr -d '"' <"$OUT")" '\{loop: 25, body: \[\{phase: 3, times: 1\}, \{phase: 2, times: 2\}\]\}' "$format: loops"
done
run_ok 'a document without a main loop' "$PAS2P" phases -q --structure -f json sample-traces/one_rank.1.clog2
like "$(cat "$OUT")" '^    "main": null$' 'says so'
run_ok 'a table with it' "$PAS2P" phases -q --structure -f yaml -o "$TMP/cg.yaml" "$cg"
run_ok 'is read by runners' "$PAS2P" run --dry-run "$TMP/cg.yaml" -- mpirun -np 4 ./cg.S.4
run_ok 'windows and a plan may stand beside it' "$PAS2P" phases -q --structure --windows 5 --window-seconds 3ms -f yaml "$cg"
like "$(cat "$OUT")" '^pas2p: 2$' 'in a table of version 2'
like "$(cat "$OUT")" '^structure:$' 'with both'

run_ok 'the main loop in a document' "$PAS2P" phases -q --structure -f yaml "$lu"
is "$(sed -n '/^  main:/,/share/p' "$OUT" | sed '$d')" '  main:
    kind: reading
    loop: 49
    body:
    - "sweep from 0"
    - "sweep from 3"
    - "halo 2x2"' 'has its patterns'

# In words.
for form in "--structure=words $lu" "--structure words $lu" "$lu --structure words"; do
	# shellcheck disable=SC2086
	run_ok "as good: $form" "$PAS2P" phases -q $form
	is "$(sed -n '1,/^pattern/p' "$OUT" | sed '$d')" 'lu.S.4: 182 instances of 8 patterns

  10 x broadcast; 2 x halo 2x2; allreduce; barrier; sweep from 0; sweep from 3;
  2 x [ halo 2x2; allreduce ]; barrier; 49 x [ sweep from 0; sweep from 3;
  halo 2x2 ]; sweep from 0; sweep from 3; allreduce; halo 2x2; 3 x allreduce;
  shift -y of 2x2; 2 x [ shift -x of 2x2; allreduce ]; shift -y of 2x2;
  allreduce' "the reading: $form"
done
is "$(sed -n '/^pattern/,/^$/p' "$OUT" | sed '$d' | wc -l)" 9 'eight patterns and a head'
like "$(cat "$OUT")" '^halo 2x2                54       432  2.37 MiB  39.5 %  exchange with the neighbours along x, y of the 2x2 grid$' 'a pattern'
like "$(cat "$OUT")" '^allreduce               10         -         -   2.1 %  MPI allreduce of all 4$' 'a collective has no messages'
is "$(sed -n '/^main/,$p' "$OUT")" "$("$PAS2P" phases -q --structure "$lu" | sed -n '/^main/,$p')" 'and the main loop'
"$PAS2P" phases -q -f json "$lu" | sed -n 's/^  "reading": "\(.*\)",$/\1/p' >"$TMP/reading"
is "$(sed -n '3,/^$/p' "$OUT" | xargs)" "$(cat "$TMP/reading")" 'it is the reading that documents have'
if command -v script >/dev/null; then
	for columns in 40 140; do
		script -qec "stty cols $columns rows 24; '$PAS2P' phases -q --structure words $lu" /dev/null </dev/null | tr -d '\r' >"$OUT"
		widest=$(sed -n '3,/^$/p' "$OUT" | awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }')
		ok "a terminal of $columns columns: the reading has at most that ($widest)" test "$widest" -le "$columns" -a "$widest" -gt 20
		is "$(sed -n '3,/^$/p' "$OUT" | xargs)" "$(cat "$TMP/reading")" "a terminal of $columns columns: it is the same"
	done
else
	skip 4 'no script(1)'
fi
run_ok 'patterns as CSV' "$PAS2P" phases -q --structure words -f csv "$lu"
is "$(cut -d, -f1-4 "$OUT" | head -5)" 'name,instances,messages,bytes
halo 2x2,54,432,2488320
sweep from 0,51,2040,408000
sweep from 3,51,2040,408000
allreduce,10,,' 'have their columns, the largest share first'
run_ok 'some of the patterns' "$PAS2P" phases -q --structure words --match sweep "$lu"
is "$(grep -c '^sweep from' "$OUT")" 2 'are picked'
run_ok 'a document' "$PAS2P" phases -q --structure words -f json "$lu"
cp "$OUT" "$TMP/words"
run_ok 'the same without the word' "$PAS2P" phases -q --structure -f json "$lu"
ok 'has patterns in any case' cmp "$OUT" "$TMP/words"
run_ok 'patterns that differ in what their names leave out' "$PAS2P" phases -q --structure words sample-traces/comms.6.clog2
is "$(sed -n '/^pattern/,/^$/p' "$OUT" | grep -c '^barrier, groups of 3 ')" 1 'are one row'
like "$(cat "$OUT")" '^barrier, groups of 3 +2 ' 'which counts the instances of both'
like "$(cat "$OUT")" '^permutation .* -  each of 3' 'a description has no share'
run_ok 'a main loop of phases' "$PAS2P" phases -q --structure words sample-traces/anysrc.5.clog2
like "$(cat "$OUT")" '^main loop .*: [0-9].* \(numbers are phases\)$' 'says what its numbers are'
run_ok 'a trace of one rank' "$PAS2P" phases -q --structure words "sample-traces/scaling.1.clog2.xz"
like "$(cat "$OUT")" '^scaling.1: 0 instances of 0 patterns$' 'has no pattern'

# Nothing there, nothing wrong.
for trace in sample-traces/*.clog2; do
	case $trace in *unfinalized*) continue ;; esac
	run_ok "$trace: relevant" "$PAS2P" phases -q --structure=relevant "$trace"
	unlike "$(cat "$OUT")" 'nan|inf' "$trace: only numbers"
done
run_ok 'nothing is relevant' "$PAS2P" phases -q --structure=relevant --relevance 100% "$cg"
is "$(sed -n 4p "$OUT")" '  -' 'a structure of nothing'
like "$(cat "$OUT")" '^main loop       15 iterations, ' 'and still the main loop'
done_testing
