#include "make_team.h"

#include "core/base/mem.h"

#define NOBODY UINT32_MAX

struct come_entry {
	struct far_come come;
	uint32_t next;    /* the one that came before it; of a free one: the next free */
};

struct instance_home {
	uint32_t missing; /* ranks */
	uint32_t last;    /* the last that came */
};

struct far_homes {
	struct instance_home *homes;
	struct come_entry *list;
	size_t count, cap;
	uint32_t free;
	bool failed;
};

struct far_homes *far_homes_new(const struct trace *t)
{
	struct far_homes *h = mem_zero(1, sizeof *h);

	if (!h)
		return NULL;
	h->free = NOBODY;
	h->homes = mem_alloc(t->far->home_count, sizeof *h->homes);
	if (!h->homes) {
		mem_free(h);
		return NULL;
	}
	for (uint32_t i = 0; i < t->far->home_count; i++)
		h->homes[i] = (struct instance_home){t->far->home_ranks[i], NOBODY};
	return h;
}

void far_homes_free(struct far_homes *h)
{
	if (!h)
		return;
	mem_free(h->homes);
	mem_free(h->list);
	mem_free(h);
}

bool far_homes_come(struct far_homes *h, uint32_t number, struct far_come come)
{
	struct instance_home *home = &h->homes[number];
	uint32_t i = h->free;

	if (i != NOBODY) {
		h->free = h->list[i].next;
	} else {
		struct come_entry *list = mem_grow(h->list, h->count, &h->cap, sizeof *list);

		if (!list) {
			h->failed = true;
			return false;
		}
		h->list = list;
		i = (uint32_t)h->count++;
	}
	h->list[i] = (struct come_entry){come, home->last};
	home->last = i;
	return !--home->missing;
}

bool far_homes_failed(const struct far_homes *h)
{
	return h->failed;
}

void far_homes_change(struct far_homes *h, uint32_t number, uint32_t rank, uint64_t value)
{
	for (uint32_t i = h->homes[number].last; i != NOBODY; i = h->list[i].next)
		if (h->list[i].come.rank == rank)
			h->list[i].come.value = value;
}

struct far_come far_homes_largest(const struct far_homes *h, uint32_t number)
{
	struct far_come largest = {0, NOBODY, 0};

	for (uint32_t i = h->homes[number].last; i != NOBODY; i = h->list[i].next) {
		const struct far_come *c = &h->list[i].come;

		if (largest.rank == NOBODY || c->value > largest.value || (c->value == largest.value && c->rank < largest.rank))
			largest = *c;
	}
	return largest;
}

bool far_homes_next(struct far_homes *h, uint32_t number, struct far_come *come)
{
	uint32_t i = h->homes[number].last;

	if (i == NOBODY)
		return false;
	*come = h->list[i].come;
	h->homes[number].last = h->list[i].next;
	h->list[i].next = h->free;
	h->free = i;
	return true;
}
