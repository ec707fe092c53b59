#include "calls_int.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/trace/make/trace_make.h"

/* Open addressing, linear probing, at most half full; what is taken out is shifted over. */
static uint32_t post_first_slot(const struct call_posts *p, uint32_t request)
{
	return (uint32_t)(request * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (p->room - 1);
}

static uint32_t post_slot_of(const struct call_posts *p, uint32_t request)
{
	uint32_t at = post_first_slot(p, request);

	while (p->slots[at].request && p->slots[at].request != request)
		at = (at + 1) & (p->room - 1);
	return at;
}

static bool posts_grow(struct call_posts *p)
{
	struct call_posts more = {.room = p->room ? 2 * p->room : 64, .used = p->used};

	more.slots = mem_zero(more.room, sizeof *more.slots);
	if (!more.slots)
		return false;
	for (uint32_t i = 0; i < p->room; i++)
		if (p->slots[i].request)
			more.slots[post_slot_of(&more, p->slots[i].request)] = p->slots[i];
	mem_free(p->slots);
	p->slots = more.slots;
	p->room = more.room;
	return true;
}

static bool add_range(struct call_posts *p, struct call_post post)
{
	struct call_post *ranges = mem_grow(p->ranges, p->range_count, &p->range_cap, sizeof *ranges);

	if (!ranges)
		return false;
	p->ranges = ranges;
	post.left = post.count;
	ranges[p->range_count++] = post;
	return true;
}

bool call_posts_add(struct call_posts *p, struct call_post post)
{
	uint32_t at;

	if (post.count > 1)
		return add_range(p, post);
	if (2 * p->used >= p->room && !posts_grow(p))
		return false;
	at = post_slot_of(p, post.request);
	p->used += !p->slots[at].request;
	p->slots[at] = post;
	return true;
}

static void take_slot(struct call_posts *p, uint32_t hole)
{
	uint32_t mask = p->room - 1;

	p->used--;
	for (uint32_t i = (hole + 1) & mask; p->slots[i].request; i = (i + 1) & mask)
		if (((i - post_first_slot(p, p->slots[i].request)) & mask) >= ((i - hole) & mask)) {
			p->slots[hole] = p->slots[i];
			hole = i;
		}
	p->slots[hole].request = 0;
}

/* For a range it is only counted how many have completed: it stays until all have. */
static bool take_of_range(struct call_posts *p, uint32_t request, struct call_post *out)
{
	uint32_t i = p->range_count, limit = i > MAKE_DEEPEST ? i - MAKE_DEEPEST : 0;

	while (i > limit && request - p->ranges[i - 1].request >= p->ranges[i - 1].count)
		i--;
	if (i == limit)
		return false;
	*out = p->ranges[--i];
	if (--p->ranges[i].left == 0) {
		p->range_count--;
		memmove(&p->ranges[i], &p->ranges[i + 1], (p->range_count - i) * sizeof *p->ranges);
	}
	return true;
}

bool call_posts_take(struct call_posts *p, uint32_t request, struct call_post *out)
{
	uint32_t at = p->room ? post_slot_of(p, request) : 0;

	if (!p->room || !p->slots[at].request)
		return take_of_range(p, request, out);
	*out = p->slots[at];
	take_slot(p, at);
	return true;
}

void call_posts_release(struct call_posts *p)
{
	mem_free(p->slots);
	mem_free(p->ranges);
	*p = (struct call_posts){0};
}
