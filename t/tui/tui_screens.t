#!/bin/sh
# The golden screens: for each script t/tui/screens/NAME.keys the workbench must draw t/tui/screens/NAME.txt, as text and as role
# letters, at the size, with the trace and with the options that the script names. It is how the layout, the colours
# by role, ASCII, small screens and every view are held still; `make update-screens` draws them anew, and the
# difference is then read as any other. Asked for by name, as is every view.
. t/lib/lib.sh

if run_ok 'all screens are drawn' tools/screens.sh "$PAS2P" "$TMP/screens"; then
	for keys in t/tui/screens/*.keys; do
		name=$(basename "$keys" .keys)
		if cmp -s "t/tui/screens/$name.txt" "$TMP/screens/$name.txt"; then
			pass "screen $name"
		else
			fail "screen $name"
			diag "$(diff -u "t/tui/screens/$name.txt" "$TMP/screens/$name.txt" | head -40)"
		fi
	done
	for golden in t/tui/screens/*.txt; do
		name=$(basename "$golden" .txt)
		[ -e "t/tui/screens/$name.keys" ] || fail "golden $name has a script"
	done
fi
done_testing
