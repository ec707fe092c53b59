#include "logical_int.h"

#include "core/base/parallel.h"

static enum err_code pass_init(struct pass *s, struct logical *l, uint32_t *lt, struct epochs *epochs, struct err *e)
{
	const struct trace *t = l->trace;

	*s = (struct pass){.l = l, .t = t, .lt = lt, .epochs = epochs, .state_done = UINT64_MAX};
	trace_local(t, &s->local, &s->width);
	s->width -= s->local;
	s->strands = epochs ? s->width * (epochs->count + 1) : s->width;
	s->next = mem_alloc(s->strands, sizeof *s->next);
	s->value = mem_zero(s->strands, sizeof *s->value);
	s->parked = mem_zero(s->strands, sizeof *s->parked);
	s->link = mem_alloc(s->strands, sizeof *s->link);
	s->runnable = mem_alloc(s->strands, sizeof *s->runnable);
	s->remote = t->remote ? logical_remote_new(t) : NULL;
	if (!s->link || !s->next || !s->value || !s->parked || !s->runnable || (t->remote && !s->remote))
		return err_memory(e, "the causal pass");
	for (uint32_t i = 0; i < s->strands; i++)
		s->next[i] = i < s->width ? t->first[s->local + i] : epochs->ends[i - s->width] + 1;
	pass_open(s);
	s->fetched = s->runnable_count;
	parallel_set(s->lt, 0xff, (size_t)t->event_count * sizeof *s->lt, t->threads);
	return ERR_OK;
}

static void pass_release(struct pass *s)
{
	mem_free(s->next);
	mem_free(s->value);
	mem_free(s->parked);
	mem_free(s->link);
	mem_free(s->runnable);
	mem_free(s->instances);
	logical_remote_free(s->remote);
}

/* --- placing events --- */

/* A receive that comes when its strand's next send would get `value`; returns what that would get afterwards. */
static inline uint32_t place_received(struct pass *s, uint32_t ev, uint32_t lt, uint32_t value)
{
	if (s->l->order == ORDER_LAMPORT) {
		lt = lt > value ? lt : value;
		value = lt + 1;
	} else if (lt > value) {
		value = lt;
	}
	s->lt[ev] = lt;
	return value;
}

/* A receive without a send takes what a send would get; in `pas2p` order it does not push what follows. */
static void place_alone(struct pass *s, uint32_t i, uint32_t ev)
{
	if (EVENT_KIND(s->t->type[ev]) != EVENT_RECEIVE) {
		pass_place(s, i, ev);
		return;
	}
	s->value[i] = place_received(s, ev, s->value[i], s->value[i]);
	s->next[i] = ev + 1;
	s->done++;
}

/* The process at the other end of a message, which its type names. */
static inline uint32_t partner(const struct trace *t, uint32_t ev, uint32_t match)
{
	uint32_t q = EVENT_INDEX(t->type[ev]) - 1;

	return q < t->process_count && match - t->first[q] < t->first[q + 1] - t->first[q] ? q : trace_process_of(t, match);
}

/* --- collectives --- */

/* The first member that comes to a collective numbers its instance for all: what is touched now is needed soon. */
static struct instance *instance_of(struct pass *s, uint32_t ev)
{
	uint32_t members = 0, m = ev;
	struct instance *list;

	if (s->lt[ev] != NO_EVENT)
		return &s->instances[s->lt[ev]];
	list = mem_grow(s->instances, s->instance_count, &s->instance_cap, sizeof *list);
	if (!list) {
		s->no_memory = true;
		return NULL;
	}
	s->instances = list;
	do {
		s->lt[m] = s->instance_count;
		members++;
		m = s->t->match[m];
	} while (m != NO_EVENT && m != ev);
	list[s->instance_count] = (struct instance){.missing = members, .waiting = NO_STRAND};
	return &list[s->instance_count++];
}

/* An instance that has members on other ranks, by one that it has here; NULL: it has none elsewhere. */
static const struct remote_instance *elsewhere(const struct trace *t, uint32_t ev)
{
	uint32_t first = ev;

	for (uint32_t m = t->match[ev]; m != NO_EVENT && m != ev; m = t->match[m])
		first = m < first ? m : first;
	return remote_instance(t, first);
}

/* All members here have come to it, strand i as the last; false: there are no others. */
static bool wait_for_others(struct pass *s, uint32_t i, uint32_t ev, const struct instance *x)
{
	const struct remote_instance *remote = elsewhere(s->t, ev);
	uint32_t epoch = i / s->width;

	/* They must be in one epoch. */
	for (uint32_t k = x->waiting; s->epochs && k != NO_STRAND; k = s->link[k])
		s->mixed = s->mixed || k / s->width != epoch;
	if (remote)
		logical_remote_arrive(s->remote, remote, (uint32_t)(x - s->instances), x->largest, epoch);
	return remote != NULL;
}

/* Strand i comes to a collective: it waits, or it is the last and all of them get the largest value. */
static bool come_to_collective(struct pass *s, uint32_t i, uint32_t ev)
{
	struct instance *x = instance_of(s, ev);

	if (!x)
		return false;
	if (s->value[i] > x->largest)
		x->largest = s->value[i];
	if (--x->missing || (s->remote && wait_for_others(s, i, ev, x))) {
		s->link[i] = x->waiting;
		x->waiting = i;
		return false;
	}
	pass_release_waiting(s, x);
	s->value[i] = x->largest;
	pass_place(s, i, ev);
	return true;
}

/* Strand i waits no longer at the collective that is its next event. */
static void leave_collective(struct pass *s, uint32_t i)
{
	struct instance *x = &s->instances[s->lt[s->next[i]]];
	uint32_t *at = &x->waiting;

	x->largest = 0;
	while (*at != NO_STRAND) {
		if (*at == i) {
			*at = s->link[i];
			continue;
		}
		if (s->value[*at] > x->largest)
			x->largest = s->value[*at];
		at = &s->link[*at];
	}
	if (s->remote && !x->missing) /* only others are */
		logical_remote_leave(s->remote, elsewhere(s->t, s->next[i]), x->largest);
}

/* --- running --- */

/* A receive of a part whose send is on this rank, or not. False: it waits for it. *value: what the strand's next send
 * would get, before and after. */
static bool receive_in_part(struct pass *s, uint32_t ev, uint32_t m, uint32_t epoch, uint32_t *value)
{
	uint32_t lt, sent = 0;

	if (is_remote(m)) {
		lt = logical_remote_lt(s->remote, m);
		sent = lt == NO_EVENT ? epoch : logical_remote_epoch(s->remote, m);
	} else {
		if (s->epochs)
			sent = epochs_of(s->epochs, partner(s->t, ev, m), m, epoch);
		lt = s->lt[m];
	}
	if (sent < epoch) {
		/* It raises nothing; in `lamport` order it takes what a send would get, which is larger than its send's. */
		*value = place_received(s, ev, *value, *value);
		if (s->l->order == ORDER_PAS2P) {
			s->lt[ev] = LT_CROSSED;
			s->crossed = true;
		}
		return true;
	}
	s->mixed = s->mixed || sent > epoch;
	if (lt != NO_EVENT)
		*value = place_received(s, ev, lt + 1, *value);
	return lt != NO_EVENT;
}

/* Place the events of strand i until one has to wait. remote: it is of a part of a trace. */
static inline __attribute__((always_inline)) void run_as(struct pass *s, uint32_t i, bool remote)
{
	const struct trace *t = s->t;
	uint32_t begin = s->next[i], ev = begin, end = remote ? pass_end(s, i) : t->first[i + 1], value = s->value[i], collectives = 0;
	uint32_t epoch = remote ? i / s->width : 0, last = remote && s->epochs && epoch < s->epochs->count ? end - 1 : NO_EVENT;
	bool waits = false;

	for (; ev < end && !waits; ev += !waits) {
		uint32_t m = t->match[ev], q;

		switch (EVENT_KIND(t->type[ev])) {
		case EVENT_SEND:
			s->lt[ev] = value++;
			if (remote && is_remote(m)) {
				logical_remote_send(s->remote, m, s->lt[ev], epoch);
			} else if (m != NO_EVENT) {
				/* Its receive may wait for it. */
				q = partner(t, ev, m);
				if (remote)
					q = pass_strand(s, q, m, epoch);
				if (s->parked[q] && s->next[q] == m)
					pass_wake(s, q);
			}
			break;
		case EVENT_RECEIVE:
			if (remote && m != NO_EVENT) {
				waits = !receive_in_part(s, ev, m, epoch, &value);
				break;
			}
			/* What has no LT was not passed: a send's holds nothing else. */
			waits = m != NO_EVENT && s->lt[m] == NO_EVENT;
			if (!waits)
				value = place_received(s, ev, m == NO_EVENT ? value : s->lt[m] + 1, value);
			break;
		default:
			if (remote && ev == last) {
				epochs_end(s->epochs, epoch, value);
				s->lt[ev] = LT_ENDS;
				break;
			}
			s->next[i] = ev;
			s->value[i] = value;
			waits = !come_to_collective(s, i, ev);
			value = s->value[i];
			collectives += !waits;
		}
	}
	s->next[i] = ev;
	s->value[i] = value;
	s->parked[i] = waits;
	s->done += ev - begin - collectives;
}

/* On its own: what a whole trace takes stays as it is. */
static __attribute__((noinline)) void run_part(struct pass *s, uint32_t i)
{
	run_as(s, i, true);
}

/* Strands of all epochs are more than caches hold, and each runs for a few events only: what it will touch is fetched
 * while those before it run. First its events, then, when these have come, what they match. */
#define FETCH_EVENTS 12  /* strands before it runs */
#define FETCH_MATCHES 6
#define FETCH_MOST 8     /* events of a strand */

static void fetch_matches(const struct pass *s, uint32_t i)
{
	uint32_t ev = s->next[i], end = pass_end(s, i);

	end = end - ev > FETCH_MOST && ev < end ? ev + FETCH_MOST : end;
	for (; ev < end; ev++) {
		uint32_t m = s->t->match[ev];

		if (is_remote(m))
			logical_remote_fetch(s->remote, m);
		else if (m != NO_EVENT)
			__builtin_prefetch(&s->lt[m]);
	}
}

static void fetch_ahead(struct pass *s)
{
	while (s->fetched && s->fetched + FETCH_EVENTS > s->runnable_count) {
		uint32_t at = --s->fetched, ev = s->next[s->runnable[at]];

		if (ev < s->t->event_count) {
			__builtin_prefetch(&s->t->match[ev]);
			__builtin_prefetch(&s->t->type[ev]);
			__builtin_prefetch(&s->lt[ev], 1);
		}
		at += FETCH_EVENTS - FETCH_MATCHES;
		if (at < s->runnable_count)
			fetch_matches(s, s->runnable[at]);
	}
}

static void pass_run_next(struct pass *s)
{
	uint32_t i = s->runnable[--s->runnable_count];

	if (s->remote) {
		fetch_ahead(s);
		run_part(s, i);
	} else {
		run_as(s, i, false);
	}
}

uint32_t pass_largest(const struct pass *s)
{
	uint32_t largest = 0;

	for (uint32_t i = s->strands - s->width; i < s->strands; i++)
		if (s->value[i] > largest)
			largest = s->value[i];
	return largest;
}

/* --- cycles --- */

uint32_t pass_first_pending(const struct pass *s)
{
	const struct trace *t = s->t;
	uint32_t best = NO_STRAND;

	for (uint32_t i = 0; i < s->strands; i++)
		if (s->next[i] < pass_end(s, i) && (best == NO_STRAND || t->time[s->next[i]] < t->time[s->next[best]]))
			best = i;
	return best;
}

void pass_note_cut(struct logical *l, uint32_t process, event_type type, uint32_t number)
{
	l->broken++;
	notes_add(&l->notes, NOTE_BROKEN_RELATION,
		  (struct note_place){.file = -1, .process = (int32_t)process, .block = -1, .offset = -1, .event = number - 1},
		  "%s number %u waits for an event that cannot come before it", trace_kind_name(type), number);
}

void pass_cut(struct pass *s, uint32_t i)
{
	uint32_t ev = s->next[i];

	if (EVENT_KIND(s->t->type[ev]) == EVENT_COLLECTIVE)
		leave_collective(s, i);
	place_alone(s, i, ev);
	pass_wake(s, i);
}

/* Nothing is ready: cut the relation of the pending event with the smallest time, then process. */
static bool cut_one(struct pass *s)
{
	uint32_t p = pass_first_pending(s), ev;

	if (p == NO_STRAND)
		return false;
	ev = s->next[p];
	pass_note_cut(s->l, p, s->t->type[ev], trace_number_of(s->t, p, ev));
	pass_cut(s, p);
	return true;
}

/* One pass. Returns the team's code. */
static enum err_code pass_over(struct logical *l, uint32_t *lt, struct epochs *epochs, enum pass_outcome *outcome, const struct progress *progress,
			       struct err *e)
{
	const struct team *team = trace_team(l->trace);
	struct pass s;
	enum err_code code = pass_init(&s, l, lt, epochs, e);
	uint64_t report = 0;
	bool agreed = false;

	*outcome = PASS_UNDER_WAY;
	while (!code && !s.no_memory) {
		if (!s.runnable_count && s.remote) {
			code = pass_wait_for_team(&s, progress, outcome, e);
			s.fetched = s.runnable_count;
			agreed = code != ERR_OK;
			if (code || *outcome != PASS_UNDER_WAY)
				break;
		} else if (!s.runnable_count && !cut_one(&s)) {
			break;
		}
		pass_run_next(&s);
		if (s.done >= report) {
			report = s.done + 65536;
			code = progress_step(progress, PROGRESS_ORDER, s.done, s.t->event_count, e);
		}
	}
	if (!code && s.no_memory)
		code = err_memory(e, "the causal pass");
	if (!code && !s.remote && l->trace->process_count)
		l->lt_count = pass_largest(&s) + 1;
	pass_release(&s);
	return code && !agreed ? team_agree(team, code, e) : code;
}

enum err_code logical_order(struct logical *l, uint32_t *lt, const struct progress *progress, struct err *e)
{
	struct epochs epochs = {.count = 0};
	enum pass_outcome outcome = PASS_UNDER_WAY;
	enum err_code code = ERR_OK;

	if (l->trace->remote)
		code = epochs_find(&epochs, l->trace, e);
	if (!code)
		code = pass_over(l, lt, epochs.count ? &epochs : NULL, &outcome, progress, e);
	if (!code && outcome == PASS_MIXED)
		code = pass_over(l, lt, NULL, &outcome, progress, e);
	epochs_release(&epochs);
	return code;
}
