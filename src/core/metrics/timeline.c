#include "timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/order.h"
#include "core/base/search.h"
#include "core/formats/load.h"
#include "core/io/source.h"
#include "core/trace/trace_calls.h"
#include "core/trace/trace_make.h"

#define EVERY 32 /* calls between two sums */

/* --- making --- */

struct making {
	struct timeline *tl;
	struct map *states;  /* key -> state + 1 */
	size_t *caps;        /* per process */
};

/* Names of two readings are not the same pointers; keys are the same. */
static enum err_code map_states(struct making *m, struct err *e)
{
	const struct trace *t = m->tl->trace;

	m->states = map_new();
	for (uint32_t i = 0; m->states && i < t->state_count && i < TIMELINE_NO_STATE; i++) {
		const struct state_total *state = &t->states[i];
		uint32_t *at;

		if (state->solo)
			continue;
		at = map_at(m->states, (uint64_t)state->key, 0);
		if (!at)
			return err_memory(e, "the timeline");
		if (!*at)
			*at = i + 1;
	}
	return m->states ? ERR_OK : err_memory(e, "the timeline");
}

static uint16_t state_of(const struct making *m, const struct state_total *state)
{
	uint32_t i = map_get(m->states, (uint64_t)state->key, 0);

	return i ? (uint16_t)(i - 1) : TIMELINE_NO_STATE;
}

/* The longest duration that does not reach over the end. */
static float duration_of(double start, double end)
{
	float f = end > start ? (float)(end - start) : 0;

	while (f > 0 && start + (double)f > end)
		f = nextafterf(f, 0);
	return f;
}

static bool take_call(void *arg, uint32_t process, const struct state_total *state, enum time_kind kind, double start,
		      double end)
{
	struct making *m = arg;
	struct timeline_process *of_process = &m->tl->processes[process];
	struct call *calls;

	if (process >= m->tl->trace->process_count)
		return true;
	calls = mem_grow(of_process->calls, of_process->count, &m->caps[process], sizeof *calls);
	if (!calls)
		return false;
	of_process->calls = calls;
	calls[of_process->count++] =
		(struct call){start, duration_of(start, end), state_of(m, state), (uint8_t)kind, 0};
	return true;
}

static bool forget_calls(void *arg, uint32_t processes, const struct make_kind *kinds, uint32_t count)
{
	struct making *m = arg;

	(void)processes, (void)kinds, (void)count;
	for (uint32_t p = 0; p < m->tl->trace->process_count; p++)
		m->tl->processes[p].count = 0;
	return true;
}

ORDER_BY(compare_calls, struct call, UP(start))

/* Put a process's calls in order, without overlap, within its records, and sum them up. */
static bool settle(struct timeline *tl, struct timeline_process *process)
{
	long double sum[TIME_KINDS] = {0};
	uint32_t kept = 0;
	double past = process->start;
	struct call *shrunk;

	for (uint32_t i = 1; i < process->count; i++)
		if (process->calls[i].start < process->calls[i - 1].start) {
			SORT(process->calls, process->count, compare_calls);
			break;
		}
	for (uint32_t i = 0; i < process->count; i++) {
		struct call c = process->calls[i];
		double end = fmin(c.start + (double)c.duration, process->end);

		if (end < past || c.start > process->end || (end == past && c.start < past)) {
			tl->lost++;
			continue;
		}
		if (c.start < past || end < c.start + (double)c.duration) {
			c.cut = c.start < past;
			tl->cut++;
			c.start = fmax(c.start, past);
			c.duration = duration_of(c.start, end);
		}
		past = c.start + (double)c.duration;
		process->calls[kept++] = c;
	}
	process->count = kept;
	tl->calls += kept;
	shrunk = mem_resize(process->calls, kept, sizeof *process->calls);
	if (shrunk)
		process->calls = shrunk;
	process->sums = mem_alloc((size_t)kept / EVERY + 1, sizeof *process->sums);
	if (!process->sums)
		return false;
	for (uint32_t i = 0; i <= kept; i++) {
		if (i % EVERY == 0)
			for (int k = 0; k < TIME_KINDS; k++)
				process->sums[i / EVERY][k] = (double)sum[k];
		if (i < kept)
			sum[process->calls[i].kind] += (long double)process->calls[i].duration;
	}
	return true;
}

#define BLOCK 64 /* events whose messages have one span */

/* The other end of a message that has both; NO_EVENT: none. */
static uint32_t partner(const struct trace *t, uint32_t ev)
{
	return EVENT_KIND(t->type[ev]) == EVENT_COLLECTIVE ? NO_EVENT : t->match[ev];
}

static enum err_code span_blocks(struct timeline *tl, const struct job *job, struct err *e)
{
	const struct trace *t = tl->trace;
	size_t blocks = (size_t)t->event_count / BLOCK + 1;

	tl->block_from = mem_alloc(blocks, sizeof *tl->block_from);
	tl->block_to = mem_alloc(blocks, sizeof *tl->block_to);
	if (!tl->block_from || !tl->block_to)
		return err_memory(e, "the timeline");
	for (size_t i = 0; i < blocks; i++) {
		tl->block_from[i] = INFINITY;
		tl->block_to[i] = -INFINITY;
	}
	for (uint32_t ev = 0; ev < t->event_count; ev++) {
		uint32_t other = partner(t, ev);

		if ((ev & 0xfffff) == 0 && job_stopped(job))
			return err_set(e, ERR_CANCELLED, "stopped while making the timeline");
		if (other == NO_EVENT)
			continue;
		tl->block_from[ev / BLOCK] = fmin(tl->block_from[ev / BLOCK], fmin(t->time[ev], t->time[other]));
		tl->block_to[ev / BLOCK] = fmax(tl->block_to[ev / BLOCK], fmax(t->time[ev], t->time[other]));
	}
	return ERR_OK;
}

static enum err_code read_calls(struct making *m, const struct source *sources, uint32_t count, const struct job *job,
				struct err *e)
{
	struct make_watch watch = {.arg = m, .begin = forget_calls, .call = take_call};
	const struct trace *t = m->tl->trace;
	struct trace_options options = {.watch = &watch, .times = t->times};
	struct trace *again;
	enum err_code code = map_states(m, e);

	m->caps = mem_zero(t->process_count, sizeof *m->caps);
	if (!code && !m->caps)
		code = err_memory(e, "the timeline");
	if (!code)
		code = trace_load_watched(&again, sources, count, &options, job, e);
	if (code)
		return code;
	if (again->process_count != t->process_count || (!t->partial && again->record_count != t->record_count))
		code = err_set(e, ERR_IO,
			       "the trace's files have changed since they were loaded; load them again");
	trace_free(again);
	return code;
}

enum err_code timeline_new_sources(struct timeline **out, const struct trace *t, const struct source *sources,
				   uint32_t count, const struct job *job, struct err *e)
{
	struct making m = {.tl = mem_zero(1, sizeof *m.tl)};
	struct timeline *tl = m.tl;
	enum err_code code = ERR_OK;

	*out = NULL;
	if (!tl)
		return err_memory(e, "the timeline");
	tl->trace = t;
	tl->known = trace_has_calls(t);
	tl->processes = mem_zero(t->process_count, sizeof *tl->processes);
	if (!tl->processes)
		code = err_memory(e, "the timeline");
	for (uint32_t p = 0; !code && p < t->process_count; p++) {
		tl->processes[p].start = t->processes[p].start;
		tl->processes[p].end = t->processes[p].end;
	}
	if (!code && count)
		code = read_calls(&m, sources, count, job, e);
	for (uint32_t p = 0; !code && p < t->process_count; p++)
		if (!settle(tl, &tl->processes[p]))
			code = err_memory(e, "the timeline");
	if (!code)
		code = span_blocks(tl, job, e);
	map_free(m.states);
	mem_free(m.caps);
	if (code) {
		timeline_free(tl);
		return code;
	}
	*out = tl;
	return ERR_OK;
}

enum err_code timeline_new(struct timeline **out, const struct trace *t, const struct job *job, struct err *e)
{
	struct source *sources;
	enum err_code code = trace_open_files(&sources, t, e);

	*out = NULL;
	if (code)
		return code;
	code = timeline_new_sources(out, t, sources, t->file_count, job, e);
	source_release_files(sources, t->file_count);
	return code;
}

void timeline_free(struct timeline *tl)
{
	if (!tl)
		return;
	for (uint32_t p = 0; tl->processes && p < tl->trace->process_count; p++) {
		mem_free(tl->processes[p].calls);
		mem_free(tl->processes[p].sums);
	}
	mem_free(tl->processes);
	mem_free(tl->block_from);
	mem_free(tl->block_to);
	mem_free(tl);
}

/* --- asking --- */

static double call_end(const struct call *c)
{
	return c->start + (double)c->duration;
}

/* The number of the first call from `low` on that ends at t or later; count if none. It is sought near `low` first. */
static uint32_t first_ending(const struct timeline_process *process, uint32_t low, double t)
{
	uint32_t high, step = 1;

	while (step < process->count - low && call_end(&process->calls[low + step]) < t)
		step *= 2;
	high = step < process->count - low ? low + step : process->count;

	return SEARCH_PAST(i, low, high, call_end(&process->calls[i]) < t);
}

/* Add, times sign, the time by kind of the calls before number n. */
static void add_sums(const struct timeline_process *process, uint32_t n, double sign, double by_kind[TIME_KINDS])
{
	for (int k = 0; k < TIME_KINDS; k++)
		by_kind[k] += sign * process->sums[n / EVERY][k];
	for (uint32_t i = n / EVERY * EVERY; i < n; i++)
		by_kind[process->calls[i].kind] += sign * (double)process->calls[i].duration;
}

/* What of the call is before t. */
static double before(const struct call *c, double t)
{
	return fmin(fmax(t - c->start, 0), (double)c->duration);
}

/* The time by kind of one process between t0 and t1. a and b: the first calls that end at t0 and t1 or later. Few
 * calls are added up one by one: a difference of sums over a long run says little of a microsecond. */
static double add_window(const struct timeline *tl, const struct timeline_process *process, double t0, double t1, uint32_t a, uint32_t b,
			 double by_kind[TIME_KINDS])
{
	double sum[TIME_KINDS] = {0}, covered = fmin(t1, process->end) - fmax(t0, process->start), calls = 0;

	if (!(covered > 0))
		return 0;
	if (b - a <= 2 * EVERY) {
		for (uint32_t i = a; i < b; i++)
			sum[process->calls[i].kind] += (double)process->calls[i].duration;
	} else {
		add_sums(process, b, 1, sum);
		add_sums(process, a, -1, sum);
	}
	if (a < process->count)
		sum[process->calls[a].kind] -= before(&process->calls[a], t0);
	if (b < process->count)
		sum[process->calls[b].kind] += before(&process->calls[b], t1);
	for (int k = 0; k < TIME_KINDS; k++) {
		sum[k] = fmax(sum[k], 0);
		calls += sum[k];
	}
	sum[TIME_COMPUTE] = tl->known ? fmax(covered - calls, 0) : 0;
	for (int k = 0; k < TIME_KINDS; k++)
		by_kind[k] += sum[k];
	return covered;
}

double timeline_share(const struct timeline *tl, uint32_t first, uint32_t last, double t0, double t1,
		      double share[TIME_KINDS])
{
	double whole = (t1 - t0) * (last - first + 1.0), covered = 0;

	memset(share, 0, TIME_KINDS * sizeof *share);
	for (uint32_t p = first; p <= last; p++) {
		const struct timeline_process *process = &tl->processes[p];
		uint32_t a = first_ending(process, 0, t0);

		covered += add_window(tl, process, t0, t1, a, first_ending(process, a, t1), share);
	}
	for (int k = 0; k < TIME_KINDS; k++)
		share[k] /= whole;
	return covered / whole;
}

void timeline_row(const struct timeline *tl, uint32_t first, uint32_t last, double t0, double t1, uint32_t cells,
		  double (*share)[TIME_KINDS])
{
	double whole = (t1 - t0) / cells * (last - first + 1.0);

	memset(share, 0, cells * sizeof *share);
	for (uint32_t p = first; p <= last; p++) {
		const struct timeline_process *process = &tl->processes[p];
		uint32_t a = first_ending(process, 0, t0);

		for (uint32_t i = 0; i < cells; i++) {
			double from = t0 + (t1 - t0) * i / cells, to = t0 + (t1 - t0) * (i + 1) / cells;
			uint32_t b = first_ending(process, a, to);

			add_window(tl, process, from, to, a, b, share[i]);
			a = b;
		}
	}
	for (uint32_t i = 0; i < cells; i++)
		for (int k = 0; k < TIME_KINDS; k++)
			share[i][k] /= whole;
}

uint32_t timeline_calls(const struct timeline *tl, uint32_t process, double t0, double t1, uint32_t *first)
{
	const struct timeline_process *of_process = &tl->processes[process];

	*first = first_ending(of_process, 0, t0);
	return SEARCH_PAST(i, *first, of_process->count, of_process->calls[i].start <= t1) - *first;
}

uint32_t timeline_call_at(const struct timeline *tl, uint32_t process, double t)
{
	const struct timeline_process *of_process = &tl->processes[process];
	uint32_t i = first_ending(of_process, 0, t);

	if (!of_process->count)
		return NO_CALL;
	if (i == of_process->count)
		return i - 1;
	if (i > 0 && t - call_end(&of_process->calls[i - 1]) < of_process->calls[i].start - t)
		return i - 1;
	return i;
}

/* --- messages --- */

#define LOOKED_AT 2400 /* blocks of events at most */

/* A list that keeps evenly picked ones of more than it has room for. */
struct picked {
	struct timeline_message *out;
	uint32_t most, count;
	uint64_t seen, step;
};

static void pick(struct picked *picked, uint32_t send, uint32_t receive)
{
	if (picked->seen++ % picked->step != 0 || !picked->most)
		return;
	if (picked->count == picked->most) {
		/* Drop every second one, and from now on take only every second. */
		for (uint32_t i = 1; 2 * i < picked->count; i++)
			picked->out[i] = picked->out[2 * i];
		picked->count = (picked->count + 1) / 2;
		picked->step *= 2;
		if ((picked->seen - 1) % picked->step != 0 || picked->count == picked->most)
			return;
	}
	picked->out[picked->count++] = (struct timeline_message){send, receive};
}

struct timeline_messages timeline_messages(const struct timeline *tl, uint32_t first, uint32_t last, double t0,
					   double t1, struct timeline_message *out, uint32_t most)
{
	const struct trace *t = tl->trace;
	struct picked picked = {.out = out, .most = most, .step = 1};
	uint32_t from = t->first[first], to = t->first[last + 1];
	uint64_t candidates = 0, every, looked = 0;

	if (from == to)
		return (struct timeline_messages){0};
	for (uint32_t b = from / BLOCK; b <= (to - 1) / BLOCK; b++)
		candidates += tl->block_from[b] < t1 && tl->block_to[b] > t0;
	every = candidates / LOOKED_AT + 1;
	candidates = 0;
	for (uint32_t b = from / BLOCK; b <= (to - 1) / BLOCK; b++) {
		uint32_t ev = b * BLOCK > from ? b * BLOCK : from, end = to - b * BLOCK > BLOCK ? (b + 1) * BLOCK : to;

		if (!(tl->block_from[b] < t1 && tl->block_to[b] > t0) || candidates++ % every != 0)
			continue;
		looked++;
		for (; ev < end; ev++) {
			uint32_t other = partner(t, ev);
			bool send = EVENT_KIND(t->type[ev]) == EVENT_SEND;

			if (other == NO_EVENT ||
			    !(fmin(t->time[ev], t->time[other]) < t1 && fmax(t->time[ev], t->time[other]) > t0))
				continue;
			/* With both ends on these processes it is the send's. */
			if (send || other < from || other >= to)
				pick(&picked, send ? ev : other, send ? other : ev);
		}
	}
	if (looked < candidates)
		picked.seen = (uint64_t)((double)picked.seen * (double)candidates / (double)looked);
	return (struct timeline_messages){picked.count, picked.seen, looked < candidates};
}
