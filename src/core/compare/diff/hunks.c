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

#define PER_STEP 16384 /* lines; a row has two a process at most */

static void shown_line_fill(struct shown_line *to, const struct diff_align *x, const struct hunk_line *line)
{
	memset(to, 0, sizeof *to); /* what goes to others has no bytes that nobody wrote */
	to->there = true;
	to->mark = line->mark;
	to->process = line->process;
	for (int side = DIFF_A; side <= DIFF_B; side++)
		to->cell[side] = run_diff_cell(x->d, (enum diff_side)side, line->event[side]);
}

enum err_code hunk_lines_init(struct hunk_lines *l, const struct diff_align *x, struct err *e)
{
	uint32_t ranks;
	enum err_code code;

	*l = (struct hunk_lines){.align = x, .team = run_diff_team(x->d)};
	ranks = team_size(l->team);
	if (ranks == 1)
		return ERR_OK;
	l->rank = ranks;
	l->from = mem_zero(ranks, sizeof *l->from);
	l->take = mem_zero(ranks, sizeof *l->take);
	code = team_agree(l->team, l->from && l->take ? ERR_OK : err_memory(e, "the hunks"), e);
	if (code) {
		mem_free(l->from);
		mem_free(l->take);
	}
	return code;
}

/* ---- between ranks ---- */

/* The row that is to be told next; false: there is none. */
static bool has_row(struct hunk_lines *l)
{
	if (l->ahead_row < l->ahead.end)
		return true;
	if (!hunk_next(&l->ahead, l->align))
		return false;
	l->ahead_row = l->ahead.first;
	return true;
}

/* A row's own lines, behind how many there are. */
static void put_row(struct team_pack *pack, const struct diff_align *x, uint32_t row)
{
	const struct hunk h = {.first = row, .end = row + 1};
	uint32_t count = 0;
	size_t at = pack->n;

	team_put(pack, &count, sizeof count);
	for (struct hunk_line line = {0}; hunk_line_next(&line, &h, x); count++) {
		struct shown_line told;

		shown_line_fill(&told, x, &line);
		team_put(pack, &told, sizeof told);
	}
	if (!pack->failed)
		memcpy(pack->bytes + at, &count, sizeof count);
}

/* For as many rows as fit. */
static enum err_code hunk_rows_exchange(struct hunk_lines *l, struct err *e)
{
	uint32_t ranks = l->team->size, processes = l->align->d->process_count, most = PER_STEP / 2 / (processes ? processes : 1) + 1;
	struct team_pack pack = {0};
	enum err_code code;

	for (l->rows = 0; l->rows < most && has_row(l); l->rows++)
		put_row(&pack, l->align, l->ahead_row++);
	team_bytes_free(l->from, ranks);
	code = pack.failed ? err_memory(e, "the hunks") : ERR_OK;
	code = code ? team_agree(l->team, code, e) : team_gather(l->team, pack.bytes, pack.n, l->from, e);
	mem_free(pack.bytes);
	l->agreed = code != ERR_OK;
	for (uint32_t r = 0; r < ranks; r++)
		l->take[r] = (struct team_take){l->from[r].bytes, l->from[r].n};
	l->rank = ranks;
	l->lines = 0;
	return code;
}

/* To the next rank that has lines of the row, or the next row; false: of the hunk there is no more. */
static enum err_code hunk_lines_advance(struct hunk_lines *l, bool *there, struct err *e)
{
	enum err_code code = ERR_OK;

	while (!code && !l->lines && (l->rows_of_hunk || l->rank < l->team->size)) {
		if (l->rank < l->team->size) {
			team_take(&l->take[l->rank++], &l->lines, sizeof l->lines);
		} else {
			if (!l->rows)
				code = hunk_rows_exchange(l, e);
			l->rows--;
			l->rows_of_hunk--;
			l->rank = 0;
		}
	}
	*there = !code && l->lines;
	return code;
}

/* ---- lines of all ranks ---- */

void hunk_lines_of(struct hunk_lines *l, const struct hunk *h)
{
	l->hunk = h;
	l->line = (struct hunk_line){0};
	l->rows_of_hunk = h->end - h->first;
}

enum err_code hunk_lines_next(struct hunk_lines *l, struct shown_line *line, struct err *e)
{
	enum err_code code;
	bool there;

	line->there = false;
	if (team_size(l->team) == 1) {
		if (hunk_line_next(&l->line, l->hunk, l->align))
			shown_line_fill(line, l->align, &l->line);
		return ERR_OK;
	}
	code = hunk_lines_advance(l, &there, e);
	if (code || !there)
		return code;
	l->lines--;
	team_take(&l->take[l->rank - 1], line, sizeof *line);
	return ERR_OK;
}

enum err_code hunk_lines_end(struct hunk_lines *l, enum err_code code, struct err *e)
{
	while (team_rank(l->team) && !code && has_row(l))
		code = hunk_rows_exchange(l, e);
	if (!l->agreed)
		code = team_agree(l->team, code, e);
	if (l->from)
		team_bytes_free(l->from, team_size(l->team));
	mem_free(l->from);
	mem_free(l->take);
	return code;
}
