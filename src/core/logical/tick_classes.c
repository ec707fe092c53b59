/* Ticks are hashed on all threads, interned by hash on one, and then compared with their class's example on all
 * threads. Should two different ticks ever have one hash, all are interned again with comparison. */
#include "tick_classes.h"

#include "core/base/hash.h"
#include "core/base/parallel.h"

struct interner {
	const struct logical *l;
	unsigned flags;
	const uint32_t *ticks;   /* the i-th tick asked for; NULL: i itself */
	uint32_t n;
	uint64_t *hash_of;       /* per tick asked for */
	struct tick_classes *c;
	uint32_t *slots;         /* class + 1, 0: free */
	uint64_t *hashes;        /* per class */
	size_t slot_count, hashes_cap, example_cap;
	unsigned parts;
	struct parallel_stop stop;
	enum job_stage stage;
	atomic_bool collision;
	bool exact;              /* compare before believing a hash */
};

static uint32_t tick_of(const struct interner *in, uint32_t i)
{
	return in->ticks ? in->ticks[i] : i;
}

static uint64_t hash_tick(const struct interner *in, uint32_t tick)
{
	const struct trace *t = in->l->trace;
	struct tick_walk w = tick_walk(in->l, tick, in->flags & CLASSES_SENDS_ONLY);
	uint64_t h = 0x243f6a8885a308d3u;
	uint32_t ev;

	while ((ev = tick_next(&w)) != NO_EVENT) {
		h = hash_mix(h, (uint64_t)trace_process_of(t, ev) << 32 | t->type[ev]);
		if (in->flags & CLASSES_SIZES)
			h = hash_mix(h, t->size[ev]);
	}
	return h;
}

static bool same_tick(const struct interner *in, uint32_t a, uint32_t b)
{
	const struct trace *t = in->l->trace;
	bool sends_only = in->flags & CLASSES_SENDS_ONLY;
	struct tick_walk wa = tick_walk(in->l, a, sends_only), wb = tick_walk(in->l, b, sends_only);

	for (;;) {
		uint32_t ea = tick_next(&wa), eb = tick_next(&wb);

		if (ea == NO_EVENT || eb == NO_EVENT)
			return ea == eb;
		if (t->type[ea] != t->type[eb] || ((in->flags & CLASSES_SIZES) && t->size[ea] != t->size[eb]) ||
		    trace_process_of(t, ea) != trace_process_of(t, eb))
			return false;
	}
}

static bool rehash(struct interner *in, uint32_t count)
{
	size_t want = in->slot_count ? in->slot_count * 2 : 1024;
	uint32_t *slots = mem_zero(want, sizeof *slots);

	if (!slots)
		return false;
	for (uint32_t k = 0; k < count; k++) {
		size_t at = in->hashes[k] & (want - 1);

		while (slots[at])
			at = (at + 1) & (want - 1);
		slots[at] = k + 1;
	}
	mem_free(in->slots);
	in->slots = slots;
	in->slot_count = want;
	return true;
}

static bool add_class(struct interner *in, struct tick_classes *c, uint64_t hash, uint32_t tick)
{
	uint64_t *hashes = mem_grow(in->hashes, c->count, &in->hashes_cap, sizeof *hashes);
	uint32_t *example;

	if (!hashes)
		return false;
	in->hashes = hashes;
	example = mem_grow(c->example, c->count, &in->example_cap, sizeof *example);
	if (!example)
		return false;
	c->example = example;
	hashes[c->count] = hash;
	example[c->count++] = tick;
	return true;
}

static bool intern(struct interner *in, uint32_t i)
{
	struct tick_classes *c = in->c;
	uint64_t hash = in->hash_of[i];
	uint32_t class = c->count;
	size_t at;

	if (in->slot_count < ((size_t)c->count + 1) * 2 && !rehash(in, c->count))
		return false;
	for (at = hash & (in->slot_count - 1); in->slots[at]; at = (at + 1) & (in->slot_count - 1)) {
		class = in->slots[at] - 1;
		if (in->hashes[class] == hash && (!in->exact || same_tick(in, c->example[class], tick_of(in, i)))) {
			c->of[i] = class;
			return true;
		}
	}
	c->of[i] = c->count;
	in->slots[at] = c->count + 1;
	return add_class(in, c, hash, tick_of(in, i));
}

static void part_of(const struct interner *in, unsigned part, uint32_t *begin, uint32_t *end)
{
	*begin = (uint32_t)((uint64_t)in->n * part / in->parts);
	*end = (uint32_t)((uint64_t)in->n * (part + 1) / in->parts);
}

static void hash_part(void *arg, unsigned part)
{
	struct interner *in = arg;
	uint32_t begin, end;

	part_of(in, part, &begin, &end);
	for (uint32_t i = begin; i < end; i++) {
		in->hash_of[i] = hash_tick(in, tick_of(in, i));
		if ((i & 1023) == 0) {
			if (part == 0)
				job_progress(in->stop.job, in->stage, (uint64_t)i * in->parts, in->n);
			if (parallel_stopped(&in->stop, part))
				return;
		}
	}
}

static void verify_part(void *arg, unsigned part)
{
	struct interner *in = arg;
	uint32_t begin, end;

	part_of(in, part, &begin, &end);
	for (uint32_t i = begin; i < end; i++) {
		uint32_t tick = tick_of(in, i), example = in->c->example[in->c->of[i]];

		if (tick != example && !same_tick(in, example, tick))
			atomic_store(&in->collision, true);
		if ((i & 1023) == 0 && parallel_stopped(&in->stop, part))
			return;
	}
}

static bool intern_all(struct interner *in)
{
	for (uint32_t i = 0; i < in->n; i++)
		if (!intern(in, i))
			return false;
	return true;
}

enum err_code tick_classes_init(struct tick_classes *c, const struct logical *l, const uint32_t *ticks, uint32_t n,
				unsigned flags, const struct job *job, enum job_stage stage, struct err *e)
{
	struct interner in = {.l = l, .flags = flags, .ticks = ticks, .n = n, .c = c, .stage = stage, .stop = {.job = job},
			      .parts = l->trace->threads ? l->trace->threads : 1};
	enum err_code code = ERR_OK;

	*c = (struct tick_classes){0};
	c->of = mem_alloc(n, sizeof *c->of);
	in.hash_of = mem_alloc(n, sizeof *in.hash_of);
	if (!c->of || !in.hash_of)
		code = err_memory(e, "the classes of ticks");
	if (code == ERR_OK) {
		parallel_run(in.parts, hash_part, &in);
		if (!atomic_load(&in.stop.stopped) && !intern_all(&in))
			code = err_memory(e, "the classes of ticks");
	}
	if (code == ERR_OK && !atomic_load(&in.stop.stopped))
		parallel_run(in.parts, verify_part, &in);
	if (code == ERR_OK && atomic_load(&in.collision)) {
		in.exact = true;
		c->count = 0;
		in.slot_count = 0;
		if (!intern_all(&in))
			code = err_memory(e, "the classes of ticks");
	}
	if (code == ERR_OK && atomic_load(&in.stop.stopped))
		code = err_set(e, ERR_CANCELLED, "stopped while comparing ticks");
	mem_free(in.hash_of);
	mem_free(in.slots);
	mem_free(in.hashes);
	if (code != ERR_OK)
		tick_classes_release(c);
	return code;
}

void tick_classes_release(struct tick_classes *c)
{
	mem_free(c->of);
	mem_free(c->example);
	*c = (struct tick_classes){0};
}
