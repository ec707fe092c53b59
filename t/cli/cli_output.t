#!/bin/sh
# Output goes where it was asked to, whole or not at all, and what cannot be written is said, since a script must never
# take half a table for a whole one. A reader that goes early ends a command quietly; Ctrl-C ends it without leaving a
# file; nothing but a result is on stdout; a run without a terminal is refused with the command that would do.
. t/lib/lib.sh

trace=sample-traces/ep.S.4.clog2
large=sample-traces/cg.S.4.clog2 # its rows are more than a pipe holds
XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME

for command in info events bbps phases metrics report check; do
	run_ok "$command to stdout" "$PAS2P" "$command" "$trace"
	is "$(cat "$ERR")" '' "$command: nothing on stderr"
	run_ok "$command to a file" "$PAS2P" "$command" -o "$TMP/file" "$trace"
	is "$(wc -c <"$ERR")" 0 "$command: nothing on stderr with -o"
	cp "$TMP/file" "$TMP/first"
	"$PAS2P" "$command" "$trace" >"$TMP/stdout"
	ok "$command: the same in both" cmp "$TMP/first" "$TMP/stdout"
	run_fails 6 "$command to a full disk" "$PAS2P" "$command" -o /dev/full "$trace"
	like "$(cat "$ERR")" '^pas2p: cannot write /dev/full' "$command: says so"
	run_fails 6 "$command to a full stdout" sh -c '"$PAS2P" "$1" "$2" >/dev/full' sh "$command" "$trace"
	like "$(cat "$ERR")" '^pas2p: .*standard output' "$command: says so"
	ok '/dev/full is still a device' test -c /dev/full
done
run_fails 6 'a directory that is not there' "$PAS2P" info -o "$TMP/no/such" "$trace"
run_fails 6 'a directory as a file' "$PAS2P" info -o "$TMP" "$trace"

# A failed command leaves the file of the one before.
echo old >"$TMP/old"
run_fails 3 'a file that is not there' "$PAS2P" info -o "$TMP/old" "$TMP/missing"
like "$(cat "$ERR")" "^pas2p: .*missing" 'names it'
is "$(cat "$TMP/old")" old 'the old output stands'
run_fails 3 'no output of a failure' "$PAS2P" info -o "$TMP/new" "$TMP/missing"
ok 'none is made' test ! -e "$TMP/new"
is "$(cd "$TMP" && echo old* .old* new* .new*)" 'old .old* new* .new*' 'nothing is left beside them'

# Pipes in front and behind.
run_fails 2 'no trace from a pipe' sh -c 'cat "$1" | "$PAS2P" info -' sh "$trace"
like "$(cat "$ERR")" 'pipe' 'says why'
"$PAS2P" events -q --format csv "$large" 2>"$ERR" | head -n 1 >"$OUT"
is "$(cat "$ERR")" '' 'a reader that goes early: nothing on stderr'
bash -c 'set -o pipefail; "$PAS2P" events --format csv "$1" | head -n 1 >/dev/null' sh "$large" 2>"$ERR"
is $? 141 'and it ends as by SIGPIPE'

# A stop by a signal while output waits for its reader, who has stopped reading: no timing is needed, since the
# rows are many more than a pipe holds.
stopped() { # SIGNAL STATUS
	mkfifo "$TMP/fifo"
	# An asynchronous list ignores SIGINT in a script; env gives it back.
	env --default-signal=INT "$PAS2P" events --format csv "$large" >"$TMP/fifo" 2>"$ERR" &
	pid=$!
	exec 3<"$TMP/fifo"
	IFS= read -r first <&3
	kill -s "$1" "$pid"
	wait "$pid"
	is $? "$2" "SIG$1 ends it with $2"
	like "$first" '^rank,number' 'while it was writing'
	exec 3<&-
	rm "$TMP/fifo"
}
stopped INT 130
is "$(cat "$ERR")" 'pas2p: interrupted' 'in one word'
stopped TERM 143

# A command that is no list of a trace's ends by the signal as well. Signals are caught before its file is opened, and it
# has enough to do with a million measurements.
{ echo n,seconds && seq 1000000 | sed 's/$/,1.5/'; } >"$TMP/many.csv"
"$PAS2P" fit "$TMP/many.csv" >"$OUT" 2>"$ERR" &
pid=$!
until readlink "/proc/$pid/fd/"* 2>/dev/null | grep -q many.csv || ! kill -0 "$pid" 2>/dev/null; do :; done
kill -s TERM "$pid"
wait "$pid"
is $? 143 'SIGTERM ends fit with 143'

# Ctrl-C while a file is written leaves none. The file's appearance beside the target is the sign that it has begun.
mkdir "$TMP/dir"
env --default-signal=INT "$PAS2P" events --format csv -o "$TMP/dir/events.csv" "$large" 2>"$ERR" &
pid=$!
while kill -0 "$pid" 2>/dev/null && [ -z "$(ls -A "$TMP/dir")" ]; do :; done
kill -s INT "$pid" 2>/dev/null
wait "$pid"
status=$?
case $status in
130) is "$(ls -A "$TMP/dir")" '' 'Ctrl-C while writing a file leaves none' ;;
0) is "$(ls -A "$TMP/dir")" 'events.csv' 'it was too late to interrupt: the file is whole' ;;
*) fail "Ctrl-C while writing a file: exit status $status" ;;
esac

# In a folder for all, as /tmp is, a link that someone else has left leads where he wants.
mkdir "$TMP/all"
chmod 1777 "$TMP/all"
echo precious >"$TMP/precious"
ln -s "$TMP/precious" "$TMP/all/own"
run_ok "one's own link is followed" "$PAS2P" info -o "$TMP/all/own" "$trace"
ok 'to the file that it leads to' cmp "$TMP/precious" "$TMP/all/own"
ok 'and stays a link' test -L "$TMP/all/own"
if [ "$(id -u)" -eq 0 ]; then
	echo precious >"$TMP/precious"
	mkfifo "$TMP/pipe"
	for where in precious missing pipe; do
		ln -s "$TMP/$where" "$TMP/all/$where"
		chown -h 12345 "$TMP/all/$where"
		run_fails 6 "another user's link to what is $where" "$PAS2P" info -o "$TMP/all/$where" "$trace"
		like "$(cat "$ERR")" "cannot write .*/$where: " 'is said'
	done
	is "$(cat "$TMP/precious")" precious 'what it leads to stays as it is'
	ok 'or is not made' test ! -e "$TMP/missing"
else
	skip 8 'only root can give links away'
fi

# - is where lists go by themselves; what is a file by its name says so.
run_ok 'to standard output' "$PAS2P" info "$trace"
cp "$OUT" "$TMP/plain"
run_ok 'by its name' "$PAS2P" info -o - "$trace"
ok 'it is the same' cmp "$OUT" "$TMP/plain"
run_fails 2 'a tracer writes a file' "$PAS2P" trace -o - -- true
like "$(cat "$ERR")" '^pas2p: -o -: trace cannot write to standard output' 'says so'
run_fails 2 'so does a correction' "$PAS2P" clocks --correct -o - "$trace"
ok 'no file of that name is made' test ! -e ./-

done_testing
