#include "logical_int.h"

#include <string.h>

#include "core/team/team.h"
#include "core/trace/make/make_team.h"

/* What is told. An LT is two numbers: the receive there, and the LT of its send. What is told of collectives begins
 * with one of these, which no event's number is. */
#define FAR_COME FAR_EVENT          /* number at its home, instance, largest value: all of a rank have come */
#define FAR_LEAVE (FAR_EVENT + 1)   /* number at its home, largest value: one has left */
#define FAR_LARGEST (FAR_EVENT + 2) /* instance, value: from its home */
#define FAR_EPOCH (FAR_EVENT + 3)   /* epoch: what follows is of it, until then of the first */

struct logical_far {
	const struct trace *t;
	const struct team *team;
	struct arrived {
		uint32_t lt, epoch; /* of the send; NO_EVENT: not known yet */
	} *arrived;            /* per far message */
	struct team_mail *mail;
	uint32_t *epoch_to;    /* per rank: of what is told to it next */
	uint32_t in_epoch, in_rank; /* what comes next is of that epoch, from that rank */
	struct ready {
		uint32_t instance, largest;
	} *ready;              /* for this rank, from homes here */
	size_t ready_count, ready_cap;
	struct far_homes *homes; /* values: an epoch, and behind it an LT */
	bool failed, mixed;
};

/* For another rank: what is of an epoch. */
static void tell_of(struct logical_far *f, uint32_t rank, uint32_t epoch, const uint32_t *list, size_t n)
{
	if (f->epoch_to[rank] != epoch)
		team_mail_put(f->mail, rank, (uint32_t[]){FAR_EPOCH, epoch}, 2);
	f->epoch_to[rank] = epoch;
	team_mail_put(f->mail, rank, list, n);
}

struct logical_far *logical_far_new(const struct trace *t)
{
	struct logical_far *f = mem_zero(1, sizeof *f);
	uint32_t ranks = team_size(t->far->team);

	if (!f)
		return NULL;
	f->t = t;
	f->team = t->far->team;
	f->arrived = mem_alloc(t->far->message_count, sizeof *f->arrived);
	f->mail = team_mail_new(f->team, sizeof(struct far_state));
	f->epoch_to = mem_zero(ranks, sizeof *f->epoch_to);
	f->homes = far_homes_new(t);
	if (!f->arrived || !f->mail || !f->epoch_to || !f->homes) {
		logical_far_free(f);
		return NULL;
	}
	memset(f->arrived, 0xff, t->far->message_count * sizeof *f->arrived);
	return f;
}

void logical_far_free(struct logical_far *f)
{
	if (!f)
		return;
	team_mail_free(f->mail);
	mem_free(f->arrived);
	mem_free(f->epoch_to);
	mem_free(f->ready);
	far_homes_free(f->homes);
	mem_free(f);
}

bool logical_far_failed(const struct logical_far *f)
{
	return f->failed || far_homes_failed(f->homes) || team_mail_failed(f->mail);
}

uint32_t logical_far_lt(const struct logical_far *f, uint32_t match)
{
	return f->arrived[match - FAR_EVENT].lt;
}

void logical_far_fetch(const struct logical_far *f, uint32_t match)
{
	__builtin_prefetch(&f->arrived[match - FAR_EVENT]);
	__builtin_prefetch(far_message(f->t, match));
}

uint32_t logical_far_epoch(const struct logical_far *f, uint32_t match)
{
	return f->arrived[match - FAR_EVENT].epoch;
}

void logical_far_tell(struct logical_far *f, uint32_t match, uint32_t lt, uint32_t epoch)
{
	const struct far_message *m = far_message(f->t, match);

	tell_of(f, m->rank, epoch, (uint32_t[]){m->other, lt}, 2);
}

/* --- collectives, at their home --- */

/* What comes out of an instance, for this rank itself. */
static void come_back(struct logical_far *f, uint32_t instance, uint32_t largest)
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
static void complete(struct logical_far *f, uint32_t number)
{
	uint64_t largest = far_homes_largest(f->homes, number).value;
	struct far_come c;

	while (far_homes_next(f->homes, number, &c)) {
		f->mixed = f->mixed || c.value >> 32 != largest >> 32;
		if (c.rank != team_rank(f->team))
			team_mail_put(f->mail, c.rank, (uint32_t[]){FAR_LARGEST, c.instance, (uint32_t)largest}, 3);
		else
			come_back(f, c.instance, (uint32_t)largest);
	}
}

static void come_home(struct logical_far *f, uint32_t rank, uint32_t number, uint32_t instance, uint32_t largest, uint32_t epoch)
{
	if (far_homes_come(f->homes, number, (struct far_come){(uint64_t)epoch << 32 | largest, rank, instance}))
		complete(f, number);
}

void logical_far_come(struct logical_far *f, const struct far_instance *x, uint32_t instance, uint32_t largest, uint32_t epoch)
{
	if (x->home == team_rank(f->team))
		come_home(f, x->home, x->number, instance, largest, epoch);
	else
		tell_of(f, x->home, epoch, (uint32_t[]){FAR_COME, x->number, instance, largest}, 4);
}

void logical_far_leave(struct logical_far *f, const struct far_instance *x, uint32_t largest)
{
	if (x->home == team_rank(f->team))
		far_homes_change(f->homes, x->number, x->home, largest);
	else
		team_mail_put(f->mail, x->home, (uint32_t[]){FAR_LEAVE, x->number, largest}, 3);
}

/* --- news and meetings --- */

/* What another rank told, from w[0] on; returns how many numbers it is. news->event stays NO_EVENT and news->instance
 * NO_EVENT where it was for a home. */
static size_t news_take(struct logical_far *f, const uint32_t *w, struct far_news *news)
{
	switch (w[0]) {
	case FAR_COME:
		come_home(f, f->in_rank, w[1], w[2], w[3], f->in_epoch);
		return 4;
	case FAR_LEAVE:
		far_homes_change(f->homes, w[1], f->in_rank, w[2]);
		return 3;
	case FAR_LARGEST:
		*news = (struct far_news){NO_EVENT, w[1], w[2]};
		return 3;
	case FAR_EPOCH:
		f->in_epoch = w[1];
		return 2;
	default:
		f->arrived[f->t->match[w[0]] - FAR_EVENT] = (struct arrived){w[1], f->in_epoch};
		news->event = w[0];
		return 2;
	}
}

bool logical_far_news(struct logical_far *f, struct far_news *news)
{
	const uint32_t *rest;
	uint32_t rank;
	size_t n;

	*news = (struct far_news){NO_EVENT, NO_EVENT, 0};
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
	*news = (struct far_news){NO_EVENT, f->ready[f->ready_count].instance, f->ready[f->ready_count].largest};
	return true;
}

bool logical_far_quiet(const struct logical_far *f)
{
	return team_mail_quiet(f->mail);
}

/* What all ranks said of themselves. */
static struct far_state states_sum_up(const struct logical_far *f)
{
	struct far_state all = {.process = NO_PROCESS};

	for (uint32_t r = 0; r < team_size(f->team); r++) {
		const struct far_state *its = team_mail_state(f->mail, r);
		uint32_t largest = all.largest, mixed = all.mixed;

		if (its->process != NO_PROCESS && (all.process == NO_PROCESS || its->time < all.time))
			all = *its;
		all.largest = its->largest > largest ? its->largest : largest;
		all.mixed = mixed | its->mixed;
	}
	return all;
}

enum err_code logical_far_meet(struct logical_far *f, const struct far_state *own, struct far_state *all, bool *still, struct err *e)
{
	struct far_state state = *own;
	enum err_code code;

	state.mixed |= f->mixed;
	code = team_mail_meet(f->mail, &state, still, e);
	if (code)
		return code;
	memset(f->epoch_to, 0, team_size(f->team) * sizeof *f->epoch_to);
	f->in_epoch = 0;
	f->in_rank = 0;
	*all = states_sum_up(f);
	return ERR_OK;
}
