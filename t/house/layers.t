#!/bin/sh
# The tree shows the architecture only as long as no include runs backwards: layers.table says what each room may include, and every
# include is held against it, so that table and code cannot part. Besides, the core serves a
# terminal, batch commands and tests alike: it must neither draw, print, nor end the process, and a program that uses
# nothing but libpas2p.a must link without ncurses.
. t/lib/lib.sh

# The files below folders, at any depth, whose names end so: files '.[ch]' src/core ...
files() {
	ending=$1
	shift
	LC_ALL=C find "$@" -name "*$ending" -type f | LC_ALL=C sort
}

# The table's rows: "ROOM: MAY MAY ...".
grep -v '^#' t/house/layers.table >"$TMP/rooms"
ok 'there is a table of rooms' test "$(wc -l <"$TMP/rooms")" -gt 20

# Every include as "FILE:LINE:PATH"; a bare name is of the same folder.
# shellcheck disable=SC2046  # one word per file
grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' $(files '.[ch]' src) /dev/null |
	sed 's/^\([^:]*:[0-9]*\):[^"]*"\([^"]*\)".*/\1:\2/' >"$TMP/includes"
ok 'there are includes to look at' test "$(wc -l <"$TMP/includes")" -gt 500

# judge WHAT: what is wrong with the includes, a line each.
awk -F: -v root="$PWD" '
function room_of(path,   best, r, p) { # the longest room that the path lies in
	best = ""
	for (r in may) {
		p = r
		if (p ~ /\.\[ch\]$/) { # a file, not a folder
			sub(/\.\[ch\]$/, "", p)
			if (path == p ".c" || path == p ".h")
				return r
			continue
		}
		if (index(path, p "/") == 1 && length(p) > length(best))
			best = p
	}
	return best
}
function within(room, group) { return room == group || index(room, group "/") == 1 }
function top(room) { split(room, part, "/"); return part[3] }
FNR == NR { may[$1] = $2; next }
{
	file = $1; line = $2; path = $3
	folder = file
	sub(/\/[^\/]*$/, "", folder)
	if (path ~ /^\.\.?\//) { print file ":" line ": " path ": written as a path from src/"; next }
	target = path ~ /\// ? "src/" path : folder "/" path
	if ((getline text < target) < 0) {
		if ((getline text < ("src/" path)) < 0) { print file ":" line ": " path ": no such file in this room or below src/"; next }
		target = "src/" path
		close(target)
	} else
		close(target)
	if (path ~ /\// && target ~ ("^" folder "/[^/]*$")) { print file ":" line ": " path ": of this room, so by its bare name"; next }
	from = room_of(file); to = room_of(target)
	if (target ~ /_int[0-9]*\.h$/ && from != to) { print file ":" line ": " path ": is for the files of its room alone"; next }
	if (from == "" || to == "") { print file ":" line ": " path ": in no room of the table"; next }
	if (from == to && from != "src/tui/views") next
	if (from == to) { # a view is a file or a folder, and knows no other folder
		a = file; b = target
		sub("^src/tui/views/", "", a); sub("^src/tui/views/", "", b)
		va = a ~ /\// ? a : ""; vb = b ~ /\// ? b : ""
		sub(/\/.*/, "", va); sub(/\/.*/, "", vb)
		if (vb != "" && va != vb) print file ":" line ": " path ": one view knows another"
		next
	}
	n = split(may[from], list, " "); allowed = 0
	for (i = 1; i <= n; i++) {
		m = list[i]
		if (m ~ /\.(h|def)$/) { allowed = allowed || target == "src/" m; continue }
		if (m == "exit") { allowed = allowed || to == "src/exit.[ch]"; continue }
		if (m == "core" || m == "tui" || m == "cli" || m == "runner") { allowed = allowed || within(to, "src/" m); continue }
		# Of its own part of the core a room names each other room; of another one the whole.
		allowed = allowed || to == "src/core/" m || to == "src/" m || (within(to, "src/core/" m) && top(to) != top(from))
	}
	if (!allowed) print file ":" line ": " path ": " from " may not include " to
}' "$TMP/rooms" "$TMP/includes" >"$TMP/wrong"
is "$(cat "$TMP/wrong")" '' 'every include is one that the table allows, written as it should be'

# Each room that is there has a row; each row's room is there or holds nothing yet.
for folder in $(find src -type d | LC_ALL=C sort); do
	[ -n "$(find "$folder" -maxdepth 1 -name '*.[ch]')" ] || continue
	case $folder in src/tui/views/*) continue ;; esac
	ok "$folder has a row in the table" grep -q "^$folder:" "$TMP/rooms"
done
# As a graph the table has no way round: tsort says where one is.
awk -F: '$1 ~ /^src\/core\// { may[$1] = $2 } END {
	for (room in may) {
		n = split(may[room], list, " ")
		split(room, from, "/")
		for (i = 1; i <= n; i++)
			for (other in may) {
				split(other, to, "/")
				if (other == "src/core/" list[i] || (index(other, "src/core/" list[i] "/") == 1 && from[3] != to[3]))
					print room, other
			}
	}
}' "$TMP/rooms" >"$TMP/arrows"
ok 'the rooms have arrows' test "$(wc -l <"$TMP/arrows")" -gt 100
run_ok 'no room includes itself by way of others' tsort "$TMP/arrows"

is "$(grep -lE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"](.*/)?n?curses' -r src | grep -vE '^src/tui/screen/term(_known)?\.c$' || true)" '' \
	'only the terminal includes curses'
is "$(grep -lE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]mpi\.h' -r src | grep -vE '^src/(preload|probe|mpi)/' || true)" '' \
	'only what runs inside an MPI program knows MPI'

# Code without comments and strings, each line with its file's name: the compiler reads all files as one, with marks where each begins.
code() {
	# shellcheck disable=SC2086  # it may be "ccache gcc"
	awk 'FNR == 1 { print "# 1 \"" FILENAME "\"" } { print }' "$@" | ${CC:-cc} -w -fpreprocessed -dD -E -xc - |
		awk '/^# [0-9]+ "/ { split($0, name, "\""); next } NF { gsub(/"([^"\\]|\\.)*"/, "\"\""); print name[2] ": " $0 }'
}
# shellcheck disable=SC2046
code $(files '.[ch]' src/core) >"$TMP/core"
ok 'there is code of the core to look at' test "$(wc -l <"$TMP/core")" -gt 10000
is "$(grep -E '\b(_?exit|_Exit|quick_exit|abort|printf|vprintf|fprintf|vfprintf|puts|fputs|putchar|fputc|perror)[[:space:]]*\(' "$TMP/core" || true)" \
	'' 'the core neither ends the process nor prints'
is "$(grep -E '\b(stdout|stderr)\b' "$TMP/core" || true)" '' 'the core knows no standard stream'
is "$(grep -vE '^src/core/base/(mem|spill)\.c:' "$TMP/core" | grep -E '\b(malloc|calloc|realloc|strdup|strndup|free)[[:space:]]*\(' || true)" \
	'' 'the core allocates through mem.h alone'

library=$(dirname "$PAS2P")/libpas2p.a
ok 'the library is there' test -e "$library"
is "$(nm -u "$library" | awk '$1 == "U" { print $2 }' | sort -u |
	grep -Ex 'exit|_exit|abort|printf|puts|putchar|perror|stdout|stderr|initscr|newterm|endwin|wrefresh' || true)" \
	'' 'the library asks for no function that prints, draws or ends'
cat >"$TMP/alone.c" <<'END'
#include "core/method/analysis/analysis.h"
#include "core/formats/api/load.h"
int main(void)
{
	struct err e = {0};
	struct trace *t;

	if (trace_load(&t, 0, 0, 0, 0, &e))
		return 0;
	trace_free(t);
	return 1;
}
END
# Sanitizers of the library's build are linked by the same compiler with the same flags (t/sanitize.mk).
san=
nm "$library" 2>/dev/null | grep -q __asan_init && san='-fsanitize=address -no-pie'
# shellcheck disable=SC2046,SC2086
run_ok 'it links without ncurses' ${CC:-cc} $san -std=c11 -D_GNU_SOURCE -Isrc -o "$TMP/alone" "$TMP/alone.c" \
	"$library" $(for l in yaml-0.1 libpcre2-8 nettle otf2 zlib liblzma libzstd; do pkg-config --libs "$l" 2>/dev/null; done) -lm -pthread
is "$(ldd "$TMP/alone" 2>/dev/null | grep -c curses)" 0 'and has none loaded'

done_testing
