#include "samples.h"

#include "clockwork.h"

/* Mean over processes of the time at which an occurrence is entered. */
static double begins(const struct clockwork *c, const struct phases *p, uint32_t occurrence)
{
	return c->at[p->occurrences[occurrence].first] / c->l->trace->process_count;
}

uint32_t phase_sample_count(const struct clockwork *c, const struct phases *p, uint32_t id, uint32_t place, double seconds)
{
	const uint32_t *occurrences = p->by_phase + p->phase_first[id - 1];
	const double end = begins(c, p, occurrences[place - 1]) + seconds;
	uint32_t next = place;

	while (seconds > 0 && next < p->list[id - 1].weight && begins(c, p, occurrences[next]) < end)
		next++;
	return next - place + 1;
}

double phase_sampled_time(const struct clockwork *c, const struct phases *p, uint32_t id, uint32_t place, uint32_t count,
			  enum phase_time how)
{
	const uint32_t *occurrences = p->by_phase + p->phase_first[id - 1] + place - 1;
	double longest = 0, sum = 0;

	if (how == PHASE_TIME_MEAN) {
		for (uint32_t k = 0; k < count; k++)
			sum += occurrence_time(c, p, occurrences[k]);
		return sum / count;
	}
	for (uint32_t q = 0; q < c->l->trace->process_count; q++) {
		sum = 0;
		for (uint32_t k = 0; k < count; k++)
			sum += occurrence_time_on(c, p, occurrences[k], q);
		if (sum > longest)
			longest = sum;
	}
	return longest / count;
}

void occurrence_points(const struct clockwork *c, const struct phases *p, uint32_t i, uint32_t *entry, uint32_t *exit)
{
	const uint32_t exit_tick = occurrence_exit(c, p, i);

	for (uint32_t q = 0; q < c->l->trace->process_count; q++) {
		entry[q] = logical_sends_before(c->l, q, p->occurrences[i].first);
		exit[q] = logical_sends_before(c->l, q, exit_tick);
	}
}
