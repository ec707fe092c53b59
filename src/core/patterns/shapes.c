/* Links of steps, each set of them kept and classified once.
 *
 * Most steps send the same messages in the same order as an earlier one: they are found by that order, without sorting.
 * Others are sorted, and looked up by their links. */
#include "patterns_int.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/base/order.h"

/* Messages in the order in which they came. */
struct shape_arrival {
	size_t first;             /* in shapes->arrived */
	uint32_t count, shape;
};

struct link_list {
	const struct link *links;
	const uint32_t *counts;   /* NULL: of an arrival */
	uint32_t count;
};

static uint64_t hash_links(const struct link_list *l)
{
	uint64_t h = l->count;

	for (uint32_t i = 0; i < l->count; i++)
		h = hash_mix(h, (uint64_t)l->links[i].from << 32 | l->links[i].to);
	return h;
}

static bool same_arrival(const void *shapes, uint32_t i, const void *key)
{
	const struct shapes *s = shapes;
	const struct link_list *l = key;

	return s->arrivals[i].count == l->count && memcmp(s->arrived + s->arrivals[i].first, l->links, l->count * sizeof *l->links) == 0;
}

static uint64_t hash_arrival(const void *shapes, uint32_t i)
{
	const struct shapes *s = shapes;
	struct link_list l = {s->arrived + s->arrivals[i].first, NULL, s->arrivals[i].count};

	return hash_links(&l);
}

static bool same_shape(const void *shapes, uint32_t i, const void *key)
{
	const struct shapes *s = shapes;
	const struct link_list *l = key;
	const struct shape *shape = &s->list[i];

	return shape->count == l->count && memcmp(s->links + shape->first, l->links, l->count * sizeof *l->links) == 0 &&
	       memcmp(s->counts + shape->first, l->counts, l->count * sizeof *l->counts) == 0;
}

static uint64_t hash_shape(const void *shapes, uint32_t i)
{
	const struct shapes *s = shapes;
	struct link_list l = {s->links + s->list[i].first, NULL, s->list[i].count};

	return hash_links(&l);
}

enum err_code shapes_init(struct shapes *s, const struct trace *t, const struct pattern_grid *g, struct err *e)
{
	*s = (struct shapes){.trace = t, .grid = g};
	s->scratch = classify_scratch_new(t->process_count);
	return s->scratch ? ERR_OK : err_memory(e, "patterns");
}

void shapes_release(struct shapes *s)
{
	mem_free(s->list);
	mem_free(s->links);
	mem_free(s->counts);
	mem_free(s->arrivals);
	mem_free(s->arrived);
	index_release(&s->index);
	index_release(&s->arrival_index);
	classify_scratch_free(s->scratch);
	*s = (struct shapes){0};
}

/* The list, moved or not, with room for `more` elements behind n; NULL: no memory, and the old one stands. */
static void *list_reserve(void *list, size_t n, size_t more, size_t *cap, size_t size)
{
	size_t want = *cap ? *cap : 64;
	void *moved;

	while (want < n + more)
		want *= 2;
	if (want == *cap)
		return list;
	moved = mem_resize(list, want, size);
	if (moved)
		*cap = want;
	return moved;
}

static bool shapes_reserve(struct shapes *s, uint32_t count)
{
	struct link *arrived = list_reserve(s->arrived, s->arrived_count, count, &s->arrived_cap, sizeof *arrived), *links;
	uint32_t *counts;

	if (!arrived)
		return false;
	s->arrived = arrived;
	links = list_reserve(s->links, s->link_count, count, &s->links_cap, sizeof *links);
	if (!links)
		return false;
	s->links = links;
	counts = list_reserve(s->counts, s->link_count, count, &s->counts_cap, sizeof *counts);
	if (!counts)
		return false;
	s->counts = counts;
	return true;
}

/* Adds what was put behind the links and counts that are kept, unless there is one of the same links. */
static bool shape_of_sorted(struct shapes *s, const struct link_list *l, uint32_t messages, uint32_t *shape)
{
	uint32_t *slot = index_slot(&s->index, hash_links(l), s, s->count, same_shape, hash_shape, l);
	struct shape *more;

	if (!slot)
		return false;
	if (*slot) {
		*shape = *slot - 1;
		return true;
	}
	more = mem_grow(s->list, s->count, &s->list_cap, sizeof *more);
	if (!more)
		return false;
	s->list = more;
	s->list[s->count] = (struct shape){.first = s->link_count, .count = l->count, .messages = messages};
	s->link_count += l->count;
	*shape = s->count++;
	*slot = s->count;
	shape_classify(s, &s->list[*shape]);
	return true;
}

bool shapes_find(struct shapes *s, const struct link *messages, uint32_t count, uint32_t *shape)
{
	static const struct link none = {0, 0};
	struct link_list l = {count ? messages : &none, NULL, count};
	uint32_t *slot = index_slot(&s->arrival_index, hash_links(&l), s, s->arrival_count, same_arrival, hash_arrival, &l), at, n = 0;
	struct shape_arrival *more;
	struct link *links;
	uint32_t *counts;

	if (!slot)
		return false;
	if (*slot) {
		*shape = s->arrivals[*slot - 1].shape;
		return true;
	}
	more = mem_grow(s->arrivals, s->arrival_count, &s->arrivals_cap, sizeof *more);
	if (!more)
		return false;
	s->arrivals = more;
	if (!shapes_reserve(s, count))
		return false;
	memcpy(s->arrived + s->arrived_count, l.links, count * sizeof *l.links);
	links = s->links + s->link_count;
	counts = s->counts + s->link_count;
	memcpy(links, l.links, count * sizeof *links);
	for (at = 1; at < count && order_links(&links[at - 1], &links[at]) <= 0; at++)
		;
	if (at < count)
		SORT(links, count, order_links);
	for (at = 0; at < count; at++)
		if (n && order_links(&links[n - 1], &links[at]) == 0) {
			counts[n - 1]++;
		} else {
			links[n] = links[at];
			counts[n++] = 1;
		}
	l = (struct link_list){links, counts, n};
	if (!shape_of_sorted(s, &l, count, shape))
		return false;
	s->arrivals[s->arrival_count] = (struct shape_arrival){s->arrived_count, count, *shape};
	s->arrived_count += count;
	s->arrival_count++;
	/* The slot stayed where it is: only the other index can have grown. */
	*slot = s->arrival_count;
	return true;
}
