#include "tick_classes.h"

struct interner {
	const struct logical *l;
	unsigned flags;
	uint32_t *slots; /* class + 1, 0: free */
	uint64_t *hashes; /* per class */
	size_t slot_count, hashes_cap, example_cap;
};

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

static bool intern(struct interner *in, struct tick_classes *c, uint32_t tick, uint32_t *class)
{
	uint64_t hash = hash_tick(in, tick);
	size_t at;

	if (in->slot_count < ((size_t)c->count + 1) * 2 && !rehash(in, c->count))
		return false;
	for (at = hash & (in->slot_count - 1); in->slots[at]; at = (at + 1) & (in->slot_count - 1)) {
		*class = in->slots[at] - 1;
		if (in->hashes[*class] == hash && same_tick(in, c->example[*class], tick))
			return true;
	}
	*class = c->count;
	in->slots[at] = c->count + 1;
	return add_class(in, c, hash, tick);
}

enum err_code tick_classes_init(struct tick_classes *c, const struct logical *l, const uint32_t *ticks, uint32_t n,
				unsigned flags, const struct job *job, enum job_stage stage, struct err *e)
{
	struct interner in = {.l = l, .flags = flags};
	enum err_code code = ERR_OK;

	*c = (struct tick_classes){0};
	c->of = mem_alloc(n, sizeof *c->of);
	if (!c->of)
		code = err_memory(e, "the classes of ticks");
	for (uint32_t i = 0; code == ERR_OK && i < n; i++) {
		if (!intern(&in, c, ticks ? ticks[i] : i, &c->of[i]))
			code = err_memory(e, "the classes of ticks");
		if ((i & 4095) == 0) {
			job_progress(job, stage, i, n);
			if (job_stopped(job))
				code = err_set(e, ERR_CANCELLED, "stopped while comparing ticks");
		}
	}
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
