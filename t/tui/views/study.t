#!/bin/sh
# Studies in the workbench: opened from the command line or by :study, with or without a trace; T, its interval and the models are those of pas2p study,
# the asked place moves and with it T, knobs act on all runs, a run's phases are opened, and what is wrong is a sentence that breaks nothing.
. t/lib/lib.sh

studies=sample-studies

# script NAME OPERANDS... < lines
script() {
	name=$1
	shift
	cat >"$TMP/script"
	run_ok "$name" "$PAS2P" --no-config --script "$TMP/script" --size 80x24 "$@"
}

script 'a study opens without a trace, in its view' $studies/grid.study.yaml <<'X'
:expect 3 runs
:expect T(n=600) 2.165 s [2.165 s, 2.165 s]
:expect everywhere  stable
:expect 2*n - 3
1
:expect No trace is open
8
:expect T(n=600)
q
:expect Q quits pas2p
X
script 'v goes through what there is to plot' $studies/grid.study.yaml <<'X'
:expect weight of family 1 by n
v
:expect time of family 1 by n
:expect e-06*n
v
:expect compute of family 1 by n
v
:expect total of family 1 by n
v
:expect T by n
*
:expect 100 ms┤
v l
:expect weight of family 1 by n
X
script 'the asked place moves, and is typed' $studies/grid.study.yaml <<'X'
+
:expect T(n=610) 2.237 s
- -
:expect T(n=590)
":param n=100" Enter
:expect T(n=100) 69.1 ms
-
:expect T(n=99)
+
:expect T(n=100)
":vary n=1" Enter
-
:expect T(n=1)
":vary nodes=3" Enter
:expect unknown parameter nodes
":vary n=many" Enter
:expect expected a number
X
# The figures of pas2p study, and of the law that the tables were written by.
for n in 75 450 3000; do
	"$PAS2P" study -f yaml --at n=$n $studies/grid.study.yaml >"$TMP/batch.yaml" 2>"$TMP/warnings"
	batch=$(sed -n '/^predictions:/,$s/^ *time: *\([0-9.e+-]*\)$/\1/p' "$TMP/batch.yaml" | head -1)
	script "T(n = $n)" $studies/grid.study.yaml <<X
:vary n=$n
:screen $TMP/n$n.txt
X
	shown=$(sed -n 's/.*T(n=[0-9]*) \([0-9.]*\) \(m\{0,1\}s\).*/\1 \2/p' "$TMP/n$n.txt" | awk '{ printf "%.3g", $2 == "ms" ? $1 / 1000 : $1 }')
	is "$shown" "$(awk "BEGIN { printf \"%.3g\", (2 * $n - 3) * 3e-6 * $n + 0.01 }")" '... is that of the law'
	is "$shown" "$(awk "BEGIN { printf \"%.3g\", $batch }")" '... and what pas2p study says'
done

script 'two parameters: x is the other axis, the rest is held' $studies/cg.study.yaml <<'X'
:expect T(n=14000 p=8) 268 ms [192 ms, 806 ms] · whole-run fit 246 ms
:expect weight of family 1 by n, p = 8
x
:expect weight of family 1 by p, n = 14000
+
:expect T(n=14000 p=9)
x
:expect by n, p = 9
j j
:expect weight of family 3
Right
:expect cg.W.8 n=7000 p=8
:expect a phase table
Enter
:expect cg.W.8 is a phase table; the workbench opens traces.
Left Enter
:expect 13 452 events
:expect 3 Phases
8
:expect strong scaling
8
:expect T(n=14000 p=9)
X

trace=$PWD/sample-traces/cg.S.4.clog2
cat >"$TMP/two.yaml" <<X
study: 1
name: two
settings: {volume: 0.1}
runs:
- {file: $trace, parameters: {n: 1400, class: S}}
- {file: $trace, name: again, parameters: {n: 2800, class: S}}
- {file: $PWD/sample-traces/lu.S.4.clog2, parameters: {n: 900, class: L}}
X
script 'a study has settings, and knobs act on all of its runs' "$TMP/two.yaml" <<'X'
:expect volume 10.0 %
:expect 3 runs
]
:expect volume 10.5 %
:expect T(class=S n=1400)
":vary class=L,n=900" Enter
:expect T(class=L n=900)
:expect class = L
":vary class=X" Enter
:expect no run with class=X
Right Enter
:expect volume 10.5 %
:expect Phases
X
script 'the command line goes before the study' --volume 0.2 "$TMP/two.yaml" <<'X'
:expect volume 20.0 %
X
script 'a phase table of other settings is refused; what was made before stays' $studies/grid.study.yaml <<'X'
]
:expect of the previous settings
:expect T(n=600) 2.165 s
u
:expect 3 runs
X
script ':study opens one beside a trace, whose runs stay' sample-traces/cg.S.4.clog2 <<X
U
:expect No study is open.
:study $studies/grid.study.yaml
:expect T(n=600)
8
:expect strong scaling
8
:expect T(n=600)
U
:export $TMP/list.csv
3
:expect 13 452 events
X
is "$(cat "$TMP/list.csv")" "$(printf 'family,runs,everywhere,stable,share\n1,3,true,true,0.9817284852914306')" 'the families are written as a table'
script 'a plot is written as text and as a picture' $studies/cg.study.yaml <<X
v v v v
:screen $TMP/plot.svg
:screen $TMP/plot.txt
X
ok 'the picture is one' grep -q '<svg' "$TMP/plot.svg"
ok '... of the plot' grep -q '>by</text>' "$TMP/plot.svg"
ok 'the text has the cross' grep -q '×' "$TMP/plot.txt"

printf 'study: 1\nruns:\n- {file: nothing.yaml, speed: 3}\n' >"$TMP/wrong.yaml"
printf 'study: 1\nname: gone\nruns:\n- {file: nothing.clog2, parameters: {n: 1}}\n' >"$TMP/gone.yaml"
run_fails 3 'a wrong study on the command line' "$PAS2P" --no-config --script /dev/null "$TMP/wrong.yaml"
like "$(cat "$ERR")" 'line 3' '... is a sentence with its line'
run_fails 2 'two studies' "$PAS2P" --no-config --script /dev/null $studies/grid.study.yaml $studies/cg.study.yaml
script 'a run that is not there is a sentence in the view' "$TMP/gone.yaml" <<X
:expect nothing.clog2
:study $studies/grid.study.yaml
:expect T(n=600)
":study $TMP/wrong.yaml" Enter
:expect line 3
:expect T(n=600)
X
run_fails 5 'without a terminal' "$PAS2P" --no-config $studies/grid.study.yaml
like "$(cat "$ERR")" "pas2p study $studies/grid.study.yaml" 'it is said what to do instead'
done_testing
