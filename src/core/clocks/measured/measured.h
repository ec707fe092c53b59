/* What a probe measured of a job's clocks, and what follows from it (docs/internals/clock-rules.md, "Rules of measuring
 * clocks").
 *
 *     clock_answer_read(&m, text, size, &e);        the probe's answer (answer)
 *     clock_measured_solve(&m, progress, &e);       fills the figures of units and links
 *     clock_measured_release(&m);
 *
 * A unit is the processes that share a clock, one of which speaks for it; unit 0 has rank 0 and is the reference. In
 * an exchange the child stamps t1 and sends, the parent stamps t2 on arrival and t3 before it answers, the child
 * stamps t4. That is two messages: what must be added to the child's clock to get the parent's is at most t2 - t1 at
 * t1, and at least t3 - t4 at t4; so bounds are those of messages (core/clocks/bounds/bounds.h), and a slow exchange
 * does no harm. Exchanges after a pause verify what the others predict, independently. Stamps are in seconds since
 * the unit's zero, offsets in seconds of the clocks themselves. What is not known is NAN.
 */
#ifndef PAS2P_CORE_CLOCKS_MEASURED_MEASURED_H
#define PAS2P_CORE_CLOCKS_MEASURED_MEASURED_H

#include <stdbool.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/mem.h"

/* ---- measured ---- */

#define CLOCK_LOCAL 5             /* clocks that each unit looks at */
#define CLOCK_VERIFIES UINT32_MAX /* for a sample: after the pause */

struct clock_exchange {
	uint32_t link, sample;
	double t1, t2, t3, t4;
};

/* Of one clock on one unit, s. */
struct clock_local {
	char name[16];
	double resolution;        /* smallest difference of consecutive readings */
	double cost, cost_cold;   /* of a reading */
};

struct clock_unit {
	uint32_t rank, ranks;     /* that speaks for it, and how many it is */
	char host[256], source[64]; /* source: the kernel's clock source */
	int64_t zero;             /* ns: what its clock showed at its zero */
	double interruption;      /* s, the largest gap between consecutive readings */
	double frequency, frequency_error; /* Hz, of the TSC */
	bool constant_tsc;
	bool synchronised;        /* as the kernel says */
	double ntp_error, ntp_maximum, ntp_frequency; /* s, s, s/s */
	struct clock_local local[CLOCK_LOCAL];
	uint32_t local_count;
	/* Solved: at the reference's zero. Infinite where nothing bounds it. */
	uint32_t component;
	double offset, low, high, rate, rate_low, rate_high;
	double deviation_rms, deviation_largest; /* of the samples' middles from the line, against its parent */
	uint32_t windows;         /* that the link to its parent needs */
	double error;             /* from what was predicted to the middle of what was then measured */
	bool agrees;              /* both bounds meet */
	double verified_low, verified_high;
};

struct clock_link {
	uint32_t parent, child;   /* units, parent < child */
	uint64_t exchanges, left_out; /* left out of the mean: more than twice the minimum */
	double minimum, mean, median, p90, p99, maximum; /* half round trips, s */
};

struct clock_measured {
	char clock[16], schedule[16];
	double seconds, utc;
	uint32_t samples, exchanges; /* exchanges: of a burst */
	struct clock_unit *unit;
	uint32_t unit_count;
	struct clock_link *link;  /* first one for each unit but the reference, then those that only verify */
	uint32_t link_count;
	struct clock_exchange *exchange; /* by link and time */
	size_t exchange_count, exchange_cap;
	/* Solved. */
	uint32_t windows;
	double misfit;
	double error_minimum, error_mean, error_maximum; /* over the units but the reference */
	bool verified;            /* all agree */
};

enum err_code clock_measured_solve(struct clock_measured *m, const struct progress *progress, struct err *e);
void clock_measured_release(struct clock_measured *m);

/* ---- answer ---- */

/* The answer of the probe that measures a job's clocks, as text among whatever else the job printed.
 *
 * Lines that have the words "pas2p-probe" are the answer's, wherever in the line they begin; other lines are none of
 * it:
 *
 *     pas2p-probe run VERSION CLOCK SCHEDULE SECONDS UTC SAMPLES EXCHANGES
 *     pas2p-probe unit RANK RANKS ZERO INTERRUPTION FREQUENCY ERROR CONSTANT SYNCHRONISED ERROR MAXIMUM FREQUENCY SOURCE HOST
 *     pas2p-probe clock NAME RESOLUTION COST COLD      of the unit before
 *     pas2p-probe link PARENT CHILD
 *     pas2p-probe x LINK SAMPLE T1 T2 T3 T4            ns since each unit's zero; SAMPLE "verify": after the pause
 *     pas2p-probe end LINES                            lines before this one
 *
 * Seconds but for ZERO, ns; "-": not known. VERSION 1.
 */

/* `text` is cut into words. ERR_FORMAT: there is no answer, or not all of it, or it is none that this version knows. *m
 * is released then. */
enum err_code clock_answer_read(struct clock_measured *m, char *text, size_t size, struct err *e);

#endif
