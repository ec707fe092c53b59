#!/bin/sh
# What the tree holds: tests that prove can start (one that is not executable stops the whole run behind all others), and
# names that a shell, make and a mail programme take as they are (tests that type at random must not write here). And it is all that
# tests read: what lies beside a clone is not there for whoever cloned it.
. t/lib/lib.sh

is "$(find t -name '*.t' ! -perm -u+x)" '' 'every shell test can be executed'
find t -name '*.t' -exec sh -c 'for test; do [ "$(head -c 2 "$test")" = "#!" ] || echo "$test"; done' sh {} + >"$TMP/without"
is "$(cat "$TMP/without")" '' 'every shell test names its interpreter'
is "$(LC_ALL=C find . \( -path ./.git -o -path ./build -o -path './build-*' \) -prune -o -name '*[!A-Za-z0-9._-]*' -print)" '' \
	'names are of letters, digits, dots, dashes and underscores'
# Tests run in the tree's root, so that what begins with ".." is outside, but where a test has made the folder that it is in.
outside() { # FOLDER
	grep -rIE --include='*.[cht]' --include='*.sh' --include='*.py' "(^|[[:blank:]\"'=])\.\./" "$1" | grep -v '#include' | cut -d: -f1 | sort -u
}
made='t/formats/every_command.t t/house/tree.t t/io/beside.c t/models/model_read.c t/packaging/install.t'
is "$(outside t | xargs)" "$made" 'no test reads what is outside'
mkdir "$TMP/t"
printf 'trace=../beside/run.clog2\n' >"$TMP/t/one.t"
printf '\tfolder("../beside");\n' >"$TMP/t/two.c"
is "$(outside "$TMP/t" | wc -l)" 2 'one that does is found'
done_testing
