#!/bin/sh
# pas2p fit: measurements in, functions out. What it prints is what people and models go on with: so each format must have the shape that is
# promised, every number that reads back must be the same, what a person has to know must be said, and mistakes must end with the right code.
. t/lib/lib.sh

table1=sample-models/pingpong-table1.csv
line() { # N FILE
	sed -n "$1p" "$2"
}

# ---- the table ----
run_ok 'messages are fitted' "$PAS2P" fit $table1
is "$(line 1 "$OUT")" 'send: 13 points of 13 measurements, form pieces, weights relative' 'a group has a heading'
like "$(cat "$OUT")" '^ 6824    65536       5  -5\.219057e-05  3\.168e-05  8\.665508e-08' 'and its segments'
like "$(cat "$OUT")" 'criterion: 1 segment -75\.69, 2 segments -114\.10, 3 segments -101\.28' 'and what the number of segments was chosen by'
like "$(cat "$OUT")" '^ *65536  0\.00572613   0\.005626837  -1\.73 %' 'and what is off at its points'
is "$(grep -c 'points of' "$OUT")" 2 'there are two groups'
run_ok 'as in the literature' "$PAS2P" fit $table1 --weights none --segments 2
like "$(cat "$OUT")" '^ 6824    65536       5  -8\.205234e-05 *0\.0001282  8\.791817e-08  3\.447e-09' 'with its coefficients'
run_ok 'at a place' "$PAS2P" fit sample-models/t_mult.csv --at n=1000
like "$(cat "$OUT")" '^1000  414\.936  347\.063  440\.58 *2$' 'value and interval are printed'
run_ok 'with breakpoints' "$PAS2P" fit $table1 --break 131072,65536
is "$(grep -c '^ *65536   131072       1' "$OUT")" 2 'pieces are those'
like "$(cat "$OUT")" 'note: the error is unknown: the fit has too few points' 'with too few points the error is not known, which is said'

# ---- csv ----
run_ok 'as csv' "$PAS2P" fit sample-models/t_inic.csv --form poly --weights none -f csv
is "$(line 1 "$OUT")" 'name,n,measured,model,error' 'a row a point'
is "$(wc -l <"$OUT" | xargs)" 6 'for each of them'
is "$(awk -F, 'NR > 1 { printf "%.2f ", 100 * $5 }' "$OUT")" '0.42 0.35 -0.65 0.40 -0.09 ' 'with the errors of the literature, which cuts 0.345'
run_ok 'csv at places' "$PAS2P" fit $table1 -f csv --at bytes=1 --at bytes=65536 -q
is "$(line 1 "$OUT")" 'name,bytes,value,low,high,extrapolation' 'predictions instead'
is "$(cut -d, -f1,2,6 "$OUT" | sed 1d | xargs)" 'send,1,6824 send,65536,1 recv,1,6824 recv,65536,1' 'for each group and place'
is "$(wc -c <"$ERR" | xargs)" 0 'quietly nothing else is said'
run_ok 'without -q' "$PAS2P" fit $table1 -f csv --at bytes=1
like "$(cat "$ERR")" 'pas2p: send: bytes = 1 is 6824 times beyond the measured range' 'the distance is told'

# ---- json ----
run_ok 'as json' "$PAS2P" fit $table1 -f json --at bytes=65536
is "$(tr -d ' \n' <"$OUT" | grep -oE '^\{"pas2p_fit":1,"file":"[^"]*","models":\[\{"name":"send","parameters":\["bytes"\],"points":13,"expression":"\{65536:')" \
	'{"pas2p_fit":1,"file":"sample-models/pingpong-table1.csv","models":[{"name":"send","parameters":["bytes"],"points":13,"expression":"{65536:' 'it begins as promised'
like "$(cat "$OUT")" '\{"from": 6824, "to": 65536, "points": 5, "coefficients": \[-5\.219[0-9]*e-05, 8\.665[0-9]*e-08\], "half_widths": \[' 'with segments'
like "$(cat "$OUT")" '\{"segments": 2, "bic": -114\.09[0-9]*\}' 'and criteria'
like "$(cat "$OUT")" '"predictions": \[' 'and predictions'
is "$(grep -oE '^      "[a-z_]+"' "$OUT" | head -14 | tr -d ' "' | xargs)" \
	'name parameters points expression segments criteria loo error measurements dropped weights form residuals predictions' 'the keys in their order'
run_ok 'forms as json' "$PAS2P" fit sample-models/t_mult.csv -f json
like "$(cat "$OUT")" '\{"coefficient": 4\.1636[0-9]*e-08, "half_width": 1\.43[0-9]*e-09, "powers": \[\[3, 1\]\]\}' 'have terms with powers'
if command -v python3 >/dev/null; then
	ok 'it is JSON' python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$OUT"
else
	skip 1 'no python3'
fi

# ---- yaml: functions ----
run_ok 'as functions' "$PAS2P" fit sample-models/t_inic.csv --name T_inic --form poly --weights none -f yaml
is "$(line 1 "$OUT") $(line 2 "$OUT")" 'pas2p_functions: 1 functions:' 'a document of functions'
like "$(line 3 "$OUT")" '^  "?T_inic\(n\)"?: "?2\.12107[0-9]*e-07\*n\^2 - 1\.279[0-9]*e-06\*n - 0\.000428' 'that is named as asked for'
run_ok 'pieces as functions' "$PAS2P" fit $table1 -f yaml
is "$(grep -cE '^ +"?(65536|inf)"?: "?8\.[0-9]+e-08\*bytes [-+] ' "$OUT")" 4 'say where they end'
printf 'op,n p,n_p,seconds\na b,1,7,1\na b,2,5,2\na_b,1,1,1\na_b,4,5,6\na_b,5,2,1\n1é,1,1,1\nmax,1,1,1\n' >"$TMP/names.csv"
run_ok 'odd names' "$PAS2P" fit "$TMP/names.csv" -f yaml -q
is "$(grep -oE '^  "?[^ :]+\([^)]*\)' "$OUT" | tr -d ' "' | xargs)" 'a_b(n_p,n_p_2) a_b_2(n_p,n_p_2) _1_() max_()' 'become names of the language, each its own'

# ---- traces ----
run_ok 'a trace is fitted' "$PAS2P" fit sample-traces/cg.S.4.clog2
is "$(grep ' of .* measurements, form ' "$OUT" | cut -d: -f1 | xargs)" 'send intra recv intra copy intra' 'by what its messages took'
like "$(cat "$ERR")" 'pas2p: barrier intra is not fitted: the trace has 1 time, but 30 are needed' 'what is rare is told'
like "$(cat "$ERR")" 'cg\.S\.4\.clog2: ignored 317 messages that arrived before being sent' 'and what its clocks do not allow'
run_ok 'two runs, in functions' "$PAS2P" fit sample-traces/cg.S.4.clog2 sample-traces/lu.S.4.clog2 -f yaml -q
is "$(grep -oE '^  "?[^ :]+\([^)]*\)' "$OUT" | tr -d ' "' | xargs)" 'send_intra(bytes) recv_intra(bytes) copy_intra(bytes)' 'are those of one'
is "$(wc -c <"$ERR" | xargs)" 0 'quietly nothing is said'
run_ok 'at a place' "$PAS2P" fit sample-traces/cg.S.4.clog2 --at bytes=8 -f csv -q
is "$(cut -d, -f1,2 "$OUT" | sed 1d | xargs)" 'send intra,8 recv intra,8 copy intra,8' 'as of a file of measurements'

# ---- two parameters, groups, repetitions ----
{
	echo 'op,n,p,seconds'
	for n in 100 200 400; do
		for p in 2 4 8; do
			for rest in 0 0 0 0 0 0.5; do
				echo "w,$n,$p,$(awk "BEGIN { print 3e-6 * $n / $p + 1e-4 + $rest }")"
			done
		done
	done
} >"$TMP/grid.csv"
run_ok 'a grid with values that stand out' "$PAS2P" fit "$TMP/grid.csv" --at n=800,p=16
like "$(cat "$OUT")" '^note: 9 of 54 measurements are outliers and were dropped' 'they are dropped, which is said'
like "$(cat "$OUT")" '^ *3e-06 .* n\*p\^\(-1\)$' 'and the law of both parameters comes back'
like "$(cat "$OUT")" '^800  16  0\.00025  0\.00025  0\.00025 *2$' 'also where nothing was measured'
run_ok 'the least' "$PAS2P" fit "$TMP/grid.csv" --value min -f json
like "$(cat "$OUT")" '"dropped": 9' 'of what is kept'
sort -r "$TMP/grid.csv" | grep -v op >"$TMP/rows"
{ echo 'op,n,p,seconds'; cat "$TMP/rows"; } >"$TMP/other.csv"
"$PAS2P" fit "$TMP/grid.csv" -f yaml -q >"$TMP/one"
"$PAS2P" fit "$TMP/other.csv" -f yaml -q >"$TMP/two"
ok 'the order of lines does not matter' cmp "$TMP/one" "$TMP/two"
"$PAS2P" fit "$TMP/grid.csv" "$TMP/other.csv" -f json -q >"$TMP/both"
like "$(cat "$TMP/both")" '"measurements": 108' 'several files are one'
run_ok 'another column' "$PAS2P" fit "$TMP/grid.csv" --y n -f json -q
like "$(cat "$OUT")" '"parameters": \["p", "seconds"\]' 'seconds are a parameter then'
printf 'n,seconds\n1,0\n2,1\n3,2\n4,3\n' >"$TMP/zero.csv"
run_ok 'a value of 0' "$PAS2P" fit "$TMP/zero.csv"
like "$(cat "$OUT")" '^note: relative weights need values above 0' 'has no relative weight, which is said'
like "$(cat "$OUT")" '^1 .* - *$' 'nor a relative error'
printf 'bytes,seconds\n1,5\n2,4\n3,3\n' >"$TMP/falls.csv"
run_ok 'a falling line' "$PAS2P" fit "$TMP/falls.csv"
like "$(cat "$OUT")" '^note: the segment from 1 to 3 has a negative slope' 'is told'
printf 'n,seconds\n1,5\n2,1\n3,7\n4,2\n' >"$TMP/poor.csv"
run_ok 'points without a law' "$PAS2P" fit "$TMP/poor.csv"
like "$(cat "$OUT")" '^note: the fit is poor: its cross-validation error is [0-9.]+ %' 'are told'
printf 'n,p,seconds\n1,2,5\n2,2,10\n' >"$TMP/same.csv"
run_ok 'a place with a parameter that stays' "$PAS2P" fit "$TMP/same.csv" --at n=3,p=16
like "$(cat "$OUT")" '^note: p has no effect' 'says that it does not count'

# ---- where it goes ----
run_ok 'into a file' "$PAS2P" fit $table1 -f yaml -o "$TMP/recv.functions.yaml"
is "$(line 1 "$TMP/recv.functions.yaml")" 'pas2p_functions: 1' 'which holds the functions'

# ---- mistakes ----
refuses() { # CODE SENTENCE NAME ARGS...
	want=$1 sentence=$2 name=$3
	shift 3
	run_fails "$want" "$name" "$PAS2P" fit "$@"
	is "$(line 1 "$ERR")" "pas2p: $sentence" 'with a sentence'
}
refuses 2 'fit: no measurements and no traces given' 'without a file'
refuses 2 "send: 5 segments of 13 points: the limit is 4, with 3 points each" 'more segments than points allow' $table1 --segments 5
refuses 2 "degree 5 of 5 points: the limit is 4" 'a higher degree' sample-models/t_inic.csv --degree 5
refuses 2 "--at gives no value of n, which the fit depends on" 'a place without its parameter' "$TMP/same.csv" --at p=5
refuses 2 "--at: the measurements have no parameter 'q'" 'a parameter that there is not' sample-models/t_inic.csv --at q=5
refuses 2 "--at is 'n': expected NAME=VALUE, such as n=1000, separated by commas" 'no value' sample-models/t_inic.csv --at n
refuses 2 "--at is 'n=x': expected numbers as values" 'a value that is no number' sample-models/t_inic.csv --at n=x
refuses 2 "--at is 'n=1,n=2': expected each parameter once" 'a parameter twice' sample-models/t_inic.csv --at n=1,n=2
refuses 2 "--break is '1,x': expected numbers, separated by commas, such as 1024,65536" 'a break that is no number' $table1 --break 1,x
refuses 2 "send: no point is above the breakpoint 1e+09" 'a break beyond the points' $table1 --break 1e9
refuses 2 "--name: expected one group of measurements, found 2" 'one name for two functions' $table1 --name f -f yaml
refuses 2 "--name is '2x': expected a name of letters, digits and _ that is not a word of the model language" 'no name' sample-models/t_inic.csv --name 2x
refuses 2 "sample-models/t_inic.csv: line 2: the column 'q' is missing" 'a column that there is not' sample-models/t_inic.csv --y q
refuses 2 "segments and breakpoints need the form pieces" 'segments of powers' sample-models/t_inic.csv --form power --segments 1
run_fails 3 'a file that is not there' "$PAS2P" fit "$TMP/none.csv"
printf 'n,seconds\n1,2\n3\n' >"$TMP/short.csv"
refuses 3 "$TMP/short.csv: line 3: 1 cell, but the header has 2" 'a line that is short' "$TMP/short.csv"
refuses 2 "--y names a column of CSV files, but the files are traces" 'a column of a trace' sample-traces/cg.S.4.clog2 --y size
refuses 3 "sample-models/t_mult.csv is a text file, not a CLOG2, OTF2 or PRV trace" 'a table beside a trace' sample-models/t_mult.csv sample-traces/anysrc.5.clog2
run_fails 3 'a trace without messages enough' "$PAS2P" fit sample-traces/ep.S.4.clog2
like "$(cat "$ERR")" 'pas2p: nothing to fit: no send, receive or collective has 30 usable times' 'which is told'
done_testing
