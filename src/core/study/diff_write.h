/* A diff_report.h as a document: YAML, or JSON. Keys stand in docs/studies.md 6, in this order. `lines`: each hunk with
 * its lines. With a team all ranks come to it, rank 0 writes, and with lines it meets (team.h). */
#ifndef PAS2P_DIFF_WRITE_H
#define PAS2P_DIFF_WRITE_H

#include "core/io/out.h"
#include "diff_report.h"

enum err_code diff_write(const struct diff_report *r, bool lines, struct out *out, bool json, const struct job *job, struct err *e);

#endif
