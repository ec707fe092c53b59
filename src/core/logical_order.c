#include "logical_order.h"

/* A process runs until its next event waits for one of another process; then it is parked, and the event it
 * waits for wakes it. An event has its LT once its process has passed it, so no "unset" mark is needed; until a
 * collective is passed, its lt[] holds the number of its instance. The order in which processes run does not
 * show in the result. */
struct instance {
	uint32_t missing; /* members that have not come to it yet */
	uint32_t largest; /* of the values of those that have */
};

struct pass {
	struct logical *l;
	const struct trace *t;
	uint32_t *lt;
	uint32_t *next;      /* per process: its first event without LT */
	uint32_t *value;     /* per process: the LT that a send would get now */
	uint8_t *parked;     /* per process: waits at next[] */
	uint32_t *runnable;  /* stack */
	uint32_t runnable_count;
	struct instance *instances; /* of collectives */
	uint64_t done;
};

static enum err_code pass_init(struct pass *s, struct logical *l, struct err *e)
{
	const struct trace *t = l->trace;
	uint32_t instances = 0;
	size_t cap = 0;

	*s = (struct pass){.l = l, .t = t, .lt = l->lt};
	s->next = mem_alloc(t->process_count, sizeof *s->next);
	s->value = mem_zero(t->process_count, sizeof *s->value);
	s->parked = mem_zero(t->process_count, sizeof *s->parked);
	s->runnable = mem_alloc(t->process_count, sizeof *s->runnable);
	if (!s->next || !s->value || !s->parked || !s->runnable)
		return err_memory(e, "the causal pass");
	for (uint32_t p = t->process_count; p-- > 0;) {
		s->next[p] = t->first[p];
		s->runnable[s->runnable_count++] = p;
	}
	for (uint32_t i = 0; i < t->event_count; i++)
		if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE)
			s->lt[i] = NO_EVENT;
	for (uint32_t i = 0; i < t->event_count; i++) {
		uint32_t members = 0, m = i;
		struct instance *list;

		if (EVENT_KIND(t->type[i]) != EVENT_COLLECTIVE || s->lt[i] != NO_EVENT)
			continue;
		do {
			s->lt[m] = instances;
			members++;
			m = t->match[m];
		} while (m != NO_EVENT && m != i);
		list = mem_grow(s->instances, instances, &cap, sizeof *list);
		if (!list)
			return err_memory(e, "the causal pass");
		s->instances = list;
		list[instances++] = (struct instance){.missing = members};
	}
	return ERR_OK;
}

static void pass_release(struct pass *s)
{
	mem_free(s->next);
	mem_free(s->value);
	mem_free(s->parked);
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

/* The process of a ring's next member: nearly always the next process. */
static uint32_t member_process(const struct trace *t, uint32_t event, uint32_t before)
{
	if (before + 1 < t->process_count && t->first[before + 1] <= event && event < t->first[before + 2])
		return before + 1;
	return trace_process_of(t, event);
}

/* All members have come: those that still wait at this instance get the largest value of them. */
static void place_collective(struct pass *s, uint32_t p, uint32_t ev, uint32_t largest)
{
	const struct trace *t = s->t;
	uint32_t q = p;

	if (s->l->broken) {
		/* A member may have been cut out of the instance: then its value does not count. */
		largest = s->value[p];
		for (uint32_t m = t->match[ev]; m != ev && m != NO_EVENT; m = t->match[m]) {
			q = member_process(t, m, q);
			if (s->next[q] == m && s->value[q] > largest)
				largest = s->value[q];
		}
		q = p;
	}
	for (uint32_t m = t->match[ev]; m != ev && m != NO_EVENT; m = t->match[m]) {
		q = member_process(t, m, q);
		if (s->next[q] != m)
			continue;
		s->value[q] = largest;
		place_as_send(s, q, m);
		wake(s, q);
	}
	s->value[p] = largest;
	place_as_send(s, p, ev);
}

/* Place the next event of p, or say that it has to wait. */
static bool step(struct pass *s, uint32_t p)
{
	const struct trace *t = s->t;
	uint32_t ev = s->next[p], m = t->match[ev], q;
	struct instance *instance;

	switch (EVENT_KIND(t->type[ev])) {
	case EVENT_SEND:
		place_as_send(s, p, ev);
		if (m != NO_EVENT) {
			q = trace_process_of(t, m);
			if (s->parked[q] && s->next[q] == m)
				wake(s, q);
		}
		return true;
	case EVENT_RECEIVE:
		if (m == NO_EVENT) {
			place_alone(s, p, ev);
			return true;
		}
		if (s->next[trace_process_of(t, m)] <= m)
			return false;
		place_receive(s, p, ev, s->lt[m] + 1);
		return true;
	default:
		instance = &s->instances[s->lt[ev]];
		if (s->value[p] > instance->largest)
			instance->largest = s->value[p];
		if (--instance->missing)
			return false;
		place_collective(s, p, ev, instance->largest);
		return true;
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
	place_alone(s, best, ev);
	wake(s, best);
	return true;
}

enum err_code logical_order(struct logical *l, const struct job *job, struct err *e)
{
	struct pass s;
	enum err_code code = pass_init(&s, l, e);
	uint64_t report = 0;

	while (code == ERR_OK && (s.runnable_count || cut_one(&s))) {
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
	pass_release(&s);
	return code;
}
