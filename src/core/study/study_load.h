/* The runs of a study, loaded: of each its phases with their content, and nothing else of the trace
 * (docs/studies.md 5).
 *
 *     study_load(&runs, &file, &settings, threads, job, &e);
 *     study_runs_free(runs);
 *
 * Traces are analysed with the settings, several at once, each on one thread; phase tables must have been made with
 * these settings and written with content. What comes out does not depend on how many threads there are: an error is
 * that of the first run that has one.
 *
 * With a team the ranks share each trace, one run after the other, and all come to study_load(), which meets (team.h).
 * Rank 0 alone reads tables and results, and has what comes of the runs; on the others `runs` says how many there are,
 * and nothing of them.
 */
#ifndef PAS2P_STUDY_LOAD_H
#define PAS2P_STUDY_LOAD_H

#include "core/analysis/analysis.h"
#include "core/analysis/run_phases.h"
#include "core/base/job.h"
#include "core/team/team.h"
#include "study_file.h"

struct study_run {
	const char *name;          /* safe, of no other run; in the runs' arena */
	const char *file;          /* the trace's, as a phase table names it; safe */
	struct run_phases *phases; /* as traced */
	/* What a result of pas2p run says instead; NULL: there is none. */
	double *measured;          /* per phase: s, NAN: not measured */
	double measured_aet;       /* NAN: not known */
	struct study_parameters parameters; /* p among them */
	struct err damage;         /* code ERR_OK: none; else what the loader said */
	struct note_counts notes;
	bool reads_trace;          /* not a table */
};

struct study_runs {
	struct arena arena;
	struct study_run *list;
	uint32_t count;
};

enum err_code study_load(struct study_runs *runs, const struct study_file *file, const struct settings *settings, unsigned threads,
			 const struct team *team, const struct job *job, struct err *e);
/* For who has phases already, as tests do: takes them, also on an error. Names and parameters are made as by
 * study_load(). */
enum err_code study_runs_init(struct study_runs *runs, uint32_t count, struct err *e);
enum err_code study_runs_add(struct study_runs *runs, const char *name, const char *file, struct run_phases *phases,
			     const struct study_parameters *given, struct err *e);
void study_runs_release(struct study_runs *runs);

/* The trace of a run that reads one, and its analysis, for who needs more than its phases. Both are the caller's, also
 * on an error. What the loader says of a damaged one goes to `damage`, and is no error. With a team each rank has its
 * part of both; it meets. */
enum err_code study_load_trace(struct trace **t, struct analysis **a, const struct study_source *source, const struct settings *settings,
			       unsigned threads, const struct team *team, struct err *damage, const struct job *job, struct err *e);

#endif
