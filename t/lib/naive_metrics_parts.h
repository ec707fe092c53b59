/* What the parts of the naive metrics share. */
#ifndef PAS2P_NAIVE_METRICS_PARTS_H
#define PAS2P_NAIVE_METRICS_PARTS_H

#include "naive_metrics.h"

/* One more element at the end of a list that is a malloc of exactly its elements. */
void *naive_more(void *list, uint32_t *count, size_t size);
bool naive_is(const char *name, const char *const *names); /* NULL-ended; a trailing "_c" does not count */
double naive_part(double a, double b);                     /* a / b; NAN where b is not above 0 */
struct naive_call *naive_call_of(const struct naive_metrics *m, uint32_t event);
bool naive_completes_at_once(const struct naive_call *c); /* Recv, Mrecv, Sendrecv(_replace) */

void naive_read(struct naive_metrics *m, const void *bytes, size_t size); /* lists, calls, moments, nodes */
void naive_waits(struct naive_metrics *m);                                /* late, sync, reason */
void naive_hidden(struct naive_metrics *m);                               /* hidden */
void naive_replay(struct naive_metrics *m, const struct naive_choices *c); /* entry, exit, ideal_end, ideal_runtime */
void naive_rows(struct naive_metrics *m);                                 /* everything else */

/* May the overlap of the calls of these lists be said? 0: no; 1: it is 0 (no nonblocking call); 2: hidden / (hidden +
 * communication). */
int naive_overlap_known(const struct naive_metrics *m, uint32_t process); /* NAIVE_NONE: of all */

#endif
