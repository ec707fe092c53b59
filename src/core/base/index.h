/* A hash index over records that the caller keeps in an array of its own: which of them is the one with this key?
 *
 *     static inline bool same_node(const void *nodes, uint32_t i, const void *key) { ... nodes[i] is that of key ... }
 *     static uint64_t hash_node(const void *nodes, uint32_t i) { return hash_of(&nodes[i]); }
 *
 *     slot = index_slot(&x, hash_of(&key), nodes, count, same_node, hash_node, &key);     NULL: no memory
 *     if (!*slot) {
 *             nodes[count++] = ...;                the record that is to be found by this key from now on
 *             *slot = count;                       its number, from 1
 *     }
 *     node = &nodes[*slot - 1];
 *
 * Slots hold numbers of records, from 1; 0 is free. Open addressing, at most half full, so that a look at the slots
 * finds a free one soon. The index owns its slots alone, and knows nothing of the records but by the two functions: it
 * may be released or cleared while they stay. A slot is valid until the next index_slot(). Records are never taken out
 * one by one.
 *
 * The search and its comparison of records are inline, so in hot loops it costs the same as one written out.
 */
#ifndef PAS2P_INDEX_H
#define PAS2P_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index {
	uint32_t *slots;
	size_t size; /* a power of two; 0: nothing was put in yet */
};

typedef bool index_same(const void *records, uint32_t i, const void *key);
typedef uint64_t index_hash(const void *records, uint32_t i);

/* At least twice as many slots as there are records and one more; false: no memory, and all is as before. */
bool index_grow(struct index *index, const void *records, uint32_t count, index_hash *hash_of);
void index_clear(struct index *index); /* all slots are free */
void index_release(struct index *index);

/* Keys that differ in high bits alone, or all in one low bit, are spread as well. */
static inline size_t index_home(const struct index *index, uint64_t hash)
{
	return (hash ^ hash >> 32) & (index->size - 1);
}

static inline __attribute__((always_inline)) uint32_t *index_at(const struct index *index, uint64_t hash,
								const void *records, index_same *same, const void *key)
{
	size_t at = index_home(index, hash);

	while (index->slots[at] && !same(records, index->slots[at] - 1, key))
		at = (at + 1) & (index->size - 1);
	return &index->slots[at];
}

/* The number of the record, from 1; 0: there is none. */
static inline __attribute__((always_inline)) uint32_t index_find(const struct index *index, uint64_t hash,
								 const void *records, index_same *same, const void *key)
{
	return index->size ? *index_at(index, hash, records, same, key) : 0;
}

/* The slot of a key, free if no record has it; there is room for a record more than the `count` in it. NULL: no
 * memory. */
static inline __attribute__((always_inline)) uint32_t *index_slot(struct index *index, uint64_t hash,
								  const void *records,
								  uint32_t count, index_same *same, index_hash *hash_of,
								  const void *key)
{
	if (index->size < ((size_t)count + 1) * 2 && !index_grow(index, records, count, hash_of))
		return NULL;
	return index_at(index, hash, records, same, key);
}

#endif
