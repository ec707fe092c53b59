/* Beside a stream's seconds, how far a counter of the thread increases over the same stretches of computation: what it
 * shows is accounted for like readings of a CPU clock (stream.h), by a second stream that is told the same calls and
 * events.
 */
#ifndef PAS2P_STREAM_COUNT_H
#define PAS2P_STREAM_COUNT_H

#include "stream.h"

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
