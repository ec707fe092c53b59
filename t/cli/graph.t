#!/bin/sh
# A phase as a program, and programs drawn: each form in which that comes out is there and of the right shape, the model is one that predict
# takes, a drawing is no wider than the terminal's 80 columns and in ASCII where that is asked for, and mistakes end with the right code.
. t/lib/lib.sh

cg=sample-traces/cg.S.4.clog2
matmul='--machine sample-models/celeron-16.yaml sample-models/matmul.yaml'

# ---- a phase ----
run_ok 'a phase as a model' "$PAS2P" phases -q --graph-of 2 -f yaml -o "$TMP/phase.yaml" $cg
like "$(cat "$TMP/phase.yaml")" '^# Phase 2 of cg.S.4: occurrence [0-9]* of 832 as a model' 'it says whose it is'
like "$(cat "$TMP/phase.yaml")" '^name: "cg\.S\.4, phase 2: pair exchange \^1"$' 'and what it does'
like "$(cat "$TMP/phase.yaml")" '^  - if: rank == 0 or rank == 2$' 'processes that do the same have one branch'
like "$(cat "$TMP/phase.yaml")" '^    - send: [{]to: rank [+] 1, bytes: 8, tag: 1[}]$' 'and partners as seen from each of them'
run_ok 'it is a model' "$PAS2P" predict -q -f csv "$TMP/phase.yaml"
is "$(sed -n 's/.*graph ends at //p' "$TMP/phase.yaml")" "$(awk -F, 'NR == 2 { printf "%.1f us", 1e6 * $2 }' "$OUT")" 'that takes what its head says'
run_ok 'without notes where nothing is left out' "$PAS2P" predict -q "$TMP/phase.yaml"
unlike "$(cat "$OUT")" 'no recv' 'each message is received'

run_ok 'a phase drawn' "$PAS2P" phases -q --ascii --graph-of 2 $cg
like "$(sed -n 1p "$OUT")" '^phase 2: pair exchange \^1, occurrence [0-9]* of 832$' 'it says whose it is, and what it does'
like "$(sed -n 2p "$OUT")" '^graph .* phase time .* this occurrence' 'times stand side by side'
like "$(cat "$OUT")" '^=>\| *\^ send to rank 1 .* \|' 'in columns'
like "$(cat "$OUT")" '2 like rank 0 .* 2 like rank 1 ' 'of classes'
is "$(LC_ALL=C grep -c '[^ -~]' "$OUT")" 0 'in ASCII'
is "$(awk 'length > 80' "$OUT")" '' 'in 80 columns'
run_ok 'a phase as a picture' "$PAS2P" phases -q --graph-of 2 -o "$TMP/phase.svg" $cg
like "$(cat "$TMP/phase.svg")" '^<svg' 'is one'
like "$(cat "$TMP/phase.svg")" '>send<' 'of the same'
like "$(cat "$TMP/phase.svg")" '^<title>cg\.S\.4, phase 2: pair exchange \^1</title>$' 'with its name as the title'

run_ok 'collectives of some processes' "$PAS2P" phases -q --graph-of 3 -f yaml sample-traces/comms.6.clog2
like "$(cat "$OUT")" '^# 5 collectives of some of the processes, shown as messages with tag -1$' 'are messages, which is told'
run_ok 'what came from before' "$PAS2P" phases -q --graph-of 3 sample-traces/sendrecv.4.clog2
like "$(cat "$OUT")" '^1 receive is not shown: sent before the occurrence$' 'is left out, which is told'

# ---- any model ----
# shellcheck disable=SC2086  # words
run_ok 'a model drawn' "$PAS2P" predict -q --ascii --graph $matmul
like "$(cat "$OUT")" '\[multiply\] *22\.92 s' 'names and times'
# shellcheck disable=SC2086
run_ok 'at another point' "$PAS2P" predict -q --ascii --graph -D n=100 $matmul
like "$(cat "$OUT")" '\[multiply\] *30[0-9] ms' 'other times'
# shellcheck disable=SC2086
run_ok 'as a picture' "$PAS2P" predict -q --graph -o "$TMP/model.svg" $matmul
like "$(cat "$TMP/model.svg")" '^<svg' 'is one'

# ---- mistakes ----
# shellcheck disable=SC2086
run_fails 2 'several points' "$PAS2P" predict --graph -D n=1,2 $matmul
# shellcheck disable=SC2086
run_fails 2 'a model as a model' "$PAS2P" predict --graph -f yaml $matmul
run_fails 2 'a phase that there is not' "$PAS2P" phases --graph-of 99 $cg
like "$(cat "$ERR")" 'there is no phase 99: the trace has 6' 'which is said'
run_fails 2 'a format that it has not' "$PAS2P" phases --graph-of 1 -f csv $cg
run_fails 2 'beside what is of the table' "$PAS2P" phases --graph-of 1 --structure $cg

done_testing
