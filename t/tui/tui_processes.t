#!/bin/sh
# The table of processes: at many ranks a slow one vanishes in a mean. Shown here: it opens over any view and goes back there, leads to a
# process's row in the grid, sorts, filters, searches; its foot names who is at either end of a column; what stands out is what the
# definition says; and a file has what `pas2p metrics --by process` has, and whom each process has to do with.
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
:expect  process      compute     waiting  communication
@
:expect  Enter other end
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
:goto P2#9
@
:expect P2 waited most for P4
j Enter
:expect P3 #9 Bcast
:expect  Enter other end
@
:expect P3 waited most for P4, 
j i
:expect P4 #9 Bcast
<
:expect P3 #9 Bcast
X

script 'rows are sorted, filtered and searched' lu.S.4.clog2 <<'X'
@
:sort waiting
:expect ▼waiting
S
:expect ▲waiting
:expect P4           4.69 ms     4.31 ms
:expect waiting        mean 5.86 ms · most P1 7.10 ms (+21 %) · least P4 4.31 ms (-27 %)
S
:expect ▼waiting
/ "^P3" Enter
:expect P3 waited most for P4
& "^P[12]" Enter
:expect filter: 2 of 4
X

# What stands out, computed here from a file of the batch command.
"$PAS2P" metrics --by process --format csv sample-traces/lu.S.4.clog2 >"$TMP/rows.csv" 2>/dev/null
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
	for (i = 0; i < n; i++) if (v[i] > m + r || v[i] < m - r) printf "P%d", i + 1
}
X
is "$(awk -F, -v name=communication -f "$TMP/outliers.awk" "$TMP/rows.csv")" P4 'by definition P4 stands out of the times of communication'
is "$(awk -F, -v name=useful -f "$TMP/outliers.awk" "$TMP/rows.csv")" '' '... and nobody of those of computing'
script '... so it is marked, and named' lu.S.4.clog2 <<'X'
@
:expect ↓8.68 ms
:expect least P4 8.68 ms (-16 %) · P4 stands out
:expect compute        mean 4.66 ms · most P1 4.91 ms (+5.2 %) · least P2 4.50 ms (-3.5 %)
X
script '... without colours or other than ASCII characters, too' lu.S.4.clog2 --ascii --theme mono <<'X'
@
:expect v8.68 ms
X

script 'a file has all columns, of the rows that are shown' lu.S.4.clog2 <<X
@
:export $TMP/all.csv
& "^P3" Enter
:export $TMP/one.csv
X
is "$(cut -d, -f1-27 "$TMP/all.csv" | sed 1d)" "$(cut -d, -f3- "$TMP/rows.csv" | sed 1d)" 'they are those of pas2p metrics --by process'
is "$(head -n 1 "$TMP/all.csv" | cut -d, -f27-)" 'critical,records,events,partners,heaviest_partner,waited_most_for,caused' '... and whom each has to do with'
like "$(sed -n 4p "$TMP/all.csv")" '^2,.*,7268,2282,2,3,3,0.0033' '... P3 with P4'
is "$(sed 1d "$TMP/one.csv")" "$(sed -n 4p "$TMP/all.csv")" 'only those'

script 'one process has no others' one_rank.1.clog2 <<'X'
@
:expect P1
:expect partners       0
X
script 'a trace without calls has its traffic alone' thesis-cg.4.clog2 <<'X'
@
:expect events      16, all of them
:expect partners    mean 1.5 · most P2 2 (+33 %) · least P1 1 (-33 %)
:expect P1                 -
X
script 'of a process without records nothing is said' unfinalized.m240.abortme.rank0000.clog2 <<'X'
@
:expect P2                 -           -              -         -            -          -          -
:expect events         2 038
X
script 'a small screen has rows only' lu.S.4.clog2 --size 40x10 <<'X'
@
:expect  process      compute     waiting
:expect P4           4.69 ms
X

done_testing
