/* The phase table as it would be written: the YAML text, to scroll through before saying where to. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/model/describe.h"
#include "tui/widgets/units.h"
#include "view.h"

struct preview {
	struct view view;
	const char *text;  /* the model's text that lines belong to */
	uint32_t *lines;   /* where each starts; owned */
	uint32_t count;
	size_t bytes;
};

static const struct column_look columns[] = {{"line", "", .width = 400}};

static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct preview *s = ctx;
	const char *line = s->text + s->lines[row];
	size_t n = strcspn(line, "\n");
	(void)column;

	snprintf(f->text, sizeof f->text, "%.*s", (int)(n < sizeof f->text ? n : sizeof f->text - 1), line);
	f->role = *line == '#' ? ROLE_DIM : ROLE_DEFAULT;
}

static const struct row_source rows = {columns, 1, field, NULL, NULL};

static void find_lines(struct preview *s)
{
	const struct model *m = s->view.model;
	uint32_t count = 0, *lines;

	for (size_t i = 0; i < m->table_size; i++)
		count += m->table[i] == '\n';
	lines = mem_resize(s->lines, count + 1, sizeof *lines);
	if (!lines)
		return;
	s->lines = lines;
	s->count = 0;
	for (size_t i = 0; i < m->table_size; i += strcspn(m->table + i, "\n") + 1)
		lines[s->count++] = (uint32_t)i;
	s->text = m->table;
	s->bytes = m->table_size;
}

static void update_table(struct view *v, int w, int h)
{
	struct preview *s = (struct preview *)v;
	(void)w;

	if (!v->model->table) {
		s->text = NULL;
		s->count = 0;
	} else if (s->text != v->model->table) {
		find_lines(s);
		list_refresh(&v->list, &rows, s, s->count, list_row(&v->list));
	}
	list_fit(&v->list, h - 1);
}

static void close_table(struct view *v)
{
	mem_free(((struct preview *)v)->lines);
}

static void draw_table(const struct view *v, struct pane p)
{
	const struct preview *s = (const struct preview *)v;

	if (!s->text || s->text != v->model->table) {
		pane_text(p, 1, 1, ROLE_DIM, 0, "Making the phase table…");
		return;
	}
	for (int y = 0; y < p.h; y++) {
		uint32_t row = v->list.top + (uint32_t)y;
		const char *line;

		if (row >= s->count)
			break;
		line = s->text + s->lines[row];
		{
			size_t n = strcspn(line, "\n"), key = strcspn(line, ":");
			char text[1024];
			int x;

			snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), line);
			x = pane_text_in(p, 1, y, p.w - 1, ROLE_DEFAULT, 0, text);
			if (key < n)
				for (int i = 0; i < (int)key && i < x; i++)
					pane_put(p, 1 + i, y, (uint32_t)(unsigned char)text[i], ROLE_KEY, 0);
		}
	}
}

static unsigned act_table(struct view *v, enum action a)
{
	struct list *l = &v->list;
	uint32_t last = l->shown > (uint32_t)l->height ? l->shown - (uint32_t)l->height : 0;

	/* A text scrolls; it has no cursor. */
	l->cur = l->top;
	if (list_act(l, a)) {
		l->top = l->cur < last ? l->cur : last;
		l->cur = l->top;
		return REACT_DONE;
	}
	if (a == ACTION_ENTER || a == ACTION_EXPORT)
		return REACT_DONE | REACT_ACCEPT;
	return a == ACTION_BACK ? REACT_CLOSE : REACT_IGNORED;
}

static void status_table(const struct view *v, char *text, size_t size, int room)
{
	const struct preview *s = (const struct preview *)v;
	const struct table_measure *m = &v->model->measure;
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT], d[UNIT_TEXT];
	const struct windows *windows = v->model->analysis ? v->model->analysis->windows : NULL;
	int n;

	text[0] = 0;
	if (!s->text)
		return;
	n = snprintf(text, size, "phase table%s · %s lines%s%s", times_are_corrected(v->model) ? " (recorded times)" : "", unit_count(a, s->count), room >= 120 ? " · " : "",
		     room >= 120 ? unit_bytes(b, s->bytes) : "");
	if (windows && n > 0 && (size_t)n < size)
		snprintf(text + n, size - (size_t)n, " · %s checkpoint%s · %s measured · predicted %s%s%s",
			 unit_count(a, windows->count), windows->count == 1 ? "" : "s", unit_time(b, windows->measured),
			 unit_figure_time(c, windows->estimate.pet_scaled), isnan(windows->estimate.half) ? "" : " ± ",
			 isnan(windows->estimate.half) ? "" : unit_time(d, windows->estimate.half));
	else if (m->occurrences && n > 0 && (size_t)n < size)
		snprintf(text + n, size - (size_t)n, room >= 120 ? " · a signature measures %s occurrence%s and predicts %s: "
			 "expected error %s%s" : " · %s occurrence%s predict %s, exp. error %s%s", unit_count(a, m->occurrences),
			 m->occurrences == 1 ? "" : "s", unit_time(c, m->pet_scaled), unit_percent(d, m->off),
			 m->off > 0.1 && room >= 150 ? " (:plan chooses windows)" : "");
}

static const struct hint hints[] = {
	{ACTION_ENTER, ACTION_NONE, "write to a file"},
	{ACTION_BACK, ACTION_NONE, "back"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_table = {
	.size = sizeof(struct preview),
	.hints = hints,
	.close = close_table,
	.update = update_table,
	.draw = draw_table,
	.act = act_table,
	.status = status_table,
};
