/* Two kinds of questions. Each end of a message sends its own data to the other end. The result of a collective that
 * spans ranks is found by one rank: not by its owner, which would mostly be rank 0, but by another one for each
 * instance. The ranks send it the latest of their members, and the time at which the first of their waiting members
 * left; only if that was too early, they send all members. */
#include "remote.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/order.h"
#include "core/base/search.h"
#include "core/team/team_pack.h"
#include "core/trace/mpi_functions.h"

struct remote_calls_making {
	struct call_remote *remote;
	const struct call_log *log;
	const struct trace *t;
	const struct team *team;
	struct team_packs packs;
	double *completed;            /* per event: the earliest end of a call that it completes in; NULL: none does */
	size_t member_room;
};

/* ---- messages ---- */

struct message_end {
	double start;
	uint32_t event, call, node;  /* the event as its rank numbers it, to whom it goes */
};

static void pack_messages(struct remote_calls_making *g)
{
	for (uint32_t i = 0; i < g->t->remote->message_count; i++) {
		const struct remote_message *m = &g->t->remote->message[i];
		struct message_end end = {.event = m->other, .call = g->log->call_of[m->event]};

		if (end.call != NO_LOGGED_CALL) {
			end.start = g->log->calls[end.call].start;
			end.node = g->log->calls[end.call].node;
		}
		team_put(&g->packs.to[m->rank], &end, sizeof end);
	}
}

static void take_messages(struct remote_calls_making *g)
{
	for (uint32_t r = 0; r < g->team->size; r++) {
		struct team_take take = team_packs_from(&g->packs, r);
		struct message_end end;

		while (team_take(&take, &end, sizeof end))
			g->remote->message[g->t->match[end.event] - REMOTE_EVENT] = (struct remote_call){end.start, end.call, end.node};
	}
}

/* ---- a rank's part of an instance ---- */

struct collective_part {
	double last, until, root;      /* until: when the first one left that waits for whoever is late; INFINITY: nobody does */
	uint32_t owner, number, local; /* local: its place in remote->instance of the rank that it is of */
	uint32_t members, last_call, root_call;
};

static bool waits_for_all(const struct call_log *log, unsigned traits, uint32_t post)
{
	enum root_role role;

	if (!(traits & (MPI_WAITS_FOR_ALL | MPI_ROOTED)))
		return false;
	role = call_log_root_role(log, traits, post);
	return role != ROOT_FOR_NONE && role != ROOT_FOR_ROOT;
}

/* When the member goes on that waits for others in this event: at the end of its call, or of one that it completes
 * in. */
static double waits_until(const struct remote_calls_making *g, uint32_t event, uint32_t call)
{
	const struct logged_call *c = &g->log->calls[call];
	double until = waits_for_all(g->log, g->log->nodes[c->node].traits, call) ? c->end : (double)INFINITY;

	return g->completed && g->completed[event] < until ? g->completed[event] : until;
}

static enum err_code find_completions(struct remote_calls_making *g, struct err *e)
{
	const struct call_log *log = g->log;

	if (!log->completed_count)
		return ERR_OK;
	g->completed = mem_alloc(g->t->event_count, sizeof *g->completed);
	if (!g->completed)
		return err_memory(e, "the completions of collectives");
	for (uint32_t ev = 0; ev < g->t->event_count; ev++)
		g->completed[ev] = INFINITY;
	for (uint32_t i = 0; i < log->completed_count; i++) {
		const struct completed_collective *c = &log->completed[i];
		uint32_t post = log->call_of[c->event];

		if (waits_for_all(log, c->traits, post) && log->calls[c->call].end < g->completed[c->event])
			g->completed[c->event] = log->calls[c->call].end;
	}
	return ERR_OK;
}

static void add_member(const struct remote_calls_making *g, struct collective_part *part, uint32_t event)
{
	uint32_t call = g->log->call_of[event];
	double start, until;

	if (call == NO_LOGGED_CALL)
		return;
	start = g->log->calls[call].start;
	until = waits_until(g, event, call);
	if (!part->members++ || start > part->last || (start == part->last && call < part->last_call)) {
		part->last = start;
		part->last_call = call;
	}
	if (until < part->until)
		part->until = until;
	if (g->log->flags[call] & CALL_ROOT &&
	    (part->root_call == NO_LOGGED_CALL || start > part->root || (start == part->root && call > part->root_call))) {
		part->root = start;
		part->root_call = call;
	}
}

static uint32_t asked_rank(const struct remote_calls_making *g, uint32_t owner, uint32_t number)
{
	return (uint32_t)(((uint64_t)owner + number) % g->team->size);
}

static void pack_parts(struct remote_calls_making *g)
{
	for (uint32_t i = 0; i < g->t->remote->instance_count; i++) {
		const struct remote_instance *in = &g->t->remote->instance[i];
		struct collective_part part = {.until = INFINITY, .owner = in->owner, .number = in->number, .local = i,
				    .last_call = NO_LOGGED_CALL, .root_call = NO_LOGGED_CALL};
		uint32_t ev = in->event;

		do {
			add_member(g, &part, ev);
			ev = g->t->match[ev];
		} while (ev != in->event && ev != NO_EVENT);
		team_put(&g->packs.to[asked_rank(g, in->owner, in->number)], &part, sizeof part);
	}
}

/* ---- parts of one instance, put together by the rank that is asked ---- */

struct sorted {
	uint64_t instance;
	const uint8_t *at;           /* what came of it */
	uint32_t rank;
};

ORDER_BY(by_instance, struct sorted, UP(instance) UP(rank))

struct whole {
	struct remote_member last, root;
	uint32_t local, members, listed;
};

static struct remote_member member_of(double start, uint32_t rank, uint32_t call)
{
	return (struct remote_member){start, {rank, call}};
}

/* The parts of one instance, in order of ranks: what it is goes back to each. */
static void answer_parts(struct remote_calls_making *g, const struct sorted *parts, size_t n)
{
	struct whole whole = {.last.at.call = NO_LOGGED_CALL, .root.at.call = NO_LOGGED_CALL};
	double until = INFINITY;
	struct collective_part part;

	for (size_t i = 0; i < n; i++) {
		memcpy(&part, parts[i].at, sizeof part);
		if (part.members && (!whole.members || part.last > whole.last.start))
			whole.last = member_of(part.last, parts[i].rank, part.last_call);
		if (part.root_call != NO_LOGGED_CALL && (whole.root.at.call == NO_LOGGED_CALL || part.root >= whole.root.start))
			whole.root = member_of(part.root, parts[i].rank, part.root_call);
		whole.members += part.members;
		until = part.until < until ? part.until : until;
	}
	whole.listed = whole.members && until < whole.last.start;
	for (size_t i = 0; i < n; i++) {
		memcpy(&part, parts[i].at, sizeof part);
		whole.local = part.local;
		team_put(&g->packs.to[parts[i].rank], &whole, sizeof whole);
	}
}

static enum err_code answer_all_parts(struct remote_calls_making *g, struct err *e)
{
	size_t n = 0, at = 0;
	struct sorted *parts;

	for (uint32_t r = 0; r < g->team->size; r++)
		n += g->packs.from[r].n / sizeof(struct collective_part);
	parts = mem_alloc(n, sizeof *parts);
	if (!parts)
		return err_memory(e, "collectives of several ranks");
	for (uint32_t r = 0; r < g->team->size; r++)
		for (size_t i = 0; i < g->packs.from[r].n / sizeof(struct collective_part); i++) {
			const uint8_t *bytes = (const uint8_t *)g->packs.from[r].bytes + i * sizeof(struct collective_part);
			struct collective_part part;

			memcpy(&part, bytes, sizeof part);
			parts[at++] = (struct sorted){(uint64_t)part.owner << 32 | part.number, bytes, r};
		}
	SORT(parts, n, by_instance);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && parts[end].instance == parts[i].instance;)
			end++;
		answer_parts(g, parts + i, end - i);
	}
	mem_free(parts);
	return ERR_OK;
}

/* ---- instances of which all members are told ---- */

struct list_head {
	uint32_t owner, number, local, count; /* then so many of remote_member */
};

ORDER_BY(by_start, struct remote_member, UP(start) UP(at.rank) UP(at.call))

static void pack_members(struct remote_calls_making *g, const struct remote_instance *in, struct team_pack *pack)
{
	uint32_t ev = in->event;

	do {
		uint32_t call = g->log->call_of[ev];

		if (call != NO_LOGGED_CALL) {
			struct remote_member member = member_of(g->log->calls[call].start, g->team->rank, call);

			team_put(pack, &member, sizeof member);
		}
		ev = g->t->match[ev];
	} while (ev != in->event && ev != NO_EVENT);
}

static void pack_list(struct remote_calls_making *g, uint32_t local)
{
	const struct remote_instance *in = &g->t->remote->instance[local];
	struct team_pack *pack = &g->packs.to[asked_rank(g, in->owner, in->number)];
	struct list_head head = {in->owner, in->number, local, 0};
	size_t at = pack->n;

	team_put(pack, &head, sizeof head);
	pack_members(g, in, pack);
	if (pack->failed)
		return;
	head.count = (uint32_t)((pack->n - at - sizeof head) / sizeof(struct remote_member));
	memcpy(pack->bytes + at, &head, sizeof head);
}

/* What is the same on all its ranks of each instance; and the members of those that somebody left early go to the rank
 * that is asked. */
static void take_wholes(struct remote_calls_making *g)
{
	for (uint32_t r = 0; r < g->team->size; r++) {
		struct team_take take = team_packs_from(&g->packs, r);
		struct whole whole;

		while (team_take(&take, &whole, sizeof whole)) {
			g->remote->collective[whole.local] = (struct remote_collective){.last = whole.last, .root = whole.root, .members = whole.members};
			if (whole.listed)
				pack_list(g, whole.local);
		}
	}
}

struct listing {
	struct sorted *lists;
	size_t count, room;
	struct remote_member *members; /* of one instance */
	size_t member_room;
};

static bool find_lists(struct remote_calls_making *g, struct listing *l)
{
	for (uint32_t r = 0; r < g->team->size; r++) {
		const uint8_t *at = g->packs.from[r].bytes, *end = at + g->packs.from[r].n;

		while (at < end) {
			struct sorted *lists = mem_grow(l->lists, l->count, &l->room, sizeof *lists);
			struct list_head head;

			if (!lists)
				return false;
			l->lists = lists;
			memcpy(&head, at, sizeof head);
			lists[l->count++] = (struct sorted){(uint64_t)head.owner << 32 | head.number, at, r};
			at += sizeof head + head.count * sizeof *l->members;
		}
	}
	return true;
}

/* The lists of one instance become one, which goes back to each. */
static bool answer_lists(struct remote_calls_making *g, struct listing *l, const struct sorted *lists, size_t n)
{
	struct list_head head;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		memcpy(&head, lists[i].at, sizeof head);
		for (uint32_t k = 0; k < head.count; k++) {
			struct remote_member *members = mem_grow(l->members, count, &l->member_room, sizeof *members);

			if (!members)
				return false;
			l->members = members;
			memcpy(&members[count++], lists[i].at + sizeof head + k * sizeof *members, sizeof *members);
		}
	}
	SORT(l->members, count, by_start);
	for (size_t i = 0; i < n; i++) {
		memcpy(&head, lists[i].at, sizeof head);
		head.count = (uint32_t)count;
		team_put(&g->packs.to[lists[i].rank], &head, sizeof head);
		team_put(&g->packs.to[lists[i].rank], l->members, count * sizeof *l->members);
	}
	return true;
}

static enum err_code answer_all_lists(struct remote_calls_making *g, struct err *e)
{
	struct listing l = {0};
	bool done = find_lists(g, &l);

	if (done && l.count)
		SORT(l.lists, l.count, by_instance);
	for (size_t i = 0, end; done && i < l.count; i = end) {
		for (end = i + 1; end < l.count && l.lists[end].instance == l.lists[i].instance;)
			end++;
		done = answer_lists(g, &l, l.lists + i, end - i);
	}
	mem_free(l.lists);
	mem_free(l.members);
	return done ? ERR_OK : err_memory(e, "the members of collectives");
}

static enum err_code take_lists(struct remote_calls_making *g, struct err *e)
{
	struct call_remote *remote = g->remote;

	for (uint32_t r = 0; r < g->team->size; r++) {
		struct team_take take = team_packs_from(&g->packs, r);
		struct list_head head;

		while (team_take(&take, &head, sizeof head)) {
			remote->collective[head.local].first = remote->member_count;
			remote->collective[head.local].count = head.count;
			for (uint32_t k = 0; k < head.count; k++) {
				struct remote_member *members = mem_grow(remote->members, remote->member_count, &g->member_room, sizeof *members);

				if (!members)
					return err_memory(e, "the members of collectives");
				remote->members = members;
				team_take(&take, &members[remote->member_count++], sizeof *members);
			}
		}
	}
	return ERR_OK;
}

/* ---- all of it ---- */

static enum err_code remote_calls_prepare(struct remote_calls_making *g, struct err *e)
{
	const struct trace_remote *of = g->t->remote;

	if (g->remote) {
		g->remote->message = mem_alloc(of->message_count, sizeof *g->remote->message);
		g->remote->collective = mem_zero(of->instance_count, sizeof *g->remote->collective);
	}
	if (!g->remote || !g->remote->message || !g->remote->collective)
		return err_memory(e, "calls of other ranks");
	return find_completions(g, e);
}

static enum err_code remote_calls_exchange(struct remote_calls_making *g, enum err_code code, struct err *e)
{
	return team_packs_exchange(&g->packs, code, "calls of other ranks", e);
}

static enum err_code remote_calls_make(struct remote_calls_making *g, struct err *e)
{
	enum err_code code = team_agree(g->team, team_packs_init(&g->packs, g->team, remote_calls_prepare(g, e), e), e);

	if (code)
		return code;
	pack_messages(g);
	code = remote_calls_exchange(g, ERR_OK, e);
	if (code)
		return code;
	take_messages(g);
	pack_parts(g);
	code = remote_calls_exchange(g, ERR_OK, e);
	if (!code)
		code = remote_calls_exchange(g, answer_all_parts(g, e), e);
	if (code)
		return code;
	take_wholes(g);
	code = remote_calls_exchange(g, ERR_OK, e);
	if (!code)
		code = remote_calls_exchange(g, answer_all_lists(g, e), e);
	return code ? code : team_agree(g->team, take_lists(g, e), e);
}

enum err_code call_remote_new(struct call_remote **out, const struct call_log *log, struct err *e)
{
	struct remote_calls_making g = {.remote = mem_zero(1, sizeof *g.remote), .log = log, .t = log->trace, .team = trace_team(log->trace)};
	enum err_code code = remote_calls_make(&g, e);

	*out = NULL;
	team_packs_release(&g.packs);
	mem_free(g.completed);
	if (code)
		call_remote_free(g.remote);
	else
		*out = g.remote;
	return code;
}

void call_remote_free(struct call_remote *remote)
{
	if (!remote)
		return;
	mem_free(remote->message);
	mem_free(remote->collective);
	mem_free(remote->members);
	mem_free(remote);
}

/* ---- asking ---- */

uint32_t call_remote_until(const struct call_remote *remote, const struct remote_collective *collective, double until)
{
	const struct remote_member *members = collective->count ? remote->members + collective->first : NULL;

	return SEARCH_PAST(i, 0, collective->count, members[i].start <= until);
}

const struct remote_member *call_remote_last(const struct call_remote *remote, const struct remote_collective *collective, double until)
{
	const struct remote_member *members;
	uint32_t n;

	if (!collective->count)
		return collective->members && collective->last.start <= until ? &collective->last : NULL;
	members = remote->members + collective->first;
	n = call_remote_until(remote, collective, until);
	if (!n)
		return NULL;
	while (n > 1 && members[n - 2].start == members[n - 1].start)
		n--;
	return &members[n - 1];
}
