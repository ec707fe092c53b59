/* What restoring costs: the time that a restored checkpoint takes beyond the warm-up and the measuring of its part of
 * the plan.
 *
 * The driver and whoever watches the job note moments in its station (station.h: times[]); here they become durations:
 *
 *     struct cost c = {0};
 *     ... d->restore(&s, ...); station_watch(&s, ...); cost_measured(&s, &e); d->kill(&s, false); cost_add(&c, &s);
 *     cost_say(&c, mission);
 *     cost_mean(&c);
 *
 * Seconds, summed over the checkpoints that were added. Warm-up and measuring last from when the ranks may move to when
 * the last one has measured, by its own clock: it is the runner's but for an offset, as both are on one machine.
 */
#ifndef PAS2P_COST_H
#define PAS2P_COST_H

#include "station.h"

enum cost_part {
	COST_NEST,     /* namespaces, and what is mounted there */
	COST_FILES,    /* the job's files, its control file */
	COST_RESTORE,  /* the processes */
	COST_NOTICE,   /* from the last rank's measuring until it was seen */
	COST_END,      /* reading the times, ending the job, until nothing is left */
	COST_PARTS
};

struct cost {
	uint32_t checkpoints;
	double parts[COST_PARTS];
	double job; /* warm-up and measuring, of which none is a cost */
};

/* The watch is over: note when the last rank had measured its part. */
enum err_code cost_measured(struct station *s, uint32_t part, struct err *e);

/* The job has been ended: add its checkpoint, unless its driver has not noted all its moments. */
void cost_add(struct cost *c, const struct station *s);

/* Mean seconds of a checkpoint; 0 if none was restored. */
double cost_mean(const struct cost *c);

/* One line on the mean and its parts; nothing if none was restored. */
void cost_say(const struct cost *c, const struct mission *m);

#endif
