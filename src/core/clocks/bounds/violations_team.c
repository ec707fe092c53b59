#include "bounds_int.h"

#include "core/base/mem.h"
#include "core/team/team_pack.h"
#include "core/trace/remote.h"

struct violation_gathering {
	struct clock_violations *v;
	const struct trace_remote *remote;
	struct team_bytes *from;
};

static void violation_count_add(struct violation_count *to, const struct violation_count *from)
{
	if (from->all && (!to->all || from->worst < to->worst))
		to->worst = from->worst;
	to->all += from->all;
	to->violated += from->violated;
}

/* Of the local processes only what pairs do not tell. */
static void put_all(const struct clock_violations *v, const struct trace *t, struct team_pack *pack)
{
	uint32_t begin, end;

	trace_local(t, &begin, &end);
	for (uint32_t p = begin; p < end; p++)
		team_put(pack, &v->process[p].collective, sizeof v->process[p].collective);
	for (uint32_t k = 0; k < v->bin_count; k++)
		team_put(pack, &v->bin[k].messages, sizeof v->bin[k].messages);
	team_put(pack, &v->pair_count, sizeof v->pair_count);
	team_put(pack, v->pair, v->pair_count * sizeof *v->pair);
}

static bool take_processes(struct clock_violations *v, struct team_take *take, uint32_t begin, uint32_t end)
{
	for (uint32_t p = begin; p < end; p++) {
		if (!team_take(take, &v->process[p].collective, sizeof v->process[p].collective))
			return false;
		violation_count_add(&v->collective, &v->process[p].collective);
	}
	return true;
}

static bool take_pairs(struct clock_violations *v, struct team_take *take)
{
	struct pair_violations *longer;
	uint32_t count = 0;

	if (!team_take(take, &count, sizeof count))
		return false;
	if (!count)
		return true;
	longer = mem_resize(v->pair, (size_t)v->pair_count + count, sizeof *longer);
	if (!longer)
		return false;
	v->pair = longer;
	if (!team_take(take, longer + v->pair_count, count * sizeof *longer))
		return false;
	for (uint32_t k = v->pair_count; k < v->pair_count + count; k++) {
		violation_count_add(&v->messages, &longer[k].messages);
		violation_count_add(&v->process[longer[k].from].sent, &longer[k].messages);
		violation_count_add(&v->process[longer[k].to].received, &longer[k].messages);
	}
	v->pair_count += count;
	return true;
}

/* One rank after the other: their processes follow one another, as do the receivers of their messages. */
static bool violations_take_all(void *arg)
{
	const struct violation_gathering *g = arg;
	struct clock_violations *v = g->v;

	for (uint32_t r = 1; r < g->remote->team->size; r++) {
		struct team_take take = {g->from[r].bytes, g->from[r].n};
		struct violation_count bin;

		if (!take_processes(v, &take, g->remote->owner_first[r], g->remote->owner_first[r + 1]))
			return false;
		for (uint32_t k = 0; k < v->bin_count; k++) {
			if (!team_take(&take, &bin, sizeof bin))
				return false;
			violation_count_add(&v->bin[k].messages, &bin);
		}
		if (!take_pairs(v, &take))
			return false;
	}
	return true;
}

enum err_code clock_violations_gather(struct clock_violations *v, const struct trace *t, enum err_code code, struct err *e)
{
	const struct team *team = trace_team(t);
	struct violation_gathering g = {v, t->remote, mem_zero(team->size, sizeof *g.from)};
	struct team_pack pack = {0};

	if (!code)
		put_all(v, t, &pack);
	if (!code && (!g.from || pack.failed))
		code = err_memory(e, "the violations");
	code = team_collect(team, code, pack.bytes, pack.n, g.from, violations_take_all, &g, "the violations", e);
	mem_free(g.from);
	return code;
}
