/* Sizes of 2 GiB and more. An event has 32 bits for its size (trace.h); these are in a table of the trace's.
 *
 *     code = size_code(&table, size);            while events come in, by any thread: for size_code[]
 *     trace_settle_sizes(t, &table, &more, &e);  when all are there: codes are in the order of sizes
 *
 * The table belongs to whoever makes the trace.
 */
#ifndef PAS2P_TRACE_SIZES_H
#define PAS2P_TRACE_SIZES_H

#include <pthread.h>

#include "core/base/index.h"
#include "trace.h"

struct size_table {
	uint64_t *list;
	uint32_t count;
	size_t cap;
	struct index index;
	pthread_mutex_t lock;
	bool failed;             /* out of memory */
};

void size_table_init(struct size_table *s);
void size_table_release(struct size_table *s);

/* Of a size of SIZE_CODE_LARGE or more. */
uint32_t size_code_large(struct size_table *s, uint64_t size);

static inline uint32_t size_code(struct size_table *s, uint64_t size)
{
	return __builtin_expect(size < SIZE_CODE_LARGE, 1) ? (uint32_t)size : size_code_large(s, size);
}

/* All ranks of a team come to it. *incredible: how many events, of all ranks, had a size that is none: large ones that
 * add up to more than INT64_MAX, and of these whatever is more than their share of that. No sum over events overflows
 * then. */
enum err_code trace_settle_sizes(struct trace *t, const struct size_table *s, uint64_t *incredible, struct err *e);

/* For a trace whose size_code[] has codes of another's. */
enum err_code trace_copy_large_sizes(struct trace *to, const struct trace *from, struct err *e);

#endif
