/* The planner: of some seventy designs of windows, those that a budget buys, and which of them to take
 * (docs/explain/windows.md, "Choice of a plan").
 *
 *     plan_new(&p, clockwork, phases, figures, &settings, &budget, progress, &e);
 *     if (p->choice >= 0) ... p->candidate[p->choice] ...
 *     plan_free(p);
 *
 * A design is a number of windows and their length; span, alignment, warm-up and phase time are those of the settings.
 * It costs what restoring and warming up before each window takes, and what is measured. Comparing designs, the spread
 * of their misfits says more than the expected error: one that misses the slow kind of occurrence in every window alike
 * looks sure.
 */
#ifndef PAS2P_CORE_METHOD_WINDOWS_PLANNER_H
#define PAS2P_CORE_METHOD_WINDOWS_PLANNER_H

#include "windows.h"

struct plan_candidate {
	uint32_t windows;      /* the design */
	double seconds;
	uint32_t checkpoints;  /* windows that there are, extra ones too */
	double measured, replay;
	double cost;           /* s */
	double cost_share;     /* of the AET */
	double misfit, spread;
	double se, half;       /* of the AET; NAN: not defined */
	uint32_t left;         /* relevant phases that are not measured */
	bool fits;             /* the budget */
	bool frontier;         /* no other costs as little and has a smaller spread */
};

#define PLAN_BUDGET 0.02 /* where nobody says another: share of the AET */
#define PLAN_RESTORE 0.4 /* s, likewise: what restoring a checkpoint takes */

struct plan_budget {
	double share;          /* of the AET */
	double restore;        /* s */
};

struct plan {
	double aet;
	struct plan_budget budget;
	double warmup, rare, span;
	struct plan_candidate *candidate; /* by number of windows, then by length */
	uint32_t count;
	int choice;            /* index; -1: none fits */
	double least;          /* the smallest cost of all; NAN: there are no candidates */
};

/* With a team (trace_team()) all ranks come to rank 0's plan. Collective (team.h). */
enum err_code plan_new(struct plan **out, const struct clockwork *c, const struct phases *p, const struct figures *f,
		       const struct settings *s, const struct plan_budget *b, const struct progress *progress, struct err *e);
void plan_free(struct plan *p);

/* What the choice is as settings; the plan has one. */
void plan_apply(const struct plan *p, struct settings *s);

/* Why there is no choice, "no signature fits into 2 % of the run time (2.4 s); the cheapest costs 3.1 s, 2.6 % of the run
 * time"; "": there is one. */
#define PLAN_TEXT 160
const char *plan_gap(const struct plan *p, char text[PLAN_TEXT]);

#endif
