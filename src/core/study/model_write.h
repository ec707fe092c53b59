/* A study as a model of the program, for `pas2p predict`, for other machines, to edit (docs/studies.md 5).
 *
 * Functions of all parameters that are numbers and vary, and of p: weight, time, compute time and mean message of each
 * family that is everywhere, its total instead where it is not stable, and the rest. With categories it is the model of
 * run 1's combination. It holds the chosen forms alone: how sure a prediction is only the study says.
 */
#ifndef PAS2P_CORE_STUDY_MODEL_WRITE_H
#define PAS2P_CORE_STUDY_MODEL_WRITE_H

#include "core/io/out.h"
#include "study.h"

/* m: with STUDY_WRITES. graphs: what its families do, as blocks that the program does not call; NULL: without. */
enum err_code study_model_write(const struct study_models *m, const struct study_graphs *graphs, struct out *out, struct err *e);

#endif
