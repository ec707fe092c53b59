#include "replay_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/team/team_pack.h"

/* Who of a collective that is not listed has been entered, and who has not: what its ranks are asked, and say. */
struct question {
	uint32_t owner, number;
};

struct replay_answer {
	double latest;         /* entry of those that have; -INFINITY: none has */
	uint64_t missing;      /* then so many calls */
};

static uint64_t instance_number_of(uint32_t owner, uint32_t number)
{
	return (uint64_t)owner << 32 | number;
}

ORDER_BY(by_number, struct replay_numbered, UP(number))

/* For the first time that it is needed. False: no memory. */
static bool number_instances(struct replay_numbers *n, const struct trace_remote *of, const struct instances *m)
{
	n->list = mem_alloc(of->instance_count, sizeof *n->list);
	for (uint32_t local = 0; n->list && local < m->instance_count; local++) {
		uint32_t i = m->remote[local];

		if (i != NO_PLACE)
			n->list[n->count++] = (struct replay_numbered){instance_number_of(of->instance[i].owner, of->instance[i].number), local};
	}
	SORT(n->list, n->count, by_number);
	return n->list != NULL;
}

static void question_answer(const struct replaying *g, const struct replay_numbers *n, struct question q, struct team_pack *pack)
{
	const struct instances *m = g->instances;
	struct replay_numbered key = {instance_number_of(q.owner, q.number), 0};
	const struct replay_numbered *found = n->count ? bsearch(&key, n->list, n->count, sizeof key, by_number) : NULL;
	struct replay_answer a = {-INFINITY, 0};
	size_t at = pack->n;

	team_put(pack, &a, sizeof a);
	for (uint32_t place = found ? m->first[found->local] : 0; found && place < m->first[found->local + 1]; place++) {
		uint32_t call = m->call[place];

		if (!replaying_is_entered(g, call)) {
			a.missing++;
			team_put(pack, &call, sizeof call);
		} else if (replaying_entry(g, call) > a.latest) {
			a.latest = replaying_entry(g, call);
		}
	}
	if (!pack->failed)
		memcpy(pack->bytes + at, &a, sizeof a);
}

/* What the list that is to go on must be told of: told to all by its rank. */
static void put_questions(const struct replaying *g, const struct trace_remote *of, uint32_t list, struct team_pack *pack)
{
	struct position p = g->positions[list];

	for (; p.part.event != NO_EVENT; replaying_next_part(g, &p)) {
		if (!p.found)
			replaying_find(g, &p);
		if (p.partner == NO_LOGGED_CALL && p.place == NO_PLACE && p.moment != NO_MOMENT && p.moment >= arrived_of_all(of, 0) &&
		    p.moment < arrived_of_root(of, 0)) {
			const struct remote_instance *x = &of->instance[p.moment - arrived_of_all(of, 0)];

			team_put(pack, &(struct question){x->owner, x->number}, sizeof(struct question));
		}
	}
}

static void take_answers(struct replaying *g, uint32_t ranks, struct position *p, const struct team_bytes *from)
{
	for (uint32_t r = 0; r < ranks; r++) {
		struct team_take take = {from[r].bytes, from[r].n};
		struct replay_answer a;
		uint32_t call;

		while (team_take(&take, &a, sizeof a)) {
			replaying_take(p, a.latest);
			while (a.missing-- && team_take(&take, &call, sizeof call))
				replaying_drop(g, p->call, (struct call_at){r, call});
		}
	}
}

/* The questions of one rank: to all, and what they say back to it, in from[]. Returns the team's code. */
static enum err_code ask_around(struct replaying *g, const struct trace_remote *of, struct replay_numbers *n, uint32_t asking, uint32_t list,
				struct team_bytes *to, struct team_bytes *from, struct err *e)
{
	const struct team *team = of->team;
	struct team_pack pack = {0};
	struct team_take take;
	struct question q;
	enum err_code code;

	if (asking == team->rank)
		put_questions(g, of, list, &pack);
	for (uint32_t r = 0; r < team->size; r++)
		to[r] = (struct team_bytes){pack.bytes, pack.n};
	if (!pack.failed && !n->list)
		pack.failed = !number_instances(n, of, g->instances);
	code = pack.failed ? team_agree(team, err_memory(e, "the exchange between analysis ranks"), e) : team_exchange(team, to, from, e);
	mem_free(pack.bytes);
	if (code)
		return code;
	pack = (struct team_pack){0};
	take = (struct team_take){from[asking].bytes, from[asking].n};
	while (team_take(&take, &q, sizeof q))
		question_answer(g, n, q, &pack);
	team_bytes_free(from, team->size);
	memset(to, 0, team->size * sizeof *to);
	to[asking] = (struct team_bytes){pack.bytes, pack.n};
	code = pack.failed ? team_agree(team, err_memory(e, "the exchange between analysis ranks"), e) : team_exchange(team, to, from, e);
	mem_free(pack.bytes);
	return code;
}

enum err_code replay_questions_ask(struct replaying *g, const struct trace_remote *of, struct replay_numbers *n, uint32_t asking, uint32_t list,
				   struct err *e)
{
	uint32_t ranks = of->team->size;
	struct team_bytes *bytes = mem_zero(2 * (size_t)ranks, sizeof *bytes);
	enum err_code code = team_agree(of->team, bytes ? ERR_OK : err_memory(e, "the exchange between analysis ranks"), e);

	if (!code)
		code = ask_around(g, of, n, asking, list, bytes, bytes + ranks, e);
	if (!code && asking == of->team->rank)
		take_answers(g, ranks, &g->positions[list], bytes + ranks);
	if (bytes)
		team_bytes_free(bytes + ranks, ranks);
	mem_free(bytes);
	return code;
}

void replay_numbers_release(struct replay_numbers *n)
{
	mem_free(n->list);
}
