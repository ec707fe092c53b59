#include "paragraph.h"

#include <stdio.h>
#include <string.h>

/* How many bytes of a line (n of them) go into `room` columns, up to a blank if there is one. */
static size_t fitting(const char *line, size_t n, int room)
{
	size_t last = 0, used = 0;
	char part[8];

	for (int columns = 0; used < n;) {
		size_t len = 1;

		while (used + len < n && ((unsigned char)line[used + len] & 0xC0) == 0x80 && len < 4)
			len++;
		snprintf(part, sizeof part, "%.*s", (int)len, line + used);
		columns += text_width(part);
		if (columns > room)
			return last ? last : used ? used : len;
		used += len;
		if (used < n && line[used] == ' ')
			last = used;
	}
	return n;
}

int paragraph_draw(struct pane p, int top, int indent, enum role role, const char *text)
{
	int at = 0;

	while (*text) {
		size_t n = strcspn(text, "\n");
		bool first = true;

		do {
			int x = first ? 0 : indent, room = p.w - x > 1 ? p.w - x : 1;
			size_t part = fitting(text, n, room);
			char line[1024];

			snprintf(line, sizeof line, "%.*s", (int)(part < sizeof line ? part : sizeof line - 1), text);
			if (at >= top && at - top < p.h)
				pane_text(p, x, at - top, role, 0, line);
			at++;
			text += part;
			n -= part;
			while (n && *text == ' ') {
				text++;
				n--;
			}
			first = false;
		} while (n);
		text += *text == '\n';
	}
	return at;
}

int nothing_draw(struct pane p, const char *what, const char *fills)
{
	struct pane in = pane_part(p, 1, p.h > 2, p.w - 2, p.h);
	int rows = paragraph_draw(in, 0, 2, ROLE_TITLE, what);

	if (fills)
		rows += paragraph_draw(pane_part(in, 0, rows, in.w, in.h - rows), 0, 2, ROLE_DIM, fills);
	return rows + (p.h > 2);
}
