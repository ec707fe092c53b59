#include "logical_int.h"

#include <string.h>

#include "core/team/team.h"
#include "core/trace/make/make_team.h"

/* What is told. An LT is two numbers: the receive there, and the LT of its send. What is told of collectives begins
 * with one of these, which no event's number is. */
#define REMOTE_ARRIVE REMOTE_EVENT        /* number at its owner, instance, largest value: all of a rank have come */
#define REMOTE_LEAVE (REMOTE_EVENT + 1)   /* number at its owner, largest value: one has left */
#define REMOTE_LARGEST (REMOTE_EVENT + 2) /* instance, value: from its owner */
#define REMOTE_EPOCH (REMOTE_EVENT + 3)   /* epoch: what follows is of it, until then of the first */

struct logical_remote {
	const struct trace *t;
	const struct team *team;
	struct arrived {
		uint32_t lt, epoch; /* of the send; NO_EVENT: not known yet */
	} *arrived;            /* per remote message */
	struct team_mail *mail;
	uint32_t *epoch_to;    /* per rank: of what is told to it next */
	uint32_t in_epoch, in_rank; /* what comes next is of that epoch, from that rank */
	struct ready {
		uint32_t instance, largest;
	} *ready;              /* for this rank, from owners here */
	size_t ready_count, ready_cap;
	struct instance_owners *owners; /* values: an epoch, and behind it an LT */
	bool failed, mixed;
};

/* For another rank: what is of an epoch. */
static void send_of(struct logical_remote *f, uint32_t rank, uint32_t epoch, const uint32_t *list, size_t n)
{
	if (f->epoch_to[rank] != epoch)
		team_mail_put(f->mail, rank, (uint32_t[]){REMOTE_EPOCH, epoch}, 2);
	f->epoch_to[rank] = epoch;
	team_mail_put(f->mail, rank, list, n);
}

struct logical_remote *logical_remote_new(const struct trace *t)
{
	struct logical_remote *f = mem_zero(1, sizeof *f);
	uint32_t ranks = team_size(t->remote->team);

	if (!f)
		return NULL;
	f->t = t;
	f->team = t->remote->team;
	f->arrived = mem_alloc(t->remote->message_count, sizeof *f->arrived);
	f->mail = team_mail_new(f->team, sizeof(struct remote_state));
	f->epoch_to = mem_zero(ranks, sizeof *f->epoch_to);
	f->owners = instance_owners_new(t);
	if (!f->arrived || !f->mail || !f->epoch_to || !f->owners) {
		logical_remote_free(f);
		return NULL;
	}
	memset(f->arrived, 0xff, t->remote->message_count * sizeof *f->arrived);
	return f;
}

void logical_remote_free(struct logical_remote *f)
{
	if (!f)
		return;
	team_mail_free(f->mail);
	mem_free(f->arrived);
	mem_free(f->epoch_to);
	mem_free(f->ready);
	instance_owners_free(f->owners);
	mem_free(f);
}

bool logical_remote_failed(const struct logical_remote *f)
{
	return f->failed || instance_owners_failed(f->owners) || team_mail_failed(f->mail);
}

uint32_t logical_remote_lt(const struct logical_remote *f, uint32_t match)
{
	return f->arrived[match - REMOTE_EVENT].lt;
}

void logical_remote_fetch(const struct logical_remote *f, uint32_t match)
{
	__builtin_prefetch(&f->arrived[match - REMOTE_EVENT]);
	__builtin_prefetch(remote_message(f->t, match));
}

uint32_t logical_remote_epoch(const struct logical_remote *f, uint32_t match)
{
	return f->arrived[match - REMOTE_EVENT].epoch;
}

void logical_remote_send(struct logical_remote *f, uint32_t match, uint32_t lt, uint32_t epoch)
{
	const struct remote_message *m = remote_message(f->t, match);

	send_of(f, m->rank, epoch, (uint32_t[]){m->other, lt}, 2);
}

/* --- collectives, at their owner --- */

/* What comes out of an instance, for this rank itself. */
static void remote_return(struct logical_remote *f, uint32_t instance, uint32_t largest)
{
	struct ready *list = mem_grow(f->ready, f->ready_count, &f->ready_cap, sizeof *list);

	if (!list) {
		f->failed = true;
		return;
	}
	f->ready = list;
	list[f->ready_count++] = (struct ready){instance, largest};
}

/* Tell all ranks of an instance what comes out of it. */
static void complete(struct logical_remote *f, uint32_t number)
{
	uint64_t largest = instance_owners_largest(f->owners, number).value;
	struct remote_arrival c;

	while (instance_owners_next(f->owners, number, &c)) {
		f->mixed = f->mixed || c.value >> 32 != largest >> 32;
		if (c.rank != team_rank(f->team))
			team_mail_put(f->mail, c.rank, (uint32_t[]){REMOTE_LARGEST, c.instance, (uint32_t)largest}, 3);
		else
			remote_return(f, c.instance, (uint32_t)largest);
	}
}

static void arrive_at_owner(struct logical_remote *f, uint32_t rank, uint32_t number, uint32_t instance, uint32_t largest, uint32_t epoch)
{
	if (instance_owners_arrive(f->owners, number, (struct remote_arrival){(uint64_t)epoch << 32 | largest, rank, instance}))
		complete(f, number);
}

void logical_remote_arrive(struct logical_remote *f, const struct remote_instance *x, uint32_t instance, uint32_t largest, uint32_t epoch)
{
	if (x->owner == team_rank(f->team))
		arrive_at_owner(f, x->owner, x->number, instance, largest, epoch);
	else
		send_of(f, x->owner, epoch, (uint32_t[]){REMOTE_ARRIVE, x->number, instance, largest}, 4);
}

void logical_remote_leave(struct logical_remote *f, const struct remote_instance *x, uint32_t largest)
{
	if (x->owner == team_rank(f->team))
		instance_owners_change(f->owners, x->number, x->owner, largest);
	else
		team_mail_put(f->mail, x->owner, (uint32_t[]){REMOTE_LEAVE, x->number, largest}, 3);
}

/* --- news and collective steps --- */

/* What another rank told, from w[0] on; returns how many numbers it is. news->event stays NO_EVENT and news->instance
 * NO_EVENT where it was for an owner. */
static size_t news_take(struct logical_remote *f, const uint32_t *w, struct remote_news *news)
{
	switch (w[0]) {
	case REMOTE_ARRIVE:
		arrive_at_owner(f, f->in_rank, w[1], w[2], w[3], f->in_epoch);
		return 4;
	case REMOTE_LEAVE:
		instance_owners_change(f->owners, w[1], f->in_rank, w[2]);
		return 3;
	case REMOTE_LARGEST:
		*news = (struct remote_news){NO_EVENT, w[1], w[2]};
		return 3;
	case REMOTE_EPOCH:
		f->in_epoch = w[1];
		return 2;
	default:
		f->arrived[f->t->match[w[0]] - REMOTE_EVENT] = (struct arrived){w[1], f->in_epoch};
		news->event = w[0];
		return 2;
	}
}

bool logical_remote_news(struct logical_remote *f, struct remote_news *news)
{
	const uint32_t *rest;
	uint32_t rank;
	size_t n;

	*news = (struct remote_news){NO_EVENT, NO_EVENT, 0};
	while ((rest = team_mail_rest(f->mail, &rank, &n))) {
		if (rank != f->in_rank)
			f->in_epoch = 0;
		f->in_rank = rank;
		team_mail_take(f->mail, news_take(f, rest, news));
		if (news->event != NO_EVENT || news->instance != NO_EVENT)
			return true;
	}
	if (!f->ready_count)
		return false;
	f->ready_count--;
	*news = (struct remote_news){NO_EVENT, f->ready[f->ready_count].instance, f->ready[f->ready_count].largest};
	return true;
}

bool logical_remote_quiet(const struct logical_remote *f)
{
	return team_mail_quiet(f->mail);
}

/* What all ranks said of themselves. */
static struct remote_state states_sum_up(const struct logical_remote *f)
{
	struct remote_state all = {.process = NO_PROCESS};

	for (uint32_t r = 0; r < team_size(f->team); r++) {
		const struct remote_state *its = team_mail_state(f->mail, r);
		uint32_t largest = all.largest, mixed = all.mixed;

		if (its->process != NO_PROCESS && (all.process == NO_PROCESS || its->time < all.time))
			all = *its;
		all.largest = its->largest > largest ? its->largest : largest;
		all.mixed = mixed | its->mixed;
	}
	return all;
}

enum err_code logical_remote_exchange(struct logical_remote *f, const struct remote_state *local, struct remote_state *all, bool *still, struct err *e)
{
	struct remote_state state = *local;
	enum err_code code;

	state.mixed |= f->mixed;
	code = team_mail_exchange(f->mail, &state, still, e);
	if (code)
		return code;
	memset(f->epoch_to, 0, team_size(f->team) * sizeof *f->epoch_to);
	f->in_epoch = 0;
	f->in_rank = 0;
	*all = states_sum_up(f);
	return ERR_OK;
}
