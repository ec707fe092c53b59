/* A map gives back what was put under each pair of words, tells an absent one from any other, and goes through them in
 * the order in which they were made: what a reader says of a file must not depend on where a hash puts things. When
 * memory runs out the map stays as it was.
 */
#include "core/base/map.h"
#include "core/base/mem.h"
#include "tap.h"

#define MOST 2000

static uint64_t first_of(uint32_t i)
{
	return (uint64_t)(MOST - i) << 32;
}

static uint64_t second_of(uint32_t i)
{
	return i % 7;
}

static void fill_and_find(void)
{
	struct map *m = map_new();
	uint64_t a, b;
	uint32_t value, wrong = 0, met = 0;
	size_t i = 0;

	is_u64(map_get(m, 0, 0), 0, "an empty map has nothing");
	ok(!map_each(m, &i, &a, &b, &value), "nor goes through anything");
	for (uint32_t k = 0; k < MOST; k++) {
		uint32_t *at = map_at(m, first_of(k), second_of(k));

		wrong += !at || *at;
		if (at)
			*at = k + 1;
	}
	is_int(wrong, 0, "each new entry starts as 0");
	is_u64(map_count(m), MOST, "all are counted");
	for (uint32_t k = 0; k < MOST; k++) {
		wrong += map_get(m, first_of(k), second_of(k)) != k + 1;
		wrong += map_get(m, first_of(k), second_of(k) + 7) != 0;
		wrong += map_get(m, first_of(k) + 1, second_of(k)) != 0;
	}
	is_int(wrong, 0, "each is found by both its words, none by one of them");
	while (map_each(m, &i, &a, &b, &value)) {
		wrong += a != first_of(met) || b != second_of(met) || value != met + 1;
		met++;
	}
	is_int(wrong, 0, "going through them gives the order in which they were made");
	is_u64(met, MOST, "and all of them");
	map_free(m);
}

static void no_memory(void)
{
	struct map *m = map_new();
	uint32_t made = 0, wrong = 0;

	for (; made < MOST; made++) {
		uint32_t *at;

		mem_fail_after(0);
		at = map_at(m, first_of(made), second_of(made));
		mem_fail_after(-1);
		wrong += map_get(m, first_of(made), second_of(made)) != 0 || map_count(m) != made + (at != NULL);
		if (!at)
			at = map_at(m, first_of(made), second_of(made));
		*at = made + 1;
	}
	for (uint32_t k = 0; k < MOST; k++)
		wrong += map_get(m, first_of(k), second_of(k)) != k + 1;
	is_int(wrong, 0, "an entry that found no memory is not there, and all others are");
	map_free(m);
	is_int(mem_live(), 0, "nothing is left behind");
}

int main(void)
{
	mem_fail_after(-1);
	fill_and_find();
	no_memory();
	return done_testing();
}
