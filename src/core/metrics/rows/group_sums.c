#include "rows_int.h"

#include "core/trace/remote.h"
#include "core/trace/make/trace_make.h"

#define SLICE 4096 /* rows that go to rank 0 at once */

bool group_sums_init(struct group_sums *g, const struct trace *t, uint32_t rows, size_t size, void (*join)(void *to, const void *from))
{
	*g = (struct group_sums){.t = t, .rows = rows, .size = size, .join = join};
	g->sum = mem_zero(rows, size);
	g->here = mem_zero(rows, size);
	g->is_touched = mem_zero(rows, sizeof *g->is_touched);
	g->touched = mem_alloc(rows, sizeof *g->touched);
	return g->sum && g->here && g->is_touched && g->touched;
}

void group_sums_release(struct group_sums *g)
{
	mem_free(g->sum);
	mem_free(g->here);
	mem_free(g->is_touched);
	mem_free(g->touched);
	mem_free(g->groups.bytes);
	*g = (struct group_sums){0};
}

static void end_group(struct group_sums *g)
{
	for (uint32_t i = 0; i < g->touched_count; i++) {
		uint32_t row = g->touched[i];
		uint8_t *here = g->here + row * g->size;

		if (g->t->remote) {
			team_put(&g->groups, &row, sizeof row);
			team_put(&g->groups, here, g->size);
		} else {
			g->join(group_sums_of(g, row), here);
		}
		memset(here, 0, g->size);
		g->is_touched[row] = 0;
	}
	g->touched_count = 0;
}

void group_sums_begin(struct group_sums *g, uint32_t process)
{
	uint32_t group = (uint32_t)((uint64_t)process * MAKE_GROUPS / g->t->process_count);

	if (group != g->group)
		end_group(g);
	g->group = group;
}

/* What this rank has of some rows. */
static void pack_slice(const struct group_sums *g, struct team_pack *slice, uint32_t first, uint32_t end)
{
	size_t step = sizeof(uint32_t) + g->size;

	for (size_t at = 0; at < g->groups.n; at += step) {
		uint32_t row;

		memcpy(&row, g->groups.bytes + at, sizeof row);
		if (row >= first && row < end)
			team_put(slice, g->groups.bytes + at, step);
	}
}

/* Ranks have consecutive groups. */
static void join_slice(struct group_sums *g, const struct team_bytes *from, void *sum)
{
	for (uint32_t r = 0; r < g->t->remote->team->size; r++) {
		struct team_take take = {from[r].bytes, from[r].n};
		uint32_t row;

		while (team_take(&take, &row, sizeof row) && team_take(&take, sum, g->size))
			g->join(group_sums_of(g, row), sum);
	}
}

static enum err_code group_sums_gather(struct group_sums *g, struct team_bytes *from, void *sum, struct err *e)
{
	const struct team *team = g->t->remote->team;
	enum err_code code = g->groups.failed || !from || !sum ? err_memory(e, "the sums over the processes") : ERR_OK;

	for (uint32_t first = 0; !code && first < g->rows; first += SLICE) {
		uint32_t end = g->rows - first < SLICE ? g->rows : first + SLICE;
		struct team_pack slice = {0};

		pack_slice(g, &slice, first, end);
		if (slice.failed)
			code = team_agree(team, err_memory(e, "the sums over the processes"), e);
		else
			code = team_gather(team, slice.bytes, slice.n, from, e);
		mem_free(slice.bytes);
		if (code)
			return code;
		join_slice(g, from, sum);
		team_bytes_free(from, team->size);
	}
	return team_agree(team, code, e);
}

enum err_code group_sums_finish(struct group_sums *g, struct err *e)
{
	struct team_bytes *from;
	enum err_code code;
	void *sum;

	end_group(g);
	if (!g->t->remote)
		return ERR_OK;
	from = mem_zero(g->t->remote->team->size, sizeof *from);
	sum = mem_alloc(1, g->size);
	code = group_sums_gather(g, from, sum, e);
	mem_free(from);
	mem_free(sum);
	return code;
}
