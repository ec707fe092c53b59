/* The workbench without a terminal: lines as its scripts have them. A line that begins with ':' is a command, one with
 * '=' is completed, one with '@' sizes the screen by its two next bytes; the characters of any other are keys.
 *
 * The trace is a small one in a file; the workbench starts afresh for each input.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "core/base/text.h"
#include "tui/app/app_int.h"

static char path[64];

/* A small trace in memory, by a name that can be opened. */
static void make_trace(void)
{
	static const char seed[] = "fuzz/corpus/clog2/cg";
	char buf[65536];
	int in = open(seed, O_RDONLY), fd = memfd_create("trace", 0);
	ssize_t n = in >= 0 ? read(in, buf, sizeof buf) : -1;

	must(n > 0 && fd >= 0 && write(fd, buf, (size_t)n) == n, "run from the repository's root, for fuzz/corpus/clog2/cg");
	close(in);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
}

static void settle(struct app *a)
{
	session_wait_idle(a->work.session);
	app_news(a);
	app_draw(a);
}

static void complete(struct app *a, const char *typed)
{
	char out[128];

	for (int nth = 0; nth < 200 && command_complete(a, typed, nth, out, sizeof out); nth++)
		must(memchr(out, 0, sizeof out) != NULL, "a completion is text");
}

/* Keys by their characters; a character from 0x80 to 0xbf is one of the special keys. */
static void press(struct app *a, const char *line, size_t n)
{
	size_t used;
	uint32_t key;

	for (; n && !a->shell.quit && (used = text_decode(line, n, &key)) > 0; line += used, n -= used) {
		unsigned byte = (unsigned char)*line;

		if (byte >= 0x80 && byte < 0xc0 && KEYCODE_FIRST + 1 + (byte & 0x3f) < KEYCODE_LAST)
			key = KEYCODE_FIRST + 1 + (byte & 0x3f);
		if (byte == 0xff)
			app_interrupt(a);
		else
			app_key(a, key);
		app_news(a);
		if ((n & 31) == 0)
			app_draw(a);
	}
}

static void run(struct app *a, char *line, size_t n)
{
	struct err e = {0};

	if (*line == ':') {
		enum err_code code = command_run(a, line + 1, &e);

		if (code)
			must_be_sentence((int)code, &e);
	} else if (*line == '=') {
		complete(a, line + 1);
	} else if (*line == '@' && n > 2) {
		app_resize(a, 1 + (unsigned char)line[1], 1 + (unsigned char)line[2]);
	} else {
		press(a, line, n);
	}
	settle(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *paths[] = {path};
	struct tui_options o = {.paths = paths, .count = 1};
	struct err e = {0};
	struct app a;

	if (!*path)
		make_trace();
	settings_init(&o.settings);
	must(app_init(&a, &o, &e) == ERR_OK, "the workbench starts");
	app_resize(&a, 80, 24);
	settle(&a);
	for (unsigned lines = 0; size && lines < 40 && !a.shell.quit; lines++) {
		const uint8_t *newline = memchr(bytes, '\n', size);
		size_t n = newline ? (size_t)(newline - bytes) : size;
		char *line = calloc(n + 1, 1);

		memcpy(line, bytes, n);
		run(&a, line, n);
		free(line);
		n += newline != NULL;
		bytes += n;
		size -= n;
	}
	app_release(&a);
	return 0;
}
