/* The study, inside: the families as a list (list.c), the plot of what is chosen of them over one parameter
 * (plot.c), title, keys and layout (view.c). The study itself is the model's (tui/model/open_study.h) and
 * outlives the view.
 */
#ifndef PAS2P_TUI_VIEWS_STUDY_STUDY_INT_H
#define PAS2P_TUI_VIEWS_STUDY_STUDY_INT_H

#include "tui/model/open_study.h"
#include "tui/views/fit_curve.h"
#include "tui/views/view.h"

#define STUDY_TITLE 2 /* rows */

struct study_view {
	struct view view;
	uint64_t serial;                 /* of the study that prediction and curve are of; 0: none */
	uint64_t rows_serial;            /* of the study that the list's rows are of */
	/* The prediction of the place; owned. */
	struct study_prediction prediction;
	bool predicted;
	char say[ERR_TEXT];              /* why there is none */
	/* What is plotted; the points in one block, owned. */
	struct fit_curve curve;
	double *other_x, *other_y;
	uint32_t others;
	bool band;
	struct fit_value asked;
	const struct fit *fit;           /* NULL: there is none: of T, or not measured there */
	uint32_t sampled;                /* samples of T that are known: the rest comes between keys */
	/* Layout, made by update. */
	struct pane list, plot, foot;    /* without a canvas */
};

static inline struct open_study *study_of(const struct study_view *s)
{
	return s->view.model->study;
}

const struct row_source *study_list_source(void);
bool study_list_value(const struct view *v, uint32_t row, int column, struct cell *c, char text[VALUE_TEXT]);
void study_list_update(struct study_view *s);

/* Points, and the curve as far as that is cheap; what T would be elsewhere comes sample by sample. */
void study_plot_update(struct study_view *s);
bool study_plot_work(struct study_view *s, unsigned ms); /* false: there is nothing left */
void study_plot_draw(const struct study_view *s, struct pane p);
/* The chosen model in words. */
void study_plot_draw_foot(const struct study_view *s, struct pane p);
void study_plot_release(struct study_view *s);

#endif
