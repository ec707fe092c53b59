/* Where the phases lie on each process, in its own time (docs/reference/metrics.md, "Rows").
 *
 * An occurrence on process p is [time of p's send or collective number entry+1, time of number exit+1), so that
 * phases tile every process, with `before` the first occurrence and `after` the last. Kept are stretches: those of
 * process p are [first[p], first[p + 1]), by time; a stretch begins at `from` and ends where the next one begins. An
 * occurrence in which p does nothing has no stretch on p. The first stretch of a process is SPAN_BEFORE, from minus
 * infinity; the last one SPAN_AFTER, to infinity. Times are those of the log, so they do not step back. A process
 * without events is SPAN_BEFORE throughout; one that only receives is so up to where its work ends, the time of any
 * number that it does not have. Without phases all is SPAN_BEFORE.
 *
 * Cost: O(events + processes). Memory: 16 bytes for each occurrence and process that acts in it: at most one for each
 * send and collective. The phases must outlive it.
 */
#ifndef PAS2P_CORE_METRICS_CALLS_PHASE_SPANS_H
#define PAS2P_CORE_METRICS_CALLS_PHASE_SPANS_H

#include "log.h"
#include "core/method/figures/figures.h"

#define SPAN_BEFORE 0            /* in place of a phase's id, which are from 1 */
#define SPAN_AFTER UINT32_MAX

struct phase_span {
	double from;
	uint32_t phase;          /* id, SPAN_BEFORE or SPAN_AFTER */
	uint32_t occurrence;     /* index into the phases' occurrences; UINT32_MAX: of none */
};

struct phase_spans {
	const struct phases *phases;
	struct phase_span *spans;
	uint32_t *first;         /* process_count + 1 */
	uint32_t process_count;
};

/* log: of the same trace, or NULL: times are those of the events, and one that steps back is taken as the one before
 * it. ERR_MEMORY, ERR_CANCELLED. */
enum err_code phase_spans_new(struct phase_spans **out, const struct call_log *log, const struct clockwork *c,
			      const struct phases *p, const struct progress *progress, struct err *e);
void phase_spans_free(struct phase_spans *s); /* NULL is fine */

/* The stretch in which time t lies: index into spans. Binary search. */
uint32_t phase_span_at(const struct phase_spans *s, uint32_t process, double t);

#endif
