#!/bin/sh
# MPI counts ranks from 0, and so does every screen, page and message: "rank 3", "r3" in a column. Who reads P4 on one
# screen and rank 3 on another looks at the wrong process. So a process is P and a number nowhere, but in the thesis's own
# figures (docs/explain/method.md), in what has changed, and where :goto answers P3.
. t/lib/lib.sh

# Lines with a process that is a P and a number, where it is a word of its own.
counted() { # FILE...
	grep -HnE '(^|[^[:alnum:]_#-])P[0-9]+([^[:alnum:]_.]|$)' "$@"
}

# Literals that print one.
printed() { # FILE...
	grep -HnE '"([^"\\]|\\.)*(P%|(^|[^[:alnum:]_])P[0-9]+([^[:alnum:]_]|$))' "$@" | grep -v ' is rank %'
}

printf 'the slowest is P4, which waits\n' >"$TMP/page"
printf 'f("P%%u waits", p + 1);\nf("on P3 and more");\nf("%%sP%%u", p + 1);\nf("PAPI_TOT_INS");\n' >"$TMP/source"
is "$(counted "$TMP/page" | wc -l)" 1 'a process counted from 1 is found on a page'
is "$(printed "$TMP/source" | wc -l)" 3 'and in a source'
# A single one is a rank: "process 3" may be counted from anywhere.
single() { # FILE...
	grep -HnE '(^|[^[:alnum:]_-])[Pp]rocess [0-9]+([^[:alnum:]_.]|$)' "$@"
}
printf 'waits for process 3\n4 processes 2 nodes, with --process 3\n' >"$TMP/single"
is "$(single "$TMP/single" | wc -l)" 1 'a process with a number is found'

is "$(counted t/tui/screens/*.txt t/tui/screens/views/*.txt t/tui/runs/*.txt | head -n 5)" '' 'no screen has one'
is "$(single t/tui/screens/*.txt t/tui/screens/views/*.txt t/tui/runs/*.txt t/cli/overview/*.txt | head -n 5)" '' 'nor a process with a number'
# shellcheck disable=SC2046  # names of files
is "$(counted README.md man/*.[157] $(find docs -name '*.svg' -o -name '*.md' ! -path docs/explain/method.md) | head -n 5)" '' 'no page has one'
# shellcheck disable=SC2046  # docs/internals/runner.md has the first process of a nest of processes
is "$(single README.md man/*.[157] $(find docs -name '*.svg' -o -name '*.md' ! -path docs/explain/method.md ! -path docs/internals/runner.md) | head -n 5)" '' 'nor a process with a number'
# shellcheck disable=SC2046
is "$(printed $(find src -name '*.[ch]' -o -name '*.def'))" '' 'no source prints one'
done_testing
