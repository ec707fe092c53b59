#!/bin/sh
# The table of processes: at many ranks a slow one vanishes in a mean. Shown here: it opens over any view and goes back there, leads to a
# process's row in the grid, sorts, filters, searches; its foot names who is at either end of a column; what stands out is what the
# definition says; and a file has what `pas2p metrics --by process` has, and the peers of each rank.
. t/lib/lib.sh

script() {
	name=$1 trace=$2
	shift 2
	cat >"$TMP/script"
	run_ok "$name" "$PAS2P" --no-config --script "$TMP/script" --size 140x34 "$@" "sample-traces/$trace"
}

script '@ opens it over any view, and closes it again' lu.S.4.clog2 <<'X'
1 @
:expect 9 Models Processes
:expect  rank      computation     waiting  communication
@
:expect  Enter peer
3 @
:expect 9 Models Processes
Esc
:expect Phases
:processes
:expect 9 Models Processes
q 7
:processes
:expect 9 Models Processes
X

script 'Enter and i show the process in the grid, and the table has it under its cursor' lu.S.4.clog2 <<'X'
:goto rank 1#9
@
:expect rank 1 waited most for rank 3
j Enter
:expect rank 2 #9 Bcast
:expect  Enter peer
@
:expect rank 2 waited most for rank 3, 
j i
:expect rank 3 #9 Bcast
<
:expect rank 2 #9 Bcast
X

script 'rows are sorted, filtered and searched' lu.S.4.clog2 <<'X'
@
:sort waiting
:expect ▼waiting
S
:expect ▲waiting
:expect r3            4.69 ms     4.31 ms
:expect waiting        mean 5.86 ms · most r0 7.10 ms (+21 %) · least r3 4.31 ms (-27 %)
S
:expect ▼waiting
/ "^r2" Enter
:expect rank 2 waited most for rank 3
& "^r[01]" Enter
:expect filter: 2 of 4
X

# What stands out, computed here from a file of the batch command.
"$PAS2P" metrics --by process --format csv sample-traces/lu.S.4.clog2 2>/dev/null | csv_without gain_10 >"$TMP/rows.csv"
cat >"$TMP/outliers.awk" <<'X'
function median(list, n,   i, j, t) {
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && list[j - 1] > list[j]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
	return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{ v[$at["process"]] = $at[name]; a[++n] = $at[name] }
END {
	m = median(a, n)
	for (i = 1; i <= n; i++) d[i] = v[i - 1] > m ? v[i - 1] - m : m - v[i - 1]
	r = 5 * 1.4826 * median(d, n)
	for (i = 0; i < n; i++) if (v[i] > m + r || v[i] < m - r) printf "r%d", i
}
X
is "$(awk -F, -v name=communication -f "$TMP/outliers.awk" "$TMP/rows.csv")" r3 'by definition outlier: rank 3 of the times of communication'
is "$(awk -F, -v name=useful -f "$TMP/outliers.awk" "$TMP/rows.csv")" '' '... and nobody of those of computing'
script '... so it is marked, and named' lu.S.4.clog2 <<'X'
@
:expect ↓8.68 ms
:expect least r3 8.68 ms (-16 %) · outlier: rank 3
:expect computation    mean 4.66 ms · most r0 4.91 ms (+5.2 %) · least r1 4.50 ms (-3.5 %)
X
script '... without colours or other than ASCII characters, too' lu.S.4.clog2 --ascii --theme mono <<'X'
@
:expect v8.68 ms
X

script 'a file has all columns, of the rows that are shown' lu.S.4.clog2 <<X
@
:export $TMP/all.csv
& "^r2" Enter
:export $TMP/one.csv
X
is "$(cut -d, -f1-30 "$TMP/all.csv" | sed 1d)" "$(cut -d, -f3- "$TMP/rows.csv" | sed 1d)" 'they are those of pas2p metrics --by process'
is "$(head -n 1 "$TMP/all.csv" | cut -d, -f29-)" 'critical,outside_mpi,records,events,partners,heaviest_partner,waited_most_for,caused' '... and whom each has to do with'
like "$(sed -n 4p "$TMP/all.csv")" '^2,.*,7268,2282,2,3,3,0.0033' '... rank 2 with rank 3'
is "$(sed 1d "$TMP/one.csv")" "$(sed -n 4p "$TMP/all.csv")" 'only those'

script 'one process has no others' one_rank.1.clog2 <<'X'
@
:expect r0
:expect peers          0
X
script 'a trace without calls has its traffic alone' thesis-cg.4.clog2 <<'X'
@
:expect events      16 on all ranks
:expect peers       mean 1.5 · most r1 2 (+33 %) · least r0 1 (-33 %)
:expect r0                  -
X
script 'of a process without records nothing is said' unfinalized.m240.abortme.rank0000.clog2 <<'X'
@
:expect r1                  -           -              -         -            -          -          -          -           -
:expect events         2 038
X
script 'a small screen has rows only' lu.S.4.clog2 --size 40x10 <<'X'
@
:expect  rank      computation     waiting
:expect r3            4.69 ms
X

done_testing
