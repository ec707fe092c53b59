/* The analysis: from a trace and settings to phases and figures, one immutable result per settings.
 *
 *     struct analysis *a;
 *     analysis_new(&a, trace, &settings, NULL, ANALYSIS_PHASES, progress, &e);
 *     ... user moves a knob ...
 *     analysis_new(&b, trace, &changed, a, ANALYSIS_PHASES, progress, &e);  reuses what a has that still holds
 *     analysis_unref(a);
 *
 * A result may be read from any thread and may outlive the result that it was made from; the trace must outlive all.
 * Reused are: ticks if order and collectives are unchanged; labels if volume, compute and compute_of are unchanged;
 * phases if their thresholds are unchanged; figures, windows and names if their inputs are unchanged; patterns, which
 * no threshold changes, if what counts as an event is.
 *
 * With a team (trace_team()) all ranks call it with the same settings, each with its part of the trace; it is a
 * collective step (team.h). All have the same phases, figures, windows and labels; what is of events each has of its
 * own.
 */
#ifndef PAS2P_CORE_METHOD_ANALYSIS_ANALYSIS_H
#define PAS2P_CORE_METHOD_ANALYSIS_ANALYSIS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/method/phases/bbp.h"
#include "core/method/figures/figures.h"
#include "core/method/logical/logical.h"
#include "core/method/phases/phases.h"
#include "core/patterns/patterns.h"
#include "core/patterns/phase_names.h"
#include "core/settings/settings.h"
#include "core/trace/trace.h"
#include "core/method/windows/windows.h"
#include "core/base/err.h"
#include "core/base/index.h"
#include "core/base/mem.h"
#include "core/io/out.h"
#include "core/base/progress.h"

/* ---- analysis ---- */

enum analysis_want {
	ANALYSIS_ORDER = 1,  /* logical only */
	ANALYSIS_BBPS = 2,   /* logical and bbps */
	ANALYSIS_PHASES = 4, /* logical, phases, figures (windows if any are set, bbps where similarity is bbp) */
	ANALYSIS_PATTERNS = 8 /* patterns, and with phases their names: of a trace that is whole, and not too large (patterns_possible()) */
};

/* What an analysis is made of, in the order in which it is made. */
enum analysis_stage {
	STAGE_LOGICAL, STAGE_CLOCKWORK, STAGE_BBP_SPACE, STAGE_BBPS, STAGE_PHASE_SPACE, STAGE_PHASES, STAGE_FIGURES, STAGE_WINDOWS,
	STAGE_PATTERNS, STAGE_NAMES,
	STAGES
};

struct analysis {
	atomic_int references;
	struct analysis *self; /* this one: a holder sees it as const, and may be the last */
	struct settings settings;
	const struct trace *source;    /* as loaded; logical->trace holds the events analysed */
	struct shared *stage[STAGES];  /* each shared with the analyses that reuse it; NULL: not made */
	/* Views into them; NULL where not made. */
	const struct logical *logical;
	const struct clockwork *clockwork;
	const struct bbps *bbps;
	const struct phases *phases;
	const struct figures *figures;
	const struct windows *windows; /* only where the settings ask for some */
	const struct patterns *patterns;
	const struct phase_names *names;
};

enum err_code analysis_new(struct analysis **out, const struct trace *t, const struct settings *settings,
			   const struct analysis *previous, unsigned want, const struct progress *progress, struct err *e);
/* It never changes, so that a reference is to a const one. NULL is fine. */
const struct analysis *analysis_ref(const struct analysis *a);
void analysis_unref(const struct analysis *a);
/* What is made of phases and their figures is the same of both. */
bool analysis_same_phases(const struct analysis *a, const struct analysis *b);

/* The labels of a phase's blocks, in their order; NULL: phases are not made of blocks here. Of one that has phases. */
const uint32_t *analysis_labels(const struct analysis *a, uint32_t id, uint32_t *count);

/* Of one that nobody else has, and that no other is to be made of: phases, figures and windows stay, the rest goes. */
void analysis_shed(struct analysis *a);

/* ---- canonical ---- */

/* Canonical types: types of events that mean the same in every run (docs/internals/compare-rules.md, "Notation").
 *
 *     struct canonical a, b;
 *     canonical_init(&a, trace_a, &e); canonical_init(&b, trace_b, &e);
 *     canonical_joint(&a, &b, of_b);                           of_b: b.count numbers
 *     canonical_type(&a, ta->type[x]) == canonical_as(of_b, canonical_type(&b, tb->type[y]))    the same type?
 *
 * The type of a message includes its partner. The type of a collective includes (members of its communicator, k): the
 * k-th communicator with these members, in the order of the trace's numbers, counting only communicators with
 * collectives. So the numbers that an MPI library or a tracer gives do not matter. As an event_type it is
 * EVENT_COLLECTIVE | i, where i is a number in `list`, of this run alone.
 *
 * As text in files: "+2", "-1", "CBcast 0,1,2,3 1": operation, members, k. Members are ranks from 0, partners count
 * from 1. For people: ">1", "<0", "Bcast (ranks 0-3)"; of the second communicator
 * with these members "Bcast (ranks 0-3, communicator 2)".
 *
 * Readable from any thread once made. It keeps nothing of the trace.
 */

struct canonical_collective {
	const char *op;           /* "Allreduce", safe text */
	const uint32_t *members;  /* ascending */
	uint32_t member_count;
	uint32_t nth;             /* k, from 1 */
};

struct canonical {
	struct arena arena;
	struct canonical_collective *list; /* none twice */
	uint32_t count;
	uint32_t *of_coll;        /* of a trace's type (index into trace.colls): index into list; of one without events UINT32_MAX */
	/* While it grows. */
	size_t cap;
	struct index index;
};

/* For a trace as it was loaded. ERR_MEMORY. Of one that the ranks of a team share (core/trace/remote.h) all ranks call
 * it, and all get the same: it is a collective step. */
enum err_code canonical_init(struct canonical *c, const struct trace *t, struct err *e);
void canonical_release(struct canonical *c); /* fine after a failed init, and twice */

/* For who reads types from elsewhere: a struct that is all zero, and types put in one by one; members ascending. *at:
 * its number. */
enum err_code canonical_add(struct canonical *c, const char *op, const uint32_t *members, uint32_t member_count, uint32_t nth,
			    uint32_t *at, struct err *e);

/* The canonical type of an event of the trace that c was made of. */
static inline event_type canonical_type(const struct canonical *c, event_type type)
{
	return EVENT_KIND(type) == EVENT_COLLECTIVE ? EVENT_COLLECTIVE | c->of_coll[EVENT_INDEX(type)] : type;
}

/* of_b[i]: the number of b's collective i in a's list; collectives that a does not have get new numbers from a->count
 * on. */
void canonical_joint(const struct canonical *a, const struct canonical *b, uint32_t *of_b);

/* A canonical type of b as one of a, to be compared. */
static inline event_type canonical_as(const uint32_t *of_b, event_type canonical)
{
	return EVENT_KIND(canonical) == EVENT_COLLECTIVE ? EVENT_COLLECTIVE | of_b[EVENT_INDEX(canonical)] : canonical;
}

enum type_style {
	TYPES_IN_FILES, /* "+2", "-1", "+?", "CBcast 0,1,2,3 1" */
	TYPES_SHOWN     /* ">1", "<0", ">?", "Bcast (ranks 0-3)" */
};
void canonical_print(const struct canonical *c, event_type canonical, enum type_style style, struct out *out);

/* ---- team_cost ---- */

/* What it would cost to share a trace among the ranks of a team, before anybody asks for their nodes
 * (docs/internals/scale.md 5).
 *
 * By stage: seconds of the slowest rank, bytes that all ranks together send, bytes of memory of the largest rank. It
 * uses only the loaded trace: the number of events of each rank, and the messages between ranks. Ticks are not known
 * before events are ordered: they are taken to be as many as events of the busiest process.
 */

/* Of one processor core, measured by `make bench-job` on traces of 25 M records (docs/internals/scale.md 6). */
#define COST_RECORD 14e-9    /* s to read and decode a record, which ranks share; of a compressed file each does that of all */
#define COST_SCAN 8e-9       /* of CLOG2: to read it for the first time, which ranks share */
#define COST_SKIP 8e-9       /* to read it once more, and skip it if it is another rank's: of all records on each rank */
#define COST_PASS_ON 14e-9   /* with COST_STRIPE_RANKS or more: to read it and pass it on, which ranks share */
#define COST_STRIPE_RANKS 8  /* as in the reader */
#define COST_RECORD_BYTES 40 /* that travel to pass one on */
#define COST_PACKED_BYTES 5  /* the same for PRV */
#define COST_EVENT 100e-9    /* s to keep and relate an event of its own */
#define COST_ORDER 35e-9     /* s to order it */
#define COST_PHASES 30e-9    /* s for its part in ticks that are compared, and in times */
#define COST_SEARCH 50e-9    /* s of rank 0 for a tick with sends */
#define COST_EVENT_BYTES 45  /* bytes of memory */
#define COST_TICK_BYTES 32   /* on every rank */
#define COST_SEARCH_BYTES 24 /* on rank 0, of a tick with sends */
#define COST_MESSAGE_BYTES 28 /* that travel to relate a message between ranks */
#define COST_COLLECTIVE_BYTES 12 /* of each rank, to relate a collective */
#define COST_EPOCH_BYTES 24  /* of each rank, for a collective of all processes, to order what it parts */
#define COST_STEPS 120       /* of all stages together; those of order come on top, one a hop */

enum team_cost_stage { COST_READ, COST_RELATE, COST_IN_ORDER, COST_IN_PHASES, COST_ALL, COST_STAGES };

struct team_network {
	double bytes;    /* a second, of one rank */
	double latency;  /* s */
};

struct team_cost {
	uint32_t ranks;
	uint64_t largest;   /* events of the rank that has most */
	uint64_t remote;    /* messages from one rank to another */
	uint64_t hops;      /* at most so many of them in a row */
	struct team_cost_of {
		double seconds;
		double bytes;
		double memory;
	} of[COST_STAGES];
};

const char *team_cost_stage_name(enum team_cost_stage stage); /* "read", "relate", "order", "phases", "all" */

/* t is whole. */
enum err_code team_cost(struct team_cost *c, const struct trace *t, uint32_t ranks, const struct team_network *network, struct err *e);

/* ---- sensitivity ---- */

/* Sensitivity: how the analysis answers over the whole range of one threshold, for the strip under the knobs.
 *
 *     struct sensitivity_point points[N];
 *     sensitivity_run(SETTING_volume, N, analysis, show, &strip, progress, &e);  show() is called point by point
 *
 * The range is 0 to 20 % for volume and compute, 0 to 10 % for relevance, 50 to 100 % for events. Points are the
 * closer together the smaller the threshold (for events: the nearer to 100 %), since there most changes: half of
 * the strip is the first quarter of the range, and the default of 5 % lies in the middle.
 *
 * Points come coarse to fine: both ends, the middle, the quarters and so on, so that the strip has its shape early.
 *
 * Cost: each point is an analysis that reuses all that its threshold does not touch: for relevance, and for compute
 * where it decides nothing, the figures alone (O(occurrences)); otherwise one search for phases (a tenth of a second
 * for a million events), or one labelling of blocks. Memory: two analyses at a time.
 */

struct sensitivity_point {
	double value;              /* of the threshold */
	uint32_t phases, relevant;
	double coverage, pete, set_share; /* fractions of AET; NAN: not defined */
};

/* Which settings have such a range: volume, compute, events, relevance. */
bool sensitivity_has(enum setting_id knob);

/* The value of point i of n (2 or more), to a millionth. Its place on the strip is i / (n - 1), from 0 (left) to 1. */
double sensitivity_value(enum setting_id knob, uint32_t i, uint32_t n);

/* What a curve depends on: *s with the knob, and all that cannot change it, set to defaults. A curve may be kept as
 * long as this stays settings_equal() and the trace is the same. */
struct settings sensitivity_key(const struct settings *settings, enum setting_id knob);

/* Compute n points around `base` (an analysis with phases), whose other settings hold. point() is called from this
 * thread for each as it is ready. On ERR_CANCELLED and other errors those told already stand. Progress is told as
 * PROGRESS_MEASURE, in points. */
enum err_code sensitivity_run(enum setting_id knob, uint32_t n, const struct analysis *base,
			      void (*point)(void *arg, uint32_t i, const struct sensitivity_point *p), void *arg,
			      const struct progress *progress, struct err *e);

/* ---- why ---- */

/* Why are these two not similar? What the Compare view shows: the criteria one by one, the first cell that breaks
 * each, and the thresholds at which the two would be similar (docs/explain/method.md, "Basic blocks" and "Phases").
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
				 const struct progress *progress, struct err *e);
/* The same among the leaders of basic blocks; `leader` may be any block. */
enum err_code why_nearest_bbps(struct why_miss *out, uint32_t most, uint32_t *count, const struct logical *l,
			       const struct bbps *b, uint32_t leader, const struct settings *settings,
			       const struct progress *progress, struct err *e);

#endif
