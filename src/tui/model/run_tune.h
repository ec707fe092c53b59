/* Settings that cover more of the run with fewer phases (core/analysis/tune.h), as the view of them shows them while they are looked for.
 *
 *     run_tune_update(m);          in the view's update: looks for them, takes what was found since
 *     m->tune.found                the frontier so far; a copy, the model's own
 *
 * The search runs behind the screen, again when something else changes than the settings that it turns: one of its
 * points as settings changes nothing in it. Stopped, what was found stays.
 */
#ifndef PAS2P_TUI_RUN_TUNE_H
#define PAS2P_TUI_RUN_TUNE_H

#include <stdbool.h>

#include "core/analysis/tune.h"

struct model;
struct tune_news;

struct model_tune {
	struct tune found;                /* empty: nothing yet */
	struct settings from;             /* the settings that the search began with */
	const struct analysis *asked_for; /* a reference; NULL: nothing was asked for */
	struct tune_news *news;           /* shared with the search */
	char failure[ERR_TEXT];           /* "": none */
	uint64_t serial;                  /* grows whenever `found` changes */
};

void run_tune_update(struct model *m);
bool run_tune_busy(const struct model *m);
void run_tune_cancel(struct model *m);
void run_tune_again(struct model *m); /* from the settings as they are */
void run_tune_release(struct model_tune *t);

#endif
