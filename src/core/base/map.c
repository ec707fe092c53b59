#include "map.h"

#include "mem.h"

struct slot {
	uint64_t a, b;
	uint32_t value;
	uint32_t used;
};

struct map {
	struct slot *slots;
	size_t size, count;
};

static uint64_t hash(uint64_t a, uint64_t b)
{
	uint64_t h = a * 0x9e3779b97f4a7c15u;

	h = (h ^ (h >> 32) ^ b) * 0xff51afd7ed558ccdu;
	return h ^ (h >> 32);
}

struct map *map_new(void)
{
	struct map *m = mem_zero(1, sizeof *m);

	if (!m)
		return NULL;
	m->size = 64;
	m->slots = mem_zero(m->size, sizeof *m->slots);
	if (m->slots)
		return m;
	mem_free(m);
	return NULL;
}

void map_free(struct map *m)
{
	if (!m)
		return;
	mem_free(m->slots);
	mem_free(m);
}

size_t map_count(const struct map *m)
{
	return m->count;
}

static struct slot *find(const struct map *m, uint64_t a, uint64_t b)
{
	size_t at = hash(a, b) & (m->size - 1);

	while (m->slots[at].used && (m->slots[at].a != a || m->slots[at].b != b))
		at = (at + 1) & (m->size - 1);
	return &m->slots[at];
}

uint32_t map_get(const struct map *m, uint64_t a, uint64_t b)
{
	return find(m, a, b)->value;
}

uint32_t *map_at(struct map *m, uint64_t a, uint64_t b)
{
	struct slot *s = find(m, a, b);

	if (s->used)
		return &s->value;
	if ((m->count + 1) * 2 > m->size) {
		struct map bigger = {.size = m->size * 2};

		bigger.slots = mem_zero(bigger.size, sizeof *bigger.slots);
		if (!bigger.slots)
			return NULL;
		for (size_t i = 0; i < m->size; i++)
			if (m->slots[i].used)
				*find(&bigger, m->slots[i].a, m->slots[i].b) = m->slots[i];
		mem_free(m->slots);
		m->slots = bigger.slots;
		m->size = bigger.size;
		s = find(m, a, b);
	}
	*s = (struct slot){a, b, 0, 1};
	m->count++;
	return &s->value;
}

bool map_each(const struct map *m, size_t *i, uint64_t *a, uint64_t *b, uint32_t *value)
{
	for (; *i < m->size; ++*i)
		if (m->slots[*i].used) {
			*a = m->slots[*i].a;
			*b = m->slots[*i].b;
			*value = m->slots[*i].value;
			++*i;
			return true;
		}
	return false;
}
