#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"

#define NOT_OURS "pas2p did not write this table"

/* While the plan is made: where a span begins or ends. */
struct plan_place {
	const uint32_t *counts; /* per rank */
	uint32_t part;
	uint32_t *boundary;     /* where its number is to be noted */
};

struct places {
	struct plan_place *list;
	size_t count;
	uint32_t *room;         /* counts that no table has, ranks each */
};

const char *plan_name(const struct launch_plan *p, const struct plan_part *part, char name[PLAN_NAME])
{
	if (p->windows)
		snprintf(name, PLAN_NAME, "window %u (occurrences %u to %u)", part->number, part->first, part->last);
	else
		snprintf(name, PLAN_NAME, "phase %u", part->number);
	return name;
}

static int by_tick(const void *a, const void *b)
{
	const struct plan_part *x = *(const struct plan_part *const *)a, *y = *(const struct plan_part *const *)b;

	if (x->points.checkpoint_tick != y->points.checkpoint_tick)
		return x->points.checkpoint_tick < y->points.checkpoint_tick ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static bool same_cut(const struct plan_part *a, const struct plan_part *b, uint32_t ranks)
{
	return memcmp(a->points.checkpoint, b->points.checkpoint, ranks * sizeof *a->points.checkpoint) == 0 &&
	       memcmp(a->points.before, b->points.before, ranks * sizeof *a->points.before) == 0;
}

static enum err_code cross(const struct launch_plan *p, const char *what, uint32_t a, uint32_t b, uint32_t rank, struct err *e)
{
	const char *parts = p->windows ? "windows" : "phases";

	return err_set(e, ERR_FORMAT, "the %s of %s %u and %u overlap on rank %u: " NOT_OURS, what, parts, a, b, rank);
}

/* A rank that has gone through the earlier cut must not be past the later one. */
static enum err_code check_order(const struct launch_plan *p, const struct plan_part *a, const struct plan_part *b, struct err *e)
{
	for (uint32_t r = 0; r < p->ranks; r++)
		if (b->points.checkpoint[r] < a->points.checkpoint[r] ||
		    (b->points.checkpoint[r] == a->points.checkpoint[r] && a->points.before[r] && !b->points.before[r]))
			return cross(p, "checkpoints", a->number, b->number, r, e);
	return ERR_OK;
}

static enum err_code check_part(const struct launch_plan *p, const struct plan_part *x, struct err *e)
{
	char name[PLAN_NAME];

	for (uint32_t r = 0; r < p->ranks; r++)
		if (x->points.checkpoint[r] > x->points.entry[r] || x->points.entry[r] > x->points.exit[r])
			return err_set(e, ERR_FORMAT, "%s has its checkpoint, entry and exit out of order on rank "
				       "%u: " NOT_OURS,
				       plan_name(p, x, name), r);
	return ERR_OK;
}

/* Counts are numbers of calls made before a tick: on every rank they rise with the tick, so that rank 0's, then the
 * next one's where they are equal, sort them. */
static int by_counts(const void *a, const void *b, void *ranks)
{
	const struct plan_place *x = a, *y = b;

	for (uint32_t r = 0; r < *(const uint32_t *)ranks; r++)
		if (x->counts[r] != y->counts[r])
			return x->counts[r] < y->counts[r] ? -1 : 1;
	return (x->part > y->part) - (x->part < y->part);
}

static void add_place(struct places *at, const uint32_t *counts, uint32_t part, uint32_t *boundary)
{
	at->list[at->count++] = (struct plan_place){counts, part, boundary};
}

static void add_span(struct launch_plan *p, struct places *at, uint32_t part, const uint32_t *entry, const uint32_t *exit)
{
	struct span *s = &p->spans[p->span_count++];

	add_place(at, entry, part, &s->start);
	add_place(at, exit, part, &s->end);
}

static void add_phase(struct launch_plan *p, struct places *at, const struct table_phase *x)
{
	struct plan_part *part = &p->parts[p->part_count];

	*part = (struct plan_part){.number = x->id, .points = x->points, .span_from = p->span_count};
	add_span(p, at, p->part_count, x->points.entry, x->points.exit);
	for (uint32_t k = 0; k < x->sample_count; k++)
		add_span(p, at, p->part_count, x->samples[k].entry, x->samples[k].exit);
	part->span_to = p->span_count;
	p->part_count++;
}

/* Occurrence by occurrence from the entry, by what the steps' patterns call. */
static enum err_code add_window(struct launch_plan *p, struct places *at, const struct table_windows *w, uint32_t i, struct err *e)
{
	const struct table_window *x = &w->list[i];
	struct plan_part *part = &p->parts[p->part_count];
	const uint32_t *counts = x->points.entry;
	char name[PLAN_NAME];

	*part = (struct plan_part){.number = i + 1, .first = x->first, .last = x->last, .points = x->points,
				   .span_from = p->span_count};
	for (uint32_t k = 0; k < x->step_count; k++) {
		const struct table_pattern *pattern = &w->patterns[x->steps[k].pattern - 1];

		for (uint32_t n = 0; n < x->steps[k].times; n++) {
			uint32_t *next = at->room;

			at->room += p->ranks;
			for (uint32_t r = 0; r < p->ranks; r++)
				next[r] = counts[r] + pattern->sends[r];
			add_span(p, at, p->part_count, counts, next);
			counts = next;
		}
	}
	part->span_to = p->span_count;
	if (part->span_to - part->span_from != x->last - x->first + 1 ||
	    memcmp(counts, x->points.exit, p->ranks * sizeof *counts) != 0)
		return err_set(e, ERR_FORMAT, "the steps of %s do not lead to its "
			       "end: " NOT_OURS, plan_name(p, part, name));
	p->part_count++;
	return ERR_OK;
}

/* Equal places are one boundary. */
static enum err_code number_places(struct launch_plan *p, struct places *at, struct err *e)
{
	qsort_r(at->list, at->count, sizeof *at->list, by_counts, &p->ranks);
	p->counts = mem_alloc(at->count * p->ranks, sizeof *p->counts);
	if (!p->counts)
		return err_memory(e, "the plan of a run");
	for (size_t i = 0; i < at->count; i++) {
		const struct plan_place *x = &at->list[i], *last = i ? x - 1 : NULL;

		for (uint32_t r = 0; last && r < p->ranks; r++)
			if (x->counts[r] < last->counts[r])
				return cross(p, "occurrences", p->parts[last->part].number, p->parts[x->part].number, r, e);
		p->boundary_count += !last || memcmp(last->counts, x->counts, p->ranks * sizeof *x->counts) != 0;
		*x->boundary = p->boundary_count - 1;
	}
	for (size_t i = 0; i < at->count; i++)
		for (uint32_t r = 0; r < p->ranks; r++)
			p->counts[(size_t)r * p->boundary_count + *at->list[i].boundary] = at->list[i].counts[r];
	for (uint32_t i = 0; i < p->part_count; i++) {
		struct plan_part *part = &p->parts[i];

		part->from = UINT32_MAX;
		for (uint32_t k = part->span_from; k < part->span_to; k++) {
			const struct span *s = &p->spans[k];

			part->from = s->start < part->from ? s->start : part->from;
			part->to = s->end >= part->to ? s->end + 1 : part->to;
		}
	}
	return ERR_OK;
}

static enum err_code make_cuts(struct launch_plan *p, struct err *e)
{
	struct plan_part **order = mem_alloc(p->part_count, sizeof *order);
	enum err_code code = order ? ERR_OK : err_memory(e, "the plan of a run");

	p->cuts = code ? NULL : mem_zero(p->part_count, sizeof *p->cuts);
	if (!code && !p->cuts)
		code = err_memory(e, "the plan of a run");
	for (uint32_t i = 0; !code && i < p->part_count; i++)
		order[i] = &p->parts[i];
	if (!code)
		SORT(order, p->part_count, by_tick);
	for (uint32_t i = 0; !code && i < p->part_count; i++) {
		const struct plan_part *last = p->cut_count ? p->cuts[p->cut_count - 1] : NULL;

		if (!last || !same_cut(last, order[i], p->ranks)) {
			if (last)
				code = check_order(p, last, order[i], e);
			p->cuts[p->cut_count++] = order[i];
		}
		order[i]->cut = p->cut_count - 1;
	}
	mem_free(order);
	return code;
}

/* How many parts and spans there will be, and room for them. */
static enum err_code plan_make_room(struct launch_plan *p, const struct table *t, struct places *at, uint32_t **room, struct err *e)
{
	const struct table_windows *w = t->windows;
	uint64_t parts = 0, spans = 0;

	for (uint32_t i = 0; w && i < w->count; i++) {
		parts++;
		for (uint32_t k = 0; k < w->list[i].step_count; k++)
			spans += w->list[i].steps[k].times;
	}
	for (uint32_t i = 0; !w && i < t->phase_count; i++) {
		parts += t->phases[i].relevant;
		spans += t->phases[i].relevant ? 1 + (uint64_t)t->phases[i].sample_count : 0;
	}
	if (!parts)
		return err_set(e, ERR_USAGE, w ? "the table has no window, so there is nothing to measure" :
			       "the table has no relevant phase, so there is nothing to measure\nhint: make the table "
			       "with a lower --relevance");
	*room = NULL;
	if (spans <= UINT32_MAX / 2) {
		p->parts = mem_zero(parts, sizeof *p->parts);
		p->spans = mem_alloc(spans, sizeof *p->spans);
		at->list = mem_alloc(2 * spans, sizeof *at->list);
		*room = at->room = w ? mem_alloc(spans * p->ranks, sizeof *at->room) : NULL;
	}
	return p->parts && p->spans && at->list && (!w || at->room) ? ERR_OK : err_memory(e, "the plan of a run");
}

enum err_code plan_make(struct launch_plan *p, const struct table *t, struct err *e)
{
	struct places at = {0};
	uint32_t *room = NULL;
	enum err_code code;

	*p = (struct launch_plan){.ranks = t->processes, .windows = t->windows != NULL,
			   .collectives = t->settings.collectives == COLLECTIVES_EVENTS, .calls = t->sends};
	if (p->collectives)
		p->calls += t->collectives;
	code = plan_make_room(p, t, &at, &room, e);
	for (uint32_t i = 0; !code && p->windows && i < t->windows->count; i++)
		code = add_window(p, &at, t->windows, i, e);
	for (uint32_t i = 0; !code && !p->windows && i < t->phase_count; i++)
		if (t->phases[i].relevant)
			add_phase(p, &at, &t->phases[i]);
	for (uint32_t i = 0; !code && i < p->part_count; i++)
		code = check_part(p, &p->parts[i], e);
	if (!code)
		code = number_places(p, &at, e);
	if (!code)
		code = make_cuts(p, e);
	mem_free(at.list);
	mem_free(room);
	return code;
}

uint32_t plan_needed(const struct launch_plan *p, uint32_t part, uint32_t rank)
{
	const uint32_t *counts = p->counts + (size_t)rank * p->boundary_count;
	uint32_t from = part == PLAN_EVERY_PART ? 0 : p->parts[part].span_from;
	uint32_t to = part == PLAN_EVERY_PART ? p->span_count : p->parts[part].span_to, needed = 0;

	for (uint32_t i = from; i < to; i++)
		if (counts[p->spans[i].end] > counts[p->spans[i].start] && p->spans[i].end >= needed)
			needed = p->spans[i].end + 1;
	return needed;
}

void plan_release(struct launch_plan *p)
{
	mem_free(p->parts);
	mem_free(p->cuts);
	mem_free(p->spans);
	mem_free(p->counts);
	*p = (struct launch_plan){0};
}
