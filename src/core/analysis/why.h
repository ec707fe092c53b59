/* Why are these two not similar? What the Compare view shows: the criteria one by one, the first cell that breaks
 * each, and the thresholds at which the two would be similar (docs/method.md 4 and 5).
 *
 *     struct why_bbps w;                                      struct why_windows w;
 *     why_bbps(&w, l, 17, 42, &settings);                     why_phases(&w, l, phases, 3, 8, &settings, &e);
 *     if (!w.volume.holds && w.volume.needed <= 1) ...        if (w.volume <= 1) ... similar from there on
 *
 * Thresholds are exact: the core's own comparison (size_similar, compute_similar, phases_similar) holds at the number
 * given and does not at the next double below it (above it, for `events`). why_round() makes a number to show of it
 * that does the same. All is symmetric in the two.
 *
 * Cost: a walk over the cells of both, O(events in them); nearest misses walk over every candidate, at most
 * O(events of the trace) plus O(events of the one given) per candidate: 0.1 s in the worst case of ten million events.
 */
#ifndef PAS2P_WHY_H
#define PAS2P_WHY_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/phases/bbp.h"
#include "core/base/err.h"
#include "core/base/job.h"
#include "core/logical/logical.h"
#include "core/phases/phases.h"
#include "core/settings/settings.h"

#define WHY_NEVER INFINITY /* as the smallest threshold */

/* The smallest threshold of [0, 1] at which two sizes, or two compute times, are similar; or WHY_NEVER. */
double why_volume(uint64_t size_a, uint64_t size_b);
double why_compute(double a, double b);

/* A threshold as a number of tenths of a percent, rounded to the side on which it holds: up for volume and compute,
 * down for events. 0.05163 gives 0.052 and 0.051. */
double why_round(double threshold, bool up);

/* How one cell (tick, process) of the one compares with the same cell of the other. */
enum why_cell {
	WHY_EMPTY, /* neither has an event */
	WHY_SAME,  /* same type, sizes within `volume` */
	WHY_SIZE,  /* same type, sizes apart */
	WHY_TYPE,  /* types differ */
	WHY_ONLY_A,
	WHY_ONLY_B,
	WHY_CELLS
};
/* "no event", "same", "size differs", "type differs", "only left", "only right" */
const char *why_cell_name(enum why_cell c);

/* The cell of two ticks; sends_only as windows compare them, where receives do not count. */
enum why_cell why_cell(const struct logical *l, uint32_t tick_a, uint32_t tick_b, uint32_t process, bool sends_only,
		       double volume);

/* --- two basic blocks --- */

struct why_place {
	uint32_t process; /* NO_PROCESS: none, or all (compute of max or sum) */
	bool exit;        /* at the exit tick, not the entry */
};

struct why_criterion {
	bool holds;
	uint32_t cells, breaking;      /* compared, and of those not similar */
	struct why_place first;        /* the first that breaks: entries by process, then exits */
	struct why_place worst;        /* the one with the largest relative difference, breaking or not */
	double a, b;                   /* the two values there (bytes, seconds); 0 for types */
	double needed;                 /* smallest threshold at which it holds; types: 0 or WHY_NEVER */
};

struct why_bbps {
	bool similar;
	struct why_criterion types, volume, compute; /* volume: over cells of equal types */
};

/* Blocks by number, from 1 to tick_count - 1. */
void why_bbps(struct why_bbps *w, const struct logical *l, uint32_t a, uint32_t b, const struct settings *settings);

/* --- two windows of ticks, or phases --- */

struct why_windows {
	bool similar, comparable;      /* comparable: the same number of send ticks */
	uint32_t ticks_a, ticks_b;     /* their send ticks */
	/* Over the ticks that both have; same + different + absent is the whole. */
	uint64_t cell[WHY_CELLS];      /* by class; WHY_EMPTY is not counted */
	uint64_t same, different, absent; /* m, x, z; `absent: different` is not applied */
	double share; /* of cells that count as similar, by the `absent` setting; 0 if there are none */
	/* The first cell that counts as different. offset is that of its send tick in both windows. */
	bool broken;
	uint32_t offset, process;
	uint32_t tick_a, tick_b;
	/* With the other settings unchanged: the smallest `volume` at which the two are similar, or WHY_NEVER; and
	 * the largest `events`, or -1 for never. */
	double volume, events;
};

enum err_code why_windows(struct why_windows *w, const struct logical *l, uint32_t first_a, uint32_t last_a,
			  uint32_t first_b, uint32_t last_b, const struct settings *settings, struct err *e);
/* Two phases by their contents, which are their first occurrences. */
enum err_code why_phases(struct why_windows *w, const struct logical *l, const struct phases *p, uint32_t id_a,
			 uint32_t id_b, const struct settings *settings, struct err *e);

/* --- nearest misses --- */

/* Another phase or leader that would merge, at a threshold. distance is how far thresholds must move, as a
 * fraction: for phases the shorter of the ways of `volume` and of `events`, either of which will do; for
 * basic blocks the longer of `volume` and `compute`, for both must hold. */
struct why_miss {
	uint32_t id;      /* phase, or number of the leader */
	double distance;  /* 0: similar already */
	double volume;    /* as above; WHY_NEVER if `events` alone will do */
	double events;    /* phases: as above */
	double compute;   /* basic blocks */
};

/* The `most` nearest others, nearest first, then by id. *count is how many there are; those that would never merge
 * are left out. */
enum err_code why_nearest_phases(struct why_miss *out, uint32_t most, uint32_t *count, const struct logical *l,
				 const struct phases *p, uint32_t id, const struct settings *settings,
				 const struct job *job, struct err *e);
/* The same among the leaders of basic blocks; `leader` may be any block. */
enum err_code why_nearest_bbps(struct why_miss *out, uint32_t most, uint32_t *count, const struct logical *l,
			       const struct bbps *b, uint32_t leader, const struct settings *settings,
			       const struct job *job, struct err *e);

#endif
