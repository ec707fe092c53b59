/* The graph of a model's program: which columns and rows there are, what is on the critical path, that equal processes
 * are one column, that loops stand once with all their time although iterations are skipped, and what it refuses. A
 * graph that shows another order than the evaluation had explains a time that nobody predicted.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/models/graph/graph.h"
#include "core/models/graph/model_read.h"
#include "core/models/graph/predict.h"
#include "tap.h"

static struct program_model model;
static char said[ERR_TEXT];

static enum err_code make_with(struct graph *g, const char *text, enum contention contention)
{
	struct interval values[16];
	struct err e = {0};
	struct evaluate_input in = {.model = &model, .values = values, .contention = contention};
	char all[4096];
	enum err_code code;

	snprintf(all, sizeof all, "pas2p_model: 1\n%s", text);
	*g = (struct graph){.rows = 0};
	code = model_parse(&model, "m.yaml", all, strlen(all), &e);
	for (uint32_t i = 0; !code && i < model.parameter_count; i++)
		code = predict_default(&model, i, values, &values[i], &e);
	if (!code)
		code = graph_make(g, &in, &e);
	snprintf(said, sizeof said, "%s", code ? e.text : "");
	return code;
}

static void made(struct graph *g, const char *text, const char *what)
{
	ok(!make_with(g, text, CONTENTION_NESTED), "%s: drawn %s", what, said);
}

static void over(struct graph *g)
{
	graph_release(g);
	program_model_release(&model);
}

/* "row depth label*" of a column's nodes, in order. */
static const char *column(const struct graph *g, uint32_t c)
{
	static char text[1024];
	size_t n = 0;

	text[0] = 0;
	for (uint32_t i = g->column[c].node; i < g->column[c].node + g->column[c].nodes; i++) {
		char label[80];

		graph_label(&g->node[i], label, sizeof label);
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%u %u %s%s", n ? "; " : "", g->node[i].row, g->node[i].depth, label,
				      g->node[i].critical ? "*" : "");
	}
	return text;
}

static const char pair[] =
	"parameters: {p: 2}\n"
	"functions: {send(b): 1s, recv(b): 2s, copy(b): 0.5s}\n"
	"program:\n"
	"- if: rank == 0\n"
	"  do: [{compute: 3s, name: make}, {send: {to: 1, bytes: 8}}, {recv: {from: 1}}]\n"
	"  else: [{recv: {from: 0}}, {compute: 4s, name: use}, {send: {to: 0, bytes: 8}}]\n";

static void test_pair(void)
{
	struct graph g;
	const struct graph_node *n;

	made(&g, pair, "two processes");
	is_u64(g.column_count, 2, "a column each");
	is_str(column(&g, 0), "0 0 make*; 1 0 send to rank 1*; 5 0 recv from rank 1*", "the first");
	is_str(column(&g, 1), "2 0 recv from rank 0*; 3 0 use*; 4 0 send to rank 0*", "the other: below what it waits for");
	is_u64(g.rows, 6, "rows");
	/* make 0-3, send 3-4, received at 5, use 5-9, send 9-10, received at 11 */
	n = &g.node[2];
	is_double(n->start.hi, 4, 1e-12, "it begins to wait");
	is_double(n->end.hi, 11, 1e-12, "... until the message is there");
	ok(n->waited && n->shape == GRAPH_RECV && n->partner == g.column[1].node + 2, "... from the other's last send");
	ok(g.node[1].partner == g.column[1].node && g.node[1].shape == GRAPH_SEND && g.node[1].peer == 1, "a send knows its recv");
	is_double(g.outcome.time.hi, 11, 1e-12, "T is that of the evaluation");
	over(&g);
}

static void test_not_critical(void)
{
	struct graph g;

	made(&g, "parameters: {p: 2}\nfunctions: {send(b): 1s, recv(b): 1s, copy(b): 0s}\nprogram:\n"
		 "- {if: rank == 0, do: [{send: {to: 1, bytes: 8}}, {compute: 1s}], else: [{compute: 9s}, {recv: {from: 0}}]}\n", "a message that is there early");
	is_str(column(&g, 0), "0 0 send to rank 1; 1 0 compute", "who sent it is not on the way");
	is_str(column(&g, 1), "0 0 compute*; 1 0 recv from rank 0*", "who has it is");
	over(&g);
}

static void test_classes(void)
{
	struct graph g;

	made(&g, "parameters: {p: 64}\nfunctions: {send(b): 1us, recv(b): 2us, copy(b): 0s}\nprogram:\n"
		 "- {compute: 1us*(1 + (rank >= 48))}\n- {allreduce: {bytes: 8}}\n- {compute: 1us}\n", "64 processes");
	is_u64(g.column_count, 2, "two classes");
	ok(g.column[0].count == 48 && g.column[1].count == 16 && g.column[1].first == 48, "of as many as there are");
	ok(g.column_of[47] == 0 && g.column_of[48] == 1 && g.column_of[63] == 1, "each process has its column");
	is_str(column(&g, 0), "0 0 compute; 1 0 allreduce*; 2 0 compute*", "of those that end together the first ends last");
	is_str(column(&g, 1), "0 0 compute*; 1 0 allreduce*; 2 0 compute", "before it those that all waited for");
	over(&g);
}

/* The time of all iterations is that of the first times their number, where nothing changes from one to the next. */
static void test_loop(void)
{
	struct graph g;
	const struct graph_node *n;

	made(&g, "parameters: {p: 4}\nfunctions: {send(b): 1us, recv(b): 2us, copy(b): 0s}\nblocks:\n"
		 "  shift(b): [{isend: {to: rank + 1 - p*(rank == p - 1), bytes: b}}, {recv: {from: rank - 1 + p*(rank == 0)}}]\nprogram:\n"
		 "- {loop: 100000, name: iterate, do: [{compute: 5us}, {call: shift(8)}]}\n- {compute: 1s}\n", "a ring");
	is_u64(g.column_count, 1, "all do the same");
	is_str(column(&g, 0), "0 0 iterate x 100000*; 1 1 compute*; 2 1 shift*; 3 2 isend to rank 1*; 4 2 recv from rank 3*; 5 0 compute*", "the loop once");
	n = g.node;
	is_double(n[0].times, 100000, 0, "so often");
	is_double(n[0].time.hi, g.outcome.time.hi - 1, 1e-9, "it takes all but what follows");
	is_double(n[1].time.hi, 0.5, 1e-9, "what is in it has its share, of skipped iterations as well");
	is_double(n[1].time.hi + n[2].time.hi, n[0].time.hi, 1e-9, "... and all of it together");
	is_double(n[2].time.hi, n[3].time.hi + n[4].time.hi, 1e-9, "a block has what is in it");
	ok(n[3].parent == 2 && n[2].parent == 0 && n[0].parent == GRAPH_NONE, "each knows what it is in");
	over(&g);
}

static void test_without_messages(void)
{
	struct graph g;

	made(&g, "resources: {core: 1}\nprogram:\n- {compute: 1s}\n- {par: 10, do: [{use: core, do: [{compute: 1s}]}]}\n", "one process");
	is_str(column(&g, 0), "0 0 compute*; 1 0 par*", "what has no messages is one rectangle");
	is_double(g.node[1].time.hi, 10, 1e-12, "nested contention makes it longer");
	over(&g);
	ok(!make_with(&g, "resources: {core: 1}\nprogram:\n- {par: 10, do: [{use: core, do: [{compute: 1s}]}]}\n", CONTENTION_WHOLE), "the other view");
	is_double(g.node[0].time.hi, 1, 1e-12, "has free times");
	over(&g);
	made(&g, "program: []\n", "an empty program");
	ok(g.column_count == 1 && g.node_count == 0 && g.rows == 0, "is an empty column");
	over(&g);
}

static void test_loops_that_do_nothing(void)
{
	struct graph g;

	made(&g, "parameters: {p: 2, n: 0}\nfunctions: {send(b): 1us, recv(b): 2us}\nprogram:\n- {loop: n, do: [{barrier: {}}]}\n- {compute: 1s}\n",
	     "a loop that is not entered");
	is_str(column(&g, 0), "0 0 loop x 0*; 1 0 compute*", "stands there, without what it would do");
	over(&g);
}

static void test_refused(void)
{
	struct graph g;

	ok(make_with(&g, "parameters: {p: 2}\nfunctions: {send(b): 1s, recv(b): 1s}\nprogram: [{recv: {from: 1 - rank}}]\n", CONTENTION_NESTED) ==
	   ERR_FORMAT && strstr(said, "deadlock"), "a deadlock is that of the evaluation: %s", said);
	over(&g);
	ok(make_with(&g, "parameters: {p: 1000000}\nprogram: [{compute: 1s}, {compute: 1s}]\n", CONTENTION_NESTED) == ERR_LIMIT &&
	   strstr(said, "fewer processes"), "too many nodes: %s", said);
	over(&g);
}

/* Every allocation fails once: an error, and nothing is left behind. */
static void test_no_memory(void)
{
	struct graph g;
	long live, tried = 0;
	bool good = true, all = false;

	made(&g, pair, "with memory");
	over(&g);
	live = mem_live();
	for (; good && !all; tried++) {
		enum err_code code;

		mem_fail_once(tried);
		code = make_with(&g, pair, CONTENTION_NESTED);
		all = mem_count() <= tried; /* it was never reached */
		mem_fail_once(-1);
		good = all ? !code : code == ERR_MEMORY || !code;
		over(&g);
		good = good && mem_live() == live;
	}
	ok(good && tried > 20, "each of %ld allocations fails: an error, and nothing is left", tried);
}

int main(void)
{
	test_pair();
	test_not_critical();
	test_classes();
	test_loop();
	test_without_messages();
	test_loops_that_do_nothing();
	test_refused();
	test_no_memory();
	return done_testing();
}
