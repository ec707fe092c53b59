/* What the run spent, as all views share it: its calls, who waited for whom, the ideal run and its metrics (of the
 * trace, once), and what the phases have of that (of an analysis: again when a threshold moves).
 *
 *     spending_update(m);            in the update of a view that shows some of it: asks for what is not there yet, takes what has come
 *     m->spending.run                NULL: being made, or there is a failure
 *     m->spending.phases             NULL likewise; spending_is_current(): of the analysis that is shown
 *
 * Both are made behind the screen when a view first wants them, the first as soon as there is a trace, the second after
 * it and the analysis; again where the trace is another (its times corrected, or as recorded again). They are immutable
 * and counted: a task that reads one holds a reference.
 */
#ifndef PAS2P_TUI_SPENDING_H
#define PAS2P_TUI_SPENDING_H

#include <stdatomic.h>

#include "core/analysis/analysis.h"
#include "core/metrics/call_sums.h"
#include "core/metrics/metrics_rows.h"
#include "core/metrics/traffic.h"
#include "core/study/diagnosis.h"

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
	atomic_int references;
	struct call_log *log;
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
	atomic_int references;
	struct spent *run;
	const struct analysis *analysis;
	struct phase_spans *spans;
	struct phase_rows rows;
	struct causes *causes;    /* NULL: there is no account */
	char *diagnosis;          /* sentences, a line each */
};

struct spending {
	struct spent *run;
	struct spent_phases *phases;
	const struct trace *asked_of; /* that the run is, or is being, counted from; NULL: not asked */
	const struct analysis *asked_for; /* the phases that are being made; a reference */
	char failure[ERR_TEXT];   /* of the run, or of its phases */
	uint64_t serial;          /* grows with all that comes */
};

void spending_update(struct model *m);
bool spending_has(const struct model *m, const struct trace *t); /* the run is of that trace */
bool spending_busy(const struct model *m);
void spending_cancel(struct model *m);
void spending_again(struct model *m);  /* after a failure */
/* Of the phases that are shown, not of those before a knob moved. */
bool spending_is_current(const struct model *m);
void spending_forget(struct spending *s); /* it is of another trace than is shown */
void spending_release(struct spending *s);

struct spent *spent_ref(struct spent *s);
void spent_unref(struct spent *s); /* NULL is fine */
struct spent_phases *spent_phases_ref(struct spent_phases *s);
void spent_phases_unref(struct spent_phases *s); /* NULL is fine */

/* s of waiting in a phase, over all processes; NAN: not known (yet). */
double spending_waited(const struct model *m, uint32_t phase);

#endif
