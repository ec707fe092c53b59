/* The method, naively: every definition of the method written down as it reads, with dense matrices and
 * quadratic loops. Slow and obviously correct; what the core computes cleverly is compared against it.
 *
 * It shares nothing with the core but the shape of a trace and the settings. All functions end the
 * program where memory runs out; that is fine in a test.
 */
#ifndef PAS2P_NAIVE_H
#define PAS2P_NAIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/settings/settings.h"
#include "core/trace/trace.h"

struct naive {
	const struct trace *t;     /* as given, or `own`: without its collectives */
	struct trace *own;
	struct settings s;
	uint32_t processes;

	/* Logical times and ticks. */
	uint32_t *lt, *tick;       /* per event */
	uint64_t broken;           /* relations cut to get out of a cycle */
	bool *cut;                 /* per event: its relation was */
	uint32_t ticks;
	uint32_t *cell;            /* cell[k * processes + p]: p's event at tick k, or NO_EVENT */

	/* Basic blocks, numbered from 1. */
	uint32_t blocks;
	uint32_t *label;

	/* Phases: occurrences in order of time, each of a phase with ids from 1. */
	struct naive_occurrence { uint32_t phase, first, last; } *occurrence;
	uint32_t occurrences;
	struct naive_phase {
		uint32_t weight, ticks, content; /* content: index of the first occurrence */
		uint32_t from, to;               /* send ticks (phase) or blocks (bbp) of the content */
		double time, between_sends, time_min, time_max, share;
		bool relevant;
	} *phase;                  /* phase[id - 1] */
	uint32_t phases;

	double aet, coverage, measured_coverage, set, pet, pet_scaled, pete;
};

/* Everything of t under settings s. With `collectives: ignore` they are taken out first. */
struct naive *naive_new(const struct trace *t, const struct settings *s);
void naive_free(struct naive *n);

/* Phases from given labels alone (label[1..blocks]): for the examples that start there. */
struct naive *naive_from_labels(const uint32_t *label, uint32_t blocks);

/* The compute time of a block, by max or sum; NAN: that of one process is not known. */
double naive_block_compute(const struct naive *n, uint32_t block);

/* Two windows of the logical trace, from and to send ticks by their full numbers: how many cells are the same,
 * different, in one only; and whether that makes them similar. */
struct naive_counts { uint32_t m, x, z; bool comparable; };
struct naive_counts naive_compare(struct naive *n, const uint32_t a[2], const uint32_t b[2]);
bool naive_similar(const struct naive *n, struct naive_counts c);

/* Sends and collectives of p at ticks before `tick`; UINT32_MAX: all of p's. */
uint32_t naive_entry(const struct naive *n, uint32_t process, uint32_t tick);
uint32_t naive_exit(const struct naive *n, uint32_t process, uint32_t occurrence);
/* The time of p's send or collective number `number` + 1, or the end of p's work. */
double naive_time_at(const struct naive *n, uint32_t process, uint32_t number);
/* In a phase of blocks the stretches of its events; otherwise what is between sends. */
double naive_duration(const struct naive *n, uint32_t process, uint32_t occurrence);
double naive_between_sends(const struct naive *n, uint32_t process, uint32_t occurrence);
double naive_mean(const struct naive *n, uint32_t occurrence);    /* over the processes */
double naive_slowest(const struct naive *n, uint32_t occurrence); /* as above */

/* The representative's place among its phase's occurrences, from 1, and the index of that occurrence. */
uint32_t naive_representative(const struct naive *n, uint32_t id, enum representative which);
uint32_t naive_occurrence_of(const struct naive *n, uint32_t id, uint32_t place);

/* The cut for an occurrence that starts at tick `first`, and where it stops p: before number N + 1, or
 * right after number N. */
uint32_t naive_checkpoint(const struct naive *n, uint32_t first);
bool naive_stops_before(const struct naive *n, uint32_t process, uint32_t cut);

#endif
