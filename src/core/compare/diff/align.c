#include "diff.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/search.h"
#include "diff_int.h"

#define PIECE 16384 /* rows whose changes ranks tell each other at once */

/* ---- partners by the edits ---- */

static void no_partners(struct diff_align *x)
{
	for (int side = DIFF_A; side <= DIFF_B; side++)
		for (uint32_t i = 0; i < x->d->run[side].l->trace->event_count; i++)
			x->partner[side][i] = NO_EVENT;
}

enum err_code diff_stopped(const struct progress *progress, struct err *e)
{
	return progress_stopped(progress) ? err_set(e, ERR_CANCELLED, "interrupted") : ERR_OK;
}

static enum err_code pair_kept(struct diff_align *x, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	no_partners(x);
	for (uint32_t p = 0; !code && p < x->d->process_count; p++) {
		struct diff_walk w = diff_walk(x->d, p);

		while (diff_next(&w))
			if (w.a != NO_EVENT && w.b != NO_EVENT) {
				x->partner[DIFF_A][w.a] = w.b;
				x->partner[DIFF_B][w.b] = w.a;
			}
		code = progress_step(progress, PROGRESS_DIFF, p, x->d->process_count, e);
	}
	return code;
}

/* ---- ticks that correspond ---- */

/* to[t], for ticks of A: what was voted for becomes the tick of B that stands in its row, NO_TICK: not said. Of what
 * was voted for, the longest strictly ascending part: ends[n] is the tick at which the best part of n + 1 ends. */
static enum err_code correspond(const struct diff_align *x, uint32_t *to, const struct progress *progress, struct err *e)
{
	uint32_t ticks = x->d->run[DIFF_A].l->tick_count, length = 0, at;
	uint32_t *ends = mem_alloc(ticks, sizeof *ends), *before = mem_alloc(ticks, sizeof *before);
	enum err_code code = ends && before ? ERR_OK : err_memory(e, "the ticks that correspond");

	for (uint32_t t = 0; !code && t < ticks; t++) {
		uint32_t low;

		if ((t & 0xffff) == 0)
			code = diff_stopped(progress, e);
		if (to[t] == NO_TICK)
			continue;
		low = SEARCH_PAST(i, 0, length, to[ends[i]] < to[t]);
		before[t] = low ? ends[low - 1] : NO_TICK;
		ends[low] = t;
		length = low == length ? length + 1 : length;
	}
	at = !code && length ? ends[length - 1] : NO_TICK;
	for (uint32_t t = ticks; !code && t-- > 0;) {
		if (t == at)
			at = before[t];
		else
			to[t] = NO_TICK;
	}
	mem_free(ends);
	mem_free(before);
	return code;
}

/* ---- rows ---- */

static void put_row(struct diff_align *x, uint32_t a, uint32_t b)
{
	if (a != NO_TICK)
		x->row_of[DIFF_A][a] = x->row_count;
	if (b != NO_TICK)
		x->row_of[DIFF_B][b] = x->row_count;
	x->rows[x->row_count++] = (struct diff_row){.tick = {a, b}};
}

/* Up to, not including, these ticks: side by side as far as both go. */
static void put_between(struct diff_align *x, uint32_t *a, uint32_t to_a, uint32_t *b, uint32_t to_b)
{
	while (*a < to_a || *b < to_b)
		put_row(x, *a < to_a ? (*a)++ : NO_TICK, *b < to_b ? (*b)++ : NO_TICK);
}

static enum err_code put_rows(struct diff_align *x, uint32_t *to, const struct progress *progress, struct err *e)
{
	uint32_t ticks_a = x->d->run[DIFF_A].l->tick_count, ticks_b = x->d->run[DIFF_B].l->tick_count, a = 0, b = 0;
	enum err_code code = correspond(x, to, progress, e);

	for (uint32_t t = 0; !code && t < ticks_a; t++)
		if (to[t] != NO_TICK) {
			put_between(x, &a, t, &b, to[t]);
			put_row(x, a++, b++);
		}
	if (!code)
		put_between(x, &a, ticks_a, &b, ticks_b);
	return code;
}

static enum err_code lay_rows(struct diff_align *x, const struct progress *progress, struct err *e)
{
	const struct team *team = run_diff_team(x->d);
	uint32_t *to = mem_alloc(x->d->run[DIFF_A].l->tick_count, sizeof *to);
	enum err_code code = team_agree(team, to ? ERR_OK : err_memory(e, "the ticks that correspond"), e);

	if (!code)
		code = diff_votes(to, x, progress, e);
	if (!code)
		code = team_agree(team, put_rows(x, to, progress, e), e);
	mem_free(to);
	return code;
}

/* ---- what differs ---- */

/* For a process whose edits are not known: events of one row, of one type. */
static void pair_in_rows(struct diff_align *x, uint32_t process)
{
	const struct diff_run *ra = &x->d->run[DIFF_A], *rb = &x->d->run[DIFF_B];
	const uint32_t *first_a = ra->l->trace->first, *first_b = rb->l->trace->first;

	for (uint32_t i = first_a[process], k = first_b[process]; i < first_a[process + 1] && k < first_b[process + 1];) {
		uint32_t a = ra->sequence[i], b = rb->sequence[k];
		uint32_t row_a = x->row_of[DIFF_A][ra->l->tick[a]], row_b = x->row_of[DIFF_B][rb->l->tick[b]];

		if (row_a == row_b && run_diff_key(x->d, DIFF_A, a) == run_diff_key(x->d, DIFF_B, b)) {
			x->partner[DIFF_A][a] = b;
			x->partner[DIFF_B][b] = a;
		}
		i += row_a <= row_b;
		k += row_b <= row_a;
	}
}

static void row_count_change(struct diff_row *row, enum diff_change c, bool known)
{
	row->changes++;
	row->removed += known && c == CHANGE_REMOVED;
	row->added += known && c == CHANGE_ADDED;
	row->resized += known && c == CHANGE_RESIZED;
}

static enum err_code count_local(struct diff_align *x, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	for (int side = DIFF_A; side <= DIFF_B; side++) {
		const struct logical *l = x->d->run[side].l;
		const uint32_t *first = l->trace->first;

		for (uint32_t p = 0, i = 0; !code && p < x->d->process_count; p++) {
			bool known = !x->d->processes[p].script.beyond;

			for (; !code && i < first[p + 1]; i++) {
				enum diff_change c = diff_change_of(x, (enum diff_side)side, i);

				if (c == CHANGE_RESIZED ? side == DIFF_A : c != CHANGE_NONE)
					row_count_change(&x->rows[x->row_of[side][l->tick[i]]], c, known);
				if ((i & 0xffff) == 0)
					code = diff_stopped(progress, e);
			}
		}
	}
	return code;
}

/* What all ranks have counted, at all of them. */
static enum err_code join_counts(struct diff_align *x, struct err *e)
{
	enum { COUNTS = 4 };
	const struct team *team = run_diff_team(x->d);
	uint32_t *of;
	enum err_code code;

	if (team_size(team) == 1)
		return ERR_OK;
	of = mem_alloc(PIECE, COUNTS * sizeof *of);
	code = team_agree(team, of ? ERR_OK : err_memory(e, "the runs' ticks"), e);
	for (uint32_t at = 0, n; !code && at < x->row_count; at += n) {
		n = x->row_count - at < PIECE ? x->row_count - at : PIECE;
		for (uint32_t i = 0; i < n; i++) {
			const struct diff_row *row = &x->rows[at + i];

			memcpy(of + (size_t)i * COUNTS, (uint32_t[COUNTS]){row->changes, row->removed, row->added, row->resized},
			       COUNTS * sizeof *of);
		}
		code = team_reduce_u32(team, of, (size_t)n * COUNTS, TEAM_SUM, e);
		for (uint32_t i = 0; !code && i < n; i++) {
			struct diff_row *row = &x->rows[at + i];
			const uint32_t *sum = of + (size_t)i * COUNTS;

			row->changes = sum[0];
			row->removed = sum[1];
			row->added = sum[2];
			row->resized = sum[3];
		}
	}
	mem_free(of);
	return code;
}

static bool allocate(struct diff_align *x)
{
	size_t most = (size_t)x->d->run[DIFF_A].l->tick_count + x->d->run[DIFF_B].l->tick_count;
	bool all = true;

	x->rows = most < NO_ROW ? mem_alloc(most, sizeof *x->rows) : NULL;
	for (int side = DIFF_A; side <= DIFF_B; side++) {
		x->row_of[side] = mem_alloc(x->d->run[side].l->tick_count, sizeof **x->row_of);
		x->partner[side] = mem_alloc(x->d->run[side].l->trace->event_count, sizeof **x->partner);
		all = all && x->row_of[side] && x->partner[side];
	}
	return all && x->rows;
}

static enum err_code align_start(struct diff_align *x, const struct progress *progress, struct err *e)
{
	return allocate(x) ? pair_kept(x, progress, e) : err_memory(e, "the runs' ticks");
}

static enum err_code compare_rows(struct diff_align *x, const struct progress *progress, struct err *e)
{
	for (uint32_t p = 0; p < x->d->process_count; p++)
		if (x->d->processes[p].script.beyond)
			pair_in_rows(x, p);
	return count_local(x, progress, e);
}

enum err_code diff_align_new(struct diff_align **out, const struct run_diff *d, const struct progress *progress, struct err *e)
{
	const struct team *team = run_diff_team(d);
	struct diff_align *x = mem_zero(1, sizeof *x);
	enum err_code code;

	*out = NULL;
	if (x)
		x->d = d;
	code = team_agree(team, x ? align_start(x, progress, e) : err_memory(e, "the runs' ticks"), e);
	if (!code)
		code = lay_rows(x, progress, e);
	if (!code)
		code = team_agree(team, compare_rows(x, progress, e), e);
	if (!code)
		code = join_counts(x, e);
	for (uint32_t i = 0; !code && i < x->row_count; i++)
		x->changes += x->rows[i].changes;
	if (code)
		diff_align_free(x);
	else
		*out = x;
	return code;
}

void diff_align_free(struct diff_align *x)
{
	if (!x)
		return;
	mem_free(x->rows);
	for (int side = DIFF_A; side <= DIFF_B; side++) {
		mem_free(x->row_of[side]);
		mem_free(x->partner[side]);
	}
	mem_free(x);
}

/* ---- looking at it ---- */

enum diff_change diff_change_of(const struct diff_align *x, enum diff_side side, uint32_t event)
{
	uint32_t partner = x->partner[side][event];

	if (partner == NO_EVENT)
		return side == DIFF_A ? CHANGE_REMOVED : CHANGE_ADDED;
	return trace_size(x->d->run[side].l->trace, event) != trace_size(x->d->run[!side].l->trace, partner) ? CHANGE_RESIZED : CHANGE_NONE;
}

uint32_t diff_align_next(const struct diff_align *x, uint32_t row)
{
	for (uint32_t i = row == NO_ROW ? 0 : row + 1; i < x->row_count; i++)
		if (x->rows[i].changes)
			return i;
	return NO_ROW;
}

uint32_t diff_align_previous(const struct diff_align *x, uint32_t row)
{
	for (uint32_t i = row < x->row_count ? row : x->row_count; i-- > 0;)
		if (x->rows[i].changes)
			return i;
	return NO_ROW;
}

void diff_align_density(const struct diff_align *x, uint64_t *changes, uint32_t parts)
{
	for (uint32_t i = 0; i < parts; i++)
		changes[i] = 0;
	for (uint32_t i = 0; parts && i < x->row_count; i++)
		changes[(uint64_t)i * parts / x->row_count] += x->rows[i].changes;
}
