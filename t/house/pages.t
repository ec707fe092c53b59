#!/bin/sh
# What README and the pages of docs show is what the program prints: each command of their examples runs, in order, and its output is compared with the lines below it
# (t/lib/rerun_page.awk says how lines are left out). With UPDATE_GOLDEN=1 the outputs are made anew, to be looked over.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
XDG_STATE_HOME=$TMP/none
LC_ALL=C.UTF-8
PATH=$TMP/bin:$PATH
export XDG_CONFIG_HOME XDG_STATE_HOME LC_ALL PATH
mkdir "$TMP/bin" "$TMP/there"
ln -s "$PAS2P" "$TMP/bin/pas2p"
ln -s "$PWD/sample-traces" "$PWD/sample-models" "$PWD/sample-studies" "$TMP/there"

rerun() { # PAGE: as it should be
	awk -v there="$TMP/there" -f t/lib/rerun_page.awk "$1"
}

# The rule of "..." can fail, and can hold.
cat >"$TMP/page" <<'END'
```console
$ seq 1 9
1
...
4
5
...
9
$ echo one; echo two
```
END
rerun "$TMP/page" >"$TMP/again"
is "$(sed -n '2,8p' "$TMP/again")" "$(sed -n '2,8p' "$TMP/page")" 'a page that leaves lines out is true if those that it has are printed'
is "$(sed -n '9,11p' "$TMP/again" | xargs)" '$ echo one; echo two one two' 'and output that a page lacks is found'
sed 's/^5$/6/' "$TMP/page" >"$TMP/false"
not_ok() { if "$@"; then return 1; fi; }
rerun "$TMP/false" >"$TMP/again"
ok 'a line that is not printed is found' not_ok cmp -s "$TMP/false" "$TMP/again"

find README.md docs sample-traces sample-models sample-studies -name '*.md' | sort >"$TMP/pages"
total=0
while read -r page; do
	commands=$(grep -c '^\$ .*pas2p' "$page")
	[ "$commands" -gt 0 ] || continue
	total=$((total + commands))
	rerun "$page" >"$TMP/again"
	cmp_golden "$TMP/again" "$page" "every command prints what $page shows ($commands)"
done <"$TMP/pages"
ok "the pages have $total commands" test "$total" -ge 30

done_testing
