#include "index.h"

#include <string.h>

#include "mem.h"

#define FIRST_SIZE 64

bool index_grow(struct index *index, const void *records, uint32_t count, index_hash *hash_of)
{
	struct index bigger = {.size = index->size ? index->size : FIRST_SIZE};

	while (bigger.size < ((size_t)count + 1) * 2)
		bigger.size *= 2;
	bigger.slots = mem_zero(bigger.size, sizeof *bigger.slots);
	if (!bigger.slots)
		return false;
	/* All differ: each goes into the first free slot. */
	for (uint32_t i = 0; i < count; i++) {
		size_t at = index_home(&bigger, hash_of(records, i));

		while (bigger.slots[at])
			at = (at + 1) & (bigger.size - 1);
		bigger.slots[at] = i + 1;
	}
	mem_free(index->slots);
	*index = bigger;
	return true;
}

void index_clear(struct index *index)
{
	if (index->size)
		memset(index->slots, 0, index->size * sizeof *index->slots);
}

void index_release(struct index *index)
{
	mem_free(index->slots);
	*index = (struct index){0};
}
