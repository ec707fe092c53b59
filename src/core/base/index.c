#include "index.h"

#include <string.h>

#include "mem.h"

#define FIRST_SIZE 64

bool index_grow(struct index *x, const void *records, uint32_t count, index_hash *hash_of)
{
	struct index bigger = {.size = x->size ? x->size : FIRST_SIZE};

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
	mem_free(x->slots);
	*x = bigger;
	return true;
}

void index_clear(struct index *x)
{
	if (x->size)
		memset(x->slots, 0, x->size * sizeof *x->slots);
}

void index_release(struct index *x)
{
	mem_free(x->slots);
	*x = (struct index){0};
}
