#include "tick_cells.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/trace/remote.h"

#define CELLS_PER_STEP (1u << 18) /* of a rank, at most: 4 MB */

/* A message is, of each tick, how many cells the rank has of it (uint32_t), then all these cells. */
struct cell_gathering {
	struct tick_cells *c;
	const struct logical *l;
	const struct team *team;
	const uint32_t *ticks;
	bool sends_only;
	uint32_t per_step;
	unsigned char *message;
	size_t message_cap, list_cap, cells;
	struct team_bytes *from;
};

uint32_t ticks_per_step(const struct trace *t)
{
	return t->process_count >= CELLS_PER_STEP ? 1 : CELLS_PER_STEP / (t->process_count ? t->process_count : 1);
}

/* The rank's message of the ticks [at, end). 0: no memory. */
static size_t cells_write_message(struct cell_gathering *g, uint32_t at, uint32_t end)
{
	size_t head = (end - at) * sizeof(uint32_t), n = head;

	for (uint32_t i = at; i < end; i++) {
		struct cell_walk w = cells_of_tick(g->l, g->ticks[i], g->sends_only);
		size_t most = (w.w.end - w.w.at) * sizeof(struct tick_cell);
		struct tick_cell cell;
		uint32_t count = 0;

		if (n + most > g->message_cap) {
			unsigned char *more = mem_resize(g->message, 2 * (n + most), 1);

			if (!more)
				return 0;
			g->message = more;
			g->message_cap = 2 * (n + most);
		}
		for (; cell_next(&w, &cell); count++, n += sizeof cell)
			memcpy(g->message + n, &cell, sizeof cell);
		memcpy(g->message + (i - at) * sizeof count, &count, sizeof count);
	}
	return n;
}

static bool cells_make_room(struct cell_gathering *g, size_t more)
{
	size_t want = g->cells + more;
	struct tick_cell *list;

	if (want <= g->list_cap && g->c->list)
		return true;
	list = mem_resize(g->c->list, 2 * want, sizeof *list);
	if (!list)
		return false;
	g->c->list = list;
	g->list_cap = 2 * want;
	return true;
}

/* Ranks are in the order of their processes, and so are the cells. */
static bool read_messages(struct cell_gathering *g, uint32_t at, uint32_t end, size_t *taken)
{
	uint32_t size = team_size(g->team);
	size_t head = (end - at) * sizeof(uint32_t), all = 0;

	for (uint32_t r = 0; r < size; r++) {
		all += (g->from[r].n - head) / sizeof(struct tick_cell);
		taken[r] = head;
	}
	if (!cells_make_room(g, all))
		return false;
	for (uint32_t i = at; i < end; i++) {
		for (uint32_t r = 0; r < size; r++) {
			const unsigned char *bytes = g->from[r].bytes;
			uint32_t count;

			memcpy(&count, bytes + (i - at) * sizeof count, sizeof count);
			if (!count)
				continue;
			memcpy(g->c->list + g->cells, bytes + taken[r], count * sizeof *g->c->list);
			taken[r] += count * sizeof *g->c->list;
			g->cells += count;
		}
		g->c->first[i + 1] = g->cells;
	}
	return true;
}

static enum err_code cells_gather(struct cell_gathering *g, size_t *taken, const struct progress *progress, struct err *e)
{
	uint32_t count = g->c->count;
	enum err_code code = ERR_OK;

	for (uint32_t at = 0, end; at < count && !code; at = end) {
		size_t n;

		end = count - at < g->per_step ? count : at + g->per_step;
		n = cells_write_message(g, at, end);
		if (!n)
			return team_agree(g->team, err_memory(e, "the cells of ticks"), e);
		if (progress_stopped(progress))
			return team_agree(g->team, err_set(e, ERR_CANCELLED, "stopped while ticks were gathered"), e);
		code = team_gather(g->team, g->message, n, g->from, e);
		if (!code && !team_rank(g->team) && !read_messages(g, at, end, taken))
			code = team_agree(g->team, err_memory(e, "the cells of ticks"), e);
		else if (!code)
			code = team_agree(g->team, ERR_OK, e);
		team_bytes_free(g->from, team_size(g->team));
	}
	return code;
}

enum err_code tick_cells_gather(struct tick_cells *c, const struct logical *l, const uint32_t *ticks, uint32_t count, bool sends_only,
				const struct progress *progress, struct err *e)
{
	struct cell_gathering g = {.c = c, .l = l, .team = trace_team(l->trace), .ticks = ticks, .sends_only = sends_only,
			      .per_step = ticks_per_step(l->trace)};
	uint32_t size = team_size(g.team);
	bool first = !team_rank(g.team);
	size_t *taken;
	enum err_code code;

	*c = (struct tick_cells){0};
	if (size == 1)
		return ERR_OK;
	c->count = count;
	g.message_cap = g.per_step * sizeof(uint32_t);
	g.message = mem_alloc(g.message_cap, 1);
	g.from = mem_zero(size, sizeof *g.from);
	taken = mem_alloc(size, sizeof *taken);
	if (first)
		c->first = mem_zero((size_t)count + 1, sizeof *c->first);
	if (!g.message || !g.from || !taken || (first && (!c->first || !cells_make_room(&g, 1))))
		code = team_agree(g.team, err_memory(e, "the cells of ticks"), e);
	else
		code = team_agree(g.team, ERR_OK, e);
	if (!code)
		code = cells_gather(&g, taken, progress, e);
	mem_free(g.message);
	mem_free(g.from);
	mem_free(taken);
	if (code)
		tick_cells_release(c);
	return code;
}

void tick_cells_release(struct tick_cells *c)
{
	mem_free(c->first);
	mem_free(c->list);
	*c = (struct tick_cells){0};
}
