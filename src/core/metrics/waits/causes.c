/* The sweep visits the boundaries of all lists in order of time. Between two boundaries the trees and the activities of
 * their roots do not change. */
#include "waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "instances.h"

#define NO_LIST UINT32_MAX
#define ASK_EVERY 8192

enum doing { NOT_YET, COMPUTES, WAITS, IN_CALL, OVER };

struct swept {
	enum doing doing;
	uint32_t call;       /* the one that it computes before, or is in */
	uint32_t parent;     /* the list that it waits for; NO_LIST: it is a root */
	uint32_t back_to;    /* a root that waits for one in its own tree: which; NO_LIST: an honest root */
	uint32_t weight;     /* account lists that wait in its tree */
	uint32_t span, piece; /* where it was charged last */
	double since;        /* charged up to here, if a root */
	double next;         /* its next boundary */
	struct cause open;   /* charged, not yet told */
};

struct cause_sweep {
	const struct waits *w;
	const struct call_log *log;
	const struct phase_spans *spans;
	struct instances instances;
	struct swept *lists;
	uint32_t *heap;      /* lists with a boundary to come, the earliest first */
	uint32_t heap_count;
	struct causes *c;
	size_t room;
	bool no_memory;
};

/* --- what was charged --- */

ORDER_BY(compare_causes, struct cause, UP(process) UP(node) UP(phase))

/* One entry for each place. */
static void merge(struct causes *c)
{
	uint32_t n = 0;

	SORT(c->list, c->count, compare_causes);
	for (uint32_t i = 0; i < c->count; i++) {
		if (n && !compare_causes(&c->list[n - 1], &c->list[i])) {
			c->list[n - 1].useful += c->list[i].useful;
			c->list[n - 1].in_calls += c->list[i].in_calls;
		} else {
			c->list[n++] = c->list[i];
		}
	}
	c->count = n;
}

static void sweep_tell_cause(struct cause_sweep *s, struct cause *open)
{
	struct cause *grown;

	if (!(open->useful + open->in_calls > 0))
		return;
	if (s->c->count == s->room) {
		merge(s->c);
		if (s->c->count >= s->room / 2) {
			grown = mem_grow(s->c->list, s->room, &s->room, sizeof *grown);
			if (!grown) {
				s->no_memory = true;
				return;
			}
			s->c->list = grown;
		}
	}
	s->c->list[s->c->count++] = *open;
	open->useful = open->in_calls = 0;
}

/* --- trees --- */

static uint32_t root_of(const struct cause_sweep *s, uint32_t list)
{
	while (s->lists[list].parent != NO_LIST)
		list = s->lists[list].parent;
	return list;
}

static void charge_node(struct cause_sweep *s, uint32_t list, uint32_t node, uint32_t phase, double seconds)
{
	struct swept *x = &s->lists[list];
	struct cause here = {s->log->lists[list].process, node, phase, 0, 0};

	if (!(seconds > 0))
		return;
	if (compare_causes(&x->open, &here)) {
		sweep_tell_cause(s, &x->open);
		x->open = here;
	}
	if (x->doing == IN_CALL && s->log->nodes[node].time != ACCOUNT_TRACER)
		x->open.in_calls += seconds;
	else
		x->open.useful += seconds;
}

/* A stretch of one phase: in the call that it is in, or in the states that it computes in, one after the other. */
static void charge_part(struct cause_sweep *s, uint32_t list, uint32_t phase, double from, double to)
{
	const struct call_log *log = s->log;
	const struct call_list *l = &log->lists[list];
	struct swept *x = &s->lists[list];
	uint32_t node;

	if (x->doing == IN_CALL) {
		charge_node(s, list, log->calls[x->call].node, phase, x->weight * (to - from));
		return;
	}
	for (; x->piece < l->end_piece && log->pieces[x->piece].call <= x->call; x->piece++) {
		const struct useful_piece *piece = &log->pieces[x->piece];

		if (piece->call < x->call || piece->until <= from)
			continue;
		charge_node(s, list, piece->node, phase, x->weight * (fmin(piece->until, to) - from));
		if (piece->until >= to)
			return;
		from = piece->until;
	}
	node = x->call < l->end ? log->nodes[log->calls[x->call].node].parent : l->last_node;
	charge_node(s, list, node, phase, x->weight * (to - from));
}

/* What the root did since it was charged last, up to t. */
static void charge(struct cause_sweep *s, uint32_t root, double t)
{
	struct swept *x = &s->lists[root];
	uint32_t process = s->log->lists[root].process;
	double from = x->since;

	if (!(t > from))
		return;
	x->since = t;
	if (!x->weight)
		return;
	if (x->back_to != NO_LIST || x->doing == NOT_YET || x->doing == OVER || x->doing == WAITS) {
		s->c->unresolved += x->weight * (t - from);
		return;
	}
	if (!s->spans) {
		charge_part(s, root, SPAN_BEFORE, from, t);
		return;
	}
	while (from < t) {
		uint32_t end = s->spans->first[process + 1];
		double to = t;

		while (x->span + 1 < end && s->spans->spans[x->span + 1].from <= from)
			x->span++;
		if (x->span + 1 < end && s->spans->spans[x->span + 1].from < to)
			to = s->spans->spans[x->span + 1].from;
		charge_part(s, root, s->spans->spans[x->span].phase, from, to);
		from = to;
	}
}

/* `list`, a root, waits for `other` from t on. */
static void sweep_hang_root(struct cause_sweep *s, uint32_t list, uint32_t other, double t)
{
	struct swept *x = &s->lists[list];
	uint32_t root = root_of(s, other);

	if (root == list) {
		x->back_to = other;
		return;
	}
	charge(s, root, t);
	x->back_to = NO_LIST;
	x->parent = other;
	for (uint32_t above = other; above != NO_LIST; above = s->lists[above].parent)
		s->lists[above].weight += x->weight;
}

static void start_waiting(struct cause_sweep *s, uint32_t list, double t)
{
	struct swept *x = &s->lists[list];
	uint32_t other = waits_for_among(s->w, &s->instances, x->call);

	charge(s, list, t);
	x->doing = WAITS;
	x->weight += s->log->lists[list].account;
	if (other != NO_LOGGED_CALL)
		sweep_hang_root(s, list, call_log_list_of(s->log, other), t);
}

static void stop_waiting(struct cause_sweep *s, uint32_t list, double t)
{
	struct swept *x = &s->lists[list];
	uint32_t root = root_of(s, list);

	charge(s, root, t);
	for (uint32_t above = x->parent; above != NO_LIST; above = s->lists[above].parent)
		s->lists[above].weight -= x->weight;
	x->parent = x->back_to = NO_LIST;
	x->weight -= s->log->lists[list].account;
	x->since = t;
	/* That may have opened the circle that the root was held in. */
	if (root != list && s->lists[root].back_to != NO_LIST)
		sweep_hang_root(s, root, s->lists[root].back_to, t);
}

/* --- time --- */

static double wait_end(const struct cause_sweep *s, uint32_t call)
{
	return fmin(s->log->calls[call].start + s->w->sync[call], s->log->calls[call].end);
}

/* What comes at the list's boundary; and when the one behind it is. False: none is. */
static bool sweep_step_list(struct cause_sweep *s, uint32_t list)
{
	const struct call_list *l = &s->log->lists[list];
	struct swept *x = &s->lists[list];
	const struct logged_call *c = &s->log->calls[x->call];
	double t = x->next;

	if (x->doing == WAITS)
		stop_waiting(s, list, t);
	else if (x->parent == NO_LIST)
		charge(s, list, t);
	switch (x->doing) {
	case NOT_YET:
		x->doing = COMPUTES;
		break;
	case COMPUTES:
		if (x->call == l->end) {
			x->doing = OVER;
			return false;
		}
		if (s->w->sync[x->call] > 0) {
			start_waiting(s, list, t);
			x->next = wait_end(s, x->call);
			return true;
		}
		x->doing = IN_CALL;
		x->next = c->end;
		return true;
	case WAITS:
		x->doing = IN_CALL;
		x->next = c->end;
		return true;
	default:
		x->doing = COMPUTES;
		x->call++;
		break;
	}
	x->next = x->call < l->end ? s->log->calls[x->call].start : l->stop;
	return true;
}

static bool earlier(const struct cause_sweep *s, uint32_t a, uint32_t b)
{
	double x = s->lists[a].next, y = s->lists[b].next;

	return x < y || (x == y && a < b);
}

static void sweep_sink(struct cause_sweep *s, uint32_t at)
{
	for (;;) {
		uint32_t least = at, kept = s->heap[at];

		for (uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < s->heap_count; child++)
			if (earlier(s, s->heap[child], s->heap[least]))
				least = child;
		if (least == at)
			return;
		s->heap[at] = s->heap[least];
		s->heap[least] = kept;
		at = least;
	}
}

static enum err_code sweep_time(struct cause_sweep *s, const struct progress *progress, struct err *e)
{
	const uint64_t calls = s->log->call_count;
	uint64_t steps = 0;

	for (uint32_t i = s->heap_count; i-- > 0;)
		sweep_sink(s, i);
	while (s->heap_count && !s->no_memory) {
		if (!sweep_step_list(s, s->heap[0]))
			s->heap[0] = s->heap[--s->heap_count];
		sweep_sink(s, 0);
		if (++steps % ASK_EVERY == 0 && progress_step(progress, PROGRESS_METRICS, steps / 3 < calls ? steps / 3 : calls, calls, e))
			return e->code;
	}
	for (uint32_t l = 0; l < s->log->list_count; l++)
		sweep_tell_cause(s, &s->lists[l].open);
	merge(s->c);
	return s->no_memory ? err_memory(e, "the causes of waiting") : ERR_OK;
}

static enum err_code sweep_prepare(struct cause_sweep *s, const struct progress *progress, struct err *e)
{
	uint32_t n = s->log->list_count;

	s->lists = mem_zero(n, sizeof *s->lists);
	s->heap = mem_alloc(n, sizeof *s->heap);
	if (!s->lists || !s->heap)
		return err_memory(e, "the causes of waiting");
	for (uint32_t i = 0; i < n; i++) {
		const struct call_list *l = &s->log->lists[i];

		s->lists[i] = (struct swept){.call = l->first, .parent = NO_LIST, .back_to = NO_LIST, .since = -INFINITY, .next = l->start,
					     .span = s->spans ? s->spans->first[l->process] : 0, .piece = l->first_piece};
		s->heap[s->heap_count++] = i;
		for (uint32_t c = l->first; l->account && c < l->end; c++)
			s->c->sync += s->w->sync[c];
	}
	return instances_init(&s->instances, s->log, progress, e);
}

enum err_code causes_new(struct causes **out, const struct waits *w, const struct phase_spans *spans, const struct progress *progress, struct err *e)
{
	struct cause_sweep s = {.w = w, .log = w->log, .spans = spans, .c = mem_zero(1, sizeof *s.c)};
	enum err_code code;

	*out = NULL;
	if (!s.c)
		return err_memory(e, "the causes of waiting");
	code = sweep_prepare(&s, progress, e);
	if (!code)
		code = sweep_time(&s, progress, e);
	instances_release(&s.instances);
	mem_free(s.lists);
	mem_free(s.heap);
	if (code)
		causes_free(s.c);
	else
		*out = s.c;
	return code;
}

void causes_free(struct causes *c)
{
	if (!c)
		return;
	mem_free(c->list);
	mem_free(c);
}

static uint32_t keep_culprit(struct culprit *out, uint32_t count, uint32_t most, struct culprit one)
{
	uint32_t at = count;

	while (at > 0 && culprit_seconds(&one) > culprit_seconds(&out[at - 1]))
		at--;
	if (at == most)
		return count;
	count -= count == most;
	memmove(&out[at + 1], &out[at], (count - at) * sizeof *out);
	out[at] = one;
	return count + 1;
}

uint32_t causes_culprits(const struct causes *c, struct culprit *out, uint32_t most)
{
	uint32_t count = 0;

	/* What one did in all phases stands together. */
	for (uint32_t i = 0, end; most && i < c->count; i = end) {
		struct culprit one = {.process = c->list[i].process, .node = c->list[i].node};

		for (end = i; end < c->count && c->list[end].process == one.process && c->list[end].node == one.node; end++) {
			one.useful += c->list[end].useful;
			one.in_calls += c->list[end].in_calls;
		}
		count = keep_culprit(out, count, most, one);
	}
	return count;
}
