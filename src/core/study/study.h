/* A study: which phases of many runs are the same thing, a family, and what of each varies with the runs' parameters
 * (docs/explain/fits.md, "Studies").
 *
 *     study_new(&s, "cg", &runs, relevance, progress, &e);  runs: loaded (load); must outlive it
 *     study_free(s);
 *
 * Every phase of every run is in one family. Families are numbered from 1, in the order of their first phases. A run's
 * phases are matched with those of the earlier run whose number of processes is nearest, the latest among equals;
 * phases of a group go where their partners are, and families that meet in one become one.
 *
 * Where a run has a result of `pas2p run`, its times are the result's; families are found by the traced ones, so that
 * they do not depend on where was measured. Times are s. Immutable once made.
 */
#ifndef PAS2P_CORE_STUDY_STUDY_H
#define PAS2P_CORE_STUDY_STUDY_H

#include "core/method/analysis/analysis.h"
#include "core/method/analysis/run_phases.h"
#include "core/base/progress.h"
#include "core/team/team.h"
#include "file.h"
#include "core/compare/match/match.h"
#include "core/models/fit/fit.h"
#include "core/models/fit/measurements.h"
#include "core/table/rows.h"
#include "core/io/out.h"

/* ---- load ---- */

/* The runs of a study, loaded: of each its phases with their content, and nothing else of the trace
 * (docs/explain/fits.md, "Studies").
 *
 *     study_load(&runs, &file, &settings, threads, progress, &e);
 *     study_runs_free(runs);
 *
 * Traces are analysed with the settings, several at once, each on one thread; phase tables must have been made with
 * these settings and written with content. What comes out does not depend on how many threads there are: an error is
 * that of the first run that has one.
 *
 * With a team the ranks share each trace, one run after the other, and all come to study_load(), as a collective step
 * (team.h). Rank 0 alone reads tables and results, and has what comes of the runs; on the others `runs` says how many
 * there are, and nothing of them.
 */

struct study_run {
	const char *name;          /* safe, of no other run; in the runs' arena */
	const char *file;          /* the trace's, as a phase table names it; safe */
	struct run_phases *phases; /* as traced */
	/* What a result of pas2p run says instead; NULL: there is none. */
	double *measured;          /* per phase: s, NAN: not measured */
	double measured_aet;       /* NAN: not known */
	struct study_parameters parameters; /* p among them */
	struct err damage;         /* code ERR_OK: none; otherwise what the loader said */
	struct note_counts notes;
	bool reads_trace;          /* not a table */
};

struct study_runs {
	struct arena arena;
	struct study_run *list;
	uint32_t count;
};

enum err_code study_load(struct study_runs *runs, const struct study_file *file, const struct settings *settings, unsigned threads,
			 const struct team *team, const struct progress *progress, struct err *e);
/* For who has phases already, as tests do: takes them, also on an error. Names and parameters are made as by
 * study_load(). */
enum err_code study_runs_init(struct study_runs *runs, uint32_t count, struct err *e);
enum err_code study_runs_add(struct study_runs *runs, const char *name, const char *file, struct run_phases *phases,
			     const struct study_parameters *given, struct err *e);
void study_runs_release(struct study_runs *runs);

/* The trace of a run that reads one, and its analysis, for callers that need more than its phases. The caller owns
 * both, also after an error. The loader's message about a damaged trace goes to `damage`, and is no error. With a team
 * each rank has its part of both; it is a collective step. */
enum err_code study_load_trace(struct trace **t, struct analysis **a, const struct study_source *source, const struct settings *settings,
			       unsigned threads, const struct team *team, struct err *damage, const struct progress *progress, struct err *e);

/* ---- study ---- */

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
	const struct run_phase *largest; /* of its phases the one with most time as traced: what it is called by */
};

struct study_family {
	uint32_t id;
	bool relevant;             /* somewhere */
	bool everywhere;           /* in all runs */
	bool stable;               /* one phase per run that has it, always as many send ticks */
	double share;              /* the largest of its members' */
	const char *name;          /* what it does in the first run that says it; NULL: no run does */
	const struct study_member *first_named; /* that is the member of it; NULL likewise */
	const struct study_member *other; /* of the members the first that does something of another kind; NULL: none, or not known */
	enum kinds_alike alike;
	struct study_member *members; /* one per run that has it, in order of the runs */
	uint32_t count;
};

/* A parameter of the runs. */
struct study_axis {
	const char *name;
	bool number;               /* of all runs; otherwise a category */
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
	double *aet;               /* per run: measured where a result says it; otherwise traced, changed by what measured phases changed */
	double *rest;              /* per run: AET - totals of the families that are everywhere, at least STUDY_LEAST_REST */
};

#define STUDY_LEAST_REST 1e-9

enum err_code study_new(struct study **out, const char *name, const struct study_runs *runs, double relevance, const struct progress *progress,
			struct err *e);
void study_free(struct study *s); /* NULL is fine */

/* NULL: the run does not have it. */
const struct study_member *study_member_of(const struct study_family *f, uint32_t run);

/* A run's value of an axis. */
static inline const struct study_parameter *study_value(const struct study *s, uint32_t run, uint32_t axis)
{
	return &s->runs->list[run].parameters.list[axis];
}

/* ---- graphs ---- */

/* What a study's families do, as blocks of the language of models beside the model that study_model_write() makes
 * (docs/explain/models-language.md, "Phases as models").
 *
 *     study_graphs_make(&g, study, &file, &settings, threads, NULL, progress, &e);
 *     study_model_write(&models, &g, &out, &e);
 *     study_graphs_release(&g);                                      in any case
 *
 * A family's graph is the representative occurrence of its phase in the last run that has it; of several phases in this
 * run, the one with the most time is used. Those runs are loaded again, one after the other, and must be traces. All
 * blocks share one set of functions for the time of messages, fitted to all of the occurrences together. The model's
 * time does not depend on them.
 *
 * With a team the ranks share each of those runs' traces, and all come to study_graphs_make(), as a collective step
 * (team.h); rank 0 alone has the study and gets the graphs, the others give NULL.
 *
 * A family whose block would make the file larger than what models are read from has none, which stands where it would
 * be.
 */

struct study_graph {
	const struct study_family *family;
	const struct study_member *member; /* the last */
	uint32_t phase;            /* id there */
	bool left_out;             /* too large */
	struct out text;           /* comments and the block, or why there is none */
};

struct study_graphs {
	const struct study *study;
	struct study_graph *list;  /* by family */
	struct phase_costs costs;
};

/* ERR_USAGE: a run that is needed is a phase table. ERR_FORMAT: it is not any more what was studied. */
enum err_code study_graphs_make(struct study_graphs *g, const struct study *s, const struct study_file *file, const struct settings *settings,
				unsigned threads, const struct team *team, const struct progress *progress, struct err *e);
void study_graphs_release(struct study_graphs *g);

/* ---- join ---- */

/* Local files of one run that were given as operands, each by itself, become the run that they are of
 * (docs/explain/fits.md, "Studies").
 *
 * Which files belong together is told as everywhere (core/formats/runs.h). Parameters of any of its files are the
 * run's.
 */

/* f: with runs of one file each. ERR_USAGE: two files of a run say different things of it. */
enum err_code study_join(struct study_file *f, struct err *e);

/* ---- models ---- */

/* What a study found, as functions of the runs' parameters: families' weights and times, the rest, and the AET
 * (docs/explain/fits.md, "Studies").
 *
 *     study_models_make(&m, s, STUDY_PREDICTS, STUDY_ALL_RUNS, threads, progress, &e);  s must outlive it
 *     study_fits_at(&m, &m.rest, combination, x, &v);
 *     study_models_release(&m);
 *
 * All are fits by the one law (core/models/fit/fit.h), over the parameters that are numbers and vary among the family's
 * runs. Categories split them: each combination of categories that some run has is fitted by itself. Runs with equal
 * parameters are repetitions of one point.
 */

enum study_of { STUDY_WEIGHT, STUDY_TIME, STUDY_COMPUTE, STUDY_TOTAL, STUDY_BYTES, STUDY_OFS };
const char *study_of_name(enum study_of of); /* "weight", "time", ... */

/* Which models are wanted; the rest and the AET always are. */
enum study_wants {
	STUDY_PREDICTS = 1,   /* of families that are everywhere: weight and time where they are stable, otherwise total */
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
				const struct progress *progress, struct err *e);
void study_models_release(struct study_models *m);

/* The fit of a combination; NULL: there is none. */
const struct fit *study_fit(const struct study_fits *f, uint32_t combination);
/* Its value at x, one number per axis of m->numbers. False: there is no fit. */
bool study_fits_at(const struct study_models *m, const struct study_fits *f, uint32_t combination, const double *x, struct fit_value *v);

/* Whether a family's weight lies on its model in every run, so that it is a count. */
bool study_weight_is_whole(const struct study_models *m, const struct study_family *f, uint32_t combination);

/* ---- predict ---- */

/* The predictions of a study for runs that were not made, and for those that were (docs/explain/fits.md, "Studies").
 *
 *     study_predict(&p, &models, &place, &e);         models: with STUDY_PREDICTS; they and the place's texts must outlive it
 *     study_prediction_release(&p);
 *
 * T is the sum over the families that are everywhere, weight times time where a family is stable, otherwise its total,
 * and of the rest; what a model puts below 0 counts as 0, and a weight that is whole in every run is rounded. The
 * intervals are added up, so they are wide where much is in doubt. Beside it stands `direct`, the model of the AET
 * itself, which knows nothing of phases.
 *
 * Figures that the models do not define at the place are NAN. Times are s.
 */

struct study_value {
	double value, low, high;
};

struct study_part {
	const struct study_family *family;
	struct study_value weight, time; /* NAN: not stable */
	struct study_value total;
};

struct study_prediction {
	struct arena arena;
	const struct study_models *models;
	const struct study_parameter *at; /* per axis of the study */
	double *x;                     /* per number of the models */
	uint32_t combination;
	struct study_part *parts;      /* families that are everywhere */
	uint32_t part_count;
	struct study_value rest, time, direct;
	double extrapolation;          /* the largest of the models'; infinite: no factor says how far */
	bool apart;                    /* the intervals of time and direct do not meet */
	const char **warnings;         /* sentences, safe */
	uint32_t warning_count;
};

/* A parameter that the place leaves out has run 1's value. ERR_USAGE: the place names one that no run has, gives a
 * number's axis a word, or categories that no run has together. */
enum err_code study_predict(struct study_prediction *p, const struct study_models *m, const struct study_parameters *place, struct err *e);
void study_prediction_release(struct study_prediction *p);

/* A run held against what the others say of it. */
struct study_checked {
	uint32_t run;
	double measured;               /* its AET */
	struct study_value predicted;  /* NAN: the others say nothing */
	double error;                  /* (predicted - measured) / measured; NAN */
	bool within;                   /* measured lies in the interval */
};

/* Every run, each from models of all others; the families stay as they are. list: as many as there are runs. */
enum err_code study_check(const struct study *s, struct study_checked *list, unsigned threads, const struct progress *progress, struct err *e);

/* ---- rows ---- */

/* What a study says as rows (docs/internals/compare-rules.md, "Output of study"): families by runs, their models, a
 * prediction, each run from the others.
 *
 * Each writes one listing through a sink. `least`: families whose share is below it in every run are one row, `others`.
 */

/* Where rows go, and how. */
struct study_rows_to {
	enum rows_format format;
	const struct rows_sink *sink;
	const struct progress *progress;
	double least;
	size_t width; /* of a table at most, as far as that goes; 0: any */
};

/* As a table a row is a family, with phases, weight, time and share in every run; otherwise a family in a run. */
enum err_code study_rows_families(const struct study *s, const struct study_rows_to *to, struct err *e);
/* m: with STUDY_SHOWS. */
enum err_code study_rows_models(const struct study_models *m, const struct study_rows_to *to, struct err *e);
/* The families that are everywhere, the rest, T, and direct; not as a table, the place in columns before them. */
enum err_code study_rows_predictions(const struct study_prediction *p, uint32_t count, const struct study_rows_to *to, struct err *e);
enum err_code study_rows_checked(const struct study *s, const struct study_checked *list, const struct study_rows_to *to, struct err *e);

/* ---- write ---- */

/* A study as a document (docs/internals/compare-rules.md, "Output of study"), JSON or YAML: runs, families with their
 * members and models, predictions. */

/* m: with STUDY_SHOWS. Families whose share is below `least` everywhere are left out, except for one mapping `others`
 * that says how many they are and what they share. */
enum err_code study_write(const struct study_models *m, const struct study_prediction *predictions, uint32_t count, double least, bool json,
			  struct out *out, struct err *e);

/* A study as a model of the program, for `pas2p predict`, for other machines, to edit (docs/explain/fits.md,
 * "Studies").
 *
 * Functions of all parameters that are numbers and vary, and of p: weight, time, compute time and mean message of each
 * family that is everywhere, its total instead where it is not stable, and the rest. With categories it is the model of
 * run 1's combination. It holds the chosen forms alone: how sure a prediction is only the study says.
 */

/* m: with STUDY_WRITES. graphs: what its families do, as blocks that the program does not call; NULL: without. */
enum err_code study_model_write(const struct study_models *m, const struct study_graphs *graphs, struct out *out, struct err *e);

#endif
