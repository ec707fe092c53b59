#!/bin/sh
# Draw the golden screens: tools/screens.sh PAS2P DIRECTORY [NAME...]
#
# t/tui/screens/NAME.keys is a script for the workbench; its first line says "# SIZE TRACE OPTIONS". The screen that it ends
# with goes to DIRECTORY/NAME.txt, as text and then as role letters, so that a changed colour is seen too.
set -eu
pas2p=$1
to=$2
shift 2
mkdir -p "$to"
[ $# -gt 0 ] || set -- t/tui/screens/*.keys
for keys; do
	name=$(basename "$keys" .keys)
	read -r _ size trace options <"t/tui/screens/$name.keys"
	# shellcheck disable=SC2086  # options are words
	{ cat "t/tui/screens/$name.keys"; echo ":screen $to/$name.txt"; } |
		LC_ALL=C.UTF-8 "$pas2p" --no-config --script - --size "$size" $options "sample-traces/$trace"
done
