#!/bin/sh
# The core serves a terminal, batch commands and tests alike, so it must neither draw, print, nor end the
# process: no curses header, no call of exit, abort or printing to a stream, and a program that uses nothing
# but libpas2p.a must link without ncurses. The command line may print but not draw.
. t/lib/lib.sh

# Code without comments and strings, each line with its file's name.
code() {
	for f in "$@"; do
		"${CC:-cc}" -fpreprocessed -dD -E -P "$f" 2>/dev/null | sed 's/"\([^"\\]\|\\.\)*"/""/g' | sed "s|^|$f: |"
	done
}

# The files below folders, at any depth, whose names end so: files '.[ch]' src/core ...; none is a fault of the test itself.
files() {
	ending=$1
	shift
	LC_ALL=C find "$@" -name "*$ending" -type f | LC_ALL=C sort
}
includes() { # PATTERN FOLDER...: the lines that include what matches
	pattern=$1
	shift
	files '.[ch]' "$@" | xargs grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$pattern" || true
}

for room in src/core src/cli src/tui src/runner src/preload; do
	ok "there are files in $room to look at" test -n "$(files .c "$room")" -a -n "$(files .h "$room")"
done
is "$(includes '(.*/)?n?curses' src/core src/cli src/runner src/preload)" '' 'only the workbench includes curses'
is "$(includes '(\.\./)*(tui|cli|runner|preload)/' src/core)" '' 'the core includes nothing of its faces, the runner or the tracer'
is "$(includes '(\.\./)*(cli|runner|preload)/' src/tui)" '' 'the workbench includes nothing of the command line, runner and tracer'
is "$(includes '(\.\./)*(tui|cli)/' src/runner src/preload)" '' 'runner and tracer do not know the faces'
is "$(includes '(\.\./)*runner/' src/preload)" '' 'the tracer does not know the runner'
# shellcheck disable=SC2046  # one word per file
is "$(code $(files '.[ch]' src/core) | grep -E '\b(_?exit|_Exit|quick_exit|abort|printf|vprintf|fprintf|vfprintf|puts|fputs|putchar|fputc|perror)[[:space:]]*\(' || true)" \
	'' 'the core neither ends the process nor prints'
# shellcheck disable=SC2046
is "$(code $(files '.[ch]' src/core) | grep -E '\b(stdout|stderr)\b' || true)" '' 'the core knows no standard stream'
# shellcheck disable=SC2046
is "$(code $(files .c src/core) | grep -Ev '^src/core/([a-z]*/)?mem\.c:' | grep -E '\b(malloc|calloc|realloc|strdup|strndup|free)[[:space:]]*\(' || true)" \
	'' 'the core allocates through mem.h alone'

library=$(dirname "$PAS2P")/libpas2p.a
ok 'the library is there' test -e "$library"
is "$(nm -u "$library" | awk '$1 == "U" { print $2 }' | sort -u |
	grep -Ex 'exit|_exit|abort|printf|puts|putchar|perror|stdout|stderr|initscr|newterm|endwin|wrefresh' || true)" \
	'' 'the library asks for no function that prints, draws or ends'
cat >"$TMP/alone.c" <<'END'
#include "core/analysis/analysis.h"
#include "core/formats/load.h"
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
# Sanitizers of the library's build are linked by the same compiler with the same flags.
san=
nm "$library" 2>/dev/null | grep -q __asan_init && san=-fsanitize=address,undefined
# shellcheck disable=SC2046,SC2086
run_ok 'it links without ncurses' "${CC:-cc}" $san -std=c11 -D_GNU_SOURCE -Isrc -Isrc/core -o "$TMP/alone" "$TMP/alone.c" \
	"$library" $(pkg-config --libs yaml-0.1 libpcre2-8 nettle) -lm -pthread
is "$(ldd "$TMP/alone" 2>/dev/null | grep -c curses)" 0 'and has none loaded'

done_testing
