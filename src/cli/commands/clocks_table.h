/* What `pas2p clocks` prints for people: what was found, in sentences, then the rows. ASCII, and as wide as the
 * sink allows. */
#ifndef PAS2P_CLOCKS_TABLE_H
#define PAS2P_CLOCKS_TABLE_H

#include "cli/options.h"
#include "cli/sink.h"
#include "core/clocks/clock_report.h"
#include "core/io/out.h"

enum err_code clocks_table(struct sink *to, const struct clock_report *r, enum clocks_by by, const struct job *job, struct err *e);

/* What must be known besides the rows: sentences, one after another from *i = 0 until it returns false. */
bool clocks_warning(const struct clock_report *r, unsigned *i, char *text, size_t size);

/* What correcting the trace did: likewise. */
bool clocks_correction(const struct clock_report *r, unsigned *i, char *text, size_t size);

#endif
