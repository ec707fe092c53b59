/* Consecutive steps that belong together become one instance of a pattern (docs/explain/patterns.md, "Steps together").
 * One pass over the steps for each rule, in their order. A step that is part of an instance of several steps is no
 * longer looked at. */
#include "patterns_int.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/base/order.h"

#define HALO_STEPS 64         /* of one halo, at most */
#define SCHEDULE_STEPS 64     /* of all pairs: of longer ones that are not complete no part is looked for */
#define POLL 4096             /* steps between two looks at progress */
#define SMALL_MESSAGE 64      /* bytes: a butterfly on a grid whose sides are all 2 sends no more */

struct combiner {
	struct patterns *x;
	struct shapes *shapes;
	struct step *steps;
	uint32_t count;
	uint32_t *head;           /* per step: the first of its instance */
	bool *joined;             /* per step: part of an instance of several */
	struct link *links;       /* scratch: links of the run that is looked at */
	uint8_t *times;           /* the steps that each of them is in, where that is asked */
	size_t link_count, links_cap, times_cap;
	struct index index;       /* of these */
	uint32_t *group;          /* per process: union-find */
	uint32_t *seen;           /* per process: the run in which it was met last */
	uint32_t run;
	const struct progress *progress;
	bool stopped;
};

static bool combine_stopped(struct combiner *c, uint32_t step)
{
	c->stopped = c->stopped || (step % POLL == 0 && progress_stopped(c->progress));
	return c->stopped;
}

static const struct shape *shape_of(const struct combiner *c, uint32_t step)
{
	uint32_t shape = c->steps[step].shape;

	return shape == SHAPE_NONE || c->joined[step] ? NULL : &c->shapes->list[shape];
}

/* Steps [first, end) become one, of this key. */
static void steps_combine(struct combiner *c, uint32_t first, uint32_t end, const struct pattern_key *key, double explained, double fill)
{
	struct step *head = &c->steps[first];

	for (uint32_t i = first; i < end; i++) {
		struct step *s = &c->steps[i];

		c->joined[i] = true;
		c->head[i] = first;
		if (i == first)
			continue;
		head->messages += s->messages;
		head->calls += s->calls;
		head->sized += s->sized;
		head->bytes += s->bytes;
	}
	head->key = *key;
	head->explained = explained;
	head->fill = fill;
}

/* --- sets of links --- */

static uint64_t hash_link_of(const struct link *l)
{
	return hash_mix(hash_mix(0, l->from), l->to);
}

static uint64_t hash_link(const void *links, uint32_t i)
{
	return hash_link_of((const struct link *)links + i);
}

static bool same_link(const void *links, uint32_t i, const void *key)
{
	const struct link *l = links, *k = key;

	return l[i].from == k->from && l[i].to == k->to;
}

static void links_clear(struct combiner *c)
{
	/* A large set once would make clearing of all later ones expensive. */
	if (c->index.size > 64 * (c->link_count + 64))
		index_release(&c->index);
	else
		index_clear(&c->index);
	c->link_count = 0;
}

/* Adds the links of a shape; *fresh: how many were not there. False: no memory. */
static bool links_add(struct combiner *c, const struct shape *shape, uint32_t *fresh)
{
	*fresh = 0;
	for (uint32_t i = 0; i < shape->count; i++) {
		struct link l = c->shapes->links[shape->first + i], *more;
		uint8_t *times;
		uint32_t *slot = index_slot(&c->index, hash_link_of(&l), c->links, (uint32_t)c->link_count, same_link, hash_link, &l);

		if (!slot)
			return false;
		if (*slot)
			continue;
		more = mem_grow(c->links, c->link_count, &c->links_cap, sizeof *more);
		if (!more)
			return false;
		c->links = more;
		times = mem_grow(c->times, c->link_count, &c->times_cap, sizeof *times);
		if (!times)
			return false;
		c->times = times;
		c->times[c->link_count] = 1;
		c->links[c->link_count++] = l;
		*slot = (uint32_t)c->link_count;
		++*fresh;
	}
	return true;
}

/* --- rule 1: trees and stars in pieces; token rings --- */

/* The class of both steps' messages together. */
static bool classify_together(struct combiner *c, uint32_t a, uint32_t b, uint32_t *shape)
{
	struct link *links;
	size_t n = 0;
	bool ok;

	links = mem_alloc((size_t)c->steps[a].messages + c->steps[b].messages, sizeof *links);
	if (!links)
		return false;
	for (int k = 0; k < 2; k++) {
		const struct shape *s = &c->shapes->list[c->steps[k ? b : a].shape];

		for (uint32_t i = 0; i < s->count; i++)
			for (uint32_t m = 0; m < c->shapes->counts[s->first + i]; m++)
				links[n++] = c->shapes->links[s->first + i];
	}
	ok = shapes_find(c->shapes, links, (uint32_t)n, shape);
	mem_free(links);
	return ok;
}

/* A shift: one unit offset, of which nothing wraps. */
static bool step_is_shift(const struct combiner *c, uint32_t i)
{
	const struct shape *s = shape_of(c, i);

	return s && !c->steps[i].fragment && is_one_bit(s->directions) && !s->wraps;
}

static bool join_trees(struct combiner *c)
{
	for (uint32_t i = 0; i + 1 < c->count; i++) {
		uint32_t shape;
		const struct shape *s;

		if (combine_stopped(c, i))
			return false;
		if (!shape_of(c, i) || !shape_of(c, i + 1) || c->steps[i].key.kind == PATTERN_SWEEP || c->steps[i + 1].key.kind == PATTERN_SWEEP)
			continue;
		if (!((c->steps[i].fragment && step_is_shift(c, i + 1)) || (c->steps[i + 1].fragment && step_is_shift(c, i))))
			continue;
		/* The link sets of a tree or a star have fewer links than there are processes. */
		if ((uint64_t)c->shapes->list[c->steps[i].shape].count + c->shapes->list[c->steps[i + 1].shape].count > 2 * (uint64_t)c->x->trace->process_count)
			continue;
		if (!classify_together(c, i, i + 1, &shape))
			return false;
		s = &c->shapes->list[shape];
		if (key_is_rooted(&s->key))
			steps_combine(c, i, i + 2, &s->key, s->explained, s->fill);
	}
	return true;
}

/* The process at the other end of a 1-D sweep than its root. */
static uint32_t sweep_end(const struct combiner *c, const struct step *s)
{
	const struct pattern_grid *g = &c->x->grid;
	uint32_t last = s->key.side[0] - 1;

	/* A grid of one dimension is the line of all processes, in its own order if that is permuted. */
	if (g->dims == 1 && g->rank)
		return s->key.root == g->rank[0] ? g->rank[last] : g->rank[0];
	return s->key.root ? 0 : last;
}

/* The message that closes the ring behind, or before, a 1-D sweep of one block. */
static bool closes_ring(const struct combiner *c, uint32_t sweep, uint32_t message)
{
	const struct step *s = &c->steps[sweep];
	const struct shape *m = shape_of(c, message);
	struct link l;

	if (s->key.kind != PATTERN_SWEEP || c->joined[sweep] || s->shape != SHAPE_NONE || s->blocks != 1 || s->key.side[1] || !m || m->messages != 1)
		return false;
	l = c->shapes->links[m->first];
	return l.to == s->key.root && l.from == sweep_end(c, s);
}

static void join_tokens(struct combiner *c)
{
	struct pattern_key key = {.kind = PATTERN_TOKEN, .members = c->x->trace->process_count};

	for (uint32_t i = 0; i + 1 < c->count; i++)
		if (closes_ring(c, i, i + 1) || closes_ring(c, i + 1, i)) {
			steps_combine(c, i, i + 2, &key, 1, 0);
			i++;
		}
}

/* --- rule 2: all pairs by a schedule, rings --- */

/* Joins the ends of a shape's links; how many groups fewer there are. */
static uint32_t groups_join(struct combiner *c, const struct shape *shape, uint32_t *met)
{
	uint32_t joined = 0;

	for (uint32_t i = 0; i < shape->count; i++) {
		struct link l = c->shapes->links[shape->first + i];
		uint32_t end[2] = {l.from, l.to};

		for (int k = 0; k < 2; k++)
			if (c->seen[end[k]] != c->run) {
				c->seen[end[k]] = c->run;
				c->group[end[k]] = end[k];
				++*met;
			}
		joined += set_join(c->group, l.from, l.to);
	}
	return joined;
}

/* The most steps from `first` on that are, together, complete groups; 0: none. *looked: steps that were looked at. */
static bool all_pairs_from(struct combiner *c, uint32_t first, uint32_t *steps, uint32_t *size, uint32_t *looked)
{
	const struct shape *s = shape_of(c, first);
	uint32_t met = 0, groups, joined = 0, of = s->count;

	*steps = *looked = 0;
	links_clear(c);
	c->run++;
	for (uint32_t i = first; i < c->count; i++) {
		uint32_t fresh, n = i - first + 1;

		*looked = n;
		s = shape_of(c, i);
		if (!s || !s->permutes || s->messages != s->count || s->count != of)
			break;
		if (!links_add(c, s, &fresh))
			return false;
		if (fresh != of)
			break;
		joined += groups_join(c, s, &met);
		groups = met - joined;
		/* Each process has n links out, none twice: its group is complete if it has n + 1 members. */
		if (met != of)
			break;
		if (n >= 3 && groups * (uint64_t)(n + 1) == met) {
			*steps = n;
			*size = n + 1;
		}
	}
	return true;
}

static bool join_all_pairs(struct combiner *c)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const struct shape *s = shape_of(c, i), *next = i + 1 < c->count ? shape_of(c, i + 1) : NULL;
		uint32_t steps, size = 0, looked;

		if (combine_stopped(c, i))
			return false;
		if (!s || !next || !s->permutes || !next->permutes || s == next)
			continue;
		if (!all_pairs_from(c, i, &steps, &size, &looked))
			return false;
		if (steps) {
			struct pattern_key key = {.kind = PATTERN_ALL_PAIRS, .members = size, .groups = s->count / size};

			steps_combine(c, i, i + steps, &key, 1, 0);
			i += steps - 1;
		} else if (looked > SCHEDULE_STEPS) {
			/* Long and not complete: no end of it is looked at again, which would be quadratic. */
			i += looked - 2;
		}
	}
	return true;
}

static void join_rings(struct combiner *c)
{
	uint32_t processes = c->x->trace->process_count;

	for (uint32_t i = 0, end; i < c->count; i = end) {
		end = i + 1;
		if (c->joined[i] || c->steps[i].key.kind != PATTERN_RING_SHIFT)
			continue;
		while (end < c->count && !c->joined[end] && c->steps[end].shape == c->steps[i].shape &&
		       step_mean(&c->steps[end]) == step_mean(&c->steps[i]))
			end++;
		if (end - i == processes - 1 && c->steps[i].explained == 1) {
			struct pattern_key key = {.kind = PATTERN_RING, .members = processes, .number = c->steps[i].key.number};

			steps_combine(c, i, end, &key, 1, 0);
		}
	}
}

/* --- rule 3: butterflies --- */

/* An exchange of all in pairs, one message a way, of known sizes. */
static uint32_t butterfly_mask(const struct combiner *c, uint32_t i)
{
	const struct shape *s = shape_of(c, i);

	return s && c->steps[i].sized && s->key.kind == PATTERN_PAIRS && s->explained == 1 && s->most_on_link == 1 && is_one_bit(s->key.number) ? s->key.number : 0;
}

static bool same_step(const struct combiner *c, uint32_t a, uint32_t b)
{
	return c->steps[a].shape == c->steps[b].shape && sizes_agree(step_mean(&c->steps[a]), step_mean(&c->steps[b]));
}

/* How sizes go on from step to step: the kind of pattern that this is; PATTERN_KINDS: none. */
static enum pattern_kind butterfly_kind(const struct combiner *c, uint32_t i)
{
	double a = step_mean(&c->steps[i]), b = step_mean(&c->steps[i + 1]);

	if (sizes_agree(a, b))
		return PATTERN_BUTTERFLY;
	if (sizes_agree(a, 2 * b))
		return PATTERN_HALVING;
	return sizes_agree(2 * a, b) ? PATTERN_DOUBLING : PATTERN_KINDS;
}

/* Do all these links close groups of 2^steps? Each process takes part in every step. */
static bool butterfly_is_whole(const struct combiner *c, uint32_t first, uint32_t end)
{
	uint32_t links = c->shapes->list[c->steps[first].shape].count;

	for (uint32_t i = first; i < end; i++)
		if (c->shapes->list[c->steps[i].shape].count != links)
			return false;
	return links == c->x->trace->process_count && links % (1u << (end - first)) == 0;
}

static void join_butterflies(struct combiner *c)
{
	const struct pattern_grid *g = &c->x->grid;
	bool hypercube = g->dims > 0;

	for (uint32_t i = 0; i < g->dims; i++)
		hypercube = hypercube && g->side[i] == 2;
	for (uint32_t i = 0, end; i < c->count; i = end) {
		enum pattern_kind kind = PATTERN_KINDS;
		uint32_t mask = butterfly_mask(c, i), next = i + 1 < c->count ? butterfly_mask(c, i + 1) : 0;
		bool up = next == 2 * mask, down = mask == 2 * next;

		end = i + 1;
		if (!mask || !next || !(up || down))
			continue;
		kind = butterfly_kind(c, i);
		if (kind == PATTERN_KINDS)
			continue;
		while (end < c->count && end - i < 31) {
			uint32_t before = butterfly_mask(c, end - 1), m = butterfly_mask(c, end);

			if (!m || m != (up ? 2 * before : before / 2) || butterfly_kind(c, end - 1) != kind)
				break;
			end++;
		}
		if ((i && shape_of(c, i - 1) && same_step(c, i - 1, i)) || (end < c->count && shape_of(c, end) && same_step(c, end - 1, end)) ||
		    !butterfly_is_whole(c, i, end) || (kind == PATTERN_BUTTERFLY && hypercube && step_mean(&c->steps[i]) > SMALL_MESSAGE)) {
			end = i + 1;
			continue;
		}
		steps_combine(c, i, end, &(struct pattern_key){.kind = kind, .members = 1u << (end - i), .groups = c->x->trace->process_count >> (end - i)}, 1, 0);
	}
}

/* --- rule 4: halos --- */

static bool side_is_large(const struct pattern_grid *g, unsigned axes)
{
	for (uint32_t i = 0; i < g->dims; i++)
		if (axes >> i & 1 && g->side[i] <= 2)
			return false;
	return true;
}

/* Next to a step of the same links with sizes that are unlike, or of the same one direction: part of a line solve. */
static bool step_repeats(const struct combiner *c, uint32_t i)
{
	const struct shape *s = shape_of(c, i);
	bool shift = is_one_bit(s->directions) && side_is_large(&c->x->grid, directions_axes(s->directions));

	for (int k = 0; k < 2; k++) {
		uint32_t other = k ? i + 1 : i - 1;

		if ((k ? other >= c->count : !i) || !shape_of(c, other) || c->steps[other].shape != c->steps[i].shape)
			continue;
		if (shift || !sizes_agree(step_mean(&c->steps[i]), step_mean(&c->steps[other])))
			return true;
	}
	return false;
}

static bool step_fits_halo(const struct combiner *c, uint32_t i)
{
	const struct shape *s = shape_of(c, i);

	return s && s->directions && c->steps[i].key.kind != PATTERN_SWEEP && !step_repeats(c, i);
}

/* What a run of steps is up to and with the last. */
struct halo {
	uint32_t directions;
	unsigned wraps, twice;    /* bits of dimensions; twice: a side of 2 of which some link occurred in two steps */
	uint64_t links;           /* none twice */
	double fill;              /* of the links that its directions have */
};

static bool halo_is_whole(const struct pattern_grid *g, struct halo *h)
{
	uint64_t possible = 0;

	if (!directions_are_symmetric(h->directions))
		return false;
	for (uint32_t d = 0; d < DIRECTIONS; d++)
		if (h->directions >> d & 1)
			possible += direction_links(g, d, h->wraps);
	h->fill = (double)h->links / (double)possible;
	return h->fill >= PATTERN_ENOUGH;
}

/* Does the step go on with the halo? *twice: dimensions of which a link is there for the second time. */
static bool halo_add_step(struct combiner *c, const struct halo *h, const struct shape *s, unsigned *twice, uint32_t *fresh, bool *ok)
{
	unsigned axes = directions_axes(s->directions);

	*twice = 0;
	*ok = true;
	for (uint32_t i = 0; h->directions & s->directions && i < s->count; i++) {
		const struct link *l = &c->shapes->links[s->first + i];
		uint32_t at = index_find(&c->index, hash_link_of(l), c->links, same_link, l);

		if (!at)
			continue;
		if (axes & (axes - 1) || c->x->grid.side[__builtin_ctz(axes)] != 2 || c->times[at - 1]++ > 1)
			return false;
		*twice = axes;
	}
	*ok = links_add(c, s, fresh);
	return *ok;
}

static bool halo_from(struct combiner *c, uint32_t first, uint32_t *end, struct halo *found)
{
	const struct pattern_grid *g = &c->x->grid;
	struct halo h = {0};
	double size[GRID_DIMS] = {0};
	unsigned open = 0, closed = 0;

	*end = first;
	links_clear(c);
	for (uint32_t i = first; i < c->count && i - first < HALO_STEPS; i++) {
		const struct shape *s = step_fits_halo(c, i) ? shape_of(c, i) : NULL;
		unsigned axes, twice, axis;
		uint32_t fresh;
		bool ok;

		if (!s)
			return true;
		axes = directions_axes(s->directions);
		if (axes & closed)
			return true;
		axis = (unsigned)__builtin_ctz(axes);
		if (axes & (axes - 1)) {
			if (axes & open)
				return true;
		} else if (open & axes) {
			if (!sizes_agree(size[axis], step_mean(&c->steps[i])))
				return true;
		} else {
			size[axis] = step_mean(&c->steps[i]);
		}
		if (!halo_add_step(c, &h, s, &twice, &fresh, &ok))
			return ok;
		/* A step of several axes has all of them to itself. */
		closed |= axes & (axes - 1) ? open | axes : open & ~axes;
		open = axes & (axes - 1) ? 0 : axes;
		h.directions |= s->directions;
		h.wraps |= s->wraps;
		h.twice |= twice;
		h.links += fresh;
		if (halo_is_whole(g, &h)) {
			*end = i + 1;
			*found = h;
		}
	}
	return true;
}

/* A step of several axes has them to itself: can the next one be of others at all? */
static bool halo_is_alone(const struct combiner *c, uint32_t i)
{
	unsigned axes = directions_axes(shape_of(c, i)->directions), next = directions_axes(shape_of(c, i + 1)->directions);

	return axes & (axes - 1) && axes & next;
}

static bool join_halos(struct combiner *c)
{
	const struct pattern_grid *g = &c->x->grid;

	for (uint32_t i = 0; g->dims && i < c->count; i++) {
		struct halo h = {0};
		uint32_t end;

		if (combine_stopped(c, i))
			return false;
		if (!step_fits_halo(c, i) || i + 1 == c->count || !step_fits_halo(c, i + 1) || halo_is_alone(c, i))
			continue;
		if (!halo_from(c, i, &end, &h))
			return false;
		if (end >= i + 2) {
			struct pattern_key key = {.kind = PATTERN_NEIGHBOURS, .directions = h.directions, .periodic = h.wraps | h.twice};

			key_set_grid(&key, g);
			/* Two processes exchange in a pair, unless each has the other on both sides. */
			if (g->dims == 1 && g->side[0] == 2 && !h.twice)
				key = (struct pattern_key){.kind = PATTERN_PAIRS, .number = 1};
			steps_combine(c, i, end, &key, 1, h.fill);
			i = end - 1;
		}
	}
	return true;
}

/* --- rule 5: line solves --- */

/* The one direction of a periodic shift; DIRECTIONS: it is none. */
static uint32_t periodic_shift(const struct combiner *c, uint32_t i)
{
	const struct step *s = &c->steps[i];

	if (c->joined[i] || s->shape == SHAPE_NONE || s->key.kind != PATTERN_NEIGHBOURS || !s->key.periodic || !is_one_bit(s->key.directions))
		return DIRECTIONS;
	return (uint32_t)__builtin_ctz(s->key.directions);
}

static void join_line_solves(struct combiner *c)
{
	for (uint32_t i = 0, end; i < c->count; i = end) {
		uint32_t there = periodic_shift(c, i), n;

		end = i + 1;
		if (there == DIRECTIONS)
			continue;
		while (end < c->count && periodic_shift(c, end) == there)
			end++;
		n = end - i;
		if (n < 2)
			continue;
		for (uint32_t back = 0; back < n && end + back < c->count && periodic_shift(c, end + back) == direction_opposite(there); back++)
			if (back + 1 == n && (end + n == c->count || periodic_shift(c, end + n) != direction_opposite(there))) {
				struct pattern_key key = c->steps[i].key;
				double fill = 1;

				key.kind = PATTERN_LINE_SOLVE;
				key.number = n;
				/* Either way is the same: the slowest dimension is the one that goes up. */
				key.directions = 1u << (there > direction_opposite(there) ? there : direction_opposite(there));
				for (uint32_t k = i; k < end + n; k++)
					fill = c->steps[k].fill < fill ? c->steps[k].fill : fill;
				steps_combine(c, i, end + n, &key, fill, fill);
				end += n;
				break;
			}
	}
}

/* --- all --- */

static enum err_code make_instances(struct combiner *c, uint32_t *into, struct err *e)
{
	struct patterns *x = c->x;
	struct pattern_table table = {0};
	size_t cap = 0;
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < c->count; i++) {
		const struct step *s = &c->steps[i];
		struct pattern_instance *more;
		struct pattern *p;
		uint32_t pattern;

		if (c->head[i] != i) {
			into[i] = into[c->head[i]];
			continue;
		}
		pattern = pattern_intern(x, &table, &s->key);
		more = pattern == UINT32_MAX ? NULL : mem_grow(x->instances, x->instance_count, &cap, sizeof *more);
		if (!more) {
			code = err_memory(e, "patterns");
			break;
		}
		x->instances = more;
		p = &x->list[pattern];
		p->blocks = !p->times || p->blocks == s->blocks ? s->blocks : 0;
		p->fill = !p->times || s->fill < p->fill ? s->fill : p->fill;
		p->times++;
		into[i] = x->instance_count;
		x->instances[x->instance_count++] = (struct pattern_instance){.pattern = pattern, .messages = s->messages, .calls = s->calls,
									      .sized = s->sized, .bytes = s->bytes, .explained = s->explained};
	}
	index_release(&table.index);
	return code;
}

/* In order; each goes over all steps. False: no memory, or stopped. */
static bool apply_rules(struct combiner *c)
{
	if (!join_trees(c))
		return false;
	join_tokens(c);
	if (!join_all_pairs(c))
		return false;
	join_rings(c);
	join_butterflies(c);
	if (!join_halos(c))
		return false;
	join_line_solves(c);
	return true;
}

enum err_code combine_steps(struct patterns *x, struct shapes *shapes, struct steps *steps, uint32_t *into, const struct progress *progress,
			    struct err *e)
{
	struct combiner c = {.x = x, .shapes = shapes, .steps = steps->list, .count = steps->count, .progress = progress};
	uint32_t n = x->trace->process_count;
	enum err_code code = ERR_OK;

	c.head = mem_alloc(steps->count, sizeof *c.head);
	c.joined = mem_zero(steps->count, sizeof *c.joined);
	c.group = mem_alloc(n, sizeof *c.group);
	c.seen = mem_zero(n, sizeof *c.seen);
	if (!c.head || !c.joined || !c.group || !c.seen)
		code = err_memory(e, "patterns");
	for (uint32_t i = 0; !code && i < c.count; i++)
		c.head[i] = i;
	if (!code && !apply_rules(&c) && !c.stopped)
		code = err_memory(e, "patterns");
	if (!code)
		code = progress_step(progress, PROGRESS_PATTERNS, x->trace->event_count, x->trace->event_count, e);
	if (!code)
		code = make_instances(&c, into, e);
	mem_free(c.head);
	mem_free(c.joined);
	mem_free(c.group);
	mem_free(c.seen);
	mem_free(c.links);
	mem_free(c.times);
	index_release(&c.index);
	return code;
}
