#include "graph.h"

#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/unit.h"
#include "graph_int.h"

static const char *const views[] = {"nested", "whole"};

/* ---- documents ---- */

/* The name of what the time is held up by; NULL: nothing. */
static const char *bottleneck(const struct outcome *o)
{
	return o->bottleneck == UINT32_MAX ? NULL : o->loads[o->bottleneck].name;
}

static void put_row(struct tree_out *t, const struct prediction *p, const struct prediction_row *row)
{
	const struct outcome *o = &row->outcome;

	tree_map(t, false);
	tree_put_parameters(t, p->model, row->values);
	tree_put_interval(t, "time", o->time);
	tree_put_interval(t, "free", o->free);
	tree_put_map(t, "loads", true);
	for (uint32_t i = 0; i < o->load_count; i++)
		tree_put_interval(t, o->loads[i].name, o->loads[i].time);
	tree_end(t);
	tree_put_text(t, "bottleneck", bottleneck(o));
	tree_put_list(t, "processes", false);
	for (uint32_t i = 0; o->processes && i < o->process_count; i++) {
		tree_map(t, true);
		tree_put_interval(t, "end", outcome_end(&o->processes[i], p->contention));
		tree_put_interval(t, "compute", o->processes[i].compute);
		tree_end(t);
	}
	tree_end(t);
	tree_put_real(t, "measured", row->measured);
	tree_put_real(t, "error", row->error);
	if (row->verdict == VERDICT_NONE)
		tree_put_null(t, "in_interval");
	else
		tree_put_bool(t, "in_interval", row->verdict == VERDICT_INSIDE);
	tree_put_list(t, "notes", false);
	for (uint32_t i = 0; i < o->note_count; i++)
		tree_text(t, o->notes[i]);
	tree_end(t);
	tree_end(t);
}

/* A part of a count of rows; null where that count is none. */
static void put_count(struct tree_out *t, const char *key, uint32_t n, uint32_t of)
{
	tree_put_real(t, key, of ? (double)n : (double)NAN);
}

static void put_counts(struct tree_out *t, const struct prediction *p)
{
	struct prediction_count n = prediction_count(p);

	put_count(t, "measured_rows", n.measured, n.measured);
	put_count(t, "interval_rows", n.intervals, n.measured);
	put_count(t, "in_interval", n.inside, n.intervals);
}

enum err_code prediction_write_tree(const struct prediction *p, bool json, struct out *out, struct err *e)
{
	struct tree_out t;

	tree_out_init(&t, out, json);
	tree_map(&t, false);
	tree_put_prediction(&t, "pas2p_prediction", p->model, p->machine);
	tree_put_text(&t, "contention", views[p->contention]);
	tree_put_list(&t, "rows", false);
	for (uint32_t i = 0; i < p->row_count; i++)
		put_row(&t, p, &p->rows[i]);
	tree_end(&t);
	put_counts(&t, p);
	tree_end(&t);
	return tree_out_finish(&t, e);
}

/* ---- rows ---- */

#define TEXT_SIZE 96
#define FIGURES 8 /* behind the parameters, at most */

struct prediction_table {
	const struct prediction *p;
	struct column_look *columns;
	size_t count;
	char (*text)[TEXT_SIZE]; /* of the row, by column */
};

static const char *parameter_text(char *text, struct interval v)
{
	char lo[40], hi[40];

	snprintf(lo, sizeof lo, "%.9g", v.lo);
	snprintf(hi, sizeof hi, "%.9g", v.hi);
	snprintf(text, TEXT_SIZE, strcmp(lo, hi) == 0 ? "%s" : "[%s,%s]", lo, hi);
	return text;
}

static struct cell parameter_cell(char *text, struct interval v)
{
	char lo[NUMBER_TEXT], hi[NUMBER_TEXT];

	if (interval_is_point(v))
		return cell_real(v.lo);
	number_format(v.lo, lo);
	number_format(v.hi, hi);
	snprintf(text, TEXT_SIZE, "[%s,%s]", lo, hi);
	return cell_text(text);
}

static enum err_code prediction_csv_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct prediction_table *t = arg;
	const struct prediction_row *row = &t->p->rows[i];
	uint32_t n = t->p->model->parameter_count;

	(void)keep;
	(void)e;
	for (uint32_t k = 0; k < n; k++)
		cells[k] = parameter_cell(t->text[k], row->values[k]);
	cells[n++] = cell_real(row->outcome.time.lo);
	cells[n++] = cell_real(row->outcome.time.hi);
	cells[n++] = cell_real(row->outcome.free.lo);
	cells[n++] = cell_real(row->outcome.free.hi);
	cells[n++] = cell_text(bottleneck(&row->outcome));
	cells[n++] = cell_figure(row->measured);
	cells[n++] = cell_figure(row->error);
	cells[n] = row->verdict == VERDICT_NONE ? cell_empty() : cell_bool(row->verdict == VERDICT_INSIDE);
	return ERR_OK;
}

static enum err_code table_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct prediction_table *t = arg;
	const struct prediction_row *row = &t->p->rows[i];
	uint32_t n = t->p->model->parameter_count;

	(void)keep;
	(void)e;
	for (uint32_t k = 0; k < n; k++)
		cells[k] = cell_text(parameter_text(t->text[k], row->values[k]));
	cells[n] = cell_text(predicted_text(t->text[n], row->outcome.time));
	n++;
	cells[n] = cell_text(predicted_text(t->text[n], row->outcome.free));
	n++;
	cells[n++] = cell_text(bottleneck(&row->outcome) ? bottleneck(&row->outcome) : "-");
	if (n + 3 > t->count)
		return ERR_OK;
	snprintf(t->text[n], TEXT_SIZE, "%.9g", row->measured);
	cells[n] = cell_text(isnan(row->measured) ? "-" : t->text[n]);
	n++;
	cells[n] = cell_text(isnan(row->error) ? "-" : unit_multiple(t->text[n], row->error, 2));
	cells[n + 1] = cell_text(predict_verdict_text(row->verdict));
	return ERR_OK;
}

enum err_code prediction_write_rows(const struct prediction *p, enum rows_format format, const struct rows_sink *sink, struct err *e)
{
	static const struct column_look csv[] = {
		{"time_min", "time_min", LOOK_RIGHT, .decimals = ROWS_SHORTEST}, {"time_max", "time_max", LOOK_RIGHT, .decimals = ROWS_SHORTEST},
		{"free_min", "free_min", LOOK_RIGHT, .decimals = ROWS_SHORTEST}, {"free_max", "free_max", LOOK_RIGHT, .decimals = ROWS_SHORTEST},
		{"bottleneck", "bottleneck", .align = LOOK_LEFT}, {"measured", "measured", LOOK_RIGHT, .decimals = ROWS_SHORTEST},
		{"error", "error", LOOK_RIGHT, .decimals = ROWS_SHORTEST}, {"in_interval", "in_interval", .align = LOOK_LEFT},
	};
	static const struct column_look table[] = {
		{"time", "time (s)", .align = LOOK_RIGHT}, {"free", "free (s)", .align = LOOK_RIGHT}, {"bottleneck", "bottleneck", .align = LOOK_LEFT},
		{"measured", "measured (s)", .align = LOOK_RIGHT}, {"error", "error", .align = LOOK_RIGHT},
		{"in_interval", "in interval", .align = LOOK_LEFT},
	};
	uint32_t n = p->model->parameter_count;
	struct prediction_table t = {.p = p};
	struct rows rows;
	enum err_code code;

	t.columns = mem_alloc((size_t)n + FIGURES, sizeof *t.columns);
	t.text = mem_alloc((size_t)n + FIGURES, sizeof *t.text);
	for (uint32_t i = 0; t.columns && i < n; i++)
		t.columns[i] = (struct column_look){p->model->parameters[i].name, p->model->parameters[i].name, LOOK_RIGHT, .decimals = ROWS_SHORTEST};
	if (!t.columns || !t.text) {
		code = err_memory(e, "rows of a prediction");
	} else {
		t.count = n + (format == ROWS_TABLE ? (p->points.count ? 6 : 3) : FIGURES);
		memcpy(t.columns + n, format == ROWS_TABLE ? table : csv, (t.count - n) * sizeof *csv);
		rows = (struct rows){t.columns, t.count, p->row_count, format == ROWS_TABLE ? table_row : prediction_csv_row, &t};
		code = rows_write(&rows, format, TEXT_UTF8, 0, sink, p->progress, e);
	}
	mem_free(t.columns);
	mem_free(t.text);
	return code;
}

void prediction_write_inside(const struct prediction *p, struct out *out)
{
	struct prediction_count n = prediction_count(p);
	uint32_t numbers = n.measured - n.intervals;

	if (n.intervals)
		out_printf(out, "%u of %u measured times are inside the predicted interval\n", n.inside, n.intervals);
	if (numbers)
		out_printf(out, "%u predicted time%s no interval, so the measured time cannot be checked\n", numbers,
			   numbers > 1 ? "s have" : " has");
}

void prediction_write_notes(const struct prediction *p, const char *prefix, struct out *out)
{
	for (uint32_t i = 0; i < p->row_count; i++) {
		const struct outcome *o = &p->rows[i].outcome, *before = i ? &p->rows[i - 1].outcome : NULL;

		for (uint32_t k = 0; k < o->note_count; k++) {
			bool told = false;

			for (uint32_t b = 0; before && b < before->note_count && !told; b++)
				told = strcmp(before->notes[b], o->notes[k]) == 0;
			if (!told)
				out_printf(out, "%s%s\n", prefix, o->notes[k]);
		}
	}
}

const char *predicted_text(char text[PREDICTED_TEXT], struct interval v)
{
	char lo[32], hi[32];

	snprintf(lo, sizeof lo, "%.9g", v.lo);
	snprintf(hi, sizeof hi, "%.9g", v.hi);
	snprintf(text, PREDICTED_TEXT, strcmp(lo, hi) == 0 ? "%s" : "%s - %s", lo, hi);
	return text;
}

void tree_put_interval(struct tree_out *t, const char *key, struct interval v)
{
	tree_put_reals(t, key, (double[]){v.lo, v.hi}, 2);
}

void tree_put_prediction(struct tree_out *t, const char *kind, const struct program_model *m, const struct machine *machine)
{
	tree_put_whole(t, kind, 1);
	tree_put_text(t, "model", m->name ? m->name : m->file);
	tree_put_text(t, "machine", !machine ? NULL : machine->name ? machine->name : machine->file);
}

void tree_put_parameters(struct tree_out *t, const struct program_model *m, const struct interval *values)
{
	tree_put_map(t, "parameters", true);
	for (uint32_t i = 0; i < m->parameter_count; i++) {
		if (interval_is_point(values[i]))
			tree_put_real(t, m->parameters[i].name, values[i].lo);
		else
			tree_put_interval(t, m->parameters[i].name, values[i]);
	}
	tree_end(t);
}
