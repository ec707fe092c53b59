#include "graph.h"

#include <stdio.h>
#include <string.h>

#include "core/base/hash.h"
#include "program.h"

/* All that is needed while it is drawn. */
struct drawing {
	struct graph *g;
	struct recorder *r;
	bool nested;
	uint32_t *order;    /* boxes of each process from top to bottom, without conditions */
	uint32_t *from;     /* per process: where its boxes begin in `order`; one more than there are */
	uint32_t *pos;      /* per box: its place in its process's part; GRAPH_NONE: it is not drawn */
	double *scale;      /* per box, two: what sums grow by for iterations that were not executed */
};

static const struct recorded_box *box_at(const struct drawing *d, uint32_t rank, uint32_t i)
{
	return &d->r->box[d->order[d->from[rank] + i]];
}

static uint32_t boxes_of(const struct drawing *d, uint32_t rank)
{
	return d->from[rank + 1] - d->from[rank];
}

/* Clocks of the view that counts: lower and upper end. */
static struct interval clocks(const struct drawing *d, const double clock[CLOCKS])
{
	return d->nested ? (struct interval){clock[2], clock[3]} : (struct interval){clock[0], clock[1]};
}

static enum graph_shape shape_of(const struct recorded_box *b)
{
	if (!b->messages)
		return GRAPH_WORK;
	switch (b->node->kind) {
	case NODE_SEND:
	case NODE_ISEND: return GRAPH_SEND;
	case NODE_RECV: return GRAPH_RECV;
	case NODE_LOOP: return GRAPH_LOOP;
	default: return model_node_info(b->node->kind)->family == MODEL_COLLECTIVE ? GRAPH_ALL : GRAPH_BLOCK;
	}
}

/* Conditions, and lists of nodes, are not drawn: what is in them is. */
static bool is_drawn(const struct recorded_box *b)
{
	return b->node && (!b->messages || (b->node->kind != NODE_IF && b->node->kind != NODE_DO));
}

/* Iterations that were skipped are in the loop's time, so that what is inside grows to fill it. */
static void scale_inside(struct drawing *d, uint32_t of)
{
	struct recorded_box *b = d->r->box;
	struct interval inside = {0, 0}, sum = clocks(d, b[of].sum);

	for (uint32_t i = b[of].first; i != NO_BOX; i = b[i].next)
		inside = interval_add(inside, clocks(d, b[i].sum));
	for (uint32_t i = b[of].first; i != NO_BOX; i = b[i].next) {
		bool loop = b[of].node && b[of].node->kind == NODE_LOOP;

		d->scale[2 * (size_t)i] = d->scale[2 * (size_t)of] * (loop && inside.lo > 0 ? sum.lo / inside.lo : 1);
		d->scale[2 * (size_t)i + 1] = d->scale[2 * (size_t)of + 1] * (loop && inside.hi > 0 ? sum.hi / inside.hi : 1);
	}
}

/* The boxes of a process, each before what is in it. */
static void put_in_order(struct drawing *d, uint32_t rank, uint32_t *n)
{
	const struct recorded_box *b = d->r->box;
	uint32_t i = rank;

	d->from[rank] = *n;
	for (;;) {
		scale_inside(d, i);
		if (is_drawn(&b[i])) {
			d->pos[i] = *n - d->from[rank];
			d->order[(*n)++] = i;
		}
		if (b[i].first != NO_BOX) {
			i = b[i].first;
			continue;
		}
		while (i != rank && b[i].next == NO_BOX)
			i = b[i].parent;
		if (i == rank)
			break;
		i = b[i].next;
	}
	d->from[rank + 1] = *n;
}

static uint32_t parent_of(const struct drawing *d, const struct recorded_box *b)
{
	uint32_t i = b->parent;

	while (i != NO_BOX && !is_drawn(&d->r->box[i]))
		i = d->r->box[i].parent;
	return i == NO_BOX ? GRAPH_NONE : d->pos[i];
}

static bool same_clocks(const double a[CLOCKS], const double b[CLOCKS])
{
	for (int k = 0; k < CLOCKS; k++)
		if (a[k] < b[k] || a[k] > b[k])
			return false;
	return true;
}

static bool same_box(const struct drawing *d, const struct recorded_box *a, const struct recorded_box *b)
{
	return a->node == b->node && !(a->times < b->times) && !(a->times > b->times) && same_clocks(a->start, b->start) &&
	       same_clocks(a->end, b->end) && same_clocks(a->sum, b->sum) && parent_of(d, a) == parent_of(d, b);
}

static bool same_process(const struct drawing *d, uint32_t a, uint32_t b)
{
	if (boxes_of(d, a) != boxes_of(d, b))
		return false;
	for (uint32_t i = 0; i < boxes_of(d, a); i++)
		if (!same_box(d, box_at(d, a, i), box_at(d, b, i)))
			return false;
	return true;
}

static uint64_t hash_of(const struct drawing *d, uint32_t rank)
{
	uint64_t h = boxes_of(d, rank);

	for (uint32_t i = 0; i < boxes_of(d, rank); i++) {
		const struct recorded_box *b = box_at(d, rank, i);
		uint64_t bits;

		memcpy(&bits, &b->end[CLOCKS - 1], sizeof bits);
		h = hash_mix(hash_mix(h, (uint64_t)(uintptr_t)b->node), bits);
	}
	return h;
}

/* --- classes --- */

/* Which processes do the same: open addressing by hash, of columns. */
static enum err_code graph_fold_columns(struct drawing *d, struct err *e)
{
	struct graph *g = d->g;
	size_t room = 16;
	uint32_t *table;

	while (room < 2 * (size_t)g->process_count)
		room *= 2;
	table = mem_alloc(room, sizeof *table);
	g->column_of = mem_zero(g->process_count, sizeof *g->column_of);
	g->column = mem_zero(g->process_count, sizeof *g->column);
	if (!table || !g->column_of || !g->column) {
		mem_free(table);
		return err_memory(e, "the graph's columns");
	}
	memset(table, 0xff, room * sizeof *table);
	for (uint32_t rank = 0; rank < g->process_count; rank++) {
		size_t at = hash_of(d, rank) & (room - 1);

		while (table[at] != GRAPH_NONE && !same_process(d, rank, g->column[table[at]].first))
			at = (at + 1) & (room - 1);
		if (table[at] == GRAPH_NONE) {
			table[at] = g->column_count;
			g->column[g->column_count] = (struct graph_column){.first = rank, .node = g->node_count, .nodes = boxes_of(d, rank)};
			g->node_count += boxes_of(d, rank);
			g->column_count++;
		}
		g->column_of[rank] = table[at];
		g->column[table[at]].count++;
	}
	mem_free(table);
	return ERR_OK;
}

/* The node that a box became, in the column of its process. */
static uint32_t node_of(const struct drawing *d, uint32_t box)
{
	if (box == NO_BOX || d->pos[box] == GRAPH_NONE)
		return GRAPH_NONE;
	return d->g->column[d->g->column_of[d->r->box[box].rank]].node + d->pos[box];
}

static void put_column(struct drawing *d, uint32_t column)
{
	struct graph *g = d->g;
	struct graph_column *c = &g->column[column];

	c->end = outcome_end(&g->outcome.processes[c->first], d->nested ? CONTENTION_NESTED : CONTENTION_WHOLE);
	for (uint32_t i = 0; i < c->nodes; i++) {
		uint32_t box = d->order[d->from[c->first] + i], parent = parent_of(d, &d->r->box[box]);
		const struct recorded_box *b = &d->r->box[box];
		struct interval sum = clocks(d, b->sum);
		struct graph_node *n = &g->node[c->node + i];

		*n = (struct graph_node){
			.shape = shape_of(b), .node = b->node, .column = column, .row = b->row,
			.parent = parent == GRAPH_NONE ? GRAPH_NONE : c->node + parent, .partner = node_of(d, b->partner), .peer = b->peer,
			.times = b->times, .start = clocks(d, b->start), .end = clocks(d, b->end),
			.time = {sum.lo * d->scale[2 * (size_t)box], sum.hi * d->scale[2 * (size_t)box + 1]}, .waited = b->waited,
		};
		n->depth = n->parent == GRAPH_NONE ? 0 : g->node[n->parent].depth + 1;
	}
}

/* Rows that nothing of what is left stands in go. */
static enum err_code close_rows(struct graph *g, struct err *e)
{
	uint32_t last = 0, *number;

	for (uint32_t i = 0; i < g->node_count; i++)
		last = g->node[i].row > last ? g->node[i].row : last;
	number = mem_zero((size_t)last + 1, sizeof *number);
	if (!number)
		return err_memory(e, "the graph's rows");
	for (uint32_t i = 0; i < g->node_count; i++)
		number[g->node[i].row] = 1;
	for (uint32_t i = 0; i <= last; i++)
		number[i] = number[i] ? g->rows++ : 0;
	for (uint32_t i = 0; i < g->node_count; i++)
		g->node[i].row = number[g->node[i].row];
	mem_free(number);
	return ERR_OK;
}

/* --- the critical path --- */

/* Of the collective in this row the process that came last. */
static uint32_t last_to_come(const struct graph *g, const struct graph_node *n)
{
	uint32_t last = (uint32_t)(n - g->node);

	for (uint32_t i = 0; i < g->node_count; i++)
		if (g->node[i].row == n->row && g->node[i].shape == GRAPH_ALL && g->node[i].start.hi > g->node[last].start.hi)
			last = i;
	return last;
}

static void mark_critical(struct graph *g)
{
	uint32_t column = 0, at;

	for (uint32_t i = 1; i < g->column_count; i++)
		if (g->column[i].end.hi > g->column[column].end.hi)
			column = i;
	if (!g->column_count || !g->column[column].nodes)
		return;
	at = g->column[column].node + g->column[column].nodes - 1;
	for (;;) {
		struct graph_node *n = &g->node[at];
		uint32_t next = at;

		n->critical = true;
		for (uint32_t i = n->parent; i != GRAPH_NONE; i = g->node[i].parent)
			g->node[i].critical = true;
		if (n->shape == GRAPH_RECV && n->waited && n->partner != GRAPH_NONE && g->node[n->partner].row < n->row) {
			at = n->partner;
			continue;
		}
		if (n->shape == GRAPH_ALL)
			next = last_to_come(g, n);
		g->node[next].critical = true;
		if (next == g->column[g->node[next].column].node)
			return;
		at = next - 1;
	}
}

static enum err_code graph_draw_columns(struct drawing *d, struct err *e)
{
	struct graph *g = d->g;
	uint32_t n = 0;
	enum err_code code;

	d->order = mem_alloc(d->r->count, sizeof *d->order);
	d->pos = mem_alloc(d->r->count, sizeof *d->pos);
	d->scale = mem_alloc(2 * (size_t)d->r->count, sizeof *d->scale);
	d->from = mem_zero((size_t)g->process_count + 1, sizeof *d->from);
	if (!d->order || !d->pos || !d->scale || !d->from)
		return err_memory(e, "the program's graph");
	memset(d->pos, 0xff, d->r->count * sizeof *d->pos);
	for (uint32_t rank = 0; rank < g->process_count; rank++) {
		d->scale[2 * (size_t)rank] = d->scale[2 * (size_t)rank + 1] = 1;
		put_in_order(d, rank, &n);
	}
	code = graph_fold_columns(d, e);
	if (code)
		return code;
	g->node = mem_zero(g->node_count, sizeof *g->node);
	if (!g->node)
		return err_memory(e, "the program's graph");
	for (uint32_t i = 0; i < g->column_count; i++)
		put_column(d, i);
	code = close_rows(g, e);
	if (!code)
		mark_critical(g);
	return code;
}

enum err_code graph_make(struct graph *g, const struct evaluate_input *in, struct err *e)
{
	struct recorder r = {.most = GRAPH_NODES};
	struct drawing d = {.g = g, .r = &r, .nested = in->contention == CONTENTION_NESTED};
	enum err_code code;

	*g = (struct graph){.rows = 0};
	code = evaluate_recorded(&g->outcome, in, &r, e);
	g->process_count = code ? 0 : g->outcome.process_count;
	if (!code)
		code = graph_draw_columns(&d, e);
	mem_free(d.order);
	mem_free(d.pos);
	mem_free(d.scale);
	mem_free(d.from);
	recorder_release(&r);
	return code;
}

void graph_release(struct graph *g)
{
	mem_free(g->node);
	mem_free(g->column);
	mem_free(g->column_of);
	outcome_release(&g->outcome);
	*g = (struct graph){.rows = 0};
}

void graph_label(const struct graph_node *n, char *text, size_t size)
{
	const struct model_node *m = n->node;
	const char *kind = model_node_info(m->kind)->name;

	if (n->shape == GRAPH_LOOP)
		snprintf(text, size, "%s x %.12g", m->name ? m->name : "loop", n->times);
	else if (m->name)
		snprintf(text, size, "%s", m->name);
	else if (n->shape == GRAPH_SEND)
		snprintf(text, size, "%s to rank %u", kind, n->peer);
	else if (n->shape == GRAPH_RECV)
		snprintf(text, size, "%s from rank %u", kind, n->peer);
	else if (m->kind == NODE_CALL && m->word)
		snprintf(text, size, "%s", m->word);
	else
		snprintf(text, size, "%s", kind);
}
