/* What documents and tables of predictions have in common. Private to prediction_write.c and bounds_write.c. */
#ifndef PAS2P_PREDICTION_PARTS_H
#define PAS2P_PREDICTION_PARTS_H

#include "core/io/tree_out.h"
#include "machine.h"
#include "program_model.h"

/* "2.5", "2 - 3": seconds to nine digits. */
#define PREDICTED_TEXT 80
const char *predicted_text(char text[PREDICTED_TEXT], struct interval v);

/* "pas2p_prediction: 1", with the names of model and machine; machine NULL: null. */
void tree_put_prediction(struct tree_out *t, const char *kind, const struct program_model *m, const struct machine *machine);
/* The values of the model's parameters at one point. */
void tree_put_parameters(struct tree_out *t, const struct program_model *m, const struct interval *values);
void tree_put_interval(struct tree_out *t, const char *key, struct interval v);

#endif
