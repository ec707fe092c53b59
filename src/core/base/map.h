/* A hash map from two 64-bit words to a 32-bit value: for keys that come from a file. Value 0 means absent. */
#ifndef PAS2P_MAP_H
#define PAS2P_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map;

struct map *map_new(void); /* NULL: no memory */
void map_free(struct map *m);
size_t map_count(const struct map *m);

uint32_t map_get(const struct map *m, uint64_t a, uint64_t b); /* 0: absent */

/* The place of a value, made (as 0) where absent; NULL: no memory. Valid until the next map_at(). */
uint32_t *map_at(struct map *m, uint64_t a, uint64_t b);

/* All entries, in the order in which they were made: start with *i = 0 until it returns false. */
bool map_each(const struct map *m, size_t *i, uint64_t *a, uint64_t *b, uint32_t *value);

#endif
