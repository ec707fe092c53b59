/* What was measured of a job's clocks as one document, YAML or JSON (docs/clocks.md 5). */
#ifndef PAS2P_CLOCKS_MEASURED_WRITE_H
#define PAS2P_CLOCKS_MEASURED_WRITE_H

#include "core/clocks/clock_measured.h"
#include "core/io/out.h"

enum err_code clocks_measured_write(const struct clock_measured *m, struct out *o, bool json, struct err *e);

#endif
