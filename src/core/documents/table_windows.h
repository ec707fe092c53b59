/* The part of a phase table that is its windows: made, written and read (table.h). Internal to the table. */
#ifndef PAS2P_TABLE_WINDOWS_H
#define PAS2P_TABLE_WINDOWS_H

#include "core/io/fields.h"
#include "core/io/tree_out.h"
#include "table.h"

/* Fills t->windows; `a` has windows, and t's header is made. */
enum err_code table_windows_make(struct table *t, const struct analysis *a, const struct job *job, struct err *e);
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
