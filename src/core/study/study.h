/* A study: which phases of many runs are the same thing, a family, and what of each varies with the runs' parameters
 * (docs/studies.md 5).
 *
 *     study_new(&s, "cg", &runs, relevance, job, &e);       runs: loaded (study_load.h); must outlive it
 *     study_free(s);
 *
 * Every phase of every run is in one family. Families are numbered from 1, in the order of their first phases. A run's
 * phases are matched with those of the earlier run whose number of processes is nearest, the latest among equals;
 * phases of a group go where their partners are, and families that meet in one become one.
 *
 * Where a run has a result of `pas2p run`, its times are the result's; families are found by the traced ones, so that
 * they do not depend on where was measured. Times are s. Immutable once made.
 */
#ifndef PAS2P_STUDY_H
#define PAS2P_STUDY_H

#include "study_load.h"

/* A family in one run. */
struct study_member {
	uint32_t run;              /* index */
	const uint32_t *phases;    /* ids, ascending */
	uint32_t count;
	uint32_t rows;             /* send ticks of its phases together */
	uint64_t weight;           /* of all of them */
	double time, compute;      /* mean over their occurrences */
	double total, share;       /* weight * time, and of the AET */
	double bytes;              /* mean size of what its phases send and contribute */
};

struct study_family {
	uint32_t id;
	bool relevant;             /* somewhere */
	bool everywhere;           /* in all runs */
	bool stable;               /* one phase per run that has it, always as many send ticks */
	double share;              /* the largest of its members' */
	struct study_member *members; /* one per run that has it, in order of the runs */
	uint32_t count;
};

/* A parameter of the runs. */
struct study_axis {
	const char *name;
	bool number;               /* of all runs; else a category */
	bool varies;
};

struct study {
	struct arena arena;
	const char *name;
	const struct study_runs *runs;
	const struct study_axis *axes; /* in order of name (bytes); every run has each of them */
	uint32_t axis_count;
	struct study_family *families;
	uint32_t family_count;
	double *aet;               /* per run: measured where a result says it; else traced, changed by what measured phases changed */
	double *rest;              /* per run: AET - totals of the families that are everywhere, at least STUDY_LEAST_REST */
};

#define STUDY_LEAST_REST 1e-9

enum err_code study_new(struct study **out, const char *name, const struct study_runs *runs, double relevance, const struct job *job,
			struct err *e);
void study_free(struct study *s); /* NULL is fine */

/* NULL: the run does not have it. */
const struct study_member *study_member_of(const struct study_family *f, uint32_t run);

/* A run's value of an axis. */
static inline const struct study_parameter *study_value(const struct study *s, uint32_t run, uint32_t axis)
{
	return &s->runs->list[run].parameters.list[axis];
}

#endif
