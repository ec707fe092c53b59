/* From a trace to the instances of patterns: atoms, grid, parse, steps together. */
#include "patterns_int.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/base/order.h"
#include "core/trace/remote.h"

/* The words of the operations that there are, by name. */
static enum err_code ops_init(struct patterns *x, struct err *e)
{
	const struct trace *t = x->trace;
	char word[64];

	x->ops = mem_alloc(t->coll_count, sizeof *x->ops);
	if (!x->ops)
		return err_memory(e, "patterns");
	for (uint32_t i = 0; i < t->coll_count; i++) {
		bool known = false;

		collective_word(t->colls[i].op, word, sizeof word);
		for (uint32_t k = 0; k < x->op_count; k++)
			known = known || strcmp(x->ops[k], word) == 0;
		if (known)
			continue;
		x->ops[x->op_count] = arena_strndup(&x->arena, word, strlen(word));
		if (!x->ops[x->op_count++])
			return err_memory(e, "patterns");
	}
	SORT(x->ops, x->op_count, order_text);
	return ERR_OK;
}

static uint64_t hash_name(const void *list, uint32_t i)
{
	return hash_text(0, ((const struct pattern *)list)[i].name);
}

static bool same_name(const void *list, uint32_t i, const void *key)
{
	return strcmp(((const struct pattern *)list)[i].name, key) == 0;
}

/* Patterns of one name, and the totals of what they have. */
static enum err_code names_total(struct patterns *x, struct err *e)
{
	struct index index = {0};
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; i < x->count; i++) {
		uint32_t *slot = index_slot(&index, hash_name(x->list, i), x->list, i, same_name, hash_name, x->list[i].name);

		if (!slot) {
			code = err_memory(e, "patterns");
			break;
		}
		if (!*slot)
			*slot = i + 1;
		x->list[i].namesake = *slot - 1;
	}
	index_release(&index);
	for (uint32_t i = 0; !code && i < x->instance_count; i++) {
		const struct pattern_instance *n = &x->instances[i];
		struct pattern_total *total = &x->list[x->list[n->pattern].namesake].total;

		total->instances++;
		total->messages += n->messages;
		total->calls += n->calls;
		total->sized += n->sized;
		total->bytes += n->bytes;
	}
	return code;
}

static enum err_code run_parse(struct patterns *x, struct atoms *atoms, const struct progress *progress, struct err *e)
{
	struct shapes shapes;
	struct steps steps = {0};
	uint32_t *into = NULL;
	enum err_code code = shapes_init(&shapes, x->trace, &x->grid, e);

	if (!code)
		code = parse_run(&steps, x, &shapes, atoms, progress, e);
	if (!code) {
		into = mem_alloc(steps.count, sizeof *into);
		code = into ? combine_steps(x, &shapes, &steps, into, progress, e) : err_memory(e, "patterns");
	}
	for (uint32_t k = 0; !code && k < x->trace->event_count; k++)
		if (atoms->of[k] != ATOM_NONE)
			atoms->of[k] = into[atoms->of[k]];
	mem_free(into);
	mem_free(steps.list);
	shapes_release(&shapes);
	return code;
}

bool patterns_possible(const struct trace *t)
{
	return !trace_team(t) && t->event_count < PATTERNS_EVENTS_MOST;
}

enum err_code patterns_new(struct patterns **out, const struct trace *t, const struct progress *progress, struct err *e)
{
	struct patterns *x;
	struct atoms atoms = {0};
	enum err_code code;

	*out = NULL;
	x = mem_zero(1, sizeof *x);
	if (!x)
		return err_memory(e, "patterns");
	x->trace = t;
	arena_init(&x->arena);
	code = ops_init(x, e);
	if (!code)
		code = grid_init(&x->grid, t, progress, e);
	if (!code)
		code = atoms_init(&atoms, t, progress, e);
	if (!code)
		code = run_parse(x, &atoms, progress, e);
	if (code) {
		atoms_release(&atoms);
		patterns_free(x);
		return code;
	}
	x->instance_of = atoms.of;
	mem_free(atoms.left);
	code = names_total(x, e);
	if (!code)
		code = reading_new(&x->reading, x, progress, e);
	if (code)
		patterns_free(x);
	else
		*out = x;
	return code;
}

enum err_code patterns_gather(struct patterns **out, const struct trace *t, const uint32_t *ticks, const struct progress *progress, struct err *e)
{
	struct trace *whole;
	uint32_t *tick;
	enum err_code code = gathered_trace(&whole, &tick, t, ticks, e);

	*out = NULL;
	if (!code && whole)
		code = patterns_new(out, whole, progress, e);
	if (*out) {
		(*out)->gathered = whole;
		(*out)->gathered_tick = tick;
	} else {
		trace_free(whole);
		mem_free(tick);
	}
	code = team_agree(trace_team(t), code, e);
	if (code) {
		patterns_free(*out);
		*out = NULL;
	}
	return code;
}

void patterns_free(struct patterns *x)
{
	if (!x)
		return;
	reading_free(x->reading);
	grid_release(&x->grid);
	mem_free(x->list);
	mem_free(x->instances);
	mem_free(x->instance_of);
	mem_free(x->ops);
	trace_free(x->gathered);
	mem_free(x->gathered_tick);
	arena_release(&x->arena);
	mem_free(x);
}
