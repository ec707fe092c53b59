/* Declarations that only the files of src/cli/commands use. Each part begins with its own description. */
#ifndef PAS2P_CLI_COMMANDS_COMMANDS_INT_H
#define PAS2P_CLI_COMMANDS_COMMANDS_INT_H

#include "cli/batch.h"
#include "core/clocks/measured/measured.h"
#include "core/io/out.h"
#include "cli/options.h"
#include "cli/sink.h"
#include "core/clocks/report.h"
#include "core/method/windows/planner.h"
#include "core/method/analysis/analysis.h"
#include "core/records/format_write.h"
#include "core/compare/diff/diff.h"
#include "core/models/graph/evaluate.h"
#include "core/base/unit.h"
#include "core/reports/metrics_report.h"
#include "core/documents/table.h"
#include "cli/command.h"
#include "core/formats/convert.h"

/* ---- bbps ---- */

/* pas2p bbps --processes: a row for each block, or with --leaders each label, and each process. */

enum err_code bbps_processes_list(struct batch *b, struct err *e);

/* ---- clocks_measured_table ---- */

/* What was measured of a job's clocks, for people. */

enum err_code clocks_measured_table(struct out *o, const struct clock_measured *m, const struct progress *progress, struct err *e);

/* ---- clocks_table ---- */

/* The text that `pas2p clocks` prints: sentences with the results, then the rows. ASCII, and as wide as the sink
 * allows. */

enum err_code clocks_table(struct sink *to, const struct clock_report *r, enum clocks_by by, const struct progress *progress, struct err *e);

/* What must be known besides the rows: sentences, one after another from *i = 0 until it returns false. */
bool clocks_warning(const struct clock_report *r, unsigned *i, char *text, size_t size);

/* The effect of correcting the trace, in the same form. */
bool clocks_correction(const struct clock_report *r, unsigned *i, char *text, size_t size);

/* ---- plan ---- */

/* What the options say of a plan's budget, for the commands that make plans. */

/* `share` as given, 0: not given. */
struct plan_budget plan_budget_of(const struct options *o, double share);

/* ---- convert ---- */

/* What an analysis knows of a run, as a writer of formats takes it (core/records/format_write.h). */

struct convert_analysis {
	struct convert_phases out; /* the columns below */
	uint32_t *lt, *tick, *first;
	struct convert_phase *phases;
	struct convert_span *spans;
};

/* Release it also after an error. */
enum err_code convert_analysis_init(struct convert_analysis *x, const struct trace *t, const struct analysis *a, const struct progress *progress,
				    struct err *e);
/* Logical times in lamport order, mem_free() by the caller. */
enum err_code convert_lamport(uint32_t **out, const struct trace *t, enum collectives collectives, const struct progress *progress, struct err *e);
void convert_analysis_release(struct convert_analysis *x);

/* ---- diff_table ---- */

/* What `pas2p diff` prints for people and as CSV: the verdict with the groups of phases, the edits of each process, or
 * the hunks. */

/* Where the runs part and how far: lines over the table of groups. */
void diff_verdict_lines(struct out *o, const struct diff_report *r);

/* The groups of phases and the rest, rows that add up to the change of the run time. */
enum err_code diff_groups(struct batch *b, const struct diff_report *r, struct err *e);
/* A row per process. */
enum err_code diff_edits(struct batch *b, const struct diff_report *r, struct err *e);
/* Like a unified diff; CSV: a row per line. With a team all ranks come to it, as a collective step (team.h), and rank 0
 * writes. */
enum err_code diff_hunks(struct batch *b, const struct diff_report *r, struct err *e);

/* ---- graph_out ---- */

/* A program's graph into a sink: text as wide as the terminal, or a picture where the output's name ends in .svg. */

bool graph_out_is_picture(const struct options *o);
/* Formats that a graph has not: ERR_USAGE. */
enum err_code graph_out_check(const struct options *o, struct err *e);
enum err_code graph_out(const struct options *o, const struct evaluate_input *in, const char *title, struct sink *s,
			struct err *e);

/* ---- info_job ---- */

/* pas2p info --job N: what a job of N ranks would cost, by stage. */

enum err_code info_job_check(const struct options *o, struct err *e);
enum err_code info_job(struct batch *b, struct err *e);

/* ---- metrics_table ---- */

/* What `pas2p metrics` prints for people: figures by program with the diagnosis, and the tables of rows. At most 80
 * columns wide, unless a name or a number needs more; nothing is cut.
 */

#define METRICS_WIDTH 80

/* By program: metrics as rows, runs as columns; account, critical path, diagnosis, notes. */
void metrics_table(struct out *o, const struct metrics_report *r, const struct diagnosis_settings *asked);

/* By process, state, phase or cause: a table a run, then the notes. */
enum err_code metrics_rows_table(struct out *o, const struct metrics_report *r, size_t width, const struct progress *progress, struct err *e);

/* For both formats: how the times of a run were changed, if at all. */
void metrics_table_clocks(struct out *o, const struct metrics_run *run, int indent);

/* For both formats: limits of the metrics. */
void metrics_table_notes(struct out *o, const struct metrics_report *r);

/* ---- phases_structure ---- */

/* `pas2p phases --structure`: a run's loops for people, and as rows (docs/explain/structure.md). */

/* The structure that --structure asks for; NULL: it does not. */
enum err_code structure_asked(struct structure **out, const struct batch *b, struct err *e);

/* As table or CSV; t is the run's phase table. */
enum err_code structure_list(struct batch *b, const struct table *t, const struct structure *s, struct err *e);

/* ---- trace_convert ---- */

/* pas2p trace: the trace of a job, in another format or compressed when the job is over, as --to or the output's name
 * says. */

/* The writer that --to or the output's name asks for (either may be NULL); NULL: it is as the ranks leave it.
 * ERR_USAGE: they differ, or it needs more than a trace. */
enum err_code trace_convert_writer(const struct format_writer **writer, const char *to, const char *path, struct err *e);

/* The trace at `own` into `output`; then it goes. Where that fails it stays, and that is said. */
enum exit_code trace_convert(const struct options *o, struct convert_output *output, const struct format_writer *writer, const char *path,
			     const char *own);

#endif
