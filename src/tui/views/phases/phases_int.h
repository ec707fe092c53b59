/* The phases, inside: the list of phases (view.c) and, one step in, that of one phase's occurrences
 * (occurrences.c, with what both write to files). Both lists' rows are given the view. Above the
 * phases stands the structure of the run, below them, where rows are left, what there is to say of the selected one
 * (details.c).
 */
#ifndef PAS2P_TUI_VIEWS_PHASES_PHASES_INT_H
#define PAS2P_TUI_VIEWS_PHASES_PHASES_INT_H

#include "core/lists/lists.h"
#include "tui/panes/panes.h"
#include "tui/views/view.h"
#include "tui/widgets/widgets.h"

/* What the list has columns of, where it is there. */
enum phase_set {
	PHASE_SET_RESULT = 1,  /* times that were measured */
	PHASE_SET_WINDOWS = 2, /* what is to be measured */
	PHASE_SETS = 4
};

#define DETAIL_BINS 60

/* Of the selected phase, below the list (details.c). */
struct phase_details {
	uint32_t phase;        /* id; 0: nothing yet */
	uint64_t serial, structure; /* of the analysis and of the structure that it is from */
	uint32_t before, behind, within; /* occurrences before the main loop, behind it, in its iterations; the rest between its places */
	uint32_t iterations;   /* that have any */
	uint32_t least, most;  /* in one iteration */
	struct plot_axis axis; /* of durations */
	double bin[DETAIL_BINS]; /* occurrences */
	int bins;
	double when[DETAIL_BINS], mean[DETAIL_BINS], low[DETAIL_BINS], high[DETAIL_BINS]; /* s; durations in equal parts of the run; NAN: none there */
	double *time;          /* by process, s an occurrence; owned */
	uint32_t longest;      /* process */
	uint32_t looked_at;    /* occurrences, for that */
};

struct phases_view {
	struct view view;
	uint64_t serial;       /* of the analysis that this was made from */
	uint64_t results;      /* and of what was measured: serial of the model's results */
	uint64_t spending;     /* and of what was waited: serial of the model's spending */
	unsigned set;          /* of columns: enum phase_set */
	struct phases_list rows; /* of that analysis; owned */
	struct phase_measured *of_result; /* what was measured of each row; owned */
	double *waiting;       /* in each row, process-seconds; owned */
	struct drawn_list drawn[PHASE_SETS];
	struct shown_table written;
	struct structure_line line; /* above the list */
	struct phase_details details;
	bool made;             /* the rows have been those of some analysis */
	uint32_t place;        /* a tick in the selected phase, by which it is found again among others; UINT32_MAX: none is */
	int width;             /* of the pane, as last updated for */
	int above, below;      /* rows of the structure, and of the details */
	int meaning;           /* those of `below` that say what the selected phase does, where there are no details; 0: none */
	/* One step in: the occurrences of a phase. */
	uint32_t inside;       /* its id; 0: not in */
	struct list inner;
	double inner_max;      /* the longest of them */
	double *slowest;       /* of each, once it was asked for: it takes a look at every process; -1: not yet; owned */
};

static inline const struct phases *phases_found(const struct phases_view *s)
{
	return s->view.model->analysis ? s->view.model->analysis->phases : NULL;
}

/* Rows that are left below a list which has so many at most; 0: too few. What is shown there is made by update. */
int details_rows(const struct phases_view *s, int rows);
void details_update(struct phases_view *s, int w);
void details_draw(const struct phases_view *s, struct pane p);
/* What the selected phase does, wrapped; with its number before it, if that stands nowhere else. Returns the rows that
 * it takes; a pane of no height draws nothing, and counts all. */
int meaning_draw(const struct phases_view *s, struct pane p, bool number);

extern const struct row_source occurrence_rows;

void occurrences_enter(struct phases_view *s, uint32_t phase);
uint32_t occurrence_of(const struct phases_view *s, uint32_t row); /* its number in the analysis */
void occurrences_draw(const struct phases_view *s, struct pane p);
void occurrences_status(const struct phases_view *s, uint32_t row, char *text, size_t size);
enum occurrence_figure { OCCURRENCE_TIME, OCCURRENCE_SLOWEST, OCCURRENCE_AT };
double occurrence_figure(const struct phases_view *s, uint32_t row, enum occurrence_figure which); /* seconds */
bool phases_table(struct view *v, bool all, struct view_table *t); /* view_ops.table */
bool occurrences_work(struct phases_view *s, unsigned ms); /* for some milliseconds; false: there was nothing to do */

#endif
