#include "run_phases.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/search.h"

void run_phases_sum(struct run_phases *r)
{
	double inside = 0;

	for (uint32_t i = 0; i < r->count; i++) {
		double total = r->list[i].weight * r->list[i].time;

		inside += total;
		r->list[i].share = r->aet > 0 ? total / r->aet : (double)NAN;
	}
	r->outside = r->aet - inside;
}

void run_phases_free(struct run_phases *r)
{
	if (!r)
		return;
	canonical_release(&r->types);
	arena_release(&r->arena);
	mem_free(r);
}

const struct run_phase *run_phases_find(const struct run_phases *r, uint32_t id)
{
	uint32_t low = SEARCH_PAST(i, 0, r->count, r->list[i].id < id);

	return low < r->count && r->list[low].id == id ? &r->list[low] : NULL;
}

#define BETWEEN_KINDS " + "

/* The first of the kinds; *n: its length. Returns the rest, NULL behind the last. */
static const char *kind_first(const char *kinds, size_t *n)
{
	const char *end = strstr(kinds, BETWEEN_KINDS);

	*n = end ? (size_t)(end - kinds) : strlen(kinds);
	return end ? end + strlen(BETWEEN_KINDS) : NULL;
}

static bool kinds_have(const char *kinds, const char *word, size_t length)
{
	for (size_t n; kinds;) {
		const char *kind = kinds;

		kinds = kind_first(kinds, &n);
		if (n == length && memcmp(kind, word, n) == 0)
			return true;
	}
	return false;
}

static bool kinds_meet(const char *a, const char *b)
{
	for (size_t n; a;) {
		const char *kind = a;

		a = kind_first(a, &n);
		if (kinds_have(b, kind, n))
			return true;
	}
	return false;
}

enum kinds_alike kinds_alike(const char *a, const char *b, bool equal_processes)
{
	static const char pairs[] = "pairs";

	if (!a || !b)
		return KINDS_UNKNOWN;
	if (kinds_meet(a, b))
		return KINDS_SAME;
	if (!equal_processes && (kinds_have(a, pairs, strlen(pairs)) || kinds_have(b, pairs, strlen(pairs))))
		return KINDS_UNKNOWN;
	return KINDS_OTHER;
}

void kinds_alike_write(struct tree_out *t, enum kinds_alike alike)
{
	if (alike == KINDS_UNKNOWN)
		tree_put_null(t, "same_kind");
	else
		tree_put_bool(t, "same_kind", alike == KINDS_SAME);
}

void kinds_other_text(struct out *out, const struct phase_called *a, const struct phase_called *b)
{
	out_printf(out, "phase %" PRIu32 " (%s)%s%s is matched with phase %" PRIu32 " (%s)%s%s, which does something else", a->id, a->name,
		   a->run ? " of " : "", a->run ? a->run : "", b->id, b->name, b->run ? " of " : "", b->run ? b->run : "");
}

bool run_phase_name(struct arena *arena, struct run_phase *p, const char *name, const char *kinds)
{
	p->name = name ? arena_strndup(arena, name, strlen(name)) : NULL;
	p->kinds = kinds ? arena_strndup(arena, kinds, strlen(kinds)) : NULL;
	return (p->name || !name) && (p->kinds || !kinds);
}

static void *phases_copy_array(struct arena *arena, const void *from, size_t n, size_t size)
{
	void *to = arena_alloc(arena, n * size);

	if (to && n)
		memcpy(to, from, n * size);
	return to;
}

static bool copy_types(struct run_phases *to, const struct run_phases *from)
{
	uint32_t at;

	for (uint32_t i = 0; i < from->types.count; i++) {
		const struct canonical_collective *c = &from->types.list[i];

		if (canonical_add(&to->types, c->op, c->members, c->member_count, c->nth, &at, NULL))
			return false;
	}
	return true;
}

static bool copy_row(struct run_phases *r, struct content_row *row)
{
	struct phase_role *roles = phases_copy_array(&r->arena, row->roles, row->role_count, sizeof *roles);

	row->roles = roles;
	row->cells = phases_copy_array(&r->arena, row->cells, row->cell_count, sizeof *row->cells);
	for (uint32_t i = 0; roles && i < row->role_count; i++) {
		roles[i].op = arena_strndup(&r->arena, roles[i].op, strlen(roles[i].op));
		if (!roles[i].op)
			return false;
	}
	return roles && row->cells;
}

static bool copy_phase(struct run_phases *r, const struct run_phase *from)
{
	struct content_row *rows = phases_copy_array(&r->arena, from->rows, from->row_count, sizeof *rows);
	uint32_t *labels = phases_copy_array(&r->arena, from->labels, from->label_count, sizeof *labels);

	for (uint32_t i = 0; rows && i < from->row_count; i++)
		if (!copy_row(r, &rows[i]))
			return false;
	r->list[r->count] = *from;
	r->list[r->count].rows = rows;
	r->list[r->count].labels = labels;
	r->count++;
	return run_phase_name(&r->arena, &r->list[r->count - 1], from->name, from->kinds) && rows && labels;
}

enum err_code run_phases_pick(struct run_phases **out, const struct run_phases *r, const uint32_t *ids, uint32_t count, struct err *e)
{
	struct run_phases *to = mem_zero(1, sizeof *to);
	bool whole = to;

	*out = NULL;
	if (whole) {
		to->processes = r->processes;
		to->aet = r->aet;
		to->outside = r->outside;
		to->mean_message = r->mean_message;
		to->list = arena_alloc(&to->arena, count * sizeof *to->list);
		whole = to->list && copy_types(to, r);
	}
	for (uint32_t i = 0; whole && i < count; i++)
		whole = copy_phase(to, run_phases_find(r, ids[i]));
	if (!whole) {
		run_phases_free(to);
		return err_memory(e, "the phases' content");
	}
	*out = to;
	return ERR_OK;
}
