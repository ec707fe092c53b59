/* What the options say of a plan's budget, for the commands that make plans. */
#ifndef PAS2P_CMD_PLAN_H
#define PAS2P_CMD_PLAN_H

#include "cli/options.h"
#include "core/windows/planner.h"

/* `share` as given, 0: not given. */
struct plan_budget plan_budget_of(const struct options *o, double share);

#endif
