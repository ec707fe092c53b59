/* Collectives that have members on several ranks of a team (core/trace/trace_far.h, docs/scale.md 3). Internal to
 * clock_points.
 *
 *     s = clock_spanning_new(points, &e);
 *     clock_spanning_add(s, ...);              each whose members here are all that they should be
 *     clock_spanning_meet(s, team, distrusted, &e);   a meeting: which hold their members, and what is told of the others
 *     clock_spanning_free(s);
 *
 * A rank tells of each instance how many members it has and which of these began last: 40 bytes, to a rank that puts
 * the parts together, and that answers which of all began last and second to last: 24 bytes. Members whose clocks are
 * compared (clock_points.h) tell their begin and end to that of the higher process: 16 bytes for each bit of their
 * ranks in which these two are of different ranks of the team.
 */
#ifndef PAS2P_CLOCK_SPANNING_H
#define PAS2P_CLOCK_SPANNING_H

#include "clock_points.h"
#include "core/team/team.h"

/* Steps are taken out. */
struct spanning_stamps {
	double begin, end;
};

struct spanning_instance {
	uint32_t home, number;   /* far_instance */
	uint32_t comm;
	uint32_t first, count;   /* its members here, by process: of points->member */
	double last, second;     /* of all members, wherever they are: when the last one began, as recorded, and the last one of the others */
	uint32_t last_rank;      /* that one's rank in the communicator, the lowest of several */
	bool holds;              /* false: nothing follows from it */
};

struct clock_spanning {
	struct clock_points *points;
	struct spanning_instance *list; /* by home and number */
	uint32_t count;
	size_t cap;
	uint32_t *of;            /* per entry of times->held: its instance, in list; NO_MEMBERS: it has none */
	uint32_t *first_stamps;  /* per entry: where its stamps begin: one for each bit whose member is of a lower process and not here, in order */
	struct spanning_stamps *stamps;
};

struct clock_spanning *clock_spanning_new(struct clock_points *p, struct err *e); /* NULL: no memory */
void clock_spanning_free(struct clock_spanning *s); /* NULL is fine */

/* points->member from `first` on has so many entries of one instance, whose first member here is that event: those
 * here, none of which is like another. */
struct far_instance;
bool clock_spanning_add(struct clock_spanning *s, const struct far_instance *instance, uint32_t first, uint32_t count);

/* distrusted: per communicator; becomes that of all ranks. What holds nobody gets NO_MEMBERS in
 * points->first_member. */
enum err_code clock_spanning_meet(struct clock_spanning *s, const struct team *team, bool *distrusted, struct err *e);

/* The entry of a member that is here. */
uint32_t clock_spanning_member(const struct clock_spanning *s, uint32_t instance, uint32_t process);

#endif
