#include "logical_order.h"

#include "core/base/parallel.h"

/* A process runs until its next event waits for one of another process; then it is parked, and the event it
 * waits for wakes it. An event has its LT once its process has passed it, so no "unset" mark is needed; until a
 * collective is passed, its lt[] holds the number of its instance (NO_EVENT: not numbered yet). The order in which processes run does not
 * show in the result. */
/* An instance of a collective: who has come to it and waits. */
struct instance {
	uint32_t missing; /* members that have not come to it yet */
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
	if (!s->link || !s->next || !s->value || !s->parked || !s->runnable)
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

/* Process p comes to a collective: it waits, or it is the last and all of them get the largest value. */
static bool come_to_collective(struct pass *s, uint32_t p, uint32_t ev)
{
	struct instance *x = instance_of(s, ev);

	if (!x)
		return false;
	if (s->value[p] > x->largest)
		x->largest = s->value[p];
	if (--x->missing) {
		s->link[p] = x->waiting;
		x->waiting = p;
		return false;
	}
	for (uint32_t q = x->waiting; q != NO_PROCESS; q = s->link[q]) {
		s->value[q] = x->largest;
		place_as_send(s, q, s->next[q]);
		wake(s, q);
	}
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

/* Place the events of p until one has to wait. */
static void run(struct pass *s, uint32_t p)
{
	const struct trace *t = s->t;
	uint32_t begin = s->next[p], ev = begin, end = t->first[p + 1], value = s->value[p], collectives = 0;
	bool waits = false;

	for (; ev < end && !waits; ev += !waits) {
		uint32_t m = t->match[ev];

		switch (EVENT_KIND(t->type[ev])) {
		case EVENT_SEND:
			s->lt[ev] = value++;
			if (m != NO_EVENT)
				tell_receiver(s, ev, m);
			break;
		case EVENT_RECEIVE:
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

/* Nothing is ready: cut the relation of the pending event with the smallest time, then process. */
static bool cut_one(struct pass *s)
{
	const struct trace *t = s->t;
	uint32_t best = NO_PROCESS, ev;

	for (uint32_t p = 0; p < t->process_count; p++)
		if (s->next[p] < t->first[p + 1] &&
		    (best == NO_PROCESS || t->time[s->next[p]] < t->time[s->next[best]]))
			best = p;
	if (best == NO_PROCESS)
		return false;
	ev = s->next[best];
	s->l->broken++;
	notes_add(&s->l->notes, NOTE_BROKEN_RELATION,
		  (struct note_place){.file = -1, .process = (int32_t)best, .block = -1, .offset = -1, .event = ev - t->first[best]},
		  "%s number %u waits for an event that cannot come before it", trace_kind_name(t->type[ev]),
		  trace_number_of(t, best, ev));
	if (EVENT_KIND(t->type[ev]) == EVENT_COLLECTIVE)
		leave_collective(s, best);
	place_alone(s, best, ev);
	wake(s, best);
	return true;
}

enum err_code logical_order(struct logical *l, uint32_t *lt, const struct job *job, struct err *e)
{
	struct pass s;
	enum err_code code = pass_init(&s, l, lt, e);
	uint64_t report = 0;

	while (code == ERR_OK && !s.no_memory && (s.runnable_count || cut_one(&s))) {
		uint32_t p = s.runnable[--s.runnable_count];

		run(&s, p);
		if (s.done >= report) {
			report = s.done + 65536;
			job_progress(job, JOB_ORDER, s.done, s.t->event_count);
			if (job_stopped(job))
				code = err_set(e, ERR_CANCELLED, "stopped while ordering events");
		}
	}
	if (s.no_memory)
		code = err_memory(e, "the causal pass");
	for (uint32_t p = 0; code == ERR_OK && p < s.t->process_count; p++)
		if (s.value[p] >= l->lt_count)
			l->lt_count = s.value[p] + 1;
	pass_release(&s);
	return code;
}
