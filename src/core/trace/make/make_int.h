/* Declarations that only the files of src/core/trace/make use. Each part begins with its own description. */
#ifndef PAS2P_CORE_TRACE_MAKE_MAKE_INT_H
#define PAS2P_CORE_TRACE_MAKE_MAKE_INT_H

#include "trace_make.h"
#include "stream.h"

/* ---- count ---- */

/* Counters in the maker (trace_make.h): which one compute times come from, and turning its increases into seconds. The
 * maker's own.
 *
 * While records are told, compute times are seconds from states, and a column beside them has the counter's increases.
 * Afterwards, of processes whose counter rises and never falls:
 *
 *     compute time = increase after the event x (all their seconds / all their increases)
 *
 * so that sums stay what they were. In the others seconds from states stay, which is noted.
 */

/* The counter that is wanted, by its name, among those that were told; and room for its increases. ERR_USAGE lists
 * those that are there. */
enum err_code make_count_begin(struct maker *maker, struct err *e);
/* Streams of a share, and what it counts readings in. False: no memory. */
bool make_count_share(struct make_share *share);
bool make_count_stream(const struct maker *maker, struct stream *stream);
/* What the shares counted; while there still are streams. */
void make_count_gather(struct maker *maker, const struct make_share *shares, unsigned count);
void make_count_forget(struct maker *maker);
/* All was told: compute times are made. */
enum err_code make_count_finish(struct maker *maker, struct err *e);

/* ---- stream_count ---- */

/* Beside a stream's seconds, how far a counter of the thread increases over the same stretches of computation: what it
 * shows is accounted for like CPU samples (stream.h), by a second stream that is told the same calls and events.
 */

struct stream_count {
	struct stream increases;
	double *column;        /* per event: the increase that follows it, once it is known */
	double sum;            /* what the counter shows: all increases so far */
	bool falls;            /* an increase was none: below 0, or no number */
};

/* A stream of seconds that has not begun gets a count, which goes with it. False: no memory. */
bool stream_count_begin(struct stream *s, double *column);

/* A stream's; NULL: it has none. */
static inline struct stream_count *stream_count(const struct stream *s)
{
	return s->account == STREAM_WITH_COUNT ? s->count : NULL;
}

/* The counter has increased by so much since this was told last. */
void stream_count_add(struct stream *s, double time, double increase);

/* For stream.c. */
void stream_count_event(struct stream *s, uint32_t event); /* the first one of a call */
void stream_count_leave(struct stream *s, double time);
void stream_count_finish(struct stream *s, double end, bool followed);
void stream_count_end(struct stream *s);

#endif
