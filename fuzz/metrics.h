/* What holds of the metrics of any trace, damaged or not: calls in order, kinds that add up, waits within their calls
 * and with causes that add up to them, phases that tile the run. Ends the process where it does not. */
#ifndef PAS2P_FUZZ_METRICS_H
#define PAS2P_FUZZ_METRICS_H

#include "core/method/analysis/analysis.h"
#include "core/io/source.h"

/* which: of several rules of replay. */
void check_metrics(const struct trace *t, const struct source *sources, uint32_t count, unsigned which);

#endif
