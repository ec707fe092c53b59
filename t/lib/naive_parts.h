/* What the parts of the naive implementation share. */
#ifndef PAS2P_NAIVE_PARTS_H
#define PAS2P_NAIVE_PARTS_H

#include "naive.h"

void *naive_room(size_t count, size_t size);      /* cleared, never NULL */
bool naive_is_receive(const struct trace *t, uint32_t event);
bool naive_is_collective(const struct trace *t, uint32_t event);
uint32_t naive_at(const struct naive *n, uint32_t tick, uint32_t process);
bool naive_close_enough(double a, double b, double share);
bool naive_sizes_similar(uint64_t a, uint64_t b, double volume);

void naive_order(struct naive *n);   /* lt, cut, broken */
void naive_tick(struct naive *n);    /* tick, cell */
void naive_label(struct naive *n);   /* label */
void naive_join(struct naive *n);    /* phases from labels */
void naive_search(struct naive *n);  /* phases from the logical trace */
void naive_measure(struct naive *n); /* times and figures */

#endif
