#include "match.h"

#include <math.h>
#include <string.h>

#include "core/base/hash.h"
#include "match_int.h"

#define UNIT ((uint64_t)1 << 40) /* a similarity of 1 */
#define MARKS 4                  /* words of 64 bits that say which keys a row may have */
#define CACHE_BITS_MOST 16
#define ROUNDED (1 - 1e-6)       /* more than what an overlap was rounded by */
#define POLL (1u << 20)          /* pairs of rows between two looks at progress */

/* A distinct row of either run. */
struct row {
	const struct content_row *row;
	const uint32_t *processes, *types; /* of its cells; types are A's numbers */
	const uint64_t *sizes;
	uint64_t hash;
	uint64_t marks[MARKS];
	bool of_b;               /* whose numbers the types of its cells are */
	bool dense;              /* its processes follow each other */
};

struct marked_rows {
	uint32_t first, count;   /* in ids */
	uint64_t marks[MARKS];   /* of all its rows */
};

struct cached { uint32_t x, y; uint64_t similarity; };

struct phase_measure {
	const struct run_phases *run[2];
	bool by_cells;
	uint32_t *of_b;          /* B's types as A's */
	struct arena arena;      /* columns of rows */
	struct row *rows;
	uint32_t row_count;
	size_t row_cap;
	struct index index;
	struct marked_rows *phases[2];
	uint32_t *ids[2];        /* rows of each phase, by number */
	struct phase_overlap *overlap; /* by cells, otherwise NULL */
	struct cached *cache; /* 2^cache_bits: room for all pairs of rows, if they are few */
	unsigned cache_bits;
	uint64_t *best;          /* of the alignment: two lines */
	uint32_t work;
};

static event_type type_of(const struct phase_measure *m, const struct row *r, event_type canonical)
{
	return r->of_b ? canonical_as(m->of_b, canonical) : canonical;
}

static uint64_t real_bits(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static void row_add_mark(uint64_t marks[MARKS], uint64_t h)
{
	h ^= h >> 32;
	marks[h % MARKS] |= (uint64_t)1 << (h / MARKS % 64);
}

/* Hash and marks of a row: keys are cells without their sizes, or roles. */
static void row_describe(const struct phase_measure *m, struct row *r)
{
	uint64_t h = 1;

	for (uint32_t i = 0; m->by_cells && i < r->row->cell_count; i++) {
		const struct phase_cell *c = &r->row->cells[i];
		uint64_t key = hash_mix(hash_mix(2, c->process), type_of(m, r, c->type));

		row_add_mark(r->marks, key);
		h = hash_mix(hash_mix(h, key), c->size);
	}
	for (uint32_t i = 0; !m->by_cells && i < r->row->role_count; i++) {
		const struct phase_role *role = &r->row->roles[i];
		uint64_t key = hash_text(hash_mix(3, role->kind), role->op);

		row_add_mark(r->marks, key);
		h = hash_mix(hash_mix(h, key), real_bits(role->share));
	}
	r->hash = m->by_cells ? h : hash_mix(hash_mix(h, real_bits(r->row->active)), real_bits(r->row->bytes));
}

struct row_key { const struct phase_measure *m; const struct row *row; };

static bool same_cells(const struct phase_measure *m, const struct row *x, const struct row *y)
{
	if (x->row->cell_count != y->row->cell_count)
		return false;
	for (uint32_t i = 0; i < x->row->cell_count; i++) {
		const struct phase_cell *c = &x->row->cells[i], *d = &y->row->cells[i];

		if (c->process != d->process || c->size != d->size || type_of(m, x, c->type) != type_of(m, y, d->type))
			return false;
	}
	return true;
}

static bool same_roles(const struct content_row *x, const struct content_row *y)
{
	if (x->role_count != y->role_count || real_bits(x->active) != real_bits(y->active) ||
	    real_bits(x->bytes) != real_bits(y->bytes))
		return false;
	for (uint32_t i = 0; i < x->role_count; i++)
		if (x->roles[i].kind != y->roles[i].kind || strcmp(x->roles[i].op, y->roles[i].op) != 0 ||
		    real_bits(x->roles[i].share) != real_bits(y->roles[i].share))
			return false;
	return true;
}

static bool same_row(const void *records, uint32_t i, const void *key)
{
	const struct row_key *k = key;
	const struct row *r = (const struct row *)records + i;

	return r->hash == k->row->hash &&
	       (k->m->by_cells ? same_cells(k->m, r, k->row) : same_roles(r->row, k->row->row));
}

static uint64_t hash_row(const void *records, uint32_t i)
{
	return ((const struct row *)records)[i].hash;
}

/* Cells as columns: they are compared many times. */
static bool lay_cells(struct phase_measure *m, struct row *r)
{
	uint32_t n = r->row->cell_count, *columns = arena_alloc(&m->arena, 2 * (size_t)n * sizeof *columns);
	uint64_t *sizes = arena_alloc(&m->arena, n * sizeof *sizes);

	if (!columns || !sizes)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct phase_cell *c = &r->row->cells[i];

		columns[i] = c->process;
		columns[n + i] = type_of(m, r, c->type);
		sizes[i] = c->size;
	}
	r->processes = columns;
	r->types = columns + n;
	r->sizes = sizes;
	r->dense = n && columns[n - 1] - columns[0] == n - 1;
	return true;
}

static bool intern(struct phase_measure *m, bool of_b, const struct content_row *row, uint32_t *id)
{
	struct row r = {.row = row, .of_b = of_b}, *grown;
	struct row_key key = {m, &r};
	uint32_t *slot;

	row_describe(m, &r);
	slot = index_slot(&m->index, r.hash, m->rows, m->row_count, same_row, hash_row, &key);
	if (slot && !*slot) {
		grown = mem_grow(m->rows, m->row_count, &m->row_cap, sizeof *grown);
		if (!grown)
			return false;
		m->rows = grown;
		if (m->by_cells && !lay_cells(m, &r))
			return false;
		grown[m->row_count++] = r;
		*slot = m->row_count;
	}
	if (!slot)
		return false;
	*id = *slot - 1;
	return true;
}

static bool intern_run(struct phase_measure *m, unsigned side, uint32_t *longest)
{
	const struct run_phases *r = m->run[side];
	uint32_t rows = 0;

	for (uint32_t i = 0; i < r->count; i++)
		rows += r->list[i].row_count;
	m->phases[side] = mem_zero(r->count, sizeof *m->phases[side]);
	m->ids[side] = mem_alloc(rows, sizeof *m->ids[side]);
	if (!m->phases[side] || !m->ids[side])
		return false;
	rows = 0;
	for (uint32_t i = 0; i < r->count; i++) {
		struct marked_rows *p = &m->phases[side][i];

		*p = (struct marked_rows){.first = rows, .count = r->list[i].row_count};
		for (uint32_t k = 0; k < p->count; k++) {
			if (!intern(m, side == 1, &r->list[i].rows[k], &m->ids[side][rows]))
				return false;
			for (unsigned w = 0; w < MARKS; w++)
				p->marks[w] |= m->rows[m->ids[side][rows]].marks[w];
			rows++;
		}
		*longest = p->count > *longest ? p->count : *longest;
	}
	return true;
}

enum err_code phase_measure_new(struct phase_measure **out, const struct run_phases *a, const struct run_phases *b, struct err *e)
{
	struct phase_measure *m = mem_zero(1, sizeof *m);
	uint32_t longest = 0;

	*out = NULL;
	if (!m)
		return err_memory(e, "the comparison of phases");
	arena_init(&m->arena);
	m->run[0] = a;
	m->run[1] = b;
	m->by_cells = a->processes == b->processes;
	m->of_b = mem_alloc(b->types.count, sizeof *m->of_b);
	if (m->of_b)
		canonical_joint(&a->types, &b->types, m->of_b);
	if (m->of_b && intern_run(m, 0, &longest) && intern_run(m, 1, &longest)) {
		m->cache_bits = 1;
		while (m->cache_bits < CACHE_BITS_MOST && (uint64_t)1 << m->cache_bits < (uint64_t)m->row_count * m->row_count)
			m->cache_bits++;
		m->cache = mem_alloc((size_t)1 << m->cache_bits, sizeof *m->cache);
	}
	if (m->cache)
		m->best = mem_alloc(2 * ((size_t)longest + 1), sizeof *m->best);
	if (!m->best) {
		phase_measure_free(m);
		return err_memory(e, "the comparison of phases");
	}
	for (size_t i = 0; i < (size_t)1 << m->cache_bits; i++)
		m->cache[i].x = UINT32_MAX;
	if (m->by_cells) {
		enum err_code code = phase_overlap_new(&m->overlap, a, b, m->of_b, e);

		if (code) {
			phase_measure_free(m);
			return code;
		}
	}
	*out = m;
	return ERR_OK;
}

void phase_measure_free(struct phase_measure *m)
{
	if (!m)
		return;
	for (unsigned side = 0; side < 2; side++) {
		mem_free(m->phases[side]);
		mem_free(m->ids[side]);
	}
	phase_overlap_free(m->overlap);
	mem_free(m->of_b);
	mem_free(m->rows);
	arena_release(&m->arena);
	index_release(&m->index);
	mem_free(m->cache);
	mem_free(m->best);
	mem_free(m);
}

static double ratio(double x, double y)
{
	return x == y ? 1 : x < y ? x / y : y / x;
}

static double size_ratio(uint64_t x, uint64_t y)
{
	if (x == y)
		return 1;
	if (x == SIZE_UNKNOWN || y == SIZE_UNKNOWN)
		return 0;
	return ratio((double)x, (double)y);
}

static double of_cells(uint32_t same, uint32_t either, double sizes)
{
	return same ? (double)same / either * (0.9 + 0.1 * (sizes / same)) : 0;
}

/* Of the same processes: the usual case, and no step depends on the one before. */
static double aligned_similarity(const struct row *x, const struct row *y, uint32_t n)
{
	uint32_t same = 0, equal = 0;
	double sizes = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t type = x->types[i] == y->types[i];

		same += type;
		equal += type & (x->sizes[i] == y->sizes[i]);
	}
	if (same == equal)
		return of_cells(same, n, same);
	for (uint32_t i = 0; i < n; i++)
		if (x->types[i] == y->types[i])
			sizes += size_ratio(x->sizes[i], y->sizes[i]);
	return of_cells(same, n, sizes);
}

static double cells_similarity(const struct row *x, const struct row *y)
{
	uint32_t i = 0, k = 0, n = x->row->cell_count, end = y->row->cell_count, same = 0, either = 0;
	double sizes = 0;

	if (x->dense && y->dense && n == end && x->processes[0] == y->processes[0])
		return aligned_similarity(x, y, n);
	while (i < n && k < end) {
		uint32_t p = x->processes[i], q = y->processes[k];

		either++;
		if (p == q && x->types[i] == y->types[k]) {
			same++;
			sizes += size_ratio(x->sizes[i], y->sizes[k]);
		}
		i += p <= q;
		k += q <= p;
	}
	return of_cells(same, either + (n - i) + (end - k), sizes);
}

static int role_order(const struct phase_role *x, const struct phase_role *y)
{
	return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : strcmp(x->op, y->op);
}

double role_row_similarity(const struct content_row *x, double mean_message_x, const struct content_row *y, double mean_message_y)
{
	double common = 0, sizes;

	for (uint32_t i = 0, k = 0; i < x->role_count && k < y->role_count;) {
		int c = role_order(&x->roles[i], &y->roles[k]);

		if (!c)
			common += fmin(x->roles[i].share, y->roles[k].share);
		i += c <= 0;
		k += c >= 0;
	}
	sizes = fmax(ratio(x->bytes, y->bytes), ratio(x->bytes / mean_message_x, y->bytes / mean_message_y));
	return common * (0.6 + 0.4 * ratio(x->active, y->active)) * sqrt(sizes);
}

static uint64_t compare_rows(const struct phase_measure *m, uint32_t x, uint32_t y)
{
	const struct row *r = &m->rows[x], *s = &m->rows[y];
	double similarity = m->by_cells ? cells_similarity(r, s) :
			    role_row_similarity(r->row, m->run[0]->mean_message, s->row, m->run[1]->mean_message);

	return (uint64_t)(fmin(similarity, 1) * (double)UNIT + 0.5);
}

static bool share_mark(const uint64_t a[MARKS], const uint64_t b[MARKS])
{
	uint64_t any = 0;

	for (unsigned w = 0; w < MARKS; w++)
		any |= a[w] & b[w];
	return any;
}

static uint64_t row_similarity(struct phase_measure *m, uint32_t x, uint32_t y)
{
	struct cached *c;

	if (x == y)
		return UNIT;
	if (!share_mark(m->rows[x].marks, m->rows[y].marks))
		return 0;
	c = &m->cache[hash_mix(hash_mix(0, x), y) >> (64 - m->cache_bits)];
	if (c->x != x || c->y != y)
		*c = (struct cached){x, y, compare_rows(m, x, y)};
	return c->similarity;
}

/* Rows of one phase that have something in common with the other at all. */
static uint32_t count_alive(const struct phase_measure *m, const uint32_t *ids, uint32_t count, const uint64_t marks[MARKS])
{
	uint32_t alive = 0;

	for (uint32_t i = 0; i < count; i++)
		alive += share_mark(m->rows[ids[i]].marks, marks);
	return alive;
}

/* The largest sum over alignments of x[0..n) and y[0..k), where it can reach `need`; otherwise anything below that. */
static enum err_code align(struct phase_measure *m, const uint32_t *x, uint32_t n, const uint32_t *y, uint32_t k, uint64_t need,
			   uint64_t *sum, const struct progress *progress, struct err *e)
{
	uint64_t *above = m->best, *line = m->best + k + 1, *swap;

	memset(above, 0, (k + 1) * sizeof *above);
	for (uint32_t i = 0; i < n; i++) {
		m->work += k;
		if (m->work >= POLL) {
			m->work = 0;
			if (progress_stopped(progress))
				return err_set(e, ERR_CANCELLED, "stopped while comparing phases");
		}
		line[0] = 0;
		for (uint32_t j = 0; j < k; j++) {
			uint64_t pair = above[j] + row_similarity(m, x[i], y[j]), skip = above[j + 1] > line[j] ? above[j + 1] : line[j];

			line[j + 1] = pair > skip ? pair : skip;
		}
		swap = above;
		above = line;
		line = swap;
		if (above[k] + (n - 1 - i) * UNIT < need)
			break;
	}
	*sum = above[k];
	return ERR_OK;
}

enum err_code phase_measure_pair(struct phase_measure *m, uint32_t x, uint32_t y, double least, double *s, const struct progress *progress,
				 struct err *e)
{
	const struct marked_rows *p = &m->phases[0][x], *q = &m->phases[1][y];
	const uint32_t *ids = m->ids[0] + p->first, *other = m->ids[1] + q->first;
	uint32_t n = p->count, k = q->count, longer = n > k ? n : k, start = 0, end = 0;
	uint64_t ends, need, sum = 0;
	enum err_code code;

	*s = 0;
	if (!longer || (double)(n < k ? n : k) / longer < least || !share_mark(p->marks, q->marks) ||
	    (double)count_alive(m, ids, n, q->marks) / longer < least || (double)count_alive(m, other, k, p->marks) / longer < least)
		return ERR_OK;
	if (m->overlap && phase_overlap_most(m->overlap, x, y) < least * longer * ROUNDED)
		return ERR_OK;
	/* No row is more similar than an equal one: what both begin and end with is paired. */
	while (start < n && start < k && ids[start] == other[start])
		start++;
	while (end < n - start && end < k - start && ids[n - 1 - end] == other[k - 1 - end])
		end++;
	ends = (uint64_t)(start + end) * UNIT;
	least = fmax(0, least - 1 / (double)UNIT); /* what rows were rounded by keeps no phase from being as similar as it must */
	need = (uint64_t)(least * longer * (double)UNIT);
	code = align(m, ids + start, n - start - end, other + start, k - start - end, need > ends ? need - ends : 0, &sum, progress, e);
	if (code)
		return code;
	*s = (double)(sum + ends) / ((double)longer * (double)UNIT);
	if (*s < least)
		*s = 0;
	return ERR_OK;
}
