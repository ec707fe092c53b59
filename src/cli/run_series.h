/* Runs studied together, as a command's operands are them: loaded, put in order, compared, diagnosed
 * (core/study/metrics_report.h).
 *
 *     series_asked_read(options, &asked, &e);                  what of the options says how: as a check, and to make it
 *     series_make(b, &s, &asked, files, count, &e);            s was {0}; s.report is what they say together
 *     series_release(&s);
 *
 * The ranks of a job share each run, one after the other; rows, and the diagnosis, are rank 0's.
 *
 * By program only two runs are looked into: the one that the diagnosis is about, which keeps its trace and has an
 * analysis with phases, and the reference. Those with the fewest processes keep theirs, since any of them may be the
 * reference; of the others nothing but their figures stays.
 */
#ifndef PAS2P_RUN_SERIES_H
#define PAS2P_RUN_SERIES_H

#include "batch.h"
#include "core/study/metrics_report.h"

struct series_asked {
	enum metrics_by by;
	struct replay_rules rules;
	struct what_if change;
	struct diagnosis_settings diagnosis;
	bool whole_analysis;       /* of the run that is looked into: all of it stays, not only what rows need */
};

/* ERR_USAGE: an option's text is not what it should be. */
enum err_code series_asked_read(const struct options *o, struct series_asked *a, struct err *e);

struct series_run {
	struct metrics_run run;
	struct trace *trace;       /* NULL once shed */
	struct analysis *analysis;
};

struct series {
	struct series_asked asked; /* the diagnosis also of --before */
	const char *const *files;
	uint32_t file_count;
	struct series_run *loaded; /* in the order of the files */
	uint32_t count;
	uint32_t *run_of;          /* per file */
	struct series_run before;
	const struct metrics_run **run; /* in order */
	struct diagnosed *diagnosed;
	struct metrics_report report;
	struct diagnosis diagnosis;
	struct metrics_changed changed;
};

enum err_code series_make(struct batch *b, struct series *s, const struct series_asked *asked, const char *const *files, uint32_t file_count,
			  struct err *e);
void series_release(struct series *s);

/* What belongs to a run of the report. */
struct series_run *series_run_of(struct series *s, const struct metrics_run *run);

#endif
