#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/mem.h"
#include "glyphs.h"
#include "match.h"

void list_init(struct list *l)
{
	*l = (struct list){.sort_column = -1, .height = 1};
}

void list_release(struct list *l)
{
	mem_free(l->order);
	match_free(l->filter);
	match_free(l->search);
	list_init(l);
}

static uint32_t row_at(const struct list *l, uint32_t place)
{
	return l->order ? l->order[place] : place;
}

uint32_t list_row(const struct list *l)
{
	return l->cur < l->shown ? row_at(l, l->cur) : UINT32_MAX;
}

void list_line(const struct row_source *s, const void *ctx, uint32_t row, char *line, size_t size)
{
	size_t len = 0;

	line[0] = 0;
	for (int c = 0; c < s->column_count && len < size; c++) {
		struct field f = {.text = ""};

		s->field(ctx, row, c, &f);
		len += (size_t)snprintf(line + len, size - len, "%s%s", c ? "  " : "", f.text);
	}
}

struct keyed {
	double key;
	uint32_t row;
};

static int by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static int by_key_down(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Fill l->order by filter and sort; without memory for it the source's order stays. */
static void arrange(struct list *l, const struct row_source *s, const void *ctx)
{
	bool sorted = l->sort_column >= 0 && s->key;
	struct keyed *keyed = NULL;
	uint32_t n = 0;
	char line[1024];

	mem_free(l->order);
	l->order = NULL;
	l->shown = l->total;
	if (!sorted && !l->filter)
		return;
	keyed = mem_alloc(l->total, sizeof *keyed);
	l->order = mem_alloc(l->total, sizeof *l->order);
	if (!keyed || !l->order) {
		mem_free(keyed);
		mem_free(l->order);
		l->order = NULL;
		return;
	}
	for (uint32_t row = 0; row < l->total; row++) {
		if (l->filter) {
			list_line(s, ctx, row, line, sizeof line);
			if (!match_in(l->filter, line))
				continue;
		}
		keyed[n++] = (struct keyed){sorted ? s->key(ctx, row, l->sort_column) : 0, row};
	}
	if (sorted)
		qsort(keyed, n, sizeof *keyed, l->descending ? by_key_down : by_key);
	for (uint32_t i = 0; i < n; i++)
		l->order[i] = keyed[i].row;
	l->shown = n;
	mem_free(keyed);
}

void list_select(struct list *l, uint32_t row)
{
	for (uint32_t i = 0; i < l->shown; i++) {
		if (row_at(l, i) == row) {
			l->cur = i;
			break;
		}
	}
	list_fit(l, l->height);
}

void list_refresh(struct list *l, const struct row_source *s, const void *ctx, uint32_t total, uint32_t keep)
{
	l->total = total;
	arrange(l, s, ctx);
	list_select(l, keep);
}

void list_sort(struct list *l, const struct row_source *s, const void *ctx, int column, bool descending)
{
	uint32_t keep = list_row(l);

	l->sort_column = column;
	l->descending = descending;
	list_refresh(l, s, ctx, l->total, keep);
}

static enum err_code set_match(struct match **m, const char *pattern, struct err *e)
{
	struct match *fresh = NULL;

	if (pattern && *pattern) {
		enum err_code code = match_new(&fresh, pattern, e);

		if (code)
			return code;
	}
	match_free(*m);
	*m = fresh;
	return ERR_OK;
}

enum err_code list_filter(struct list *l, const struct row_source *s, const void *ctx, const char *pattern,
			  struct err *e)
{
	uint32_t keep = list_row(l);
	enum err_code code = set_match(&l->filter, pattern, e);

	if (!code)
		list_refresh(l, s, ctx, l->total, keep);
	return code;
}

enum err_code list_search(struct list *l, const char *pattern, struct err *e)
{
	return set_match(&l->search, pattern, e);
}

bool list_find(struct list *l, const struct row_source *s, const void *ctx, bool back, bool from_here)
{
	char line[1024];

	if (!l->search)
		return false;
	for (uint32_t i = from_here ? 0 : 1; i <= l->shown && l->shown; i++) {
		uint32_t step = i % l->shown;
		uint32_t place = (l->cur + (back ? l->shown - step : step)) % l->shown;

		list_line(s, ctx, row_at(l, place), line, sizeof line);
		if (match_in(l->search, line)) {
			l->cur = place;
			list_fit(l, l->height);
			return true;
		}
	}
	return false;
}

void list_fit(struct list *l, int height)
{
	uint32_t h = height > 0 ? (uint32_t)height : 1;

	l->height = (int)h;
	if (l->cur >= l->shown)
		l->cur = l->shown ? l->shown - 1 : 0;
	if (l->cur < l->top)
		l->top = l->cur;
	if (l->cur >= l->top + h)
		l->top = l->cur - h + 1;
	if (l->top + h > l->shown)
		l->top = l->shown > h ? l->shown - h : 0;
}

bool list_act(struct list *l, enum action a)
{
	uint32_t page = (uint32_t)l->height, half = page > 1 ? page / 2 : 1;
	int64_t to = l->cur;

	switch (a) {
	case ACTION_UP: to -= 1; break;
	case ACTION_DOWN: to += 1; break;
	case ACTION_PAGE_UP: to -= page; break;
	case ACTION_PAGE_DOWN: to += page; break;
	case ACTION_HALF_UP: to -= half; break;
	case ACTION_HALF_DOWN: to += half; break;
	case ACTION_FIRST: to = 0; break;
	case ACTION_LAST: to = l->shown; break;
	default: return false;
	}
	if (to >= (int64_t)l->shown)
		to = (int64_t)l->shown - 1;
	l->cur = to > 0 ? (uint32_t)to : 0;
	list_fit(l, l->height);
	return true;
}

/* Which columns fit: those of the largest priority go first. */
static void choose_columns(const struct row_source *s, int room, bool *shown)
{
	int need = 0;

	for (int c = 0; c < s->column_count; c++) {
		shown[c] = true;
		need += s->columns[c].width + 2;
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
		need -= s->columns[worst].width + 2;
	}
}

static void draw_title(const struct list *l, const struct column *k, int c, struct pane p, int x)
{
	bool sorted = l->sort_column == c;
	int x0 = k->right ? x + k->width - text_width(k->title) : x;

	pane_text(p, x0, 0, ROLE_HEADER, sorted ? ATTR_BOLD : 0, k->title);
	if (!sorted)
		return;
	pane_put(p, k->right ? x0 - 1 : x0 + text_width(k->title), 0,
		 l->descending ? GLYPH_DOWN : GLYPH_UP, ROLE_HEADER, ATTR_BOLD);
}

#define MAX_COLUMNS 32

void list_draw(const struct list *l, const struct row_source *s, const void *ctx, struct pane p)
{
	bool shown[MAX_COLUMNS];
	int x = 1;

	choose_columns(s, p.w - 1, shown);
	for (int c = 0; c < s->column_count; c++) {
		if (!shown[c])
			continue;
		draw_title(l, &s->columns[c], c, p, x);
		x += s->columns[c].width + 2;
	}
	for (int y = 1; y < p.h; y++) {
		uint32_t place = l->top + (uint32_t)y - 1;
		uint32_t row;

		if (place >= l->shown)
			break;
		row = row_at(l, place);
		x = 1;
		for (int c = 0; c < s->column_count; c++) {
			const struct column *k = &s->columns[c];
			struct field f = {.text = "", .role = ROLE_DEFAULT};
			int pad;

			if (!shown[c])
				continue;
			s->field(ctx, row, c, &f);
			pad = k->right ? k->width - text_width(f.text) : 0;
			pane_text_in(p, x + (pad > 0 ? pad : 0), y, k->width < p.w - x ? k->width : p.w - x, f.role, f.attr,
				     f.text);
			x += k->width + 2;
		}
		if (place == l->cur)
			pane_stress(p, 0, y, p.w, ATTR_REVERSE);
		if (l->search) {
			char line[1024];

			list_line(s, ctx, row, line, sizeof line);
			if (match_in(l->search, line))
				pane_put(p, 0, y, GLYPH_POINTER, ROLE_MATCH, place == l->cur ? ATTR_REVERSE : 0);
		}
	}
}
