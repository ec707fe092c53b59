/* The document of `pas2p metrics`, as JSON or YAML (docs/metrics.md, "JSON and YAML"): keys in a fixed order, times in
 * s, shares as fractions, null for what the trace does not support.
 */
#ifndef PAS2P_CORE_REPORTS_METRICS_WRITE_H
#define PAS2P_CORE_REPORTS_METRICS_WRITE_H

#include "core/io/out.h"
#include "metrics_report.h"

#define METRICS_VERSION 2 /* 1: shares were of the time between records */

enum err_code metrics_write(const struct metrics_report *r, struct out *out, bool json, struct err *e);

#endif
