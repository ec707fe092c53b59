/* All that `pas2p clocks` tells of a run: bounds of its clocks, and what they violate (docs/explain/clocks-bounds.md).
 *
 *     clock_report_new(&r, log, &options, progress, &e);  the log and its trace must outlive it
 *     clock_report_free(r);
 *
 * Pairs that messages were sent in come by violations, the worst first.
 */
#ifndef PAS2P_CORE_CLOCKS_REPORT_H
#define PAS2P_CORE_CLOCKS_REPORT_H

#include "core/clocks/bounds/bounds.h"
#include "core/clocks/correct/correct.h"

#define REFERENCE_ANY UINT32_MAX /* rank 0, or the lowest that has records */

struct clock_report_options {
	uint32_t reference;
	double latency, resolution; /* s; resolution: as clock_times_init() takes it */
	uint32_t windows, bins;     /* windows: at most */
	bool medians;               /* of each pair, at 8 bytes per message */
};

struct clock_report {
	const struct trace *trace;
	struct clock_times times;
	struct clock_bounds *bounds;
	struct clock_violations *violations;
	double *gap;        /* per pair of `violations`, s: its smallest round trip; NAN: one direction only */
	double latency;
	double resolution;  /* the coarsest process's */
	bool corrected;     /* the trace was written with other times: */
	struct clock_correct_figures correction;
};

/* For a trace that ranks share, a collective step: only rank 0 has a report that says anything. ERR_USAGE: there is no
 * such reference. ERR_DAMAGED: there is no process at all. */
enum err_code clock_report_new(struct clock_report **out, const struct call_log *log,
			       const struct clock_report_options *o, const struct progress *progress, struct err *e);
void clock_report_free(struct clock_report *r); /* NULL is fine */

/* Write the trace with corrected times to a file, as clock_correct_file(). */
enum err_code clock_report_correct(struct clock_report *r, const char *path, const struct clock_correct_options *o, bool *unwritten,
				   const struct progress *progress, struct err *e);

/* What the report says: whatever is not known or has no bound is NAN. */
bool clock_report_has_clock(const struct clock_report *r, uint32_t process); /* it has records at all */
double clock_report_offset(const struct clock_report *r, uint32_t process, uint32_t border);
double clock_report_low(const struct clock_report *r, uint32_t process, uint32_t border);
double clock_report_high(const struct clock_report *r, uint32_t process, uint32_t border);
double clock_report_misfit(const struct clock_report *r); /* without a pair nothing can misfit */
double clock_report_worst(const struct clock_report *r, uint32_t process); /* of the messages that it sent or received */
const char *clock_report_method(const struct clock_report *r); /* of the correction: "none", "linear", "clc", "both" */
uint64_t clock_report_found(const struct clock_report *r); /* violations by messages and by ends of collectives */

#endif
