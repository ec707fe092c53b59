/* Counters in the maker (trace_make.h): which one compute times come from, and turning its increases into seconds. The
 * maker's own.
 *
 * While records are told, compute times are seconds from states, and a column beside them has the counter's increases.
 * Afterwards, of processes whose counter rises and never falls:
 *
 *     compute time = increase after the event x (all their seconds / all their increases)
 *
 * so that sums stay what they were. In the others seconds from states stay, which is noted.
 */
#ifndef PAS2P_TRACE_MAKE_COUNT_H
#define PAS2P_TRACE_MAKE_COUNT_H

#include "trace_make.h"

/* The counter that is wanted, by its name, among those that were told; and room for its increases. ERR_USAGE lists
 * those that are there. */
enum err_code make_count_begin(struct maker *maker, struct err *e);
/* Streams of a share, and what it counts readings in. False: no memory. */
bool make_count_share(struct make_share *share);
bool make_count_stream(const struct maker *maker, struct stream *stream);
/* What the shares counted; while there still are streams. */
void make_count_gather(struct maker *maker, const struct make_share *shares, unsigned count);
void make_count_forget(struct maker *maker);
/* All was told: compute times are made. */
enum err_code make_count_finish(struct maker *maker, struct err *e);

#endif
