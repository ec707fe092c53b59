#include "clockwork.h"

#include "core/base/parallel.h"

static double last_time(const struct trace *t, uint32_t p)
{
	return t->first[p + 1] > t->first[p] ? t->time[t->first[p + 1] - 1] : t->start;
}

double clockwork_time(const struct clockwork *c, uint32_t process, uint32_t n)
{
	const struct logical *l = c->l;
	uint32_t at = l->send_first[process] + n;

	return at < l->send_first[process + 1] ? l->trace->time[l->sends[at]] : last_time(l->trace, process);
}

/* From a send or collective of process p to its next one, or to p's last event. */
static double to_next(const struct trace *t, uint32_t ev, uint32_t end)
{
	uint32_t next = ev + 1;

	while (next < end && EVENT_KIND(t->type[next]) == EVENT_RECEIVE)
		next++;
	return t->time[next < end ? next : end - 1] - t->time[ev];
}

static bool is_steady(const struct logical *l, uint32_t p)
{
	for (uint32_t i = l->send_first[p] + 1; i < l->send_first[p + 1]; i++)
		if (l->trace->time[l->sends[i]] < l->trace->time[l->sends[i - 1]])
			return false;
	return true;
}

/* Ticks are summed up in chunks of this many, whatever the threads, so that rounding is always the same. */
#define CHUNK 1024

struct summing {
	struct clockwork *c;
	double *sums; /* per chunk, rounded as at[] is: where nothing happens between two ticks, their times are equal */
	uint32_t chunks;
	unsigned parts;
	struct parallel_stop stop;
};

/* The chunks of a part: at[] relative to the chunk's start, and the chunk's sum. */
static void sum_part(void *arg, unsigned part)
{
	struct summing *summing = arg;
	const struct logical *l = summing->c->l;
	const struct trace *t = l->trace;
	uint32_t end = (uint32_t)((uint64_t)summing->chunks * (part + 1) / summing->parts);

	for (uint32_t chunk = (uint32_t)((uint64_t)summing->chunks * part / summing->parts); chunk < end; chunk++) {
		uint32_t last = chunk + 1 < summing->chunks ? (chunk + 1) * CHUNK : l->tick_count;
		long double sum = 0; /* the rounding of millions of additions must not show in a difference */

		for (uint32_t k = chunk * CHUNK; k < last; k++) {
			summing->c->at[k] = (double)sum;
			for (uint32_t i = l->tick_first[k]; l->tick_sends[k] && i < l->tick_first[k + 1]; i++) {
				uint32_t ev = l->order_of[i];

				if (EVENT_KIND(t->type[ev]) != EVENT_RECEIVE)
					sum += to_next(t, ev, t->first[trace_process_of(t, ev) + 1]);
			}
		}
		summing->sums[chunk] = (double)sum;
		if (parallel_stopped(&summing->stop, part))
			return;
	}
}

enum err_code clockwork_new(struct clockwork **out, const struct logical *l, const struct job *job, struct err *e)
{
	const struct trace *t = l->trace;
	struct clockwork *c = mem_zero(1, sizeof *c);
	struct summing summing = {.c = c, .chunks = l->tick_count / CHUNK + 1, .stop = {.job = job},
			    .parts = t->threads ? t->threads : 1};
	long double sum = 0;

	*out = NULL;
	if (c) {
		c->at = mem_alloc((size_t)l->tick_count + 1, sizeof *c->at);
		c->steady = mem_alloc(t->process_count, sizeof *c->steady);
	}
	summing.sums = mem_alloc(summing.chunks, sizeof *summing.sums);
	if (!c || !c->at || !c->steady || !summing.sums) {
		mem_free(summing.sums);
		clockwork_free(c);
		return err_memory(e, "the times of ticks");
	}
	c->l = l;
	parallel_run(summing.parts, sum_part, &summing);
	if (atomic_load(&summing.stop.stopped)) {
		mem_free(summing.sums);
		clockwork_free(c);
		return err_set(e, ERR_CANCELLED, "stopped while timing ticks");
	}
	for (uint32_t p = 0; p < t->process_count; p++) {
		sum += clockwork_time(c, p, 0) - t->start;
		c->steady[p] = is_steady(l, p);
	}
	for (uint32_t chunk = 0; chunk < summing.chunks; chunk++) {
		uint32_t last = chunk + 1 < summing.chunks ? (chunk + 1) * CHUNK : l->tick_count;

		for (uint32_t k = chunk * CHUNK; k < last; k++)
			c->at[k] = (double)(sum + c->at[k]);
		sum += summing.sums[chunk];
	}
	c->at[l->tick_count] = (double)sum;
	mem_free(summing.sums);
	*out = c;
	return ERR_OK;
}

void clockwork_free(struct clockwork *c)
{
	if (!c)
		return;
	mem_free(c->at);
	mem_free(c->steady);
	mem_free(c);
}

double occurrence_time(const struct clockwork *c, const struct phases *p, uint32_t i)
{
	uint32_t processes = c->l->trace->process_count;

	return (c->at[occurrence_exit(c, p, i)] - c->at[p->occurrences[i].first]) / (processes ? processes : 1);
}

double occurrence_time_on(const struct clockwork *c, const struct phases *p, uint32_t i, uint32_t process)
{
	uint32_t entry = logical_sends_before(c->l, process, p->occurrences[i].first);
	uint32_t exit = logical_sends_before(c->l, process, occurrence_exit(c, p, i));

	return clockwork_time(c, process, exit) - clockwork_time(c, process, entry);
}

double occurrence_slowest(const struct clockwork *c, const struct phases *p, uint32_t i)
{
	double slowest = 0;

	for (uint32_t q = 0; q < c->l->trace->process_count; q++) {
		double d = occurrence_time_on(c, p, i, q);

		if (d > slowest || q == 0)
			slowest = d;
	}
	return slowest;
}
