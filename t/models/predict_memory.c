/* Memory that runs out while a model is evaluated, predicted and written is an error with a sentence, never a crash and
 * never a leak: each allocation is made to fail, once alone and once with all later ones. A workbench that evaluates at
 * each key must survive it.
 */
#include <limits.h>
#include <string.h>

#include "core/models/machine/machine.h"
#include "core/models/graph/model_read.h"
#include "core/models/graph/graph.h"
#include "tap.h"

static const char model_text[] = "pas2p_model: 1\n"
	"parameters: {n: 3, m: 2*n, p: 4}\nresources: {d: 2}\n"
	"functions: {f(x): x*2, \"bcast(b, q)\": b*q}\n"
	"blocks:\n  ring(b): [{send: {to: \"rank + 1 - p*(rank == p - 1)\", bytes: b}}, {recv: {from: \"rank - 1 + p*(rank == 0)\"}}]\n"
	"program:\n"
	"- par: {i: [1, 3]}\n  do: [{use: d, do: [{compute: f(i)}]}, {ops: {sum_double: n}}]\n"
	"- loop: {i: [1, 100]}\n  do: [{compute: i*n}, {if: 0.5, do: [{compute: 1}]}]\n"
	"- loop: 1000\n  do: [{call: ring(n)}, {compute: \"-1\", split: {compute: 1, bytes: 8}}]\n"
	"- loop: {i: [1, 3]}\n  do: [{call: ring(i)}]\n"
	"- bcast: {bytes: n}\n- barrier: {}\n- if: rank == 0\n  do: [{isend: {to: 1, bytes: 1, tag: 9}}]\n";
static const char machine_text[] = "pas2p_machine: 1\nops: {sum_double: 1ns}\nfunctions: {send(b): 1us, recv(b): 1us + b*1ns}\n"
	"network: 2\nnodes: [{count: 1, cores: 2, speed: 2}, {count: 9, cores: 1}]\n";

static struct program_model model;
static struct machine machine;

static enum err_code to_nowhere(void *arg, const char *bytes, size_t n, struct err *e)
{
	(void)arg;
	(void)bytes;
	(void)n;
	(void)e;
	return ERR_OK;
}

static enum err_code work(struct err *e)
{
	struct prediction p = {.model = &model, .machine = &machine, .base = &machine, .keep_processes = true};
	const struct rows_sink sink = {to_nowhere, NULL};
	struct out out;
	enum err_code code = predict_sweep(&p, "n=1..3", e);

	out_init(&out);
	if (!code)
		code = predict_rows(&p, e);
	if (!code)
		code = prediction_write_tree(&p, true, &out, e);
	if (!code && out.failed)
		code = err_memory(e, "output");
	if (!code)
		code = prediction_write_rows(&p, ROWS_CSV, &sink, e);
	if (!code)
		code = prediction_write_rows(&p, ROWS_TABLE, &sink, e);
	out_release(&out);
	prediction_release(&p);
	return code;
}

int main(void)
{
	struct err e = {0};
	long live, to, wrong = 0, silent = 0, leaks = 0;

	if (model_parse(&model, "m", model_text, strlen(model_text), &e) ||
	    machine_parse(&machine, "machine", machine_text, strlen(machine_text), &e))
		bail_out("%s", e.text);
	ok(!work(&e), "with memory all is well %s", e.text);
	mem_fail_after(LONG_MAX);
	live = mem_live();
	work(&e);
	to = mem_count();
	mem_fail_after(-1);
	ok(to > 100, "it takes %ld allocations", to);
	for (long n = 0; n < to; n++) {
		for (int once = 0; once < 2; once++) {
			enum err_code code;

			e = (struct err){0};
			if (once)
				mem_fail_once(n);
			else
				mem_fail_after(n);
			live = mem_live();
			code = work(&e);
			leaks += mem_live() != live;
			mem_fail_after(-1);
			wrong += code && code != ERR_MEMORY;
			silent += code ? !*e.text : !once;
			if (code && code != ERR_MEMORY && wrong == 1)
				diag("%s", e.text);
		}
	}
	is_int(wrong, 0, "each failure is one of memory");
	is_int(silent, 0, "and has a sentence");
	is_int(leaks, 0, "nothing is left behind");
	ok(!work(&e), "and then it works again");
	program_model_release(&model);
	machine_release(&machine);
	return done_testing();
}
