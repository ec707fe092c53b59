#include "core/trace/remote.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/search.h"
#include "trace_make.h"

void trace_local(const struct trace *t, uint32_t *begin, uint32_t *end)
{
	*begin = t->remote ? t->remote->owner_first[t->remote->team->rank] : 0;
	*end = t->remote ? t->remote->owner_first[t->remote->team->rank + 1] : t->process_count;
}

uint32_t trace_owner(const struct trace_remote *remote, uint32_t process)
{
	return SEARCH_LAST(i, 0, remote->team->size, remote->owner_first[i] <= process);
}

enum err_code trace_share(const struct trace *t, void *list, size_t element, struct err *e)
{
	const struct team *team = trace_team(t);
	uint8_t *bytes = list;
	struct team_bytes *from;
	uint32_t begin, end;
	enum err_code code;

	if (!team)
		return ERR_OK;
	trace_local(t, &begin, &end);
	from = mem_zero(team->size, sizeof *from);
	code = from ? team_gather_all(team, bytes + begin * element, (end - begin) * element, from, e) :
		      team_agree(team, err_memory(e, "what ranks know of processes"), e);
	for (uint32_t r = 0; !code && r < team->size; r++)
		if (from[r].n)
			memcpy(bytes + t->remote->owner_first[r] * element, from[r].bytes, from[r].n);
	if (from)
		team_bytes_free(from, team->size);
	mem_free(from);
	return code;
}

/* The first process of a group: p is of group p * MAKE_GROUPS / processes. */
static uint32_t group_first(uint32_t group, uint32_t processes)
{
	return (uint32_t)(((uint64_t)group * processes + MAKE_GROUPS - 1) / MAKE_GROUPS);
}

void trace_owners(uint32_t *first, uint32_t ranks, uint32_t processes, const uint64_t *events)
{
	uint64_t total = 0, before = 0;
	uint32_t rank = 0;

	for (uint32_t p = 0; p < processes; p++)
		total += events[p];
	first[0] = 0;
	for (uint32_t g = 0; g < MAKE_GROUPS; g++) {
		uint32_t begin = group_first(g, processes), end = group_first(g + 1, processes);
		uint64_t here = 0;

		if (begin == end)
			continue;
		for (uint32_t p = begin; p < end; p++)
			here += events[p];
		/* A group goes to the rank in whose share its middle lies. */
		while (rank + 1 < ranks && (before + here / 2) * ranks >= total * (rank + 1) && begin > first[rank])
			first[++rank] = begin;
		before += here;
	}
	while (rank < ranks)
		first[++rank] = processes;
}

const struct remote_instance *remote_instance(const struct trace *t, uint32_t event)
{
	const struct remote_instance *list = t->remote ? t->remote->instance : NULL;
	uint32_t count = list ? t->remote->instance_count : 0, found = SEARCH_PAST(i, 0, count, list[i].event < event);

	return found < count && list[found].event == event ? &list[found] : NULL;
}

void trace_remote_free(struct trace_remote *remote)
{
	if (!remote)
		return;
	mem_free(remote->owner_first);
	mem_free(remote->events);
	mem_free(remote->message);
	mem_free(remote->instance);
	mem_free(remote->owned_ranks);
	mem_free(remote);
}
