#include "bounds_int.h"

#include <math.h>

#include "bounds.h"
#include "core/base/mem.h"

#define FAR_OFF 1e6 /* of pairs that say nothing of each other's distance: they are taken last */
#define NANOSECOND 1e-9

/* ---- a pair's middle line ---- */

static void reach(const struct hull *h, double *from, double *to)
{
	if (!h->count)
		return;
	*from = fmin(*from, h->point[0].x);
	*to = fmax(*to, h->point[h->count - 1].x);
}

static double highest(const struct hull *h)
{
	double most = -INFINITY;

	for (uint32_t i = 0; i < h->count; i++)
		most = fmax(most, h->point[i].y);
	return most;
}

static struct pair_bounds bounds_within(const struct pair_hulls *h, double from, double to, double slack)
{
	struct pair_bounds b = pair_bounds_of(h, from, to, CLOCK_LIKELY, slack);

	return b.crossing > 0 ? pair_bounds_of(h, from, to, CLOCK_RATE, slack) : b;
}

/* What is to be added to q's stamps to get p's. */
static struct clock_line middle_line(const struct pair_hulls *h, double origin)
{
	double from = INFINITY, to = -INFINITY, rate;
	struct pair_bounds b;

	if (pair_is_one_way(h)) /* as if the fastest message had taken no time */
		return (struct clock_line){h->least.count ? highest(&h->least) : -highest(&h->most), 0};
	reach(&h->least, &from, &to);
	reach(&h->most, &from, &to);
	if (to - from < 1e-6)
		to = from + 1e-6;
	b = bounds_within(h, from, to, 0);
	if (b.crossing > 0)
		b = bounds_within(h, from, to, b.crossing / 2 + NANOSECOND);
	rate = (b.rise.low + b.rise.high) / 2 / (to - from);
	return (struct clock_line){(b.middle.low + b.middle.high) / 2 + rate * (origin - (from + to) / 2), rate};
}

/* ---- the tree ---- */

struct tree_candidate {
	double weight;
	uint32_t pair, process; /* the process that it would reach */
};

struct tree {
	const struct clock_graph *g;
	const struct pair_hulls *hulls;
	struct clock_line *line;
	uint32_t *root;
	double *weight;         /* per pair */
	double origin;
	struct tree_candidate *heap; /* the closest first */
	uint32_t count;
	size_t cap;
};

static bool tree_is_before(const struct tree_candidate *a, const struct tree_candidate *b)
{
	return a->weight != b->weight ? a->weight < b->weight : a->pair < b->pair;
}

static bool tree_push(struct tree *t, struct tree_candidate c)
{
	struct tree_candidate *heap = mem_grow(t->heap, t->count, &t->cap, sizeof *heap);
	uint32_t i = t->count;

	if (!heap)
		return false;
	t->heap = heap;
	for (t->count++; i > 0 && tree_is_before(&c, &heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = c;
	return true;
}

static struct tree_candidate tree_pop(struct tree *t)
{
	struct tree_candidate top = t->heap[0], last = t->heap[--t->count];
	uint32_t i = 0;

	for (uint32_t child; (child = 2 * i + 1) < t->count; i = child) {
		if (child + 1 < t->count && tree_is_before(&t->heap[child + 1], &t->heap[child]))
			child++;
		if (!tree_is_before(&t->heap[child], &last))
			break;
		t->heap[i] = t->heap[child];
	}
	t->heap[i] = last;
	return top;
}

static bool offer_pairs(struct tree *t, uint32_t process)
{
	for (uint32_t x = t->g->first[process]; x < t->g->first[process + 1]; x++) {
		uint32_t pair = t->g->of[x], other = t->g->p[pair] == process ? t->g->q[pair] : t->g->p[pair];

		if (t->root[other] == NO_COMPONENT && !tree_push(t, (struct tree_candidate){t->weight[pair], pair, other}))
			return false;
	}
	return true;
}

static bool grow_from(struct tree *t, uint32_t root)
{
	t->root[root] = root;
	t->line[root] = (struct clock_line){0, 0};
	if (!offer_pairs(t, root))
		return false;
	while (t->count) {
		struct tree_candidate c = tree_pop(t);
		bool is_q = t->g->q[c.pair] == c.process;
		uint32_t from = is_q ? t->g->p[c.pair] : t->g->q[c.pair];
		struct clock_line between;

		if (t->root[c.process] != NO_COMPONENT)
			continue;
		between = middle_line(&t->hulls[c.pair], t->origin);
		t->line[c.process] = clock_line_then(is_q ? between : clock_line_back(between), t->line[from]);
		t->root[c.process] = root;
		if (!offer_pairs(t, c.process))
			return false;
	}
	return true;
}

enum err_code clock_coarse(struct clock_line *line, uint32_t *root, const struct clock_graph *g, const struct pair_hulls *hulls,
			   uint32_t reference, double origin, struct err *e)
{
	struct tree t = {.g = g, .hulls = hulls, .line = line, .root = root, .origin = origin,
			 .weight = mem_alloc(g->pair_count, sizeof *t.weight)};
	bool done = t.weight != NULL;

	for (uint32_t k = 0; done && k < g->pair_count; k++) {
		double gap = pair_gap(&hulls[k]);

		t.weight[k] = isfinite(gap) ? gap : FAR_OFF;
	}
	for (uint32_t i = 0; i < g->process_count; i++)
		root[i] = NO_COMPONENT;
	done = done && grow_from(&t, reference);
	for (uint32_t i = 0; done && i < g->process_count; i++)
		done = root[i] != NO_COMPONENT || grow_from(&t, i);
	mem_free(t.weight);
	mem_free(t.heap);
	return done ? ERR_OK : err_memory(e, "the map of clocks");
}
