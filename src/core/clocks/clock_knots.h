/* Where records of different processes bind each other's times: sends and receives, begins and ends of collectives that
 * hold their members (docs/clocks.md 4). Internal to clock_correct.
 *
 * A knot is such a record. Knots of a process come by record; several may be of one. A message's knots are both there
 * or none; of a collective all are.
 */
#ifndef PAS2P_CLOCK_KNOTS_H
#define PAS2P_CLOCK_KNOTS_H

#include "clock_points.h"
#include "clock_records.h"

enum knot_kind { KNOT_SEND, KNOT_RECEIVE, KNOT_BEGIN, KNOT_END };

struct knot {
	uint32_t record;     /* from 0 within its process: of a send, the one that has the send time */
	uint32_t what;       /* of a message: the other end's record; of a collective: the entry of times->held */
	event_type kind_process; /* as an event's type: ask knot_kind(), knot_process() */
};

static inline enum knot_kind knot_kind(const struct knot *k)
{
	return (enum knot_kind)(k->kind_process >> 30);
}

/* Of a message, the process of the other end. */
static inline uint32_t knot_process(const struct knot *k)
{
	return EVENT_INDEX(k->kind_process);
}

struct clock_knots {
	const struct clock_points *points;
	const struct clock_records *records;
	struct knot *list;
	size_t *first;       /* process_count + 1 */
};

enum err_code clock_knots_init(struct clock_knots *k, const struct clock_points *points, const struct clock_records *records, struct err *e);
void clock_knots_release(struct clock_knots *k);

/* The number, in the list, of the send of a message that the process receives. */
size_t clock_knots_send(const struct clock_knots *k, uint32_t process, const struct knot *receive);

/* Of a collective's entry: the first of its member[] entries, which names the instance, and how many it has. */
uint32_t clock_knots_instance(const struct clock_knots *k, uint32_t entry);
uint32_t clock_knots_members(const struct clock_knots *k, uint32_t entry);

/* The two extremes of an instance's times, so that each member has that of all others. */
struct knot_extremes {
	double first, second; /* the largest (of begins) or smallest (of ends), and the next */
	uint32_t entry;       /* whose the first is */
};
void knot_extremes_add(struct knot_extremes *x, uint32_t entry, double time, bool largest);
static inline double knot_extremes_of_others(const struct knot_extremes *x, uint32_t entry)
{
	return x->entry == entry ? x->second : x->first;
}

/* The earliest receive of what was sent at that time, and the latest send of what was received: such that, as computed,
 * receive - send - latency is not below 0. */
double knot_receive_after(double send, double latency);
double knot_send_before(double receive, double latency);

/* How many receives and ends of collectives come before they can, by these times of all records. */
enum err_code clock_knots_violations(const struct clock_knots *k, const double *time, uint64_t *count, struct err *e);

#endif
