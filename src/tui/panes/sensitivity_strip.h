/* The sensitivity strip: how phases, relevant phases, coverage or PETE answer over the whole range of the selected
 * knob, with its present value marked, so that a plateau is seen before one moves.
 *
 * Curves are computed in the background, coarse to fine, and kept for as long as the trace and the other settings
 * stand: one for each knob. A settings change that a curve depends on stops its work.
 */
#ifndef PAS2P_TUI_SENSITIVITY_STRIP_H
#define PAS2P_TUI_SENSITIVITY_STRIP_H

#include "tui/screen/canvas.h"
#include "tui/model/model.h"

#define CURVES 4
#define CURVE_POINTS 33 /* 2^5 + 1: each finer round halves the steps */

enum measure { MEASURE_PHASES, MEASURE_RELEVANT, MEASURE_COVERAGE, MEASURES };

struct curve;

struct sensitivity_strip {
	struct curve *curves[CURVES]; /* those kept, the latest used first; shared with the task that fills one */
	enum setting_id knob;
	bool has;                     /* the knob has a range */
	enum measure measure;
};

const char *measure_name(enum measure m);
void sensitivity_strip_update(struct sensitivity_strip *s, struct model *m, enum setting_id knob);
void sensitivity_strip_draw(const struct sensitivity_strip *s, const struct model *m, struct pane p);
void sensitivity_strip_release(struct sensitivity_strip *s);

#endif
