#!/bin/sh
# Tune in the workbench: its rows are those of `pas2p tune`, the levels of coverage are shown and marked, and a row that is taken sets all that
# it is made of, with order and absent: the phase table is then that of the command which `pas2p tune` prints for it.
. t/lib/lib.sh

# script NAME TRACE < lines: it runs to its end.
script() {
	cat >"$TMP/script"
	run_ok "$1" "$PAS2P" --no-config --script "$TMP/script" --size 160x40 "$2"
}

# on NAME TRACE: the rows, and a table for each level that is reached.
on() {
	name=$1
	trace=$2
	"$PAS2P" tune -q --no-config -f csv "$trace" >"$TMP/batch"
	"$PAS2P" tune -q --no-config "$trace" | sed -n '/^fewest/{N;s/^fewest phases at \([0-9]*\) %.*\n *[^ ]* \(phases .*\)/\1 \2/p}' >"$TMP/commands"
	rm -f "$TMP/rows.csv"
	script "$name: rows" "$trace" <<LINES
Y
:expect find thresholds
:expect fewest relevant phases at 90 %:
:export $TMP/rows.csv --all
LINES
	is "$(sed 1d "$TMP/rows.csv")" "$(sed 1d "$TMP/batch")" "$name: the rows are those of the command"
	ok "$name: some level is reached" test -s "$TMP/commands"
	while read -r level command; do
		row=$(awk -F, -v level="$level" 'NR > 1 && ("/" $1) ~ "/" level "( |/)" { print NR - 2 }' "$TMP/batch")
		{
			printf 'Y\ng\n'
			[ "$row" -eq 0 ] || yes j | head -n "$row"
			printf 'Enter\n:write %s\n' "$TMP/table.yaml"
		} >"$TMP/keys"
		rm -f "$TMP/table.yaml"
		script "$name: the row for $level %" "$trace" <"$TMP/keys"
		sh -c "'$PAS2P' $command -q --format yaml" >"$TMP/of-command" 2>"$ERR"
		ok "$name: the row for $level % makes the table of its command" cmp "$TMP/table.yaml" "$TMP/of-command"
	done <"$TMP/commands"
}
on LU sample-traces/lu.S.4.clog2
on CG sample-traces/cg.S.4.clog2
on FT sample-traces/ft.S.4.clog2
on 'any source' sample-traces/anysrc.5.clog2

# A row of another order and of another way to count what is absent; undone in one step.
script 'a row of another order' sample-traces/lu.S.4.clog2 <<LINES
Y
g
j
j
j
j
Enter
:expect order lamport, absent different; u undoes this.
:set order
:expect lamport
u
:set order
:expect pas2p
LINES
script 'of blocks' sample-traces/lu.S.4.clog2 <<LINES
:set similarity bbp
Y
:expect compute  relevance
LINES
script 'a level that no settings reach' sample-traces/lu.S.4.clog2 <<LINES
Y
:expect at 98 %: not reached
LINES
done_testing
