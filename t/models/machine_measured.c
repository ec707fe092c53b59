/* A machine, measured (docs/explain/models-language.md, "Machine files"): not how fast this one is, but what holds on
 * any: intervals are intervals, every operation has one, a chain takes no less than what is independent, a division
 * takes longer than a sum, memory costs something. */
#include <math.h>
#include <string.h>

#include "core/models/machine/machine.h"
#include "tap.h"

static bool stop(void *arg)
{
	(void)arg;
	return true;
}

int main(void)
{
	const struct progress stopped = {NULL, stop, NULL};
	struct machine_measured m;
	struct err e;
	int wrong = 0, zero = 0, below = 0;

	ok(!machine_measure(&m, true, NULL, &e), "measured");
	for (int i = 0; i < MACHINE_FIGURES; i++) {
		const struct machine_range *r = &m.figure[i];

		diag("%-16s %8.3f %8.3f ns", machine_figure_name((enum machine_figure)i), r->low * 1e9, r->high * 1e9);
		wrong += !(r->low >= 0 && r->low <= r->high && r->high < 1e-5);
		zero += !(r->high > 0);
	}
	is_int(wrong, 0, "all are intervals, shorter than 10 us");
	is_int(zero, 0, "none is nothing");
	ok(m.cycle > 1e-11 && m.cycle < 1e-7, "a cycle is one, %.3f ns", m.cycle * 1e9);
	for (int i = 0; i < MACHINE_OPS; i++)
		below += m.figure[i].low < m.cycle / 8;
	is_int(below, 0, "no operation is faster than eight in a cycle");
	ok(m.figure[MACHINE_div_long].low > m.figure[MACHINE_sum_long].low, "dividing takes longer than adding");
	ok(m.figure[MACHINE_div_double].low > m.figure[MACHINE_sum_double].low, "of real numbers, too");
	ok(m.figure[MACHINE_compare].low <= m.figure[MACHINE_compare_int].low && m.figure[MACHINE_compare].high >= m.figure[MACHINE_compare_double].high,
	   "without a type: any of them");
	ok(m.shared > 0 && m.shared <= 1, "a core keeps a part of its speed beside others");
	ok(m.cores >= 1 && m.buffer > 0 && m.host[0] && !strpbrk(m.host, " \t\n"), "what it is");
	is_str(machine_figure_name(MACHINE_sum_double), "sum_double", "names are the table's");
	is_str(machine_figure_name(MACHINE_copy), "copy", "those of memory, too");
	is_int(machine_measure(&m, false, &stopped, &e), ERR_CANCELLED, "it can be stopped");
	return done_testing();
}
