/* What the parts of the naive implementation share. */
#ifndef PAS2P_NAIVE_PARTS_H
#define PAS2P_NAIVE_PARTS_H

#include "naive.h"

/* Here, since they are asked billions of times. */
static inline bool naive_is_receive(const struct trace *t, uint32_t event)
{
	return EVENT_KIND(t->type[event]) == EVENT_RECEIVE;
}

static inline bool naive_is_collective(const struct trace *t, uint32_t event)
{
	return EVENT_KIND(t->type[event]) == EVENT_COLLECTIVE;
}

void *naive_room(size_t count, size_t size);      /* cleared, never NULL */
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
