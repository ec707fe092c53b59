#include "diff_align.h"

#include "core/base/mem.h"

/* ---- partners by the edits ---- */

static void no_partners(struct diff_align *x)
{
	for (int side = DIFF_A; side <= DIFF_B; side++)
		for (uint32_t i = 0; i < x->d->run[side].l->trace->event_count; i++)
			x->partner[side][i] = NO_EVENT;
}

static enum err_code stopped(const struct job *job, struct err *e)
{
	return job_stopped(job) ? err_set(e, ERR_CANCELLED, "interrupted") : ERR_OK;
}

static enum err_code pair_kept(struct diff_align *x, const struct job *job, struct err *e)
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
		job_progress(job, JOB_DIFF, p, x->d->process_count);
		code = stopped(job, e);
	}
	return code;
}

/* ---- ticks that correspond ---- */

/* The tick of B that most events of a tick of A are kept with, if that is more than half of them; else some of those, or NO_TICK. A vote of
 * majority needs to remember one candidate at a time. */
static uint32_t voted(const struct diff_align *x, uint32_t tick)
{
	const struct logical *a = x->d->run[DIFF_A].l, *b = x->d->run[DIFF_B].l;
	uint32_t candidate = NO_TICK, votes = 0;

	for (uint32_t i = a->tick_first[tick]; i < a->tick_first[tick + 1]; i++) {
		uint32_t partner = x->partner[DIFF_A][a->order_of[i]], of;

		if (partner == NO_EVENT)
			continue;
		of = b->tick[partner];
		if (!votes)
			candidate = of;
		votes = of == candidate ? votes + 1 : votes - 1;
	}
	return candidate;
}

/* to[t], for ticks of A: the tick of B that stands in its row, NO_TICK: not said. Of what was voted for, the longest strictly ascending
 * part: ends[n] is the tick at which the best part of n + 1 ends. */
static enum err_code correspond(const struct diff_align *x, uint32_t *to, const struct job *job, struct err *e)
{
	uint32_t ticks = x->d->run[DIFF_A].l->tick_count, length = 0, at;
	uint32_t *ends = mem_alloc(ticks, sizeof *ends), *before = mem_alloc(ticks, sizeof *before);
	enum err_code code = ends && before ? ERR_OK : err_memory(e, "the ticks that correspond");

	for (uint32_t t = 0; !code && t < ticks; t++) {
		uint32_t low = 0, high = length;

		if ((t & 0xffff) == 0)
			code = stopped(job, e);
		to[t] = voted(x, t);
		if (to[t] == NO_TICK)
			continue;
		while (low < high) {
			uint32_t middle = low + (high - low) / 2;

			if (to[ends[middle]] < to[t])
				low = middle + 1;
			else
				high = middle;
		}
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
	x->rows[x->row_count++] = (struct diff_row){{a, b}, 0};
}

/* Up to, not including, these ticks: side by side as far as both go. */
static void put_between(struct diff_align *x, uint32_t *a, uint32_t to_a, uint32_t *b, uint32_t to_b)
{
	while (*a < to_a || *b < to_b)
		put_row(x, *a < to_a ? (*a)++ : NO_TICK, *b < to_b ? (*b)++ : NO_TICK);
}

static enum err_code lay_rows(struct diff_align *x, const struct job *job, struct err *e)
{
	uint32_t ticks_a = x->d->run[DIFF_A].l->tick_count, ticks_b = x->d->run[DIFF_B].l->tick_count, a = 0, b = 0;
	uint32_t *to = mem_alloc(ticks_a, sizeof *to);
	enum err_code code = to ? correspond(x, to, job, e) : err_memory(e, "the ticks that correspond");

	for (uint32_t t = 0; !code && t < ticks_a; t++)
		if (to[t] != NO_TICK) {
			put_between(x, &a, t, &b, to[t]);
			put_row(x, a++, b++);
		}
	if (!code)
		put_between(x, &a, ticks_a, &b, ticks_b);
	mem_free(to);
	return code;
}

/* ---- what differs ---- */

/* Of a process whose edits are not known: events of one row, of one type. */
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

static enum err_code count_changes(struct diff_align *x, const struct job *job, struct err *e)
{
	enum err_code code = ERR_OK;

	for (int side = DIFF_A; side <= DIFF_B; side++) {
		const struct logical *l = x->d->run[side].l;

		for (uint32_t i = 0; !code && i < l->trace->event_count; i++) {
			enum diff_change c = diff_change_of(x, (enum diff_side)side, i);
			bool counts = c == CHANGE_RESIZED ? side == DIFF_A : c != CHANGE_NONE;

			x->rows[x->row_of[side][l->tick[i]]].changes += counts;
			x->changes += counts;
			if ((i & 0xffff) == 0)
				code = stopped(job, e);
		}
	}
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

enum err_code diff_align_new(struct diff_align **out, const struct run_diff *d, const struct job *job, struct err *e)
{
	struct diff_align *x = mem_zero(1, sizeof *x);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (x)
		x->d = d;
	if (!x || !allocate(x))
		code = err_memory(e, "the runs' ticks");
	if (!code)
		code = pair_kept(x, job, e);
	if (!code)
		code = lay_rows(x, job, e);
	for (uint32_t p = 0; !code && p < d->process_count; p++)
		if (d->processes[p].script.beyond)
			pair_in_rows(x, p);
	if (!code)
		code = count_changes(x, job, e);
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
	return x->d->run[side].l->trace->size[event] != x->d->run[!side].l->trace->size[partner] ? CHANGE_RESIZED : CHANGE_NONE;
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
