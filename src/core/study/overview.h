/* The overview: what one wants to know of a run first (docs/overview.md). What it does repeatedly, how well, where its
 * time goes, what it would cost to predict it, what to look at next.
 *
 *     overview_init(&o, &parts);                        cheap: all is there already
 *     overview_text(&o, 80, TEXT_UTF8, &out, &e);       the same for a pipe, a report, an issue
 *
 * It is made of whatever parts there are so far (overview_make.h makes all of them): a part that is NULL is not known
 * yet, and what it would say is absent (NAN, NULL, 0 of `known`). So the workbench shows it while the rest is being
 * made, and the text, the report and the workbench say the same. It owns nothing; parts must outlive it. Times are s;
 * shares and efficiencies fractions of 1. Processes are ranks, from 0.
 */
#ifndef PAS2P_OVERVIEW_H
#define PAS2P_OVERVIEW_H

#include "core/analysis/analysis.h"
#include "core/base/text.h"
#include "core/io/out.h"
#include "core/metrics/causes.h"
#include "core/metrics/metrics_rows.h"
#include "core/documents/table.h"
#include "core/metrics/traffic.h"
#include "core/metrics/waited_pairs.h"
#include "core/metrics/tracing_cost.h"
#include "core/trace/crowded_nodes.h"
#include "core/windows/planner.h"
#include "core/windows/structure.h"

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
	/* Iterations of the main loop; 0: there is none, or not known */
	uint32_t iterations, stand_out;
	uint32_t longest_iteration;           /* from 0 */
	/* Signature: of the settings' windows, else of the plan's choice. */
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

/* Sentences of the parts, for all faces alike: no line end, safe text, ASCII but for names. text: OVERVIEW_TEXT bytes.
 * Return text; "" where nothing is known. */
#define OVERVIEW_TEXT 512
char *overview_title_text(const struct overview *o, char *text);      /* "lu.S.4.clog2  4 processes, 45.3 ms, 13 532 events" */
char *overview_time_text(const struct overview *o, char *text);       /* "compute 29.8 %, waiting 37.5 %, moving data 28.8 %, other 3.9 %" */
char *overview_efficiency_text(const struct overview *o, char *text); /* "31.1 % = load balance 90.0 % x communication 34.6 % (...)" */
char *overview_lost_text(const struct overview *o, char *text);       /* "rank 2 receives late from rank 0: 1.9 s of 4.4 s waited" */
char *overview_waiting_text(const struct overview *o, char *text);    /* "12.0 %", "at least 12.0 %", "not known": the share of waiting */
char *overview_cause_text(const struct overview *o, char *text);      /* "rank 0 computing in solve made others wait for 1.2 s" */
char *overview_slowest_text(const struct overview *o, char *text);    /* "rank 3 computes longest, 9.1 % more than the mean" */
char *overview_crowded_text(const struct overview *o, char *text);    /* "4 processes shared 2 processors" */
char *overview_tracing_text(const struct overview *o, char *text);    /* "about 1.8 to 3.1 % of the total time, ..."; "": less than 1 % */
char *overview_heaviest_text(const struct overview *o, char *text);   /* "rank 1 to rank 0, 1.2 MiB, 12.0 % of all bytes" */
char *overview_signature_text(const struct overview *o, char *text);  /* "8 windows, 2.1 % of the run, expected error 2.4 %" */
char *overview_prediction_text(const struct overview *o, char *text); /* "16 phases, 8 carry 92.5 %, expected error 43.0 %" */
char *overview_iteration_text(const struct overview *o, char *text);  /* "270 us +- 40.0, longest 710 us (16); 2 of 49 stand out: 5, 16" */
char *overview_clocks_text(const struct overview *o, char *text);     /* "corrected: linear, largest shift 1.1 us"; "": times are the file's */
char *overview_warnings_text(const struct overview *o, char *text);   /* "37 clock violations; 3 warnings" */

/* What a step is good for, and what a person of the batch commands would type for it, which works as it is printed:
 * with the trace's files and the settings that are not the defaults. */
const char *overview_step_text(enum overview_step s);                 /* "who made others wait" */
void overview_step_command(const struct overview *o, enum overview_step s, enum text_flags flags, struct out *out); /* "pas2p metrics --by cause FILE" */

/* Times of the main loop's iterations as n values for a sparkline: the longest of those that share a column. Returns
 * how many there are, at most n; 0: there is no loop. */
uint32_t overview_iteration_times(const struct overview *o, double *values, uint32_t n);

/* The page as text of so many columns, 60 at least: what the workbench shows, without its keys. */
enum err_code overview_text(const struct overview *o, int columns, enum text_flags flags, struct out *out, struct err *e);

#endif
