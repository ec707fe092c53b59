#include "prv_arrange.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "prv_thread.h"

struct arranging {
	struct prv_arranged *all;
	struct prv_room *rooms; /* per worker */
	uint64_t *most;        /* per thread of the scan */
	atomic_uint next;
	atomic_bool failed;
	struct parallel_stop stop;
};

static void work(void *arg, unsigned number)
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

/* The collectives that occur, each told once, by communicator and then in the order of kinds. */
static bool tell_colls(struct arranging *to, struct maker *maker, unsigned workers)
{
	struct prv_arranged *all = to->all;
	uint64_t op, comm, *keys;
	uint32_t value;
	size_t n = 0, total = 0;
	bool told = true;

	for (unsigned w = 0; w < workers; w++)
		total += map_count(to->rooms[w].colls);
	keys = mem_alloc(total, sizeof *keys);
	if (!keys)
		return false;
	for (unsigned w = 0; w < workers; w++)
		for (size_t i = 0; map_each(to->rooms[w].colls, &i, &op, &comm, &value);)
			keys[n++] = comm << 32 | op;
	if (n)
		qsort(keys, n, sizeof *keys, order_u64);
	for (size_t i = 0; told && i < n; i++) {
		uint32_t *at = map_at(all->colls, (uint32_t)keys[i], keys[i] >> 32);

		if (at && *at)
			continue;
		told = at && make_collective_type(maker, all->kinds->list[(uint32_t)keys[i]].op_name, (uint32_t)(keys[i] >> 32));
		if (told)
			*at = maker->trace->coll_count;
	}
	mem_free(keys);
	return told;
}

static void sum_up(struct arranging *to, unsigned workers)
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

enum err_code prv_arrange(struct prv_arranged *all, struct maker *maker, struct err *e)
{
	unsigned workers = maker->threads;
	struct arranging to = {.all = all, .stop = {.job = maker->job}};
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
		parallel_run(workers, work, &to);
		made = !atomic_load(&to.failed);
	}
	if (made && atomic_load(&to.stop.stopped))
		code = err_set(e, ERR_CANCELLED, "stopped before any event was read");
	else if (made)
		made = tell_colls(&to, maker, workers);
	if (!made)
		code = err_memory(e, "the trace's events");
	else if (!code)
		sum_up(&to, workers);
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
