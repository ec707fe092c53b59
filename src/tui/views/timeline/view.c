/* The timeline: the processes in physical time, at any zoom; cursor and window shared with the grid. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/io/tree_out.h"
#include "tui/jobs/session.h"
#include "tui/model/describe.h"
#include "tui/model/iterations.h"
#include "tui/views/view.h"
#include "timeline_int.h"
#include "tui/widgets/units.h"

#define SECONDS_MOST 1e18 /* that are remembered */

static struct timeline_view *self(struct view *v)
{
	return (struct timeline_view *)v;
}

/* --- reading, in the background --- */

struct calls_read {
	struct made made;
	const struct trace *trace;
	struct session *session;
	struct timeline *timeline;
};

static void calls_begin(void *made, const void *from)
{
	struct calls_read *x = made;

	x->trace = ((const struct model *)from)->trace;
	x->session = ((const struct model *)from)->session;
}

static bool calls_is_of(const void *made, const void *from)
{
	return ((const struct calls_read *)made)->trace == ((const struct model *)from)->trace;
}

static enum err_code calls_make(void *made, const struct progress *progress, struct err *e)
{
	struct calls_read *x = made;

	const struct call_log *log;
	enum err_code code = session_log(x->session, x->trace, &log, progress, e);

	return code ? code : timeline_new(&x->timeline, log, progress, e);
}

static void calls_release(void *made)
{
	timeline_free(((struct calls_read *)made)->timeline);
}

static const struct derived_kind calls_kind = {"the timeline", sizeof(struct calls_read), NULL, calls_begin, calls_is_of, calls_make, calls_release};

static void take_timeline(struct timeline_view *s)
{
	struct model *m = s->view.model;
	const struct calls_read *x;

	if (s->timeline && s->timeline->trace != m->trace) { /* of a trace with other times */
		derived_forget(&s->reading);
		s->timeline = NULL;
		s->ruler.on = false; /* its end is of another time */
	}
	if (!derived_update(&s->reading, &calls_kind, m->background, m) || !(x = derived_current(&s->reading, m)))
		return;
	s->timeline = x->timeline;
	s->shown.cells = 0;
	s->lines_shown = LINES_COUNT;
	if (s->cell > 0)
		timeline_keep_event(s);
	else
		s->adopt = true;
}

/* --- the view --- */

static void open_timeline(struct view *v)
{
	self(v)->spread = 1;
}

static void close_timeline(struct view *v)
{
	derived_release(&self(v)->reading);
	mem_free(self(v)->share);
	timeline_release_phases(self(v));
	mem_free(self(v)->row_events);
	mem_free(self(v)->iterations.of);
}

static void show_timeline(struct view *v)
{
	struct timeline_view *s = self(v);
	const struct model *m = v->model;

	s->waiting_count = 0;
	/* The grid has been zoomed, or scrolled elsewhere, since. */
	if (m->window_first.tick != s->window_seen[0].tick || m->window_last.tick != s->window_seen[1].tick)
		s->adopt = true;
}

static unsigned act_timeline(struct view *v, enum action a);

/* What the call under the cursor waited for. */
static void find_wait(struct timeline_view *s)
{
	struct model *m = s->view.model;
	uint32_t call = wait_call_at(m, m->cursor.process, m->trace->start + s->at);

	if (s->wait.spending == spending_serial(m) && s->wait.serial == m->serial && s->wait.call == call)
		return;
	s->wait.call = call;
	s->wait.serial = m->serial;
	s->wait.spending = spending_serial(m);
	wait_describe(m, call, false, s->wait.text, sizeof s->wait.text);
}

static void update_timeline(struct view *v, int w, int h)
{
	struct timeline_view *s = self(v);
	struct model *m = v->model;
	double span = s->cell * s->cells;

	if (!m->trace || !m->background || !model_ticks(m))
		return;
	take_timeline(s);
	if (!s->timeline)
		return;
	timeline_lay_out(s, w, h);
	if (span > 0)
		s->cell = span / s->cells; /* another width shows the same time */
	if (s->cell <= 0 || (s->adopt && !s->restored))
		timeline_adopt(s);
	else if (s->placed.process != m->cursor.process || s->placed.tick != m->cursor.tick) {
		s->at = timeline_time_of(m, m->cursor);
		s->placed = m->cursor;
	}
	s->adopt = s->restored = false;
	run_clocks_update(m);
	timeline_take_arrow(s);
	timeline_clamp(s);
	for (int i = 0, n = s->waiting_count; i < n; i++) {
		s->waiting_count = 0;
		act_timeline(v, s->waiting[i]);
	}
	if (s->iterations.marked != timeline_wants_iterations(s, h)) {
		s->iterations.marked = !s->iterations.marked;
		timeline_lay_out(s, w, h);
	}
	timeline_follow_process(s);
	s->event = timeline_time_of(m, s->placed);
	s->window_seen[0] = m->window_first;
	s->window_seen[1] = m->window_last;
	timeline_count_shares(s);
	timeline_find_phases(s);
	timeline_count_ends(s);
	timeline_find_iterations(s);
	spending_update(m);
	find_wait(s);
	timeline_find_under(s);
	timeline_find_totals(s);
}

/* --- keys --- */

static unsigned move_time(struct timeline_view *s, double cells)
{
	s->at += cells * s->cell;
	timeline_clamp(s);
	timeline_place_cursor(s);
	return REACT_DONE;
}

static unsigned move_process(struct timeline_view *s, int64_t rows)
{
	struct model *m = s->view.model;
	int64_t p = (int64_t)m->cursor.process + rows * (int64_t)s->spread, n = model_processes(m);

	m->cursor.process = p < 0 ? 0 : p >= n ? (uint32_t)n - 1 : (uint32_t)p;
	timeline_place_cursor(s);
	return REACT_DONE;
}

/* Where the process has no event, as after a jump to a tick: the nearest in time on that side. */
static uint32_t event_beside(const struct timeline_view *s, int direction)
{
	const struct model *m = s->view.model;
	const struct trace *t = model_logical(m)->trace;
	uint32_t p = m->cursor.process, e = timeline_event_at(m, p, s->at);

	if (e == NO_EVENT)
		return t->first[p];
	if (direction > 0)
		return e + 1 < t->first[p + 1] ? e + 1 : e;
	return t->time[e] - t->start < s->at || e == t->first[p] ? e : e - 1;
}

static unsigned to_event(struct timeline_view *s, int direction)
{
	struct model *m = s->view.model;
	const struct logical *l = model_logical(m);
	uint32_t p = m->cursor.process, e = model_event(m), first = l->trace->first[p], end = l->trace->first[p + 1];

	if (first == end)
		return REACT_DONE;
	if (e == NO_EVENT)
		e = event_beside(s, direction);
	else if (direction > 0 ? e + 1 < end : e > first)
		e += direction > 0 ? 1 : UINT32_MAX;
	m->cursor.tick = l->tick[e];
	s->at = l->trace->time[e] - l->trace->start;
	s->placed = m->cursor;
	return REACT_DONE;
}

static unsigned to_occurrence(struct timeline_view *s, int direction)
{
	struct model *m = s->view.model;
	const struct phases *p = m->analysis->phases;
	uint32_t at = p ? phases_occurrence_at(p, m->cursor.tick) : UINT32_MAX, i, id;

	if (at == UINT32_MAX)
		return REACT_DONE;
	id = p->occurrences[at].phase;
	for (i = at; direction > 0 ? ++i < p->occurrence_count : i-- > 0;)
		if (p->occurrences[i].phase == id) {
			m->cursor.tick = p->occurrences[i].first;
			return REACT_DONE | REACT_JUMPED;
		}
	snprintf(m->message, sizeof m->message, "This is the %s occurrence of phase %u.", direction < 0 ? "first" : "last",
		 (unsigned)id);
	return REACT_DONE;
}

static unsigned other_end(struct timeline_view *s)
{
	struct model *m = s->view.model;
	const struct logical *l = model_logical(m);
	uint32_t under = timeline_event_under(s), e = under == NO_EVENT ? model_event(m) : under, other = e == NO_EVENT ? NO_EVENT : l->trace->match[e];

	event_times_tell(m, e, other == e ? NO_EVENT : other);
	if (other == NO_EVENT || other == e) {
		if (!m->message[0])
			snprintf(m->message, sizeof m->message, "%s", e == NO_EVENT ? "No event here; w and b go to the events of this rank."
			 : "This event has no peer in the trace.");
		return REACT_DONE;
	}
	model_goto(m, trace_process_of(l->trace, other), l->tick[other]);
	return REACT_DONE | REACT_JUMPED;
}

static unsigned waited_for(struct timeline_view *s)
{
	struct model *m = s->view.model;
	double time;

	if (!wait_follow(m, wait_call_at(m, m->cursor.process, m->trace->start + s->at), &time))
		return REACT_DONE;
	s->at = time - m->trace->start;
	s->placed = m->cursor;
	timeline_clamp(s);
	return REACT_DONE | REACT_JUMPED;
}

/* The point under the cursor stays where it is. */
static unsigned timeline_zoom(struct timeline_view *s, double factor)
{
	double column = (s->at - s->from) / s->cell, cell = s->cell * factor, all = timeline_whole(s);

	cell = cell * s->cells > all ? all / s->cells : cell < TIMELINE_LEAST ? TIMELINE_LEAST : cell;
	s->from = s->at - column * cell;
	s->cell = cell;
	timeline_clamp(s);
	return REACT_DONE;
}

static unsigned timeline_fit_all(struct timeline_view *s)
{
	double all = timeline_whole(s);

	if (s->cell * s->cells < all * (1 - 1e-9)) {
		s->from_before = s->from;
		s->cell_before = s->cell;
		s->from = 0;
		s->cell = all / s->cells;
	} else if (s->cell_before > 0) {
		double span = s->cell_before * s->cells;

		s->from = s->at >= s->from_before && s->at < s->from_before + span ? s->from_before : s->at - span / 2;
		s->cell = s->cell_before;
	}
	timeline_clamp(s);
	return REACT_DONE;
}

static unsigned show_lines(struct timeline_view *s)
{
	struct model *m = s->view.model;

	s->lines = (s->lines + 1) % LINES_COUNT;
	snprintf(m->message, sizeof m->message, "%s",
		 s->lines == LINES_NONE ? "Message lines hidden." : s->lines == LINES_PROCESS ? "Messages of this rank."
		 : "Messages of all ranks shown.");
	return REACT_DONE;
}

/* What is done once the timeline is there, if it was asked for before. */
static bool waits(enum action a)
{
	static const enum action ones[] = {
		ACTION_LEFT, ACTION_RIGHT, ACTION_PAGE_LEFT, ACTION_PAGE_RIGHT, ACTION_UP, ACTION_DOWN, ACTION_PAGE_UP,
		ACTION_PAGE_DOWN, ACTION_HALF_UP, ACTION_HALF_DOWN, ACTION_FIRST, ACTION_LAST, ACTION_ENTER,
		ACTION_NEXT_EVENT, ACTION_PREVIOUS_EVENT, ACTION_NEXT_OCCURRENCE, ACTION_PREVIOUS_OCCURRENCE,
		ACTION_ZOOM_IN, ACTION_ZOOM_OUT, ACTION_SPREAD_IN, ACTION_SPREAD_OUT, ACTION_FIT, ACTION_MESSAGES,
		ACTION_RULER,
	};

	for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
		if (ones[i] == a)
			return true;
	return false;
}

static unsigned act_timeline(struct view *v, enum action a)
{
	struct timeline_view *s = self(v);
	struct model *m = v->model;
	uint32_t n = model_processes(m);

	if (!s->timeline) {
		if (a == ACTION_BACK && derived_busy(&s->reading)) {
			derived_cancel(&s->reading);
			s->waiting_count = 0;
			return REACT_DONE;
		}
		if (a == ACTION_ENTER && s->reading.failure[0]) {
			derived_again(&s->reading);
			return REACT_DONE;
		}
		if (!waits(a) || s->reading.failure[0] || s->waiting_count == TIMELINE_WAITING)
			return REACT_IGNORED;
		s->waiting[s->waiting_count++] = a;
		return REACT_DONE;
	}
	if (!model_ticks(m) || s->cell <= 0)
		return REACT_IGNORED;
	switch (a) {
	case ACTION_LEFT: return move_time(s, -1);
	case ACTION_RIGHT: return move_time(s, 1);
	case ACTION_PAGE_LEFT: return move_time(s, -s->cells);
	case ACTION_PAGE_RIGHT: return move_time(s, s->cells);
	case ACTION_UP: return move_process(s, -1);
	case ACTION_DOWN: return move_process(s, 1);
	case ACTION_PAGE_UP: return move_process(s, -s->rows);
	case ACTION_PAGE_DOWN: return move_process(s, s->rows);
	case ACTION_HALF_UP: return move_process(s, -(s->rows + 1) / 2);
	case ACTION_HALF_DOWN: return move_process(s, (s->rows + 1) / 2);
	case ACTION_FIRST: return move_time(s, -INFINITY) | REACT_JUMPED;
	case ACTION_LAST: return move_time(s, INFINITY) | REACT_JUMPED;
	case ACTION_ENTER: return other_end(s);
	case ACTION_NEXT_EVENT: return to_event(s, 1);
	case ACTION_PREVIOUS_EVENT: return to_event(s, -1);
	case ACTION_NEXT_OCCURRENCE: return to_occurrence(s, 1);
	case ACTION_PREVIOUS_OCCURRENCE: return to_occurrence(s, -1);
	case ACTION_ZOOM_IN: return timeline_zoom(s, 0.5);
	case ACTION_ZOOM_OUT: return timeline_zoom(s, 2);
	case ACTION_SPREAD_IN: s->spread = s->spread > 1 ? s->spread / 2 : 1; return REACT_DONE;
	case ACTION_SPREAD_OUT:
		if ((uint64_t)s->rows * s->spread < n)
			s->spread *= 2;
		return REACT_DONE;
	case ACTION_FIT: return timeline_fit_all(s);
	case ACTION_MESSAGES: return show_lines(s);
	case ACTION_RULER: return timeline_ruler_key(s);
	case ACTION_BACK: return s->ruler.on ? timeline_ruler_key(s) : REACT_IGNORED;
	case ACTION_WAITED_FOR: return waited_for(s);
	default: return REACT_IGNORED;
	}
}

/* --- what is remembered --- */

/* Only if it is in front: shown later it takes the grid's window. */
static void save_timeline(const struct view *v, bool front, struct tree_out *t)
{
	const struct timeline_view *s = (const struct timeline_view *)v;

	if (!front || s->cell <= 0)
		return;
	view_remember(v, t);
	tree_put_real(t, "from", s->from);
	tree_put_real(t, "span", s->cell * s->cells);
	tree_put_whole(t, "spread", s->spread);
	tree_end(t);
}

static void restore_timeline(struct view *v, struct fields *f, const struct fields_map *map)
{
	double from = fields_real(f, map, "from", 0, SECONDS_MOST), span = fields_real(f, map, "span", 0, SECONDS_MOST);
	uint32_t spread = remembered_spread(f, map);

	if (f->code || span <= 0)
		return;
	timeline_set_window(self(v), from, span, spread);
	self(v)->restored = true;
}

static void look_timeline(const struct view *v, struct view_look *look)
{
	const struct timeline_view *s = (const struct timeline_view *)v;
	double span = s->cell * s->cells;

	if (span > 0 && !s->restored) /* what was restored has not been seen yet */
		*look = (struct view_look){.known = true, .shape = {span, s->spread}, .from = s->from};
}

static void set_look_timeline(struct view *v, const struct view_look *look)
{
	timeline_set_window(self(v), look->from, look->shape[0], (uint32_t)look->shape[1]);
}

static const struct hint hints[] = {
	{ACTION_ZOOM_IN, ACTION_ZOOM_OUT, "zoom"},
	{ACTION_FIT, ACTION_NONE, "fit"},
	{ACTION_MESSAGES, ACTION_NONE, "messages"},
	{ACTION_WAITED_FOR, ACTION_NONE, "why it waits"},
	{ACTION_ENTER, ACTION_NONE, "peer"},
	{ACTION_RULER, ACTION_NONE, "ruler"},
	{ACTION_NEXT_OCCURRENCE, ACTION_NONE, "next occurrence"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_timeline = {
	.size = sizeof(struct timeline_view),
	.hints = hints,
	.open = open_timeline,
	.close = close_timeline,
	.show = show_timeline,
	.update = update_timeline,
	.draw = timeline_draw,
	.act = act_timeline,
	.status = timeline_status,
	.click = timeline_click,
	.aside_rows = timeline_aside_rows,
	.draw_aside = timeline_draw_aside,
	.find = timeline_find,
	.work = timeline_search_work,
	.progress = timeline_search_progress,
	.save = save_timeline,
	.restore = restore_timeline,
	.look = look_timeline,
	.set_look = set_look_timeline,
};
