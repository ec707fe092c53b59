#!/bin/sh
# The shell checks must fail where they should, and be seen as failing by prove, whatever the kind; and their
# temporary directory must be gone afterwards, also after a failure. Each part is a small test of its own,
# run under prove.
. t/lib/lib.sh

under_prove() {
	{ echo '. t/lib/lib.sh'; echo 'echo "$TMP" >"$KEEP"'; cat; } >"$TMP/part.t"
	KEEP=$TMP/keep prove -v -e sh "$TMP/part.t" >"$TMP/log" 2>&1
}

passes() {
	if under_prove; then pass "$1"; else fail "$1"; diag "$(cat "$TMP/log")"; fi
}

fails() { # NAME WHAT-IT-SAYS
	if under_prove; then fail "$1: seen as failing"; else pass "$1: seen as failing"; fi
	like "$(cat "$TMP/log")" "$2" "$1: says so" || true
	ok "$1: cleans up" test ! -e "$(cat "$TMP/keep")"
}

passes 'good checks pass' <<'END'
ok 'ok # not a directive' true
is a a 'is'
like 'abc
def' '^d' 'like'
unlike abc z 'unlike'
run_ok 'run_ok' echo x
is "$(cat "$OUT")" x 'output'
run_fails 3 'run_fails' sh -c 'echo y >&2; exit 3'
is "$(cat "$ERR")" y 'errors'
echo z >"$TMP/a"; echo z >"$TMP/b"
cmp_golden "$TMP/a" "$TMP/b" 'golden'
skip 2 'for a reason'
done_testing
END

fails ok 'command:  false' <<'END'
ok 'ok' false
done_testing
END

fails is 'expected: b' <<'END'
is a b 'is'
done_testing
END

fails like 'a line like z' <<'END'
like abc z 'like'
done_testing
END

fails unlike 'no line like b' <<'END'
unlike abc b 'unlike'
done_testing
END

fails run_ok 'got:      exit status 4' <<'END'
run_ok 'run_ok' sh -c 'exit 4'
done_testing
END

fails run_fails 'expected: exit status 2' <<'END'
run_fails 2 'run_fails' true
done_testing
END

fails cmp_golden '[+]new' <<'END'
echo old >"$TMP/a"; echo new >"$TMP/b"
UPDATE_GOLDEN=
cmp_golden "$TMP/b" "$TMP/a" 'golden'
done_testing
END

fails 'a missing golden file' 'No such file' <<'END'
echo new >"$TMP/b"
UPDATE_GOLDEN=
cmp_golden "$TMP/b" "$TMP/none" 'golden'
done_testing
END

fails 'a test that breaks off' 'ended before done_testing' <<'END'
ok 'ok' true
exit 0
END

fails 'a test without checks' 'no check was made' <<'END'
done_testing
END

fails bail_out 'stopped: +no ground' <<'END'
bail_out 'no ground'
END
# What a test's programs leave in the folder for temporary files, others must not meet there.
is "$(dirname "$(mktemp -u)")" "$TMP/.tmp" 'temporary files are made in a folder of the test'
done_testing
