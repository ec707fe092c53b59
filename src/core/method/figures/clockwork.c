#include "clockwork.h"

#include "core/base/exact_sum.h"
#include "core/base/parallel.h"
#include "core/trace/remote.h"

/* For a process without events no time is told apart from another. */
static double process_work_end(const struct trace *t, uint32_t p)
{
	return t->first[p + 1] > t->first[p] ? t->processes[p].work_end : t->start;
}

double clockwork_time(const struct clockwork *c, uint32_t process, uint32_t n)
{
	const struct logical *l = c->l;
	uint32_t at = l->send_first[process] + n;

	return at < l->send_first[process + 1] ? l->trace->time[l->sends[at]] : process_work_end(l->trace, process);
}

double event_to_next_send(const struct trace *t, uint32_t process, uint32_t first, uint32_t last)
{
	uint32_t next = last + 1, end = t->first[process + 1];

	while (next < end && EVENT_KIND(t->type[next]) == EVENT_RECEIVE)
		next++;
	return (next < end ? t->time[next] : t->processes[process].work_end) - t->time[first];
}

static bool is_steady(const struct logical *l, uint32_t p)
{
	for (uint32_t i = l->send_first[p] + 1; i < l->send_first[p + 1]; i++)
		if (l->trace->time[l->sends[i]] < l->trace->time[l->sends[i - 1]])
			return false;
	return true;
}

#define PER_STEP 65536 /* ticks that are summed up, and reduced, at once: 1 MiB */

struct summing {
	struct clockwork *c;
	double *at;          /* what is made: the clockwork's `at`, or `stretch` */
	bool stretches;      /* all events count, each up to the next */
	const struct team *team;
	struct exact_unit unit;
	uint32_t begin, end; /* the ticks at hand */
	uint64_t *moved;     /* two per tick: by how much its events move the sum on, as an exact total */
	uint64_t total[2];   /* before `begin` */
	unsigned parts;
	struct parallel_stop stop;
};

/* Does the tick hold what is summed? */
static bool tick_moves(const struct summing *s, uint32_t tick)
{
	return s->stretches || s->c->l->tick_sends[tick];
}

static void sum_part(void *arg, unsigned part)
{
	struct summing *summing = arg;
	const struct logical *l = summing->c->l;
	const struct trace *t = l->trace;
	const struct exact_unit unit = summing->unit;
	uint64_t n = summing->end - summing->begin;
	uint32_t begin = summing->begin + (uint32_t)(n * part / summing->parts);
	uint32_t end = summing->begin + (uint32_t)(n * (part + 1) / summing->parts);

	for (uint32_t k = begin; k < end; k++) {
		uint64_t *moved = summing->moved + 2 * (size_t)(k - summing->begin);
		struct exact_sum sum = {0};

		moved[0] = moved[1] = 0;
		if (!tick_moves(summing, k))
			continue;
		for (uint32_t i = l->tick_first[k]; i < l->tick_first[k + 1]; i++) {
			uint32_t ev = l->order_of[i], process = trace_process_of(t, ev);

			if (summing->stretches)
				exact_add(&unit, &sum, event_stretch(t, process, ev));
			else if (EVENT_KIND(t->type[ev]) != EVENT_RECEIVE)
				exact_add(&unit, &sum, event_to_next_send(t, process, ev, ev));
		}
		exact_store(&sum, moved);
		if ((k & 1023) == 0 && parallel_stopped(&summing->stop, part))
			return;
	}
}

/* What is made, of the ticks from `begin` on. */
static enum err_code sum_ticks(struct summing *s, struct err *e)
{
	enum err_code code;
	double at;

	s->end = s->c->l->tick_count - s->begin < PER_STEP ? s->c->l->tick_count : s->begin + PER_STEP;
	parallel_run(s->parts, sum_part, s);
	if (atomic_load(&s->stop.stopped))
		return team_agree(s->team, err_set(e, ERR_CANCELLED, "stopped while timing ticks"), e);
	code = team_reduce(s->team, s->moved, 2 * (size_t)(s->end - s->begin), TEAM_SUM_128, e);
	at = exact_double(&s->unit, s->total);
	for (uint32_t k = s->begin; !code && k < s->end; k++) {
		s->at[k] = at;
		if (!tick_moves(s, k))
			continue;
		exact_plus(s->total, s->moved + 2 * (size_t)(k - s->begin));
		at = exact_double(&s->unit, s->total);
	}
	s->begin = s->end;
	return code;
}

/* Where all processes begin; and which of them have steady clocks. */
static enum err_code begin_processes(struct summing *s, struct err *e)
{
	const struct logical *l = s->c->l;
	struct exact_sum sum = {0};
	uint32_t begin, end;

	trace_local(l->trace, &begin, &end);
	for (uint32_t p = begin; p < end; p++) {
		exact_add(&s->unit, &sum, clockwork_time(s->c, p, 0) - l->trace->start);
		s->c->steady[p] = is_steady(l, p);
	}
	exact_store(&sum, s->total);
	return team_reduce(s->team, s->total, 2, TEAM_SUM_128, e);
}

static enum err_code sum_all(struct summing *s, struct err *e)
{
	enum err_code code = ERR_OK;

	while (!code && s->begin < s->c->l->tick_count)
		code = sum_ticks(s, e);
	if (!code)
		s->at[s->c->l->tick_count] = exact_double(&s->unit, s->total);
	return code;
}

static enum err_code sum_stretches(struct summing *s, struct err *e)
{
	s->at = s->c->stretch;
	s->stretches = true;
	s->begin = 0;
	s->total[0] = s->total[1] = 0;
	return sum_all(s, e);
}

enum err_code clockwork_new(struct clockwork **out, const struct logical *l, enum similarity similarity, const struct progress *progress, struct err *e)
{
	const struct trace *t = l->trace;
	struct clockwork *c = mem_zero(1, sizeof *c);
	/* No process moves on by more than the run takes, or back; of each there is one event a tick. */
	struct summing summing = {.c = c, .team = trace_team(t), .unit = exact_unit(trace_aet(t), t->process_count), .stop = {.progress = progress},
			    .parts = t->threads ? t->threads : 1};
	enum err_code code = ERR_OK;

	*out = NULL;
	if (c) {
		c->l = l;
		c->at = summing.at = mem_alloc((size_t)l->tick_count + 1, sizeof *c->at);
		if (similarity == SIMILARITY_BBP)
			c->stretch = mem_alloc((size_t)l->tick_count + 1, sizeof *c->stretch);
		c->steady = mem_zero(t->process_count, sizeof *c->steady);
	}
	summing.moved = mem_alloc(2 * (size_t)(l->tick_count < PER_STEP ? l->tick_count : PER_STEP), sizeof *summing.moved);
	if (!c || !c->at || (similarity == SIMILARITY_BBP && !c->stretch) || !c->steady || !summing.moved)
		code = team_agree(summing.team, err_memory(e, "the times of ticks"), e);
	else
		code = begin_processes(&summing, e);
	if (!code)
		code = sum_all(&summing, e);
	if (!code && c->stretch)
		code = sum_stretches(&summing, e);
	mem_free(summing.moved);
	if (code) {
		clockwork_free(c);
		return code;
	}
	*out = c;
	return ERR_OK;
}

void clockwork_free(struct clockwork *c)
{
	if (!c)
		return;
	mem_free(c->at);
	mem_free(c->stretch);
	mem_free(c->steady);
	mem_free(c);
}

static double mean_duration(const struct clockwork *c, const double *sums, const struct phases *p, uint32_t i)
{
	uint32_t processes = c->l->trace->process_count;

	return (sums[occurrence_exit(c, p, i)] - sums[p->occurrences[i].first]) / (processes ? processes : 1);
}

double occurrence_time(const struct clockwork *c, const struct phases *p, uint32_t i)
{
	return mean_duration(c, clockwork_sums(c, p->similarity), p, i);
}

double occurrence_between_sends(const struct clockwork *c, const struct phases *p, uint32_t i)
{
	return mean_duration(c, c->at, p, i);
}

double occurrence_time_on(const struct clockwork *c, const struct phases *p, uint32_t i, uint32_t process)
{
	uint32_t end = occurrence_exit(c, p, i);
	double sum = 0;

	if (p->similarity != SIMILARITY_BBP)
		return occurrence_between_sends_on(c, p, i, process);
	for (uint32_t k = p->occurrences[i].first; k < end; k++) {
		uint32_t ev = logical_event_at(c->l, k, process);

		if (ev != NO_EVENT)
			sum += event_stretch(c->l->trace, process, ev);
	}
	return sum;
}

double occurrence_between_sends_on(const struct clockwork *c, const struct phases *p, uint32_t i, uint32_t process)
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
