#!/bin/sh
# With the slowest process's times a run of n phases can add up to several runs. Whoever reads "coverage 254 %" or a list of
# shares must see what these are of, wherever they stand, and no total may claim to be the run. With the mean nothing says so.
. t/lib/lib.sh

trace=sample-traces/lu.S.4.clog2
base='of run time, slowest rank'

# shown NAME PATTERN COMMAND...: with the slowest the pattern is in the output, and with the mean no base is.
shown() {
	name=$1 pattern=$2
	shift 2
	"$@" --phase-time slowest >"$OUT" 2>&1
	like "$(tr '\n' ' ' <"$OUT" | tr -s ' ')" "$pattern" "$name says what its shares are of"
	"$@" --phase-time mean >"$OUT" 2>&1
	unlike "$(tr '\n' ' ' <"$OUT" | tr -s ' ')" 'run time, slowest rank' "$name: the mean tiles the run"
}

shown 'phases' "coverage [0-9.]* % $base shares $base: they may add up to more than 100 % signature time .* % $base \(SET\)" \
	"$PAS2P" phases --no-config "$trace"
shown 'the overview' "phases, [0-9]* relevant, which cover [0-9.]* % $base; expected" "$PAS2P" --no-config "$trace"
shown 'the report' "$base.* cover [0-9.]* % $base;.* share is weight x time, $base;.*The shares of all phases may add up to more than 100 %" \
	"$PAS2P" report -q --no-config --format md "$trace"
shown 'the report of many phases' "more phases, together [0-9.]* % $base, are not listed" \
	"$PAS2P" report -q --no-config --format md --similarity bbp --collectives ignore "$trace"
shown 'diff' "shares $base: they may add up to more than 100 %" "$PAS2P" diff --no-config sample-traces/cg.S.4.clog2 "$trace"
shown 'study' "pas2p: shares are $base: they may add up to more than 100 %" \
	"$PAS2P" study --no-config sample-traces/latesender.4.clog2@n=1 sample-traces/latesender.4.clog2@n=2

# A figure above 100 % is printed as it is, and a bar ends where there is no more room.
"$PAS2P" phases --no-config --preset thesis "$trace" >"$OUT"
like "$(sed -n 's/^coverage *//p' "$OUT")" "^[0-9]{3}\.[0-9]* % $base" 'a coverage above 100 % is said'
"$PAS2P" report -q --no-config --preset thesis --relevance 0 "$trace" -o "$TMP/report.html"
is "$(grep -o 'class="share"><i style="width:[0-9.]*%' "$TMP/report.html" | sed 's/.*width:\([0-9.]*\)%/\1/' | awk '$1 > 100' | wc -l | tr -d ' ')" 0 'no bar is wider than its cell'

# In the workbench: the panel, the line that stands for it where there is no room, the phases, the overview, thresholds.
workbench() { # NAME SIZE < script
	name=$1 size=$2
	cat >"$TMP/script"
	run_ok "$name" "$PAS2P" --no-config --phase-time slowest --script "$TMP/script" --size "$size" "$trace"
}
workbench 'the views, with the panel' 140x34 <<X
:expect relevant, which cover
:expect $base
:expect coverage
:expect    $base
3
:expect % $base · 
:tune
:expect % $base · expected error
X
workbench 'and without' 80x24 <<X
3
:expect % $base
X
printf '3\n:screen %s\n' "$TMP/mean.txt" >"$TMP/script"
run_ok 'with the mean' "$PAS2P" --no-config --script "$TMP/script" --size 140x34 "$trace"
unlike "$(cat "$TMP/mean.txt")" 'run time, slowest rank' 'there is no such word'

done_testing
