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

account=time,useful,send,receive,wait,collective,other_mpi,untraced,tracer,communication,sync,transfer,not_analysed,not_analysed_transfer,hidden,overlap
factors=load_balance,communication_balance,communication_efficiency,parallel_efficiency,serialisation_efficiency,transfer_efficiency,tracer_efficiency

# By program.
PATH=$(dirname "$PAS2P"):$PATH # what it prints has the program as it was called
run_ok 'the table' pas2p metrics -q "$trace"
like "$(cat "$OUT")" '^parallel efficiency  *19\.1 %  poor$' 'has the factors, and marks poor ones'
like "$(cat "$OUT")" '^goal 80 %$' 'with the goal'
like "$(cat "$OUT")" '^  on an ideal network  *9\.62 ms$' 'has units'
like "$(cat "$OUT")" '^Main loss  *poor: transfer efficiency 25\.2 %' 'ends with the diagnosis'
unlike "$(cat "$OUT")" '^note: no-user-states' 'and does not speak of routines'
is "$(awk 'length > 80' "$OUT")" '' 'fits 80 columns'
run_ok 'in a locale without UTF-8' env LC_ALL=C pas2p metrics -q "$trace"
is "$(LC_ALL=C tr -d '\n -~' <"$OUT")" '' 'is ASCII'
run_ok 'without user states' "$PAS2P" metrics -q --bar 10% "$trace"
unlike "$(cat "$OUT")" 'poor$' 'nothing is below a low bar'
run_ok 'again' "$PAS2P" metrics -q --bar 10% --threads 1 "$trace"
cp "$OUT" "$TMP/one"
run_ok 'with more threads' "$PAS2P" metrics -q --bar 10% --threads 4 "$trace"
ok 'the same' cmp "$TMP/one" "$OUT"

run_ok 'csv' "$PAS2P" metrics -q -f csv "$trace"
is "$(head -1 "$OUT")" "file,processes,threads,compute,runtime,ideal_runtime,total_time,$account,outside,useful_mean,useful_max,cpu,idle,average_parallelism,$factors,nodes,load_balance_nodes,load_balance_inside,late_sender,late_receiver,collective_wait,not_analysed_in,messages,bytes,unknown_sizes,collectives,unrelated,speedup,efficiency,serial_fraction,computation_scaling,global_efficiency" 'has the documented columns'
is "$(wc -l <"$OUT")" 2 'and a line a run'
is "$(head -1 "$OUT" | tr ',' '\n' | while read -r key; do grep -qw "$key" docs/reference/metrics.md || echo "$key"; done)" '' 'and the page has each of them'

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
	is "$(key "$OUT" '["runs"][0]' | tr ' ' ,)" "file,processes,threads,compute,runtime,ideal_runtime,total_time,$account,outside,useful_mean,useful_max,cpu,idle,average_parallelism,$factors,nodes,load_balance_nodes,load_balance_inside,late_sender,late_receiver,collective_wait,not_analysed_in,messages,bytes,unknown_sizes,collectives,unrelated,speedup,efficiency,serial_fraction,computation_scaling,global_efficiency" 'json: those of a run'
	is "$(key "$OUT" '["runs"][0]["ideal_runtime"]')" 0.00961673 'json: the ideal run time'
	is "$(key "$OUT" '["runs"][0]["transfer_efficiency"]')" 0.251825 'json: transfer efficiency'
	is "$(key "$OUT" '["runs"][0]["sync"]')" 0.0716518 'json: waiting'
	is "$(key "$OUT" '["runs"][0]["speedup"]') $(key "$OUT" '["reference"]') $(key "$OUT" '["rendezvous"]')" 'None None None' 'json: what is absent is null'
	is "$(key "$OUT" '["diagnosis"][0]')" 'step verdict metric value processes warnings' 'json: step 1'
	is "$(key "$OUT" '["diagnosis"][1]')" 'step verdict serial_fraction trend limit projection' 'json: step 2'
	is "$(key "$OUT" '["diagnosis"][2]')" 'step verdict factor value lost processes process outside_mpi routines phases' 'json: step 3'
	is "$(key "$OUT" '["diagnosis"][3]')" 'step verdict before runtime_change changes' 'json: step 4'
	is "$(key "$OUT" '["diagnosis"][3]["changes"]')" '' 'json: no change is known'
	run_ok 'json with a note' "$PAS2P" metrics -q -f json sample-traces/userstates.3.clog2
	is "$(key "$OUT" '["notes"][0]')" 'file kind count meaning' 'json: its keys'
	rows() { # BY KEYS
		run_ok "json by $1" "$PAS2P" metrics -q -f json --by "$1" "$states"
		is "$(key "$OUT" '["runs"][0]["rows"][0]' | tr ' ' ,)" "$2" "json by $1: the documented keys"
		unlike "$(key "$OUT" '')" 'diagnosis' "json by $1: no diagnosis"
	}
	rows process "process,thread,host,$account,outside,busy,idle,cpu,ideal_end,sends,receives,collectives,bytes_sent,critical,gain_10,outside_mpi"
	rows state "path,name,kind,depth,count,unfinished,exclusive,$account,share,time_max,ideal_time_max,$factors,imbalance,heaviest,critical,gain_10,bytes_sent,bytes_received"
	is "$(key "$OUT" '["runs"][0]["rows"][2]["path"]')" "['(program)', 'Outer step', 'Inner kernel with a very long n']" 'json by state: the path is a list'
	rows phase "phase,weight,relevant,$account,share,time_max,ideal_time_max,$factors,imbalance,heaviest,critical,gain_10"
	is "$(key "$OUT" '["runs"][0]["rows"][0]["phase"]') $(key "$OUT" '["runs"][0]["rows"][1]["phase"]') $(key "$OUT" '["runs"][0]["rows"][-1]["phase"]')" \
		'before 1 after' 'json by phase: a number, before or after'
	rows pattern "name,kind,instances,messages,bytes,collectives,$account,share,critical"
	rows cause 'process,what,routine,phase,waiting,share,of_waiting'
	is "$(python3 -c 'import json,sys; r=json.load(open(sys.argv[1]))["runs"][0]; print(abs(sum(x["waiting"] for x in r["rows"])+r["unresolved"]-r["sync"]) < 1e-9)' "$OUT")" True 'json by cause: causes and unresolved are all waiting'
	# YAML is the same document.
	if python3 -c 'import yaml' 2>/dev/null; then
		for by in program process state phase pattern cause; do
			"$PAS2P" metrics -q --by $by -f json "$trace" >"$TMP/json"
			"$PAS2P" metrics -q --by $by -f yaml "$trace" >"$TMP/yaml"
			is "$(python3 -c 'import json,sys,yaml; print(json.load(open(sys.argv[1])) == yaml.safe_load(open(sys.argv[2])))' "$TMP/json" "$TMP/yaml")" True "by $by: yaml is the same"
		done
	else
		skip 6 'no yaml for python'
	fi
else
	skip 33 'no python3'
fi

# Rows.
for by in process state phase pattern cause; do
	run_ok "the table by $by" "$PAS2P" metrics -q --by $by "$late"
	like "$(head -1 "$OUT")" '^sample-traces/latesender.4.clog2: 4 processes, ' "by $by: begins with the run"
	run_ok "csv by $by" "$PAS2P" metrics -q --by $by -f csv "$late" "$states"
	like "$(head -1 "$OUT")" '^file,processes,' "csv by $by: begins with the run"
	is "$(cut -d, -f1 "$OUT" | sed 1d | sort -u | xargs)" "$late $states" "csv by $by: rows of both runs"
done
run_ok 'csv by state' "$PAS2P" metrics -q --by state -f csv "$states"
like "$(cat "$OUT")" '^sample-traces/userstates.3.clog2,3,Outer step/MPI_Allreduce,MPI_Allreduce,mpi,2,30,' 'a path is joined'
is "$(head -1 "$OUT")" "file,processes,path,name,kind,depth,count,unfinished,exclusive,$account,share,time_max,ideal_time_max,$factors,imbalance,heaviest,critical,gain_10,bytes_sent,bytes_received" 'columns by state'
run_ok 'the bytes of messages' "$PAS2P" metrics -q --by state sample-traces/nonblock.4.clog2
like "$(head -3 "$OUT")" '^function +count +sent +received +time' 'have columns'
run_ok 'only collectives' "$PAS2P" metrics -q --by state "$states"
unlike "$(cat "$OUT")" '0 B' 'where there are messages'

# Causes are many: the table leaves small ones out, and says so.
many='sample-traces/lu.S.4.clog2'
run_ok 'all causes' "$PAS2P" metrics -q --by cause -f csv "$many"
awk -F, 'NR > 1 { all++; if ($9 >= 0.01) shown++; else rest += $9 } END { printf "%d of %d rows): %.1f %% of the waiting\n", all - shown, all, 100 * rest }' \
	"$OUT" >"$TMP/left"
run_ok 'those that count' "$PAS2P" metrics -q --by cause "$many"
is "$(sed -n 's/^other (\(.*\); --format json lists them$/\1/p' "$OUT")" "$(cat "$TMP/left")" 'small causes are left out, and how many and how much is said'
is "$(grep -cE '^ +[0-9]+  (MPI call|computation) ' "$OUT")" "$(awk '{ print $3 - $1 }' "$TMP/left")" 'the others are there'
run_ok 'few causes' "$PAS2P" metrics -q --by cause "$late"
unlike "$(cat "$OUT")" '^other ' 'are all shown'
run_ok 'by cause' "$PAS2P" metrics -q --by cause "$late"
like "$(cat "$OUT")" '^All waiting: [0-9.]* m?s; the cause of .* of it is unknown\.$' 'says what is left'

# Patterns, and what none has: all of it is the recorded time.
run_ok 'by pattern' "$PAS2P" metrics -q --by pattern -f csv "$many"
is "$(sed 1d "$OUT" | cut -d, -f3-6 | head -n 3 | xargs)" 'halo 2x2,neighbours,54,432 sweep from 0,sweep,51,2040 sweep from 3,sweep,51,2040' \
	'each by name, the largest first, with kind, instances and messages'
like "$(cat "$OUT")" ',4,allreduce,allreduce,10,,,10,' 'of collectives no bytes are known'
like "$(tail -n 1 "$OUT")" ',4,outside phases,,,,,,' 'what is outside of phases is the last'
unlike "$(cat "$OUT")" 'unexplained' 'all phases are explained'
run_ok 'without patterns that explain' "$PAS2P" metrics -q --by pattern -f csv sample-traces/comms.6.clog2
like "$(cat "$OUT")" ',6,permutation,permutation,1,3,12,0,,' 'a description has no time of its own'
like "$(cat "$OUT")" ',6,unexplained,,,,,,0\.000530' 'that is unexplained'
run_ok '80 columns' env COLUMNS=80 "$PAS2P" metrics -q --by pattern sample-traces/comms.6.clog2
like "$(cat "$OUT")" '^allreduce, groups of 2 ' 'names are whole'
unlike "$(cat "$OUT")" 'critical path' 'a column that is left out is not explained'
run_ok '160 columns' env COLUMNS=160 "$PAS2P" metrics -q --by pattern sample-traces/comms.6.clog2
like "$(cat "$OUT")" '^and collectives. critical path %: ' 'one that is shown is'
run_ok 'the table of it' "$PAS2P" metrics -q --by pattern "$many"
like "$(cat "$OUT")" '^halo 2x2 .* 39\.5 % ' 'has shares of the total time'
like "$(tr '\n' ' ' <"$OUT")" 'time of each phase is divided by the shares of the patterns' 'and says how time is divided'

# Several runs.
run_ok 'three runs' "$PAS2P" metrics -q "$trace" "$states" sample-traces/ep.S.4.clog2
like "$(cat "$OUT")" '^run 1   sample-traces/userstates.3.clog2 .reference.$' 'are in order of their processes, with the reference'
like "$(cat "$OUT")" '^processes  *3  *4  *4$' 'beside each other'
like "$(cat "$OUT")" '^speedup  *1\.00 ' 'the reference has a speedup of 1'
is "$(grep -v '^note\|^      ' "$OUT" | awk 'length > 80')" '' 'fit 80 columns'
set -- "$trace" "$trace" "$trace" "$trace" "$trace" "$trace" "$trace"
run_ok 'seven runs' "$PAS2P" metrics -q "$@"
is "$(grep -c '^processes' "$OUT")" 3 'take three tables'
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
like "$(cat "$OUT")" '^what if: network' 'is said'
like "$(cat "$OUT")" '^  run time  *38\.2 ms  *9\.62 ms$' 'without a network it is the ideal run'
run_ok 'several' "$PAS2P" metrics -q --what-if network=0 --what-if 'rank 0 x 0.5' -f json "$trace"
like "$(cat "$OUT")" '"text": "network.*, rank 0 x 0\.5"' 'hold together'

# Where clocks disagree a simulation is longer than what was measured (10 s here), so that a change is compared with the simulation of none.
skewed=t/metrics/clocks.clog2.gz
for change in 'network x 1' 'rank 0 x 1' 'phase 1 x 1'; do
	run_ok "a change of nothing: $change" "$PAS2P" metrics -q --what-if "$change" "$skewed"
	like "$(sed -n '/than in the simulation/,/^$/p' "$OUT" | tr -s '\n ' ' ')" \
		'The run would be 0\.0 % longer than in the simulation without changes .11\.00 s; measured: 10\.00 s.\.' 'changes nothing, and says so'
	like "$(cat "$OUT")" '^  run time  *11\.00 s  *11\.00 s$' 'beside the run unchanged'
	run_ok 'as a document' "$PAS2P" metrics -q -f json --what-if "$change" "$skewed"
	like "$(tr -d ' \n' <"$OUT")" '"runtime":11,"unchanged_runtime":11,"runtime_change":0,' 'the same'
done
for sample in sample-traces/*.clog2; do
	case $sample in *unfinalized*) continue ;; esac
	"$PAS2P" metrics -q -f json --what-if 'network x 1' "$sample" >"$OUT" 2>"$ERR"
	grep '"runtime_change"' "$OUT" | tail -1
done | sort -u >"$TMP/changes"
is "$(tr -d ' ,' <"$TMP/changes" | tr '\n' ' ')" '"runtime_change":0 "runtime_change":null ' 'no sample changes by nothing'
run_ok 'before' "$PAS2P" metrics -q --before "$trace" "$trace"
like "$(cat "$OUT")" '^Effect of the change  same: as fast as before' 'the same run is the same'
run_ok 'before of another size' "$PAS2P" metrics -q -f json --before "$states" "$trace"
like "$(cat "$OUT")" '"verdict": "unknown"' 'is not known'

# Conditions.
run_ok 'a condition that does not hold' "$PAS2P" metrics -q --fail-if 'load_balance < 0.8' "$trace"
is "$(cat "$ERR")" '' 'says nothing'
run_fails 1 'one that holds' "$PAS2P" metrics -q --fail-if 'load_balance < 0.8 or parallel_efficiency < 80%' -o "$TMP/out" "$trace"
like "$(cat "$ERR")" "^pas2p: --fail-if: 'parallel_efficiency < 0\.8' is true: 0\.191[0-9]* in sample-traces/cg" 'says which and its value'
ok 'the output is written' test -s "$TMP/out"
run_fails 1 'the second one' "$PAS2P" metrics -q --fail-if 'load_balance < 0.8' --fail-if 'unrelated < 1' "$trace"
run_fails 1 'one that cannot be told' "$PAS2P" metrics -q --fail-if 'speedup < 2' "$trace"
is "$(head -n 1 "$ERR")" "pas2p: --fail-if: 'speedup' is undefined for a single run" 'does not pass'
is "$(sed -n 2p "$ERR")" 'hint: give traces of several runs' 'says what would help'
run_ok 'a change within bounds' "$PAS2P" metrics -q --fail-if 'runtime_change > 2%' --before "$trace" "$trace"
run_fails 1 'a change that is not known' "$PAS2P" metrics -q --fail-if 'runtime_change > 2%' --before "$states" "$trace"
run_fails 1 'a condition by process' "$PAS2P" metrics -q --by process --fail-if 'parallel_efficiency < 80%' "$trace"

# What cannot be meant.
refused() { # SAYS ARGUMENT...
	says=$1
	shift
	run_fails 2 "refused: $*" "$PAS2P" metrics "$@" "$trace"
	like "$(sed -n 1,2p "$ERR" | tr '\n' ' ')" "^pas2p: .*$says" 'says why'
}
refused 'did you mean load_balance' --fail-if 'load_balanc < 1'
refused 'runtime_change.*hint: add --before FILE' --fail-if 'runtime_change > 1'
refused 'expected a number of bytes, or never' --rendezvous 3k
refused 'expected run, rank, callpath, phase, pattern or cause' --by ranks
refused '--before cannot be combined with --by hint: omit --by' --by callpath --before "$trace"
refused '--what-if cannot be combined with --by hint: omit --by' --by callpath --what-if balance
refused '--goal is .120%.: expected a share' --goal 120%
refused 'serial.*expected seconds' --serial 0
refused 'what-if' --what-if nonsense
refused 'what-if' --what-if 'rank 9 x 0.5'
refused '--match: not an option of pas2p metrics' --match x
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

# Calls whose waiting is not analysed. Rank 0 of this is in fences from 100 to 300 and from 700 to 900 ns, rank 1 from 250 to 300 and from
# 650 to 900: 700 ns of 2 x 1000. Rank 0 is in two puts for 100 ns, rank 1 in a get for 50: 850 ns in all.
rma=t/metrics/rma.2.prv
run_ok 'one-sided' "$PAS2P" metrics -q "$rma"
like "$(cat "$OUT")" '^not analysed  *850 ns  *42\.5 %' 'time and share of the calls'
like "$(tr -s '\n ' ' ' <"$OUT")" 'not analysed 42\.5 % of the total time, in calls that may include waiting .MPI_Win_fence 35\.0 %, MPI_Put 5\.0 %, MPI_Get 2\.5 %.: waiting is unknown;' \
	'which function leads, and that it is not known'
like "$(tr -s '\n ' ' ' <"$OUT")" 'Main loss poor: transfer efficiency 65\.0 %; the loss is in calls that are not analysed and may include waiting, 42\.5 % of the total time' 'the diagnosis says it'
like "$(cat "$OUT")" '^note: not-analysed .7.:' 'and so does a note, with the number of calls'
run_ok 'by cause' "$PAS2P" metrics -q --by cause "$rma"
unlike "$(cat "$OUT")" 'No rank waited' 'it is not claimed that no rank waited'
run_ok 'the overview' "$PAS2P" "$rma"
like "$(cat "$OUT")" 'waiting unknown' 'it knows no share of waiting'
like "$(tr -s '\n ' ' ' <"$OUT")" 'longest wait unknown: 42\.5 % of the total time is in calls that are not analysed .MPI_Win_fence 35\.0 %' 'and says why'
unlike "$(cat "$OUT")" 'no rank waited' 'it is not said that none waited'
run_ok 'check: a note is no finding' "$PAS2P" check -q "$rma"
like "$(cat "$OUT")" '^note: not-analysed .3.:' 'check has it'
unlike "$(cat "$OUT")" '^clean' 'and does not call it clean'
# not_analysed_of FILE OPTION...: the sum over the rows.
not_analysed_of() {
	"$PAS2P" metrics -q -f csv "$@" 2>/dev/null | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		!("depth" in at) || $at["depth"] == 0 { sum += $at["not_analysed"] } END { printf "%.9f\n", sum }'
}
for sample in sample-traces/coll.6.clog2 sample-traces/anysrc.5.clog2 sample-traces/comms.6.clog2 sample-traces/cg.S.4.clog2 "$rma"; do
	whole=$(not_analysed_of "$sample")
	for by in process state phase; do
		is "$(not_analysed_of "$sample" --by $by)" "$whole" "$sample: rows by $by add up"
	done
done
# The same seconds are transfer on every page, and with what is not analysed, waiting and what is no communication they are all there is.
for sample in sample-traces/coll.6.clog2 sample-traces/anysrc.5.clog2 sample-traces/comms.6.clog2 "$rma"; do
	"$PAS2P" metrics -q "$sample" | awk '/^transfer / { share = $(NF - 1) } END { print share == "" ? "0.0" : share }' >"$TMP/text"
	"$PAS2P" metrics -q -f csv "$sample" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ printf "%.1f\n", 100 * ($at["transfer"] - $at["not_analysed_transfer"]) / $at["total_time"] }' >"$TMP/figures"
	is "$(cat "$TMP/text")" "$(cat "$TMP/figures")" "$sample: transfer without what is not analysed"
	ok "$sample: the overview has it" grep -q "transfer $(cat "$TMP/figures") %" <<-END
		$("$PAS2P" -q "$sample")
	END
done
run_ok 'a lower bound' "$PAS2P" sample-traces/coll.6.clog2
like "$(cat "$OUT")" 'waiting at least 54\.3 %' 'is called one'
run_ok 'all is analysed' "$PAS2P" metrics -q "$trace"
unlike "$(cat "$OUT")" 'not analysed' 'then nothing is said'

# What 10 % less brings: each row as --what-if has it.
run_ok 'gain' "$PAS2P" metrics -q --by process -f csv sample-traces/nonblock.4.clog2
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["process"] == 1 { printf "%.1f %.1f\n", 1e3 * $at["critical"], 1e6 * $at["gain_10"] }' "$OUT")" \
	'40.3 8.3' 'process 1 has most of the ideal run, and being faster brings next to nothing'
run_ok 'gain in the table' "$PAS2P" metrics -q --by process sample-traces/nonblock.4.clog2
like "$(cat "$OUT")" 'critical path % *gain of 10 % .ms.$' 'has the unit of the other times'
like "$(tr -s '\n ' ' ' <"$OUT")" 'critical path %: share of the critical path on an ideal network' 'and says what the path is of'
# wins FILE TEXT: by --what-if, in ns.
wins() {
	"$PAS2P" metrics -q -f json --what-if "$2" "$1" 2>/dev/null | tr -d ' ,' | awk -F: '/"what_if"/ { in_it = 1 } in_it && $1 == "\"runtime\"" { is = $2 }
		in_it && $1 == "\"unchanged_runtime\"" { was = $2 } END { printf "%.3f\n", 1e9 * (was - is) }'
}
# gains FILE BY KEY: lines of key and gain, in ns.
gains() {
	"$PAS2P" metrics -q --by "$2" -f csv "$1" 2>/dev/null | awk -F, -v key="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["gain_10"] != "" { printf "%s %.3f\n", $at[key], 1e9 * $at["gain_10"] }'
}
for sample in sample-traces/latesender.4.clog2 sample-traces/nonblock.4.clog2 sample-traces/sendrecv.4.clog2; do
	gains "$sample" process process | while read -r key gain; do
		[ "$(wins "$sample" "rank $key x 0.9")" = "$gain" ] || echo "rank $key"
	done >"$TMP/wrong"
	gains "$sample" phase phase | while read -r key gain; do
		case $key in before | after) continue ;; esac
		[ "$(wins "$sample" "phase $key x 0.9")" = "$gain" ] || echo "phase $key"
	done >>"$TMP/wrong"
	gains "$sample" state name | while read -r key gain; do
		case $key in '(program)') what='ranks 0-3 x 0.9' ;; *) what="$key x 0.9" ;; esac
		[ "$(wins "$sample" "$what")" = "$gain" ] || echo "$key"
	done >>"$TMP/wrong"
	is "$(cat "$TMP/wrong")" '' "$sample: every row as --what-if"
done


# Runs of one configuration are no scaling: the median is the reference, and is said with the smallest and the largest.
for i in 1 2 3; do cp sample-traces/cg.S.4.clog2 "$TMP/cg$i.clog2"; done
run_ok 'runs of one configuration' "$PAS2P" metrics -q "$TMP/cg1.clog2" "$TMP/cg2.clog2" "$TMP/cg3.clog2"
like "$(cat "$OUT")" '^3 runs on 4 processes: median 38.2 ms, 38.2 ms to 38.2 ms$' 'median, smallest and largest are said'
like "$(cat "$OUT")" '^scaling: none, all runs have the same number of processes$' 'which is no scaling'
unlike "$(cat "$OUT")" 'other-program' 'and one program'

# Two programs are no scaling series, either.
run_ok 'two programs' "$PAS2P" metrics -q sample-traces/cg.S.4.clog2 sample-traces/lu.S.4.clog2
like "$(cat "$OUT")" '^note: sample-traces/cg.S.4.clog2: other-program ' 'are said to be two'
run_ok 'two programs, CSV' "$PAS2P" metrics -f csv sample-traces/cg.S.4.clog2 sample-traces/ep.S.4.clog2
like "$(cat "$ERR")" 'ep.S.4.clog2: probably another program' 'where there are only rows, beside them'

# Slower on more processes: no serial fraction above 100 %, in text; the number in JSON.
run_ok 'slower on more processes' "$PAS2P" metrics -q sample-traces/cg.S.4.clog2 sample-traces/anysrc.5.clog2
like "$(cat "$OUT")" '^serial fraction +- +-$' 'no serial fraction'
like "$(tr -s '\n ' ' ' <"$OUT")" 'slower on more processes, .* times as long on 5 processes as on 4' 'how much slower'
unlike "$(cat "$OUT")" 'speedup at most' 'and no limit below 1'
run_ok 'slower, JSON' "$PAS2P" metrics -q -f json sample-traces/cg.S.4.clog2 sample-traces/anysrc.5.clog2
like "$(cat "$OUT")" '"serial_fraction": [1-9]' 'the number is in JSON'
done_testing
