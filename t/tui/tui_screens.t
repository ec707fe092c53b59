#!/bin/sh
# The golden screens: for each script t/tui/screens/NAME.keys the workbench must draw t/tui/screens/NAME.txt, as text and as role
# letters, at the size, with the trace and with the options that the script names; and for each row of views.table, which has every view,
# views/NAME.txt, at all sizes, in UTF-8 and ASCII, with and without colours. It is how the layout, the colours, small and large screens,
# and empty views are held still; `make update-screens` draws them anew, and the difference is then read as any other.
. t/lib/lib.sh

# same NAME: the screen is as it was drawn before.
same() {
	if cmp -s "t/tui/screens/$1.txt" "$TMP/screens/$1.txt"; then
		pass "screen $1"
	else
		fail "screen $1"
		diag "$(diff -u "t/tui/screens/$1.txt" "$TMP/screens/$1.txt" | head -40)"
	fi
}

views=$(sed -n 's/^\([a-z][^ ]*\) .*/\1/p' t/tui/screens/views.table)
# Where folders are made is on some of them.
if run_ok 'all screens are drawn' env TMPDIR=/tmp tools/screens.sh "$PAS2P" "$TMP/screens"; then
	for keys in t/tui/screens/*.keys; do
		same "$(basename "$keys" .keys)"
	done
	for name in $views; do
		same "views/$name"
	done
	for golden in t/tui/screens/*.txt; do
		name=$(basename "$golden" .txt)
		[ -e "t/tui/screens/$name.keys" ] || fail "golden $name has a script"
	done
	for golden in t/tui/screens/views/*.txt; do
		name=$(basename "$golden" .txt)
		echo "$views" | grep -qx "$name" || fail "golden $name has a row"
	done
fi
for view in $(sed -n 's/^\(TAB\|OVERLAY\)([A-Z]*, \([a-z]*\),.*/\2/p' src/tui/screen/views.def); do
	[ "$view" != doctor ] || continue # it shows the machine: t/tui/views/doctor.t
	ok "view $view has a row" sh -c 'echo "$1" | grep -qx "$2"' - "$views" "$view"
done
done_testing
