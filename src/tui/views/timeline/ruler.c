/* The timeline's ruler: one end is set where the cursor is, the other goes with the cursor. It measures time, and, on
 * the cursor's process, ticks, iterations of the main loop and events. */
#include <math.h>
#include <stdio.h>

#include "timeline_int.h"
#include "tui/model/iterations.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/units.h"

/* Events of the process up to a time, and the tick of the last of them. */
static uint32_t events_by(const struct model *m, double t, uint32_t *tick)
{
	const struct logical *l = model_logical(m);
	uint32_t p = m->cursor.process, e = timeline_event_at(m, p, t);

	*tick = e != NO_EVENT ? l->tick[e] : l->trace->first[p] < l->trace->first[p + 1] ? l->tick[l->trace->first[p]] : 0;
	return e == NO_EVENT ? 0 : e - l->trace->first[p] + 1;
}

struct timeline_distance timeline_distance(const struct timeline_view *s)
{
	const struct model *m = s->view.model;
	struct timeline_distance d = {.from = fmin(s->ruler.at, s->at), .to = fmax(s->ruler.at, s->at)};
	uint32_t a, b, before = events_by(m, d.from, &a), by = events_by(m, d.to, &b);

	d.events = by - before;
	d.ticks = b > a ? b - a : 0;
	if (b > a && iteration_count(m))
		d.iterations = iteration_behind(m, b) - iteration_behind(m, a);
	return d;
}

static void ruler_add_count(char **at, size_t *left, uint32_t n, const char *one, const char *many)
{
	char text[UNIT_TEXT];
	int len = snprintf(*at, *left, " · %s %s", unit_count(text, n), n == 1 ? one : many);

	len = len < (int)*left ? len : (int)*left - 1;
	*at += len;
	*left -= (size_t)len;
}

void timeline_ruler_text(const struct timeline_view *s, char *text, size_t size)
{
	struct timeline_distance d;
	char a[UNIT_TEXT];
	int len;

	text[0] = 0;
	if (!s->ruler.on)
		return;
	d = timeline_distance(s);
	len = snprintf(text, size, "ruler %s", unit_time(a, d.to - d.from));
	text += len;
	size -= (size_t)len;
	ruler_add_count(&text, &size, d.ticks, "tick", "ticks");
	if (iteration_count(s->view.model))
		ruler_add_count(&text, &size, d.iterations, "iteration", "iterations");
	ruler_add_count(&text, &size, d.events, "event", "events");
	snprintf(text, size, " of %s", unit_rank((char[UNIT_TEXT]){""}, s->view.model->cursor.process));
}

unsigned timeline_ruler_key(struct timeline_view *s)
{
	struct model *m = s->view.model;
	char key[16];

	if (s->ruler.on) {
		timeline_ruler_text(s, m->message, sizeof m->message);
		s->ruler.on = false;
		return REACT_DONE;
	}
	s->ruler = (struct timeline_ruler){true, s->at};
	snprintf(m->message, sizeof m->message, "Ruler started: move to measure; %s again ends it.",
		 keymap_first(m->keymap, ACTION_RULER, key));
	return REACT_DONE;
}

void timeline_draw_ruler(const struct timeline_view *s, struct pane p)
{
	int a = timeline_column(s, fmin(s->ruler.at, s->at)), b = timeline_column(s, fmax(s->ruler.at, s->at));
	char text[UNIT_TEXT + 2], time[UNIT_TEXT];

	if (!s->ruler.on)
		return;
	for (int x = a < 0 ? 0 : a; x <= b && x < s->cells; x++)
		pane_put(p, s->gutter + x, 0, x == a ? GLYPH_SPAN_LEFT : x == b ? GLYPH_SPAN_RIGHT : GLYPH_HLINE, ROLE_MATCH, 0);
	snprintf(text, sizeof text, " %s ", unit_time(time, fabs(s->at - s->ruler.at)));
	a = a < 0 ? 0 : a;
	b = b < s->cells ? b : s->cells - 1;
	if (b - a - 1 >= text_width(text))
		pane_text(p, s->gutter + a + 1 + (b - a - 1 - text_width(text)) / 2, 0, ROLE_MATCH, ATTR_BOLD, text);
	a = timeline_column(s, s->ruler.at);
	for (int row = 0; a >= 0 && a < s->cells && row < s->rows; row++)
		for (int i = 0; i < s->bar; i++)
			pane_stress(p, s->gutter + a, s->top + row * s->pitch + i, 1, ATTR_REVERSE);
}
