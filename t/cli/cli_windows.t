#!/bin/sh
# Windows and plans from the command line: the human table says what the phase table does, --plan takes over what `pas2p plan`
# chooses, all formats have the same rows, and what cannot be meant is refused with a sentence.
. t/lib/lib.sh

trace=sample-traces/cg.S.4.clog2
cheap='--restore 0.001 --warmup-seconds 1ms'

run_ok 'phases with windows' "$PAS2P" phases -q --windows 5 --window-seconds 3ms "$trace"
like "$(cat "$OUT")" '^windows +5 of 0.003 s, each 37 of 400 iterations; 6 checkpoints' 'says how many and how long'
like "$(cat "$OUT")" '^predicted time +3[0-9.]* ms ± 1[0-9.]* ms \(95 %\), from the windows$' 'what they give, and how surely'
like "$(cat "$OUT")" '^typical error +18\.1 %$' 'how much that depends on where they are'
like "$(cat "$OUT")" 'measured  in windows' 'and has their columns'
unlike "$(cat "$OUT")" 'expected error' 'not the representatives'
run_ok 'with a phase left' "$PAS2P" phases -q --windows 5 --window-seconds 3ms --window-rare 1% "$trace"
like "$(cat "$OUT")" '^not measured +phase 1: estimated' 'says so'
run_ok 'two windows' "$PAS2P" phases -q --windows 2 --window-seconds 3ms "$trace"
like "$(cat "$OUT")" 'no interval: fewer than three windows' 'say why they have no interval'
run_ok 'without windows' "$PAS2P" phases -q --format csv "$trace"
unlike "$(head -1 "$OUT")" 'measured_windows' 'there are no columns of them'

run_ok 'the table with windows' "$PAS2P" phases -q --windows 5 --window-seconds 3ms --format yaml "$trace"
is "$(head -1 "$OUT")" 'pas2p: 2' 'is of version 2'
like "$(cat "$OUT")" '^  windows: {count: 5, seconds: 0.003, rare: 1, span: 1, align: iterations}' 'with the settings'
run_ok 'the table without' "$PAS2P" phases -q --window-seconds 3ms --format yaml "$trace"
is "$(head -1 "$OUT")" 'pas2p: 1' 'is of version 1'
unlike "$(cat "$OUT")" 'windows' 'and does not name them'

run_fails 2 'windows and samples' "$PAS2P" phases --windows 5 --sample-seconds 1 "$trace"
like "$(cat "$ERR")" 'windows and sample-seconds cannot both be set' 'cannot be meant'
printf 'analysis:\n  sample: {seconds: 0.5}\n' >"$TMP/samples.yaml"
run_fails 2 'windows and samples of a file' "$PAS2P" phases --config "$TMP/samples.yaml" --windows 5 "$trace"
like "$(cat "$ERR")" 'cannot both be set' 'neither'
run_ok 'unless they are taken back' "$PAS2P" phases -q --config "$TMP/samples.yaml" --windows 5 --sample-seconds 0 "$trace"
printf 'analysis:\n  windows: {count: 4, align: none}\n' >"$TMP/windows.yaml"
run_ok 'windows of a file' "$PAS2P" phases -q --config "$TMP/windows.yaml" -f yaml "$trace"
like "$(cat "$OUT")" 'windows: {count: 4, seconds: 0.5, rare: 1, span: 1, align: none}' 'are taken'

# shellcheck disable=SC2086
run_ok 'a plan' "$PAS2P" plan -q --budget 90% $cheap "$trace"
like "$(cat "$OUT")" '^plan +8 windows of 0.001 s: 9 checkpoints' 'has a choice'
rows=$(sed '1,/^windows/d' "$OUT" | wc -l)
# shellcheck disable=SC2086
run_ok 'as CSV' "$PAS2P" plan -q --format csv --budget 0.9 $cheap "$trace"
is "$(head -1 "$OUT" | tr -d '\r')" 'windows,seconds,checkpoints,measured,replay,cost,cost_share,misfit,spread,se,half,left,fits,frontier' 'has its columns'
is "$(sed 1d "$OUT" | wc -l)" "$rows" 'and as many rows'
# shellcheck disable=SC2086
run_ok 'as JSON' "$PAS2P" plan -q --format json --budget 90% $cheap "$trace"
is "$(grep -c '"frontier"' "$OUT")" "$rows" 'has them too'
like "$(cat "$OUT")" '"choice": {"windows": 8, "seconds": 0.001},' 'and the choice'
# shellcheck disable=SC2086
run_ok 'as YAML' "$PAS2P" plan -q --format yaml --budget 90% $cheap "$trace"
like "$(cat "$OUT")" '^choice: {windows: 8, seconds: 0.001}' 'the same'
run_ok 'a plan that finds nothing' "$PAS2P" plan -q "$trace"
like "$(cat "$OUT")" '^plan +-, no signature fits into 2 % of the run time .764 us.; the cheapest costs 1.50[0-9] s, 39 times the run time$' 'says so, and that is no failure'
run_ok 'as JSON' "$PAS2P" plan -q -f json "$trace"
like "$(cat "$OUT")" '"choice": null' 'it has no choice'

# shellcheck disable=SC2086
run_ok 'phases by a plan' "$PAS2P" phases -q --plan 90% $cheap -f yaml "$trace"
like "$(cat "$OUT")" 'windows: {count: 8, seconds: 0.001, rare: 0.225, span: 1, align: iterations}' 'have its choice as settings'
run_fails 2 'phases by a plan that finds nothing' "$PAS2P" phases -q --plan 2% "$trace"
like "$(cat "$ERR")" 'no signature fits into 2 % of the run time' 'are none'
run_fails 2 'a plan beside windows' "$PAS2P" phases -q --plan 2% --windows 4 "$trace"
like "$(cat "$ERR")" '--budget cannot be combined with --windows' 'cannot be meant'
for wrong in 0 2 0% 101% x ''; do
	run_fails 2 "a budget of '$wrong'" "$PAS2P" plan --budget "$wrong" "$trace"
	like "$(cat "$ERR")" '--budget is.*expected a share, more than 0 and at most 100%' 'is none'
done
run_ok 'a run of one block' "$PAS2P" plan -q sample-traces/one_rank.1.clog2
done_testing
