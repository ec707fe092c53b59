#!/bin/sh
# What the README and the pages of the method, of thresholds, of metrics, of structure, of models, of studies and of the overview show is what the program prints: each
# command of their examples runs, in order, and its output is compared with the lines below it. With UPDATE_GOLDEN=1 the outputs are made anew, to be looked over.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
mkdir "$TMP/there" "$TMP/docs"
cp "$PAS2P" "$TMP/there/pas2p"
ln -s "$PWD/sample-traces" "$PWD/sample-models" "$PWD/sample-studies" "$TMP/there"

# A page again, with what the commands print now.
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
check() { # LEAST PAGE: so many commands at least
	awk -v there="$TMP/there" -f "$TMP/rerun.awk" "$2" >"$TMP/$2"
	ok "$2 shows some commands" test "$(grep -c '^\$ .*\./pas2p' "$2")" -ge "$1"
	cmp_golden "$TMP/$2" "$2" "every command prints what $2 says"
}
check 6 README.md
check 8 docs/method.md
check 4 docs/tune.md
check 7 docs/metrics.md
check 4 docs/structure.md
check 2 docs/overview.md
check 1 docs/report.md
check 1 docs/models.md
check 5 docs/studies.md

done_testing
