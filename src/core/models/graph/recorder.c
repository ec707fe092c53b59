#include "program.h"

#include <string.h>

static uint32_t add_box(struct recorder *r, uint32_t rank, const struct code *c, uint32_t parent, struct err *e)
{
	struct recorded_box *list;

	if (r->count == r->most) {
		err_set(e, ERR_LIMIT, "the graph of %u processes has more than %u nodes: use fewer processes",
			r->processes, r->most);
		return NO_BOX;
	}
	list = mem_grow(r->box, r->count, &r->cap, sizeof *list);
	if (!list) {
		err_memory(e, "the program's graph");
		return NO_BOX;
	}
	r->box = list;
	list[r->count] = (struct recorded_box){.node = c ? c->node : NULL, .messages = c && c->messages, .rank = rank,
					       .parent = parent, .first = NO_BOX, .last = NO_BOX, .next = NO_BOX,
					       .partner = NO_BOX, .peer = NO_BOX, .times = 1};
	if (parent != NO_BOX) {
		if (list[parent].last == NO_BOX)
			list[parent].first = r->count;
		else
			list[list[parent].last].next = r->count;
		list[parent].last = r->count;
	}
	return r->count++;
}

enum err_code recorder_begin(struct recorder *r, uint32_t processes, struct err *e)
{
	r->processes = processes;
	r->at = mem_zero(processes, sizeof *r->at);
	r->inside = mem_zero(processes, sizeof *r->inside);
	r->row = mem_zero(processes, sizeof *r->row);
	if (!r->at || !r->inside || !r->row)
		return err_memory(e, "the program's graph");
	for (uint32_t i = 0; i < processes; i++) {
		if (add_box(r, i, NULL, NO_BOX, e) == NO_BOX)
			return e->code;
		r->inside[i] = r->at[i] = i;
	}
	return ERR_OK;
}

void recorder_release(struct recorder *r)
{
	mem_free(r->box);
	mem_free(r->at);
	mem_free(r->inside);
	mem_free(r->row);
}

/* The next in the same place is mostly the one after the last that it was in. */
static uint32_t box_find(const struct recorder *r, uint32_t inside, uint32_t last, const struct code *c)
{
	const struct recorded_box *b = r->box;

	if (b[last].parent == inside && b[last].next != NO_BOX && b[b[last].next].node == c->node)
		return b[last].next;
	for (uint32_t i = b[inside].first; i != NO_BOX; i = b[i].next)
		if (b[i].node == c->node)
			return i;
	return NO_BOX;
}

enum err_code recorder_enter(struct recorder *r, uint32_t rank, const struct code *c, const double clock[CLOCKS],
			     struct err *e)
{
	uint32_t i = box_find(r, r->inside[rank], r->at[rank], c);

	if (i == NO_BOX)
		i = add_box(r, rank, c, r->inside[rank], e);
	if (i == NO_BOX)
		return e->code;
	memcpy(r->box[i].entered, clock, sizeof r->box[i].entered);
	r->at[rank] = i;
	return ERR_OK;
}

static void box_end(struct recorded_box *b, const double clock[CLOCKS])
{
	for (int k = 0; k < CLOCKS; k++)
		b->sum[k] += clock[k] - b->entered[k];
	if (!b->known) {
		memcpy(b->start, b->entered, sizeof b->start);
		memcpy(b->end, clock, sizeof b->end);
	}
	b->known = true;
}

void recorder_leave(struct recorder *r, uint32_t rank, const double clock[CLOCKS])
{
	struct recorded_box *b = &r->box[r->at[rank]];

	if (!b->known && !b->row) {
		uint32_t above = b->partner != NO_BOX ? r->box[b->partner].row : 0;

		b->row = r->row[rank] = (r->row[rank] > above ? r->row[rank] : above) + 1;
	}
	box_end(b, clock);
}

void recorder_open(struct recorder *r, uint32_t rank, double times)
{
	struct recorded_box *b = &r->box[r->at[rank]];

	if (!b->row) {
		b->row = ++r->row[rank];
		b->times = times;
	}
	r->inside[rank] = r->at[rank];
}

void recorder_close(struct recorder *r, uint32_t rank, const double clock[CLOCKS])
{
	r->at[rank] = r->inside[rank];
	box_end(&r->box[r->at[rank]], clock);
	r->inside[rank] = r->box[r->at[rank]].parent;
}

void recorder_sent(struct recorder *r, uint32_t rank, uint32_t to)
{
	r->box[r->at[rank]].peer = to;
}

void recorder_received(struct recorder *r, uint32_t rank, uint32_t from, uint32_t box, bool waited)
{
	struct recorded_box *b = &r->box[r->at[rank]];

	b->peer = from;
	b->waited = waited; /* the last time is what the end hangs on */
	if (b->known)
		return;
	b->partner = box;
	if (r->box[box].partner == NO_BOX)
		r->box[box].partner = r->at[rank];
}

void recorder_collective(struct recorder *r)
{
	uint32_t row = 0;

	for (uint32_t i = 0; i < r->processes; i++)
		if (r->row[i] > row)
			row = r->row[i];
	for (uint32_t i = 0; i < r->processes; i++) {
		struct recorded_box *b = &r->box[r->at[i]];

		if (!b->row)
			b->row = r->row[i] = row + 1;
	}
}
