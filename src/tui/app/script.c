#include "app_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"
#include "core/base/text.h"

enum err_code script_press(struct app *a, const char *line, struct err *e)
{
	while (*line && !a->shell.quit) {
		size_t n;
		uint32_t key;
		char safe[64];

		line += strspn(line, " \t");
		if (*line == '"') {
			size_t len = strcspn(line + 1, "\""), used;

			for (line++; len && (used = text_decode(line, len, &key)) > 0; line += used, len -= used) {
				app_key(a, key);
				app_settle(a);
			}
			line += *line == '"';
			continue;
		}
		n = strcspn(line, " \t");
		if (!n)
			break;
		key = key_parse(line, n);
		if (!key)
			return err_set(e, ERR_USAGE, "'%s' is not a key",
				       text_safe(safe, sizeof safe, line, n < 60 ? n : 60, TEXT_UTF8));
		app_key(a, key);
		app_settle(a);
		line += n;
	}
	return ERR_OK;
}

static enum err_code expect(struct app *a, const char *text, struct err *e)
{
	struct out o;
	bool there;

	app_draw(a);
	out_init(&o);
	canvas_dump_text(&a->shell.canvas, &o);
	there = o.text && strstr(o.text, text);
	if (!there)
		fprintf(stderr, "no '%s' on this screen:\n%s", text, o.text ? o.text : "");
	out_release(&o);
	return there ? ERR_OK : err_set(e, ERR_USAGE, "the screen does not hold '%s'", text);
}

static enum err_code save_looks(struct app *a, const char *path, struct err *e)
{
	enum err_code code;
	struct out o;

	app_draw(a);
	out_init(&o);
	canvas_dump_looks(&a->shell.canvas, &o);
	code = o.failed ? err_memory(e, "the screen's looks") : out_replace_file(path, o.text ? o.text : "", o.len, e);
	out_release(&o);
	return code;
}

static enum err_code resize(struct app *a, const char *text, struct err *e)
{
	int w, h;

	if (sscanf(text, "%dx%d", &w, &h) != 2 || w < 1 || h < 1 || w > 1000 || h > 1000)
		return err_set(e, ERR_USAGE, "resize takes a size from 1x1 to 1000x1000");
	app_resize(a, w, h);
	return ERR_OK;
}

static enum err_code click(struct app *a, const char *text, int wheel, struct err *e)
{
	int x, y;

	if (sscanf(text, "%d,%d", &x, &y) != 2)
		return err_set(e, ERR_USAGE, "a click takes column,row");
	app_mouse(a, x, y, wheel);
	app_settle(a);
	return ERR_OK;
}

static enum err_code run_line(struct app *a, const char *line, struct err *e)
{
	enum err_code code;

	if (!*line || *line == '#')
		return ERR_OK;
	if (*line != ':')
		return script_press(a, line, e);
	if (!strncmp(line, ":expect ", 8))
		return expect(a, line + 8, e);
	if (!strncmp(line, ":looks ", 7))
		return save_looks(a, line + 7, e);
	if (!strncmp(line, ":click ", 7))
		return click(a, line + 7, 0, e);
	if (!strncmp(line, ":wheel ", 7))
		return click(a, line + 7, 1, e);
	if (!strncmp(line, ":wheel-up ", 10))
		return click(a, line + 10, -1, e);
	if (!strncmp(line, ":resize ", 8))
		return resize(a, line + 8, e);
	a->work.model.message[0] = 0;
	code = command_run(a, line + 1, e);
	app_settle(a);
	return code;
}

int script_run(struct app *a, const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "r") : stdin;
	struct err e = {0};
	unsigned number = 0;
	char *line = NULL;
	size_t cap = 0;

	if (!f) {
		snprintf(a->shell.last_words, sizeof a->shell.last_words, "cannot open the script %.200s: %s", path, strerror(errno));
		return EXIT_CANNOT_READ;
	}
	app_settle(a);
	while (!a->shell.quit && getline(&line, &cap, f) >= 0) {
		number++;
		line[strcspn(line, "\n")] = 0;
		if (run_line(a, line, &e)) {
			snprintf(a->shell.last_words, sizeof a->shell.last_words, "%.200s:%u: %.300s", path, number, e.text);
			a->shell.status = (int)exit_of_write(e.code);
			break;
		}
	}
	if (ferror(f)) {
		snprintf(a->shell.last_words, sizeof a->shell.last_words, "cannot read the script %.200s: %s", path, strerror(errno));
		a->shell.status = EXIT_CANNOT_READ;
	} else if (!a->shell.status && prompt_is_question(&a->shell.prompt)) {
		snprintf(a->shell.last_words, sizeof a->shell.last_words, "%.200s ends before an answer to: %.200s", path,
			 a->shell.prompt.label);
		a->shell.status = EXIT_USAGE;
	}
	free(line);
	if (f != stdin)
		fclose(f);
	return a->shell.status;
}
