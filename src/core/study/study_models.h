/* What a study found, as functions of the runs' parameters: families' weights and times, the rest, and the AET
 * (docs/studies.md 5).
 *
 *     study_models_make(&m, s, STUDY_PREDICTS, STUDY_ALL_RUNS, threads, job, &e);     s must outlive it
 *     study_fits_at(&m, &m.rest, combination, x, &v);
 *     study_models_release(&m);
 *
 * All are fits by the one law (core/models/fit.h), over the parameters that are numbers and vary among the family's
 * runs. Categories split them: each combination of categories that some run has is fitted by itself. Runs with equal
 * parameters are repetitions of one point.
 */
#ifndef PAS2P_STUDY_MODELS_H
#define PAS2P_STUDY_MODELS_H

#include "core/models/fit.h"
#include "core/models/measurements.h"
#include "study.h"

enum study_of { STUDY_WEIGHT, STUDY_TIME, STUDY_COMPUTE, STUDY_TOTAL, STUDY_BYTES, STUDY_OFS };
const char *study_of_name(enum study_of of); /* "weight", "time", ... */

/* Which models are wanted; the rest and the AET always are. */
enum study_wants {
	STUDY_PREDICTS = 1,   /* of families that are everywhere: weight and time where they are stable, else total */
	STUDY_SHOWS = 2,      /* of all families: weight, time, compute, total */
	STUDY_WRITES = 4      /* of families that are everywhere: compute, bytes, and all that is predicted, and time */
};

#define STUDY_ALL_RUNS UINT32_MAX

/* One quantity: a fit for each combination of categories in which it was measured. */
struct study_fits {
	struct measurements measured;
	struct measured_sets sets;
	struct fit *fit;           /* per set; NULL: not wanted */
	uint32_t *set_of;          /* per combination: set; STUDY_NO_SET: no run has it */
	uint32_t made;             /* fits that are there */
};
#define STUDY_NO_SET UINT32_MAX

struct study_models {
	const struct study *study;
	struct arena arena;
	uint32_t *numbers;         /* axes that are numbers, in order: what x has values of */
	uint32_t number_count;
	uint32_t *splits;          /* axes that are categories and vary */
	uint32_t split_count;
	uint32_t *combination_of;  /* per run */
	uint32_t *example;         /* per combination: the first run that has it */
	const char **label;        /* per combination: "class=S machine=base"; "" without categories */
	uint32_t combinations;
	uint32_t left_out;         /* a run that nothing was fitted to */
	struct study_fits (*of)[STUDY_OFS]; /* per family */
	struct study_fits rest, aet;
};

enum err_code study_models_make(struct study_models *m, const struct study *s, unsigned wants, uint32_t left_out, unsigned threads,
				const struct job *job, struct err *e);
void study_models_release(struct study_models *m);

/* The fit of a combination; NULL: there is none. */
const struct fit *study_fit(const struct study_fits *f, uint32_t combination);
/* Its value at x, one number per axis of m->numbers. False: there is no fit. */
bool study_fits_at(const struct study_models *m, const struct study_fits *f, uint32_t combination, const double *x, struct fit_value *v);

/* Whether a family's weight lies on its model in every run, so that it is a count. */
bool study_weight_is_whole(const struct study_models *m, const struct study_family *f, uint32_t combination);

#endif
