#!/bin/sh
# What make asan rests on: whatever a sanitizer reports, in whichever program, makes the run fail, though the test expected a failing command
# and threw its stderr away. A report that nobody sees is none. Each kind of fault is made once: in a program built like ours, and in a
# library that is loaded into a program which was built without a sanitizer.
. t/lib/lib.sh

cc=${CC:-cc}
flags=$(sed -n "s/^ASAN_FLAGS *=.* CFLAGS='\([^']*\)'.*/\1/p" t/sanitize.mk)
link=$(sed -n "s/^ASAN_FLAGS *=.*LDFLAGS='\(.*\)'$/\1/p" t/sanitize.mk)
cat >"$TMP/fault.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *volatile lost;

__attribute__((noinline)) static void fill(char *text, int n)
{
	while (n-- > 0)
		*text++ = 'x';
}

__attribute__((noinline)) static char past_its_end(int n)
{
	char text[8];

	fill(text, n);
	return text[n % 8];
}

__attribute__((noinline)) static void fault(const char *kind)
{
	volatile int n = 2147483647;
	char *heap = malloc(4);

	if (!strcmp(kind, "stack")) {
		printf("%c\n", past_its_end(9));
	} else if (!strcmp(kind, "heap")) {
		free(heap);
		printf("%d\n", *(volatile char *)heap);
		return;
	} else if (!strcmp(kind, "undefined")) {
		n = n + 1;
	} else if (!strcmp(kind, "leak")) {
		lost = heap;
		lost = NULL;
		return;
	}
	free(heap);
}

#ifdef LIBRARY
__attribute__((constructor)) static void loaded(void)
{
	fault(getenv("FAULT") ? getenv("FAULT") : "");
}
#else
int main(int argc, char **argv)
{
	fault(argc > 1 ? argv[1] : "");
	return 0;
}
#endif
END
flags="$flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
# shellcheck disable=SC2086  # options
$cc -w $flags -o "$TMP/fault" "$TMP/fault.c" $link 2>"$ERR" && "$TMP/fault" 2>/dev/null || skip_all 'the compiler has no sanitizers, or they do not work here'
# shellcheck disable=SC2086
$cc -w $flags -DLIBRARY -fPIC $link -shared -o "$TMP/fault.so" "$TMP/fault.c" || bail_out 'no library can be made'
echo 'int main(void) { return 0; }' >"$TMP/other.c"
$cc -o "$TMP/other" "$TMP/other.c" || bail_out 'no program can be made'

sanitized_run() { # EXIT NAME COMMAND
	run_fails "$1" "$2" tools/sanitized.sh "$TMP/reports" sh -c "cd '$TMP'; $3"
}

sanitized_run 0 'nothing is reported' './fault'
like "$(cat "$OUT")" '^No program reported anything\.$' 'and that is said'
sanitized_run 3 'a command that fails' './fault; exit 3'
unlike "$(cat "$OUT")" 'No program' 'does not look like success'
for kind in stack heap undefined leak; do
	sanitized_run 1 "$kind: what nobody looked at" "./fault $kind >/dev/null 2>&1; true"
	like "$(cat "$ERR")" '^1 programs? reported' "$kind: is counted"
	like "$(cat "$ERR")" 'stack-buffer-overflow|heap-use-after-free|AddressSanitizer: ILL|detected memory leaks' "$kind: and shown"
done
sanitized_run 1 'by its exit status, too' './fault heap; test $? -eq 99 || touch other.status'
ok 'which is 99' test ! -e "$TMP/other.status"
sanitized_run 0 'a library in another program' 'LD_PRELOAD=$PWD/fault.so ./other'
for kind in stack undefined; do
	sanitized_run 1 "a library in another program: $kind" "FAULT=$kind LD_PRELOAD=\$PWD/fault.so ./other 2>/dev/null; true"
	like "$(cat "$ERR")" '^1 programs? reported' "a library in another program: $kind: is counted"
done
sanitized_run 1 'an environment that is emptied' ". '$PWD/t/lib/lib.sh'; env -i \$(sanitizer_options) '$TMP/fault' heap 2>/dev/null; TAP_DONE=1"
like "$(cat "$ERR")" '^1 programs? reported' 'an environment that is emptied: is counted'
done_testing
