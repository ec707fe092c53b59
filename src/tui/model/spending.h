/* What the run spent, as all views share it: its calls, who waited for whom, the ideal run and its metrics (of the
 * trace, once), and what the phases have of that (of an analysis: again when a threshold moves).
 * Two derived results (tui/jobs/derived.h), begun by spending_update(): the first as soon as there is a trace, the
 * second after it and the analysis; again where the trace is another (its times corrected, or as recorded again).
 */
#ifndef PAS2P_TUI_SPENDING_H
#define PAS2P_TUI_SPENDING_H

#include "core/analysis/analysis.h"
#include "core/metrics/call_sums.h"
#include "core/metrics/metrics_rows.h"
#include "core/metrics/traffic.h"
#include "core/study/diagnosis.h"
#include "tui/jobs/derived.h"

struct model;
struct waited_pairs;

/* An MPI function, wherever it was called, on account lists. */
struct spent_function {
	const char *name;         /* of the log */
	enum account_kind kind;
	uint64_t calls, bytes;    /* bytes sent in them, of known size */
	double time, sync, not_analysed; /* s; the rest of communication is transfer */
};

struct spent {
	struct made made;
	const struct trace *trace;
	struct session *session;
	const struct call_log *log; /* the session's */
	struct run_metrics *metrics;
	struct process_rows processes;
	struct state_rows states;
	struct waited_pairs *pairs; /* who waited for whom; NULL: there is no account */
	struct call_sums *sums;   /* of any stretch of time */
	struct comm_pair heaviest;  /* who sends most to whom; sent.messages 0: nobody */
	double *critical;         /* by process: s of the critical path; NULL: there is no account */
	struct spent_function *functions; /* by time beyond waiting, the largest first */
	uint32_t function_count;
};

struct spent_phases {
	struct made made;
	struct spent *run;        /* references */
	const struct analysis *analysis;
	struct phase_spans *spans;
	struct phase_rows rows;
	struct causes *causes;    /* NULL: there is no account */
	char *diagnosis;          /* sentences, a line each */
};

struct spending {
	struct derived run, phases;
};

void spending_update(struct model *m);
struct spent *spent_run(const struct model *m);                    /* of the trace that is shown; NULL: being made, or there is a failure */
struct spent_phases *spent_phases(const struct model *m);          /* likewise, but perhaps of the phases before a knob moved */
struct spent_phases *spent_phases_current(const struct model *m);  /* of the phases that are shown */
bool spending_busy(const struct model *m);
void spending_cancel(struct model *m);
void spending_again(struct model *m);                /* after a failure */
const char *spending_failure(const struct model *m); /* of the run, or of its phases; "": none */
uint64_t spending_serial(const struct model *m);     /* grows with all that comes */
void spending_forget(struct spending *s);            /* it is of another trace than is shown */

/* s of waiting in a phase, over all processes; NAN: not known (yet). */
double spending_waited(const struct model *m, uint32_t phase);

#endif
