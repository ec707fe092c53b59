/* A place of the trace in words. */
#ifndef PAS2P_TUI_DESCRIBE_H
#define PAS2P_TUI_DESCRIBE_H

#include "model.h"

/* "rank 0 #2 send to rank 1 · tick 3 ... · phase 4, occurrence 5 of 6 · iteration 7 of 49"; brief: with signs for
 * words. There is an analysis. */
void place_describe(const struct model *m, struct trace_place place, bool brief, char *text, size_t size);

/* As much of it as has room: rather where a place lies in the run than its logical time, compute time, size or time. */
void place_describe_in(const struct model *m, struct trace_place at, int room, char *text, size_t size);

/* "send to rank 1", "receive from an unknown process", "Allreduce"; brief: with signs for words. */
void event_kind_text(const struct trace *t, event_type type, bool brief, char *what, size_t size);

/* Which occurrence of its phase occurrence `at` is, from 1; *of: of how many. */
uint32_t occurrence_number(const struct phases *p, uint32_t at, uint32_t *of);

#endif
