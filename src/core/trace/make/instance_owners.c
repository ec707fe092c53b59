#include "make_team.h"

#include "core/base/mem.h"

#define NOBODY UINT32_MAX

struct arrival_entry {
	struct remote_arrival come;
	uint32_t next;    /* the one that came before it; of a free one: the next free */
};

struct instance_owners_entry {
	uint32_t missing; /* ranks */
	uint32_t last;    /* the last that came */
};

struct instance_owners {
	struct instance_owners_entry *owners;
	struct arrival_entry *list;
	size_t count, cap;
	uint32_t free;
	bool failed;
};

struct instance_owners *instance_owners_new(const struct trace *t)
{
	struct instance_owners *h = mem_zero(1, sizeof *h);

	if (!h)
		return NULL;
	h->free = NOBODY;
	h->owners = mem_alloc(t->remote->owned_count, sizeof *h->owners);
	if (!h->owners) {
		mem_free(h);
		return NULL;
	}
	for (uint32_t i = 0; i < t->remote->owned_count; i++)
		h->owners[i] = (struct instance_owners_entry){t->remote->owned_ranks[i], NOBODY};
	return h;
}

void instance_owners_free(struct instance_owners *h)
{
	if (!h)
		return;
	mem_free(h->owners);
	mem_free(h->list);
	mem_free(h);
}

bool instance_owners_arrive(struct instance_owners *h, uint32_t number, struct remote_arrival come)
{
	struct instance_owners_entry *owner = &h->owners[number];
	uint32_t i = h->free;

	if (i != NOBODY) {
		h->free = h->list[i].next;
	} else {
		struct arrival_entry *list = mem_grow(h->list, h->count, &h->cap, sizeof *list);

		if (!list) {
			h->failed = true;
			return false;
		}
		h->list = list;
		i = (uint32_t)h->count++;
	}
	h->list[i] = (struct arrival_entry){come, owner->last};
	owner->last = i;
	return !--owner->missing;
}

bool instance_owners_failed(const struct instance_owners *h)
{
	return h->failed;
}

void instance_owners_change(struct instance_owners *h, uint32_t number, uint32_t rank, uint64_t value)
{
	for (uint32_t i = h->owners[number].last; i != NOBODY; i = h->list[i].next)
		if (h->list[i].come.rank == rank)
			h->list[i].come.value = value;
}

struct remote_arrival instance_owners_largest(const struct instance_owners *h, uint32_t number)
{
	struct remote_arrival largest = {0, NOBODY, 0};

	for (uint32_t i = h->owners[number].last; i != NOBODY; i = h->list[i].next) {
		const struct remote_arrival *c = &h->list[i].come;

		if (largest.rank == NOBODY || c->value > largest.value || (c->value == largest.value && c->rank < largest.rank))
			largest = *c;
	}
	return largest;
}

bool instance_owners_next(struct instance_owners *h, uint32_t number, struct remote_arrival *come)
{
	uint32_t i = h->owners[number].last;

	if (i == NOBODY)
		return false;
	*come = h->list[i].come;
	h->owners[number].last = h->list[i].next;
	h->list[i].next = h->free;
	h->free = i;
	return true;
}
