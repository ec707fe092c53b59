/* The rule of foldings (fold.h), without its repeated scans.
 *
 * A fold at p is an interval of at least p places with s[c] = s[c+p]. Every such interval contains a multiple of p, so
 * a search of the whole sequence for all periods costs length x (1 + 1/2 + ... + 1/FOLD_PERIOD). After a fold at p all
 * shorter periods would have to be searched again; but a repetition that is new must contain a new loop, so only the
 * surroundings of new loops are searched. These are p places for a fold that removed at least p symbols.
 *
 * One scan makes all places of a loop: its content was the same at all of them, and a scan folds or breaks up every
 * place that repeats at its period. So a loop that equals a new loop is new itself, and two equal loops are never
 * neighbours.
 */
#include "fold.h"

#include <string.h>

#include "hash.h"
#include "index.h"
#include "mem.h"

#define POLL 262144 /* places between two looks at progress */

/* A stretch of the sequence that the scan folds. */
struct fold_place {
	uint32_t at, count, length; /* count * length symbols from `at` on */
};

/* A loop that is new at its place: what repeats around it is not known. */
struct fresh {
	uint32_t at;
	uint32_t clean; /* no period up to this one repeats around it */
};

struct folder {
	struct fold *f;
	const struct progress *progress;
	uint32_t *s;           /* the sequence as far as it is folded: f->top */
	uint32_t n;
	size_t ids_cap, loops_cap, symbols_cap;
	uint32_t symbol_count; /* in f->symbols */
	struct index ids, loops;
	struct fold_place *places;
	size_t place_count, places_cap;
	struct fresh *fresh, *after; /* in order of their places; `after` is where the next list is made */
	size_t fresh_count, fresh_cap, after_cap;
	uint64_t looked;       /* places looked at since the last look at progress */
	bool stopped;
};

/* --- ids and loops as symbols --- */

static inline bool same_id(const void *ids, uint32_t i, const void *key)
{
	return ((const uint32_t *)ids)[i] == *(const uint32_t *)key;
}

static uint64_t hash_id(const void *ids, uint32_t i)
{
	return hash_mix(0, ((const uint32_t *)ids)[i]);
}

static bool id_symbol(struct folder *x, uint32_t id, uint32_t *symbol)
{
	struct fold *f = x->f;
	uint32_t *slot = index_slot(&x->ids, hash_mix(0, id), f->ids, f->id_count, same_id, hash_id, &id);

	if (!slot)
		return false;
	if (!*slot) {
		uint32_t *more = mem_grow(f->ids, f->id_count, &x->ids_cap, sizeof *f->ids);

		if (!more)
			return false;
		f->ids = more;
		f->ids[f->id_count++] = id;
		*slot = f->id_count;
	}
	*symbol = *slot - 1;
	return true;
}

/* A loop that is looked up: its body is where it was found. */
struct loop_key {
	const uint32_t *body;
	uint32_t length, count;
};

static uint64_t hash_loop_of(const uint32_t *body, uint32_t length, uint32_t count)
{
	uint64_t h = hash_mix(length, count);

	for (uint32_t i = 0; i < length; i++)
		h = hash_mix(h, body[i]);
	return h;
}

/* The index's records are the fold itself, since a loop is not all in one array. */
static uint64_t hash_loop(const void *fold, uint32_t i)
{
	const struct fold *f = fold;

	return hash_loop_of(f->symbols + f->loops[i].body, f->loops[i].length, f->loops[i].count);
}

static inline bool same_loop(const void *fold, uint32_t i, const void *key)
{
	const struct fold *f = fold;
	const struct fold_loop *l = &f->loops[i];
	const struct loop_key *k = key;

	return l->count == k->count && l->length == k->length &&
	       memcmp(f->symbols + l->body, k->body, l->length * sizeof *k->body) == 0;
}

static uint32_t ids_in(const struct fold *f, const uint32_t *symbols, uint32_t count)
{
	uint32_t ids = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct fold_loop *l = fold_is_loop(f, symbols[i]) ? fold_loop(f, symbols[i]) : NULL;

		ids += l ? l->count * l->unfolded : 1;
	}
	return ids;
}

static bool loop_symbol(struct folder *x, const struct fold_place *p, uint32_t *symbol)
{
	struct fold *f = x->f;
	struct loop_key key = {x->s + p->at, p->length, p->count};
	uint64_t hash = hash_loop_of(key.body, key.length, key.count);
	uint32_t *slot = index_slot(&x->loops, hash, f, f->loop_count, same_loop, hash_loop, &key);

	if (!slot)
		return false;
	if (!*slot) {
		struct fold_loop *more = mem_grow(f->loops, f->loop_count, &x->loops_cap, sizeof *f->loops);

		if (!more)
			return false;
		f->loops = more;
		while (x->symbols_cap < (size_t)x->symbol_count + p->length) {
			size_t cap = x->symbols_cap ? 2 * x->symbols_cap : 64;
			uint32_t *symbols = mem_resize(f->symbols, cap, sizeof *symbols);

			if (!symbols)
				return false;
			f->symbols = symbols;
			x->symbols_cap = cap;
		}
		memcpy(f->symbols + x->symbol_count, key.body, p->length * sizeof *key.body);
		f->loops[f->loop_count++] =
			(struct fold_loop){p->count, x->symbol_count, p->length, ids_in(f, key.body, p->length)};
		x->symbol_count += p->length;
		*slot = f->loop_count;
	}
	*symbol = f->id_count + *slot - 1;
	return true;
}

/* --- a scan at one period --- */

/* The next place at which an interval can be met that folds, n - p if there is none left: of all that are p apart, so
 * that no interval of p places from `from` on is missed. */
static uint32_t next_anywhere(struct folder *x, uint32_t p, uint32_t from)
{
	const uint32_t *s = x->s, end = x->n - p;
	uint64_t c = (uint64_t)from + p - 1;

	while (c < end && s[c] != s[c + p])
		c += p;
	return c < end ? (uint32_t)c : end;
}

/* The same, where a fold must hold a new loop, which is then equal to the symbol p behind it: that is as new. *next is
 * how far the new loops have been looked at. */
static uint32_t next_fresh(const struct folder *x, uint32_t p, uint32_t from, size_t *next)
{
	uint32_t end = x->n - p;

	for (; *next < x->fresh_count && x->fresh[*next].at < end; ++*next) {
		const struct fresh *f = &x->fresh[*next];

		if (f->clean < p && f->at >= from && x->s[f->at] == x->s[f->at + p])
			return f->at;
	}
	return end;
}

static bool add_place(struct folder *x, uint32_t at, uint32_t count, uint32_t length)
{
	struct fold_place *more = mem_grow(x->places, x->place_count, &x->places_cap, sizeof *more);

	if (!more)
		return false;
	x->places = more;
	x->places[x->place_count++] = (struct fold_place){at, count, length};
	return true;
}

static bool folder_poll(struct folder *x, uint64_t places)
{
	x->looked += places;
	if (x->looked >= POLL) {
		x->looked = 0;
		x->stopped = x->stopped || progress_stopped(x->progress);
	}
	return !x->stopped;
}

/* Find what the rule's scan folds at p, in the whole sequence or around what is new. False: no memory, or stopped. */
static bool folder_scan(struct folder *x, uint32_t p, bool only_fresh)
{
	const uint32_t *s = x->s;
	uint32_t from = 0, end = x->n - p;
	size_t next = 0;

	x->place_count = 0;
	while (from < end) {
		uint32_t c = only_fresh ? next_fresh(x, p, from, &next) : next_anywhere(x, p, from), a = c, b = c, r;

		if (!folder_poll(x, only_fresh ? 1 : (c - from) / p + 1))
			return false;
		if (c == end)
			break;
		while (a > from && s[a - 1] == s[a - 1 + p])
			a--;
		while (b < end && s[b] == s[b + p])
			b++;
		r = b - a;
		if (!folder_poll(x, r))
			return false;
		from = b + 1;
		if (r >= p) {
			if (!add_place(x, a, r / p + 1, p))
				return false;
			from = a + p * (r / p + 1);
		}
	}
	return folder_poll(x, x->fresh_count);
}

/* --- folding what a scan found --- */

static bool add_fresh(struct folder *x, size_t *count, uint32_t at, uint32_t clean)
{
	struct fresh *more = mem_grow(x->after, *count, &x->after_cap, sizeof *more);

	if (!more)
		return false;
	x->after = more;
	x->after[(*count)++] = (struct fresh){at, clean};
	return true;
}

/* Put a loop where each place is. New loops that are not inside one stay new, but all that repeats around them up to
 * this period has been folded, if it does not hold one of the loops that are new now. */
static bool fold_places(struct folder *x)
{
	uint32_t in = 0, out = 0, period = x->place_count ? x->places[0].length : 0;
	size_t old = 0, count = 0;
	struct fresh *swap = x->fresh;
	size_t swap_cap = x->fresh_cap;

	for (size_t i = 0; i <= x->place_count; i++) {
		const struct fold_place *p = i < x->place_count ? &x->places[i] : NULL;
		uint32_t to = p ? p->at : x->n, symbol = 0;

		for (; old < x->fresh_count && x->fresh[old].at < to; old++)
			if (x->fresh[old].at >= in &&
			    !add_fresh(x, &count, x->fresh[old].at - in + out,
				       x->fresh[old].clean > period ? x->fresh[old].clean : period))
				return false;
		if (p && !loop_symbol(x, p, &symbol))
			return false;
		memmove(x->s + out, x->s + in, (to - in) * sizeof *x->s);
		out += to - in;
		in = to;
		if (p) {
			if (!add_fresh(x, &count, out, 0))
				return false;
			x->s[out++] = symbol;
			in = p->at + p->count * p->length;
		}
	}
	x->n = out;
	x->fresh = x->after;
	x->fresh_cap = x->after_cap;
	x->fresh_count = count;
	x->after = swap;
	x->after_cap = swap_cap;
	return true;
}

/* Nothing shorter than p repeated when the new loops were made: fold what does now, up to p. */
static bool folder_settle(struct folder *x, uint32_t p)
{
	for (uint32_t q = 1; q <= p && (uint64_t)2 * q <= x->n; ) {
		if (!folder_scan(x, q, true))
			return false;
		if (x->place_count) {
			if (!fold_places(x))
				return false;
			q = 1;
			continue;
		}
		for (size_t i = 0; i < x->fresh_count; i++)
			if (x->fresh[i].clean < q)
				x->fresh[i].clean = q;
		q++;
	}
	x->fresh_count = 0;
	return true;
}

static bool fold_all(struct folder *x)
{
	for (uint32_t p = 1; p <= FOLD_PERIOD && (uint64_t)2 * p <= x->n; p++) {
		progress_report(x->progress, PROGRESS_FOLD, p, x->n / 2 < FOLD_PERIOD ? x->n / 2 : FOLD_PERIOD);
		if (!folder_scan(x, p, false))
			return false;
		if (x->place_count && (!fold_places(x) || !folder_settle(x, p)))
			return false;
	}
	return true;
}

/* Give back what was kept for growing. A block that does not get smaller stays. */
static void *fitted(void *p, size_t count, size_t size)
{
	void *smaller = p ? mem_resize(p, count ? count : 1, size) : NULL;

	return smaller ? smaller : p;
}

enum err_code fold_new(struct fold **out, const uint32_t *sequence, uint32_t length, const struct progress *progress, struct err *e)
{
	struct fold *f = mem_zero(1, sizeof *f);
	struct folder x = {.f = f, .progress = progress, .n = length};
	bool good = f != NULL;

	*out = NULL;
	if (good) {
		f->length = length;
		f->top = x.s = mem_alloc(length, sizeof *f->top);
		good = x.s != NULL;
	}
	for (uint32_t i = 0; good && i < length; i++)
		good = id_symbol(&x, sequence[i], &x.s[i]) && folder_poll(&x, 1);
	index_release(&x.ids);
	good = good && fold_all(&x);
	index_release(&x.loops);
	mem_free(x.places);
	mem_free(x.fresh);
	mem_free(x.after);
	if (!good) {
		fold_free(f);
		return x.stopped ? err_set(e, ERR_CANCELLED, "stopped while folding loops")
				 : err_memory(e, "the loops of a run");
	}
	f->top_count = x.n;
	f->top = fitted(f->top, x.n, sizeof *f->top);
	f->ids = fitted(f->ids, f->id_count, sizeof *f->ids);
	f->loops = fitted(f->loops, f->loop_count, sizeof *f->loops);
	f->symbols = fitted(f->symbols, x.symbol_count, sizeof *f->symbols);
	*out = f;
	return ERR_OK;
}

void fold_free(struct fold *f)
{
	if (!f)
		return;
	mem_free(f->ids);
	mem_free(f->loops);
	mem_free(f->symbols);
	mem_free(f->top);
	mem_free(f);
}

/* Each level at least doubles what is below it, so the depth is at most 32. */
static uint32_t *unfold(const struct fold *f, const uint32_t *symbols, uint32_t count, uint32_t *to)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct fold_loop *l = fold_is_loop(f, symbols[i]) ? fold_loop(f, symbols[i]) : NULL;
		uint32_t *first = to;

		if (!l) {
			*to++ = fold_id(f, symbols[i]);
			continue;
		}
		to = unfold(f, f->symbols + l->body, l->length, to);
		for (uint32_t k = 1; k < l->count; k++, to += l->unfolded)
			memcpy(to, first, l->unfolded * sizeof *to);
	}
	return to;
}

void fold_unfold(const struct fold *f, uint32_t *sequence)
{
	unfold(f, f->top, f->top_count, sequence);
}
