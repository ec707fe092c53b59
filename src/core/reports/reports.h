/* Texts and figures about runs, whoever prints them: the overview, the diagnosis, scaling, predictions held against
 * measurements, clocks.
 */
#ifndef PAS2P_CORE_REPORTS_REPORTS_H
#define PAS2P_CORE_REPORTS_REPORTS_H

#include "core/trace/trace.h"
#include "core/clocks/measured/measured.h"
#include "core/io/out.h"
#include "core/clocks/report.h"
#include "core/base/err.h"
#include "core/documents/result.h"
#include "core/metrics/rows/rows.h"
#include "core/metrics/rows/metrics_rows.h"
#include "core/method/analysis/analysis.h"
#include "core/lists/metrics.h"
#include "core/trace/times.h"
#include "core/base/text.h"
#include "core/metrics/waits/waits.h"
#include "core/documents/table.h"
#include "core/metrics/maps/traffic.h"
#include "core/metrics/waits/waited_pairs.h"
#include "core/metrics/rows/tracing_cost.h"
#include "core/method/windows/planner.h"
#include "core/method/windows/structure.h"

/* ---- call_mix ---- */

/* Which MPI functions a run calls, how often, and how long it is in them: what two runs of one program have alike on
 * any number of processes, and two programs do not.
 */

#define CALL_MIX_NAME 48
#define CALL_MIX_ALIKE 0.5 /* less in common are two programs */

struct called_function {
	char name[CALL_MIX_NAME];
	uint64_t calls;
	double seconds;      /* of all processes */
};

struct call_mix {
	struct called_function *list; /* by name */
	uint32_t count;
	uint32_t processes;
	uint64_t calls;      /* of all, except for those that ask whether something has come: there are as many as it takes */
	double seconds;
};

enum err_code call_mix_init(struct call_mix *m, const struct trace *t, struct err *e);
void call_mix_release(struct call_mix *m);

/* Less than half of the time of one is in functions of the other, or less than half of their calls are alike. Of
 * one process, which has nobody to talk to, and of a trace without calls nothing is known: false. */
bool call_mix_differs(const struct call_mix *a, const struct call_mix *b);

/* ---- clocks_measured_write ---- */

/* What was measured of a job's clocks as one document, YAML or JSON (docs/internals/clock-rules.md, "Rules of measuring
 * clocks"). */

enum err_code clocks_measured_write(const struct clock_measured *m, struct out *o, bool json, struct err *e);

/* ---- clocks_write ---- */

/* The document of a run's clocks, as YAML or as JSON (docs/explain/clocks-bounds.md, "Output keys"). */

enum err_code clocks_write(const struct clock_report *r, struct out *o, bool json, struct err *e);

/* ---- compare ---- */

/* Results side by side: one program in several mappings, on several machines, with other settings, of several traces
 * (reports_int.h).
 *
 * Results of one trace (SHA-256) have the same phases, matched by id, or, where their tables were made with other
 * settings, by weight, ticks and traced time. Phases of different traces correspond as everywhere
 * (docs/internals/compare-rules.md, "Corresponding phases") where both results say what their phases hold, which is so
 * if their tables were written with content: each result is matched with the earlier one that is nearest to it in
 * processes. For a group of phases, the two that it grew from share a row. Results that do not say it are matched by
 * shape: phases correspond where they have the same number of ticks and on every process the same number of sends and
 * collectives in one occurrence; several alike in the order of their ids. What one result has and another has not stays
 * alone in its row.
 */

struct compare {
	unsigned differs;             /* in what: enum compare_difference */
	const struct result *results; /* the caller's */
	uint32_t count;
	char (*labels)[64];           /* of each: as given, otherwise what tells it from the others */
	uint32_t row_count;
	const struct result_phase **rows; /* row_count * count; NULL: that result has no such phase */
};

enum err_code compare_make(struct compare *c, const struct result *results, uint32_t count, struct err *e);
void compare_release(struct compare *c);

/* Tables are at most `width` columns wide, as far as that goes; 0: any. ERR_MEMORY. */
enum err_code compare_print(const struct compare *c, struct out *out, size_t width, struct err *e);
/* one row per phase and result, one per result without phase */
void compare_csv(const struct compare *c, struct out *out);
enum err_code compare_yaml(const struct compare *c, struct out *out, bool json, struct err *e);

/* ---- scaling ---- */

/* Several runs of one program: speedup, efficiency, what limits it (docs/reference/metrics.md, "Scaling runs"). */

enum scaling_kind { SCALING_STRONG, SCALING_WEAK };

/* What of a run is needed; NAN where it is not known. */
struct scaling_run {
	uint32_t processes;
	double runtime, useful;  /* s; useful over all processes */
	double parallel_efficiency;
	/* filled in: */
	double speedup, efficiency, serial_fraction, computation_scaling, global_efficiency;
	/* of all runs on as many processes: how many have a time, and their times; NAN: none has */
	uint32_t equals;
	double median, least, most;
};

#define NO_RUN UINT32_MAX

/* runs are in order already (scaling_order). serial: seconds of the best sequential program, NAN: not given. Returns
 * the index of the reference, NO_RUN: there is none (a single run of several processes). The reference is of the runs
 * with the fewest processes that with the median time, of an even number the shorter of the two in the middle. */
uint32_t scaling_fill(struct scaling_run *runs, uint32_t count, enum scaling_kind kind, double serial);

/* "5 runs on 4 processes: median 1.24 s, 1.2 s to 1.3 s"; "" if there is one. */
#define SCALING_TEXT 128
const char *scaling_equals_text(const struct scaling_run *run, char text[SCALING_TEXT]);

/* Slower than the reference: then no part of it is a serial fraction, which would be above 1. */
static inline bool scaling_is_slower(const struct scaling_run *run)
{
	return run->serial_fraction > 1;
}

/* order[i]: which of the runs, as given, comes i-th: by processes, then as given. */
void scaling_order(const uint32_t *processes, uint32_t count, uint32_t *order);

/* ---- diagnosis ---- */

/* The diagnosis: ANDES's four questions, answered for a series of runs (docs/reference/metrics.md, "Diagnosis").
 *
 * Efficiency, scalability, main loss, effect of the change: verdicts and figures, and the same as
 * sentences that a person can act on (diagnosis_text()). What the data does not support is NAN or `unknown`.
 */

enum verdict { VERDICT_OK, VERDICT_POOR, VERDICT_UNKNOWN, VERDICT_BETTER, VERDICT_SAME, VERDICT_WORSE, VERDICT_NOT_DONE };
const char *verdict_name(enum verdict v); /* "ok", "poor", ..., "not-done" */

enum trend { TREND_NONE, TREND_CONSTANT, TREND_RISING, TREND_FALLING };
const char *trend_name(enum trend t);     /* NULL, "constant", ... */

enum diagnosis_warning { WARN_FEW_POINTS = 1, WARN_SLOWS_DOWN = 2, WARN_LOOKS_WEAK = 4 };

#define DIAGNOSIS_QUESTIONS 4
#define DIAGNOSIS_TOP 3
#define DIAGNOSIS_WHERE 512

struct lost_at {
	char where[DIAGNOSIS_WHERE]; /* a routine's path, or a phase: "4", "before" */
	double lost;                 /* process-seconds */
};

struct projected_speedup {
	uint32_t processes;
	double speedup, efficiency;
};

struct diagnosis {
	struct {
		enum verdict verdict;
		const char *metric;  /* "efficiency", "parallel_efficiency" */
		double value, speedup;
		uint32_t processes;
		unsigned warnings;   /* diagnosis_warning */
	} stand;
	struct {
		enum verdict verdict;
		double serial_fraction, limit;
		enum trend trend;
		struct projected_speedup projection[3];
		uint32_t projections; /* 0 or 3 */
		uint32_t runs;        /* how many there are */
		uint32_t reference;   /* processes that k and speedups are counted from: 1 with a serial time; 0: none */
		bool slower;          /* on more processes than the reference: what is above is no serial fraction, and bounds nothing */
		double times_longer;  /* if so */
		uint32_t processes;   /* of the run that is slower */
		const char *grown;    /* the kind of time that grew most: "waiting", "transfer"; NULL: not known */
		double grown_from, grown_to; /* s of it, mean of the processes */
		char grown_in[DIAGNOSIS_WHERE]; /* the routine or MPI function that grew most in this; "": not known */
	} far;
	struct {
		enum verdict verdict;
		const char *factor;  /* NULL: none is known */
		double value, lost;
		uint32_t process;    /* NO_PROCESS */
		double on_process;   /* what this process has of the waiting, the transfer or the computation, s; NAN */
		enum outside_use outside; /* what that process did outside of MPI, where it computes longest */
		char outside_text[OUTSIDE_TEXT];
		double communication_efficiency;
		double not_analysed; /* share of the total time in calls of which nothing says whether they waited; NAN: not known */
		char not_analysed_in[NOT_ANALYSED_TEXT]; /* their functions */
		uint64_t shared;     /* processes that had to share their processor: transfer contains waiting for it */
		struct lost_at routines[DIAGNOSIS_TOP], phases[DIAGNOSIS_TOP];
		uint32_t routine_count, phase_count;
	} where;
	struct {
		enum verdict verdict;
		const char *before;  /* the file; NULL */
		double runtime_change;
		/* new - old; NAN */
		double parallel_efficiency, load_balance, communication_efficiency, serialisation_efficiency, transfer_efficiency,
			communication_balance, overlap;
	} helped;
};

/* A run as the diagnosis wants it. */
struct diagnosed {
	const struct run_metrics *metrics;
	struct scaling_run figures;
	/* Of the run that is looked at (diagnosis_run()), and its state rows also of the reference: routines that compute
	 * more than there. NULL: not known. */
	const struct state_rows *states;
	const struct phase_rows *phases;
	const char *file;
};

struct diagnosis_settings {
	enum scaling_kind kind;
	double serial;   /* NAN: not given */
	double bar;      /* FACTOR_BAR, or another */
	/* The changed program is the series, this is what it was before; NULL: not given. */
	const struct run_metrics *before;
	const char *before_file;
	const char *program; /* as it was called, for the command of step 4; NULL: pas2p */
};

/* runs in order (scaling_order), `reference` as scaling_fill() gave it. */
void diagnosis_make(struct diagnosis *d, const struct diagnosed *runs, uint32_t count, uint32_t reference,
		    const struct diagnosis_settings *s);

/* Which run steps 3 and 4 are about: most processes, then shortest. */
uint32_t diagnosis_run(const struct diagnosed *runs, uint32_t count);

/* For a diagnosis whose run is slower than the reference: "slower on more processes, 5.04 times as long on 16 processes
 * as on 8 processes; transfer grows from 420 ms to 1.89 s per rank, mostly in MPI_Send". No line end. */
void diagnosis_slower_text(const struct diagnosis *d, struct out *out);

/* Of each question, from 0: its topic, "Main loss"; its verdict, "good", "poor", "unknown", "better" ..., "-" where no
 * change was asked for; and its answer without a line end, `next` between its lines. `file`: for the command of step 4. */
const char *diagnosis_topic(int question);
const char *diagnosis_verdict(const struct diagnosis *d, int question);
void diagnosis_answer(const struct diagnosis *d, const struct diagnosis_settings *s, const char *file, int question,
		      const char *next, struct out *out);

/* All answers, four lines or more, as docs/reference/metrics.md shows them: answers stand DIAGNOSIS_INDENT columns from
 * the left. */
#define DIAGNOSIS_INDENT 22
void diagnosis_text(const struct diagnosis *d, const struct diagnosis_settings *s, const char *file, struct out *out);

/* ---- metrics_run ---- */

/* A run that is studied: its trace's figures, and as many of its rows as were asked for (docs/reference/metrics.md,
 * "Efficiency factors" and "Rows").
 *
 *     metrics_run_init(&r, file, log);
 *     metrics_run_lay(&r, analysis, progress, &e);                for rows by phase or cause; before the figures it takes less memory
 *     metrics_run_make(&r, &rules, progress, &e);
 *     metrics_run_rows(&r, METRICS_STATES | METRICS_CRITICAL, analysis, progress, &e);
 *     metrics_run_shed(&r);       all but the run's own figures; trace and analysis may go
 *     metrics_run_release(&r);
 *
 * Where ranks share the trace all come to each of these that takes progress, and their codes are agreed; rows are rank
 * 0's (core/metrics/rows/metrics_rows.h).
 *
 * The trace must outlive it, up to metrics_run_shed(). Where the trace has no account (core/metrics/rows/rows.h),
 * rows without one are made all the same, and what the replay says is left out.
 */

enum metrics_rows {
	METRICS_PROCESSES = 1,
	METRICS_STATES = 2,
	METRICS_PHASES = 4,   /* takes an analysis with phases, as METRICS_CAUSES does */
	METRICS_CAUSES = 8,
	METRICS_CRITICAL = 16, /* by process */
	METRICS_GAINS = 32,   /* of the rows that are there: a replay for each of the first METRICS_GAINED by their part of the critical path */
	METRICS_PATTERNS = 64 /* takes METRICS_PHASES, and an analysis with patterns */
};

#define METRICS_GAINED 64

struct metrics_run {
	const char *file;             /* the first one, as given */
	enum compute_source compute;
	bool own_times;               /* not those in its files: */
	struct times_figures times;
	const struct run_metrics *metrics; /* of this run: `whole`, or `kept` where that was shed */
	struct run_metrics *whole;
	struct run_metrics kept;
	struct call_log *log;
	struct scaling_run figures;   /* for scaling_fill() */
	struct call_mix calls;        /* also of a run that was shed */
	bool other_program;           /* than the reference, by these */
	/* By what was asked for. */
	unsigned rows;                /* enum metrics_rows: what is there */
	struct process_rows processes;
	struct state_rows states;
	struct phase_spans *spans;
	struct phase_rows phases;
	struct pattern_rows patterns;
	struct causes *causes;
	struct metrics_causes_list cause_list;
	char path[METRICS_PATH_SIZE]; /* of the row at hand */
	double *critical;             /* by process, s of the critical path; NULL: not known */
	double *gain;                 /* by process, s that the run wins if it computes 10 % less; NAN: not asked for; NULL: not known */
};

/* Takes the log. The room of a run does not move once rows are made. */
void metrics_run_init(struct metrics_run *r, const char *file, struct call_log *log);
/* Lays phases over time: then rows need no more of the analysis than analysis_shed() leaves. Who does not call it has
 * it done with the rows. */
enum err_code metrics_run_lay(struct metrics_run *r, const struct analysis *a, const struct progress *progress, struct err *e);
enum err_code metrics_run_make(struct metrics_run *r, const struct replay_rules *rules, const struct progress *progress, struct err *e);
enum err_code metrics_run_rows(struct metrics_run *r, unsigned rows, const struct analysis *a, const struct progress *progress, struct err *e);
void metrics_run_shed(struct metrics_run *r);
void metrics_run_release(struct metrics_run *r);

/* ---- overview ---- */

/* The overview: what one wants to know of a run first (docs/start/first-look.md). What it does repeatedly, how well,
 * where its time goes, what it would cost to predict it, what to look at next.
 *
 *     overview_init(&o, &parts);                        cheap: all is there already
 *     overview_text(&o, 80, TEXT_UTF8, &out, &e);       the same for a pipe, a report, an issue
 *
 * It is made of whatever parts there are so far (overview_make makes all of them): a part that is NULL is not known
 * yet, and what it would say is absent (NAN, NULL, 0 of `known`). So the workbench shows it while the rest is being
 * made, and the text, the report and the workbench say the same. It owns nothing; parts must outlive it. Times are s;
 * shares and efficiencies fractions of 1. Processes are ranks, from 0.
 */

struct overview_parts {
	const char *program;                  /* as it was called, for the commands; NULL: pas2p */
	const struct trace *trace;            /* the only one that must be there */
	const struct analysis *analysis;      /* with phases */
	const struct structure *structure;
	const struct run_metrics *metrics;
	const struct process_rows *processes; /* of metrics */
	const struct state_rows *states;
	const struct phase_rows *phases;
	const struct waited_pairs *pairs;
	const struct causes *causes;
	const struct comm_pair *heaviest;     /* comm_heaviest(); without messages: there are none */
	const struct table_measure *measure;  /* of the analysis: what one sample of each phase predicts */
	const struct plan *plan;              /* where the settings have no windows of their own */
};

/* Where the run's time went; they add up to 1: of the time of all processes, from the first record of the run to its
 * last. */
struct overview_account {
	double compute, waiting, moving, other; /* useful; sync; transfer; other MPI, untraced, tracer, and outside of records */
	double not_analysed; /* what moving and other would have besides: calls that may wait for others in a way that is not analysed */
};

enum overview_step {              /* what to do next */
	OVERVIEW_NEXT_NONE,
	OVERVIEW_NEXT_CHECK,      /* there are warnings that matter */
	OVERVIEW_NEXT_WAITS, OVERVIEW_NEXT_BALANCE, OVERVIEW_NEXT_TRANSFER,
	OVERVIEW_NEXT_OTHER,      /* MPI calls that do not communicate take more than moving data does */
	OVERVIEW_NEXT_COVERAGE,   /* thresholds: too little is relevant */
	OVERVIEW_NEXT_PHASES, OVERVIEW_NEXT_PLAN, OVERVIEW_NEXT_SIGN
};
#define OVERVIEW_STEPS 4
#define COVERAGE_BAR 0.8          /* the least coverage that predicts a run */
#define OVERVIEW_LOSS 0.1         /* of the run: what loses as much is worth a look */

struct overview {
	struct overview_parts of;
	double runtime, aet;
	bool has_account;                     /* else: account and factors are NAN, and `without` says why */
	const char *without;                  /* a clause: "the trace has no MPI calls, only messages"; NULL: not known yet */
	struct overview_account account;
	struct factors factors;
	double imbalance;                     /* what the processes lose by computing shorter than the slowest, of the run; NAN */
	/* Phases and the prediction from them */
	uint32_t phases, relevant;
	double coverage, pete;
	double in_phases;                     /* of the AET, of all phases; where shares tile the run, the rest is before and after them: no threshold changes that */
	/* Lost */
	const struct waited_pair *longest;    /* NULL: nobody waited, or not known */
	enum wait_reason longest_reason;
	double waited;                        /* by all, s; NAN */
	struct culprit cause;                 /* the one that others waited for longest; process NO_PROCESS: nobody waited, or not known */
	uint32_t slowest;                     /* process with the most useful time; NO_PROCESS: there is one process, or not known */
	double slowest_by;                    /* over the mean of all, a fraction */
	enum outside_use slowest_use;         /* what it did in that time */
	struct crowded_nodes crowded;
	struct tracing_cost tracing;
	uint32_t heavy_from, heavy_to;        /* most bytes between two processes; NO_PROCESS: no messages, or not known */
	uint64_t heavy_bytes;
	/* Iterations of the main loop, and how many of them are outliers; 0: there is none, or not known */
	uint32_t iterations, outliers;
	/* Signature: of the settings' windows, otherwise of the plan's choice. */
	bool signature;                       /* there is one */
	char no_signature[PLAN_TEXT];         /* why there is none; "" */
	uint32_t windows;
	double cost_share;                    /* of the AET; NAN: not defined */
	double expected;                      /* half interval as a share of the prediction (a plan's: of the AET); without a signature
					       * the error of one sample of each phase; NAN: not defined */
	struct note_counts notes;
	enum overview_step next[OVERVIEW_STEPS]; /* the most useful first */
	uint32_t next_count;
};

void overview_init(struct overview *o, const struct overview_parts *parts);

/* Sentences of the parts, for all faces alike: no line end, safe text. text: OVERVIEW_TEXT
 * bytes. Return text; "" where nothing is known. */
#define OVERVIEW_TEXT 512
char *overview_title_text(const struct overview *o, char *text);      /* "lu.S.4.clog2  4 processes, 45.3 ms, 13 532 events" */
char *overview_time_text(const struct overview *o, char *text);       /* "computation 29.8 %, waiting 37.5 %, transfer 28.8 %, other 3.9 %" */
char *overview_efficiency_text(const struct overview *o, char *text); /* "29.8 % = load balance 95.0 % x serialisation 64.2 % x transfer 48.9 %" */
char *overview_lost_text(const struct overview *o, char *text);       /* "rank 0 for late sends of rank 1, 4.77 ms" */
char *overview_waiting_text(const struct overview *o, char *text);    /* "12.0 %", "at least 12.0 %", "unknown": the share of waiting */
char *overview_cause_text(const struct overview *o, char *text);      /* "rank 0, computation in solve: 1.2 s of 4.4 s waiting" */
char *overview_slowest_text(const struct overview *o, char *text);    /* "rank 3, 9.1 % above the mean computation time" */
char *overview_crowded_text(const struct overview *o, char *text);    /* "4 processes shared 2 processors" */
char *overview_tracing_text(const struct overview *o, char *text);    /* "about 1.8 to 3.1 % of the total time, ..."; "": less than 1 % */
char *overview_heaviest_text(const struct overview *o, char *text);   /* "rank 1 to rank 0, 1.2 MiB, 12.0 % of all bytes" */
char *overview_signature_text(const struct overview *o, char *text);  /* "8 windows, 2.1 % of the run time, expected error 2.4 %" */
char *overview_prediction_text(const struct overview *o, char *text); /* "16 phases, 8 relevant, which cover 92.5 % of the run time; expected error 43.0 %" */
char *overview_iteration_text(const struct overview *o, char *text);  /* "49 iterations of 238 µs; 4 are outliers: 3, 8, 20 and 40" */
char *overview_clocks_text(const struct overview *o, char *text);     /* "corrected: linear, largest shift 1.1 µs"; "": times are the file's */
char *overview_warnings_text(const struct overview *o, char *text);   /* "37 clock violations; 3 warnings" */

/* What a step is good for, and what a person of the batch commands would type for it, which works as it is printed:
 * with the trace's files and the settings that are not the defaults. */
const char *overview_step_text(enum overview_step s);                 /* "find the causes of waiting" */
void overview_step_command(const struct overview *o, enum overview_step s, enum text_flags flags, struct out *out); /* "pas2p metrics --by cause FILE" */

/* Times of the main loop's iterations as n values for a sparkline: the longest of those that share a column. Returns
 * how many there are, at most n; 0: there is no loop. */
uint32_t overview_iteration_times(const struct overview *o, double *values, uint32_t n);

/* The page as text of so many columns, 60 at least: what the workbench shows, without its keys. */
enum err_code overview_text(const struct overview *o, int columns, enum text_flags flags, struct out *out, struct err *e);

/* ---- overview_make ---- */

/* Who makes the parts of an overview, where nobody has them yet: for commands and reports (docs/start/first-look.md).
 *
 *     overview_run_init(&r, trace, analysis, NULL, progress, &e);
 *     ... r.overview ...
 *     overview_run_release(&r);
 *
 * The costly one is the call log, which reads the trace's files once more: as long as loading did; the plan is a pass
 * over the occurrences for each of some seventy designs; all else is cheap. Trace and analysis (with phases) must
 * outlive it, and it must not move.
 */

#define OVERVIEW_ROWS (METRICS_PROCESSES | METRICS_STATES | METRICS_PHASES | METRICS_CAUSES)

struct overview_run {
	struct metrics_run own;        /* where none was given */
	const struct metrics_run *metrics;
	struct waited_pairs *pairs;    /* NULL: the trace has no account */
	struct structure *structure;
	struct plan *plan;             /* NULL: the settings have windows */
	struct table_measure measure;
	struct comm_pair heaviest;
	struct overview overview;
};

/* metrics: of this trace, if there are some; rows that it lacks are added to it, of this analysis as those that it has
 * must be. NULL: they are made, by the rules that `pas2p metrics` has where nothing is asked for. ERR_MEMORY,
 * ERR_CANCELLED, ERR_IO. */
enum err_code overview_run_init(struct overview_run *r, const struct trace *t, const struct analysis *a, struct metrics_run *metrics,
				const struct progress *progress, struct err *e);
void overview_run_release(struct overview_run *r);

#endif
