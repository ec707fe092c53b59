#include "program.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/base/mem.h"

struct key {
	uint32_t from, to;
	double tag;
};

static uint64_t hash_of(uint32_t from, uint32_t to, double tag)
{
	uint64_t bits;

	memcpy(&bits, &tag, sizeof bits);
	return hash_mix(hash_mix(0, (uint64_t)from << 32 | to), bits);
}

static uint64_t hash_channel(const void *records, uint32_t i)
{
	const struct process_channel *c = (const struct process_channel *)records + i;

	return hash_of(c->from, c->to, c->tag);
}

static inline bool same_channel(const void *records, uint32_t i, const void *key)
{
	const struct process_channel *c = (const struct process_channel *)records + i;
	const struct key *k = key;

	return c->from == k->from && c->to == k->to && c->tag == k->tag;
}

void channels_init(struct channels *c)
{
	*c = (struct channels){.free = NO_MESSAGE};
}

void channels_release(struct channels *c)
{
	index_release(&c->index);
	mem_free(c->items);
	mem_free(c->messages);
	channels_init(c);
}

uint32_t channels_find(struct channels *c, uint32_t from, uint32_t to, double tag)
{
	struct key key = {from, to, tag == 0 ? 0 : tag}; /* no -0 */
	struct process_channel *grown;
	uint32_t *slot;

	if (c->count == UINT32_MAX - 1)
		return UINT32_MAX;
	slot = index_slot(&c->index, hash_of(from, to, key.tag), c->items, (uint32_t)c->count, same_channel, hash_channel, &key);
	if (!slot)
		return UINT32_MAX;
	if (!*slot) {
		grown = mem_grow(c->items, c->count, &c->cap, sizeof *grown);
		if (!grown)
			return UINT32_MAX;
		c->items = grown;
		c->items[c->count] = (struct process_channel){.from = from, .to = to, .tag = key.tag, .first = NO_MESSAGE, .last = NO_MESSAGE};
		*slot = (uint32_t)++c->count;
	}
	return *slot - 1;
}

struct message *channels_put(struct channels *c, uint32_t channel)
{
	struct process_channel *to = &c->items[channel];
	struct message *grown;
	uint32_t at = c->free;

	if (at == NO_MESSAGE) {
		if (c->message_count == NO_MESSAGE - 1)
			return NULL;
		grown = mem_grow(c->messages, c->message_count, &c->message_cap, sizeof *grown);
		if (!grown)
			return NULL;
		c->messages = grown;
		at = (uint32_t)c->message_count++;
	} else {
		c->free = c->messages[at].next;
	}
	c->messages[at].next = NO_MESSAGE;
	if (to->last == NO_MESSAGE)
		to->first = at;
	else
		c->messages[to->last].next = at;
	to->last = at;
	to->count++;
	to->touched = c->now;
	c->under_way++;
	return &c->messages[at];
}

bool channels_take(struct channels *c, uint32_t channel, struct message *m)
{
	struct process_channel *from = &c->items[channel];
	uint32_t at = from->first;

	if (at == NO_MESSAGE)
		return false;
	*m = c->messages[at];
	from->first = m->next;
	if (from->first == NO_MESSAGE)
		from->last = NO_MESSAGE;
	from->count--;
	from->touched = c->now;
	c->messages[at].next = c->free;
	c->free = at;
	c->under_way--;
	return true;
}
