#!/bin/sh
# A time-independent trace is worth its replay: it must run to its end, whatever the trace holds (messages without partners, collectives of a part of the
# world, several communicators with one tag), and say what the run did: the example of docs/reference/formats.md, "TIT output", line by line.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
formats=$(dirname "$PAS2P")/pas2p-formats

# Two ranks send each other 100 000 bytes after 1 ms, receive them, and meet.
cat >"$TMP/two.text" <<'END'
pas2p text 1
processes 2
state MPI MPI_Init
state send MPI_Isend
state receive MPI_Recv
state collective MPI_Barrier
comm 0 world 0 1
collective Barrier 0
0 0 enter 0
0 0 leave 0
0 0.001 enter 1
0 0.001 send 1 7 100000 0
0 0.001 leave 1
0 0.001 enter 2
0 0.002 receive 1 7 100000 0
0 0.002 leave 2
0 0.002 enter 3 0 0
0 0.003 leave 3
1 0 enter 0
1 0 leave 0
1 0.001 enter 1
1 0.001 send 0 7 100000 0
1 0.001 leave 1
1 0.001 enter 2
1 0.002 receive 0 7 100000 0
1 0.002 leave 2
1 0.002 enter 3 0 0
1 0.003 leave 3
END
run_ok 'the example' "$formats" convert --to tit -o "$TMP/two" "$TMP/two.text"
is "$(cat "$TMP/two/rank-0.txt")" '0 init
0 compute 1000000
0 isend 1 7 100000
0 recv 1 7 100000
0 wait 0 1 7
0 barrier
0 finalize' 'rank 0, line by line'
is "$(cat "$TMP/two/ranks.txt")" 'rank-0.txt
rank-1.txt' 'the files of the ranks'
run_ok 'half as fast' "$formats" convert --to tit --rate 5e8 --force -o "$TMP/two" "$TMP/two.text"
is "$(sed -n 2p "$TMP/two/rank-0.txt")" '0 compute 500000' 'computation is time by rate'
like "$(cat "$TMP/two/platform.xml")" 'speed="500000000f"' 'and the platform has that rate'

# One tag on two communicators, and received the other way round: a replay, which knows one, must not mistake them.
sed -e 's/^comm 0.*/&\ncomm 1 intra 0 1/' -e 's/^0 0.001 send .*/&\n0 0.001 send 1 7 5 1/' -e 's/^1 0.002 receive .*/1 0.0015 receive 0 7 5 1\n&/' \
	"$TMP/two.text" >"$TMP/tags.text"
run_ok 'one tag on two communicators' "$formats" convert --to tit -o "$TMP/tags" "$TMP/tags.text"
is "$(grep -c ' 7 ' "$TMP/tags/rank-1.txt")" 2 'keeps it on the first only'
like "$(cat "$OUT")" '1 tags' 'and that is said'

# A message that nobody receives: its computation stays.
grep -v '^1 0.002 receive' "$TMP/two.text" >"$TMP/lost.text"
run_ok 'a lost message' "$formats" convert --to tit -o "$TMP/lost" "$TMP/lost.text"
like "$(cat "$OUT")" '^Not converted +1 unmatched messages' 'is said'
unlike "$(cat "$TMP/lost/rank-0.txt")" 'isend' 'and not sent'
like "$(cat "$TMP/lost/rank-0.txt")" 'compute 1000000' 'the time before it stays'

command -v smpirun >"$TMP/where" || {
	skip 1 'no smpirun (SimGrid)'
	done_testing
}

# replay NAME FOLDER
replay() {
	(cd "$2" && smpirun -replay ranks.txt -np "$(wc -l <ranks.txt)" -platform platform.xml -hostfile hosts.txt) >"$TMP/replay" 2>&1 </dev/null
	like "$(cat "$TMP/replay")" 'Simulation time' "$1: the replay ends"
}

for case in two tags lost; do
	replay "$case" "$TMP/$case"
done
for trace in anysrc.5 coll.6 comms.6 ep.S.4 ft.S.4 is.S.4 nonblock.4 one_rank.1 pcontrol.4 persist.4.m246 sendrecv.4 syncclk.4 userstates.3; do
	run_ok "$trace" "$PAS2P" convert -q --to tit --force -o "$TMP/replayed" "sample-traces/$trace.clog2"
	replay "$trace" "$TMP/replayed"
done
run_ok 'local files' "$PAS2P" convert -q --to tit --force -o "$TMP/replayed" sample-traces/unfinalized.m240.abortme.rank000?.clog2
replay 'local files' "$TMP/replayed"

done_testing
