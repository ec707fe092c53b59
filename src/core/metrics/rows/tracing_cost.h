/* What tracing cost the run that was traced, as far as its trace says what a record costs: records times that, and
 * what the tracer took besides, which is recorded (writing its buffer, comparing clocks: TIME_TRACER). The cost of a
 * record was measured while nothing was written, so that nothing counts twice.
 */
#ifndef PAS2P_CORE_METRICS_ROWS_TRACING_COST_H
#define PAS2P_CORE_METRICS_ROWS_TRACING_COST_H

#include "core/trace/trace.h"

struct tracing_cost {
	bool known;
	uint64_t records;
	double written;      /* s: what the tracer recorded of itself */
	double time[2];      /* s: all of it, from and to */
	double share[2];     /* of the total time, or of a process's run time */
};

struct tracing_cost tracing_cost_run(const struct trace *t);
struct tracing_cost tracing_cost_process(const struct trace *t, uint32_t process);

/* "about 0.2 to 0.4 % of the total time, 13 to 26 us: 892 records at 14 to 29 ns each"; "": not known. Returns text,
 * TRACING_TEXT bytes. */
#define TRACING_TEXT 240
char *tracing_cost_text(const struct trace *t, const struct tracing_cost *c, char *text);

#endif
