#include "predict.h"

#include <string.h>

#include "core/models/language/formula.h"

#define END_KNOWN 1e-9 /* relative: what a table shows of an end, nine digits */

enum err_code predict_default(const struct program_model *m, uint32_t parameter, const struct interval *values, struct interval *v, struct err *e)
{
	const struct expression *x = m->parameters[parameter].value;
	const struct scope none = {NULL, 0, false};
	const char **names;
	const struct formula *f;
	struct formula_run run;
	struct library l;
	enum err_code code;

	if (x->kind == EXPRESSION_NUMBER) {
		*v = interval_point(x->value);
		return ERR_OK;
	}
	names = mem_alloc(parameter, sizeof *names);
	if (!names)
		return err_memory(e, "a parameter's default");
	for (uint32_t i = 0; i < parameter; i++)
		names[i] = m->parameters[i].name;
	code = library_init(&l, names, parameter, NULL, 0, e);
	if (!code)
		code = library_bind(&l, x, &none, &f, e);
	formula_run_init(&run, &l, NULL, FORMULA_STEPS);
	run.values = (struct formula_values){.parameters = values, .processes = 1};
	if (!code)
		code = formula_value(&run, f, v, e);
	formula_run_release(&run);
	library_release(&l);
	mem_free(names);
	return code;
}

/* Which value of each sweep, and which point, a row has: the last sweep varies fastest. */
static void place_row(const struct prediction *p, uint32_t row, struct interval *values, bool *given, double *measured)
{
	const struct predict_points *at = &p->points;

	for (size_t i = p->sweep_count; i--;) {
		const struct predict_sweep *s = &p->sweeps[i];

		values[s->parameter] = s->values[row % s->count];
		given[s->parameter] = true;
		row /= s->count;
	}
	*measured = NAN;
	if (!at->count)
		return;
	*measured = at->measured[row];
	for (uint32_t k = 0; k < at->parameter_count; k++) {
		values[at->parameters[k]] = interval_point(at->at[(size_t)row * at->parameter_count + k]);
		given[at->parameters[k]] = true;
	}
}

static enum err_code evaluate_row(const struct prediction *p, uint32_t i, struct prediction_row *row, struct err *e)
{
	struct evaluate_input in = {p->model, p->machine, p->base, NULL, p->contention, p->progress};
	bool *given = mem_zero(p->model->parameter_count, sizeof *given);
	enum err_code code = ERR_OK;

	row->values = mem_zero(p->model->parameter_count, sizeof *row->values);
	if (!row->values || !given) {
		mem_free(given);
		return err_memory(e, "a prediction's values");
	}
	place_row(p, i, row->values, given, &row->measured);
	for (uint32_t k = 0; !code && k < p->model->parameter_count; k++)
		if (!given[k])
			code = predict_default(p->model, k, row->values, &row->values[k], e);
	in.values = row->values;
	if (!code)
		code = evaluate(&row->outcome, &in, e);
	predict_compare(row);
	mem_free(given);
	return code;
}

enum predict_verdict predict_verdict(struct interval time, double measured)
{
	double below = END_KNOWN * fabs(time.lo), above = END_KNOWN * fabs(time.hi);

	if (isnan(measured) || !(time.hi - time.lo > above))
		return VERDICT_NONE;
	return measured >= time.lo - below && measured <= time.hi + above ? VERDICT_INSIDE : VERDICT_OUTSIDE;
}

const char *predict_verdict_text(enum predict_verdict v)
{
	return v == VERDICT_NONE ? "-" : v == VERDICT_INSIDE ? "yes" : "no";
}

void predict_compare(struct prediction_row *row)
{
	row->error = (interval_middle(row->outcome.time) - row->measured) / row->measured;
	if (!isfinite(row->error))
		row->error = NAN;
	row->verdict = predict_verdict(row->outcome.time, row->measured);
}

struct prediction_count prediction_count(const struct prediction *p)
{
	struct prediction_count n = {0, 0, 0};

	for (uint32_t i = 0; i < p->row_count; i++) {
		n.measured += !isnan(p->rows[i].measured);
		n.intervals += p->rows[i].verdict != VERDICT_NONE;
		n.inside += p->rows[i].verdict == VERDICT_INSIDE;
	}
	return n;
}

enum err_code predict_rows(struct prediction *p, struct err *e)
{
	uint64_t rows = p->points.count ? p->points.count : 1, processes = 0;
	enum err_code code = ERR_OK;

	for (size_t i = 0; i < p->sweep_count && rows <= PREDICT_ROWS; i++)
		rows *= p->sweeps[i].count;
	if (rows > PREDICT_ROWS)
		return err_set(e, ERR_USAGE, "more than %u combinations of values", PREDICT_ROWS);
	p->rows = mem_zero(rows, sizeof *p->rows);
	if (!p->rows)
		return err_memory(e, "predictions");
	for (uint32_t i = 0; !code && i < rows; i++) {
		struct prediction_row *row = &p->rows[p->row_count++];

		code = evaluate_row(p, i, row, e);
		if (!p->keep_processes) {
			mem_free(row->outcome.processes);
			row->outcome.processes = NULL;
		}
		processes += row->outcome.process_count;
		if (!code && p->keep_processes && processes > PREDICT_PROCESSES)
			code = err_set(e, ERR_LIMIT, "the combinations have more than %u processes in total\nhint: "
				       "--format table or csv omits them",
				       PREDICT_PROCESSES);
		if (!code && progress_stopped(p->progress))
			code = err_set(e, ERR_CANCELLED, "interrupted");
	}
	return code;
}

void prediction_release(struct prediction *p)
{
	for (size_t i = 0; i < p->sweep_count; i++)
		mem_free(p->sweeps[i].values);
	for (uint32_t i = 0; i < p->row_count; i++) {
		outcome_release(&p->rows[i].outcome);
		mem_free(p->rows[i].values);
	}
	mem_free(p->sweeps);
	mem_free(p->rows);
	mem_free(p->points.parameters);
	mem_free(p->points.at);
	mem_free(p->points.measured);
	*p = (struct prediction){.model = p->model};
}

/* What was measured as the points of a prediction: its parameters are set from it. */

/* The column of a parameter among those that vary; UINT32_MAX: it is the same everywhere. */
static uint32_t column_of(const struct measured_set *set, const char *name)
{
	for (uint32_t i = 0; i < set->parameters; i++)
		if (strcmp(set->parameter[i], name) == 0)
			return i;
	return UINT32_MAX;
}

static enum err_code prediction_take_points(struct prediction *p, const struct measurements *m, const struct measured_set *set, const char *file, struct err *e)
{
	struct predict_points *to = &p->points;

	to->parameters = mem_alloc(m->parameters, sizeof *to->parameters);
	to->at = mem_alloc((size_t)m->parameters * set->points, sizeof *to->at);
	to->measured = mem_alloc(set->points, sizeof *to->measured);
	if (!to->parameters || !to->at || !to->measured)
		return err_memory(e, "the measurements");
	to->parameter_count = m->parameters;
	to->count = set->points;
	memcpy(to->measured, set->value, set->points * sizeof *to->measured);
	for (uint32_t k = 0; k < m->parameters; k++) {
		uint32_t column = column_of(set, m->parameter[k]);

		to->parameters[k] = model_parameter(p->model, m->parameter[k]);
		if (to->parameters[k] == UINT32_MAX)
			return err_set(e, ERR_FORMAT, "%s: the measurements have the parameter '%s', but the model "
				       "does not", file, m->parameter[k]);
		for (uint32_t i = 0; i < set->points; i++)
			to->at[(size_t)i * m->parameters + k] = column == UINT32_MAX ? m->at[k] : set->at[(size_t)i * set->parameters + column];
	}
	return ERR_OK;
}

enum err_code predict_measured(struct prediction *p, const struct measurements *m, const char *file, struct err *e)
{
	struct measured_sets sets;
	enum err_code code = measurements_sets(m, VALUE_MEAN, &sets, e);

	if (code)
		return code;
	if (sets.count != 1 || !sets.set[0].points)
		code = err_set(e, ERR_FORMAT, "%s: expected one group of measurements, %s", file, sets.count ? "found several" : "found none");
	else
		code = prediction_take_points(p, m, &sets.set[0], file, e);
	measured_sets_release(&sets);
	return code;
}
