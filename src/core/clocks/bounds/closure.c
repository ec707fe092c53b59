#include "bounds.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"

#define ROUNDING 1e-12 /* s: a path that is shorter by less is as long */

enum err_code clock_graph_init(struct clock_graph *g, uint32_t process_count, const uint32_t *p, const uint32_t *q, uint32_t pair_count,
			       struct err *e)
{
	*g = (struct clock_graph){.process_count = process_count, .pair_count = pair_count,
				  .p = mem_alloc(pair_count, sizeof *g->p), .q = mem_alloc(pair_count, sizeof *g->q),
				  .first = mem_zero((size_t)process_count + 2, sizeof *g->first),
				  .of = mem_alloc(2 * (size_t)pair_count, sizeof *g->of)};
	if (!g->p || !g->q || !g->first || !g->of) {
		clock_graph_release(g);
		return err_memory(e, "the pairs of clocks");
	}
	/* first[i + 1] walks from the start of i's pairs to their end. */
	for (uint32_t k = 0; k < pair_count; k++) {
		g->p[k] = p[k];
		g->q[k] = q[k];
		g->first[p[k] + 2]++;
		g->first[q[k] + 2]++;
	}
	for (uint32_t i = 2; i < process_count + 2; i++)
		g->first[i] += g->first[i - 1];
	for (uint32_t k = 0; k < pair_count; k++) {
		g->of[g->first[p[k] + 1]++] = k;
		g->of[g->first[q[k] + 1]++] = k;
	}
	return ERR_OK;
}

void clock_graph_release(struct clock_graph *g)
{
	mem_free(g->p);
	mem_free(g->q);
	mem_free(g->first);
	mem_free(g->of);
	*g = (struct clock_graph){0};
}

/* A pair as one of its processes sees it: how much further that way. */
struct clock_edge {
	double along;
	uint32_t other;
};

struct closure_search {
	const struct clock_graph *g;
	const struct clock_range *pair;
	struct clock_edge *edge; /* as of[] of the graph */
	double longest;          /* of all that are finite */
	uint32_t *queue, *steps; /* queue: a ring with room for every process once; steps: pairs on the path */
	struct clock_edge *by;   /* the last pair of the path, and whence; a root: from itself */
	uint32_t *seen;          /* of has_negative_cycle(): in which of its walks, from 1 */
	bool *queued;
};

/* Upper bounds add a pair's high, lower ones, turned around, take its low off. Listed by
 * process, so that a search takes half the time. */
static void edges_fill(struct closure_search *s, bool upper)
{
	const struct clock_graph *g = s->g;

	s->longest = 0;
	for (uint32_t i = 0; i < g->process_count; i++)
		for (uint32_t x = g->first[i]; x < g->first[i + 1]; x++) {
			uint32_t k = g->of[x];
			bool from_p = g->p[k] == i;
			double along = from_p == upper ? s->pair[k].high : -s->pair[k].low;

			s->edge[x] = (struct clock_edge){along, from_p ? g->q[k] : g->p[k]};
			if (along < INFINITY)
				s->longest = fmax(s->longest, fabs(along));
		}
}

/* Is there a cycle by now with which the search can only fail? A search that succeeds leaves no pair that makes anything
 * shorter by more than ROUNDING, so each cycle of k pairs is then at least -k * ROUNDING long, except for the rounding
 * of additions. Paths have at most n pairs, so that is less than `slack` per pair. */
static bool has_negative_cycle(const struct closure_search *s)
{
	uint32_t n = s->g->process_count;
	double slack = 1e-15 * ((double)n + 2) * (s->longest + ROUNDING);

	memset(s->seen, 0, n * sizeof *s->seen);
	for (uint32_t i = 0; i < n; i++) {
		double length = 0, least = 0;
		uint32_t at = i, end;

		for (; !s->seen[at]; at = s->by[at].other)
			s->seen[at] = i + 1;
		if (s->seen[at] != i + 1 || s->by[at].other == at)
			continue;
		end = at;
		do {
			length += s->by[at].along;
			least -= ROUNDING + slack;
			at = s->by[at].other;
		} while (at != end);
		if (length < least)
			return true;
	}
	return false;
}

/* Shortest paths from all roots at once, into distance[]; false: a cycle gets shorter every time. */
static bool shortest(struct closure_search *s, double *distance, const uint32_t *root, bool upper)
{
	const struct clock_graph *g = s->g;
	uint32_t n = g->process_count, head = 0, waiting = 0, shortened = 0;

	edges_fill(s, upper);
	for (uint32_t i = 0; i < n; i++) {
		bool is_root = root[i] == i;

		distance[i] = is_root ? 0 : INFINITY;
		s->steps[i] = 0;
		s->by[i] = (struct clock_edge){0, i};
		s->queued[i] = is_root;
		if (is_root)
			s->queue[waiting++] = i;
	}
	for (; waiting; waiting--) {
		uint32_t i = s->queue[head];

		head = head + 1 == n ? 0 : head + 1;
		s->queued[i] = false;
		for (uint32_t x = g->first[i]; x < g->first[i + 1]; x++) {
			uint32_t other = s->edge[x].other;
			double reached = distance[i] + s->edge[x].along;

			if (!(reached < distance[other] - ROUNDING))
				continue;
			distance[other] = reached;
			s->steps[other] = s->steps[i] + 1;
			s->by[other] = (struct clock_edge){s->edge[x].along, i};
			if (s->steps[other] > n || root[other] == other || (++shortened % n == 0 && has_negative_cycle(s)))
				return false;
			if (!s->queued[other]) {
				uint32_t tail = head + waiting - 1; /* i has left, but is counted still */

				s->queue[tail >= n ? tail - n : tail] = other;
				s->queued[other] = true;
				waiting++;
			}
		}
	}
	return true;
}

enum err_code clock_closure(struct clock_range *out, bool *closed, const struct clock_graph *g, const struct clock_range *pair,
			    const uint32_t *root, struct err *e)
{
	uint32_t n = g->process_count;
	struct closure_search s = {.g = g, .pair = pair, .edge = mem_alloc(2 * (size_t)g->pair_count, sizeof *s.edge),
				   .queue = mem_alloc(n, sizeof *s.queue), .steps = mem_alloc(n, sizeof *s.steps), .by = mem_alloc(n, sizeof *s.by),
				   .seen = mem_alloc(n, sizeof *s.seen), .queued = mem_alloc(n, sizeof *s.queued)};
	double *distance = mem_alloc(2 * (size_t)n, sizeof *distance);
	enum err_code code = ERR_OK;

	if (!s.edge || !s.queue || !s.steps || !s.by || !s.seen || !s.queued || !distance)
		code = err_memory(e, "the bounds of clocks");
	else
		*closed = shortest(&s, distance, root, true) && shortest(&s, distance + n, root, false);
	for (uint32_t i = 0; !code && *closed && i < n; i++)
		out[i] = (struct clock_range){0 - distance[n + i], distance[i]};
	mem_free(s.edge);
	mem_free(s.queue);
	mem_free(s.steps);
	mem_free(s.by);
	mem_free(s.seen);
	mem_free(s.queued);
	mem_free(distance);
	return code;
}
