#!/bin/sh
# The core serves a terminal, batch commands and tests alike, so it must neither draw, print, nor end the
# process: no curses header, no call of exit, abort or printing to a stream, and a program that uses nothing
# but libpas2p.a must link without ncurses. The command line may print but not draw.
. t/lib.sh

# Code without comments and strings, each line with its file's name.
code() {
	for f in "$@"; do
		"${CC:-cc}" -fpreprocessed -dD -E -P "$f" 2>/dev/null | sed 's/"\([^"\\]\|\\.\)*"/""/g' | sed "s|^|$f: |"
	done
}

ok 'there is a core to look at' test -e src/core/trace.c
is "$(grep -ln 'include.*[<"/]n\{0,1\}curses' src/core/* src/cli/* || true)" '' 'core and command line include no curses'
is "$(grep -n '#include "\(\.\./\)*\(tui\|cli\)/' src/core/* || true)" '' 'the core includes nothing of its faces'
is "$(grep -n '#include "\(\.\./\)*cli/' src/tui/* | grep -v 'cli/exit\.h"$' || true)" '' \
	'the workbench includes nothing of the command line but the exit codes'
is "$(grep -n '#include "\(\.\./\)*\(tui\|cli\)/\|include.*curses' src/runner/*.[ch] src/preload/*.[ch] || true)" '' \
	'runner and tracer neither draw nor know the faces'
is "$(grep -n '#include "\(\.\./\)*runner/' src/preload/*.[ch] src/core/*.[ch] src/tui/*.[ch] || true)" '' \
	'only the command line includes the runner'
is "$(code src/core/*.[ch] | grep -E '\b(_?exit|_Exit|quick_exit|abort|printf|vprintf|fprintf|vfprintf|puts|fputs|putchar|fputc|perror)[[:space:]]*\(' || true)" \
	'' 'the core neither ends the process nor prints'
is "$(code src/core/*.[ch] | grep -E '\b(stdout|stderr)\b' || true)" '' 'the core knows no standard stream'
is "$(code src/core/*.c | grep -Ev '^src/core/mem\.c:' | grep -E '\b(malloc|calloc|realloc|strdup|strndup|free)[[:space:]]*\(' || true)" \
	'' 'the core allocates through mem.h alone'

library=$(dirname "$PAS2P")/libpas2p.a
ok 'the library is there' test -e "$library"
is "$(nm -u "$library" | awk '$1 == "U" { print $2 }' | sort -u |
	grep -Ex 'exit|_exit|abort|printf|puts|putchar|perror|stdout|stderr|initscr|newterm|endwin|wrefresh' || true)" \
	'' 'the library asks for no function that prints, draws or ends'
cat >"$TMP/alone.c" <<'END'
#include "trace.h"
#include "analysis.h"
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
run_ok 'it links without ncurses' "${CC:-cc}" $san -std=c11 -D_GNU_SOURCE -Isrc/core -o "$TMP/alone" "$TMP/alone.c" \
	"$library" $(pkg-config --libs yaml-0.1 libpcre2-8 nettle) -lm -pthread
is "$(ldd "$TMP/alone" 2>/dev/null | grep -c curses)" 0 'and has none loaded'

done_testing
