/* A model at many points: what is varied, a row for each combination, and what was measured beside it
 * (docs/models.md 10).
 *
 *     predict_sweep(&p, "n=100..500:100", &e);     any number of times, each another parameter
 *     predict_rows(&p, &e);
 *     ... p.rows[i].outcome, p.rows[i].values ...
 *     prediction_release(&p);
 *
 * Parameters that nobody varies have the model's defaults, which may depend on those that are varied. The last sweep
 * varies fastest.
 */
#ifndef PAS2P_PREDICT_H
#define PAS2P_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/job.h"
#include "evaluate.h"
#include "measurements.h"

#define PREDICT_ROWS 100000     /* most combinations */
#define PREDICT_PROCESSES (1u << 22) /* most processes of all rows together, where they are kept */

struct predict_sweep {
	uint32_t parameter;     /* of the model */
	struct interval *values;
	uint32_t count;
};

struct predict_points {         /* what was measured: values of some parameters together */
	uint32_t *parameters;   /* of the model */
	uint32_t parameter_count;
	double *at;             /* [point][parameter] */
	double *measured;       /* [point] */
	uint32_t count;
};

struct prediction_row {
	struct interval *values; /* of the model's parameters */
	struct outcome outcome;  /* without processes where they are not kept */
	double measured, error;  /* NAN: not measured; error: (middle of the time - measured) / measured */
	bool inside;             /* measured, and that lies in the time's interval (predict_inside()) */
};

struct prediction {
	const struct program_model *model;           /* whoever asks sets these */
	const struct machine *machine, *base; /* may be NULL */
	enum contention contention;
	bool keep_processes;
	const struct job *job;

	struct predict_sweep *sweeps;
	size_t sweep_count, sweep_cap;
	struct predict_points points; /* none: count 0 */
	struct prediction_row *rows;
	uint32_t row_count;
};

/* NAME=VALUES: numbers as the language has them, joined by commas: 400, 1ms, [0.3,0.5], 100..500:100 (by steps),
 * 2..64*2 (by a factor). ERR_USAGE: no such parameter, one that is varied already, or values that are none. */
enum err_code predict_sweep(struct prediction *p, const char *text, struct err *e);
/* Takes the points of what was measured: before any sweep. ERR_FORMAT: several groups, or a parameter that the model
 * does not have. */
enum err_code predict_measured(struct prediction *p, const struct measurements *m, const char *file, struct err *e);
/* All combinations; points vary slowest. */
enum err_code predict_rows(struct prediction *p, struct err *e);
void prediction_release(struct prediction *p);

/* Whether a measured time lies in the interval, whose ends are known to nine digits; NAN lies in none. */
bool predict_inside(struct interval time, double measured);
/* Sets error and inside of what was measured from the row's outcome. */
void predict_compare(struct prediction_row *row);
/* How many rows were measured, and how many of these lie inside. */
void predict_count_inside(const struct prediction *p, uint32_t *measured, uint32_t *inside);

/* A parameter's default, by the values of those before it. */
enum err_code predict_default(const struct program_model *m, uint32_t parameter, const struct interval *values, struct interval *v, struct err *e);

#endif
