#include "list_tune.h"

static const char *const order_words[] = {[ORDER_LAMPORT] = "lamport", [ORDER_PAS2P] = "pas2p"};
static const char *const absent_words[] = {[ABSENT_SIMILAR] = "similar", [ABSENT_DIFFERENT] = "different"};

/* By the bits of tune_levels. */
static const char *const level_words[1 << TUNE_LEVELS] = {
	NULL, "90 %", "95 %", "90/95 %", "98 %", "90/98 %", "95/98 %", "90/95/98 %",
};

static const struct tune_point *of(const struct tune *t, uint32_t row)
{
	return &t->points[row];
}

#define COLUMN(id, name, title, unit, kind, in, help, value) \
	static struct cell value_of_##id(const void *list, uint32_t row) \
	{ \
		const struct tune *l = list; \
 \
		return value; \
	}
#include "list_tune.def"

static const struct list_column columns[] = {
#define COLUMN(id, name, title, unit, kind, in, help, value) \
	{name, title, unit, COLUMN_##kind, in, help, value_of_##id},
#include "list_tune.def"
};

const struct list_table tune_columns = {"tune", columns, TUNE_COLUMNS};
