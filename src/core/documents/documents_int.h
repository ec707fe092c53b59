/* Declarations that only the files of src/core/documents use. Each part begins with its own description. */
#ifndef PAS2P_CORE_DOCUMENTS_DOCUMENTS_INT_H
#define PAS2P_CORE_DOCUMENTS_DOCUMENTS_INT_H

#include "core/method/analysis/run_phases.h"
#include "core/io/fields.h"
#include "core/io/tree_out.h"
#include "core/method/windows/structure.h"
#include "table.h"

/* ---- content_tree ---- */

/* The content of phases in documents: the keys `compute`, `labels` and `content` of a phase, and the run's
 * `mean_message` (docs/reference/phase-table.md, docs/internals/compare-rules.md, "Notation"). Reading gives exactly
 * what was written, so that a document can replace the trace. Internal to the documents.
 */

/* Into the mapping of a phase, of a run with these types. */
void content_write(struct tree_out *t, const struct canonical *types, const struct run_phase *p);
/* Out of the mapping of a trace: an empty run of that many processes, with its mean message and room for phases; NULL,
 * without a mistake, if the document has no content. */
struct run_phases *content_begin(struct fields *f, const struct fields_map *trace, uint32_t processes, double aet);
bool content_make_room(struct fields *f, struct run_phases *r, uint32_t phases);
/* Out of the mapping of a phase: compute and rows. r: the run, whose processes are known; the arrays lie in its
 * arena. */
void content_read(struct fields *f, const struct fields_map *at, struct run_phases *r, struct run_phase *p);

/* ---- patterns ---- */

/* An optional text, safe; NULL: it is not there, or null. */
const char *phase_text_read(struct fields *f, const struct fields_map *at, const char *key);
/* Keys of the open map: what a phase is; the run's reading, its grid, and its time by kind of pattern. */
void phase_name_write(struct tree_out *t, const struct phase_name *n, const struct patterns *x);
void patterns_write(struct tree_out *t, const struct patterns *x, const struct phase_names *n);

/* ---- structure_write ---- */

/* The structure of a run as part of a document (docs/explain/structure.md says what its keys are). */

/* A mapping; iterations are counted from 1. */
void structure_write(struct tree_out *t, const struct structure *s);

/* ---- table_windows ---- */

/* The part of a phase table that is its windows: made, written and read (table.h). Internal to the table. */

/* Fills t->windows; `a` has windows, and t's header is made. */
enum err_code table_windows_make(struct table *t, const struct analysis *a, const struct progress *progress, struct err *e);
void table_windows_write(struct tree_out *t, const struct table *table);
/* After all else is read. */
void table_windows_read(struct fields *f, const struct fields_map *root, struct table *t);

void *table_copy(struct table *t, const void *from, size_t n, size_t size); /* in its arena; NULL: no memory */

/* A cut, as phases and windows have it: "checkpoint: {tick, sends, stop}", and where each process enters and leaves. */
bool table_copy_points(struct table *t, struct phase_points *to, const struct phase_points *from); /* false: no memory */
void table_write_points(struct tree_out *t, const struct phase_points *p, uint32_t processes);
/* latest_tick: the checkpoint's can be no later. Occurrence and ticks stay as they are. */
void table_read_points(struct fields *f, const struct fields_map *at, uint32_t latest_tick, uint32_t processes,
		       struct phase_points *p);

#endif
