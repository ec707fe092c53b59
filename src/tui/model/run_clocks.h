/* The run's clocks as views share them: the report of `pas2p clocks` (core/clocks/clock_report.h) and the arrows that
 * go back, for the view of clocks and the timeline.
 *
 *     run_clocks_update(m);        in the update of a view that shows some of it: asks for it, takes what has come
 *     m->clocks.report             NULL: being made, or there is a failure
 *
 * It is of the times as they were recorded, whichever are shown. Made once a trace, behind the screen; immutable then,
 * and the model's until it is released.
 */
#ifndef PAS2P_TUI_RUN_CLOCKS_H
#define PAS2P_TUI_RUN_CLOCKS_H

#include "core/clocks/clock_arrows.h"

struct model;

struct model_clocks {
	bool asked;
	struct clock_report *report;   /* both or none; owned */
	struct clock_arrows *arrows;
	char failure[ERR_TEXT];        /* "": none */
};

void run_clocks_update(struct model *m);
bool run_clocks_busy(const struct model *m);
void run_clocks_cancel(struct model *m);
void run_clocks_again(struct model *m); /* after a failure */
void run_clocks_release(struct model_clocks *c);

#endif
