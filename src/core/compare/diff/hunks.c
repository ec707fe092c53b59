#include "diff.h"

#include "core/base/search.h"

/* Of this side's tick in a row: its events, from *at to *end. */
static void events_of(const struct diff_align *x, enum diff_side side, uint32_t row, uint32_t *at, uint32_t *end)
{
	uint32_t tick = x->rows[row].tick[side];
	const struct logical *l = x->d->run[side].l;

	*at = tick == NO_TICK ? 0 : l->tick_first[tick];
	*end = tick == NO_TICK ? 0 : l->tick_first[tick + 1];
}

static uint32_t side_process_of(const struct diff_align *x, enum diff_side side, uint32_t event)
{
	return trace_process_of(x->d->run[side].l->trace, event);
}

/* What of a row's changes is of processes whose edits are known; false: nothing. */
static bool count_row(const struct diff_align *x, uint32_t row, struct hunk *h)
{
	const struct diff_row *r = &x->rows[row];

	h->removed += r->removed;
	h->added += r->added;
	h->resized += r->resized;
	return r->removed || r->added || r->resized;
}

/* How many ticks of a side stand up to a row, and in it. */
static uint32_t passed(const struct diff_align *x, enum diff_side side, uint32_t row)
{
	return SEARCH_PAST(i, 0, x->d->run[side].l->tick_count, x->row_of[side][i] <= row);
}

/* From the last row of a hunk to another: at most HUNK_NEAR ticks in a side that the other row has. */
static bool hunk_is_near(const struct diff_align *x, const uint32_t last[2], uint32_t row)
{
	for (int side = DIFF_A; side <= DIFF_B; side++)
		if (x->rows[row].tick[side] != NO_TICK && x->rows[row].tick[side] + 1 - last[side] <= HUNK_NEAR)
			return true;
	return false;
}

static void hunk_measure(struct hunk *h, const struct diff_align *x)
{
	for (int side = DIFF_A; side <= DIFF_B; side++) {
		uint32_t begin = h->first ? passed(x, (enum diff_side)side, h->first - 1) : 0;

		h->tick[side] = begin;
		h->ticks[side] = passed(x, (enum diff_side)side, h->end - 1) - begin;
	}
}

bool hunk_next(struct hunk *h, const struct diff_align *x)
{
	uint32_t from = h->end, last[2] = {0, 0};

	*h = (struct hunk){.first = from, .end = from};
	while (h->first < x->row_count && !count_row(x, h->first, h))
		h->first++;
	if (h->first == x->row_count)
		return false;
	h->end = h->first + 1;
	for (int side = DIFF_A; side <= DIFF_B; side++)
		last[side] = passed(x, (enum diff_side)side, h->first);
	for (uint32_t row = h->end; row < x->row_count; row++) {
		if (!x->rows[row].changes)
			continue;
		if (!hunk_is_near(x, last, row))
			break;
		if (!count_row(x, row, h))
			continue;
		h->end = row + 1;
		for (int side = DIFF_A; side <= DIFF_B; side++)
			last[side] = passed(x, (enum diff_side)side, row);
	}
	hunk_measure(h, x);
	return true;
}

/* ---- lines ---- */

/* What the side has to say next in the row, or NO_EVENT: of B only what was added. */
static uint32_t side_peek_event(const struct diff_align *x, enum diff_side side, uint32_t row, uint32_t *at)
{
	uint32_t end, begin;

	events_of(x, side, row, &begin, &end);
	for (; *at < end - begin; (*at)++) {
		uint32_t event = x->d->run[side].l->order_of[begin + *at];

		if (x->d->processes[side_process_of(x, side, event)].script.beyond)
			continue;
		if (side == DIFF_A || x->partner[DIFF_B][event] == NO_EVENT)
			return event;
	}
	return NO_EVENT;
}

bool hunk_line_next(struct hunk_line *line, const struct hunk *h, const struct diff_align *x)
{
	static const char marks[] = {[CHANGE_NONE] = ' ', [CHANGE_REMOVED] = '-', [CHANGE_ADDED] = '+', [CHANGE_RESIZED] = '~'};
	uint32_t a, b;
	bool of_b;

	if (!line->begun)
		*line = (struct hunk_line){.row = h->first, .begun = true};
	for (;; line->row++, line->at[DIFF_A] = line->at[DIFF_B] = 0) {
		if (line->row == h->end)
			return false;
		a = side_peek_event(x, DIFF_A, line->row, &line->at[DIFF_A]);
		b = side_peek_event(x, DIFF_B, line->row, &line->at[DIFF_B]);
		if (a != NO_EVENT || b != NO_EVENT)
			break;
	}
	of_b = a == NO_EVENT || (b != NO_EVENT && side_process_of(x, DIFF_B, b) < side_process_of(x, DIFF_A, a));
	line->at[of_b]++;
	line->process = side_process_of(x, of_b ? DIFF_B : DIFF_A, of_b ? b : a);
	line->event[DIFF_A] = of_b ? NO_EVENT : a;
	line->event[DIFF_B] = of_b ? b : x->partner[DIFF_A][a];
	line->mark = marks[diff_change_of(x, of_b ? DIFF_B : DIFF_A, of_b ? b : a)];
	return true;
}
