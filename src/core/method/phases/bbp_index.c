/* Two things narrow the search; neither loses a leader that is similar.
 *
 * Sizes form groups: in sorted order, each size joins the group of its predecessor if the two are similar. Similar
 * sizes are in one group, so similar blocks have the same types and the same groups in all cells: leaders that share
 * these form one tree. With few sizes, or at a threshold of 0, each size is a group.
 *
 * Unknown sizes are similar to all: if one occurs, all sizes are one group and no feature. A block without a known
 * compute time, at most one per thread, is similar to all blocks with its types and sizes: as a leader it is kept
 * beside the tree, and it is compared with all leaders of its root.
 *
 * A tree is a list until it is long. Then it is split by one feature of its leaders, the compute time or the content of
 * one cell, into ranges so wide that similar values are in one range or in two adjacent ones. So a search visits three
 * branches of a split tree. The chosen feature is the one with the fewest leaders to search, among those in which
 * leaders differ most.
 */
#include "phases_int.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/order.h"
#include "core/base/index.h"
#include "core/base/mem.h"
#include "core/base/search.h"

#define LIST_LONGEST 16   /* before it is tried to split it */
#define DEEPEST 40
#define SAMPLES 64        /* leaders that a feature is judged by */
#define PAIRS 16          /* of leaders that differ in a feature worth judging */
#define WHOLE UINT32_MAX  /* no feature: the node is a list */

struct leader {
	uint32_t bbp;
	uint32_t next;        /* in its list; 0: end */
	uint32_t next_of_root; /* of all under the same root, in order; 0: end */
};

/* What a node holds, exactly: leaders whose ticks are of these classes by type, or those of a range of its parent. */
struct bbp_place {
	uint32_t parent;      /* + 1; 0: a root */
	uint32_t entry, exit; /* classes, or the range */
	uint64_t key;         /* a hash, of the groups too; never 0 */
};

struct bbp_node {
	struct bbp_place place;
	uint32_t feature;     /* WHOLE, or what its branches differ in */
	uint32_t earliest;    /* leader in it */
	uint32_t head, tail;  /* of a list, in order: indices into leaders, from 1 */
	uint32_t first, last; /* of a root: of all its leaders */
	uint32_t unknown, unknown_tail; /* as above: of those that stand beside the tree */
	uint32_t count, split_at;
	uint32_t depth;
};

struct bbp_index {
	const struct bbp_space *space;
	const struct bbp_times *times;
	const struct settings *s;
	double size_width, compute_width; /* of ranges, in the logarithm */
	bool size_unknown;    /* that of some event is */
	uint64_t *groups;     /* per class of ticks by size: a hash of the groups of its sizes */
	struct leader *leaders;
	size_t leader_count, leaders_cap;
	struct bbp_node *nodes;
	size_t node_count, nodes_cap;
	struct index places;  /* of the nodes */
	uint64_t compared;
};

#define RANGE_ZERO INT32_MIN
#define RANGE_ALL 0

/* Slightly wider than the threshold, so that rounding cannot put similar values two ranges apart. */
static double width_of(double threshold)
{
	return threshold < 1 ? fmax(-log1p(-threshold) * 1.000001, 1e-7) : 0;
}

static int32_t range_of(double v, double width)
{
	if (!(v > 0))
		return RANGE_ZERO;
	v = log(v) / width;
	return v > 2e9 ? 2000000000 : v < -2e9 ? -2000000000 : (int32_t)floor(v);
}

/* Both `max` and `sum` compare one number; for `each` the largest is one more thing that must be similar. */
static double compute_of(const struct bbp_index *index, uint32_t tick)
{
	return index->times->tick[tick];
}

static bool compute_unknown(const struct bbp_index *index, uint32_t i)
{
	return isnan(compute_of(index, i - 1));
}

/* Features of a block: its compute time, then the sizes of its entry's and its exit's cells, then, if each counts, the
 * compute times of the entry's cells. */
static uint32_t cells_of(const struct bbp_index *index, uint32_t tick)
{
	const struct bbp_space *p = index->space;
	uint32_t class;

	if (!p->gathered.first)
		return p->l->tick_first[tick + 1] - p->l->tick_first[tick];
	class = p->sizes.of[tick];
	return (uint32_t)(p->gathered.first[class + 1] - p->gathered.first[class]);
}

/* The size, and the compute time, of a tick's n-th cell. */
static inline uint64_t size_at(const struct bbp_index *index, uint32_t tick, uint32_t n)
{
	const struct bbp_space *p = index->space;

	return p->gathered.first ? p->gathered.list[p->gathered.first[p->sizes.of[tick]] + n].size :
				   trace_size(p->l->trace, p->l->order_of[p->l->tick_first[tick] + n]);
}

static inline double compute_at(const struct bbp_index *index, uint32_t tick, uint32_t n)
{
	const struct logical *l = index->space->l;

	return index->times->first ? index->times->compute[index->times->first[tick] + n] :
				     l->trace->compute[l->order_of[l->tick_first[tick] + n]];
}

/* The features that are sizes. */
static uint32_t sizes_of(const struct bbp_index *index, uint32_t i)
{
	return index->size_unknown ? 0 : cells_of(index, i - 1) + cells_of(index, i);
}

static uint32_t features_of(const struct bbp_index *index, uint32_t i)
{
	uint32_t entry = cells_of(index, i - 1);

	return 1 + sizes_of(index, i) + (index->s->compute_of == COMPUTE_EACH ? entry : 0);
}

struct feature {
	double value, threshold, width;
};

static struct feature time_feature(const struct bbp_index *index, double seconds)
{
	return (struct feature){index->s->compute > 0 ? seconds : compute_exact(seconds), index->s->compute, index->compute_width};
}

static struct feature feature_of(const struct bbp_index *index, uint32_t i, uint32_t feature)
{
	uint32_t entry = cells_of(index, i - 1), sizes = sizes_of(index, i), n = feature - 1;

	if (!feature)
		return time_feature(index, compute_of(index, i - 1));
	if (n >= sizes)
		return time_feature(index, compute_at(index, i - 1, n - sizes));
	return (struct feature){(double)(n < entry ? size_at(index, i - 1, n) : size_at(index, i, n - entry)), index->s->volume, index->size_width};
}

static int32_t feature_range(const struct bbp_index *index, uint32_t i, uint32_t feature)
{
	struct feature f = feature_of(index, i, feature);

	return f.width > 0 ? range_of(f.value, f.width) : RANGE_ALL;
}

static bool touches_others(int32_t range)
{
	return range != RANGE_ZERO;
}

/* How far two blocks of one tree differ in a feature, in thresholds. */
static double distance(const struct bbp_index *index, uint32_t i, uint32_t j, uint32_t feature)
{
	struct feature a = feature_of(index, i, feature), b = feature_of(index, j, feature);
	double most = fmax(a.value, b.value);

	if (a.width <= 0)
		return 0;
	return (most > 0 ? fabs(a.value - b.value) / most : 0) / fmax(a.threshold, 1e-7);
}

static struct bbp_place root_of(const struct bbp_index *index, uint32_t i)
{
	const struct bbp_space *p = index->space;
	uint32_t entry = p->types.of[i - 1], exit = p->types.of[i];
	uint64_t h = hash_mix(hash_mix(0, index->groups[p->sizes.of[i - 1]]), index->groups[p->sizes.of[i]]);

	return (struct bbp_place){0, entry, exit, hash_mix(h, (uint64_t)entry << 32 | exit) | 1};
}

static struct bbp_place branch_of(uint32_t node, int32_t range)
{
	uint64_t h = hash_mix(1, (uint64_t)(node + 1) << 32 | (uint32_t)range);

	return (struct bbp_place){node + 1, (uint32_t)range, 0, h | 1};
}

static inline bool has_place(const void *nodes, uint32_t i, const void *key)
{
	const struct bbp_place *a = &((const struct bbp_node *)nodes)[i].place, *b = key;

	return a->key == b->key && a->parent == b->parent && a->entry == b->entry && a->exit == b->exit;
}

static uint64_t place_hash(const void *nodes, uint32_t i)
{
	return ((const struct bbp_node *)nodes)[i].place.key;
}

static struct bbp_node *node_at(const struct bbp_index *index, struct bbp_place p)
{
	uint32_t node = index_find(&index->places, p.key, index->nodes, has_place, &p);

	return node ? &index->nodes[node - 1] : NULL;
}

/* The node at that place, made if there is none; NULL: no memory. Moves nodes. */
static struct bbp_node *node_for(struct bbp_index *index, struct bbp_place p, uint32_t earliest, uint32_t depth)
{
	uint32_t *slot = index_slot(&index->places, p.key, index->nodes, (uint32_t)index->node_count, has_place,
				    place_hash, &p);
	struct bbp_node *nodes;

	if (!slot || *slot)
		return slot ? &index->nodes[*slot - 1] : NULL;
	nodes = mem_grow(index->nodes, index->node_count, &index->nodes_cap, sizeof *nodes);
	if (!nodes)
		return NULL;
	index->nodes = nodes;
	nodes[index->node_count] = (struct bbp_node){.place = p, .feature = WHOLE, .earliest = earliest, .split_at = LIST_LONGEST, .depth = depth};
	*slot = (uint32_t)index->node_count + 1;
	return &nodes[index->node_count++];
}

static void append(struct bbp_index *index, struct bbp_node *n, uint32_t leader)
{
	if (n->tail)
		index->leaders[n->tail - 1].next = leader;
	else
		n->head = leader;
	n->tail = leader;
	n->count++;
}

/* The similar sizes side by side, and where one group ends. The threshold is a trifle larger, so that rounding, which
 * is another between sizes farther apart, does not count. */
static bool group_sizes(struct bbp_index *index)
{
	const struct bbp_space *p = index->space;
	uint32_t *group = mem_alloc(p->size_count, sizeof *group);

	index->groups = mem_alloc(p->sizes.count, sizeof *index->groups);
	if (!group || !index->groups) {
		mem_free(group);
		return false;
	}
	index->size_unknown = p->size_count && p->size_values[p->size_count - 1] == SIZE_UNKNOWN;
	for (uint32_t i = 0; i < p->size_count; i++)
		group[i] = !i || index->size_unknown ? 0
			      : group[i - 1] + !size_similar(p->size_values[i - 1], p->size_values[i],
							     index->s->volume * (1 + 1e-12));
	for (uint32_t k = 0; k < p->sizes.count; k++) {
		struct cell_walk w = bbp_cells(p, k);
		uint32_t at = 0, n = 0;
		uint64_t last = 0;

		index->groups[k] = 3;
		for (struct tick_cell c; cell_next(&w, &c); n++) {
			if (!n || c.size != last) {
				at = SEARCH_LAST(i, 0, p->size_count, p->size_values[i] <= c.size);
				last = c.size;
			}
			index->groups[k] = hash_mix(index->groups[k], group[at]);
		}
	}
	mem_free(group);
	return true;
}

struct bbp_index *bbp_index_new(const struct bbp_space *space, const struct settings *settings, const struct bbp_times *times)
{
	struct bbp_index *index = mem_zero(1, sizeof *index);

	if (!index)
		return NULL;
	index->space = space;
	index->times = times;
	index->s = settings;
	index->size_width = width_of(settings->volume);
	index->compute_width = width_of(settings->compute);
	if (!group_sizes(index)) {
		bbp_index_free(index);
		return NULL;
	}
	return index;
}

void bbp_index_free(struct bbp_index *index)
{
	if (!index)
		return;
	mem_free(index->groups);
	mem_free(index->leaders);
	mem_free(index->nodes);
	index_release(&index->places);
	mem_free(index);
}

/* Two ticks of equal types: every size within `volume`. */
static bool sizes_similar(const struct bbp_index *b, uint32_t x, uint32_t y)
{
	uint32_t cells;

	if (b->space->sizes.of[x] == b->space->sizes.of[y])
		return true;
	cells = cells_of(b, x);
	for (uint32_t n = 0; n < cells; n++)
		if (!size_similar(size_at(b, x, n), size_at(b, y, n), b->s->volume))
			return false;
	return true;
}

static bool computes_similar(const struct bbp_index *b, uint32_t x, uint32_t y)
{
	uint32_t cells;

	if (!compute_similar(compute_of(b, x), compute_of(b, y), b->s->compute))
		return false;
	if (b->s->compute_of != COMPUTE_EACH || isnan(compute_of(b, x)) || isnan(compute_of(b, y)))
		return true;
	cells = cells_of(b, x);
	for (uint32_t n = 0; n < cells; n++)
		if (!compute_similar(compute_at(b, x, n), compute_at(b, y, n), b->s->compute))
			return false;
	return true;
}

static bool similar(const struct bbp_index *index, uint32_t i, uint32_t j)
{
	return computes_similar(index, i - 1, j - 1) && sizes_similar(index, i - 1, j - 1) &&
	       sizes_similar(index, i, j);
}

/* The first leader in a node that block i is similar to, or `best` if that comes first; 0: none. */
static uint32_t find_in(struct bbp_index *index, const struct bbp_node *n, uint32_t i, uint32_t best)
{
	int32_t range;

	if (!n || (best && n->earliest >= best))
		return best;
	if (n->feature == WHOLE) {
		for (uint32_t at = n->head; at; at = index->leaders[at - 1].next) {
			uint32_t lead = index->leaders[at - 1].bbp;

			if (best && lead >= best)
				return best;
			index->compared++;
			if (similar(index, lead, i))
				return lead;
		}
		return best;
	}
	range = feature_range(index, i, n->feature);
	best = find_in(index, node_at(index, branch_of((uint32_t)(n - index->nodes), range)), i, best);
	for (int side = -1; side <= 1 && touches_others(range); side += 2)
		best = find_in(index, node_at(index, branch_of((uint32_t)(n - index->nodes), range + side)), i, best);
	return best;
}

uint32_t bbp_index_find(struct bbp_index *index, uint32_t i)
{
	const struct bbp_node *root = node_at(index, root_of(index, i));
	uint32_t best = 0;

	if (!root)
		return 0;
	if (compute_unknown(index, i)) {
		for (uint32_t at = root->first; at; at = index->leaders[at - 1].next_of_root)
			if (similar(index, index->leaders[at - 1].bbp, i))
				return index->leaders[at - 1].bbp;
		return 0;
	}
	best = find_in(index, root, i, 0);
	for (uint32_t at = root->unknown; at && (!best || index->leaders[at - 1].bbp < best); at = index->leaders[at - 1].next)
		if (similar(index, index->leaders[at - 1].bbp, i))
			return index->leaders[at - 1].bbp;
	return best;
}

uint64_t bbp_index_compared(const struct bbp_index *index)
{
	return index->compared;
}

/* How many pairs of the samples lie in ranges that touch: what would be left to search. */
static uint32_t left_by(const struct bbp_index *index, const uint32_t *samples, uint32_t n, uint32_t feature)
{
	int32_t range[SAMPLES] = {0};
	uint32_t left = 0;

	for (uint32_t i = 0; i < n; i++)
		range[i] = feature_range(index, samples[i], feature);
	SORT(range, n, order_i32);
	for (uint32_t i = 0, from = 0; i < n; i++) {
		while (range[from] != range[i] && (!touches_others(range[from]) || range[from] < range[i] - 1))
			from++;
		left += i - from;
	}
	return left;
}

static uint32_t farthest(const struct bbp_index *index, uint32_t i, uint32_t j)
{
	uint32_t best = 0, features = features_of(index, i);
	double most = -1;

	for (uint32_t f = 0; f < features; f++) {
		double d = distance(index, i, j, f);

		if (d > most) {
			most = d;
			best = f;
		}
	}
	return best;
}

/* The feature to split a list by; WHOLE: none that is of use. */
static uint32_t choose_feature(const struct bbp_index *index, const struct bbp_node *n)
{
	uint32_t samples[SAMPLES], taken = 0, place = 0, best = WHOLE, fewest;

	for (uint32_t at = n->head; at && taken < SAMPLES; at = index->leaders[at - 1].next, place++)
		if ((uint64_t)place * SAMPLES >= (uint64_t)taken * n->count)
			samples[taken++] = index->leaders[at - 1].bbp;
	fewest = taken * (taken - 1) / 4; /* half of all pairs */
	for (uint32_t i = 0; i < PAIRS && i + 1 < taken; i++) {
		uint32_t one = i * (taken - 1) / PAIRS, f = farthest(index, samples[one], samples[one + 1]);
		uint32_t left = f == best ? fewest : left_by(index, samples, taken, f);

		if (left < fewest) {
			fewest = left;
			best = f;
		}
	}
	return best;
}

/* Deal a list's leaders out to branches, if that is of use. False: no memory. */
static bool split(struct bbp_index *index, uint32_t at)
{
	uint32_t feature = WHOLE, depth = index->nodes[at].depth;

	if (depth < DEEPEST)
		feature = choose_feature(index, &index->nodes[at]);
	if (feature == WHOLE) {
		index->nodes[at].split_at *= 2;
		return true;
	}
	index->nodes[at].feature = feature;
	for (uint32_t leader = index->nodes[at].head, next; leader; leader = next) {
		uint32_t bbp = index->leaders[leader - 1].bbp;
		struct bbp_node *branch = node_for(index, branch_of(at, feature_range(index, bbp, feature)), bbp,
					       depth + 1);

		if (!branch)
			return false;
		next = index->leaders[leader - 1].next;
		index->leaders[leader - 1].next = 0;
		append(index, branch, leader);
	}
	index->nodes[at].head = index->nodes[at].tail = 0;
	return true;
}

bool bbp_index_add(struct bbp_index *index, uint32_t i)
{
	struct leader *leaders = mem_grow(index->leaders, index->leader_count, &index->leaders_cap, sizeof *leaders);
	struct bbp_node *n;

	if (!leaders)
		return false;
	index->leaders = leaders;
	leaders[index->leader_count++] = (struct leader){.bbp = i};
	n = node_for(index, root_of(index, i), i, 0);
	if (!n)
		return false;
	*(n->last ? &leaders[n->last - 1].next_of_root : &n->first) = (uint32_t)index->leader_count;
	n->last = (uint32_t)index->leader_count;
	if (compute_unknown(index, i)) {
		*(n->unknown_tail ? &leaders[n->unknown_tail - 1].next : &n->unknown) = (uint32_t)index->leader_count;
		n->unknown_tail = (uint32_t)index->leader_count;
		return true;
	}
	while (n && n->feature != WHOLE)
		n = node_for(index, branch_of((uint32_t)(n - index->nodes), feature_range(index, i, n->feature)), i,
			     n->depth + 1);
	if (!n)
		return false;
	append(index, n, (uint32_t)index->leader_count);
	return n->count < n->split_at || split(index, (uint32_t)(n - index->nodes));
}
