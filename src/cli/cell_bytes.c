#include "cli.h"

#include <string.h>

/* Of each cell one byte, its kind; then its text with a NUL and what is shown instead, with another; or eight bytes. */

void cell_bytes_add(struct out *to, const struct cell *cells, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct cell *c = &cells[i];
		char kind = (char)c->kind;
		uint64_t value = c->kind == CELL_BOOL ? c->yes : c->kind == CELL_TEXT ? 0 : c->whole;

		out_add(to, &kind, 1);
		if (c->kind == CELL_TEXT) {
			out_add(to, c->text, strlen(c->text) + 1);
			out_add(to, c->shown ? c->shown : "", (c->shown ? strlen(c->shown) : 0) + 1);
		} else if (c->kind != CELL_EMPTY)
			out_add(to, (const char *)&value, sizeof value);
	}
}

size_t cell_bytes_take(const char *bytes, struct cell *cells, size_t n)
{
	const char *at = bytes;

	for (size_t i = 0; i < n; i++) {
		struct cell *c = &cells[i];

		*c = (struct cell){.kind = (enum cell_kind)*at++};
		if (c->kind == CELL_TEXT) {
			c->text = at;
			at += strlen(at) + 1;
			c->shown = *at ? at : NULL;
			at += strlen(at) + 1;
		} else if (c->kind != CELL_EMPTY) {
			uint64_t value;

			memcpy(&value, at, sizeof value);
			at += sizeof value;
			if (c->kind == CELL_BOOL)
				c->yes = value;
			else
				c->whole = value;
		}
	}
	return (size_t)(at - bytes);
}
