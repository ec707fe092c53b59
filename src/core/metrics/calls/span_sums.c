#include "span_sums.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/base/search.h"

enum err_code span_sums_init(struct span_sums *s, const struct logged_call *calls, uint32_t count, unsigned kinds, span_add *add, const void *arg,
			     const struct progress *progress, struct err *e)
{
	long double sum[SPAN_KINDS] = {0};

	*s = (struct span_sums){calls, count, kinds, mem_alloc(((size_t)count / SPAN_EVERY + 1) * kinds, sizeof *s->before)};
	if (!s->before)
		return err_memory(e, "the sums of calls");
	for (uint32_t c = 0; c <= count; c++) {
		double one[SPAN_KINDS] = {0};

		if ((c & 0x3fff) == 0 && progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped while adding up the calls");
		for (unsigned k = 0; c % SPAN_EVERY == 0 && k < kinds; k++)
			s->before[c / SPAN_EVERY * kinds + k] = (double)sum[k];
		if (c == count)
			break;
		add(arg, c, -INFINITY, INFINITY, one);
		for (unsigned k = 0; k < kinds; k++)
			sum[k] += (long double)one[k];
	}
	return ERR_OK;
}

void span_sums_release(struct span_sums *s)
{
	mem_free(s->before);
	*s = (struct span_sums){0};
}

static uint32_t first_at(const struct span_sums *s, uint32_t low, double t, bool begins)
{
	uint32_t high, step = 1;

	while (step < s->count - low && (begins ? s->calls[low + step].start : s->calls[low + step].end) < t)
		step *= 2;
	high = step < s->count - low ? low + step : s->count;
	return SEARCH_PAST(i, low, high, (begins ? s->calls[i].start : s->calls[i].end) < t);
}

uint32_t span_first_ending(const struct span_sums *s, uint32_t low, double t)
{
	return first_at(s, low, t, false);
}

uint32_t span_first_beginning(const struct span_sums *s, uint32_t low, double t)
{
	return first_at(s, low, t, true);
}

/* Calls [a, b), all of each. Few are added up one by one: a difference of sums over a long run says little of a
 * microsecond. */
static void whole_calls(const struct span_sums *s, uint32_t a, uint32_t b, span_add *add, const void *arg, double *sums)
{
	uint32_t from = (a + SPAN_EVERY - 1) / SPAN_EVERY, to = b / SPAN_EVERY;

	if (b - a <= 2 * SPAN_EVERY) {
		for (uint32_t c = a; c < b; c++)
			add(arg, c, -INFINITY, INFINITY, sums);
		return;
	}
	whole_calls(s, a, from * SPAN_EVERY, add, arg, sums);
	for (unsigned k = 0; k < s->kinds; k++)
		sums[k] += s->before[to * s->kinds + k] - s->before[from * s->kinds + k];
	whole_calls(s, to * SPAN_EVERY, b, add, arg, sums);
}

void span_sums_between(const struct span_sums *s, uint32_t *first, uint32_t *end, double t0, double t1, span_add *add, const void *arg, double *sums)
{
	uint32_t a = span_first_ending(s, *first, t0), b = span_first_beginning(s, a, t1);

	*first = a;
	*end = b;
	if (a >= b)
		return;
	add(arg, a, t0, t1, sums);
	if (b - a > 2)
		whole_calls(s, a + 1, b - 1, add, arg, sums);
	if (b - a > 1)
		add(arg, b - 1, t0, t1, sums);
}
