#!/bin/sh
# Paraver traces that are cut, garbled or made up never crash and never pass for whole ones: what can be read is, with exit status 4 and the
# line that is wrong, or the header says at what it fails (3). Times and numbers that no run has are left out with a warning.
. t/lib/lib.sh

head='#Paraver (x):1000_ns:0:1:2(1:1,1:1)'
body='1:1:1:1:1:0:1000:1\n1:1:1:2:1:0:1000:1\n3:1:1:1:1:100:100:1:1:2:1:150:200:8:1\n'

# bad STATUS PATTERN NAME FORMAT: a file of these bytes.
bad() {
	printf "$4" >"$TMP/t.prv"
	run_fails "$1" "$3" "$PAS2P" info "$TMP/t.prv"
	like "$(cat "$ERR")" "$2" "$3: it says so"
}

# odd PATTERN NAME FORMAT: read with a warning, and the message with it.
odd() {
	printf "$3" >"$TMP/t.prv"
	"$PAS2P" check "$TMP/t.prv" >"$OUT" 2>"$ERR"
	like "$(cat "$OUT")" "$1" "$2: it says so"
	run_ok "$2: the rest is read" "$PAS2P" info "$TMP/t.prv"
	like "$(cat "$OUT")" 'Events +2: 1 send, 1 receive' "$2: the message is there"
}

bad 3 'is empty' 'no bytes' ''
bad 4 'the last record is at 0 s' 'a header alone' "$head\\n"
bad 4 'the last record is at 0 s' 'a header without an end' "$head"
bad 4 'its last line is cut off' 'a line that is cut' "$head\\n${body}2:1:1:1:1:500:5000"
bad 4 'its last line is cut off' 'a line that is cut behind a colon' "$head\\n${body}2:1:1:1:1:500:"
bad 4 'the last record is at 9e-07 s' 'a file that is cut between lines' "$head\\n1:1:1:1:1:0:900:1\\n"
bad 3 '"zz_ns:0:1:2\(1:1,1:1\)" where the run.s length should be' 'a length that is no number' '#Paraver (x):zz_ns:0:1:2(1:1,1:1)\n'
bad 3 '"_zz:0:1:2\(1:1,1:1\)" where _ns, _us, _ms' 'an unknown unit' '#Paraver (x):10_zz:0:1:2(1:1,1:1)\n'
bad 3 'its header ends where .* a list of tasks should be' '4 000 000 000 tasks that are not listed' '#Paraver (x):10_ns:0:1:4000000000\n'
bad 4 'line 5: no such task: 99' 'task 99' "$head\\n${body}2:1:1:99:1:500:50000001:1\\n"
bad 4 'line 5: no such task: 0' 'task 0' "$head\\n${body}2:1:1:0:1:500:50000001:1\\n"
bad 4 'line 5: no such application: 9' 'application 9' "$head\\n${body}2:1:9:1:1:500:50000001:1\\n"
bad 4 'line 5: a field that is not a number' 'a negative time' "$head\\n${body}2:1:1:1:1:-5:50000001:1\\n"
bad 4 'line 5: an empty field' 'an empty field' "$head\\n${body}2:1:1:1:1::50000001:1\\n"
bad 4 'line 5: a field that is not a number' 'NULs' "$head\\n${body}2:1:1:1:1:5\\0000:50000001:1\\n\\000\\000\\n"
bad 4 'line 5: a state ends before it begins' 'a state that ends first' "$head\\n${body}1:1:1:1:1:50:40:1\\n"
bad 4 'line 5: an event needs 8 fields' 'a type without a value' "$head\\n${body}2:1:1:1:1:50:40:1:5\\n"
bad 4 'line 5: a message needs 15 fields, but has 14' 'a message without a tag' "$head\\n${body}3:1:1:1:1:100:100:1:1:2:1:150:200:8\\n"
bad 4 'line 5: a communicator lists task 3' 'a communicator of a task that is not there' "$head\\n${body}c:1:1:2:1:3\\n"
{
	printf "$head\\n$body"
	printf 2:1:1:1:1:5
	head -c 17000000 /dev/zero | tr '\0' 1
	printf '\n1:1:1:1:1:0:1000:1\n'
} >"$TMP/t.prv"
run_fails 4 'a line of 17 MB' "$PAS2P" info "$TMP/t.prv"
like "$(cat "$ERR")" 'line 5: longer than 16 MiB' 'a line of 17 MB: it says so'

odd 'line 5: a number of 2\^63 or more' 'a time of 23 digits' "$head\\n${body}2:1:1:1:1:12345678901234567890123:50000001:1\\n"
odd 'line 5: the time is far after the end of the run: 1000002001' 'a time a second behind the end' "$head\\n${body}2:1:1:1:1:1000002001:1:1\\n"
odd 'line 5: its task has no thread 7' 'a thread that is not there' "$head\\n${body}2:1:1:1:7:5:1:1\\n"
odd 'begins MPI_Bcast but never ends it' 'calls that never end' "$head\\n${body}2:1:1:1:1:5:50000001:1\\n2:1:1:1:1:7:50000002:7\\n"
odd 'ends a call of type 50000001 but never began it' 'an end without a beginning' "$head\\n${body}2:1:1:1:1:5:50000001:0\\n"
odd '^0 warnings, 0 errors, ' '4 000 000 000 tasks, two of them listed' "#Paraver (x):1000_ns:0:1:4000000000(1:1,1:1)\\n$body"
odd '^0 warnings, 0 errors, ' 'lines backwards' \
	"$head\\n2:1:1:2:1:250:50000001:0\\n2:1:1:2:1:150:50000001:2\\n2:1:1:1:1:110:50000001:0\\n2:1:1:1:1:90:50000001:1\\n$body"
odd '^0 warnings, 0 errors, ' 'no calls' "$head\\n$body"
{
	printf "$head\\n$body"
	printf 2:1:1:1:1:5
	head -c 1000000 /dev/zero | sed 's/\x0/:77:1/g'
	printf '\n'
} >"$TMP/t.prv"
run_ok 'a line of 5 MB is one' "$PAS2P" info "$TMP/t.prv"
like "$(cat "$OUT")" 'event 77 +event +1000000' 'a line of 5 MB is read whole'

# Names of the files beside it.
printf "$head\\n${body}2:1:1:1:1:300:60000019:5:42000050:7:50000003:900\\n2:1:1:1:1:310:50000003:0:60000019:0:88:1\\n" >"$TMP/n.prv"
printf 'EVENT_TYPE\n0  60000019  User function\nVALUES\n0 End\n5  solve [solve.c]\n\nEVENT_TYPE\n0 50000003 MPI Other\nVALUES\n900 MPI_Comm_join\n\nEVENT_TYPE\n9 88 Iteration\n' >"$TMP/n.pcf"
printf 'LEVEL CPU SIZE 1\n1.x\n\nLEVEL NODE SIZE 1\nnode\033[31m7\n' >"$TMP/n.row"
run_ok 'names beside the trace' "$PAS2P" info "$TMP/n.prv"
like "$(cat "$OUT")" 'solve \[solve.c\] +user' 'name functions'
like "$(cat "$OUT")" 'MPI_Comm_join +MPI' 'name calls'
like "$(cat "$OUT")" 'Iteration \(88\) +event' 'name types of events'
for f in pcf row; do
	run_fails 3 "a .$f alone is no trace" "$PAS2P" info "$TMP/n.$f"
done
done_testing
