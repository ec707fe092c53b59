/* The overview: what one wants to know of a run first (docs/overview.md). What it does repeatedly, how well, where its time goes, what it
 * would cost to predict it, what to look at next.
 *
 *     overview_init(&o, &parts, &e);      cheap: all is there already
 *     overview_text(&o, 80, &out);        the same for a pipe, a report, an issue
 *     overview_release(&o);
 *
 * It is made of whatever parts there are so far: a part that is NULL is not known yet, and what it would say is absent (NAN, NULL, 0 of
 * `known`). So the workbench shows it while the rest is being made, and the text, the report and the workbench say the same.
 * Parts must outlive it. Times are s; shares and efficiencies fractions of 1.
 */
#ifndef PAS2P_OVERVIEW_H
#define PAS2P_OVERVIEW_H

#include "core/analysis/analysis.h"
#include "core/io/out.h"
#include "core/metrics/metrics_rows.h"
#include "core/metrics/waited_pairs.h"
#include "core/windows/planner.h"
#include "core/windows/structure.h"

struct overview_parts {
	const struct trace *trace;            /* the only one that must be there */
	const struct analysis *analysis;      /* with phases */
	const struct structure *structure;
	const struct run_metrics *metrics;
	const struct process_rows *processes; /* of metrics */
	const struct state_rows *states;
	const struct phase_rows *phases;
	const struct waited_pairs *pairs;
	const struct causes *causes;
	const struct plan *plan;              /* where the settings have no windows of their own */
};

/* Where the run's time went; they add up to 1. */
struct overview_account {
	double compute, waiting, moving, other; /* useful; sync; transfer; other MPI, untraced, tracer, and outside of records */
};

enum overview_step {                          /* what to do next, the most useful first */
	OVERVIEW_NEXT_NONE, OVERVIEW_NEXT_CHECK, /* there are warnings that matter */
	OVERVIEW_NEXT_WAITS, OVERVIEW_NEXT_BALANCE, OVERVIEW_NEXT_TRANSFER, OVERVIEW_NEXT_COVERAGE, /* thresholds: too little is relevant */
	OVERVIEW_NEXT_PHASES, OVERVIEW_NEXT_PLAN, OVERVIEW_NEXT_SIGN
};
#define OVERVIEW_STEPS 4

struct overview {
	struct overview_parts of;
	double runtime, aet;
	bool has_account;                     /* else: account and factors are NAN, and `without` says why */
	const char *without;                  /* a clause: "the trace has no MPI calls, only messages"; NULL */
	struct overview_account account;
	struct factors factors;
	/* Structure */
	uint32_t phases, relevant;
	double coverage, pete;                /* of the prediction from the trace itself; sign: PET - AET over AET in `off` */
	double off;
	/* Lost */
	const struct waited_pair *longest;    /* NULL: nobody waited, or not known */
	enum wait_reason longest_reason;
	double waited;                        /* by all, s */
	const struct cause *cause;            /* the largest; NULL */
	uint32_t slowest;                     /* process with the most useful time; NO_PROCESS */
	double slowest_by;                    /* over the mean of all, a fraction */
	uint32_t heavy_from, heavy_to;        /* most bytes between two processes; NO_PROCESS: no messages, or not known */
	uint64_t heavy_bytes;
	/* Signature: of the settings' windows, else of the plan's choice. */
	bool signature;                       /* there is one */
	char no_signature[PLAN_TEXT];         /* why there is none; "" */
	uint32_t windows;
	double cost_share, expected;          /* of the AET: cost; half interval as a share of the prediction. NAN: not defined */
	uint64_t warnings;
	enum overview_step next[OVERVIEW_STEPS];
	uint32_t next_count;
};

enum err_code overview_init(struct overview *o, const struct overview_parts *parts, const struct job *job, struct err *e);
void overview_release(struct overview *o);

/* Sentences of the parts, for all faces alike: no line end, safe text. text: OVERVIEW_TEXT bytes. Returns text; "" where nothing is known. */
#define OVERVIEW_TEXT 512
char *overview_lost_text(const struct overview *o, char *text);       /* "P3 receives late from P1: 1.9 s of 4.4 s waited" */
char *overview_signature_text(const struct overview *o, char *text);  /* "8 windows, 2.1 % of the run, expected error 2.4 %" */
char *overview_prediction_text(const struct overview *o, char *text); /* "16 phases, 8 carry 92.5 %, prediction from the trace itself 7.5 % low" */
char *overview_iteration_text(const struct overview *o, char *text);  /* "0.27 ms +- 0.04, 2 of 49 stand out: 5, 16" */
char *overview_step_text(enum overview_step s, char *text);           /* what a person of the batch commands would do: "pas2p metrics --by cause FILE" */

/* The page as text of so many columns, 60 at least: what the workbench shows, without its keys. */
enum err_code overview_text(const struct overview *o, int columns, struct out *out, struct err *e);

#endif
