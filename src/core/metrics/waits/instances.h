/* Instances: the members of each collective, in the order in which they came (docs/reference/metrics.md, "Waiting" and
 * "Ideal network"). Internal to the metrics.
 *
 * Every collective event in a call has a place. The members of one instance have consecutive places, by the start of
 * their calls, then by event. So the members that arrived up to some moment are the places from the first of the
 * instance to one that a binary search finds, and no search looks at all members.
 *
 * For a collective with members on other ranks of a team (core/metrics/calls/remote.h) only those here have places;
 * remote_collective says what is known of the others.
 *
 * Cost: O(members log members) per instance, less the more of them are in order; 12 bytes per collective event, 12 more
 * for every 64 events; while it is made, 32 per member of the largest instance. The log must outlive it.
 */
#ifndef PAS2P_CORE_METRICS_WAITS_INSTANCES_H
#define PAS2P_CORE_METRICS_WAITS_INSTANCES_H

#include "core/metrics/calls/remote.h"

#define NO_PLACE UINT32_MAX

struct instances {
	const struct call_log *log;
	uint32_t count;          /* places */
	uint32_t *call;          /* by place: whose it is */
	uint32_t *instance;      /* by place */
	uint32_t *first;         /* per instance: its first place; after the last one: count */
	double *last;            /* per instance: when its last one came; looking it up each time would double the cost of the waits */
	uint32_t *root;          /* per instance: the place of its root, NO_PLACE: not known */
	uint32_t *remote;        /* per instance: the number of its remote collective, NO_PLACE: all members are here; NULL: no rank has others */
	uint32_t instance_count;
	uint64_t *has_place;     /* a bit per event */
	uint32_t *ranks;         /* per 64 events: how many before them have one */
	uint32_t *place;         /* by an event's rank among those that have one */
};

/* ERR_MEMORY, ERR_CANCELLED. */
enum err_code instances_init(struct instances *m, const struct call_log *log, const struct progress *progress, struct err *e);
void instances_release(struct instances *m);

/* NO_PLACE: not a collective, or in no call. */
uint32_t instances_place(const struct instances *m, uint32_t event);

/* What is known of the collective of an event that has a place; NULL: all its members are here. */
static inline const struct remote_collective *instances_remote(const struct instances *m, uint32_t event)
{
	uint32_t place = m->remote ? instances_place(m, event) : NO_PLACE;
	uint32_t number = place == NO_PLACE ? NO_PLACE : m->remote[m->instance[place]];

	return number == NO_PLACE ? NULL : &m->log->remote->collective[number];
}

/* The root's call, where `call` waits for that alone at its collective `part` (call_log_root_role()), and it came
 * before the call returned. NO_LOGGED_CALL: it does not. m NULL: slower, by going round. For a collective whose members
 * are all here. */
uint32_t instances_root(const struct call_log *log, const struct instances *m, uint32_t call, struct call_part part);
/* The same of one with members on other ranks; NULL: it does not. */
const struct remote_member *instances_remote_root(const struct call_log *log, const struct remote_collective *remote, uint32_t call, struct call_part part);

/* The call at a place, and when it came. */
static inline uint32_t instances_call(const struct instances *m, uint32_t place)
{
	return m->call[place];
}
static inline double instances_start(const struct instances *m, uint32_t place)
{
	return m->log->calls[instances_call(m, place)].start;
}

/* Of the instance at `place`, the last place whose call began at `until` or before (INFINITY: the last of all), and the
 * first one of those that came at the same time as that. NO_PLACE: none began by then. */
uint32_t instances_until(const struct instances *m, uint32_t place, double until);
uint32_t instances_first_as_late(const struct instances *m, uint32_t place);

#endif
