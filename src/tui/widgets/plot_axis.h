/* Axes of plots: where a value lies, at which values the ticks are, and how they are written. Nothing here draws.
 *
 * Ticks are round: multiples of 1, 2 or 5 times a power of ten (bytes: of a power of two), and on log axes such numbers
 * themselves. They lie inside of the range, their labels never touch, and no two say the same.
 */
#ifndef PAS2P_TUI_PLOT_AXIS_H
#define PAS2P_TUI_PLOT_AXIS_H

#include <stdbool.h>

#include "units.h"

enum plot_scale {
	SCALE_LINEAR,
	SCALE_LOG,
	SCALE_ROOT,     /* of the distance from the lower end: small values have more room */
	SCALE_ROOT_BACK /* of the distance from the upper end */
};

enum plot_unit { PLOT_NUMBER, PLOT_COUNT, PLOT_SECONDS, PLOT_BYTES, PLOT_SHARE /* a fraction, shown in percent */ };

struct plot_axis {
	double from, to;  /* NAN: whatever the data need */
	enum plot_scale scale;
	enum plot_unit unit;
	bool hidden;      /* not drawn */
};

#define PLOT_TICKS 64

struct plot_tick {
	double value;
	int cell;             /* where it stands, from the axis's lower end */
	int label;            /* where its label begins, likewise; up an axis: `cell` */
	char text[UNIT_TEXT];
};

/* How labels stand to their ticks, and so which of them have room. */
enum plot_labels {
	LABELS_UP,     /* each in the row of its tick */
	LABELS_UNDER,  /* in a row of their own, with the tick over their middle */
	LABELS_BESIDE  /* to the right of the tick in the same row, to the left where the axis ends */
};

/* A range that can be drawn: a NAN or infinite end gives way to 0 or 1, equal ends move apart, ends in the wrong order
 * are exchanged; a log axis lies above 0. */
void plot_axis_settle(struct plot_axis *a);
/* The range goes outwards to round values. */
void plot_axis_round(struct plot_axis *a);

/* 0 at the lower end to 1 at the upper end; less or more beyond; NAN where the value has no place (NAN; not above 0 on
 * a log axis). */
double plot_axis_place(const struct plot_axis *a, double value);
/* The cell of a place on an axis of n cells, each drawn with `sub` dots. */
int plot_axis_cell(double place, int n, int sub);

/* Ticks for an axis of so many cells, from the lower end on; returns how many. */
int plot_axis_ticks(const struct plot_axis *a, int cells, enum plot_labels labels, struct plot_tick ticks[PLOT_TICKS]);

/* "log", "root"; NULL: linear, about which there is nothing to say. */
const char *plot_scale_name(enum plot_scale s);
/* A value with its unit, in the digits that a reader wants; "-" if it is not known. */
const char *plot_value_text(enum plot_unit unit, double value, char buf[UNIT_TEXT]);

#endif
