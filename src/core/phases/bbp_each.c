/* Compute times of single cells, gathered on rank 0 of a team. */
#include <string.h>

#include "bbp_space.h"
#include "core/trace/trace_far.h"

/* A message is, of each tick, how many cells the rank has of it (uint32_t), then the compute times of all of these. */
struct gathering {
	struct bbp_each *each;
	const struct logical *l;
	const struct team *team;
	struct team_bytes *from;
	size_t *taken; /* per rank: bytes of its message that are done with */
};

static char *write_message(const struct logical *l, uint32_t at, uint32_t end, size_t *bytes)
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
static void read_messages(struct gathering *g, uint32_t at, uint32_t end)
{
	for (uint32_t r = 0; r < team_size(g->team); r++)
		g->taken[r] = (end - at) * sizeof(uint32_t);
	for (uint32_t k = at; k < end; k++) {
		uint64_t n = g->each->first[k];

		for (uint32_t r = 0; r < team_size(g->team); r++) {
			const char *bytes = g->from[r].bytes;
			uint32_t count;

			memcpy(&count, bytes + (k - at) * sizeof count, sizeof count);
			if (count)
				memcpy(g->each->compute + n, bytes + g->taken[r], count * sizeof(double));
			g->taken[r] += count * sizeof(double);
			n += count;
		}
		g->each->first[k + 1] = n;
	}
}

static enum err_code meet(struct gathering *g, uint32_t at, uint32_t end, const struct job *job, struct err *e)
{
	size_t bytes;
	char *message = write_message(g->l, at, end, &bytes);
	enum err_code code = message ? ERR_OK : err_memory(e, "the compute times of basic blocks");

	if (!code && job_stopped(job))
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

enum err_code bbp_each_gather(struct bbp_each *each, const struct logical *l, const struct job *job, struct err *e)
{
	struct gathering g = {.each = each, .l = l, .team = trace_team(l->trace)};
	uint32_t a_meeting = ticks_a_meeting(l->trace);
	bool first = !team_rank(g.team);
	enum err_code code = ERR_OK;

	*each = (struct bbp_each){0};
	if (team_size(g.team) == 1)
		return ERR_OK;
	g.from = mem_zero(team_size(g.team), sizeof *g.from);
	g.taken = mem_alloc(team_size(g.team), sizeof *g.taken);
	if (first) {
		each->first = mem_zero((size_t)l->tick_count + 1, sizeof *each->first);
		each->compute = mem_alloc(trace_all_events(l->trace), sizeof *each->compute);
	}
	if (!g.from || !g.taken || (first && (!each->first || !each->compute)))
		code = err_memory(e, "the compute times of basic blocks");
	code = team_agree(g.team, code, e);
	for (uint32_t at = 0, end; !code && at < l->tick_count; at = end) {
		end = l->tick_count - at < a_meeting ? l->tick_count : at + a_meeting;
		code = meet(&g, at, end, job, e);
	}
	mem_free(g.from);
	mem_free(g.taken);
	if (code)
		bbp_each_release(each);
	return code;
}

void bbp_each_release(struct bbp_each *each)
{
	mem_free(each->first);
	mem_free(each->compute);
	*each = (struct bbp_each){0};
}
