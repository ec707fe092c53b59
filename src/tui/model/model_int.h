/* Models, inside: the knobs, a model at values of them, and what is derived from that. Views use models.h. */
#ifndef PAS2P_TUI_MODEL_MODEL_INT_H
#define PAS2P_TUI_MODEL_MODEL_INT_H

#include "models.h"

/* --- knobs (models_knobs.c): which there are, what their ranges are, and turning them with undo --- */

/* After documents or fits have changed: values that were given stay with their names. */
void models_find_knobs(struct models *s);
/* The range of a knob from its value, when that is first known. */
void models_range_knob(struct models_knob *k);

/* --- a model at values of its knobs (models_point.c) --- */

void models_point_init(struct models_point *p, const struct models *s);
void models_point_release(struct models_point *p);
/* The defaults of what is not given: takes time where they are long formulas. */
enum err_code models_point_resolve(struct models_point *p, struct err *e);
void models_point_speed(struct models_point *p, struct interval speed);
void models_point_input(const struct models_point *p, const struct progress *progress, struct evaluate_input *in);

/* --- what is derived, each of the models (models_evaluate.c, models_function.c) --- */

struct models_swept {
	struct made made;
	uint64_t of;                     /* serial */
	struct models_point point;
	struct models_knob knob;
	struct models_sweep sweep;
};

struct models_drawn {
	struct made made;
	uint64_t of;
	struct models_point point;
	const struct function *function; /* of the point's program */
	struct interval arguments[EXPRESSION_ARGUMENTS];
	struct models_curve curve;
};

extern const struct derived_kind models_evaluate_kind, models_sweep_kind, models_curve_kind;

#endif
