/* Statistics for the summary: who sends how much to whom, how large messages are, which collectives there are. Times by
 * kind are in trace->processes already.
 *
 * size_histogram() is a collective step, which is of the whole trace; all else is of a trace that is whole here.
 *
 * Cost: one pass over the events each (10 ms for a million; collectives also need a bit per event).
 */
#ifndef PAS2P_CORE_METRICS_MAPS_TRAFFIC_H
#define PAS2P_CORE_METRICS_MAPS_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

/* --- communication matrix --- */

struct comm_cell {
	uint64_t messages, bytes; /* bytes of known size */
};

/* Sends by source (rows) and destination (columns). With many processes a row or column stands for several, as even
 * as can be: row r for those from matrix_first(r) up to matrix_first(r + 1). */
struct comm_matrix {
	uint32_t rows, columns, processes;
	struct comm_cell *cell;     /* cell[row * columns + column] */
	struct comm_cell most;      /* the most of each in any cell, for colour scales */
	struct comm_cell all;
	uint64_t nowhere;           /* sends whose destination is not known */
	uint64_t unknown;           /* sends of unknown size */
};

enum err_code comm_matrix_init(struct comm_matrix *m, const struct trace *t, uint32_t rows, uint32_t columns,
			       const struct progress *progress, struct err *e);
void comm_matrix_release(struct comm_matrix *m);

/* The first process of group i of n, and the group of a process. */
static inline uint32_t matrix_first(uint32_t i, uint32_t n, uint32_t processes)
{
	return (uint32_t)(((uint64_t)i * processes + n - 1) / n);
}
static inline uint32_t matrix_group(uint32_t process, uint32_t n, uint32_t processes)
{
	return (uint32_t)((uint64_t)process * n / processes);
}

/* The same without grouping, however many processes there are: the pairs of which one sends to the other, by sender and
 * then receiver. *out to mem_free(), *count entries. */
struct comm_pair {
	uint32_t from, to;
	struct comm_cell sent;
};

enum err_code comm_pairs(struct comm_pair **out, uint32_t *count, const struct trace *t, const struct progress *progress,
			 struct err *e);

/* The pair with the most bytes, of several the one with more messages, then the first. sent.messages 0: no process
 * sends to a known one. */
enum err_code comm_heaviest(struct comm_pair *out, const struct trace *t, const struct progress *progress, struct err *e);

/* --- message sizes --- */

#define SIZE_BINS 64 /* bin 0: no bytes; bin k: from 2^(k-1) to 2^k - 1 bytes */

struct size_histogram {
	struct comm_cell bin[SIZE_BINS];
	uint32_t first, last;       /* bins from the first to the last that are not empty; first > last: all are */
	uint64_t unknown;           /* sends of unknown size, in no bin */
	uint64_t smallest, largest; /* of known sizes; 0 if there are none */
};

/* For a trace that ranks of a team share it takes collective steps, and all have the whole. */
enum err_code size_histogram(struct size_histogram *h, const struct trace *t, const struct progress *progress, struct err *e);
static inline uint32_t size_bin(uint64_t size)
{
	return size ? 64 - (uint32_t)__builtin_clzll(size) : 0;
}

/* --- collectives --- */

struct coll_stats {
	uint32_t coll;       /* index into trace->colls: operation and communicator */
	uint64_t instances;  /* times that it was called, by all of its members together */
	uint64_t events;     /* calls of single processes */
	uint64_t bytes;      /* that they contributed, as far as recorded */
};

/* By operation and communicator, those called most often first. *out to mem_free(), *count entries. */
enum err_code coll_stats(struct coll_stats **out, uint32_t *count, const struct trace *t, const struct progress *progress,
			 struct err *e);

#endif
