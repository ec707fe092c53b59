/* The parts of the view of models: what its files share. The state that is turned lies in tui/model/models.h and
 * outlives the trace; here is how it is looked at.
 *
 * On the left the list (list.c) and below it, or at the right edge if there is room, the panel of sliders and figures
 * (panel.c); the rest is a page about the selected row: curve (curve.c), residuals (fit_curve.c), segments,
 * expression, and the program's graph (view.c). A page of lines (struct lines) scrolls; plots do not.
 */
#ifndef PAS2P_TUI_VIEWS_MODELS_MODELS_INT_H
#define PAS2P_TUI_VIEWS_MODELS_MODELS_INT_H

#include "core/base/unit.h"
#include "tui/model/models.h"
#include "tui/views/fit_curve.h"
#include "tui/views/view.h"

enum models_page { PAGE_CURVE, PAGE_RESIDUALS, PAGE_SEGMENTS, PAGE_GRAPH, PAGE_EXPRESSION, MODELS_PAGES };
enum models_focus { FOCUS_LIST, FOCUS_PANEL, FOCUS_PAGE, MODELS_FOCUSES };

/* A fit along one of its parameters, the others held where the knobs are. */
struct fit_look {
	const struct models_fit *of;
	uint64_t serial;
	uint32_t along;
	struct fit_curve curve;         /* its points in one block, owned, with the errors */
	double *error;                  /* of each point of the set, whatever its other parameters */
	double *ex;
	uint32_t errors;
	char held[120];                 /* "p = 8" */
	struct fit_value at;            /* where the knobs are */
};

struct models_view {
	struct view view;
	enum models_page page;
	enum models_focus focus;
	bool log;                 /* axes */
	bool no_panel;
	int top, left;            /* the page, scrolled */
	uint64_t rows_serial;     /* of the list's rows */
	struct fit_look fit;
	struct pane list, panel, page_pane, strip; /* as laid out for w x h, without a canvas */
	int lines;                /* of the page, as last drawn */
};

/* --- parts --- */

void models_list_update(struct models_view *s);
void models_list_draw(const struct models_view *s, struct pane p);
const struct row_source *models_list_source(void);
bool models_list_value(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT]);

void models_fit_update(struct models_view *s);      /* the curve of the selected fit, if one is */
void models_fit_release(struct models_view *s);

void models_curve_draw(const struct models_view *s, struct pane p);
void models_residuals_draw(const struct models_view *s, struct pane p);
void models_strip_draw(const struct models_view *s, struct pane p);
void models_panel_draw(const struct models_view *s, struct pane p);
int models_panel_rows(const struct models_view *s); /* that it would like */

/* Pages of lines: scrolled by s->top; each returns how many lines there are. */
int models_segments_draw(const struct models_view *s, struct pane p);
int models_expression_draw(const struct models_view *s, struct pane p);
int models_graph_draw(const struct models_view *s, struct pane p);

/* One figure where both ends read alike, otherwise [low, high]. */
const char *models_time_text(char buf[3 * UNIT_TEXT], struct interval v);
/* Why there is nothing to be seen: in the middle of a page. */
void models_say(struct pane p, enum role role, const char *text);

static inline const struct models *models_of(const struct models_view *s)
{
	return s->view.model->models;
}

#endif
