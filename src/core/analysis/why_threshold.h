/* Thresholds found exactly: where, on the line of doubles, a comparison changes its answer. Internal to why. */
#ifndef PAS2P_WHY_THRESHOLD_H
#define PAS2P_WHY_THRESHOLD_H

#include <stdbool.h>

/* The smallest v of [0, 1] at which holds(arg, v), given that it holds from there on; INFINITY if not even at 1.
 * guess is where it ought to be. */
double threshold_least(bool (*holds)(const void *arg, double v), const void *arg, double guess);
/* The largest v of [0, 1], given that it holds from 0 up to there; -1 if not even at 0. */
double threshold_most(bool (*holds)(const void *arg, double v), const void *arg, double guess);

#endif
