/* What a job answers, and the machine's file that is made of it (docs/internals/model-rules.md, "Measuring messages";
 * docs/explain/models-language.md, "Machine files"): launchers put words in front and print besides; what is not whole
 * is refused; nodes are joined where they are alike; and wherever memory fails, all is given back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/models/machine/machine.h"
#include "tap.h"

static enum err_code read_text(struct pingpong_answer *a, const char *text, struct err *e)
{
	char *copy = strdup(text);
	enum err_code code = pingpong_answer_read(a, copy, strlen(copy), e);

	free(copy);
	return code;
}

#define RUN "hello\n[1,0]<stdout>:pas2p-pingpong run 1 3 2 vm Open_MPI_v4\npas2p-pingpong clock 2e-08\n"

static void test_answer(void)
{
	struct pingpong_answer a;
	struct err e;

	ok(!read_text(&a, RUN "pas2p-pingpong x recv inter 8 2 1.5e-6\npas2p-pingpong cut alltoall 3 4096\nbye\npas2p-pingpong end 4\n", &e), "an answer");
	ok(a.ranks == 3 && a.nodes == 2 && a.rows == 1 && a.cuts == 1 && a.machines == 0, "what it holds");
	is_str(a.library, "Open MPI v4", "the MPI's name has its blanks");
	is_double(a.resolution, 2e-8, 0, "the clock");
	ok(a.row[0].op == PINGPONG_recv && a.row[0].inter && a.row[0].bytes == 8 && a.row[0].p == 2 && a.row[0].seconds == 1.5e-6, "a row");
	ok(a.cut[0].op == PINGPONG_alltoall && a.cut[0].p == 3 && a.cut[0].bytes == 4096, "what was left out");
	pingpong_answer_release(&a);

	static const char *const wrong[] = {
		"", "hello\n", "pas2p-pingpong end 0\n", RUN, RUN "pas2p-pingpong end 3\n", "pas2p-pingpong run 2 3 2 vm X\npas2p-pingpong end 1\n",
		RUN "pas2p-pingpong x recv inter 8 2\npas2p-pingpong end 3\n", RUN "pas2p-pingpong x recv outer 8 2 1\npas2p-pingpong end 3\n",
		RUN "pas2p-pingpong x dance inter 8 2 1\npas2p-pingpong end 3\n", RUN "pas2p-pingpong x recv inter 8 2 -1\npas2p-pingpong end 3\n",
		RUN "pas2p-pingpong x recv inter 8 2 -\npas2p-pingpong end 3\n", RUN "pas2p-pingpong op sum_int 1 2\npas2p-pingpong end 3\n",
		RUN "pas2p-pingpong node 0 1 - 1e6 0 vm\npas2p-pingpong end 3\n", RUN "pas2p-pingpong node 0 0 - 1e6 0 vm\npas2p-pingpong end 3\n",
		RUN "pas2p-pingpong end 2\npas2p-pingpong x recv inter 8 2 1\n", "pas2p-pingpong x recv inter 8 2 1\npas2p-pingpong end 1\n",
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		is_int(read_text(&a, wrong[i], &e), ERR_FORMAT, "refused: %zu", i);
}

/* Rows of a line, so that the fit is known: `first` and `each` byte, of an operation and kind. */
static void add_rows(struct out *text, const char *op, const char *where, unsigned p, double first, double each)
{
	for (int bytes = 8; bytes <= 64; bytes *= 2)
		for (int i = 0; i < 2; i++)
			out_printf(text, "pas2p-pingpong x %s %s %d %u %.9g\n", op, where, bytes, p, first + each * bytes);
}

static void test_functions(void)
{
	struct pingpong_answer a;
	struct out text, functions;
	struct err e;
	long tried = 0;

	out_init(&text);
	out_init(&functions);
	out_str(&text, RUN);
	add_rows(&text, "recv", "intra", 2, 1e-6, 1e-9);
	add_rows(&text, "recv", "inter", 2, 3e-6, 1e-9);
	add_rows(&text, "bcast", "intra", 2, 1e-6, 1e-9);
	add_rows(&text, "send", "intra", 2, 2e-6, 1e-9);
	out_str(&text, "pas2p-pingpong x bcast intra 0 2 1e-9\npas2p-pingpong end 35\n");
	ok(!read_text(&a, text.text, &e), "rows");
	ok(!machine_functions(&functions, &a, NULL, &e), "become functions");
	ok(strstr(functions.text, "  recv(bytes): ") && strstr(functions.text, "  recv_local(bytes): "), "between nodes, and on one");
	ok(strstr(functions.text, "  send(bytes): ") && !strstr(functions.text, "send_local"), "on one alone: it has the name");
	ok(strstr(functions.text, "  bcast(bytes, p): ") != NULL, "a collective knows p");
	ok(strstr(strstr(functions.text, "bcast"), "4 points") != NULL, "a broadcast of nothing says nothing");
	for (long n = 0; n < 4000; n++) {
		enum err_code code;
		long left;

		out_release(&functions);
		out_init(&functions);
		mem_fail_after(n);
		code = machine_functions(&functions, &a, NULL, &e);
		out_release(&functions);
		left = mem_live();
		mem_fail_after(-1);
		out_init(&functions);
		if (left)
			ok(false, "allocation %ld: %ld are left", n, left);
		if (!code || left)
			break;
		tried++;
	}
	ok(tried > 10, "each of %ld allocations failed, and all is given back", tried);
	pingpong_answer_release(&a);
	out_release(&text);
	out_release(&functions);
}

/* A node whose operations take so many times as long. */
static struct machine_measured node(double slower, uint32_t cores, double shared)
{
	struct machine_measured m = {.host = "a b", .cores = cores, .shared = shared, .buffer = 1 << 20};

	for (int i = 0; i < MACHINE_FIGURES; i++)
		m.figure[i] = (struct machine_range){1e-9 * slower, 2.00001e-9 * slower};
	return m;
}

static void test_nodes(void)
{
	struct machine_measured m[5] = {node(2, 4, NAN), node(2.05, 4, NAN), node(2, 8, NAN), node(1, 8, NAN), node(1.01, 8, NAN)}, alone = node(1, 2, 0.75);
	struct out out;
	struct err e;

	out_init(&out);
	ok(!machine_write(&out, m, 5, true, NULL, &e), "a machine");
	is_str(strstr(out.text, "nodes:"), "nodes:\n- {count: 2, cores: 4, speed: 0.4939}\n- {count: 1, cores: 8, speed: 0.5}\n- {count: 2, cores: 8, speed: 0.995}\n",
	       "neighbours that are alike are one row, speeds are against the fastest");
	ok(strstr(out.text, "  sum_double: [1ns, 2ns]\n") != NULL, "its operations are the fastest's, with four digits");
	ok(strstr(out.text, "name: \"a b\"\n") != NULL && !strstr(out.text, "functions:"), "its name; no functions");
	out.len = 0;
	ok(!machine_write(&out, &alone, 1, false, "  f(b): 1\n", &e) && strstr(out.text, "functions:\n  f(b): 1\n"), "with functions");
	is_str(strstr(out.text, "nodes:"), "nodes:\n- {count: 1, cores: 2, speed: [0.75, 1]}\n", "what a core keeps of its speed");
	out.len = 0;
	alone.shared = NAN;
	ok(!machine_write(&out, &alone, 1, false, "", &e) && !strstr(out.text, "nodes:"), "nodes only if they were measured");
	out_release(&out);
}

int main(void)
{
	test_answer();
	test_functions();
	test_nodes();
	return done_testing();
}
