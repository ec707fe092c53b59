/* A rank that has little processor time outside of MPI was idle there, unless it was ready to run and others had the
 * processor: the line between the two is exact, and where something is not known, nothing is claimed.
 */
#include <math.h>

#include "core/metrics/rows/rows.h"
#include "tap.h"

static enum outside_use use(double waited, double useful, double cpu)
{
	struct process_node node = {.processes = 2, .processors = 2, .waited = waited};

	return outside_use(&node, useful, cpu);
}

int main(void)
{
	static const struct process_node none;
	char text[OUTSIDE_TEXT];

	is_int(use(0, 10, 10), OUTSIDE_COMPUTING, "all of it");
	is_int(use(0, 10, 5), OUTSIDE_COMPUTING, "half of it");
	is_int(use(0, 10, 4.999), OUTSIDE_IDLE, "less than half, and it did not wait");
	is_int(use(2.99, 10, 4), OUTSIDE_IDLE, "it waited for less than half of what is missing");
	is_int(use(3, 10, 4), OUTSIDE_SHARED, "for half of it");
	is_int(use(100, 10, 0), OUTSIDE_SHARED, "for more, inside of MPI, too");
	is_int(use(0, 10, 0), OUTSIDE_IDLE, "no processor time at all");
	is_int(use(-1, 10, 0), OUTSIDE_UNKNOWN, "what it waited for is not known");
	is_int(use(-1, 10, 9), OUTSIDE_COMPUTING, "where that does not matter");
	is_int(use(NAN, 10, 0), OUTSIDE_UNKNOWN, "nor what is no number");
	is_int(use(0, 10, NAN), OUTSIDE_UNKNOWN, "no readings");
	is_int(use(0, 0, 0), OUTSIDE_UNKNOWN, "no time outside of MPI");
	is_int(use(0, NAN, 1), OUTSIDE_UNKNOWN, "no account");
	is_int(outside_use(&none, 10, 0), OUTSIDE_UNKNOWN, "no node");

	is_str(outside_use_name(OUTSIDE_IDLE), "idle", "its name");
	ok(!outside_use_name(OUTSIDE_UNKNOWN), "what is not known has none");
	is_str(outside_use_text(OUTSIDE_IDLE, 2, .5e-3, text), "was idle outside MPI: 500 µs of processor time in 2.000 s", "in words");
	is_str(outside_use_text(OUTSIDE_SHARED, 2, .5, text), "shared its processor: 500 ms of processor time in 2.000 s", "likewise");
	is_str(outside_use_text(OUTSIDE_COMPUTING, 2, 2, text), "", "computing needs no words");
	return done_testing();
}
