#include "logical_far.h"

#include <string.h>

/* Numbers for another rank, behind the state of this one. An LT is two numbers: the receive there, and the LT of its send. What is told
 * of collectives begins with one of these, which no event's number is. */
#define FAR_COME FAR_EVENT          /* number at its home, instance, largest value: all of a rank have come */
#define FAR_LEAVE (FAR_EVENT + 1)   /* number at its home, largest value: one has left */
#define FAR_LARGEST (FAR_EVENT + 2) /* instance, value: from its home */
#define FAR_EPOCH (FAR_EVENT + 3)   /* epoch: what follows is of it, until then of the first */

struct words {
	uint32_t *list;
	size_t n, cap;
	uint32_t epoch; /* of what comes next */
};

/* A rank whose members have all come to an instance whose home is here. */
struct come {
	uint32_t rank, instance, largest, epoch;
	uint32_t next; /* the one that came before it, NO_EVENT: none; of a free one: the next free */
};

struct home {
	uint32_t missing; /* ranks */
	uint32_t come;    /* the last that came, NO_EVENT: none */
};

/* What stands at the front of all that a rank sends. */
struct front {
	struct far_state state;
	uint64_t told;   /* numbers that it tells anybody */
};
#define FRONT (sizeof(struct front) / sizeof(uint32_t))

struct logical_far {
	const struct trace *t;
	const struct team *team;
	struct arrived {
		uint32_t lt, epoch; /* of the send; NO_EVENT: not known yet */
	} *arrived;            /* per far message */
	struct words *to;      /* per rank */
	struct team_bytes *out, *in; /* per rank */
	uint32_t in_rank;      /* news that were not taken yet: from this rank on, */
	size_t in_at;          /* from this number of its, */
	uint32_t in_epoch;     /* which is of this epoch */
	struct words ready;    /* for this rank, from homes here: instance, value */
	struct home *homes;
	struct come *come;
	size_t come_count, come_cap;
	uint32_t come_free;    /* NO_EVENT: none */
	uint64_t told;         /* since the last meeting */
	bool failed, mixed;
};

/* Room for n numbers more; NULL: none. */
static uint32_t *room(struct logical_far *f, struct words *w, size_t n)
{
	if (w->n + n > w->cap) {
		size_t cap = (w->n + n) * 2;
		uint32_t *more = mem_resize(w->list, cap, sizeof *more);

		if (!more) {
			f->failed = true;
			return NULL;
		}
		w->list = more;
		w->cap = cap;
	}
	w->n += n;
	return w->list + w->n - n;
}

/* Numbers for another rank: behind the state, which is filled in when all is told. */
static void tell(struct logical_far *f, uint32_t rank, const uint32_t *list, size_t n)
{
	struct words *w = &f->to[rank];
	uint32_t *at;

	if (!w->n && !room(f, w, FRONT))
		return;
	at = room(f, w, n);
	if (!at)
		return;
	memcpy(at, list, n * sizeof *list);
	f->told += n;
}

/* The same of something that is of an epoch. */
static void tell_of(struct logical_far *f, uint32_t rank, uint32_t epoch, const uint32_t *list, size_t n)
{
	if (f->to[rank].epoch != epoch)
		tell(f, rank, (uint32_t[]){FAR_EPOCH, epoch}, 2);
	f->to[rank].epoch = epoch;
	tell(f, rank, list, n);
}

struct logical_far *logical_far_new(const struct trace *t)
{
	struct logical_far *f = mem_zero(1, sizeof *f);
	uint32_t ranks = team_size(t->far->team);

	if (!f)
		return NULL;
	f->t = t;
	f->team = t->far->team;
	f->come_free = NO_EVENT;
	f->in_rank = ranks;
	f->arrived = mem_alloc(t->far->message_count, sizeof *f->arrived);
	f->to = mem_zero(ranks, sizeof *f->to);
	f->out = mem_zero(ranks, sizeof *f->out);
	f->in = mem_zero(ranks, sizeof *f->in);
	f->homes = mem_alloc(t->far->home_count, sizeof *f->homes);
	if (!f->arrived || !f->to || !f->out || !f->in || !f->homes) {
		logical_far_free(f);
		return NULL;
	}
	memset(f->arrived, 0xff, t->far->message_count * sizeof *f->arrived);
	for (uint32_t i = 0; i < t->far->home_count; i++)
		f->homes[i] = (struct home){t->far->home_ranks[i], NO_EVENT};
	return f;
}

void logical_far_free(struct logical_far *f)
{
	uint32_t ranks;

	if (!f)
		return;
	ranks = team_size(f->team);
	for (uint32_t r = 0; f->to && r < ranks; r++)
		mem_free(f->to[r].list);
	if (f->in)
		team_bytes_free(f->in, ranks);
	mem_free(f->arrived);
	mem_free(f->to);
	mem_free(f->out);
	mem_free(f->in);
	mem_free(f->ready.list);
	mem_free(f->homes);
	mem_free(f->come);
	mem_free(f);
}

bool logical_far_failed(const struct logical_far *f)
{
	return f->failed;
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

/* Tell all ranks of an instance what comes out of it, and forget who has come. */
static void complete(struct logical_far *f, struct home *home)
{
	uint32_t largest = 0, last = NO_EVENT;

	for (uint32_t i = home->come; i != NO_EVENT; i = f->come[i].next)
		if (f->come[i].largest > largest)
			largest = f->come[i].largest;
	for (uint32_t i = home->come; i != NO_EVENT; i = f->come[i].next) {
		const struct come *c = &f->come[i];
		uint32_t *at;

		last = i;
		if (c->rank != team_rank(f->team)) {
			tell(f, c->rank, (uint32_t[]){FAR_LARGEST, c->instance, largest}, 3);
			continue;
		}
		at = room(f, &f->ready, 2);
		if (!at)
			return;
		at[0] = c->instance;
		at[1] = largest;
	}
	f->come[last].next = f->come_free;
	f->come_free = home->come;
	home->come = NO_EVENT;
}

static void come_home(struct logical_far *f, const struct come *c, uint32_t number)
{
	struct home *home = &f->homes[number];
	uint32_t i = f->come_free;

	if (i != NO_EVENT) {
		f->come_free = f->come[i].next;
	} else {
		struct come *list = mem_grow(f->come, f->come_count, &f->come_cap, sizeof *list);

		if (!list) {
			f->failed = true;
			return;
		}
		f->come = list;
		i = (uint32_t)f->come_count++;
	}
	f->come[i] = *c;
	f->come[i].next = home->come;
	f->mixed = f->mixed || (home->come != NO_EVENT && f->come[home->come].epoch != c->epoch);
	home->come = i;
	if (!--home->missing)
		complete(f, home);
}

static void leave_home(struct logical_far *f, uint32_t rank, uint32_t number, uint32_t largest)
{
	for (uint32_t i = f->homes[number].come; i != NO_EVENT; i = f->come[i].next)
		if (f->come[i].rank == rank)
			f->come[i].largest = largest;
}

void logical_far_come(struct logical_far *f, const struct far_instance *x, uint32_t instance, uint32_t largest, uint32_t epoch)
{
	if (x->home == team_rank(f->team))
		come_home(f, &(struct come){x->home, instance, largest, epoch, NO_EVENT}, x->number);
	else
		tell_of(f, x->home, epoch, (uint32_t[]){FAR_COME, x->number, instance, largest}, 4);
}

void logical_far_leave(struct logical_far *f, const struct far_instance *x, uint32_t largest)
{
	if (x->home == team_rank(f->team))
		leave_home(f, x->home, x->number, largest);
	else
		tell(f, x->home, (uint32_t[]){FAR_LEAVE, x->number, largest}, 3);
}

/* --- news and meetings --- */

/* What another rank told, from w[0] on; returns how many numbers it is. news->event stays NO_EVENT and news->instance NO_EVENT where it was
 * for a home. */
static size_t take(struct logical_far *f, const uint32_t *w, struct far_news *news)
{
	switch (w[0]) {
	case FAR_COME:
		come_home(f, &(struct come){f->in_rank, w[2], w[3], f->in_epoch, NO_EVENT}, w[1]);
		return 4;
	case FAR_LEAVE:
		leave_home(f, f->in_rank, w[1], w[2]);
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
	*news = (struct far_news){NO_EVENT, NO_EVENT, 0};
	while (f->in_rank < team_size(f->team)) {
		struct team_bytes *in = &f->in[f->in_rank];

		if (f->in_at * sizeof(uint32_t) >= in->n) {
			team_bytes_free(in, 1);
			f->in_rank++;
			f->in_at = FRONT;
			f->in_epoch = 0;
			continue;
		}
		f->in_at += take(f, (const uint32_t *)in->bytes + f->in_at, news);
		if (news->event != NO_EVENT || news->instance != NO_EVENT)
			return true;
	}
	if (!f->ready.n)
		return false;
	f->ready.n -= 2;
	*news = (struct far_news){NO_EVENT, f->ready.list[f->ready.n], f->ready.list[f->ready.n + 1]};
	return true;
}

bool logical_far_quiet(const struct logical_far *f)
{
	return !f->told;
}

/* What all ranks said of themselves: *all is filled in from them. Returns whether nobody told anything. */
static bool sum_up(const struct logical_far *f, const struct front *own, struct far_state *all)
{
	uint64_t told = 0;

	*all = (struct far_state){.process = NO_PROCESS};
	for (uint32_t r = 0; r < team_size(f->team); r++) {
		struct front its = *own;
		uint32_t largest = all->largest, mixed = all->mixed;

		if (r != team_rank(f->team))
			memcpy(&its, f->in[r].bytes, sizeof its);
		if (its.state.process != NO_PROCESS && (all->process == NO_PROCESS || its.state.time < all->time))
			*all = its.state;
		all->largest = its.state.largest > largest ? its.state.largest : largest;
		all->mixed = mixed | its.state.mixed;
		told += its.told;
	}
	return !told;
}

enum err_code logical_far_meet(struct logical_far *f, const struct far_state *own, struct far_state *all, bool *still, struct err *e)
{
	struct front front = {*own, f->told};
	enum err_code code;

	front.state.mixed |= f->mixed;
	for (uint32_t r = 0; r < team_size(f->team); r++) {
		struct words *w = &f->to[r];

		f->out[r] = (struct team_bytes){NULL, 0};
		if (r == team_rank(f->team))
			continue;
		if (!w->n && !room(f, w, FRONT))
			return team_agree(f->team, err_memory(e, "what ranks tell each other"), e);
		memcpy(w->list, &front, sizeof front);
		f->out[r] = (struct team_bytes){w->list, w->n * sizeof *w->list};
	}
	code = team_exchange(f->team, f->out, f->in, e);
	if (code)
		return code;
	for (uint32_t r = 0; r < team_size(f->team); r++)
		f->to[r].n = f->to[r].epoch = 0;
	f->told = 0;
	f->in_rank = 0;
	f->in_at = FRONT;
	f->in_epoch = 0;
	*still = sum_up(f, &front, all);
	return ERR_OK;
}
