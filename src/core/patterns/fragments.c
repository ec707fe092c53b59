/* Fragments: single messages that no sweep and no shift explains. Those that come one after the other are one bag, which
 * may still be a sweep that is less regular, or a token that goes round. */
#include "patterns_int.h"

#include "core/base/order.h"

/* Does the k-th message to each process downstream come when k have come from each upstream? For nearly all sends. */
static bool bag_is_ordered(struct parser *x, const unsigned *up, const unsigned *down, uint32_t axes)
{
	const struct trace *t = x->t;
	uint32_t in_order = 0, sends = 0;

	for (uint32_t i = 0; i < x->bag.count;) {
		uint32_t p = trace_process_of(t, x->bag.list[i]), end = t->first[p + 1];
		uint32_t came[GRID_DIMS] = {0}, went[GRID_DIMS] = {0};
		bool both = false;

		for (uint32_t a = 0; a < axes; a++)
			for (uint32_t b = 0; b < axes; b++)
				both = both || (x->own.near[p][up[a]] != NO_RANK && x->own.near[p][down[b]] != NO_RANK);
		for (; i < x->bag.count && x->bag.list[i] < end; i++) {
			uint32_t e = x->bag.list[i], q = message_partner(x->t, e);
			bool receives = EVENT_KIND(t->type[e]) == EVENT_RECEIVE;

			for (uint32_t a = 0; a < axes; a++) {
				bool good = true;

				if (q != x->own.near[p][receives ? up[a] : down[a]])
					continue;
				if (receives) {
					came[a]++;
					continue;
				}
				went[a]++;
				for (uint32_t b = 0; b < axes; b++)
					good = good && (x->own.near[p][up[b]] == NO_RANK || came[b] == went[a]);
				sends += both;
				in_order += both && good;
			}
		}
	}
	return sends && in_order >= PATTERN_ENOUGH * sends;
}

/* A bag that is a sweep, though not message by message (docs/explain/patterns.md, "Sweeps"). The bag holds the events,
 * sorted. */
static bool bag_is_sweep(struct parser *x, struct step *step)
{
	const struct shape *shape = &x->shapes->list[step->shape];
	const struct link *links = x->shapes->links + shape->first;
	const uint32_t *counts = x->shapes->counts + shape->first;
	uint64_t messages[2 * GRID_DIMS] = {0}, links_of[2 * GRID_DIMS] = {0}, explained = 0;
	unsigned up[GRID_DIMS], down[GRID_DIMS];
	uint32_t axes = 0, set = 0, place = 0, stride = 1;

	if (!x->grid->dims)
		return false;
	for (uint32_t i = 0; i < shape->count; i++)
		for (int k = 0; k < 2 * GRID_DIMS; k++)
			if (x->own.near[links[i].from][k] == links[i].to) {
				messages[k] += counts[i];
				links_of[k]++;
			}
	for (uint32_t a = 0; a < x->grid->dims; a++) {
		bool minus = messages[2 * a] && (double)messages[2 * a] >= (double)shape->messages / x->grid->dims / 4;
		bool plus = messages[2 * a + 1] && (double)messages[2 * a + 1] >= (double)shape->messages / x->grid->dims / 4;
		unsigned k = 2 * a + plus;
		uint32_t direction;

		if (minus && plus)
			return false;
		place += minus ? stride * (x->grid->side[a] - 1) : 0;
		stride *= x->grid->side[a];
		if (!minus && !plus)
			continue;
		direction = direction_unit((int)a, plus);
		if ((double)links_of[k] < PATTERN_ENOUGH * (double)direction_links(x->grid, direction, 0))
			return false;
		up[axes] = 2 * a + !plus;
		down[axes++] = k;
		set |= 1u << direction;
		explained += messages[k];
	}
	if (!axes || (double)explained < PATTERN_ENOUGH * shape->messages || !bag_is_ordered(x, up, down, axes))
		return false;
	step->key = (struct pattern_key){.kind = PATTERN_SWEEP, .directions = set, .root = grid_rank(x->grid, place)};
	key_set_grid(&step->key, x->grid);
	step->explained = (double)explained / shape->messages;
	return true;
}

/* Single messages, each after the other, are no ring shift, in which all send at once: a token went round, if each
 * process but the first received it before it sent it on. */
static void bag_is_no_shift(struct parser *x, struct step *step)
{
	const struct trace *t = x->t;
	uint32_t processes = t->process_count, first = 0, receives_first = 0;
	struct pattern_key was = step->key;

	if (was.kind != PATTERN_RING_SHIFT)
		return;
	step->key = (struct pattern_key){.kind = PATTERN_PERMUTATION, .members = processes};
	step->explained = 0;
	if (x->bag.count != 2 * processes || (was.number != 1 && was.number != processes - 1))
		return;
	for (uint32_t i = 0; i < x->bag.count; i += 2) {
		if (EVENT_KIND(t->type[x->bag.list[i]]) == EVENT_SEND)
			first++;
		else
			receives_first += EVENT_KIND(t->type[x->bag.list[i + 1]]) == EVENT_SEND;
	}
	if (first == 1 && receives_first == processes - 1) {
		step->key = (struct pattern_key){.kind = PATTERN_TOKEN, .members = processes};
		step->explained = 1;
	}
}

bool parser_close_bag(struct parser *x)
{
	const struct trace *t = x->t;
	struct step *step;

	if (!x->bag_open)
		return true;
	x->bag_open = false;
	step = &x->steps->list[x->steps->count - 1];
	SORT(x->bag.list, x->bag.count, order_u32);
	x->link_count = 0;
	for (uint32_t i = 0, p = 0; i < x->bag.count; i++) {
		uint32_t e = x->bag.list[i];

		if (EVENT_KIND(t->type[e]) != EVENT_SEND)
			continue;
		if (e < t->first[p] || e >= t->first[p + 1])
			p = trace_process_of(t, e);
		step_add_message(step, t, e);
		if (!parser_link(x, p, message_partner(x->t, e)))
			return false;
	}
	if (!parser_classify(x, step))
		return false;
	if (!bag_is_sweep(x, step))
		bag_is_no_shift(x, step);
	x->bag.count = 0;
	return true;
}

bool parser_consume_fragment(struct parser *x)
{
	struct event_list ready = x->ready[ATOM_ONE_WAY];
	const struct trace *t = x->t;
	uint32_t number;
	bool ok = true;

	if (!x->bag_open) {
		struct step *step = parser_step_add(x);

		if (!step)
			return false;
		step->fragment = true;
		x->bag_open = true;
	}
	number = x->steps->count - 1;
	x->ready[ATOM_ONE_WAY] = x->taken;
	x->ready[ATOM_ONE_WAY].count = 0;
	x->taken = ready;
	for (uint32_t i = 0; ok && i < ready.count; i++) {
		uint32_t e = ready.list[i], other = t->match[e], p = message_partner(x->t, other), q = message_partner(x->t, e);

		x->atoms->of[e] = x->atoms->of[other] = number;
		ok = parser_push(&x->bag, e) && parser_push(&x->bag, other) && parser_come(x, p, e + 1) && parser_come(x, q, other + 1);
	}
	return ok;
}
