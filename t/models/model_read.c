/* Models as files: what people write is taken as the page says it, and what is wrong is told with its line and what was
 * expected. A file of a model is written by hand, so its mistakes are the common case; and it is untrusted, so none may
 * break the reader.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/models/graph/model_read.h"
#include "tap.h"

static struct program_model m;
static struct err e;
static char folder[] = "/tmp/pas2p-models-XXXXXX";

static bool reads(const char *text)
{
	e = (struct err){0};
	return !model_parse(&m, "m.yaml", text, strlen(text), &e);
}

/* ---- what is read ---- */

/* A program in one line: nodes by their names, with what they hold. */
static void write_nodes(const struct model_node *n, char *buf, size_t size)
{
	for (; n; n = n->next) {
		snprintf(buf + strlen(buf), size - strlen(buf), "%s", model_node_info(n->kind)->name);
		if (n->body || n->kind == NODE_DO || n->kind == NODE_PAR) {
			snprintf(buf + strlen(buf), size - strlen(buf), "{");
			write_nodes(n->body, buf, size);
			snprintf(buf + strlen(buf), size - strlen(buf), "}");
		}
		if (n->otherwise) {
			snprintf(buf + strlen(buf), size - strlen(buf), "else{");
			write_nodes(n->otherwise, buf, size);
			snprintf(buf + strlen(buf), size - strlen(buf), "}");
		}
		if (n->next)
			snprintf(buf + strlen(buf), size - strlen(buf), " ");
	}
}

static const char *shape(const struct model_node *n)
{
	static char buf[1024];

	buf[0] = '\0';
	write_nodes(n, buf, sizeof buf);
	return buf;
}

static const char *text_of(const struct expression *x)
{
	return x ? expression_text(&m.arena, x) : "none";
}

static const char all[] =
	"pas2p_model: 1\nname: everything\nparameters: {n: 400, p: 2, q: [0.3, 0.5], h: n/2}\nresources: {disk: 1, net: 2*p}\nfunctions:\n"
	"  T(n): 2e-7*n^2\n  two(n, p): n*p\n  none(): 1\n  msg(b): {65536: 1us*b, 2*65536: b, inf: 2us*b}\n"
	"blocks:\n  exchange(b): [{send: {to: 1 - rank, bytes: b}}, {recv: {from: 1 - rank}}]\n  pause(): {compute: 1}\nprogram:\n"
	"- compute: \"T(n)\"\n  name: first\n  split: {compute: 1, bytes: 8*n}\n- ops: {sum_double: n, mpy_int: 2, read: 8}\n"
	"- {send: {to: 1, bytes: 8}}\n- {isend: {to: 1, bytes: 8, tag: 3}}\n- {recv: {from: 0, tag: 3}}\n- barrier:\n- barrier: {}\n"
	"- {bcast: {bytes: n, root: 1}}\n- {allreduce: {bytes: 8}}\n- [{compute: 1}, [compute: 2]]\n- do: [{compute: 1}]\n"
	"- {loop: n, do: [{compute: 1}]}\n- {loop: {i: [1, n]}, do: {compute: i}}\n- {loop: [1, 2], do: []}\n"
	"- par: [[{compute: 1}], {compute: 2}, []]\n- {par: 3, do: [{compute: 1}]}\n- {par: {k: [0, p - 1]}, do: [{use: disk, do: [{compute: k}]}]}\n"
	"- {if: rank == 0, do: [{compute: 1}], else: [{compute: 2}, {compute: 3}]}\n- {if: [0, 1], do: [{compute: 1}]}\n"
	"- call: exchange(8*n)\n- call: pause()\n";

static const struct model_node *node(uint32_t i)
{
	const struct model_node *n = m.program;

	while (i-- && n)
		n = n->next;
	return n;
}

static void is_all_read(void)
{
	if (!ok(reads(all), "everything is read %s", e.text))
		return;
	is_str(m.name, "everything", "the name");
	is_str(m.file, "m.yaml", "the file");
	is_u64(m.parameter_count, 4, "parameters");
	is_str(m.parameters[2].name, "q", "in their order");
	is_str(text_of(m.parameters[2].value), "[0.3, 0.5]", "with intervals");
	is_str(text_of(m.parameters[3].value), "n/2", "and formulas");
	is_u64(model_parameter(&m, "p"), 1, "one of them is p");
	is_str(text_of(m.resources[1].count), "2*p", "resources");
	is_u64(m.functions.count, 4, "functions");
	is_u64(m.functions.items[1].argument_count, 2, "with their arguments");
	is_str(m.functions.items[1].arguments[1], "p", "by name");
	is_u64(m.functions.items[2].argument_count, 0, "or none");
	is_u64(m.functions.items[3].piece_count, 3, "pieces");
	is_double(m.functions.items[3].pieces[1].most, 131072, 0, "which may end at a formula");
	ok(m.functions.items[3].pieces[2].most > 1e308, "the last is endless");
	is_u64(m.functions.items[0].at.line, 6, "a function's line");
	is_u64(m.functions.items[0].at.column, 3, "and column");
	is_str(shape(m.blocks[0].body), "send recv", "a block");
	is_str(m.blocks[0].arguments[0], "b", "its argument");
	is_str(shape(m.program), "compute ops send isend recv barrier barrier bcast allreduce do{compute do{compute}} do{compute} "
	       "loop{compute} loop{compute} loop par{do{compute} do{compute} do{}} par{compute} par{use{compute}} "
	       "if{compute}else{compute compute} if{compute} call call", "the program");
	is_str(node(0)->name, "first", "a node's name");
	is_str(text_of(node(0)->split_bytes), "8*n", "split");
	is_str(text_of(node(0)->value), "T(n)", "in quotes");
	is_u64(node(0)->value->at.column, 13, "what stands in quotes has its column");
	is_u64(node(1)->operation_count, 3, "operations");
	is_str(node(1)->operations[2].name, "read", "of memory as well");
	is_str(text_of(node(3)->tag), "3", "a tag");
	ok(!node(2)->tag && !node(5)->bytes && !node(8)->root, "what is absent is NULL");
	is_str(text_of(node(7)->root), "1", "a root");
	is_str(node(12)->word, "i", "an index");
	is_str(text_of(node(12)->last), "n", "and its end");
	is_str(text_of(node(13)->value), "[1, 2]", "an interval as the count of a loop");
	is_str(node(16)->body->word, "disk", "a resource");
	is_str(text_of(node(18)->value), "[0, 1]", "both cases");
	is_str(node(19)->word, "exchange", "a call");
	is_str(text_of(node(19)->arguments[0]), "8*n", "and what it gives");
	program_model_release(&m);
	ok(reads("pas2p_model: 1\nprogram: []\n") && m.parameter_count == 1 && !strcmp(m.parameters[0].name, "p") &&
	   !strcmp(text_of(m.parameters[0].value), "1"), "p is there without being named, and 1 %s", e.text);
	program_model_release(&m);
	ok(reads("pas2p_functions: 1\nfunctions:\n  t(n): n\n") && !m.program && m.functions.count == 1, "functions alone %s", e.text);
	program_model_release(&m);
}

/* ---- mistakes ---- */

#define M "pas2p_model: 1\n"
#define P "pas2p_model: 1\nprogram:\n"

static const struct {
	const char *text, *sentence;
} mistakes[] = {
	{"", "m.yaml: not a model: the key 'pas2p_model' is missing"},
	{"- 1\n", "m.yaml: not a model: the key 'pas2p_model' is missing"},
	{"pas2p_model: 2\n", "m.yaml: line 1: a model has version 2, but this pas2p reads version 1"},
	{"pas2p_functions: x\n", "m.yaml: line 1: pas2p_functions is 'x': expected a version number"},
	{M, "m.yaml: the model has no 'program', the list of steps of each process"},
	{M "programm: []\n", "m.yaml: line 2: unknown key 'programm' in a model: expected one of pas2p_model, name, parameters, resources, functions, "
	 "blocks, program, include"},
	{"pas2p_functions: 1\nprogram: []\n", "m.yaml: line 2: unknown key 'program' in a file of functions: expected one of pas2p_functions, name, "
	 "functions, blocks, include"},
	{P "- dance: 1\n", "m.yaml: line 3: unknown node 'dance': expected one of compute, ops, send, isend, recv, barrier, bcast, reduce, "
	 "allreduce, gather, scatter, allgather, alltoall, do, loop, par, use, if, call"},
	{P "- compute: 1 + m +\n", "m.yaml: line 3, column 19: expected a value, found the end of the expression"},
	{P "- {compute: n n}\n", "m.yaml: line 3, column 15: expected an operator, found 'n'"},
	{P "- compute: \"1 +* 2\"\n", "m.yaml: line 3, column 16: expected a value, found '*'"},
	{P "- compute: >\n    1 +\n    * 2\n", "m.yaml: line 3: expected a value, found '*'"},
	{P "- compute:\n", "m.yaml: line 3: expected an expression, found nothing"},
	{P "- compute: {a: 1}\n", "m.yaml: line 3: expected an expression, found a mapping"},
	{P "- compute: [1, 2, 3]\n", "m.yaml: line 3: expected an expression, found a list"},
	{P "- {compute: 1, ops: {sum_int: 1}}\n", "m.yaml: line 3: a list item holds one node, found 'compute' and 'ops': make each one an "
	 "item"},
	{P "- {compute: 1, do: []}\n", "m.yaml: line 3: 'do' is not allowed in 'compute'"},
	{P "- {recv: {from: 0}, split: {}}\n", "m.yaml: line 3: 'split' is not allowed in 'recv'"},
	{P "- {loop: 3, do: [], else: []}\n", "m.yaml: line 3: 'else' is not allowed in 'loop'"},
	{P "- {par: [[], []], do: []}\n", "m.yaml: line 3: 'do' is not allowed in 'par' with a list of branches"},
	{P "- loop: 3\n", "m.yaml: line 3: 'loop' needs 'do'"},
	{P "- if: 1\n", "m.yaml: line 3: 'if' needs 'do'"},
	{P "- else: []\n", "m.yaml: line 3: 'else' needs a node"},
	{P "- name: x\n", "m.yaml: line 3: expected a node, such as compute: 3ms, found none"},
	{P "- compute\n", "m.yaml: line 3: expected a node, such as compute: 3ms, found 'compute'"},
	{M "program: compute\n", "m.yaml: line 2: expected a node, such as compute: 3ms, found 'compute'"},
	{P "- {compute: 1, name: []}\n", "m.yaml: line 3: expected a text, found a list"},
	{P "- {compute: 1, split: {bytes: 2}}\n", "m.yaml: line 3: split needs 'compute'"},
	{P "- ops: {sum_dubble: 1}\n", "m.yaml: line 3: unknown operation 'sum_dubble': expected one of sum, sub, mpy, div, mod, compare, assign, "
	 "access, each with the ending _int, _long, _float or _double, compare, access, assign, call, read, write, copy"},
	{P "- ops: 3\n", "m.yaml: line 3: expected counts of operations by name, such as {sum_double: n}, found '3'"},
	{P "- send: 3\n", "m.yaml: line 3: expected send, as a mapping of to, bytes, tag, found '3'"},
	{P "- send: {bytes: 3}\n", "m.yaml: line 3: send needs 'to'"},
	{P "- send: {to: 3}\n", "m.yaml: line 3: send needs 'bytes'"},
	{P "- isend: {to: 3, size: 8}\n", "m.yaml: line 3: unknown key 'size' in isend: expected one of to, bytes, tag"},
	{P "- recv: {from: 3, bytes: 8}\n", "m.yaml: line 3: unknown key 'bytes' in recv: expected one of from, tag"},
	{P "- recv: {}\n", "m.yaml: line 3: recv needs 'from'"},
	{P "- bcast:\n", "m.yaml: line 3: expected bcast, as a mapping of bytes, root, found nothing"},
	{P "- bcast: {root: 0}\n", "m.yaml: line 3: bcast needs 'bytes'"},
	{P "- {loop: {i: 3}, do: []}\n", "m.yaml: line 3: expected the first and last value of the index, such as [1, n], found '3'"},
	{P "- {loop: {i: [1, 2], j: [1, 2]}, do: []}\n", "m.yaml: line 3: expected one index, as {i: [1, n]}, found 2"},
	{P "- {loop: {sum: [1, 2]}, do: []}\n", "m.yaml: line 3, column 11: 'sum' cannot be the name of an index: it is a word of the language"},
	{P "- {par: {1x: [1, 2]}, do: []}\n", "m.yaml: line 3, column 10: '1x' cannot be the name of an index: expected letters, digits and _, without a "
	 "digit first"},
	{P "- {use: a b, do: []}\n", "m.yaml: line 3, column 9: 'a b' cannot be the name of a resource: expected letters, digits and _, without a digit "
	 "first"},
	{P "- {use: [], do: []}\n", "m.yaml: line 3: expected the name of a resource, found a list"},
	{P "- call: exchange\n", "m.yaml: line 3: expected a block with its values, such as exchange(8*n), found 'exchange'"},
	{P "- call: max(1, 2)\n", "m.yaml: line 3: expected a block with its values, such as exchange(8*n), found 'max(1, 2)'"},
	{P "- call: {}\n", "m.yaml: line 3: expected a block with its values, such as exchange(8*n), found a mapping"},
	{M "parameters: [1]\n", "m.yaml: line 2: expected names with values, such as {n: 400}, found a list"},
	{M "parameters: {rank: 1}\n", "m.yaml: line 2, column 14: 'rank' cannot be the name of a parameter: it is a word of the language"},
	{M "resources: {1: 1}\n", "m.yaml: line 2, column 13: '1' cannot be the name of a resource: expected letters, digits and _, without a digit first"},
	{M "functions: []\n", "m.yaml: line 2: expected functions, such as f(n): expression, found a list"},
	{M "functions:\n  T: 1\n", "m.yaml: line 3, column 3: expected the name and arguments of a function, such as f(n), found 'T'"},
	{M "functions:\n  T(n: 1\n", "m.yaml: line 3, column 3: expected the name and arguments of a function, such as f(n), found 'T(n'"},
	{M "functions:\n  T(n, n): 1\n", "m.yaml: line 3, column 3: T has the argument 'n' twice"},
	{M "functions:\n  T(n,): 1\n", "m.yaml: line 3, column 3: '' cannot be the name of an argument: expected letters, digits and _, without a digit "
	 "first"},
	{M "functions:\n  max(n): 1\n", "m.yaml: line 3, column 3: 'max' cannot be the name of a function: it is a word of the language"},
	{M "functions:\n  T(rank): 1\n", "m.yaml: line 3, column 3: 'rank' cannot be the name of an argument: it is a word of the language"},
	{M "functions:\n  T(n): n\n  T(m): m\n", "m.yaml: line 4: the function 'T' is defined twice, first in line 3"},
	{M "functions:\n  T(n): {5: 1, 3: 2, inf: 4}\n", "m.yaml: line 3: the pieces of T must ascend: '3' is not above the previous one"},
	{M "functions:\n  T(n): {5: 1}\n", "m.yaml: line 3: the last piece of T must be 'inf'"},
	{M "functions:\n  T(n): {}\n", "m.yaml: line 3: the last piece of T must be 'inf'"},
	{M "functions:\n  T(n): {n: 1, inf: 2}\n", "m.yaml: line 3, column 10: 'n' is unknown here: expected a number"},
	{M "functions:\n  T(): {1: 1, inf: 2}\n", "m.yaml: line 3: T has pieces, but no argument to choose one"},
	{M "blocks: []\n", "m.yaml: line 2: expected blocks, such as exchange(b): [...], found a list"},
	{M "blocks:\n  b: []\n", "m.yaml: line 3, column 3: expected the name and arguments of a block, such as f(n), found 'b'"},
	{M "blocks:\n  b(): []\n  b(x): []\n", "m.yaml: line 4, column 3: the block 'b' is defined twice, first in line 3"},
	{M "include: x.yaml\nprogram: []\n", "m.yaml: line 2: only a model in a file can include files"},
	{M "name: [1]\nprogram: []\n", "m.yaml: line 2: expected a text, found a list"},
	{P "- compute: &a 1\n", "m.yaml: line 3: anchors and aliases are not accepted; write the value out"},
	{P "- {\"\\e\": 1}\n", "m.yaml: line 3: unknown node '\xef\xbf\xbd': expected one of compute, ops, send, isend, recv, barrier, bcast, reduce, "
	 "allreduce, gather, scatter, allgather, alltoall, do, loop, par, use, if, call"},
};

static void are_mistakes(void)
{
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		if (reads(mistakes[i].text)) {
			program_model_release(&m);
			snprintf(e.text, sizeof e.text, "no error");
		}
		is_str(e.text, mistakes[i].sentence, "mistake %zu has its sentence", i + 1);
	}
}

/* ---- includes ---- */

static void write_file(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		bail_out("cannot write %s", path);
}

/* The sentence of reading a file, without the folder's name; "" if it is read. */
static const char *read_in(const char *name)
{
	static char said[ERR_TEXT];
	char path[256];
	size_t n = 0, len = strlen(folder);

	snprintf(path, sizeof path, "%s/%s", folder, name);
	e = (struct err){0};
	if (!model_read(&m, path, &e))
		return "";
	for (const char *c = e.text; *c; c++) {
		if (!strncmp(c, folder, len))
			c += len + 1;
		said[n++] = *c;
	}
	said[n] = '\0';
	return said;
}

static void are_included(void)
{
	write_file("main.yaml", M "parameters: {n: 1}\ninclude: [sub/a.yaml, functions.yaml]\nfunctions: {T(n): 1}\nprogram: []\n");
	write_file("functions.yaml", "pas2p_functions: 1\nfunctions: {T(n): 2, U(n): 3}\n");
	write_file("sub/a.yaml", M "parameters: {n: 2, k: 3, p: 4}\nresources: {disk: 2}\nblocks: {go(): [{compute: 1}]}\n"
		   "program: [{compute: 7}]\ninclude: ../functions.yaml\n");
	if (ok(!*read_in("main.yaml"), "files include others %s", e.text)) {
		is_u64(m.functions.count, 2, "functions of all are there, once");
		is_str(text_of(m.functions.items[0].pieces[0].value), "1", "a file's own goes first");
		is_u64(m.parameter_count, 3, "parameters too");
		is_str(text_of(m.parameters[0].value), "1", "with its own defaults first");
		is_str(text_of(m.parameters[model_parameter(&m, "p")].value), "4", "and those of others");
		ok(m.resource_count == 1 && m.block_count == 1 && !m.program, "resources and blocks, but no other program");
		program_model_release(&m);
	}
	write_file("two.yaml", "pas2p_functions: 1\nfunctions: {T(n): 4}\n");
	write_file("both.yaml", M "include: [functions.yaml, two.yaml]\nprogram: []\n");
	is_str(read_in("both.yaml"), "both.yaml: line 2: include: two.yaml: line 2, column 13: the function 'T' is also defined in functions.yaml, "
	       "line 2", "two files with one name");
	write_file("self.yaml", M "include: self.yaml\nprogram: []\n");
	is_str(read_in("self.yaml"), "self.yaml: line 2: include: self.yaml includes itself, or a file that includes it", "a circle");
	write_file("ring.yaml", M "include: sub/ring.yaml\nprogram: []\n");
	write_file("sub/ring.yaml", M "include: ../ring.yaml\nprogram: []\n");
	is_str(read_in("ring.yaml"), "ring.yaml: line 2: include: sub/ring.yaml: line 2: include: sub/../ring.yaml includes itself, or a file that "
	       "includes it", "a circle of two");
	write_file("none.yaml", M "include: nothing.yaml\nprogram: []\n");
	ok(strstr(read_in("none.yaml"), "none.yaml: line 2: include: ") && strstr(e.text, "nothing.yaml"), "a file that is not there: %s", e.text);
	write_file("folder.yaml", M "include: sub\nprogram: []\n");
	ok(strstr(read_in("folder.yaml"), "directory"), "a folder: %s", e.text);
	write_file("number.yaml", M "include: [[1]]\nprogram: []\n");
	is_str(read_in("number.yaml"), "number.yaml: line 2: expected the path of a file, found a list", "no path");
	for (int i = 0; i <= MODEL_FILES; i++) {
		char name[32], text[128];

		snprintf(name, sizeof name, "chain%d.yaml", i);
		snprintf(text, sizeof text, "pas2p_functions: 1\ninclude: chain%d.yaml\n", i + 1);
		write_file(name, text);
	}
	ok(*read_in("chain0.yaml") && e.code == ERR_LIMIT, "very many files: code %d", e.code);
}

static void are_samples(void)
{
	static const char *const files[] = {"matmul", "pi", "primes", "one-core"};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char path[64];

		snprintf(path, sizeof path, "sample-models/%s.yaml", files[i]);
		if (ok(!model_read(&m, path, &e), "%s is read %s", path, e.text))
			program_model_release(&m);
	}
}

int main(void)
{
	char command[64];

	if (!mkdtemp(folder))
		bail_out("no folder for files");
	snprintf(command, sizeof command, "%s/sub", folder);
	if (mkdir(command, 0700))
		bail_out("no folder for files");
	is_all_read();
	are_mistakes();
	are_included();
	are_samples();
	snprintf(command, sizeof command, "rm -r %s", folder);
	if (system(command))
		diag("%s is left", folder);
	return done_testing();
}
