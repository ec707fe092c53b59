/* Search in the grid: the next event whose text, as the status line has it, matches. */
#include <string.h>

#include "core/base/clock.h"
#include "tui/model/describe.h"
#include "grid_int.h"

#define FIRST_SLICE_MS 10

/* The first event of the grid's order that is not before the cursor. */
static uint32_t grid_order_at(const struct logical *l, struct trace_place cursor)
{
	uint32_t lo = l->tick_first[cursor.tick], hi = l->tick_first[cursor.tick + 1];

	while (lo < hi && trace_process_of(l->trace, l->order_of[lo]) < cursor.process)
		lo++;
	return lo;
}

void grid_find(struct view *v, bool back, bool from_here)
{
	struct grid_search *s = &((struct grid *)v)->search;
	const struct model *m = v->model;
	const struct logical *l = model_logical(m);
	uint32_t n = l ? l->trace->event_count : 0, here;

	v->list.found = LIST_NOT_FOUND;
	if (!n || !model_ticks(m))
		return;
	here = grid_order_at(l, m->cursor);
	*s = (struct grid_search){.busy = true, .back = back, .from_here = from_here, .serial = m->serial, .left = n};
	if (back)
		s->at = here ? here - 1 : n - 1;
	else
		s->at = (here + (!from_here && model_event(m) != NO_EVENT)) % n;
	v->list.found = LIST_SEARCHING;
	grid_work(v, FIRST_SLICE_MS);
}

unsigned grid_work(struct view *v, unsigned ms)
{
	struct grid_search *search = &((struct grid *)v)->search;
	struct model *m = v->model;
	const struct logical *l = model_logical(m);
	double until = clock_ms() + ms;
	char text[512];

	if (!search->busy)
		return REACT_IGNORED;
	if (v->list.found != LIST_SEARCHING || !v->list.search) {
		search->busy = false; /* stopped */
		v->list.found = LIST_FOUND;
		return REACT_DONE;
	}
	if (search->serial != m->serial) {
		search->busy = false; /* the trace is laid out again: so is the search */
		grid_find(v, search->back, search->from_here);
		return REACT_DONE;
	}
	for (uint32_t n = l->trace->event_count; search->left; search->left--) {
		uint32_t e = l->order_of[search->at];
		struct trace_place at = {trace_process_of(l->trace, e), l->tick[e]};

		enum query_result match;

		if (clock_ms() >= until)
			return REACT_DONE;
		place_describe(m, at, false, text, sizeof text);
		match = query_match(v->list.search, text, strlen(text), NULL, NULL);
		if (match == QUERY_GAVE_UP) {
			list_give_up(&v->list);
			search->busy = false;
			return REACT_DONE;
		}
		if (match == QUERY_YES) {
			m->cursor = at;
			v->list.found = LIST_FOUND;
			search->busy = false;
			return REACT_DONE;
		}
		search->at = search->back ? (search->at ? search->at - 1 : n - 1) : (search->at + 1 == n ? 0 : search->at + 1);
	}
	v->list.found = LIST_NOT_FOUND;
	search->busy = false;
	return REACT_DONE;
}

double grid_progress(const struct view *v)
{
	const struct grid_search *s = &((const struct grid *)v)->search;
	const struct logical *l = model_logical(v->model);

	return l && l->trace->event_count ? 1 - (double)s->left / l->trace->event_count : 1;
}
