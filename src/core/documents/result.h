/* A result: what a run of the relevant phases measured on some machine, and the prediction that follows
 * (docs/internals/runner.md). The phase table is the contract one way, from workbench to runner; this is the way back.
 * Made by src/runner/runner.h, compared by `pas2p compare`, and shown beside its trace by the workbench.
 *
 * Phases are the table's relevant ones. `time` is the mean over the runs of the phase's time in one run, `deviation`
 * the sample standard deviation. All texts are safe to show.
 *
 * For a table with windows the result has them, too, and is written as schema 2. Then a phase's time comes from all
 * occurrences in them, and the prediction has a standard error and an interval (core/method/windows/windows.h).
 */
#ifndef PAS2P_RESULT_H
#define PAS2P_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/method/analysis/run_phases.h"
#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/io/out.h"
#include "core/settings/settings.h"

#define RESULT_VERSION 2 /* with windows; otherwise 1 */

struct result_phase {
	uint32_t id, weight, ticks;
	uint32_t samples;   /* occurrences measured in each run; 1: the representative */
	uint32_t in_windows; /* regular windows that hold some of them; 0 without windows, and of an extra phase */
	bool extra;         /* measured in extra windows */
	const char *name, *kinds; /* what it does, as the table says; NULL: not known */
	double traced;      /* s, the table's time */
	double time, deviation, min, max;
	double se;          /* standard error of the time; NAN: not defined */
	uint32_t *sends;    /* per process: sends and collectives in one occurrence */
	double *runs;       /* phase time of each run */
	double *ranks;      /* per process: mean over the runs; not with windows */
};

struct result_window {
	bool extra;
	uint32_t first, last; /* occurrences, from 1 */
	double traced;      /* s, in the trace */
	double seconds;     /* mean over the ranks and the runs */
	double *runs;       /* of each run */
};

/* What a machine is: told with every result, and compared where a checkpoint is restored. */
struct host {
	char name[64], kernel[128], cpu[128];
	uint32_t cpus;       /* online */
	char allowed[128];   /* processors that the job could use, "0-3,8" */
	uint64_t memory;     /* bytes */
	char mpi[128];       /* the MPI library as the ranks name it; "" until a job has run */
	uint32_t nodes;      /* distinct host names among the ranks; 0: not known */
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
	bool has_settings;       /* older ones do not say them */
	struct settings settings; /* that the table was made with; phase_time always */
	struct result_phase *phases;
	struct run_phases *content; /* of these phases, by id, where the table has it (table.h); NULL: it has not. Owned */
	double *times;           /* while being measured: [phase][run][rank]; with windows [run][occurrence][part] */
	bool by_windows;         /* schema 2 */
	bool restored;           /* not written: from checkpoints, so that there was a warm-up */
	struct result_window *windows;
	uint32_t window_count;
	struct estimate_input *input; /* while windows are being measured */
	const char **notes;      /* what else must be known; ends with NULL; NULL: none */
	double settling;         /* NAN: not defined; docs/internals/runner.md */
	double expected_error;   /* the table's, not written; NAN: not known */
	double coverage;         /* the table's: share of the run that the phases stand for */
	double set, pet, pet_scaled;
	double se, half, low, high; /* of pet_scaled, with windows; NAN: not defined */
	uint32_t df;
	double measured;         /* s, of one run: all its samples */
	double elapsed;          /* s, all that the measuring took, pauses included */
	double pause;            /* s before each checkpoint but the first; 0: none */
	double restore;          /* s a checkpoint beyond warm-up and measuring, with windows; 0: none was restored */
	double aet;              /* 0: not known */
	const char *aet_from;    /* "given", "run"; "": not known */
	double pete, pete_scaled, set_share; /* where aet is known */
};

const char *result_mechanism(const struct result *r); /* for people: "rerun" for what files call replay */

bool result_has_interval(const struct result *r);
/* Whether the AET lies in the interval, as far as both are known. */
bool result_held(const struct result *r);
/* Another note, as one line of safe text, unless it is there already. False: no memory. */
bool result_note(struct result *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void result_set_aet(struct result *r, double aet, const char *from); /* and what follows from it */
void result_release(struct result *r);

enum err_code result_write_yaml(const struct result *r, struct out *out, struct err *e);
enum err_code result_write_json(const struct result *r, struct out *out, struct err *e);
enum err_code result_read(struct result *r, const char *name, const char *text, size_t size, struct err *e);
enum err_code result_read_file(struct result *r, const char *path, struct err *e);

/* Whether a file begins as a result does. False also for what cannot be read. */
bool result_is_file(const char *path);

/* ---- result_same ---- */

/* Which phase of its trace a measured one is: one rule for results beside each other, a study's runs, and results
 * beside the trace.
 *
 * Ids say it where tables were made with the same settings. Else a phase is the same if it has as many occurrences, as
 * many ticks, and the same time in the trace, which no other set of occurrences has; and times are of one kind
 * (phase_time). What phases hold is not asked: two sets of occurrences may hold the same and have taken other times.
 * Phases of other traces correspond by what they hold (core/compare/match/match.h).
 */

/* Times of the same occurrences: compilers round sums differently, other occurrences differ by far more. */
bool result_same_time(double traced, double time);

/* Whether a phase of one result of a trace is a phase of another result of that trace; of results that do not say their
 * settings ids count. */
bool result_same_phase(const struct result *a, const struct result_phase *x, const struct result *b, const struct result_phase *y);

/* A trace's phases as they are with some settings, to find measured ones among. */
struct traced_phase {
	uint32_t id;           /* from 1 */
	uint32_t weight, ticks;
	double time;
};

struct traced_phases {
	const struct settings *settings;
	struct traced_phase *list; /* ids from 1 when it is sorted */
	uint32_t count;
};

/* Once all are there: by weight and ticks. */
void traced_phases_sort(struct traced_phases *t);
/* The id of the one that was measured; 0: none, or several that cannot be told apart. */
uint32_t traced_phases_find(const struct traced_phases *t, const struct result *r, const struct result_phase *m);

/* A result for people: phases and prediction as aligned text. */

void result_print(const struct result *r, struct out *out);

#endif
