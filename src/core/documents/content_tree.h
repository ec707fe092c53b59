/* What phases hold, in documents: keys of a phase, `compute`, `labels` and `content`, and the run's `mean_message`
 * (docs/phase-table.md, docs/studies.md 1). What was written is read back as it was, so that a document stands for the
 * trace. Internal to the documents.
 */
#ifndef PAS2P_CONTENT_TREE_H
#define PAS2P_CONTENT_TREE_H

#include "core/analysis/run_phases.h"
#include "core/io/fields.h"
#include "core/io/tree_out.h"

/* Into the mapping of a phase, of a run with these types. */
void content_write(struct tree_out *t, const struct canonical *types, const struct run_phase *p);
/* Out of the mapping of a trace: an empty run of that many processes, with its mean message and room for phases; NULL,
 * without a mistake, if the document has no content. */
struct run_phases *content_begin(struct fields *f, const struct fields_map *trace, uint32_t processes, double aet);
bool content_make_room(struct fields *f, struct run_phases *r, uint32_t phases);
/* Out of the mapping of a phase: compute and rows. r: the run, whose processes are known; the arrays lie in its
 * arena. */
void content_read(struct fields *f, const struct fields_map *at, struct run_phases *r, struct run_phase *p);

#endif
