#!/bin/sh
# pas2p --tutorial: on the trace that is installed with the program, found from where the program is; or on another one.
. t/lib/lib.sh

tree=$TMP/tree
mkdir -p "$tree/bin" "$tree/share/doc/pas2p"
cp "$PAS2P" "$tree/bin/pas2p"
printf ':screen %s\n' "$TMP/screen" >"$TMP/script"

run_fails 3 'without the sample trace' "$tree/bin/pas2p" --no-config --tutorial --script "$TMP/script"
ok 'it says what to give' grep -q 'give a trace, as in pas2p --tutorial TRACE' "$ERR"
cp sample-traces/lu.S.4.clog2 "$tree/share/doc/pas2p/"
run_ok 'as it is installed' "$tree/bin/pas2p" --no-config --tutorial --script "$TMP/script"
ok 'the first step' grep -q 'step 1 of 10' "$TMP/screen"
ok 'on the sample trace' grep -q 'lu.S.4.clog2' "$TMP/screen"
mv "$tree/share/doc/pas2p/lu.S.4.clog2" "$TMP/lu.S.4.clog2"
# Where a build puts examples elsewhere, that is the last place it looks in; a package's documentation may be compressed.
where=$("$tree/bin/pas2p" --no-config --tutorial --script "$TMP/script" 2>&1 | sed -n 's/.* nor in \(.*\): give a trace.*/\1/p')
like "$where" '^/.*pas2p$' 'the configured place is named'
if command -v gzip >/dev/null && "$PAS2P" --version | grep -q zlib; then
	gzip -c "$TMP/lu.S.4.clog2" >"$tree/share/doc/pas2p/lu.S.4.clog2.gz"
	run_ok 'compressed' "$tree/bin/pas2p" --no-config --tutorial --script "$TMP/script"
else
	skip 1 'no zlib'
fi
run_ok 'on another trace' "$PAS2P" --no-config --tutorial --script "$TMP/script" sample-traces/cg.S.4.clog2
ok 'is on that' grep -q 'cg.S.4.clog2' "$TMP/screen"
ok 'make install puts it there' grep -q 'sample-traces/lu.S.4.clog2 "$(DESTDIR)$(EXAMPLEDIR)/lu.S.4.clog2"' Makefile
run_fails 5 'without a terminal' "$PAS2P" --no-config --tutorial
done_testing
