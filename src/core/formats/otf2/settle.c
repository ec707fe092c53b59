/* Once all is read: which communicators any event is on, and which collectives there are. */
#include <stdlib.h>

#include "core/team/team.h"
#include "load.h"

uint32_t otf_coll_type(struct otf_colls *colls, uint32_t op, uint32_t comm)
{
	uint32_t *at, type = UINT32_MAX;

	pthread_mutex_lock(&colls->lock);
	at = map_at(colls->at, op, comm);
	if (at && !*at) {
		struct otf_coll *list = mem_grow(colls->list, colls->count, &colls->cap, sizeof *list);

		if (list) {
			colls->list = list;
			list[colls->count] = (struct otf_coll){op, comm};
			*at = ++colls->count;
		}
	}
	if (at && *at)
		type = *at - 1;
	pthread_mutex_unlock(&colls->lock);
	return type;
}

/* What was told to be, by what it is. */
struct numbers {
	uint32_t *comm, *type;
};

/* What other ranks have met, too: the threads of a job meet it in any order as well. */
static enum err_code used_comms_exchange(struct otf_loader *loader, uint32_t *number, struct err *e)
{
	const struct team *team = loader->maker->team;
	uint64_t odd[] = {atomic_load(&loader->maps), atomic_load(&loader->one_sided)};
	struct team_bytes *from = mem_zero(team_size(team), sizeof *from);
	enum err_code code = from ? ERR_OK : err_memory(e, "the collectives");

	if (!code)
		code = maker_agreed(loader->maker, team_reduce(team, odd, 2, TEAM_MAX, e));
	if (!code)
		code = maker_agreed(loader->maker, team_reduce_u32(team, number, loader->maker->trace->comm_count, TEAM_MAX, e));
	if (!code)
		code = maker_agreed(loader->maker, team_gather_all(team, loader->colls.list, loader->colls.count * sizeof *loader->colls.list,
								from, e));
	for (uint32_t r = 0; !code && r < team_size(team); r++)
		for (size_t i = 0; !code && i < from[r].n / sizeof(struct otf_coll); i++) {
			const struct otf_coll *coll = (const struct otf_coll *)from[r].bytes + i;

			if (otf_coll_type(&loader->colls, coll->op, coll->comm) == UINT32_MAX)
				code = err_memory(e, "the collectives");
		}
	if (from)
		team_bytes_free(from, team_size(team));
	mem_free(from);
	atomic_store(&loader->maps, odd[0]);
	atomic_store(&loader->one_sided, odd[1]);
	return code;
}

static void find_comms(const struct trace *t, uint32_t world, uint32_t *number)
{
	for (uint32_t i = 0; i < t->event_count; i++)
		number[t->envelope[i]] = 1;
	number[world] = 1;
}

/* number: 1 of those that are found. */
static void used_comms_number(struct trace *t, uint32_t *number)
{
	uint32_t next = 0;

	for (uint32_t k = 0; k < t->comm_count; k++) {
		if (!number[k])
			continue;
		t->comms[next] = t->comms[k];
		number[k] = next++;
	}
	t->comm_count = next;
}

static int compare_colls(const void *a, const void *b, void *arg)
{
	const struct otf_loader *loader = arg;
	const struct otf_coll *x = &loader->colls.list[*(const uint32_t *)a], *y = &loader->colls.list[*(const uint32_t *)b];

	if (x->op != y->op)
		return x->op < y->op ? -1 : 1;
	return x->comm < y->comm ? -1 : x->comm > y->comm;
}

static enum err_code number_types(struct otf_loader *loader, const struct numbers *numbers, struct err *e)
{
	uint32_t n = loader->colls.count, *sorted = mem_alloc(n, sizeof *sorted);
	bool done = sorted;

	for (uint32_t i = 0; done && i < n; i++)
		sorted[i] = i;
	if (done && n)
		qsort_r(sorted, n, sizeof *sorted, compare_colls, loader);
	for (uint32_t i = 0; done && i < n; i++) {
		const struct otf_coll *coll = &loader->colls.list[sorted[i]];

		numbers->type[sorted[i]] = i;
		done = make_collective_type(loader->maker, loader->kinds.ops[coll->op], numbers->comm[coll->comm]);
	}
	mem_free(sorted);
	return done ? ERR_OK : err_memory(e, "the collectives");
}

static void renumber(struct trace *t, const struct numbers *numbers)
{
	for (uint32_t i = 0; i < t->event_count; i++) {
		t->envelope[i] = numbers->comm[t->envelope[i]];
		if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE)
			t->type[i] = EVENT_COLLECTIVE | numbers->type[EVENT_INDEX(t->type[i])];
	}
}

enum err_code otf_settle(struct otf_loader *loader, struct err *e)
{
	struct trace *t = loader->maker->trace;
	struct numbers numbers = {mem_zero(t->comm_count, sizeof *numbers.comm), NULL};
	enum err_code code = numbers.comm ? ERR_OK : err_memory(e, "the communicators");

	if (!code) {
		find_comms(t, loader->comms.world, numbers.comm);
		code = loader->maker->team ? used_comms_exchange(loader, numbers.comm, e) : ERR_OK;
	}
	if (!code) {
		numbers.type = mem_zero(loader->colls.count, sizeof *numbers.type);
		code = numbers.type ? ERR_OK : err_memory(e, "the communicators");
	}
	if (!code) {
		used_comms_number(t, numbers.comm);
		code = number_types(loader, &numbers, e);
	}
	if (!code)
		renumber(t, &numbers);
	mem_free(numbers.comm);
	mem_free(numbers.type);
	return code;
}
