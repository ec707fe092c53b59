/* The knobs of models: which there are, what their ranges are, and turning them with undo. For models.c and
 * models_work.c; views use models.h.
 */
#ifndef PAS2P_TUI_MODELS_KNOBS_H
#define PAS2P_TUI_MODELS_KNOBS_H

#include "models.h"

/* After documents or fits have changed: values that were given stay with their names. */
void models_find_knobs(struct models *s);
/* The range of a knob from its value, when that is first known. */
void models_range_knob(struct models_knob *k);

#endif
