#include "bbp.h"

#include <math.h>

#include "tick_classes.h"

int size_similar(uint32_t a, uint32_t b, double volume)
{
	if (a == b)
		return 1;
	if (a == SIZE_UNKNOWN || b == SIZE_UNKNOWN)
		return 0;
	return a > b ? (double)(a - b) <= volume * a : (double)(b - a) <= volume * b;
}

int compute_similar(double a, double b, double compute)
{
	return fabs(a - b) <= compute * (a > b ? a : b);
}

struct bbp_space {
	const struct logical *l;
	struct tick_classes types; /* by type */
	struct tick_classes sizes; /* by type and size */
	double *largest, *sum;     /* per tick: compute times that follow its events */
};

static void tick_compute(const struct logical *l, uint32_t tick, double *largest, double *sum)
{
	struct tick_walk w = tick_walk(l, tick, false);
	uint32_t ev;

	*largest = *sum = 0;
	while ((ev = tick_next(&w)) != NO_EVENT) {
		double c = l->trace->compute[ev];

		*sum += c;
		if (c > *largest)
			*largest = c;
	}
}

enum err_code bbp_space_new(struct bbp_space **out, const struct logical *l, const struct job *job, struct err *e)
{
	struct bbp_space *b = mem_zero(1, sizeof *b);
	enum err_code code;

	*out = NULL;
	if (!b)
		return err_memory(e, "the basic blocks");
	b->l = l;
	code = tick_classes_init(&b->types, l, NULL, l->tick_count, CLASSES_TYPES, job, JOB_BBPS, e);
	if (code == ERR_OK)
		code = tick_classes_init(&b->sizes, l, NULL, l->tick_count, CLASSES_SIZES, job, JOB_BBPS, e);
	if (code == ERR_OK) {
		b->largest = mem_alloc(l->tick_count, sizeof *b->largest);
		b->sum = mem_alloc(l->tick_count, sizeof *b->sum);
		if (!b->largest || !b->sum)
			code = err_memory(e, "the basic blocks");
	}
	if (code != ERR_OK) {
		bbp_space_free(b);
		return code;
	}
	for (uint32_t k = 0; k < l->tick_count; k++)
		tick_compute(l, k, &b->largest[k], &b->sum[k]);
	*out = b;
	return ERR_OK;
}

void bbp_space_free(struct bbp_space *b)
{
	if (!b)
		return;
	tick_classes_release(&b->types);
	tick_classes_release(&b->sizes);
	mem_free(b->largest);
	mem_free(b->sum);
	mem_free(b);
}

/* Leaders are kept in chains by what must be equal (types of both ticks) and by a bin of their compute time:
 * bins are as wide, in the logarithm, as the threshold, so that what is similar lies in the same or a
 * neighbouring bin. A chain is in order of BBP numbers. */
struct leader {
	uint32_t bbp;
	uint32_t next;       /* in its chain; 0: end */
};

struct chain {
	uint64_t key;        /* 0: free */
	int32_t bin;
	uint32_t types_entry, types_exit;
	uint32_t head, tail; /* indices into leaders, from 1 */
};

struct labelling {
	const struct bbp_space *space;
	const struct settings *s;
	double bin_width;    /* 0: one bin for all */
	struct leader *leaders;
	size_t leader_count, leaders_cap;
	struct chain *chains;
	size_t chain_count, chain_slots;
};

#define BIN_ZERO INT32_MIN
#define BIN_ALL 0

/* Both `max` and `sum` compare one number; for `each` the largest is one more thing that must be similar. */
static double bin_value(const struct labelling *b, uint32_t tick)
{
	return b->s->compute_of == COMPUTE_SUM ? b->space->sum[tick] : b->space->largest[tick];
}

static int32_t bin_of(const struct labelling *b, double v)
{
	if (b->bin_width == 0)
		return BIN_ALL;
	if (!(v > 0))
		return BIN_ZERO;
	v = log(v) / b->bin_width;
	return v > 2e9 ? 2000000000 : v < -2e9 ? -2000000000 : (int32_t)floor(v);
}

static struct chain *chain_find(struct labelling *b, uint32_t entry, uint32_t exit, int32_t bin, bool create)
{
	uint64_t key = hash_mix(hash_mix(1, (uint64_t)entry << 32 | exit), (uint32_t)bin) | 1;
	size_t at;

	if (create && b->chain_slots < (b->chain_count + 1) * 2) {
		size_t want = b->chain_slots ? b->chain_slots * 2 : 256;
		struct chain *more = mem_zero(want, sizeof *more);

		if (!more)
			return NULL;
		for (size_t i = 0; i < b->chain_slots; i++) {
			if (!b->chains[i].key)
				continue;
			for (at = b->chains[i].key & (want - 1); more[at].key; at = (at + 1) & (want - 1))
				;
			more[at] = b->chains[i];
		}
		mem_free(b->chains);
		b->chains = more;
		b->chain_slots = want;
	}
	if (!b->chain_slots)
		return NULL;
	for (at = key & (b->chain_slots - 1); b->chains[at].key; at = (at + 1) & (b->chain_slots - 1)) {
		struct chain *c = &b->chains[at];

		if (c->key == key && c->bin == bin && c->types_entry == entry && c->types_exit == exit)
			return c;
	}
	if (!create)
		return NULL;
	b->chain_count++;
	b->chains[at] = (struct chain){.key = key, .bin = bin, .types_entry = entry, .types_exit = exit};
	return &b->chains[at];
}

/* Two ticks of equal types: every size within `volume`. */
static bool sizes_similar(const struct labelling *b, uint32_t x, uint32_t y)
{
	const struct logical *l = b->space->l;
	uint32_t i = l->tick_first[x], j = l->tick_first[y], end = l->tick_first[x + 1];

	if (b->space->sizes.of[x] == b->space->sizes.of[y])
		return true;
	for (; i < end; i++, j++)
		if (!size_similar(l->trace->size[l->order_of[i]], l->trace->size[l->order_of[j]], b->s->volume))
			return false;
	return true;
}

static bool computes_similar(const struct labelling *b, uint32_t x, uint32_t y)
{
	const struct logical *l = b->space->l;
	uint32_t i = l->tick_first[x], j = l->tick_first[y], end = l->tick_first[x + 1];

	if (!compute_similar(bin_value(b, x), bin_value(b, y), b->s->compute))
		return false;
	if (b->s->compute_of != COMPUTE_EACH)
		return true;
	for (; i < end; i++, j++)
		if (!compute_similar(l->trace->compute[l->order_of[i]], l->trace->compute[l->order_of[j]],
				     b->s->compute))
			return false;
	return true;
}

/* The first leader of a chain that BBP i is similar to; 0: none. Types are equal by the chain. */
static uint32_t chain_match(const struct labelling *b, const struct chain *c, uint32_t i, uint32_t best)
{
	for (uint32_t at = c->head; at; at = b->leaders[at - 1].next) {
		uint32_t lead = b->leaders[at - 1].bbp;

		if (best && lead >= best)
			return best;
		if (computes_similar(b, lead - 1, i - 1) && sizes_similar(b, lead - 1, i - 1) &&
		    sizes_similar(b, lead, i))
			return lead;
	}
	return best;
}

static uint32_t find_leader(struct labelling *b, uint32_t i)
{
	uint32_t entry = b->space->types.of[i - 1], exit = b->space->types.of[i], best = 0;
	int32_t bin = bin_of(b, bin_value(b, i - 1));
	int reach = bin == BIN_ZERO || b->bin_width == 0 ? 0 : 1;

	for (int d = -reach; d <= reach; d++) {
		struct chain *c = chain_find(b, entry, exit, bin + d, false);

		if (c)
			best = chain_match(b, c, i, best);
	}
	return best;
}

static bool add_leader(struct labelling *b, uint32_t i)
{
	struct leader *leaders = mem_grow(b->leaders, b->leader_count, &b->leaders_cap, sizeof *leaders);
	struct chain *c;

	if (!leaders)
		return false;
	b->leaders = leaders;
	c = chain_find(b, b->space->types.of[i - 1], b->space->types.of[i], bin_of(b, bin_value(b, i - 1)), true);
	if (!c)
		return false;
	leaders[b->leader_count++] = (struct leader){.bbp = i};
	if (c->tail)
		leaders[c->tail - 1].next = (uint32_t)b->leader_count;
	else
		c->head = (uint32_t)b->leader_count;
	c->tail = (uint32_t)b->leader_count;
	return true;
}

static enum err_code label_all(struct bbps *r, struct labelling *b, const struct job *job, struct err *e)
{
	for (uint32_t i = 1; i <= r->count; i++) {
		uint32_t lead = find_leader(b, i);

		if (!lead) {
			lead = i;
			r->label_count++;
			if (!add_leader(b, i))
				return err_memory(e, "the leaders of basic blocks");
		}
		r->label[i] = lead;
		r->weight[lead]++;
		if ((i & 1023) == 0) {
			job_progress(job, JOB_BBPS, i, r->count);
			if (job_stopped(job))
				return err_set(e, ERR_CANCELLED, "stopped while labelling basic blocks");
		}
	}
	return ERR_OK;
}

enum err_code bbps_new(struct bbps **out, const struct bbp_space *space, const struct settings *s,
		       const struct job *job, struct err *e)
{
	struct labelling b = {.space = space, .s = s};
	struct bbps *r = mem_zero(1, sizeof *r);
	enum err_code code;

	*out = NULL;
	if (!r)
		return err_memory(e, "the labels of basic blocks");
	/* At 100 % all are similar: one bin. Slightly wider than the threshold, so that rounding cannot put similar
	 * ones two bins apart. */
	if (s->compute < 1)
		b.bin_width = fmax(-log1p(-s->compute) * 1.000001, 1e-7);
	r->count = space->l->tick_count ? space->l->tick_count - 1 : 0;
	r->label = mem_zero((size_t)r->count + 1, sizeof *r->label);
	r->weight = mem_zero((size_t)r->count + 1, sizeof *r->weight);
	if (!r->label || !r->weight)
		code = err_memory(e, "the labels of basic blocks");
	else
		code = label_all(r, &b, job, e);
	mem_free(b.leaders);
	mem_free(b.chains);
	if (code != ERR_OK) {
		bbps_free(r);
		return code;
	}
	*out = r;
	return ERR_OK;
}

void bbps_free(struct bbps *b)
{
	if (!b)
		return;
	mem_free(b->label);
	mem_free(b->weight);
	mem_free(b);
}

void bbp_cell(const struct logical *l, uint32_t i, uint32_t process, struct bbp_cell *c)
{
	uint32_t entry = logical_event_at(l, i - 1, process), exit = logical_event_at(l, i, process);

	*c = (struct bbp_cell){0};
	if (entry != NO_EVENT) {
		c->entry_type = l->trace->type[entry];
		c->entry_size = l->trace->size[entry];
		c->compute = l->trace->compute[entry];
	}
	if (exit != NO_EVENT) {
		c->exit_type = l->trace->type[exit];
		c->exit_size = l->trace->size[exit];
	}
}

double bbp_compute(const struct logical *l, uint32_t i, enum compute_of of)
{
	double largest, sum;

	tick_compute(l, i - 1, &largest, &sum);
	return of == COMPUTE_SUM ? sum : largest;
}
