/* The diagnosis: asked for when it is looked at, made behind the screen, and shown in lines as long as there is
 * room. */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "runs_view.h"
#include "tui/jobs/background.h"
#include "tui/model/runs_work.h"
#include "tui/panes/waiting.h"

#define INDENT 10 /* of lines that go on, as the diagnosis has it */

void runs_text_ask(struct runs_view *v)
{
	struct model *m = v->view.model;

	mem_free(v->text);
	v->text = NULL;
	v->failure[0] = 0;
	v->text_top = 0;
	v->text_serial = m->runs->serial;
	if (!m->runs->known)
		snprintf(v->failure, sizeof v->failure, "No run has been read yet.");
	else if (!runs_diagnose(m))
		snprintf(v->failure, sizeof v->failure, "there is no memory for a diagnosis");
}

void runs_text_take(struct runs_view *v)
{
	struct err e;
	char *text = runs_diagnosed(v->view.model, &e);

	if (text) {
		mem_free(v->text);
		v->text = text;
	} else if (e.code) {
		snprintf(v->failure, sizeof v->failure, "%s", e.code == ERR_CANCELLED ? "The diagnosis was stopped." : e.text);
	}
}

/* How many bytes of a line of n go into a row of so many columns: up to a blank, if there is one behind `least`. */
static size_t row_of(const char *line, size_t n, int room, size_t least)
{
	size_t at = 0, blank = 0;
	int column = 0;

	while (at < n) {
		size_t next = at + 1;

		while (next < n && ((unsigned char)line[next] & 0xc0) == 0x80)
			next++;
		if (++column > room)
			return blank > least ? blank : at ? at : next;
		if (line[at] == ' ')
			blank = at;
		at = next;
	}
	return n;
}

void runs_text_draw(const struct runs_view *v, struct pane p)
{
	static const struct waiting diagnosing = {BACKGROUND_DIAGNOSIS, JOB_SCAN, "Looking for what holds the runs back…", "asks for the diagnosis"};
	uint32_t row = 0;

	if (!v->text) {
		waiting_draw(&diagnosing, v->view.model, v->failure, p);
		return;
	}
	for (const char *line = v->text; *line;) {
		size_t n = strcspn(line, "\n");
		bool first = true;

		do {
			int indent = first ? 0 : INDENT;
			size_t part = row_of(line, n, p.w - 2 - indent, first ? INDENT : 0);
			char text[1024];

			snprintf(text, sizeof text, "%.*s", (int)part, line);
			if (row >= v->text_top)
				pane_text(p, 1 + indent, (int)(row - v->text_top), ROLE_DEFAULT, 0, text);
			row++;
			first = false;
			line += part;
			n -= part;
			while (n && *line == ' ') {
				line++;
				n--;
			}
		} while (n);
		line += *line == '\n';
	}
}
