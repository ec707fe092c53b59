/* Models: any text is read or refused with a sentence; expressions that were read are written as text that reads back
 * to itself; and a model that was read is evaluated, for a few processes, or refused with a sentence.
 */
#include <string.h>

#include "fuzz.h"
#include "core/models/graph/graph.h"
#include "core/models/graph/evaluate.h"
#include "core/models/language/formula.h"
#include "core/models/graph/model_read.h"

#define MOST_VALUES 32
#define MOST_LOOKS 64 /* of the evaluation at its job: then it is stopped */

static bool stop_soon(void *arg)
{
	unsigned *looks = arg;

	return ++*looks > MOST_LOOKS;
}

static void check_text(struct arena *arena, const struct expression *x)
{
	struct place at = {.file = "again", .line = 1};
	const struct expression *again;
	const char *once = expression_text(arena, x), *twice;

	must(once != NULL, "an expression has a text");
	if (strlen(once) > EXPRESSION_TEXT)
		return;
	must(!expression_parse(arena, once, at, &again, NULL), "which can be read");
	twice = expression_text(arena, again);
	must(twice && !strcmp(once, twice), "to the same expression");
}

/* What has a time may have bounds as expressions, which are expressions. */
static void write_bounds(const struct evaluate_input *in)
{
	struct bounds b;
	struct err e = {0};
	enum err_code code = bounds_make(&b, in, &e);

	if (code)
		must_be_sentence((int)code, &e);
	for (uint32_t i = 0; !code && i < b.count; i++) {
		const struct expression *x;
		enum err_code read = expression_parse(&b.arena, b.items[i].text, (struct place){"bound", 1, 1}, &x, &e);

		must(!read || read == ERR_LIMIT, "a bound is an expression");
	}
	bounds_release(&b);
}

static void evaluate_some(const struct program_model *m)
{
	struct interval values[MOST_VALUES];
	unsigned looks = 0;
	struct progress progress = {.stopped = stop_soon, .arg = &looks};
	struct evaluate_input in = {.model = m, .values = values, .progress = &progress};
	struct outcome out;
	struct err e = {0};
	enum err_code code;

	if (m->parameter_count > MOST_VALUES)
		return;
	for (uint32_t i = 0; i < m->parameter_count; i++)
		if (expression_constant(m->parameters[i].value, &values[i], NULL))
			values[i] = interval_point(i + 1);
	values[model_parameter(m, "p")] = interval_point(1 + m->parameter_count % 4);
	code = evaluate(&out, &in, &e);
	if (code)
		must_be_sentence((int)code, &e);
	else
		must(interval_is_finite(out.time) && out.time.lo <= out.time.hi, "a time is an interval");
	outcome_release(&out);
	if (!code) {
		looks = 0;
		write_bounds(&in);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct program_model m;
	struct err e = {0};
	enum err_code code = model_parse(&m, "fuzz.yaml", (const char *)bytes, size, &e);

	if (code) {
		must_be_sentence((int)code, &e);
		return 0;
	}
	for (uint32_t i = 0; i < m.functions.count; i++)
		for (uint32_t k = 0; k < m.functions.items[i].piece_count; k++)
			check_text(&m.arena, m.functions.items[i].pieces[k].value);
	for (uint32_t i = 0; i < m.parameter_count; i++)
		check_text(&m.arena, m.parameters[i].value);
	for (const struct model_node *n = m.program; n; n = n->next)
		if (n->value)
			check_text(&m.arena, n->value);
	evaluate_some(&m);
	program_model_release(&m);
	return 0;
}
