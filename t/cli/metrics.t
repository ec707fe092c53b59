#!/bin/sh
# pas2p metrics from the command line: every format has the same figures in the documented order, several files are the runs that they are,
# conditions end it with the documented exit codes, a damaged trace gives what was readable, and what cannot be meant is refused
# with a sentence. The figures themselves are tested where they are made; here a few of each page's example must come through.
. t/lib/lib.sh

trace='sample-traces/cg.S.4.clog2'
late='sample-traces/latesender.4.clog2'
states='sample-traces/userstates.3.clog2'
XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME

account=time,useful,send,receive,wait,collective,other_mpi,untraced,tracer,communication,sync,transfer,hidden,overlap
factors=load_balance,communication_balance,communication_efficiency,parallel_efficiency,serialisation_efficiency,transfer_efficiency,tracer_efficiency

# By program.
run_ok 'the table' "$PAS2P" metrics -q "$trace"
like "$(cat "$OUT")" '^parallel efficiency  *19\.1 % <$' 'has the factors, and marks what is below the bar'
like "$(cat "$OUT")" '^< is below the bar of 80\.0 %$' 'says what the mark means'
like "$(cat "$OUT")" '^ideal run time  *9\.62 ms$' 'has units'
like "$(cat "$OUT")" '^3  poor   transfer efficiency 25\.2 %' 'ends with the diagnosis'
unlike "$(cat "$OUT")" '^note: no-user-states' 'and does not speak of routines'
is "$(awk 'length > 80' "$OUT")" '' 'fits 80 columns'
is "$(LC_ALL=C tr -d '\n -~' <"$OUT")" '' 'is ASCII'
run_ok 'without user states' "$PAS2P" metrics -q --bar 10% "$trace"
unlike "$(cat "$OUT")" '<' 'nothing is below a low bar'
run_ok 'again' "$PAS2P" metrics -q --bar 10% --threads 1 "$trace"
cp "$OUT" "$TMP/one"
run_ok 'with more threads' "$PAS2P" metrics -q --bar 10% --threads 4 "$trace"
ok 'the same' cmp "$TMP/one" "$OUT"

run_ok 'csv' "$PAS2P" metrics -q -f csv "$trace"
is "$(head -1 "$OUT")" "file,processes,threads,compute,runtime,ideal_runtime,$account,outside,useful_mean,useful_max,cpu,idle,average_parallelism,$factors,nodes,load_balance_nodes,load_balance_inside,late_sender,late_receiver,collective_wait,messages,bytes,collectives,unrelated,speedup,efficiency,serial_fraction,computation_scaling,global_efficiency" 'has the documented columns'
is "$(wc -l <"$OUT")" 2 'and a line a run'

# key FILE JSON-PATH: by python, which also says whether it is JSON at all.
if command -v python3 >/dev/null; then
	key() {
		python3 - "$1" "$2" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
v = eval("d" + sys.argv[2])
print(f"{v:.6g}" if isinstance(v, float) else " ".join(v) if isinstance(v, dict) else v)
END
	}
	run_ok 'json' "$PAS2P" metrics -q -f json "$trace"
	is "$(key "$OUT" '')" 'pas2p_metrics by scaling serial rendezvous rooted reference runs diagnosis notes' 'json: the documented keys'
	is "$(key "$OUT" '["runs"][0]' | tr ' ' ,)" "file,processes,threads,compute,runtime,ideal_runtime,$account,outside,useful_mean,useful_max,cpu,idle,average_parallelism,$factors,nodes,load_balance_nodes,load_balance_inside,late_sender,late_receiver,collective_wait,messages,bytes,collectives,unrelated,speedup,efficiency,serial_fraction,computation_scaling,global_efficiency" 'json: those of a run'
	is "$(key "$OUT" '["runs"][0]["ideal_runtime"]')" 0.00961673 'json: the ideal run time'
	is "$(key "$OUT" '["runs"][0]["transfer_efficiency"]')" 0.251825 'json: transfer efficiency'
	is "$(key "$OUT" '["runs"][0]["sync"]')" 0.0716518 'json: waiting'
	is "$(key "$OUT" '["runs"][0]["speedup"]') $(key "$OUT" '["reference"]') $(key "$OUT" '["rendezvous"]')" 'None None None' 'json: what is absent is null'
	is "$(key "$OUT" '["diagnosis"][0]')" 'step verdict metric value processes warnings' 'json: step 1'
	is "$(key "$OUT" '["diagnosis"][1]')" 'step verdict serial_fraction trend limit projection' 'json: step 2'
	is "$(key "$OUT" '["diagnosis"][2]')" 'step verdict factor value lost processes process routines phases' 'json: step 3'
	is "$(key "$OUT" '["diagnosis"][3]')" 'step verdict before runtime_change changes' 'json: step 4'
	is "$(key "$OUT" '["diagnosis"][3]["changes"]')" '' 'json: no change is known'
	run_ok 'json with a note' "$PAS2P" metrics -q -f json sample-traces/userstates.3.clog2
	is "$(key "$OUT" '["notes"][0]')" 'file kind count meaning' 'json: its keys'
	rows() { # BY KEYS
		run_ok "json by $1" "$PAS2P" metrics -q -f json --by "$1" "$states"
		is "$(key "$OUT" '["runs"][0]["rows"][0]' | tr ' ' ,)" "$2" "json by $1: the documented keys"
		unlike "$(key "$OUT" '')" 'diagnosis' "json by $1: no diagnosis"
	}
	rows process "process,thread,host,$account,outside,busy,idle,cpu,ideal_end,sends,receives,collectives,bytes_sent,critical"
	rows state "path,name,kind,depth,count,unfinished,exclusive,$account,share,time_max,ideal_time_max,$factors,imbalance,heaviest,critical"
	is "$(key "$OUT" '["runs"][0]["rows"][2]["path"]')" "['(program)', 'Outer step', 'Inner kernel with a very long n']" 'json by state: the path is a list'
	rows phase "phase,weight,relevant,$account,share,time_max,ideal_time_max,$factors,imbalance,heaviest,critical"
	is "$(key "$OUT" '["runs"][0]["rows"][0]["phase"]') $(key "$OUT" '["runs"][0]["rows"][1]["phase"]') $(key "$OUT" '["runs"][0]["rows"][-1]["phase"]')" \
		'before 1 after' 'json by phase: a number, before or after'
	rows cause 'process,what,routine,phase,waiting,share'
	is "$(python3 -c 'import json,sys; r=json.load(open(sys.argv[1]))["runs"][0]; print(abs(sum(x["waiting"] for x in r["rows"])+r["unresolved"]-r["sync"]) < 1e-9)' "$OUT")" True 'json by cause: causes and unresolved are all waiting'
	# YAML is the same document.
	if python3 -c 'import yaml' 2>/dev/null; then
		for by in program process state phase cause; do
			"$PAS2P" metrics -q --by $by -f json "$trace" >"$TMP/json"
			"$PAS2P" metrics -q --by $by -f yaml "$trace" >"$TMP/yaml"
			is "$(python3 -c 'import json,sys,yaml; print(json.load(open(sys.argv[1])) == yaml.safe_load(open(sys.argv[2])))' "$TMP/json" "$TMP/yaml")" True "by $by: yaml is the same"
		done
	else
		skip 5 'no yaml for python'
	fi
else
	skip 30 'no python3'
fi

# Rows.
for by in process state phase cause; do
	run_ok "the table by $by" "$PAS2P" metrics -q --by $by "$late"
	like "$(head -1 "$OUT")" '^sample-traces/latesender.4.clog2: 4 processes, ' "by $by: begins with the run"
	run_ok "csv by $by" "$PAS2P" metrics -q --by $by -f csv "$late" "$states"
	like "$(head -1 "$OUT")" '^file,processes,' "csv by $by: begins with the run"
	is "$(cut -d, -f1 "$OUT" | sed 1d | sort -u | xargs)" "$late $states" "csv by $by: rows of both runs"
done
run_ok 'csv by state' "$PAS2P" metrics -q --by state -f csv "$states"
like "$(cat "$OUT")" '^sample-traces/userstates.3.clog2,3,Outer step/MPI_Allreduce,MPI_Allreduce,mpi,2,30,' 'a path is joined'
is "$(head -1 "$OUT")" "file,processes,path,name,kind,depth,count,unfinished,exclusive,$account,share,time_max,ideal_time_max,$factors,imbalance,heaviest,critical" 'columns by state'
run_ok 'by cause' "$PAS2P" metrics -q --by cause "$late"
like "$(cat "$OUT")" '^[0-9.]* m?s of waiting in all; of .* of it the cause is not known$' 'says what is left'

# Several runs.
run_ok 'three runs' "$PAS2P" metrics -q "$trace" "$states" sample-traces/ep.S.4.clog2
like "$(cat "$OUT")" '^run 1   sample-traces/userstates.3.clog2 .reference.$' 'are in order of their processes, with the reference'
like "$(cat "$OUT")" '^processes  *3  *4  *4$' 'beside each other'
like "$(cat "$OUT")" '^speedup  *1\.00 ' 'the reference has a speedup of 1'
is "$(grep -v '^note\|^      ' "$OUT" | awk 'length > 80')" '' 'fit 80 columns'
set -- "$trace" "$trace" "$trace" "$trace" "$trace" "$trace" "$trace"
run_ok 'seven runs' "$PAS2P" metrics -q "$@"
is "$(grep -c '^processes' "$OUT")" 2 'take two tables'
is "$(grep -v '^note\|^      ' "$OUT" | awk 'length > 80')" '' 'that fit 80 columns'
run_ok 'a serial time' "$PAS2P" metrics -q --serial 0.1 -f csv "$trace"
like "$(sed 1d "$OUT")" ',2\.6186[0-9]*,0\.6546[0-9]*,' 'is what speedup is against'
run_ok 'weak scaling' "$PAS2P" metrics -q --scaling weak "$states" "$trace"
like "$(cat "$OUT")" '^scaling: weak' 'says so'
run_ok 'local files of one run' "$PAS2P" metrics -q -f csv sample-traces/unfinalized.m240.abortme.rank000*.clog2
is "$(sed 1d "$OUT" | cut -d, -f1,2)" 'sample-traces/unfinalized.m240.abortme.rank0000.clog2,4' 'are one run'
run_ok 'beside a finalized one' "$PAS2P" metrics -q -f csv sample-traces/unfinalized.m240.abortme.rank0000.clog2 "$states" \
	sample-traces/unfinalized.m240.abortme.rank0001.clog2 sample-traces/unfinalized.m240.abortme.rank0002.clog2 sample-traces/unfinalized.m240.abortme.rank0003.clog2
is "$(sed 1d "$OUT" | cut -d, -f2 | xargs)" '3 4' 'they are still one'

# Rules of the ideal run.
ideal() {
	"$PAS2P" metrics -q -f csv "$@" | sed 1d | cut -d, -f6
}
ok 'rooted all may take longer' awk "BEGIN { exit !($(ideal --rooted all "$trace") >= $(ideal "$trace")) }"
ok 'a rendezvous may take longer' awk "BEGIN { exit !($(ideal --rendezvous 0 sample-traces/lu.S.4.clog2) > $(ideal sample-traces/lu.S.4.clog2)) }"
is "$(ideal --rendezvous never "$late")" "$(ideal "$late")" 'never is the default'

# What if, and before.
run_ok 'what if' "$PAS2P" metrics -q --what-if network=0 "$trace"
like "$(cat "$OUT")" '^what if network' 'is said'
like "$(cat "$OUT")" '^  run time  *38\.2 ms  *9\.62 ms$' 'without a network it is the ideal run'
run_ok 'several' "$PAS2P" metrics -q --what-if network=0 --what-if 'rank 0 x 0.5' -f json "$trace"
like "$(cat "$OUT")" '"text": "network.*, rank 0 x 0\.5"' 'hold together'
run_ok 'before' "$PAS2P" metrics -q --before "$trace" "$trace"
like "$(cat "$OUT")" '^4  same ' 'the same run is the same'
run_ok 'before of another size' "$PAS2P" metrics -q -f json --before "$states" "$trace"
like "$(cat "$OUT")" '"verdict": "unknown"' 'is not known'

# Conditions.
run_ok 'a condition that does not hold' "$PAS2P" metrics -q --fail-if 'load_balance < 0.8' "$trace"
is "$(cat "$ERR")" '' 'says nothing'
run_fails 1 'one that holds' "$PAS2P" metrics -q --fail-if 'load_balance < 0.8 or parallel_efficiency < 80%' -o "$TMP/out" "$trace"
like "$(cat "$ERR")" '^pas2p: parallel_efficiency < 0\.8 holds: it is 0\.191[0-9]* in sample-traces/cg' 'says which and its value'
ok 'the output is written' test -s "$TMP/out"
run_fails 1 'the second one' "$PAS2P" metrics -q --fail-if 'load_balance < 0.8' --fail-if 'unrelated < 1' "$trace"
run_fails 1 'one that cannot be told' "$PAS2P" metrics -q --fail-if 'speedup < 2' "$trace"
like "$(cat "$ERR")" 'speedup < 2 cannot be told' 'does not pass'
run_ok 'a change within bounds' "$PAS2P" metrics -q --fail-if 'runtime_change > 2%' --before "$trace" "$trace"
run_fails 1 'a change that is not known' "$PAS2P" metrics -q --fail-if 'runtime_change > 2%' --before "$states" "$trace"
run_fails 1 'a condition by process' "$PAS2P" metrics -q --by process --fail-if 'parallel_efficiency < 80%' "$trace"

# What cannot be meant.
refused() { # SAYS ARGUMENT...
	says=$1
	shift
	run_fails 2 "refused: $*" "$PAS2P" metrics "$@" "$trace"
	like "$(cat "$ERR")" "^pas2p: .*$says" 'says why'
}
refused 'did you mean load_balance' --fail-if 'load_balanc < 1'
refused 'runtime_change takes --before' --fail-if 'runtime_change > 1'
refused 'expected a number of bytes, or never' --rendezvous 3k
refused 'expected program, process' --by rank
refused 'leave out --by state' --by state --before "$trace"
refused 'leave out --by state' --by state --what-if balance
refused 'bar.*expected a share' --bar 120%
refused 'serial.*expected seconds' --serial 0
refused 'what-if' --what-if nonsense
refused 'what-if' --what-if 'rank 9 x 0.5'
refused 'cannot be used with metrics' --match x
run_fails 2 'no file' "$PAS2P" metrics
run_fails 3 'a file that is not there' "$PAS2P" metrics "$trace" "$TMP/none.clog2"
run_fails 3 'one that is no trace' "$PAS2P" metrics "$trace" README.md
run_fails 3 'before that is not there' "$PAS2P" metrics --before "$TMP/none.clog2" "$trace"
cp "$trace" "$TMP/trace"
run_fails 2 'the trace as output' "$PAS2P" metrics -o "$TMP/trace" "$TMP/trace"
run_fails 2 'the trace before as output' "$PAS2P" metrics -o "$TMP/trace" --before "$TMP/trace" "$trace"
ok 'is not touched' cmp "$TMP/trace" "$trace"
run_fails 6 'a full disk' "$PAS2P" metrics -o /dev/full "$trace"

# Damage: what was readable.
for size in 1400000 700000 70000 2000; do
	head -c "$size" "$trace" >"$TMP/cut.clog2"
	"$PAS2P" metrics -q "$TMP/cut.clog2" >"$OUT" 2>"$ERR"
	status=$?
	case $size in 2000) ok "cut at $size: an exit code of damage" test "$status" -eq 4 -o "$status" -eq 3 ;; *) is "$status" 4 "cut at $size" ;; esac
done
head -c 700000 "$trace" >"$TMP/cut.clog2"
run_fails 4 'a cut trace beside a whole one' "$PAS2P" metrics -q "$TMP/cut.clog2" "$trace"
like "$(cat "$ERR")" 'cut.clog2 is damaged' 'names the one'
like "$(cat "$OUT")" '^run 2 ' 'has both'
run_fails 4 'every row of a cut trace' "$PAS2P" metrics -q --by state -f json "$TMP/cut.clog2"

# No MPI states, no messages, one process, every other sample: figures or dashes.
for sample in sample-traces/*.clog2; do
	case $sample in *unfinalized*) continue ;; esac
	for by in program process state phase cause; do
		run_ok "$sample by $by" "$PAS2P" metrics -q --by $by -f json "$sample"
		unlike "$(cat "$OUT")" '[^a-z](nan|inf)[^a-z]' 'all figures are numbers or null'
	done
done
run_ok 'a trace without MPI states' "$PAS2P" metrics -q sample-traces/thesis-cg.4.clog2
like "$(cat "$OUT")" '^parallel efficiency  *-$' 'has no factors'
like "$(cat "$OUT")" '^note: no-mpi-states' 'and says why'
run_fails 1 'a condition on it' "$PAS2P" metrics -q --fail-if 'parallel_efficiency < 0.5' sample-traces/thesis-cg.4.clog2
run_ok 'what if of it' "$PAS2P" metrics -q --what-if network=0 sample-traces/thesis-cg.4.clog2

done_testing
