/* The task behind the screen that evaluates one function: over its first argument, and at the knobs' values part by
 * part. For models_work.c. */
#ifndef PAS2P_TUI_MODELS_FUNCTION_H
#define PAS2P_TUI_MODELS_FUNCTION_H

#include "models_point.h"
#include "tui/jobs/background.h"

struct models_drawing {
	struct task task;
	struct models_point point;
	const struct function *function; /* of the point's program */
	struct interval arguments[EXPRESSION_ARGUMENTS];
	struct models_curve curve;
};
struct models_drawing *models_drawing_new(const struct models *s, const struct models_row *row); /* NULL: no memory */

#endif
