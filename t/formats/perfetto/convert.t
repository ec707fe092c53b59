#!/bin/sh
# What a viewer is given must be what it documents: JSON, times in microseconds, slices that lie in each other, arrows that have both ends; and names
# in it come from a trace, so that they are data wherever they are shown.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
formats=$(dirname "$PAS2P")/pas2p-formats
command -v python3 >"$TMP/where" || skip_all 'no python3'

cat >"$TMP/check.py" <<'END'
import json, sys
events = json.load(open(sys.argv[1], encoding="utf-8"))
assert events["displayTimeUnit"] == "ns"
events = events["traceEvents"]
starts, ends, open_at = {}, {}, {}
for e in events:
    assert e["ph"] in "XMsf", e
    assert isinstance(e["pid"], int) and isinstance(e["tid"], int) and e["name"], e
    if e["ph"] != "M":
        assert e["ts"] >= 0, e
    if e["ph"] == "X":
        assert e["dur"] >= 0 and e["cat"] in ("mpi", "user", "tracer", "phase"), e
    if e["ph"] == "s":
        assert e["id"] not in starts
        starts[e["id"]] = e
    if e["ph"] == "f":
        assert e["id"] not in ends and e["bp"] == "e"
        ends[e["id"]] = e
assert starts.keys() == ends.keys()
args = [e["args"] for e in events if e["ph"] == "X" and "type" in e.get("args", {})]
print("events", len(args))
print("arrows", len(starts))
print("ranks", *sorted({e["pid"] for e in events}))
print("phases", len([e for e in events if e.get("cat") == "phase"]))
print("ticks", len({a["tick"] for a in args}))
if len(sys.argv) > 2:
    print("first", min(e["ts"] for e in events if "ts" in e), "last", max(e["ts"] + e.get("dur", 0) for e in events if "ts" in e))
END
check() { # NAME FILE [more]
	run_ok "$1" python3 "$TMP/check.py" "$2" ${3:+"$3"}
}

trace=sample-traces/cg.S.4.clog2
run_ok 'a run' "$PAS2P" convert --to perfetto -o "$TMP/cg.json" "$trace"
check 'is as documented' "$TMP/cg.json"
like "$(cat "$OUT")" '^events 13452$' 'each event has its figures'
like "$(cat "$OUT")" '^arrows 6720$' 'each message its arrow'
ticks=$("$PAS2P" events -q -f csv "$trace" | awk -F, 'NR > 1 { seen[$12] } END { for (i in seen) n++; print n }')
like "$(cat "$OUT")" "^ticks $ticks\$" 'ticks are those of events'
occurrences=$("$PAS2P" phases -q -f csv "$trace" | awk -F, 'NR > 1 { n += $2 } END { print n }')
ok 'phases are there' test "$(sed -n 's/^phases //p' "$OUT")" -ge "$occurrences"

run_ok 'a window' "$PAS2P" convert --to perfetto --window 0.01:0.02 --ranks 1-2 -o "$TMP/window.json" "$trace"
like "$(cat "$OUT")" '^Not converted +11285 events outside the window' 'says what lies outside'
check 'is as documented, too' "$TMP/window.json" times
like "$(cat "$OUT")" '^ranks 1 2$' 'has its ranks'
like "$(cat "$OUT")" '^first 1[0-9]{4}\.?[0-9]* last (1[0-9]{4}\.[0-9]*|20000\.0)$' 'and its time'
run_fails 2 'a rank that is not there' "$PAS2P" convert --to perfetto --ranks 4 -o "$TMP/none.json" "$trace"
ok 'leaves nothing' test ! -e "$TMP/none.json"

# Names that would break out of a string, or steer a terminal.
printf 'pas2p text 1\nprocesses 1\nstate user a"b\\c\001\033[31m<script>\n0 0 enter 0\n0 1 leave 0\n' >"$TMP/names.text"
run_ok 'names of all kinds' "$formats" convert --to perfetto -o "$TMP/names.json" "$TMP/names.text"
check 'are still JSON' "$TMP/names.json"
ok 'without controls' sh -c '! LC_ALL=C grep -q "[[:cntrl:]]" "$1"' sh "$TMP/names.json"
run_ok 'and are names' python3 -c 'import json, sys
print([e["name"] for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] == "X"][0])' "$TMP/names.json"
like "$(cat "$OUT")" '^a"b\\c' 'as they were'

done_testing
