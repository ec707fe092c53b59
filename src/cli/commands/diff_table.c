#include "diff_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/listing.h"
#include "cli/plural.h"
#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/unit.h"

#define CELLS 12
#define IDS 24 /* columns of a table for a list of ids, which says how many there are where they need more */

/* ---- the verdict ---- */

static void side_line(struct out *o, char name, const struct diff_of *of)
{
	char safe[4096], aet[UNIT_TEXT];

	out_printf(o, "%-9c%s: %" PRIu32 " process%s, AET %s\n", name, text_safe(safe, sizeof safe, of->file, SIZE_MAX, TEXT_UTF8),
		   of->processes, of->processes == 1 ? "" : "es", unit_time_ascii(aet, of->aet));
}

static void cell(struct out *o, const struct run_diff *d, enum diff_side side, uint32_t event)
{
	uint32_t size;

	if (event == NO_EVENT) {
		out_str(o, "nothing");
		return;
	}
	run_diff_print_type(d, side, event, o);
	size = d->run[side].l->trace->size[event];
	if (size == SIZE_UNKNOWN)
		out_str(o, ", size not known");
	else
		out_printf(o, ", %" PRIu32 " B", size);
}

static void edits_line(struct out *o, const struct run_diff *d)
{
	uint64_t removed = 0, added = 0, resized = 0, far = 0, beyond = 0;

	for (uint32_t p = 0; p < d->process_count; p++) {
		const struct process_diff *x = &d->processes[p];

		removed += x->script.removed;
		added += x->script.added;
		resized += x->resized;
		far += x->resized_far;
		beyond += x->script.beyond;
	}
	if (beyond < d->process_count)
		out_printf(o, "%-9s%" PRIu64 ": %" PRIu64 " removed, %" PRIu64 " added; %" PRIu64 " resized, %" PRIu64 " of them far\n", "edits",
			   removed + added, removed, added, resized, far);
	if (beyond)
		out_printf(o, "%-9s%s%" PRIu64 " process%s more than %" PRIu32 " each\n", beyond < d->process_count ? "" : "edits",
			   beyond < d->process_count ? "and " : "", beyond, beyond == 1 ? "" : "es", d->options.effort);
}

static void change_line(struct out *o, const struct diff_report *r)
{
	char change[UNIT_TEXT], matched[2][UNIT_TEXT];

	if (r->match)
		out_printf(o, "%-9s%s of A's time, %s of B's\n", "matched", unit_figure_percent(matched[0], phase_match_share(r->match, false)),
			   unit_figure_percent(matched[1], phase_match_share(r->match, true)));
	out_printf(o, "%-9s%s%s", "change", r->change > 0 ? "+" : r->change < 0 ? "-" : "", unit_time_ascii(change, fabs(r->change)));
	if (r->of[DIFF_A].aet > 0 && !isnan(r->change))
		out_printf(o, ", %+.1f %%", 100 * r->change / r->of[DIFF_A].aet);
	out_str(o, "\n");
}

void diff_verdict_lines(struct out *o, const struct diff_report *r)
{
	side_line(o, 'A', &r->of[DIFF_A]);
	side_line(o, 'B', &r->of[DIFF_B]);
	out_printf(o, "%-9s%s%s\n", "verdict", diff_verdict_name(r->verdict), r->diff ? "" : ", by phases alone");
	if (r->diff && r->diff->first.there) {
		out_printf(o, "%-9stick %" PRIu32 ", rank %" PRIu32 "\n%-9sA  ", "first", r->diff->first.tick, r->diff->first.process, "");
		cell(o, r->diff, DIFF_A, r->diff->first.event[DIFF_A]);
		out_printf(o, "\n%-9sB  ", "");
		cell(o, r->diff, DIFF_B, r->diff->first.event[DIFF_B]);
		out_str(o, "\n");
	}
	if (r->diff && r->diff->processes)
		edits_line(o, r->diff);
	change_line(o, r);
}

/* ---- groups ---- */

struct groups {
	const struct diff_report *r;
	bool for_people;
	double time_unit, change_unit;  /* s, of all cells of a column */
	struct column columns[CELLS];
	char title[CELLS][32];
	char text[CELLS][64];
	struct out ids[2];
};

static const char *unit_name(double unit)
{
	return unit >= 1 ? "s" : unit >= 1e-3 ? "ms" : "us";
}

static double unit_of(double largest)
{
	return largest >= 1 ? 1 : largest >= 1e-3 ? 1e-3 : 1e-6;
}

static void choose_units(struct groups *g)
{
	double time = 0, change = 0;

	for (uint32_t i = 0; i < g->r->row_count; i++) {
		time = fmax(time, fmax(g->r->rows[i].group.a.time, g->r->rows[i].group.b.time));
		change = fmax(change, fabs(g->r->rows[i].change));
	}
	g->time_unit = g->for_people ? unit_of(time) : 1;
	g->change_unit = g->for_people ? unit_of(change) : 1;
}

static void choose_columns(struct groups *g)
{
	static const struct { const char *name, *title; int unit; } of[CELLS] = {
		{"a", "A", 0}, {"b", "B", 0}, {"similarity", "S", 0}, {"weight_a", "weight A", 0}, {"weight_b", "weight B", 0},
		{"time_a", "time A", 1}, {"time_b", "time B", 1}, {"change", "change", 2}, {"by_weight", "by weight", 2},
		{"by_compute", "by compute", 2}, {"by_rest", "by rest", 2}, {"rank", "rank", 0},
	};

	for (int i = 0; i < CELLS; i++) {
		if (of[i].unit)
			snprintf(g->title[i], sizeof g->title[i], "%s [%s]", of[i].title, unit_name(of[i].unit == 1 ? g->time_unit : g->change_unit));
		else
			snprintf(g->title[i], sizeof g->title[i], "%s", of[i].title);
		g->columns[i] = (struct column){of[i].name, g->title[i], i < 2 ? ROWS_LEFT : ROWS_RIGHT,
						of[i].unit ? 3 : i == 2 ? 4 : ROWS_SHORTEST};
	}
}

/* "1+5"; without phases "-", as rows of one side show. */
static const char *ids_text(struct groups *g, enum diff_side side, const struct phase_side *phases)
{
	struct out *o = &g->ids[side];

	o->len = 0;
	for (uint32_t i = 0; i < phases->count; i++)
		out_printf(o, "%s%" PRIu32, i ? "+" : "", phases->ids[i]);
	if (!phases->count)
		out_str(o, g->for_people ? "-" : "");
	if (g->for_people && o->len > IDS) {
		o->len = 0;
		out_printf(o, "%" PRIu32 " phases", phases->count);
	}
	return o->text;
}

static void side_cells(struct cell *c, const struct phase_side *s, double unit)
{
	if (!s->count)
		return;
	c[3] = cell_whole(s->weight);
	c[5] = cell_real(s->time / unit);
}

static enum err_code group_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	struct groups *g = arg;
	const struct diff_row_of *row = &g->r->rows[i];

	(void)keep;
	if (row->kind <= WATERFALL_ONLY_B) {
		c[0] = cell_text(ids_text(g, DIFF_A, &row->group.a));
		c[1] = cell_text(ids_text(g, DIFF_B, &row->group.b));
		if (g->ids[DIFF_A].failed || g->ids[DIFF_B].failed)
			return err_memory(e, "a row");
		c[2] = cell_figure(row->group.a.count && row->group.b.count ? row->group.similarity : (double)NAN);
		side_cells(c, &row->group.a, g->time_unit);
		side_cells(c + 1, &row->group.b, g->time_unit);
	} else {
		c[0] = cell_text(row->kind == WATERFALL_OTHERS ? "others" : "outside");
	}
	c[7] = cell_figure(row->change / g->change_unit);
	c[8] = cell_figure(row->by_weight / g->change_unit);
	c[9] = cell_figure(row->by_compute / g->change_unit);
	c[10] = cell_figure(row->by_rest / g->change_unit);
	if (row->rank != NO_PROCESS)
		c[11] = cell_whole(row->rank);
	for (int k = 2; g->for_people && k < CELLS; k++)
		if (c[k].kind == CELL_EMPTY)
			c[k] = cell_text("-");
	return ERR_OK;
}

enum err_code diff_groups(struct batch *b, const struct diff_report *r, struct err *e)
{
	struct groups *g = mem_zero(1, sizeof *g);
	struct rows rows = {.column_count = CELLS, .row_count = r->row_count, .row = group_row, .arg = g};
	enum err_code code;

	if (!g)
		return err_memory(e, "the table");
	g->r = r;
	g->for_people = b->options->format == FORMAT_TABLE;
	choose_units(g);
	choose_columns(g);
	rows.columns = g->columns;
	code = listing_write(b, &rows, e);
	out_release(&g->ids[DIFF_A]);
	out_release(&g->ids[DIFF_B]);
	mem_free(g);
	return code;
}

/* ---- edits ---- */

struct edits {
	const struct run_diff *d;
	bool for_people;
	char beyond[32];
};

static enum err_code edits_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	const struct edits *x = arg;
	const struct process_diff *p = &x->d->processes[i];

	(void)keep;
	(void)e;
	c[0] = cell_whole(i);
	if (p->script.beyond) {
		for (int k = 1; x->for_people && k < 5; k++)
			c[k] = cell_text(k == 1 ? x->beyond : "-");
		return ERR_OK;
	}
	c[1] = cell_whole(p->script.removed);
	c[2] = cell_whole(p->script.added);
	c[3] = cell_whole(p->resized);
	c[4] = cell_whole(p->resized_far);
	return ERR_OK;
}

enum err_code diff_edits(struct batch *b, const struct diff_report *r, struct err *e)
{
	static const struct column columns[] = {
		{"rank", "rank", ROWS_RIGHT, 0}, {"removed", "removed", ROWS_RIGHT, 0}, {"added", "added", ROWS_RIGHT, 0},
		{"resized", "resized", ROWS_RIGHT, 0}, {"resized_far", "resized far", ROWS_RIGHT, 0},
	};
	struct edits x = {.d = r->diff, .for_people = b->options->format == FORMAT_TABLE};
	const struct rows rows = {.columns = columns, .column_count = 5, .row_count = r->diff->processes ? r->diff->process_count : 0,
				  .row = edits_row, .arg = &x};

	snprintf(x.beyond, sizeof x.beyond, "more than %" PRIu32, r->diff->options.effort);
	return listing_write(b, &rows, e);
}
