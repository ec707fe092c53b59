/* The plan of windows (core/windows/planner.h), as views share it: what a signature of the run that is shown would
 * cost, within the model's budget.
 *
 *     run_plan_update(m);          in the update of a view that shows some of it: asks for it, takes what has come
 *     m->plan.now                  NULL: being made, or there is a failure
 *     run_plan_is_current(m)       of what is analysed, and of the budget, now; settings of windows change nothing in it
 *
 * It is made behind the screen, again when the analysis or the budget changes; until then the old one stays. Immutable
 * and counted.
 */
#ifndef PAS2P_TUI_RUN_PLAN_H
#define PAS2P_TUI_RUN_PLAN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/analysis/analysis.h"
#include "core/base/err.h"
#include "core/windows/planner.h"

struct model;

struct run_plan {
	atomic_int references;
	const struct analysis *analysis; /* a reference */
	struct plan_budget budget;
	struct plan *plan;
};

struct model_plan {
	struct run_plan *now;
	const struct analysis *asked_for; /* a reference; NULL: nothing was asked for */
	struct plan_budget budget;        /* likewise */
	char failure[ERR_TEXT];           /* "": none */
	uint64_t serial;                  /* grows with each that comes */
};

void run_plan_update(struct model *m);
bool run_plan_is_current(const struct model *m);
bool run_plan_busy(const struct model *m);
void run_plan_cancel(struct model *m);
void run_plan_again(struct model *m); /* after a failure */
void run_plan_release(struct model_plan *p);

struct run_plan *run_plan_ref(struct run_plan *p);
void run_plan_unref(struct run_plan *p); /* NULL is fine */

#endif
