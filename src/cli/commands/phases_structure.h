/* `pas2p phases --structure`: a run's loops for people, and as rows (docs/structure.md). */
#ifndef PAS2P_PHASES_STRUCTURE_H
#define PAS2P_PHASES_STRUCTURE_H

#include "cli/batch.h"
#include "core/documents/table.h"

/* The structure that --structure asks for; NULL: it does not. */
enum err_code structure_asked(struct structure **out, const struct batch *b, struct err *e);

/* As table or CSV; t is the run's phase table. */
enum err_code structure_list(struct batch *b, const struct table *t, const struct structure *s, struct err *e);

#endif
