/* Makes the columns of one list from its .def. Each list_NAME.c includes it once, after the functions that its values call:
 *
 *     #define LIST_DEF "list_plan.def"
 *     #define LIST_STRUCT struct plan
 *     #include "column_table.h"
 *
 *     const struct list_table plan_columns = {"plan", columns, PLAN_COLUMNS};
 */
#ifndef PAS2P_COLUMN_TABLE_H
#define PAS2P_COLUMN_TABLE_H

#include "columns.h"

#define COLUMN(id, name, title, unit, kind, in, help, value) \
	static struct cell value_of_##id(const void *list, uint32_t row) \
	{ \
		const LIST_STRUCT *l = list; \
 \
		(void)l; \
		(void)row; \
		return value; \
	}
#include LIST_DEF

static const struct list_column columns[] = {
#define COLUMN(id, name, title, unit, kind, in, help, value) {name, title, unit, COLUMN_##kind, in, help, value_of_##id},
#include LIST_DEF
};

#endif
