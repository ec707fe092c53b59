/* Messages whose relation is doubtful: a channel (sender, receiver, communicator, tag) with a message too few or of
 * another size may have related the wrong ones (docs/clocks.md 1). Internal to clock_points. */
#ifndef PAS2P_CLOCK_DOUBTFUL_H
#define PAS2P_CLOCK_DOUBTFUL_H

#include "clock_points.h"

/* Fills in doubtful. Of a trace that ranks share, a meeting. */
enum err_code clock_doubtful_find(struct clock_points *p, struct err *e);

#endif
