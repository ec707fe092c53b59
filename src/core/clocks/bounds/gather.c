#include "bounds_int.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/team/team_pack.h"

static const char *const bounds = "the bounds of clocks";

struct hull_gathering {
	const struct team *team;
	struct team_bytes *from;
	struct pair_list *pairs;
	struct pair_hulls **hulls;
	size_t *count;
};

/* What a rank tells: how much there is of it, pairs, then of each of its hulls how many corners, and these. */
struct hulls_header {
	uint64_t pairs, hulls;
};

static void put_hull(struct team_pack *pack, const struct hull *hull)
{
	team_put(pack, &hull->count, sizeof hull->count);
	team_put(pack, hull->point, hull->count * sizeof *hull->point);
}

static void put_all(const struct hull_gathering *g, struct team_pack *pack)
{
	const struct hulls_header header = {g->pairs ? g->pairs->count : 0, *g->count};

	team_put(pack, &header, sizeof header);
	if (g->pairs) {
		team_put(pack, g->pairs->p, g->pairs->count * sizeof *g->pairs->p);
		team_put(pack, g->pairs->q, g->pairs->count * sizeof *g->pairs->q);
	}
	for (size_t i = 0; i < *g->count; i++) {
		put_hull(pack, &(*g->hulls)[i].least);
		put_hull(pack, &(*g->hulls)[i].most);
	}
}

static bool take_hull(struct team_take *take, struct hull *hull)
{
	*hull = (struct hull){0};
	if (!team_take(take, &hull->count, sizeof hull->count))
		return false;
	hull->point = mem_alloc(hull->count, sizeof *hull->point);
	hull->cap = hull->count;
	if (hull->point)
		return team_take(take, hull->point, hull->count * sizeof *hull->point);
	hull->count = 0;
	return false;
}

static bool take_pairs(const struct hull_gathering *g, struct team_take *take, uint32_t count)
{
	struct pair_list *l = g->pairs;
	bool taken;

	if (!count)
		return true;
	taken = team_take(take, l->p + l->count, count * sizeof *l->p) && team_take(take, l->q + l->count, count * sizeof *l->q);
	l->count += count;
	return taken;
}

static bool take_rank(const struct hull_gathering *g, struct team_take *take)
{
	struct hulls_header header = {0, 0};
	bool taken = team_take(take, &header, sizeof header) && take_pairs(g, take, (uint32_t)header.pairs);

	for (uint64_t i = 0; taken && i < header.hulls; i++) {
		struct pair_hulls *hulls = &(*g->hulls)[*g->count];

		*hulls = (struct pair_hulls){0};
		++*g->count; /* whoever frees them frees what is there */
		taken = take_hull(take, &hulls->least) && take_hull(take, &hulls->most);
	}
	return taken;
}

static bool hulls_make_room(const struct hull_gathering *g, uint64_t pairs, uint64_t hulls)
{
	struct pair_hulls *longer = mem_resize(*g->hulls, hulls, sizeof *longer);
	uint32_t *p, *q;

	if (!longer)
		return false;
	*g->hulls = longer;
	if (!g->pairs)
		return true;
	p = mem_resize(g->pairs->p, pairs, sizeof *p);
	g->pairs->p = p ? p : g->pairs->p;
	q = p ? mem_resize(g->pairs->q, pairs, sizeof *q) : NULL;
	g->pairs->q = q ? q : g->pairs->q;
	return q;
}

/* On rank 0, which keeps what it has. */
static bool hulls_take_all(void *arg)
{
	const struct hull_gathering *g = arg;
	struct hulls_header all = {0, 0};
	bool done;

	for (uint32_t r = 0; r < g->team->size; r++) {
		struct hulls_header header = {0, 0};

		team_take(&(struct team_take){g->from[r].bytes, g->from[r].n}, &header, sizeof header);
		all.pairs += header.pairs;
		all.hulls += header.hulls;
	}
	done = all.pairs < UINT32_MAX && hulls_make_room(g, all.pairs, all.hulls);
	for (uint32_t r = 1; done && r < g->team->size; r++)
		done = take_rank(g, &(struct team_take){g->from[r].bytes, g->from[r].n});
	return done;
}

static void give_away(const struct hull_gathering *g)
{
	for (size_t i = 0; i < *g->count; i++)
		pair_hulls_release(&(*g->hulls)[i]);
	*g->count = 0;
}

enum err_code clock_gather(const struct team *team, enum err_code code, struct pair_list *pairs, struct pair_hulls **hulls, size_t *count,
			   struct err *e)
{
	struct hull_gathering g = {team, mem_zero(team_size(team), sizeof *g.from), pairs, hulls, count};
	struct team_pack pack = {0};

	if (!code)
		put_all(&g, &pack);
	if (!code && (!g.from || pack.failed))
		code = err_memory(e, bounds);
	code = team_collect(team, code, pack.bytes, pack.n, g.from, hulls_take_all, &g, bounds, e);
	mem_free(g.from);
	if (!code && team_rank(team))
		give_away(&g);
	return code;
}
