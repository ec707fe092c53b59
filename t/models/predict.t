#!/bin/sh
# pas2p predict from the command line: the figures that were published for a model, values of parameters in all their forms, measurements beside,
# another machine, every format under the documented keys, and each mistake with its exit code, its place and a sentence.
. t/lib/lib.sh

matmul=sample-models/matmul.yaml
celeron=sample-models/celeron-16.yaml

# A matrix product on two processes: the published measurements, and the model whose parts and messages are published, too.
cat >"$TMP/measured.csv" <<'END'
n,p,seconds
100,2,.316625
200,2,2.785438
250,2,5.326959
300,2,9.47386
400,2,23.52449
450,2,32.80233
500,2,45.87755
END
run_ok 'with what was measured' "$PAS2P" predict "$matmul" --machine "$celeron" --measured "$TMP/measured.csv"
is "$(sed -n 1p "$OUT" | tr -s ' ')" ' n p time (s) free (s) bottleneck measured (s) error in interval' 'the table has these columns'
is "$(awk 'NR > 1 && NR < 9 { printf "%s%s", (NR > 2 ? " " : ""), $7 }' "$OUT")" '5.61 -5.23 1.62 1.42 -1.01 1.46 -0.35' 'errors have the sign of model less measured'
is "$(awk 'NR > 1 && NR < 9 { printf "%s", $NF }' "$OUT")" '-------' 'times without an interval neither hold what was measured nor miss it'
is "$(sed -n '9p' "$OUT")" '7 predicted times have no interval, so the measured time cannot be checked' 'and a line says so'
is "$(sed -n '10p' "$OUT")" 'note: the function copy is missing: pas2p uses recv(bytes) instead' 'a note tells what was taken instead'
run_ok 'the same by values' "$PAS2P" predict "$matmul" --machine "$celeron" -f csv -D n=100,200,250,300,400..500:50
is "$(awk -F, 'NR > 1 { printf "%s%.6f", (NR > 2 ? " " : ""), $3 }' "$OUT")" \
	'0.334401 2.639831 5.413311 9.608301 23.285808 33.279827 45.718354' 'the times, messages included'
is "$(head -1 "$OUT")" 'n,p,time_min,time_max,free_min,free_max,bottleneck,measured,error,in_interval' 'csv has the documented columns'
is "$(sed -n 2p "$OUT" | cut -d, -f7-)" ',,,' 'what there is not is empty'

# The published prediction has no messages in it: n, what it gives, and its error in per cent.
cat >"$TMP/published" <<'END'
100 .307599 -2.85
200 2.551355 -8.40
250 5.279105 -0.90
300 9.418468 -0.58
400 22.95536 -2.42
450 32.86457 0.19
500 45.20871 -1.46
END
# published NAME MODEL FROM TO: the model's times less the published ones lie within [FROM, TO] s, and its errors are theirs but for that, as far as
# these are printed.
published() {
	run_ok "$1" "$PAS2P" predict "$2" -f csv --measured "$TMP/measured.csv"
	is "$(awk -v from="$3" -v to="$4" 'NR == FNR { time[$1] = $2; error[$1] = $3; next }
		FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			off = $at["time_min"] - time[$1]
			shift = 100 * off / $at["measured"]
			d = 100 * $at["error"] - shift - error[$1]
			if (off < from || off > to || d < -0.0101 || d > 0.0101) print $1, off, d
			n++
		}
		END { print n }' "$TMP/published" FS=, "$OUT")" 7 "$1: times and errors of all seven sizes"
}
{
	printf 'pas2p_model: 1\nname: printed\nparameters: {n: 400, p: 2}\nfunctions:\n  T(n): {'
	awk 'NR > 1 { printf ", " } { printf "%s: %ss", NR < 7 ? $1 : "inf", $2 }' "$TMP/published"
	printf '}\nprogram:\n- compute: T(n)\n'
} >"$TMP/printed.yaml"
published 'the printed times' "$TMP/printed.yaml" -1e-9 1e-9
cat >"$TMP/formula.yaml" <<'END'
pas2p_model: 1
name: formula
parameters: {n: 400, p: 2}
program:
- compute: 3.41E-7*n^3 + 2.65E-5*n^2 - 9.39E-3*n + 0.64
END
published 'the printed formula, whose coefficients are short' "$TMP/formula.yaml" -0.0145 0.0145
for part in inic mult; do
	run_ok "T_$part from its measurements" "$PAS2P" fit --form poly --weights none --name "T_$part" -f yaml -o "$TMP/$part.yaml" "sample-models/t_$part.csv"
done
cat >"$TMP/parts.yaml" <<'END'
pas2p_model: 1
name: parts
parameters: {n: 400, p: 2}
include: [inic.yaml, mult.yaml]
program:
- compute: T_inic(n)
- compute: T_mult(n)
END
published 'both parts, fitted' "$TMP/parts.yaml" -0.0007 -0.0003

# Values: the last -D varies fastest.
cat >"$TMP/m.yaml" <<'END'
pas2p_model: 1
name: m
parameters: {a: 1, b: 2*a, p: 1}
resources: {disk: 2}
program:
- par: 6
  do:
  - use: disk
    do: [{compute: a + 10*b}]
END
values() { # WHAT WANTED ARGUMENTS...
	what=$1
	wanted=$2
	shift 2
	run_ok "$what" "$PAS2P" predict "$TMP/m.yaml" -f csv "$@"
	is "$(sed 1d "$OUT" | sed 's/^\(.*\),1,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*$/\1/' | paste -sd' ')" "$wanted" "$what: the rows"
}
values 'defaults' '1,2'
values 'a default by another parameter' '3,6' -D a=3
values 'all combinations' '1,5 1,7 2,5 2,7' -D a=1,2 -D b=5,7
values 'a range, a factor and a mixture' '1,2 3,6 5,10 2,4 6,12 18,36 7,14' -D 'a=1..6:2,2..18*3,7'
values 'an interval' '"[0.3,0.5]","[0.6,1]"' -D 'a=[0.3,0.5]'
values 'a step that is no binary fraction' '0.1,1 0.2,1 0.30000000000000004,1' -D 'a=0.1..0.3:0.1' -D b=1
values 'a unit' '0.001,2' -D a=1ms -D b=2

# Tasks are neither lost nor made up, however many unequal computers share them: rounded shares would make 96 of 8, 102 of 16, 98 of 32.
cat >"$TMP/parts.yaml" <<'END'
pas2p_model: 1
parameters: {p: 1, tasks: 100}
program:
- compute: "1s*sum(r, 0, p - 1, part(tasks, r))"
END
run_ok 'parts of 100 tasks' "$PAS2P" predict "$TMP/parts.yaml" --machine sample-models/computers-32.yaml -D 'p=2..32*2' -f csv
is "$(awk -F, 'NR > 1 { printf "%s%.2f", (NR > 2 ? " " : ""), $4 * ($1 > 23 ? 0.85 : $1 > 11 ? 1.5 : 1.8) }' "$OUT")" \
	'100.00 100.00 100.00 100.00 100.00' 'are 100 together, as the slowest computer counts them'

# Whether what was measured lies in the interval, whose ends are in it.
cat >"$TMP/interval.yaml" <<'END'
pas2p_model: 1
parameters: {n: 1, p: 1}
program: [{compute: "[2, 3]*n"}]
END
printf 'n,seconds\n1,1.99\n2,4\n3,8\n4,12\n5,15.1\n' >"$TMP/interval.csv"
run_ok 'measured times and intervals' "$PAS2P" predict "$TMP/interval.yaml" --measured "$TMP/interval.csv"
is "$(awk 'NR > 1 && NR < 7 { printf "%s%s", (NR > 2 ? " " : ""), $NF }' "$OUT")" 'no yes yes yes no' 'a row says whether it lies inside'
is "$(sed -n 7p "$OUT")" '3 of 5 measured times are inside the predicted interval' 'the line below counts them'
run_ok 'as csv' "$PAS2P" predict "$TMP/interval.yaml" --measured "$TMP/interval.csv" -f csv
is "$(awk -F, '{ printf "%s%s", (NR > 1 ? " " : ""), $NF }' "$OUT")" 'in_interval false true true true false' 'csv has it'
run_ok 'as json' "$PAS2P" predict "$TMP/interval.yaml" --measured "$TMP/interval.csv" -f json
is "$(tr -d ' \n' <"$OUT" | grep -o '"in_interval":[a-z0-9]*' | paste -sd' ')" \
	'"in_interval":false "in_interval":true "in_interval":true "in_interval":true "in_interval":false "in_interval":3' 'json has each, and the count'
like "$(tr -d ' \n' <"$OUT")" '"measured_rows":5,"interval_rows":5,"in_interval":3}$' 'of so many'
run_ok 'as yaml' "$PAS2P" predict "$TMP/interval.yaml" --measured "$TMP/interval.csv" -f yaml
like "$(cat "$OUT")" '^measured_rows: 5$' 'yaml likewise'
printf 'n,seconds\n2,6.000000001\n3,5.999999999\n4,12.0000001\n' >"$TMP/end.csv"
run_ok 'ends are known to nine digits' "$PAS2P" predict "$TMP/interval.yaml" --measured "$TMP/end.csv"
is "$(tail -1 "$OUT")" '2 of 3 measured times are inside the predicted interval' 'what reads the same is inside'
sed 's/\[2, 3\]\*n/2*n + [0, 1]*(n > 2)/' "$TMP/interval.yaml" >"$TMP/some.yaml"
run_ok 'some times without an interval' "$PAS2P" predict "$TMP/some.yaml" --measured "$TMP/interval.csv"
is "$(awk 'NR > 1 && NR < 7 { printf "%s%s", (NR > 2 ? " " : ""), $NF }' "$OUT")" '- - no no no' 'have a dash in their rows'
is "$(sed -n '7,8p' "$OUT" | paste -sd/)" \
	'0 of 3 measured times are inside the predicted interval/2 predicted times have no interval, so the measured time cannot be checked' \
	'and are not among those that the line below counts'
run_ok 'the same as json' "$PAS2P" predict "$TMP/some.yaml" --measured "$TMP/interval.csv" -f json
like "$(tr -d ' \n' <"$OUT")" '"in_interval":null.*"in_interval":false.*"measured_rows":5,"interval_rows":3,"in_interval":0}$' 'null, and counts of both'
run_ok 'and as csv' "$PAS2P" predict "$TMP/some.yaml" --measured "$TMP/interval.csv" -f csv
is "$(awk -F, 'NR > 1 { printf "%s%s", (NR > 2 ? " " : ""), $NF == "" ? "empty" : $NF }' "$OUT")" 'empty empty false false false' 'csv has empty cells'

# Documents.
run_ok 'json' "$PAS2P" predict "$TMP/m.yaml" -f json
is "$(tr -d ' \n' <"$OUT")" '{"pas2p_prediction":1,"model":"m","machine":null,"contention":"nested","rows":[{"parameters":{"a":1,"b":2,"p":1},"time":[63,63],"free":[21,21],"loads":{"disk":[63,63]},"bottleneck":"disk","processes":[{"end":[63,63],"compute":[21,21]}],"measured":null,"error":null,"in_interval":null,"notes":[]}],"measured_rows":null,"interval_rows":null,"in_interval":null}' \
	'has the documented shape'
run_ok 'of the whole' "$PAS2P" predict "$TMP/m.yaml" -f json --contention whole
like "$(tr -d ' \n' <"$OUT")" '"contention":"whole".*"bottleneck":"disk","processes":\[{"end":\[21,21\]' 'ends are those of the view, and the disk holds it up'
run_ok 'yaml' "$PAS2P" predict "$TMP/m.yaml" -f yaml -o "$TMP/out.yaml"
like "$(cat "$TMP/out.yaml")" '^- parameters: {a: 1, b: 2, p: 1}$' 'has the same'
is "$(cat "$OUT$ERR" 2>/dev/null)" '' 'and goes to the file'

# The bounds as expressions, in each format.
core='sample-models/one-core.yaml --machine sample-models/one-core.machine.yaml'
run_ok 'as expressions' "$PAS2P" predict --expression $core -D threads=20
is "$(sed -n 3p "$OUT")" 'T_core = sum_double + mpy_int + threads*n*sum_double' 'a resource has its term'
is "$(sed -n 4p "$OUT")" '       = 0.040000006 - 0.060000008 s' 'and its value at the point'
run_ok 'expressions as csv' "$PAS2P" predict --expression $core -f csv
is "$(cut -d, -f1 "$OUT" | paste -sd' ')" 'bound T_0 T_core T' 'a row each'
is "$(sed -n 2p "$OUT")" 'T_0,sum_double + mpy_int + n*sum_double,0.002000006,0.003000008' 'with expression and time'
run_ok 'expressions as json' "$PAS2P" predict --expression $core -f json
like "$(tr -d ' \n' <"$OUT")" '"pas2p_bounds":1,"model":"tenthreadsononecore","machine":"onecore","parameters":{"threads":10,"n":1000000,"p":1},"operations":{"sum_double":\[2.0e-09,3.0e-09\]' \
	'with what their names stand for'
run_ok 'expressions as yaml' "$PAS2P" predict --expression $core -f yaml
like "$(cat "$OUT")" 'expression: .max\(T_0, T_core\)' 'the same'
run_ok 'nodes that have the same' "$PAS2P" predict --expression sample-models/pi.yaml --machine sample-models/computers-32.yaml
like "$(cat "$OUT")" '^T_cpu0 \(11 nodes\) *= 4\*steps\*\(2\*mpy_double' 'are one term'
run_ok 'resources that parts share by themselves' "$PAS2P" predict --expression "$TMP/m.yaml"
is "$(tail -1 "$OUT")" '       = 63 s' 'T of the whole'
cat >"$TMP/twice.yaml" <<'END'
pas2p_model: 1
resources: {a: 1, b: 1}
program:
- {par: 3, do: [{use: a, do: [{compute: 1}]}]}
- {par: 3, do: [{use: b, do: [{compute: 1}]}]}
END
run_ok 'two that are short after each other' "$PAS2P" predict --expression "$TMP/twice.yaml"
is "$(tail -1 "$OUT")" 'note: T is 6 s with --contention nested, which includes the waiting inside each par' 'a note has the nested time'

# Another machine: compute times by the operations of both, the rest by messages of the mean size.
cat >"$TMP/split.yaml" <<'END'
pas2p_model: 1
parameters: {n: 10, p: 1}
program:
- {compute: 10, split: {compute: 6, bytes: n}}
- {compute: 3}
END
cat >"$TMP/old.yaml" <<'END'
pas2p_machine: 1
ops: {sum_double: 2ns, mpy_double: 8ns, div_double: 1ns}
functions: {recv(b): 1us*b}
END
cat >"$TMP/new.yaml" <<'END'
pas2p_machine: 1
ops: {sum_double: 1ns, mpy_double: 1ns, sum_int: 1ns}
functions: {recv(b): 3us*b}
END
run_ok 'another machine' "$PAS2P" predict "$TMP/split.yaml" --machine "$TMP/new.yaml" --base "$TMP/old.yaml" -f csv
is "$(sed -n 2p "$OUT" | cut -d, -f3 | awk '{ printf "%.9f", $1 }')" 14.250000000 '6/4 + 4*3 + 3/4'
run_ok 'without the old one' "$PAS2P" predict "$TMP/split.yaml" --machine "$TMP/new.yaml" -f csv
is "$(sed -n 2p "$OUT" | cut -d, -f3)" 13 'times are as they stand'

# Mistakes.
sed '/^program:/,$d' "$matmul" >"$TMP/late.yaml"
cat >>"$TMP/late.yaml" <<'END'
program:
- if: rank == 1
  do: [{recv: {from: 0}}]
END
printf 'x,seconds\n1,2\n' >"$TMP/x.csv"
printf 'pas2p_functions: 1\nfunctions: {f(x): x}\n' >"$TMP/functions.yaml"
printf '\357\273\277pas2p_model: 1\nprogram: [{compute: 1}]\n' >"$TMP/mark.yaml"
run_ok 'a file that begins with the mark of UTF-8' "$PAS2P" predict "$TMP/mark.yaml"
wrong() { # STATUS WHAT SENTENCE ARGUMENTS...
	status=$1
	what=$2
	sentence=$3
	shift 3
	run_fails "$status" "$what" "$PAS2P" predict "$@"
	like "$(cat "$ERR")" "$sentence" "$what: says why"
	is "$(cat "$OUT")" '' "$what: no output"
}
wrong 2 'no model' 'predict: no model given'
wrong 2 'two models' 'one model' "$TMP/m.yaml" "$matmul"
wrong 2 '-D of no parameter' 'no such parameter' "$TMP/m.yaml" -D x=1
wrong 2 '-D without a value' 'a value is missing' "$TMP/m.yaml" -D a=
wrong 2 '-D without a sign' 'NAME=VALUES' "$TMP/m.yaml" -D a
wrong 2 '-D twice' 'values already' "$TMP/m.yaml" -D a=1 -D a=2
wrong 2 'a range backwards' 'above its last' "$TMP/m.yaml" -D a=2..1
wrong 2 'a step of 0' 'above 0' "$TMP/m.yaml" -D a=1..2:0
wrong 2 'a factor of 1' 'above 1' "$TMP/m.yaml" -D 'a=1..2*1'
wrong 2 'no number' 'expected numbers' "$TMP/m.yaml" -D a=b
wrong 2 'half a process' 'whole number' "$TMP/m.yaml" -D p=1.5
wrong 2 'too many combinations' 'combinations' "$TMP/m.yaml" -D a=1..1000 -D b=1..1000
wrong 2 'values of what was measured' 'takes its values from the measurements' "$matmul" --machine "$celeron" --measured "$TMP/measured.csv" -D n=3
wrong 2 'expressions of many points' 'is for one point' "$TMP/m.yaml" --expression -D a=1,2
wrong 2 'expressions of what was measured' 'is for one point' "$matmul" --machine "$celeron" --expression --measured "$TMP/measured.csv"
wrong 2 'expressions on another machine' 'own times' "$TMP/m.yaml" --expression --machine "$celeron" --base "$celeron"
wrong 2 'expressions and a graph' 'cannot be used together' "$TMP/m.yaml" --expression --graph
wrong 2 'a base alone' 'needs --machine' "$TMP/m.yaml" --base "$celeron"
wrong 3 'a missing file' 'none.yaml' "$TMP/none.yaml"
wrong 3 'a deadlock' 'deadlock: rank 1 .recv, line 13. waits for a message from rank 0 with tag 0, which has ended' "$TMP/late.yaml"
wrong 2 'messages without a machine' 'line 15.*send.bytes.' "$matmul"
wrong 3 'a parameter that the model lacks' "have the parameter 'x', but the model does not" "$TMP/m.yaml" --measured "$TMP/x.csv"
wrong 3 'functions alone' 'no program' "$TMP/functions.yaml"
done_testing
