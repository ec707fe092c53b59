/* What stands around a view: the threshold panel, the strips below, the line of the structure, the tutorial. Each is
 * drawn by the application, and knows no view.
 */
#ifndef PAS2P_TUI_PANES_PANES_H
#define PAS2P_TUI_PANES_PANES_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/screen/canvas.h"
#include "tui/model/model.h"
#include "core/settings/settings.h"
#include "tui/screen/keys.h"
#include "tui/screen/views.h"
#include "core/base/progress.h"
#include "tui/jobs/derived.h"

/* ---- panel ---- */

/* The threshold panel: the settings as knobs, and what they give now and gave before the last change. */

#define PANEL_WIDTH 40
#define PANEL_KNOBS 4

/* The figures of an analysis that the panel compares. */
struct summary {
	bool valid;
	uint32_t phases, relevant;
	double coverage, set, pet, pete, aet;
	const char *share_of; /* what coverage is of, if that is not simply the run; otherwise "" */
	/* What a signature would measure; told later than the rest. */
	bool measuring;
	uint32_t measured; /* occurrences; 0: none */
	double off;        /* error of the prediction from their times, a share of the AET */
	/* With windows: what they cost, and what they would say of the traced run. */
	bool windows;
	uint32_t checkpoints;
	double pet_scaled, half, spread, cost; /* cost: but for restoring */
	const char *gap;   /* why there is no interval; NULL: there is one */
};

struct panel {
	enum setting_id selected;
	bool focus;            /* it has the keys */
	struct summary now, before;
	const char *other;     /* what `before` is of: "A", "B"; NULL: the settings before the last change */
};

struct summary panel_summary(const struct analysis *a);

/* The settings in the order of the panel: the four knobs, then the choices, then the rest. */
enum setting_id panel_setting(int place); /* wraps round */
int panel_place(enum setting_id id);

/* Turn a setting: steps > 0 up; a choice goes to the next one. */
void panel_turn(struct settings *s, enum setting_id id, int steps, bool coarse);

/* Returns the rows that it took. */
int panel_draw(const struct panel *panel, const struct model *m, struct pane p);
/* The same in one line, if there is no room for a panel. */
void panel_draw_line(const struct panel *panel, const struct model *m, struct pane p);

/* ---- run_strip ---- */

/* The run strip: the whole run in one row, the phases of each column by letter (the legend is in the list of phases)
 * and colour, and the window of the grid within it. Where windows are to be measured, a row above it says where. Where
 * the iterations of the main loop have room enough, each begins with an underlined column; one that stands out is
 * underlined throughout. */

struct strip {
	uint64_t serial;  /* of the analysis that it was made from */
	int w;
	uint8_t *kind;    /* by column: a rank, as in phase_shares.h; owned */
	uint8_t *mark;    /* by column: enum window_mark; owned */
	bool *underlined; /* by column: an iteration begins, or stands out; owned */
};

int strip_rows(const struct model *m); /* that it wants */
void strip_update(struct strip *s, const struct model *m, int w);
void strip_draw(const struct strip *s, const struct model *m, struct pane p);
void strip_release(struct strip *s);

/* ---- sensitivity_strip ---- */

/* The sensitivity strip: how phases, relevant phases, coverage or PETE answer over the whole range of the selected
 * knob, with its present value marked, so that a plateau is seen before one moves.
 *
 * Curves are computed in the background, coarse to fine, and kept for as long as the trace and the other settings
 * stand: one for each knob. A settings change that a curve depends on stops its work.
 */

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

/* ---- structure_line ---- */

/* The structure of the run in a few rows: its phases, loops around them, unfolded as deep as asked for
 * (tui/model/model.h).
 *
 * A phase has its colour; the words of one that is selected are reversed, and so is a folded loop that has it inside.
 * What there is no room for is cut at a word, with an ellipsis.
 */

#define STRUCTURE_AS_FITS UINT32_MAX /* as deep as two rows have room for */

struct structure_line {
	uint32_t depth;   /* loops that are unfolded around a word; STRUCTURE_AS_FITS */
	uint32_t phase;   /* that is selected; 0: none */
	uint64_t serial;  /* of the structure that it was made from, */
	uint32_t deepest; /* and the loops around its innermost word */
};

void structure_line_update(struct structure_line *l, const struct model *m); /* before what follows */

/* The next depth in a line so wide: one more, and after the last none. */
uint32_t structure_line_deeper(const struct structure_line *l, const struct model *m, int w);
/* Rows that it takes, at most `most`; 0: there is no structure to wait for. */
int structure_line_rows(const struct structure_line *l, const struct model *m, int w, int most);
void structure_line_draw(const struct structure_line *l, const struct model *m, struct pane p);
/* "unfolded: loops in loops, all of them", for the status line. */
void structure_line_describe(const struct structure_line *l, const struct model *m, int w, char *text, size_t size);

/* ---- tutorial ---- */

/* The tutorial's rows below a view: which step, what to do and why, by which keys, and what of it was done. Its steps
 * are in tui/screen/tutorial.def; that an act was done is seen by the application (tui/app/app_int.h), which moves
 * `step` and `act` on.
 */

enum tutorial_step {
#define STEP(id, title, text) TUTORIAL_##id,
#include "tui/screen/tutorial.def"
	TUTORIAL_STEPS
};

struct tutorial {
	bool shown;
	int step;                 /* TUTORIAL_STEPS: all are done */
	int act;                  /* of the step's acts so many are done */
	bool begun;               /* what follows was taken as the act began */
	struct settings settings;
	uint32_t written;         /* phase tables */
};

int tutorial_acts(int step);        /* how many it has */
/* Which act it is among those of all steps, in the table's order. */
int tutorial_act_number(int step, int act);
/* On to the next act, or the next step. */
void tutorial_next(struct tutorial *t);

/* Rows that it takes on a screen of that size; 0 while it is not shown. */
int tutorial_rows(const struct tutorial *t, int w, int h);
void tutorial_draw(const struct tutorial *t, const struct keymap *keys, enum view_id here, struct pane p);

/* In place of what is being made in the background (tui/jobs/derived.h): what it does, how far it is, and the key that
 * stops it; or why it failed, and the key that tries again. */

struct waiting {
	enum progress_stage bar; /* what comes before this stage is short, and has no bar */
	const char *doing;       /* "Reading the calls of each process…" */
	const char *again;       /* "reads the timeline": what Enter does after a failure */
};

void waiting_draw(const struct waiting *waiting, const struct model *m, const struct derived *d, const char *failure, struct pane p);

#endif
