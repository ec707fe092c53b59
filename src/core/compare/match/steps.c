#include "match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "match_int.h"

#define ASK_EVERY 8192
#define LEFT_OUT UINT32_MAX

/* A collective, as all of its members make it. */
struct cut_instance {
	uint32_t members;   /* index of the first */
	uint32_t count;
	uint64_t bytes;
	bool all;           /* of all processes */
};

struct steps_cutting {
	struct phase_steps *s;
	const struct trace *t;
	const struct progress *progress;
	size_t *base;            /* per process: where its events begin in `what` */
	uint32_t *what;          /* per event: LEFT_OUT; of a collective its instance + 1; otherwise 0 */
	struct cut_instance *instance;
	size_t instance_count, instance_cap;
	uint32_t *member;        /* processes, ascending in each instance */
	size_t member_count, member_cap;
};

/* ---- which events ---- */

static enum err_code find_events(struct phase_steps *s, const struct analysis *a, struct err *e)
{
	const struct logical *l = a->logical;
	const struct trace *t = l->trace;
	const struct phases *p = a->phases;
	uint32_t exit_tick = s->occurrence + 1 < p->occurrence_count ? p->occurrences[s->occurrence + 1].first : l->tick_count;

	s->from = mem_alloc(s->process_count, sizeof *s->from);
	s->to = mem_alloc(s->process_count, sizeof *s->to);
	if (!s->from || !s->to)
		return err_memory(e, "the events of a phase");
	for (uint32_t q = 0; q < s->process_count; q++) {
		uint32_t sends = l->send_first[q + 1] - l->send_first[q];
		uint32_t entry = logical_sends_before(l, q, p->occurrences[s->occurrence].first);
		uint32_t left = logical_sends_before(l, q, exit_tick);

		s->from[q] = entry < sends ? l->sends[l->send_first[q] + entry] : t->first[q + 1];
		s->to[q] = entry == left ? s->from[q] : left < sends ? l->sends[l->send_first[q] + left] : t->first[q + 1];
	}
	return ERR_OK;
}

static enum err_code cutting_prepare(struct steps_cutting *c, struct err *e)
{
	struct phase_steps *s = c->s;
	size_t events = 0;

	s->first = mem_zero((size_t)s->process_count + 1, sizeof *s->first);
	c->base = mem_alloc(s->process_count, sizeof *c->base);
	for (uint32_t q = 0; c->base && q < s->process_count; q++) {
		c->base[q] = events;
		events += s->to[q] - s->from[q];
	}
	c->what = mem_zero(events, sizeof *c->what);
	return s->first && c->base && c->what ? ERR_OK : err_memory(e, "the events of a phase");
}

static bool is_inside(const struct steps_cutting *c, uint32_t event, uint32_t *process)
{
	if (event == NO_EVENT)
		return false;
	*process = trace_process_of(c->t, event);
	return event >= c->s->from[*process] && event < c->s->to[*process];
}

static uint32_t *what_of(const struct steps_cutting *c, uint32_t process, uint32_t event)
{
	return &c->what[c->base[process] + event - c->s->from[process]];
}

/* ---- collectives ---- */

/* All of the ring that `event` is in, as far as it lies in the occurrence. */
static enum err_code ring_collect(struct steps_cutting *c, uint32_t event, struct err *e)
{
	struct cut_instance in = {.members = (uint32_t)c->member_count};
	uint32_t ev = event, process, outside = 0, number;
	const struct trace *t = c->t;

	do {
		if (!is_inside(c, ev, &process)) {
			outside++;
		} else {
			uint32_t *grown = mem_grow(c->member, c->member_count, &c->member_cap, sizeof *grown);

			if (!grown)
				return err_memory(e, "the collectives of a phase");
			c->member = grown;
			c->member[c->member_count++] = process;
			in.count++;
			if (trace_size(t, ev) != SIZE_UNKNOWN && trace_size(t, ev) > in.bytes)
				in.bytes = trace_size(t, ev);
		}
		ev = t->match[ev];
	} while (ev != event && ev != NO_EVENT);
	in.all = in.count == c->s->process_count;
	number = LEFT_OUT;
	if (!outside && ev != NO_EVENT && (in.all || in.count > 1)) {
		struct cut_instance *grown = mem_grow(c->instance, c->instance_count, &c->instance_cap, sizeof *grown);

		if (!grown)
			return err_memory(e, "the collectives of a phase");
		c->instance = grown;
		c->instance[c->instance_count] = in;
		number = (uint32_t)++c->instance_count;
		c->s->apart += !in.all;
	} else {
		c->s->left_alone += in.count;
	}
	ev = event;
	do {
		if (is_inside(c, ev, &process))
			*what_of(c, process, ev) = number;
		ev = t->match[ev];
	} while (ev != event && ev != NO_EVENT);
	if (number == LEFT_OUT)
		c->member_count = in.members;
	else
		SORT(c->member + in.members, in.count, order_u32);
	return ERR_OK;
}

/* What becomes of an event, and how many steps that are. */
static enum err_code event_look_at(struct steps_cutting *c, uint32_t process, uint32_t event, size_t *steps, struct err *e)
{
	const struct trace *t = c->t;
	uint32_t *what = what_of(c, process, event), other;
	enum err_code code = ERR_OK;

	if (EVENT_KIND(t->type[event]) == EVENT_COLLECTIVE) {
		const struct cut_instance *in;

		if (!*what)
			code = ring_collect(c, event, e);
		if (code || *what == LEFT_OUT)
			return code;
		in = &c->instance[*what - 1];
		*steps += in->all;
		for (uint32_t far = 1; !in->all && far < in->count; far *= 2)
			*steps += 2;
		return ERR_OK;
	}
	if (EVENT_KIND(t->type[event]) == EVENT_SEND) {
		bool received = is_inside(c, t->match[event], &other);

		if (!received && (!EVENT_INDEX(t->type[event]) || EVENT_INDEX(t->type[event]) > c->s->process_count)) {
			*what = LEFT_OUT;
			c->s->left_unknown++;
			return ERR_OK;
		}
		c->s->unreceived += !received;
	} else if (!is_inside(c, t->match[event], &other)) {
		*what = LEFT_OUT;
		*(t->match[event] == NO_EVENT ? &c->s->left_unknown : &c->s->left_receives) += 1;
		return ERR_OK;
	}
	(*steps)++;
	return ERR_OK;
}

/* ---- steps ---- */

/* The collective of the language for an operation's name, "Allreduce"; *same: it is the very one. */
static enum model_node_kind phase_collective(const char *op, bool *same)
{
	static const struct {
		const char *op;
		enum model_node_kind kind;
		bool same;
	} known[] = {
#define COLLECTIVE(name, traits, number, letters, node, same) {#name, NODE_##node, same},
#include "core/trace/mpi_functions.def"
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(op, known[i].op)) {
			*same = known[i].same;
			return known[i].kind;
		}
	*same = false;
	return NODE_BARRIER;
}

static void add_step(struct phase_steps *s, size_t *n, struct phase_step step)
{
	s->step[(*n)++] = step;
}

static void add_message(struct steps_cutting *c, uint32_t event, size_t *n)
{
	const struct trace *t = c->t;
	bool sent = EVENT_KIND(t->type[event]) == EVENT_SEND;
	uint32_t send = sent ? event : t->match[event], other = 0;

	if (!sent || !is_inside(c, t->match[event], &other))
		other = sent ? EVENT_INDEX(t->type[event]) - 1 : trace_process_of(t, send);
	add_step(c->s, n, (struct phase_step){
		.kind = sent ? NODE_SEND : NODE_RECV, .tag = trace_tag(t, send), .peer = other, .op = UINT32_MAX, .event = event,
		.bytes = !sent || trace_size(t, event) == SIZE_UNKNOWN ? 0 : trace_size(t, event),
	});
}

static void add_collective(struct steps_cutting *c, uint32_t process, uint32_t event, size_t *n)
{
	const struct cut_instance *in = &c->instance[*what_of(c, process, event) - 1];
	const uint32_t *member = c->member + in->members;
	uint32_t op = EVENT_INDEX(c->t->type[event]), at = 0;
	struct phase_step step = {.bytes = in->bytes, .op = op, .event = event};
	bool same = false;

	if (in->all) {
		step.kind = (uint8_t)phase_collective(op < c->t->coll_count ? c->t->colls[op].op : "", &same);
		step.op = same ? UINT32_MAX : op;
		add_step(c->s, n, step);
		return;
	}
	while (member[at] != process)
		at++;
	step.tag = STEPS_TAG;
	step.op = UINT32_MAX;
	for (uint32_t far = 1; far < in->count; far *= 2) {
		step.kind = NODE_SEND;
		step.lead = !at && far == 1;
		step.bytes = in->bytes;
		step.peer = member[(at + far) % in->count];
		add_step(c->s, n, step);
		step.kind = NODE_RECV;
		step.lead = false;
		step.bytes = 0;
		step.peer = member[(at + in->count - far) % in->count];
		add_step(c->s, n, step);
	}
}

/* What passes on a process after an event, messages aside. After a receive that no other follows that is all until
 * the next event, or to the end of its work: calls that move nothing as well. */
static double passes(const struct trace *t, uint32_t process, uint32_t event)
{
	bool last = event + 1 == t->first[process + 1];
	double all = (last ? t->processes[process].work_end : t->time[event + 1]) - t->time[event];

	if (isnan(t->compute[event]))
		return 0;
	if (EVENT_KIND(t->type[event]) != EVENT_RECEIVE || (!last && EVENT_KIND(t->type[event + 1]) == EVENT_RECEIVE) ||
	    !(all > t->compute[event]))
		all = t->compute[event];
	return all > 0 ? all : 0;
}

static void add_process(struct steps_cutting *c, uint32_t process, size_t *n)
{
	struct phase_steps *s = c->s;
	const struct trace *t = c->t;
	size_t begin = *n;

	s->first[process] = begin;
	for (uint32_t ev = s->from[process]; ev < s->to[process]; ev++) {
		if (*what_of(c, process, ev) == LEFT_OUT) {
			if (*n == begin)
				add_step(s, n, (struct phase_step){.kind = NODE_COMPUTE, .op = UINT32_MAX, .event = ev});
		} else if (EVENT_KIND(t->type[ev]) == EVENT_COLLECTIVE) {
			add_collective(c, process, ev, n);
		} else {
			add_message(c, ev, n);
		}
		s->step[*n - 1].compute += passes(t, process, ev);
	}
}

static enum err_code steps_cut(struct steps_cutting *c, struct err *e)
{
	struct phase_steps *s = c->s;
	size_t steps = 0, n = 0;
	enum err_code code = cutting_prepare(c, e);

	for (uint32_t q = 0; !code && q < s->process_count; q++) {
		steps++; /* what is computed before the first that stays */
		for (uint32_t ev = s->from[q]; !code && ev < s->to[q]; ev++) {
			code = event_look_at(c, q, ev, &steps, e);
			if (!code && ev % ASK_EVERY == 0 && progress_stopped(c->progress))
				code = err_set(e, ERR_CANCELLED, "stopped while the events of a phase were looked at");
		}
	}
	if (code)
		return code;
	s->step = mem_alloc(steps, sizeof *s->step);
	if (!s->step)
		return err_memory(e, "the steps of a phase");
	for (uint32_t q = 0; q < s->process_count; q++)
		add_process(c, q, &n);
	s->first[s->process_count] = n;
	return ERR_OK;
}

enum err_code phase_steps_init(struct phase_steps *s, const struct analysis *a, uint32_t occurrence,
			       const struct progress *progress, struct err *e)
{
	const struct trace *t = a->logical->trace;
	const struct team *team = trace_team(t);
	struct steps_cutting c = {.s = s, .progress = progress};
	enum err_code code;

	*s = (struct phase_steps){.trace = t, .occurrence = occurrence, .process_count = t->process_count};
	code = team_agree(team, find_events(s, a, e), e);
	if (!code && team_size(team) > 1) {
		code = phase_cut(&s->cut, t, s->from, s->to, e);
		s->trace = s->cut;
	}
	c.t = s->trace;
	if (!code)
		code = team_agree(team, team_rank(team) ? ERR_OK : steps_cut(&c, e), e);
	mem_free(c.base);
	mem_free(c.what);
	mem_free(c.instance);
	mem_free(c.member);
	return code;
}

void phase_steps_leave_trace(struct phase_steps *s)
{
	trace_free(s->cut);
	s->cut = NULL;
	s->trace = NULL;
}

void phase_steps_release(struct phase_steps *s)
{
	trace_free(s->cut);
	mem_free(s->from);
	mem_free(s->to);
	mem_free(s->step);
	mem_free(s->first);
	*s = (struct phase_steps){0};
}
