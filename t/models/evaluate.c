/* Evaluation of models: the figures that A and L give, what each kind of node costs, what is not allowed and how it is
 * said. A wrong sum here is a wrong prediction everywhere.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/models/machine/machine.h"
#include "core/models/graph/model_read.h"
#include "core/models/graph/predict.h"
#include "tap.h"

static char said[ERR_TEXT];

/* Evaluates a model's text at its defaults; NULL: no machine. */
static enum err_code evaluated(struct outcome *out, const char *model, const char *machine, enum contention contention)
{
	struct program_model m;
	struct machine mach;
	struct interval values[32];
	struct err e = {0};
	enum err_code code = model_parse(&m, "m.yaml", model, strlen(model), &e);
	struct evaluate_input in = {.model = &m, .machine = machine ? &mach : NULL, .values = values, .contention = contention};

	*out = (struct outcome){0};
	machine_init(&mach);
	if (!code && machine)
		code = machine_parse(&mach, "machine.yaml", machine, strlen(machine), &e);
	for (uint32_t i = 0; !code && i < m.parameter_count; i++)
		code = predict_default(&m, i, values, &values[i], &e);
	if (!code)
		code = evaluate(out, &in, &e);
	snprintf(said, sizeof said, "%s", code ? e.text : "");
	machine_release(&mach);
	program_model_release(&m);
	return code;
}

static void takes_on(const char *program, const char *machine, double lo, double hi, const char *what)
{
	struct outcome o;
	char text[4096];

	snprintf(text, sizeof text, "pas2p_model: 1\n%s", program);
	if (ok(!evaluated(&o, text, machine, CONTENTION_NESTED), "%s: evaluated %s", what, said)) {
		is_double(o.time.lo, lo, 1e-12 * fabs(lo) + 1e-300, "%s: least time", what);
		is_double(o.time.hi, hi, 1e-12 * fabs(hi) + 1e-300, "%s: greatest time", what);
	}
	outcome_release(&o);
}

static void takes(const char *program, double lo, double hi, const char *what)
{
	takes_on(program, NULL, lo, hi, what);
}

static void refused_on(const char *program, const char *machine, const char *sentence, const char *what)
{
	struct outcome o;
	char text[4096];

	snprintf(text, sizeof text, "pas2p_model: 1\n%s", program);
	ok(evaluated(&o, text, machine, CONTENTION_NESTED) != ERR_OK, "%s: refused", what);
	if (!ok(strstr(said, sentence) != NULL, "%s: and said why", what))
		diag("got: %s", said);
	outcome_release(&o);
}

static void refused(const char *program, const char *sentence, const char *what)
{
	refused_on(program, "pas2p_machine: 1\nfunctions: {send(b): 1us, recv(b): 2us}\n", sentence, what);
}

static void figures(void)
{
	struct outcome o;

	ok(!evaluated(&o, "pas2p_model: 1\nprogram:\n"
			  "- par:\n"
			  "  - [{ops: {sum_double: 1}}, {ops: {mpy_int: 1}}, {par: {i: [1, 10]}, do: [{use: c, do: [{loop: {j: [1, 1000000]},"
			  " do: [{ops: {sum_double: 1}}]}]}]}]\n"
			  "resources: {c: 1}\n",
		      "pas2p_machine: 1\nops: {sum_double: [2ns, 3ns], mpy_int: [4ns, 5ns]}\nnodes: [{count: 1, cores: 1}]\n", CONTENTION_WHOLE),
	   "A figure 4 is evaluated %s", said);
	is_double(o.free.lo, 0.002000006, 1e-15, "T_0, least");
	is_double(o.free.hi, 0.003000008, 1e-15, "T_0, greatest");
	is_double(o.time.lo, 0.020000006, 1e-14, "T, least");
	is_double(o.time.hi, 0.030000008, 1e-14, "T, greatest");
	if (ok(o.bottleneck < o.load_count, "there is a bottleneck"))
		is_str(o.loads[o.bottleneck].name, "cpu0", "it is the core");
	outcome_release(&o);

	takes("parameters: {x: 500000, t_cond: 1, t_blc: 10}\nfunctions: {prim(x): x/(log(x) - 1)}\n"
	      "program: [{compute: t_cond}, {if: prim(x)/x, do: [{compute: t_blc}]}]\n",
	      1 + 10 * (1 / (log(5e5) - 1)), 1 + 10 * (1 / (log(5e5) - 1)), "A 4.3.2 at 500000");
	takes("program: [{if: 0.5, do: [{compute: 3}], else: [{compute: 1}]}]\n", 2, 2, "a branch without a probability");
	takes("program: [{if: [0, 1], do: [{compute: 3}], else: [{compute: 1}]}]\n", 1, 3, "both cases at once");
	takes("program: [{loop: {i: [1, 10^9]}, do: [{compute: i*1ns}]}]\n", 500000000.5, 500000000.5, "10^9 terms");
}

static void shares(void)
{
	static const double lo[] = {2.0 / 9, 2.0 / 9, 1.0 / 6, 1.0 / 6}, hi[] = {2.0 / 9, 2.0 / 9, 1.0 / 3, 1.0 / 3};
	struct outcome o;

	ok(!evaluated(&o, "pas2p_model: 1\nparameters: {p: 4}\nprogram: [{compute: 1s*share(rank)}]\n",
		      "pas2p_machine: 1\nnodes: [{count: 1, cores: 1, speed: 1}, {count: 1, cores: 1, speed: 2},"
		      " {count: 2, cores: 1, speed: [0.5, 1]}]\n", CONTENTION_NESTED),
	   "shares are evaluated %s", said);
	for (uint32_t i = 0; i < 4 && o.process_count == 4; i++) {
		is_double(o.processes[i].nested.lo, lo[i], 1e-15, "rank %u, least", i);
		is_double(o.processes[i].nested.hi, hi[i], 1e-15, "rank %u, greatest", i);
	}
	outcome_release(&o);
}

static void nodes(void)
{
	takes("program: [{loop: 2.5, do: [{compute: [1, 2]}]}]\n", 2.5, 5, "part of an iteration");
	takes("program: [{loop: [2, 3], do: [{compute: [1, 2]}]}]\n", 2, 6, "a count that is an interval");
	takes("program: [{loop: -3, do: [{compute: 1}]}]\n", 0, 0, "a count below 0");
	takes("program: [{loop: {i: [3, 2]}, do: [{compute: i}]}]\n", 0, 0, "an empty range");
	takes("program: [{compute: -5}, {compute: 1}]\n", 1, 1, "a time below 0");
	takes("program: [{par: [[{compute: 1}], [{compute: 3}, {compute: 1}]]}]\n", 4, 4, "the longer branch");
	takes("resources: {d: 2}\nprogram: [{par: 6, do: [{use: d, do: [{compute: 1}, {use: d, do: [{compute: 1}]}]}]}]\n", 6, 6,
	      "six that need one of two");
	takes("parameters: {n: 4}\nblocks:\n  a(x): [{compute: x*n}]\n  b(y): [{loop: {i: [1, 3]}, do: [{call: a(y + i)}]}]\n"
	      "program: [{loop: {k: [1, 2]}, do: [{call: b(10*k)}, {compute: k}]}]\n", 411, 411, "blocks in blocks");
	takes("program: [{loop: {i: [1, 100000]}, do: [{loop: {j: [1, i]}, do: [{compute: j*j*1ns}]}]}]\n",
	      1e-9 * 1e5 * (1e5 + 1) * (1e5 + 1) * (1e5 + 2) / 12, 1e-9 * 1e5 * (1e5 + 1) * (1e5 + 1) * (1e5 + 2) / 12,
	      "an inner loop up to the outer index");
	takes("program: [{loop: {i: [0, 999]}, do: [{compute: \"i - 500\"}]}]\n", 124750, 124750,
	      "what is cut off at 0 is added up one by one");
	takes("program: [{loop: {i: [1, 1000]}, do: [{par: [[{compute: i}], [{compute: 500}]]}]}]\n", 625250, 625250,
	      "the greater of two is no polynomial");
	takes("program: [{loop: {i: [1, 200]}, do: [{compute: 1/i}]}]\n", 5.878030948121446, 5.878030948121446, "1/i is none");
	takes_on("program: [{ops: {sum_double: 3, mpy_int: 2}}]\n",
		 "pas2p_machine: 1\nops: {sum_double: [1, 2], mpy_int: 5}\nnodes: [{count: 1, cores: 1, speed: 2, ops: {mpy_int: 1}}]\n", 2.5, 4,
		 "operations at a speed");
	takes_on("parameters: {p: 3}\nprogram: [{compute: 1}]\n", "pas2p_machine: 1\nnodes: [{count: 1, cores: 2}]\n", 1.5, 1.5,
		 "three processes on two cores");
}

/* Bodies that are polynomials, in two loops, against adding up. */
static void sums(void)
{
	uint64_t state = 1;
	int wrong = 0, refused_any = 0;

	for (int round = 0; round < 300; round++) {
		int v[7];
		char text[400];
		struct outcome o;
		double sum = 0, compute = 0;

		for (int i = 0; i < 7; i++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			v[i] = (int)((state >> 33) % 40);
		}
		snprintf(text, sizeof text, "pas2p_model: 1\nresources: {d: 2}\nprogram: [{loop: {i: [%d, %d]}, do: [{compute: %d + i*(i - %d)^2},"
			 " {loop: {j: [i - %d, 2*i + %d]}, do: [{use: d, do: [{compute: i*j + j^2 + %d}]}]}]}]\n",
			 v[0], v[0] + 30 + 3 * v[1], v[2], v[3], v[4], v[5], v[6] + 900);
		for (int i = v[0]; i <= v[0] + 30 + 3 * v[1]; i++) {
			sum += v[2] + (double)i * (i - v[3]) * (i - v[3]);
			for (int j = i - v[4]; j <= 2 * i + v[5]; j++) {
				double t = (double)i * j + (double)j * j + v[6] + 900;

				sum += t;
				compute += t;
			}
		}
		refused_any += evaluated(&o, text, NULL, CONTENTION_NESTED) != ERR_OK;
		wrong += !(fabs(o.free.hi - sum) <= 1e-9 * sum) || o.load_count != 1 || !(fabs(o.loads[0].load.hi - compute) <= 1e-9 * compute);
		outcome_release(&o);
	}
	is_int(refused_any, 0, "sums are evaluated");
	is_int(wrong, 0, "and are what adding up gives");
}

static void messages(void)
{
	static const char machine[] = "pas2p_machine: 1\nfunctions: {send(b): 1 + b, recv(b): 10 + b, copy(b): 2, \"bcast(b, q)\": q*b}\n";

	takes_on("parameters: {p: 2}\nprogram: [{if: rank == 0, do: [{send: {to: 1, bytes: 3}}], else: [{recv: {from: 0}}]}]\n", machine, 13, 13,
		 "a message that is waited for");
	takes_on("parameters: {p: 2}\nprogram: [{if: rank == 0, do: [{send: {to: 1, bytes: 3}}], else: [{compute: 20}, {recv: {from: 0}}]}]\n", machine,
		 22, 22, "one that is there is copied");
	takes_on("parameters: {p: 2}\nprogram: [{if: rank == 0, do: [{isend: {to: 1, bytes: 3}}, {compute: 50}], else: [{recv: {from: 0}}]}]\n",
		 machine, 51, 51, "isend takes send(0) where it is not known");
	takes_on("parameters: {p: 3}\nprogram: [{compute: rank}, {bcast: {bytes: 2 + rank}}]\n", machine, 8, 14, "a collective, by its function");
	takes_on("parameters: {p: 5}\nprogram: [{barrier: {}}, {allreduce: {bytes: 1}}, {gather: {bytes: 1}}]\n", machine, 30 + 33 + 44, 30 + 33 + 44,
		 "collectives without functions");
	takes_on("parameters: {p: 4}\nprogram: [{loop: 10^9, do: [{send: {to: \"rank + 1 - 4*(rank == 3)\", bytes: 0}},"
		 " {recv: {from: \"rank - 1 + 4*(rank == 0)\"}}, {compute: 1}]}]\n", machine, 11e9, 11e9, "10^9 iterations with messages");
	takes_on("parameters: {p: 2}\nprogram: [{if: rank == 0, do: [{loop: 10^8, do: [{send: {to: 1, bytes: 0}}, {recv: {from: 1}}]}],"
		 " else: [{loop: 10^8, do: [{recv: {from: 0}}, {send: {to: 0, bytes: 0}}]}]}]\n", machine, 20e8, 20e8, "ping-pong between two loops");
}

static void not_allowed(void)
{
	refused("parameters: {p: 2}\nprogram:\n- par: 2\n  do: [{send: {to: 1, bytes: 0}}]\n", "m.yaml: line 5", "a message in par");
	refused("parameters: {p: 2}\nresources: {d: 1}\nprogram:\n- use: d\n  do: [{barrier: {}}]\n", "inside use", "a message in use");
	refused("parameters: {p: 2}\nprogram:\n- if: 0.5\n  do: [{barrier: {}}]\n", "0 or 1", "a message under a probability");
	refused("parameters: {p: 2}\nprogram:\n- loop: 2.5\n  do: [{barrier: {}}]\n", "whole number", "half an iteration with a message");
	refused("parameters: {p: 2}\nprogram:\n- if: rank == 0\n  do: [{barrier: {}}]\n  else: [{bcast: {bytes: 1}}]\n", "disagree",
		"two collectives at once");
	refused("blocks:\n  a(x): [{call: b(x)}]\n  b(x): [{call: a(x)}]\nprogram: [{call: a(1)}]\n", "calls itself", "a cycle of blocks");
	refused("program: [{if: 1.5, do: [{compute: 1}]}]\n", "from 0 to 1", "a probability above 1");
	refused("parameters: {p: 2}\nprogram: [{send: {to: 2, bytes: 0}}]\n", "expected a rank from 0 to 1", "a rank that is none");
	refused("parameters: {p: 2}\nprogram:\n- recv: {from: 1 - rank}\n",
		"rank 0 (recv, line 4) waits for a message from rank 1 with tag 0; rank 1 (recv, line 4) waits for a message from rank 0 with tag 0", "a deadlock");
	refused("parameters: {p: 2}\nprogram:\n- if: rank == 0\n  do: [{barrier: {}}]\n", "rank 0 (barrier, line 5) waits for all other ranks",
		"a collective that one leaves out");
	refused("program: [{call: x(1)}]\n", "unknown block 'x'", "an unknown block");
	refused("program: [{use: x, do: [{compute: 1}]}]\n", "unknown resource 'x'", "an unknown resource");
	refused("program: [{compute: y}]\n", "y", "an unknown name");
	refused("program: [{ops: {sum_double: 1}}]\n", "sum_double", "an operation that the machine lacks");
	refused("program: [{compute: 1/[-1, 1]}]\n", "m.yaml: line 2", "a division by 0");
	refused("program: [{loop: {i: [1, 10^12]}, do: [{compute: 1/i}]}]\n", "steps", "more steps than can be waited for");
	refused_on("parameters: {p: 2}\nprogram: [{send: {to: 1 - rank, bytes: 0}}]\n", NULL, "send(bytes)", "messages without functions");
	refused("parameters: {p: 2^20 + 1}\nprogram: [{compute: 1}]\n", "1048576", "too many processes");
}

static void told(void)
{
	struct outcome o;

	ok(!evaluated(&o, "pas2p_model: 1\nparameters: {p: 2}\nprogram:\n- if: rank == 0\n  do: [{send: {to: 1, bytes: 0}}, {compute: -1}]\n",
		      "pas2p_machine: 1\nfunctions: {send(b): 1, recv(b): 1}\n", CONTENTION_NESTED), "evaluated %s", said);
	is_int(o.note_count, 3, "three notes");
	for (uint32_t i = 0; i < o.note_count; i++)
		ok(strstr(o.notes[i], "no recv") || strstr(o.notes[i], "copy") || strstr(o.notes[i], "counts as 0"), "%s", o.notes[i]);
	outcome_release(&o);
}

int main(void)
{
	figures();
	shares();
	nodes();
	sums();
	messages();
	not_allowed();
	told();
	return done_testing();
}
