/* The critical path of the ideal run: the chain of computing that makes it as long as it is (docs/metrics.md, "Critical
 * path").
 *
 * From the end of the list that ends last, back in time: what lies before a call is on the path; where a call waited,
 * the path goes on before the call that it waited for, on that call's process. Where a call's own process is as late as
 * what it depends on, the path stays with it; of several others equally late it goes to the lowest call. Pieces add up
 * to the ideal run time: a shorter one of them makes the run shorter, as long as no other chain takes over.
 */
#ifndef PAS2P_CRITICAL_H
#define PAS2P_CRITICAL_H

#include "replay.h"

enum critical_what {
	CRITICAL_USEFUL,     /* computing before `call` */
	CRITICAL_TRACER,     /* the tracer's write that `call` is */
	CRITICAL_LATE_START  /* the list had no record yet: only the first piece can be so */
};

struct critical_piece {
	uint32_t list;
	uint32_t call;      /* the piece lies before it, or is it; lists[list].end: behind the last one */
	enum critical_what what;
	double from, to;    /* in the ideal run, s from t0; to > from */
	uint32_t place;     /* which of all pieces it is */
};

struct critical_path {
	struct critical_piece *pieces; /* in order of time: the first from 0, each from where the one before it ends */
	uint32_t count;
	uint32_t all;       /* pieces on all ranks: `count`, where the log is whole */
};

/* r is an ideal run. Consecutive pieces of one list are not joined. Of a log that ranks of a team share each rank gets
 * the pieces of its own lists; all come to it, and the path is handed from rank to rank at a meeting for each message
 * and collective on it that was waited for from elsewhere. */
enum err_code critical_new(struct critical_path **out, const struct replay *r, const struct job *job, struct err *e);
void critical_free(struct critical_path *p); /* NULL is fine */

#endif
