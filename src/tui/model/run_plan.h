/* The plan of windows (core/windows/planner.h), as views share it: what a signature of the run that is shown would
 * cost, within the model's budget. A derived result (tui/jobs/derived.h), `m->plan`: of what is analysed, and of the
 * budget; the settings that it chooses change nothing in it.
 */
#ifndef PAS2P_TUI_RUN_PLAN_H
#define PAS2P_TUI_RUN_PLAN_H

#include "core/analysis/analysis.h"
#include "core/windows/planner.h"
#include "tui/jobs/derived.h"

struct model;

struct run_plan {
	struct made made;
	const struct analysis *analysis; /* a reference */
	struct plan_budget budget;
	struct plan *plan;
};

void run_plan_update(struct model *m);
struct run_plan *run_plan_now(const struct model *m);     /* the latest; NULL: being made, or there is a failure */
struct run_plan *run_plan_current(const struct model *m); /* if it is of what is analysed now; else NULL */

#endif
