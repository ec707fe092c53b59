/* Sweeps and shifts: single messages to neighbours on a grid, in the order in which they depend on each other
 * (docs/explain/patterns.md, "Sweeps"). */
#include "patterns_int.h"

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

static struct sweep_role sweep_role(const struct lattice *lattice, uint32_t process, uint32_t direction)
{
	struct sweep_role r = {.ups = 0};

	for (uint32_t i = 0; i < lattice->grid->dims; i++) {
		int32_t step = direction_step(direction, (int)i);
		uint32_t up, down;

		if (!step)
			continue;
		up = lattice->near[process][2 * i + (step < 0)];
		down = lattice->near[process][2 * i + (step > 0)];
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
static bool process_contradicts(struct parser *x, struct lattice *lattice, uint32_t process, uint32_t direction)
{
	struct sweep_role r = sweep_role(lattice, process, direction);

	x->sweep_at[process] = x->cursor[process];
	x->sweep_count[process] = 0;
	return (r.ups || r.downs) && !count_blocks(x, process, &r, 1);
}

/* How many blocks all processes show; 0: it is no sweep. sweep_at[] is where they end then. `sender` sends a message
 * that is ready. */
static uint32_t sweep_blocks(struct parser *x, struct lattice *lattice, uint32_t direction, uint32_t sender)
{
	const struct trace *t = x->t;
	bool ordered = false;

	if (process_contradicts(x, lattice, lattice->contradicts[direction], direction) || process_contradicts(x, lattice, sender, direction))
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
			struct sweep_role r = sweep_role(lattice, p, direction);
			uint32_t n;

			if (!r.ups && !r.downs)
				continue;
			ordered = ordered || (r.ups && r.downs);
			n = count_blocks(x, p, &r, reached);
			if (!n)
				lattice->contradicts[direction] = p;
			reached = n < reached ? n : reached;
		}
		if (reached < limit) {
			if (!reached || (!ordered && reached < 3))
				return 0;
			for (uint32_t p = 0; p < t->process_count; p++)
				if (x->sweep_count[p] > reached) {
					struct sweep_role r = sweep_role(lattice, p, direction);

					x->sweep_at[p] = cursor_after(x, p, (uint64_t)reached * (r.ups + r.downs));
				}
			return is_closed(x, x->sweep_at) ? reached : 0;
		}
	}
}

static uint64_t sweep_links(const struct lattice *lattice, uint32_t direction)
{
	uint64_t links = 0;

	for (int i = 0; i < GRID_DIMS; i++) {
		int32_t step = direction_step(direction, i);

		if (step)
			links += direction_links(lattice->grid, direction_unit(i, step > 0), 0);
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
			step_add_message(step, t, e);
			if (gather && !parser_link(x, p, message_partner(x->t, e)))
				return false;
		}
		if (x->cursor[p] < x->sweep_at[p] && !parser_come(x, p, x->sweep_at[p]))
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
static uint32_t ready_directions(const struct parser *x, const struct lattice *lattice, uint32_t *sender)
{
	const struct event_list *ready = &x->ready[ATOM_ONE_WAY];
	uint32_t set = 0;

	for (uint32_t i = 0; i < ready->count; i++) {
		uint32_t e = ready->list[i], send = EVENT_KIND(x->t->type[e]) == EVENT_SEND ? e : x->t->match[e];
		uint32_t p = message_partner(x->t, x->t->match[send]), q = message_partner(x->t, send);

		for (int k = 0; k < 2 * GRID_DIMS; k++)
			if (lattice->near[p][k] == q) {
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

bool parser_consume_sweep(struct parser *x, struct lattice *lattice, bool *done)
{
	uint32_t sender[DIRECTIONS] = {0}, set = ready_directions(x, lattice, sender);
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
		if (from == NO_RANK || direction_axes(d) >> lattice->grid->dims)
			continue;
		s.blocks = sweep_blocks(x, lattice, d, from);
		s.messages = s.blocks * sweep_links(lattice, d);
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
	if (!parser_close_bag(x))
		return false;
	step = parser_step_add(x);
	if (!step || !consume_to(x, step, false))
		return false;
	step->blocks = best.blocks;
	step->explained = 1;
	step->key = (struct pattern_key){.kind = PATTERN_SWEEP, .root = sweep_corner(lattice->grid, best.direction)};
	key_set_grid(&step->key, lattice->grid);
	for (uint32_t i = 0; i < lattice->grid->dims; i++) {
		int32_t s = direction_step(best.direction, (int)i);

		step->key.directions |= s ? 1u << direction_unit((int)i, s > 0) : 0;
	}
	drop_consumed(x);
	*done = true;
	return true;
}

/* One from -o and one to +o, as far as these exist, from the cursor on: the event behind them; NO_EVENT: it is not so. */
static uint32_t pass_shift(const struct parser *x, const struct lattice *lattice, uint32_t process, uint32_t unit)
{
	struct sweep_role r = sweep_role(lattice, process, unit);
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
static bool shift_fits(struct parser *x, struct lattice *lattice, uint32_t unit, uint32_t sender)
{
	const struct trace *t = x->t;

	if (pass_shift(x, lattice, lattice->shift_contradicts[unit], unit) == NO_EVENT || pass_shift(x, lattice, sender, unit) == NO_EVENT)
		return false;
	for (uint32_t p = 0; p < t->process_count; p++) {
		x->sweep_at[p] = pass_shift(x, lattice, p, unit);
		if (x->sweep_at[p] == NO_EVENT) {
			lattice->shift_contradicts[unit] = p;
			return false;
		}
	}
	return is_closed(x, x->sweep_at);
}

bool parser_consume_shift(struct parser *x, struct lattice *lattice, bool *done)
{
	uint32_t sender[DIRECTIONS] = {0}, set = ready_directions(x, lattice, sender);
	struct step *step;

	*done = false;
	for (uint32_t u = 0; u < DIRECTIONS; u++) {
		if (!(set >> u & 1) || !shift_fits(x, lattice, u, sender[u]))
			continue;
		if (!parser_close_bag(x))
			return false;
		step = parser_step_add(x);
		if (!step || !consume_to(x, step, true) || !parser_classify(x, step))
			return false;
		drop_consumed(x);
		*done = true;
		return true;
	}
	return true;
}
