/* What messages and collectives take: the functions of model and machine, and what stands in for those that are missing
 * (docs/models.md 7, "Missing functions").
 */
#ifndef PAS2P_TRANSFERS_H
#define PAS2P_TRANSFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "formula.h"
#include "program.h"

enum transfer_kind { TRANSFER_SEND, TRANSFER_ISEND, TRANSFER_RECV, TRANSFER_COPY, TRANSFER_KINDS };

struct program_run;

struct transfers {
	uint32_t of[TRANSFER_KINDS][2];     /* functions by far and near (ranks on one node); LIBRARY_NONE: there is none */
	uint32_t collective[NODE_KINDS];
	bool stood_in[NODE_KINDS + TRANSFER_KINDS]; /* told already */
};

/* Finds the functions and binds what the program uses; before the formulas can be evaluated. */
enum err_code transfers_init(struct transfers *t, struct program *p, struct err *e);

/* All times of a message from a send or isend: what its sender waits, recv and copy. At least 0 all of them. */
enum err_code transfers_message(struct program_run *r, struct code *c, struct interval bytes, bool near, const struct transfer **t);
enum err_code transfers_collective(struct program_run *r, struct code *c, struct interval bytes, struct interval *v);

#endif
