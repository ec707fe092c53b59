#include "figures.h"

#include <math.h>
#include <string.h>

#include "clockwork.h"
#include "core/trace/remote.h"

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

enum err_code phase_sampled_time(double *seconds, const struct clockwork *c, const struct phases *p, uint32_t id, uint32_t place,
				 uint32_t count, enum phase_time how, struct err *e)
{
	const uint32_t *occurrences = p->by_phase + p->phase_first[id - 1] + place - 1;
	double longest = 0, sum = 0;
	uint32_t begin, end;
	enum err_code code;

	if (how == PHASE_TIME_MEAN) {
		for (uint32_t k = 0; k < count; k++)
			sum += occurrence_between_sends(c, p, occurrences[k]);
		*seconds = sum / count;
		return ERR_OK;
	}
	trace_local(c->l->trace, &begin, &end);
	for (uint32_t q = begin; q < end; q++) {
		sum = 0;
		for (uint32_t k = 0; k < count; k++)
			sum += occurrence_between_sends_on(c, p, occurrences[k], q);
		longest = fmax(longest, sum);
	}
	code = team_reduce_double(trace_team(c->l->trace), &longest, 1, TEAM_MAX, e);
	*seconds = longest / count;
	return code;
}

enum err_code occurrence_points(const struct clockwork *c, const struct phases *p, uint32_t i, uint32_t *entry, uint32_t *exit,
				struct err *e)
{
	const uint32_t exit_tick = occurrence_exit(c, p, i), processes = c->l->trace->process_count;
	const struct team *team = trace_team(c->l->trace);
	uint32_t begin, end;
	enum err_code code;

	if (processes) {
		memset(entry, 0, processes * sizeof *entry);
		memset(exit, 0, processes * sizeof *exit);
	}
	trace_local(c->l->trace, &begin, &end);
	for (uint32_t q = begin; q < end; q++) {
		entry[q] = logical_sends_before(c->l, q, p->occurrences[i].first);
		exit[q] = logical_sends_before(c->l, q, exit_tick);
	}
	code = team_reduce_u32(team, entry, processes, TEAM_SUM, e);
	return code ? code : team_reduce_u32(team, exit, processes, TEAM_SUM, e);
}
