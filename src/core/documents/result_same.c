#include "result_same.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/order.h"
#include "core/base/search.h"

#define SAME_TIME 1e-9

bool result_same_time(double traced, double time)
{
	return fabs(traced - time) <= SAME_TIME * traced;
}

bool result_same_phase(const struct result *a, const struct result_phase *x, const struct result *b, const struct result_phase *y)
{
	if (!a->has_settings || !b->has_settings || settings_same_phases(&a->settings, &b->settings))
		return x->id == y->id;
	return a->settings.phase_time == b->settings.phase_time && x->weight == y->weight && x->ticks == y->ticks &&
	       result_same_time(x->traced, y->traced);
}

ORDER_BY(by_shape, struct traced_phase, UP(weight) UP(ticks) UP(id))

void traced_phases_sort(struct traced_phases *t)
{
	SORT(t->list, t->count, by_shape);
}

/* The first one that is not before a shape. */
static uint32_t first_of(const struct traced_phases *t, const struct traced_phase *wanted)
{
	return SEARCH_PAST(i, 0, t->count, by_shape(&t->list[i], wanted) < 0);
}

uint32_t traced_phases_find(const struct traced_phases *t, const struct result *r, const struct result_phase *m)
{
	bool by_id = r->has_settings && settings_same_phases(&r->settings, t->settings);
	const struct traced_phase wanted = {m->id * by_id, m->weight, m->ticks, 0};
	uint32_t i = first_of(t, &wanted), found = 0, alike = 0;

	/* Means and slowest processes' times are not the same thing, though they may be equal. */
	if (r->settings.phase_time != t->settings->phase_time)
		return 0;
	if (by_id)
		return i < t->count && by_shape(&t->list[i], &wanted) == 0 ? m->id : 0;
	for (; i < t->count && t->list[i].weight == m->weight && t->list[i].ticks == m->ticks; i++) {
		if (!result_same_time(m->traced, t->list[i].time))
			continue;
		if (t->list[i].id == m->id)
			return m->id;
		found = t->list[i].id;
		alike++;
	}
	return alike == 1 ? found : 0;
}
