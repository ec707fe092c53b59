/* Declarations that commands share, in addition to batch.h (a command over traces) and options.h (the command line):
 * operands, help, jobs and their launchers, series of runs, conditions that fail a command.
 */
#ifndef PAS2P_CLI_CLI_H
#define PAS2P_CLI_CLI_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/table/cell.h"
#include "core/io/out.h"
#include "core/base/condition.h"
#include "core/base/err.h"
#include "core/reports/metrics_report.h"
#include "options.h"
#include "core/base/progress.h"
#include "core/base/mem.h"
#include "exit.h"
#include "runner/launch.h"
#include "sink.h"
#include "core/documents/table.h"
#include "progress_meter.h"
#include "runner/driver.h"
#include "runner/runner.h"
#include "core/models/machine/machine.h"
#include "core/settings/config.h"
#include "command.h"
#include "batch.h"
#include "core/settings/settings.h"

/* ---- cell_bytes ---- */

/* Cells as bytes, from one rank of a team to another. */

/* Appends a row of n cells. */
void cell_bytes_add(struct out *to, const struct cell *cells, size_t n);

/* The next row of n cells of what was added; their text is in `bytes`, and is what it was, up to its end. Returns how
 * many bytes that was. */
size_t cell_bytes_take(const char *bytes, struct cell *cells, size_t n);

/* ---- fail_if ---- */

/* Conditions of --fail-if: what of a run's metrics makes `pas2p metrics` end with EXIT_FINDING, for continuous
 * integration.
 *
 *     parallel_efficiency < 0.8
 *     load_balance < 75% or runtime_change > 2%
 *
 * METRIC OP NUMBER, where METRIC is a number's key of a run (docs/reference/metrics.md, "Efficiency factors" and
 * "Scaling runs"), or runtime_change; OP one of < <= > >= = !=; NUMBER as core/base/condition.h has it: plain, a
 * percentage of a share, a time with its unit. Several are joined by "or" or commas: any of them is enough.
 *
 * A condition is asked of every run. Where the metric is not known of one, nothing can be said, which is a finding,
 * too: a broken trace must not pass. Only the serial fraction is by its nature not known of the reference: one run that
 * has it is enough.
 */

#define FAIL_CHANGE (-1)     /* runtime_change, of the diagnosis */

struct fail_condition {
	int metric;          /* enum metrics_run_column, or FAIL_CHANGE */
	enum condition_op op;
	double number;
	enum condition_unit unit; /* with which it was written */
};

#define FAIL_CONDITIONS 64

struct fail_if {
	struct fail_condition list[FAIL_CONDITIONS];
	uint32_t count;
};

/* Add the conditions of a text. ERR_USAGE: a part was not understood, or is always true or always false. */
enum err_code fail_if_parse(struct fail_if *f, const char *text, struct err *e);

enum fail_answer { FAIL_NO, FAIL_HOLDS, FAIL_UNKNOWN };

#define FAIL_SAID 512
/* Does the condition hold, and of which run? `said` is the sentence, perhaps with a hint, empty on FAIL_NO. */
enum fail_answer fail_if_ask(const struct fail_condition *c, const struct metrics_report *r, char said[FAIL_SAID]);

/* ---- help ---- */

/* --help and usage, printed from the tables. */

/* Help of the program (COMMAND_WORKBENCH; a screen of 80x24) or of one command (at most 40 lines). */
void help_print(FILE *to, enum command c);

/* Print words from column `at` on, and go on at `indent` where a line would pass 80 columns. */
void help_wrap(FILE *to, size_t at, size_t indent, const char *words);

/* One or two lines of usage, for errors. */
void help_usage(FILE *to, enum command c);

/* A setting's default as it is given on the command line. */
void help_default(const struct setting_info *s, char *buf, size_t size);

/* Number i of the presets that pas2p has, and its settings with their values: "order pas2p, volume 0.05". False:
 * there are no more. */
bool help_preset(size_t i, const char **name, const char **help, char *values, size_t size);

/* ---- launch_answer ---- */

/* A job whose ranks run a program of pas2p, and its output: shared by the commands that measure inside a job.
 *
 *     launch_answer_init(&a, o, &meter.progress);
 *     launch_answer_ask(&a, &question, &text, &size, &e);    the launcher's words and then the program's own
 *     a.failed = parsing says ERR_FORMAT;
 *     launch_answer_close(&a, code);                         nothing is left; says what a job printed that failed
 *     return launch_answer_end(&a, &sink, finding, code, &e);
 */

struct launch_answer {
	const struct options *options;
	const struct progress *progress;
	struct launch launch;
	const char *mark;
	char folder[PATH_MAX], output[PATH_MAX];
	int folder_fd;
	struct arena arena;
	struct nest *nest;
	bool failed;             /* the job, not what is around it */
	char refusal[REFUSAL_TEXT]; /* why the launcher started none; "": it did not say */
};

struct launch_question {
	const char *program, *task;  /* pas2p-PROGRAM-MPI, which measures TASK */
	const char *const *own;      /* the program's own arguments, up to a NULL */
	const char *mark;            /* lines of the answer have it */
	double usual, most;          /* s: how long it usually takes, and how long it may take */
};

void launch_answer_init(struct launch_answer *a, const struct options *o, const struct progress *progress);

/* All output of the job, with a NUL after it; free it. You may ask several questions one after the other. */
enum err_code launch_answer_ask(struct launch_answer *a, const struct launch_question *q, char **text, size_t *size, struct err *e);

/* code: how it went, with the answer read. */
void launch_answer_close(struct launch_answer *a, enum err_code code);

/* Say how it went, if not well, and give the exit code. */
enum exit_code launch_answer_end(const struct launch_answer *a, const struct sink *s, enum exit_code finding, enum err_code code,
			      const struct err *e);

/* ---- job_script ---- */

/* A job script: what a batch system is given so that one run of pas2p takes place inside its job.
 *
 * The kinds are rows of a table in job_script.c, by the names that --script takes. A script asks for nodes and tasks,
 * goes to the directory, sets the variables that the run's programs and libraries are found by, and becomes the run. No
 * other variable is written down: what else an environment holds may be secret. Every word is quoted, whatever it
 * consists of; the same arguments in the same environment give the same bytes. It needs bash.
 */

struct job_script {
	const char *kind;          /* "slurm", "pbs" */
	const char *application;   /* named in the job's name, as far as such names allow */
	uint32_t tasks, nodes;     /* nodes from 1 to tasks */
	const char *directory;     /* where the run starts, absolute */
	const char *control;       /* --control, absolute; NULL: none */
	const struct options *options; /* of the run: its operand, its options, its launch command */
};

/* ERR_USAGE if there is no such kind or pas2p's own place is not known. */
enum err_code job_script_write(const struct job_script *s, struct out *o, struct err *e);

/* ---- launching ---- */

/* What the commands that launch jobs have in common. */

/* Of sign and run, from the options to a mission. */
struct launching {
	const struct options *options;
	struct progress_meter meter;
	struct launch launch;
	struct launch_plan plan;
	struct mission mission;
	const struct driver_ops *driver;
	const char *directory;   /* where the command is going to be started; NULL: here */
	bool planned, writing;   /* which kind of failure an ERR_IO is from here on: the job's, the output's */
};

/* Everything but table and driver; catches signals from here on. */
enum err_code launching_begin(struct launching *l, const struct options *o, struct err *e);

/* Check the table against the command and the options. Nothing is executed. */
enum err_code launching_check(const struct launching *l, const struct table *t, const char *const *argv, struct err *e);

/* Check it, ask the launcher, and plan the run. */
enum err_code launching_plan(struct launching *l, const struct table *t, const char *const *argv, struct err *e);

/* The driver that the options name; NULL: they name none. */
enum err_code launching_asked(const struct options *o, const struct driver_ops **driver, struct err *e);

/* The same, probed, or the first that works. */
enum err_code launching_driver(struct launching *l, struct err *e);

/* Say how it went, if not well, and give the exit code. */
enum exit_code launching_end(struct launching *l, enum err_code code, const struct err *e);

/* ---- measuring ---- */

/* What pas2p pingpong and pas2p machine have in common: asking a job how long messages take. */

/* Whether --ops and --sizes are what they can be; ERR_USAGE if not. */
enum err_code measuring_check(const struct options *o, struct err *e);

/* The times of messages. The answer has no rows where the launcher started one process only. */
enum err_code measuring_messages(struct launch_answer *a, struct pingpong_answer *answer, struct err *e);

/* What operations take on each of the job's nodes. */
enum err_code measuring_nodes(struct launch_answer *a, struct pingpong_answer *answer, struct err *e);

/* Lines of comment on where and when, for a file's begin. answer NULL: no job was asked. */
void measuring_comment(struct out *out, const struct launch_answer *a, const struct pingpong_answer *answer);

/* ---- operands ---- */

/* Operands: traces, results of `pas2p run`, models and their files, and studies, recognised by how they begin; each
 * kind keeps its order. A lone colon separates the files of two runs to compare. */

struct operands {
	const char *study; /* NULL: none */
	const char *folder; /* to choose a trace from: the only operand, or if there is none the one that this is in; NULL: none */
	const char **traces, **results, **models; /* owned; the names are the options' */
	uint32_t trace_count, result_count, model_count;
	uint32_t second;             /* traces from this one on stood behind a lone colon: the other run; 0: there was none */
};

/* models: whatever the workbench shows will do. ERR_USAGE: there is no trace, nor a model or study if that will do;
 * there are two studies; or no trace on a side of the colon. To be released in any case. */
enum err_code operands_init(struct operands *f, const struct options *o, bool models, struct err *e);
void operands_release(struct operands *f);

/* ---- prepare ---- */

/* The first step of everything that opens a trace: inspect the operands, and determine the settings. */

/* ERR_USAGE: there are no files, or one that cannot be. */
enum err_code prepare_files(const struct options *o, struct err *e);

/* Defaults, the user's file, --config, the command line: later wins, and of --preset and settings on the command
 * line the later too. The files are read into *c. given: those that the command line set. */
enum err_code prepare_settings(const struct options *o, struct config *c, struct settings *s, bool given[SETTING_COUNT], struct err *e);

/* ---- rank ---- */

/* A command as a rank of an MPI job (mpi/mpi_team.h): rank 0 alone prints and complains, and all end with its exit
 * code.
 *
 * Commands that are SHARED_BY_RANKS run on all ranks, with a team in their options, unless rank 0 does alone what was
 * asked for: first of all ranks compare what they were asked for. All of that, and of any other command, is done by
 * rank 0; the workbench and what starts jobs itself do not run in one (EXIT_USAGE).
 */

struct mpi_place;

/* Before the program says anything: a rank but rank 0 is silent from here on. False: the environment is wrong, as *e
 * says. */
bool rank_begin(struct mpi_place *place, struct err *e);

/* What this rank was asked for cannot be done, as *e says, which the others are not to wait for: it says so, and how
 * the program is used. o: as far as it is known. Also for a job of one rank. */
enum exit_code rank_refuse(const struct mpi_place *place, const struct options *o, bool with_usage, struct err *e);

/* run(o) as such a rank. */
enum exit_code rank_run(const struct mpi_place *place, command_run *run, const struct options *o);

/* ---- run_series ---- */

/* Runs studied together, as a command's operands are them: loaded, put in order, compared, diagnosed
 * (core/reports/metrics_report.h).
 *
 *     series_asked_read(options, &asked, &e);                  what of the options says how: as a check, and to make it
 *     series_make(b, &s, &asked, files, count, &e);            s was {0}; s.report is what they say together
 *     series_release(&s);
 *
 * The ranks of a team share each run, one after the other; rows, and the diagnosis, are rank 0's.
 *
 * By program only two runs are looked into: the one that the diagnosis is about, which keeps its trace and has an
 * analysis with phases, and the reference. Those with the fewest processes keep theirs, since any of them may be the
 * reference; of the others nothing but their figures stays.
 */

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

/* ---- sample_trace ---- */

/* The trace that comes with the program, for users who have none yet: next to the program as it was built, or where
 * make install puts it. */

/* ERR_IO: it is in neither place. */
enum err_code sample_trace(char *path, size_t size, struct err *e);

/* ---- setting_options ---- */

/* Settings as options of a command that is printed. */

/* " --name value" of a text that is quoted where a shell needs that. */
void command_option(struct out *o, const char *name, const char *value);

/* Those that are not as `usual` has them, each as an option. */
void setting_options(struct out *o, const struct settings *s, const struct settings *usual);

/* No command writes over what it reads (core/formats/inputs.h): its operands, what options of the type INPUT name,
 * config files, and what the words behind "--" name. */

/* ERR_USAGE: what an option of the type OUTPUT names is one of those. Asked before any command runs. */
enum err_code own_inputs_refuse(const struct options *o, struct err *e);

/* The same of files that turned out to be read only when others had been. */
enum err_code own_inputs_refuse_more(const struct options *o, const char *const *paths, uint32_t count, struct err *e);

#endif
