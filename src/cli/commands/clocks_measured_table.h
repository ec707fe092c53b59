/* What was measured of a job's clocks, for people. */
#ifndef PAS2P_CLOCKS_MEASURED_TABLE_H
#define PAS2P_CLOCKS_MEASURED_TABLE_H

#include "core/clocks/clock_measured.h"
#include "core/io/out.h"

enum err_code clocks_measured_table(struct out *o, const struct clock_measured *m, const struct job *job, struct err *e);

#endif
