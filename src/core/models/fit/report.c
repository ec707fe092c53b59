#include "fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/unit.h"
#include "write.h"

const char *fit_kind_name(enum fit_kind k)
{
	static const char *const names[] = {"", "pieces", "power", "poly", "auto"};

	return names[k];
}

const char *fit_weights_name(enum fit_weights w)
{
	return w == FIT_RELATIVE ? "relative" : "none";
}

/* ---- making ---- */

/* The number among those of the measurements that parameter k of a set has. */
static uint32_t parameter_of(const struct fit_report *r, const struct measured_set *s, uint32_t k)
{
	uint32_t i = 0;

	while (r->measurements->parameter[i] != s->parameter[k])
		i++;
	return i;
}

static enum err_code predict(const struct fit_report *r, struct fit_model *m, struct err *e)
{
	uint32_t n = m->set->parameters;

	m->prediction = mem_alloc(r->places, sizeof *m->prediction);
	m->at = mem_alloc((size_t)r->places * (n ? n : 1), sizeof *m->at);
	if (!m->prediction || !m->at)
		return err_memory(e, "the predictions");
	for (uint32_t i = 0; i < r->places; i++) {
		double *at = m->at + (size_t)i * n;

		for (uint32_t k = 0; k < n; k++) {
			at[k] = r->asked[(size_t)i * r->measurements->parameters + parameter_of(r, m->set, k)];
			if (isnan(at[k]))
				return err_set(e, ERR_USAGE, "--at gives no value of %s, which the fit depends "
					       "on", m->set->parameter[k]);
		}
		fit_at(&m->fit, at, &m->prediction[i]);
	}
	return ERR_OK;
}

enum err_code fit_report_make(struct fit_report *r, const char *file, const struct measurements *m, const struct measured_sets *sets,
			      const struct fit_options *o, const double *asked, uint32_t places, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	*r = (struct fit_report){.file = file, .measurements = m, .asked = asked, .places = places};
	r->model = mem_zero(sets->count, sizeof *r->model);
	if (!r->model)
		return err_memory(e, "the fits");
	for (uint32_t i = 0; !code && i < sets->count; i++) {
		struct fit_model *model = &r->model[i];
		struct fit_points points = measured_set_points(&sets->set[i]);

		model->set = &sets->set[i];
		r->models++;
		code = fit_make(&model->fit, &points, o, progress, e);
		if (!code)
			code = predict(r, model, e);
		if (code && code != ERR_MEMORY && code != ERR_CANCELLED && *model->set->name)
			err_prefix(e, "%s", model->set->name);
	}
	if (code)
		fit_report_release(r);
	return code;
}

void fit_report_release(struct fit_report *r)
{
	for (uint32_t i = 0; i < r->models; i++) {
		fit_release(&r->model[i].fit);
		mem_free(r->model[i].prediction);
		mem_free(r->model[i].at);
	}
	mem_free(r->model);
	*r = (struct fit_report){0};
}

/* What a model says at one of its points, and how far that is off. */
static double residual(const struct fit_model *m, uint32_t point, double *model)
{
	struct fit_value v;

	fit_at(&m->fit, m->set->at + (size_t)point * m->set->parameters, &v);
	*model = v.value;
	return fit_off(v.value, m->set->value[point]);
}

/* Infinite: no factor says how far, so none is shown. */
static double shown_extrapolation(const struct fit_value *v)
{
	return isinf(v->extrapolation) ? (double)NAN : v->extrapolation;
}

/* ---- notes ---- */

static void note_place(const struct fit_report *r, const struct fit_model *m, uint32_t place, fit_note *note, void *arg)
{
	const struct fit_value *v = &m->prediction[place];
	char text[FIT_NOTE], at[FIT_NOTE / 2] = "";
	size_t n = 0;

	for (uint32_t k = 0; k < m->set->parameters && n < sizeof at; k++)
		n += (size_t)snprintf(at + n, sizeof at - n, "%s%.60s = %.6g", k ? ", " : "", m->set->parameter[k],
				      m->at[(size_t)place * m->set->parameters + k]);
	if (isnan(v->value))
		snprintf(text, sizeof text, "at %s the fit is undefined", at);
	else if (isinf(v->extrapolation))
		snprintf(text, sizeof text, "%s is outside the measured range: the fit is unreliable there", at);
	else if (v->extrapolation > FIT_FAR)
		snprintf(text, sizeof text, "%s is %.*g times beyond the measured range: the fit is unreliable "
			 "there", at,
			 v->extrapolation < 1e6 && v->extrapolation >= 1000 ? 6 : 3, v->extrapolation);
	else
		text[0] = '\0';
	if (*text)
		note(arg, text);
	for (uint32_t i = 0; i < r->measurements->parameters; i++) {
		bool known = isnan(r->asked[(size_t)place * r->measurements->parameters + i]);

		for (uint32_t k = 0; k < m->set->parameters; k++)
			known |= r->measurements->parameter[i] == m->set->parameter[k];
		if (known)
			continue;
		snprintf(text, sizeof text, "%.60s has no effect: it is the same in all "
			 "measurements", r->measurements->parameter[i]);
		note(arg, text);
	}
}

void fit_report_notes(const struct fit_report *r, const struct fit_model *m, fit_note *note, void *arg)
{
	const struct fit *f = &m->fit;
	char text[FIT_NOTE], share[UNIT_TEXT];

	if (m->set->dropped) {
		snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64 " measurements are outliers and were "
			 "dropped", m->set->dropped,
			 m->set->measurements);
		note(arg, text);
	}
	if (f->weights_fell_back)
		note(arg, "relative weights need values above 0, so all points weigh the same");
	if (isnan(f->error)) {
		note(arg, f->points == 1 ? "the error is unknown: the fit has one point"
					 : "the error is unknown: the fit has too few points");
	} else if (fit_is_poor(f)) {
		snprintf(text, sizeof text, "the fit is poor: its cross-validation error is %s", unit_multiple(share, f->error, 1));
		note(arg, text);
	}
	for (uint32_t k = 0; k < f->pieces; k++) {
		if (f->piece[k].b >= 0)
			continue;
		snprintf(text, sizeof text, "the segment from %.9g to %.9g has a negative "
			 "slope", f->piece[k].from, f->piece[k].to);
		note(arg, text);
	}
	for (uint32_t i = 0; i < r->places; i++)
		note_place(r, m, i, note, arg);
}

/* ---- JSON ---- */

static void put_place(const struct fit_model *m, const double *at, struct tree_out *t)
{
	tree_put_map(t, "at", true);
	for (uint32_t k = 0; k < m->set->parameters; k++)
		tree_put_real(t, m->set->parameter[k], at[k]);
	tree_end(t);
}

static void put_model(const struct fit_report *r, const struct fit_model *m, struct tree_out *t)
{
	uint32_t n = m->set->parameters;

	tree_map(t, false);
	tree_put_text(t, "name", m->set->name);
	fit_tree(&m->fit, t);
	tree_put_whole(t, "measurements", m->set->measurements);
	tree_put_whole(t, "dropped", m->set->dropped);
	tree_put_text(t, "weights", fit_weights_name(m->fit.weights));
	tree_put_text(t, "form", fit_kind_name(m->fit.kind));
	tree_put_list(t, "residuals", false);
	for (uint32_t i = 0; i < m->set->points; i++) {
		double model, error = residual(m, i, &model);

		tree_map(t, true);
		put_place(m, m->set->at + (size_t)i * n, t);
		tree_put_real(t, "measured", m->set->value[i]);
		tree_put_real(t, "model", model);
		tree_put_real(t, "error", error);
		tree_end(t);
	}
	tree_end(t);
	tree_put_list(t, "predictions", false);
	for (uint32_t i = 0; i < r->places; i++) {
		const struct fit_value *v = &m->prediction[i];

		tree_map(t, true);
		put_place(m, m->at + (size_t)i * n, t);
		tree_put_real(t, "value", v->value);
		tree_put_real(t, "low", v->low);
		tree_put_real(t, "high", v->high);
		tree_put_real(t, "extrapolation", shown_extrapolation(v));
		tree_end(t);
	}
	tree_end(t);
	tree_end(t);
}

enum err_code fit_report_json(const struct fit_report *r, struct out *out, struct err *e)
{
	struct tree_out t;

	tree_out_init(&t, out, true);
	tree_map(&t, false);
	tree_put_whole(&t, "pas2p_fit", 1);
	tree_put_text(&t, "file", r->file);
	tree_put_list(&t, "models", false);
	for (uint32_t i = 0; i < r->models; i++)
		put_model(r, &r->model[i], &t);
	tree_end(&t);
	tree_end(&t);
	return tree_out_finish(&t, e);
}

/* ---- rows ---- */

struct fit_listed {
	const struct fit_report *r;
	struct column_look *column;
	uint32_t *parameter;     /* per column of a parameter: its number among those of the measurements */
	uint32_t parameters;
	uint32_t model;          /* of the next row */
	uint64_t begin;          /* the model's first row */
};

static uint64_t model_rows_of(const struct fit_report *r, uint32_t model)
{
	return r->places ? r->places : r->model[model].set->points;
}

static enum err_code fit_csv_row(void *arg, uint64_t i, struct cell *cells, bool *keep, struct err *e)
{
	struct fit_listed *l = arg;
	const struct fit_model *m;
	const double *at;
	uint64_t row;

	(void)keep;
	(void)e;
	while (i - l->begin >= model_rows_of(l->r, l->model)) {
		l->begin += model_rows_of(l->r, l->model);
		l->model++;
	}
	m = &l->r->model[l->model];
	row = i - l->begin;
	at = (l->r->places ? m->at : m->set->at) + row * m->set->parameters;
	*cells++ = cell_text(m->set->name);
	for (uint32_t c = 0; c < l->parameters; c++, cells++)
		for (uint32_t k = 0; k < m->set->parameters; k++)
			if (m->set->parameter[k] == l->r->measurements->parameter[l->parameter[c]])
				*cells = cell_real(at[k]);
	if (l->r->places) {
		const struct fit_value *v = &m->prediction[row];

		cells[0] = cell_figure(v->value);
		cells[1] = cell_figure(v->low);
		cells[2] = cell_figure(v->high);
		cells[3] = cell_figure(shown_extrapolation(v));
	} else {
		double model, error = residual(m, (uint32_t)row, &model);

		cells[0] = cell_real(m->set->value[row]);
		cells[1] = cell_figure(model);
		cells[2] = cell_figure(error);
	}
	return ERR_OK;
}

static bool varies_somewhere(const struct fit_report *r, uint32_t parameter)
{
	for (uint32_t i = 0; i < r->models; i++)
		for (uint32_t k = 0; k < r->model[i].set->parameters; k++)
			if (r->model[i].set->parameter[k] == r->measurements->parameter[parameter])
				return true;
	return false;
}

enum err_code fit_report_csv(const struct fit_report *r, const struct rows_sink *sink, const struct progress *progress, struct err *e)
{
	static const char *const of_points[] = {"measured", "model", "error"}, *const of_places[] = {"value", "low", "high", "extrapolation"};
	const char *const *last = r->places ? of_places : of_points;
	uint32_t most = r->measurements->parameters, after = r->places ? 4 : 3;
	struct fit_listed l = {.r = r};
	struct rows rows = {.row = fit_csv_row, .arg = &l};
	enum err_code code = ERR_OK;

	l.column = mem_zero(most + 1 + after, sizeof *l.column);
	l.parameter = mem_alloc(most, sizeof *l.parameter);
	if (!l.column || !l.parameter)
		code = err_memory(e, "the rows of the fits");
	if (!code) {
		l.column[rows.column_count++] = (struct column_look){"name", "name", .align = LOOK_LEFT};
		for (uint32_t i = 0; i < most; i++) {
			if (!varies_somewhere(r, i))
				continue;
			l.parameter[l.parameters++] = i;
			l.column[rows.column_count++] = (struct column_look){r->measurements->parameter[i], "", LOOK_RIGHT, .decimals = ROWS_SHORTEST};
		}
		for (uint32_t i = 0; i < after; i++)
			l.column[rows.column_count++] = (struct column_look){last[i], last[i], LOOK_RIGHT, .decimals = ROWS_SHORTEST};
		for (uint32_t i = 0; i < r->models; i++)
			rows.row_count += model_rows_of(r, i);
		rows.columns = l.column;
		code = rows_write(&rows, ROWS_CSV, TEXT_UTF8, 0, sink, progress, e);
	}
	mem_free(l.column);
	mem_free(l.parameter);
	return code;
}

/* ---- functions ---- */

enum err_code fit_report_functions(const struct fit_report *r, const char *name, struct out *out, struct err *e)
{
	const char **names = mem_alloc(r->models, sizeof *names);
	const struct fit **fits = mem_alloc(r->models, sizeof *fits);
	enum err_code code = ERR_OK;

	if (!names || !fits)
		code = err_memory(e, "the functions");
	else if (name && r->models > 1)
		code = err_set(e, ERR_USAGE, "--name: expected one function, found %u", r->models);
	for (uint32_t i = 0; !code && i < r->models; i++) {
		names[i] = name ? name : r->model[i].set->name;
		fits[i] = &r->model[i].fit;
	}
	if (!code)
		code = fit_functions(out, fits, names, r->models, e);
	mem_free(names);
	mem_free(fits);
	return code;
}
