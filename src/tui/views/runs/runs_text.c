/* The diagnosis: asked for when it is looked at, made behind the screen, and shown in lines as long as there is
 * room. */
#include <stdio.h>
#include <string.h>

#include "runs_int.h"
#include "tui/panes/panes.h"

#define INDENT 10 /* of lines that go on, as the diagnosis has it */

static const struct runs_diagnosis *diagnosis_of(const struct runs_view *v)
{
	return v->diagnosis.now;
}

const char *runs_text(const struct runs_view *v)
{
	return diagnosis_of(v) ? diagnosis_of(v)->text : NULL;
}

const char *runs_text_failure(const struct runs_view *v)
{
	return v->view.model->runs->known ? v->diagnosis.failure : "No run has been read yet.";
}

void runs_text_ask(struct runs_view *v)
{
	if (runs_text(v) && diagnosis_of(v)->serial == v->view.model->runs->serial)
		return;
	derived_forget(&v->diagnosis);
	v->text_top = 0;
}

void runs_text_update(struct runs_view *v)
{
	if (runs_diagnose(&v->diagnosis, v->view.model))
		v->text_top = 0;
}

/* How many bytes of a line of n go into a row of so many columns: up to a blank, if there is one behind `least`. */
static size_t text_row_bytes(const char *line, size_t n, int room, size_t least)
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
	static const struct waiting diagnosing = {JOB_SCAN, "Looking for what holds the runs back…", "asks for the diagnosis"};
	uint32_t row = 0;

	if (!runs_text(v)) {
		waiting_draw(&diagnosing, v->view.model, &v->diagnosis, runs_text_failure(v), p);
		return;
	}
	for (const char *line = runs_text(v); *line;) {
		size_t n = strcspn(line, "\n");
		bool first = true;

		do {
			int indent = first ? 0 : INDENT;
			size_t part = text_row_bytes(line, n, p.w - 2 - indent, first ? INDENT : 0);
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
