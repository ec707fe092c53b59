/* The timeline's window: the shown times and processes, the place of the cursor, and the content: shares and
 * messages. */
#include <math.h>

#include "core/base/mem.h"
#include "timeline_int.h"
#include "tui/widgets/units.h"

#define PITCH_MOST 12 /* lines of a process */
#define FOOT_LEAST 14 /* rows of a pane that has one for the totals */

/* The time of the event at a place; if there is none, that of the process's next send or collective, or of the receives
 * from that tick on which it waits in before. */
double timeline_time_of(const struct model *m, struct trace_place at)
{
	const struct logical *l = model_logical(m);
	const struct trace *t = l->trace;
	uint32_t e = logical_event_at(l, at.tick, at.process), n;

	if (e == NO_EVENT) {
		n = l->send_first[at.process] + logical_sends_before(l, at.process, at.tick);
		if (n < l->send_first[at.process + 1])
			e = l->sends[n];
		else if (t->first[at.process + 1] > t->first[at.process])
			e = t->first[at.process + 1] - 1;
		else
			return timeline_tick_time(m, at.tick);
		while (e > t->first[at.process] && l->tick[e - 1] >= at.tick)
			e--;
	}
	return t->time[e] - t->start;
}

/* Put the model's cursor on the process's latest event at a time, whose phase is the one under way, or on its first. */
void timeline_place_cursor(struct timeline_view *s)
{
	struct model *m = s->view.model;
	const struct logical *l = model_logical(m);
	uint32_t p = m->cursor.process, first = l->trace->first[p], e = timeline_event_at(m, p, s->at);

	if (first < l->trace->first[p + 1])
		m->cursor.tick = l->tick[e == NO_EVENT ? first : e];
	s->placed = m->cursor;
}

double timeline_whole(const struct timeline_view *s)
{
	double aet = trace_aet(s->view.model->trace);

	return aet > 0 ? aet : TIMELINE_LEAST;
}

void timeline_lay_out(struct timeline_view *s, int w, int h)
{
	uint32_t n = model_processes(s->view.model), rows;
	int room, d = unit_digits(n);

	s->gutter = s->spread > 1 ? 2 * d + 5 : d + 3;
	if (s->gutter < unit_digits(n) + 9)
		s->gutter = unit_digits(n) + 9; /* "phase r0 " */
	s->legend = h >= 12;
	s->top = (model_windows(s->view.model) ? 3 : 2) + s->iterations.marked;
	s->cells = w - s->gutter - 1 > 1 ? w - s->gutter - 1 : 1;
	s->foot = !s->view.beside && h >= FOOT_LEAST;
	room = h - s->top - s->legend - s->foot > 1 ? h - s->top - s->legend - s->foot : 1;
	rows = (n + s->spread - 1) / s->spread;
	if (!rows)
		rows = 1;
	s->pitch = rows > (uint32_t)room ? 1 : room / (int)rows;
	if (s->pitch > PITCH_MOST)
		s->pitch = PITCH_MOST;
	s->ends = s->phase_line = 0;
	if (s->lines != LINES_NONE || s->spread > 1) {
		s->bar = s->pitch > 4 ? s->pitch - s->pitch / 3 : s->pitch > 2 ? s->pitch - 1 : 1; /* messages need room, too */
	} else {
		s->bar = s->pitch > 4 ? s->pitch - 3 : 1; /* and one line between processes, if there are so many */
		s->ends = s->pitch > 1 ? s->bar : 0;
		s->phase_line = s->pitch > 2 ? s->bar + 1 : 0;
	}
	s->rows = (uint32_t)(room / s->pitch) < rows ? room / s->pitch : (int)rows;
}

void timeline_clamp(struct timeline_view *s)
{
	double all = timeline_whole(s), span;

	s->cell = s->cell < TIMELINE_LEAST ? TIMELINE_LEAST : s->cell * s->cells > all ? all / s->cells : s->cell;
	s->at = s->at < 0 ? 0 : s->at > all ? all : s->at;
	span = s->cell * s->cells;
	/* By whole cells, so that shares do not dance while one scrolls. */
	if (s->at < s->from || s->at >= s->from + span) {
		double away = s->at < s->from ? s->from - s->at : s->at - (s->from + span);

		if (away > span / 2)
			s->from = s->at - span / 2;
		else if (s->at < s->from)
			s->from -= ceil(away / s->cell) * s->cell;
		else
			s->from += (floor(away / s->cell) + 1) * s->cell;
	}
	if (s->from + span > all)
		s->from = all - span;
	if (s->from < 0)
		s->from = 0;
}

/* The time of the ticks that the grid shows, as the cursor's process had it. */
void timeline_adopt(struct timeline_view *s)
{
	const struct model *m = s->view.model;
	uint32_t p = m->cursor.process;
	double a = timeline_process_time(m, p, m->window_first.tick), b = timeline_process_time(m, p, m->window_last.tick + 1);

	s->adopt = false;
	s->window_seen[0] = m->window_first;
	s->window_seen[1] = m->window_last;
	s->at = timeline_time_of(m, m->cursor);
	s->placed = m->cursor;
	if (m->window_first.tick == 0)
		a = 0;
	if (m->window_last.tick + 1 >= model_ticks(m))
		b = timeline_whole(s);
	if (b <= a)
		return;
	s->from = a;
	s->cell = (b - a) / s->cells;
}

void timeline_keep_event(struct timeline_view *s)
{
	const struct model *m = s->view.model;
	double moved;

	if (s->placed.process != m->cursor.process || s->placed.tick != m->cursor.tick)
		return; /* it is somewhere else by now */
	moved = timeline_time_of(m, s->placed) - s->event;
	s->event += moved;
	s->at += moved;
	s->from += moved;
	s->from_before += moved;
}

void timeline_follow_process(struct timeline_view *s)
{
	uint32_t p = s->view.model->cursor.process, n = model_processes(s->view.model);
	uint64_t span = (uint64_t)s->rows * s->spread;

	s->first -= s->first % s->spread;
	if (p < s->first)
		s->first = p - p % s->spread;
	else if (p >= s->first + span)
		s->first = (uint32_t)((p - span) / s->spread + 1) * s->spread;
	if (s->first + span > n)
		s->first = n > span ? (uint32_t)((n - span + s->spread - 1) / s->spread * s->spread) : 0;
}

void timeline_set_window(struct timeline_view *s, double from, double span, uint32_t spread)
{
	if (s->cells < 1)
		s->cells = 1;
	s->from = from;
	s->cell = span / s->cells;
	s->spread = spread ? spread : 1;
}

static bool same_window(const struct timeline_window *a, const struct timeline_window *b)
{
	return a->from == b->from && a->cell == b->cell && a->cells == b->cells && a->rows == b->rows &&
	       a->first == b->first && a->spread == b->spread;
}

static uint32_t row_last(const struct timeline_view *s, uint32_t first)
{
	uint32_t n = model_processes(s->view.model);

	return first + s->spread < n ? first + s->spread - 1 : n - 1;
}

static void find_messages(struct timeline_view *s, double t0, double t1)
{
	uint32_t p = s->view.model->cursor.process, last;

	s->lines_shown = s->lines;
	s->lines_of = p;
	s->message_count = (struct timeline_messages){0};
	if (s->lines == LINES_PROCESS)
		s->message_count = timeline_messages(s->timeline, p, p, t0, t1, s->messages, TIMELINE_LINES);
	else if (s->lines == LINES_ALL) {
		last = row_last(s, s->first + (uint32_t)(s->rows - 1) * s->spread);
		s->message_count = timeline_messages(s->timeline, s->first, last, t0, t1, s->messages, TIMELINE_LINES);
	}
}

void timeline_count_shares(struct timeline_view *s)
{
	struct timeline_window now = {s->from, s->cell, s->cells, s->rows, s->first, s->spread};
	double t0 = s->view.model->trace->start + s->from, t1 = t0 + s->cell * s->cells;
	bool same = same_window(&now, &s->shown);

	if (!same) {
		void *share = mem_resize(s->share, (size_t)s->rows * (size_t)s->cells, sizeof *s->share);

		if (!share)
			return;
		s->share = share;
		for (int row = 0; row < s->rows; row++) {
			uint32_t first = s->first + (uint32_t)row * s->spread;

			timeline_row(s->timeline, first, row_last(s, first), t0, t1, (uint32_t)s->cells,
				     s->share + (size_t)row * (size_t)s->cells);
		}
		s->shown = now;
	}
	if (same && s->lines == s->lines_shown && s->lines_of == s->view.model->cursor.process && s->arrows.of == run_clocks_arrows(s->view.model))
		return;
	find_messages(s, t0, t1);
	timeline_find_arrows(s);
}
