/* What works on this machine (tui/jobs/doctor_run.h), as the view of it shows it. A derived result (tui/jobs/derived.h),
 * `m->doctor`: looking takes a moment, and what it sees changes seldom, so it is done once, and again when it is asked
 * for.
 */
#ifndef PAS2P_TUI_MACHINE_FINDINGS_H
#define PAS2P_TUI_MACHINE_FINDINGS_H

#include "tui/jobs/doctor_run.h"

struct model;

void machine_findings_update(struct model *m);
const struct doctor_found *machine_findings(const struct model *m); /* empty: nothing yet */

#endif
