/* What -D says: the values of a parameter. */
#include <string.h>

#include "core/base/text.h"
#include "core/models/language/formula.h"
#include "predict.h"

struct sweep_text {
	const char *whole;  /* as given, for sentences */
	struct predict_sweep *sweep;
	size_t cap;
	struct err *e;
};

static enum err_code sweep_wrong(const struct sweep_text *t, const char *what)
{
	char safe[160];

	return err_set(t->e, ERR_USAGE, "-D %s: %s", text_safe(safe, sizeof safe, t->whole, SIZE_MAX, TEXT_UTF8), what);
}

static enum err_code sweep_add_value(struct sweep_text *t, struct interval v)
{
	struct predict_sweep *s = t->sweep;
	struct interval *grown = mem_grow(s->values, s->count, &t->cap, sizeof *grown);

	if (!grown)
		return err_memory(t->e, "a parameter's values");
	s->values = grown;
	if (s->count == PREDICT_ROWS)
		return sweep_wrong(t, "too many values");
	s->values[s->count++] = v;
	return ERR_OK;
}

/* A number or an interval as the language has it. */
static enum err_code value(struct sweep_text *t, const char *text, size_t n, struct interval *v)
{
	const struct place nowhere = {"-D", 0, 0};
	const struct expression *x;
	struct arena arena;
	struct err e = {0};
	char *copy;
	enum err_code code;

	arena_init(&arena);
	copy = arena_strndup(&arena, text, n);
	if (!copy)
		code = err_memory(t->e, "a parameter's values");
	else if (!n)
		code = sweep_wrong(t, "a value is missing");
	else if (expression_parse(&arena, copy, nowhere, &x, &e) || expression_constant(x, v, &e))
		code = e.code == ERR_MEMORY ? err_memory(t->e, "a parameter's values")
					    : sweep_wrong(t, "expected numbers, [low,high], FIRST..LAST:STEP or "
							  "FIRST..LAST*FACTOR, separated by commas");
	else
		code = ERR_OK;
	arena_release(&arena);
	return code;
}

/* FIRST..LAST, FIRST..LAST:STEP, FIRST..LAST*FACTOR; dots is where the two are. */
static enum err_code range(struct sweep_text *t, const char *text, const char *dots, const char *end)
{
	const char *by = end;
	struct interval first, last, step = interval_point(1);
	enum err_code code;
	bool factor;

	while (by > dots + 2 && *by != ':' && *by != '*')
		by--;
	factor = *by == '*' && by > dots + 2;
	code = value(t, text, (size_t)(dots - text), &first);
	if (by == dots + 2)
		by = end;
	if (!code)
		code = value(t, dots + 2, (size_t)(by - dots - 2), &last);
	if (!code && by < end)
		code = value(t, by + 1, (size_t)(end - by - 1), &step);
	if (code)
		return code;
	if (!interval_is_point(first) || !interval_is_point(last) || !interval_is_point(step))
		return sweep_wrong(t, "a range needs two numbers");
	if (first.lo > last.lo)
		return sweep_wrong(t, "the first value of a range is above its last");
	if (factor ? !(step.lo > 1 && first.lo > 0) : !(step.lo > 0))
		return sweep_wrong(t, factor ? "a factor must be above 1, and the first value above "
				   "0" : "a step must be "
				   "above 0");
	for (double k = 0; !code; k++) {
		double v = factor ? first.lo * pow(step.lo, k) : first.lo + k * step.lo;

		if (!(v <= last.lo * (1 + (last.lo > 0 ? 1e-12 : -1e-12)) + 1e-300))
			break;
		code = sweep_add_value(t, interval_point(v));
	}
	return code;
}

static enum err_code sweep_read_item(struct sweep_text *t, const char *text, const char *end)
{
	const char *dots = NULL;
	struct interval v;
	enum err_code code;

	for (const char *c = text; c + 1 < end && !dots; c++)
		if (c[0] == '.' && c[1] == '.')
			dots = c;
	if (dots)
		return range(t, text, dots, end);
	code = value(t, text, (size_t)(end - text), &v);
	return code ? code : sweep_add_value(t, v);
}

static enum err_code check_processes(const struct sweep_text *t)
{
	for (uint32_t i = 0; i < t->sweep->count; i++) {
		struct interval v = t->sweep->values[i];

		if (!interval_is_point(v) || v.lo != floor(v.lo) || v.lo < 1 || v.lo > EVALUATE_PROCESSES)
			return sweep_wrong(t, "p must be a whole number from 1 to 1048576");
	}
	return ERR_OK;
}

enum err_code predict_sweep(struct prediction *p, const char *text, struct err *e)
{
	const char *equals = strchr(text, '='), *c;
	struct predict_sweep s = {.parameter = UINT32_MAX}, *grown;
	struct sweep_text t = {text, &s, 0, e};
	int depth = 0;
	enum err_code code = ERR_OK;

	if (!equals || equals == text)
		return sweep_wrong(&t, "expected NAME=VALUES");
	for (uint32_t i = 0; i < p->model->parameter_count; i++)
		if (strlen(p->model->parameters[i].name) == (size_t)(equals - text) &&
		    memcmp(p->model->parameters[i].name, text, (size_t)(equals - text)) == 0)
			s.parameter = i;
	if (s.parameter == UINT32_MAX)
		return sweep_wrong(&t, "the model has no such parameter");
	for (size_t i = 0; i < p->sweep_count; i++)
		if (p->sweeps[i].parameter == s.parameter)
			return sweep_wrong(&t, "this parameter has values already");
	for (uint32_t i = 0; i < p->points.parameter_count; i++)
		if (p->points.parameters[i] == s.parameter)
			return sweep_wrong(&t, "this parameter takes its values from the measurements");
	for (const char *from = c = equals + 1; !code; c++) {
		depth += (*c == '[' || *c == '(') - (*c == ']' || *c == ')');
		if ((*c == ',' && depth <= 0) || !*c) {
			code = sweep_read_item(&t, from, c);
			from = c + 1;
		}
		if (!*c)
			break;
	}
	if (!code && strcmp(p->model->parameters[s.parameter].name, "p") == 0)
		code = check_processes(&t);
	grown = code ? NULL : mem_grow(p->sweeps, p->sweep_count, &p->sweep_cap, sizeof *grown);
	if (!code && !grown)
		code = err_memory(e, "a parameter's values");
	if (code) {
		mem_free(s.values);
		return code;
	}
	p->sweeps = grown;
	p->sweeps[p->sweep_count++] = s;
	return ERR_OK;
}
