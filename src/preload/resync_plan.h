/* At which collectives clocks are measured again: by number, so that all processes agree without asking each other
 * (sync.h).
 *
 *     resync_plan_init(&plan, seconds, now);
 *     if (plan.next && ++plan.count == plan.next) {       every process, at every blocking collective on all of the world
 *             due = resync_plan_take(&plan, now);         rank 0, which tells the others plan.next and whether it is due
 *             ... measure if it is ...
 *             resync_plan_spent(&plan, due, seconds, now); rank 0: what all of this took
 *     }
 *
 * The number is the one that the mean time between collectives (of late, or of all, whichever is longer) makes likely
 * for the next measurement, but at most so many ahead as take 1/RESYNC_LOOKS of the interval, and at most twice the
 * number at hand: collectives may become rarer. Where this takes more than RESYNC_BUDGET of the run, the interval
 * doubles.
 */
#ifndef PAS2P_RESYNC_PLAN_H
#define PAS2P_RESYNC_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#define RESYNC_BUDGET 1e-3
#define RESYNC_LOOKS 8
#define RESYNC_NEARLY 0.75 /* of the interval: so much is as good as all of it */

struct resync_plan {
	double interval;       /* s between measurements; 0: there are none */
	double began;          /* of the run */
	double last;           /* the last measurement, at first the run's begin */
	double looked;         /* at the last planned collective; and its number */
	uint64_t looked_count;
	double spent;          /* s, at planned collectives */
	uint64_t count, next;  /* collectives; the planned one, 0: none */
};

static inline void resync_plan_init(struct resync_plan *p, double interval, double now)
{
	*p = (struct resync_plan){.interval = interval, .began = now, .last = now, .looked = now, .next = interval > 0};
}

static inline bool resync_plan_take(struct resync_plan *p, double now)
{
	double recent = (now - p->looked) / (double)(p->count - p->looked_count), mean = (now - p->began) / (double)p->count, left, steps;
	bool due = now - p->last >= RESYNC_NEARLY * p->interval;

	if (due)
		p->last = now;
	mean = recent > mean ? recent : mean;
	left = p->last + p->interval - now;
	left = left > p->interval / RESYNC_LOOKS ? p->interval / RESYNC_LOOKS : left;
	steps = mean > 0 ? left / mean : (double)p->count;
	steps = steps < 1 ? 1 : steps > (double)p->count ? (double)p->count : steps;
	p->looked = now;
	p->looked_count = p->count;
	p->next = p->count + (uint64_t)steps;
	return due;
}

static inline void resync_plan_spent(struct resync_plan *p, bool due, double seconds, double now)
{
	p->spent += seconds;
	if (due && p->spent > RESYNC_BUDGET * (now - p->began))
		p->interval *= 2;
}

#endif
