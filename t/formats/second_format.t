#!/bin/sh
# Another format is a folder and a row: build/pas2p-formats is the program with one more, text, which lives in the tests
# (t/lib/format_text). The same run as CLOG2 and as text must give the same, down to the last digit, through every face: if
# something behind the maker knew CLOG2, the text would show it.
. t/lib/lib.sh

built=$(dirname "$PAS2P")
both=$built/pas2p-formats

# script NAME FILE < lines: the script must run to its end, all its expectations met.
script() {
	cat >"$TMP/script"
	run_ok "$1" "$both" --no-config --script "$TMP/script" --size 140x34 "$2"
}

# same TRACE COMMAND...: one output, whichever the format.
same() {
	trace=$1
	shift
	run_ok "$trace: $* of the CLOG2 trace" "$both" "$@" "sample-traces/$trace.clog2"
	mv "$OUT" "$TMP/want"
	run_ok "$trace: $* of the text" "$both" "$@" "$TMP/$trace.text"
	ok "$trace: $*: there is something to compare" test "$(wc -l <"$TMP/want")" -gt 1
	ok "$trace: $*: the same" cmp "$TMP/want" "$OUT"
}

for trace in nonblock.4 cg.S.4 coll.6 userstates.3; do
	run_ok "$trace as text" "$built/as-text" "sample-traces/$trace.clog2"
	mv "$OUT" "$TMP/$trace.text"
	for command in events bbps phases; do
		same $trace $command --format csv
	done
done

# Threads share the processes out; the result does not show it.
for threads in 1 2 4; do
	same cg.S.4 phases --format csv --threads $threads
done

# info: all but the files themselves, whose records count definitions too.
for trace in nonblock.4 userstates.3; do
	run_ok "$trace: info" "$both" info "sample-traces/$trace.clog2"
	sed '1,2d; /^Format/d; /^Records/d' "$OUT" >"$TMP/want"
	run_ok "$trace: info of the text" "$both" info "$TMP/$trace.text"
	like "$(cat "$OUT")" 'Format +text 1' "$trace: info says which format it is"
	like "$(sed -n 2p "$OUT")" '^ *text 1, finalized; [0-9 ]+ bytes, [0-9 ]+ records$' "$trace: no blocks and no byte order, which text has not"
	sed '1,2d; /^Format/d; /^Records/d' "$OUT" >"$TMP/got"
	is "$(cat "$TMP/got")" "$(cat "$TMP/want")" "$trace: info: processes, communicators, sizes, states are the same"
done

# The workbench: the grid, phases, and the timeline, whose calls come from a second reading.
mkdir "$TMP/clog2" "$TMP/text"
cp sample-traces/nonblock.4.clog2 "$TMP/clog2/run"
cp "$TMP/nonblock.4.text" "$TMP/text/run"
for format in clog2 text; do
	script "the workbench opens it as $format" "$TMP/$format/run" <<X
:screen $TMP/$format/grid
3
:export $TMP/$format/phases.csv
4
/ "MPI_Waitall" Enter
:expect MPI_Waitall
/ "^rank 2.*send to rank 3" Enter
:expect rank 2 ·
:screen $TMP/$format/timeline
X
done
for screen in grid timeline phases.csv; do
	ok "there is a $screen" test -s "$TMP/clog2/$screen"
	ok "the same $screen" cmp "$TMP/clog2/$screen" "$TMP/text/$screen"
done

# The endings of names are the formats' too.
cp "$TMP/nonblock.4.text" "$TMP/run.text"
run_ok 'a phase table of the text' "$both" phases --format yaml "$TMP/run.text"
like "$(grep '^application:' "$OUT")" '^application: run$' 'the application is the name without the ending of its format'
script 'the workbench offers a name for the table' "$TMP/run.text" <<X
e e
:expect write to: run.yaml
Esc
X
run_ok 'as a document' "$both" info --format json "$TMP/run.text"
ok 'has no blocks either' sh -c '! grep -E "block|byte_order" "$1"' sh "$OUT"

# What the format refuses has its sentence, and what none knows is refused as ever.
{ head -n 400 "$TMP/nonblock.4.text"; echo '9 0.5 send 1 0 8 0'; } >"$TMP/bad.text"
run_fails 3 'a process that is none' "$both" info "$TMP/bad.text"
like "$(cat "$ERR")" 'bad\.text: cannot read the line "9 0\.5 send 1 0 8 0"' 'says so'
sed '1s/1$/2/' "$TMP/nonblock.4.text" >"$TMP/other.text"
run_fails 3 'a text of another version' "$both" info "$TMP/other.text"
like "$(cat "$ERR")" 'other\.text is a text file, not a CLOG2, .*or text trace' 'is a text file like any other; all formats are named'
printf 'a\001bcd' >"$TMP/unknown"
run_fails 3 'what no format is' "$both" info "$TMP/unknown"
like "$(cat "$ERR")" 'not a CLOG2, .*or text trace: its first bytes are .*, expected "CLOG-02\.", .*or "pas2p text 1"' 'how each format begins'
run_fails 3 'the program itself knows no text' "$PAS2P" info "$TMP/nonblock.4.text"
like "$(cat "$ERR")" 'is a text file' 'says so'

done_testing
