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
#define NO_RANK UINT32_MAX

struct event_list {
	uint32_t *list;
	uint32_t count;
	size_t cap;
};

/* A grid as sweeps see it: without wrapping. */
struct lattice {
	const struct pattern_grid *grid;
	uint32_t (*near)[6];      /* per process: -x, +x, -y, ...; NO_RANK: none */
	uint32_t contradicts[DIRECTIONS], shift_contradicts[DIRECTIONS]; /* the process that did last time: asked first */
};

struct parser {
	const struct trace *t;
	const struct pattern_grid *grid;
	struct pattern_grid in_line; /* all processes by rank */
	struct lattice own, line;
	struct patterns *x;
	struct shapes *shapes;
	struct atoms *atoms;
	struct steps *steps;
	uint32_t *cursor;         /* per process; first[p + 1]: it is done */
	struct event_list ready[3]; /* by sort: one event of each atom that is ready */
	struct event_list taken, bag, processes;
	struct link *links;       /* of the step that is made */
	uint32_t link_count;
	size_t links_cap;
	uint32_t *sweep_at, *sweep_count; /* per process: where the blocks of a sweep end, and how many there are */
	uint32_t *best_at;        /* sweep_at[] of the best sweep so far */
	uint32_t *op_of;          /* per trace->colls: number in x->ops */
	bool bag_open;            /* the last step is a bag of fragments */
	bool one_way_tried;       /* no sweep and no shift fits, and no process has come to another single message since */
	const struct progress *progress;
	uint64_t consumed;        /* events */
	bool stopped;
	bool *in_step;            /* per process */
};

static bool event_push(struct event_list *l, uint32_t event)
{
	uint32_t *more = mem_grow(l->list, l->count, &l->cap, sizeof *more);

	if (!more)
		return false;
	l->list = more;
	l->list[l->count++] = event;
	return true;
}

static inline bool event_is_one_way(const struct parser *x, uint32_t event)
{
	return x->atoms->of[event] & ATOM_IS_ONE_WAY;
}

/* The first related event from `event` on, of a process that ends there. */
static inline uint32_t event_from(const struct trace *t, uint32_t event, uint32_t end)
{
	while (event < end && !event_is_related(t, event))
		event++;
	return event;
}

/* The process has come to the event. */
static bool cursor_set(struct parser *x, uint32_t process, uint32_t event)
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
		return event_push(&x->ready[ATOM_SORT(*left)], event);
	return true;
}

/* --- steps --- */

static struct step *step_add(struct parser *x)
{
	struct step *more = mem_grow(x->steps->list, x->steps->count, &x->steps->cap, sizeof *more);

	if (!more)
		return NULL;
	x->steps->list = more;
	more = &x->steps->list[x->steps->count++];
	*more = (struct step){.shape = SHAPE_NONE};
	return more;
}

static void step_count(struct step *step, const struct trace *t, uint32_t send)
{
	uint64_t size = trace_size(t, send);

	step->messages++;
	if (size == SIZE_UNKNOWN)
		return;
	step->sized++;
	step->bytes += size;
}

static bool link_push(struct parser *x, uint32_t from, uint32_t to)
{
	struct link *more = mem_grow(x->links, x->link_count, &x->links_cap, sizeof *more);

	if (!more)
		return false;
	x->links = more;
	x->links[x->link_count++] = (struct link){from, to};
	return true;
}

/* What the links gathered make of the step. */
static bool step_classify(struct parser *x, struct step *step)
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

/* --- fragments --- */

/* Does the k-th message to each process downstream come when k have come from each upstream? For nearly all sends. */
static bool bag_is_ordered(struct parser *x, const unsigned *up, const unsigned *down, uint32_t axes)
{
	const struct trace *t = x->t;
	uint32_t in_order = 0, sends = 0;

	for (uint32_t i = 0; i < x->bag.count;) {
		uint32_t p = trace_process_of(t, x->bag.list[i]), end = t->first[p + 1];
		uint32_t came[GRID_DIMS] = {0}, went[GRID_DIMS] = {0};
		bool both = false;

		for (uint32_t a = 0; a < axes; a++)
			for (uint32_t b = 0; b < axes; b++)
				both = both || (x->own.near[p][up[a]] != NO_RANK && x->own.near[p][down[b]] != NO_RANK);
		for (; i < x->bag.count && x->bag.list[i] < end; i++) {
			uint32_t e = x->bag.list[i], q = message_partner(x->t, e);
			bool receives = EVENT_KIND(t->type[e]) == EVENT_RECEIVE;

			for (uint32_t a = 0; a < axes; a++) {
				bool good = true;

				if (q != x->own.near[p][receives ? up[a] : down[a]])
					continue;
				if (receives) {
					came[a]++;
					continue;
				}
				went[a]++;
				for (uint32_t b = 0; b < axes; b++)
					good = good && (x->own.near[p][up[b]] == NO_RANK || came[b] == went[a]);
				sends += both;
				in_order += both && good;
			}
		}
	}
	return sends && in_order >= 0.95 * sends;
}

/* A bag that is a sweep, though not message by message (docs/explain/patterns.md, "Sweeps"). The bag holds the events,
 * sorted. */
static bool bag_is_sweep(struct parser *x, struct step *step)
{
	const struct shape *shape = &x->shapes->list[step->shape];
	const struct link *links = x->shapes->links + shape->first;
	const uint32_t *counts = x->shapes->counts + shape->first;
	uint64_t messages[6] = {0}, links_of[6] = {0}, explained = 0;
	unsigned up[GRID_DIMS], down[GRID_DIMS];
	uint32_t axes = 0, set = 0, place = 0, stride = 1;

	if (!x->grid->dims)
		return false;
	for (uint32_t i = 0; i < shape->count; i++)
		for (int k = 0; k < 6; k++)
			if (x->own.near[links[i].from][k] == links[i].to) {
				messages[k] += counts[i];
				links_of[k]++;
			}
	for (uint32_t a = 0; a < x->grid->dims; a++) {
		bool minus = messages[2 * a] && (double)messages[2 * a] >= (double)shape->messages / x->grid->dims / 4;
		bool plus = messages[2 * a + 1] && (double)messages[2 * a + 1] >= (double)shape->messages / x->grid->dims / 4;
		unsigned k = 2 * a + plus;
		uint32_t direction;
		if (minus && plus)
			return false;
		place += minus ? stride * (x->grid->side[a] - 1) : 0;
		stride *= x->grid->side[a];
		if (!minus && !plus)
			continue;
		direction = direction_unit((int)a, plus);
		if ((double)links_of[k] < 0.95 * (double)direction_links(x->grid, direction, 0))
			return false;
		up[axes] = 2 * a + !plus;
		down[axes++] = k;
		set |= 1u << direction;
		explained += messages[k];
	}
	if (!axes || (double)explained < 0.95 * shape->messages || !bag_is_ordered(x, up, down, axes))
		return false;
	step->key = (struct pattern_key){.kind = PATTERN_SWEEP, .directions = set, .root = grid_rank(x->grid, place)};
	for (uint32_t i = 0; i < x->grid->dims; i++)
		step->key.side[i] = x->grid->side[i];
	step->explained = (double)explained / shape->messages;
	return true;
}

/* Single messages, each after the other, are no ring shift, in which all send at once: a token went round, if each
 * process but the first received it before it sent it on. */
static void bag_is_no_shift(struct parser *x, struct step *step)
{
	const struct trace *t = x->t;
	uint32_t processes = t->process_count, first = 0, receives_first = 0;
	struct pattern_key was = step->key;

	if (was.kind != PATTERN_RING_SHIFT)
		return;
	step->key = (struct pattern_key){.kind = PATTERN_PERMUTATION, .members = processes};
	step->explained = 0;
	if (x->bag.count != 2 * processes || (was.number != 1 && was.number != processes - 1))
		return;
	for (uint32_t i = 0; i < x->bag.count; i += 2) {
		if (EVENT_KIND(t->type[x->bag.list[i]]) == EVENT_SEND)
			first++;
		else
			receives_first += EVENT_KIND(t->type[x->bag.list[i + 1]]) == EVENT_SEND;
	}
	if (first == 1 && receives_first == processes - 1) {
		step->key = (struct pattern_key){.kind = PATTERN_TOKEN, .members = processes};
		step->explained = 1;
	}
}

/* The fragments end here: they are one bag. */
static bool bag_close(struct parser *x)
{
	const struct trace *t = x->t;
	struct step *step;

	if (!x->bag_open)
		return true;
	x->bag_open = false;
	step = &x->steps->list[x->steps->count - 1];
	SORT(x->bag.list, x->bag.count, order_u32);
	x->link_count = 0;
	for (uint32_t i = 0, p = 0; i < x->bag.count; i++) {
		uint32_t e = x->bag.list[i];

		if (EVENT_KIND(t->type[e]) != EVENT_SEND)
			continue;
		if (e < t->first[p] || e >= t->first[p + 1])
			p = trace_process_of(t, e);
		step_count(step, t, e);
		if (!link_push(x, p, message_partner(x->t, e)))
			return false;
	}
	if (!step_classify(x, step))
		return false;
	if (!bag_is_sweep(x, step))
		bag_is_no_shift(x, step);
	x->bag.count = 0;
	return true;
}

/* The ready single messages, which none of the other rules wants. */
static bool consume_fragment(struct parser *x)
{
	struct event_list ready = x->ready[ATOM_ONE_WAY];
	const struct trace *t = x->t;
	uint32_t number;
	bool ok = true;

	if (!x->bag_open) {
		struct step *step = step_add(x);

		if (!step)
			return false;
		step->fragment = true;
		x->bag_open = true;
	}
	number = x->steps->count - 1;
	x->ready[ATOM_ONE_WAY] = x->taken;
	x->ready[ATOM_ONE_WAY].count = 0;
	x->taken = ready;
	for (uint32_t i = 0; ok && i < ready.count; i++) {
		uint32_t e = ready.list[i], other = t->match[e], p = message_partner(x->t, other), q = message_partner(x->t, e);

		x->atoms->of[e] = x->atoms->of[other] = number;
		ok = event_push(&x->bag, e) && event_push(&x->bag, other) && cursor_set(x, p, e + 1) && cursor_set(x, q, other + 1);
	}
	return ok;
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
	step = step_add(x);
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
				ok = cursor_set(x, trace_process_of(t, e), e + 1);
				e = t->match[e];
			} while (ok && e != calls[i].event);
		}
	}
	if (calls != &single)
		mem_free(calls);
	return ok;
}

/* --- sweeps and shifts --- */

/* A direction of a sweep: per dimension nothing, + or -, as a direction's number. */
struct sweep {
	uint32_t direction;
	uint32_t blocks;
	uint64_t messages;
};

/* The processes upstream and downstream of one. */
struct sweep_role {
	uint32_t up[GRID_DIMS], down[GRID_DIMS];
	uint32_t ups, downs;
};

static struct sweep_role sweep_role(const struct lattice *grid, uint32_t process, uint32_t direction)
{
	struct sweep_role r = {.ups = 0};

	for (uint32_t i = 0; i < grid->grid->dims; i++) {
		int32_t step = direction_step(direction, (int)i);
		uint32_t up, down;

		if (!step)
			continue;
		up = grid->near[process][2 * i + (step < 0)];
		down = grid->near[process][2 * i + (step > 0)];
		if (up != NO_RANK)
			r.up[r.ups++] = up;
		if (down != NO_RANK)
			r.down[r.downs++] = down;
	}
	return r;
}

/* One of each of these, in any order, from the event on: the event behind them; NO_EVENT: it is not so. */
static uint32_t pass_one_of_each(const struct parser *x, uint32_t event, uint32_t end, event_type kind, const uint32_t *partners, uint32_t count)
{
	unsigned seen = 0;

	for (uint32_t n = 0; n < count; n++, event++) {
		uint32_t q, i = 0;

		event = event_from(x->t, event, end);
		if (event == end || EVENT_KIND(x->t->type[event]) != kind || !event_is_one_way(x, event))
			return NO_EVENT;
		q = message_partner(x->t, event);
		while (i < count && (partners[i] != q || seen >> i & 1))
			i++;
		if (i == count)
			return NO_EVENT;
		seen |= 1u << i;
	}
	return event;
}

/* The blocks [ from all upstream; to all downstream ] that the process shows from its cursor on, up to `limit`: goes on
 * where the last call ended. */
static uint32_t count_blocks(struct parser *x, uint32_t process, const struct sweep_role *r, uint32_t limit)
{
	uint32_t end = x->t->first[process + 1];

	while (x->sweep_count[process] < limit) {
		uint32_t e = pass_one_of_each(x, x->sweep_at[process], end, EVENT_RECEIVE, r->up, r->ups);

		if (e != NO_EVENT)
			e = pass_one_of_each(x, e, end, EVENT_SEND, r->down, r->downs);
		if (e == NO_EVENT)
			break;
		x->sweep_at[process] = e;
		x->sweep_count[process]++;
	}
	return x->sweep_count[process];
}

/* The event behind so many related ones from the cursor on. */
static uint32_t cursor_after(const struct parser *x, uint32_t process, uint64_t events)
{
	uint32_t e = x->cursor[process], end = x->t->first[process + 1];

	for (; events; events--)
		e = event_from(x->t, e, end) + 1;
	return e;
}

/* Is the other end of every message that is sent before stop[] also before it? */
static bool is_closed(const struct parser *x, const uint32_t *stop)
{
	const struct trace *t = x->t;

	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t e = x->cursor[p]; e < stop[p]; e++)
			if (event_is_related(t, e) && t->match[e] >= stop[message_partner(x->t, e)])
				return false;
	return true;
}

/* Does the process, on its own, show less than one block? Asked first of those that are likely to. */
static bool process_contradicts(struct parser *x, struct lattice *grid, uint32_t process, uint32_t direction)
{
	struct sweep_role r = sweep_role(grid, process, direction);

	x->sweep_at[process] = x->cursor[process];
	x->sweep_count[process] = 0;
	return (r.ups || r.downs) && !count_blocks(x, process, &r, 1);
}

/* How many blocks all processes show; 0: it is no sweep. sweep_at[] is where they end then. `sender` sends a message
 * that is ready. */
static uint32_t sweep_blocks(struct parser *x, struct lattice *grid, uint32_t direction, uint32_t sender)
{
	const struct trace *t = x->t;
	bool ordered = false;

	if (process_contradicts(x, grid, grid->contradicts[direction], direction) || process_contradicts(x, grid, sender, direction))
		return 0;
	for (uint32_t p = 0; p < t->process_count; p++) {
		x->sweep_at[p] = x->cursor[p];
		x->sweep_count[p] = 0;
	}
	for (uint32_t limit = 1;; limit *= 2) {
		uint32_t reached = limit;

		x->stopped = x->stopped || (limit > 1 && progress_stopped(x->progress));
		if (x->stopped)
			return 0;
		/* All have shown half of the limit: once one shows no more, that is it. */
		for (uint32_t p = 0; reached > limit / 2 && p < t->process_count; p++) {
			struct sweep_role r = sweep_role(grid, p, direction);
			uint32_t n;

			if (!r.ups && !r.downs)
				continue;
			ordered = ordered || (r.ups && r.downs);
			n = count_blocks(x, p, &r, reached);
			if (!n)
				grid->contradicts[direction] = p;
			reached = n < reached ? n : reached;
		}
		if (reached < limit) {
			if (!reached || (!ordered && reached < 3))
				return 0;
			for (uint32_t p = 0; p < t->process_count; p++)
				if (x->sweep_count[p] > reached) {
					struct sweep_role r = sweep_role(grid, p, direction);

					x->sweep_at[p] = cursor_after(x, p, (uint64_t)reached * (r.ups + r.downs));
				}
			return is_closed(x, x->sweep_at) ? reached : 0;
		}
	}
}

static uint64_t sweep_links(const struct lattice *grid, uint32_t direction)
{
	uint64_t links = 0;

	for (int i = 0; i < GRID_DIMS; i++) {
		int32_t step = direction_step(direction, i);

		if (step)
			links += direction_links(grid->grid, direction_unit(i, step > 0), 0);
	}
	return links;
}

static unsigned axis_count(uint32_t direction)
{
	return (unsigned)__builtin_popcount(direction_axes(direction));
}

/* Consumes up to sweep_at[]. */
static bool consume_to(struct parser *x, struct step *step, bool gather)
{
	const struct trace *t = x->t;
	uint32_t number = x->steps->count - 1;

	x->link_count = 0;
	for (uint32_t p = 0; p < t->process_count; p++) {
		for (uint32_t e = x->cursor[p]; e < x->sweep_at[p]; e++) {
			if (!event_is_related(t, e))
				continue;
			x->atoms->of[e] = number;
			if (EVENT_KIND(t->type[e]) != EVENT_SEND)
				continue;
			step_count(step, t, e);
			if (gather && !link_push(x, p, message_partner(x->t, e)))
				return false;
		}
		if (x->cursor[p] < x->sweep_at[p] && !cursor_set(x, p, x->sweep_at[p]))
			return false;
		x->stopped = x->stopped || (p % 1024 == 0 && progress_stopped(x->progress));
		if (x->stopped)
			return false;
	}
	return true;
}

/* The messages that were consumed leave the list of those that are ready. */
static void drop_consumed(struct parser *x)
{
	struct event_list *ready = &x->ready[ATOM_ONE_WAY];
	uint32_t n = 0;

	for (uint32_t i = 0; i < ready->count; i++) {
		uint32_t e = ready->list[i];

		if (e >= x->cursor[message_partner(x->t, x->t->match[e])])
			ready->list[n++] = e;
	}
	ready->count = n;
}

/* Unit offsets of the ready messages, as bits of directions, and for each a process that sends one. */
static uint32_t ready_directions(const struct parser *x, const struct lattice *grid, uint32_t *sender)
{
	const struct event_list *ready = &x->ready[ATOM_ONE_WAY];
	uint32_t set = 0;

	for (uint32_t i = 0; i < ready->count; i++) {
		uint32_t e = ready->list[i], send = EVENT_KIND(x->t->type[e]) == EVENT_SEND ? e : x->t->match[e];
		uint32_t p = message_partner(x->t, x->t->match[send]), q = message_partner(x->t, send);

		for (int k = 0; k < 6; k++)
			if (grid->near[p][k] == q) {
				uint32_t unit = direction_unit(k / 2, k % 2);

				if (!(set >> unit & 1))
					sender[unit] = p;
				set |= 1u << unit;
			}
	}
	return set;
}

/* Does a sweep in this direction use the unit offset? */
static bool sweep_holds(uint32_t direction, uint32_t unit)
{
	for (int i = 0; i < GRID_DIMS; i++)
		if (direction_step(unit, i) && direction_step(unit, i) == direction_step(direction, i))
			return true;
	return false;
}

/* Of two that consume as many messages: the one of fewer dimensions, then the larger signs, x first. */
static bool sweep_is_better(const struct sweep *a, const struct sweep *b)
{
	if (a->messages != b->messages)
		return a->messages > b->messages;
	if (axis_count(a->direction) != axis_count(b->direction))
		return axis_count(a->direction) < axis_count(b->direction);
	return a->direction > b->direction;
}

/* The rank that it begins at: no coordinate is smaller upstream. */
static uint32_t sweep_corner(const struct pattern_grid *g, uint32_t direction)
{
	uint32_t place = 0, stride = 1;

	for (uint32_t i = 0; i < g->dims; i++) {
		if (direction_step(direction, (int)i) < 0)
			place += stride * (g->side[i] - 1);
		stride *= g->side[i];
	}
	return grid_rank(g, place);
}

static bool consume_sweep(struct parser *x, struct lattice *grid, bool *done)
{
	uint32_t sender[DIRECTIONS] = {0}, set = ready_directions(x, grid, sender);
	struct sweep best = {0};
	struct step *step;
	uint32_t *at;

	*done = false;
	for (uint32_t d = 0; set && d < DIRECTIONS; d++) {
		struct sweep s = {.direction = d};
		uint32_t from = NO_RANK;

		for (uint32_t u = 0; u < DIRECTIONS; u++)
			if (set >> u & 1 && sweep_holds(d, u))
				from = sender[u];
		if (from == NO_RANK || direction_axes(d) >> grid->grid->dims)
			continue;
		s.blocks = sweep_blocks(x, grid, d, from);
		s.messages = s.blocks * sweep_links(grid, d);
		if (s.blocks && (!best.blocks || sweep_is_better(&s, &best))) {
			best = s;
			at = x->sweep_at;
			x->sweep_at = x->best_at;
			x->best_at = at;
		}
	}
	if (!best.blocks)
		return true;
	at = x->sweep_at;
	x->sweep_at = x->best_at;
	x->best_at = at;
	if (!bag_close(x))
		return false;
	step = step_add(x);
	if (!step || !consume_to(x, step, false))
		return false;
	step->blocks = best.blocks;
	step->explained = 1;
	step->key = (struct pattern_key){.kind = PATTERN_SWEEP, .root = sweep_corner(grid->grid, best.direction)};
	for (uint32_t i = 0; i < grid->grid->dims; i++) {
		int32_t s = direction_step(best.direction, (int)i);

		step->key.side[i] = grid->grid->side[i];
		step->key.directions |= s ? 1u << direction_unit((int)i, s > 0) : 0;
	}
	drop_consumed(x);
	*done = true;
	return true;
}

/* One from -o and one to +o, as far as these exist, from the cursor on: the event behind them; NO_EVENT: it is not so. */
static uint32_t pass_shift(const struct parser *x, const struct lattice *grid, uint32_t process, uint32_t unit)
{
	struct sweep_role r = sweep_role(grid, process, unit);
	uint32_t begin = x->cursor[process], end = x->t->first[process + 1];
	uint32_t e = pass_one_of_each(x, begin, end, EVENT_RECEIVE, r.up, r.ups);

	if (e != NO_EVENT)
		e = pass_one_of_each(x, e, end, EVENT_SEND, r.down, r.downs);
	if (e != NO_EVENT)
		return e;
	e = pass_one_of_each(x, begin, end, EVENT_SEND, r.down, r.downs);
	return e == NO_EVENT ? e : pass_one_of_each(x, e, end, EVENT_RECEIVE, r.up, r.ups);
}

/* sweep_at[] is where it ends on each process then. */
static bool shift_fits(struct parser *x, struct lattice *grid, uint32_t unit, uint32_t sender)
{
	const struct trace *t = x->t;

	if (pass_shift(x, grid, grid->shift_contradicts[unit], unit) == NO_EVENT || pass_shift(x, grid, sender, unit) == NO_EVENT)
		return false;
	for (uint32_t p = 0; p < t->process_count; p++) {
		x->sweep_at[p] = pass_shift(x, grid, p, unit);
		if (x->sweep_at[p] == NO_EVENT) {
			grid->shift_contradicts[unit] = p;
			return false;
		}
	}
	return is_closed(x, x->sweep_at);
}

static bool consume_shift(struct parser *x, struct lattice *grid, bool *done)
{
	uint32_t sender[DIRECTIONS] = {0}, set = ready_directions(x, grid, sender);
	struct step *step;

	*done = false;
	for (uint32_t u = 0; u < DIRECTIONS; u++) {
		if (!(set >> u & 1) || !shift_fits(x, grid, u, sender[u]))
			continue;
		if (!bag_close(x))
			return false;
		step = step_add(x);
		if (!step || !consume_to(x, step, true) || !step_classify(x, step))
			return false;
		drop_consumed(x);
		*done = true;
		return true;
	}
	return true;
}

/* --- exchanges --- */

/* The processes of the atom that the process is at, into x->processes. */
static bool atom_processes(struct parser *x, uint32_t process)
{
	const struct trace *t = x->t;
	uint32_t at = x->processes.count, atom = x->atoms->of[x->cursor[process]];

	x->in_step[process] = true;
	if (!event_push(&x->processes, process))
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
					if (!event_push(&x->processes, q))
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
	struct step *step = step_add(x);
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
				step_count(step, t, e);
				if (!link_push(x, p, message_partner(x->t, e)))
					return false;
			} else if (EVENT_KIND(t->type[e]) == EVENT_COLLECTIVE && t->match[e] <= e) {
				/* Once for each: at the last of its members. */
				step_add_call(x, step, &calls, e);
			}
		}
		if (!cursor_set(x, p, e))
			return false;
	}
	if (!step_classify(x, step))
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
		for (uint32_t k = 0; k < x->x->op_count; k++)
			if (strcmp(x->x->ops[k], word) == 0)
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
		return bag_close(x) && consume_calls(x);
	/* A line of all ranks is tried besides the grid: a program may use both. Only a sweep proves it. */
	if (x->ready[ATOM_ONE_WAY].count && !x->one_way_tried) {
		if (!consume_sweep(x, &x->own, &done) || done || !consume_sweep(x, &x->line, &done) || done || !consume_shift(x, &x->own, &done) || done)
			return done;
		x->one_way_tried = true;
	}
	if (x->stopped)
		return false;
	if (x->ready[ATOM_SEVERAL].count)
		return bag_close(x) && consume_exchanges(x);
	return consume_fragment(x);
}

enum err_code parse_run(struct steps *steps, struct patterns *patterns, struct shapes *shapes, struct atoms *atoms, const struct progress *progress,
			struct err *e)
{
	struct parser x = {.t = patterns->trace, .grid = &patterns->grid, .x = patterns, .shapes = shapes, .atoms = atoms, .steps = steps, .progress = progress};
	enum err_code code = parser_init(&x, e);
	uint64_t rounds = 0, polled = 0;

	for (uint32_t p = 0; !code && p < x.t->process_count; p++)
		x.cursor[p] = x.t->first[p];
	for (uint32_t p = 0; !code && p < x.t->process_count; p++)
		if (!cursor_set(&x, p, x.t->first[p]))
			code = err_memory(e, "patterns");
	while (!code && (x.ready[ATOM_CALL].count || x.ready[ATOM_ONE_WAY].count || x.ready[ATOM_SEVERAL].count)) {
		if (!parse_round(&x) && !x.stopped)
			code = err_memory(e, "patterns");
		if (!code && (x.stopped || x.consumed - polled >= POLL || ++rounds % POLL_ROUNDS == 0)) {
			polled = x.consumed;
			code = progress_step(progress, PROGRESS_PATTERNS, (x.t->event_count + x.consumed) / 2, x.t->event_count, e);
		}
	}
	if (!code && !bag_close(&x))
		code = err_memory(e, "patterns");
	parser_release(&x);
	return code;
}
