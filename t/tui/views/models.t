#!/bin/sh
# Models in the workbench: opened from the command line or by :model, with or without a trace; sliders move T as pas2p predict has it, fits are those of
# pas2p fit, every page shows its part of them, turning is undone, and what is wrong with a file is a sentence that breaks nothing.
. t/lib/lib.sh

models=sample-models

# script NAME OPERANDS... < lines
script() {
	name=$1
	shift
	cat >"$TMP/script"
	run_ok "$name" "$PAS2P" --no-config --script "$TMP/script" --size 120x40 "$@"
}

script 'a model opens without a trace, in its view' $models/matmul.yaml --machine $models/celeron-16.yaml <<'X'
:expect 9 Models
:expect T by n
:expect T              23.29 s
:expect bottleneck none
1
:expect No trace is open: run pas2p TRACE, or press
8 Enter 6 0 9
:expect T by n
X
script 'why there is no T is said in full where the plot would be' $models/matmul.yaml <<'X'
:expect matmul.yaml: line 15, column 5: send: the model has no function
:expect send(bytes), and no machine is given
:expect hint: give --machine FILE
X
printf 'n,p,seconds\n100,2,.316625\n400,2,23.52449\n500,2,45.87755\n' >"$TMP/measured.csv"
script 'T is compared with what was measured where the sliders are' $models/matmul.yaml --machine $models/celeron-16.yaml --measured "$TMP/measured.csv" <<'X'
9
:expect error      -1.0 % of 23.52 s
:expect in interval -
= C-u "vary n=410" Enter
:expect error      not measured here
= C-u "vary n=500" Enter
:expect error      -0.3 % of 45.88 s
X
printf 'pas2p_model: 1\nparameters: {n: 1, p: 1}\nprogram: [{compute: "[2, 3]*n"}]\n' >"$TMP/wide.yaml"
printf 'n,seconds\n1,2.9\n2,3.9\n3,7\n' >"$TMP/wide.csv"
script 'it says whether that lies in the interval' "$TMP/wide.yaml" --measured "$TMP/wide.csv" <<X
9
:expect in interval yes
:write $TMP/wide.out.yaml
= C-u "vary n=2" Enter
:expect in interval no
X
like "$(cat "$TMP/wide.out.yaml")" '  in_interval: true' 'and so does what is exported'
script 'a load that is known exactly is one figure' $models/matmul.yaml --machine $models/celeron-16.yaml <<'X'
9 v v
:expect cpu0             5.738 s
X
script 'turning follows, with what was before, and is undone' $models/matmul.yaml $models/celeron-16.yaml <<'X'
= C-u "vary n=500" Enter
:expect T              45.72 s      23.29 s
u
:expect T              23.29 s      45.72 s
C-r
:expect T              45.72 s
] ] ]
:expect n                 578
u
:expect n                 500
u
:expect n                 400
u
:expect Nothing to undo.
}
:expect n                 800
{ {
:expect n                 200
X
# L's measured points, as the batch command predicts them.
for n in 100 250 500; do
	"$PAS2P" predict -f csv $models/matmul.yaml --machine $models/celeron-16.yaml -D n=$n >"$TMP/batch.csv"
	T=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "time_max") c = i } NR == 2 { printf "%.4g", $c }' "$TMP/batch.csv")
	script "n = $n is what pas2p predict says: $T" $models/matmul.yaml $models/celeron-16.yaml -D n=$n <<X
:write $TMP/n$n.yaml
X
	is "$(sed -n 's/^ *time: *//p' "$TMP/n$n.yaml" | head -1)" \
		"$("$PAS2P" predict -f yaml $models/matmul.yaml --machine $models/celeron-16.yaml -D n=$n | sed -n 's/^ *time: *//p' | head -1)" '... written alike'
done

script 'measurements alone are fitted' $models/t_mult.csv $models/pingpong-table1.csv <<'X'
:expect t_mult.csv
:expect 3.1 %
:expect time by n
v
:expect max 4.4 %
v
:expect 4.163604e-08
:expect n^3*log2(n)
v
:expect A graph needs a program
v
:expect t_mult.csv at n = 300
v j
:expect time by bytes
v v
:expect 65536 < bytes
:expect -114.10  <-
:vary segments=1
:expect -75.69
u
:expect 65536 < bytes
:param form=poly
:expect poly of 13 points
:vary segments=9
:expect 9 segments of 13 points: the limit is 4, with 3 points each
u u
:expect 65536 < bytes
X
script 'fits are written as functions, which pas2p predict takes' $models/t_mult.csv <<X
:write $TMP/f.yaml
:expect Wrote the fits as functions
":write $TMP/f.yaml" Enter
:expect exists; --force replaces it
:write --force $TMP/f.yaml
:export $TMP/list.csv
X
"$PAS2P" fit -f yaml $models/t_mult.csv | grep -o 'n^3.*' >"$TMP/fit.batch"
ok 'the function is that of pas2p fit' grep -qF "$(cat "$TMP/fit.batch")" "$TMP/f.yaml"
ok 'the list is written as a table' grep -q '^t_mult.csv,fit,0\.03' "$TMP/list.csv"

script 'the graph has columns, partners and the critical path' $models/matmul.yaml $models/celeron-16.yaml <<'X'
v v v
:expect rank 0                         23.29 s  rank 1                         23.29 s
:expect ▐multiply▌
:expect ━▸▲ send to rank 1
v
:expect multiply
:expect 98.4 %
V V V V
:expect T by n
X
script 'processes that do the same are one column' $models/pi.yaml $models/computers-32.yaml <<'X'
v v v
:expect 11 like rank 0
:expect 2 like rank 11
:expect 10 like rank 13
X
script 'expressions are those of pas2p predict, and what is closed in the graph is open' $models/one-core.yaml $models/one-core.machine.yaml <<'X'
V
:expect T_0 = sum_double + mpy_int + n*sum_double = [2.00 ms, 3.00 ms]
:expect T_core = sum_double + mpy_int + threads*n*sum_double = [20.0 ms
:expect T = max(T_0, T_core) = [20.0 ms, 30.0 ms]
:expect par i = 1 ... threads                           30.0 ms
:expect loop x n
= C-u "vary threads=20" Enter
:expect threads*n*sum_double = [40.0 ms
X
script 'on a small screen one scrolls to T, and back' $models/pi.yaml $models/computers-32.yaml --size 80x24 <<'X'
V
:expect T_0 = ceil(log2(p))*recv(8)
J J J J J J J J
:expect T = max(T_0, T_cpu0
K K K K K K K K
:expect T_0 = ceil(log2(p))*recv(8)
X
{
	printf 'pas2p_model: 1\nprogram:\n- loop: 2\n  do:\n'
	awk 'BEGIN { for (i = 1; i <= 2001; i++) print "  - compute: " i }'
} >"$TMP/nodes.yaml"
script 'nodes that are left out are reported' "$TMP/nodes.yaml" <<'X'
V Tab Tab
:expect compute 1
G
:expect compute 2000
:expect Only the first 2000 inner nodes are shown.
X
script 'a resource that is short is the bottleneck' $models/one-core.yaml $models/one-core.machine.yaml <<'X'
:expect bottleneck core
M
:expect T by threads
:expect core
X
printf 'pas2p_model: 1\nprogram:\n- if: 0.25\n  name: rare\n  do: [{compute: 8s}]\n- if: [0, 1]\n  do: [{compute: 1s}]\n' >"$TMP/maybe.yaml"
script 'probabilities are sliders' "$TMP/maybe.yaml" <<'X'
:expect rare, lin
:expect [2.000 s, 3.000 s]
( ( ( (
= C-u "vary rare, line 3=0.5" Enter
:expect [4.000 s, 5.000 s]
= C-u "vary rare, line 3=2" Enter
:expect expected a probability from 0 to 1
:vary speed=2
:expect [2.000 s, 2.500 s]
X
script ':model opens one beside a trace, and again when it was edited' sample-traces/cg.S.4.clog2 <<X
9
:expect No model is open.
:model $models/matmul.yaml
:expect T_mult
:machine $models/celeron-16.yaml
:expect T              23.29 s
3
:expect Phases
9
:model $models/matmul.yaml
:expect T              23.29 s
X

printf 'pas2p_model: 1\nprogram:\n- dance: 1\n' >"$TMP/wrong.yaml"
printf 'n,seconds\n1,2\n2,x\n' >"$TMP/wrong.csv"
printf 'pas2p_model: 1\nparameters: {p: 2}\nfunctions: {send(b): 1s, recv(b): 1s}\nprogram: [{recv: {from: 1 - rank}}]\n' >"$TMP/dead.yaml"
run_fails 3 'a wrong model on the command line' "$PAS2P" --no-config --script /dev/null "$TMP/wrong.yaml"
like "$(cat "$ERR")" "line 3: unknown node 'dance'" '... is a sentence with its line'
script 'what is wrong with a table is a sentence' "$TMP/wrong.csv" $models/t_mult.csv <<'X'
:expect line 3
:expect t_mult.csv
X
script 'what only evaluation finds is one too' "$TMP/dead.yaml" <<'X'
:expect deadlock
v v v
:expect deadlock
v
:expect deadlock
X
run_fails 5 'without a terminal' "$PAS2P" --no-config $models/matmul.yaml
like "$(cat "$ERR")" 'pas2p predict sample-models/matmul.yaml' 'it is said what to do instead'
done_testing
