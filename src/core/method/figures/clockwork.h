/* The clockwork, inside (figures.h says what it is for).
 *
 * at[c], for c from 0 to tick_count: the sum over processes of the time, from the trace's start on, of the process's
 * first send or collective at a tick >= c, or of where its work ends if there is none: where a measurement starts or
 * ends (docs/explain/method.md, "Entry, exit and duration"). Differences of at[] are sums of durations.
 *
 * stretch[c], where blocks are asked for: the sum over all events at ticks before c of the time from each to the next
 * event of its process, of the last one to where the process's work ends. Differences are sums of durations of phases
 * of blocks.
 *
 * The sums are exact before they are rounded once each (exact_sum.h), so that they are the same however processes are
 * shared out. With a team all ranks have all of at[]; of processes, each has its own.
 */
#ifndef PAS2P_CORE_METHOD_FIGURES_CLOCKWORK_H
#define PAS2P_CORE_METHOD_FIGURES_CLOCKWORK_H

#include "figures.h"

struct clockwork {
	const struct logical *l;
	double *at;      /* tick_count + 1 */
	double *stretch; /* tick_count + 1; NULL: not asked for */
	uint8_t *steady; /* per process, of one's own: the times of its sends and collectives never step back */
};

/* Of local processes: the time of process p's send or collective number n + 1, or of where its work ends if there is
 * none. */
double clockwork_time(const struct clockwork *c, uint32_t process, uint32_t n);

/* From one of a process's events to the first send or collective after another, or to where its work ends. */
double event_to_next_send(const struct trace *t, uint32_t process, uint32_t first, uint32_t last);

/* Tick at which an occurrence is left: the first of the next one; tick_count after the last. */
static inline uint32_t occurrence_exit(const struct clockwork *c, const struct phases *p, uint32_t i)
{
	return i + 1 < p->occurrence_count ? p->occurrences[i + 1].first : c->l->tick_count;
}

/* Those whose differences are the durations of phases that were found in this way. */
static inline const double *clockwork_sums(const struct clockwork *c, enum similarity similarity)
{
	return similarity == SIMILARITY_BBP ? c->stretch : c->at;
}

/* From an event to the next one of its process, or to where the process's work ends. */
static inline double event_stretch(const struct trace *t, uint32_t process, uint32_t event)
{
	return (event + 1 < t->first[process + 1] ? t->time[event + 1] : t->processes[process].work_end) - t->time[event];
}

#endif
