/* Two facts can narrow the search; the one with fewer candidates is used.
 *
 * A similar phase has the same content as the window in at least one cell. So its number is in one of the lists of the
 * window's cells.
 *
 * At most a share 1 - events of the cells may differ, and there are at most processes x length cells; let k be that
 * number. So in any k + 1 cells of the window the phase has, in one of them, the same content as the window, or none.
 * If k is small, as with few processes, the k + 1 cells with the shortest lists are used. For this, phases without
 * content in a cell have a list too.
 */
#include "phases_int.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/order.h"

/* The phases with one content of one cell, the newest first. A hash table of its own, whose slots are the records: most
 * look-ups find none, and base/index.h, which looks from slot to record, made a search of 3000 phases a seventh
 * slower. */
struct index_slot_list {
	uint64_t key;     /* 0: free */
	uint32_t newest;  /* entry + 1 */
	uint32_t count;
};

struct index_entry {
	uint32_t id;
	uint32_t older;   /* entry + 1; 0: none */
};

/* A cell of the window that is looked for, and what its lists hold. */
struct index_cell {
	uint32_t position, process, type, low, high; /* ranges of sizes */
	uint64_t alike, absent;
};

#define ALL_CELLS_MOST 64 /* of a length whose absent cells are listed too */
#define NO_TYPE 0
#define NO_RANGE UINT32_MAX

struct phase_index {
	const struct phase_space *p;
	double volume, events;
	struct index_slot_list *slots;
	size_t slot_count, used;
	struct index_entry *entries;
	size_t entry_count, entry_cap;
	uint32_t *found;
	size_t found_cap;
	struct index_cell *cells;
	size_t cells_cap;
};

/* Sizes are put into ranges so that similar ones lie in one range or in two that touch: the end of a range is its start
 * divided by 1 - volume. */
#define RANGE_ZERO 0u
#define RANGE_FIRST 1u

static uint32_t range_of(const struct phase_index *index, uint64_t size)
{
	if (index->volume >= 0.5 || index->p->size_unknown)
		return RANGE_FIRST; /* half of all sizes would lie in one anyway; one that is unknown is similar to all */
	if (!size)
		return RANGE_ZERO;
	if (index->volume <= 0)
		return RANGE_FIRST + (uint32_t)(size % (UINT32_MAX - 8)); /* large ones share a range with others, which does no harm */
	/* A little wider than it must be, so that rounding loses none. */
	return RANGE_FIRST + (uint32_t)(log((double)size) / (fmax(-log1p(-index->volume), 1e-6) * (1 + 1e-6)));
}

/* The lowest and the highest range that a similar size may lie in. */
static void ranges_near(const struct phase_index *index, uint64_t size, uint32_t *low, uint32_t *high)
{
	uint32_t range = range_of(index, size);
	bool graded = index->volume > 0 && index->volume < 0.5 && range >= RANGE_FIRST && !index->p->size_unknown;

	*low = graded && range > RANGE_FIRST ? range - 1 : range;
	*high = graded ? range + 1 : range;
}

static uint64_t key_of(uint32_t length, uint32_t position, uint32_t process, uint32_t type, uint32_t range)
{
	uint64_t h = hash_mix(hash_mix(0, (uint64_t)length << 32 | position), (uint64_t)process << 32 | type);

	h = hash_mix(h, range);
	return h ? h : 1;
}

static size_t slot_at(const struct index_slot_list *slots, size_t count, uint64_t key)
{
	size_t at = (key ^ key >> 32) & (count - 1);

	while (slots[at].key && slots[at].key != key)
		at = (at + 1) & (count - 1);
	return at;
}

static bool index_grow_slots(struct phase_index *index)
{
	size_t want = index->slot_count ? index->slot_count * 2 : 4096;
	struct index_slot_list *slots = mem_zero(want, sizeof *slots);

	if (!slots)
		return false;
	for (size_t i = 0; i < index->slot_count; i++)
		if (index->slots[i].key)
			slots[slot_at(slots, want, index->slots[i].key)] = index->slots[i];
	mem_free(index->slots);
	index->slots = slots;
	index->slot_count = want;
	return true;
}

static bool index_put_phase(struct phase_index *index, uint64_t key, uint32_t id)
{
	struct index_entry *entries = mem_grow(index->entries, index->entry_count, &index->entry_cap, sizeof *entries);
	struct index_slot_list *slot;

	if (!entries)
		return false;
	index->entries = entries;
	if (index->slot_count < (index->used + 1) * 2 && !index_grow_slots(index))
		return false;
	slot = &index->slots[slot_at(index->slots, index->slot_count, key)];
	index->used += !slot->key;
	entries[index->entry_count++] = (struct index_entry){id, slot->newest};
	*slot = (struct index_slot_list){key, (uint32_t)index->entry_count, slot->count + 1};
	return true;
}

struct phase_index *phase_index_new(const struct phase_space *p, const struct settings *settings)
{
	struct phase_index *index = mem_zero(1, sizeof *index);

	if (index) {
		index->p = p;
		index->volume = settings->volume;
		index->events = settings->events;
	}
	return index;
}

void phase_index_free(struct phase_index *index)
{
	if (!index)
		return;
	mem_free(index->slots);
	mem_free(index->entries);
	mem_free(index->found);
	mem_free(index->cells);
	mem_free(index);
}

static uint64_t all_cells(const struct phase_index *index, uint32_t length)
{
	return (uint64_t)length * index->p->l->trace->process_count;
}

static bool put_absent(struct phase_index *index, uint32_t id, uint32_t length, uint32_t position, uint32_t from,
		       uint32_t to)
{
	for (uint32_t process = from; process < to; process++)
		if (!index_put_phase(index, key_of(length, position, process, NO_TYPE, NO_RANGE), id))
			return false;
	return true;
}

bool phase_index_add(struct phase_index *index, uint32_t id, uint32_t first, uint32_t length)
{
	const struct phase_space *p = index->p;
	const bool absent = all_cells(index, length) <= ALL_CELLS_MOST;

	for (uint32_t i = 0; i < length; i++) {
		struct cell_walk w = phase_cells(p, p->class.of[first + i]);
		uint32_t next = 0;

		for (struct tick_cell c; cell_next(&w, &c);) {
			if (!index_put_phase(index, key_of(length, i, c.process, c.type, range_of(index, c.size)), id) ||
			    (absent && !put_absent(index, id, length, i, next, c.process)))
				return false;
			next = c.process + 1;
		}
		if (absent && !put_absent(index, id, length, i, next, p->l->trace->process_count))
			return false;
	}
	return true;
}

static const struct index_slot_list *slot_of(const struct phase_index *index, uint32_t length, const struct index_cell *c,
				  uint32_t range)
{
	uint64_t key = range == NO_RANGE ? key_of(length, c->position, c->process, NO_TYPE, NO_RANGE)
					 : key_of(length, c->position, c->process, c->type, range);

	return &index->slots[slot_at(index->slots, index->slot_count, key)];
}

/* Append the phases above `after` of a list. */
static bool index_gather_phases(struct phase_index *index, const struct index_slot_list *slot, uint32_t after, uint32_t most, uint32_t *count)
{
	for (uint32_t at = slot->newest; at && index->entries[at - 1].id > after && *count <= most;
	     at = index->entries[at - 1].older) {
		uint32_t *found = mem_grow(index->found, *count, &index->found_cap, sizeof *found);

		if (!found)
			return false;
		index->found = found;
		found[(*count)++] = index->entries[at - 1].id;
	}
	return true;
}

/* The window's cells with the lengths of their lists; false: no memory. */
static bool list_cells(struct phase_index *index, uint32_t first, uint32_t length, uint32_t *count)
{
	*count = 0;
	for (uint32_t i = 0; i < length; i++) {
		struct cell_walk w = phase_cells(index->p, index->p->class.of[first + i]);

		for (struct tick_cell its; cell_next(&w, &its);) {
			struct index_cell *cells = mem_grow(index->cells, *count, &index->cells_cap, sizeof *cells);
			struct index_cell *c;

			if (!cells)
				return false;
			index->cells = cells;
			c = &cells[(*count)++];
			*c = (struct index_cell){.position = i, .process = its.process, .type = its.type};
			ranges_near(index, its.size, &c->low, &c->high);
			for (uint32_t range = c->low; range <= c->high; range++)
				c->alike += slot_of(index, length, c, range)->count;
			c->absent = slot_of(index, length, c, NO_RANGE)->count;
		}
	}
	return true;
}

/* How many cells of two similar windows of that length may differ, or one more. */
static uint64_t may_differ(const struct phase_index *index, uint64_t all)
{
	uint64_t k = 0;

	while (k < all && (double)(all - k - 1) >= index->events * (double)all - 1e-6)
		k++;
	return k;
}

static int by_lists(const void *a, const void *b)
{
	const struct index_cell *cell = a, *y = b;
	uint64_t one = cell->alike + cell->absent, other = y->alike + y->absent;

	return (one > other) - (one < other);
}

/* Which of the cells are looked for: the first *count of them, and whether phases without them are too. */
static void choose_cells(struct phase_index *index, uint32_t length, uint32_t *count, bool *absent)
{
	uint64_t all = all_cells(index, length), every = 0, fewest = 0, k;

	*absent = false;
	if (all > ALL_CELLS_MOST || (k = may_differ(index, all)) >= *count)
		return;
	SORT(index->cells, *count, by_lists);
	for (uint32_t i = 0; i < *count; i++) {
		every += index->cells[i].alike;
		if (i <= k)
			fewest += index->cells[i].alike + index->cells[i].absent;
	}
	*absent = fewest < every;
	if (*absent)
		*count = (uint32_t)k + 1;
}

bool phase_index_find(struct phase_index *index, uint32_t first, uint32_t length, uint32_t after, uint32_t most,
		      const uint32_t **ids, uint32_t *count)
{
	uint32_t cells, n = 0, kept = 0;
	bool absent, room = index->slot_count && list_cells(index, first, length, &cells);

	if (!room)
		return false;
	choose_cells(index, length, &cells, &absent);
	for (uint32_t i = 0; i < cells && room; i++) {
		const struct index_cell *c = &index->cells[i];

		for (uint32_t range = c->low; range <= c->high && room; range++)
			room = index_gather_phases(index, slot_of(index, length, c, range), after, most, &n);
		if (absent && room)
			room = index_gather_phases(index, slot_of(index, length, c, NO_RANGE), after, most, &n);
	}
	if (!room)
		return false;
	*ids = index->found;
	*count = UINT32_MAX;
	if (n > most)
		return true;
	SORT(index->found, n, order_u32);
	for (uint32_t i = 0; i < n; i++)
		if (!kept || index->found[kept - 1] != index->found[i])
			index->found[kept++] = index->found[i];
	*count = kept;
	return true;
}
