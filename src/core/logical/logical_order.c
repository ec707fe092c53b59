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

static void place_receive(struct pass *s, uint32_t p, uint32_t ev, uint32_t lt)
{
	if (s->l->order == ORDER_LAMPORT) {
		lt = lt > s->value[p] ? lt : s->value[p];
		s->value[p] = lt + 1;
	} else if (lt > s->value[p]) {
		s->value[p] = lt;
	}
	s->lt[ev] = lt;
	s->next[p] = ev + 1;
	s->done++;
}

/* A receive without a send takes what a send would get; in `pas2p` order it does not push what follows. */
static void place_alone(struct pass *s, uint32_t p, uint32_t ev)
{
	if (EVENT_KIND(s->t->type[ev]) == EVENT_RECEIVE)
		place_receive(s, p, ev, s->value[p]);
	else
		place_as_send(s, p, ev);
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

/* Place the next event of p, or say that it has to wait. */
static bool step(struct pass *s, uint32_t p)
{
	const struct trace *t = s->t;
	uint32_t ev = s->next[p], m = t->match[ev], q;

	switch (EVENT_KIND(t->type[ev])) {
	case EVENT_SEND:
		place_as_send(s, p, ev);
		if (m != NO_EVENT) {
			q = partner(t, ev, m);
			if (s->parked[q] && s->next[q] == m)
				wake(s, q);
		}
		return true;
	case EVENT_RECEIVE:
		if (m == NO_EVENT) {
			place_alone(s, p, ev);
			return true;
		}
		if (s->next[partner(t, ev, m)] <= m)
			return false;
		place_receive(s, p, ev, s->lt[m] + 1);
		return true;
	default:
		return come_to_collective(s, p, ev);
	}
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
		  (struct note_place){.file = -1, .process = (int32_t)best, .block = -1, .offset = -1, .event = ev},
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

		while (s.next[p] < s.t->first[p + 1])
			if (!step(&s, p)) {
				s.parked[p] = 1;
				break;
			}
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
