#!/bin/sh
# What the tree holds: tests that prove can start (one that is not executable stops the whole run behind all others), and
# names that a shell, make and a mail programme take as they are (tests that type at random must not write here).
. t/lib/lib.sh

is "$(find t -name '*.t' ! -perm -u+x)" '' 'every shell test can be executed'
find t -name '*.t' -exec sh -c 'for test; do [ "$(head -c 2 "$test")" = "#!" ] || echo "$test"; done' sh {} + >"$TMP/without"
is "$(cat "$TMP/without")" '' 'every shell test names its interpreter'
is "$(LC_ALL=C find . \( -path ./.git -o -path ./build -o -path './build-*' \) -prune -o -name '*[!A-Za-z0-9._-]*' -print)" '' \
	'names are of letters, digits, dots, dashes and underscores'
done_testing
