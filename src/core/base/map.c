#include "map.h"

#include "index.h"
#include "mem.h"

struct map_entry {
	uint64_t a, b;
	uint32_t value;
};

struct map {
	struct map_entry *entries;
	uint32_t count;
	size_t cap;
	struct index index;
};

static uint64_t map_hash(uint64_t a, uint64_t b)
{
	uint64_t h = a * 0x9e3779b97f4a7c15u;

	return (h ^ (h >> 32) ^ b) * 0xff51afd7ed558ccdu;
}

static inline bool is_entry(const void *entries, uint32_t i, const void *key)
{
	const struct map_entry *entry = (const struct map_entry *)entries + i, *wanted = key;

	return entry->a == wanted->a && entry->b == wanted->b;
}

static uint64_t entry_hash(const void *entries, uint32_t i)
{
	const struct map_entry *entry = (const struct map_entry *)entries + i;

	return map_hash(entry->a, entry->b);
}

struct map *map_new(void)
{
	return mem_zero(1, sizeof(struct map));
}

void map_free(struct map *m)
{
	if (!m)
		return;
	index_release(&m->index);
	mem_free(m->entries);
	mem_free(m);
}

size_t map_count(const struct map *m)
{
	return m->count;
}

uint32_t map_get(const struct map *m, uint64_t a, uint64_t b)
{
	struct map_entry key = {.a = a, .b = b};
	uint32_t number = index_find(&m->index, map_hash(a, b), m->entries, is_entry, &key);

	return number ? m->entries[number - 1].value : 0;
}

uint32_t *map_at(struct map *m, uint64_t a, uint64_t b)
{
	struct map_entry key = {.a = a, .b = b}, *entries;
	uint32_t *slot = index_slot(&m->index, map_hash(a, b), m->entries, m->count, is_entry, entry_hash, &key);

	if (!slot)
		return NULL;
	if (!*slot) {
		entries = mem_grow(m->entries, m->count, &m->cap, sizeof *entries);
		if (!entries)
			return NULL;
		m->entries = entries;
		entries[m->count++] = key;
		*slot = m->count;
	}
	return &m->entries[*slot - 1].value;
}

bool map_each(const struct map *m, size_t *i, uint64_t *a, uint64_t *b, uint32_t *value)
{
	const struct map_entry *entry;

	if (*i >= m->count)
		return false;
	entry = &m->entries[*i];
	*a = entry->a;
	*b = entry->b;
	*value = entry->value;
	++*i;
	return true;
}
