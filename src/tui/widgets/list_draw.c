/* Lists on the screen: which columns fit, and the rows in the window. */
#include "tui/screen/glyphs.h"
#include "list.h"
#include "paragraph.h"
#include "units.h"

#include <stdio.h>
#include <string.h>

#define MAX_COLUMNS 32

/* As wide as its title at least: titles stand apart, with the mark of the sorted one between them. */
static int column_width(const struct column_look *k)
{
	int title = text_width(k->title);

	return title > k->width ? title : k->width;
}

/* Which columns fit: those of the largest priority go first. */
static void choose_columns(const struct row_source *s, int room, bool *shown)
{
	int need = 0;

	for (int c = 0; c < s->column_count; c++) {
		shown[c] = true;
		need += column_width(&s->columns[c]) + 2;
	}
	while (need - 2 > room) {
		int worst = -1;

		for (int c = 0; c < s->column_count; c++)
			if (shown[c] && s->columns[c].priority > 0 &&
			    (worst < 0 || s->columns[c].priority >= s->columns[worst].priority))
				worst = c;
		if (worst < 0)
			break;
		shown[worst] = false;
		need -= column_width(&s->columns[worst]) + 2;
	}
}

static void list_draw_title(const struct list *l, const struct column_look *k, int c, struct pane p, int x)
{
	bool sorted = l->sort_column == c;
	int x0 = k->align == LOOK_RIGHT ? x + column_width(k) - text_width(k->title) : x;

	if (k->align == LOOK_RIGHT && x + column_width(k) > p.w)
		return;
	pane_text(p, x0, 0, ROLE_HEADER, sorted ? ATTR_BOLD : 0, k->title);
	if (!sorted)
		return;
	pane_put(p, k->align == LOOK_RIGHT ? x0 - 1 : x0 + text_width(k->title), 0,
		 l->descending ? GLYPH_DOWN : GLYPH_UP, ROLE_HEADER, ATTR_BOLD);
}

/* A number is never cut, for a part of it would be another number: it takes from the gap before it. Text in the last column has all of the rest. */
static void draw_field(struct pane p, int x, int y, const struct column_look *k, bool last, const struct field *f)
{
	int w = text_width(f->text), width = column_width(k);

	if (k->align == LOOK_RIGHT && x + width > p.w)
		return;
	if (k->align == LOOK_RIGHT)
		pane_text(p, x + width - w > 0 ? x + width - w : 0, y, f->role, f->attr, f->text);
	else
		pane_text_in(p, x, y, !last && width < p.w - x ? width : p.w - x, f->role, f->attr, f->text);
}

bool list_is_match(const struct list *l, const struct row_source *s, const void *ctx, uint32_t row, bool *tired)
{
	enum query_result match;
	char line[1024];

	if (!l->search || *tired)
		return false;
	list_line(l, s, ctx, row, line, sizeof line);
	match = query_match(l->search, line, strlen(line), NULL, NULL);
	*tired = match == QUERY_GAVE_UP;
	return match == QUERY_YES;
}

static void draw_none(const struct list *l, struct pane p)
{
	char fills[64], n[UNIT_TEXT];

	snprintf(fills, sizeof fills, "An empty filter shows all %s rows.", unit_count(n, l->total));
	nothing_draw(p, "No row matches the filter.", fills);
}

void list_draw(const struct list *l, const struct row_source *s, const void *ctx, struct pane p)
{
	bool shown[MAX_COLUMNS], tired = false;
	int x = 1, last = 0;

	choose_columns(s, p.w - 1, shown);
	for (int c = 0; c < s->column_count; c++) {
		if (!shown[c])
			continue;
		list_draw_title(l, &s->columns[c], c, p, x);
		x += column_width(&s->columns[c]) + 2;
		last = c;
	}
	if (l->filter && !l->shown && l->total && !l->task)
		draw_none(l, pane_part(p, 0, 1, p.w, p.h - 1));
	for (int y = 1; y < p.h; y++) {
		uint32_t place = l->top + (uint32_t)y - 1;
		uint32_t row;

		if (place >= l->shown)
			break;
		row = list_row_at(l, place);
		x = 1;
		if (place == l->cur)
			pane_stress(p, 0, y, p.w, ATTR_REVERSE);
		for (int c = 0; c < s->column_count; c++) {
			const struct column_look *k = &s->columns[c];
			struct field f = {.text = "", .role = ROLE_DEFAULT};
			if (!shown[c])
				continue;
			s->field(ctx, row, c, &f);
			if (place == l->cur && !f.picture)
				f.attr ^= ATTR_REVERSE;
			else if (place == l->cur)
				pane_fill(pane_part(p, x, y, column_width(k), 1), ' ', ROLE_DEFAULT, 0);
			draw_field(p, x, y, k, c == last, &f);
			x += column_width(k) + 2;
		}
		if (list_is_match(l, s, ctx, row, &tired))
			pane_put(p, 0, y, GLYPH_POINTER, ROLE_MATCH, place == l->cur ? ATTR_REVERSE : 0);
	}
}

int list_column_at(const struct row_source *s, int width, int x)
{
	bool shown[MAX_COLUMNS];
	int at = 1;

	choose_columns(s, width - 1, shown);
	for (int c = 0; c < s->column_count; c++) {
		if (!shown[c])
			continue;
		if (x >= at - 1 && x <= at + column_width(&s->columns[c]))
			return c;
		at += column_width(&s->columns[c]) + 2;
	}
	return -1;
}

int list_column_after(const struct row_source *s, int width, int column)
{
	bool shown[MAX_COLUMNS];

	choose_columns(s, width - 1, shown);
	for (int i = 1; i <= s->column_count; i++)
		if (shown[(column + i) % s->column_count])
			return (column + i) % s->column_count;
	return column;
}
