#include "prv_int.h"

#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/team/team.h"
#include "core/team/team_pack.h"

/* How many of an operation a process has on a communicator. */
struct root_group {
	uint32_t comm, op;
	uint32_t count;
};

struct root_search {
	const struct prv_arranged *all;
	struct prv_roots *roots;
	size_t root_cap;
	struct root_group *groups;
	size_t group_count, group_cap;
	struct prv_rooted *local; /* one process's */
	size_t local_cap;
};

/* ---- one process ---- */

ORDER_BY(compare_rooted, struct prv_rooted, UP(comm) UP(op) UP(time) UP(order))

static bool add_root(struct root_search *s, const struct prv_rooted *at, uint32_t number, uint32_t process)
{
	struct prv_root *list = mem_grow(s->roots->list, s->roots->count, &s->root_cap, sizeof *list);

	if (!list)
		return false;
	s->roots->list = list;
	list[s->roots->count++] = (struct prv_root){at->comm, at->op, number, process};
	return true;
}

static bool add_group(struct root_search *s, const struct prv_rooted *at, uint32_t count)
{
	struct root_group *groups = mem_grow(s->groups, s->group_count, &s->group_cap, sizeof *groups);

	if (!groups)
		return false;
	s->groups = groups;
	groups[s->group_count++] = (struct root_group){at->comm, at->op, count};
	return true;
}

/* Those of its threads, which are told by time, of one instant in the threads' order. */
static bool gather_local(struct root_search *s, const struct prv_thread *threads, uint32_t count, size_t *n)
{
	*n = 0;
	for (uint32_t t = 0; t < count; t++)
		for (size_t i = 0; i < threads[t].rooted_count; i++) {
			struct prv_rooted *local = mem_grow(s->local, *n, &s->local_cap, sizeof *local);

			if (!local)
				return false;
			s->local = local;
			local[*n] = threads[t].rooted[i];
			local[*n].order = *n;
			++*n;
		}
	return true;
}

static bool roots_find_local(struct root_search *s, const struct prv_thread *threads, uint32_t count)
{
	size_t n, first = 0;

	if (!gather_local(s, threads, count, &n))
		return false;
	SORT(s->local, n, compare_rooted);
	for (size_t i = 0; i < n; i++) {
		const struct prv_rooted *at = &s->local[i];

		if (at->comm != s->local[first].comm || at->op != s->local[first].op)
			first = i;
		if (at->root && !add_root(s, at, (uint32_t)(i - first), threads->process))
			return false;
		if ((i + 1 == n || at[1].comm != at->comm || at[1].op != at->op) && !add_group(s, at, (uint32_t)(i + 1 - first)))
			return false;
	}
	return true;
}

static bool find_all(struct root_search *s)
{
	struct prv_scan *scan = s->all->scan;
	bool found = true;

	for (uint32_t i = 0, n; i < scan->thread_count; i += n) {
		for (n = 1; i + n < scan->thread_count && scan->threads[i + n].process == scan->threads[i].process;)
			n++;
		found = found && roots_find_local(s, &scan->threads[i], n);
		for (uint32_t t = i; t < i + n; t++) {
			mem_free(scan->threads[t].rooted);
			scan->threads[t].rooted = NULL;
		}
	}
	return found;
}

/* ---- with a team ---- */

static bool unpack_roots(struct root_search *s, const struct team_bytes *from, uint32_t ranks)
{
	uint64_t counts[2];
	bool taken = true;

	s->roots->count = s->group_count = 0;
	for (uint32_t r = 0; taken && r < ranks; r++) {
		struct team_take take = {from[r].bytes, from[r].n};

		taken = team_take(&take, counts, sizeof counts);
		for (uint64_t i = 0; taken && i < counts[0]; i++) {
			struct prv_root root;

			taken = team_take(&take, &root, sizeof root) &&
				add_root(s, &(struct prv_rooted){.comm = root.comm, .op = root.op}, root.number, root.process);
		}
		for (uint64_t i = 0; taken && i < counts[1]; i++) {
			struct root_group group;

			taken = team_take(&take, &group, sizeof group) &&
				add_group(s, &(struct prv_rooted){.comm = group.comm, .op = group.op}, group.count);
		}
	}
	return taken;
}

static enum err_code exchange_roots(struct root_search *s, struct maker *maker, struct err *e)
{
	uint32_t ranks = team_size(maker->team);
	struct team_bytes *from = mem_zero(ranks, sizeof *from);
	struct team_pack pack = {0};
	const uint64_t counts[2] = {s->roots->count, s->group_count};
	enum err_code code;

	team_put(&pack, counts, sizeof counts);
	team_put(&pack, s->roots->list, s->roots->count * sizeof *s->roots->list);
	team_put(&pack, s->groups, s->group_count * sizeof *s->groups);
	code = from && !pack.failed ? ERR_OK : err_memory(e, "the roots of collectives");
	if (!code)
		code = maker_agreed(maker, team_gather_all(maker->team, pack.bytes, pack.n, from, e));
	mem_free(pack.bytes);
	if (!code && !unpack_roots(s, from, ranks))
		code = err_memory(e, "the roots of collectives");
	if (from)
		team_bytes_free(from, ranks);
	mem_free(from);
	return code;
}

/* ---- what all say together ---- */

ORDER_BY(compare_places, struct prv_root, UP(comm) UP(op) UP(number))

ORDER_BY(compare_roots, struct prv_root, UP(comm) UP(op) UP(number) UP(process))

ORDER_BY(compare_groups, struct root_group, UP(comm) UP(op) DOWN(count))

/* The roots of these, from *at on, one each. */
static void settle_group(const struct root_search *s, const struct root_group *group, size_t *at, size_t *kept, struct notes *notes)
{
	const char *op = s->all->kinds->list[group->op].op_name;
	struct prv_root *list = s->roots->list, first = {0};
	struct note_place place = NOTE_NOWHERE;
	uint32_t size = s->all->comms->trace->comms[group->comm].size, several = 0, second = 0, known = 0;

	place.file = 0;
	while (*at < s->roots->count && list[*at].comm == group->comm && list[*at].op == group->op) {
		struct prv_root root = list[(*at)++];
		bool more = *at < s->roots->count && !compare_places(&root, &list[*at]);

		if (more && !several++) {
			first = root;
			second = list[*at].process;
		}
		while (*at < s->roots->count && !compare_places(&root, &list[*at]))
			++*at;
		if (more)
			root.process = NO_PROCESS;
		list[(*kept)++] = root;
		known++;
	}
	if (several)
		notes_add(notes, NOTE_COLLECTIVE_MISMATCH, place,
			  "%u of %u MPI_%s on a communicator of %u processes have several roots: in call %u, ranks %u "
			  	"and %u are both the root",
			  several, group->count, op, size, first.number + 1, first.process, second);
	if (known && known < group->count)
		notes_add(notes, NOTE_COLLECTIVE_MISMATCH, place,
			  "%u of %u MPI_%s on a communicator of %u processes have no root: no rank is marked as the "
			  	"root", group->count - known,
			  group->count, op, size);
}

static void drop_ambiguous(struct root_search *s, struct notes *notes)
{
	size_t at = 0, kept = 0;

	if (!s->roots->count)
		return;
	SORT(s->roots->list, s->roots->count, compare_roots);
	SORT(s->groups, s->group_count, compare_groups);
	for (size_t i = 0; i < s->group_count; i++)
		if (!i || s->groups[i].comm != s->groups[i - 1].comm || s->groups[i].op != s->groups[i - 1].op)
			settle_group(s, &s->groups[i], &at, &kept, notes);
	s->roots->count = kept;
}

enum err_code prv_roots_find(struct prv_roots *roots, const struct prv_arranged *all, struct maker *maker, struct err *e)
{
	struct root_search s = {.all = all, .roots = roots};
	enum err_code code;

	*roots = (struct prv_roots){0};
	code = find_all(&s) ? ERR_OK : err_memory(e, "the roots of collectives");
	if (!code && maker->team)
		code = exchange_roots(&s, maker, e);
	if (!code)
		drop_ambiguous(&s, &maker->trace->notes);
	mem_free(s.groups);
	mem_free(s.local);
	return code;
}

void prv_roots_release(struct prv_roots *roots)
{
	mem_free(roots->list);
}

uint32_t prv_root_of(const struct prv_roots *roots, uint32_t comm, uint32_t op, uint32_t number)
{
	const struct prv_root want = {comm, op, number, 0};
	const struct prv_root *found = roots->count ? bsearch(&want, roots->list, roots->count, sizeof want, compare_places) : NULL;

	return found ? found->process : NO_PROCESS;
}
