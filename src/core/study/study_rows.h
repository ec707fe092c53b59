/* What a study says as rows (docs/studies.md 6): families by runs, their models, a prediction, each run from the
 * others.
 *
 * Each writes one listing through a sink. `least`: families whose share is below it in every run are one row, `others`.
 */
#ifndef PAS2P_STUDY_ROWS_H
#define PAS2P_STUDY_ROWS_H

#include "core/table/rows.h"
#include "study_predict.h"

/* Where rows go, and how. */
struct study_rows_to {
	enum rows_format format;
	const struct rows_sink *sink;
	const struct job *job;
	double least;
	size_t width; /* of a table at most, as far as that goes; 0: any */
};

/* As a table a row is a family, with phases, weight, time and share in every run; else a family in a run. */
enum err_code study_rows_families(const struct study *s, const struct study_rows_to *to, struct err *e);
/* m: with STUDY_SHOWS. */
enum err_code study_rows_models(const struct study_models *m, const struct study_rows_to *to, struct err *e);
/* The families that are everywhere, the rest, T, and direct; not as a table, the place in columns before them. */
enum err_code study_rows_predictions(const struct study_prediction *p, uint32_t count, const struct study_rows_to *to, struct err *e);
enum err_code study_rows_checked(const struct study *s, const struct study_checked *list, const struct study_rows_to *to, struct err *e);

#endif
