#!/bin/sh
# Draw the golden screens: tools/screens.sh PAS2P DIRECTORY [NAME...]
#
# t/tui/screens/NAME.keys is a script for the workbench; its first line says "# SIZE TRACE OPTIONS". The screen that it ends
# with goes to DIRECTORY/NAME.txt, as text and then as role letters, so that a changed colour is seen too.
#
# Each row of t/tui/screens/views.table is drawn at all sizes, in UTF-8 and in ASCII, to DIRECTORY/views/NAME.txt: the text at each size, and
# of the ASCII screen only the rows that are not the UTF-8 ones, character by character as glyphs.def folds them. At 80x24 that file also
# has the role letters, what they look like in each theme on a dark and on a light ground, and what is otherwise without colours. Roles at
# 200x60 are of a few views, one of each kind of picture: they follow the text. tools/plant.py says what all that sees.
set -eu
LC_ALL=C.UTF-8
TZ=UTC
export LC_ALL TZ

# draw_script PAS2P DIRECTORY NAME
draw_script() {
	read -r _ size trace options <"t/tui/screens/$3.keys"
	# shellcheck disable=SC2086  # options are words
	{ cat "t/tui/screens/$3.keys"; echo ":screen $2/$3.txt"; } |
		"$1" --no-config --script - --size "$size" $options "sample-traces/$trace"
}

# A folder with four traces that do not change: all of it is on the screen.
folder() {
	mkdir -p "$1"
	cp -p sample-traces/lu.S.4.clog2 sample-traces/nonblock.4.prv sample-traces/unfinalized.m240.abortme.rank000[01].clog2 "$1"
	touch -d '2026-01-02 03:04:05' "$1"/*
}

# screen PAS2P SIZE FILE OPTIONS... < keys
screen() {
	pas2p=$1 size=$2 to=$3
	shift 3
	{ cat; echo ":screen $to"; [ "$size" != 80x24 ] || echo ":looks $to.looks"; } | "$pas2p" --no-config --script - --size "$size" "$@"
	# What the screen says of a folder that is elsewhere each time is not of interest.
	case $to in
	*/open*) sed -i "s|^ /.*|: a folder|" "$to" ;;
	esac
}

# draw_view PAS2P DIRECTORY NAME
draw_view() {
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	row=$(grep "^$3 " t/tui/screens/views.table)
	[ -n "$row" ] || { echo "$0: no row $3" >&2; exit 1; }
	files=$(echo "$row" | sed "s/^[^ ]* *//; s/ => .*//; s|FOLDER|$tmp/traces|")
	echo "$row" | sed "s/.* => //; s|EMPTY|$tmp/empty|; s| // |\n|g" >"$tmp/keys"
	mkdir "$tmp/empty"
	case $row in
	*FOLDER*) folder "$tmp/traces" ;;
	esac
	# shellcheck disable=SC2086  # files are words
	for size in 80x24 120x40 200x60; do
		for as in '' --ascii; do
			screen "$1" $size "$tmp/$3.$size$as" $as $files <"$tmp/keys"
		done
	done
	# shellcheck disable=SC2086
	screen "$1" 80x24 "$tmp/$3.mono" --theme mono $files <"$tmp/keys"
	case $3 in
	overview | grid | phases | timeline | metrics | runs | models-fit | panel) wide=1 ;;
	*) wide=0 ;;
	esac
	LC_ALL=C awk -v wide=$wide -f tools/screens.awk glyphs=1 src/tui/screen/glyphs.def glyphs=0 \
		"$tmp/$3.80x24" "$tmp/$3.80x24.looks" "$tmp/$3.mono" "$tmp/$3.80x24--ascii" \
		"$tmp/$3.120x40" "$tmp/$3.120x40--ascii" "$tmp/$3.200x60" "$tmp/$3.200x60--ascii" >"$2/views/$3.txt"
}

case $1 in
--script) draw_script "$2" "$3" "$4"; exit ;;
--view) draw_view "$2" "$3" "$4"; exit ;;
esac
pas2p=$1
to=$2
shift 2
mkdir -p "$to/views"
# shellcheck disable=SC2046  # names are words
[ $# -gt 0 ] || set -- t/tui/screens/*.keys $(sed -n 's/^\([a-z][^ ]*\) .*/\1.view/p' t/tui/screens/views.table)
for name; do
	case $name in
	*.view) echo --view "$pas2p" "$to" "${name%.view}" ;;
	*) echo --script "$pas2p" "$to" "$(basename "$name" .keys)" ;;
	esac
done | xargs -P "$(nproc)" -L 1 "$0"
