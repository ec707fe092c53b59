/* Clocks: how far each is off, and how sure that is, from what messages and collectives say alone
 * (docs/explain/clocks-bounds.md, "Bounds" and "Windows of the run").
 *
 *     clock_bounds_new(&b, &times, &options, progress, &e);
 *     b->offset[p * b->borders + k], low[...], high[...]     what must be added to p's clock at reference time at[k]
 *     clock_bounds_free(b);
 *
 * A process's clock is a line in each of `windows` equal stretches of the reference's time; border 2k is where window k
 * begins, 2k + 1 where it ends. Bounds are exact if that holds and relations and latency are right; the estimate
 * besides takes the network for symmetric. Infinite: nothing bounds it on that side. Processes that no chain of
 * messages connects are of different components, each against its root: the reference, otherwise the lowest process;
 * offsets of different components do not compare. For a trace that ranks share, a collective step: rank 0 has all of
 * it, the others `windows`, `forced` and `barriers` alone. Points may come from elsewhere than a trace, such as from
 * exchanges that were measured: clock_bounds_from(). Seconds throughout. Immutable once made.
 */
#ifndef PAS2P_CORE_CLOCKS_BOUNDS_BOUNDS_H
#define PAS2P_CORE_CLOCKS_BOUNDS_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/metrics/calls/log.h"
#include "core/base/parallel.h"
#include "core/base/err.h"

/* ---- times ---- */

/* When messages were sent and received, and who was held by whom, by each process's own clock
 * (docs/explain/clocks-bounds.md, "Terms").
 *
 * A trace's events have the times of their records. Not those count where the record says less than the trace knows: a
 * persistent send was started when its outermost call began; a collective that holds its members till all are there
 * ends when its outermost call does. And a process whose clock was synchronised more than once has a step at each:
 * taken out, its stamps are those of one clock.
 *
 * For a trace that ranks share (core/trace/remote.h) the log's are of the local processes; steps and resolutions are of
 * all, steps of others with event numbers of theirs.
 */

struct clock_times {
	const struct trace *trace;
	/* The log's (core/metrics/calls/calls.h); steps where ranks share the trace: of all processes. */
	const struct clock_event_time *sent, *held;
	uint32_t sent_count, held_count;
	const struct clock_step *steps;
	const uint32_t *first_step;
	const struct clock_seen *seen;
	const uint32_t *first_seen;
	double *resolution;            /* per process, s: what its stamps may be off by; 0: they are exact */
	struct clock_remote *remote;   /* of messages with other ranks (bounds_int.h); NULL: the trace is whole */
};

#define RESOLUTION_AUTO (-1.0)
#define RESOLUTION_COARSE 1e-6 /* s: of clocks that stamp in whole microseconds */

/* resolution: s, of all processes; RESOLUTION_AUTO: as their records show. The log must outlive it. For a trace that
 * ranks share all come to it, and the code is agreed. ERR_MEMORY. */
enum err_code clock_times_init(struct clock_times *c, const struct call_log *log, double resolution, struct err *e);
void clock_times_release(struct clock_times *c);

/* NULL: the event is none of these; its own record has the time. */
const struct clock_event_time *clock_times_started(const struct clock_times *c, uint32_t event);
/* As recorded; of a send on another rank, too, as match[] has it. */
double clock_times_sent(const struct clock_times *c, uint32_t event);
/* Its entry in held[]; NO_ENTRY: it holds nobody. */
#define NO_ENTRY UINT32_MAX
uint32_t clock_times_held(const struct clock_times *c, uint32_t event);
/* How much later than its first shift makes them the stamps around that event are; process: the event's. */
double clock_times_step(const struct clock_times *c, uint32_t process, uint32_t event);

/* ---- points ---- */

/* What messages, collectives and measurements by the tracer say of clocks: one inequality each
 * (docs/explain/clocks-bounds.md, "Bounds").
 *
 *     clock_points_init(&p, &times, latency, barriers, &e);
 *     clock_points_visit(&p, &share, add, arg, &e);       as often as wanted: the same points in the same order
 *     clock_points_release(&p);
 *
 * Threads share the work by processes: each visits a part. Pairs are numbered from 0 in order of appearance, within the
 * part of their higher process, and are the same each time; put one after the other, the parts give the same pairs with
 * any number of parts. Of each pair, points of either direction come by the stamps of its higher process, as far as
 * those rise. For a trace that ranks share, each visits the points of its local processes, as higher ones, and
 * clock_points_init() is a collective step; one rank behind the other pairs are the same with any number of ranks, too.
 */

/* When a member of a collective came, and when it left. */
struct clock_stamps {
	double begin, end;
};

struct clock_points {
	const struct clock_times *times;
	double latency;            /* s that a message takes at least */
	bool barriers;             /* of collectives, barriers only */
	uint64_t *doubtful;        /* a bit per event: messages whose relation is; NULL: none is */
	/* Per entry of times->held: its rank, and where the members of its instance begin in member[], which has entries of
	 * times->held by rank. NO_MEMBERS: nothing follows from it. */
	uint32_t *rank, *first_member, *member;
	struct clock_stamps *stamps; /* parallel to member[], as recorded; set where all members are here. They save three cache
	                              * misses per comparison: a sixth of the time on 1024 processes */
	struct clock_spanning *spanning; /* of instances with members on other ranks (bounds_int.h): member[] has those here, by process, from
	                          * first_member on. NULL: there are none */
};
#define NO_MEMBERS UINT32_MAX

/* D is what must be added to q's stamp to get p's, p < q: at q's stamp x it is at least y (least), or at most. False:
 * no memory. */
struct clock_point {
	uint32_t pair, p, q;
	bool least;
	double x, y;
};
typedef bool clock_point_add(void *arg, const struct clock_point *point);

/* One thread's share of a visit: part 0 .. parts - 1. */
struct clock_share {
	unsigned part, parts;
	struct parallel_stop *stop;
};

enum err_code clock_points_init(struct clock_points *p, const struct clock_times *times, double latency, bool barriers, struct err *e);
void clock_points_release(struct clock_points *p);

enum err_code clock_points_visit(const struct clock_points *p, const struct clock_share *share, clock_point_add *add, void *arg, struct err *e);

/* ---- line ---- */

/* A clock as a line: what must be added to a process's stamps to get the reference's (docs/explain/clocks-bounds.md,
 * "Coarse map").
 *
 * At a stamp t that is `offset` + rate * (t - origin), with one origin for all lines: the reference's first record.
 * Lines compose exactly.
 */

struct clock_line {
	double offset, rate; /* s; s/s */
};

static inline double clock_line_at(struct clock_line l, double origin, double t)
{
	return l.offset + l.rate * (t - origin);
}

/* The same by the time that the line gives, instead of the stamp that it is given. */
static inline double clock_line_for(struct clock_line l, double origin, double to)
{
	return (l.offset + l.rate * (to - origin)) / (1 + l.rate);
}

/* From a's stamps to b's, then from b's on. */
static inline struct clock_line clock_line_then(struct clock_line a, struct clock_line b)
{
	return (struct clock_line){a.offset + b.offset + b.rate * a.offset, a.rate + b.rate * (1 + a.rate)};
}

/* The way back. */
static inline struct clock_line clock_line_back(struct clock_line l)
{
	return (struct clock_line){-l.offset / (1 + l.rate), -l.rate / (1 + l.rate)};
}

/* ---- hull ---- */

/* The upper hull of points: what a line that lies on or above all of them has to clear (docs/explain/clocks-bounds.md,
 * "Bounds").
 *
 *     struct hull h = {0};
 *     hull_add(&h, x, y);        x ascending costs O(1); one that steps back is kept aside and merged later
 *     hull_settle(&h);           before it is read: merges what was kept aside
 *     hull_release(&h);
 *
 * Only vertices are kept, by x, with slopes that fall from left to right: 16 bytes each, some tens of them however many
 * points came. A lower hull is the upper one of the points turned upside down. Points are finite.
 */

struct hull_point {
	double x, y;
};

struct hull {
	struct hull_point *point; /* owned */
	uint32_t count;
	uint32_t late;            /* behind the vertices: points that stepped back */
	size_t cap;
};

/* False: no memory; the hull is as it was. */
bool hull_add(struct hull *h, double x, double y);
void hull_settle(struct hull *h);
void hull_release(struct hull *h);

/* The hull's height at x, from its first x to its last. NAN beyond them, or if there are no points. Binary search. */
double hull_at(const struct hull *h, double x);

/* ---- pair ---- */

/* Two clocks: the lines that all messages between them allow (docs/explain/clocks-bounds.md, "Bounds").
 *
 * For processes p < q, D(t) is what must be added to q's stamp t to get p's. Messages from p to q say D >= y at x,
 * those from q to p D <= y: D clears the hull `least`, and stays below `most`, which is kept turned upside down (y is
 * -y). Over a stretch [start, end] a line is its middle and its rise D(end) - D(start); the lines that are possible
 * form a convex polygon, whose extremes are exact. Seconds throughout; what nothing bounds is infinite.
 */

struct clock_range {
	double low, high;
};

struct pair_hulls {
	struct hull least, most;
};

struct pair_bounds {
	struct clock_range start, end, middle, rise;
	double crossing;  /* 0: some line is possible; otherwise no line is, and with `least` lowered and `most` raised by half of this one would be */
};

void pair_hulls_release(struct pair_hulls *h);
void pair_hulls_settle(struct pair_hulls *h);

static inline bool pair_is_one_way(const struct pair_hulls *h)
{
	return !h->least.count || !h->most.count;
}

/* Of the lines whose rate is at most `rate` [s/s], where both hulls give way by `slack`. start < end. */
struct pair_bounds pair_bounds_of(const struct pair_hulls *h, double start, double end, double rate, double slack);

/* Smallest vertical distance of the hulls where both are; negative where they cross. INFINITY: nowhere, such as in
 * pairs of one direction. */
double pair_gap(const struct pair_hulls *h);

/* ---- closure ---- */

/* The closure: what bounds on pairs say of each, through every chain of partners (docs/explain/clocks-bounds.md,
 * "Closure").
 *
 * For each pair of a graph, the correction at q less the correction at p lies in a range. So shortest paths bound a
 * process against the root of its component; an uncertainty never shrinks along a path.
 */

#define NO_COMPONENT UINT32_MAX

/* Who talks to whom: pairs p < q, and by process the pairs that it is in. */
struct clock_graph {
	uint32_t process_count, pair_count;
	uint32_t *p, *q;         /* per pair */
	uint32_t *first, *of;    /* of[first[i] .. first[i + 1]): pairs of process i */
};

enum err_code clock_graph_init(struct clock_graph *g, uint32_t process_count, const uint32_t *p, const uint32_t *q, uint32_t pair_count,
			       struct err *e);
void clock_graph_release(struct clock_graph *g);

/* By process: roots are [0, 0]. root: of each process's component. False in *closed: some cycle has no solution
 * (rounding apart), and the ranges mean nothing. */
enum err_code clock_closure(struct clock_range *out, bool *closed, const struct clock_graph *g, const struct clock_range *pair,
			    const uint32_t *root, struct err *e);

/* ---- bounds ---- */

#define CLOCK_WINDOWS 64     /* at most */
#define CLOCK_RATE 1e-3      /* s/s: a clock that is further off is none; twice what a kernel slews by */
#define CLOCK_LIKELY 1e-4    /* s/s: what estimates look at first */

struct clock_options {
	uint32_t reference;
	double latency;          /* s that a message takes at least */
	uint32_t windows;        /* at most */
};

struct team;

/* Points from any source. visit() passes on those of a part, in the same order each time, with pairs numbered from 0 in
 * order of appearance; no pair is in two parts. */
struct clock_source {
	enum err_code (*visit)(const void *arg, const struct clock_share *share, clock_point_add *add, void *to, struct err *e);
	const void *arg;
	uint32_t process_count;
	double start, end;       /* of the reference */
	double largest;          /* the largest of all stamps by size, which determines rounding */
	unsigned parts;          /* each is visited by a thread of its own */
	const struct team *team; /* whose ranks have points of pairs of their own each; NULL: all are here */
};

struct clock_pair_figures {
	uint32_t p, q;           /* p < q */
	double gap;              /* s, smallest distance of the hulls: the smallest round trip; INFINITY: one direction only */
};

struct clock_bounds {
	uint32_t process_count, reference;
	double start, end;       /* the reference's first and last record */
	uint32_t windows, borders; /* borders: 2 * windows */
	double *at;              /* per border, reference time */
	uint32_t *component;     /* per process: its root */
	uint32_t components;
	double *offset, *low, *high; /* per process and border */
	double *rate, *rate_low, *rate_high; /* per process: s/s over the whole; bounds NAN with several windows */
	bool barriers;           /* only barriers were trusted, of collectives */
	uint32_t forced;         /* pairs that no line fits, over all windows */
	double misfit;           /* the largest crossing; 0: lines fit */
	struct clock_pair_figures *pair;
	uint32_t pair_count;
};

enum err_code clock_bounds_new(struct clock_bounds **out, const struct clock_times *times, const struct clock_options *o,
			       const struct progress *progress, struct err *e);
/* Of points that are there, whose latency is the options'; then their `barriers` are the bounds'. */
enum err_code clock_bounds_of(struct clock_bounds **out, struct clock_points *points, const struct clock_options *o, const struct progress *progress,
			      struct err *e);
/* The options' latency is the points' own affair. */
enum err_code clock_bounds_from(struct clock_bounds **out, const struct clock_source *source, const struct clock_options *o,
				const struct progress *progress, struct err *e);
void clock_bounds_free(struct clock_bounds *b); /* NULL is fine */

/* ---- violations ---- */

/* Violations: what arrived before it was sent, by the clocks as they are (docs/explain/clocks-bounds.md, "Terms").
 *
 *     clock_violations_new(&v, &points, bins, medians, progress, &e);
 *     clock_violations_free(v);
 *
 * A message is one if its receive is stamped before its send + latency; the end of a collective that holds its members,
 * if some other member began after that - latency. `worst` is the smallest (receive - send - latency), below 0 where it
 * is violated; NAN: there is none. All related messages count, also those to oneself and those whose relation is
 * doubtful; times are the trace's own. For a trace that ranks share it is a collective step: rank 0 has the violations
 * of all ranks, the others their own. Medians take 8 bytes per message while they are found, all else takes memory by
 * pairs and processes alone: ask for them where they are shown.
 */

struct violation_count {
	uint64_t all, violated;
	double worst;
};

struct process_violations {
	struct violation_count sent, received, collective; /* collective: its ends */
};

struct pair_violations {
	uint32_t from, to;
	struct violation_count messages;
	double median;           /* of receive - send - latency; NAN if medians were not asked for */
};

struct bin_violations {
	double start, end;
	struct violation_count messages; /* by the receive's time; the last bin has its end */
};

struct clock_violations {
	struct violation_count messages, collective;
	struct process_violations *process;
	uint32_t process_count;
	struct pair_violations *pair;   /* that have messages, by sender, then receiver */
	uint32_t pair_count;
	struct bin_violations *bin;     /* equal parts of the AET */
	uint32_t bin_count;
};

enum err_code clock_violations_new(struct clock_violations **out, const struct clock_points *points, uint32_t bins, bool medians,
				   const struct progress *progress, struct err *e);
void clock_violations_free(struct clock_violations *v); /* NULL is fine */

#endif
