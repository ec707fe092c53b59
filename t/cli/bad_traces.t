#!/bin/sh
# Each bad input that docs/reference/formats.md, "OTF2 records", "PRV records" and "Compressed files" speak of, in one table: the exit code says whether there is a result, and one plain sentence what is
# wrong, with the file's name. Where there is a result (4, or 0 with a note) what is readable is in it.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
archive=$PWD/sample-traces/nonblock.4.otf2
other=$PWD/sample-traces/thesis-cg.4.otf2
cd "$TMP" || exit 1

# bad STATUS ERE EVENTS NAME FILE: EVENTS is what stands behind "Events" in info, "" where nothing is read. Of a 0 the sentence is a note.
bad() {
	run_fails "$1" "$4" "$PAS2P" info -q "$5"
	if [ "$1" = 0 ]; then
		cp "$OUT" said
		"$PAS2P" check "$5" >>said 2>&1
		like "$(cat said)" "$2" "$4: it is noted"
	else
		like "$(cat "$ERR")" "$2" "$4: says so"
		like "$(cat "$ERR")" '^pas2p: ' "$4: as others do"
		is "$(grep -vc '^hint: ' "$ERR")" 1 "$4: in one line"
	fi
	is "$(sed -n 's/^Events *//p' "$OUT")" "$3" "$4: what is readable"
}

put() { # FILE OFFSET BYTES
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

all='424: 196 sends, 196 receives, 32 collectives'
part='318: 147 sends, 147 receives, 24 collectives'

# otf2 STATUS ERE EVENTS NAME COMMAND [FILE]: the command spoils the archive a.
otf2() {
	rm -rf a
	cp -R "$archive" a
	eval "$5"
	bad "$1" "$2" "$3" "$4" "${6:-a}"
}

if "$PAS2P" info "$archive" >/dev/null 2>&1; then
	otf2 3 'cannot read a/traces.otf2: its definitions are missing: a/traces.def$' '' 'an anchor alone' 'rm -r a/traces a/traces.def'
	otf2 3 'a/traces.otf2 has definitions only: its folder a/traces is missing$' '' 'no folder of events' 'rm -r a/traces'
	otf2 3 'its folder a/traces has no events of any rank$' '' 'no file of events' 'rm a/traces/*.evt'
	otf2 4 'location 1 \(rank 1\), 1.evt, is missing or empty' "$part" 'a missing file' 'rm a/traces/1.evt'
	otf2 4 'location 1 \(rank 1\), 1.evt, is missing or empty' "$part" 'an empty file' ': >a/traces/1.evt'
	otf2 4 'location 1 \(rank 1\), 1.evt, is missing or empty' "$part" 'a pipe for a file' 'rm a/traces/1.evt; mkfifo a/traces/1.evt'
	otf2 4 'location 1 \(rank 1\): pas2p read 26 of 632 records: its file ends early' '319: 148 sends, 147 receives, 24 collectives' \
		'a cut file' 'truncate -s 300 a/traces/1.evt'
	otf2 4 'location 1 \(rank 1\): pas2p read [0-9]+ of 632 records: its file is damaged there' \
		'322: 151 sends, 147 receives, 24 collectives' 'a garbled file' 'put a/traces/1.evt 400 ZZZZZZZZZZZZZZZZZZZZZZZZZZ'
	otf2 4 'location 1 \(rank 1\) has 16 records, but the definitions expect 632: its file is from another trace' \
		'334: 155 sends, 155 receives, 24 collectives' 'a foreign file' "cp '$other/traces/1.evt' a/traces"
	otf2 4 'a/traces.def is cut or damaged: pas2p read 50 of 54 definitions' '0: 0 sends, 0 receives, 0 collectives' \
		'definitions that are cut late' 'truncate -s 700 a/traces.def'
	otf2 3 'its definitions in a/traces.def have no location; pas2p read 14 of 54 definitions$' '' 'definitions that are cut early' \
		'truncate -s 200 a/traces.def'
	otf2 3 'its definitions are missing: a/traces.def$' '' 'a pipe for the definitions' 'rm a/traces.def; mkfifo a/traces.def'
	otf2 0 '1.def, are missing: its clock is not aligned$' "$all" 'a location without definitions' 'rm a/traces/1.def'
	otf2 0 '1.def, are missing: its clock is not aligned$' "$all" 'a pipe for them' 'rm a/traces/1.def; mkfifo a/traces/1.def'
	otf2 3 'cannot read a/traces.otf2: its anchor is cut or damaged$' '' 'a cut anchor' 'truncate -s 40 a/traces.otf2'
	otf2 3 'its anchor is damaged: expected a chunk size from' '' 'a garbled anchor' 'put a/traces.otf2 20 ZZZZ'
	otf2 3 'its anchor is damaged \(libotf2: ' '' 'an anchor that is garbled at its beginning' 'put a/traces.otf2 0 ZZ'
	otf2 3 'its files are in a SION container' '' 'a SION container' 'put a/traces.otf2 28 "\\002"'
	otf2 3 'its files are compressed with zlib' '' 'compression that the library lacks' 'put a/traces.otf2 29 "\\002"'
	for file in traces.def traces/1.evt traces/1.def; do
		otf2 3 "^hint: give its anchor file, a/traces.otf2\$" '' "$file is given" : "a/$file"
	done
	otf2 3 'a/scorep.cfg is a part of an OTF2 trace$' '' "Score-P's settings are given" \
		'echo x >a/scorep.cfg' a/scorep.cfg
	otf2 3 'a is a directory with 2 OTF2 traces: give one of its files' '' 'a folder with two anchors' 'cp a/traces.otf2 a/b.otf2'
	otf2 3 'there is one below: give b/a/traces.otf2$' '' 'a folder above' \
		'rm -rf b; mkdir b; cp -R a b' b
	otf2 0 '0 warnings|no warnings' "$all" 'a link to the anchor' 'ln -sf a/traces.otf2 link.otf2' link.otf2
	otf2 0 '0 warnings|no warnings' "$all" 'a link to the folder' 'rm -f link; ln -s a link' link
else
	skip 1 'this pas2p was built without OTF2'
fi
mkdir profile
echo x >profile/profile.cubex
bad 3 'profile is a directory with a Score-P profile, but without an OTF2 trace' '' 'a folder with a profile' profile
bad 3 'profile.cubex is a Score-P profile, which has no events' '' 'a profile' profile/profile.cubex
mkdir nothing
bad 3 'nothing is a directory without an OTF2 trace' '' 'a folder with nothing' nothing
for file in TRACE.mpits set-0/TRACE@h.0.mpit; do
	mkdir -p set-0
	echo x >"$file"
	bad 3 'hint: mpi2prv' '' "$file" "$file"
done
for file in tautrace.0.0.0.trc events.0.edf; do
	echo x >"$file"
	bad 3 'hint: trace the run with TAU_TRACE_FORMAT=otf2' '' "$file" "$file"
done

head='#Paraver (x):1000_ns:0:1:2(1:1,1:1)'
body='1:1:1:1:1:0:1000:1\n1:1:1:2:1:0:1000:1\n3:1:1:1:1:100:100:1:1:2:1:150:200:8:1\n'
two='2: 1 send, 1 receive, 0 collectives'
none='0: 0 sends, 0 receives, 0 collectives'

prv() { # STATUS ERE EVENTS NAME FORMAT
	printf "$5" >t.prv
	bad "$1" "$2" "$3" "$4" t.prv
}

prv 4 't.prv is damaged: .*the last record is at 0 s' "$none" 'a header alone' "$head\\n"
prv 4 'its last line is cut off' "$two" 'a cut line' "$head\\n${body}2:1:1:1:1:500:5000"
prv 3 'where _ns, _us, _ms' '' 'a unit that is none' '#Paraver (x):10_zz:0:1:2(1:1,1:1)\n'
prv 4 'line 5: no such task: 99' "$two" 'task 99' "$head\\n${body}2:1:1:99:1:500:50000001:1\\n"
prv 4 'line 5: no such task: 0' "$two" 'task 0' "$head\\n${body}2:1:1:0:1:500:50000001:1\\n"
prv 0 'line 5: a number of 2\^63 or more' "$two" 'a time of 23 digits' "$head\\n${body}2:1:1:1:1:12345678901234567890123:50000001:1\\n"
prv 4 'line 5: a field that is not a number' "$two" 'a negative number' "$head\\n${body}2:1:1:1:1:-5:50000001:1\\n"
prv 4 'line 5: a field that is not a number' "$two" 'NULs' "$head\\n${body}2:1:1:1:1:5\\0000:50000001:1\\n\\000\\000\\n"
prv 3 'a list of tasks should be' '' '4 000 000 000 tasks' '#Paraver (x):10_ns:0:1:4000000000\n'
prv 0 'begins MPI_Bcast but never ends it' '3: 1 send, 1 receive, 1 collective' 'a call that never ends' "$head\\n${body}2:1:1:1:1:7:50000002:7\\n"
prv 0 '0 warnings|no warnings' "$two" 'lines backwards' "$head\\n2:1:1:1:1:110:50000001:0\\n2:1:1:1:1:90:50000001:1\\n$body"
prv 0 '0 warnings|no warnings' "$two" 'no calls' "$head\\n$body"
{
	printf "$head\\n$body"
	printf 2:1:1:1:1:5
	head -c 400000 /dev/zero | sed 's/\x0/:77:123456/g'
	printf '\n'
} >t.prv
bad 0 '0 warnings|no warnings' "$two" 'a line of 4 MB' t.prv
printf '#Paraver (x)' >t.prv
bad 3 't.prv.* its header ends' '' 'a header that is cut' t.prv

mkfifo pipe.clog2
bad 3 'pipe.clog2 is a pipe: save it to a file first$' '' 'a pipe' pipe.clog2
bad 3 '/dev/zero is a device' '' 'a device' /dev/zero
bad 3 'gone.prv' '' 'no such file' gone.prv
done_testing
