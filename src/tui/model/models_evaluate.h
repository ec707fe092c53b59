/* Tasks behind the screen that evaluate the program: at the knobs' values, with its graph if that is wanted, and
 * over the range of one of them. For models_work.c.
 */
#ifndef PAS2P_TUI_MODELS_EVALUATE_H
#define PAS2P_TUI_MODELS_EVALUATE_H

#include "models_point.h"
#include "tui/jobs/background.h"

struct models_evaluating {
	struct task task;
	struct models_point point;   /* resolved, afterwards */
	uint64_t of;
	bool graph_wanted, has_graph;
	struct models_figures figures;
	struct graph graph;
	struct bounds bounds;        /* with the graph */
	char bounds_say[ERR_TEXT];
	char say[ERR_TEXT];          /* why there are no figures: then the task itself has not failed */
};
struct models_evaluating *models_evaluating_new(const struct models *s, bool graph); /* NULL: no memory */

struct models_sweeping {
	struct task task;
	struct models_point point;
	struct models_knob knob;
	struct models_sweep sweep;
};
struct models_sweeping *models_sweeping_new(const struct models *s, uint32_t knob);

/* Places over a range, at most `most`; of whole numbers each once. `here` is among them if it lies in the range. */
uint32_t models_places(double low, double high, bool log, bool whole, double here, double *x, uint32_t most);

#endif
