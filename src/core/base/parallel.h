/* Several threads for one step: the core's only use of them.
 *
 * Work is cut so that the result does not depend on how many there are. Part 0 runs on the caller's thread, which alone
 * calls back; the others learn of a stop through parallel_stop.
 */
#ifndef PAS2P_PARALLEL_H
#define PAS2P_PARALLEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "progress.h"

#define PARALLEL_MOST 64

/* Run part(arg, i) for i = 0 .. parts-1, each on a thread of its own (on the caller's, one after the other, where
 * no thread can be made); returns when all are done. At most PARALLEL_MOST parts. */
void parallel_run(unsigned parts, void (*part)(void *arg, unsigned i), void *arg);

/* memset() on several threads: where memory is touched for the first time the system clears it too, which costs
 * more. */
void parallel_set(void *p, int byte, size_t bytes, unsigned threads);

/* The number of useful threads: as asked for (0: as many as the machine has), at most `most`. */
unsigned parallel_threads(unsigned asked, unsigned most);

/* A stop flag that all parts look at and part 0 sets from progress. */
struct parallel_stop {
	const struct progress *progress;
	atomic_bool stopped;
};

static inline bool parallel_stopped(struct parallel_stop *s, unsigned part)
{
	if (part == 0 && progress_stopped(s->progress))
		atomic_store_explicit(&s->stopped, true, memory_order_relaxed);
	return atomic_load_explicit(&s->stopped, memory_order_relaxed);
}

#endif
