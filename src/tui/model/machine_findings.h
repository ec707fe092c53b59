/* What works on this machine (tui/jobs/doctor_run.h), as the view of it shows it.
 *
 *     machine_findings_update(m);   in the view's update: looks once, takes what was found since
 *     m->doctor.found
 *
 * Looking takes a moment, and what it sees changes seldom: it is done again when it is asked for.
 */
#ifndef PAS2P_TUI_MACHINE_FINDINGS_H
#define PAS2P_TUI_MACHINE_FINDINGS_H

#include <stdbool.h>

#include "tui/jobs/doctor_run.h"

struct model;

struct machine_findings {
	const char *program;       /* pas2p itself; the application's; NULL: nothing can be looked at */
	struct doctor_found found; /* empty: nothing yet */
	bool asked;
	char failure[ERR_TEXT];    /* "": none */
	uint64_t serial;           /* grows whenever `found` changes */
};

void machine_findings_update(struct model *m);
void machine_findings_again(struct model *m); /* what was found stays until there is more */
bool machine_findings_busy(const struct model *m);
void machine_findings_cancel(struct model *m);
void machine_findings_release(struct machine_findings *f);

#endif
