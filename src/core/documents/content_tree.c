#include "documents_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/order.h"
#include "core/base/text.h"

#define ALL " all"
#define PART " part"
#define CELL "[process, \"+2\" or \"CBcast 0,1 1\", bytes or null]"
#define ROLE "+, -, 0, ?, or a collective such as \"CBcast all\" or \"CBcast part\""

static void write_role(struct tree_out *t, const struct phase_role *role)
{
	static const char *const sends[] = {[ROLE_UP] = "+", [ROLE_DOWN] = "-", [ROLE_SELF] = "0", [ROLE_UNKNOWN] = "?"};
	struct out text;

	if (role->kind < ROLE_ALL) {
		tree_put_real(t, sends[role->kind], role->share);
		return;
	}
	out_init(&text);
	out_printf(&text, "C%s%s", role->op, role->kind == ROLE_ALL ? ALL : PART);
	if (text.failed)
		t->failed = true;
	else
		tree_put_real(t, text.text, role->share);
	out_release(&text);
}

static void write_cell(struct tree_out *t, const struct canonical *types, const struct phase_cell *c, struct out *text)
{
	text->len = 0;
	canonical_print(types, c->type, TYPES_IN_FILES, text);
	if (text->failed) {
		t->failed = true;
		return;
	}
	tree_list(t, true);
	tree_whole(t, c->process);
	tree_text(t, text->text);
	if (c->size == SIZE_UNKNOWN)
		tree_real(t, (double)NAN);
	else
		tree_whole(t, c->size);
	tree_end(t);
}

void content_write(struct tree_out *t, const struct canonical *types, const struct run_phase *p)
{
	struct out text;

	out_init(&text);
	tree_put_real(t, "compute", p->compute);
	if (p->label_count)
		tree_put_wholes(t, "labels", p->labels, p->label_count);
	tree_put_list(t, "content", !p->row_count);
	for (uint32_t i = 0; i < p->row_count; i++) {
		const struct content_row *row = &p->rows[i];

		tree_map(t, true);
		tree_put_real(t, "active", row->active);
		tree_put_real(t, "bytes", row->bytes);
		tree_put_map(t, "roles", true);
		for (uint32_t k = 0; k < row->role_count; k++)
			write_role(t, &row->roles[k]);
		tree_end(t);
		tree_put_list(t, "cells", true);
		for (uint32_t k = 0; k < row->cell_count; k++)
			write_cell(t, types, &row->cells[k], &text);
		tree_end(t);
		tree_end(t);
	}
	tree_end(t);
	out_release(&text);
}

/* The length of a text without an ending; 0: it does not end so, or nothing is before it. */
static size_t without(const char *text, const char *ending)
{
	size_t n = strlen(text), m = strlen(ending);

	return n > m && strcmp(text + n - m, ending) == 0 ? n - m : 0;
}

static const char *read_op(struct fields *f, const char *text, size_t n)
{
	char *copy = fields_room(f, 3 * n + 1, 1);

	return copy ? text_safe(copy, 3 * n + 1, text, n, TEXT_UTF8) : "";
}

static bool parse_role(struct fields *f, const char *text, struct phase_role *role)
{
	static const char *const sends = "+-0?";
	const char *at = text[0] && !text[1] ? strchr(sends, text[0]) : NULL;
	size_t all = without(text, ALL), part = without(text, PART);

	role->op = "";
	if (at) {
		role->kind = (enum role_kind)(at - sends);
		return true;
	}
	if (text[0] != 'C' || (!all && !part))
		return false;
	role->kind = all ? ROLE_ALL : ROLE_PART;
	role->op = read_op(f, text + 1, (all ? all : part) - 1);
	return true;
}

ORDER_BY(by_role, struct phase_role, UP(kind) TEXT(op))

static bool read_share(const struct yaml_node *n, double *share)
{
	return n->kind == YAML_SCALAR && !n->quoted && number_parse(n->text, strlen(n->text), share) && *share >= 0 && *share <= 1;
}

static void read_roles(struct fields *f, const struct fields_map *row_at, struct content_row *row)
{
	struct fields_map at = fields_enter(f, row_at, "roles");
	struct phase_role *roles = at.map ? fields_room(f, at.map->count, sizeof *roles) : NULL;

	for (const struct yaml_node *n = at.map ? at.map->first : NULL; n && !f->code; n = n->next) {
		struct phase_role *role = &roles[row->role_count++];

		if (!parse_role(f, n->key, role)) {
			if (!f->code)
				fields_fail(f, n->key_line, "%sroles has '%s': expected " ROLE, row_at->path, fields_keep_safe(f, n->key));
		} else if (!read_share(n, &role->share)) {
			fields_wrong(f, n, at.path, n->key, "a number from 0 to 1");
		}
	}
	if (f->code)
		return;
	SORT(roles, row->role_count, by_role);
	row->roles = roles;
}

/* A whole number of digits alone. */
static bool parse_whole(const char *text, size_t n, uint64_t least, uint64_t most, uint32_t *v)
{
	uint64_t whole;

	if (!n || !number_parse_whole(text, n, &whole) || whole < least || whole > most)
		return false;
	*v = (uint32_t)whole;
	return true;
}

/* "0,1,2,3": ascending processes; a communicator whose members are not known has none. */
static bool parse_members(const char *text, size_t n, uint32_t processes, uint32_t *members, uint32_t *count)
{
	const char *end = text + n;

	*count = 0;
	while (text < end) {
		const char *comma = memchr(text, ',', (size_t)(end - text)), *stop = comma ? comma : end;
		uint32_t least = *count ? members[*count - 1] + 1 : 0;

		if (*count == processes || !parse_whole(text, (size_t)(stop - text), least, processes - 1, &members[*count]))
			return false;
		(*count)++;
		text = comma ? comma + 1 : end;
		if (comma && text == end)
			return false;
	}
	return true;
}

/* "CBcast 0,1,2,3 1": from the right, as only the operation may hold spaces. */
static bool parse_collective(struct fields *f, const char *text, struct run_phases *r, event_type *type)
{
	const char *nth = strrchr(text, ' '), *members = nth;
	uint32_t *list, count, k, at = 0;
	const char *op;

	while (members > text && *--members != ' ')
		;
	if (!nth || members <= text + 1 || !parse_whole(nth + 1, strlen(nth + 1), 1, UINT32_MAX, &k))
		return false;
	list = mem_alloc(r->processes, sizeof *list);
	if (!list)
		fields_memory(f);
	if (!list || !parse_members(members + 1, (size_t)(nth - members - 1), r->processes, list, &count)) {
		mem_free(list);
		return false;
	}
	op = read_op(f, text + 1, (size_t)(members - text - 1));
	if (!f->code)
		f->code = canonical_add(&r->types, op, list, count, k, &at, f->e);
	mem_free(list);
	if (at >= EVENT_INDEX(UINT32_MAX))
		return false;
	*type = EVENT_COLLECTIVE | at;
	return true;
}

static bool parse_type(struct fields *f, const char *text, struct run_phases *r, event_type *type)
{
	uint32_t partner;

	if (text[0] == 'C')
		return parse_collective(f, text, r, type);
	if (strcmp(text, "+?") == 0) {
		*type = EVENT_SEND;
		return true;
	}
	if (text[0] != '+' || !parse_whole(text + 1, strlen(text + 1), 1, r->processes, &partner))
		return false;
	*type = EVENT_SEND | partner;
	return true;
}

static bool parse_cell(struct fields *f, const struct yaml_node *n, uint32_t least, struct run_phases *r, struct phase_cell *c)
{
	const struct yaml_node *process = n->kind == YAML_LIST && n->count == 3 ? n->first : NULL;
	const struct yaml_node *type = process ? process->next : NULL, *size = type ? type->next : NULL;

	if (!size || process->kind != YAML_SCALAR || type->kind != YAML_SCALAR || size->kind != YAML_SCALAR)
		return false;
	if (r->processes <= least || !parse_whole(process->text, strlen(process->text), least, r->processes - 1, &c->process) ||
	    !parse_type(f, type->text, r, &c->type))
		return false;
	c->size = SIZE_UNKNOWN;
	return yaml_is_null(size) || (number_parse_whole(size->text, strlen(size->text), &c->size) && c->size <= INT64_MAX);
}

static void read_cells(struct fields *f, const struct fields_map *at, struct run_phases *r, struct content_row *row)
{
	const struct yaml_node *list = fields_list(f, at, "cells");
	struct phase_cell *cells = list ? fields_room(f, list->count, sizeof *cells) : NULL;
	uint32_t least = 0;

	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next) {
		if (!parse_cell(f, n, least, r, &cells[row->cell_count]) && !f->code)
			fields_wrong_item(f, n, at, "cells", row->cell_count, CELL " with ascending processes");
		if (!f->code)
			least = cells[row->cell_count++].process + 1;
	}
	row->cells = cells;
}

struct run_phases *content_begin(struct fields *f, const struct fields_map *trace, uint32_t processes, double aet)
{
	const struct yaml_node *n = fields_find(f, trace, "mean_message");
	struct run_phases *r = n ? mem_zero(1, sizeof *r) : NULL;

	if (n && !r)
		fields_memory(f);
	if (!r)
		return NULL;
	r->mean_message = fields_real(f, trace, "mean_message", 0, UINT32_MAX);
	if (!f->code && r->mean_message <= 0)
		fields_wrong(f, n, trace->path, "mean_message", "a number above 0");
	r->processes = processes;
	r->aet = aet;
	return r;
}

bool content_make_room(struct fields *f, struct run_phases *r, uint32_t phases)
{
	r->list = arena_alloc(&r->arena, phases * sizeof *r->list);
	if (!r->list)
		fields_memory(f);
	return r->list;
}

/* Those of blocks; a phase that is not made of them has none. */
static void read_labels(struct fields *f, const struct fields_map *at, struct run_phase *p)
{
	const struct yaml_node *list = fields_find(f, at, "labels") ? fields_list(f, at, "labels") : NULL;
	uint32_t *labels = list ? fields_room(f, list->count, sizeof *labels) : NULL;

	for (const struct yaml_node *n = labels ? list->first : NULL; n && !f->code; n = n->next) {
		labels[p->label_count] = fields_item_count(f, at, "labels", p->label_count, n, 1, UINT32_MAX);
		p->label_count++;
	}
	p->labels = labels;
}

void content_read(struct fields *f, const struct fields_map *at, struct run_phases *r, struct run_phase *p)
{
	struct arena *before = f->arena;
	const struct yaml_node *list;
	struct content_row *rows;

	f->arena = &r->arena;
	p->compute = fields_real(f, at, "compute", -INFINITY, INFINITY);
	read_labels(f, at, p);
	list = fields_list(f, at, "content");
	rows = list ? fields_room(f, list->count, sizeof *rows) : NULL;
	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next) {
		struct fields_map in = fields_item(f, at, "content", p->row_count, n);
		struct content_row *row = f->code ? NULL : &rows[p->row_count++];

		if (!row)
			break;
		row->active = fields_real(f, &in, "active", 0, 1);
		row->bytes = fields_real(f, &in, "bytes", 0, UINT32_MAX);
		read_roles(f, &in, row);
		read_cells(f, &in, r, row);
	}
	p->rows = rows;
	f->arena = before;
}
