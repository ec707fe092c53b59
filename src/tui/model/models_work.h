/* What is computed behind the screen for the view of models: measurements are read and fitted, the program is
 * evaluated at the knobs' values and over the range of the selected one, functions are drawn. Called on the drawing
 * thread, which it never keeps waiting.
 */
#ifndef PAS2P_TUI_MODELS_WORK_H
#define PAS2P_TUI_MODELS_WORK_H

#include "model.h"
#include "models.h"

/* Takes what has come, and asks for what is lacking. `looked`: somebody sees it; else only measurements are read. */
void models_work(struct model *m, bool looked);
/* Why a file that was opened cannot be read, once; NULL: all can be. models_work() keeps it until it is asked for here, since a view
 * calls that, too, before it is drawn. Valid until a file is added. */
const char *models_news(struct models *s);
/* Whether the figures are of the present values; while they are not, those of before are shown. */
static inline bool models_current(const struct models *s)
{
	return s->figures_of == s->serial;
}
/* Before the background is stopped: what was under way will be asked for again. */
void models_work_end(struct models *s);

#endif
