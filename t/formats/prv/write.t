#!/bin/sh
# What is written for Paraver must be what its readers expect: a header whose date never changes, communicators, lines in order of time with what
# ends before what begins, times that rise within each thread, names in the .pcf; compressed if asked for. A small run is held against every line.
. t/lib/lib.sh

run_ok 'a small run is converted' "$PAS2P" convert --to prv -q -o "$TMP/small.prv" sample-traces/thesis-windows.4.clog2
is "$(head -n 1 "$TMP/small.prv")" "#Paraver (01/01/1970 at 00:00):$(awk -F: '/^1:/ { if ($7 > n) n = $7 } END { print n }' "$TMP/small.prv")_ns:1(4):1:4(1:1,1:1,1:1,1:1),1" \
	'the header says how long it took, and how many there are'
is "$(sed -n 2p "$TMP/small.prv")" 'c:1:1:4:1:2:3:4' 'the world is a communicator'
is "$(grep -c '^3:' "$TMP/small.prv")" 13 'each message is a line'

# checked FILE: what is wrong with the lines.
checked() {
	awk -F: '
	/^[#c]/ { next }
	{
		time = $6
		order = $1 == 1 ? 1 : $1 == 3 ? 3 : ($8 == 0 && ($7 == 60000019 || $7 == 40000003 || $7 ~ /^5000000/)) ? 0 : 2
		if (time < last || (time == last && order < last_order))
			print FNR ": out of order"
		last = time; last_order = order
		thread = $4 "." $5
		if ($1 == 2) {
			if (thread in seen && time <= seen[thread])
				print FNR ": not later than the one before"
			seen[thread] = time
			if ($7 ~ /^5000000/)
				open[thread] += $8 ? 1 : -1
			if (open[thread] < 0 || open[thread] > 1)
				print FNR ": a call within a call"
		}
		if ($1 == 1) {
			if (thread in until && until[thread] != time)
				print FNR ": a state does not begin where the one before ends"
			until[thread] = $7
		}
	}' "$1" | head -n 3
}
for f in cg.S.4 comms.6 userstates.3 nonblock.4 persist.4.m246; do
	run_ok "$f is converted" "$PAS2P" convert --to prv -q --force -o "$TMP/out.prv" "sample-traces/$f.clog2"
	is "$(checked "$TMP/out.prv")" '' "$f: lines are in order, calls begin and end, states are without gaps"
done

# Calls without ends are ended at the last record, all at one time.
"$PAS2P" convert --to prv -q --force -o "$TMP/out.prv" sample-traces/unfinalized.*.clog2 >"$OUT" 2>"$ERR"
is "$(checked "$TMP/out.prv")" '' 'an aborted run: what was at one time is written one after the other'
like "$(cat "$OUT")" '4 times moved' 'which is said'

"$PAS2P" convert --to prv -q --force -o "$TMP/out.prv" sample-traces/userstates.3.clog2 >/dev/null
ok 'the .pcf names calls' grep -qx '8   MPI_Barrier' "$TMP/out.pcf"
ok 'and types' grep -qE '^9    50000002    MPI Collective Comm$' "$TMP/out.pcf"
ok 'and user states' grep -qE '^9    60000019    User function$' "$TMP/out.pcf"
is "$(grep -c '^THREAD 1\.' "$TMP/out.row")" 3 'the .row names threads'

"$PAS2P" convert --to prv -q --force -o "$TMP/out.prv" sample-traces/comms.6.clog2 >"$TMP/report"
if "$PAS2P" convert --to prv -q -o "$TMP/packed1.prv.gz" sample-traces/comms.6.clog2 >"$OUT" 2>&1; then
	run_ok 'compressed once more' "$PAS2P" convert --to prv -q -o "$TMP/packed2.prv.gz" sample-traces/comms.6.clog2
	ok 'the same input gives the same bytes' cmp "$TMP/packed1.prv.gz" "$TMP/packed2.prv.gz"
	gzip -dc "$TMP/packed1.prv.gz" >"$TMP/unpacked"
	ok 'and unpacked it is what it is without' cmp "$TMP/unpacked" "$TMP/out.prv"
	ok 'the companions are beside it, not compressed' cmp "$TMP/packed1.pcf" "$TMP/out.pcf"
else
	like "$(cat "$OUT")" 'cannot compress' 'without zlib that is said'
fi
like "$(cat "$TMP/report")" '56 communicators of messages' 'what is lost is said'

# Names from a trace are no formulas in a spreadsheet, and types of events stay what they are.
cp sample-traces/nonblock.4.prv "$TMP/named.prv"
cp sample-traces/nonblock.4.row "$TMP/named.row"
sed 's/MPI_Isend/=HYPERLINK("x")/; s/MPI_Waitall/@SUM(1+1)/; s/MPI_Barrier/-danger/' sample-traces/nonblock.4.pcf >"$TMP/named.pcf"
run_ok 'states with such names' "$PAS2P" metrics -q --by state -f csv "$TMP/named.prv"
unlike "$(cat "$OUT")" '(^|,)"?[=@]|,-[a-z]' 'none is a formula'
like "$(cat "$OUT")" ",'-danger," 'an apostrophe is before it'
run_ok 'its blocks' "$PAS2P" bbps -q -f csv "$TMP/named.prv"
like "$(cat "$OUT")" ',[+]2>-4 [+]3>-1 ' 'types are as they were'

done_testing
