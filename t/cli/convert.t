#!/bin/sh
# pas2p convert writes all of a run in another format, or nothing: what is there is kept unless it is to be replaced, what is read is never replaced, and
# whatever stops it leaves nothing behind. The same input gives the same bytes. The report says what went where and what was lost.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
TMPDIR=$TMP/scratch
export XDG_CONFIG_HOME TMPDIR
mkdir "$TMPDIR"
trace=sample-traces/cg.S.4.clog2
mkdir "$TMP/d"
d=$TMP/d

# What must be said, and what means nothing.
run_fails 2 'no format' "$PAS2P" convert -o "$d/x" "$trace"
like "$(cat "$ERR")" '--to is missing' 'says so'
run_fails 2 'no output' "$PAS2P" convert --to clog2 "$trace"
like "$(cat "$ERR")" '--output is missing' 'says so'
run_fails 2 'no such format' "$PAS2P" convert --to paje -o "$d/x" "$trace"
run_fails 2 'a rate without computation' "$PAS2P" convert --to clog2 --rate 1e9 -o "$d/x" "$trace"
like "$(cat "$ERR")" '--rate has no effect with --to clog2' 'says so'
run_fails 2 'a window of all' "$PAS2P" convert --to tit --window 0:1 -o "$d/x" "$trace"
run_fails 2 'thresholds without phases' "$PAS2P" convert --to clog2 --volume 10% -o "$d/x" "$trace"
like "$(cat "$ERR")" '--volume has no effect' 'says so'
for wrong in 0 -1 x 1e40; do
	run_fails 2 "a rate of $wrong" "$PAS2P" convert --to tit "--rate=$wrong" -o "$d/x" "$trace"
done
for wrong in 1 1: 2:1 1:1 a:b -1:2; do
	[ "$wrong" = 1: ] || run_fails 2 "a window $wrong" "$PAS2P" convert --to perfetto "--window=$wrong" -o "$d/x" "$trace"
done
for wrong in x 2-1 1- -1; do
	run_fails 2 "ranks $wrong" "$PAS2P" convert --to perfetto "--ranks=$wrong" -o "$d/x" "$trace"
done
run_fails 2 'a folder is not compressed' "$PAS2P" convert --to tit -o "$d/x.gz" "$trace"
run_fails 3 'no trace' "$PAS2P" convert --to clog2 -o "$d/x" README.md
run_fails 3 'no file' "$PAS2P" convert --to clog2 -o "$d/x" "$d/none.clog2"
is "$(ls -A "$d")" '' 'none of these writes'

# Standard output takes what is one file, and the report goes beside it.
run_ok 'to standard output' "$PAS2P" convert --to clog2 -o - "$trace"
cp "$OUT" "$TMP/piped"
like "$(cat "$ERR")" '^Output +standard output$' 'the report is on standard error'
run_ok 'to a file' "$PAS2P" convert --to clog2 -o "$TMP/named.clog2" "$trace"
ok 'it is the same' cmp "$TMP/piped" "$TMP/named.clog2"
run_ok 'quietly' "$PAS2P" convert --quiet --to clog2 -o - "$trace"
is "$(cat "$ERR")" '' 'there is no report'
ok 'through a pipe' sh -c '"$1" convert -q --to clog2 -o - "$2" | cmp - "$3"' - "$PAS2P" "$trace" "$TMP/named.clog2"
run_fails 2 'several files' "$PAS2P" convert --to prv -o - "$trace"
like "$(cat "$ERR")" 'writes several files: give a name' 'says so'
run_fails 2 'a folder' "$PAS2P" convert --to tit -o - "$trace"
like "$(cat "$ERR")" 'writes a folder: give a name' 'says so'
ok 'no file of that name is made' test ! -e ./-

# The report.
run_ok 'a report' "$PAS2P" convert --to clog2 -o "$d/a.clog2" "$trace"
like "$(cat "$OUT")" "^Input +$trace\$" 'says what was read'
like "$(cat "$OUT")" "^Output +$d/a.clog2\$" 'what was written'
like "$(cat "$OUT")" '^Events +6720 sends, 6720 receives, 12 collectives$' 'the events'
like "$(cat "$OUT")" '^Not converted +nothing$' 'and that nothing was lost'
run_ok 'as JSON' "$PAS2P" convert --to tit --format json -o "$d/tit" "$trace"
for field in '"path": ".*/d/tit"' '"files": 7' '"send": 6720' '"collective": 12' '"what": "states", *"count": 26900'; do
	like "$(tr -d '\n' <"$OUT" | sed 's/  */ /g')" "$field" "has $field"
done
run_fails 2 'a report is no list' "$PAS2P" convert --to clog2 --format csv -o "$d/x" "$trace"
run_ok 'collectives left out' "$PAS2P" convert --to clog2 --collectives ignore -o "$d/none.clog2" "$trace"
run_ok 'they are calls' "$PAS2P" info "$d/none.clog2"
like "$(cat "$OUT")" '^Events .* 6 720 receives, 0 collectives$' 'and no events'
like "$(cat "$OUT")" 'MPI_Bcast' 'but there'

# What is there.
cp "$d/a.clog2" "$TMP/first"
run_fails 6 'it is there' "$PAS2P" convert --to clog2 -o "$d/a.clog2" sample-traces/ep.S.4.clog2
like "$(cat "$ERR")" 'it exists already; --force replaces it' 'says what to do'
ok 'and it stays' cmp "$d/a.clog2" "$TMP/first"
run_ok 'by force' "$PAS2P" convert --to clog2 --force -o "$d/a.clog2" sample-traces/ep.S.4.clog2
ok 'it is another' sh -c '! cmp -s "$1" "$2"' sh "$d/a.clog2" "$TMP/first"
run_fails 6 'a folder is there' "$PAS2P" convert --to tit -o "$d/tit" sample-traces/ep.S.4.clog2
echo old >"$d/tit/mine"
run_fails 6 'with a file that no conversion makes' "$PAS2P" convert --to tit --force -o "$d/tit/" sample-traces/ep.S.4.clog2
like "$(cat "$ERR")" 'exists already with mine, which pas2p convert does not write' 'says so'
is "$(cat "$d/tit/mine")" old 'and it stays'
rm "$d/tit/mine"
echo old >"$d/tit/rank-77.txt"
run_ok 'by force' "$PAS2P" convert --to tit --force -o "$d/tit/" sample-traces/ep.S.4.clog2
ok 'nothing of the old one is left' test ! -e "$d/tit/rank-77.txt"
mkdir "$d/home"
echo precious >"$d/home/file"
run_fails 6 'a folder that is no output' "$PAS2P" convert --to tit --force -o "$d/home" "$trace"
like "$(cat "$ERR")" 'without ranks.txt, so pas2p convert did not write it' 'says so'
is "$(cat "$d/home/file")" precious 'and it stays'
run_fails 6 'a folder in place of a file' "$PAS2P" convert --to clog2 --force -o "$d/home" "$trace"
echo old >"$d/plain"
run_fails 6 'a file in place of a folder' "$PAS2P" convert --to tit --force -o "$d/plain" "$trace"
rm "$d/plain"
run_fails 6 'a folder that is not there' "$PAS2P" convert --to clog2 -o "$d/no/a.clog2" "$trace"
like "$(cat "$ERR")" 'no such directory' 'says so'
run_fails 6 'nor for a folder' "$PAS2P" convert --to tit -o "$d/no/tit" "$trace"
run_fails 6 'a device that is full' "$PAS2P" convert --to perfetto -o /dev/full "$trace"

# The name says the format and how it is compressed; it never says another one than what is written.
run_ok 'a name alone' "$PAS2P" convert -q -o "$TMP/named.prv" "$trace"
like "$(head -n 1 "$TMP/named.prv")" '^#Paraver' 'is that format'
run_ok 'of JSON' "$PAS2P" convert -q -o "$TMP/named.json" "$trace"
like "$(head -n 2 "$TMP/named.json" | tr -d '\n')" 'traceEvents' 'is that format'
if "$PAS2P" --version | grep -q '^writes .*otf2'; then
	run_ok 'of OTF2' "$PAS2P" convert -q -o "$TMP/named.otf2" "$trace"
	ok 'is an archive' test -e "$TMP/named.otf2/traces.otf2"
	run_fails 2 'an archive is not compressed' "$PAS2P" convert -o "$TMP/wrong.otf2.gz" "$trace"
else
	run_fails 2 'OTF2, which is not built' "$PAS2P" convert -o "$TMP/named.otf2" "$trace"
fi
if "$PAS2P" --version | grep -q '^compressed .*gzip' && command -v gzip >"$OUT"; then
	run_ok 'compressed' "$PAS2P" convert -q -o "$TMP/named.clog2.gz" "$trace"
	ok 'it is the same' sh -c 'gzip -dc <"$1" | cmp - "$2"' - "$TMP/named.clog2.gz" "$TMP/named.clog2"
else
	skip 2 'no gzip'
fi
for wrong in 'prv wrong.clog2' 'clog2 wrong.otf2' 'clog2 wrong.prv.gz' 'perfetto wrong.prv' 'tit wrong.clog2' 'otf2 wrong.json'; do
	run_fails 2 "--to and a name that says another format: $wrong" "$PAS2P" convert --to ${wrong% *} -o "$TMP/${wrong#* }" "$trace"
	like "$(cat "$ERR")" "${wrong#* } is a name for|cannot write otf2" '  says so'
done
run_fails 2 'a name that says nothing' "$PAS2P" convert -o "$TMP/wrong.trace" "$trace"
like "$(cat "$ERR")" '--to is missing' '  says so'
for wrong in wrong.prv wrong.clog2.gz wrong.otf2; do
	run_fails 2 "a corrected trace, $wrong" "$PAS2P" clocks --correct -o "$TMP/$wrong" "$trace"
	like "$(cat "$ERR")" "$wrong: this command writes CLOG2 without compression" '  says so'
done
is "$(find "$TMP" -maxdepth 1 -name "*wrong*")" '' 'none of these writes'

# Links stay links.
ln -s tit "$d/link"
run_ok 'a link to a folder' "$PAS2P" convert --to tit --force -o "$d/link" "$trace"
ok 'stays one' test -L "$d/link"
is "$(wc -l <"$d/tit/rank-0.txt")" "$(wc -l <"$d/link/rank-0.txt")" 'and what it leads to is new'
ln -s new.clog2 "$d/file"
run_ok 'a link to what is not there' "$PAS2P" convert --to clog2 -o "$d/file" "$trace"
ok 'stays one' test -L "$d/file"
ok 'and that is there' cmp "$d/new.clog2" "$TMP/first"

# What is read.
cp "$trace" "$d/own.clog2"
for own in own.clog2 ./own.clog2; do
	run_fails 2 "the input itself, $own" "$PAS2P" convert --to clog2 --force -o "$d/$own" "$d/own.clog2"
done
ln -s own.clog2 "$d/own-link"
run_fails 2 'by a link' "$PAS2P" convert --to clog2 --force -o "$d/own-link" "$d/own.clog2"
cp "$d/own.clog2" "$d/tit/"
run_fails 2 'a folder that the input is in' "$PAS2P" convert --to tit --force -o "$d/tit" "$d/tit/own.clog2"
ok 'it stays' cmp "$d/own.clog2" "$trace"

# The same bytes, packed or not.
for to in clog2 perfetto; do
	run_ok "$to" "$PAS2P" convert --to $to --force -o "$TMP/1" "$trace"
	run_ok "$to, by more threads" "$PAS2P" convert --to $to --threads 3 --force -o "$TMP/2" "$trace"
	ok "$to: the same bytes" cmp "$TMP/1" "$TMP/2"
	for pack in 'gz gzip' 'xz xz' 'zst zstd'; do
		ending=${pack% *} unpack=${pack#* }
		"$PAS2P" convert -q --to $to -o "$TMP/p.$to.$ending" "$trace" >"$OUT" 2>"$ERR"
		if grep -q 'this build of pas2p cannot compress' "$ERR" || ! command -v "$unpack" >"$OUT"; then
			skip 2 "no $unpack"
			continue
		fi
		"$unpack" -dc <"$TMP/p.$to.$ending" >"$TMP/3"
		ok "$to.$ending: holds the same" cmp "$TMP/1" "$TMP/3"
		run_ok "$to.$ending: again" "$PAS2P" convert -q --to $to --force -o "$TMP/q.$ending" "$trace"
		ok "$to.$ending: the same bytes" cmp "$TMP/p.$to.$ending" "$TMP/q.$ending"
	done
done
run_ok 'tit' "$PAS2P" convert -q --to tit -o "$TMP/t1" "$trace"
run_ok 'tit, by more threads' "$PAS2P" convert -q --to tit --threads 3 -o "$TMP/t2" "$trace"
ok 'the same files' diff -r "$TMP/t1" "$TMP/t2"

# Ctrl-C while it writes, in a process that would be long at it, leaves nothing. What appears beside the target is the sign that it has begun.
mkdir "$TMP/stopped"
for to in clog2 otf2 prv tit perfetto; do
	rm -rf "$TMP/whole"
	mkdir "$TMP/whole"
	"$PAS2P" convert -q --to $to -o "$TMP/whole/out.$to" sample-traces/lu.S.4.clog2 >"$OUT" 2>"$ERR"
	# An asynchronous list ignores SIGINT in a script; env gives it back.
	env --default-signal=INT "$PAS2P" convert --to $to -o "$TMP/stopped/out.$to" sample-traces/lu.S.4.clog2 >"$OUT" 2>"$ERR" &
	pid=$!
	while kill -0 "$pid" 2>/dev/null && [ -z "$(ls -A "$TMP/stopped")" ]; do :; done
	kill -s INT "$pid" 2>/dev/null
	wait "$pid"
	status=$?
	case $status in
	130)
		# Or all, where it was written already.
		left=$(cd "$TMP/stopped" && find . | sort | tr '\n' ' ')
		whole=$(cd "$TMP/whole" && find . | sort | tr '\n' ' ')
		ok "to $to: Ctrl-C leaves nothing" test "$left" = '. ' -o "$left" = "$whole"
		like "$(tail -n 1 "$ERR")" 'pas2p: interrupted' 'and says so'
		;;
	0) like "$(ls -A "$TMP/stopped")" "out.$to" "to $to: it was too late to interrupt, and all is there" ;;
	2) like "$(cat "$ERR")" "$to" "to $to: not in this build" ;;
	*) fail "Ctrl-C while converting to $to: exit status $status" ;;
	esac
	rm -rf "$TMP/stopped/out"*
done
is "$(ls -A "$TMPDIR")" '' 'nor is there anything in $TMPDIR'

# Damage: what is readable is converted. Every hundredth part of a trace, cut there; and garbled in places.
size=$(wc -c <sample-traces/nonblock.4.clog2)
for part in 1 20 40 50 60 80 99; do
	head -c $((size * part / 100)) sample-traces/nonblock.4.clog2 >"$TMP/cut.clog2"
	"$PAS2P" info -q "$TMP/cut.clog2" >"$OUT" 2>"$ERR"
	want=$?
	for to in clog2 tit perfetto; do
		rm -rf "$TMP/cut.out"
		run_fails $want "cut at $part %, to $to" "$PAS2P" convert -q --to $to -o "$TMP/cut.out" "$TMP/cut.clog2"
		is "$(test -e "$TMP/cut.out" && echo there)" "$(test $want -eq 3 || echo there)" 'is there as far as it could be read'
	done
done
for place in 2000 9000 30000 70000; do
	cp sample-traces/nonblock.4.clog2 "$TMP/cut.clog2"
	chmod u+w "$TMP/cut.clog2"
	printf 'garbled garbled' | dd of="$TMP/cut.clog2" bs=1 seek=$place conv=notrunc 2>"$ERR"
	for to in clog2 tit perfetto; do
		"$PAS2P" convert -q --to $to --force -o "$TMP/garbled.$to" "$TMP/cut.clog2" >"$OUT" 2>"$ERR"
		status=$?
		ok "garbled at $place, to $to: 0 or 4" test $status -eq 0 -o $status -eq 4
	done
done

# A part of the run in which nothing is.
run_fails 2 'a window after the end' "$PAS2P" convert --to perfetto --window 5:6 -o "$TMP/empty.json" sample-traces/cg.S.4.clog2
like "$(cat "$ERR")" '^pas2p: --window: 5.000 s is after the end of the run \(38.2 ms\)$' 'is refused'
ok 'and nothing is written' test ! -e "$TMP/empty.json"
run_ok 'a window with something in it' "$PAS2P" convert --to perfetto --window 0:6 -o "$TMP/full.json" sample-traces/cg.S.4.clog2
is "$(cat "$ERR")" '' 'is not'

# Stopped: by a signal, by a limit. Nothing is left.
rm -rf "${d:?}"
mkdir "$d"
for to in clog2 tit perfetto; do
	(ulimit -f 8 && exec "$PAS2P" convert -q --to $to -o "$d/out" "$trace") >"$OUT" 2>"$ERR" </dev/null
	is $? 6 "$to: a limit on files"
	like "$(cat "$ERR")" "cannot write $d/out.*exceed the size limit" "$to: says so"
	is "$(ls -A "$d")" '' "$to: nothing is left"
done
is "$(ls -A "$TMPDIR")" '' 'nor of what was kept beside'

done_testing
