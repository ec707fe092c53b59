#include "model.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/io/source.h"
#include "core/models/fit/measurements_csv.h"
#include "core/models/fit/write.h"
#include "core/models/graph/graph.h"
#include "core/models/graph/model_read.h"
#include "core/models/machine/machine.h"
#include "model_int.h"

/* --- probabilities as parameters --- */

/* A branch whose probability is written as a number can be turned like a parameter. With a condition, or by a
 * formula, it follows from others. */
static bool is_probability(const struct model_node *n)
{
	const struct expression *x = n->value;

	if (n->kind != NODE_IF || !x)
		return false;
	if (x->kind == EXPRESSION_NUMBER)
		return x->value > 0 && x->value < 1;
	return x->kind == EXPRESSION_INTERVAL && x->first->kind == EXPRESSION_NUMBER &&
		x->first->next->kind == EXPRESSION_NUMBER;
}

/* A name that no parameter of the file can have, since it holds blanks. */
static const char *probability_name(struct program_model *m, const struct model_node *n)
{
	char text[96];

	snprintf(text, sizeof text, "%.60s, line %u", n->name ? n->name : "if", (unsigned)n->place.line);
	for (unsigned k = 2; model_parameter(m, text) != UINT32_MAX; k++)
		snprintf(text, sizeof text, "%.60s, line %u (%u)", n->name ? n->name : "if", (unsigned)n->place.line, k);
	return arena_strndup(&m->arena, text, strlen(text));
}

static enum err_code add_probability(struct program_model *m, struct model_node *n, struct err *e)
{
	struct model_parameter *list = arena_alloc(&m->arena, (m->parameter_count + 1) * sizeof *list);
	struct expression *x = arena_alloc(&m->arena, sizeof *x);
	const char *name = probability_name(m, n);

	if (!list || !x || !name)
		return err_memory(e, "the model's probabilities");
	memcpy(list, m->parameters, m->parameter_count * sizeof *list);
	list[m->parameter_count++] = (struct model_parameter){name, n->value, n->place};
	m->parameters = list;
	*x = (struct expression){.kind = EXPRESSION_NAME, .depth = 1, .at = n->value->at, .name = name};
	n->value = x;
	return ERR_OK;
}

#define PROBABILITIES 16 /* more have no room on a screen */

static enum err_code find_probabilities(struct program_model *m, struct model_node *n, uint32_t most, struct err *e)
{
	enum err_code code = ERR_OK;

	for (; !code && n && m->parameter_count < most; n = n->next) {
		if (is_probability(n))
			code = add_probability(m, n, e);
		if (!code)
			code = find_probabilities(m, n->body, most, e);
		if (!code)
			code = find_probabilities(m, n->otherwise, most, e);
	}
	return code;
}

static enum err_code take_probabilities(struct models_program *p, struct err *e)
{
	uint32_t most = p->parameters + PROBABILITIES;
	enum err_code code = find_probabilities(&p->model, p->model.program, most, e);

	for (uint32_t i = 0; !code && i < p->model.block_count; i++)
		code = find_probabilities(&p->model, p->model.blocks[i].body, most, e);
	return code;
}

/* --- the documents --- */

static char *models_copy_path(const char *path, struct err *e)
{
	char *text = mem_strdup(path);

	if (!text)
		err_memory(e, "a model");
	return text;
}

enum err_code models_program_open(struct models_program **out, const char *path, const char *machine_path,
				  struct err *e)
{
	struct models_program *p = mem_zero(1, sizeof *p);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (!p)
		return err_memory(e, "a model");
	atomic_init(&p->refs, 1);
	program_model_init(&p->model);
	machine_init(&p->machine);
	if (path && !(p->path = models_copy_path(path, e)))
		code = ERR_MEMORY;
	if (!code && machine_path && !(p->machine_path = models_copy_path(machine_path, e)))
		code = ERR_MEMORY;
	if (!code && path)
		code = model_read(&p->model, path, e);
	p->parameters = p->model.parameter_count;
	if (!code && p->model.program)
		code = take_probabilities(p, e);
	if (!code && machine_path)
		code = machine_read(&p->machine, machine_path, e);
	if (code)
		models_program_unref(p);
	else
		*out = p;
	return code;
}

struct models_program *models_program_ref(struct models_program *p)
{
	if (p)
		atomic_fetch_add(&p->refs, 1);
	return p;
}

void models_program_unref(struct models_program *p)
{
	if (!p || atomic_fetch_sub(&p->refs, 1) > 1)
		return;
	program_model_release(&p->model);
	machine_release(&p->machine);
	mem_free(p->path);
	mem_free(p->machine_path);
	mem_free(p);
}

enum err_code models_measured_open(struct models_measured **out, const char *path, const struct progress *progress, struct err *e)
{
	struct models_measured *m = mem_zero(1, sizeof *m);
	struct source source;
	enum err_code code;

	*out = NULL;
	if (!m)
		return err_memory(e, "measurements");
	atomic_init(&m->refs, 1);
	code = source_open_file(&source, path, e);
	if (!code) {
		m->path = models_copy_path(path, e);
		code = m->path ? measurements_read(&m->measurements, &source, 1, NULL, progress, e) : ERR_MEMORY;
		source_release(&source);
	}
	if (!code)
		code = measurements_sets(&m->measurements, VALUE_MEAN, &m->sets, e);
	if (code)
		models_measured_unref(m);
	else
		*out = m;
	return code;
}

struct models_measured *models_measured_ref(struct models_measured *m)
{
	if (m)
		atomic_fetch_add(&m->refs, 1);
	return m;
}

void models_measured_unref(struct models_measured *m)
{
	if (!m || atomic_fetch_sub(&m->refs, 1) > 1)
		return;
	measured_sets_release(&m->sets);
	measurements_release(&m->measurements);
	mem_free(m->path);
	mem_free(m);
}

enum err_code models_write_fits(const struct models *m, struct out *out, struct err *e)
{
	const struct fit **fits = mem_zero(m->fits, sizeof *fits);
	const char **names = mem_zero(m->fits, sizeof *names);
	uint32_t n = 0;
	enum err_code code = fits && names ? ERR_OK : err_memory(e, "the functions");

	for (uint32_t i = 0; !code && i < m->fits; i++) {
		const struct models_row row = {MODELS_FIT, i};

		if (!m->fit[i].has_fit)
			continue;
		fits[n] = &m->fit[i].fit;
		names[n++] = models_row_name(m, &row);
	}
	if (!code)
		code = fit_functions(out, fits, names, n, e);
	mem_free(fits);
	mem_free(names);
	return code;
}

/* As pas2p predict has it, evaluated once more: that takes as long as it did before. */
enum err_code models_write_prediction(const struct models *m, struct out *out, struct err *e)
{
	struct models_point point;
	const char *why;
	struct prediction_row row = {.measured = models_measured_here(m, &why)};
	struct prediction p = {.model = &m->program->model, .contention = m->contention, .keep_processes = true, .rows = &row,
			       .row_count = 1};
	struct evaluate_input in;
	enum err_code code;

	models_point_init(&point, m);
	code = models_point_resolve(&point, e);
	if (!code) {
		models_point_input(&point, NULL, &in);
		p.machine = in.machine;
		row.values = point.values;
		code = evaluate(&row.outcome, &in, e);
		if (!code) {
			predict_compare(&row);
			code = prediction_write_tree(&p, false, out, e);
		}
		outcome_release(&row.outcome);
	}
	models_point_release(&point);
	return code;
}
