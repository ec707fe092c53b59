#include "prv_int.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/team/team.h"

struct arranging {
	struct prv_arranged *all;
	struct prv_room *rooms; /* per worker */
	uint64_t *most;        /* per thread of the scan */
	atomic_uint next;
	atomic_bool failed;
	struct parallel_stop stop;
};

static void arranging_work(void *arg, unsigned number)
{
	struct arranging *to = arg;
	struct prv_scan *scan = to->all->scan;
	unsigned at;

	while ((at = atomic_fetch_add(&to->next, 1)) < scan->thread_count) {
		if (atomic_load(&to->failed) || parallel_stopped(&to->stop, number))
			return;
		if (!prv_thread_arrange(&to->rooms[number], &scan->threads[at], &to->most[at]))
			atomic_store(&to->failed, true);
	}
}

/* The collectives that occur, as keys: by communicator and then in the order of kinds. */
static uint64_t *list_colls(struct arranging *to, unsigned workers, size_t *n)
{
	uint64_t op, comm, *keys;
	uint32_t value;
	size_t total = 0;

	*n = 0;
	for (unsigned w = 0; w < workers; w++)
		total += map_count(to->rooms[w].colls);
	keys = mem_alloc(total, sizeof *keys);
	for (unsigned w = 0; keys && w < workers; w++)
		for (size_t i = 0; map_each(to->rooms[w].colls, &i, &op, &comm, &value);)
			keys[(*n)++] = comm << 32 | op;
	return keys;
}

/* Each once. */
static bool define_colls(struct arranging *to, struct maker *maker, uint64_t *keys, size_t n)
{
	struct prv_arranged *all = to->all;
	bool defined = true;

	SORT(keys, n, order_u64);
	for (size_t i = 0; defined && i < n; i++) {
		uint32_t *at = map_at(all->colls, (uint32_t)keys[i], keys[i] >> 32);

		if (at && *at)
			continue;
		defined = at && make_collective_type(maker, all->kinds->list[(uint32_t)keys[i]].op_name, (uint32_t)(keys[i] >> 32));
		if (defined)
			*at = maker->trace->coll_count;
	}
	return defined;
}

static void arranging_sum_up(struct arranging *to, unsigned workers)
{
	struct prv_arranged *all = to->all;

	for (uint32_t i = 0; i < all->scan->thread_count; i++)
		all->most[all->scan->threads[i].process] += to->most[i];
	for (unsigned w = 0; w < workers; w++) {
		const struct prv_room *room = &to->rooms[w];

		if (room->unknown_comms && (!all->unknown_comms || room->unknown_comm < all->unknown_comm))
			all->unknown_comm = room->unknown_comm;
		all->unknown_comms += room->unknown_comms;
	}
}

/* ---- with a team: what the local processes have becomes what all have ---- */

static enum err_code exchange_colls(uint64_t **keys, size_t *n, struct maker *maker, struct err *e)
{
	uint32_t ranks = team_size(maker->team);
	struct team_bytes *from = mem_zero(ranks, sizeof *from);
	enum err_code code = from ? maker_agreed(maker, team_gather_all(maker->team, *keys, *n * sizeof **keys, from, e)) : err_memory(e, "the collectives");
	size_t total = 0;
	uint64_t *all;

	for (uint32_t r = 0; !code && r < ranks; r++)
		total += from[r].n / sizeof *all;
	all = code ? NULL : mem_alloc(total, sizeof *all);
	if (!code && !all)
		code = err_memory(e, "the collectives");
	*n = 0;
	for (uint32_t r = 0; !code && r < ranks; r++) {
		if (from[r].n)
			memcpy(all + *n, from[r].bytes, from[r].n);
		*n += from[r].n / sizeof *all;
	}
	if (!code) {
		mem_free(*keys);
		*keys = all;
	}
	if (from)
		team_bytes_free(from, ranks);
	mem_free(from);
	return code;
}

static enum err_code exchange_figures(struct prv_arranged *all, struct maker *maker, struct err *e)
{
	uint64_t lowest = all->unknown_comms ? all->unknown_comm : UINT64_MAX;
	enum err_code code = maker_agreed(maker, team_reduce(maker->team, all->most, all->header->task_count, TEAM_SUM, e));

	if (!code)
		code = maker_agreed(maker, team_reduce(maker->team, &all->unknown_comms, 1, TEAM_SUM, e));
	if (!code)
		code = maker_agreed(maker, team_reduce(maker->team, &lowest, 1, TEAM_MIN, e));
	all->unknown_comm = lowest;
	return code;
}

/* ---- all threads ---- */

static enum err_code define_all(struct arranging *to, struct maker *maker, unsigned workers, struct err *e)
{
	size_t n;
	uint64_t *keys = list_colls(to, workers, &n);
	enum err_code code = keys ? ERR_OK : err_memory(e, "the collectives");

	arranging_sum_up(to, workers);
	if (!code && maker->team)
		code = exchange_colls(&keys, &n, maker, e);
	if (!code && maker->team)
		code = exchange_figures(to->all, maker, e);
	if (!code && !define_colls(to, maker, keys, n))
		code = err_memory(e, "the collectives");
	mem_free(keys);
	return code;
}

enum err_code prv_arrange(struct prv_arranged *all, struct maker *maker, struct err *e)
{
	unsigned workers = maker->threads;
	struct arranging to = {.all = all, .stop = {.progress = maker->progress}};
	enum err_code code = ERR_OK;
	bool made;

	all->most = mem_zero(all->header->task_count, sizeof *all->most);
	all->colls = map_new();
	to.most = mem_zero(all->scan->thread_count, sizeof *to.most);
	to.rooms = mem_zero(workers, sizeof *to.rooms);
	made = all->most && all->colls && to.most && to.rooms;
	for (unsigned w = 0; to.rooms && w < workers; w++) {
		to.rooms[w].all = all;
		to.rooms[w].colls = map_new();
		made = made && to.rooms[w].colls;
	}
	if (made) {
		parallel_run(workers, arranging_work, &to);
		made = !atomic_load(&to.failed);
	}
	if (!made)
		code = err_memory(e, "the trace's events");
	else if (atomic_load(&to.stop.stopped))
		code = err_set(e, ERR_CANCELLED, "stopped before any event was read");
	else
		code = define_all(&to, maker, workers, e);
	for (unsigned w = 0; to.rooms && w < workers; w++)
		prv_room_release(&to.rooms[w]);
	mem_free(to.rooms);
	mem_free(to.most);
	return code;
}

void prv_arranged_release(struct prv_arranged *all)
{
	mem_free(all->most);
	map_free(all->colls);
}
