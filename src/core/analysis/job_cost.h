/* What it would cost to share a trace among the ranks of a job, before anybody asks for their nodes (docs/scale.md 5).
 *
 * By stage: seconds of the slowest rank, bytes that all ranks together send, bytes of memory of the largest rank. From
 * what loading a trace alone finds out: who has how many events, and which messages would go from rank to rank. Ticks
 * are not known before events are ordered: they are taken to be as many as events of the busiest process.
 */
#ifndef PAS2P_JOB_COST_H
#define PAS2P_JOB_COST_H

#include "core/base/err.h"
#include "core/base/job.h"
#include "core/trace/trace.h"

/* Of one processor core, measured by `make bench-job` on traces of 25 M records (docs/scale.md 6). */
#define COST_RECORD 14e-9    /* s to read and decode a record, which ranks share; of a compressed file each does that of all */
#define COST_SCAN 8e-9       /* of CLOG2: to read it for the first time, which ranks share */
#define COST_SKIP 8e-9       /* to read it once more, and skip it if it is another rank's: of all records on each rank */
#define COST_PASS_ON 14e-9   /* with COST_STRIPE_RANKS or more: to read it and pass it on, which ranks share */
#define COST_STRIPE_RANKS 8  /* as in the reader */
#define COST_RECORD_BYTES 40 /* that travel to pass one on */
#define COST_PACKED_BYTES 5  /* likewise of PRV */
#define COST_EVENT 100e-9    /* s to keep and relate an event of its own */
#define COST_ORDER 35e-9     /* s to order it */
#define COST_PHASES 30e-9    /* s for its part in ticks that are compared, and in times */
#define COST_SEARCH 50e-9    /* s of rank 0 for a tick with sends */
#define COST_EVENT_BYTES 45  /* bytes of memory */
#define COST_TICK_BYTES 32   /* on every rank */
#define COST_SEARCH_BYTES 24 /* on rank 0, of a tick with sends */
#define COST_MESSAGE_BYTES 28 /* that travel to relate a message between ranks */
#define COST_COLLECTIVE_BYTES 12 /* of each rank, to relate a collective */
#define COST_EPOCH_BYTES 24  /* of each rank, for a collective of all processes, to order what it parts */
#define COST_MEETINGS 120    /* of all stages together; those of order come on top, one a hop */

enum job_cost_stage { COST_READ, COST_RELATE, COST_IN_ORDER, COST_IN_PHASES, COST_ALL, COST_STAGES };

struct job_network {
	double bytes;    /* a second, of one rank */
	double latency;  /* s */
};

struct job_cost {
	uint32_t ranks;
	uint64_t largest;   /* events of the rank that has most */
	uint64_t far;       /* messages from one rank to another */
	uint64_t hops;      /* at most so many of them in a row */
	struct job_cost_of {
		double seconds;
		double bytes;
		double memory;
	} of[COST_STAGES];
};

const char *job_cost_stage_name(enum job_cost_stage stage); /* "read", "relate", "order", "phases", "all" */

/* t is whole. */
enum err_code job_cost(struct job_cost *c, const struct trace *t, uint32_t ranks, const struct job_network *network, struct err *e);

#endif
