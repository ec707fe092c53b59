/* Receives before their sends, in a trace whose clocks disagree. */
#ifndef PAS2P_EARLY_RECEIVES_H
#define PAS2P_EARLY_RECEIVES_H

#include "core/trace/trace.h"

/* How many there are. Where ranks share the trace all come to it, and are told all ranks'; an agreed code:
 * ERR_MEMORY. */
enum err_code early_receives(const struct trace *t, uint64_t *early, struct err *e);

#endif
