/* What a ping-pong measures, and how often: sizes, batches, repetitions, refinement (docs/internals/model-rules.md,
 * "Measuring messages"). It knows neither messages nor clocks: who has them hands them in.
 *
 *     count = pingpong_sizes(0, PINGPONG_LARGEST, sizes);
 *     pingpong_run(&series, sizes, count, &plan, &bench);     calls bench.repeat() and bench.now()
 *
 * A series is one operation between the same ranks. Its sizes come in an order that is shuffled, always alike, so that
 * drift is not taken for size. Per size: warm-ups, which also say how many messages a repetition must have to last a
 * hundred resolutions of the clock; then repetitions until their mean is known to 2 %, there are 200, or the size's
 * share of the time is used. Then, if that is asked for, sizes in the middle of where a straight line between
 * neighbours is wrong.
 */
#ifndef PAS2P_CORE_MODELS_MACHINE_PINGPONG_PLAN_H
#define PAS2P_CORE_MODELS_MACHINE_PINGPONG_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/models/fit/fit.h"

#define PINGPONG_LARGEST (UINT64_C(4) << 20)  /* bytes, where nothing else is asked for */
#define PINGPONG_LIMIT (UINT64_C(1) << 30)    /* bytes that may be asked for */
#define PINGPONG_SIZES 64                     /* at most, without those that refine */
#define PINGPONG_REFINED 16                   /* sizes that are added at most */
#define PINGPONG_WARM 10
#define PINGPONG_LEAST 10
#define PINGPONG_BATCH 1000                   /* messages of a repetition at most */

/* 0, 2^k and 3 x 2^(k-1) from `low` to `high` (at most PINGPONG_LIMIT), and both of these; ascending. Returns how
 * many. */
uint32_t pingpong_sizes(uint64_t low, uint64_t high, uint64_t sizes[PINGPONG_SIZES]);

struct pingpong_bench {
	/* `count` repetitions of `batch` messages each; seconds: of one message. */
	void (*repeat)(void *arg, uint64_t bytes, uint32_t batch, uint32_t count, double *seconds);
	double (*now)(void *arg); /* s */
	void *arg;
};

struct pingpong_plan {
	bool refine;
	double resolution;  /* s, of the clock */
	double seconds;     /* all sizes may take together; each is measured PINGPONG_LEAST times whatever it takes */
};

struct pingpong_point {
	uint64_t bytes;
	uint32_t batch, count;
	double mean;        /* s, as repetitions_mean() has it */
	double seconds[REPETITIONS_MOST];
};

struct pingpong_series {
	struct pingpong_point point[PINGPONG_SIZES + PINGPONG_REFINED]; /* ascending */
	uint32_t count;
};

void pingpong_run(struct pingpong_series *s, const uint64_t *sizes, uint32_t count, const struct pingpong_plan *plan,
		  const struct pingpong_bench *bench);

/* The size to be measured next, in the middle of the wider side of the point that is furthest off the line through its
 * neighbours. False: none is further off than 5 % and more than 64 bytes from a neighbour. */
bool pingpong_refine(const struct pingpong_series *s, uint64_t *bytes);

/* Messages that a repetition needs if one takes so long. */
uint32_t pingpong_batch(double seconds, double resolution);

#endif
