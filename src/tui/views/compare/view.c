/* Why are two phases not similar? The left one comes from a list or from under the cursor; the right one is its nearest
 * miss until you pick another. */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "compare_int.h"
#include "tui/widgets/units.h"

static struct compare_view *self(struct view *v)
{
	return (struct compare_view *)v;
}

/* --- nearest misses, in the background --- */

struct nearest {
	struct made made;
	const struct analysis *analysis; /* a reference */
	bool blocks;
	uint32_t a, count;
	struct why_miss misses[COMPARE_MISSES];
};

static void nearest_begin(void *made, const void *from)
{
	const struct compare_view *s = from;
	struct nearest *x = made;

	x->analysis = analysis_ref(s->view.model->analysis);
	x->blocks = s->blocks;
	x->a = s->a;
}

static bool nearest_is_of(const void *made, const void *from)
{
	const struct compare_view *s = from;
	const struct nearest *x = made;

	return x->analysis == s->view.model->analysis && x->a == s->a && x->blocks == s->blocks;
}

static enum err_code nearest_make(void *made, const struct progress *progress, struct err *e)
{
	struct nearest *x = made;
	const struct analysis *a = x->analysis;

	if (x->blocks)
		return why_nearest_bbps(x->misses, COMPARE_MISSES, &x->count, a->logical, a->bbps, x->a, &a->settings, progress, e);
	return why_nearest_phases(x->misses, COMPARE_MISSES, &x->count, a->logical, a->phases, x->a, &a->settings, progress, e);
}

static void nearest_release(void *made)
{
	analysis_unref(((struct nearest *)made)->analysis);
}

static const struct derived_kind nearest_kind = {
	"the nearest misses", sizeof(struct nearest), NULL, nearest_begin, nearest_is_of, nearest_make, nearest_release,
};

static uint32_t compare_count(const struct compare_view *s)
{
	const struct analysis *a = s->view.model->analysis;

	if (!a)
		return 0;
	return s->blocks ? a->bbps ? a->bbps->count : 0 : a->phases ? a->phases->count : 0;
}

/* --- the list of them --- */

enum { M_ID, M_WEIGHT, M_DISTANCE, M_VOLUME, M_EVENTS, M_COMPUTE, M_COLUMNS };

static const struct column_look columns[] = {
	[M_ID] = {"id", "Id", LOOK_RIGHT, .width = 8},
	[M_WEIGHT] = {"weight", "Weight", LOOK_RIGHT, .width = 8},
	[M_DISTANCE] = {"distance", "Distance", LOOK_RIGHT, .width = 8},
	[M_VOLUME] = {"volume", "Volume", LOOK_RIGHT, .width = 8},
	[M_EVENTS] = {"events", "Events", LOOK_RIGHT, .width = 8},
	[M_COMPUTE] = {"compute", "Compute", LOOK_RIGHT, .width = 8},
};

/* A threshold that would never do is an empty cell. */
static bool value_compare(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT])
{
	const struct compare_view *s = (const struct compare_view *)v;
	const struct analysis *a = v->model->analysis;
	const struct why_miss *m;
	bool never;

	(void)text;
	if (s->runs)
		return pair_value(s, row, column, c);
	m = &s->misses[row];
	never = column == M_VOLUME ? m->volume > 1 : column == M_EVENTS ? s->blocks || m->events < 0
		: column == M_COMPUTE && (!s->blocks || m->compute > 1);

	if (never)
		return true;
	switch (column) {
	case M_ID: *c = cell_whole(m->id); break;
	case M_WEIGHT: *c = cell_whole(s->blocks ? a->bbps->weight[m->id] : a->phases->list[m->id - 1].weight); break;
	case M_DISTANCE: *c = cell_figure(m->distance); break;
	case M_VOLUME: *c = cell_figure(m->volume); break;
	case M_EVENTS: *c = cell_figure(m->events); break;
	default: *c = cell_figure(m->compute);
	}
	return true;
}

/* What search and filter see: as it is drawn. */
static void field(const void *ctx, uint32_t row, int column, struct field *f)
{
	const struct compare_view *s = ctx;
	struct cell c = cell_empty();
	char buf[UNIT_TEXT], text[VALUE_TEXT];

	value_compare(&s->view, row, column, &c, text);
	if (column == M_ID)
		snprintf(f->text, sizeof f->text, "%s %s", s->blocks ? "block" : "phase", unit_count(buf, c.whole));
	else if (c.kind == CELL_WHOLE)
		snprintf(f->text, sizeof f->text, "× %s", unit_count(buf, c.whole));
	else if (c.kind == CELL_REAL)
		snprintf(f->text, sizeof f->text, "%s %s", columns[column].name, unit_percent(buf, c.real));
}

static const struct row_source rows = {columns, M_COLUMNS, field, NULL, NULL};

/* The list's cursor goes to the right one, if it is there. */
static void compare_follow_right(struct compare_view *s)
{
	for (uint32_t i = 0; i < s->miss_count; i++)
		if (s->misses[i].id == s->b)
			list_select(&s->view.list, i);
	s->miss_seen = list_row(&s->view.list);
}

/* The right one is what the list's cursor has been moved to. */
static void compare_lead_right(struct compare_view *s)
{
	uint32_t row = list_row(&s->view.list);

	if (s->misses_ready && row != s->miss_seen && row < s->miss_count)
		s->b = s->misses[row].id;
	s->miss_seen = row;
}

/* Rows of the list are of the latest, until those of what is compared are there. */
static void take_misses(struct compare_view *s)
{
	struct model *m = s->view.model;
	bool failed = s->nearest.failure[0], were_ready = s->misses_ready, came = derived_update(&s->nearest, &nearest_kind, m->background, s);
	const struct nearest *latest = s->nearest.now, *x = derived_current(&s->nearest, s);

	if (!failed && s->nearest.failure[0])
		snprintf(m->message, sizeof m->message, "%s", s->nearest.failure);
	s->misses = latest ? latest->misses : NULL;
	s->miss_count = x ? x->count : 0;
	s->misses_ready = x || s->nearest.failure[0];
	if (!x || (were_ready && !came))
		return;
	list_refresh(&s->view.list, &rows, s, s->miss_count, 0);
	s->view.list.cur = s->view.list.top = 0;
	if (s->b)
		compare_follow_right(s);
}

/* The right one where none was asked for: the nearest miss. They may be known from before. */
static void take_nearest(struct compare_view *s)
{
	if (s->b)
		return;
	s->b = s->miss_count ? s->misses[0].id : compare_count(s) > 1 ? (s->a > 1 ? 1 : 2) : 0;
	compare_follow_right(s);
}

/* --- what is compared --- */

/* The ticks of a phase's content. */
static void compare_window(const struct phases *p, uint32_t id, uint32_t *first, uint32_t *last)
{
	const struct occurrence *o = &p->occurrences[p->list[id - 1].content];

	*first = o->first;
	*last = o->last;
}

static uint32_t tick_of(const struct compare_view *s, uint32_t id)
{
	uint32_t first = 0, last;

	if (!id)
		return 0;
	if (s->blocks)
		return id - 1;
	compare_window(s->view.model->analysis->phases, id, &first, &last);
	return first;
}

static uint32_t at_tick(const struct compare_view *s, uint32_t tick)
{
	const struct analysis *a = s->view.model->analysis;
	uint32_t o;

	if (s->blocks)
		return tick + 1 <= a->bbps->count ? tick + 1 : a->bbps->count;
	o = phases_occurrence_at(a->phases, tick);
	return o == UINT32_MAX ? 1 : a->phases->occurrences[o].phase;
}

/* Another analysis has other ids: go on with those that are now where the two were. */
static void compare_choose(struct compare_view *s)
{
	struct model *m = s->view.model;

	if (m->compare.asked) {
		s->blocks = m->compare.blocks;
		s->a = m->compare.id;
		s->b = 0;
		m->compare.asked = false;
		s->detail = 0;
	} else if (!s->chosen_in) {
		s->a = at_tick(s, m->cursor.tick);
		s->b = 0;
	} else if (s->chosen_in != m->serial) {
		s->a = at_tick(s, s->tick_of_a);
		s->b = s->b ? at_tick(s, s->tick_of_b) : 0;
		if (s->b == s->a)
			s->b = 0; /* they have merged */
	}
	if (s->a > compare_count(s) || !s->a)
		s->a = 1;
	if (s->b > compare_count(s))
		s->b = 0;
	s->chosen_in = m->serial;
	s->tick_of_a = tick_of(s, s->a);
	s->tick_of_b = tick_of(s, s->b);
}

/* The send ticks of a window from number `skip` on. */
static uint32_t window_collect_sends(const struct logical *l, uint32_t first, uint32_t last, uint32_t skip, uint32_t *out)
{
	uint32_t n = 0;

	for (uint32_t t = first; t <= last && n < COMPARE_TICKS; t++) {
		if (!l->tick_sends[t])
			continue;
		if (skip)
			skip--;
		else
			out[n++] = t;
	}
	return n;
}

static void collect_ticks(struct compare_view *s)
{
	const struct analysis *a = s->view.model->analysis;

	for (int side = 0; side < 2; side++) {
		uint32_t first, last;

		compare_window(a->phases, side ? s->b : s->a, &first, &last);
		s->tick_count[side] = window_collect_sends(a->logical, first, last, s->offset, s->ticks[side]);
	}
	s->offset_made = s->offset;
}

static void compare_refresh(struct compare_view *s)
{
	const struct model *m = s->view.model;
	const struct analysis *a = m->analysis;
	struct err e = {ERR_OK, ""};
	bool same = s->ready && s->serial == m->serial && s->for_a == s->a && s->for_b == s->b && s->for_blocks == s->blocks;

	if (same) {
		if (!s->blocks && s->offset != s->offset_made)
			collect_ticks(s);
		return;
	}
	s->ready = false;
	if (!s->b)
		return;
	s->serial = m->serial;
	s->for_a = s->a;
	s->for_b = s->b;
	s->for_blocks = s->blocks;
	s->offset = s->detail = 0;
	if (s->blocks) {
		why_bbps(&s->pair, a->logical, s->a, s->b, &a->settings);
		s->ready = true;
		return;
	}
	if (why_phases(&s->windows, a->logical, a->phases, s->a, s->b, &a->settings, &e))
		return;
	s->ready = true;
	/* Where the first difference is to be seen. */
	if (s->windows.broken) {
		s->offset = s->windows.offset > 2 ? s->windows.offset - 2 : 0;
		s->detail = s->windows.process >= (uint32_t)s->rows ? s->windows.process - (uint32_t)s->rows / 2 : 0;
	}
	collect_ticks(s);
}

/* What another view, or a command, wants to be compared. True: runs. */
static bool take_kind(struct compare_view *s)
{
	struct model *m = s->view.model;

	if (m->compare.asked)
		s->runs = false;
	else if (m->pair.show)
		s->runs = true;
	m->pair.show = false;
	s->view.hints = s->runs ? pair_hints : s->view.ops->hints;
	return s->runs;
}

static void update_compare(struct view *v, int w, int h)
{
	struct compare_view *s = self(v);
	struct model *m = v->model;
	uint32_t n = model_processes(m);
	int room = h - COMPARE_HEAD - 1, list;

	if (take_kind(s)) {
		pair_update(s, w, h);
		return;
	}
	s->w = w;
	s->h = h;
	list = s->misses_ready && s->miss_count < 5 ? (int)s->miss_count : room < 10 ? room / 2 : 5;
	s->rows = room - list < (int)n ? room - list : (int)n;
	s->rows = s->rows < 1 ? 1 : s->rows;
	s->list_rows = room - s->rows > 0 ? room - s->rows : 0;
	if (!m->analysis || !m->background)
		return;
	if (m->compare.asked)
		s->blocks = m->compare.blocks;
	if (!compare_count(s))
		return;
	compare_choose(s);
	take_misses(s);
	if (s->misses_ready) {
		take_nearest(s);
		compare_lead_right(s);
	}
	list_fit(&v->list, s->list_rows);
	s->tick_of_b = tick_of(s, s->b);
	compare_refresh(s);
	compare_merge_update(s);
	if (s->detail + (uint32_t)s->rows > n)
		s->detail = n > (uint32_t)s->rows ? n - (uint32_t)s->rows : 0;
}

/* --- keys --- */

static unsigned compare_pick(struct compare_view *s, enum action a)
{
	uint32_t row;

	if (!s->misses_ready || !list_act(&s->view.list, a))
		return REACT_DONE;
	row = list_row(&s->view.list);
	if (row < s->miss_count)
		s->b = s->misses[row].id;
	s->miss_seen = row;
	return REACT_DONE;
}

/* Any other by number. */
static unsigned compare_step(struct compare_view *s, int by)
{
	uint32_t n = compare_count(s);

	if (n < 2)
		return REACT_DONE;
	do
		s->b = by > 0 ? s->b % n + 1 : s->b > 1 ? s->b - 1 : n;
	while (s->b == s->a);
	compare_follow_right(s);
	return REACT_DONE;
}

static unsigned to_grid(struct compare_view *s, uint32_t id)
{
	struct model *m = s->view.model;

	if (!id)
		return REACT_DONE;
	model_goto(m, m->cursor.process, tick_of(s, id));
	return REACT_JUMPED | react_show(VIEW_GRID);
}

/* The first cell that differs, as the left one has it. */
static unsigned to_difference(struct compare_view *s)
{
	struct model *m = s->view.model;
	const struct why_criterion *c = !s->pair.types.holds ? &s->pair.types : !s->pair.volume.holds ? &s->pair.volume
					: &s->pair.compute;

	if (!s->ready || (!s->blocks && !s->windows.broken))
		return to_grid(s, s->a);
	if (!s->blocks)
		model_goto(m, s->windows.process, s->windows.tick_a);
	else if (!c->holds && c->first.process != NO_PROCESS)
		model_goto(m, c->first.process, s->a - 1 + c->first.exit);
	else
		return to_grid(s, s->a);
	return REACT_JUMPED | react_show(VIEW_GRID);
}

/* Phases, blocks, runs. */
static void next_kind(struct compare_view *s)
{
	bool was = s->blocks;

	s->blocks = !s->runs && !s->blocks;
	s->runs = !s->runs && was;
	s->chosen_in = 0;
}

static unsigned act_compare(struct view *v, enum action a)
{
	struct compare_view *s = self(v);
	uint32_t swapped = s->a;

	if (a == ACTION_COMPARE_KIND) {
		next_kind(s);
		return REACT_DONE;
	}
	if (s->runs)
		return pair_act(s, a);
	if (!compare_count(s))
		return REACT_IGNORED;
	switch (a) {
	case ACTION_UP:
	case ACTION_DOWN:
	case ACTION_PAGE_UP:
	case ACTION_PAGE_DOWN:
	case ACTION_FIRST:
	case ACTION_LAST: return compare_pick(s, a);
	case ACTION_LEFT:
		s->offset -= s->offset > 0;
		return REACT_DONE;
	case ACTION_RIGHT:
		s->offset += !s->blocks && s->ready &&
			     s->offset + 1 < (s->windows.ticks_a > s->windows.ticks_b ? s->windows.ticks_a : s->windows.ticks_b);
		return REACT_DONE;
	case ACTION_DETAIL_UP:
		s->detail -= s->detail > 0;
		return REACT_DONE;
	case ACTION_DETAIL_DOWN:
		s->detail++;
		return REACT_DONE;
	case ACTION_PARTNER_NEXT: return compare_step(s, 1);
	case ACTION_PARTNER_PREVIOUS: return compare_step(s, -1);
	case ACTION_SWAP:
		if (s->b) {
			s->a = s->b;
			s->b = swapped;
		}
		return REACT_DONE;
	case ACTION_MERGE: return compare_merge_take(s) ? REACT_DONE | REACT_ACCEPT : REACT_DONE;
	case ACTION_ENTER: return to_difference(s);
	case ACTION_GOTO: return to_grid(s, s->a);
	case ACTION_GOTO_RIGHT: return to_grid(s, s->b);
	default: return REACT_IGNORED;
	}
}

/* None where it would not be seen. */
static const struct row_source *rows_compare(const struct view *v)
{
	const struct compare_view *s = (const struct compare_view *)v;

	if (s->runs)
		return pair_rows(s);
	return v->model->analysis && derived_current(&s->nearest, s) ? &rows : NULL;
}

static struct pane list_pane_compare(const struct view *v, struct pane p)
{
	const struct compare_view *s = (const struct compare_view *)v;
	int y = p.h - s->list_rows - 1;

	if (s->runs)
		return pair_list_pane(s, p);
	return pane_part(p, 0, y, p.w, s->list_rows + 1);
}

/* Blocks take a while on long traces: only where they are compared. */
static unsigned want_compare(const struct view *v)
{
	const struct model *m = v->model;

	if (((const struct compare_view *)v)->runs && !m->compare.asked)
		return 0;
	return (m->compare.asked ? m->compare.blocks : ((const struct compare_view *)v)->blocks) ? ANALYSIS_BBPS : 0;
}

static const struct hint hints[] = {
	{ACTION_DOWN, ACTION_UP, "nearest misses"},
	{ACTION_PARTNER_PREVIOUS, ACTION_PARTNER_NEXT, "by number"},
	{ACTION_ENTER, ACTION_NONE, "difference"},
	{ACTION_MERGE, ACTION_NONE, "merge"},
	{ACTION_GOTO, ACTION_GOTO_RIGHT, "logical view"},
	{ACTION_SWAP, ACTION_NONE, "swap"},
	{ACTION_COMPARE_KIND, ACTION_NONE, "phases, blocks, runs"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

static void status_compare(const struct view *v, char *text, size_t size, int room)
{
	const struct compare_view *s = (const struct compare_view *)v;
	uint32_t row = list_row(&v->list);
	const struct why_miss *m = row < s->miss_count ? &s->misses[row] : NULL;
	char n[UNIT_TEXT], d[UNIT_TEXT];

	text[0] = 0;
	if (s->runs) {
		pair_status(s, text, size, room);
		return;
	}
	if (!s->misses_ready)
		snprintf(text, size, "%s", compare_count(s) ? "Looking for the nearest misses…" : "");
	else if (m && m->id == s->b)
		snprintf(text, size, "%s %s is nearest miss %u of %u; the thresholds are %s away", s->blocks ? "block" : "phase",
			 unit_count(n, m->id), (unsigned)row + 1, (unsigned)s->miss_count, unit_percent(d, m->distance));
}

static void open_compare(struct view *v)
{
	pair_open(self(v));
}

static void close_compare(struct view *v)
{
	derived_release(&self(v)->nearest);
	derived_release(&self(v)->merge.trying);
	pair_close(self(v));
}

static struct list *list_compare(struct view *v)
{
	struct compare_view *s = self(v);

	return s->runs ? &s->beside.groups : &v->list;
}

const struct view_ops view_compare = {
	.want = want_compare,
	.size = sizeof(struct compare_view),
	.hints = hints,
	.open = open_compare,
	.close = close_compare,
	.update = update_compare,
	.draw = compare_draw,
	.act = act_compare,
	.status = status_compare,
	.rows = rows_compare,
	.value = value_compare,
	.list_pane = list_pane_compare,
	.list = list_compare,
};
