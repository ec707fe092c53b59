#include "analysis_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"

const double tune_levels[TUNE_LEVELS] = {0.9, 0.95, 0.98};

const enum setting_id tune_turns[TUNE_TURNS] = {
	SETTING_volume, SETTING_compute, SETTING_events, SETTING_relevance, SETTING_order, SETTING_absent,
};

/* In billionths: the same phases, found in another order, have sums that differ in their last digits. */
static double rounded(double share)
{
	return floor(fmin(share, 1e6) * 1e9 + 0.5);
}

static int compare_share(double a, double b)
{
	return (rounded(a) > rounded(b)) - (rounded(a) < rounded(b));
}

/* What counts as equal is in one cell: a seventh more phases, a per cent of the run, five of the error. */
static void frontier_cell_of(const struct tune_point *p, int cell[3])
{
	cell[0] = p->relevant < 10 ? (int)p->relevant : (int)(10 + floor(log(p->relevant / 10.0) / log(1.15)));
	cell[1] = (int)floor(rounded(p->pete) / 1e7);
	cell[2] = (int)floor(rounded(p->off) / 5e7);
}

/* In no respect worse, by cells. */
static bool covers(const int a[3], const int b[3])
{
	return a[0] <= b[0] && a[1] <= b[1] && a[2] <= b[2];
}

/* How far settings are from those to start from: by settings that are turned, then by how far. Another order is another
 * trace, and so further than another way to count. */
static double distance(const struct settings *from, const struct settings *to)
{
	double sum = 0;

	for (size_t i = 0; i < TUNE_TURNS; i++) {
		double a = settings_number(from, tune_turns[i]), b = settings_number(to, tune_turns[i]);

		if (a == b)
			continue;
		if (setting_info(tune_turns[i])->kind == SETTING_CHOICE)
			sum += tune_turns[i] == SETTING_order ? 12 : 11;
		else
			sum += 10 + fabs(log((b + 0.01) / (a + 0.01)));
	}
	return sum;
}

/* By each setting that is turned: any order, but always the same. */
static int compare_turns(const struct settings *a, const struct settings *b)
{
	for (size_t i = 0; i < TUNE_TURNS; i++) {
		double x = settings_number(a, tune_turns[i]), y = settings_number(b, tune_turns[i]);

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

/* Negative: a is closer, or stands first of two that are as close. 0: the same settings. */
static int compare_closeness(const struct tune_frontier *f, const struct tune_point *a, const struct tune_point *b)
{
	double x = distance(f->from, &a->settings), y = distance(f->from, &b->settings);
	int c = compare_share(a->pete, b->pete);

	if (x != y)
		return x < y ? -1 : 1;
	if (c)
		return c;
	if (a->settings.relevance != b->settings.relevance)
		return a->settings.relevance > b->settings.relevance ? -1 : 1;
	return compare_turns(&a->settings, &b->settings);
}

static bool better_offer(const struct tune_frontier *f, const struct tune_point *a, const struct tune_point *b)
{
	int c = (a->relevant > b->relevant) - (a->relevant < b->relevant);

	if (!c)
		c = compare_share(a->off, b->off);
	if (!c)
		c = compare_share(a->pete, b->pete); /* with `slowest` a coverage may be above 100 %, which is no better */
	if (!c)
		c = compare_closeness(f, a, b);
	return c < 0;
}

enum err_code tune_frontier_add(struct tune_frontier *f, const struct tune_point *p, struct err *e)
{
	int cell[3], other[3];
	struct tune_point *more;
	uint32_t kept = 0;

	for (int i = 0; i < TUNE_LEVELS; i++)
		if (compare_share(p->coverage, tune_levels[i]) >= 0 && (!f->offered[i] || better_offer(f, p, &f->offer[i]))) {
			f->offer[i] = *p;
			f->offered[i] = true;
			f->changed = true;
		}
	frontier_cell_of(p, cell);
	for (uint32_t i = 0; i < f->count; i++) {
		frontier_cell_of(&f->points[i], other);
		if (covers(other, cell) && (memcmp(other, cell, sizeof cell) != 0 || compare_closeness(f, p, &f->points[i]) >= 0))
			return ERR_OK;
	}
	for (uint32_t i = 0; i < f->count; i++) {
		frontier_cell_of(&f->points[i], other);
		if (!covers(cell, other))
			f->points[kept++] = f->points[i];
	}
	f->count = kept;
	more = mem_grow(f->points, f->count, &f->room, sizeof *more);
	if (!more)
		return err_memory(e, "the thresholds that were tried");
	f->points = more;
	f->points[f->count++] = *p;
	f->changed = true;
	return ERR_OK;
}

static int by_relevant(const void *a, const void *b)
{
	const struct tune_point *x = a, *y = b;
	int c = (x->relevant > y->relevant) - (x->relevant < y->relevant);

	if (!c)
		c = compare_share(x->pete, y->pete);
	if (!c)
		c = compare_share(x->off, y->off);
	return c ? c : compare_turns(&x->settings, &y->settings);
}

enum err_code tune_frontier_rows(const struct tune_frontier *f, struct tune *out, struct err *e)
{
	struct tune_point *rows = mem_resize(out->points, (size_t)f->count + TUNE_LEVELS, sizeof *rows);
	uint32_t n = f->count;

	if (!rows)
		return err_memory(e, "the thresholds that were tried");
	out->points = rows;
	out->room = (size_t)f->count + TUNE_LEVELS;
	if (n)
		memcpy(rows, f->points, n * sizeof *rows);
	for (int i = 0; i < TUNE_LEVELS; i++) {
		uint32_t at = 0;

		if (!f->offered[i])
			continue;
		while (at < n && !settings_equal(&rows[at].settings, &f->offer[i].settings))
			at++;
		if (at == n)
			rows[n++] = f->offer[i];
		rows[at].levels |= 1u << i;
	}
	out->count = n;
	SORT(rows, n, by_relevant);
	return ERR_OK;
}

void tune_frontier_release(struct tune_frontier *f)
{
	mem_free(f->points);
	f->points = NULL;
	f->count = 0;
	f->room = 0;
}
