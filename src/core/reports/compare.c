#include "reports.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/unit.h"
#include "core/base/text.h"
#include "core/documents/result.h"
#include "core/table/rows.h"
#include "core/io/tree_out.h"
#include "core/io/wrap.h"
#include "reports_int.h"
#include "core/compare/match/match.h"

#define LABEL_MOST 60 /* bytes, with its NUL; room is left for what tells equal ones apart */

/* As much of a text as fits, cut between characters. */
static const char *compare_cut_text(char *to, size_t size, const char *text)
{
	return text_safe(to, size, text, SIZE_MAX, TEXT_UTF8);
}

/* The settings of a result in which any two differ, in short, since columns are headed by it: "lamport, events
 * 0.9". Empty: it says none of them. */
static void settings_label(const struct compare *c, const struct result *r, char *label)
{
	char text[SETTING_COUNT * 2 * SETTING_NAME_SIZE], value[SETTING_NAME_SIZE];
	size_t n = 0;

	text[0] = '\0';
	for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
		bool differs = false, choice = setting_info(id)->kind == SETTING_CHOICE;

		for (uint32_t k = 0; k < c->count; k++)
			differs = differs || compare_setting_differs(r, &c->results[k], id);
		if (!differs)
			continue;
		settings_get(&r->settings, id, value, sizeof value);
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s%s%s", n ? ", " : "", choice ? "" : setting_info(id)->key,
				      choice ? "" : " ", value);
	}
	compare_cut_text(label, LABEL_MOST, text);
}

/* What tells this result from the others, unless it was given a label. */
static void make_label(const struct compare *c, uint32_t i, char *label, size_t size)
{
	const struct result *r = &c->results[i];
	char mechanism[20], cpus[30];
	unsigned same = 0;

	if (r->label[0])
		compare_cut_text(label, LABEL_MOST, r->label);
	else if (c->differs & COMPARE_TRACES)
		compare_cut_text(label, LABEL_MOST, r->application);
	else if (c->differs & COMPARE_MACHINES)
		compare_cut_text(label, LABEL_MOST, r->host.name);
	else if (c->differs == COMPARE_SETTINGS)
		settings_label(c, r, label);
	if (!label[0])
		snprintf(label, size, "%s on cpus %s", compare_cut_text(mechanism, sizeof mechanism, result_mechanism(r)),
			 compare_cut_text(cpus, sizeof cpus, r->host.allowed));
	for (uint32_t k = 0; k < i; k++)
		same += strcmp(c->labels[k], label) == 0;
	if (same)
		snprintf(label + strlen(label), size - strlen(label), "#%u", i + 1);
}

static bool corresponds(const struct result *a, const struct result_phase *x,
			const struct result *b, const struct result_phase *y)
{
	if (strcmp(a->sha256, b->sha256) == 0)
		return result_same_phase(a, x, b, y);
	if (a->content && b->content)
		return false; /* what they hold says it, or nothing */
	return a->processes == b->processes && x->ticks == y->ticks &&
	       memcmp(x->sends, y->sends, a->processes * sizeof *x->sends) == 0;
}

/* The first row that this phase fits into and where its result has nothing yet. */
static uint32_t find_row(const struct compare *c, uint32_t i, const struct result_phase *p)
{
	for (uint32_t row = 0; row < c->row_count; row++) {
		if (c->rows[(size_t)row * c->count + i])
			continue;
		for (uint32_t k = 0; k < c->count; k++) {
			const struct result_phase *other = c->rows[(size_t)row * c->count + k];

			if (other && corresponds(&c->results[k], other, &c->results[i], p))
				return row;
			if (other)
				break;
		}
	}
	return c->row_count;
}

static void set_in_row(struct compare *c, uint32_t i, uint32_t row, const struct result_phase *p)
{
	c->rows[(size_t)row * c->count + i] = p;
	c->row_count += row == c->row_count;
}

/* The result that this one is matched with by what phases hold: of the earlier ones the nearest in processes, of equal
 * ones the latest. c->count: by ids or by shape. */
static uint32_t find_reference(const struct compare *c, uint32_t i)
{
	const struct result *r = &c->results[i];
	double least = INFINITY;
	uint32_t found = c->count;

	for (uint32_t k = 0; k < i; k++) {
		double apart = fabs(log((double)r->processes / c->results[k].processes));

		if (strcmp(c->results[k].sha256, r->sha256) == 0)
			return c->count;
		if (!r->content || !c->results[k].content || !(apart <= least))
			continue;
		least = apart;
		found = k;
	}
	return found;
}

/* The row of a phase of a result that is in already. */
static uint32_t compare_row_of(const struct compare *c, uint32_t i, uint32_t id)
{
	uint32_t row = 0;

	for (; row < c->row_count; row++) {
		const struct result_phase *p = c->rows[(size_t)row * c->count + i];

		if (p && p->id == id)
			break;
	}
	return row;
}

static enum err_code add_matched(struct compare *c, uint32_t i, uint32_t reference, struct err *e)
{
	const struct result *r = &c->results[i];
	struct phase_match *m;
	enum err_code code = phase_match_new(&m, c->results[reference].content, r->content, NULL, e);

	for (uint32_t p = 0; !code && p < r->phase_count; p++) {
		uint32_t row = c->row_count;

		for (uint32_t k = 0; k < m->both; k++)
			if (m->groups[k].pair_b == r->phases[p].id)
				row = compare_row_of(c, reference, m->groups[k].pair_a);
		set_in_row(c, i, row, &r->phases[p]);
	}
	phase_match_free(code ? NULL : m);
	return code;
}

enum err_code compare_make(struct compare *c, const struct result *results, uint32_t count, struct err *e)
{
	size_t most = 0;

	*c = (struct compare){.results = results, .count = count, .differs = compare_differences(results, count)};
	for (uint32_t i = 0; i < count; i++)
		most += results[i].phase_count;
	c->labels = mem_zero(count, sizeof *c->labels);
	c->rows = mem_zero(most * count, sizeof *c->rows);
	if (!c->labels || !c->rows) {
		compare_release(c);
		return err_memory(e, "the comparison");
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t reference = find_reference(c, i);
		enum err_code code = ERR_OK;

		make_label(c, i, c->labels[i], sizeof c->labels[i]);
		if (reference < c->count)
			code = add_matched(c, i, reference, e);
		else
			for (uint32_t p = 0; p < results[i].phase_count; p++)
				set_in_row(c, i, find_row(c, i, &results[i].phases[p]), &results[i].phases[p]);
		if (code) {
			compare_release(c);
			return code;
		}
	}
	return ERR_OK;
}

void compare_release(struct compare *c)
{
	mem_free(c->labels);
	mem_free(c->rows);
	*c = (struct compare){0};
}

/* --- as tables --- */

#define PREDICTION_COLUMNS 12
#define TEXTS 80

struct prediction_rows {
	const struct compare *compare;
	char text[PREDICTION_COLUMNS][TEXTS]; /* of the row at hand */
};

static enum err_code prediction_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct prediction_rows *rows = arg;
	const struct result *r = &rows->compare->results[i];
	char (*text)[TEXTS] = rows->text, mechanism[40], version[20];

	(void)keep;
	(void)e;
	snprintf(text[0], TEXTS, "%s", rows->compare->labels[i]);
	compare_cut_text(text[1], TEXTS, r->host.name);
	snprintf(text[2], TEXTS, "%u", r->processes);
	compare_cut_text(text[3], TEXTS, r->host.allowed);
	snprintf(text[4], TEXTS, "%s %s", compare_cut_text(mechanism, sizeof mechanism, result_mechanism(r)), compare_cut_text(version, sizeof version, r->mechanism_version));
	snprintf(text[5], TEXTS, "%u", r->runs);
	unit_measured(text[6], r->set, UNIT_MILLISECONDS);
	unit_measured(text[7], r->pet, UNIT_MILLISECONDS);
	unit_measured(text[8], r->pet_scaled, UNIT_MILLISECONDS);
	for (int k = 9; k < PREDICTION_COLUMNS; k++)
		snprintf(text[k], TEXTS, "-");
	if (r->aet > 0) {
		unit_measured(text[9], r->aet, UNIT_MILLISECONDS);
		unit_share(text[10], r->pete, 2);
		unit_share(text[11], r->set_share, 2);
	}
	for (int k = 0; k < PREDICTION_COLUMNS; k++)
		cells[k] = cell_text(text[k]);
	return ERR_OK;
}

static enum err_code print_predictions(const struct compare *c, struct out *out, size_t width, struct err *e)
{
	/* The label says where it was measured; what it says first is how long the run takes, and how far off that was. */
	static const struct column_look columns[PREDICTION_COLUMNS] = {
		{"label", "", .align = LOOK_LEFT}, {"host", "node", LOOK_RIGHT, .priority = 9}, {"processes", "processes", LOOK_RIGHT, .priority = 6},
		{"cpus", "cpus", LOOK_RIGHT, .priority = 7}, {"mechanism", "mechanism", LOOK_RIGHT, .priority = 8},
		{"runs", "runs", LOOK_RIGHT, .priority = 5}, {"set", "signature time", LOOK_RIGHT, .priority = 3}, {"pet", "predicted time", LOOK_RIGHT, .priority = 2},
		{"pet_scaled", "scaled prediction", .align = LOOK_RIGHT}, {"aet", "run time", LOOK_RIGHT, .priority = 1},
		{"pete", "prediction error", LOOK_RIGHT, .priority = 1}, {"set_share", "of the run time", LOOK_RIGHT, .priority = 4},
	};
	struct prediction_rows rows = {.compare = c};
	const struct rows r = {columns, PREDICTION_COLUMNS, c->count, prediction_row, &rows};
	const struct rows_sink sink = rows_to_out(out);

	return rows_write(&r, ROWS_TABLE, TEXT_UTF8, width, &sink, NULL, e);
}

/* How sure what windows predict is. */
static void print_intervals(const struct compare *c, struct out *out)
{
	bool any = false;

	for (uint32_t i = 0; i < c->count; i++) {
		const struct result *r = &c->results[i];
		char predicted[UNIT_WITHIN_TEXT];

		if (!result_has_interval(r))
			continue;
		out_printf(out, "%s%s: scaled prediction %s", any ? "" : "\n", c->labels[i], unit_within(predicted, r->pet_scaled, r->half));
		any = true;
		if (r->aet > 0)
			out_str(out, result_held(r) ? "; run time in the interval" : "; run time outside the interval");
		out_str(out, "\n");
	}
}

#define PER_RESULT 4 /* id, weight, time, and how many times the first one's that is */

struct phase_rows_text {
	char time[UNIT_TEXT], times[24];
};

struct phase_table {
	const struct compare *compare;
	struct phase_rows_text *text; /* per result, of the row at hand */
	bool named;                   /* some row has a name */
};

/* The first result that says what the phase of a row does; c->count: none. */
static uint32_t row_named(const struct compare *c, uint32_t row)
{
	uint32_t i = 0;

	for (; i < c->count; i++)
		if (c->rows[(size_t)row * c->count + i] && c->rows[(size_t)row * c->count + i]->name)
			break;
	return i;
}

/* Of all that are known against that one; *other: the first that is unlike. */
static enum kinds_alike row_alike(const struct compare *c, uint32_t row, uint32_t *other)
{
	const struct result_phase *const *p = &c->rows[(size_t)row * c->count];
	uint32_t first = row_named(c, row);
	enum kinds_alike alike = KINDS_UNKNOWN;

	for (uint32_t i = first + 1; i < c->count; i++) {
		enum kinds_alike of = p[i] ? kinds_alike(p[first]->kinds, p[i]->kinds, c->results[first].processes == c->results[i].processes) : KINDS_UNKNOWN;

		if (of == KINDS_OTHER) {
			*other = i;
			return of;
		}
		alike = of == KINDS_SAME ? of : alike;
	}
	return alike;
}

static enum err_code phase_row(void *arg, uint64_t row, struct cell *cells, bool *keep, struct err *e)
{
	struct phase_table *table = arg;
	const struct compare *c = table->compare;
	const struct result_phase *first = c->rows[(size_t)row * c->count];

	(void)keep;
	(void)e;
	*cells++ = cell_whole(row + 1);
	for (uint32_t i = 0; i < c->count; i++, cells += PER_RESULT) {
		const struct result_phase *p = c->rows[(size_t)row * c->count + i];
		struct phase_rows_text *text = &table->text[i];

		if (!p) {
			cells[0] = cells[1] = cells[2] = cell_text("-");
			continue;
		}
		cells[0] = cell_whole(p->id);
		cells[1] = cell_whole(p->weight);
		cells[2] = cell_text(unit_measured(text->time, p->time, UNIT_MILLISECONDS));
		snprintf(text->times, sizeof text->times, "x%.2f", first ? p->time / first->time : 0);
		if (first && first != p && first->time > 0)
			cells[3] = cell_text(text->times);
	}
	if (table->named) {
		uint32_t named = row_named(c, (uint32_t)row);

		*cells = cell_text(named < c->count ? c->rows[(size_t)row * c->count + named]->name : "-");
	}
	return ERR_OK;
}

static enum err_code print_phases(const struct compare *c, struct out *out, size_t width, struct err *e)
{
	size_t count = 1 + (size_t)c->count * PER_RESULT, n = 1;
	struct column_look *columns = mem_zero(count + 1, sizeof *columns);
	struct phase_table table = {c, mem_zero(c->count, sizeof *table.text), false};
	struct rows rows = {.columns = columns, .column_count = count, .row_count = c->row_count, .row = phase_row, .arg = &table};
	const struct rows_sink sink = rows_to_out(out);
	enum err_code code = columns && table.text ? ERR_OK : err_memory(e, "the comparison");

	if (!code)
		columns[0] = (struct column_look){"row", "row", .align = LOOK_RIGHT};
	for (uint32_t i = 0; !code && i < c->count; i++, n += PER_RESULT) {
		columns[n] = (struct column_look){"id", c->labels[i], .align = LOOK_RIGHT};
		columns[n + 1] = (struct column_look){"weight", "weight", LOOK_RIGHT, .priority = 2};
		columns[n + 2] = (struct column_look){"time", "time", .align = LOOK_RIGHT};
		columns[n + 3] = (struct column_look){"times", "", LOOK_RIGHT, .priority = 1};
	}
	for (uint32_t row = 0; row < c->row_count; row++)
		table.named = table.named || row_named(c, row) < c->count;
	if (!code && table.named)
		columns[rows.column_count++] = (struct column_look){"name", "name", .align = LOOK_WORDS};
	if (!code)
		code = rows_write(&rows, ROWS_TABLE, TEXT_UTF8, width, &sink, NULL, e);
	mem_free(columns);
	mem_free(table.text);
	return code;
}

/* Phases are matched by their rows; that they do something else is to be known. */
static void print_kinds(const struct compare *c, struct out *out, size_t width)
{
	struct out line;

	out_init(&line);
	for (uint32_t row = 0; row < c->row_count; row++) {
		const struct result_phase *const *p = &c->rows[(size_t)row * c->count];
		uint32_t first = row_named(c, row), other;

		if (row_alike(c, row, &other) != KINDS_OTHER)
			continue;
		line.len = 0;
		out_str(&line, "note: ");
		kinds_other_text(&line, &(struct phase_called){p[first]->id, p[first]->name, c->labels[first]},
				 &(struct phase_called){p[other]->id, p[other]->name, c->labels[other]});
		out->failed = out->failed || line.failed;
		if (!line.failed)
			wrap_text(out, line.text, 6, width ? width : SIZE_MAX);
	}
	out_release(&line);
}

/* Rows that all results have, and weights that are not all the same. */
static void count_rows(const struct compare *c, uint32_t *common, uint32_t *changed)
{
	*common = *changed = 0;
	for (uint32_t row = 0; row < c->row_count; row++) {
		const struct result_phase *const *p = &c->rows[(size_t)row * c->count];
		bool all = true, same = true;

		for (uint32_t i = 0; i < c->count; i++) {
			all = all && p[i];
			same = same && p[0] && p[i] && p[i]->weight == p[0]->weight;
		}
		*common += all;
		*changed += all && !same;
	}
}

static bool decides_phases(enum setting_id id)
{
	for (size_t k = 0; k < SETTINGS_OF_PHASES; k++)
		if (settings_of_phases[k] == id)
			return true;
	return false;
}

/* Results whose tables were made with other settings than the first one's. */
static void print_settings(const struct compare *c, struct out *out)
{
	const struct result *first = &c->results[0];

	for (uint32_t i = 1; i < c->count; i++) {
		const struct result *r = &c->results[i];
		const char *before = ": made with ";
		bool other_phases = false;

		for (enum setting_id id = 0; id < SETTING_COUNT; id++) {
			char here[SETTING_NAME_SIZE], there[SETTING_NAME_SIZE];

			if (!compare_setting_differs(r, first, id))
				continue;
			settings_get(&r->settings, id, here, sizeof here);
			settings_get(&first->settings, id, there, sizeof there);
			if (*before == ':')
				out_printf(out, "\n%s", c->labels[i]);
			out_printf(out, "%s%s %s instead of %s", before, setting_info(id)->key, here, there);
			before = ", ";
			other_phases = other_phases || decides_phases(id);
		}
		if (other_phases && strcmp(r->sha256, first->sha256) == 0)
			out_printf(out, ": phases that %s lacks have separate rows", c->labels[0]);
		if (*before == ',')
			out_str(out, "\n");
	}
}

/* "3 results of lu.S.4: machines and settings differ". */
static void print_head(const struct compare *c, struct out *out)
{
	char differences[COMPARE_DIFFERENCES_TEXT];
	bool one_application = true;

	for (uint32_t i = 1; i < c->count; i++)
		one_application = one_application && strcmp(c->results[i].application, c->results[0].application) == 0;
	out_printf(out, "%u result%s", c->count, c->count == 1 ? "" : "s");
	if (one_application)
		out_printf(out, " of %s", c->results[0].application);
	if (c->differs)
		out_printf(out, ": %s differ", compare_differences_text(differences, c->differs, " and "));
	else if (c->count > 1)
		out_str(out, ": repetitions");
	out_str(out, "\n\n");
}

enum err_code compare_print(const struct compare *c, struct out *out, size_t width, struct err *e)
{
	uint32_t common, changed;
	enum err_code code;

	print_head(c, out);
	code = print_predictions(c, out, width, e);
	if (code)
		return code;
	print_intervals(c, out);
	print_settings(c, out);
	out_str(out, "\n");
	code = print_phases(c, out, width, e);
	count_rows(c, &common, &changed);
	out_printf(out, "\n%u of %u phases are in all results; the weights of %u of these differ\n", common,
		   c->row_count, changed);
	print_kinds(c, out, width);
	return code;
}

static void csv_real(struct out *out, double v)
{
	out_str(out, ",");
	out_double(out, v);
}

static void csv_alike(struct out *out, enum kinds_alike alike)
{
	out_str(out, alike == KINDS_UNKNOWN ? "," : alike == KINDS_SAME ? ",true" : ",false");
}

static void csv_result(const struct result *r, const char *label, struct out *out)
{
	out_csv(out, label);
	out_str(out, ",");
	out_csv(out, r->application);
	out_str(out, ",");
	out_csv(out, r->host.name);
	out_str(out, ",");
	out_csv(out, r->host.allowed);
	out_printf(out, ",%u,%s,%u", r->processes, r->mechanism, r->runs);
	csv_real(out, r->set);
	csv_real(out, r->pet);
	csv_real(out, r->pet_scaled);
	if (r->aet <= 0) {
		out_str(out, ",,,");
		return;
	}
	csv_real(out, r->aet);
	csv_real(out, r->pete);
	csv_real(out, r->set_share);
}

void compare_csv(const struct compare *c, struct out *out)
{
	out_str(out, "label,application,host,cpus,processes,mechanism,runs,set,pet,pet_scaled,aet,pete,set_share,");
	out_str(out, "row,id,weight,ticks,time,deviation,traced,name,same_kind\n");
	for (uint32_t i = 0; i < c->count; i++) {
		bool any = false;

		for (uint32_t row = 0; row < c->row_count; row++) {
			const struct result_phase *p = c->rows[(size_t)row * c->count + i];
			uint32_t other;

			if (!p)
				continue;
			any = true;
			csv_result(&c->results[i], c->labels[i], out);
			out_printf(out, ",%u,%u,%u,%u", row + 1, p->id, p->weight, p->ticks);
			csv_real(out, p->time);
			csv_real(out, p->deviation);
			csv_real(out, p->traced);
			out_str(out, ",");
			out_csv(out, p->name ? p->name : "");
			csv_alike(out, row_alike(c, row, &other));
			out_str(out, "\n");
		}
		if (!any) {
			csv_result(&c->results[i], c->labels[i], out);
			out_str(out, ",,,,,,,,,\n");
		}
	}
}

static void tree_result(struct tree_out *t, const struct result *r, const char *label)
{
	tree_map(t, false);
	tree_put_text(t, "label", label);
	tree_put_text(t, "file", r->path ? r->path : "");
	tree_put_text(t, "application", r->application);
	tree_put_text(t, "host", r->host.name);
	tree_put_text(t, "cpus", r->host.allowed);
	tree_put_whole(t, "processes", r->processes);
	tree_put_text(t, "mechanism", r->mechanism);
	tree_put_whole(t, "runs", r->runs);
	tree_put_real(t, "set", r->set);
	tree_put_real(t, "pet", r->pet);
	tree_put_real(t, "pet_scaled", r->pet_scaled);
	if (r->by_windows)
		tree_put_real(t, "half", r->half);
	if (r->aet > 0) {
		tree_put_real(t, "aet", r->aet);
		tree_put_real(t, "pete", r->pete);
		tree_put_real(t, "set_share", r->set_share);
	}
	tree_end(t);
}

static void tree_row(struct tree_out *t, const struct compare *c, uint32_t row)
{
	uint32_t other;

	tree_map(t, false);
	tree_put_whole(t, "row", row + 1);
	tree_put_list(t, "in", false);
	for (uint32_t i = 0; i < c->count; i++) {
		const struct result_phase *p = c->rows[(size_t)row * c->count + i];

		if (!p)
			continue;
		tree_map(t, true);
		tree_put_text(t, "label", c->labels[i]);
		tree_put_whole(t, "id", p->id);
		tree_put_whole(t, "weight", p->weight);
		tree_put_whole(t, "ticks", p->ticks);
		tree_put_real(t, "time", p->time);
		tree_put_real(t, "deviation", p->deviation);
		tree_put_text(t, "name", p->name);
		tree_end(t);
	}
	tree_end(t);
	kinds_alike_write(t, row_alike(c, row, &other));
	tree_end(t);
}

enum err_code compare_yaml(const struct compare *c, struct out *out, bool json, struct err *e)
{
	char differences[COMPARE_DIFFERENCES_TEXT];
	const char *same = c->count > 1 ? "repetitions" : "nothing";
	struct tree_out t;

	tree_out_init(&t, out, json);
	tree_map(&t, false);
	tree_put_text(&t, "compares", c->differs ? compare_differences_text(differences, c->differs, ", ") : same);
	tree_put_list(&t, "results", false);
	for (uint32_t i = 0; i < c->count; i++)
		tree_result(&t, &c->results[i], c->labels[i]);
	tree_end(&t);
	tree_put_list(&t, "phases", false);
	for (uint32_t row = 0; row < c->row_count; row++)
		tree_row(&t, c, row);
	tree_end(&t);
	tree_end(&t);
	return tree_out_finish(&t, e);
}
