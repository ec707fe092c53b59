#include "run_of.h"

#include <string.h>

#include "core/method/analysis/phase_content.h"
#include "core/documents/table.h"
#include "core/formats/api/load.h"
#include "gen.h"
#include "tap.h"

#define ROWS 8   /* of a phase made here */
#define CELLS 8  /* of a row */

static void must(enum err_code code, const struct err *e)
{
	if (code)
		bail_out("%s", e->text);
}

static void *room(struct run_phases *r, size_t n, size_t size)
{
	void *p = arena_alloc(&r->arena, n * size);

	if (!p)
		bail_out("no memory");
	return p;
}

struct run_phases *run_of_file(const char *path, const struct settings *settings)
{
	struct trace_options options = {0};
	struct run_phases *r;
	struct analysis *a;
	struct settings s;
	struct trace *t;
	struct err e;

	if (strstr(path, ".yaml")) {
		struct table table;

		must(table_read_file(&table, path, &e), &e);
		r = table.content;
		table.content = NULL;
		table_release(&table);
		return r;
	}
	settings_init(&s);
	must(trace_load(&t, &path, 1, &options, NULL, &e), &e);
	must(analysis_new(&a, t, settings ? settings : &s, NULL, ANALYSIS_PHASES, NULL, &e), &e);
	must(phase_content_new(&r, a, NULL, &e), &e);
	analysis_unref(a);
	trace_free(t);
	return r;
}

struct run_phases *run_new(uint32_t processes, double aet, double mean_message)
{
	struct run_phases *r = mem_zero(1, sizeof *r);

	if (!r)
		bail_out("no memory");
	r->processes = processes;
	r->aet = aet;
	r->mean_message = mean_message;
	r->list = room(r, 2000, sizeof *r->list);
	return r;
}

void run_phase_add(struct run_phases *r, uint32_t weight, double time, double compute)
{
	r->list[r->count] = (struct run_phase){.id = r->count + 1, .weight = weight, .time = time, .compute = compute};
	r->list[r->count++].rows = room(r, ROWS, sizeof(struct content_row));
}

struct content_row *run_row_add(struct run_phases *r)
{
	struct run_phase *p = &r->list[r->count - 1];
	struct content_row *row = (struct content_row *)(uintptr_t)&p->rows[p->row_count++];

	row->cells = room(r, CELLS, sizeof *row->cells);
	return row;
}

void run_cell_add(struct run_phases *r, uint32_t process, event_type type, uint64_t size)
{
	struct run_phase *p = &r->list[r->count - 1];
	struct content_row *row = (struct content_row *)(uintptr_t)&p->rows[p->row_count - 1];

	((struct phase_cell *)(uintptr_t)row->cells)[row->cell_count++] = (struct phase_cell){process, type, size};
}

static void finish_row(struct run_phases *r, struct content_row *row)
{
	struct phase_role *roles = room(r, 3, sizeof *roles);
	double count[3] = {0}, bytes = 0;

	for (uint32_t i = 0; i < row->cell_count; i++) {
		uint32_t to = EVENT_INDEX(row->cells[i].type) - 1, from = row->cells[i].process;

		count[to > from ? ROLE_UP : to < from ? ROLE_DOWN : ROLE_SELF]++;
		bytes += row->cells[i].size;
	}
	row->roles = roles;
	for (unsigned k = 0; k < 3; k++)
		if (count[k] > 0)
			roles[row->role_count++] = (struct phase_role){(enum role_kind)k, "", count[k] / row->cell_count};
	row->active = (double)row->cell_count / r->processes;
	row->bytes = row->cell_count ? bytes / row->cell_count : 0;
}

void run_finish(struct run_phases *r)
{
	run_phases_sum(r);
	for (uint32_t i = 0; i < r->count; i++) {
		r->list[i].relevant = r->list[i].share >= 0.05;
		for (uint32_t k = 0; k < r->list[i].row_count; k++)
			finish_row(r, (struct content_row *)(uintptr_t)&r->list[i].rows[k]);
	}
}

struct run_phases *run_random(uint64_t *state, uint32_t processes, uint32_t most_phases)
{
	struct run_phases *r = run_new(processes, 100, 50 + gen_below(state, 100));
	uint32_t phases = gen_below(state, most_phases + 1);

	for (uint32_t i = 0; i < phases; i++) {
		uint32_t rows = 1 + gen_below(state, 4);

		run_phase_add(r, 1 + gen_below(state, 5), 0.25 * (1 + gen_below(state, 8)), 0.25);
		while (rows--) {
			run_row_add(r);
			for (uint32_t p = 0; p < processes && p < CELLS; p++)
				if (gen_below(state, 3))
					run_cell_add(r, p, EVENT_SEND | (1 + gen_below(state, 2)), 100 * (1 + gen_below(state, 2)));
			if (!r->list[i].rows[r->list[i].row_count - 1].cell_count)
				run_cell_add(r, 0, EVENT_SEND | 2, 100);
		}
	}
	run_finish(r);
	return r;
}
