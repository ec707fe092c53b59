#include "relate_int.h"
#include "core/base/order.h"

#include <stdlib.h>

#include "core/team/team_pack.h"
#include "core/trace/remote.h"

#define NO_OWNER UINT32_MAX
#define MORE (UINT32_C(1) << 31) /* in a ring's count: another one of the same k follows */

/* What a rank has of a communicator. */
struct presence {
	uint32_t rank, comm, members, longest;
};

/* A ring of members here, as it is told. */
struct ring {
	uint32_t type, count;
};

/* What of it is known here. */
struct local {
	uint32_t comm, k, event; /* its first */
};

struct locals {
	struct local *list;
	size_t count, cap;
};

/* What a rank is told of each ring that it told. */
struct reply {
	uint32_t owner, number;
};

/* And then of those instances that it is to note: the ring among those that it told. */
struct odd {
	uint32_t ring, members, agree;
};

struct spanning {
	struct trace *t;
	const struct team *team;
	struct presence *here;
	size_t local_count, local_cap;
	struct presence *all;    /* by communicator and rank */
	uint32_t *first;         /* per communicator: where it begins there; comm_count + 1 */
	struct team_pack *to;    /* per rank: rings for it */
	struct locals *sent;     /* per rank: likewise */
};

struct spanning *spanning_new(struct trace *t)
{
	struct spanning *s = mem_zero(1, sizeof *s);

	if (!s)
		return NULL;
	s->t = t;
	s->team = t->remote->team;
	s->first = mem_zero((size_t)t->comm_count + 2, sizeof *s->first);
	s->to = mem_zero(s->team->size, sizeof *s->to);
	s->sent = mem_zero(s->team->size, sizeof *s->sent);
	if (s->first && s->to && s->sent)
		return s;
	spanning_free(s);
	return NULL;
}

void spanning_free(struct spanning *s)
{
	if (!s)
		return;
	for (uint32_t r = 0; r < s->team->size; r++) {
		if (s->to)
			mem_free(s->to[r].bytes);
		if (s->sent)
			mem_free(s->sent[r].list);
	}
	mem_free(s->to);
	mem_free(s->sent);
	mem_free(s->here);
	mem_free(s->all);
	mem_free(s->first);
	mem_free(s);
}

enum err_code spanning_count(struct spanning *s, uint32_t comm, uint32_t members, uint32_t longest, struct err *e)
{
	struct presence *here = mem_grow(s->here, s->local_count, &s->local_cap, sizeof *here);

	if (!here)
		return err_memory(e, "relating collectives");
	s->here = here;
	here[s->local_count++] = (struct presence){s->team->rank, comm, members, longest};
	return ERR_OK;
}

/* Those of all ranks by communicator: a counting sort. */
static bool sort_presences(struct spanning *s, const struct team_bytes *from)
{
	size_t total = 0;

	for (uint32_t r = 0; r < s->team->size; r++)
		total += from[r].n / sizeof *s->all;
	s->all = mem_alloc(total, sizeof *s->all);
	if (!s->all)
		return false;
	for (uint32_t r = 0; r < s->team->size; r++)
		for (size_t i = 0; i < from[r].n / sizeof *s->all; i++)
			s->first[((const struct presence *)from[r].bytes)[i].comm + 2]++;
	for (uint32_t c = 0; c < s->t->comm_count; c++)
		s->first[c + 2] += s->first[c + 1];
	for (uint32_t r = 0; r < s->team->size; r++)
		for (size_t i = 0; i < from[r].n / sizeof *s->all; i++) {
			const struct presence *presence = (const struct presence *)from[r].bytes + i;

			s->all[s->first[presence->comm + 1]++] = *presence;
		}
	return true;
}

enum err_code spanning_exchange(struct spanning *s, struct err *e)
{
	uint32_t ranks = s->team->size;
	struct team_bytes *from = mem_zero(ranks, sizeof *from);
	enum err_code code = from ? team_gather_all(s->team, s->here, s->local_count * sizeof *s->here, from, e) :
				    team_agree(s->team, err_memory(e, "relating collectives"), e);

	if (!code)
		code = team_agree(s->team, sort_presences(s, from) ? ERR_OK : err_memory(e, "relating collectives"), e);
	if (from)
		team_bytes_free(from, ranks);
	mem_free(from);
	return code;
}

bool spanning_has(const struct spanning *s, uint32_t comm)
{
	return s->first[comm + 1] - s->first[comm] > 1;
}

/* ---- how the instances of a communicator are shared out ---- */

struct instance_sharing {
	const struct presence *ranks; /* that have some */
	uint32_t count, longest, members;
};

static struct instance_sharing sharing_of(const struct spanning *s, uint32_t comm)
{
	struct instance_sharing sharing = {s->all + s->first[comm], s->first[comm + 1] - s->first[comm], 0, 0};

	for (uint32_t i = 0; i < sharing.count; i++) {
		sharing.members += sharing.ranks[i].members;
		sharing.longest = sharing.ranks[i].longest > sharing.longest ? sharing.ranks[i].longest : sharing.longest;
	}
	return sharing;
}

/* The first k that is the i-th rank's. */
static uint32_t first_of(const struct instance_sharing *sharing, uint32_t i)
{
	return (uint32_t)((uint64_t)sharing->longest * i / sharing->count);
}

/* ---- telling ---- */

static bool send_ring(struct spanning *s, uint32_t rank, struct local local, uint32_t count)
{
	struct locals *sent = &s->sent[rank];
	struct local *list = mem_grow(sent->list, sent->count, &sent->cap, sizeof *list);
	struct ring ring = {s->t->type[local.event], count};

	if (!list)
		return false;
	sent->list = list;
	list[sent->count++] = local;
	team_put(&s->to[rank], &ring, sizeof ring);
	return !s->to[rank].failed;
}

static bool send_instance(struct spanning *s, uint32_t rank, uint32_t comm, uint32_t k, uint32_t *list, uint32_t n)
{
	bool sent = true;

	if (!instance_agrees(s->t, list, n))
		instance_sort(s->t, list, n);
	for (uint32_t begin = 0, end; sent && begin < n; begin = end) {
		end = instance_close(s->t, list, n, begin);
		sent = send_ring(s, rank, (struct local){comm, k, list[begin]}, (end - begin) | (end < n ? MORE : 0));
	}
	return sent;
}

enum err_code spanning_send(struct spanning *s, uint32_t comm, const uint32_t *sorted, const struct spanning_member *members, uint32_t count,
			    uint32_t *room, struct err *e)
{
	const struct instance_sharing sharing = sharing_of(s, comm);
	uint32_t *list = room, *active = room + count, left = count, at = 0;
	bool sent = true;

	for (uint32_t i = 0; i < count; i++)
		active[i] = i;
	for (uint32_t k = 0; sent && left; k++) {
		uint32_t n = 0;

		for (uint32_t i = 0; i < left; i++) {
			const struct spanning_member *m = &members[active[i]];

			if (k < m->end - m->begin) {
				active[n] = active[i];
				list[n++] = sorted[m->begin + k];
			}
		}
		left = n;
		while (k >= first_of(&sharing, at + 1) && k < sharing.longest)
			at++;
		sent = !n || send_instance(s, sharing.ranks[at].rank, comm, k, list, n);
	}
	return sent ? ERR_OK : err_memory(e, "relating collectives");
}

/* ---- relating what was told ---- */

/* A ring of some rank. */
struct ring_entry {
	uint32_t rank, type, count, number; /* number: among all of its instance */
	struct reply reply;
};

struct ring_relating {
	struct spanning *s;
	struct team_take *take;   /* per rank: rings from it */
	struct team_pack *owners; /* per rank: of instances owned there, on how many ranks they are */
	struct team_pack *reply, *odd; /* per rank */
	uint32_t *replied;       /* per rank: rings */
	struct ring_entry *entries;   /* of one instance */
	size_t count, cap;
};

ORDER_BY(by_type, struct ring_entry, UP(type) UP(number))
ORDER_BY(by_number, struct ring_entry, UP(number))

/* The rings that a rank told of one instance. */
static bool take_rings(struct ring_relating *relating, uint32_t rank, uint32_t *members)
{
	struct ring ring = {0, MORE};

	while (ring.count & MORE) {
		struct ring_entry *list = mem_grow(relating->entries, relating->count, &relating->cap, sizeof *list);

		if (!list)
			return false;
		relating->entries = list;
		if (!team_take(&relating->take[rank], &ring, sizeof ring))
			return false;
		list[relating->count] = (struct ring_entry){rank, ring.type, ring.count & ~MORE, (uint32_t)relating->count, {NO_OWNER, 0}};
		*members += list[relating->count++].count;
	}
	return true;
}

/* Rings of one type of several ranks: which rank owns them, and their number there. */
static void relate_rings(struct ring_relating *relating, struct ring_entry *list, uint32_t n)
{
	uint32_t owner = list[0].rank, number = (uint32_t)(relating->owners[owner].n / sizeof n);

	if (n < 2)
		return;
	team_put(&relating->owners[owner], &n, sizeof n);
	for (uint32_t i = 0; i < n; i++)
		list[i].reply = (struct reply){owner, number};
}

static bool reply_all(struct ring_relating *relating)
{
	for (size_t i = 0; i < relating->count; i++) {
		const struct ring_entry *entry = &relating->entries[i];

		team_put(&relating->reply[entry->rank], &entry->reply, sizeof entry->reply);
		relating->replied[entry->rank]++;
		if (relating->reply[entry->rank].failed || relating->owners[entry->rank].failed || relating->odd[entry->rank].failed)
			return false;
	}
	return true;
}

static bool relate_instance(struct ring_relating *relating, const struct instance_sharing *sharing, uint32_t expected, uint32_t k)
{
	uint32_t members = 0, rank;
	bool agree = true;

	relating->count = 0;
	for (uint32_t i = 0; i < sharing->count; i++)
		if (k < sharing->ranks[i].longest && !take_rings(relating, sharing->ranks[i].rank, &members))
			return false;
	for (size_t i = 1; agree && i < relating->count; i++)
		agree = relating->entries[i].type == relating->entries[0].type;
	rank = relating->entries[0].rank;
	if (!agree || members != expected)
		team_put(&relating->odd[rank], &(struct odd){relating->replied[rank], members, agree}, sizeof(struct odd));
	if (!agree)
		SORT(relating->entries, relating->count, by_type);
	for (size_t begin = 0, i = 1; i <= relating->count; i++)
		if (i == relating->count || relating->entries[i].type != relating->entries[begin].type) {
			relate_rings(relating, relating->entries + begin, (uint32_t)(i - begin));
			begin = i;
		}
	if (!agree)
		SORT(relating->entries, relating->count, by_number);
	return reply_all(relating);
}

static uint32_t expected_of(const struct spanning *s, uint32_t comm, const struct instance_sharing *sharing)
{
	return s->t->comms[comm].size > sharing->members ? s->t->comms[comm].size : sharing->members;
}

/* The instances that are this rank's to relate. */
static bool relate_local(struct ring_relating *relating)
{
	const struct spanning *s = relating->s;

	for (uint32_t comm = 0; comm < s->t->comm_count; comm++) {
		struct instance_sharing sharing;
		uint32_t at = 0;

		if (!spanning_has(s, comm))
			continue;
		sharing = sharing_of(s, comm);
		while (at < sharing.count && sharing.ranks[at].rank != s->team->rank)
			at++;
		for (uint32_t k = at < sharing.count ? first_of(&sharing, at) : 0; at < sharing.count && k < first_of(&sharing, at + 1); k++)
			if (!relate_instance(relating, &sharing, expected_of(s, comm, &sharing), k))
				return false;
	}
	return true;
}

/* ---- the collective steps ---- */

/* A collective step in which each rank has something packed for each. The caller frees `from`. */
static enum err_code spanning_exchange_packs(const struct spanning *s, const struct team_pack *packs, struct team_bytes *from, struct err *e)
{
	struct team_bytes *to = mem_zero(s->team->size, sizeof *to);
	enum err_code code;

	for (uint32_t r = 0; to && r < s->team->size; r++)
		to[r] = (struct team_bytes){packs[r].bytes, packs[r].n};
	code = to ? team_exchange(s->team, to, from, e) : team_agree(s->team, err_memory(e, "relating collectives"), e);
	mem_free(to);
	return code;
}

/* Instances owned here, as each rank related them, one rank's after the other's: numbers[r] is that of rank r's
 * first. */
static enum err_code take_owners(struct spanning *s, const struct team_bytes *from, struct team_pack *numbers, struct err *e)
{
	struct trace_remote *remote = s->t->remote;
	size_t total = 0;

	for (uint32_t r = 0; r < s->team->size; r++)
		total += from[r].n / sizeof *remote->owned_ranks;
	remote->owned_ranks = mem_alloc(total, sizeof *remote->owned_ranks);
	if (!remote->owned_ranks || total >= NO_OWNER)
		return err_memory(e, "relating collectives");
	for (uint32_t r = 0; r < s->team->size; r++) {
		struct team_take take = {from[r].bytes, from[r].n};

		team_put(&numbers[r], &remote->owned_count, sizeof remote->owned_count);
		if (numbers[r].failed)
			return err_memory(e, "relating collectives");
		while (team_take(&take, &remote->owned_ranks[remote->owned_count], sizeof *remote->owned_ranks))
			remote->owned_count++;
	}
	return ERR_OK;
}

/* Numbers are known as of this rank's first at each owner: from those on it is `numbers`. Then what is odd. */
static enum err_code complete_replies(struct ring_relating *relating, const struct team_bytes *numbers, struct err *e)
{
	for (uint32_t r = 0; r < relating->s->team->size; r++) {
		struct reply *list = (struct reply *)relating->reply[r].bytes;

		for (uint32_t i = 0; i < relating->replied[r]; i++)
			if (list[i].owner != NO_OWNER)
				list[i].number += *(const uint32_t *)numbers[list[i].owner].bytes;
		team_put(&relating->reply[r], relating->odd[r].bytes, relating->odd[r].n);
		if (relating->reply[r].failed)
			return err_memory(e, "relating collectives");
	}
	return ERR_OK;
}

ORDER_BY(by_event, struct remote_instance, UP(event))
ORDER_BY(by_place, struct instance_odd, UP(comm) UP(k))

static void take_instances(struct spanning *s, const struct team_bytes *from)
{
	struct trace_remote *remote = s->t->remote;

	for (uint32_t r = 0; r < s->team->size; r++)
		for (size_t i = 0; i < s->sent[r].count; i++) {
			const struct reply *reply = (const struct reply *)from[r].bytes + i;

			if (reply->owner != NO_OWNER)
				remote->instance[remote->instance_count++] = (struct remote_instance){s->sent[r].list[i].event, reply->owner, reply->number};
		}
	SORT(remote->instance, remote->instance_count, by_event);
}

/* The first member of an instance, of which `at` is the first ring that was told. */
static uint32_t first_member(const struct locals *sent, size_t at)
{
	const struct local *local = &sent->list[at];
	uint32_t event = local->event;

	for (size_t i = at + 1; i < sent->count && sent->list[i].comm == local->comm && sent->list[i].k == local->k; i++)
		event = sent->list[i].event < event ? sent->list[i].event : event;
	return event;
}

/* Ranks are told of ranges of k each: what they are told is put in order. */
static bool note_odd(const struct spanning *s, const struct team_bytes *from, struct notes *notes)
{
	struct instance_odd *list = NULL;
	size_t count = 0, cap = 0;

	for (uint32_t r = 0; r < s->team->size; r++) {
		const struct locals *sent = &s->sent[r];
		size_t replies = sent->count * sizeof(struct reply);
		struct team_take take = {(const uint8_t *)from[r].bytes + replies, from[r].n - replies};
		struct odd odd;

		while (team_take(&take, &odd, sizeof odd)) {
			const struct local *local = &sent->list[odd.ring];
			struct instance_sharing sharing = sharing_of(s, local->comm);
			struct instance_odd *grown = mem_grow(list, count, &cap, sizeof *list);

			if (!grown) {
				mem_free(list);
				return false;
			}
			list = grown;
			list[count++] = (struct instance_odd){local->comm, local->k, first_member(sent, odd.ring), odd.members,
							      expected_of(s, local->comm, &sharing), odd.agree};
		}
	}
	SORT(list, count, by_place);
	for (size_t i = 0; i < count; i++)
		instance_note(notes, s->t, &list[i]);
	mem_free(list);
	return true;
}

static enum err_code take_replies(struct spanning *s, const struct team_bytes *from, struct notes *notes, struct err *e)
{
	size_t total = 0;

	for (uint32_t r = 0; r < s->team->size; r++)
		total += s->sent[r].count;
	s->t->remote->instance = mem_alloc(total, sizeof *s->t->remote->instance);
	if (!s->t->remote->instance)
		return err_memory(e, "relating collectives");
	take_instances(s, from);
	return note_odd(s, from, notes) ? ERR_OK : err_memory(e, "relating collectives");
}

/* Four exchanges: rings to who relates them; how many instances to their owners; numbers back; and what became of each
 * ring. */
static enum err_code rings_exchange(struct ring_relating *relating, struct team_bytes *from[4], struct team_pack *numbers, struct notes *notes, struct err *e)
{
	struct spanning *s = relating->s;
	enum err_code code = spanning_exchange_packs(s, s->to, from[0], e);

	if (code)
		return code;
	for (uint32_t r = 0; r < s->team->size; r++)
		relating->take[r] = (struct team_take){from[0][r].bytes, from[0][r].n};
	code = relate_local(relating) ? ERR_OK : err_memory(e, "relating collectives");
	code = code ? team_agree(s->team, code, e) : spanning_exchange_packs(s, relating->owners, from[1], e);
	if (code)
		return code;
	code = take_owners(s, from[1], numbers, e);
	code = code ? team_agree(s->team, code, e) : spanning_exchange_packs(s, numbers, from[2], e);
	if (code)
		return code;
	code = complete_replies(relating, from[2], e);
	code = code ? team_agree(s->team, code, e) : spanning_exchange_packs(s, relating->reply, from[3], e);
	return code ? code : team_agree(s->team, take_replies(s, from[3], notes, e), e);
}

enum err_code spanning_relate(struct spanning *s, struct notes *notes, struct err *e)
{
	uint32_t ranks = s->team->size;
	struct team_pack *packs = mem_zero((size_t)ranks * 4, sizeof *packs);
	struct team_bytes *bytes = mem_zero((size_t)ranks * 4, sizeof *bytes);
	struct ring_relating relating = {.s = s};
	enum err_code code;

	relating.take = mem_zero(ranks, sizeof *relating.take);
	relating.replied = mem_zero(ranks, sizeof *relating.replied);
	if (packs && bytes && relating.take && relating.replied) {
		struct team_bytes *from[] = {bytes, bytes + ranks, bytes + (size_t)2 * ranks, bytes + (size_t)3 * ranks};

		relating.owners = packs;
		relating.reply = packs + ranks;
		relating.odd = packs + (size_t)2 * ranks;
		code = rings_exchange(&relating, from, packs + (size_t)3 * ranks, notes, e);
	} else {
		code = team_agree(s->team, err_memory(e, "relating collectives"), e);
	}
	for (size_t i = 0; packs && i < (size_t)ranks * 4; i++)
		mem_free(packs[i].bytes);
	if (bytes)
		team_bytes_free(bytes, ranks * 4);
	mem_free(packs);
	mem_free(bytes);
	mem_free(relating.take);
	mem_free(relating.replied);
	mem_free(relating.entries);
	return code;
}
