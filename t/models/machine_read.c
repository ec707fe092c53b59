/* Machines as files: what people write is taken as the page says it, and what is wrong is told with its line and what
 * was expected. */
#include <stdio.h>
#include <string.h>

#include "core/models/machine/machine.h"
#include "core/models/language/language.h"
#include "tap.h"

static struct machine m;
static struct err e;

static bool reads(const char *text)
{
	e = (struct err){0};
	return !machine_parse(&m, "m.yaml", text, strlen(text), &e);
}

static void is_op(const struct machine_op *op, double lo, double hi, const char *name)
{
	ok(op && op->seconds.lo == lo && op->seconds.hi == hi, "%s takes from %g to %g s", name, lo, hi);
}

static void is_sample(void)
{
	if (!ok(!machine_read(&m, "sample-models/celeron-16.yaml", &e), "a sample is read %s", e.text))
		return;
	is_str(m.name, "celeron-16", "its name");
	is_u64(m.op_count, 5, "operations, memory's among them");
	is_op(machine_op(&m, 0, "sum_double"), 2.1e-9, 6.9e-9, "sum_double");
	is_op(machine_op(&m, 0, "mpy_int"), 3.1e-9, 3.1e-9, "mpy_int");
	is_op(machine_op(&m, 1, "mpy_int"), 2e-9, 2e-9, "mpy_int on the other node");
	is_op(machine_op(&m, 1, "copy"), 0.6e-9, 0.6e-9, "copying a byte");
	ok(!machine_op(&m, 0, "div_int"), "what is not given has no time");
	is_u64(m.functions.count, 2, "functions");
	is_double(m.functions.items[0].pieces[0].most, 65536, 0, "in pieces");
	is_u64(m.network, 8, "messages at once");
	is_u64(m.group_count, 2, "two kinds of nodes");
	ok(m.nodes[0].count == 15 && m.nodes[0].cores == 4 && m.nodes[0].speed.lo == 1, "the first");
	ok(m.nodes[1].count == 1 && m.nodes[1].cores == 8 && m.nodes[1].speed.hi == 1.7, "and the second");
	machine_release(&m);
	ok(!machine_read(&m, "sample-models/computers-32.yaml", &e) && m.group_count == 3, "another sample is read %s", e.text);
	machine_release(&m);
	ok(!machine_read(&m, "sample-models/one-core.machine.yaml", &e), "and another %s", e.text);
	machine_release(&m);
}

static void are_defaults(void)
{
	ok(reads("pas2p_machine: 1\n"), "a machine may have nothing %s", e.text);
	ok(m.group_count == 1 && m.nodes[0].count == 1 && m.nodes[0].cores == 0 && m.nodes[0].speed.lo == 1 && m.network == 0 && !m.name,
	   "then it is one node, of any number of cores");
	machine_release(&m);
	ok(reads("pas2p_machine: 1\nnodes: [{speed: [0.8, 1]}, {cores: 2*4, memory: {read: 1ns}}]\nops: {call: 1000/1e12}\n"),
	   "intervals and formulas without names %s", e.text);
	ok(m.nodes[0].count == 1 && m.nodes[0].speed.lo == 0.8 && m.nodes[1].cores == 8, "are numbers");
	is_op(machine_op(&m, 1, "read"), 1e-9, 1e-9, "memory of a node");
	is_op(machine_op(&m, 0, "call"), 1e-9, 1e-9, "a call");
	machine_release(&m);
}

#define M "pas2p_machine: 1\n"

static const struct {
	const char *text, *sentence;
} mistakes[] = {
	{"", "m.yaml: not a machine: the key 'pas2p_machine' is missing"},
	{"pas2p_model: 1\n", "m.yaml: not a machine: the key 'pas2p_machine' is missing"},
	{"pas2p_machine: 0\n", "m.yaml: line 1: a machine has version 0, but this pas2p reads version 1"},
	{M "opps: {}\n", "m.yaml: line 2: unknown key 'opps' in a machine: expected one of pas2p_machine, name, ops, memory, functions, network, nodes"},
	{M "name: {}\n", "m.yaml: line 2: expected a text, found a mapping"},
	{M "ops: 3\n", "m.yaml: line 2: expected times of operations by name, found '3'"},
	{M "ops: {read: 1}\n", "m.yaml: line 2: unknown operation 'read': expected one of sum, sub, mpy, div, mod, compare, assign, access, each with the ending "
	 "_int, _long, _float or _double, compare, access, assign, call"},
	{M "ops: {sum: 1}\n", "m.yaml: line 2: unknown operation 'sum': expected one of sum, sub, mpy, div, mod, compare, assign, access, each with the ending "
	 "_int, _long, _float or _double, compare, access, assign, call"},
	{M "memory: {sum_int: 1}\n", "m.yaml: line 2: unknown operation 'sum_int': expected one of read, write, copy"},
	{M "ops: {sum_int: -1}\n", "m.yaml: line 2: expected a time of 0 or more, found '-1'"},
	{M "ops: {sum_int: [2, 1]}\n", "m.yaml: line 2, column 17: interval from 2 to 1: expected the lower end first"},
	{M "ops: {sum_int: n}\n", "m.yaml: line 2, column 16: 'n' is unknown here: expected a number"},
	{M "ops: {sum_int: 1 ns}\n", "m.yaml: line 2, column 18: expected an operator, found 'ns'"},
	{M "ops: {sum_int: 1, sum_int: 2}\n", "m.yaml: line 2: the key 'sum_int' appears twice, first in line 2"},
	{M "functions: {send: 1}\n", "m.yaml: line 2, column 13: expected the name and arguments of a function, such as f(n), found 'send'"},
	{M "network: 0\n", "m.yaml: line 2: expected a whole number, 1 or more, found '0'"},
	{M "network: 1.5\n", "m.yaml: line 2: expected a whole number, 1 or more, found '1.5'"},
	{M "network: [1, 2]\n", "m.yaml: line 2: expected a whole number, 1 or more, found a list"},
	{M "network: 1e300\n", "m.yaml: line 2: expected a whole number, 1 or more, found '1e300'"},
	{M "nodes: {count: 3}\n", "m.yaml: line 2: expected a list of at least one node, found a mapping"},
	{M "nodes: []\n", "m.yaml: line 2: expected a list of at least one node, found a list"},
	{M "nodes: [3]\n", "m.yaml: line 2: expected nodes of a machine, as a mapping of count, cores, speed, ops, memory, found '3'"},
	{M "nodes: [{core: 3}]\n", "m.yaml: line 2: unknown key 'core' in nodes of a machine: expected one of count, cores, speed, ops, memory"},
	{M "nodes: [{count: 0}]\n", "m.yaml: line 2: expected a whole number, 1 or more, found '0'"},
	{M "nodes: [{cores: -1}]\n", "m.yaml: line 2: expected a whole number, 1 or more, found '-1'"},
	{M "nodes: [{speed: 0}]\n", "m.yaml: line 2: expected a speed above 0, found '0'"},
	{M "nodes: [{speed: [0, 1]}]\n", "m.yaml: line 2: expected a speed above 0, found a list"},
	{M "nodes: [{ops: {jump: 1}}]\n", "m.yaml: line 2: unknown operation 'jump': expected one of sum, sub, mpy, div, mod, compare, assign, access, "
	 "each with the ending _int, _long, _float or _double, compare, access, assign, call"},
};

static void are_mistakes(void)
{
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		if (reads(mistakes[i].text)) {
			machine_release(&m);
			snprintf(e.text, sizeof e.text, "no error");
		}
		is_str(e.text, mistakes[i].sentence, "mistake %zu has its sentence", i + 1);
	}
	ok(machine_read(&m, "sample-models/none.yaml", &e) == ERR_IO, "a file that is not there: %s", e.text);
	ok(machine_read(&m, "sample-models", &e) == ERR_IO, "a folder: %s", e.text);
}

static void are_operations(void)
{
	static const char *const processor[] = {"sum_int", "sub_long", "mpy_float", "div_double", "mod_int", "compare_int", "assign_double",
						"access_float", "compare", "access", "assign", "call"};
	static const char *const none[] = {"sum", "sum_", "sum_intt", "_int", "call_int", "read_int", "", "sum_int_int"};

	for (size_t i = 0; i < sizeof processor / sizeof *processor; i++)
		is_int(operation_family(processor[i]), OPERATION_PROCESSOR, "%s is an operation", processor[i]);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		is_int(operation_family(none[i]), OPERATION_UNKNOWN, "'%s' is none", none[i]);
	is_int(operation_family("write"), OPERATION_MEMORY, "write is one of memory");
}

int main(void)
{
	is_sample();
	are_defaults();
	are_mistakes();
	are_operations();
	return done_testing();
}
