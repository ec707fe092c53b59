/* The projection: how long the measured run would take with some things changed (docs/reference/metrics.md, "What-if
 * changes").
 *
 * Each call keeps what it took beyond waiting and whom it waited for; waiting is computed anew. Factors on the same time
 * multiply. What a change brings is the difference to the projection of no change: that is the measured run to rounding
 * where clocks agree, and longer than it where they do not.
 *
 * - network: what every MPI call takes beyond waiting, also those that are not communication: what the ideal run leaves
 *   out. With a factor of 0 this is the ideal run with the default rules, to the last digit, however the computing is
 *   changed.
 * - one function: the same for its calls.
 * - ranks, phases: useful time of these processes, and within the occurrences of the phase, by each process's own time.
 *   Other threads of a process change as its first does. The tracer's writes stay.
 * - balance: within an occurrence each process that computes there (useful time > 0, of account lists) computes as long
 *   as these do on average, each of its stretches by the same factor. A process that does not compute there does not
 *   begin to, so the work of the occurrence stays the same. `before` and `after` stay, too.
 */
#ifndef PAS2P_CORE_METRICS_REPLAY_PROJECT_H
#define PAS2P_CORE_METRICS_REPLAY_PROJECT_H

#include "core/metrics/calls/calls.h"
#include "core/metrics/calls/phase_spans.h"
#include "replay.h"

struct projection {
	double runtime;
	double *useful;          /* per process: of its account list */
	double *communication;   /* as above: time of its communication calls */
	struct replay *replay;
};

/* spans NULL: phase and balance are refused (ERR_USAGE). Also refused: ranks, phases and functions that the trace does
 * not have. ERR_MEMORY, ERR_CANCELLED. For a log that ranks of a team share, with the spans of their local processes,
 * all come to it, and all get the figures of all processes; the replay is of their own lists. Returns the team's
 * code. */
enum err_code project_new(struct projection **out, const struct waits *waits, const struct phase_spans *spans,
			  const struct what_if *w, const struct progress *progress, struct err *e);
void project_free(struct projection *p); /* NULL is fine */

/* A part of the run whose computing is changed alone: of a user state with those in it; of an MPI function what
 * its calls take beyond waiting. */
enum project_kind { PROJECT_PROCESS, PROJECT_NODE, PROJECT_PHASE };
struct project_part {
	enum project_kind kind;
	uint32_t which;          /* process; node of the log's tree; phase, SPAN_BEFORE or SPAN_AFTER */
};

/* For each part what the run wins, in s, if that takes `factor` of what it took: the run time of the projection of
 * no change less that of this one. A replay a part, and one for all. spans: for phases. Teams and errors as of
 * project_new(); the parts are the same on all ranks. */
enum err_code project_gains(double *gains, const struct project_part *parts, uint32_t count, double factor, const struct waits *waits,
			    const struct phase_spans *spans, const struct progress *progress, struct err *e);

/* What it means for the factors; nothing says what its ideal run would be, so serialisation and transfer are
 * unknown. p NULL: all are. */
struct factors projection_factors(const struct projection *p, uint32_t processes);

#endif
