/* The phase table: the YAML contract between workbench and checkpoint runner (docs/reference/phase-table.md).
 *
 * Writing is deterministic: the same analysis and application name always give the same bytes. Reading checks schema
 * version, list lengths and ranges, and names line and key of each mistake. write-read-write is the identity,
 * but for `named` and `structure`, which are not read back.
 */
#ifndef PAS2P_TABLE_H
#define PAS2P_TABLE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/method/analysis/analysis.h"
#include "core/method/analysis/run_phases.h"
#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/mem.h"
#include "core/settings/settings.h"
#include "core/method/windows/structure.h"

#define TABLE_VERSION 1
#define TABLE_VERSION_WINDOWS 2 /* of a table with windows */
#define TABLE_BYTES ((size_t)1 << 30) /* the longest that is read: 65 536 processes in some 250 phases */

/* An occurrence that is measured besides the representative. */
struct table_sample {
	uint32_t occurrence;
	uint32_t *entry, *exit; /* processes each, in the table's arena */
};

struct table_phase {
	uint32_t id, weight, ticks;
	bool relevant;
	const char *name, *kinds; /* what it does (core/patterns/phase_names.h); NULL: not known. Of a table that was made they are the
	                           analysis's, and `named` writes them */
	double time, time_min, time_max, share;
	double between_sends;  /* of phases of blocks; NAN: it is `time` (table_between_sends()) */
	struct phase_points points; /* of the representative; as all of these in the table's arena */
	struct table_sample *samples; /* after the representative, in order; only where sample-seconds asks for them */
	uint32_t sample_count;
	double sampled;        /* mean time of the representative and the samples in the trace; not written */
};

/* Windows (docs/explain/windows.md): what a signature of schema 2 measures instead of representatives. Occurrences are
 * numbered from 1 over all phases, in the order of the run. All arrays are in the table's arena. */
struct table_pattern {
	uint32_t phase;        /* id */
	uint32_t *sends;       /* processes: calls of each in one occurrence */
};

struct table_step { uint32_t pattern, times; }; /* pattern from 1 */

struct table_window {
	bool extra;
	uint32_t first, last;  /* occurrences */
	double start, seconds; /* from the start of the first occurrence of all; traced */
	struct phase_points points; /* of its ticks nothing is written */
	struct table_step *steps; /* entry plus what the steps' patterns call, in turn, is exit */
	uint32_t step_count;
};

struct table_measured {    /* a phase that is measured */
	uint32_t id;
	bool extra;
	uint32_t occurrences, in_windows;
	double time, se;       /* by the windows, from the trace; se NAN: not defined */
};

struct table_windows {
	/* The main loop that they follow; iterations 0: none. */
	uint32_t main_iterations, main_group;
	double main_mean, main_share;
	uint32_t candidate;
	double offset;         /* NAN with a main loop */
	double misfit, spread;
	uint32_t checkpoints;
	double measured, replay;
	double coverage, pet, pet_scaled, pete_scaled, se, half, low, high; /* NAN: not defined */
	uint32_t *left;        /* ids of relevant phases that are not measured */
	uint32_t left_count;
	struct table_measured *phases;
	uint32_t phase_count;
	struct table_pattern *patterns;
	uint32_t pattern_count;
	struct table_window *list;
	uint32_t count;
};

struct table {
	struct arena arena;
	const char *application;
	const char *trace_file;
	char sha256[65];
	const char *format;
	uint32_t processes;
	uint32_t sends, receives, collectives;
	enum compute_source compute_source;
	double aet;            /* NAN: not defined, as are shares and prediction where core/method/figures/figures.h says so */
	uint64_t warnings;
	struct settings settings;
	double coverage, set, pet, pet_scaled, pete;
	double expected_error; /* of a signature's prediction of this run; NAN: not known, or given by the windows */
	struct table_phase *phases;
	uint32_t phase_count;
	struct table_windows *windows; /* NULL: a table without windows, schema 1 */
	struct run_phases *content; /* what the phases hold, so that the table stands for its trace beside other runs; NULL: without. Owned;
	                             who wants to keep it beyond the table sets this to NULL */
	const struct analysis *named; /* that has patterns and names: written with the rest, and of it only names and kinds are read; NULL: left out. Not owned: it
	                              must outlive the table, or be taken out */
	const struct structure *structure; /* written with the rest, for people and other programs, and not read; NULL: left out. Not owned */
};

/* With a team (trace_team()) all ranks make the table of their analysis, and all come to the same: making it is a
 * collective step (team.h), writing it is not. */

/* From an analysis with ANALYSIS_PHASES; to be written (not just shown), its trace must be hashed (trace_hash).
 * application NULL: from the file's name. */
enum err_code table_from_analysis(struct table *t, const struct analysis *a, const char *application,
				  const struct progress *progress, struct err *e);

/* Adds what the phases hold (docs/internals/compare-rules.md, "Notation"), of the analysis that the table is of. A
 * collective step; on rank 0 alone something is added. */
enum err_code table_add_content(struct table *t, const struct analysis *a, const struct progress *progress, struct err *e);

/* The three names that a table gives a trace, in memory of the arena (NULL: none left). Application: the file's name
 * without directory and .clog2; of several local files what their names have in common, without a rank part.
 * File: the name, or of several "common*common". SHA-256: the file's; of several, of their hexadecimal digests one
 * after another; "" if the trace has not been hashed. */
char *table_application(struct arena *arena, const struct trace *t);
char *table_file(struct arena *arena, const struct trace *t);
void table_sha256(const struct trace *t, char hex[65]);
void table_release(struct table *t);

/* What a signature made of the table measures, as the trace itself tells: do the measured occurrences stand for all?
 * Only of a table that was made, not of one that was read. */
struct table_measure {
	uint32_t occurrences; /* 0: nothing to measure */
	double seconds;       /* in them */
	double pet_scaled;    /* the prediction from their times */
	double off;           /* its error, as a fraction of the AET */
};
struct table_measure table_measure(const struct table *t);

/* What a measurement of a phase spans, by the trace, and the part of the run that these of the relevant phases
 * make up: a measured prediction is scaled by it. */
static inline double table_between_sends(const struct table_phase *p)
{
	return isnan(p->between_sends) ? p->time : p->between_sends;
}
double table_measured_coverage(const struct table *t);
/* The same without making the table. */
enum err_code analysis_measure(struct table_measure *out, const struct analysis *a, const struct progress *progress, struct err *e);

/* As one malloc'd text (mem_free), NUL-terminated, *size without the NUL. */
enum err_code table_write(const struct table *t, char **text, size_t *size, struct err *e);
enum err_code table_read(struct table *t, const char *name, const char *text, size_t size, struct err *e);
enum err_code table_read_file(struct table *t, const char *path, struct err *e);
bool table_is_file(const char *path); /* by how it begins */

/* The same keys and nesting as JSON. */
enum err_code table_write_json(const struct table *t, char **text, size_t *size, struct err *e);

#endif
