#include "model_int.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/models/language/formula.h"

#define BYTES_MOST 4194304.0 /* of messages, where nothing says how large they are */

/* --- parts --- */

/* A part, and the formula that it is bound to. */
struct function_parts {
	struct models_curve *curve;
	struct library *library;
	struct scope scope;
	struct arena arena;
	const struct formula *formula[MODELS_PARTS];
};

static void put_part(struct function_parts *p, const struct expression *x, uint32_t depth, bool additive)
{
	struct models_curve *c = p->curve;
	struct models_part *part;
	const char *text;
	struct err ignored;

	if (c->parts == MODELS_PARTS) {
		c->parts_left++;
		return;
	}
	part = &c->part[c->parts];
	text = expression_text(&p->arena, x);
	*part = (struct models_part){.depth = depth, .additive = additive};
	snprintf(part->text, sizeof part->text, "%s", text ? text : "");
	if (library_bind(p->library, x, &p->scope, &p->formula[c->parts], &ignored))
		p->formula[c->parts] = NULL;
	c->parts++;
	if (x->kind == EXPRESSION_OVER || x->kind == EXPRESSION_INTERVAL)
		return; /* its parts name an index, or are numbers */
	for (const struct expression *i = x->first; i; i = i->next) {
		bool sum = additive && (x->kind == EXPRESSION_ADD || x->kind == EXPRESSION_SUB);

		/* a + b + c is one sum of three, not a sum in a sum. */
		if (sum && i->kind == EXPRESSION_ADD && i->first) {
			put_part(p, i->first, depth + 1, true);
			put_part(p, i->first->next, depth + 1, true);
		} else if (sum || i->kind != EXPRESSION_NUMBER) {
			put_part(p, i, depth + 1, sum);
		}
	}
}

static const struct expression *piece_at(const struct function *f, double at)
{
	uint32_t i = 0;

	while (i + 1 < f->piece_count && at > f->pieces[i].most)
		i++;
	return f->pieces[i].value;
}

/* --- the function --- */

static struct interval value_or_none(struct formula_run *run, uint32_t function, const struct interval *arguments,
				     uint32_t n, struct models_curve *c)
{
	struct interval v = {NAN, NAN};
	struct err why;

	run->steps = FORMULA_STEPS / MODELS_SWEEP;
	if (!function_value(run, function, arguments, n, &v, &why))
		return v;
	if (!c->say[0])
		memcpy(c->say, why.text, sizeof c->say);
	return (struct interval){NAN, NAN};
}

static void evaluate_parts(struct function_parts *p, struct formula_run *run)
{
	struct err ignored;

	for (uint32_t i = 0; i < p->curve->parts; i++) {
		struct models_part *part = &p->curve->part[i];

		run->steps = FORMULA_STEPS / MODELS_SWEEP;
		part->known = p->formula[i] && !formula_value(run, p->formula[i], &part->value, &ignored);
	}
}

static enum err_code evaluate_all(struct models_drawn *x, struct library *l, const struct progress *progress, struct err *e)
{
	struct models_curve *c = &x->curve;
	const struct function *f = x->function;
	uint32_t number = library_find(l, f->name), p = model_parameter(&x->point.program->model, "p");
	struct interval arguments[EXPRESSION_ARGUMENTS];
	struct function_parts parts = {.curve = c, .library = l, .scope = {f->arguments, f->argument_count, false}};
	struct formula_run run;
	enum err_code code = library_use(l, number, e);

	if (code)
		return code;
	arena_init(&parts.arena);
	put_part(&parts, piece_at(f, interval_middle(x->arguments[0])), 0, true);
	formula_run_init(&run, l, progress, FORMULA_STEPS);
	run.values = (struct formula_values){.parameters = x->point.values, .locals = x->arguments, .processes = 1};
	if (p != UINT32_MAX && x->point.values[p].lo >= 1 && x->point.values[p].lo <= EVALUATE_PROCESSES)
		run.values.processes = (uint32_t)x->point.values[p].lo;
	c->value = value_or_none(&run, number, x->arguments, f->argument_count, c);
	evaluate_parts(&parts, &run);
	memcpy(arguments, x->arguments, sizeof arguments);
	for (uint32_t i = 0; i < c->count; i++) {
		struct interval v;

		arguments[0] = interval_point(c->x[i]);
		v = value_or_none(&run, number, arguments, f->argument_count, c);
		c->low[i] = v.lo;
		c->high[i] = v.hi;
		c->middle[i] = interval_middle(v);
		if (progress_stopped(progress)) {
			code = err_set(e, ERR_CANCELLED, "stopped");
			break;
		}
	}
	formula_run_release(&run);
	arena_release(&parts.arena);
	return code;
}

static enum err_code curve_make(void *made, const struct progress *progress, struct err *e)
{
	struct models_drawn *x = made;
	const struct models_program *p = x->point.program;
	const struct expression_functions *lists[2] = {&p->model.functions, &p->machine.functions};
	const char **names = mem_zero(p->model.parameter_count, sizeof *names);
	struct err why = {ERR_OK, ""};
	struct library l;
	enum err_code code = names ? models_point_resolve(&x->point, &why) : err_memory(&why, "a function");

	for (uint32_t i = 0; names && i < p->model.parameter_count; i++)
		names[i] = p->model.parameters[i].name;
	if (!code) {
		code = library_init(&l, names, p->model.parameter_count, lists, 2, &why);
		if (!code)
			code = evaluate_all(x, &l, progress, &why);
		library_release(&l);
	}
	mem_free(names);
	if (code == ERR_CANCELLED || code == ERR_MEMORY) {
		*e = why;
		return code;
	}
	if (code) {
		memcpy(x->curve.say, why.text, sizeof x->curve.say);
		x->curve.count = 0;
	}
	return ERR_OK;
}

static const struct models_knob *knob_named(const struct models *s, const char *name)
{
	for (uint32_t i = 0; i < s->knobs; i++)
		if (s->knob[i].kind <= KNOB_PLACE && s->knob[i].known && !strcmp(s->knob[i].name, name))
			return &s->knob[i];
	return NULL;
}

/* The first argument's range: that of the knob of its name, otherwise what its pieces say, otherwise what messages are
 * like. */
static void find_places(struct models_drawn *x, const struct models *s, bool messages)
{
	const struct function *f = x->function;
	const struct models_knob *k = f->argument_count ? knob_named(s, f->arguments[0]) : NULL;
	double low = 1, high = messages ? BYTES_MOST : 1000;
	bool log = true, whole = false;

	if (messages && !k)
		k = knob_named(s, "bytes");
	if (k) {
		low = k->low;
		high = k->high;
		log = k->log;
		whole = k->whole;
	}
	if (f->piece_count > 1 && f->pieces[f->piece_count - 2].most > 0)
		high = fmax(high, 4 * f->pieces[f->piece_count - 2].most);
	x->curve.at = f->argument_count ? k ? k->value : interval_point(log ? sqrt(low * high) : (low + high) / 2) :
		interval_point(0);
	x->curve.count = f->argument_count ? models_places(low, high, log, whole, interval_middle(x->curve.at), x->curve.x,
							   MODELS_SWEEP) : 0;
	x->arguments[0] = x->curve.at;
	for (uint32_t i = 1; i < f->argument_count; i++) {
		k = knob_named(s, f->arguments[i]);
		x->arguments[i] = k ? k->value : interval_point(1);
	}
}

static bool curve_can(const void *from)
{
	const struct models *s = from;
	const struct models_row *row = models_selected(s);

	return row && models_function(s, row);
}

static void curve_begin(void *made, const void *from)
{
	const struct models *s = from;
	struct models_drawn *x = made;

	x->of = s->serial;
	x->curve.row = *models_selected(s);
	x->function = models_function(s, &x->curve.row);
	x->curve.value = (struct interval){NAN, NAN};
	find_places(x, s, x->curve.row.kind == MODELS_MESSAGES);
	models_point_init(&x->point, s);
}

static bool curve_is_of(const void *made, const void *from)
{
	const struct models_drawn *x = made;
	const struct models *s = from;
	const struct models_row *row = models_selected(s);

	return x->of == s->serial && x->curve.row.kind == row->kind && x->curve.row.index == row->index;
}

static void curve_release(void *made)
{
	models_point_release(&((struct models_drawn *)made)->point);
}

const struct derived_kind models_curve_kind = {
	"the function's curve", sizeof(struct models_drawn), curve_can, curve_begin, curve_is_of, curve_make, curve_release,
};
