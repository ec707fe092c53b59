/* The list of pairs of processes that sent messages: a row is a sender and a receiver (docs/clocks.md, "Output"). */
#ifndef PAS2P_LIST_CLOCKS_PAIR_H
#define PAS2P_LIST_CLOCKS_PAIR_H

#include "list_clocks.h"

enum clocks_pair_column {
#define COLUMN(id, ...) CLOCKS_PAIR_##id,
#include "list_clocks_pair.def"
	CLOCKS_PAIR_COLUMNS
};

extern const struct list_table clocks_pairs_columns;

#endif
