/* In place of what is being made behind the screen (tui/jobs/derived.h): what it does, how far it is, and the key
 * that stops it; or why it failed, and the key that tries again. */
#ifndef PAS2P_TUI_WAITING_H
#define PAS2P_TUI_WAITING_H

#include "core/base/job.h"
#include "tui/jobs/derived.h"
#include "tui/model/model.h"
#include "tui/screen/canvas.h"

struct waiting {
	enum job_stage bar;   /* what comes before this stage is short, and has no bar */
	const char *doing;    /* "Reading the calls of each process…" */
	const char *again;    /* "reads the timeline": what Enter does after a failure */
};

void waiting_draw(const struct waiting *waiting, const struct model *m, const struct derived *d, const char *failure, struct pane p);

#endif
