/* What if: one or more things that could be changed in a run, as people write them (docs/metrics.md, "What if").
 * project.h says what the run would be then.
 *
 *     network=0              nothing is transferred: the ideal run
 *     network x 0.5          what calls take beyond waiting is halved
 *     MPI_Allreduce=0        the same of one function; also x F
 *     rank 17 x 0.9          the computing of a process; ranks 0-3 x 0.9 of several
 *     phase 4 x 0.5          the computing within the occurrences of a phase
 *     balance                in every occurrence of every phase each process computes as long as all do on average
 *
 * Several, separated by commas or given one after the other, all hold; factors on the same time multiply.
 */
#ifndef PAS2P_WHAT_IF_H
#define PAS2P_WHAT_IF_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum what_kind { WHAT_NETWORK, WHAT_FUNCTION, WHAT_RANKS, WHAT_PHASE, WHAT_BALANCE };

#define WHAT_NAME 64
#define WHAT_FACTOR_MOST 1e6

struct what {
	enum what_kind kind;
	double factor;           /* 0 to WHAT_FACTOR_MOST; of balance: not used */
	uint32_t first, last;    /* of ranks; `first` of a phase: its id */
	char function[WHAT_NAME]; /* "MPI_Allreduce" */
};

#define WHAT_MOST 16

struct what_if {
	struct what list[WHAT_MOST];
	uint32_t count;
};

/* Add what a text says; blanks and the case of words do not matter, "*" is as "x", "Allreduce" as "MPI_Allreduce".
 * ERR_USAGE: which word was not understood and what would be; *w is then as it was. */
enum err_code what_if_parse(struct what_if *w, const char *text, struct err *e);
/* "rank 17 x 0.9, balance": as what_if_parse() takes it, cut at size - 1. */
void what_if_text(const struct what_if *w, char *text, size_t size);

#endif
