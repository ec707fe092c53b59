/* The structure of a run as part of a document (docs/structure.md says what its keys are). */
#ifndef PAS2P_STRUCTURE_WRITE_H
#define PAS2P_STRUCTURE_WRITE_H

#include "core/io/tree_out.h"
#include "core/windows/structure.h"

/* A mapping; iterations are counted from 1. */
void structure_write(struct tree_out *t, const struct structure *s);

#endif
