/* Declarations that only the files of src/core/clocks/bounds use. Each part begins with its own description. */
#ifndef PAS2P_CORE_CLOCKS_BOUNDS_BOUNDS_INT_H
#define PAS2P_CORE_CLOCKS_BOUNDS_BOUNDS_INT_H

#include "bounds.h"
#include "core/team/team.h"

/* ---- coarse ---- */

/* The coarse map: a line for each clock that brings it close to the reference's, so that what is left is small
 * (docs/explain/clocks-bounds.md, "Coarse map"). Internal to clock_bounds.
 *
 * A tree of pairs that talk, from the reference, the closest hulls first; along it the pairs' middle lines are
 * composed.
 */

/* line and root: per process. Hulls are settled, per pair of the graph. `origin`: the reference's first record. */
enum err_code clock_coarse(struct clock_line *line, uint32_t *root, const struct clock_graph *g, const struct pair_hulls *hulls,
			   uint32_t reference, double origin, struct err *e);

/* ---- doubtful ---- */

/* Messages whose relation is doubtful: a channel (sender, receiver, communicator, tag) with a message too few or of
 * another size may have related the wrong ones (docs/explain/clocks-bounds.md, "Terms"). Internal to clock_points. */

/* Fills in doubtful. For a trace that ranks share, a collective step. */
enum err_code clock_doubtful_find(struct clock_points *p, struct err *e);

/* ---- remote ---- */

/* What of clocks is on other ranks of a team (core/trace/remote.h, docs/internals/scale.md 3). Internal to clock_times
 * and clock_points.
 *
 * Each rank reads the times of its local processes. All are told where clocks were synchronised, and their resolutions;
 * a receive, when its message was sent; a send, when that was received, if its process is the higher one of the two,
 * since that is whose rank compares the two clocks (bounds.h). Kept are 8 bytes per message with another rank, 16 where
 * clocks were synchronised more than once; sent are 12 or 20 for each end that is told.
 */

struct clock_remote {
	double *stamp;   /* per remote message: of the other end, as recorded; NAN: it is not told */
	double *later;   /* as above: what takes the steps out of it (clock_times_step()); NULL: there are none */
	struct clock_step *steps; /* of all processes */
	uint32_t *first_step;
};

/* c has what was read of the local processes; steps and resolutions of the others, and c->remote, are filled in. A
 * collective step. */
enum err_code clock_remote_exchange(struct clock_times *c, struct err *e);
void clock_remote_free(struct clock_remote *remote); /* NULL is fine */

/* ---- gather ---- */

/* Hulls of the pairs of all ranks of a team, on rank 0 (docs/internals/scale.md 3). Internal to clock_bounds.
 *
 * Pairs are of the rank that has the higher process, so that rank 0's own, and then those of one rank after the other,
 * are the pairs of the whole trace, in its order. What travels are corners: 16 bytes each, some tens of them a pair,
 * and 16 bytes per pair.
 */

struct pair_list {
	uint32_t *p, *q;
	uint32_t count;
	size_t p_cap, q_cap;
};

/* pairs: NULL if rank 0 has all of them already. hulls: settled, *count of them, some for each pair. Afterwards rank 0
 * has those of all ranks, and the others have none. A collective step. code, e: what was come to here. */
enum err_code clock_gather(const struct team *team, enum err_code code, struct pair_list *pairs, struct pair_hulls **hulls, size_t *count,
			   struct err *e);

/* ---- members ---- */

/* Who was in each collective that holds its members, by rank (docs/explain/clocks-bounds.md, "Terms"). Internal to
 * clock_points. */

/* Fills rank, first_member and member: of collectives on intracommunicators of more than one process, whose members all
 * called the same one, where all calls of all members of that communicator agree. */
enum err_code clock_members_find(struct clock_points *p, struct err *e);

/* ---- spanning ---- */

/* Collectives that have members on several ranks of a team (core/trace/remote.h, docs/internals/scale.md 3). Internal
 * to clock_points.
 *
 *     s = clock_spanning_new(points, &e);
 *     clock_spanning_add(s, ...);              each whose members here are all that they should be
 *     clock_spanning_exchange(s, team, distrusted, &e);   a collective step: which hold their members, and what is told of the others
 *     clock_spanning_free(s);
 *
 * A rank tells of each instance how many members it has and which of these began last: 40 bytes, to a rank that puts
 * the parts together, and that answers which of all began last and second to last: 24 bytes. Members whose clocks are
 * compared (bounds.h) tell their begin and end to that of the higher process: 16 bytes for each bit of their
 * ranks in which these two are of different ranks of the team.
 */

struct spanning_instance {
	uint32_t owner, number;  /* remote_instance */
	uint32_t comm;
	uint32_t first, count;   /* its members here, by process: of points->member */
	double last, second;     /* of all members, wherever they are: when the last one began, as recorded, and the last one of the others */
	uint32_t last_rank;      /* that one's rank in the communicator, the lowest of several */
	bool holds;              /* false: nothing follows from it */
};

struct clock_spanning {
	struct clock_points *points;
	struct spanning_instance *list; /* by owner and number */
	uint32_t count;
	size_t cap;
	uint32_t *of;            /* per entry of times->held: its instance, in list; NO_MEMBERS: it has none */
	uint32_t *first_stamps;  /* per entry: where its stamps begin: one for each bit whose member is of a lower process and not here, in order */
	struct clock_stamps *stamps; /* steps are taken out */
};

struct clock_spanning *clock_spanning_new(struct clock_points *p, struct err *e); /* NULL: no memory */
void clock_spanning_free(struct clock_spanning *s); /* NULL is fine */

struct remote_instance;
/* points->member from `first` on has `count` different entries: the members of `instance` that are here. False: no
 * memory. */
bool clock_spanning_add(struct clock_spanning *s, const struct remote_instance *instance, uint32_t first, uint32_t count);

/* distrusted: per communicator; becomes that of all ranks. What holds nobody gets NO_MEMBERS in
 * points->first_member. */
enum err_code clock_spanning_exchange(struct clock_spanning *s, const struct team *team, bool *distrusted, struct err *e);

/* The entry of a member that is here. */
uint32_t clock_spanning_member(const struct clock_spanning *s, uint32_t instance, uint32_t process);

/* ---- violations_team ---- */

/* The violations that the ranks of a team have counted, each of messages that its processes received and of its
 * members' ends of collectives, as one, on rank 0 (docs/internals/scale.md 3). Internal to clock_violations. 48 bytes a
 * pair that has messages travel, 24 per process and a bin. */

/* v: this rank's; rank 0's becomes that of all. A collective step. code, e: what was come to here. */
enum err_code clock_violations_gather(struct clock_violations *v, const struct trace *t, enum err_code code, struct err *e);

/* ---- window ---- */

/* One window of the clocks' bounds: what the hulls of all pairs in it say of each process
 * (docs/explain/clocks-bounds.md, "Pairs" and "Estimate"). Internal to clock_bounds. */

/* What is still to be added to a process's mapped stamps, at the window's start and its end. */
struct clock_left {
	struct clock_range start, end, rise;
	double start_estimate, end_estimate;
	bool bound;              /* by something, on one side at least */
};

struct clock_window {
	double from, to, tolerance;
	uint32_t forced;         /* pairs that no line fits */
	double misfit;           /* the largest crossing */
};

/* hulls: per pair of the graph, settled. left: per process. The window's times and its tolerance are given, the rest is
 * found. */
enum err_code clock_window_solve(struct clock_window *w, struct clock_left *left, const struct clock_graph *g,
				 const struct pair_hulls *hulls, const uint32_t *root, struct err *e);

#endif
