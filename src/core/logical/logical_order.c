#include "logical_order.h"

#include "core/base/parallel.h"
#include "epochs.h"
#include "logical_far.h"

/* A process runs until its next event waits for one of another process; then it is parked, and the event it
 * waits for wakes it. An event has its LT once its process has passed it, so no "unset" mark is needed; until a
 * collective is passed, its lt[] holds the number of its instance (NO_EVENT: not numbered yet). The order in which processes run does not
 * show in the result.
 *
 * Of a trace whose other events are on other ranks the pass runs over its own processes; what waits for another rank's is woken by what comes
 * from there (logical_far.h). Where such a trace has epochs, LTs count from their epoch's beginning until all are known. */

/* An instance of a collective: who has come to it and waits. */
struct instance {
	uint32_t missing; /* members here that have not come to it yet */
	uint32_t largest; /* of the values of those that wait */
	uint32_t waiting; /* the last process that came, NO_PROCESS: none; the others by link[] */
};

struct pass {
	struct logical *l;
	const struct trace *t;
	uint32_t *lt;
	uint32_t *next;      /* per process: its first event without LT */
	uint32_t *value;     /* per process: the LT that a send would get now */
	uint8_t *parked;     /* per process: waits at next[] */
	uint32_t *link;      /* per process: the one that came before it to the collective where both wait */
	uint32_t *runnable;  /* stack */
	uint32_t runnable_count;
	struct instance *instances; /* of collectives */
	uint32_t instance_count;
	size_t instance_cap;
	bool no_memory;
	uint64_t done;
	struct logical_far *far; /* NULL: the trace is whole */
	struct far_state state;  /* of this rank, when so many were done: */
	uint64_t state_done;
	struct epochs *epochs;   /* NULL: there is one */
	uint32_t *epoch;         /* per process: where its next event is */
	bool mixed;              /* something here is of several epochs that must not be */
	bool crossed;            /* a message here is received in a later epoch than it was sent in */
};

/* What lt[] holds until the epochs are joined, of a collective that ends one, and in `pas2p` order of a receive whose send is in an earlier
 * one. */
#define LT_ENDS (NO_EVENT - 1)
#define LT_CROSSED (NO_EVENT - 2)

static enum err_code pass_init(struct pass *s, struct logical *l, uint32_t *lt, struct epochs *epochs, struct err *e)
{
	const struct trace *t = l->trace;

	*s = (struct pass){.l = l, .t = t, .lt = lt, .epochs = epochs};
	s->next = mem_alloc(t->process_count, sizeof *s->next);
	s->value = mem_zero(t->process_count, sizeof *s->value);
	s->parked = mem_zero(t->process_count, sizeof *s->parked);
	s->link = mem_alloc(t->process_count, sizeof *s->link);
	s->runnable = mem_alloc(t->process_count, sizeof *s->runnable);
	s->far = t->far ? logical_far_new(t) : NULL;
	s->epoch = t->far ? mem_zero(t->process_count, sizeof *s->epoch) : NULL;
	s->state_done = UINT64_MAX;
	if (!s->link || !s->next || !s->value || !s->parked || !s->runnable || (t->far && !(s->far && s->epoch)))
		return err_memory(e, "the causal pass");
	for (uint32_t p = t->process_count; p-- > 0;) {
		s->next[p] = t->first[p];
		s->runnable[s->runnable_count++] = p;
	}
	parallel_set(s->lt, 0xff, (size_t)t->event_count * sizeof *s->lt, t->threads);
	return ERR_OK;
}

/* The members here of an instance must be in one epoch. */
static void check_epoch(struct pass *s, uint32_t p, uint32_t ev)
{
	for (uint32_t m = s->t->match[ev]; m != NO_EVENT && m != ev; m = s->t->match[m])
		if (epochs_of(s->epochs, trace_process_of(s->t, m), m, UINT32_MAX) != s->epoch[p])
			s->mixed = true;
}

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
	list[s->instance_count] = (struct instance){.missing = members, .waiting = NO_PROCESS};
	return &list[s->instance_count++];
}

static void pass_release(struct pass *s)
{
	mem_free(s->next);
	mem_free(s->value);
	mem_free(s->parked);
	mem_free(s->link);
	mem_free(s->runnable);
	mem_free(s->instances);
	mem_free(s->epoch);
	logical_far_free(s->far);
}

static void wake(struct pass *s, uint32_t p)
{
	s->parked[p] = 0;
	s->runnable[s->runnable_count++] = p;
}

/* Give an event that is a send, or stands like one, its LT. */
static void place_as_send(struct pass *s, uint32_t p, uint32_t ev)
{
	s->lt[ev] = s->value[p]++;
	s->next[p] = ev + 1;
	s->done++;
}

/* A receive of process p that comes when p's next send would get `value`; returns what that would get afterwards. */
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
static void place_alone(struct pass *s, uint32_t p, uint32_t ev)
{
	if (EVENT_KIND(s->t->type[ev]) != EVENT_RECEIVE) {
		place_as_send(s, p, ev);
		return;
	}
	s->value[p] = place_received(s, ev, s->value[p], s->value[p]);
	s->next[p] = ev + 1;
	s->done++;
}

/* All have come to a collective: those that wait get the largest value. */
static inline void release_waiting(struct pass *s, const struct instance *x)
{
	for (uint32_t q = x->waiting; q != NO_PROCESS; q = s->link[q]) {
		s->value[q] = x->largest;
		place_as_send(s, q, s->next[q]);
		wake(s, q);
	}
}

/* An instance that has members on other ranks, by one that it has here; NULL: it has none elsewhere. */
static const struct far_instance *elsewhere(const struct trace *t, uint32_t ev)
{
	uint32_t first = ev;

	for (uint32_t m = t->match[ev]; m != NO_EVENT && m != ev; m = t->match[m])
		first = m < first ? m : first;
	return far_instance(t, first);
}

/* All members here have come to it, p as the last; false: there are no others. */
static bool wait_for_others(struct pass *s, uint32_t p, uint32_t ev, const struct instance *x)
{
	const struct far_instance *far = elsewhere(s->t, ev);

	if (s->epochs)
		check_epoch(s, p, ev);
	if (far)
		logical_far_come(s->far, far, (uint32_t)(x - s->instances), x->largest, s->epoch[p]);
	return far != NULL;
}

/* Process p comes to a collective: it waits, or it is the last and all of them get the largest value. */
static bool come_to_collective(struct pass *s, uint32_t p, uint32_t ev)
{
	struct instance *x = instance_of(s, ev);

	if (!x)
		return false;
	if (s->value[p] > x->largest)
		x->largest = s->value[p];
	if (--x->missing || (s->far && wait_for_others(s, p, ev, x))) {
		s->link[p] = x->waiting;
		x->waiting = p;
		return false;
	}
	release_waiting(s, x);
	s->value[p] = x->largest;
	place_as_send(s, p, ev);
	return true;
}

/* Process p waits no longer at the collective that is its next event. */
static void leave_collective(struct pass *s, uint32_t p)
{
	struct instance *x = &s->instances[s->lt[s->next[p]]];
	uint32_t *at = &x->waiting;

	x->largest = 0;
	while (*at != NO_PROCESS) {
		if (*at == p) {
			*at = s->link[p];
			continue;
		}
		if (s->value[*at] > x->largest)
			x->largest = s->value[*at];
		at = &s->link[*at];
	}
	if (s->far && !x->missing) /* only others are */
		logical_far_leave(s->far, elsewhere(s->t, s->next[p]), x->largest);
}

/* The process at the other end of a message, which its type names. */
static uint32_t partner(const struct trace *t, uint32_t ev, uint32_t match)
{
	uint32_t q = EVENT_INDEX(t->type[ev]) - 1;

	return q < t->process_count && match - t->first[q] < t->first[q + 1] - t->first[q] ? q : trace_process_of(t, match);
}

/* The process at the other end of a send may wait for it. */
static inline void tell_receiver(struct pass *s, uint32_t ev, uint32_t match)
{
	uint32_t q = partner(s->t, ev, match);

	if (s->parked[q] && s->next[q] == match)
		wake(s, q);
}

/* --- what only the pass over a part meets --- */

/* A receive of process p whose send, with that LT, is in that epoch. Returns what p's next send would get, if that was `value`. */
static uint32_t place_of_epoch(struct pass *s, uint32_t p, uint32_t ev, uint32_t lt, uint32_t epoch, uint32_t value)
{
	if (epoch == s->epoch[p])
		return place_received(s, ev, lt + 1, value);
	if (epoch > s->epoch[p])
		s->mixed = true;
	/* In `lamport` order it takes what a send would get, which is larger than its send's. */
	value = place_received(s, ev, value, value);
	if (s->l->order == ORDER_PAS2P) {
		s->lt[ev] = LT_CROSSED;
		s->crossed = true;
	}
	return value;
}

/* False: it waits for its send. */
static inline bool receive_in_part(struct pass *s, uint32_t p, uint32_t ev, uint32_t m, uint32_t *value)
{
	uint32_t lt = is_far(m) ? logical_far_lt(s->far, m) : s->lt[m], epoch = 0;

	if (lt == NO_EVENT)
		return false;
	if (is_far(m)) {
		epoch = logical_far_epoch(s->far, m);
	} else if (s->epochs) {
		uint32_t q = partner(s->t, s->t->match[m], m);

		epoch = epochs_of(s->epochs, q, m, s->epoch[q]);
	}
	*value = place_of_epoch(s, p, ev, lt, epoch, *value);
	return true;
}

/* Process p comes to a collective: does that end an epoch? Then it goes on. */
static bool end_epoch(struct pass *s, uint32_t p, uint32_t ev, uint32_t *value)
{
	if (!s->epochs || !epochs_ends(s->epochs, p, s->epoch[p], ev))
		return false;
	epochs_end(s->epochs, s->epoch[p]++, *value);
	s->lt[ev] = LT_ENDS;
	*value = 0;
	return true;
}

/* Place the events of p until one has to wait. far: it is a part of a trace. */
static inline __attribute__((always_inline)) void run_as(struct pass *s, uint32_t p, bool far)
{
	const struct trace *t = s->t;
	uint32_t begin = s->next[p], ev = begin, end = t->first[p + 1], value = s->value[p], collectives = 0;
	bool waits = false;

	for (; ev < end && !waits; ev += !waits) {
		uint32_t m = t->match[ev];

		switch (EVENT_KIND(t->type[ev])) {
		case EVENT_SEND:
			s->lt[ev] = value++;
			if (far && is_far(m))
				logical_far_tell(s->far, m, s->lt[ev], s->epoch[p]);
			else if (m != NO_EVENT)
				tell_receiver(s, ev, m);
			break;
		case EVENT_RECEIVE:
			if (far && m != NO_EVENT) {
				waits = !receive_in_part(s, p, ev, m, &value);
				break;
			}
			/* What has no LT was not passed: a send's holds nothing else. */
			waits = m != NO_EVENT && s->lt[m] == NO_EVENT;
			if (!waits)
				value = place_received(s, ev, m == NO_EVENT ? value : s->lt[m] + 1, value);
			break;
		default:
			if (far && end_epoch(s, p, ev, &value))
				break;
			s->next[p] = ev;
			s->value[p] = value;
			waits = !come_to_collective(s, p, ev);
			value = s->value[p];
			collectives += !waits;
		}
	}
	s->next[p] = ev;
	s->value[p] = value;
	s->parked[p] = waits;
	s->done += ev - begin - collectives;
}

/* On its own: what a whole trace takes stays as it is. */
static __attribute__((noinline)) void run_part(struct pass *s, uint32_t p)
{
	run_as(s, p, true);
}

static void run(struct pass *s, uint32_t p)
{
	if (s->far)
		run_part(s, p);
	else
		run_as(s, p, false);
}

/* The process whose next event has the smallest time; NO_PROCESS: all have passed theirs. */
static uint32_t first_pending(const struct pass *s)
{
	const struct trace *t = s->t;
	uint32_t best = NO_PROCESS;

	for (uint32_t p = 0; p < t->process_count; p++)
		if (s->next[p] < t->first[p + 1] &&
		    (best == NO_PROCESS || t->time[s->next[p]] < t->time[s->next[best]]))
			best = p;
	return best;
}

static void note_cut(struct logical *l, uint32_t process, event_type type, uint32_t number)
{
	l->broken++;
	notes_add(&l->notes, NOTE_BROKEN_RELATION,
		  (struct note_place){.file = -1, .process = (int32_t)process, .block = -1, .offset = -1, .event = number - 1},
		  "%s number %u waits for an event that cannot come before it", trace_kind_name(type), number);
}

/* Process p goes on without the relation of its next event. */
static void cut(struct pass *s, uint32_t p)
{
	uint32_t ev = s->next[p];

	if (EVENT_KIND(s->t->type[ev]) == EVENT_COLLECTIVE)
		leave_collective(s, p);
	place_alone(s, p, ev);
	wake(s, p);
}

/* Nothing is ready: cut the relation of the pending event with the smallest time, then process. */
static bool cut_one(struct pass *s)
{
	uint32_t p = first_pending(s), ev;

	if (p == NO_PROCESS)
		return false;
	ev = s->next[p];
	note_cut(s->l, p, s->t->type[ev], trace_number_of(s->t, p, ev));
	cut(s, p);
	return true;
}

static uint32_t largest_value(const struct pass *s)
{
	uint32_t largest = 0;

	for (uint32_t p = 0; p < s->t->process_count; p++)
		if (s->value[p] > largest)
			largest = s->value[p];
	return largest;
}

/* --- over a team --- */

static void take_news(struct pass *s)
{
	struct far_news news;

	while (logical_far_news(s->far, &news)) {
		if (news.event == NO_EVENT) {
			s->instances[news.instance].largest = news.lt;
			release_waiting(s, &s->instances[news.instance]);
		} else {
			uint32_t p = trace_process_of(s->t, news.event);

			if (s->parked[p] && s->next[p] == news.event)
				wake(s, p);
		}
	}
}

/* Where this rank stands; as it was, if nothing has been done since. */
static void bring_up_to_date(struct pass *s)
{
	uint32_t p;

	if (s->state_done == s->done)
		return;
	s->state_done = s->done;
	p = first_pending(s);
	s->state = (struct far_state){.process = p, .largest = largest_value(s)};
	if (p != NO_PROCESS) {
		s->state.time = s->t->time[s->next[p]];
		s->state.type = s->t->type[s->next[p]];
		s->state.number = trace_number_of(s->t, p, s->next[p]);
	}
}

/* All have passed all events: LTs of an epoch move behind those of the one before. Returns the team's code. */
static enum err_code join_epochs(struct pass *s, struct err *e)
{
	const struct trace *t = s->t;
	const struct epochs *x = s->epochs;
	enum err_code code = epochs_join(s->epochs, e);

	if (code)
		return code;
	s->l->lt_count += x->base[x->count];
	for (uint32_t p = x->own; p < x->own + x->width; p++)
		for (uint32_t ev = t->first[p], k = 0; ev < t->first[p + 1]; ev++) {
			if (s->lt[ev] == LT_ENDS)
				s->lt[ev] = x->base[++k] - 1;
			else if (s->lt[ev] != LT_CROSSED)
				s->lt[ev] += x->base[k];
		}
	for (uint32_t ev = 0; s->crossed && ev < t->event_count; ev++) {
		uint32_t m = t->match[ev];

		if (s->lt[ev] == LT_CROSSED)
			s->lt[ev] = (is_far(m) ? x->base[logical_far_epoch(s->far, m)] + logical_far_lt(s->far, m) : s->lt[m]) + 1;
	}
	return ERR_OK;
}

enum outcome { UNDER_WAY, DONE, MIXED };

/* Nothing goes on anywhere. Returns the team's code. */
static enum err_code stand_still(struct pass *s, const struct far_state *all, enum outcome *outcome, struct err *e)
{
	if (all->process == NO_PROCESS) {
		*outcome = DONE;
		s->l->lt_count = all->largest + 1;
		return s->epochs ? join_epochs(s, e) : ERR_OK;
	}
	if (s->epochs) { /* a cycle: who is cut may be of any epoch */
		*outcome = MIXED;
		return ERR_OK;
	}
	note_cut(s->l, all->process, all->type, all->number);
	if (all->process == s->state.process)
		cut(s, all->process);
	return ERR_OK;
}

/* Nothing here is ready: meet the other ranks until something is, or all have passed all events. Returns the team's code. */
static enum err_code wait_for_team(struct pass *s, const struct job *job, enum outcome *outcome, struct err *e)
{
	const struct team *team = trace_team(s->t);
	enum err_code code = ERR_OK;

	take_news(s);
	while (!s->runnable_count && *outcome == UNDER_WAY) {
		struct far_state all;
		bool still;

		if (logical_far_failed(s->far))
			return team_agree(team, err_memory(e, "the causal pass"), e);
		if (job_stopped(job))
			return team_agree(team, err_set(e, ERR_CANCELLED, "stopped while ordering events"), e);
		if (logical_far_quiet(s->far))
			bring_up_to_date(s);
		s->state.mixed = s->mixed;
		code = logical_far_meet(s->far, &s->state, &all, &still, e);
		if (code)
			return code;
		take_news(s);
		if (all.mixed)
			*outcome = MIXED;
		else if (still)
			code = stand_still(s, &all, outcome, e);
		if (code)
			return code;
	}
	return ERR_OK;
}

/* One pass; *outcome MIXED: the epochs are none. Returns the team's code. */
static enum err_code pass_over(struct logical *l, uint32_t *lt, struct epochs *epochs, enum outcome *outcome, const struct job *job,
			       struct err *e)
{
	const struct team *team = trace_team(l->trace);
	struct pass s;
	enum err_code code = pass_init(&s, l, lt, epochs, e);
	uint64_t report = 0;
	bool agreed = false;

	*outcome = UNDER_WAY;
	while (!code && !s.no_memory) {
		if (!s.runnable_count && s.far) {
			code = wait_for_team(&s, job, outcome, e);
			agreed = code != ERR_OK;
			if (code || *outcome != UNDER_WAY)
				break;
		} else if (!s.runnable_count && !cut_one(&s)) {
			break;
		}
		run(&s, s.runnable[--s.runnable_count]);
		if (s.done >= report) {
			report = s.done + 65536;
			job_progress(job, JOB_ORDER, s.done, s.t->event_count);
			if (job_stopped(job))
				code = err_set(e, ERR_CANCELLED, "stopped while ordering events");
		}
	}
	if (!code && s.no_memory)
		code = err_memory(e, "the causal pass");
	if (!code && !s.far && l->trace->process_count)
		l->lt_count = largest_value(&s) + 1;
	pass_release(&s);
	return code && !agreed ? team_agree(team, code, e) : code;
}

enum err_code logical_order(struct logical *l, uint32_t *lt, const struct job *job, struct err *e)
{
	struct epochs epochs = {.count = 0};
	enum outcome outcome = UNDER_WAY;
	enum err_code code = ERR_OK;

	if (l->trace->far)
		code = epochs_find(&epochs, l->trace, e);
	if (!code)
		code = pass_over(l, lt, epochs.count ? &epochs : NULL, &outcome, job, e);
	if (!code && outcome == MIXED)
		code = pass_over(l, lt, NULL, &outcome, job, e);
	epochs_release(&epochs);
	return code;
}
