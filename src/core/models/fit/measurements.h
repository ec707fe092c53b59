/* Measurements: what fits are made of, from whatever was measured (docs/explain/fits.md, "Measurements").
 *
 * A measurement is a row: the group that it belongs to, the values of the parameters, and the time (or count) that was
 * found there. Rows come from a file of comma-separated values (measurements_csv.h), from a trace, or from the runs of
 * a study, in any order:
 *
 *     measurements_init(&m, names, 2, &e);                        the parameters: "bytes", "p"
 *     measurements_add(&m, "send intra", (double[]){8, 2}, 3e-7, &e); ...
 *     measurements_sets(&m, VALUE_MEAN, &sets, &e);               what is fitted
 *
 * Rows of a group with the same values are repetitions of one point. Of at least five repetitions those that stand out
 * are dropped: what is further from their median than 7.413 median differences and than 5 % of the median. A point's
 * value is the mean of what is left, or another of enum measured_value.
 *
 * Names are made safe to be shown. Times are seconds, sizes bytes; rows that are not finite are refused.
 */
#ifndef PAS2P_CORE_MODELS_FIT_MEASUREMENTS_H
#define PAS2P_CORE_MODELS_FIT_MEASUREMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/map.h"
#include "core/base/mem.h"

enum measured_value { VALUE_MEAN, VALUE_MEDIAN, VALUE_MIN };

struct measurements {
	struct arena names;
	const char **parameter;    /* `parameters` names */
	uint32_t parameters;
	const char **group;        /* by number, in the order in which they came */
	uint32_t groups;
	size_t group_cap;
	struct map *by_name;       /* name to number */
	uint32_t *of;              /* per row: its group */
	double *at;                /* per row: `parameters` values */
	double *value;             /* per row: what was measured */
	size_t rows, row_cap;
};

enum err_code measurements_init(struct measurements *m, const char *const *parameters, uint32_t count, struct err *e);
/* One row more. `group` "": the only one. ERR_FORMAT: a value is not finite. */
enum err_code measurements_add(struct measurements *m, const char *group, const double *at, double value, struct err *e);
void measurements_release(struct measurements *m);

/* One group as points in ascending order of their parameters, the first counting most. Of the parameters those that
 * vary are left. */
struct measured_set {
	const char *name;              /* the group's */
	const char *const *parameter;  /* `parameters` names */
	uint32_t parameters;
	uint32_t points;
	const double *at;              /* [point][parameter] */
	const double *value;           /* [point] */
	const double *low, *high;      /* [point]: least and largest of what was kept */
	const uint32_t *kept;          /* [point]: repetitions that were kept */
	uint64_t measurements, dropped; /* of all points */
};

struct measured_sets {
	struct arena arena;            /* all of it; the names are of the measurements */
	struct measured_set *set;
	uint32_t count;
};

/* In the order in which the groups came. `sets` ends before `m` does. Nothing of it depends on the order of a group's
 * rows. */
enum err_code measurements_sets(const struct measurements *m, enum measured_value value, struct measured_sets *sets, struct err *e);
void measured_sets_release(struct measured_sets *sets);

#endif
