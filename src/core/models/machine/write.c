#include "machine.h"

#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "core/io/tree_out.h"
#include "core/models/fit/fit.h"
#include "core/models/fit/write.h"
#include "core/models/fit/measurements.h"

#define ALIKE 0.05   /* speeds of nodes that differ by less are one */
#define DIGITS 4

/* ---- messages ---- */

/* Collectives that return at once if there is nothing to send: no law of messages holds there. */
static bool is_empty_nothing(enum pingpong_op op)
{
	return !pingpong_op_is_pair(op) && op != PINGPONG_barrier;
}

/* The rows of an operation, on one node or over several, as a function: nothing if there are none. */
static enum err_code write_function(struct out *out, const struct measurements *m, const char *name, bool pair, const struct progress *progress,
				    struct err *e)
{
	struct measured_sets sets;
	struct fit_points points;
	const struct fit_options options = {.kind = FIT_DEFAULT};
	struct fit fit;
	enum err_code code = measurements_sets(m, VALUE_MEAN, &sets, e);

	if (code)
		return code;
	points = measured_set_points(&sets.set[0]);
	code = fit_make(&fit, &points, &options, progress, e);
	if (!code) {
		out_printf(out, "  %s(bytes%s): ", name, pair ? "" : ", p");
		fit_expression(&fit, out);
		out_printf(out, " # %u point%s", fit.points, fit.points == 1 ? "" : "s");
		if (!isnan(fit.error))
			out_printf(out, ", expected error %.2g %%", 100 * fit.error);
		out_str(out, "\n");
		fit_release(&fit);
	}
	measured_sets_release(&sets);
	return code;
}

static enum err_code function_of(struct out *out, const struct pingpong_answer *a, enum pingpong_op op, bool inter, const char *ending,
				 const struct progress *progress, struct err *e)
{
	static const char *const parameters[] = {"bytes", "p"};
	struct measurements m;
	char name[64];
	enum err_code code = measurements_init(&m, parameters, 2, e);

	if (code)
		return code;
	for (size_t i = 0; i < a->rows && !code; i++)
		if (a->row[i].op == op && a->row[i].inter == inter && (a->row[i].bytes || !is_empty_nothing(op)))
			code = measurements_add(&m, "", (double[]){(double)a->row[i].bytes, a->row[i].p}, a->row[i].seconds, e);
	memcpy(name, pingpong_op_name(op), strlen(pingpong_op_name(op)) + 1);
	memcpy(name + strlen(name), ending, strlen(ending) + 1);
	if (!code && m.rows)
		code = write_function(out, &m, name, pingpong_op_is_pair(op), progress, e);
	measurements_release(&m);
	return code;
}

enum err_code machine_functions(struct out *functions, const struct pingpong_answer *a, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	for (int op = 0; op < PINGPONG_OP_COUNT && !code; op++) {
		bool intra = false, inter = false;

		for (size_t i = 0; i < a->rows; i++)
			if (a->row[i].op == (enum pingpong_op)op)
				*(a->row[i].inter ? &inter : &intra) = true;
		if (inter || intra)
			code = function_of(functions, a, (enum pingpong_op)op, inter, "", progress, e);
		if (!code && inter && intra && pingpong_op_is_pair((enum pingpong_op)op))
			code = function_of(functions, a, (enum pingpong_op)op, false, "_local", progress, e);
	}
	return code;
}

/* ---- operations and nodes ---- */

static void put_number(struct out *out, double v)
{
	char text[NUMBER_TEXT];
	double scale = v > 0 ? pow(10, DIGITS - 1 - floor(log10(v))) : 1;

	number_format(round(v * scale) / scale, text);
	out_str(out, text);
}

static void put_time(struct out *out, const struct machine_range *r)
{
	out_str(out, "[");
	put_number(out, r->low * 1e9);
	out_str(out, "ns, ");
	put_number(out, r->high * 1e9);
	out_str(out, "ns]");
}

static void put_figures(struct out *out, const struct machine_measured *m, const char *key, int from, int to)
{
	out_printf(out, "%s:\n", key);
	for (int i = from; i < to; i++) {
		out_printf(out, "  %s: ", machine_figure_name((enum machine_figure)i));
		put_time(out, &m->figure[i]);
		out_str(out, "\n");
	}
}

/* What speeds are taken from. */
static double time_of(const struct machine_measured *m)
{
	return m->figure[MACHINE_sum_double].low + m->figure[MACHINE_sum_double].high + m->figure[MACHINE_mpy_double].low +
	       m->figure[MACHINE_mpy_double].high;
}

static void put_row(struct out *out, size_t count, uint32_t cores, double speed, double shared)
{
	out_printf(out, "- {count: %zu, cores: %u, speed: ", count, cores);
	if (!isnan(shared)) {
		out_str(out, "[");
		put_number(out, speed * shared);
		out_str(out, ", ");
	}
	put_number(out, speed);
	out_str(out, isnan(shared) ? "}\n" : "]}\n");
}

static void put_nodes(struct out *out, const struct machine_measured *m, size_t count, double least)
{
	out_str(out, "nodes:\n");
	for (size_t i = 0, next; i < count; i = next) {
		double first = least / time_of(&m[i]), sum = 0, shared = m[i].shared;

		for (next = i; next < count && m[next].cores == m[i].cores && fabs(least / time_of(&m[next]) - first) <= ALIKE * first; next++) {
			sum += least / time_of(&m[next]);
			shared = fmin(shared, m[next].shared);
		}
		put_row(out, next - i, m[i].cores, sum / (double)(next - i), shared);
	}
}

enum err_code machine_write(struct out *out, const struct machine_measured *machines, size_t count, bool nodes, const char *functions,
			    struct err *e)
{
	const struct machine_measured *fastest = machines;

	for (size_t i = 1; i < count; i++)
		if (time_of(&machines[i]) < time_of(fastest))
			fastest = &machines[i];
	out_str(out, "pas2p_machine: 1\nname: ");
	json_string(out, machines->host);
	out_str(out, "\n");
	put_figures(out, fastest, "ops", 0, MACHINE_OPS);
	out_printf(out, "# memory is per byte, of %.0f MiB\n", fastest->buffer / 1048576);
	put_figures(out, fastest, "memory", MACHINE_OPS, MACHINE_FIGURES);
	if (functions && *functions)
		out_printf(out, "functions:\n%s", functions);
	if (nodes || !isnan(machines->shared))
		put_nodes(out, machines, count, time_of(fastest));
	return out->failed ? err_memory(e, "the machine's file") : ERR_OK;
}
