/* Measurements out of traces: what messages and collectives took in runs that were recorded, as rows of op, where,
 * bytes, p and seconds (docs/models.md 5).
 *
 *     trace_measures_init(&r, &e);
 *     trace_measures_add(&r, log, job, &e);       for each run
 *     trace_measures_take(&r, &m, &e);            m is initialised by it: groups "send intra", parameters bytes and p
 *     r.notes                                     a sentence a line: what was left out, and why
 *     trace_measures_release(&r);
 *
 * Rows, in the order of pingpong_ops.def:
 *     send, isend   the state of the call, which makes this one send
 *     recv          from the send's stamp to the receive's, of a call that makes this one receive and in which the receiver was before the send
 *     copy          the length of a call that makes this one receive and began after the message took what `recv` fits in this run
 *     collectives   the time from the last member's entry to a member's leaving, the mean of all members; a row an instance
 *
 * where: "intra" on one host, "inter" on several; the group has no such word where a trace does not know hosts. p: 2,
 * or the communicator's size. What compares clocks of several hosts is left out of a run whose clocks' error is not
 * known, or above a tenth of the median.
 *
 * Memory: a point (an op at some bytes and p) keeps at most 4096 rows, spread evenly over all that there are.
 */
#ifndef PAS2P_TRACE_MEASURES_H
#define PAS2P_TRACE_MEASURES_H

#include "core/base/job.h"
#include "core/io/out.h"
#include "core/metrics/call_log.h"
#include "measurements.h"

#define TRACE_ROWS_ENOUGH 30 /* of a group: fewer are told, and not taken */
#define TRACE_CLOCKS_SHARE 0.1 /* of the median: clocks may be off so much */

struct trace_point;

struct trace_points {
	struct trace_point *list;
	uint32_t count;
	size_t cap;
	struct map *by_key;
};

struct trace_measures {
	struct trace_points points;
	struct out notes;
};

enum err_code trace_measures_init(struct trace_measures *r, struct err *e);
/* ERR_MEMORY, ERR_CANCELLED, ERR_LIMIT. The log is needed no longer. */
enum err_code trace_measures_add(struct trace_measures *r, const struct call_log *log, const struct job *job, struct err *e);
/* ERR_FORMAT: there is no group with rows enough. */
enum err_code trace_measures_take(struct trace_measures *r, struct measurements *m, struct err *e);
void trace_measures_release(struct trace_measures *r);

#endif
