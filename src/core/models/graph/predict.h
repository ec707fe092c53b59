/* A model at many points: what is varied, a row for each combination, and what was measured beside it
 * (docs/internals/model-rules.md, "Predictions in files").
 *
 *     predict_sweep(&p, "n=100..500:100", &e);     any number of times, each another parameter
 *     predict_rows(&p, &e);
 *     ... p.rows[i].outcome, p.rows[i].values ...
 *     prediction_release(&p);
 *
 * Parameters that nobody varies have the model's defaults, which may depend on those that are varied. The last sweep
 * varies fastest.
 */
#ifndef PAS2P_CORE_MODELS_GRAPH_PREDICT_H
#define PAS2P_CORE_MODELS_GRAPH_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "evaluate.h"
#include "core/models/fit/measurements.h"

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

/* Where a measured time lies. VERDICT_NONE: nothing was measured, or the predicted time is a single number, which no
 * measured time would meet. */
enum predict_verdict { VERDICT_NONE, VERDICT_OUTSIDE, VERDICT_INSIDE };

struct prediction_row {
	struct interval *values; /* of the model's parameters */
	struct outcome outcome;  /* without processes where they are not kept */
	double measured, error;  /* NAN: not measured; error: (middle of the time - measured) / measured */
	enum predict_verdict verdict;
};

struct prediction {
	const struct program_model *model;           /* whoever asks sets these */
	const struct machine *machine, *base; /* may be NULL */
	enum contention contention;
	bool keep_processes;
	const struct progress *progress;

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

/* The ends of `time` are known to nine digits. measured: NAN, or a time. */
enum predict_verdict predict_verdict(struct interval time, double measured);
/* "-", "no" or "yes", as the answer to "in interval". */
const char *predict_verdict_text(enum predict_verdict v);
/* Sets error and verdict of a row from its measured time and its outcome. */
void predict_compare(struct prediction_row *row);

struct prediction_count {
	uint32_t measured, intervals, inside; /* rows: measured, those of them with a verdict, those of them inside */
};
struct prediction_count prediction_count(const struct prediction *p);

/* A parameter's default, by the values of those before it. */
enum err_code predict_default(const struct program_model *m, uint32_t parameter, const struct interval *values, struct interval *v, struct err *e);

#endif
