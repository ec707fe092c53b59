/* Which run a CLOG2 file is of (core/formats/runs.h). */
#ifndef PAS2P_CLOG2_RUN_H
#define PAS2P_CLOG2_RUN_H

#include "core/formats/format.h"

enum err_code clog2_run(const struct source *source, struct format_run *run, struct err *e);

#endif
