/* A rank's part of a logical trace against the whole one (core/method/logical/logical.h says what of it is the rank's, what
 * all ranks'). */
#ifndef PAS2P_LOGICAL_SPLIT_H
#define PAS2P_LOGICAL_SPLIT_H

#include "core/method/logical/logical.h"
#include "trace_split.h"

/* Columns, look-ups, and notes. False: why says what differs first. */
bool logical_split_is(const struct logical *part, const struct logical *whole, char why[TRACE_SPLIT_WHY]);

#endif
