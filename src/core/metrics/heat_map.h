/* Heat maps of the whole run: what each process (or group of processes) had in each stretch of the run.
 *
 *     heat_map_new(&h, HEAT_WAITING, &from, rows, columns, job, &e);
 *     h->value[row * h->columns + column], h->most
 *     heat_map_free(h);
 *
 * A row is so many processes, or as many as matrix_first() (traffic.h) gives it; there are no more rows than processes.
 * Columns are equal stretches of physical time, from the run's first record to its last, or of ticks (no more than
 * there are). On each process the time of a tick is from its event there (the start of the call that it is the first
 * of) to its next event; its first event's begins with its first record, its last one's ends with its last. So cells
 * tile a process's time either way. One pass over calls and events for all rows; O(calls + events + processes x
 * columns), and memory for the cells and one row's phases. Immutable once made.
 *
 * Values: HEAT_PHASE the id of the phase that has most of the cell's time, the lowest of several (0: none has any);
 * HEAT_COMPUTE and HEAT_WAITING the share of the cell's time (processes x width; in columns of ticks that of its ticks); HEAT_BYTES and HEAT_MESSAGES what was sent, at the sends.
 * NAN: none of the cell's processes has records there, or (compute, waiting) the trace has no MPI calls. Times and
 * shares are of the lists with an account, events of all threads. A clock that steps back stands still until it is
 * past.
 */
#ifndef PAS2P_HEAT_MAP_H
#define PAS2P_HEAT_MAP_H

#include "core/logical/logical.h"
#include "phase_spans.h"
#include "waits.h"

enum heat_measure { HEAT_PHASE, HEAT_COMPUTE, HEAT_WAITING, HEAT_BYTES, HEAT_MESSAGES, HEAT_MEASURES };
const char *heat_measure_name(enum heat_measure m);  /* "phase", "compute", "waiting", "bytes", "messages" */

/* What it is made of; what a measure does not need may be NULL. */
struct heat_from {
	const struct call_log *log;        /* always */
	const struct waits *waits;         /* waiting; NULL: it is not known */
	const struct phase_spans *spans;   /* phase */
	const struct logical *ticks;       /* NULL: columns are of time. Else [first_tick, end_tick), of the same run; collectives may be out */
	uint32_t first_tick, end_tick;     /* the end may lie behind the run's */
	uint32_t each;                     /* processes a row, and as many rows as that takes; 0: rows by matrix_first() */
	double from, to;                   /* columns of time: [from, to), s, the trace's own; from >= to: the whole run */
};

struct heat_map {
	enum heat_measure measure;
	uint32_t rows, columns, processes;
	double *value;
	double most;                       /* the largest value; 0: there is none above 0 */
	double from, to;                   /* columns of time: what they reach over */
};

enum err_code heat_map_new(struct heat_map **out, enum heat_measure measure, const struct heat_from *from, uint32_t rows,
			   uint32_t columns, const struct job *job, struct err *e);
void heat_map_free(struct heat_map *h); /* NULL is fine */

#endif
