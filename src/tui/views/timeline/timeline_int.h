/* The timeline, inside: the state that view.c and window.c change and draw.c shows.
 *
 * A window of time, `cells` columns of `cell` seconds from `from` on (seconds since the trace's start), over rows of
 * `spread` processes each, `pitch` lines apart. A row begins with its bar, `bar` lines high: a column of it is stacked
 * by the shares of its time, or shows the kind that has most of it if there is but one line. Where processes are fewer
 * than lines, and no message lines need the room, the ends of the process's messages stand below its bar, and below
 * those its phases.
 */
#ifndef PAS2P_TUI_VIEWS_TIMELINE_TIMELINE_INT_H
#define PAS2P_TUI_VIEWS_TIMELINE_TIMELINE_INT_H

#include "core/metrics/maps/maps.h"
#include "tui/model/model.h"
#include "tui/model/phase_shares.h"
#include "tui/views/view.h"

enum timeline_lines { LINES_NONE, LINES_PROCESS, LINES_ALL, LINES_COUNT };

#define TIMELINE_LINES 300 /* messages drawn at most */
#define TIMELINE_WAITING 32

/* What the shares were computed for. */
struct timeline_window {
	double from, cell;
	int cells, rows;
	uint32_t first, spread;
};

/* The phases of a process, and what they were found for. Of windows there is only what the cursor's process has. */
struct timeline_phases {
	uint32_t *occurrence;       /* under way in the middle of each column; UINT32_MAX: none; owned */
	uint8_t *kind;              /* with letters: the mark of each column, as in phase_shares.h; owned */
	uint8_t *mark;              /* of windows in each column: enum window_mark; owned */
	bool letters;               /* occurrences are too narrow for their numbers */
	bool starts_before, ends_after; /* the window */
	int cells;                  /* how many columns; 0: nothing found yet */
	double from, cell;
	uint32_t process;
	uint64_t serial;
};

/* Those of the run's arrows that go back and are in the window. */
struct timeline_arrows {
	const struct clock_arrows *of; /* the model's */
	const struct clock_arrow *arrow[TIMELINE_LINES];
	uint32_t count;
	uint64_t all;
	bool estimated;
};

/* What the window holds, and what that was added up for. */
struct timeline_totals {
	const struct call_sums *sums;   /* the model's; NULL: not known yet */
	uint64_t serial;                /* of the model's spending */
	double from, cell;
	int cells;
	uint32_t first, last;           /* processes that are shown */
	uint32_t next;                  /* the first that has not been added yet; after the last: it is done */
	struct call_totals is;
};

/* From where the ruler was set to the cursor. */
struct timeline_ruler {
	bool on;
	double at;                      /* of the end that stays, as s->at */
};

/* What lies between its ends, on the cursor's process. */
struct timeline_distance {
	double from, to;
	uint32_t ticks, events, iterations; /* iterations of the main loop that begin */
};

/* A search: between calls and events, the next ones to look at. */
struct timeline_search {
	bool busy, back;
	uint64_t serial;            /* of the analysis that it is in */
	uint32_t process, call, event;
	uint64_t left, all;
};

struct timeline_view {
	struct view view;
	struct derived reading;     /* the calls of the trace that is shown */
	const struct timeline *timeline; /* of them; NULL until read */
	enum action waiting[TIMELINE_WAITING]; /* keys that came before it was read */
	int waiting_count;

	double from, cell, at;      /* at: of the cursor */
	double from_before, cell_before; /* what `fit` goes back to */
	double event;               /* time of the event at the cursor, by the clocks that are shown: where they are others, it stays in its column */
	struct trace_place placed;        /* where the cursor was put for `at`: elsewhere, another view has moved it */
	struct trace_place window_seen[2]; /* the grid's window when this view was left */
	bool adopt;                 /* take the grid's window */
	bool restored;              /* the window is the one remembered from another visit: keep it, once */
	uint32_t first, spread;
	enum timeline_lines lines;

	/* Layout and contents, made by update. */
	int gutter, cells, rows, pitch, bar, legend;
	int ends, phase_line;       /* which lines of a row have the messages' ends, and the phases; 0: none */
	bool foot;                  /* the totals stand in a line above the legend: there is no room beside the view */
	int top;                    /* rows above the bars: time, phases and, if there are any, windows and iterations */
	struct timeline_window shown;
	double (*share)[TIME_KINDS]; /* rows x cells; owned */
	struct timeline_phases phases; /* of the cursor's process */
	struct timeline_phases *row_phases; /* of the rows' processes, where they have a line for them; owned */
	int row_phases_count;
	uint32_t *row_events;       /* rows x cells: how many a column has, where the ends are too many to be told apart; owned */
	uint32_t row_events_most;   /* in a column */
	struct {
		bool marked;        /* in the last of the rows above the bars */
		uint32_t *of;       /* the one that begins, or goes on, in each column; UINT32_MAX: none; owned */
		uint32_t before;    /* the first column */
	} iterations;               /* of the main loop, as the cursor's process was in them */
	struct timeline_message messages[TIMELINE_LINES];
	struct timeline_messages message_count;
	enum timeline_lines lines_shown;
	uint32_t lines_of;          /* the process whose messages they are */
	struct timeline_arrows arrows;
	struct timeline_search search;
	struct timeline_totals totals, adding; /* the latest that are done; those of what is shown */
	struct timeline_ruler ruler;
	struct {
		uint32_t event;     /* of the analysed trace: under the cursor; NO_EVENT: none */
		char brief[128], late[96];
		struct event_fact facts[EVENT_FACTS];
		int count;
		uint64_t serial, spending; /* what that was found in */
		uint32_t iterations;
	} under;
	struct {
		uint32_t call;      /* of the log: under the cursor */
		uint64_t serial, spending; /* what it was found in */
		char text[320];
	} wait;
};

static inline const double *timeline_cell(const struct timeline_view *s, int row, int x)
{
	return s->share[(size_t)row * (size_t)s->cells + (size_t)x];
}

#define TIMELINE_LEAST 1e-9 /* seconds in a cell */

/* The window (window.c). Update lays it out, takes the grid's ticks or keeps the time that there was, brings
 * the cursor into it, and counts. Times are seconds since the trace's start. */
void timeline_lay_out(struct timeline_view *s, int w, int h);
void timeline_adopt(struct timeline_view *s);
void timeline_keep_event(struct timeline_view *s); /* times are others: the cursor's event stays in its column */
void timeline_clamp(struct timeline_view *s);
void timeline_follow_process(struct timeline_view *s);
void timeline_count_shares(struct timeline_view *s);
/* Arrows that go back (arrows.c): those in the window; the one that another view wants to be seen; how many
 * there are in all. */
void timeline_find_arrows(struct timeline_view *s);
void timeline_take_arrow(struct timeline_view *s);
void timeline_arrows_fact(const struct timeline_view *s, char *text, size_t size);
/* The time of the event at a place, or of what the process does next; and the model's cursor to where s->at is. */
double timeline_time_of(const struct model *m, struct trace_place at);
void timeline_place_cursor(struct timeline_view *s);
double timeline_whole(const struct timeline_view *s); /* the time of the whole run */
/* Show a window of time, as at its next update. */
void timeline_set_window(struct timeline_view *s, double from, double span, uint32_t spread);
void timeline_draw(const struct view *v, struct pane p);
/* Mean time at which the processes come to a tick, since the trace's start. */
double timeline_tick_time(const struct model *m, uint32_t tick);
/* Time of the process's first send or collective at a tick or a later one. */
double timeline_process_time(const struct model *m, uint32_t process, uint32_t tick);
/* The process's latest event at a time, NO_EVENT before the first; and the occurrence that it belongs to, or
 * UINT32_MAX. */
uint32_t timeline_event_at(const struct model *m, uint32_t process, double t);
uint32_t timeline_occurrence_at(const struct model *m, uint32_t process, double t);
void timeline_find(struct view *v, bool back, bool from_here);
unsigned timeline_search_work(struct view *v, unsigned ms);
double timeline_search_progress(const struct view *v);
/* The iterations of the main loop: whether they are to be marked in a pane of h rows, once the window is known. */
bool timeline_wants_iterations(const struct timeline_view *s, int h);
void timeline_find_iterations(struct timeline_view *s);
void timeline_draw_iterations(const struct timeline_view *s, struct pane p);
/* Find the columns' phases, unless they are known: of the cursor's process, and of the rows' where they have a line for
 * them. */
void timeline_find_phases(struct timeline_view *s);
void timeline_release_phases(struct timeline_view *s);
/* The ends of messages below the bars (ends.c): counted where they are many, otherwise drawn one by one. */
void timeline_count_ends(struct timeline_view *s);
void timeline_draw_ends(const struct timeline_view *s, struct pane p, int row, int y);
/* The event in whose call the cursor is, or at whose column; of several the nearest. NO_EVENT: there is none
 * (cursor.c). */
uint32_t timeline_event_under(const struct timeline_view *s);
void timeline_find_under(struct timeline_view *s);
void timeline_status(const struct view *v, char *text, size_t size, int room);
bool timeline_click(struct view *v, int x, int y);
/* The ruler (ruler.c): set, or end it; what lies between its ends, in words, "": it is not on. */
unsigned timeline_ruler_key(struct timeline_view *s);
struct timeline_distance timeline_distance(const struct timeline_view *s);
void timeline_ruler_text(const struct timeline_view *s, char *text, size_t size);
void timeline_draw_ruler(const struct timeline_view *s, struct pane p);
/* The totals of the window (totals.c): as a line, and beside the view with the event under the cursor. */
void timeline_find_totals(struct timeline_view *s);
bool timeline_add_totals(struct timeline_view *s, unsigned ms); /* goes on with it; false: there is nothing to add */
void timeline_draw_totals_line(const struct timeline_view *s, struct pane p, int y);
int timeline_aside_rows(const struct view *v);
void timeline_draw_aside(const struct view *v, struct pane p);
/* Which column a time is in: -1 before the window, `cells` behind it. */
int timeline_column(const struct timeline_view *s, double t);

#endif
