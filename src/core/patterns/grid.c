/* The program's grid, found from who sends to whom (docs/explain/patterns.md, "The grid"). */
#include "patterns_int.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/base/order.h"

#define CHANNELS_LOOKED_AT 4096
#define POLL 65536            /* events between two looks at progress */
#define COST_SURE 1.05        /* that is the grid */
#define COST_BOX 1.3          /* above this diagonals are looked for */
#define COST_MOST 1.5         /* above this there is none */
#define COST_FAR 4
#define COST_WRAP 0.02

char *grid_text(const struct pattern_grid *g, char *text)
{
	size_t n = 0;

	text[0] = '\0';
	for (uint32_t i = g->dims; i-- > 0;)
		n += (size_t)snprintf(text + n, GRID_TEXT - n, "%" PRIu32 "%s", g->side[i], i ? "x" : "");
	return text;
}

char *direction_text(uint32_t direction, char *text)
{
	size_t n = 0;

	for (int i = 0; i < GRID_DIMS; i++)
		if (direction_step(direction, i)) {
			text[n++] = direction_step(direction, i) > 0 ? '+' : '-';
			text[n++] = "xyz"[i];
		}
	text[n] = '\0';
	return text;
}

/* direction_unit() of all. */
const uint32_t directions_unit = 1u << 12 | 1u << 14 | 1u << 10 | 1u << 16 | 1u << 4 | 1u << 22;

unsigned direction_axes(uint32_t direction)
{
	unsigned axes = 0;

	for (int i = 0; i < GRID_DIMS; i++)
		axes |= direction_step(direction, i) ? 1u << i : 0;
	return axes;
}

unsigned directions_axes(uint32_t directions)
{
	unsigned axes = 0;

	for (uint32_t d = 0; d < DIRECTIONS; d++)
		if (directions >> d & 1)
			axes |= direction_axes(d);
	return axes;
}

uint64_t direction_links(const struct pattern_grid *g, uint32_t direction, unsigned periodic)
{
	uint64_t links = 1;

	for (int i = 0; i < GRID_DIMS; i++)
		links *= direction_step(direction, i) && !(periodic >> i & 1 && g->side[i] > 2) ? g->side[i] - 1 : g->side[i];
	return links;
}

struct grid_offset grid_offset(const struct pattern_grid *g, uint32_t from, uint32_t to)
{
	struct grid_offset o = {0};
	uint32_t a = grid_place(g, from), b = grid_place(g, to);

	for (uint32_t i = 0; i < g->dims; i++) {
		uint32_t n = g->side[i];
		int32_t d = (int32_t)(b % n) - (int32_t)(a % n);

		if (n > 2 && 2 * (uint64_t)(d < 0 ? -(int64_t)d : d) > n) {
			o.wraps[i] = true;
			d += d < 0 ? (int32_t)n : -(int32_t)n;
		}
		o.d[i] = d;
		a /= n;
		b /= n;
	}
	return o;
}

static double channel_cost(const struct grid_offset *o)
{
	double cost = 0;

	for (int i = 0; i < GRID_DIMS; i++)
		cost += (o->d[i] < 0 ? -(double)o->d[i] : o->d[i]) + (o->wraps[i] ? COST_WRAP : 0);
	return cost < COST_FAR ? cost : COST_FAR;
}

/* --- channels --- */

struct channels {
	struct link *list;
	uint32_t *messages;
	uint32_t count;
	size_t cap, messages_cap;
};

static bool channel_add(struct channels *c, uint32_t from, uint32_t to, uint32_t messages)
{
	struct link *list = mem_grow(c->list, c->count, &c->cap, sizeof *list);
	uint32_t *counts;

	if (!list)
		return false;
	c->list = list;
	counts = mem_grow(c->messages, c->count, &c->messages_cap, sizeof *counts);
	if (!counts)
		return false;
	c->messages = counts;
	c->messages[c->count] = messages;
	c->list[c->count++] = (struct link){from, to};
	return true;
}

/* All channels with their messages, by source and destination. */
static enum err_code channels_count(struct channels *c, const struct trace *t, const struct progress *progress, struct err *e)
{
	uint32_t *sent = mem_zero(t->process_count, sizeof *sent), *to = mem_alloc(t->process_count, sizeof *to);
	enum err_code code = sent && to ? ERR_OK : err_memory(e, "patterns");
	uint32_t polled = 0;

	for (uint32_t p = 0; !code && p < t->process_count; p++) {
		uint32_t n = 0;

		for (uint32_t k = t->first[p]; k < t->first[p + 1]; k++) {
			uint32_t q;

			if (EVENT_KIND(t->type[k]) != EVENT_SEND || !event_is_related(t, k))
				continue;
			q = message_partner(t, k);
			if (q != p && !sent[q]++)
				to[n++] = q;
		}
		SORT(to, n, order_u32);
		for (uint32_t i = 0; i < n; i++) {
			if (!code && !channel_add(c, p, to[i], sent[to[i]]))
				code = err_memory(e, "patterns");
			sent[to[i]] = 0;
		}
		if (!code && t->first[p + 1] - polled >= POLL) {
			polled = t->first[p + 1];
			code = progress_step(progress, PROGRESS_PATTERNS, 0, t->event_count, e);
		}
	}
	mem_free(sent);
	mem_free(to);
	return code;
}

/* Those with at least 1 % of the messages of the busiest. */
static void channels_keep_busy(struct channels *c)
{
	uint32_t busiest = 0, n = 0;

	for (uint32_t i = 0; i < c->count; i++)
		busiest = c->messages[i] > busiest ? c->messages[i] : busiest;
	for (uint32_t i = 0; i < c->count; i++)
		if (100 * (uint64_t)c->messages[i] >= busiest)
			c->list[n++] = c->list[i];
	c->count = n;
}

/* --- grids of consecutive ranks --- */

static void grid_measure(struct pattern_grid *g, const struct link *channels, uint32_t count)
{
	uint32_t stride = (count + CHANNELS_LOOKED_AT - 1) / CHANNELS_LOOKED_AT, n = 0;
	double sum = 0;

	for (uint32_t i = 0; i < count; i += stride, n++) {
		struct grid_offset o = grid_offset(g, channels[i].from, channels[i].to);

		sum += channel_cost(&o);
		for (uint32_t k = 0; k < g->dims; k++)
			g->periodic[k] = g->periodic[k] || o.wraps[k];
	}
	g->cost = sum / n;
}

static uint32_t side_spread(const struct pattern_grid *g)
{
	uint32_t least = g->side[0], most = g->side[0];

	for (uint32_t i = 1; i < g->dims; i++) {
		least = g->side[i] < least ? g->side[i] : least;
		most = g->side[i] > most ? g->side[i] : most;
	}
	return most - least;
}

static bool grid_is_better(const struct pattern_grid *a, const struct pattern_grid *b)
{
	double x = round(a->cost * 1e6), y = round(b->cost * 1e6);

	if (x != y)
		return x < y;
	if (a->dims != b->dims)
		return a->dims < b->dims;
	if (side_spread(a) != side_spread(b))
		return side_spread(a) < side_spread(b);
	for (uint32_t i = a->dims; i-- > 0;)
		if (a->side[i] != b->side[i])
			return a->side[i] < b->side[i];
	return false;
}

/* The part of the channels that lead to a neighbour, diagonal ones too. On a side of 3 with links that wrap all are
 * neighbours, which says nothing: then 0. */
static double grid_box_part(const struct pattern_grid *g, const struct link *channels, uint32_t count)
{
	uint32_t stride = (count + CHANNELS_LOOKED_AT - 1) / CHANNELS_LOOKED_AT, n = 0, near = 0;

	if (g->dims < 2)
		return 0;
	for (uint32_t i = 0; i < g->dims; i++)
		if (g->side[i] < (g->periodic[i] ? 4u : 3u))
			return 0;
	for (uint32_t i = 0; i < count; i += stride, n++) {
		struct grid_offset o = grid_offset(g, channels[i].from, channels[i].to);

		near += offset_direction(&o) < DIRECTIONS;
	}
	return (double)near / n;
}

struct grid_search {
	const struct link *channels;
	uint32_t count;
	struct pattern_grid best, box;
	double box_part;
};

static void grid_try(struct grid_search *s, const uint32_t *side, uint32_t dims)
{
	struct pattern_grid g = {.dims = dims, .side = {1, 1, 1}};
	double part;

	for (uint32_t i = 0; i < dims; i++)
		g.side[i] = side[i];
	grid_measure(&g, s->channels, s->count);
	if (!s->best.dims || grid_is_better(&g, &s->best))
		s->best = g;
	part = grid_box_part(&g, s->channels, s->count);
	if (part >= PATTERN_ENOUGH && (part > s->box_part || (part == s->box_part && grid_is_better(&g, &s->box)))) {
		s->box = g;
		s->box_part = part;
	}
}

static void grid_try_all(struct grid_search *s, uint32_t processes)
{
	uint32_t side[GRID_DIMS] = {processes};

	grid_try(s, side, 1);
	for (uint32_t a = 2; a <= processes / 2; a++) {
		uint32_t rest = processes / a;

		if (processes % a)
			continue;
		side[0] = a;
		side[1] = rest;
		grid_try(s, side, 2);
		for (uint32_t b = 2; b <= rest / 2; b++)
			if (rest % b == 0) {
				side[1] = b;
				side[2] = rest / b;
				grid_try(s, side, 3);
			}
	}
}

enum err_code grid_init(struct pattern_grid *g, const struct trace *t, const struct progress *progress, struct err *e)
{
	struct grid_search s = {0};
	struct channels c = {0};
	enum err_code code = channels_count(&c, t, progress, e);
	bool permuted = false;

	*g = (struct pattern_grid){.side = {1, 1, 1}};
	channels_keep_busy(&c);
	if (!code && c.count) {
		s.channels = c.list;
		s.count = c.count;
		grid_try_all(&s, t->process_count);
		if (s.best.cost > COST_SURE)
			code = grid_permuted(g, t->process_count, c.list, c.count, &permuted, e);
		if (!code && !permuted) {
			if (s.best.cost > COST_BOX && s.box_part > 0)
				*g = s.box;
			else if (s.best.cost <= COST_MOST)
				*g = s.best;
		}
	}
	mem_free(c.list);
	mem_free(c.messages);
	return code;
}

void grid_release(struct pattern_grid *g)
{
	mem_free(g->place);
	mem_free(g->rank);
	*g = (struct pattern_grid){0};
}
