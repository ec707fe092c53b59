/* Search in the timeline: the next call or event whose text matches, on the cursor's process and then on those below
 * it, round to where it began. A call's text has its state, how long it took, and the events in it as the grid
 * describes them, with their phases. */
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/search.h"
#include "tui/model/describe.h"
#include "timeline_int.h"
#include "tui/widgets/units.h"

#define FIRST_SLICE_MS 10
#define EVENTS_TOLD 16 /* of a call: it may wait for thousands */

/* Calls and events are counted since the trace's start, as the cursor is. */
static double call_time(const struct timeline_view *s, const struct logged_call *c)
{
	return c->start - s->view.model->trace->start;
}

static double event_time(const struct timeline_view *s, uint32_t e)
{
	const struct trace *t = model_logical(s->view.model)->trace;

	return t->time[e] - t->start;
}

/* The first call and the first event of a process behind a time; `at` it too, if `with`. */
static void place_at(const struct timeline_view *s, struct timeline_search *f, double at, bool with)
{
	const struct timeline_process *p = &s->timeline->processes[f->process];
	const uint32_t *first = model_logical(s->view.model)->trace->first + f->process;

	for (f->call = 0; f->call < p->count; f->call++) {
		double t = call_time(s, &p->calls[f->call]);

		if (with ? t >= at : t > at)
			break;
	}
	for (f->event = first[0]; f->event < first[1]; f->event++)
		if (with ? event_time(s, f->event) >= at : event_time(s, f->event) > at)
			break;
}

void timeline_find(struct view *v, bool back, bool from_here)
{
	struct timeline_view *s = (struct timeline_view *)v;
	struct timeline_search *f = &s->search;
	struct model *m = v->model;

	v->list.found = LIST_FOUND;
	if (!s->timeline || !model_ticks(m)) {
		snprintf(m->message, sizeof m->message, "%s", s->reading.failure[0] ? s->reading.failure : "Still reading the timeline; try again in a moment.");
		return;
	}
	*f = (struct timeline_search){.busy = true, .back = back, .serial = m->serial, .process = m->cursor.process};
	f->all = f->left = s->timeline->calls + model_logical(m)->trace->event_count;
	/* Behind what the cursor is on, or before all of that. */
	place_at(s, f, s->at, back || from_here);
	v->list.found = LIST_SEARCHING;
	timeline_search_work(v, FIRST_SLICE_MS);
}

static void next_process(const struct timeline_view *s, struct timeline_search *f)
{
	uint32_t n = model_processes(s->view.model);

	f->process = f->back ? (f->process ? f->process : n) - 1 : (f->process + 1) % n;
	f->call = f->back ? s->timeline->processes[f->process].count : 0;
	f->event = model_logical(s->view.model)->trace->first[f->process + f->back];
}

/* Take the next call or event: its time, and its number; a call's and NO_EVENT, or an event's and NO_CALL. */
static double search_take_next(const struct timeline_view *s, struct timeline_search *f, uint32_t *call, uint32_t *event)
{
	for (;; next_process(s, f)) {
		const struct timeline_process *p = &s->timeline->processes[f->process];
		const uint32_t *first = model_logical(s->view.model)->trace->first + f->process;
		uint32_t c = f->call - f->back, e = f->event - f->back;
		bool calls = f->back ? f->call > 0 : f->call < p->count, events = f->back ? f->event > first[0] : f->event < first[1];
		double at = calls ? call_time(s, &p->calls[c]) : 0, to = events ? event_time(s, e) : 0;

		*call = NO_CALL;
		*event = NO_EVENT;
		if (calls && (!events || (f->back ? at > to : at <= to))) {
			f->call += f->back ? UINT32_MAX : 1;
			*call = c;
			return at;
		}
		if (events) {
			f->event += f->back ? UINT32_MAX : 1;
			*event = e;
			return to;
		}
	}
}

static bool in_call(const struct timeline_view *s, uint32_t process, uint32_t event)
{
	double t = model_logical(s->view.model)->trace->time[event];
	uint32_t call = timeline_call_at(s->timeline, process, t);
	const struct logged_call *c = call == NO_CALL ? NULL : &s->timeline->processes[process].calls[call];

	return c && t >= c->start && t <= c->end;
}

static void add_event(const struct timeline_view *s, uint32_t process, uint32_t event, char *text, size_t size)
{
	const struct logical *l = model_logical(s->view.model);
	size_t n = strlen(text);

	if (n + 4 >= size)
		return;
	n += (size_t)snprintf(text + n, size - n, "%s", n ? "  " : "");
	place_describe(s->view.model, (struct trace_place){process, l->tick[event]}, false, text + n, size - n);
}

static void call_text(const struct timeline_view *s, uint32_t process, uint32_t call, char *text, size_t size)
{
	const struct trace *t = model_logical(s->view.model)->trace;
	const struct logged_call *c = &s->timeline->processes[process].calls[call];
	uint32_t lo = SEARCH_PAST(i, t->first[process], t->first[process + 1], t->time[i] < c->start);
	char took[UNIT_TEXT];

	snprintf(text, size, "%s %s %s", unit_rank((char[UNIT_TEXT]){""}, process), timeline_call_name(s->timeline, c),
		 unit_time(took, c->end - c->start));
	for (int told = 0; told < EVENTS_TOLD && lo < t->first[process + 1] && t->time[lo] <= c->end; lo++, told++)
		add_event(s, process, lo, text, size);
}

static void go_there(struct timeline_view *s, uint32_t process, double at)
{
	s->view.model->cursor.process = process;
	s->at = at;
	timeline_clamp(s);
	timeline_place_cursor(s);
}

unsigned timeline_search_work(struct view *v, unsigned ms)
{
	struct timeline_view *s = (struct timeline_view *)v;
	struct timeline_search *search = &s->search;
	double until = clock_ms() + ms;

	if (!search->busy)
		return timeline_add_totals(s, ms) ? REACT_DONE : REACT_IGNORED;
	if (v->list.found != LIST_SEARCHING || !v->list.search || search->serial != v->model->serial || !s->timeline) {
		search->busy = false; /* stopped, or the trace is laid out again */
		v->list.found = LIST_FOUND;
		return REACT_DONE;
	}
	for (; search->left; search->left--) {
		uint32_t call, event, process;
		char text[1024] = "";
		double at;

		if (clock_ms() >= until)
			return REACT_DONE;
		at = search_take_next(s, search, &call, &event);
		process = search->process;
		if (call != NO_CALL)
			call_text(s, process, call, text, sizeof text);
		else if (!in_call(s, process, event))
			add_event(s, process, event, text, sizeof text);
		else
			continue; /* its call has told of it */
		switch (query_match(v->list.search, text, strlen(text), NULL, NULL)) {
		case QUERY_YES:
			go_there(s, process, at);
			v->list.found = LIST_FOUND;
			search->busy = false;
			return REACT_DONE;
		case QUERY_GAVE_UP:
			list_give_up(&v->list);
			search->busy = false;
			return REACT_DONE;
		case QUERY_NO: break;
		}
	}
	v->list.found = LIST_NOT_FOUND;
	search->busy = false;
	return REACT_DONE;
}

double timeline_search_progress(const struct view *v)
{
	const struct timeline_search *f = &((const struct timeline_view *)v)->search;

	return f->all ? 1 - (double)f->left / (double)f->all : 1;
}
