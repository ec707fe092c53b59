/* The list of what a budget could buy: a row is a design of windows (core/windows/planner.h). */
#ifndef PAS2P_LIST_PLAN_H
#define PAS2P_LIST_PLAN_H

#include "core/table/columns.h"
#include "core/windows/planner.h"

enum { PLAN_ALL = 1 };

enum plan_column {
#define COLUMN(id, ...) PLAN_##id,
#include "list_plan.def"
	PLAN_COLUMNS
};

extern const struct list_table plan_columns; /* its list is a const struct plan */

#endif
