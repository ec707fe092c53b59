/* Measurements to be fitted: any file is read and fitted, or refused with a sentence; every number that comes out is
 * one, and the functions read back. Input: a byte that says how, then the file. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "core/io/yaml_in.h"
#include "core/models/fit/fit.h"
#include "core/models/fit/measurements_csv.h"

static enum err_code add(void *arg, const char *bytes, size_t n, struct err *e)
{
	(void)e;
	out_add(arg, bytes, n);
	return ERR_OK;
}

static void look_at(const struct fit_report *r)
{
	for (uint32_t i = 0; i < r->models; i++) {
		const struct fit *f = &r->model[i].fit;

		must(!isinf(f->error) && !(f->error < 0), "the error is a number or not known");
		must((f->terms > 0) != (f->pieces > 0), "a fit is terms or pieces");
		for (uint32_t k = 0; k < f->terms; k++)
			must(isfinite(f->term[k].coefficient), "coefficients are finite");
		for (uint32_t k = 0; k < r->places; k++) {
			const struct fit_value *v = &r->model[i].prediction[k];

			must(!isinf(v->value) && v->extrapolation >= 1 && !(v->low > v->high), "values are numbers or not defined");
			/* Times are not below 0, even where the model is. */
			must((f->positive && v->value < 0) || (!(v->low > v->value) && !(v->high < v->value)), "values lie in their intervals");
		}
	}
}

static void write_all(const struct fit_report *r)
{
	struct out json, csv, yaml, text;
	struct rows_sink sink = {add, &csv};
	struct yaml_in doc;
	struct err e;

	out_init(&json);
	out_init(&csv);
	out_init(&yaml);
	out_init(&text);
	must(fit_report_json(r, &json, &e) == ERR_OK, "JSON can be written");
	must(!strstr(json.text, "inf,") && !strstr(json.text, "nan,"), "of numbers");
	must(fit_report_csv(r, &sink, NULL, &e) == ERR_OK, "rows can be written");
	must(fit_report_print(r, &text, &e) == ERR_OK, "and text");
	must(fit_report_functions(r, NULL, &yaml, &e) == ERR_OK, "and functions");
	must(yaml_in_init(&doc, "fuzz.yaml", yaml.text, yaml.len, &e) == ERR_OK, "which are YAML");
	yaml_in_release(&doc);
	out_release(&json);
	out_release(&csv);
	out_release(&yaml);
	out_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const double breaks[] = {10};
	double at[2 * CSV_COLUMNS];
	struct fit_options o = {.kind = FIT_DEFAULT};
	struct source source;
	struct measurements m;
	struct measured_sets sets;
	struct fit_report r;
	struct err e = {0};
	enum err_code code;

	if (size < 2)
		return 0;
	o.weights = bytes[0] & 1 ? FIT_EQUAL : FIT_RELATIVE;
	switch (bytes[0] >> 3 & 7) {
	case 1: o.kind = FIT_POLY; break;
	case 2: o.kind = FIT_POWER; break;
	case 3: o.kind = FIT_PIECES; break;
	case 4: o.degree = 2; break;
	case 5: o.segments = 2; break;
	case 6: o.breaks = breaks, o.break_count = 1; break;
	case 7: o.kind = FIT_AUTO; break;
	default: break;
	}
	if (source_open_memory(&source, "fuzz.csv", bytes + 1, size - 1, &e))
		return 0;
	code = measurements_read(&m, &source, 1, NULL, NULL, &e);
	source_release(&source);
	if (code) {
		must_be_sentence((int)code, &e);
		return 0;
	}
	for (uint32_t k = 0; k < 2 * m.parameters; k++)
		at[k] = k < m.parameters ? 1000 : -0.5;
	must(measurements_sets(&m, (enum measured_value)((bytes[0] >> 1 & 3) % 3), &sets, &e) == ERR_OK, "what was read has points");
	code = fit_report_make(&r, "fuzz.csv", &m, &sets, &o, at, 2, NULL, &e);
	if (code) {
		must_be_sentence((int)code, &e);
	} else {
		look_at(&r);
		write_all(&r);
		fit_report_release(&r);
	}
	measured_sets_release(&sets);
	measurements_release(&m);
	return 0;
}
