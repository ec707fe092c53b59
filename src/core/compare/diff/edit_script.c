#include "diff.h"

#include "core/base/hash.h"
#include "core/base/mem.h"

#define COUNT_AT 64 /* edits after which counting is cheaper than going on */
#define GRAM_MOST 4 /* numbers that follow each other, to be counted */
#define SURPLUS_LEAST 1024u
#define SURPLUS_MOST 65536u

/* ---- distances from the end ---- */

/* What is left between common prefix and suffix, and for each distance d how far it reaches from the end: on diagonal
 * k, which is what was taken of a less what was taken of b, the most that can be taken of a with d edits. d has
 * diagonals -d, -d + 2, ... d; those beyond the sequences' ends are not set. */
struct reach {
	const uint32_t *a, *b;
	int64_t n, m;
	uint32_t *far;
	size_t cap;
};

static uint32_t *far_at(const struct reach *r, int64_t d, int64_t k)
{
	return &r->far[d * (d + 1) / 2 + (d + k) / 2];
}

static bool has_diagonal(const struct reach *r, int64_t d, int64_t k)
{
	return k >= -d && k <= d && k >= -r->m && k <= r->n;
}

static bool reserve(struct reach *r, int64_t d)
{
	size_t need = (size_t)((d + 1) * (d + 2) / 2), cap = r->cap ? r->cap : 64;
	uint32_t *far;

	if (need <= r->cap)
		return true;
	while (cap < need)
		cap *= 2;
	far = mem_resize(r->far, cap, sizeof *far);
	if (!far)
		return false;
	r->far = far;
	r->cap = cap;
	return true;
}

/* With one edit more than the diagonals beside it took, and then as many equal numbers as there are. Neighbouring
 * points are exactly one edit apart, so where a neighbour lies beyond the diagonal's end, the end is reached. */
static int64_t furthest(const struct reach *r, int64_t d, int64_t k)
{
	int64_t x = 0, y;

	if (d && has_diagonal(r, d - 1, k - 1))
		x = (int64_t)*far_at(r, d - 1, k - 1) + 1;
	if (d && has_diagonal(r, d - 1, k + 1) && (int64_t)*far_at(r, d - 1, k + 1) > x)
		x = *far_at(r, d - 1, k + 1);
	if (x > r->n)
		x = r->n;
	if (x > r->m + k)
		x = r->m + k;
	for (y = x - k; x < r->n && y < r->m && r->a[r->n - 1 - x] == r->b[r->m - 1 - y]; x++)
		y++;
	return x;
}

static void count_grams(const uint32_t *list, int64_t count, int64_t length, uint32_t mask, int32_t step, int32_t *surplus)
{
	for (int64_t i = 0; i + length <= count; i++) {
		uint64_t h = 0;

		for (int64_t k = 0; k < length; k++)
			h = hash_mix(h, list[i + k]);
		surplus[(h ^ h >> 32) & mask] += step;
	}
}

/* What one sequence has more often than the other takes edits, wherever it stands: *least of them. Of numbers that
 * follow each other, so many as `length`, an edit takes away at most `length` and makes one less. Those that fall
 * together in the table only make it less. */
static enum err_code count_surplus(const struct reach *r, uint64_t *least)
{
	uint32_t size = SURPLUS_LEAST;
	int32_t *surplus;

	while (size < SURPLUS_MOST && size < 2 * (r->n + r->m))
		size *= 2;
	*least = 0;
	for (int64_t length = 1; length <= GRAM_MOST; length++) {
		uint64_t sum = 0, each = 2 * (uint64_t)length - 1;

		surplus = mem_zero(size, sizeof *surplus);
		if (!surplus)
			return ERR_MEMORY;
		count_grams(r->a, r->n, length, size - 1, 1, surplus);
		count_grams(r->b, r->m, length, size - 1, -1, surplus);
		for (uint32_t i = 0; i < size; i++)
			sum += (uint64_t)(surplus[i] < 0 ? -(int64_t)surplus[i] : surplus[i]);
		mem_free(surplus);
		if ((sum + each - 1) / each > *least)
			*least = (sum + each - 1) / each;
	}
	return ERR_OK;
}

/* *distance: of all from all; more than effort: not found. */
static enum err_code reach_measure(struct reach *r, uint32_t effort, struct parallel_stop *stop, unsigned part, int64_t *distance)
{
	enum err_code code;
	uint64_t must = 0;

	for (int64_t d = 0; d <= (int64_t)effort; d++) {
		int64_t least = d < r->m ? -d : -r->m + ((d - r->m) & 1), most = d < r->n ? d : r->n;

		if (stop && parallel_stopped(stop, part))
			return ERR_CANCELLED;
		code = d == COUNT_AT ? count_surplus(r, &must) : reserve(r, d) ? ERR_OK : ERR_MEMORY;
		if (code || (d == COUNT_AT && !reserve(r, d)))
			return ERR_MEMORY;
		if (must > effort)
			break;
		for (int64_t k = least; k <= most; k += 2) {
			int64_t x = furthest(r, d, k);

			*far_at(r, d, k) = (uint32_t)x;
			if (k == r->n - r->m && x == r->n) {
				*distance = d;
				return ERR_OK;
			}
		}
	}
	*distance = (int64_t)effort + 1;
	return ERR_OK;
}

/* ---- the script from the front ---- */

struct script_writing {
	struct edit_script *s;
	size_t cap;
	bool failed;
};

static void script_add_edit(struct script_writing *w, enum edit edit, uint32_t count)
{
	struct edit_script *s = w->s;
	struct edit_run *runs;

	if (!count || w->failed)
		return;
	if (s->run_count && s->runs[s->run_count - 1].edit == edit) {
		s->runs[s->run_count - 1].count += count;
		return;
	}
	runs = mem_grow(s->runs, s->run_count, &w->cap, sizeof *runs);
	w->failed = !runs;
	if (w->failed)
		return;
	s->runs = runs;
	runs[s->run_count++] = (struct edit_run){edit, count};
}

/* Where two numbers are equal, some shortest script keeps them; otherwise it deletes where what is then left takes an
 * edit less. */
static void script_walk_back(struct script_writing *w, const struct reach *r, int64_t d)
{
	int64_t x = r->n, y = r->m; /* what is left of each */

	while (x || y) {
		if (x && y && r->a[r->n - x] == r->b[r->m - y]) {
			script_add_edit(w, EDIT_KEEP, 1);
			x--;
			y--;
			continue;
		}
		d--;
		if (x && has_diagonal(r, d, x - 1 - y) && (int64_t)*far_at(r, d, x - 1 - y) >= x - 1) {
			script_add_edit(w, EDIT_DELETE, 1);
			w->s->removed++;
			x--;
		} else {
			script_add_edit(w, EDIT_INSERT, 1);
			w->s->added++;
			y--;
		}
	}
}

enum err_code edit_script_init(struct edit_script *s, const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t effort,
			       struct parallel_stop *stop, unsigned part)
{
	struct script_writing w = {.s = s};
	struct reach r = {.a = a, .b = b};
	uint32_t prefix = 0, suffix = 0;
	enum err_code code = ERR_OK;
	int64_t d = 0;

	*s = (struct edit_script){0};
	while (prefix < n && prefix < m && a[prefix] == b[prefix])
		prefix++;
	while (suffix < n - prefix && suffix < m - prefix && a[n - 1 - suffix] == b[m - 1 - suffix])
		suffix++;
	r.a += prefix;
	r.b += prefix;
	r.n = (int64_t)n - prefix - suffix;
	r.m = (int64_t)m - prefix - suffix;
	if (r.n - r.m > (int64_t)effort || r.m - r.n > (int64_t)effort)
		d = (int64_t)effort + 1;
	else if (r.n && r.m)
		code = reach_measure(&r, effort, stop, part, &d);
	s->beyond = !code && d > (int64_t)effort;
	if (!code && !s->beyond) {
		script_add_edit(&w, EDIT_KEEP, prefix);
		if (r.n && r.m)
			script_walk_back(&w, &r, d);
		script_add_edit(&w, EDIT_DELETE, r.m ? 0 : (uint32_t)r.n);
		script_add_edit(&w, EDIT_INSERT, r.n ? 0 : (uint32_t)r.m);
		s->removed += r.m ? 0 : (uint32_t)r.n;
		s->added += r.n ? 0 : (uint32_t)r.m;
		script_add_edit(&w, EDIT_KEEP, suffix);
	}
	mem_free(r.far);
	if (w.failed)
		code = ERR_MEMORY;
	if (code)
		edit_script_release(s);
	return code;
}

void edit_script_release(struct edit_script *s)
{
	mem_free(s->runs);
	*s = (struct edit_script){0};
}
