/* A model at values of its knobs, for tasks behind the screen: all that they need of it, without the knobs.
 */
#ifndef PAS2P_TUI_MODELS_POINT_H
#define PAS2P_TUI_MODELS_POINT_H

#include "models.h"

struct models_point {
	struct models_program *program; /* a reference */
	struct interval *values;        /* of the model's parameters; owned */
	bool *given;                    /* those that are; owned */
	struct interval speed;          /* all nodes are as many times as fast */
	struct machine machine;         /* the program's with that speed, if has_machine; its group list is owned */
	bool has_machine;
	enum contention contention;
};

enum err_code models_point_init(struct models_point *p, const struct models *s, struct err *e);
void models_point_release(struct models_point *p);
/* The defaults of what is not given: takes time where they are long formulas. */
enum err_code models_point_resolve(struct models_point *p, struct err *e);
void models_point_speed(struct models_point *p, struct interval speed);
void models_point_input(const struct models_point *p, const struct job *job, struct evaluate_input *in);

#endif
