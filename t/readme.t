#!/bin/sh
# What the README shows is what the program prints: each command of its examples runs, in order, and its output is
# compared with the lines below it. With UPDATE_GOLDEN=1 the README's outputs are made anew, to be looked over.
. t/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
mkdir "$TMP/there"
cp "$PAS2P" "$TMP/there/pas2p"
ln -s "$PWD/sample-traces" "$TMP/there/sample-traces"

# The README again, with what the commands print now.
cat >"$TMP/rerun.awk" <<'END'
/^```console$/ { inside = 1; print; next }
/^```$/ { inside = 0; print; next }
!inside { print; next }
/^\$ / {
	print
	fflush()
	system("cd '" there "' && { " substr($0, 3) "; } </dev/null 2>&1")
}
END
awk -v there="$TMP/there" -f "$TMP/rerun.awk" README.md >"$TMP/README.md"
ok 'it shows some commands' test "$(grep -c '^\$ ./pas2p' README.md)" -ge 4
cmp_golden "$TMP/README.md" README.md 'every command prints what the README says'

done_testing
