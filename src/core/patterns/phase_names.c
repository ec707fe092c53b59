#include "phase_names.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/base/order.h"
#include "core/base/unit.h"

#define POLL 65536            /* events between two looks at progress */
#define PARTS_MOST 4          /* patterns of a name */
#define PARTS_ENOUGH 0.95     /* that they explain */
#define PART_LARGE 0.2        /* a smaller one is not in the name */
#define CORNERS_MOST 3        /* that a family of sweeps names */
#define SHARES_MOST 4         /* kinds of a text of shares */
#define SHARE_LEAST 0.01      /* of a kind in it */
#define NAMED_ENOUGH 0.95     /* less of the time: the text says how much has no name */

/* What a phase has of a pattern. */
struct part_count {
	uint32_t phase, pattern;  /* PART_UNMATCHED: none */
	uint32_t first;           /* its first instance there */
	double weight;
	/* Filled in when all is counted. */
	bool sweep;
	const char *name;
};

struct phase_count {
	uint64_t events;          /* sends and collective calls */
	uint64_t least, most;     /* bytes of a message */
	bool sized;
	double compute;           /* s */
};

struct counting {
	const struct patterns *x;
	const struct logical *l;
	const uint32_t *tick;     /* per event */
	const struct phases *p;
	struct part_count *parts;
	uint32_t part_count;
	size_t parts_cap;
	struct index index;
	struct phase_count *phase; /* by id - 1 */
	uint32_t *phase_of;       /* per tick: id - 1, UINT32_MAX: none */
};

static uint64_t hash_part(const void *parts, uint32_t i)
{
	const struct part_count *p = (const struct part_count *)parts + i;

	return hash_mix(hash_mix(0, p->phase), p->pattern);
}

static bool same_part(const void *parts, uint32_t i, const void *key)
{
	const struct part_count *a = (const struct part_count *)parts + i, *b = key;

	return a->phase == b->phase && a->pattern == b->pattern;
}

static struct part_count *part_find(struct counting *c, uint32_t phase, uint32_t pattern)
{
	struct part_count key = {.phase = phase, .pattern = pattern, .first = UINT32_MAX}, *more;
	uint32_t *slot = index_slot(&c->index, hash_mix(hash_mix(0, phase), pattern), c->parts, c->part_count, same_part, hash_part, &key);

	if (!slot)
		return NULL;
	if (!*slot) {
		more = mem_grow(c->parts, c->part_count, &c->parts_cap, sizeof *more);
		if (!more)
			return NULL;
		c->parts = more;
		c->parts[c->part_count++] = key;
		*slot = c->part_count;
	}
	return &c->parts[*slot - 1];
}

/* An event that counts: a send or a call, at a phase's tick. */
static bool count_event(struct counting *c, uint32_t event, uint32_t phase, struct part_count **last)
{
	const struct trace *t = c->x->trace;
	uint32_t instance = c->x->instance_of[event], pattern = instance == INSTANCE_NONE ? PART_UNMATCHED : c->x->instances[instance].pattern;
	struct phase_count *count = &c->phase[phase];
	struct part_count *part = *last;

	count->events++;
	if (EVENT_KIND(t->type[event]) == EVENT_SEND) {
		uint64_t size = trace_size(t, event);

		if (size != SIZE_UNKNOWN) {
			count->least = !count->sized || size < count->least ? size : count->least;
			count->most = size > count->most ? size : count->most;
			count->sized = true;
		}
	}
	if (!part || part->phase != phase || part->pattern != pattern)
		part = part_find(c, phase, pattern);
	if (!part)
		return false;
	*last = part;
	if (pattern != PART_UNMATCHED) {
		part->weight += c->x->instances[instance].explained;
		part->first = instance < part->first ? instance : part->first;
	}
	return true;
}

static enum err_code count_all(struct counting *c, const struct progress *progress, struct err *e)
{
	const struct trace *t = c->x->trace;
	struct part_count *last = NULL;
	uint32_t polled = 0;

	memset(c->phase_of, 0xff, c->l->tick_count * sizeof *c->phase_of);
	for (uint32_t i = 0; i < c->p->occurrence_count; i++)
		for (uint32_t k = c->p->occurrences[i].first; k <= c->p->occurrences[i].last && k < c->l->tick_count; k++)
			c->phase_of[k] = c->p->occurrences[i].phase - 1;
	for (uint32_t p = 0; p < t->process_count; p++) {
		uint32_t latest = UINT32_MAX; /* the phase of its latest send or call */

		for (uint32_t k = t->first[p]; k < t->first[p + 1]; k++) {
			if (EVENT_KIND(t->type[k]) != EVENT_RECEIVE) {
				latest = c->phase_of[c->tick[k]];
				if (latest != UINT32_MAX && !count_event(c, k, latest, &last))
					return err_memory(e, "the names of phases");
			}
			if (latest != UINT32_MAX && !isnan(t->compute[k]))
				c->phase[latest].compute += t->compute[k];
		}
		if (t->first[p + 1] - polled >= POLL) {
			polled = t->first[p + 1];
			if (progress_step(progress, PROGRESS_PATTERNS, polled, t->event_count, e))
				return ERR_CANCELLED;
		}
	}
	return ERR_OK;
}

/* --- names --- */

/* A pattern, or sweeps of one grid from several corners. */
struct family {
	const struct part_count *parts; /* by weight */
	uint32_t count;
	uint32_t first;
	double share;
	const char *name;
};
ORDER_BY(order_families, struct family, DOWN(share) TEXT(name) UP(first))
ORDER_BY(order_in_run, struct family, UP(first))

struct naming {
	struct phase_names *n;
	const struct patterns *x;
	struct out out;
};

/* Sweeps come last, so that those of a phase stand together. */
ORDER_BY(order_by_name, struct part_count, UP(sweep) TEXT(name) UP(pattern))
ORDER_BY(order_by_weight, struct part_count, UP(sweep) DOWN(weight) TEXT(name) UP(pattern))
ORDER_BY(order_by_share, struct phase_part, DOWN(share) UP(pattern))

/* Patterns of one name are one to people, whatever else they differ in. Returns how many parts are left, by weight. */
static uint32_t join_names(struct part_count *parts, uint32_t count)
{
	uint32_t n = 0;

	SORT(parts, count, order_by_name);
	for (uint32_t i = 0; i < count; i++) {
		struct part_count *to = n ? &parts[n - 1] : NULL;

		if (to && strcmp(to->name, parts[i].name) == 0) {
			to->weight += parts[i].weight;
			to->first = parts[i].first < to->first ? parts[i].first : to->first;
		} else {
			parts[n++] = parts[i];
		}
	}
	SORT(parts, n, order_by_weight);
	return n;
}

static const char *text_kept(struct naming *m)
{
	const char *kept = m->out.failed ? NULL : arena_strndup(&m->n->arena, m->out.text ? m->out.text : "", m->out.len);

	m->out.len = 0;
	return kept;
}

static const char *family_name(struct naming *m, const struct family *f)
{
	if (f->count == 1) {
		out_str(&m->out, f->parts->name);
		return text_kept(m);
	}
	out_str(&m->out, "sweeps from ");
	if (f->count > CORNERS_MOST)
		out_printf(&m->out, "%" PRIu32 " corners", f->count);
	else
		for (uint32_t i = 0; i < f->count; i++)
			out_printf(&m->out, "%s%" PRIu32, i ? "," : "", m->x->list[f->parts[i].pattern].key.root);
	return text_kept(m);
}

/* "wavefront over the 4x4 grid from ranks 0, 15: ..." */
static void add_meaning(struct naming *m, const struct family *f)
{
	const char *meaning = m->x->list[f->parts->pattern].meaning, *from = strstr(meaning, " from rank "), *rest = strstr(meaning, ": each");

	if (f->count == 1 || !from || !rest) {
		out_str(&m->out, meaning);
		return;
	}
	out_add(&m->out, meaning, (size_t)(from - meaning));
	out_str(&m->out, " from ranks ");
	for (uint32_t i = 0; i < f->count; i++)
		out_printf(&m->out, "%s%" PRIu32, i ? ", " : "", m->x->list[f->parts[i].pattern].key.root);
	out_str(&m->out, rest);
}

static void add_sizes(struct naming *m, const struct phase_count *c)
{
	char least[PATTERN_SIZE_TEXT], most[PATTERN_SIZE_TEXT];

	if (!c->sized)
		return;
	out_printf(&m->out, ", %s", pattern_size_text((double)c->least, least));
	if (strcmp(least, pattern_size_text((double)c->most, most)) != 0)
		out_printf(&m->out, "-%s", most);
}

/* A name of `count` families, which are in order of their shares. */
static void name_families(struct naming *m, struct phase_name *name, struct family *f, uint32_t count)
{
	uint32_t large = 0;

	while (large < count && f[large].share >= PART_LARGE)
		large++;
	SORT(f, large, order_in_run);
	for (uint32_t i = 0; i < large; i++)
		out_printf(&m->out, "%s%s", i ? " + " : "", f[i].name);
	out_str(&m->out, large < count ? " ..." : "");
	name->name = text_kept(m);
	for (uint32_t i = 0; i < large; i++) {
		out_str(&m->out, i ? "; then " : "");
		add_meaning(m, &f[i]);
	}
	for (uint32_t i = large; i < count; i++)
		out_printf(&m->out, "%s%s (%.0f %%)", i == large ? "; besides " : ", ", f[i].name, 100 * f[i].share);
	name->named = true;
}

static void name_collectives(struct naming *m, struct phase_name *name, struct family *f, uint32_t count)
{
	out_printf(&m->out, "%" PRIu32 " collectives", count);
	name->name = text_kept(m);
	SORT(f, count, order_in_run);
	for (uint32_t i = 0; i < count; i++) {
		out_str(&m->out, i ? "; then " : "");
		add_meaning(m, &f[i]);
	}
	name->named = true;
}

static void describe_families(struct naming *m, struct phase_name *name, const struct family *f, uint32_t count)
{
	name->name = count == 1 ? f->name : "mixed";
	for (uint32_t i = 0; i < count && i < PARTS_MOST; i++)
		out_printf(&m->out, "%s%s %.0f %%", i ? "; " : "", f[i].name, 100 * f[i].share);
}

/* Parts of one phase: sorted, sweeps last. */
static bool name_phase(struct naming *m, struct phase_name *name, const struct phase_count *c, struct part_count *parts, uint32_t count)
{
	struct family *f = mem_alloc(count, sizeof *f);
	uint32_t n = 0, chosen = 0;
	double explained = 0, reached = 0;
	bool calls = true;

	if (!f)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		calls = calls && parts[i].pattern != PART_UNMATCHED && m->x->list[parts[i].pattern].key.kind == PATTERN_CALL;
		if (!parts[i].sweep || !i || !f[n - 1].parts->sweep)
			f[n++] = (struct family){.parts = &parts[i], .first = UINT32_MAX};
		f[n - 1].count++;
		f[n - 1].share += parts[i].weight / (double)c->events;
		f[n - 1].first = parts[i].first < f[n - 1].first ? parts[i].first : f[n - 1].first;
		explained += parts[i].weight / (double)c->events;
	}
	for (uint32_t i = 0; i < n; i++)
		f[i].name = family_name(m, &f[i]);
	for (uint32_t i = 0; i < n; i++)
		if (!f[i].name)
			n = 0;
	if (count && !n) {
		mem_free(f);
		return false;
	}
	SORT(f, n, order_families);
	while (chosen < n && chosen < PARTS_MOST && reached < PARTS_ENOUGH)
		reached += f[chosen++].share;
	name->explained = fmin(explained, 1);
	if (!n) {
		name->name = "compute only";
		out_str(&m->out, "no message and no collective");
		name->explained = 1;
		name->named = true;
	} else if (reached >= PARTS_ENOUGH) {
		name_families(m, name, f, chosen);
	} else if (calls) {
		name_collectives(m, name, f, n);
	} else {
		describe_families(m, name, f, n);
	}
	add_sizes(m, c);
	name->meaning = text_kept(m);
	mem_free(f);
	return name->name && name->meaning;
}

static bool name_parts(struct naming *m, struct phase_name *name, const struct phase_count *c, struct part_count *parts, uint32_t count)
{
	struct phase_part *kept = arena_alloc(&m->n->arena, count * sizeof *kept);

	if (!kept)
		return false;
	for (uint32_t i = 0; i < count; i++)
		kept[i] = (struct phase_part){parts[i].pattern, parts[i].weight / (double)c->events};
	SORT(kept, count, order_by_share);
	name->parts = kept;
	name->part_count = count;
	return true;
}

struct kind_share {
	const char *word;
	double share;
};
ORDER_BY(order_kind_words, struct kind_share, TEXT(word) DOWN(share))

/* The grid, the corner or the number of ranks do not count: two phases of the same kinds do the same. */
static bool name_kinds(struct naming *m, struct phase_name *name)
{
	struct kind_share *kinds = mem_alloc(name->part_count, sizeof *kinds);
	uint32_t count = 0;
	bool any = false;

	if (!kinds)
		return false;
	for (uint32_t i = 0; i < name->part_count; i++)
		if (name->parts[i].pattern != PART_UNMATCHED)
			kinds[count++] = (struct kind_share){m->x->list[name->parts[i].pattern].word, name->parts[i].share};
	SORT(kinds, count, order_kind_words);
	for (uint32_t i = 0; i < count; i++) {
		if (i + 1 < count && strcmp(kinds[i].word, kinds[i + 1].word) == 0) {
			kinds[i + 1].share += kinds[i].share;
		} else if (kinds[i].share >= PART_LARGE) {
			out_printf(&m->out, "%s%s", any ? " + " : "", kinds[i].word);
			any = true;
		}
	}
	if (!any)
		out_str(&m->out, name->part_count ? "collectives" : "compute");
	mem_free(kinds);
	name->kinds = text_kept(m);
	return name->kinds;
}

ORDER_BY(order_by_phase, struct part_count, UP(phase) UP(first) UP(pattern))

static enum err_code name_all(struct phase_names *n, struct counting *c, const struct figures *figures, struct err *e)
{
	struct naming m = {.n = n, .x = c->x};
	bool good = true;

	out_init(&m.out);
	SORT(c->parts, c->part_count, order_by_phase);
	for (uint32_t id = 0, at = 0; good && id < n->count; id++) {
		struct phase_name *name = &n->list[id];
		double seconds = figures->phase[id].time * c->p->list[id].weight * c->x->trace->process_count;
		struct part_count *parts = c->part_count ? c->parts + at : NULL;
		uint32_t end = at;

		for (; end < c->part_count && c->parts[end].phase == id; end++) {
			const struct pattern *p = c->parts[end].pattern == PART_UNMATCHED ? NULL : &c->x->list[c->parts[end].pattern];

			c->parts[end].sweep = p && pattern_is_sweep(p);
			c->parts[end].name = p ? p->name : "unmatched";
		}
		good = name_parts(&m, name, &c->phase[id], parts, end - at) && name_phase(&m, name, &c->phase[id], parts, join_names(parts, end - at)) &&
		       (!name->named || name_kinds(&m, name));
		name->compute = seconds > 0 ? c->phase[id].compute / seconds : NAN;
		at = end;
	}
	out_release(&m.out);
	return good ? ERR_OK : err_memory(e, "the names of phases");
}

/* --- time by kind --- */

ORDER_BY(order_kinds, struct pattern_time, DOWN(share) TEXT(word))

static enum err_code share_times(struct phase_names *n, const struct patterns *x, const struct figures *f, const struct phases *p, struct err *e)
{
	double all = 0, named = 0;
	bool timed = f->aet > 0;

	n->kinds = arena_alloc(&n->arena, ((size_t)x->count + 1) * sizeof *n->kinds);
	n->pattern_share = arena_alloc(&n->arena, ((size_t)x->count + 1) * sizeof *n->pattern_share);
	if (!n->kinds || !n->pattern_share)
		return err_memory(e, "the names of phases");
	for (uint32_t id = 0; id < n->count; id++) {
		double share = timed ? f->phase[id].time * p->list[id].weight / f->aet : 0;

		all += share;
		named += n->list[id].named ? share : 0;
		for (uint32_t i = 0; i < n->list[id].part_count; i++)
			if (n->list[id].parts[i].pattern != PART_UNMATCHED)
				n->pattern_share[x->list[n->list[id].parts[i].pattern].namesake] += share * n->list[id].parts[i].share;
	}
	n->named_share = all > 0 ? named / all : NAN;
	for (uint32_t i = 0; i < x->count; i++) {
		uint32_t k = 0;

		while (k < n->kind_count && strcmp(n->kinds[k].word, x->list[i].word) != 0)
			k++;
		if (k == n->kind_count)
			n->kinds[n->kind_count++] = (struct pattern_time){x->list[i].word, x->list[i].shown, 0};
		n->kinds[k].share += n->pattern_share[i];
	}
	for (uint32_t i = 0; !timed && i < x->count; i++)
		n->pattern_share[i] = NAN;
	for (uint32_t i = 0; !timed && i < n->kind_count; i++)
		n->kinds[i].share = NAN;
	SORT(n->kinds, n->kind_count, order_kinds);
	return ERR_OK;
}

enum err_code phase_names_new(struct phase_names **out, const struct patterns *x, const struct logical *l, const struct phases *p,
			      const struct figures *f, const struct progress *progress, struct err *e)
{
	struct counting c = {.x = x, .l = l, .p = p, .tick = x->gathered_tick ? x->gathered_tick : l->tick};
	struct phase_names *n = mem_zero(1, sizeof *n);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (!n)
		return err_memory(e, "the names of phases");
	arena_init(&n->arena);
	n->count = p->count;
	n->list = arena_alloc(&n->arena, ((size_t)p->count + 1) * sizeof *n->list);
	c.phase = mem_zero(p->count, sizeof *c.phase);
	c.phase_of = mem_alloc(l->tick_count, sizeof *c.phase_of);
	if (!n->list || !c.phase || !c.phase_of)
		code = err_memory(e, "the names of phases");
	if (!code)
		code = count_all(&c, progress, e);
	if (!code)
		code = name_all(n, &c, f, e);
	if (!code)
		code = share_times(n, x, f, p, e);
	index_release(&c.index);
	mem_free(c.parts);
	mem_free(c.phase);
	mem_free(c.phase_of);
	if (code)
		phase_names_free(n);
	else
		*out = n;
	return code;
}

void phase_names_free(struct phase_names *n)
{
	if (!n)
		return;
	arena_release(&n->arena);
	mem_free(n);
}

/* --- shares in words --- */

void phase_names_shares_text(const struct phase_names *n, enum shares_form form, struct out *out)
{
	const char *before = form == SHARES_SENTENCE ? "of the run time is in " : "";
	char share[UNIT_TEXT];
	uint32_t i = 0;

	/* A share that is not known is not large. */
	for (; n && i < n->kind_count && i < SHARES_MOST && n->kinds[i].share >= SHARE_LEAST; i++) {
		out_printf(out, "%s%s %s%s", i ? ", " : "", unit_share(share, n->kinds[i].share, 0), before, n->kinds[i].shown);
		before = form == SHARES_SENTENCE ? "in " : "";
	}
	if (n && n->kind_count && n->named_share < NAMED_ENOUGH)
		out_printf(out, "%s%s of phase time has no name", i ? "; " : "", unit_share(share, 1 - n->named_share, 0));
}
