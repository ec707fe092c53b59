#!/bin/sh
# pas2p study from the command line: the figures that were published for two runs of CG and for planted laws, the same from traces as from
# their tables, every format under its documented keys, a model that predict reads, each run from the others, and each mistake with its
# exit code and a sentence.
. t/lib/lib.sh

grid=sample-studies/grid.study.yaml
s=sample-traces/cg.S.4.clog2
w=sample-studies/cg.W.8.yaml

# ---- planted laws ----
run_ok 'a study' "$PAS2P" study $grid
is "$(sed -n 1p "$OUT" | xargs)" 'phase family grid.100 weight time [µs] share grid.200 weight time [µs] share grid.300 weight time [µs] share stable in all runs' \
	'families by runs'
is "$(sed -n 2p "$OUT" | xargs)" '1 1 197 300.000 85.5 % 1 397 600.000 96.0 % 1 597 900.000 98.2 % yes yes' 'with weights, times and shares'
like "$(cat "$OUT")" '^ *predicted time  *2164\.600 +2164\.600 +2164\.600$' 'and what the file asks for'
run_ok 'their fits' "$PAS2P" study $grid --models
like "$(cat "$OUT")" '^ *1  weight  *2\*n - 3 .* 0\.0 %$' 'the weight'
like "$(cat "$OUT")" '^ *1  time  *3e-06\*n ' 'the time'
run_ok 'operands and names' "$PAS2P" study sample-studies/grid.100.yaml sample-studies/grid.200.yaml sample-studies/grid.300.yaml \
	--from-name '^grid\.(?<n>\d+)' --at n=600 --at n=5000
is "$(grep -c '^at n = ' "$OUT")" 2 'each place that was asked for'
like "$(cat "$OUT")" '^extrapolation: 16\.7 times the range of the runs$' 'is told how far it is'
like "$(cat "$OUT")" '^note: the parameters are 16\.7 times beyond the range of the runs: the prediction is a rough guess$' 'and what that means'
run_ok 'the model' "$PAS2P" study $grid --model "$TMP/grid.yaml" --at n=600 -f csv
is "$(sed -n 1p "$OUT")" 'n,p,family,weight,time,total,low,high,extrapolation' 'csv has these columns'
t=$(awk -F, '$3 == "T" { print $6 }' "$OUT")
run_ok 'is read by predict' "$PAS2P" predict "$TMP/grid.yaml" -D n=600 -f csv
is "$(sed -n 2p "$OUT" | cut -d, -f3)" "$t" 'which says the same'
like "$(cat "$TMP/grid.yaml")" '^- \{loop: "round\(w1\(n, p\)\)", name: family 1,$' 'with a weight that is rounded'
like "$(cat "$TMP/grid.yaml")" '^  # family 1: phases 1 in grid\.100, 1 in grid\.200, 1 in grid\.300$' 'and which phases it is of'

# ---- real runs ----
run_ok 'CG' "$PAS2P" study $s@n=1400 $w@n=7000 --at n=14000,p=8 -f json
like "$(cat "$OUT")" '"time": 0\.26811[0-9]*,$' 'T'
like "$(cat "$OUT")" '"low": 0\.19246[0-9]*,$' 'at least'
like "$(cat "$OUT")" '"high": 0\.80591[0-9]*,$' 'at most'
like "$(cat "$OUT")" '"direct": \{"time": 0\.245979[0-9]*, "low": 0\.149762[0-9]*, "high": 0\.815084[0-9]*\}' 'directly'
is "$(grep -oE '^  "[a-z]+"' "$OUT" | tr -d ' "' | xargs)" 'study name parameters runs families models predictions' 'the keys in their order'
is "$(grep -oE '^      "[a-z_]+"' "$OUT" | tr -d ' "' | head -8 | xargs)" 'id relevant stable everywhere name same_kind members models' 'of a family'
like "$(cat "$OUT")" '\{"run": "cg\.W\.8", "phases": \[3, 4\], "weight": 832, "time": ' 'of a member'
if command -v python3 >/dev/null; then
	ok 'it is JSON' python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$OUT"
else
	skip 1 'no python3'
fi
cp "$OUT" "$TMP/trace.json"
run_ok 'its table' "$PAS2P" phases --content -f yaml -o "$TMP/cg.S.4.yaml" $s
run_ok 'stands for the trace' "$PAS2P" study "$TMP/cg.S.4.yaml@n=1400" $w@n=7000 --at n=14000,p=8 -f json
ok 'byte for byte' cmp -s "$OUT" "$TMP/trace.json"
run_ok 'one thread' "$PAS2P" study $s@n=1400 $w@n=7000 --at n=14000,p=8 -f json --threads 1
ok 'says the same' cmp -s "$OUT" "$TMP/trace.json"
run_ok 'as yaml' "$PAS2P" study sample-studies/cg.study.yaml -f yaml
like "$(sed -n 1,2p "$OUT" | xargs)" '^study: 1 name: cg$' 'the same document'
run_ok 'as csv' "$PAS2P" study sample-studies/cg.study.yaml -f csv
is "$(sed -n 1p "$OUT")" 'family,run,phases,weight,time,compute,share,relevant,stable,everywhere,name,same_kind' 'a row a family and run'
is "$(sed -n 5p "$OUT" | cut -d, -f1-4)" '2,cg.W.8,3+4,832' 'with its phases'

# ---- signatures that ran on another machine (docs/results.md, "Another size on another machine") ----
run_ok 'a machine that only ran signatures' "$PAS2P" study sample-studies/sweep.4.study.yaml --at n=120,machine=half -f csv
is "$(awk -F, '$4 == "T" || $4 == "direct" { printf "%s %.4f %.4f %.4f ", $4, $7, $8, $9 }' "$OUT")" \
	'T 14.3104 12.4299 15.7064 direct 13.2835 10.5046 14.3492 ' 'is predicted by what they measured there'
run_ok 'the machine that was traced' "$PAS2P" study sample-studies/sweep.4.study.yaml --at n=120,machine=base -f csv
is "$(awk -F, '$4 == "T" { printf "%.4f", $7 }' "$OUT")" 5.2404 'by its traces'
run_ok 'with both numbers of processes' "$PAS2P" study sample-studies/sweep.study.yaml --at n=120,p=8,machine=half -f csv
is "$(awk -F, '$4 == "T" { printf "%.4f", $7 }' "$OUT")" 11.8248 'a number that was nowhere'

run_ok 'small ones together' "$PAS2P" study sample-studies/cg.study.yaml --min-share 1%
is "$(grep -m 1 '^other' "$OUT" | tr -s ' ')" 'other (3 families) 0.7 % 1.4 %' 'are one row'

# ---- what phases do ----
run_ok 'a program and another' "$PAS2P" study -q sample-traces/anysrc.5.clog2@n=1 sample-traces/lu.S.4.clog2@n=2
like "$(cat "$OUT")" '^ *phase family .* name$' 'families have names'
like "$(cat "$OUT")" '^note: phase family [0-9]*: phase 21 \(workers of 0\) of anysrc\.5 is matched with phase 5 \(sweep from 0\) of lu\.S\.4, which does something else$' \
	'and phases that do something else are said'
run_ok 'as csv' "$PAS2P" study -q -f csv sample-traces/anysrc.5.clog2@n=1 sample-traces/lu.S.4.clog2@n=2
like "$(cat "$OUT")" ',lu\.S\.4,5,.*,sweep from 0,false$' 'with what each does'
run_ok 'one program' "$PAS2P" study -q $s@n=1400 $s@n=1401
unlike "$(cat "$OUT")" 'something else' 'does the same'

# ---- local files ----
local=sample-traces/unfinalized.m240.abortme.rank000
run_ok 'the local files of a run' "$PAS2P" study -q "${local}0.clog2@n=5" "${local}1.clog2" $s@n=1400 "${local}2.clog2@n=5" "${local}3.clog2" -f json
is "$(sed -n 's/.*"file": "\([^"]*\)".*"processes": \([0-9]*\).*/\1 \2/p' "$OUT" | wc -l)" 2 'are one of two'
is "$(grep -c '"parameters": {"n": 5, "p": 4}' "$OUT")" 1 'with what was said of any of them'
run_fails 2 'files of a run' "$PAS2P" study -q "${local}0.clog2@n=5" "${local}1.clog2@n=6"
like "$(cat "$ERR")" 'rank0001\.clog2: n is 6 here, but 5 in another file of the same run' 'of which different things are said'

# ---- what was measured instead ----
lu=sample-traces/lu.S.4.clog2
measured=t/runner/results/lu.S.4.laptop.yaml
# study_of FILE RESULT: a study of one run.
study_of() {
	printf 'study: 1\nruns: [{file: %s, result: %s, parameters: {n: 1}}]\n' "$1" "$2" >"$TMP/measured.yaml"
}
study_of "$PWD/$lu" "$PWD/$measured"
run_ok 'a run with a result' "$PAS2P" study "$TMP/measured.yaml" -f csv
sed -n 's/^- id: //p; s/^  weight: //p; s/^  time: //p' "$measured" | paste -d, - - - | sort >"$TMP/want"
cut -d, -f3-5 "$OUT" | sort | grep -Fx -f "$TMP/want" >"$TMP/got"
is "$(cat "$TMP/got")" "$(cat "$TMP/want")" 'its times are what was measured, digit by digit'
run_ok 'without' "$PAS2P" study $lu -f csv
cp "$OUT" "$TMP/traced.csv"
run_ok 'and with' "$PAS2P" study "$TMP/measured.yaml" -f csv
is "$(awk -F, 'FNR == NR { time[$3] = $5; compute[$3] = $6; next } $5 == time[$3] && FNR > 1 { n++ } $6 != compute[$3] { bad = 1 } END { print n, bad + 0 }' \
	"$TMP/traced.csv" "$OUT")" '8 0' 'what was not measured is as it was traced, and so is what is computed'
run_ok 'its run time' "$PAS2P" study "$TMP/measured.yaml" --at n=1 -f csv
is "$(awk -F, '$3 == "T" || $3 == "direct" { print $6 }' "$OUT" | xargs)" '0.022 0.022' 'is what was measured, too'
run_ok 'the table of that run' "$PAS2P" phases -q --content -f yaml -o "$TMP/lu.yaml" $lu
study_of "$TMP/lu.yaml" "$PWD/$measured"
run_ok 'stands for it' "$PAS2P" study "$TMP/measured.yaml" -f csv
is "$(cut -d, -f3-5 "$OUT" | sort | grep -cFx -f "$TMP/want")" "$(wc -l <"$TMP/want")" 'with a result as well'
sed '/^prediction/,/^phases/ { /^  aet/d; /^  pete/d; /^  set_share/d; }' "$measured" >"$TMP/no-aet.yaml"
study_of "$PWD/$lu" "$TMP/no-aet.yaml"
run_ok 'a result without a run time' "$PAS2P" study "$TMP/measured.yaml" -f csv
longer=$(awk -F, 'FNR == NR { time[$3] = $5; next } FNR > 1 && $3 in time { more += $4 * ($5 - time[$3]) } END { printf "%.6f", 0.015643 + more }' \
	"$TMP/traced.csv" "$OUT")
run_ok 'and its run time' "$PAS2P" study "$TMP/measured.yaml" --at n=1 -f csv
is "$(awk -F, '$3 == "direct" { printf "%.6f", $6 }' "$OUT")" "$longer" 'is the traced one, longer by what the measured phases are'
ok 'which are longer' awk "BEGIN { exit !($longer > 0.0160) }"
study_of "$PWD/$s" "$PWD/$measured"
run_fails 3 'a result of another trace' "$PAS2P" study "$TMP/measured.yaml"
like "$(cat "$ERR")" 'lu\.S\.4\.laptop\.yaml: the result belongs to another trace than cg\.S\.4\.clog2' 'is told'
sed 's/^  weight: 510/  weight: 511/' "$measured" >"$TMP/other.yaml"
study_of "$PWD/$lu" "$TMP/other.yaml"
run_fails 3 'a result of other phases' "$PAS2P" study "$TMP/measured.yaml"
like "$(cat "$ERR")" 'phase 6 differs from phase 6 of the run: the phase table of lu\.S\.4 has other settings' 'is told'
study_of "$PWD/$lu" "$PWD/$measured"
run_fails 3 'a result, and other settings' "$PAS2P" study "$TMP/measured.yaml" --volume 20% --events 60%
like "$(cat "$ERR")" 'has other settings' 'are told'
study_of "$PWD/$lu" "$PWD/sample-studies/grid.100.yaml"
run_fails 3 'what is no result' "$PAS2P" study "$TMP/measured.yaml"
like "$(cat "$ERR")" "grid\.100\.yaml: not a result: the key 'pas2p_result' is missing" 'is told'
study_of "$PWD/$lu" "$TMP/none.yaml"
run_fails 3 'a result that is not there' "$PAS2P" study "$TMP/measured.yaml"
head -c 900 "$measured" >"$TMP/cut.yaml"
study_of "$PWD/$lu" "$TMP/cut.yaml"
run_fails 3 'a result that was cut off' "$PAS2P" study "$TMP/measured.yaml"

# ---- what the families do ----
thesis=sample-traces/thesis-cg.4.clog2
run_ok 'a model with graphs' "$PAS2P" study $s@n=1400 $thesis@n=2800 --model "$TMP/graph.yaml" --graph --at n=2000 -f csv
t=$(awk -F, '$3 == "T" { print $6 }' "$OUT")
like "$(cat "$TMP/graph.yaml")" '^  # family 1: phase 1, of cg\.S\.4 on 4 processes: occurrence 1 of 1$' 'says whose they are'
like "$(cat "$TMP/graph.yaml")" '^  # family 2: phase 1, of thesis-cg\.4 on 4 processes: occurrence 4 of 4$' 'each of the last run that has it'
like "$(cat "$TMP/graph.yaml")" '^  # graph 64\.0 ms, phase time 65\.5 ms, this occurrence 64\.0 ms' 'with its time beside that of the phase'
run_ok 'is read by predict' "$PAS2P" predict "$TMP/graph.yaml" -D n=2000 -f csv
is "$(awk -F, -v t="$t" 'NR == 2 { d = $3 / t - 1; print (d * d < 1e-18) }' "$OUT")" 1 'and its time is that of the study'
run_ok 'is drawn' "$PAS2P" predict "$TMP/graph.yaml" --graph --ascii
like "$(cat "$OUT")" '\[family 2\]' 'with the families'
run_ok 'each of which is drawn' "$PAS2P" predict "$TMP/graph.yaml" --graph --ascii --block family_2
like "$(cat "$OUT")" '=>\|\^ send to rank 1' 'with what it does'
is "$(awk 'length > 80' "$OUT")" '' 'in 80 columns'
run_ok 'and is a picture' "$PAS2P" predict "$TMP/graph.yaml" --graph --block family_2 -o "$TMP/block.svg"
like "$(cat "$TMP/block.svg")" '^<svg' 'of its own'
run_fails 2 'a block that there is not' "$PAS2P" predict "$TMP/graph.yaml" --block family_9
like "$(cat "$ERR")" "unknown block 'family_9'; the first one is family_1" 'is told'
run_fails 2 'graphs of no model' "$PAS2P" study $s --graph
like "$(cat "$ERR")" '--graph needs --model FILE' 'are refused'
run_fails 2 'graphs of a phase table' "$PAS2P" study $s@n=1400 $w@n=7000 --model "$TMP/graph.yaml" --graph
like "$(cat "$ERR")" 'cg\.W\.8 is a phase table; the graph of phase family 1 needs the trace of its last run' 'are, too'

# ---- each from the others ----
run_ok 'what predictions are worth' "$PAS2P" study $grid --check
is "$(awk 'NR > 1 { printf "%s ", $4 }' "$OUT")" '+0.8 -0.2 -0.6 ' 'each run is held against the others'
run_ok 'within a tolerance' "$PAS2P" study $grid --check --tolerance 1%
run_fails 1 'beyond it' "$PAS2P" study $grid --check --tolerance 0.5%
run_fails 1 'a run that the others say nothing of' "$PAS2P" study sample-studies/grid.100.yaml@n=1 --check --tolerance 0.5
run_ok 'as json' "$PAS2P" study $grid --check -f json
like "$(cat "$OUT")" '\{"run": "grid\.100", "measured": 0\.0691[0-9]*, "predicted": 0\.0696[0-9]*, "error": 0\.00759[0-9]*, "in_interval": true\}' 'with its keys'

# ---- mistakes ----
run_fails 2 'nothing to study' "$PAS2P" study
run_fails 2 'a study among files' "$PAS2P" study $grid $s
like "$(cat "$ERR")" 'expected one study, or runs' 'is told'
run_fails 2 'runs that say different things' "$PAS2P" study $s@n=1 $w@m=1
like "$(cat "$ERR")" 'cg\.W\.8 lacks the parameter n of cg\.S\.4' 'are told'
run_fails 2 'another p than the run has' "$PAS2P" study $s@p=5
like "$(cat "$ERR")" 'p is 5, but the run has 4 processes' 'is told'
run_fails 2 'a place that no run knows' "$PAS2P" study $grid --at m=5
like "$(cat "$ERR")" '--at: unknown parameter m: no run has it' 'is told'
run_fails 2 'a tolerance of nothing' "$PAS2P" study $grid --tolerance 1%
run_fails 2 'lists that exclude each other' "$PAS2P" study $grid --check --models
run_fails 3 'a file that is not there' "$PAS2P" study none.clog2
run_ok 'a table' "$PAS2P" phases -f yaml -o "$TMP/plain.yaml" $s
run_fails 3 'without content' "$PAS2P" study "$TMP/plain.yaml"
like "$(cat "$ERR")" 'the phase table lacks the content of its phases' 'is told'
run_fails 3 'a table of other settings' "$PAS2P" study $w --volume 10%
like "$(cat "$ERR")" 'the phase table has volume 0\.05, but the study needs 0\.1' 'is told'
printf 'study: 1\nruns: [{file: a, fil: b}]\n' >"$TMP/bad.yaml"
run_fails 3 'a study with a mistake' "$PAS2P" study "$TMP/bad.yaml"
like "$(cat "$ERR")" "line 2: unknown key 'fil' in a run: expected one of file, name, parameters, result" 'is told with its line'
cp sample-studies/grid.*.yaml "$TMP"
run_fails 2 'writing over a run' "$PAS2P" study "$TMP/grid.study.yaml" --model "$TMP/grid.200.yaml"
like "$(cat "$ERR")" 'is an input: give the output another name' 'is refused'
run_fails 6 'a model that cannot be written' "$PAS2P" study $grid --model "$TMP/none/there.yaml"
# In a narrow table the name goes before what a study is about.
run_ok '80 columns' env COLUMNS=80 "$PAS2P" study sample-traces/cg.S.4.clog2@n=1 sample-traces/lu.S.4.clog2@n=2
like "$(head -1 "$OUT")" 'weight  time .*weight  time [^ ]*$' 'weights and times stay'
done_testing
