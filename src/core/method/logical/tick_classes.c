/* A rank's own ticks, or parts of ticks, are hashed on all threads, interned by hash on one, and then compared with
 * their class's example on all threads. Should two different ticks ever have one hash, all are interned again with
 * comparison. */
#include "logical.h"

#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/base/parallel.h"
#include "core/team/team.h"
#include "core/trace/remote.h"

struct interner {
	const struct logical *l;
	unsigned flags;
	const uint32_t *ticks;   /* the i-th tick asked for; NULL: i itself */
	uint32_t n;
	uint64_t *hash_of;       /* per tick asked for */
	struct tick_classes *c;
	struct index classes;
	uint64_t *hashes;        /* per class */
	size_t hashes_cap, example_cap;
	unsigned parts;
	struct parallel_stop stop;
	enum progress_stage stage;
	atomic_bool collision;
	bool exact;              /* compare before believing a hash */
};

static uint32_t tick_of(const struct interner *in, uint32_t i)
{
	return in->ticks ? in->ticks[i] : i;
}

/* An event's part in its tick's hash: off the chain of multiplications, one for each event. */
static inline uint64_t hash_of_event(const struct interner *in, uint32_t process, uint32_t ev)
{
	const struct trace *t = in->l->trace;
	uint64_t x = (uint64_t)process << 32 | t->type[ev];

	return in->flags & CLASSES_SIZES ? x + t->size_code[ev] * 0xd6e8feb86659fd93u : x;
}

static uint64_t hash_tick(const struct interner *in, uint32_t tick)
{
	const struct trace *t = in->l->trace;
	struct tick_walk w = tick_walk(in->l, tick, in->flags & CLASSES_SENDS_ONLY);
	uint64_t h = 0x243f6a8885a308d3u;
	uint32_t ev;

	while ((ev = tick_next(&w)) != NO_EVENT)
		h = hash_mix(h, hash_of_event(in, trace_process_of(t, ev), ev));
	return h;
}

static inline bool same_event(const struct interner *in, uint32_t a, uint32_t b)
{
	const struct trace *t = in->l->trace;
	uint32_t process;

	if (t->type[a] != t->type[b] || ((in->flags & CLASSES_SIZES) && t->size_code[a] != t->size_code[b]))
		return false;
	process = trace_process_of(t, a);
	return b - t->first[process] < t->first[process + 1] - t->first[process];
}

static bool same_tick(const struct interner *in, uint32_t a, uint32_t b)
{
	bool sends_only = in->flags & CLASSES_SENDS_ONLY;
	struct tick_walk wa = tick_walk(in->l, a, sends_only), wb = tick_walk(in->l, b, sends_only);

	if (!wa.sends_only && !wb.sends_only && wa.end - wa.at != wb.end - wb.at)
		return false;
	for (;;) {
		uint32_t ea = tick_next(&wa), eb = tick_next(&wb);

		if (ea == NO_EVENT || eb == NO_EVENT)
			return ea == eb;
		if (!same_event(in, ea, eb))
			return false;
	}
}

static uint64_t class_hash(const void *of, uint32_t class)
{
	const struct interner *in = of;

	return in->hashes[class];
}

/* The i-th tick asked for. */
static inline bool in_class(const void *of, uint32_t class, const void *key)
{
	const struct interner *in = of;
	uint32_t i = *(const uint32_t *)key;

	return in->hashes[class] == in->hash_of[i] && (!in->exact || same_tick(in, in->c->example[class], tick_of(in, i)));
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
	uint32_t *slot = index_slot(&in->classes, in->hash_of[i], in, c->count, in_class, class_hash, &i);

	if (!slot)
		return false;
	if (*slot) {
		c->of[i] = *slot - 1;
		return true;
	}
	c->of[i] = c->count;
	*slot = c->count + 1;
	return add_class(in, c, in->hash_of[i], tick_of(in, i));
}

static void interner_part_of(const struct interner *in, unsigned part, uint32_t *begin, uint32_t *end)
{
	*begin = (uint32_t)((uint64_t)in->n * part / in->parts);
	*end = (uint32_t)((uint64_t)in->n * (part + 1) / in->parts);
}

static void hash_part(void *arg, unsigned part)
{
	struct interner *in = arg;
	uint32_t begin, end;

	interner_part_of(in, part, &begin, &end);
	for (uint32_t i = begin; i < end; i++) {
		in->hash_of[i] = hash_tick(in, tick_of(in, i));
		if ((i & 1023) == 0) {
			if (part == 0)
				progress_report(in->stop.progress, in->stage, (uint64_t)i * in->parts, in->n);
			if (parallel_stopped(&in->stop, part))
				return;
		}
	}
}

static void verify_part(void *arg, unsigned part)
{
	struct interner *in = arg;
	uint32_t begin, end;

	interner_part_of(in, part, &begin, &end);
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

static enum err_code local_classes(struct tick_classes *c, const struct logical *l, const uint32_t *ticks, uint32_t n, unsigned flags,
				 const struct progress *progress, enum progress_stage stage, struct err *e)
{
	struct interner in = {.l = l, .flags = flags, .ticks = ticks, .n = n, .c = c, .stage = stage, .stop = {.progress = progress},
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
		index_clear(&in.classes);
		if (!intern_all(&in))
			code = err_memory(e, "the classes of ticks");
	}
	if (code == ERR_OK && atomic_load(&in.stop.stopped))
		code = err_set(e, ERR_CANCELLED, "stopped while comparing ticks");
	mem_free(in.hash_of);
	index_release(&in.classes);
	mem_free(in.hashes);
	return code;
}

/* Classes of parts become classes of ticks. */
static enum err_code join_classes(struct tick_classes *c, const struct team *team, const uint32_t *ticks, uint32_t n, struct err *e)
{
	enum err_code code = team_intern(team, c->of, n, &c->count, e);
	uint32_t *example;

	if (code)
		return code;
	example = mem_resize(c->example, c->count, sizeof *example);
	if (!example && c->count)
		return team_agree(team, err_memory(e, "the classes of ticks"), e);
	c->example = example ? example : c->example;
	for (uint32_t i = 0, found = 0; found < c->count; i++)
		if (c->of[i] == found)
			c->example[found++] = ticks ? ticks[i] : i;
	return team_agree(team, ERR_OK, e);
}

enum err_code tick_classes_init(struct tick_classes *c, const struct logical *l, const uint32_t *ticks, uint32_t n,
				unsigned flags, const struct progress *progress, enum progress_stage stage, struct err *e)
{
	const struct team *team = trace_team(l->trace);
	enum err_code code = local_classes(c, l, ticks, n, flags, progress, stage, e);

	if (team_size(team) > 1) {
		code = team_agree(team, code, e);
		if (!code)
			code = join_classes(c, team, ticks, n, e);
	}
	if (code)
		tick_classes_release(c);
	return code;
}

void tick_classes_release(struct tick_classes *c)
{
	mem_free(c->of);
	mem_free(c->example);
	*c = (struct tick_classes){0};
}
