#!/bin/sh
# One base for every share of time: total time, which is run time x processes. On every sample trace the parts add up to their whole
# in each command, and a share that two faces show is the same in both, to the last digit printed: a reader who finds 37.5 % on
# one page and 39.0 % on another believes neither.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
COLUMNS=200
export XDG_CONFIG_HOME COLUMNS

# Of CSV: v("NAME") is a row's cell; near(A, B): equal but for rounding in sums; pct(X, DIGITS): as it is printed. Calls each() per row.
csv='
BEGIN { FS = "," }
function v(name) { return $(at[name]) }
function near(a, b) { return (a - b < 0 ? b - a : a - b) <= 1e-9 * (b > 1 ? b : 1) }
function wrong(what) { print FILENAME ": row " FNR ": " what }
function parts() { return v("useful") + v("send") + v("receive") + v("wait") + v("collective") + v("other_mpi") + v("untraced") + v("tracer") }
FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i; next }
'

# program: kinds of time and what lies outside of records are total time; waiting and transfer are communication.
program='{
	if (v("runtime") == "") next
	if (!near(v("total_time"), v("runtime") * v("processes"))) wrong("total time is not run time x processes")
	if (!near(v("time") + v("outside"), v("total_time"))) wrong("time and outside are not total time")
	if (v("useful") == "") next
	if (!near(parts() + v("outside"), v("total_time"))) wrong("kinds are " parts() + v("outside") ", not " v("total_time"))
	if (!near(v("sync") + v("transfer"), v("communication"))) wrong("waiting and transfer are not communication")
	if (!near(v("late_sender") + v("late_receiver") + v("collective_wait"), v("sync"))) wrong("reasons are not waiting")
}'

# process: the same of each, with the run time; a process without records is outside all of it.
process='NR == FNR { runtime = v("runtime"); next }
{
	if (runtime == "") next
	if (!near(v("time") + v("outside"), runtime)) wrong("time and outside are not the run time")
	if (v("useful") != "" && !near(parts() + v("outside"), runtime)) wrong("kinds are not the run time")
	if (v("busy") != "" && !near(v("busy"), v("useful") / runtime)) wrong("busy is not of the run time")
}'

# state: of total time; exclusive times and what is outside are all of it.
state='NR == FNR { total = v("total_time"); outside = v("outside"); next }
{
	if (!(total > 0)) next
	if (!near(v("share"), v("time") / total)) wrong("share is not of total time")
	sum += v("exclusive"); rows++
}
END { if (rows && !near(sum + outside, total)) wrong("exclusive times are " sum + outside ", not " total) }'

# phase, with the rows of `pas2p phases`: the same shares.
phase='NR == FNR { total = v("total_time"); outside = v("outside"); next }
FILENAME ~ /phases$/ { share[v("id")] = v("share"); next }
{
	if (!(total > 0)) next
	if (!near(v("share"), v("time") / total)) wrong("share is not of total time")
	if (v("phase") in share && sprintf("%.1f", 100 * share[v("phase")] + 1e-7) != sprintf("%.1f", 100 * v("share") + 1e-7))
		wrong("phase " v("phase") " has " share[v("phase")] " in phases, " v("share") " here")
	sum += v("time"); rows++
}
END { if (rows && !near(sum + outside, total)) wrong("phases are " sum + outside ", not " total) }'

# pattern: the time of phases, divided, with what no pattern explains and what is outside of phases. Of a description no time is known.
pattern='NR == FNR { total = v("total_time"); outside = v("outside"); next }
{
	if (!(total > 0)) next
	if (v("time") != "" && !near(v("share"), v("time") / total)) wrong("share is not of total time")
	sum += v("time"); rows++
}
END { if (rows && !near(sum + outside, total)) wrong("patterns are " sum + outside ", not " total) }'

cause='NR == FNR { total = v("total_time"); waiting = v("sync"); next }
{
	if (!near(v("share"), v("waiting") / total)) wrong("share is not of total time")
	if (!near(v("of_waiting"), v("waiting") / waiting)) wrong("of_waiting is not of all waiting")
}'

# What people read: a figure of `info`, the overview and the report, each by its name.
printed='NR == FNR {
	if (!(v("total_time") > 0) || v("useful") == "") exit
	t = v("total_time")
	# Calls that are not analysed are taken out of transfer and other, and are a part of their own.
	transfer = v("transfer") - v("not_analysed_transfer")
	printf "computation %.1f\nwaiting %.1f\ntransfer %.1f\n", 100 * v("useful") / t, 100 * v("sync") / t, 100 * transfer / t
	if (v("not_analysed") / t >= 0.0005)
		printf "not analysed %.1f\n", 100 * v("not_analysed") / t
	printf "other %.1f\n", 100 * (t - v("useful") - v("sync") - transfer - v("not_analysed")) / t
}'

metrics() {
	"$PAS2P" metrics -q -f csv --by "$1" "$trace" >"$TMP/$1" 2>"$ERR"
}

# adds_up ROWS PROGRAM FILE...: no line says what is wrong.
adds_up() {
	rows=$1 program_text=$2
	shift 2
	is "$(awk "$csv$program_text" "$@" 2>&1 | head -n 3)" '' "$trace: $rows"
}

for trace in sample-traces/*.clog2 sample-traces/*.otf2 sample-traces/*.prv; do
	[ -e "$trace" ] || continue
	case $trace in
	*.otf2) "$PAS2P" --version | grep -qi otf2 || continue ;;
	esac
	all=
	for by in program process state phase pattern cause; do
		metrics $by || all=$?
	done
	"$PAS2P" phases -q -f csv "$trace" >"$TMP/phases" 2>"$ERR" || all=$?
	case $all in
	'' | 4) ;;
	*) fail "$trace: exit status $all"; continue ;;
	esac
	adds_up 'the account' "$program" "$TMP/program"
	adds_up 'by process' "$process" "$TMP/program" "$TMP/process"
	adds_up 'by state' "$state" "$TMP/program" "$TMP/state"
	adds_up 'by phase' "$phase" "$TMP/program" "$TMP/phases" "$TMP/phase"
	sed 's/"[^"]*"/quoted/' "$TMP/pattern" >"$TMP/names"
	adds_up 'by pattern' "$pattern" "$TMP/program" "$TMP/names"
	adds_up 'by cause' "$cause" "$TMP/program" "$TMP/cause"

	awk "$csv$printed" "$TMP/program" >"$TMP/figures"
	[ -s "$TMP/figures" ] || continue

	# The overview, which rounds the same shares.
	"$PAS2P" "$trace" </dev/null 2>"$ERR" | tr -d '\n' | grep -oE '(computation|waiting( at least)?|transfer|not analysed|other) [0-9.]+ %' |
		awk '/^computation/ && seen++ { exit } { sub(" at least", ""); sub(/ %$/, ""); print } /^other/ { exit }' >"$TMP/parts"
	is "$(awk '{ sum += $NF } END { print (sum > 99.7 && sum < 100.3) ? "100" : sum }' "$TMP/parts")" 100 "$trace: the parts of the overview's bar add up"
	ok "$trace: the overview has the shares of metrics" cmp -s "$TMP/figures" "$TMP/parts" || diag "$(diff "$TMP/figures" "$TMP/parts")"

	# The report.
	"$PAS2P" report -q -f md -o "$TMP/page" "$trace" 2>"$ERR"
	for part in computation transfer; do
		is "$(sed -n "s/^| $part | [^|]* | \([0-9.]*\) % .*/\1/p" "$TMP/page" | head -n 1)" \
			"$(sed -n "s/^$part //p" "$TMP/parts")" "$trace: and the report, $part"
	done

	# Its processes, each as by process.
	awk -F'|' 'BEGIN { print "process,transfer" } /^## Processes/ { on = 1 } /^## / && !/Processes/ { on = 0 }
		on && $2 ~ /^ rank / { for (i = 3; i < NF; i++) if ($i ~ /transfer/) column = i }
		on && column && $2 ~ /^ [0-9]+ $/ { split($column, x, " ")
			print $2 + 0 "," x[1] * (x[2] == "s" ? 1 : x[2] == "ms" ? 1e-3 : x[2] == "ns" ? 1e-9 : 1e-6) }' "$TMP/page" >"$TMP/got"
	awk "$csv"'NR == FNR { moved[v("process")] = v("transfer"); n++; next }
		{ p = v("process"); d = v("transfer") - v("not_analysed_transfer") - moved[p]
		  if (p in moved && (d > 0.006 * moved[p] + 1e-9 || -d > 0.006 * moved[p] + 1e-9)) wrong("rank " p " transfers " moved[p] " in the report")
		  seen += p in moved }
		END { if (seen != n || !n) print "the report has " n " processes, of which " seen " are there" }' "$TMP/got" "$TMP/process" >"$TMP/differ"
	is "$(head -n 3 "$TMP/differ")" '' "$trace: the report's processes"

	# metrics, as a table, and info: each process's row, and functions.
	awk "$csv"'NR == FNR { runtime = v("runtime"); next }
		v("useful") != "" { printf "%d %.2f %.2f\n", v("process"), 100 * (v("useful") + v("untraced")) / runtime, 100 * v("outside") / runtime }' \
		"$TMP/program" "$TMP/process" >"$TMP/want"
	"$PAS2P" info -q "$trace" 2>"$ERR" >"$TMP/info"
	awk '/^process  *records/ { on = 1; next } on && $1 !~ /^[0-9]+$/ { exit } on && $4 != "-" { print $1, $4, $(NF - 1) }' "$TMP/info" >"$TMP/got"
	awk 'NR == FNR { got[$1] = $2 " " $3; next } { d = $2 - (split(got[$1], g, " ") ? g[1] : -1); e = $3 - g[2]; if (d * d > 2e-4 || e * e > 2e-4) print $0 ": info " got[$1] }' \
		"$TMP/got" "$TMP/want" >"$TMP/differ"
	is "$(cat "$TMP/differ")" '' "$trace: info has the processes' shares"
	is "$(awk '/^process  *records/ { on = 1; next } on && $1 !~ /^[0-9]+$/ { exit }
		on && $4 != "-" { sum = 0; for (i = 4; i < NF; i += 2) sum += $i; if (sum < 99.9 || sum > 100.1) print }' "$TMP/info")" '' \
		"$trace: which add up to 100 %"
done

trace=sample-traces/lu.S.4.clog2
run_ok 'the functions of a trace' "$PAS2P" info -q "$trace"
like "$(cat "$OUT")" '^MPI_Recv .* 31\.00 %$' 'info: MPI_Recv'
run_ok 'the same by state' "$PAS2P" metrics -q --by state "$trace"
like "$(cat "$OUT")" '^ MPI_Recv .* 31\.0 % ' 'metrics: MPI_Recv'
like "$(cat "$OUT")" '^Shares are of the total time, run time x processes: 62\.6 ms\.$' 'and what it is of'
run_ok 'its phases' "$PAS2P" metrics -q --by phase "$trace"
like "$(cat "$OUT")" '^ *11 .* 27\.9 % ' 'phase 11 as in phases'
run_ok 'its account' "$PAS2P" metrics -q "$trace"
like "$(cat "$OUT")" '^total time  *62\.6 ms  *100\.0 %$' 'begins with total time'
like "$(cat "$OUT")" '^  computation  *18\.7 ms  *29\.8 %$' 'computing is what the overview says'
like "$(cat "$OUT")" '^  not recorded  *2\.43 ms  *3\.9 %$' 'what is outside of records is one of its parts'
done_testing
