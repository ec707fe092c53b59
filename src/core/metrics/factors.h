/* The factors: of what a run's, a routine's or a phase's efficiency is made (docs/metrics.md 2). Fractions, 1 is ideal;
 * NAN: the data does not support it. parallel = load balance x communication, communication = serialisation x
 * transfer. */
#ifndef PAS2P_FACTORS_H
#define PAS2P_FACTORS_H

#include <stdint.h>

#define FACTOR_BAR 0.8 /* a factor or an efficiency below it is poor, unless the user has another bar */

struct factors {
	double load_balance, communication_balance, communication_efficiency, parallel_efficiency;
	double serialisation_efficiency, transfer_efficiency, tracer_efficiency;
};

/* What they are made of, gathered process by process; processes that are not told count as 0. */
struct factors_from {
	uint32_t processes;      /* all of them */
	double useful_sum, useful_max;
	double communication_sum, communication_max;
	double local_max;        /* useful and tracer */
	uint32_t heaviest;       /* the process with the most useful time, the lowest of several */
};
/* Of more processes. */
void factors_join(struct factors_from *f, const struct factors_from *more);
void factors_add(struct factors_from *f, uint32_t process, double useful, double tracer, double communication);

/* whole: the run time, or the row's largest time of a process; ideal: the same of the ideal run. NAN: not known. */
struct factors factors_of(const struct factors_from *f, double whole, double ideal);

#endif
