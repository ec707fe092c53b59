#include "commands_int.h"

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
#include "core/compare/diff/diff.h"
#include "core/io/wrap.h"

#define CELLS 15
#define NAME_LEAST 12 /* columns that a name is given at least; a longer one is cut */
#define IDS 12 /* columns of a table for a list of ids, which says how many there are where they need more */

/* ---- the verdict ---- */

static void side_line(struct out *o, char name, const struct diff_of *of)
{
	char safe[4096], aet[UNIT_TEXT];

	out_printf(o, "%-18c%s: %" PRIu32 " process%s, run time %s\n", name, text_safe(safe, sizeof safe, of->file, SIZE_MAX, TEXT_UTF8),
		   of->processes, of->processes == 1 ? "" : "es", unit_figure_time(aet, of->aet));
}

static void side_print_cell(struct out *o, const struct run_diff *d, enum diff_side side, const struct diff_cell *has)
{
	if (!has->there) {
		out_str(o, "nothing");
		return;
	}
	run_diff_print_cell(d, side, has, TYPES_SHOWN, o);
	if (has->size == SIZE_UNKNOWN)
		out_str(o, ", unknown size");
	else
		out_printf(o, ", %" PRIu64 " B", has->size);
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
		out_printf(o, "%-18s%" PRIu64 ": %" PRIu64 " removed, %" PRIu64 " added; %" PRIu64 " resized (%" PRIu64 " by far)\n", "edits",
			   removed + added, removed, added, resized, far);
	if (beyond)
		out_printf(o, "%-18s%s%" PRIu64 " process%s with more than %" PRIu32 " each\n", beyond < d->process_count ? "" : "edits",
			   beyond < d->process_count ? "and " : "", beyond, beyond == 1 ? "" : "es", d->options.effort);
}

static void change_line(struct out *o, const struct diff_report *r)
{
	char change[UNIT_TEXT], matched[2][UNIT_TEXT];

	if (r->match)
		out_printf(o, "%-18s%s of the run time of A, %s of B\n", "matched phases", unit_figure_percent(matched[0], phase_match_share(r->match, false)),
			   unit_figure_percent(matched[1], phase_match_share(r->match, true)));
	out_printf(o, "%-18s%s%s", "change", r->change > 0 ? "+" : r->change < 0 ? "-" : "", unit_figure_time(change, fabs(r->change)));
	if (r->of[DIFF_A].aet > 0 && !isnan(r->change))
		out_printf(o, ", %+.1f %%", 100 * r->change / r->of[DIFF_A].aet);
	out_str(o, "\n");
}

void diff_verdict_lines(struct out *o, const struct diff_report *r)
{
	static const char *const verdicts[] = {
		[DIFF_IDENTICAL] = "same events and sizes", [DIFF_SIZES] = "same events, different sizes", [DIFF_STRUCTURE] = "different events",
		[DIFF_PROCESSES] = "different numbers of processes",
	};

	side_line(o, 'A', &r->of[DIFF_A]);
	side_line(o, 'B', &r->of[DIFF_B]);
	out_printf(o, "%-18s%s: %s%s\n", "verdict", diff_verdict_name(r->verdict), verdicts[r->verdict], r->diff ? "" : " (phases only)");
	if (r->diff && r->diff->first.there) {
		out_printf(o, "%-18stick %" PRIu32 ", rank %" PRIu32 "\n%-18sA  ", "first difference", r->diff->first.tick, r->diff->first.process, "");
		side_print_cell(o, r->diff, DIFF_A, &r->diff->first.cell[DIFF_A]);
		out_printf(o, "\n%-18sB  ", "");
		side_print_cell(o, r->diff, DIFF_B, &r->diff->first.cell[DIFF_B]);
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
	struct column_look columns[CELLS];
	double nothing;                 /* changes below that are shown as 0 */
	int shown[CELLS], shown_count;  /* the columns that there is room for */
	struct out ids[2], names;
	size_t name_room;               /* columns of names; 0: any */
};

/* Titles say no unit: a line above them does. For people both names are in one column. */
static const struct {
	const char *name, *title;
} group_columns[CELLS] = {
	{"a", "A"}, {"b", "B"}, {"similarity", "S"}, {"weight_a", "n A"}, {"weight_b", "n B"}, {"time_a", "time A"}, {"time_b", "time B"},
	{"change", "change"}, {"by_weight", "weight"}, {"by_compute", "compute"}, {"by_rest", "rest"}, {"rank", "rank"},
	{"name_a", "name"}, {"name_b", "name B"}, {"same_kind", "same kind"},
};

enum { GROUP_SIMILARITY = 2, GROUP_WEIGHT_A, GROUP_WEIGHT_B, GROUP_TIME_A, GROUP_TIME_B, GROUP_CHANGE, GROUP_BY_WEIGHT, GROUP_BY_REST = 10, GROUP_RANK, GROUP_NAME, GROUP_NAME_B, GROUP_ALIKE };

static double unit_of(double largest)
{
	return largest >= 1 ? 1 : largest >= 1e-3 ? 1e-3 : 1e-6;
}

/* Of numbers up to that, so that the largest has four digits. */
static int decimals_of(double largest)
{
	return largest >= 100 ? 1 : largest >= 10 ? 2 : 3;
}

static void choose_columns(struct groups *g)
{
	double time = 0, change = 0;

	for (uint32_t i = 0; i < g->r->row_count; i++) {
		time = fmax(time, fmax(g->r->rows[i].group.a.time, g->r->rows[i].group.b.time));
		change = fmax(change, fabs(g->r->rows[i].change));
	}
	g->time_unit = g->for_people ? unit_of(time) : 1;
	g->change_unit = g->for_people ? unit_of(change) : 1;
	for (int i = 0; i < CELLS; i++) {
		int decimals = i == GROUP_SIMILARITY ? 2 : i < GROUP_TIME_A ? ROWS_SHORTEST
			: i < GROUP_CHANGE ? decimals_of(time / g->time_unit) : decimals_of(change / g->change_unit);

		g->columns[i] = (struct column_look){group_columns[i].name, group_columns[i].title, i < GROUP_SIMILARITY ? LOOK_LEFT : i < GROUP_NAME ? LOOK_RIGHT : LOOK_WORDS, .decimals = decimals};
		g->shown[i] = i;
	}
	g->shown_count = CELLS;
	g->nothing = 0.5 * pow(10, -decimals_of(change / g->change_unit));
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

#define CUT_MARK " ..."

/* Behind the last word that ends within so many columns; within a word that is longer. */
static size_t cut_at(const char *text, size_t n, size_t columns)
{
	size_t at = 0, blank = 0;
	uint32_t c;

	for (size_t i = 0; i < columns; i++) {
		at += text_decode(text + at, n - at, &c);
		if (text[at] == ' ')
			blank = at;
	}
	return blank ? blank : at;
}

/* "halo 4x4"; where they differ "halo 4x4 / halo 8x8"; as much of it as there is room for. */
static const char *names_text(struct groups *g, const char *a, const char *b)
{
	struct out *o = &g->names;

	o->len = 0;
	out_str(o, a ? a : b);
	if (a && b && strcmp(a, b) != 0)
		out_printf(o, " / %s", b);
	if (g->name_room && !o->failed && wrap_columns(o->text, o->len) > g->name_room) {
		o->len = cut_at(o->text, o->len, g->name_room - strlen(CUT_MARK));
		out_str(o, CUT_MARK);
	}
	return o->text;
}

static void name_cells(struct groups *g, struct cell *c, const struct diff_row_of *row)
{
	const char *a = row->named[DIFF_A] ? row->named[DIFF_A]->name : NULL, *b = row->named[DIFF_B] ? row->named[DIFF_B]->name : NULL;

	if (g->for_people) {
		if (a || b)
			c[GROUP_NAME] = cell_text(names_text(g, a, b));
		return;
	}
	c[GROUP_NAME] = cell_text(a);
	c[GROUP_NAME_B] = cell_text(b);
	if (row->alike != KINDS_UNKNOWN)
		c[GROUP_ALIKE] = cell_bool(row->alike == KINDS_SAME);
}

static void side_cells(struct cell *c, const struct phase_side *s, double unit)
{
	if (!s->count)
		return;
	c[3] = cell_whole(s->weight);
	c[5] = cell_real(s->time / unit);
}

/* For people no -0.000. */
static struct cell change_cell(const struct groups *g, double change)
{
	double v = change / g->change_unit;

	return cell_figure(g->for_people && fabs(v) < g->nothing ? 0 : v);
}

static enum err_code all_cells(struct groups *g, uint64_t i, struct cell *c, struct err *e)
{
	const struct diff_row_of *row = &g->r->rows[i];

	if (row->kind <= WATERFALL_ONLY_B) {
		c[0] = cell_text(ids_text(g, DIFF_A, &row->group.a));
		c[1] = cell_text(ids_text(g, DIFF_B, &row->group.b));
		name_cells(g, c, row);
		if (g->ids[DIFF_A].failed || g->ids[DIFF_B].failed || g->names.failed)
			return err_memory(e, "a row");
		c[2] = cell_figure(row->group.a.count && row->group.b.count ? row->group.similarity : (double)NAN);
		side_cells(c, &row->group.a, g->time_unit);
		side_cells(c + 1, &row->group.b, g->time_unit);
	} else {
		c[0] = cell_text(row->kind == WATERFALL_OTHERS ? g->for_people ? "other" : "others" : g->for_people ? "not recorded" : "outside");
	}
	c[7] = change_cell(g, row->change);
	c[8] = change_cell(g, row->by_weight);
	c[9] = change_cell(g, row->by_compute);
	c[10] = change_cell(g, row->by_rest);
	if (row->rank != NO_PROCESS)
		c[11] = cell_whole(row->rank);
	for (int k = 2; g->for_people && k < GROUP_NAME_B; k++)
		if (c[k].kind == CELL_EMPTY)
			c[k] = cell_text("-");
	return ERR_OK;
}

static enum err_code group_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	struct groups *g = arg;
	struct cell all[CELLS] = {{.kind = CELL_EMPTY}};
	enum err_code code = all_cells(g, i, all, e);

	(void)keep;
	for (int k = 0; k < g->shown_count; k++)
		c[k] = all[g->shown[k]];
	return code;
}

static size_t cell_width(const struct cell *c, int decimals)
{
	char buf[512];

	switch (c->kind) {
	case CELL_TEXT: return strlen(c->text);
	case CELL_WHOLE: return number_whole(c->whole, buf);
	case CELL_REAL: return number_fixed(c->real, decimals, buf, sizeof buf);
	default: return 0;
	}
}

static bool groups_named(const struct groups *g)
{
	for (uint32_t i = 0; i < g->r->row_count; i++)
		for (int side = DIFF_A; side <= DIFF_B; side++)
			if (g->r->rows[i].named[side] && g->r->rows[i].named[side]->name)
				return true;
	return false;
}

/* What people need least goes first, until the rest fits. */
static enum err_code groups_fit_columns(struct groups *g, size_t room, struct err *e)
{
	static const int expendable[][2] = {
		{GROUP_SIMILARITY, GROUP_SIMILARITY}, {GROUP_RANK, GROUP_RANK}, {GROUP_TIME_A, GROUP_TIME_B}, {GROUP_WEIGHT_A, GROUP_WEIGHT_B},
		{GROUP_NAME, GROUP_NAME}, {GROUP_BY_WEIGHT, GROUP_BY_REST},
	};
	size_t width[CELLS], all = 0;
	bool left_out[CELLS] = {[GROUP_NAME] = !groups_named(g), [GROUP_NAME_B] = true, [GROUP_ALIKE] = true};

	for (int k = 0; k < CELLS; k++)
		width[k] = strlen(g->columns[k].title);
	for (uint32_t i = 0; i < g->r->row_count; i++) {
		struct cell c[CELLS] = {{.kind = CELL_EMPTY}};
		enum err_code code = all_cells(g, i, c, e);

		if (code)
			return code;
		for (int k = 0; k < GROUP_NAME; k++) {
			size_t w = cell_width(&c[k], g->columns[k].decimals);

			width[k] = w > width[k] ? w : width[k];
		}
	}
	width[GROUP_NAME] = NAME_LEAST;
	for (int k = 0; k < CELLS; k++)
		all += left_out[k] ? 0 : width[k] + 2;
	for (size_t i = 0; all - 2 > room && i < sizeof expendable / sizeof *expendable; i++)
		for (int k = expendable[i][0]; k <= expendable[i][1]; k++) {
			all -= left_out[k] ? 0 : width[k] + 2;
			left_out[k] = true;
		}
	g->name_room = NAME_LEAST + (all - 2 < room ? room - (all - 2) : 0);
	g->shown_count = 0;
	for (int k = 0; k < CELLS; k++) {
		if (left_out[k])
			continue;
		g->columns[g->shown_count] = g->columns[k];
		g->shown[g->shown_count++] = k;
	}
	return ERR_OK;
}

static void groups_print_head(struct out *o, const struct groups *g)
{
	out_printf(o, "n: weight; times in %s; change in %s, by weight, compute and rest\n", shown_unit_name(g->time_unit),
		   shown_unit_name(g->change_unit));
}

static void groups_print_foot(struct out *o, const struct groups *g)
{
	bool any = false;

	for (int k = 0, at = 0; k < GROUP_NAME + groups_named(g); k++) {
		if (at < g->shown_count && g->shown[at] == k) {
			at++;
			continue;
		}
		out_printf(o, "%s%s", any ? ", " : "not shown: ", group_columns[k].title);
		any = true;
	}
	if (any)
		out_str(o, "; --format csv shows all\n");
}

/* Phases are matched by their rows; that they do something else is to be known. */
static void groups_print_kinds(struct out *o, const struct groups *g)
{
	for (uint32_t i = 0; i < g->r->row_count; i++) {
		const struct diff_row_of *row = &g->r->rows[i];
		const struct run_phase *a = row->named[DIFF_A], *b = row->named[DIFF_B];

		if (row->alike != KINDS_OTHER)
			continue;
		out_str(o, "note: ");
		kinds_other_text(o, &(struct phase_called){a->id, a->name, NULL}, &(struct phase_called){b->id, b->name, NULL});
		out_str(o, "\n");
	}
}

enum err_code diff_groups(struct batch *b, const struct diff_report *r, struct err *e)
{
	struct groups *g = mem_zero(1, sizeof *g);
	struct rows rows = {.row_count = r->row_count, .row = group_row, .arg = g};
	enum err_code code = ERR_OK;

	if (!g)
		return err_memory(e, "the table");
	g->r = r;
	g->for_people = b->options->format == FORMAT_TABLE;
	choose_columns(g);
	if (g->for_people)
		code = groups_fit_columns(g, sink_columns(&b->sink), e);
	rows.columns = g->columns;
	rows.column_count = (size_t)g->shown_count;
	if (!code && g->for_people)
		groups_print_head(&b->sink.out, g);
	code = code ? code : listing_write(b, &rows, e);
	if (!code && g->for_people) {
		size_t from;

		groups_print_foot(&b->sink.out, g);
		from = b->sink.out.len;
		groups_print_kinds(&b->sink.out, g);
		sink_fit(&b->sink, from, 6);
	}
	out_release(&g->ids[DIFF_A]);
	out_release(&g->ids[DIFF_B]);
	out_release(&g->names);
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
	static const struct column_look columns[] = {
		{"rank", "rank", .align = LOOK_RIGHT}, {"removed", "removed", .align = LOOK_RIGHT}, {"added", "added", .align = LOOK_RIGHT},
		{"resized", "resized", .align = LOOK_RIGHT}, {"resized_far", "resized far", .align = LOOK_RIGHT},
	};
	struct edits x = {.d = r->diff, .for_people = b->options->format == FORMAT_TABLE};
	const struct rows rows = {.columns = columns, .column_count = 5, .row_count = r->diff->processes ? r->diff->process_count : 0,
				  .row = edits_row, .arg = &x};

	snprintf(x.beyond, sizeof x.beyond, "more than %" PRIu32, r->diff->options.effort);
	return listing_write(b, &rows, e);
}

/* The hunks of two runs, like a unified diff, or as CSV. */

#define AT_ONCE 65536 /* bytes gathered before they are written */

static void hunk_put_size(struct out *o, uint64_t bytes, const char *unknown)
{
	if (bytes == SIZE_UNKNOWN)
		out_str(o, unknown);
	else
		out_printf(o, "%" PRIu64, bytes);
}

static void as_text(struct out *o, const struct diff_report *r, const struct shown_line *line)
{
	enum diff_side side = line->cell[DIFF_A].there ? DIFF_A : DIFF_B;

	out_printf(o, "%c%" PRIu32 " ", line->mark, line->process);
	run_diff_print_cell(r->diff, side, &line->cell[side], TYPES_SHOWN, o);
	out_str(o, " ");
	hunk_put_size(o, line->cell[side].size, "-");
	if (line->mark == '~') {
		out_str(o, " -> ");
		hunk_put_size(o, line->cell[DIFF_B].size, "-");
	}
	out_str(o, "\n");
}

static void hunk_put_tick(struct out *o, const struct diff_cell *cell)
{
	out_str(o, ",");
	if (cell->there)
		out_printf(o, "%" PRIu32, cell->tick);
}

static void as_csv(struct out *o, struct out *type, const struct diff_report *r, const struct shown_line *line, uint64_t number)
{
	enum diff_side first = line->cell[DIFF_A].there ? DIFF_A : DIFF_B;

	type->len = 0;
	run_diff_print_cell(r->diff, first, &line->cell[first], TYPES_IN_FILES, type);
	out_printf(o, "%" PRIu64 ",%s,%" PRIu32 ",", number,
		   line->mark == '-' ? "removed" : line->mark == '+' ? "added" : line->mark == '~' ? "resized" : "kept", line->process);
	out_csv(o, type->text ? type->text : "");
	for (int side = DIFF_A; side <= DIFF_B; side++) {
		out_str(o, ",");
		if (line->cell[side].there)
			hunk_put_size(o, line->cell[side].size, "");
	}
	hunk_put_tick(o, &line->cell[DIFF_A]);
	hunk_put_tick(o, &line->cell[DIFF_B]);
	out_str(o, "\n");
}

static void header(struct out *o, const struct diff_report *r)
{
	char safe[4096];

	out_printf(o, "--- %s\n", text_safe(safe, sizeof safe, r->of[DIFF_A].file, SIZE_MAX, TEXT_UTF8));
	out_printf(o, "+++ %s\n", text_safe(safe, sizeof safe, r->of[DIFF_B].file, SIZE_MAX, TEXT_UTF8));
	for (uint32_t p = 0; r->diff->processes && p < r->diff->process_count; p++)
		if (r->diff->processes[p].script.beyond)
			out_printf(o, "# rank %" PRIu32 ": more than %" PRIu32 " edits, in no hunk\n", p, r->diff->options.effort);
}

/* lines: NULL if there are no hunks. */
static enum err_code write_hunks(struct batch *b, const struct diff_report *r, struct hunk_lines *lines, struct err *e)
{
	bool csv = b->options->format == FORMAT_CSV;
	struct hunk h = {.end = 0};
	struct out *o = &b->sink.out, type;
	enum err_code code = ERR_OK;
	struct shown_line line;
	uint64_t number = 0;

	out_init(&type);
	if (csv)
		out_str(o, "hunk,change,rank,type,size_a,size_b,tick_a,tick_b\n");
	else
		header(o, r);
	while (!code && lines && hunk_next(&h, r->align)) {
		number++;
		if (!csv)
			out_printf(o, "@@ tick %" PRIu32 ",%" PRIu32 " %" PRIu32 ",%" PRIu32 " @@\n", h.tick[DIFF_A], h.ticks[DIFF_A],
				   h.tick[DIFF_B], h.ticks[DIFF_B]);
		for (hunk_lines_of(lines, &h); !code && !(code = hunk_lines_next(lines, &line, e)) && line.there;) {
			if (csv)
				as_csv(o, &type, r, &line, number);
			else
				as_text(o, r, &line);
			if (o->len > AT_ONCE)
				code = progress_stopped(b->progress) ? err_set(e, ERR_CANCELLED, "interrupted") : sink_drain(&b->sink, e);
		}
	}
	if (!code && type.failed)
		code = err_memory(e, "a line");
	out_release(&type);
	return code;
}

enum err_code diff_hunks(struct batch *b, const struct diff_report *r, struct err *e)
{
	struct hunk_lines lines;
	enum err_code code;

	if (!r->align)
		return diff_report_here(r) ? write_hunks(b, r, NULL, e) : ERR_OK;
	code = hunk_lines_init(&lines, r->align, e);
	if (code)
		return code;
	if (diff_report_here(r))
		code = write_hunks(b, r, &lines, e);
	return hunk_lines_end(&lines, code, e);
}
