/* A result: what a run of the relevant phases measured, and the prediction that follows (docs/runner.md).
 *
 *     result_begin(&r, &table, "replay", runs, &e);    room for the times
 *     result_time(&r, phase, run, rank) = seconds;     for all of them
 *     result_finish(&r);                               phase times, SET, PET
 *     result_set_aet(&r, seconds, "given");            PETE, SET/AET; may be left out
 *
 * Phases are the table's relevant ones. A phase's time in one run is the mean over the ranks or the slowest one's, as
 * the table's phase_time says; `time` is the mean of that over the runs, `deviation` the sample standard deviation.
 */
#ifndef PAS2P_RESULT_H
#define PAS2P_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/mem.h"
#include "core/out.h"
#include "core/table.h"
#include "host.h"

#define RESULT_VERSION 1

struct result_phase {
	uint32_t id, weight, ticks;
	double traced;      /* s, the table's time */
	double time, deviation, min, max;
	uint32_t *sends;    /* per process: sends and collectives in one occurrence */
	double *runs;       /* phase time of each run */
	double *ranks;      /* per process: mean over the runs */
};

struct result {
	struct arena arena;
	const char *path;        /* where it was read from; NULL */
	const char *application, *label;
	const char *mechanism, *mechanism_version; /* version "": it has none */
	const char *sha256;      /* of the trace */
	double traced_aet;
	uint32_t processes, runs, phase_count;
	const char **command;    /* ends with NULL */
	struct host host;
	const char *started;     /* UTC, ISO 8601 */
	enum phase_time phase_time;
	struct result_phase *phases;
	double *times;           /* while being measured: [phase][run][rank] */
	double coverage;         /* the table's: share of the run that the phases stand for */
	double set, pet, pet_scaled;
	double elapsed;          /* s, all that the measuring took */
	double aet;              /* 0: not known */
	const char *aet_from;    /* "given", "run"; "": not known */
	double pete, pete_scaled, set_share; /* where aet is known */
};

enum err_code result_begin(struct result *r, const struct table *t, const char *mechanism, uint32_t runs,
			   const char *const *command, struct err *e);
double *result_time(struct result *r, uint32_t phase, uint32_t run, uint32_t rank);
void result_finish(struct result *r);
void result_set_aet(struct result *r, double aet, const char *from);
void result_release(struct result *r);

enum err_code result_write_yaml(const struct result *r, struct out *out, struct err *e);
enum err_code result_write_json(const struct result *r, struct out *out, struct err *e);
enum err_code result_read_file(struct result *r, const char *path, struct err *e);

/* For people: phases and prediction as aligned text. */
void result_print(const struct result *r, struct out *out);

/* A share as "4.2 %". */
void result_share(char *buf, size_t size, double share);

#endif
