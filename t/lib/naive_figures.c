/* Times, figures, representative and checkpoint, naively. */
#include <math.h>

#include "naive_parts.h"

/* --- times --- */

uint32_t naive_entry(const struct naive *n, uint32_t process, uint32_t tick_number)
{
	uint32_t count = 0;

	for (uint32_t e = n->t->first[process]; e < n->t->first[process + 1]; e++)
		if (!naive_is_receive(n->t, e) && n->tick[e] < tick_number)
			count++;
	return count;
}

uint32_t naive_exit(const struct naive *n, uint32_t process, uint32_t occurrence)
{
	if (occurrence + 1 < n->occurrences)
		return naive_entry(n, process, n->occurrence[occurrence + 1].first);
	return naive_entry(n, process, UINT32_MAX);
}

/* The event that is p's send or collective of this number, from 1; NO_EVENT if there is none. */
static uint32_t numbered(const struct naive *n, uint32_t process, uint32_t number)
{
	for (uint32_t e = n->t->first[process]; e < n->t->first[process + 1]; e++)
		if (!naive_is_receive(n->t, e) && --number == 0)
			return e;
	return NO_EVENT;
}

double naive_time_at(const struct naive *n, uint32_t process, uint32_t number)
{
	uint32_t e = numbered(n, process, number + 1);

	if (e != NO_EVENT)
		return n->t->time[e];
	if (n->t->first[process] == n->t->first[process + 1])
		return 0;
	return n->t->processes[process].work_end;
}

double naive_between_sends(const struct naive *n, uint32_t process, uint32_t occurrence)
{
	uint32_t entry = naive_entry(n, process, n->occurrence[occurrence].first);

	return naive_time_at(n, process, naive_exit(n, process, occurrence)) - naive_time_at(n, process, entry);
}

double naive_duration(const struct naive *n, uint32_t process, uint32_t occurrence)
{
	const struct trace *t = n->t;
	uint32_t from = n->occurrence[occurrence].first;
	uint32_t to = occurrence + 1 < n->occurrences ? n->occurrence[occurrence + 1].first : UINT32_MAX;
	double sum = 0;

	if (n->s.similarity == SIMILARITY_PHASE)
		return naive_between_sends(n, process, occurrence);
	for (uint32_t e = t->first[process]; e < t->first[process + 1]; e++)
		if (n->tick[e] >= from && n->tick[e] < to)
			sum += (e + 1 < t->first[process + 1] ? t->time[e + 1] : t->processes[process].work_end) - t->time[e];
	return sum;
}

double naive_mean(const struct naive *n, uint32_t occurrence)
{
	double sum = 0;

	for (uint32_t p = 0; p < n->processes; p++)
		sum += naive_duration(n, p, occurrence);
	return sum / n->processes;
}

double naive_slowest(const struct naive *n, uint32_t occurrence)
{
	double most = naive_duration(n, 0, occurrence);

	for (uint32_t p = 1; p < n->processes; p++)
		most = fmax(most, naive_duration(n, p, occurrence));
	return most;
}

/* Mean over the occurrences of a phase of a duration on one process. */
static double mean_on(const struct naive *n, uint32_t id, uint32_t process,
		      double (*duration)(const struct naive *n, uint32_t process, uint32_t occurrence))
{
	double sum = 0;

	for (uint32_t i = 0; i < n->occurrences; i++)
		if (n->occurrence[i].phase == id)
			sum += duration(n, process, i);
	return sum / n->phase[id - 1].weight;
}

/* By the setting: over processes the mean, or the largest. */
static double phase_time(const struct naive *n, uint32_t id,
			 double (*duration)(const struct naive *n, uint32_t process, uint32_t occurrence))
{
	double sum = 0, most = mean_on(n, id, 0, duration);

	for (uint32_t p = 0; p < n->processes; p++) {
		sum += mean_on(n, id, p, duration);
		most = fmax(most, mean_on(n, id, p, duration));
	}
	return n->s.phase_time == PHASE_TIME_MEAN ? sum / n->processes : most;
}

void naive_measure(struct naive *n)
{
	bool any = false;
	double measured = 0;

	n->aet = NAN; /* without a record there is no time */
	for (uint32_t p = 0; p < n->t->process_count; p++)
		if (n->t->processes[p].records)
			n->aet = n->t->end - n->t->start;
	for (uint32_t id = 1; id <= n->phases; id++) {
		struct naive_phase *f = &n->phase[id - 1];

		f->time = phase_time(n, id, naive_duration);
		f->between_sends = phase_time(n, id, naive_between_sends);
		f->time_min = INFINITY;
		f->time_max = -INFINITY;
		for (uint32_t i = 0; i < n->occurrences; i++) {
			if (n->occurrence[i].phase != id)
				continue;
			f->time_min = fmin(f->time_min, naive_mean(n, i));
			f->time_max = fmax(f->time_max, naive_mean(n, i));
		}
		f->share = f->weight * f->time / n->aet;
		f->relevant = n->aet > 0 && f->weight * f->time >= n->s.relevance * n->aet;
		if (f->relevant) {
			any = true;
			n->set += f->time;
			n->pet += f->weight * f->time;
			measured += f->weight * f->between_sends;
		}
	}
	n->coverage = n->phases ? n->pet / n->aet : (double)NAN;
	n->measured_coverage = n->phases ? measured / n->aet : (double)NAN;
	n->pet_scaled = n->pet / n->coverage;
	if (!any)
		n->set = n->pet = (double)NAN;
	n->pete = fabs(n->pet - n->aet) / n->aet;
}

/* --- representative and checkpoint --- */

uint32_t naive_occurrence_of(const struct naive *n, uint32_t id, uint32_t place)
{
	for (uint32_t i = 0; i < n->occurrences; i++)
		if (n->occurrence[i].phase == id && --place == 0)
			return i;
	return UINT32_MAX;
}

uint32_t naive_representative(const struct naive *n, uint32_t id, enum representative which)
{
	uint32_t weight = n->phase[id - 1].weight;
	uint32_t from = weight >= 3 ? 2 : 1, want = (weight - from + 1 - 1) / 2;

	if (which == REPRESENTATIVE_FIRST)
		return 1;
	if (which == REPRESENTATIVE_LAST)
		return weight;
	for (uint32_t i = from; i <= weight; i++) {
		double mine = naive_slowest(n, naive_occurrence_of(n, id, i));
		uint32_t before = 0;

		for (uint32_t j = from; j <= weight; j++) {
			double other = naive_slowest(n, naive_occurrence_of(n, id, j));

			if (other < mine || (other == mine && j < i))
				before++;
		}
		if (before == want)
			return i;
	}
	return 0;
}

uint32_t naive_checkpoint(const struct naive *n, uint32_t first)
{
	for (uint32_t c = first; c > 0; c--) {
		bool enough = true;

		for (uint32_t p = 0; p < n->processes; p++) {
			uint32_t entry = naive_entry(n, p, first), stop = naive_entry(n, p, c);

			if (entry - stop < n->s.warmup_sends)
				enough = false;
			if (naive_time_at(n, p, entry) - naive_time_at(n, p, stop) < n->s.warmup_seconds)
				enough = false;
		}
		if (enough)
			return c;
	}
	return 0;
}

bool naive_stops_before(const struct naive *n, uint32_t process, uint32_t cut)
{
	uint32_t next = numbered(n, process, naive_entry(n, process, cut) + 1);

	return next != NO_EVENT && n->tick[next] == cut;
}
