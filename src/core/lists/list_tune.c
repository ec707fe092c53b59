#include "lists.h"

static const char *const order_words[] = {[ORDER_LAMPORT] = "lamport", [ORDER_PAS2P] = "pas2p"};
static const char *const absent_words[] = {[ABSENT_SIMILAR] = "similar", [ABSENT_DIFFERENT] = "different"};

/* By the bits of tune_levels. */
static const char *const level_words[1 << TUNE_LEVELS] = {
	NULL, "90 %", "95 %", "90/95 %", "98 %", "90/98 %", "95/98 %", "90/95/98 %",
};

static const struct tune_point *point(const struct tune *t, uint32_t row)
{
	return &t->points[row];
}

#define LIST tune
#define LIST_NAME "tune"
#define LIST_OF struct tune
#define LIST_DEF "core/lists/list_tune.def"
#include "core/table/list.inc"
