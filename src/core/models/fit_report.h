/* Measurements, what was fitted to them, and what that says of other places: what `pas2p fit` shows, in all its formats
 * (docs/models.md 10).
 *
 *     measurements_sets(&m, VALUE_MEAN, &sets, &e);
 *     fit_report_make(&r, "t.csv", &m, &sets, &(struct fit_options){0}, at, 1, job, &e);
 *     fit_report_json(&r, &out, &e); ...
 */
#ifndef PAS2P_FIT_REPORT_H
#define PAS2P_FIT_REPORT_H

#include "core/io/out.h"
#include "core/table/rows.h"
#include "fit.h"

struct fit_model {
	const struct measured_set *set;
	struct fit fit;
	struct fit_value *prediction;  /* one for each place that was asked for */
	double *at;                    /* [prediction][the fit's parameters] */
};

struct fit_report {
	const char *file;                  /* fit to be shown */
	const struct measurements *measurements;
	struct fit_model *model;           /* of each set */
	uint32_t models;
	const double *asked;               /* [place][parameter of the measurements]; NAN: nothing is said of it */
	uint32_t places;
};

/* The report's arguments must outlive it. ERR_USAGE: the options or the places ask for what the points do not allow. */
enum err_code fit_report_make(struct fit_report *r, const char *file, const struct measurements *m, const struct measured_sets *sets,
			      const struct fit_options *o, const double *asked, uint32_t places, const struct job *job, struct err *e);
void fit_report_release(struct fit_report *r);

/* Models, what is off at their points, and predictions, as text. */
enum err_code fit_report_print(const struct fit_report *r, struct out *out, struct err *e);
enum err_code fit_report_json(const struct fit_report *r, struct out *out, struct err *e);
/* A row a point: measured and model; where places were asked for a row a prediction instead. */
enum err_code fit_report_csv(const struct fit_report *r, const struct rows_sink *sink, const struct job *job, struct err *e);
/* Functions that models include. name: of the only one; NULL: the groups'. ERR_USAGE: a name was given, and there are
 * several. */
enum err_code fit_report_functions(const struct fit_report *r, const char *name, struct out *out, struct err *e);

/* What a person should know of a model besides, a sentence each. */
#define FIT_NOTE 512
typedef void fit_note(void *arg, const char *sentence);
void fit_report_notes(const struct fit_report *r, const struct fit_model *model, fit_note *note, void *arg);

const char *fit_kind_name(enum fit_kind k);        /* "pieces" */
const char *fit_weights_name(enum fit_weights w);  /* "relative" */

#endif
