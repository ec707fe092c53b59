/* The index finds each record by its key and no other, as a search from the first to the last would, however keys
 * collide and however often it grows. When memory runs out it stays as it was.
 */
#include <string.h>

#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/base/mem.h"
#include "tap.h"

#define MOST 3000

static uint64_t records[MOST];
static uint32_t count;
static unsigned bits; /* of the hash that count: few make all collide */

static uint64_t hash_of(uint64_t key)
{
	return hash_mix(0, key) & (((uint64_t)1 << bits) - 1);
}

static bool same(const void *all, uint32_t i, const void *key)
{
	return ((const uint64_t *)all)[i] == *(const uint64_t *)key;
}

static uint64_t hash_record(const void *all, uint32_t i)
{
	return hash_of(((const uint64_t *)all)[i]);
}

static uint32_t naive(uint64_t key)
{
	for (uint32_t i = 0; i < count; i++)
		if (records[i] == key)
			return i + 1;
	return 0;
}

static void against_a_list(unsigned of)
{
	struct index x = {0};
	uint64_t state = of, key = 1;
	unsigned wrong = 0;

	bits = of;
	count = 0;
	wrong += index_find(&x, hash_of(key), records, same, &key) != 0;
	for (int i = 0; i < MOST; i++) {
		uint32_t *slot;

		state = state * 6364136223846793005u + 1442695040888963407u;
		key = state >> 52;
		wrong += index_find(&x, hash_of(key), records, same, &key) != naive(key);
		slot = index_slot(&x, hash_of(key), records, count, same, hash_record, &key);
		if (!slot || *slot != naive(key)) {
			wrong++;
		} else if (!*slot) {
			records[count++] = key;
			*slot = count;
		}
	}
	for (key = 0; key < 4096; key++)
		wrong += index_find(&x, hash_of(key), records, same, &key) != naive(key);
	ok(!wrong && count > 1000, "%u records with hashes of %u bits: %u wrong", count, of, wrong);
	index_clear(&x);
	for (uint32_t i = 0; i < count; i++)
		wrong += index_find(&x, hash_of(records[i]), records, same, &records[i]) != 0;
	ok(!wrong, "cleared, it finds none");
	index_release(&x);
	ok(!x.slots && !x.size, "released, it is as new");
}

static void without_memory(void)
{
	struct index x = {0};
	uint64_t key = 5;

	bits = 40;
	count = 0;
	mem_fail_after(0);
	ok(!index_slot(&x, hash_of(key), records, count, same, hash_record, &key) && !x.size, "no memory for the first slots");
	mem_fail_after(-1);
	for (key = 0; (count + 1) * 2 <= x.size || !x.size; key++) {
		uint32_t *slot = index_slot(&x, hash_of(key), records, count, same, hash_record, &key);

		if (!slot)
			bail_out("no memory");
		records[count++] = key;
		*slot = count;
	}
	mem_fail_after(0);
	ok(!index_slot(&x, hash_of(key), records, count, same, hash_record, &key), "none for more of them");
	mem_fail_after(-1);
	key = 0;
	is_int(index_find(&x, hash_of(key), records, same, &key), 1, "what is in it is found still");
	index_release(&x);
}

int main(void)
{
	against_a_list(40);
	against_a_list(4);
	against_a_list(1);
	without_memory();
	done_testing();
}
