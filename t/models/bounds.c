/* T_0 and the T_r as expressions (docs/explain/models-language.md, "Evaluation"; docs/internals/model-rules.md, "Bounds as expressions"): what is printed is
 * read again and evaluated as any expression of a model, and must come to what predict says of the model without
 * contention, and of each resource. So for random models of all nodes, with intervals, ranks, blocks and messages, at
 * random points; and by hand for the figures of the sample models. An expression that means something else than the
 * model is worse than none.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/io/out.h"
#include "core/models/graph/graph.h"
#include "core/models/machine/machine.h"
#include "core/models/graph/model_read.h"
#include "core/models/graph/graph_int.h"
#include "core/models/graph/predict.h"
#include "tap.h"

#define MODELS 6000
#define NEAR 1e-9
#define PARAMETERS 8

static uint64_t state;

static unsigned draw(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

/* ---- random models ---- */

static struct out *text;
static int nodes, indices; /* that are left; that are known */
static bool ranked, wide, in_block;

static void put(const char *s)
{
	out_str(text, s);
}

static const char *pick(const char *const *list, unsigned n)
{
	return list[draw(n)];
}

static void put_factor(void)
{
	static const char *const plain[] = {"1", "2", "3", "0.5", "n", "k", "p", "f(n)", "g(k, 2)", "max(n, k)", "n^2"};
	static const char *const index[] = {"i", "j"};
	unsigned what = draw(20);

	if (what < 4 && indices)
		put(index[draw((unsigned)indices)]);
	else if (what < 6 && ranked)
		put(draw(2) ? "rank" : "share(rank)");
	else if (what < 8 && wide)
		put(draw(2) ? "[1, 2]" : "[0.25, 0.5]");
	else if (what < 11 && in_block)
		put("a");
	else
		put(pick(plain, sizeof plain / sizeof *plain));
}

static void put_value(void)
{
	static const char *const sign[] = {" + ", "*", " - "};

	put("\"");
	put_factor();
	for (unsigned n = draw(3); n; n--) {
		put(pick(sign, draw(8) ? 2 : 3));
		put_factor();
	}
	put("\"");
}

static void put_count(void)
{
	static const char *const counts[] = {"0", "1", "2", "3", "n", "k", "n - 3", "floor(n/2)"};

	put("\"");
	if (indices && !draw(3))
		put("i");
	else if (wide && !draw(4))
		put(draw(2) ? "[1, 3]" : "[0, 2]");
	else if (in_block && !draw(3))
		put("a");
	else if (ranked && !draw(4))
		put(draw(2) ? "part(7, rank)" : "rank + 1");
	else
		put(pick(counts, sizeof counts / sizeof *counts));
	put("\"");
}

static void put_list(int depth);

static void put_index(const char *kind, int depth, bool certain)
{
	out_printf(text, "{%s: {%s: [%s, %s]}, do: ", kind, indices ? "j" : "i", draw(3) ? "1" : "2",
		   certain ? draw(2) ? "2" : "n + 2" : indices && draw(2) ? "i" : draw(2) ? "3" : "n");
	indices++;
	put_list(depth);
	indices--;
	put("}");
}

static void put_if(int depth)
{
	static const char *const chances[] = {"0.25", "n/(n + k)", "n < 3", "1/(k + 1)", "0", "1"};

	put("{if: ");
	if (ranked && !draw(2))
		put("rank < 1");
	else if (wide && !draw(3))
		put(draw(2) ? "[0, 1]" : "\"[0.25, 0.75]\"");
	else
		out_printf(text, "\"%s\"", pick(chances, sizeof chances / sizeof *chances));
	put(", do: ");
	put_list(depth);
	if (draw(2)) {
		put(", else: ");
		put_list(depth);
	}
	put("}");
}

static void put_node(int depth)
{
	unsigned what = depth > 0 && nodes > 0 ? draw(16) : draw(3);

	nodes--;
	if (what < 2) {
		put("{compute: ");
		put_value();
		put("}");
	} else if (what < 4) {
		put("{ops: {sum_int: ");
		put_count();
		put(draw(2) ? ", mpy_int: 2}}" : ", div_int: 1}}");
	} else if (what < 6) {
		put("{loop: ");
		put_count();
		put(", do: ");
		put_list(depth - 1);
		put("}");
	} else if (what < 8 && indices < 2) {
		put_index("loop", depth - 1, false);
	} else if (what < 10) {
		put("{par: [");
		for (unsigned i = 0, n = 1 + draw(3); i < n; i++) {
			put(i ? ", " : "");
			put_list(depth - 1);
		}
		put("]}");
	} else if (what < 11) {
		out_printf(text, "{par: %s, do: ", wide && draw(2) ? "[0, 3]" : draw(2) ? "n" : "3");
		put_list(depth - 1);
		put("}");
	} else if (what < 12 && indices < 2) {
		put_index("par", depth - 1, true);
	} else if (what < 14) {
		out_printf(text, "{use: r%u, do: ", draw(2));
		put_list(depth - 1);
		put("}");
	} else if (what < 15 && !in_block) {
		put("{call: \"b(");
		put(indices && draw(2) ? "i" : draw(2) ? "n + 1" : "k");
		put(")\"}");
	} else {
		put_if(depth - 1);
	}
}

static void put_list(int depth)
{
	put("[");
	for (unsigned i = 0, n = 1 + draw(3); i < n; i++) {
		put(i ? ", " : "");
		put_node(depth);
	}
	put("]");
}

/* Around a ring, from everybody to rank 0, or collectives. */
static void put_messages(void)
{
	static const char *const collectives[] = {"barrier: ", "bcast: {bytes: 8*n}", "reduce: {bytes: 8}", "alltoall: {bytes: \"n*(rank + 1)\"}"};
	bool loop = !draw(3);

	if (loop)
		put(draw(2) ? "{loop: 2, do: [" : "{loop: {m: [1, 2]}, do: [");
	switch (draw(4)) {
	case 0:
		out_printf(text, "{%s: {to: rank + 1 - p*(rank >= p - 1), bytes: 8*n%s}}, ", draw(2) ? "send" : "isend", draw(2) ? "" : "*rank");
		put_node(2);
		put(", {recv: {from: rank - 1 + p*(rank < 1)}}");
		break;
	case 1:
		put("{if: rank == 0, do: [{loop: {q: [1, p - 1]}, do: [{recv: {from: q}}]}], else: [");
		put_node(2);
		put(", {send: {to: 0, bytes: n^2}}]}");
		break;
	default:
		out_printf(text, "{%s}", pick(collectives, 4));
	}
	put(loop ? "]}" : "");
}

static void write_model(struct out *o, bool messages)
{
	text = o;
	nodes = 30;
	indices = 0;
	in_block = true;
	put("pas2p_model: 1\nparameters: {n: 1, k: 1, p: 1}\nresources: {r0: 1, r1: k + 1}\n"
	    "functions: {f(x): 2*x + n, \"g(x, y)\": x*y/(x + 1), send(b): \"1e-3*b + 0.25\"}\nblocks:\n  b(a): ");
	put_list(2);
	in_block = false;
	put("\nprogram: [");
	put_node(4);
	for (unsigned i = 0, n = draw(3) + messages; i < n; i++) {
		put(", ");
		if (messages && draw(2))
			put_messages();
		else
			put_node(4);
	}
	put("]\n");
}

static void write_machine(struct out *o, unsigned kinds)
{
	out_printf(o, "pas2p_machine: 1\nops: {sum_int: %s, mpy_int: 3, div_int: [4, 5]}\nfunctions: {recv(b): \"2e-3*b + 0.5\"%s%s}\n%s",
		   wide ? "[0.5, 2]" : "2", draw(2) ? ", copy(b): 1e-4*b" : "", draw(2) ? ", \"bcast(b, q)\": b*q*1e-3" : "",
		   draw(2) ? "network: 2\n" : "");
	if (kinds == 1)
		out_printf(o, "nodes: [{count: 2, cores: 2, speed: %s}, {count: 1, cores: 1, speed: 2, ops: {mpy_int: 1}}]\n",
			   wide ? "[0.5, 1]" : "0.5");
}

/* ---- what is printed, evaluated ---- */

static struct expression_functions none;

static enum err_code evaluate_text(const struct bounds *b, const struct evaluate_input *in, const char *expression, struct interval *v,
				   struct err *e)
{
	const struct expression_functions *lists[] = {&in->model->functions, in->machine ? &in->machine->functions : &none};
	const char *parameters[PARAMETERS], *names[PARAMETERS];
	struct interval locals[PARAMETERS];
	const struct scope scope = {names, b->name_count, false};
	const struct expression *x;
	const struct formula *f;
	struct placement placement;
	struct formula_run run;
	struct library l;
	struct arena arena;
	double *shares;
	enum err_code code;

	for (uint32_t i = 0; i < in->model->parameter_count; i++)
		parameters[i] = in->model->parameters[i].name;
	for (uint32_t i = 0; i < b->name_count; i++) {
		names[i] = b->names[i].name;
		locals[i] = b->names[i].value;
	}
	arena_init(&arena);
	if (placement_init(&placement, in->machine, b->outcome.process_count, e) || !(shares = placement_shares(&placement, in->machine)))
		bail_out("no memory");
	code = library_init(&l, parameters, in->model->parameter_count, lists, 2, e);
	formula_run_init(&run, &l, NULL, FORMULA_STEPS);
	run.values = (struct formula_values){.parameters = in->values, .locals = locals, .shares = shares,
					     .processes = b->outcome.process_count};
	if (!code)
		code = expression_parse(&arena, expression, (struct place){"printed", 1, 1}, &x, e);
	if (!code)
		code = library_bind(&l, x, &scope, &f, e);
	if (!code)
		code = formula_value(&run, f, v, e);
	formula_run_release(&run);
	library_release(&l);
	placement_release(&placement);
	mem_free(shares);
	arena_release(&arena);
	return code;
}

static bool near(struct interval a, struct interval b)
{
	return fabs(a.lo - b.lo) <= NEAR * fmax(1e-3, fabs(b.lo)) && fabs(a.hi - b.hi) <= NEAR * fmax(1e-3, fabs(b.hi));
}

struct tally {
	unsigned done, refused, long_ones, wrong, loads, with_messages, wider;
};

/* One load of the outcome's is among the bounds, or one before it stands for it. */
static void compare(struct tally *t, const struct bounds *b, const struct evaluate_input *in, const char *model)
{
	uint32_t load = 0;

	for (uint32_t i = 0; i < b->count; i++) {
		const struct bound *bound = &b->items[i];
		struct interval want = i ? b->outcome.loads[load].time : b->outcome.free, got = {0, 0};
		struct err e = {0};

		load += i ? bound->nodes : 0;
		t->loads += i > 0;
		if (!evaluate_text(b, in, bound->text, &got, &e) && near(got, want))
			continue;
		if (t->wrong++ < 3)
			diag("%s = %s: [%.12g, %.12g], predict says [%.12g, %.12g] %s of\n%s", bound->name, bound->text, got.lo, got.hi, want.lo,
			     want.hi, e.text, model);
	}
	if (load != b->outcome.load_count && t->wrong++ < 3)
		diag("%u of %u loads of\n%s", load, b->outcome.load_count, model);
}

static void random_models(void)
{
	struct tally t = {.done = 0};

	for (uint64_t seed = 1; seed <= MODELS; seed++) {
		struct interval values[3];
		struct program_model m;
		struct machine machine;
		struct outcome whole;
		struct bounds b;
		struct out model, machine_text;
		struct err e = {0};
		bool messages;

		state = seed * 7919;
		out_init(&model);
		out_init(&machine_text);
		messages = !draw(3);
		ranked = draw(2);
		wide = draw(2);
		write_model(&model, messages);
		write_machine(&machine_text, draw(2));
		values[0] = interval_point(draw(5));
		values[1] = interval_point(1 + draw(3));
		values[2] = interval_point(1 + draw(5));
		machine_init(&machine);
		if (model_parse(&m, "m", model.text, model.len, &e) || machine_parse(&machine, "machine", machine_text.text, machine_text.len, &e)) {
			t.wrong++;
			diag("%s\n%s%s", e.text, model.text, machine_text.text);
		} else {
			struct evaluate_input in = {.model = &m, .machine = &machine, .values = values, .contention = CONTENTION_WHOLE};
			enum err_code known = evaluate(&whole, &in, &e), code = bounds_make(&b, &in, &e);

			if (known || code == ERR_FORMAT) {
				t.refused++;
			} else if (code == ERR_LIMIT) {
				t.long_ones++;
			} else if (code) {
				t.wrong++;
				diag("%s\n%s", e.text, model.text);
			} else {
				t.done++;
				t.with_messages += messages;
				compare(&t, &b, &in, model.text);
				t.wrong += !near(b.value, whole.time);
			}
			outcome_release(&whole);
			bounds_release(&b);
		}
		machine_release(&machine);
		program_model_release(&m);
		out_release(&model);
		out_release(&machine_text);
	}
	is_int(t.wrong, 0, "%u random models, %u of them with messages, and %u loads: printed, read again and evaluated", t.done, t.with_messages,
	       t.loads);
	ok(t.done > MODELS / 2 && t.with_messages > MODELS / 10 && t.loads > MODELS, "which are enough");
	ok(t.long_ones < MODELS / 20, "few expressions are too long");
	diag("%u have no value or no expression, %u are too long", t.refused, t.long_ones);
}

/* ---- by hand ---- */

static const char *bound_text(const struct bounds *b, const char *name)
{
	for (uint32_t i = 0; i < b->count; i++)
		if (!strcmp(b->items[i].name, name))
			return b->items[i].text;
	return !strcmp(name, "T") ? b->text : "none";
}

/* Bounds of a model and a machine as texts, each with its parameters' defaults; machine NULL: none. */
static enum err_code bounds_of(struct bounds *b, const char *model, const char *on, struct err *e)
{
	struct interval values[PARAMETERS];
	struct evaluate_input in = {.values = values};
	struct program_model m;
	struct machine machine;
	char whole[4096];
	enum err_code code;

	snprintf(whole, sizeof whole, "pas2p_model: 1\n%s", model);
	*b = (struct bounds){.count = 0};
	machine_init(&machine);
	code = model_parse(&m, "m", whole, strlen(whole), e);
	if (!code && on)
		code = machine_parse(&machine, "machine", on, strlen(on), e);
	in.model = &m;
	in.machine = on ? &machine : NULL;
	for (uint32_t i = 0; !code && i < m.parameter_count; i++)
		code = predict_default(&m, i, values, &values[i], e);
	if (!code)
		code = bounds_make(b, &in, e);
	machine_release(&machine);
	program_model_release(&m);
	return code;
}

static void said(const char *model, const char *on, const char *name, const char *expression, const char *what)
{
	struct bounds b;
	struct err e = {0};

	ok(!bounds_of(&b, model, on, &e), "%s %s", what, e.text);
	is_str(bound_text(&b, name), expression, "%s: %s", what, name);
	bounds_release(&b);
}

static void by_hand(void)
{
	static const char figure4[] = "parameters: {n: 1000000}\nresources: {c: 1}\nprogram:\n- use: c\n  do: [{ops: {sum_double: 1}}, {ops: {mpy_int: 1}}]\n"
				      "- par: {i: [1, 10]}\n  do: [{use: c, do: [{loop: {j: [1, n]}, do: [{ops: {sum_double: 1}}]}]}]\n";
	static const char ops[] = "pas2p_machine: 1\nops: {sum_double: [2ns, 3ns], mpy_int: [4ns, 5ns]}\n";
	static const char messages[] = "pas2p_machine: 1\nfunctions: {send(b): 1, recv(b): 2 + b}\n";
	struct bounds b;
	struct err e = {0};

	said(figure4, ops, "T_0", "sum_double + mpy_int + n*sum_double", "A figure 4");
	said(figure4, ops, "T_c", "sum_double + mpy_int + 10*n*sum_double", "A figure 4");
	said(figure4, ops, "T", "max(T_0, T_c)", "A figure 4");
	ok(!bounds_of(&b, figure4, ops, &e) && b.count == 2, "and their values");
	is_double(b.items[0].value.lo, 0.002000006, 1e-15, "T_0, least");
	is_double(b.items[0].value.hi, 0.003000008, 1e-15, "T_0, greatest");
	is_double(b.value.lo, 0.020000006, 1e-14, "T, least");
	is_double(b.value.hi, 0.030000008, 1e-14, "T, greatest");
	bounds_release(&b);
	said("parameters: {n: 9, d: 2}\nresources: {disk: d}\nprogram: [{par: n, do: [{use: disk, do: [{compute: n}]}, {compute: 1}]}]\n", NULL, "T_disk",
	     "n*n/d", "a resource of which there are several");
	said("program: [{par: [[{compute: 1}], [{compute: 2}, {compute: 3}]]}]\n", NULL, "T_0", "5", "numbers are added, and the greater of two is known");
	said("parameters: {a: 1, b: 2}\nprogram: [{par: [[{compute: a}, {compute: b}], [{compute: a}]]}]\n", NULL, "T_0", "a + b",
	     "a branch that the other has in it is none");
	said("parameters: {a: 1, b: 2, c: 3}\nprogram: [{par: [[{compute: a}, {compute: b}], [{compute: a}, {compute: c}]]}]\n", NULL, "T_0",
	     "a + max(b, c)", "what all branches have is said once");
	said("parameters: {n: 5}\nprogram: [{loop: {i: [1, n]}, do: [{compute: i*1ns}, {loop: {i: [1, i]}, do: [{compute: i}]}]}]\n", NULL, "T_0",
	     "sum(i, 1, n, i*1.0e-09 + sum(i2, 1, i, i2))", "an index of the same name has one of its own");
	said("parameters: {n: 5}\nblocks: {twice(x): [{loop: 2, do: [{compute: x}]}]}\nprogram: [{call: \"twice(n + 1)\"}]\n", NULL, "T_0", "2*(n + 1)",
	     "blocks are opened");
	said("parameters: {n: 5}\nprogram: [{loop: {i: [1, 10^9]}, do: [{compute: i*n}]}]\n", NULL, "T_0", "sum(i, 1, 10^9, i*n)", "10^9 terms");
	said("parameters: {p: 2, n: 8}\nprogram: [{if: rank == 0, do: [{send: {to: 1, bytes: n}}], else: [{recv: {from: 0}}, {compute: n}]}]\n", messages,
	     "T_0", "max(send(n), recv(n) + n)", "a message");
	said("parameters: {p: 3, n: 8}\nprogram: [{compute: \"n*rank + part(9, rank)\"}]\n", NULL, "T_0",
	     "max(n*0 + part(9, 0), n*1 + part(9, 1), n*2 + part(9, 2))", "ranks, where they are few");
	said("parameters: {p: 30000, n: 8}\nprogram: [{compute: \"n*rank + part(90000, rank)\"}]\n", NULL, "T_0", "239995",
	     "the values that they lead to, where the expression would be too long");
	said("resources: {cpu0: 2, cpu_x: 1}\nprogram: [{use: cpu0, do: [{compute: 2}]}, {use: cpu_x, do: [{compute: 4}]}, {compute: 3}]\n",
	     "pas2p_machine: 1\nnodes: [{count: 1, cores: 3}]\n", "T", "max(T_0, T_cpu0, T_cpu_x, T_cpu0)",
	     "a resource may have the name of a node");
	said("parameters: {p: 1048576, n: 8}\nresources: {r: 7}\nprogram: [{use: r, do: [{compute: n}]}]\n", NULL, "T_r", "1048576*n/7", "2^20 processes");
}

static void is_refused(void)
{
	struct bounds b;
	struct err e = {0};

	is_int(bounds_of(&b, "parameters: {n: 3}\nprogram: [{loop: {i: [0, n]}, do: [{par: i, do: [{compute: 1}]}]}]\n", NULL, &e), ERR_FORMAT,
	       "copies of which there are none only at first");
	is_str(e.text, "m: line 3, column 36: par: no expression is possible, because some iterations of the loop around it have no copies", "are refused, with the place");
	bounds_release(&b);
}

/* Blocks that call others twice, 18 deep: each expression doubles. */
static void is_bounded(void)
{
	char model[4096];
	size_t at = (size_t)snprintf(model, sizeof model, "parameters: {n: 1}\nblocks:\n");
	struct bounds b;
	struct err e = {0};

	for (int i = 0; i < 18; i++)
		at += (size_t)snprintf(model + at, sizeof model - at, "  b%d(x): [{call: \"b%d(x + 1)\"}, {call: \"b%d(x*n)\"}]\n", i, i + 1, i + 1);
	snprintf(model + at, sizeof model - at, "  b18(x): [{compute: x}]\nprogram: [{call: b0(n)}]\n");
	is_int(bounds_of(&b, model, NULL, &e), ERR_LIMIT, "an expression that is too long is an error");
	is_str(e.text, "m: its expressions would be too long", "and says so");
	bounds_release(&b);
}

/* ---- sample models ---- */

static void sample(const char *model, const char *on, const char *parameter, const double *at, unsigned count)
{
	struct program_model m;
	struct machine machine;
	struct err e = {0};
	struct tally t = {.done = 0};

	machine_init(&machine);
	if (!ok(!model_read(&m, model, &e) && (!on || !machine_read(&machine, on, &e)), "%s is read %s", model, e.text))
		return;
	for (unsigned i = 0; i < count; i++) {
		struct interval values[PARAMETERS];
		struct evaluate_input in = {.model = &m, .machine = on ? &machine : NULL, .values = values, .contention = CONTENTION_WHOLE};
		struct bounds b;

		for (uint32_t k = 0; k < m.parameter_count; k++) {
			values[k] = interval_point(at[i]);
			if (strcmp(m.parameters[k].name, parameter) != 0)
				t.wrong += predict_default(&m, k, values, &values[k], &e) != ERR_OK;
		}
		if (bounds_make(&b, &in, &e)) {
			t.wrong++;
			diag("%s", e.text);
		} else {
			compare(&t, &b, &in, model);
			t.wrong += !near(b.value, b.outcome.time) && b.value.hi > b.outcome.time.hi;
		}
		bounds_release(&b);
	}
	is_int(t.wrong, 0, "%s at %u values of %s", model, count, parameter);
	machine_release(&machine);
	program_model_release(&m);
}

#define SAMPLE(model, on, parameter, ...) \
	sample("sample-models/" model, on, parameter, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

int main(void)
{
	by_hand();
	is_refused();
	is_bounded();
	SAMPLE("matmul.yaml", "sample-models/celeron-16.yaml", "n", 10, 100, 400, 1000);
	SAMPLE("pi.yaml", "sample-models/computers-32.yaml", "p", 1, 2, 3, 4, 8, 16, 32);
	SAMPLE("primes.yaml", NULL, "x", 100, 500000, 1000000);
	SAMPLE("one-core.yaml", "sample-models/one-core.machine.yaml", "threads", 1, 10, 1000);
	SAMPLE("rows.yaml", "sample-models/two-cores.yaml", "p", 1, 2, 4, 16, 64);
	random_models();
	return done_testing();
}
