/* Times that a trace has instead of those in its files: put right, so that nothing arrives before it was sent
 * (docs/explain/clocks-bounds.md, "Corrected times").
 *
 *     struct trace_options to = {.times = times};      loading takes record i of process p to be at time[first[p] + i]
 *     trace_load(&trace, paths, count, &to, progress, &e);
 *     trace->times                                     the same, referred to by the trace; whoever reads its files again passes it on
 *     trace_times_unref(times);
 *
 * So all that is read of such a trace is as if a file with these times were read; its files are the recorded ones. Who
 * makes them: core/clocks/correct/correct.h. Immutable; may be referred to from any thread.
 */
#ifndef PAS2P_CORE_TRACE_TIMES_H
#define PAS2P_CORE_TRACE_TIMES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct tree_out;

struct times_figures {
	unsigned steps;         /* of TRACE_CLOCKS_; 0: nothing was to be put right, so times are as recorded */
	double largest;         /* s, that a record was moved by, at most */
	uint64_t left;          /* what still arrives before it was sent */
};

struct trace_times {
	atomic_uint references;
	struct times_figures figures;
	uint32_t process_count;
	size_t *first;          /* process_count + 1; NULL if there are no steps, as time is */
	double *time;           /* s */
};

struct trace_times *trace_times_ref(struct trace_times *times); /* NULL is fine */
void trace_times_unref(struct trace_times *times); /* NULL is fine; the last one frees it */

/* "corrected: linear + clc, largest shift 8.2 us", "nothing to correct". ASCII; returns text. */
#define TIMES_SENTENCE 128
char *times_sentence(const struct times_figures *f, char text[TIMES_SENTENCE]);
const char *times_method(unsigned steps); /* "none", "linear", "clc", "both" */
/* In a document: clocks: {times: corrected, method, largest, left}. */
void times_write(struct tree_out *d, const struct times_figures *f);

#endif
