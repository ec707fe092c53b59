/* The list of parallel basic blocks: a row is a block, or, with leaders, a label. Columns whose values take a look at
 * each event or process of a block need the texts.
 */
#ifndef PAS2P_LIST_BBPS_H
#define PAS2P_LIST_BBPS_H

#include "bbp_facts.h"
#include "core/table/columns.h"
#include "core/analysis/analysis.h"
#include "core/io/out.h"

enum { BBPS_BATCH = 1, BBPS_DRAWN = 2, BBPS_FILE = 4 };

enum bbp_column {
#define COLUMN(id, ...) BBP_##id,
#include "list_bbps.def"
	BBP_COLUMNS
};

/* One end of a block: how many of each kind of event its tick holds, and their bytes. */
struct bbp_end {
	uint32_t sends, receives, collectives;
	uint64_t bytes;
	char text[48];     /* "2s 1r" */
};

/* Of the block at hand. */
struct bbps_texts {
	uint32_t block;    /* 0: none yet */
	struct bbp_end entry, exit;
	struct out types, shown; /* as files have them, and as tables do */
};
void bbps_texts_init(struct bbps_texts *t);
void bbps_texts_release(struct bbps_texts *t);

struct bbps_list {
	const struct analysis *analysis; /* has blocks */
	const uint32_t *leaders;         /* the block of each row; NULL: row i is block i + 1 */
	uint32_t types_of;               /* so many processes at most */
	struct bbps_texts *texts;        /* for BBP_ENTRY, BBP_EXIT, BBP_BYTES and BBP_TYPES */
	const struct bbp_facts *facts;   /* of the block of the row asked for, where ranks share the trace; else NULL */
};

extern const struct list_table bbps_columns;

#endif
