/* Compute times: sums over a tick's processes, which are exact before they are rounded once; and of single cells. */
#include <math.h>
#include <string.h>

#include "phases_int.h"
#include "core/base/exact_sum.h"
#include "core/trace/remote.h"

#define PER_STEP 65536 /* ticks whose sums are reduced at once */

double bbp_largest(const struct logical *l, uint32_t tick)
{
	struct tick_walk w = tick_walk(l, tick, false);
	double largest = 0;
	uint32_t ev;

	while ((ev = tick_next(&w)) != NO_EVENT) {
		if (isnan(l->trace->compute[ev]))
			return (double)NAN;
		if (l->trace->compute[ev] > largest)
			largest = l->trace->compute[ev];
	}
	return largest;
}

/* What is not known is the largest of all. */
enum err_code bbp_reduce_largest(double *largest, const struct logical *l, uint32_t begin, uint32_t end, struct err *e)
{
	enum err_code code;

	for (uint32_t k = begin; k < end; k++) {
		largest[k - begin] = bbp_largest(l, k);
		if (isnan(largest[k - begin]))
			largest[k - begin] = INFINITY;
	}
	code = team_reduce_double(trace_team(l->trace), largest, end - begin, TEAM_MAX, e);
	for (uint32_t k = 0; k < end - begin; k++)
		if (isinf(largest[k]))
			largest[k] = (double)NAN;
	return code;
}

/* --- sums --- */

/* The compute time that is farthest from 0: the unit of the sum is by it. INFINITY: one is not known. */
static double tick_farthest(const struct logical *l, uint32_t tick)
{
	struct tick_walk w = tick_walk(l, tick, false);
	double farthest = 0;

	for (uint32_t ev; (ev = tick_next(&w)) != NO_EVENT;) {
		if (isnan(l->trace->compute[ev]))
			return INFINITY;
		if (fabs(l->trace->compute[ev]) > farthest)
			farthest = fabs(l->trace->compute[ev]);
	}
	return farthest;
}

static void tick_sum(const struct logical *l, uint32_t tick, const struct exact_unit *unit, uint64_t total[2])
{
	struct tick_walk w = tick_walk(l, tick, false);
	struct exact_sum sum = {0};

	for (uint32_t ev; (ev = tick_next(&w)) != NO_EVENT;)
		exact_add(unit, &sum, l->trace->compute[ev]);
	exact_store(&sum, total);
}

/* For a sum that is not known, any. */
static struct exact_unit tick_unit(const struct logical *l, double farthest)
{
	return exact_unit(isinf(farthest) ? 0 : farthest, l->trace->process_count);
}

double bbp_sum(const struct logical *l, uint32_t tick)
{
	double farthest = tick_farthest(l, tick);
	struct exact_unit unit = tick_unit(l, farthest);
	uint64_t total[2];

	if (isinf(farthest))
		return (double)NAN;
	tick_sum(l, tick, &unit, total);
	return exact_double(&unit, total);
}

/* Of some ticks, of which ranks have parts. farthest, total: room for so many, 1 and 2 each. */
static enum err_code join_sums(double *sum, const struct logical *l, uint32_t begin, uint32_t end, double *farthest, uint64_t *total,
			       struct err *e)
{
	const struct team *team = trace_team(l->trace);
	uint32_t n = end - begin;
	enum err_code code;

	for (uint32_t i = 0; i < n; i++)
		farthest[i] = tick_farthest(l, begin + i);
	code = team_reduce_double(team, farthest, n, TEAM_MAX, e);
	for (uint32_t i = 0; !code && i < n; i++) {
		struct exact_unit unit = tick_unit(l, farthest[i]);

		total[2 * (size_t)i] = total[2 * (size_t)i + 1] = 0;
		if (!isinf(farthest[i]))
			tick_sum(l, begin + i, &unit, total + 2 * (size_t)i);
	}
	if (!code)
		code = team_reduce(team, total, 2 * (size_t)n, TEAM_SUM_128, e);
	for (uint32_t i = 0; !code && i < n; i++) {
		struct exact_unit unit = tick_unit(l, farthest[i]);

		sum[i] = isinf(farthest[i]) ? (double)NAN : exact_double(&unit, total + 2 * (size_t)i);
	}
	return code;
}

static enum err_code sum_ticks(struct bbp_times *times, const struct logical *l, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(l->trace);
	uint32_t ticks = l->tick_count, most = ticks < PER_STEP ? ticks : PER_STEP;
	double *farthest = mem_alloc(most, sizeof *farthest);
	uint64_t *total = mem_alloc(2 * (size_t)most, sizeof *total);
	enum err_code code = ERR_OK;

	times->tick = times->sum = mem_alloc(ticks, sizeof *times->sum);
	if (!farthest || !total || !times->sum)
		code = err_memory(e, "the basic blocks");
	code = team_agree(team, code, e);
	for (uint32_t at = 0, end; !code && at < ticks; at = end) {
		end = ticks - at < most ? ticks : at + most;
		if (progress_stopped(progress))
			code = team_agree(team, err_set(e, ERR_CANCELLED, "stopped while timing basic blocks"), e);
		else
			code = join_sums(times->sum + at, l, at, end, farthest, total, e);
	}
	mem_free(farthest);
	mem_free(total);
	return code;
}

enum err_code bbp_computes(double *list, const struct logical *l, uint32_t begin, uint32_t end, enum compute_of of, struct err *e)
{
	const struct team *team = trace_team(l->trace);
	uint32_t n = end - begin;
	double *farthest;
	uint64_t *total;
	enum err_code code;

	if (of != COMPUTE_SUM)
		return bbp_reduce_largest(list, l, begin - 1, end - 1, e);
	farthest = mem_alloc(n, sizeof *farthest);
	total = mem_alloc(2 * (size_t)n, sizeof *total);
	if (farthest && total)
		code = join_sums(list, l, begin - 1, end - 1, farthest, total, e);
	else
		code = team_agree(team, err_memory(e, "the basic blocks"), e);
	mem_free(farthest);
	mem_free(total);
	return code;
}

/* --- single cells --- */

/* A message is, of each tick, how many cells the rank has of it (uint32_t), then the compute times of all of these. */
struct time_gathering {
	struct bbp_times *times;
	const struct logical *l;
	const struct team *team;
	struct team_bytes *from;
	size_t *taken; /* per rank: bytes of its message that are done with */
};

static char *times_write_message(const struct logical *l, uint32_t at, uint32_t end, size_t *bytes)
{
	size_t head = (end - at) * sizeof(uint32_t), count = l->tick_first[end] - l->tick_first[at];
	char *message;

	*bytes = head + count * sizeof(double);
	message = mem_alloc(*bytes, 1);
	for (uint32_t k = at; message && k < end; k++) {
		uint32_t cells = l->tick_first[k + 1] - l->tick_first[k];

		memcpy(message + (k - at) * sizeof cells, &cells, sizeof cells);
		for (uint32_t i = l->tick_first[k]; i < l->tick_first[k + 1]; i++)
			memcpy(message + head + (i - l->tick_first[at]) * sizeof(double), &l->trace->compute[l->order_of[i]], sizeof(double));
	}
	return message;
}

/* There is room for all. */
static void read_messages(struct time_gathering *g, uint32_t at, uint32_t end)
{
	for (uint32_t r = 0; r < team_size(g->team); r++)
		g->taken[r] = (end - at) * sizeof(uint32_t);
	for (uint32_t k = at; k < end; k++) {
		uint64_t n = g->times->first[k];

		for (uint32_t r = 0; r < team_size(g->team); r++) {
			const char *bytes = g->from[r].bytes;
			uint32_t count;

			memcpy(&count, bytes + (k - at) * sizeof count, sizeof count);
			if (count)
				memcpy(g->times->compute + n, bytes + g->taken[r], count * sizeof(double));
			g->taken[r] += count * sizeof(double);
			n += count;
		}
		g->times->first[k + 1] = n;
	}
}

static enum err_code times_exchange(struct time_gathering *g, uint32_t at, uint32_t end, const struct progress *progress, struct err *e)
{
	size_t bytes;
	char *message = times_write_message(g->l, at, end, &bytes);
	enum err_code code = message ? ERR_OK : err_memory(e, "the compute times of basic blocks");

	if (!code && progress_stopped(progress))
		code = err_set(e, ERR_CANCELLED, "stopped while compute times were gathered");
	if (code)
		code = team_agree(g->team, code, e);
	else
		code = team_gather(g->team, message, bytes, g->from, e);
	mem_free(message);
	if (!code && !team_rank(g->team))
		read_messages(g, at, end);
	team_bytes_free(g->from, team_size(g->team));
	return code;
}

static enum err_code gather_cells(struct bbp_times *times, const struct logical *l, const struct progress *progress, struct err *e)
{
	struct time_gathering g = {.times = times, .l = l, .team = trace_team(l->trace)};
	uint32_t per_step = ticks_per_step(l->trace);
	bool first = !team_rank(g.team);
	enum err_code code = ERR_OK;

	g.from = mem_zero(team_size(g.team), sizeof *g.from);
	g.taken = mem_alloc(team_size(g.team), sizeof *g.taken);
	if (first) {
		times->first = mem_zero((size_t)l->tick_count + 1, sizeof *times->first);
		times->compute = mem_alloc(trace_all_events(l->trace), sizeof *times->compute);
	}
	if (!g.from || !g.taken || (first && (!times->first || !times->compute)))
		code = err_memory(e, "the compute times of basic blocks");
	code = team_agree(g.team, code, e);
	for (uint32_t at = 0, end; !code && at < l->tick_count; at = end) {
		end = l->tick_count - at < per_step ? l->tick_count : at + per_step;
		code = times_exchange(&g, at, end, progress, e);
	}
	mem_free(g.from);
	mem_free(g.taken);
	return code;
}

enum err_code bbp_times_init(struct bbp_times *times, const struct bbp_space *space, const struct settings *settings, const struct progress *progress,
			     struct err *e)
{
	*times = (struct bbp_times){.tick = space->largest};
	if (settings->compute_of == COMPUTE_SUM)
		return sum_ticks(times, space->l, progress, e);
	if (settings->compute_of == COMPUTE_EACH && team_size(trace_team(space->l->trace)) > 1)
		return gather_cells(times, space->l, progress, e);
	return ERR_OK;
}

void bbp_times_release(struct bbp_times *times)
{
	mem_free(times->sum);
	mem_free(times->first);
	mem_free(times->compute);
	*times = (struct bbp_times){0};
}
