#!/bin/sh
# pas2p --tutorial: on the trace that is installed with the program, found from where the program is; or on another one.
. t/lib/lib.sh

tree=$TMP/tree
mkdir -p "$tree/bin" "$tree/share/pas2p/sample-traces"
cp "$PAS2P" "$tree/bin/pas2p"
printf ':screen %s\n' "$TMP/screen" >"$TMP/script"

run_fails 3 'without the sample trace' "$tree/bin/pas2p" --no-config --tutorial --script "$TMP/script"
ok 'it says what to give' grep -q 'give another trace: pas2p --tutorial TRACE' "$ERR"
cp sample-traces/lu.S.4.clog2 "$tree/share/pas2p/sample-traces/"
run_ok 'as it is installed' "$tree/bin/pas2p" --no-config --tutorial --script "$TMP/script"
ok 'the first step' grep -q 'step 1 of 10' "$TMP/screen"
ok 'on the sample trace' grep -q 'lu.S.4.clog2' "$TMP/screen"
run_ok 'on another trace' "$PAS2P" --no-config --tutorial --script "$TMP/script" sample-traces/cg.S.4.clog2
ok 'is on that' grep -q 'cg.S.4.clog2' "$TMP/screen"
run_fails 5 'without a terminal' "$PAS2P" --no-config --tutorial
done_testing
