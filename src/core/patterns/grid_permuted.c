/* A grid whose ranks are not in order, found from its squares alone (docs/explain/patterns.md, "The grid").
 *
 * In a grid, two links that leave a process along different dimensions close to a square, whose opposite links are
 * parallel. Classes of parallel links are cuts; two cuts that meet in a square are of different dimensions. A dimension's
 * layers, the parts that are left without its links, must form a path or a ring. Linear in links, since no process has
 * more than six.
 */
#include "patterns_int.h"

#include <string.h>

#include "core/base/order.h"

#define DEGREE 6
#define NO_LAYER UINT32_MAX

struct edge_graph {
	uint32_t processes;
	struct link *edges;       /* from < to, sorted, none twice */
	uint32_t edge_count;
	uint32_t (*near)[DEGREE]; /* neighbours */
	uint32_t (*edge)[DEGREE]; /* the edge to each of them */
	uint8_t *degree;
	uint32_t *cut;            /* per edge: union-find */
	uint8_t *dim;             /* per edge that is its cut's root */
	uint32_t *layer;          /* per process: union-find */
	uint32_t *clashes;        /* per edge: bits of what dimensions its cut cannot be; by root */
};

/* False: some process has more than six neighbours. */
static bool graph_connect(struct edge_graph *x)
{
	for (uint32_t i = 0; i < x->edge_count; i++) {
		uint32_t end[2] = {x->edges[i].from, x->edges[i].to};

		for (int k = 0; k < 2; k++) {
			uint32_t p = end[k];

			if (x->degree[p] == DEGREE)
				return false;
			x->near[p][x->degree[p]] = end[1 - k];
			x->edge[p][x->degree[p]++] = i;
		}
	}
	for (uint32_t p = 0; p < x->processes; p++)
		if (!x->degree[p])
			return false;
	return true;
}

/* The edge between two processes; UINT32_MAX: they are not neighbours. */
static uint32_t edge_between(const struct edge_graph *x, uint32_t p, uint32_t q)
{
	for (int i = 0; i < x->degree[p]; i++)
		if (x->near[p][i] == q)
			return x->edge[p][i];
	return UINT32_MAX;
}

/* The other common neighbour of v and w than u: false: there is more than one. */
static bool square_corner(const struct edge_graph *x, uint32_t u, uint32_t v, uint32_t w, uint32_t *corner)
{
	*corner = UINT32_MAX;
	for (int i = 0; i < x->degree[v]; i++) {
		uint32_t c = x->near[v][i];

		if (c == u || edge_between(x, w, c) == UINT32_MAX)
			continue;
		if (*corner != UINT32_MAX)
			return false;
		*corner = c;
	}
	return true;
}

/* Opposite links of each square are parallel. False: there is a triangle, or two processes have two squares. */
static bool join_parallels(struct edge_graph *x)
{
	for (uint32_t u = 0; u < x->processes; u++)
		for (int i = 0; i < x->degree[u]; i++)
			for (int k = i + 1; k < x->degree[u]; k++) {
				uint32_t v = x->near[u][i], w = x->near[u][k], corner;

				if (edge_between(x, v, w) != UINT32_MAX || !square_corner(x, u, v, w, &corner))
					return false;
				if (corner == UINT32_MAX)
					continue;
				set_join(x->cut, x->edge[u][i], edge_between(x, w, corner));
				set_join(x->cut, x->edge[u][k], edge_between(x, v, corner));
			}
	return true;
}

/* First fit takes the cuts in their order: the later of two that meet must avoid what the earlier one is, which tells
 * it when it gets its own dimension. */
static enum err_code assign_dimensions(struct edge_graph *x, uint32_t *dims, bool *found, struct err *e)
{
	struct link *meet = NULL;
	uint32_t count = 0;
	size_t cap = 0;

	*found = true;
	for (uint32_t u = 0; *found && u < x->processes; u++)
		for (int i = 0; i < x->degree[u]; i++)
			for (int k = i + 1; k < x->degree[u]; k++) {
				uint32_t corner, a = set_root(x->cut, x->edge[u][i]), b = set_root(x->cut, x->edge[u][k]);
				struct link *more;

				square_corner(x, u, x->near[u][i], x->near[u][k], &corner);
				if (corner == UINT32_MAX)
					continue;
				if (a == b)
					*found = false;
				more = mem_grow(meet, count, &cap, sizeof *more);
				if (!more) {
					mem_free(meet);
					return err_memory(e, "patterns");
				}
				meet = more;
				meet[count++] = a > b ? (struct link){b, a} : (struct link){a, b};
			}
	SORT(meet, count, order_links);
	*dims = 0;
	for (uint32_t c = 0, m = 0; *found && c < x->edge_count; c++) {
		uint32_t d = 0;

		if (x->cut[c] != c)
			continue;
		while (x->clashes[c] >> d & 1)
			d++;
		if (d >= GRID_DIMS) {
			*found = false;
			break;
		}
		x->dim[c] = (uint8_t)d;
		*dims = d + 1 > *dims ? d + 1 : *dims;
		for (; m < count && meet[m].from == c; m++)
			x->clashes[meet[m].to] |= 1u << d;
	}
	mem_free(meet);
	return ERR_OK;
}

/* The coordinate of each process in one dimension, by walking from layer to layer. *length 0: layers are neither a path
 * nor a ring. */
static void walk_layers(struct edge_graph *x, uint32_t dim, uint32_t *coordinate, uint32_t *scratch, uint32_t *length, bool *ring)
{
	uint32_t (*next)[2] = (uint32_t (*)[2])scratch; /* per layer, by its root: the layers beside it */
	uint32_t layers = 0, start = UINT32_MAX, at, before = NO_LAYER, n = 0;
	bool ends = false;

	*length = 0;
	for (uint32_t p = 0; p < x->processes; p++) {
		x->layer[p] = p;
		next[p][0] = next[p][1] = NO_LAYER;
		coordinate[p] = NO_LAYER;
	}
	for (uint32_t i = 0; i < x->edge_count; i++)
		if (x->dim[set_root(x->cut, i)] != dim)
			set_join(x->layer, x->edges[i].from, x->edges[i].to);
	for (uint32_t i = 0; i < x->edge_count; i++) {
		uint32_t end[2];

		if (x->dim[set_root(x->cut, i)] != dim)
			continue;
		end[0] = set_root(x->layer, x->edges[i].from);
		end[1] = set_root(x->layer, x->edges[i].to);
		if (end[0] == end[1])
			return;
		for (int k = 0; k < 2; k++) {
			uint32_t *beside = next[end[k]], other = end[1 - k];

			if (beside[0] == other || beside[1] == other)
				continue;
			if (beside[0] == NO_LAYER)
				beside[0] = other;
			else if (beside[1] == NO_LAYER)
				beside[1] = other;
			else
				return;
		}
	}
	/* A root is its layer's smallest rank, so that the first end is the one to start from. */
	for (uint32_t p = 0; p < x->processes; p++)
		if (x->layer[p] == p) {
			layers++;
			if (next[p][0] == NO_LAYER)
				return;
			if (next[p][1] == NO_LAYER && !ends) {
				ends = true;
				start = p;
			}
		}
	if (!ends)
		start = set_root(x->layer, 0);
	for (at = start; at != NO_LAYER && coordinate[at] == NO_LAYER; n++) {
		uint32_t a = next[at][0], b = next[at][1], to;

		coordinate[at] = n;
		if (before == NO_LAYER)
			to = b == NO_LAYER || a < b ? a : b;
		else
			to = a == before ? b : a;
		before = at;
		at = to;
	}
	if (n != layers)
		return;
	for (uint32_t p = 0; p < x->processes; p++)
		coordinate[p] = coordinate[set_root(x->layer, p)];
	*length = n;
	*ring = !ends;
}

struct grid_axis {
	uint32_t length, number;
	bool ring;
};
/* x is the longest. */
ORDER_BY(order_axes, struct grid_axis, DOWN(length) DOWN(number))

static enum err_code place_all(struct edge_graph *x, uint32_t dims, struct pattern_grid *g, bool *found, struct err *e)
{
	uint32_t n = x->processes, *coordinate = mem_alloc((size_t)n * dims, sizeof *coordinate), *scratch = mem_alloc((size_t)n * 2, sizeof *scratch);
	struct grid_axis axis[GRID_DIMS];
	uint64_t product = 1;
	enum err_code code = ERR_OK;

	g->place = mem_alloc(n, sizeof *g->place);
	g->rank = mem_alloc(n, sizeof *g->rank);
	if (!coordinate || !scratch || !g->place || !g->rank)
		code = err_memory(e, "patterns");
	*found = !code;
	for (uint32_t d = 0; *found && d < dims; d++) {
		axis[d].number = d;
		walk_layers(x, d, coordinate + (size_t)n * d, scratch, &axis[d].length, &axis[d].ring);
		product *= axis[d].length;
		*found = product && product <= n;
	}
	*found = *found && product == n;
	if (*found) {
		SORT(axis, dims, order_axes);
		memset(g->rank, 0xff, n * sizeof *g->rank);
		g->dims = dims;
		for (uint32_t d = 0; d < dims; d++) {
			g->side[d] = axis[d].length;
			g->periodic[d] = axis[d].ring;
		}
	}
	for (uint32_t p = 0; *found && p < n; p++) {
		uint64_t place = 0;

		for (uint32_t d = dims; d-- > 0;)
			place = place * axis[d].length + coordinate[(size_t)n * axis[d].number + p];
		*found = g->rank[place] == UINT32_MAX;
		g->place[p] = (uint32_t)place;
		g->rank[place] = p;
	}
	if (!*found) {
		grid_release(g);
		*g = (struct pattern_grid){.side = {1, 1, 1}};
	}
	mem_free(coordinate);
	mem_free(scratch);
	return code;
}

enum err_code grid_permuted(struct pattern_grid *g, uint32_t processes, const struct link *channels, uint32_t count, bool *found, struct err *e)
{
	struct edge_graph x = {.processes = processes};
	enum err_code code = ERR_OK;
	uint32_t dims = 0, n = 0;

	*found = false;
	if (count > (uint64_t)DEGREE * processes)
		return ERR_OK;
	x.edges = mem_alloc(count, sizeof *x.edges);
	x.near = mem_alloc(processes, sizeof *x.near);
	x.edge = mem_alloc(processes, sizeof *x.edge);
	x.degree = mem_zero(processes, sizeof *x.degree);
	x.cut = mem_alloc(count, sizeof *x.cut);
	x.dim = mem_zero(count, sizeof *x.dim);
	x.clashes = mem_zero(count, sizeof *x.clashes);
	x.layer = mem_alloc(processes, sizeof *x.layer);
	if (!x.edges || !x.near || !x.edge || !x.degree || !x.cut || !x.dim || !x.clashes || !x.layer)
		code = err_memory(e, "patterns");
	if (!code) {
		for (uint32_t i = 0; i < count; i++)
			x.edges[i] = channels[i].from < channels[i].to ? channels[i] : (struct link){channels[i].to, channels[i].from};
		SORT(x.edges, count, order_links);
		for (uint32_t i = 0; i < count; i++)
			if (!n || order_links(&x.edges[i], &x.edges[n - 1]))
				x.edges[n++] = x.edges[i];
		x.edge_count = n;
		for (uint32_t i = 0; i < n; i++)
			x.cut[i] = i;
		*found = graph_connect(&x) && join_parallels(&x);
	}
	if (*found)
		code = assign_dimensions(&x, &dims, found, e);
	if (!code && *found)
		code = place_all(&x, dims, g, found, e);
	*found = *found && !code;
	mem_free(x.edges);
	mem_free(x.near);
	mem_free(x.edge);
	mem_free(x.degree);
	mem_free(x.cut);
	mem_free(x.dim);
	mem_free(x.clashes);
	mem_free(x.layer);
	return code;
}
