#!/bin/sh
# Windows of a planned signature in the workbench: the phase table with them is that of `pas2p phases`, byte for byte, whether
# they were set or taken from the plan; the plan is that of `pas2p plan`, with the sentences that it has; `u` undoes a taken design in
# one step; `W` goes from window to window; what cannot be is refused by the core's sentence.
. t/lib/lib.sh

cg=sample-traces/cg.S.4.clog2
lu=sample-traces/lu.S.4.clog2

# script NAME TRACE < lines: it runs to its end.
script() {
	{ echo 1; cat; } >"$TMP/script"
	run_ok "$1" "$PAS2P" --no-config --script "$TMP/script" --size 160x40 "$2"
}

# same NAME OURS COMMAND...: the file has what the command prints.
same() {
	name=$1 file=$2
	shift 2
	"$@" >"$TMP/batch" 2>"$TMP/complaint"
	if [ -s "$file" ] && cmp -s "$file" "$TMP/batch"; then
		pass "$name"
	else
		fail "$name"
		diag "$(cat "$TMP/complaint"; diff "$file" "$TMP/batch" | head -10)"
	fi
}

script 'tables with windows are written' "$lu" <<LINES
:set windows 5
:set window-seconds 1ms
:write $TMP/five.yaml
:set window-span 50%
:set window-align none
:set window-rare 3%
:write $TMP/span.yaml
LINES
same 'windows: the same table in both faces' "$TMP/five.yaml" \
	"$PAS2P" --no-config phases -f yaml --windows 5 --window-seconds 1ms "$lu"
like "$(cat "$TMP/five.yaml")" '^windows:' 'it has windows'
same 'with a span, without iterations, with rare phases left' "$TMP/span.yaml" "$PAS2P" --no-config phases -f yaml --windows 5 \
	--window-seconds 1ms --window-span 50% --window-align none --window-rare 3% "$lu"

script 'lists with windows are written' "$lu" <<LINES
:set windows 5
:set window-seconds 1ms
3
:export $TMP/phases.json --force
:plan 60% 0.0005
:export $TMP/plan.json --force
:sort spread
:export $TMP/plan.csv --force
LINES
for column in measured_occurrences measured_windows se; do
	like "$(cat "$TMP/phases.json")" "\"$column\"" "the phases have $column"
done
"$PAS2P" --no-config plan --budget 60% --restore 0.0005 -f csv "$lu" >"$TMP/plan.batch"
is "$(head -n 1 "$TMP/plan.csv")" "$(head -n 1 "$TMP/plan.batch")" 'the plan: its columns'
is "$(sort "$TMP/plan.csv")" "$(sort "$TMP/plan.batch")" 'the plan: its rows, to the last digit'

script 'the design that is chosen is taken and written' "$cg" <<LINES
:set warmup-seconds 0
:plan 90% 0.001
:expect chosen
Enter
:expect windows of
:write $TMP/taken.yaml
LINES
script 'a design is taken: it becomes settings, and one step undoes all of them' "$cg" <<LINES
:set warmup-seconds 0
:set sample-seconds 1ms
:plan 90% 0.001
Enter
:set windows
:expect windows = 12
:set sample-seconds
:expect sample-seconds = 0:
:set window-rare
:expect window-rare = 0.225
u
:set windows
:expect windows = 0
:set sample-seconds
:expect sample-seconds = 0.001
:set window-rare
:expect window-rare = 1:
C-r
:set windows
:expect windows = 12
LINES
same 'what the plan chooses: the same table in both faces' "$TMP/taken.yaml" \
	"$PAS2P" --no-config phases -f yaml --plan 90% --restore 0.001 --warmup-seconds 0 "$cg"

gap=$("$PAS2P" --no-config plan "$cg" | sed -n 's/^plan *-, //p')
like "$gap" 'no signature fits into 2 % of the run time' 'the command says that none fits'
printf ':resize 200x40\n:plan\n:expect %s\n' "$gap" >"$TMP/script"
run_ok 'and the workbench in the same words' "$PAS2P" --no-config --script "$TMP/script" --size 200x40 "$cg"
gap=$("$PAS2P" --no-config plan --budget 5% --restore 0.001 --warmup-seconds 0 "$cg" | sed -n 's/^plan *-, //p')
like "$gap" 'the cheapest costs' 'the command says what the cheapest costs'
printf ':set warmup-seconds 0\n:plan 5%% 0.001\n:expect %s\n' "$gap" >"$TMP/script"
run_ok 'and so does the workbench' "$PAS2P" --no-config --script "$TMP/script" --size 200x40 "$cg"

# A result says what restoring took where it was measured.
sed 's/^  elapsed:/  restore: 0.2\n&/' t/runner/results/lu.S.4.node9.yaml >"$TMP/restored.yaml"
cat >"$TMP/script" <<LINES
:plan
:expect per checkpoint 200 ms restore + 100 ms
r
:expect per checkpoint 400 ms restore + 100 ms
r
:plan 5% 0.3
:expect per checkpoint 300 ms restore + 100 ms
LINES
run_ok 'restoring takes what it took in the result that is shown, unless one says otherwise' "$PAS2P" --no-config \
	--script "$TMP/script" --size 160x40 $lu "$TMP/restored.yaml"

script 'from window to window, and round again' "$lu" <<LINES
W
:expect No windows are set; $ plans some.
:set windows 3
:set window-seconds 1ms
W
:expect Extra window 1 of 7
j
:expect · extra window 1 of 7
W
:expect indow 2 of 7
W W W W W
:expect Window 7 of 7
W
:expect continued from the start
:expect Extra window 1 of 7
4 W
:expect 2 of 7
LINES
script 'the panel says what windows are expected to say, or why there is no interval' "$lu" <<LINES
:set windows 5
:set window-seconds 1ms
:expect predicted
:expect checkpoints
:set windows 2
:expect fewer than three windows
:set window-span 50%
:expect from the first 50.0 % of the run
LINES
script 'the plan stays on the screen when one of its designs is tried, and Esc goes back' "$cg" <<LINES
:set warmup-seconds 0
3
:plan 90% 0.001
:expect budget 90.0 %
Esc
:expect covered
LINES

script 'a knob does not go where two settings refuse each other, and says why' "$cg" <<LINES
:set sample-seconds 1
Tab Up Up Up Up Up Right
:expect windows and sample-seconds cannot both be set
= "5" Enter
:expect windows and sample-seconds cannot both be set
Esc
:set windows
:expect windows = 0:
:set sample-seconds 0
Right Right Right
:set windows
:expect windows = 3:
Down Left
:set window-seconds
:expect window-seconds = 0.49:
LINES

# refused LINES SENTENCE: the script fails with it.
refused() {
	printf "$1" >"$TMP/script"
	run_fails 2 "refused: $2" "$PAS2P" --no-config --script "$TMP/script" --size 120x40 "$cg"
	like "$(cat "$ERR")" "$2" 'the sentence'
}
refused ':set sample-seconds 1\n:set windows 5\n' "$("$PAS2P" --no-config phases --windows 5 --sample-seconds 1 "$cg" 2>&1 | sed 's/^[^:]*: //')"
refused ':plan 0%%\n' "budget '0%'"
refused ':plan 2%% soon\n' "restore time 'soon'"
refused ':plan 101%%\n' "budget '101%'"
done_testing
