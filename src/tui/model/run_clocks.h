/* The run's clocks as views share them: the report of `pas2p clocks` (core/clocks/clock_report.h) and the arrows that
 * go back, for the view of clocks and the timeline. A derived result (tui/jobs/derived.h), `m->clocks`, made once a
 * trace: of the times as they were recorded, whichever are shown.
 */
#ifndef PAS2P_TUI_RUN_CLOCKS_H
#define PAS2P_TUI_RUN_CLOCKS_H

#include "core/clocks/clock_arrows.h"

struct model;

void run_clocks_update(struct model *m);
/* Both NULL: being made, or there is a failure. */
const struct clock_report *run_clocks_report(const struct model *m);
const struct clock_arrows *run_clocks_arrows(const struct model *m);

#endif
