/* The timeline's row of iterations of the main loop: those of the cursor's process, as its phases are. */
#include <stdio.h>

#include "core/base/mem.h"
#include "timeline_int.h"
#include "tui/model/iterations.h"
#include "tui/model/describe.h"
#include "tui/widgets/units.h"

#define ROWS_LEAST 8 /* of a pane that has one to spare */

bool timeline_wants_iterations(const struct timeline_view *s, int h)
{
	if (iteration_pending(s->view.model)) /* a knob that is turned moves nothing about */
		return s->iterations.marked && h >= ROWS_LEAST;
	return h >= ROWS_LEAST && iteration_mean_seconds(s->view.model) / s->cell >= ITERATION_COLUMNS;
}

/* The one that the process is in at a time. */
static uint32_t iteration_of(const struct model *m, double t)
{
	uint32_t e = timeline_event_at(m, m->cursor.process, t);

	return e == NO_EVENT ? UINT32_MAX : iteration_at(m, model_logical(m)->tick[e]);
}

/* A column has the one that the process is in at the column's end. */
void timeline_find_iterations(struct timeline_view *s)
{
	const struct model *m = s->view.model;
	uint32_t *of;

	if (!s->iterations.marked)
		return;
	of = mem_resize(s->iterations.of, (size_t)s->cells, sizeof *of);
	if (!of)
		mem_free(s->iterations.of);
	s->iterations.of = of;
	if (!of)
		return;
	s->iterations.before = s->from > 0 ? iteration_of(m, s->from) : UINT32_MAX;
	for (int x = 0; x < s->cells; x++)
		of[x] = iteration_of(m, s->from + (x + 1) * s->cell);
}

static bool none_seen(const struct timeline_view *s)
{
	for (int x = 0; x < s->cells; x++)
		if (s->iterations.of[x] != UINT32_MAX)
			return false;
	return s->iterations.before == UINT32_MAX;
}

/* Where there are some. */
static void draw_elsewhere(const struct timeline_view *s, struct pane p)
{
	const struct model *m = s->view.model;
	uint32_t e = timeline_event_at(m, m->cursor.process, s->from + s->cell * s->cells), n = iteration_count(m), from, to;
	uint32_t next = e == NO_EVENT ? 0 : iteration_behind(m, model_logical(m)->tick[e]);
	char at[MOMENT_TEXT], name[ITERATION_NAME], text[128];
	struct moment ended;

	if (!n)
		return;
	iteration_ticks(m, next < n ? next : n - 1, &from, &to);
	ended = (struct moment){timeline_process_time(m, m->cursor.process, to), m->cursor.process};
	if (next < n)
		snprintf(text, sizeof text, "%s begins at %s", iteration_name(m, next, name),
			 moment_text(moment_of_tick(model_logical(m), from), at));
	else
		snprintf(text, sizeof text, "the main loop ended at %s", moment_text(ended, at));
	pane_text_in(p, s->gutter, s->top - 1, s->cells, ROLE_DIM, 0, text);
}

void timeline_draw_iterations(const struct timeline_view *s, struct pane p)
{
	if (!s->iterations.marked)
		return;
	pane_text(p, 1, s->top - 1, ROLE_HEADER, 0, "loop");
	if (!s->iterations.of)
		return;
	if (none_seen(s))
		draw_elsewhere(s, p);
	iteration_row_draw(p, s->gutter, s->top - 1, s->view.model, s->iterations.of, s->cells, 1, s->iterations.before);
}
