/* The parse: atoms are consumed in rounds, each of which makes a step (docs/explain/patterns.md, "The parse").
 *
 * A process's cursor is at its first event that is not consumed. An atom is ready when all its processes have come to
 * it. Each round consumes one of: the collectives of one operation, a sweep, a shift, all exchanges, or, if nothing
 * else is ready, the single messages as a fragment.
 */
#include "patterns_int.h"

#include <string.h>

#include "core/base/order.h"

#define POLL 65536            /* events that are consumed between two looks at progress */
#define POLL_ROUNDS 4096

bool parser_push(struct event_list *l, uint32_t event)
{
	uint32_t *more = mem_grow(l->list, l->count, &l->cap, sizeof *more);

	if (!more)
		return false;
	l->list = more;
	l->list[l->count++] = event;
	return true;
}

bool parser_come(struct parser *x, uint32_t process, uint32_t event)
{
	uint32_t end = x->t->first[process + 1], *left;

	event = event_from(x->t, event, end);
	x->consumed += event - x->cursor[process];
	x->cursor[process] = event;
	if (event == end)
		return true;
	if (event_is_one_way(x, event))
		x->one_way_tried = false;
	left = &x->atoms->left[ATOM_NUMBER(x->atoms->of[event])];
	if ((--*left & ATOM_WAITS) == 0)
		return parser_push(&x->ready[ATOM_SORT(*left)], event);
	return true;
}

/* --- steps --- */

struct step *parser_step_add(struct parser *x)
{
	struct step *more = mem_grow(x->steps->list, x->steps->count, &x->steps->cap, sizeof *more);

	if (!more)
		return NULL;
	x->steps->list = more;
	more = &x->steps->list[x->steps->count++];
	*more = (struct step){.shape = SHAPE_NONE};
	return more;
}

void step_add_message(struct step *step, const struct trace *t, uint32_t send)
{
	uint64_t size = trace_size(t, send);

	step->messages++;
	if (size == SIZE_UNKNOWN)
		return;
	step->sized++;
	step->bytes += size;
}

bool parser_link(struct parser *x, uint32_t from, uint32_t to)
{
	struct link *more = mem_grow(x->links, x->link_count, &x->links_cap, sizeof *more);

	if (!more)
		return false;
	x->links = more;
	x->links[x->link_count++] = (struct link){from, to};
	return true;
}

bool parser_classify(struct parser *x, struct step *step)
{
	const struct shape *shape;

	if (!shapes_find(x->shapes, x->links, x->link_count, &step->shape))
		return false;
	shape = &x->shapes->list[step->shape];
	step->key = shape->key;
	step->explained = shape->explained;
	step->fill = shape->fill;
	return true;
}

/* --- collectives --- */

static uint32_t ring_members(const struct trace *t, uint32_t event)
{
	uint32_t n = 1;

	for (uint32_t m = t->match[event]; m != event; m = t->match[m])
		n++;
	return n;
}

struct ready_call {
	uint32_t op, members, event;
};
ORDER_BY(order_calls, struct ready_call, UP(op) UP(members) UP(event))

/* Of all collectives that are ready those of one operation and size: of the most processes. Operations are numbered in
 * the order of their names. */
static bool consume_calls(struct parser *x)
{
	const struct trace *t = x->t;
	struct event_list *ready = &x->ready[ATOM_CALL];
	uint32_t n = ready->count, best = 0, best_end = 0, kept = 0, number;
	uint64_t most = 0;
	struct ready_call single = {0}, *calls = n == 1 ? &single : mem_alloc(n, sizeof *calls);
	struct step *step;
	bool ok = true;

	if (!calls)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t e = ready->list[i];

		calls[i] = (struct ready_call){x->op_of[EVENT_INDEX(t->type[e])], ring_members(t, e), e};
	}
	SORT(calls, n, order_calls);
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && calls[end].op == calls[i].op && calls[end].members == calls[i].members; end++)
			;
		if ((uint64_t)(end - i) * calls[i].members >= most) {
			most = (uint64_t)(end - i) * calls[i].members;
			best = i;
			best_end = end;
		}
	}
	for (uint32_t i = 0; i < n; i++)
		if (i < best || i >= best_end)
			ready->list[kept++] = calls[i].event;
	ready->count = kept;
	step = parser_step_add(x);
	ok = step;
	if (ok) {
		step->calls = best_end - best;
		step->explained = 1;
		step->key = (struct pattern_key){.kind = PATTERN_CALL, .op = calls[best].op, .members = calls[best].members, .groups = best_end - best};
		number = x->steps->count - 1;
		for (uint32_t i = best; ok && i < best_end; i++) {
			uint32_t e = calls[i].event;

			do {
				x->atoms->of[e] = number;
				ok = parser_come(x, trace_process_of(t, e), e + 1);
				e = t->match[e];
			} while (ok && e != calls[i].event);
		}
	}
	if (calls != &single)
		mem_free(calls);
	return ok;
}

/* --- exchanges --- */

/* The processes of the atom that the process is at, into x->processes. */
static bool atom_processes(struct parser *x, uint32_t process)
{
	const struct trace *t = x->t;
	uint32_t at = x->processes.count, atom = x->atoms->of[x->cursor[process]];

	x->in_step[process] = true;
	if (!parser_push(&x->processes, process))
		return false;
	for (; at < x->processes.count; at++) {
		uint32_t p = x->processes.list[at], end = t->first[p + 1];

		for (uint32_t e = x->cursor[p]; e < end; e++) {
			bool call = EVENT_KIND(t->type[e]) == EVENT_COLLECTIVE;

			if (!event_is_related(t, e))
				continue;
			if (x->atoms->of[e] != atom)
				break;
			for (uint32_t m = t->match[e];; m = t->match[m]) {
				uint32_t q = call ? trace_process_of(t, m) : message_partner(x->t, e);

				if (!x->in_step[q]) {
					x->in_step[q] = true;
					if (!parser_push(&x->processes, q))
						return false;
				}
				if (!call || m == e)
					break;
			}
		}
	}
	return true;
}

/* One more collective of an exchange. If there is nothing else they are named as such, where they are of one kind. */
static void step_add_call(const struct parser *x, struct step *step, struct pattern_key *calls, uint32_t event)
{
	struct pattern_key key = {.kind = PATTERN_CALL, .op = x->op_of[EVENT_INDEX(x->t->type[event])], .members = ring_members(x->t, event)};

	if (!step->calls++)
		*calls = key;
	else if (calls->op != key.op || calls->members != key.members)
		calls->kind = PATTERN_IRREGULAR;
	calls->groups = step->calls;
}

static bool consume_exchanges(struct parser *x)
{
	const struct trace *t = x->t;
	struct event_list *ready = &x->ready[ATOM_SEVERAL];
	struct step *step = parser_step_add(x);
	uint32_t number = x->steps->count - 1;
	struct pattern_key calls = {0};

	if (!step)
		return false;
	x->processes.count = 0;
	for (uint32_t i = 0; i < ready->count; i++)
		if (!atom_processes(x, trace_process_of(t, ready->list[i])))
			return false;
	ready->count = 0;
	if (x->processes.count > t->process_count / 16) {
		uint32_t n = 0;

		for (uint32_t p = 0; p < t->process_count; p++)
			if (x->in_step[p])
				x->processes.list[n++] = p;
	} else {
		SORT(x->processes.list, x->processes.count, order_u32);
	}
	x->link_count = 0;
	for (uint32_t i = 0; i < x->processes.count; i++) {
		uint32_t p = x->processes.list[i], end = t->first[p + 1], e = x->cursor[p], atom = x->atoms->of[e];

		x->in_step[p] = false;
		for (; e < end; e++) {
			if (!event_is_related(t, e))
				continue;
			if (x->atoms->of[e] != atom)
				break;
			x->atoms->of[e] = number;
			if (EVENT_KIND(t->type[e]) == EVENT_SEND) {
				step_add_message(step, t, e);
				if (!parser_link(x, p, message_partner(x->t, e)))
					return false;
			} else if (EVENT_KIND(t->type[e]) == EVENT_COLLECTIVE && t->match[e] <= e) {
				/* Once for each: at the last of its members. */
				step_add_call(x, step, &calls, e);
			}
		}
		if (!parser_come(x, p, e))
			return false;
	}
	if (!parser_classify(x, step))
		return false;
	if (!step->messages && calls.kind == PATTERN_CALL) {
		step->shape = SHAPE_NONE;
		step->key = calls;
		step->explained = 1;
	}
	return true;
}

/* --- the rounds --- */

static bool lattice_init(struct lattice *l, const struct pattern_grid *g, uint32_t processes)
{
	l->grid = g;
	l->near = mem_alloc(processes, sizeof *l->near);
	if (!l->near)
		return false;
	for (uint32_t p = 0; p < processes; p++) {
		uint32_t place = grid_place(g, p), stride = 1;

		for (uint32_t i = 0; i < GRID_DIMS; i++) {
			uint32_t side = i < g->dims ? g->side[i] : 1, c = place / stride % side;

			l->near[p][2 * i] = c ? grid_rank(g, place - stride) : NO_RANK;
			l->near[p][2 * i + 1] = c + 1 < side ? grid_rank(g, place + stride) : NO_RANK;
			stride *= side;
		}
	}
	return true;
}

static enum err_code parser_init(struct parser *x, struct err *e)
{
	const struct trace *t = x->t;
	uint32_t n = t->process_count;

	x->own_is_line = x->grid->dims == 1 && !x->grid->rank;
	x->in_line = (struct pattern_grid){.dims = 1, .side = {n, 1, 1}};
	x->cursor = mem_alloc(n, sizeof *x->cursor);
	x->sweep_at = mem_alloc(n, sizeof *x->sweep_at);
	x->sweep_count = mem_alloc(n, sizeof *x->sweep_count);
	x->best_at = mem_alloc(n, sizeof *x->best_at);
	x->in_step = mem_zero(n, sizeof *x->in_step);
	x->op_of = mem_zero(t->coll_count, sizeof *x->op_of);
	if (!lattice_init(&x->own, x->grid, n) || !lattice_init(&x->line, &x->in_line, n) || !x->cursor || !x->sweep_at || !x->sweep_count || !x->best_at ||
	    !x->in_step || !x->op_of)
		return err_memory(e, "patterns");
	for (uint32_t i = 0; i < t->coll_count; i++) {
		char word[64];

		collective_word(t->colls[i].op, word, sizeof word);
		for (uint32_t k = 0; k < x->patterns->op_count; k++)
			if (strcmp(x->patterns->ops[k], word) == 0)
				x->op_of[i] = k;
	}
	return ERR_OK;
}

static void parser_release(struct parser *x)
{
	for (int i = 0; i < 3; i++)
		mem_free(x->ready[i].list);
	mem_free(x->taken.list);
	mem_free(x->bag.list);
	mem_free(x->processes.list);
	mem_free(x->cursor);
	mem_free(x->sweep_at);
	mem_free(x->sweep_count);
	mem_free(x->best_at);
	mem_free(x->in_step);
	mem_free(x->op_of);
	mem_free(x->own.near);
	mem_free(x->line.near);
	mem_free(x->links);
}

static bool parse_round(struct parser *x)
{
	bool done = false;

	if (x->ready[ATOM_CALL].count)
		return parser_close_bag(x) && consume_calls(x);
	/* A line of all ranks is tried besides the grid: a program may use both. Only a sweep proves it. */
	if (x->ready[ATOM_ONE_WAY].count && !x->one_way_tried) {
		if (!parser_consume_sweep(x, &x->own, &done) || done)
			return done;
		if (!x->own_is_line && (!parser_consume_sweep(x, &x->line, &done) || done))
			return done;
		if (!parser_consume_shift(x, &x->own, &done) || done)
			return done;
		x->one_way_tried = true;
	}
	if (x->stopped)
		return false;
	if (x->ready[ATOM_SEVERAL].count)
		return parser_close_bag(x) && consume_exchanges(x);
	return parser_consume_fragment(x);
}

enum err_code parse_run(struct steps *steps, struct patterns *patterns, struct shapes *shapes, struct atoms *atoms, const struct progress *progress,
			struct err *e)
{
	struct parser x = {.t = patterns->trace, .grid = &patterns->grid, .patterns = patterns, .shapes = shapes, .atoms = atoms, .steps = steps, .progress = progress};
	enum err_code code = parser_init(&x, e);
	uint64_t rounds = 0, polled = 0;

	for (uint32_t p = 0; !code && p < x.t->process_count; p++)
		x.cursor[p] = x.t->first[p];
	for (uint32_t p = 0; !code && p < x.t->process_count; p++)
		if (!parser_come(&x, p, x.t->first[p]))
			code = err_memory(e, "patterns");
	while (!code && (x.ready[ATOM_CALL].count || x.ready[ATOM_ONE_WAY].count || x.ready[ATOM_SEVERAL].count)) {
		if (!parse_round(&x) && !x.stopped)
			code = err_memory(e, "patterns");
		if (!code && (x.stopped || x.consumed - polled >= POLL || ++rounds % POLL_ROUNDS == 0)) {
			polled = x.consumed;
			code = progress_step(progress, PROGRESS_PATTERNS, (x.t->event_count + x.consumed) / 2, x.t->event_count, e);
		}
	}
	if (!code && !parser_close_bag(&x))
		code = err_memory(e, "patterns");
	parser_release(&x);
	return code;
}
