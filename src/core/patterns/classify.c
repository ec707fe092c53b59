/* What the links of a step are: the first row of the table that explains at least 95 % of its messages
 * (docs/explain/patterns.md, "What is recognized"). */
#include "patterns_int.h"

#include "core/base/search.h"

#define GROUP_LARGE 5         /* complete groups from here on are meant as such; smaller ones may be something else */

/* Per process. After each use only the entries of processes at an end of a link are cleared. */
struct classify_scratch {
	uint32_t processes;
	uint32_t *out, *in;       /* links that leave, arrive */
	uint32_t *group;          /* union-find */
	uint32_t *members;
};

struct classify_scratch *classify_scratch_new(uint32_t processes)
{
	struct classify_scratch *c = mem_zero(1, sizeof *c);

	if (!c)
		return NULL;
	c->processes = processes;
	c->out = mem_zero(processes, sizeof *c->out);
	c->in = mem_zero(processes, sizeof *c->in);
	c->group = mem_alloc(processes, sizeof *c->group);
	c->members = mem_zero(processes, sizeof *c->members);
	if (!c->out || !c->in || !c->group || !c->members) {
		classify_scratch_free(c);
		return NULL;
	}
	for (uint32_t p = 0; p < processes; p++)
		c->group[p] = p;
	return c;
}

void classify_scratch_free(struct classify_scratch *c)
{
	if (!c)
		return;
	mem_free(c->out);
	mem_free(c->in);
	mem_free(c->group);
	mem_free(c->members);
	mem_free(c);
}

/* The links that are looked at, and what all rows ask of them. */
struct bag {
	const struct pattern_grid *grid;
	struct classify_scratch *c;
	const struct link *links;
	const uint32_t *counts;
	uint32_t count, messages, processes;
	uint32_t touched;         /* processes at an end of some link */
	uint32_t senders, receivers;
	uint32_t to_self;         /* links */
	uint32_t most_out, most_in, least_out; /* links of a process; least_out of those that send */
	uint32_t from_alone, to_alone; /* processes that only send, only receive */
};

static void bag_count(struct bag *b)
{
	struct classify_scratch *c = b->c;

	for (uint32_t i = 0; i < b->count; i++) {
		struct link l = b->links[i];

		c->out[l.from]++;
		c->in[l.to]++;
		b->to_self += l.from == l.to;
	}
	b->least_out = UINT32_MAX;
	for (uint32_t i = 0; i < b->count; i++) {
		struct link l = b->links[i];

		/* Once for each process: at its first link. Links are sorted by sender. */
		if (!i || b->links[i - 1].from != l.from) {
			b->senders++;
			b->most_out = c->out[l.from] > b->most_out ? c->out[l.from] : b->most_out;
			b->least_out = c->out[l.from] < b->least_out ? c->out[l.from] : b->least_out;
			b->from_alone += !c->in[l.from];
		}
		if (c->members[l.to]++ == 0) {
			b->receivers++;
			b->most_in = c->in[l.to] > b->most_in ? c->in[l.to] : b->most_in;
			b->to_alone += !c->out[l.to];
		}
	}
	b->touched = b->senders + b->to_alone;
	for (uint32_t i = 0; i < b->count; i++)
		c->members[b->links[i].to] = 0;
}

static void bag_clear(struct bag *b)
{
	for (uint32_t i = 0; i < b->count; i++) {
		struct link l = b->links[i];

		b->c->out[l.from] = b->c->out[l.to] = 0;
		b->c->in[l.from] = b->c->in[l.to] = 0;
	}
}

/* Is there such a link? Links are sorted. */
static bool bag_has(const struct bag *b, uint32_t from, uint32_t to)
{
	const struct link link = {from, to};
	uint32_t low = SEARCH_PAST(i, 0u, b->count, order_links(&b->links[i], &link) < 0);

	return low < b->count && b->links[low].from == from && b->links[low].to == to;
}

/* --- the rows: each says what part of the messages it explains, 0: it does not fit --- */

struct row_result {
	struct pattern_key key;
	double explained, fill;
};

/* Disjoint complete groups of equal size: its group's size; 0: they are none. */
static uint32_t complete_group(struct bag *b)
{
	uint32_t *group = b->c->group, *members = b->c->members, size = 0, found = 0;
	bool complete = b->most_out == b->least_out && !b->to_self && b->senders == b->receivers && b->touched == b->senders;

	if (!complete)
		return 0;
	for (uint32_t i = 0; i < b->count; i++) {
		set_join(group, b->links[i].from, b->links[i].to);
	}
	for (uint32_t i = 0; i < b->count; i++)
		if (!i || b->links[i - 1].from != b->links[i].from)
			members[set_root(group, b->links[i].from)]++;
	/* All have as many links out; a group of that many and one is complete. */
	size = b->most_out + 1;
	for (uint32_t i = 0; i < b->count; i++)
		if (members[b->links[i].from]) {
			complete = complete && members[b->links[i].from] == size;
			found++;
			members[b->links[i].from] = 0;
		}
	for (uint32_t i = 0; i < b->count; i++) {
		group[b->links[i].from] = b->links[i].from;
		group[b->links[i].to] = b->links[i].to;
	}
	return complete && found ? size : 0;
}

static void row_all_pairs(struct bag *b, struct row_result *r, uint32_t least, uint32_t most)
{
	uint32_t size = complete_group(b);

	if (size < least || size > most)
		return;
	r->key = (struct pattern_key){.kind = PATTERN_ALL_PAIRS, .members = size, .groups = b->senders / size};
	r->explained = 1;
}

static uint32_t integer_root(uint32_t n)
{
	uint32_t r = (uint32_t)(sqrt((double)n) + 0.5);

	return r * r == n ? r : 0;
}

static void row_transpose(struct bag *b, struct row_result *r)
{
	uint32_t processes = b->processes, n = integer_root(processes), m = processes % 2 ? 0 : integer_root(processes / 2), fit = 0, fixed = 0, wanted;
	uint64_t messages = 0;

	if (processes < 4 || !(n || m > 1))
		return;
	for (uint32_t i = 0; i < b->count; i++) {
		uint32_t from = b->links[i].from;
		uint32_t to = n ? from % n * n + from / n : 2 * (from / 2 % m * m + from / 2 / m) + from % 2;

		if (to != b->links[i].to)
			continue;
		messages += b->counts[i];
		if (from == to)
			fixed++;
		else
			fit++;
	}
	wanted = processes - (n ? n : 2 * m);
	if (fit < PATTERN_ENOUGH * wanted || (processes == 4 && fixed < n))
		return;
	r->key = (struct pattern_key){.kind = PATTERN_TRANSPOSE, .side = {n ? n : 2 * m, n ? n : m}};
	r->explained = (double)messages / b->messages;
}

/* The most frequent of ranks further, round the ring. */
static void row_ring_shift(struct bag *b, struct row_result *r)
{
	uint32_t processes = b->processes, best = 0, by = 0;
	uint32_t *seen = b->c->members;
	uint64_t messages = 0;

	if (processes < 3 || b->senders < PATTERN_ENOUGH * processes)
		return;
	for (uint32_t i = 0; i < b->count; i++) {
		uint32_t k = (b->links[i].to + processes - b->links[i].from) % processes, n = ++seen[k];

		if (k && (n > best || (n == best && k < by))) {
			best = n;
			by = k;
		}
	}
	for (uint32_t i = 0; i < b->count; i++)
		seen[(b->links[i].to + processes - b->links[i].from) % processes] = 0;
	if (!by || best < PATTERN_ENOUGH * processes || 2 * by == processes)
		return;
	if (b->grid->dims > 1) {
		uint32_t common = 0, direction = DIRECTIONS;

		/* One unit offset on the grid is said as such. */
		for (uint32_t i = 0; i < b->count; i++)
			if ((b->links[i].to + processes - b->links[i].from) % processes == by) {
				struct grid_offset o = grid_offset(b->grid, b->links[i].from, b->links[i].to);
				uint32_t d = offset_direction(&o);

				if (!common++)
					direction = d;
				if (d != direction)
					direction = DIRECTIONS;
			}
		if (direction < DIRECTIONS && directions_unit >> direction & 1)
			return;
	}
	for (uint32_t i = 0; i < b->count; i++)
		if ((b->links[i].to + processes - b->links[i].from) % processes == by)
			messages += b->counts[i];
	r->key = (struct pattern_key){.kind = PATTERN_RING_SHIFT, .number = by};
	r->explained = (double)messages / b->messages;
}

/* Processes whose partner by these bits there is: of the highest bit both halves, as far as they are there. */
static uint64_t pair_partners(uint32_t mask, uint32_t processes)
{
	uint64_t half = UINT64_C(1) << (31 - __builtin_clz(mask)), rest = processes % (2 * half);

	return 2 * (processes / (2 * half) * half + (rest > half ? rest - half : 0));
}

/* of_all: nearly all processes that have a partner take part. */
static void row_pairs(struct bag *b, struct row_result *r, bool of_all)
{
	uint32_t mask = 0, fit = 0;
	uint64_t messages = 0, votes = 0;

	/* What explains nearly all messages has more than half of them: it wins a majority vote. */
	for (uint32_t i = 0; i < b->count; i++) {
		uint32_t m = b->links[i].from ^ b->links[i].to, n = b->counts[i];

		if (m == mask) {
			votes += n;
		} else if (n > votes) {
			mask = m;
			votes = n - votes;
		} else {
			votes -= n;
		}
	}
	if (!mask)
		return;
	for (uint32_t i = 0; i < b->count; i++)
		if ((b->links[i].from ^ b->links[i].to) == mask && bag_has(b, b->links[i].to, b->links[i].from)) {
			messages += b->counts[i];
			fit++;
		}
	if (of_all && fit < PATTERN_ENOUGH * (double)pair_partners(mask, b->processes))
		return;
	r->key = (struct pattern_key){.kind = PATTERN_PAIRS, .number = mask};
	r->explained = (double)messages / b->messages;
}

/* Directions on the grid that the links take, and what is asked of them. */
struct bag_directions {
	uint32_t links[DIRECTIONS];
	uint64_t messages[DIRECTIONS];
	uint64_t near;            /* messages to neighbours */
	uint32_t set;
	unsigned wraps;           /* bits of dimensions; of all in the set, and of each direction */
	unsigned wraps_of[DIRECTIONS];
};

static struct bag_directions bag_directions(const struct bag *b)
{
	struct bag_directions x = {0};

	for (uint32_t i = 0; i < b->count; i++) {
		struct grid_offset o = grid_offset(b->grid, b->links[i].from, b->links[i].to);
		uint32_t d = offset_direction(&o);

		if (d == DIRECTIONS || d == DIRECTION_NONE)
			continue;
		x.links[d]++;
		x.messages[d] += b->counts[i];
		x.near += b->counts[i];
		x.set |= 1u << d;
		for (int k = 0; k < GRID_DIMS; k++)
			x.wraps_of[d] |= o.wraps[k] ? 1u << k : 0;
		x.wraps |= x.wraps_of[d];
	}
	return x;
}

/* All directions that a grid has, diagonal ones too. */
static uint32_t directions_of_box(const struct pattern_grid *g)
{
	uint32_t set = 0;

	for (uint32_t d = 0; d < DIRECTIONS; d++)
		if (d != DIRECTION_NONE && direction_axes(d) < 1u << g->dims)
			set |= 1u << d;
	return set;
}

/* Offsets that only few places have, and that are few of the messages, are dropped: noise. */
static void drop_strays(const struct bag *b, struct bag_directions *x)
{
	for (;;) {
		uint32_t worst = DIRECTIONS;

		for (uint32_t d = 0; d < DIRECTIONS; d++)
			if (x->set >> d & 1 && x->links[d] < 0.5 * (double)direction_links(b->grid, d, x->wraps) &&
			    (worst == DIRECTIONS || x->messages[d] < x->messages[worst]))
				worst = d;
		if (worst == DIRECTIONS || (double)(x->near - x->messages[worst]) < PATTERN_ENOUGH * b->messages)
			return;
		x->set &= ~(1u << worst);
		x->near -= x->messages[worst];
		x->wraps = 0;
		for (uint32_t d = 0; d < DIRECTIONS; d++)
			x->wraps |= x->set >> d & 1 ? x->wraps_of[d] : 0;
	}
}

static double directions_fill(const struct bag *b, const struct bag_directions *x)
{
	uint64_t possible = 0, there = 0;

	for (uint32_t d = 0; d < DIRECTIONS; d++)
		if (x->set >> d & 1) {
			possible += direction_links(b->grid, d, x->wraps);
			there += x->links[d];
		}
	return possible ? (double)there / (double)possible : 0;
}

static bool directions_make_sense(const struct bag *b, uint32_t set)
{
	uint32_t diagonal = set & ~directions_unit, first = 0;
	bool side_of_two = false;

	for (uint32_t i = 0; i < b->grid->dims; i++)
		side_of_two = side_of_two || b->grid->side[i] == 2;
	if (diagonal && side_of_two)
		return set == directions_of_box(b->grid);
	if (set & directions_unit)
		return true;
	while (first < DIRECTIONS && !(set >> first & 1))
		first++;
	return first < DIRECTIONS && (set == 1u << first || set == (1u << first | 1u << direction_opposite(first)));
}

static void row_neighbours(struct bag *b, struct row_result *r, bool some)
{
	struct bag_directions x;

	if (!b->grid->dims)
		return;
	x = bag_directions(b);
	if (!some)
		drop_strays(b, &x);
	if ((double)x.near < PATTERN_ENOUGH * b->messages || !x.set)
		return;
	r->fill = directions_fill(b, &x);
	if (!some && (r->fill < PATTERN_ENOUGH || !directions_make_sense(b, x.set)))
		return;
	r->key = (struct pattern_key){.kind = some ? PATTERN_SOME_NEIGHBOURS : PATTERN_NEIGHBOURS, .directions = x.set, .periodic = x.wraps};
	if (some)
		r->key.fill = (uint32_t)(100 * r->fill + 0.5);
	key_set_grid(&r->key, b->grid);
	r->explained = some ? 0 : (double)x.near / b->messages;
}

/* The process at an end of all messages; UINT32_MAX: there is none. */
static uint32_t bag_root(const struct bag *b)
{
	uint32_t a = b->links[0].from, c = b->links[0].to;

	for (uint32_t i = 1; i < b->count; i++) {
		if (b->links[i].from != a && b->links[i].to != a)
			a = UINT32_MAX;
		if (b->links[i].from != c && b->links[i].to != c)
			c = UINT32_MAX;
	}
	return a != UINT32_MAX && c != UINT32_MAX && a != c ? (b->senders > 1 ? c : a) : a != UINT32_MAX ? a : c;
}

static void row_star(struct bag *b, struct row_result *r)
{
	uint32_t root = bag_root(b);

	if (root == UINT32_MAX || b->to_self || b->touched < 4)
		return;
	r->key = (struct pattern_key){.kind = !b->c->out[root] ? PATTERN_GATHER : !b->c->in[root] ? PATTERN_SCATTER : PATTERN_WORKERS,
				      .root = root, .members = b->touched - 1};
	r->explained = 1;
}

static void row_stars(struct bag *b, struct row_result *r)
{
	bool gather = b->from_alone == b->senders && b->to_alone == b->receivers && b->most_out == 1;
	bool scatter = b->from_alone == b->senders && b->to_alone == b->receivers && b->most_in == 1;

	if (gather && b->receivers > 1 && b->senders >= 2 * b->receivers)
		r->key = (struct pattern_key){.kind = PATTERN_GATHER, .groups = b->receivers, .members = b->senders};
	else if (scatter && b->senders > 1 && b->receivers >= 2 * b->senders)
		r->key = (struct pattern_key){.kind = PATTERN_SCATTER, .groups = b->senders, .members = b->receivers};
	else
		return;
	r->explained = 1;
}

/* The parent in a binomial tree, by place relative to the root: without the lowest, or the highest bit. */
static uint32_t tree_parent(uint32_t place, bool by_lowest)
{
	return by_lowest ? place & (place - 1) : place ^ (1u << (31 - __builtin_clz(place)));
}

static void row_tree(struct bag *b, struct row_result *r)
{
	uint32_t processes = b->processes, root = UINT32_MAX;
	bool spreads = b->receivers + 1 == processes, collects = b->senders + 1 == processes;

	if (processes < 4 || b->count != processes - 1 || b->to_self)
		return;
	for (int way = 0; way < 2; way++) { /* 0: from the root */
		bool fits[2] = {true, true};

		if (way ? !collects || b->most_out != 1 : !spreads || b->most_in != 1)
			continue;
		root = UINT32_MAX;
		for (uint32_t p = 0; p < processes; p++)
			if (!(way ? b->c->out[p] : b->c->in[p]))
				root = p;
		if (root == UINT32_MAX)
			continue;
		for (uint32_t i = 0; i < b->count; i++) {
			uint32_t child = way ? b->links[i].from : b->links[i].to, parent = way ? b->links[i].to : b->links[i].from;
			uint32_t at = (child + processes - root) % processes, above = (parent + processes - root) % processes;

			for (int k = 0; k < 2; k++)
				fits[k] = fits[k] && tree_parent(at, k == 0) == above;
		}
		if (fits[0] || fits[1]) {
			r->key = (struct pattern_key){.kind = way ? PATTERN_TREE_REDUCE : PATTERN_TREE_BROADCAST, .root = root, .members = processes};
			r->explained = 1;
			return;
		}
	}
}

static void row_one_way(struct bag *b, struct row_result *r)
{
	if (b->to_self || b->most_out != 1 || b->most_in != 1 || b->to_alone != b->receivers || b->messages != b->count)
		return;
	r->key = (struct pattern_key){.kind = PATTERN_ONE_WAY, .members = b->senders};
	r->explained = 1;
}

static void row_self(struct bag *b, struct row_result *r)
{
	uint64_t messages = 0;

	for (uint32_t i = 0; i < b->count; i++)
		messages += b->links[i].from == b->links[i].to ? b->counts[i] : 0;
	r->key = (struct pattern_key){.kind = PATTERN_SELF};
	r->explained = (double)messages / b->messages;
}

/* Each process that sends one message receives one, and to none goes its own. */
static bool bag_permutes(const struct bag *b)
{
	return b->most_out == 1 && b->most_in == 1 && !b->to_self && b->touched == b->senders && b->senders == b->receivers;
}

static void row_described(struct bag *b, struct row_result *r)
{
	if (bag_permutes(b)) {
		r->key = (struct pattern_key){.kind = PATTERN_PERMUTATION, .members = b->senders};
		return;
	}
	row_neighbours(b, r, true);
	if (r->key.kind == PATTERN_SOME_NEIGHBOURS)
		return;
	r->fill = 0;
	r->key = (struct pattern_key){.kind = PATTERN_IRREGULAR, .least = b->least_out, .most = b->most_out};
}

static bool row_fits(const struct row_result *r)
{
	return r->explained >= PATTERN_ENOUGH;
}

static void classify_rows(struct bag *b, struct row_result *r)
{
	for (int i = 0; !row_fits(r) && i < 12; i++) {
		*r = (struct row_result){0};
		switch (i) {
		case 0: row_all_pairs(b, r, GROUP_LARGE, UINT32_MAX); break;
		case 1: row_transpose(b, r); break;
		case 2: row_ring_shift(b, r); break;
		case 3: row_pairs(b, r, true); break;
		case 4: row_neighbours(b, r, false); break;
		case 5: row_star(b, r); break;
		case 6: row_stars(b, r); break;
		case 7: row_tree(b, r); break;
		case 8: row_pairs(b, r, false); break;
		case 9: row_all_pairs(b, r, 3, 4); break;
		case 10: row_one_way(b, r); break;
		default: row_self(b, r); break;
		}
	}
	if (!row_fits(r)) {
		*r = (struct row_result){0};
		row_described(b, r);
	}
}

void shape_classify(struct shapes *s, struct shape *shape)
{
	struct bag b = {.grid = s->grid, .c = s->scratch, .links = s->links + shape->first, .counts = s->counts + shape->first,
			.count = shape->count, .messages = shape->messages, .processes = s->trace->process_count};
	struct row_result r = {0};

	for (uint32_t i = 0; i < b.count; i++)
		shape->most_on_link = b.counts[i] > shape->most_on_link ? b.counts[i] : shape->most_on_link;
	if (!b.count) {
		shape->key = (struct pattern_key){.kind = PATTERN_IRREGULAR};
		return;
	}
	bag_count(&b);
	classify_rows(&b, &r);
	shape->key = r.key;
	shape->explained = r.explained;
	shape->fill = r.fill;
	shape->permutes = bag_permutes(&b);
	if (b.grid->dims) {
		struct bag_directions x = bag_directions(&b);

		if (x.near == b.messages && !(x.set & ~directions_unit)) {
			shape->directions = x.set;
			shape->wraps = x.wraps;
		}
	}
	bag_clear(&b);
}

bool key_is_rooted(const struct pattern_key *key)
{
	switch (key->kind) {
	case PATTERN_GATHER:
	case PATTERN_SCATTER:
	case PATTERN_WORKERS:
	case PATTERN_TREE_BROADCAST:
	case PATTERN_TREE_REDUCE: return true;
	default: return false;
	}
}
