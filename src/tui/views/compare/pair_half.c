/* Two runs side by side: places, layout and keys. */
#include "compare_int.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/search.h"
#include "core/base/text.h"
#include "tui/model/run_list.h"
#include "tui/widgets/units.h"

#define LIST_LEAST 4 /* rows of groups, with the header, before processes get the room */

#define LINES_LEAST 5 /* of a diff, with their title */

/* --- places --- */

const struct logical *pair_logical(const struct run_pair *p, int side)
{
	const struct analysis *a = run_pair_side(p, side);

	/* The ticks that are shown are those that were compared. */
	return p->first ? p->first->side[side]->logical : a ? a->logical : NULL;
}

uint32_t pair_columns(const struct run_pair *p)
{
	uint32_t n[2] = {0, 0};

	if (p->first && p->first->align)
		return p->first->align->row_count;
	for (int side = 0; side < 2; side++)
		n[side] = pair_logical(p, side) ? pair_logical(p, side)->tick_count : 0;
	return n[0] > n[1] ? n[0] : n[1];
}

void pair_ticks_at(const struct run_pair *p, uint32_t at, uint32_t tick[2])
{
	for (int side = 0; side < 2; side++) {
		const struct logical *l = pair_logical(p, side);

		if (p->first && p->first->align)
			tick[side] = at < p->first->align->row_count ? p->first->align->rows[at].tick[side] : NO_TICK;
		else
			tick[side] = l && at < l->tick_count ? at : NO_TICK;
	}
}

uint32_t pair_event(const struct run_pair *p, int side, uint32_t tick, uint32_t process)
{
	const struct logical *l = pair_logical(p, side);

	if (!l || tick == NO_TICK || process >= l->trace->process_count)
		return NO_EVENT;
	return logical_event_at(l, tick, process);
}

enum diff_change pair_change(const struct run_pair *p, int side, uint32_t event, const uint32_t tick[2], uint32_t process)
{
	const struct pair_ticks *t = p->first;
	uint32_t other;

	if (!t || t->verdict == DIFF_PROCESSES || event == NO_EVENT)
		return CHANGE_NONE;
	if (t->align)
		return diff_change_of(t->align, (enum diff_side)side, event);
	other = pair_event(p, !side, tick[!side], process);
	if (other == NO_EVENT || run_diff_key(t->diff, (enum diff_side)side, event) != run_diff_key(t->diff, (enum diff_side)!side, other))
		return side == DIFF_A ? CHANGE_REMOVED : CHANGE_ADDED;
	return trace_size(pair_logical(p, side)->trace, event) != trace_size(pair_logical(p, !side)->trace, other) ? CHANGE_RESIZED : CHANGE_NONE;
}

uint32_t pair_hunk_at(const struct pair_ticks *t, uint32_t at)
{
	return SEARCH_PAST(i, 0, t->hunk_count, t->hunks[i] <= at);
}

const char *pair_name(const struct model *m, int side, char *safe, size_t size)
{
	bool open = (side == 0) != m->pair.swapped;
	uint32_t other = runs_by_id(m->runs, m->pair.with);
	uint32_t index = open ? m->runs->open : other;

	if (index == UINT32_MAX)
		return "";
	return text_safe(safe, size, run_name(&m->runs->list[index]), SIZE_MAX, TEXT_UTF8);
}

static uint32_t processes(const struct run_pair *p)
{
	uint32_t most = 0;

	for (int side = 0; side < 2; side++) {
		const struct logical *l = pair_logical(p, side);

		most = l && l->trace->process_count > most ? l->trace->process_count : most;
	}
	return most;
}

/* --- layout --- */

void pair_open(struct compare_view *s)
{
	list_init(&s->beside.groups);
}

void pair_close(struct compare_view *s)
{
	list_release(&s->beside.groups);
}

static void pair_lay_out(struct pair_half *h, const struct run_pair *p, int width, int height)
{
	int room = height - PAIR_HEAD, n = (int)processes(p), half = (width - PAIR_GUTTER - 1) / 2;
	int list = (int)h->groups.shown + 1 < LIST_LEAST ? (int)h->groups.shown + 1 : LIST_LEAST;

	h->w = width;
	h->h = height;
	h->cell = half >= 60 ? 13 : 8;
	h->cells = half / h->cell > 0 ? half / h->cell : 1;
	h->rows = n <= room - list ? n : room - list;
	h->rows = h->rows < 1 ? 1 : h->rows;
	h->list_rows = room - h->rows - 1 > 0 ? room - h->rows - 1 : 0;
	h->line_rows = h->list_rows - (int)h->groups.shown;
	if (h->line_rows < LINES_LEAST || !p->first || !p->first->align || p->first->beyond == p->first->diff->process_count)
		h->line_rows = 0;
	h->list_rows -= h->line_rows;
	h->strip = width - PAIR_GUTTER - 1;
	h->strip = h->strip > 512 ? 512 : h->strip < 0 ? 0 : h->strip;
}

static uint32_t window(uint32_t first, uint32_t at, uint32_t cells, uint32_t n)
{
	if (at < first)
		first = at;
	if (at >= first + cells)
		first = at - cells + 1;
	return first + cells > n ? n > cells ? n - cells : 0 : first;
}

/* The cursor within what there is, the windows round it. */
static void pair_fit_windows(struct pair_half *h, const struct run_pair *p)
{
	uint32_t n = pair_columns(p), all = processes(p), rows = (uint32_t)h->rows;
	bool together = h->at == h->at_right;

	h->at = h->at < n ? h->at : n ? n - 1 : 0;
	h->at_right = together || h->at_right >= n ? h->at : h->at_right;
	h->first[0] = window(h->first[0], h->at, (uint32_t)h->cells, n);
	h->first[1] = together ? h->first[0] : window(h->first[1], h->at_right, (uint32_t)h->cells, n);
	h->process = h->process < all ? h->process : all ? all - 1 : 0;
	h->first_process = window(h->first_process, h->process, rows, all);
}

static void pair_go_tick(struct pair_half *h, uint32_t at)
{
	uint32_t context = (uint32_t)h->cells / 3;

	/* A place that is seen stays where it is; otherwise with something before it. */
	if (at < h->first[0] || at >= h->first[0] + (uint32_t)h->cells || h->at != h->at_right)
		h->first[0] = at > context ? at - context : 0;
	h->at = h->at_right = at;
}

/* What is new: the cursor goes to the first difference, and stays on its tick when the ticks have been aligned. */
static void pair_follow_news(struct pair_half *h, const struct run_pair *p)
{
	bool aligned = p->first && p->first->align;
	const struct diff_first *f = p->first ? &p->first->first : NULL;

	if (!p->first)
		return;
	if (h->of != p->comparing.serial || !h->placed) {
		h->placed = true;
		h->was_aligned = false;
		h->of = p->comparing.serial;
		pair_go_tick(h, f->there ? f->tick : 0);
		h->process = f->there ? f->process : 0;
	}
	if (aligned && !h->was_aligned) {
		for (int side = 0; side < 2; side++)
			if (h->at < p->first->side[side]->logical->tick_count) {
				pair_go_tick(h, p->first->align->row_of[side][h->at]);
				break;
			}
		if (f->there && h->at > diff_align_next(p->first->align, NO_ROW))
			pair_go_tick(h, diff_align_next(p->first->align, NO_ROW));
	}
	h->was_aligned = aligned;
}

static void make_strip(struct pair_half *h, const struct run_pair *p)
{
	h->densest = 0;
	if (!p->first || !p->first->align || !h->strip)
		return;
	diff_align_density(p->first->align, h->density, (uint32_t)h->strip);
	for (int i = 0; i < h->strip; i++)
		h->densest = h->density[i] > h->densest ? h->density[i] : h->densest;
}

void pair_update(struct compare_view *s, int w, int h)
{
	struct model *m = s->view.model;
	struct pair_half *half = &s->beside;
	bool resized = half->w != w || half->h != h;

	if (!m->analysis || !m->background)
		return;
	run_pair_update(m);
	if (half->serial != m->pair.serial) {
		pair_groups_refresh(s);
		pair_follow_news(half, &m->pair);
	}
	pair_lay_out(half, &m->pair, w, h);
	if (half->serial != m->pair.serial || resized)
		make_strip(half, &m->pair);
	half->serial = m->pair.serial;
	list_fit(&half->groups, half->list_rows);
	pair_fit_windows(half, &m->pair);
}

struct pane pair_list_pane(const struct compare_view *s, struct pane p)
{
	int bars = s->beside.bars ? p.w >= PAIR_BARS_BESIDE ? p.w * 2 / 5 : p.w / 2 : 0;

	return pane_part(p, 0, p.h - s->beside.line_rows - s->beside.list_rows - 1, p.w - bars, s->beside.list_rows + 1);
}

/* --- keys --- */

const struct hint pair_hints[] = {
	{ACTION_NEXT_DIFFERENCE, ACTION_PREVIOUS_DIFFERENCE, "difference"},
	{ACTION_NEXT_HUNK, ACTION_PREVIOUS_HUNK, "hunk"},
	{ACTION_ENTER, ACTION_NONE, "show phase"},
	{ACTION_WATERFALL, ACTION_NONE, "waterfall"},
	{ACTION_COMPARE_KIND, ACTION_NONE, "phases, blocks"},
	{ACTION_SWAP, ACTION_NONE, "swap"},
	{ACTION_DETAIL_DOWN, ACTION_DETAIL_UP, "rank"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

/* The process of the column that differs first. */
static void to_process(struct pair_half *h, const struct run_pair *p)
{
	uint32_t tick[2];

	pair_ticks_at(p, h->at, tick);
	for (uint32_t q = 0; q < processes(p); q++)
		for (int side = 0; side < 2; side++)
			if (pair_change(p, side, pair_event(p, side, tick[side], q), tick, q)) {
				h->process = q;
				return;
			}
}

static unsigned to_difference(struct compare_view *s, bool back, bool hunk)
{
	struct pair_half *h = &s->beside;
	struct model *m = s->view.model;
	const struct pair_ticks *t = m->pair.first;
	uint32_t to = NO_ROW, at;

	if (!t)
		return REACT_DONE;
	if (!t->align) {
		snprintf(m->message, sizeof m->message, "%s", t->verdict == DIFF_PROCESSES ?
			 "Runs with different numbers of processes have no ticks in common." : "Still aligning the runs; try again in a moment.");
		return REACT_DONE;
	}
	if (hunk) {
		at = pair_hunk_at(t, h->at); /* this one's number is at - 1 */
		if (back && at && t->hunks[at - 1] == h->at)
			at--;
		to = back ? at ? t->hunks[at - 1] : NO_ROW : at < t->hunk_count ? t->hunks[at] : NO_ROW;
	} else {
		to = back ? diff_align_previous(t->align, h->at) : diff_align_next(t->align, h->at);
	}
	if (to == NO_ROW) {
		snprintf(m->message, sizeof m->message, "No %s %s this one.", hunk ? "hunk" : "difference", back ? "before" : "after");
		return REACT_DONE;
	}
	pair_go_tick(h, to);
	to_process(h, &m->pair);
	return REACT_DONE;
}

/* Where a phase of one side is first seen, as an aligned tick; NO_ROW: that side has none of them. */
static uint32_t first_of(const struct run_pair *p, int side, const struct phase_side *phases)
{
	const struct analysis *a = run_pair_side(p, side);
	const struct pair_ticks *t = p->first;
	uint32_t least = NO_TICK;

	for (uint32_t i = 0; i < phases->count; i++) {
		uint32_t id = phases->ids[i], o;

		if (!id || id > a->phases->count)
			continue;
		o = a->phases->by_phase[a->phases->phase_first[id - 1]];
		least = a->phases->occurrences[o].first < least ? a->phases->occurrences[o].first : least;
	}
	return least == NO_TICK || !t || !t->align ? least : t->align->row_of[side][least];
}

static unsigned to_group(struct compare_view *s)
{
	struct pair_half *h = &s->beside;
	const struct run_pair *p = &s->view.model->pair;
	const struct phase_group *g = pair_group(p, list_row(&h->groups));
	uint32_t left, right;

	if (!g)
		return REACT_DONE;
	left = first_of(p, 0, &g->a);
	right = first_of(p, 1, &g->b);
	if (left == NO_ROW && right == NO_ROW)
		return REACT_DONE;
	pair_go_tick(h, left == NO_ROW ? right : left);
	if (right != NO_ROW && right != h->at) {
		h->at_right = right;
		h->first[1] = right > (uint32_t)h->cells / 3 ? right - (uint32_t)h->cells / 3 : 0;
	}
	return REACT_DONE;
}

static unsigned to_grid(struct compare_view *s, int side)
{
	struct model *m = s->view.model;
	const struct run_pair *p = &m->pair;
	uint32_t tick[2];

	if ((side == 0) == p->swapped) {
		snprintf(m->message, sizeof m->message, "This run is not the open trace; open it in Runs.");
		return REACT_DONE;
	}
	pair_ticks_at(p, side ? s->beside.at_right : s->beside.at, tick);
	if (tick[side] == NO_TICK)
		return REACT_DONE;
	model_goto(m, s->beside.process, tick[side]);
	return REACT_JUMPED | react_show(VIEW_GRID);
}

static unsigned pair_move_cursor(struct pair_half *h, enum action a, uint32_t n)
{
	uint32_t page = (uint32_t)h->cells, at = h->at;

	switch (a) {
	case ACTION_LEFT: at -= at > 0; break;
	case ACTION_RIGHT: at++; break;
	case ACTION_PAGE_LEFT: at = at > page ? at - page : 0; break;
	case ACTION_PAGE_RIGHT: at += page; break;
	case ACTION_DETAIL_UP: h->process -= h->process > 0; return REACT_DONE;
	case ACTION_DETAIL_DOWN: h->process++; return REACT_DONE; /* update brings it back */
	default: return REACT_IGNORED;
	}
	at = at < n ? at : n ? n - 1 : 0;
	if (h->at != h->at_right)
		h->first[0] = at; /* the sides are together again */
	h->at = h->at_right = at;
	return REACT_DONE;
}

unsigned pair_act(struct compare_view *s, enum action a)
{
	struct model *m = s->view.model;
	struct pair_half *h = &s->beside;

	if (a == ACTION_BACK)
		return run_pair_stop(&m->pair) ? REACT_DONE : REACT_IGNORED;
	if (a == ACTION_ENTER && run_pair_failure(&m->pair)[0]) {
		run_pair_again(&m->pair);
		return REACT_DONE;
	}
	if (!m->pair.with)
		return REACT_IGNORED;
	if (list_act(&h->groups, a))
		return REACT_DONE;
	switch (a) {
	case ACTION_NEXT_DIFFERENCE: return to_difference(s, false, false);
	case ACTION_PREVIOUS_DIFFERENCE: return to_difference(s, true, false);
	case ACTION_NEXT_HUNK: return to_difference(s, false, true);
	case ACTION_PREVIOUS_HUNK: return to_difference(s, true, true);
	case ACTION_WATERFALL:
		h->bars = !h->bars;
		return REACT_DONE;
	case ACTION_SWAP:
		m->pair.swapped = !m->pair.swapped;
		h->placed = false;
		return REACT_DONE;
	case ACTION_ENTER: return to_group(s);
	case ACTION_GOTO: return to_grid(s, 0);
	case ACTION_GOTO_RIGHT: return to_grid(s, 1);
	default: return pair_move_cursor(h, a, pair_columns(&m->pair));
	}
}

/* --- the place in words --- */

static void pair_describe_cell(const struct run_pair *p, int side, uint32_t tick, uint32_t process, char *text, size_t size)
{
	uint32_t event = pair_event(p, side, tick, process);
	char buf[UNIT_TEXT], name[128];

	if (event == NO_EVENT) {
		snprintf(text, size, tick == NO_TICK ? "no tick" : "nothing");
		return;
	}
	trace_type_text(pair_logical(p, side)->trace, pair_logical(p, side)->trace->type[event], name, sizeof name);
	snprintf(text, size, "tick %u: %s %s", (unsigned)tick, name,
		 unit_size(buf, trace_size(pair_logical(p, side)->trace, event)));
}

void pair_status(const struct compare_view *s, char *text, size_t size, int room)
{
	const struct run_pair *p = &s->view.model->pair;
	uint32_t left[2], right[2];
	char a[256], b[256];

	text[0] = 0;
	if (!pair_columns(p))
		return;
	pair_ticks_at(p, s->beside.at, left);
	pair_ticks_at(p, s->beside.at_right, right);
	pair_describe_cell(p, 0, left[0], s->beside.process, a, sizeof a);
	pair_describe_cell(p, 1, right[1], s->beside.process, b, sizeof b);
	snprintf(text, size, "%s · left %s · right %s", unit_rank((char[UNIT_TEXT]){""}, s->beside.process), a, b);
	text_drop_facts(text, room);
}
