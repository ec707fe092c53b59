#include "model_int.h"

#include "core/base/mem.h"
#include "core/models/fit/write.h"
#include "core/models/graph/graph.h"

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
