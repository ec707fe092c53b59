#include "match_int.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/base/index.h"

/* What the rows of a phase give for a cell. */
struct overlap_part {
	uint32_t of;             /* a key; turned around: a phase */
	float weight;
};

struct overlap_parts {
	struct overlap_part *list;
	size_t count, cap;
	size_t *first;           /* per phase, or per key; one more than there are */
};

struct phase_overlap {
	const struct run_phases *run[2];
	struct index index;
	uint64_t *keys;          /* process and type, by number */
	uint32_t key_count;
	size_t key_cap;
	double *sum;             /* per key, of the phase at hand: 0 between phases */
	size_t sum_cap;
	uint32_t *touched;       /* keys of the phase at hand */
	size_t touched_cap;
	struct overlap_parts a, b;       /* A's keys by phase, B's phases by key */
	double *most;            /* of B's phases, with the phase of A that was asked for last */
	uint32_t asked;
};

static uint64_t hash_key(const void *records, uint32_t i)
{
	return hash_mix(0, ((const uint64_t *)records)[i]);
}

static bool same_key(const void *records, uint32_t i, const void *key)
{
	return ((const uint64_t *)records)[i] == *(const uint64_t *)key;
}

static bool intern(struct phase_overlap *o, uint64_t key, uint32_t *id)
{
	uint32_t *slot = index_slot(&o->index, hash_mix(0, key), o->keys, o->key_count, same_key, hash_key, &key);
	size_t had = o->sum_cap;
	uint64_t *keys;
	double *sum;

	if (!slot)
		return false;
	if (!*slot) {
		keys = mem_grow(o->keys, o->key_count, &o->key_cap, sizeof *keys);
		if (!keys)
			return false;
		o->keys = keys;
		sum = mem_grow(o->sum, o->key_count, &o->sum_cap, sizeof *sum);
		if (!sum)
			return false;
		o->sum = sum;
		memset(sum + had, 0, (o->sum_cap - had) * sizeof *sum);
		keys[o->key_count++] = key;
		*slot = o->key_count;
	}
	*id = *slot - 1;
	return true;
}

/* Parts of one phase behind those that are there. */
static bool add_phase(struct phase_overlap *o, const struct run_phase *p, const uint32_t *of_b, struct overlap_parts *to)
{
	size_t n = 0;

	for (uint32_t r = 0; r < p->row_count; r++)
		for (uint32_t c = 0; c < p->rows[r].cell_count; c++) {
			const struct phase_cell *cell = &p->rows[r].cells[c];
			event_type type = of_b ? canonical_as(of_b, cell->type) : cell->type;
			uint32_t key, *touched;

			if (!intern(o, (uint64_t)cell->process << 32 | type, &key))
				return false;
			if (!(o->sum[key] > 0)) {
				touched = mem_grow(o->touched, n, &o->touched_cap, sizeof *touched);
				if (!touched)
					return false;
				o->touched = touched;
				touched[n++] = key;
			}
			o->sum[key] += 1.0 / p->rows[r].cell_count;
		}
	for (size_t i = 0; i < n; i++) {
		struct overlap_part *list = mem_grow(to->list, to->count, &to->cap, sizeof *list);

		if (!list)
			return false;
		to->list = list;
		list[to->count++] = (struct overlap_part){o->touched[i], (float)o->sum[o->touched[i]]};
		o->sum[o->touched[i]] = 0;
	}
	return true;
}

static bool overlap_add_run(struct phase_overlap *o, const struct run_phases *r, const uint32_t *of_b, struct overlap_parts *to)
{
	to->first = mem_zero((size_t)r->count + 1, sizeof *to->first);
	if (!to->first)
		return false;
	for (uint32_t i = 0; i < r->count; i++) {
		if (!add_phase(o, &r->list[i], of_b, to))
			return false;
		to->first[i + 1] = to->count;
	}
	return true;
}

static void parts_release(struct overlap_parts *p)
{
	mem_free(p->list);
	mem_free(p->first);
}

/* From keys by phase to phases by key. */
static bool parts_turn(const struct overlap_parts *from, uint32_t phases, uint32_t keys, struct overlap_parts *to)
{
	to->first = mem_zero((size_t)keys + 2, sizeof *to->first);
	to->list = mem_alloc(from->count, sizeof *to->list);
	to->count = from->count;
	if (!to->first || !to->list)
		return false;
	for (size_t i = 0; i < from->count; i++)
		to->first[from->list[i].of + 2]++;
	for (uint32_t k = 0; k < keys; k++)
		to->first[k + 2] += to->first[k + 1];
	for (uint32_t p = 0; p < phases; p++)
		for (size_t i = from->first[p]; i < from->first[p + 1]; i++)
			to->list[to->first[from->list[i].of + 1]++] = (struct overlap_part){p, from->list[i].weight};
	return true;
}

enum err_code phase_overlap_new(struct phase_overlap **out, const struct run_phases *a, const struct run_phases *b, const uint32_t *of_b,
				struct err *e)
{
	struct phase_overlap *o = mem_zero(1, sizeof *o);
	struct overlap_parts by_phase = {0};
	bool made;

	*out = NULL;
	if (!o)
		return err_memory(e, "the comparison of phases");
	o->run[0] = a;
	o->run[1] = b;
	o->asked = UINT32_MAX;
	o->most = mem_alloc(b->count, sizeof *o->most);
	made = o->most && overlap_add_run(o, a, NULL, &o->a) && overlap_add_run(o, b, of_b, &by_phase) && parts_turn(&by_phase, b->count, o->key_count, &o->b);
	parts_release(&by_phase);
	if (!made) {
		phase_overlap_free(o);
		return err_memory(e, "the comparison of phases");
	}
	*out = o;
	return ERR_OK;
}

void phase_overlap_free(struct phase_overlap *o)
{
	if (!o)
		return;
	index_release(&o->index);
	mem_free(o->keys);
	mem_free(o->sum);
	mem_free(o->touched);
	mem_free(o->most);
	parts_release(&o->a);
	parts_release(&o->b);
	mem_free(o);
}

double phase_overlap_most(struct phase_overlap *o, uint32_t x, uint32_t y)
{
	if (o->asked != x) {
		for (uint32_t i = 0; i < o->run[1]->count; i++)
			o->most[i] = 0;
		for (size_t i = o->a.first[x]; i < o->a.first[x + 1]; i++) {
			const struct overlap_part *p = &o->a.list[i];

			for (size_t k = o->b.first[p->of]; k < o->b.first[p->of + 1]; k++)
				o->most[o->b.list[k].of] += p->weight < o->b.list[k].weight ? p->weight : o->b.list[k].weight;
		}
		o->asked = x;
	}
	return o->most[y];
}
