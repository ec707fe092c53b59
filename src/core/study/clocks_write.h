/* The document of a run's clocks, as YAML or as JSON (docs/clocks.md, "Output"). */
#ifndef PAS2P_CLOCKS_WRITE_H
#define PAS2P_CLOCKS_WRITE_H

#include "core/clocks/clock_report.h"
#include "core/io/out.h"

enum err_code clocks_write(const struct clock_report *r, struct out *o, bool json, struct err *e);

#endif
