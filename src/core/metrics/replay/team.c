#include "replay_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/base/search.h"
#include "core/team/team.h"
#include "core/team/team_pack.h"
#include "core/trace/make/make_team.h"
#include "core/trace/mpi_functions.h"

/* What is told. A message is three numbers: its event there, and when the call here was entered, which is two. All else
 * begins with one of these, which no event's number is. */
#define REMOTE_ASK REMOTE_EVENT          /* call there, moment here: the entry of that call is asked for */
#define REMOTE_ENTRY (REMOTE_EVENT + 1)  /* moment there, entry: the answer */
#define REMOTE_ARRIVE (REMOTE_EVENT + 2) /* number at its owner, instance here, latest entry: all of a rank have been entered */
#define REMOTE_LATEST (REMOTE_EVENT + 3) /* instance there, entry, whose, its number there: from its owner */

/* Where a rank stands when it can do no more. */
struct standing {
	double start;          /* of its pending call that began first */
	uint64_t pending;      /* 1: there is one */
};

/* A call here that other ranks ask for. */
struct asked_call {
	uint32_t call, rank, moment;
};

struct replay_team {
	const struct team *team;
	const struct trace_remote *of;
	const struct call_remote *remote;
	struct team_mail *mail;
	struct instance_owners *owners;
	uint8_t *begins;       /* per listed member: a bit, where it is the first of its instance */
	struct asked_call *asked;   /* by call */
	size_t asked_count, asked_room;
	uint8_t *is_asked;     /* a bit per call; NULL: none is */
	struct replay_numbers numbers;
};

/* --- what calls depend on --- */

static bool is_listed(const struct replay_team *t, uint32_t instance)
{
	return t->remote->collective[instance].count > 0;
}

struct replay_meets replay_team_meets(const struct call_log *log, const struct replay_rules *rules, bool measured, uint32_t call,
				      struct call_part part, uint32_t instance)
{
	const struct remote_collective *m = &log->remote->collective[instance];
	const struct remote_member *root = !measured && rules->rooted_all ? NULL : instances_remote_root(log, m, call, part);
	struct replay_meets meets = {{0, NO_LOGGED_CALL}, 0};
	double until = log->calls[call].end;

	if (root)
		meets.root = root->at;
	else if (measured ? call_meets(log, call, part) : ideal_meets(log, rules, call, part, &until))
		meets.count = m->count ? call_remote_until(log->remote, m, until) : UINT32_MAX;
	return meets;
}

static unsigned traits_of(const struct call_log *log, uint32_t node)
{
	return log->nodes[node].traits;
}

bool replay_team_find(const struct replaying *g, struct position *p)
{
	const struct replay_team *t = g->team;
	const struct trace *trace = g->log->trace;
	uint32_t ev = p->part.event, instance;
	const struct remote_collective *remote;
	struct replay_meets meets;
	bool waits;

	if (EVENT_KIND(trace->type[ev]) != EVENT_COLLECTIVE) {
		if (!is_remote(trace->match[ev]))
			return false;
		waits = g->waits ? call_remote_partner(g->log, p->call, ev) != NULL : ideal_waits_remote(g->log, &g->r->rules, p->call, ev);
		p->moment = waits ? arrived_of_message(trace->match[ev]) : NO_MOMENT;
		p->partner = NO_LOGGED_CALL;
		p->place = NO_PLACE;
		return true;
	}
	remote = instances_remote(g->instances, ev);
	if (!remote)
		return false;
	instance = (uint32_t)(remote - t->remote->collective);
	meets = replay_team_meets(g->log, &g->r->rules, g->waits != NULL, p->call, p->part, instance);
	p->place = NO_PLACE;
	p->partner = NO_LOGGED_CALL;
	p->moment = NO_MOMENT;
	if (meets.root.call != NO_LOGGED_CALL && meets.root.rank == t->team->rank)
		p->partner = meets.root.call;
	else if (meets.root.call != NO_LOGGED_CALL)
		p->moment = arrived_of_root(t->of, instance);
	else if (meets.count == UINT32_MAX)
		p->moment = arrived_of_all(t->of, instance);
	else if (meets.count)
		p->moment = arrived_up_to(t->of, remote->first + meets.count - 1);
	return true;
}

/* --- telling --- */

static void put_entry(struct replay_team *t, uint32_t rank, uint32_t kind, uint32_t moment, double entry)
{
	uint32_t w[4] = {kind, moment};

	memcpy(w + 2, &entry, sizeof entry);
	team_mail_put(t->mail, rank, w, 4);
}

/* Does a call elsewhere wait for this one, at this one's message `event`? If in doubt it does. */
static bool is_waited_for(const struct replaying *g, uint32_t call, uint32_t event)
{
	const struct trace *t = g->log->trace;
	const struct remote_call *other = call_remote_message(g->log, t->match[event]);
	unsigned theirs;

	if (other->call == NO_LOGGED_CALL || EVENT_KIND(t->type[event]) == EVENT_SEND)
		return other->call != NO_LOGGED_CALL;
	if (!(traits_of(g->log, g->log->calls[call].node) & MPI_POSTS_AND_RECEIVES))
		return false;
	theirs = traits_of(g->log, other->node);
	if (g->waits)
		return theirs & MPI_BLOCKING_SEND && other->start < g->log->calls[call].start;
	return theirs & MPI_SYNCHRONOUS || (theirs & MPI_BLOCKING_SEND && g->r->rules.rendezvous != REPLAY_NEVER);
}

static void send_message(struct replaying *g, uint32_t call, uint32_t event, double entry)
{
	const struct remote_message *m = remote_message(g->log->trace, g->log->trace->match[event]);
	uint32_t w[3] = {m->other};

	if (!is_waited_for(g, call, event))
		return;
	memcpy(w + 1, &entry, sizeof entry);
	team_mail_put(g->team->mail, m->rank, w, 3);
}

/* A listed member has been entered: who waits for all up to one goes on, as far as all have. */
static void arrive_listed(struct replaying *g, uint32_t member, double entry)
{
	const struct replay_team *t = g->team;
	double *came = g->r->came, latest = -INFINITY;

	came[member] = entry;
	if (!(t->begins[member >> 3] >> (member & 7) & 1))
		latest = g->moments[arrived_up_to(t->of, member - 1)].at;
	for (uint32_t k = member; !isnan(latest) && k < t->remote->member_count && !isnan(came[k]); k++) {
		union moment *m = &g->moments[arrived_up_to(t->of, k)];

		if ((k > member && t->begins[k >> 3] >> (k & 7) & 1) || !isnan(m->at))
			return;
		latest = came[k] > latest ? came[k] : latest;
		replaying_know(g, m, latest);
	}
}

/* A local member of a listed instance. */
static void arrive_local(struct replaying *g, const struct remote_collective *m, uint32_t call, double entry)
{
	const struct replay_team *t = g->team;
	const struct remote_member *members = t->remote->members + m->first;
	double start = g->log->calls[call].start;
	uint32_t low = SEARCH_PAST(i, 0, m->count, members[i].start < start);

	for (; low < m->count && members[low].start <= start; low++)
		if (members[low].at.rank == t->team->rank && members[low].at.call == call)
			arrive_listed(g, m->first + low, entry);
}

static void send_answers(struct replaying *g, uint32_t call, double entry)
{
	const struct replay_team *t = g->team;
	size_t low = SEARCH_PAST(i, 0, t->asked_count, t->asked[i].call < call);

	for (; low < t->asked_count && t->asked[low].call == call; low++)
		put_entry(g->team, t->asked[low].rank, REMOTE_ENTRY, t->asked[low].moment, entry);
}

void replay_team_entered(struct replaying *g, uint32_t call, double entry)
{
	const struct call_log *log = g->log;
	const struct trace *t = log->trace;
	const struct replay_team *team = g->team;

	for (uint32_t ev = log->calls[call].first_event; ev != NO_EVENT; ev = call_log_next_event(log, call, ev)) {
		const struct remote_collective *remote;

		if (EVENT_KIND(t->type[ev]) != EVENT_COLLECTIVE) {
			if (is_remote(t->match[ev]))
				send_message(g, call, ev, entry);
		} else if ((remote = instances_remote(g->instances, ev)) && remote->count) {
			arrive_local(g, remote, call, entry);
		}
	}
	if (team->is_asked && team->is_asked[call >> 3] >> (call & 7) & 1)
		send_answers(g, call, entry);
}

/* --- collectives, at their owner --- */

static void know_latest(struct replaying *g, uint32_t instance, double latest, struct replay_latest whose)
{
	g->r->latest[instance] = whose;
	replaying_know(g, &g->moments[arrived_of_all(g->team->of, instance)], latest);
}

static void arrive_at_owner(struct replaying *g, uint32_t number, struct remote_arrival come)
{
	struct replay_team *t = g->team;
	struct remote_arrival largest;
	double latest;

	if (!instance_owners_arrive(t->owners, number, come))
		return;
	largest = instance_owners_largest(t->owners, number);
	latest = order_key_number(largest.value);
	while (instance_owners_next(t->owners, number, &come)) {
		uint32_t w[6] = {REMOTE_LATEST, come.instance};

		if (come.rank == t->team->rank) {
			know_latest(g, come.instance, latest, (struct replay_latest){largest.rank, largest.instance});
			continue;
		}
		memcpy(w + 2, &latest, sizeof latest);
		w[4] = largest.rank;
		w[5] = largest.instance;
		team_mail_put(t->mail, come.rank, w, 6);
	}
}

static void instance_arrive(struct replaying *g, uint32_t i, uint64_t latest)
{
	struct replay_team *t = g->team;
	const struct remote_instance *x = &t->of->instance[i];
	uint32_t w[5] = {REMOTE_ARRIVE, x->number, i};

	if (x->owner == t->team->rank) {
		arrive_at_owner(g, x->number, (struct remote_arrival){latest, x->owner, i});
		return;
	}
	memcpy(w + 3, &latest, sizeof latest);
	team_mail_put(t->mail, x->owner, w, 5);
}

void replay_team_arrived(struct replaying *g, uint32_t instance, double latest)
{
	uint32_t i = g->instances->remote[instance];

	if (i != NO_PLACE && !is_listed(g->team, i))
		instance_arrive(g, i, order_key(latest));
}

/* --- what others told --- */

static void add_asked(struct replay_team *t, struct asked_call asked, bool *no_memory)
{
	struct asked_call *grown = mem_grow(t->asked, t->asked_count, &t->asked_room, sizeof *grown);

	if (!grown) {
		*no_memory = true;
		return;
	}
	t->asked = grown;
	grown[t->asked_count++] = asked;
}

/* What another rank told, from w[0] on; returns how many numbers it is. */
static size_t replay_take_mail(struct replaying *g, uint32_t rank, const uint32_t *w)
{
	struct replay_team *t = g->team;
	uint64_t latest;
	double entry;

	switch (w[0]) {
	case REMOTE_ASK:
		add_asked(t, (struct asked_call){w[1], rank, w[2]}, &g->no_memory);
		return 3;
	case REMOTE_ENTRY:
		memcpy(&entry, w + 2, sizeof entry);
		if (w[1] < arrived_up_to(t->of, 0))
			replaying_know(g, &g->moments[w[1]], entry);
		else
			arrive_listed(g, w[1] - arrived_up_to(t->of, 0), entry);
		return 4;
	case REMOTE_ARRIVE:
		memcpy(&latest, w + 3, sizeof latest);
		arrive_at_owner(g, w[1], (struct remote_arrival){latest, rank, w[2]});
		return 5;
	case REMOTE_LATEST:
		memcpy(&entry, w + 2, sizeof entry);
		know_latest(g, w[1], entry, (struct replay_latest){w[4], w[5]});
		return 6;
	default:
		memcpy(&entry, w + 1, sizeof entry);
		replaying_know(g, &g->moments[arrived_of_message(g->log->trace->match[w[0]])], entry);
		return 3;
	}
}

static void take_news(struct replaying *g)
{
	const uint32_t *rest;
	uint32_t rank;
	size_t n;

	while ((rest = team_mail_rest(g->team->mail, &rank, &n)))
		team_mail_take(g->team->mail, replay_take_mail(g, rank, rest));
}

/* --- starting --- */

/* Of whom no call here is a member, nobody will come to. */
static void come_to_rest(struct replaying *g)
{
	struct replay_team *t = g->team;

	for (uint32_t i = 0; i < t->of->instance_count; i++) {
		uint32_t first = t->of->instance[i].event, ev = first, place;

		do {
			place = instances_place(g->instances, ev);
			ev = g->log->trace->match[ev];
		} while (place == NO_PLACE && ev != first && ev != NO_EVENT);
		if (place == NO_PLACE && !is_listed(t, i))
			instance_arrive(g, i, 0);
	}
}

static void member_ask_moment(struct replay_team *t, const struct remote_member *member, uint32_t moment)
{
	if (member->at.rank != t->team->rank)
		team_mail_put(t->mail, member->at.rank, (uint32_t[]){REMOTE_ASK, member->at.call, moment}, 3);
}

static void ask_all(struct replaying *g)
{
	struct replay_team *t = g->team;

	for (uint32_t i = 0; i < t->of->instance_count; i++) {
		const struct remote_collective *m = &t->remote->collective[i];

		if (m->root.at.call != NO_LOGGED_CALL && (g->waits || !g->r->rules.rooted_all))
			member_ask_moment(t, &m->root, arrived_of_root(t->of, i));
		if (m->count)
			t->begins[m->first >> 3] |= (uint8_t)(1 << (m->first & 7));
		for (uint32_t k = m->first; k < m->first + m->count; k++)
			member_ask_moment(t, &t->remote->members[k], arrived_up_to(t->of, k));
	}
}

ORDER_BY(by_call, struct asked_call, UP(call) UP(rank) UP(moment))

static enum err_code sort_asked(struct replaying *g, struct err *e)
{
	struct replay_team *t = g->team;

	if (!t->asked_count)
		return g->no_memory ? err_memory(e, "the simulation of calls") : ERR_OK;
	t->is_asked = mem_zero((size_t)g->log->call_count / 8 + 1, 1);
	if (!t->is_asked || g->no_memory)
		return err_memory(e, "the simulation of calls");
	SORT(t->asked, t->asked_count, by_call);
	for (size_t i = 0; i < t->asked_count; i++)
		t->is_asked[t->asked[i].call >> 3] |= (uint8_t)(1 << (t->asked[i].call & 7));
	return ERR_OK;
}

static enum err_code replay_team_prepare(struct replaying *g, struct err *e)
{
	struct replay_team *t = g->team = mem_zero(1, sizeof *t);
	const struct trace *trace = g->log->trace;
	size_t moments;

	if (!t)
		return err_memory(e, "the simulation of calls");
	t->team = trace_team(trace);
	t->of = trace->remote;
	t->remote = g->log->remote;
	moments = (size_t)t->of->message_count + 2 * (size_t)t->of->instance_count + t->remote->member_count;
	if (moments >= NO_MOMENT)
		return err_set(e, ERR_LIMIT, "the trace has more than %u messages and collectives between ranks", NO_MOMENT - 1);
	t->mail = team_mail_new(t->team, sizeof(struct standing));
	t->owners = instance_owners_new(trace);
	t->begins = mem_zero((size_t)t->remote->member_count / 8 + 1, 1);
	g->moments = replaying_unknown(moments);
	g->r->arrived = (double *)g->moments;
	g->r->came = mem_alloc(t->remote->member_count, sizeof *g->r->came);
	g->r->latest = mem_alloc(t->of->instance_count, sizeof *g->r->latest);
	if (!t->mail || !t->owners || !t->begins || !g->moments || !g->r->came || !g->r->latest)
		return err_memory(e, "the simulation of calls");
	for (uint32_t k = 0; k < t->remote->member_count; k++)
		g->r->came[k] = NAN;
	return ERR_OK;
}

enum err_code replay_team_start(struct replaying *g, struct err *e)
{
	enum err_code code = team_agree(trace_team(g->log->trace), replay_team_prepare(g, e), e);
	struct standing standing = {.pending = 0};
	bool still;

	if (code)
		return code;
	ask_all(g);
	code = team_mail_exchange(g->team->mail, &standing, &still, e);
	if (code)
		return code;
	take_news(g);
	come_to_rest(g);
	return team_agree(g->team->team, sort_asked(g, e), e);
}

/* --- standing still --- */

/* Nothing goes on anywhere. Returns the team's code. */
static enum err_code stand_still(struct replaying *g, bool *over, struct err *e)
{
	struct replay_team *t = g->team;
	uint32_t first = UINT32_MAX, list = replaying_first_pending(g);
	double start = 0;
	enum err_code code;

	for (uint32_t r = 0; r < t->team->size; r++) {
		const struct standing *its = team_mail_state(t->mail, r);

		if (its->pending && (first == UINT32_MAX || its->start < start)) {
			first = r;
			start = its->start;
		}
	}
	*over = first == UINT32_MAX;
	if (*over)
		return ERR_OK;
	code = replay_questions_ask(g, t->of, &t->numbers, first, list, e);
	if (!code && first == t->team->rank)
		replaying_break_out(g, list);
	return code;
}

void replay_team_break_out(struct replaying *g, struct position *p)
{
	const struct replay_team *t = g->team;
	uint32_t k, i = p->moment - arrived_of_root(t->of, 0);
	const struct remote_message *m;

	if (p->moment < arrived_of_all(t->of, 0)) {
		m = &t->of->message[p->moment];
		if (isnan(g->moments[p->moment].at))
			replaying_drop(g, p->call, (struct call_at){m->rank, t->remote->message[p->moment].call});
		else
			replaying_take(p, g->moments[p->moment].at);
	} else if (p->moment < arrived_of_root(t->of, 0)) {
		return; /* answered */
	} else if (p->moment < arrived_up_to(t->of, 0)) {
		if (isnan(g->moments[p->moment].at))
			replaying_drop(g, p->call, t->remote->collective[i].root.at);
		else
			replaying_take(p, g->moments[p->moment].at);
	} else {
		for (k = p->moment - arrived_up_to(t->of, 0);; k--) {
			if (isnan(g->r->came[k]))
				replaying_drop(g, p->call, t->remote->members[k].at);
			else
				replaying_take(p, g->r->came[k]);
			if (t->begins[k >> 3] >> (k & 7) & 1)
				return;
		}
	}
}

/* --- collective steps --- */

static enum err_code is_well(const struct replaying *g, struct err *e)
{
	if (g->no_memory || instance_owners_failed(g->team->owners) || team_mail_failed(g->team->mail))
		return err_memory(e, "the simulation of calls");
	if (g->stopped || progress_stopped(g->progress))
		return err_set(e, ERR_CANCELLED, "stopped while simulating calls");
	return ERR_OK;
}

enum err_code replay_team_wait(struct replaying *g, bool *over, struct err *e)
{
	struct replay_team *t = g->team;
	enum err_code code = ERR_OK;

	while (!code && !*over) {
		struct standing local = {0, 0};
		uint32_t list;
		bool still;

		code = is_well(g, e);
		if (code)
			return team_agree(t->team, code, e);
		if (g->ready_count)
			return ERR_OK;
		if (team_mail_quiet(t->mail) && (list = replaying_first_pending(g)) != NO_LIST)
			local = (struct standing){g->log->calls[g->positions[list].call].start, 1};
		code = team_mail_exchange(t->mail, &local, &still, e);
		if (code)
			return code;
		take_news(g);
		if (still)
			code = stand_still(g, over, e);
	}
	return code;
}

void replay_team_free(struct replay_team *t)
{
	if (!t)
		return;
	team_mail_free(t->mail);
	instance_owners_free(t->owners);
	mem_free(t->begins);
	mem_free(t->asked);
	mem_free(t->is_asked);
	replay_numbers_release(&t->numbers);
	mem_free(t);
}
