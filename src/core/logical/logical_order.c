#include "logical_order.h"

#include "core/base/parallel.h"
#include "logical_far.h"

/* A process runs until its next event waits for one of another process; then it is parked, and the event it
 * waits for wakes it. An event has its LT once its process has passed it, so no "unset" mark is needed; until a
 * collective is passed, its lt[] holds the number of its instance (NO_EVENT: not numbered yet). The order in which processes run does not
 * show in the result.
 *
 * Of a trace whose other events are on other ranks the pass runs over its own processes; what waits for another rank's is woken by what comes
 * from there (logical_far.h). */

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
};

static enum err_code pass_init(struct pass *s, struct logical *l, uint32_t *lt, struct err *e)
{
	const struct trace *t = l->trace;

	*s = (struct pass){.l = l, .t = t, .lt = lt};
	s->next = mem_alloc(t->process_count, sizeof *s->next);
	s->value = mem_zero(t->process_count, sizeof *s->value);
	s->parked = mem_zero(t->process_count, sizeof *s->parked);
	s->link = mem_alloc(t->process_count, sizeof *s->link);
	s->runnable = mem_alloc(t->process_count, sizeof *s->runnable);
	s->far = t->far ? logical_far_new(t) : NULL;
	s->state_done = UINT64_MAX;
	if (!s->link || !s->next || !s->value || !s->parked || !s->runnable || (t->far && !s->far))
		return err_memory(e, "the causal pass");
	for (uint32_t p = t->process_count; p-- > 0;) {
		s->next[p] = t->first[p];
		s->runnable[s->runnable_count++] = p;
	}
	parallel_set(s->lt, 0xff, (size_t)t->event_count * sizeof *s->lt, t->threads);
	return ERR_OK;
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

/* All members here have come to it; false: there are no others. */
static bool wait_for_others(struct pass *s, uint32_t ev, const struct instance *x)
{
	const struct far_instance *far = elsewhere(s->t, ev);

	if (far)
		logical_far_come(s->far, far, (uint32_t)(x - s->instances), x->largest);
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
	if (--x->missing || (s->far && wait_for_others(s, ev, x))) {
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

/* Place the events of p until one has to wait. far: matches may be. */
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
				logical_far_tell(s->far, m, s->lt[ev]);
			else if (m != NO_EVENT)
				tell_receiver(s, ev, m);
			break;
		case EVENT_RECEIVE:
			if (far && is_far(m)) {
				uint32_t sent = logical_far_lt(s->far, m);

				waits = sent == NO_EVENT;
				if (!waits)
					value = place_received(s, ev, sent + 1, value);
				break;
			}
			/* What has no LT was not passed: a send's holds nothing else. */
			waits = m != NO_EVENT && s->lt[m] == NO_EVENT;
			if (!waits)
				value = place_received(s, ev, m == NO_EVENT ? value : s->lt[m] + 1, value);
			break;
		default:
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
static const struct far_state *own_state(struct pass *s)
{
	uint32_t p;

	if (s->state_done == s->done)
		return &s->state;
	s->state_done = s->done;
	p = first_pending(s);
	s->state = (struct far_state){.process = p, .largest = largest_value(s)};
	if (p != NO_PROCESS) {
		s->state.time = s->t->time[s->next[p]];
		s->state.type = s->t->type[s->next[p]];
		s->state.number = trace_number_of(s->t, p, s->next[p]);
	}
	return &s->state;
}

/* Nothing here is ready: meet the other ranks until something is. *done: all have passed all events. Returns the team's code. */
static enum err_code wait_for_team(struct pass *s, const struct job *job, bool *done, struct err *e)
{
	const struct team *team = trace_team(s->t);
	enum err_code code = ERR_OK;

	take_news(s);
	while (!s->runnable_count && !*done) {
		struct far_state all;
		bool still;

		if (logical_far_failed(s->far))
			return team_agree(team, err_memory(e, "the causal pass"), e);
		if (job_stopped(job))
			return team_agree(team, err_set(e, ERR_CANCELLED, "stopped while ordering events"), e);
		code = logical_far_meet(s->far, logical_far_quiet(s->far) ? own_state(s) : &s->state, &all, &still, e);
		if (code)
			return code;
		take_news(s);
		if (!still)
			continue;
		*done = all.process == NO_PROCESS;
		if (*done) {
			s->l->lt_count = all.largest + 1;
			continue;
		}
		note_cut(s->l, all.process, all.type, all.number);
		if (all.process == s->state.process)
			cut(s, all.process);
	}
	return ERR_OK;
}

enum err_code logical_order(struct logical *l, uint32_t *lt, const struct job *job, struct err *e)
{
	const struct team *team = trace_team(l->trace);
	struct pass s;
	enum err_code code = pass_init(&s, l, lt, e);
	uint64_t report = 0;
	bool done = false, agreed = false;

	while (!code && !s.no_memory) {
		if (!s.runnable_count && s.far) {
			code = wait_for_team(&s, job, &done, e);
			agreed = code != ERR_OK;
			if (done || code)
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
