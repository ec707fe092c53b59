/* How the body of a loop depends on the loop's index: not at all, as a polynomial does, or in another way
 * (docs/models.md 8, "Cost"). */
#ifndef PAS2P_MODELS_PROGRAM_INDEX_H
#define PAS2P_MODELS_PROGRAM_INDEX_H

#include "program.h"

/* Sets index_named and index_polynomial of a loop or par over an index, whose body is bound. */
void program_index(struct program *p, struct code *code);

#endif
