#include "bounds_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/base/search.h"
#include "core/team/team_pack.h"
#include "core/trace/remote.h"

static const char *const collectives = "the collectives";

/* What a rank has of an instance. */
struct held_part {
	uint32_t owner, number;
	uint32_t type, count;
	uint32_t last_rank;
	uint32_t empty;          /* some member gave nothing, so that it holds nobody */
	double last, second;
};

enum verdict { HOLDS, EMPTY, NOT_WHOLE };

struct held_verdict {
	uint32_t verdict, last_rank;
	double last, second;
};

struct clock_spanning *clock_spanning_new(struct clock_points *p, struct err *e)
{
	uint32_t n = p->times->held_count;
	struct clock_spanning *s = mem_zero(1, sizeof *s);

	if (s) {
		s->points = p;
		s->of = mem_alloc(n, sizeof *s->of);
		s->first_stamps = mem_zero((size_t)n + 1, sizeof *s->first_stamps);
	}
	if (s && s->of && s->first_stamps) {
		memset(s->of, 0xff, n * sizeof *s->of);
		return s;
	}
	clock_spanning_free(s);
	err_memory(e, collectives);
	return NULL;
}

void clock_spanning_free(struct clock_spanning *s)
{
	if (!s)
		return;
	mem_free(s->list);
	mem_free(s->of);
	mem_free(s->first_stamps);
	mem_free(s->stamps);
	mem_free(s);
}

static const struct clock_event_time *held_of(const struct clock_spanning *s, uint32_t entry)
{
	return &s->points->times->held[entry];
}

static const struct trace *trace_of(const struct clock_spanning *s)
{
	return s->points->times->trace;
}

static uint32_t held_process_of(const struct clock_spanning *s, uint32_t entry)
{
	return trace_process_of(trace_of(s), held_of(s, entry)->event);
}

bool clock_spanning_add(struct clock_spanning *s, const struct remote_instance *instance, uint32_t first, uint32_t count)
{
	const struct trace *t = trace_of(s);
	struct spanning_instance *list = mem_grow(s->list, s->count, &s->cap, sizeof *list);
	uint32_t *member = s->points->member + first;

	if (!list)
		return false;
	s->list = list;
	SORT(member, count, order_u32); /* entries are by event */
	list[s->count++] = (struct spanning_instance){instance->owner, instance->number,
						       t->colls[EVENT_INDEX(t->type[held_of(s, member[0])->event])].comm, first, count, -INFINITY, -INFINITY,
						       0, true};
	return true;
}

uint32_t clock_spanning_member(const struct clock_spanning *s, uint32_t instance, uint32_t process)
{
	const struct spanning_instance *in = &s->list[instance];
	const uint32_t *member = s->points->member + in->first;
	uint32_t event = trace_of(s)->first[process];

	return member[SEARCH_PAST(i, 0, in->count, held_of(s, member[i])->event < event)];
}

/* ---- which hold their members ---- */

/* Of both, the last one and the last one of the others. */
static void held_part_merge(struct held_part *to, uint32_t last_rank, double last, double second)
{
	if (last > to->last || (last == to->last && last_rank < to->last_rank)) {
		to->second = fmax(to->last, second);
		to->last = last;
		to->last_rank = last_rank;
	} else {
		to->second = fmax(to->second, last);
	}
}

static struct held_part held_part_of(const struct clock_spanning *s, const struct spanning_instance *in)
{
	const struct trace *t = trace_of(s);
	const uint32_t *member = s->points->member + in->first;
	struct held_part part = {in->owner, in->number, t->type[held_of(s, member[0])->event], in->count, UINT32_MAX, 0, -INFINITY, -INFINITY};

	for (uint32_t i = 0; i < in->count; i++) {
		part.empty = part.empty || isnan(held_of(s, member[i])->time);
		held_part_merge(&part, s->points->rank[member[i]], t->time[held_of(s, member[i])->event], -INFINITY);
	}
	return part;
}

/* The rank that puts an instance together: each has its share of them. */
static uint32_t judge_of(const struct team *team, const struct spanning_instance *in)
{
	return (uint32_t)(((uint64_t)in->owner + in->number) % team->size);
}

/* A part that came, and where from: its number among those of that rank. */
struct came {
	struct held_part part;
	uint32_t rank, number;
	struct held_verdict answer;
};

ORDER_BY(by_instance, struct came, UP(part.owner) UP(part.number) UP(rank))

ORDER_BY(by_rank, struct came, UP(rank) UP(number))

/* The parts of one instance. */
static void judge(const struct trace *t, struct came *list, size_t n)
{
	struct held_part all = list[0].part;
	struct held_verdict answer;
	bool agree = true;

	for (size_t i = 1; i < n; i++) {
		const struct held_part *part = &list[i].part;

		agree = agree && part->type == all.type;
		all.count += part->count;
		all.empty = all.empty || part->empty;
		held_part_merge(&all, part->last_rank, part->last, part->second);
	}
	agree = agree && all.count == t->comms[t->colls[EVENT_INDEX(all.type)].comm].size;
	answer = (struct held_verdict){!agree ? NOT_WHOLE : all.empty ? EMPTY : HOLDS, all.last_rank, all.last, all.second};
	for (size_t i = 0; i < n; i++)
		list[i].answer = answer;
}

static bool judge_all(const struct clock_spanning *s, struct team_packs *packs)
{
	size_t n = 0, count = 0;
	struct came *list;

	for (uint32_t r = 0; r < team_size(packs->team); r++)
		n += packs->from[r].n / sizeof(struct held_part);
	list = mem_alloc(n, sizeof *list);
	for (uint32_t r = 0; list && r < team_size(packs->team); r++) {
		struct team_take take = team_packs_from(packs, r);

		for (uint32_t i = 0; team_take(&take, &list[count].part, sizeof list->part); i++) {
			list[count].rank = r;
			list[count++].number = i;
		}
	}
	if (!list)
		return false;
	SORT(list, n, by_instance);
	for (size_t begin = 0, i = 1; begin < n; i++)
		if (i == n || list[i].part.owner != list[begin].part.owner || list[i].part.number != list[begin].part.number) {
			judge(trace_of(s), list + begin, i - begin);
			begin = i;
		}
	SORT(list, n, by_rank);
	for (size_t i = 0; i < n; i++)
		team_put(&packs->to[list[i].rank], &list[i].answer, sizeof list->answer);
	mem_free(list);
	return true;
}

static void take_answers(struct clock_spanning *s, const struct team_packs *packs, struct team_take *take, bool *distrusted)
{
	for (uint32_t r = 0; r < team_size(packs->team); r++)
		take[r] = team_packs_from(packs, r);
	for (uint32_t i = 0; i < s->count; i++) {
		struct spanning_instance *in = &s->list[i];
		struct held_verdict answer = {NOT_WHOLE, 0, 0, 0};

		team_take(&take[judge_of(packs->team, in)], &answer, sizeof answer);
		in->last = answer.last;
		in->second = answer.second;
		in->last_rank = answer.last_rank;
		in->holds = answer.verdict == HOLDS;
		distrusted[in->comm] = distrusted[in->comm] || answer.verdict == NOT_WHOLE;
	}
}

/* ---- what is told of the others ---- */

struct held_record {
	uint32_t to, process, bit; /* the rank, and the member there */
	uint32_t entry;
};

ORDER_BY(by_member, struct held_record, UP(process) UP(bit))

/* The member whose rank differs in that bit; NO_PROCESS: there is none. */
static uint32_t member_at(const struct clock_spanning *s, const struct spanning_instance *in, uint32_t entry, uint32_t bit)
{
	const struct comm_info *comm = &trace_of(s)->comms[in->comm];
	uint32_t rank = s->points->rank[entry] ^ bit;

	return rank < comm->size ? trace_of(s)->comm_members[comm->members + rank] : NO_PROCESS;
}

static struct clock_stamps stamps_of(const struct clock_spanning *s, uint32_t entry)
{
	const struct clock_event_time *held = held_of(s, entry);
	double later = clock_times_step(s->points->times, held_process_of(s, entry), held->event);

	return (struct clock_stamps){trace_of(s)->time[held->event] + later, held->time + later};
}

/* Those of one instance, as they are taken: by the member that they are for. room: 32 for each member here. */
static void send_members(const struct clock_spanning *s, const struct spanning_instance *in, struct held_record *room, struct team_packs *packs)
{
	const struct trace *t = trace_of(s);
	uint32_t n = 0, begin, end;

	trace_local(t, &begin, &end);
	for (uint32_t i = in->first; i < in->first + in->count; i++) {
		uint32_t entry = s->points->member[i];

		for (uint32_t bit = 1; bit && bit < t->comms[in->comm].size; bit *= 2) {
			uint32_t other = member_at(s, in, entry, bit);

			if (other != NO_PROCESS && other >= end)
				room[n++] = (struct held_record){trace_owner(t->remote, other), other, bit, entry};
		}
	}
	SORT(room, n, by_member);
	for (uint32_t i = 0; i < n; i++) {
		struct clock_stamps stamps = stamps_of(s, room[i].entry);

		team_put(&packs->to[room[i].to], &stamps, sizeof stamps);
	}
}

static bool send_all(const struct clock_spanning *s, struct team_packs *packs)
{
	struct held_record *room;
	uint32_t most = 0;

	for (uint32_t i = 0; i < s->count; i++)
		most = s->list[i].count > most ? s->list[i].count : most;
	room = mem_alloc((size_t)most * 32, sizeof *room);
	for (uint32_t i = 0; room && i < s->count; i++)
		if (s->list[i].holds)
			send_members(s, &s->list[i], room, packs);
	mem_free(room);
	return room != NULL;
}

/* Is it told by another rank? */
static bool is_told(const struct clock_spanning *s, uint32_t other)
{
	uint32_t begin, end;

	trace_local(trace_of(s), &begin, &end);
	return other < begin;
}

/* How many an entry is told. */
static uint32_t count_told(const struct clock_spanning *s, const struct spanning_instance *in, uint32_t entry)
{
	uint32_t n = 0;

	for (uint32_t bit = 1; bit && bit < trace_of(s)->comms[in->comm].size; bit *= 2)
		n += is_told(s, member_at(s, in, entry, bit));
	return n;
}

static bool stamps_make_room(struct clock_spanning *s)
{
	size_t sum = 0;

	for (uint32_t entry = 0; entry < s->points->times->held_count; entry++) {
		const struct spanning_instance *in = s->of[entry] == NO_MEMBERS ? NULL : &s->list[s->of[entry]];

		s->first_stamps[entry] = (uint32_t)sum;
		sum += in && in->holds ? count_told(s, in, entry) : 0;
	}
	s->stamps = sum < UINT32_MAX ? mem_alloc(sum, sizeof *s->stamps) : NULL;
	return s->stamps != NULL;
}

static void take_members(struct clock_spanning *s, const struct spanning_instance *in, struct team_take *take)
{
	const struct trace *t = trace_of(s);

	for (uint32_t i = in->first; i < in->first + in->count; i++) {
		uint32_t entry = s->points->member[i], at = s->first_stamps[entry];

		for (uint32_t bit = 1; bit && bit < t->comms[in->comm].size; bit *= 2) {
			uint32_t other = member_at(s, in, entry, bit);

			if (is_told(s, other))
				team_take(&take[trace_owner(t->remote, other)], &s->stamps[at++], sizeof *s->stamps);
		}
	}
}

static bool stamps_take_all(struct clock_spanning *s, const struct team_packs *packs, struct team_take *take)
{
	if (!stamps_make_room(s))
		return false;
	for (uint32_t r = 0; r < team_size(packs->team); r++)
		take[r] = team_packs_from(packs, r);
	for (uint32_t i = 0; i < s->count; i++)
		if (s->list[i].holds)
			take_members(s, &s->list[i], take);
	return true;
}

/* ---- the collective step ---- */

ORDER_BY(by_owner, struct spanning_instance, UP(owner) UP(number))

static void put_in_order(struct clock_spanning *s)
{
	SORT(s->list, s->count, by_owner);
	for (uint32_t i = 0; i < s->count; i++)
		for (uint32_t k = 0; k < s->list[i].count; k++)
			s->of[s->points->member[s->list[i].first + k]] = i;
}

static enum err_code exchange_distrust(const struct clock_spanning *s, const struct team *team, bool *distrusted, struct err *e)
{
	uint32_t n = trace_of(s)->comm_count, *list = mem_alloc(n, sizeof *list);
	enum err_code code;

	for (uint32_t c = 0; list && c < n; c++)
		list[c] = distrusted[c];
	code = list ? team_reduce_u32(team, list, n, TEAM_OR, e) : team_agree(team, err_memory(e, collectives), e);
	for (uint32_t c = 0; !code && c < n; c++)
		distrusted[c] = list[c];
	mem_free(list);
	return code;
}

static void held_instances_drop(struct clock_spanning *s, const bool *distrusted)
{
	for (uint32_t i = 0; i < s->count; i++) {
		struct spanning_instance *in = &s->list[i];

		in->holds = in->holds && !distrusted[in->comm];
		for (uint32_t k = 0; !in->holds && k < in->count; k++)
			s->points->first_member[s->points->member[in->first + k]] = NO_MEMBERS;
	}
}

static enum err_code held_parts_exchange(struct clock_spanning *s, bool *distrusted, struct team_packs *packs, struct team_take *take, struct err *e)
{
	enum err_code code;

	put_in_order(s);
	for (uint32_t i = 0; i < s->count; i++) {
		struct held_part part = held_part_of(s, &s->list[i]);

		team_put(&packs->to[judge_of(packs->team, &s->list[i])], &part, sizeof part);
	}
	code = team_packs_exchange(packs, ERR_OK, collectives, e);
	if (code)
		return code;
	code = judge_all(s, packs) ? ERR_OK : err_memory(e, collectives);
	code = team_packs_exchange(packs, code, collectives, e);
	if (code)
		return code;
	take_answers(s, packs, take, distrusted);
	code = exchange_distrust(s, packs->team, distrusted, e);
	if (code)
		return code;
	held_instances_drop(s, distrusted);
	code = send_all(s, packs) ? ERR_OK : err_memory(e, collectives);
	code = team_packs_exchange(packs, code, collectives, e);
	return code ? code : team_agree(packs->team, stamps_take_all(s, packs, take) ? ERR_OK : err_memory(e, collectives), e);
}

enum err_code clock_spanning_exchange(struct clock_spanning *s, const struct team *team, bool *distrusted, struct err *e)
{
	struct team_take *take = mem_zero(team->size, sizeof *take);
	struct team_packs packs;
	enum err_code code = team_packs_init(&packs, team, take ? ERR_OK : err_memory(e, collectives), e);

	code = code ? team_agree(team, code, e) : held_parts_exchange(s, distrusted, &packs, take, e);
	team_packs_release(&packs);
	mem_free(take);
	return code;
}
