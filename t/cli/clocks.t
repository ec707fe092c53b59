#!/bin/sh
# pas2p clocks from the command line: every format has the same figures under the documented keys, options do what they say and what cannot be
# meant is refused with a sentence, a damaged trace gives what was readable, and a figure that the trace does not support is absent, never 0.
# Someone compares times of different processes by it. The bounds themselves are tested where they are made.
. t/lib/lib.sh

trace='sample-traces/cg.S.4.clog2'
XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
keys=sent,sent_violations,received,received_violations,collective_violations,worst

# The table.
run_fails 1 'with violations it ends with 1' "$PAS2P" clocks "$trace"
is "$(head -1 "$OUT")" '6 720 messages, 317 clock violations (4.7 %), worst -722 ns' 'a sentence says what was found'
like "$(cat "$OUT")" '^4 collective ends, 0 clock violations, worst 7\.40 µs$' 'so does one of collectives'
like "$(cat "$OUT")" '^largest contradiction 0$' 'one of the bounds'
like "$(cat "$OUT")" '^rank  start \[µs\] +±  end \[µs\] +±  drift \[ppm\]  violations  worst \[µs\]$' 'a row is a process'
like "$(cat "$OUT")" '^   1 +1\.00 +0\.61 +1\.00 +0\.34 +-0\.206 +317 +-0\.722$' 'has its offset, how sure that is, and what goes wrong'
is "$(sed 's/[µ±]/./g' "$OUT" | awk 'length > 80')" '' 'fits 80 columns'
run_fails 1 'in a locale without UTF-8' env LC_ALL=C "$PAS2P" clocks sample-traces/cg.S.4.clog2
is "$(LC_ALL=C tr -d '\n -~' <"$OUT")" '' 'is ASCII'
is "$(cat "$ERR")" '' 'no word on stderr'
for at in lu.S.4:37:-136 pcontrol.4:8:-108 syncclk.4:7:-226 anysrc.5:4:-400; do
	name=${at%%:*}
	rest=${at#*:}
	run_fails 1 "$name" "$PAS2P" clocks -q "sample-traces/$name.clog2"
	like "$(head -1 "$OUT")" " ${rest%%:*} clock violations .*, worst ${rest#*:} ns$" "$name: violations and the worst"
done
for name in comms.6 sendrecv.4 nonblock.4 latesender.4; do
	run_ok "$name has no violation" "$PAS2P" clocks -q "sample-traces/$name.clog2"
	like "$(head -1 "$OUT")" '[0-9] messages, 0 clock violations, worst [0-9.]* .s$' "$name: and says so"
done

# By pair and by time.
run_fails 1 'by pair' "$PAS2P" clocks -q --by pair "$trace"
is "$(sed -n '/^from/,/^ *0/p' "$OUT" | tr -s ' ')" 'from to messages violations worst [µs] median [µs] gap [µs]
 0 1 1 264 317 -0.722 15.998 0.585' 'the worst pair comes first'
run_fails 1 'by pair, csv' "$PAS2P" clocks -q --by pair -f csv "$trace"
is "$(head -1 "$OUT")" 'from,to,messages,violations,worst,median,gap' 'has the documented columns'
sed 1d "$OUT" >"$TMP/pairs"
ok 'sorted by violations, worst, ends' test "$(LC_ALL=C sort -t, -k4,4nr -k5,5g -k1,1n -k2,2n "$TMP/pairs" | cksum)" = "$(cksum <"$TMP/pairs")"
is "$(awk -F, '{ n += $3; v += $4 } END { print n, v }' "$TMP/pairs")" '6720 317' 'pairs are all messages'
is "$(awk -F, '$1 == $2 && $7 != ""' "$TMP/pairs")" '' 'messages to oneself have no gap'
run_fails 1 'by time, csv' "$PAS2P" clocks -q --by time --bins 7 -f csv "$trace"
is "$(head -1 "$OUT")" 'start,end,messages,violations,worst' 'has the documented columns'
is "$(sed 1d "$OUT" | awk -F, '{ n += $3; v += $4 } END { print NR, n, v }')" '7 6720 317' 'parts of the run are all messages'
run_fails 1 'by time' "$PAS2P" clocks -q --by time "$trace"
is "$(sed 1,5d "$OUT" | wc -l)" 50 'has 50 parts'

# CSV by process; nothing where there is no bound.
run_fails 1 'csv' "$PAS2P" clocks -q -f csv "$trace"
is "$(head -1 "$OUT")" "rank,host,component,offset_start,low_start,high_start,offset_end,low_end,high_end,rate,rate_low,rate_high,shifts,$keys" 'has the documented columns'
is "$(sed 1d "$OUT" | awk -F, '{ s += $14; v += $15; r += $16; w += $17 } END { print NR, s, v, r, w }')" '4 6720 317 6720 317' 'and all messages at both their ends'
ok 'an estimate is within its bounds' awk -F, 'NR > 1 && ($4 < $5 || $4 > $6 || $7 < $8 || $7 > $9 || $10 < $11 || $10 > $12) { exit 1 }' "$OUT"

# JSON, by python, which also says whether it is JSON at all.
if command -v python3 >/dev/null; then
	cat >"$TMP/key.py" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
v = eval("d" + sys.argv[2])
print(f"{v:.6g}" if isinstance(v, float) else " ".join(v) if isinstance(v, dict) else v)
END
	key() { # FILE PATH
		python3 "$TMP/key.py" "$1" "$2"
	}
	run_fails 1 'json' "$PAS2P" clocks -q -f json "$trace"
	cp "$OUT" "$TMP/json"
	is "$(key "$OUT" '')" 'pas2p_clocks reference start end latency resolution collectives messages violations worst collective_ends collective_violations collective_worst windows misfit forced components at processes pairs time correction' 'json: the documented keys in their order'
	is "$(key "$OUT" '["processes"][1]')" 'rank host component offset low high rate rate_low rate_high shifts sent sent_violations received received_violations collective_violations worst' 'json: those of a process'
	is "$(key "$OUT" '["pairs"][0]')" 'from to messages violations worst median gap' 'json: those of a pair'
	is "$(key "$OUT" '["time"][0]')" 'start end messages violations worst' 'json: those of a part of the run'
	is "$(key "$OUT" '["violations"]') $(key "$OUT" '["worst"]') $(key "$OUT" '["collectives"]') $(key "$OUT" '["misfit"]') $(key "$OUT" '["forced"]') $(key "$OUT" '["components"]') $(key "$OUT" '["correction"]')" '317 -7.22e-07 all 0 0 1 None' 'json: figures'
	is "$(key "$OUT" '["at"].__len__()') $(key "$OUT" '["processes"][3]["low"].__len__()') $(key "$OUT" '["time"].__len__()')" '2 2 50' 'json: start and end of one window'
	is "$(key "$OUT" '["at"] == [d["start"], d["end"]]')" True 'json: those of the reference'
	run_ok 'barriers' "$PAS2P" clocks -q -f json sample-traces/userstates.3.clog2
	is "$(key "$OUT" '["collectives"]') $(key "$OUT" '["messages"]') $(key "$OUT" '["worst"]') $(key "$OUT" '["collective_violations"]')" 'barriers 0 None 0' 'collectives that hold nobody are not trusted; without messages there is no worst'
	run_ok 'one process' "$PAS2P" clocks -q -f json sample-traces/one_rank.1.clog2
	is "$(key "$OUT" '["processes"][0]["offset"]') $(key "$OUT" '["processes"][0]["high"]') $(key "$OUT" '["misfit"]')" '[0, 0] [0, 0] None' 'a lone process is its own reference, and nothing can misfit'
	run_ok 'no messages at all' "$PAS2P" clocks -q -f json sample-traces/unfinalized.m240.abortme.rank000?.clog2
	is "$(key "$OUT" '["worst"]') $(key "$OUT" '["collective_worst"]') $(key "$OUT" '["misfit"]') $(key "$OUT" '["pairs"]') $(key "$OUT" '["components"]') $(key "$OUT" '["processes"][2]["component"]') $(key "$OUT" '["processes"][2]["worst"]') $(key "$OUT" '["time"][0]["worst"]')" 'None None None [] 4 2 None None' 'no figure is there, and each is a component'
	run_fails 1 'clocks that MPE shifted' "$PAS2P" clocks -q -f json sample-traces/syncclk.4.clog2
	is "$(key "$OUT" '["processes"][2]["shifts"].__len__()') $(key "$OUT" '["processes"][2]["shifts"][0]')" '5 -2.8855e-06' 'have their shifts'
	run_fails 1 'a latency' "$PAS2P" clocks -q -f json --latency 1e-6 "$trace"
	is "$(key "$OUT" '["latency"]') $(key "$OUT" '["violations"]') $(key "$OUT" '["worst"]')" '1e-06 1201 -1.722e-06' 'makes more of them'
	run_fails 1 'a resolution' "$PAS2P" clocks -q -f json --resolution 1e-6 "$trace"
	is "$(key "$OUT" '["resolution"]') $(key "$OUT" '["processes"][1]["high"][0] > json.load(open("'"$TMP/json"'"))["processes"][1]["high"][0]')" '1e-06 True' 'loosens bounds'
	run_fails 1 'another reference' "$PAS2P" clocks -q -f json --reference 3 "$trace"
	is "$(key "$OUT" '["reference"]') $(key "$OUT" '["processes"][3]["offset"]') $(key "$OUT" '["processes"][0]["component"]')" '3 [0, 0] 3' 'has offset 0, and all are against it'
	run_fails 1 'windows' "$PAS2P" clocks -q -f json --windows 1 --latency 1e-3 "$trace"
	is "$(key "$OUT" '["windows"]') $(key "$OUT" '["forced"] > 0') $(key "$OUT" '["misfit"] > 5e-4')" '1 True True' 'what no line fits is forced, and says by how much'
	if python3 -c 'import yaml' 2>/dev/null; then
		run_fails 1 'yaml' "$PAS2P" clocks -q -f yaml "$trace"
		is "$(python3 -c '
import json, sys, yaml
print(yaml.safe_load(open(sys.argv[1])) == json.load(open(sys.argv[2])))' "$OUT" "$TMP/json")" True 'yaml: the same document'
	else
		skip 2 'no yaml module'
	fi
else
	skip 42 'no python3'
fi

# The same whoever reads.
run_fails 1 'one thread' "$PAS2P" clocks -q -f json -j 1 "$trace"
cp "$OUT" "$TMP/one"
run_fails 1 'four threads' "$PAS2P" clocks -q -f json -j 4 "$trace"
ok 'the same bytes' cmp "$TMP/one" "$OUT"
run_ok 'big-endian' "$PAS2P" clocks -q -f json sample-traces/comms.6.clog2
cp "$OUT" "$TMP/big"
run_ok 'little-endian' "$PAS2P" clocks -q -f json sample-traces/little_endian.comms.6.clog2
ok 'a copy of the other byte order: the same bytes' cmp "$TMP/big" "$OUT"

# Warnings: in tables, and beside rows that say nothing of them.
run_ok 'components' "$PAS2P" clocks -q sample-traces/unfinalized.m240.abortme.rank000?.clog2
like "$(cat "$OUT")" '^4 components without messages between them: ' 'are counted'
like "$(cat "$OUT")" '^rank  component ' 'and named'
run_ok 'csv of barriers' "$PAS2P" clocks -f csv sample-traces/userstates.3.clog2
like "$(cat "$ERR")" '^pas2p: of all collectives only barriers are used' 'says so on stderr'
run_ok 'quietly' "$PAS2P" clocks -q -f csv sample-traces/userstates.3.clog2
is "$(cat "$ERR")" '' 'says nothing'

# Damage keeps what is readable.
head -c 1500000 "$trace" >"$TMP/cut.clog2"
run_fails 4 'a trace that ends too early' "$PAS2P" clocks "$TMP/cut.clog2"
like "$(cat "$OUT")" '^4 248 messages, 185 clock violations \(4\.4 %\), worst -705 ns$' 'has the clocks of what is there'
like "$(cat "$ERR")" 'is damaged: ' 'and says that it is damaged'
echo 'no trace' >"$TMP/none.clog2"
run_fails 3 'what is no trace' "$PAS2P" clocks "$TMP/none.clog2"
run_fails 3 'a file that is not there' "$PAS2P" clocks "$TMP/missing.clog2"

# What cannot be meant.
refuse() { # WHAT SAID ARGS...
	what=$1
	said=$2
	shift 2
	run_fails 2 "$what is refused" "$PAS2P" clocks "$@"
	like "$(cat "$ERR")" "$said" "$what: a sentence"
	is "$(cat "$OUT")" '' "$what: no output"
}
refuse 'a reference that is none' "^pas2p: --reference is 'x': expected a rank" --reference x "$trace"
refuse 'a reference out of range' '^pas2p: --reference is 4, but the trace has 4 processes: expected 0 to 3' --reference 4 "$trace"
refuse 'a negative latency' "^pas2p: --latency is '-1': expected seconds" --latency -1 "$trace"
refuse 'a resolution that is none' "^pas2p: --resolution is '1us': expected seconds" --resolution 1us "$trace"
refuse 'no windows' "^pas2p: --windows is '0': expected a whole number from 1 to 64, or auto" --windows 0 "$trace"
refuse 'too many windows' "^pas2p: --windows is '65'" --windows 65 "$trace"
refuse 'no bins' 'bins' --bins 0 "$trace"
refuse 'rows of something else' 'phase' --by phase "$trace"
refuse 'no file' 'TRACE' --by pair
refuse 'the trace as output' 'is an input: give the output another name' -o "$trace" "$trace"
run_fails 1 'windows auto' "$PAS2P" clocks -q --windows auto --latency 0 --resolution 0 "$trace"
run_ok 'its help' "$PAS2P" clocks --help
is "$(grep -c -e '--windows' "$OUT")" 1 'has one option of each name'
refuse 'a setting of analyses' 'similarity' --similarity bbp "$trace"
mkdir -p "$TMP/home/pas2p"
echo 'analysis: {order: nonsense}' >"$TMP/home/pas2p/config.yaml"
XDG_CONFIG_HOME=$TMP/home run_fails 1 'what is wrong in a config file does not matter' "$PAS2P" clocks -q "$trace"
run_fails 1 'to a file' "$PAS2P" clocks -q -o "$TMP/out.txt" "$trace"
ok 'it is the same' test "$(head -1 "$TMP/out.txt" | cut -d' ' -f1-3)" = '6 720 messages,'
done_testing
