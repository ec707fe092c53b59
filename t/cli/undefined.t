#!/bin/sh
# A figure that the trace does not support is absent, and why is said: a trace without messages is no prediction that is wrong by
# 100 %. Absent is "-" in tables and in the workbench, empty in CSV, null in JSON and YAML; and a table with such figures can be
# read again. Traces with nothing in them are written here, record by record.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME

words() { # NUMBER...: each as four bytes, big-endian
	for word in "$@"; do
		printf "\\$(printf %03o $((word >> 24 & 255)))\\$(printf %03o $((word >> 16 & 255)))"
		printf "\\$(printf %03o $((word >> 8 & 255)))\\$(printf %03o $((word & 255)))"
	done
}

# The first four bytes of the times 0, 1, 2 s; the other four are 0.
zero=0 one=0x3ff00000 two=0x40000000

preamble() { # PROCESSES
	{
		printf 'CLOG-02.40\0is_big_endian=\0TRUE \0block_size=\0%s\0comm_world_size=\0%s\0' 1024 "$1"
		head -c 1024 /dev/zero
	} | head -c 1024
}

world() { # RANK
	words $zero 0 0 "$1" 0 9 0 0 "$1" "$1" 1 1 1 1 1 1 1 1
}

bare() { # TIME RANK EVENT-TYPE
	words "$1" 0 0 "$2" 0 5 "$3" 0
}

finish() { # FILE: the records so far, the end of the log, and the rest of the block
	{
		cat
		words 0x4197d784 0 0 0 0 0
		head -c 1024 /dev/zero
	} | head -c 2048 >"$1"
}

{ preamble 2; world 0; world 1; } | finish "$TMP/empty.clog2"
{
	preamble 2
	world 0
	world 1
	for rank in 0 1; do
		bare $one $rank 600
		bare $two $rank 601
	done
} | finish "$TMP/compute.clog2"
{ preamble 1; world 0; bare $one 0 4; bare $two 0 5; } | finish "$TMP/alone.clog2"
{
	preamble 2
	world 0
	world 1
	for rank in 0 1; do
		bare $one $rank 4
		bare $one $rank 5
	done
} | finish "$TMP/instant.clog2"
cp sample-traces/cg.S.4.clog2 "$TMP/irrelevant.clog2"

# absent NAME WHY OPTIONS...: no prediction, in any format
absent() {
	name=$1 why=$2
	shift 2
	trace="$TMP/$name.clog2"
	run_ok "$name: phases" "$PAS2P" phases --no-config "$@" "$trace"
	table=$(cat "$OUT")
	like "$table" "^signature time  -$" "$name: no SET"
	like "$table" "^expected error  -, no prediction: $why$" "$name: no expected error, and why"
	unlike "$table" 'PET|nan|measures' "$name: nothing measured"
	run_ok "$name: CSV" "$PAS2P" phases --no-config --format csv "$@" "$trace"
	unlike "$(cat "$OUT")" 'nan|inf' "$name: CSV has numbers or nothing"
	for format in yaml json; do
		run_ok "$name: $format" "$PAS2P" phases --no-config --format $format "$@" "$trace"
		tr -d '",' <"$OUT" >"$TMP/plain"
		for key in set pet pet_scaled pete; do
			ok "$name: $format: no $key" grep -qE "^ *$key: null$" "$TMP/plain"
		done
		unlike "$(cat "$TMP/plain")" '\bnan\b|\binf\b' "$name: $format has numbers or null"
	done
	"$PAS2P" phases --no-config --format yaml "$@" -o "$TMP/$name.yaml" "$trace" 2>/dev/null
	run_fails 2 "$name: its table, and a program that is another" "$PAS2P" run "$TMP/$name.yaml" -- true
	like "$(cat "$ERR")" "the table is for the application $name" "$name: its table can be read again"
	printf ':expect signature         -\n:expect %s\n' "$why" \
		>"$TMP/script"
	run_ok "$name: the workbench" "$PAS2P" --no-config --script "$TMP/script" --size 140x40 "$@" "$trace"
	# Where the panel is short it says why, or nothing; no screen has a figure.
	for size in 100x24 80x24 80x12; do
		echo ':expect no such text' >"$TMP/script"
		"$PAS2P" --no-config --script "$TMP/script" --size $size "$@" "$trace" >"$OUT" 2>"$ERR"
		unlike "$(cat "$ERR")" 'exp. error +[0-9]|nan' "$name: $size: no error"
	done
}

absent empty 'no process has a record'
like "$table" '^coverage        -$' 'empty: no coverage'
like "$table" '^run time        -$' 'empty: no AET'
ok 'empty: no AET in the table' grep -q '^  aet: null$' "$TMP/empty.yaml"
ok 'empty: no coverage in the table' grep -q '^  coverage: null$' "$TMP/empty.yaml"

absent compute 'the trace has no phases'
like "$table" '^coverage        -$' 'compute: no coverage'
like "$table" '^run time        1.000 s$' 'compute: an AET'
ok 'compute: an AET in the table' grep -q '^  aet: 1$' "$TMP/compute.yaml"

absent alone 'the trace has no phases'
like "$table" '^coverage        -$' 'alone: no coverage'

absent instant 'the run time is 0'
like "$table" '^coverage        -$' 'instant: no coverage'
like "$table" '^run time        0 s$' 'instant: an AET of 0'
like "$table" '^    1  no .* -  *- ' 'instant: a phase without a share'
run_ok 'instant: CSV' "$PAS2P" phases --no-config --format csv "$TMP/instant.clog2"
like "$(sed -n 2p "$OUT")" '^1,false,1,1,0,0,0,,,' 'instant: a phase without a share in CSV'
ok 'instant: a phase without a share in the table' grep -q '^ *share: null$' "$TMP/instant.yaml"

# Phases there are, and they cover 0 %: that is known.
absent irrelevant 'no phase is relevant' --relevance 100%
like "$table" '^coverage        0.0 % of the run time$' 'irrelevant: they cover nothing'
ok 'irrelevant: a coverage in the table' grep -q '^  coverage: 0$' "$TMP/irrelevant.yaml"

# What else shows times.
run_ok 'info of an empty trace' "$PAS2P" info --no-config "$TMP/empty.clog2"
like "$(cat "$OUT")" '^Run time +-, no process has a record$' 'info of an empty trace: no run time'
like "$(cat "$OUT")" '^   0        0 +- +- ' 'info of an empty trace: no times of a process'
run_ok 'info of an empty trace, JSON' "$PAS2P" info --no-config --format json "$TMP/empty.clog2"
like "$(cat "$OUT")" '"aet": null' 'info of an empty trace, JSON: no AET'
unlike "$(cat "$OUT")" 'nan' 'info of an empty trace, JSON: numbers or null'
printf ':expect unknown, no rank has records\n' >"$TMP/keys"
{ printf '6\n'; cat "$TMP/keys"; } >"$TMP/script"
run_ok 'the summary of an empty trace' "$PAS2P" --no-config --script "$TMP/script" --size 140x40 "$TMP/empty.clog2"

# The loops of a run: of none, and of one that takes no time.
run_ok 'structure of an empty trace' "$PAS2P" phases -q --no-config --structure "$TMP/empty.clog2"
is "$(sed -n 4p "$OUT")" '  -' 'structure of an empty trace: none'
like "$(cat "$OUT")" '^main loop       -, no process has a record$' 'structure of an empty trace: no main loop'
{
	preamble 2
	world 0
	world 1
	for rank in 0 1; do
		for call in 1 2 3 4 5 6; do
			bare $one $rank $((call % 2 * 2 + 4))
			bare $one $rank $((call % 2 * 2 + 5))
		done
	done
} | finish "$TMP/rounds.clog2"
run_ok 'structure of an instant' "$PAS2P" phases -q --no-config --structure=exact "$TMP/rounds.clog2"
is "$(sed -n 4p "$OUT")" '  3*1' 'structure of an instant: there is one'
like "$(cat "$OUT")" '^   1      3           3      -      0.000  3\*1$' 'structure of an instant: a loop without a share'
like "$(cat "$OUT")" '^main loop       -, the run time is 0$' 'structure of an instant: no main loop'
run_ok 'structure of an instant, CSV' "$PAS2P" phases -q --no-config --structure=exact -f csv "$TMP/rounds.clog2"
is "$(sed -n 2p "$OUT")" '1,false,0,1,3,3,,0,0,3*1' 'structure of an instant, CSV: no share'
run_ok 'structure of an instant, JSON' "$PAS2P" phases -q --no-config --structure=exact -f json "$TMP/rounds.clog2"
like "$(cat "$OUT")" '^    "main": null$' 'structure of an instant, JSON: no main loop'

# The strip over a knob where some thresholds leave nothing relevant.
cat >"$TMP/script" <<'X'
:set relevance 100%
:expect no phase is relevant
u
:expect exp. error   11.1 %
X
run_ok 'a threshold that leaves nothing, and back' "$PAS2P" --no-config --script "$TMP/script" --size 140x40 sample-traces/cg.S.4.clog2
# Nor are there settings to look for.
for name in empty compute instant; do
	run_fails 2 "$name: tune" "$PAS2P" tune --no-config "$TMP/$name.clog2"
	like "$(cat "$ERR")" '^pas2p: no thresholds to try: ' "$name: says why"
done
run_ok 'tune where no phase is relevant now' "$PAS2P" tune -q --no-config --relevance 100% "$TMP/irrelevant.clog2"
like "$(cat "$OUT")" '^now         0 of 6 phases relevant, coverage 0.0 %, expected error -$' 'they cover nothing, and no error is expected'
unlike "$(cat "$OUT")" 'nan|inf' 'and no figure is undefined'
done_testing
