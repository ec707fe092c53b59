#!/bin/sh
# One look: what docs/internals/look.md says is the same in every view is so. A key that means several acts is in its table, with each of them, and no act
# of one view hides one of all views; times are written by unit.h alone; empty views have one form; no view draws axes or dots
# of its own; a rank is "rank 3" or "r3".
. t/lib/lib.sh

# actions.def as "key name scope".
awk -F'"' '/^ACTION\(/ {
	scope = $5
	gsub(/[ ,]/, "", scope)
	n = split($4, key, " ")
	for (i = 1; i <= n; i++)
		print key[i], $2, scope
}' src/tui/screen/actions.def | sort >"$TMP/keys"
is "$(awk '$3 ~ /~/ || $3 == "IN_ALL"' "$TMP/keys" | wc -l | awk '{ print ($1 > 50) }')" 1 'the table of actions is read'

# Each key of several actions as "key: name name".
awk '{ of[$1] = of[$1] " " $2; n[$1]++ } END { for (k in of) if (n[k] > 1) print k ":" of[k] }' "$TMP/keys" | sort >"$TMP/several"
# The same of the page's second table.
awk -F'|' '/^\| key \| means/ { in_table = 1; next } in_table && !/^\|/ { exit } in_table && !/^\|-/ {
	key = $2
	gsub(/[ `]/, "", key)
	names = $4
	gsub(/`/, "", names)
	print key, names
}' docs/internals/look.md >"$TMP/page"
awk 'FNR == NR { key = $1; $1 = ""; page[key] = $0 " "; next } {
	key = substr($1, 1, length($1) - 1)
	for (i = 2; i <= NF; i++)
		if (!index(page[key], " " $i " "))
			print key ": " $i
	seen[key] = 1
} END { for (k in page) if (!seen[k]) print k ": has one act" }' "$TMP/page" "$TMP/several" >"$TMP/missing"
is "$(cat "$TMP/missing")" '' 'docs/internals/look.md has every key that means several acts, and each of them'
is "$(awk 'FNR == NR { known[$2] = 1; next } { for (i = 2; i <= NF; i++) if (!known[$i]) print $i }' "$TMP/keys" "$TMP/page")" '' 'and no others'

# An act of all views is hidden only where that is meant: Backspace among files.
is "$(awk '$3 == "IN_ALL" { all[$1] = $2 } $3 != "IN_ALL" { own[$1] = own[$1] " " $2 } END { for (k in own) if (k in all) print k own[k] }' "$TMP/keys")" \
	'Backspace folder-up' 'no act of one view has the key of one of all views'
for act in 'enter Enter' 'back Esc' 'search /' 'search-next n' 'search-previous N' 'filter &' 'sort s' 'sort-reverse S' 'panel t' 'page-down Space' \
	'left h' 'down j' 'up k' 'right l' 'knob-down [' 'knob-up ]' 'undo u' 'export e' 'export-rows E'; do
	ok "$act" grep -qF "${act#* } ${act% *} " "$TMP/keys"
done
is "$(awk '/^[^ ]+ (log-axes|study-log-axes|models-log-axes) / { print $1 }' "$TMP/keys" | sort -u)" '*' 'axes are logarithmic by one key'

# found PATTERN PLACES...: where it stands in the sources, without comments.
found() {
	pattern=$1
	shift
	grep -rnE --include='*.c' "$pattern" "$@" | grep -v '^[^:]*:[0-9]*:[[:space:]]*\(/\*\| \*\)'
}
is "$(found '"[^"]*%[-+0-9.*]*l?[fge] ?(s|ms|us|µs|ns)[^a-z%]' src/tui | grep -v '%s')" '' 'times are written by unit.h'
is "$(found '"[^"]*(rank|process|proc) %[ul]' src/tui)" '' 'a rank is written by unit.h'
is "$(found 'GLYPH_BRAILLE|GLYPH_CORNER\>|0x28[0-9a-f]{2}' src/tui/views src/tui/panes)" '' 'dots and axes are drawn by widgets'
is "$(found 'pane_text[a-z_]*\(.*"(No [a-z]+ (yet|is open|are here)|There is nothing)' src/tui/views)" '' 'empty views have one form'
is "$(grep -rhoE --include='*.c' 'nothing_draw\([^;]*;' src/tui | grep -oE '"[^"]*"' | grep -vE '\.(\\n)?"$')" '' 'in sentences'
done_testing
