#!/bin/sh
# What is written as OTF2 is for others to read, so others read it: otf2-print, which comes with the format's library, finds nothing to warn of in
# any sample trace, and as many sends, receives and collectives as went in. The same input gives the same bytes, in every file.
. t/lib/lib.sh

command -v otf2-print >/dev/null || skip_all 'otf2-print is not installed'
"$PAS2P" convert --to otf2 -o "$TMP/try" -q sample-traces/thesis-cg.4.clog2 >/dev/null 2>&1 || skip_all 'this pas2p was built without OTF2'

records() { # NAME...: how many of them otf2-print has listed
	awk -v names=" $* " 'index(names, " " $1 " ") { n++ } END { print n + 0 }' "$TMP/printed"
}

check() { # NAME FILE...
	check_name=$1
	shift
	run_ok "$check_name: it is converted" "$PAS2P" convert --to otf2 -q --format json --force -o "$TMP/out.otf2" "$@"
	cp "$OUT" "$TMP/report"
	otf2-print "$TMP/out.otf2/traces.otf2" >"$TMP/printed" 2>"$TMP/warned"
	is "$?" 0 "$check_name: otf2-print reads it"
	is "$(cat "$TMP/warned")" '' "$check_name: without a warning"
	is "$(otf2-print -G "$TMP/out.otf2/traces.otf2" 2>&1 >/dev/null)" '' "$check_name: nor is there one about definitions"
	is "$(grep -ciE 'warning|invalid' "$TMP/printed")" 0 "$check_name: nor among the records"
	is "$(records MPI_SEND MPI_ISEND) $(records MPI_RECV MPI_IRECV) $(records MPI_COLLECTIVE_END NON_BLOCKING_COLLECTIVE_COMPLETE)" \
		"$(sed -n 's/^ *"\(send\|receive\|collective\)": \([0-9]*\),\{0,1\}$/\2/p' "$TMP/report" | tr '\n' ' ' | sed 's/ $//')" \
		"$check_name: sends, receives, collectives"
	is "$(records MPI_COLLECTIVE_BEGIN)" "$(records MPI_COLLECTIVE_END)" "$check_name: collectives begin and end"
	is "$(records ENTER)" "$(records LEAVE)" "$check_name: regions are entered and left"
}

for f in sample-traces/*.clog2; do
	case $f in
	*.rank*) ;;
	*) check "${f#sample-traces/}" "$f" ;;
	esac
done
# Damaged ones are converted as far as they go.
"$PAS2P" convert --to otf2 -q --force -o "$TMP/out.otf2" sample-traces/unfinalized.*.clog2 >"$OUT" 2>&1
is "$(otf2-print "$TMP/out.otf2/traces.otf2" 2>&1 >/dev/null)" '' 'local files of an aborted run: no warning'

for i in 1 2; do
	run_ok "once, twice: $i" "$PAS2P" convert --to otf2 -q -o "$TMP/same$i" sample-traces/comms.6.clog2
done
ok 'the same input gives the same files' diff -r "$TMP/same1" "$TMP/same2"
run_ok 'another run' "$PAS2P" convert --to otf2 -q -o "$TMP/other" sample-traces/little_endian.comms.6.clog2
ok 'the same run gives the same files, however it was stored' diff -r "$TMP/same1" "$TMP/other"
run_ok 'without collectives' "$PAS2P" convert --to otf2 --collectives ignore -q -o "$TMP/without" sample-traces/comms.6.clog2
ok 'another one has another identifier' test "$(tail -c 19 "$TMP/same1/traces.otf2" | od -An -tx1)" != "$(tail -c 19 "$TMP/without/traces.otf2" | od -An -tx1)"
is "$(find "$TMP/same1" -type f | wc -l)" 14 'two files, and two for each of six ranks'
is "$(cd "$TMP/same1" && find . -type f | sort | head -n 4 | tr '\n' ' ')" './traces.def ./traces.otf2 ./traces/0.def ./traces/0.evt ' 'named as others name them'

done_testing
