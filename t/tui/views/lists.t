#!/bin/sh
# A list has its columns once: what the workbench writes and what the command prints under one name is one value, to the last
# digit, for every list that both have. A figure that the trace does not define is an empty cell in both, never 0.
. t/lib/lib.sh

# script NAME TRACE < lines: it runs to its end.
script() {
	{ echo 1; cat; } >"$TMP/script"
	run_ok "$1" "$PAS2P" --no-config --script "$TMP/script" --size 140x34 "$2"
}

# shared NAME KEY LEAST BATCH WORKBENCH: the rows of the workbench's file are found in the command's by KEY, with the same text
# in each column that both name, which are at least so many.
shared() {
	awk -F, -v key="$2" -v least="$3" '
	FNR == 1 { file++ }
	FNR == 1 && file == 1 { for (i = 1; i <= NF; i++) in_batch[$i] = i; next }
	FNR == 1 {
		for (i = 1; i <= NF; i++)
			if ($i in in_batch) { both[$i] = i; n++ }
		if (!(key in both) || n < least) { print "shared columns: " n; exit }
		next
	}
	file == 1 { for (c in in_batch) cell[$in_batch[key], c] = $in_batch[c]; there[$in_batch[key]] = 1; next }
	!($both[key] in there) { print "row " $both[key] ": only the workbench has it" }
	{
		rows++
		for (c in both)
			if (cell[$both[key], c] "" != $both[c] "")
				print "row " $both[key] ": " c ": " cell[$both[key], c] " and " $both[c]
	}
	END { if (!rows) print "no rows" }' "$4" "$5" >"$TMP/differences"
	is "$(head -n 5 "$TMP/differences")" '' "$1"
}

# Objects of both: in `pas2p info` the times of a process are a level deeper.
cat >"$TMP/info.py" <<'PYTHON'
import json, sys
load = lambda path: json.load(open(path), parse_float=str, parse_int=str)
info = load(sys.argv[1])
for batch, path, least in ((info["process_list"], sys.argv[2], 9), (info["states"], sys.argv[3], 5)):
    ours = load(path)
    assert ours and len(ours) == len(batch), (len(ours), len(batch))
    for x, y in zip(batch, ours):
        x = {**x, **x.get("time", {})}
        both = [name for name in y if name in x]
        assert len(both) >= least, both
        for name in both:
            assert x[name] == y[name], (name, x[name], y[name])
PYTHON

for run in lu.S.4 cg.S.4 anysrc.5; do
	trace=sample-traces/$run.clog2
	script "$run: the workbench's lists as files" "$trace" <<LINES
3
:export $TMP/phases.csv --force
2
:export $TMP/bbps.csv --force
6 J
:export $TMP/notes.csv --force
J
:export $TMP/processes.json --force
J J J J
:export $TMP/states.json --force
LINES
	"$PAS2P" --no-config phases --format csv "$trace" >"$TMP/phases.batch"
	# A row of the view is a label: that of the block that leads it.
	"$PAS2P" --no-config bbps --leaders --format csv "$trace" >"$TMP/bbps.batch"
	"$PAS2P" --no-config info --format json "$trace" >"$TMP/info.json"
	shared "$run: phases" id 9 "$TMP/phases.batch" "$TMP/phases.csv"
	shared "$run: basic blocks" label 5 "$TMP/bbps.batch" "$TMP/bbps.csv"
	# The summary has what was only counted first, the command last.
	"$PAS2P" --no-config check --format csv "$trace" | sort >"$TMP/notes.batch"
	is "$(sort "$TMP/notes.csv")" "$(cat "$TMP/notes.batch")" "$run: notes, all columns and rows"
	if command -v python3 >/dev/null; then
		run_ok "$run: processes and states" python3 "$TMP/info.py" "$TMP/info.json" "$TMP/processes.json" "$TMP/states.json"
	else
		skip 1 'no python3 to read JSON'
	fi
done
# A run without time has no shares.
none=fuzz/corpus/clog2/16144a73
script 'the phases of a run without time as a file' "$none" <<LINES
3
:export $TMP/none.csv
LINES
"$PAS2P" --no-config phases --format csv "$none" >"$TMP/none.batch" 2>/dev/null
shared 'without a run time: phases' id 9 "$TMP/none.batch" "$TMP/none.csv"
is "$(sed 1d "$TMP/none.csv" | cut -d, -f8-10 | sort -u)" ',,' 'and neither a share nor what shares add up to is 0'

done_testing
