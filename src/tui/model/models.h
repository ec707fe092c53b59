/* Models: what the view of them shows and what is turned there. They stay when another trace is opened.
 *
 *     models_init(&s);
 *     models_open(&s, path, &e);             a model, functions, a machine or measurements; one in place of the same kind
 *     models_turn(&s, 1, false);             the selected knob
 *     models_work(m, true);                  whenever there may be news, and before drawing
 *     models_release(&s);
 *
 * What is computed from it (T of the program, its graph, curves, fits) are derived results (tui/jobs/derived.h) of the
 * models: measurements are read and fitted, the program is evaluated at the knobs' values and over the range of the
 * selected one, functions are drawn.
 *
 * Rows are what the list shows: the program, functions of model and machine, and fits of measurements. Knobs are
 * what can be turned: each parameter of the model, the probabilities of its branches, the machine's speed; of the
 * selected fit the form and the number of segments. A parameter that only fits have is where they are looked at.
 */
#ifndef PAS2P_TUI_MODELS_H
#define PAS2P_TUI_MODELS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/models/graph/graph.h"
#include "core/models/graph/evaluate.h"
#include "core/models/fit/fit.h"
#include "model.h"
#include "tui/jobs/derived.h"

struct model;
struct out;

/* --- rows --- */

enum models_kind {
	MODELS_PROGRAM,
	MODELS_FUNCTION,   /* of the model */
	MODELS_MESSAGES,   /* of the machine: what messages take */
	MODELS_FIT
};

struct models_row {
	enum models_kind kind;
	uint32_t index;              /* of the function in its document's list, of the fit */
};

enum models_state { MODELS_WAITING, MODELS_KNOWN, MODELS_FAILED };

struct models_fit {
	struct models_measured *file; /* a reference */
	uint32_t set;
	struct fit fit;              /* MODELS_KNOWN; otherwise the one before, if has_fit */
	bool has_fit;
	enum models_state state;
	struct fit_options options;  /* as wanted */
	char say[ERR_TEXT];          /* MODELS_FAILED: why */
};

/* A file of measurements that is to be read, or could not be. */
struct models_reading {
	char *path;
	enum models_state state;
	char say[ERR_TEXT];
};

/* --- knobs --- */

enum models_knob_kind { KNOB_PARAMETER, KNOB_SPEED, KNOB_PLACE, KNOB_FORM, KNOB_SEGMENTS };

struct models_knob {
	enum models_knob_kind kind;
	char name[64];
	uint32_t parameter;          /* of the model */
	bool given;                  /* it was turned; otherwise the model's default, which may follow from others */
	bool known;                  /* the value is */
	struct interval value;
	double low, high;            /* the range of its slider */
	bool log, whole;
};

#define MODELS_KNOBS 32
#define MODELS_UNDO 200

struct models_change {
	uint32_t knob, row;          /* row: of form and segments, the fit */
	bool given_before, given_after;
	struct interval before, after;
};

/* --- what came out --- */

#define MODELS_LOADS 6

struct models_load {
	char name[48];
	struct interval time;
};

struct models_figures {
	bool known;
	struct interval time, free;
	struct models_load load[MODELS_LOADS]; /* the greatest, in the outcome's order */
	uint32_t loads, loads_left;  /* shown; and left out */
	uint32_t bottleneck;         /* of load; UINT32_MAX: none */
	uint32_t processes;
	char note[200];
	uint32_t notes;
};

/* T over the range of a knob. */
#define MODELS_SWEEP 96

struct models_sweep {
	uint32_t knob, count, loads;
	double x[MODELS_SWEEP], low[MODELS_SWEEP], high[MODELS_SWEEP], free[MODELS_SWEEP];
	char load_name[MODELS_LOADS][48];
	double load[MODELS_LOADS][MODELS_SWEEP];
	char say[ERR_TEXT];          /* where some could not be evaluated: the first reason */
};

/* A function over its first argument, and at the knobs' values part by part. */
#define MODELS_PARTS 200

struct models_part {
	uint32_t depth;
	char text[96];
	struct interval value;
	bool known, additive;        /* additive: a summand of the whole, so that a share of it says something */
};

struct models_curve {
	struct models_row row;
	uint32_t count;
	double x[MODELS_SWEEP], low[MODELS_SWEEP], high[MODELS_SWEEP], middle[MODELS_SWEEP];
	struct interval at, value;   /* the knobs' place, and the function there; NAN: not known */
	struct models_part part[MODELS_PARTS];
	uint32_t parts, parts_left;
	char say[ERR_TEXT];
};

/* A model at values of its knobs: all that is needed of it in the background. */
struct models_point {
	struct models_program *program; /* a reference */
	struct interval *values;        /* of the model's parameters; owned */
	bool *given;                    /* those that are; owned */
	struct interval speed;          /* all nodes are as many times as fast */
	struct machine machine;         /* the program's with that speed, if has_machine; its group list is owned */
	bool has_machine;
	enum contention contention;
	bool complete;                  /* there was memory for all of it */
};

/* The program at the knobs' values, with its graph if that is wanted. */
struct models_evaluated {
	struct made made;
	uint64_t of;                 /* serial */
	struct models_point point;   /* resolved, afterwards */
	bool graph_wanted, has_graph;
	struct models_figures figures;
	struct graph graph;
	struct bounds bounds;        /* T_0, the T_r and T as expressions, with the graph; of no items if there are none: */
	char bounds_say[ERR_TEXT];   /* why */
	char say[ERR_TEXT];          /* why there are no figures: then making it has not failed */
};

struct models {
	struct models_program *program; /* NULL: none */
	struct models_fit *fit;
	uint32_t fits;
	struct models_reading *reading;
	uint32_t readings;
	char *measured;              /* the file of measurements that T is compared with; NULL: none; owned */
	struct models_row *row;
	uint32_t rows, selected_row;

	struct models_knob knob[MODELS_KNOBS];
	uint32_t knobs, selected;

	struct models_change undo[MODELS_UNDO];
	uint32_t undo_count, undo_at;
	bool gesture;                /* the next turn of the knob of the last change goes on with it */

	uint64_t serial;             /* grows with every change of values or documents */
	uint64_t rows_serial;        /* with every change of rows */
	bool strip, graph_wanted;
	enum contention contention;

	struct derived fitting, evaluating, sweeping, drawing;
	struct models_figures now, before;
	uint64_t figures_of;         /* serial */
	uint32_t reading_failed;     /* 1 + number of a file that could not be read, until models_news() */
	char say[ERR_TEXT];          /* why there are no figures */
	struct models_evaluated *graphed; /* the latest with a graph; a reference; NULL: there is none */
};

void models_init(struct models *s);
void models_release(struct models *s);

/* Measurements are read in the background. ERR_IO, ERR_FORMAT: as reading it says; what was open stays. ERR_USAGE: it
 * is no such file. */
enum err_code models_open(struct models *s, const char *path, struct err *e);
enum err_code models_open_machine(struct models *s, const char *path, struct err *e);
/* The rows and knobs of what is open now; by models_work() too, when measurements come. Values that were given stay. */
enum err_code models_settle(struct models *s, struct err *e);

const char *models_row_name(const struct models *s, const struct models_row *r);
const struct models_row *models_selected(const struct models *s); /* NULL: there are none */
/* The fit of the selected row; NULL: it is none. */
struct models_fit *models_selected_fit(const struct models *s);
const struct function *models_function(const struct models *s, const struct models_row *r);

/* Knobs of the selected row: form and segments belong to fits alone. */
bool models_knob_here(const struct models *s, uint32_t knob);
struct interval models_knob_value(const struct models *s, uint32_t knob);
void models_knob_text(const struct models *s, uint32_t knob, char *text, size_t size);
const char *models_form_name(enum fit_kind kind);
void models_select_knob(struct models *s, int by);
void models_turn(struct models *s, int steps, bool coarse);
/* "n=400", "0.3", "[0.3,0.5]", of form "poly": of the knob named, otherwise the selected one. ERR_USAGE: no such knob,
 * or no value of it. */
enum err_code models_set(struct models *s, const char *text, struct err *e);
bool models_undo(struct models *s, bool again); /* false: there is nothing */
/* A fit's place from the knobs: its value for each of its parameters; the middle of the points where no knob has the
 * name. */
void models_place(const struct models *s, const struct models_fit *f, double *x);

/* --- in the background (models_work.c) --- */

/* Takes what has come, and asks for what is lacking. `looked`: somebody sees it; otherwise only measurements are read.
 */
void models_work(struct model *m, bool looked);
/* Why a file that was opened cannot be read, once; NULL: all can be. models_work() keeps it until it is asked for
 * here, since a view calls that, too, before it is drawn. Valid until a file is added. */
const char *models_news(struct models *s);
/* Whether the figures are of the present values; while they are not, those of before are shown. */
static inline bool models_current(const struct models *s)
{
	return s->figures_of == s->serial;
}
/* NULL: not there yet; otherwise perhaps of before the last change. */
const struct models_sweep *models_sweep(const struct models *s);
const struct models_curve *models_curve(const struct models *s, const struct models_row *row);
/* Places over a range, at most `most`; of whole numbers each once. `here` is among them if it lies in the range. */
uint32_t models_places(double low, double high, bool log, bool whole, double here, double *x, uint32_t most);
/* The background is going to be stopped: what is under way will be asked for again. */
void models_leave(struct models *s);

/* --- what the program took where the sliders are (models_measured.c) --- */

/* By a file of measurements that is named for it (docs/internals/model-rules.md, "Models in the workbench"): the file
 * is read with those that are fitted, and its columns are parameters of the model. ERR_USAGE: it is no table of
 * measurements. */
enum err_code models_open_measured(struct models *s, const char *path, struct err *e);
/* The mean of what was measured at these values, in seconds; NAN: nothing was, and *why says so. */
double models_measured_here(const struct models *s, const char **why);

/* --- as files for other programs (models_files.c): the same documents as pas2p fit and pas2p predict write --- */

/* All fits, as functions that models include. */
enum err_code models_write_fits(const struct models *m, struct out *out, struct err *e);
/* What the program takes where the sliders are. */
enum err_code models_write_prediction(const struct models *m, struct out *out, struct err *e);

#endif
