/* Declarations that only the files of src/core/trace/relate use. Each part begins with its own description. */
#ifndef PAS2P_CORE_TRACE_RELATE_RELATE_INT_H
#define PAS2P_CORE_TRACE_RELATE_RELATE_INT_H

#include "relate.h"
#include "core/team/team.h"
#include "core/trace/trace.h"

/* ---- channels ---- */

/* Channels that messages go through, numbered as they are met: (communicator, source, destination, tag); between the
 * sides of an intercommunicator each side's own local communicator stands for it, so a channel names both.
 */

struct channel {
	uint32_t source, destination, source_comm, destination_comm;
	int32_t tag;
	uint32_t sends, receives; /* counts, then ends in the sorted list */
};

struct message_channels {
	struct channel *list;
	uint32_t *slots;          /* channel + 1 */
	size_t count, cap, slot_count;
};

void message_channels_release(struct message_channels *channels);

/* The number of a channel, made where new; NO_EVENT: no memory. */
uint32_t channel_number(struct message_channels *channels, const struct channel *channel);

/* The messages between communicators, sorted. */
struct intercomm_messages {
	const struct intercomm_message *list;
	size_t count;
};

/* The channel of message i of process p, whose partner is known. */
struct channel channel_of(const struct trace *t, const struct intercomm_messages *intercomm, uint32_t p, uint32_t i);

/* ---- remote ---- */

/* Sends to processes of other ranks of a team (docs/internals/scale.md 2). They go to the rank of the destination,
 * which relates them with its own receives, and which then tells the sender's rank what became of them.
 *
 *     relate_remote_begin(&remote, t, &intercomm, related, &e);  a collective step: what came stands behind the local events
 *     ... messages are related ...
 *     relate_remote_end(&remote, code, &e);                      a collective step: match[] and t->remote->message are complete
 *     relate_remote_release(&remote);                            also after an error
 *
 * In between the columns type, time, size and match have what came, too, as events from t->event_count on, by rank and
 * then as their processes made them. So who goes through all messages in the order of a whole trace goes through those
 * of the lower ranks, the local events, and those of the higher ranks.
 */

struct remote_sends {
	uint32_t first, count;          /* where the sends of a rank are in the columns */
	const struct channel *channels; /* theirs */
	uint32_t channel_count;
	const uint32_t *channel;        /* per send: index into channels */
	const uint32_t *event;          /* per send: as its rank numbers it */
};

struct relate_remote {
	struct trace *t;
	uint32_t rank, ranks;
	uint32_t count;                 /* sends that came */
	struct remote_sends *from;      /* per rank */
	uint32_t *owner;                /* per process */
	struct team_bytes *bytes;       /* what came, per rank */
};

/* related: match[] has a format's numbers of relations, and so it is with what came. */
enum err_code relate_remote_begin(struct relate_remote *remote, struct trace *t, const struct intercomm_messages *intercomm, bool related, struct err *e);
/* code, e: what relating came to here. match[] has the receive of each send that came, NO_EVENT: none; and of each own
 * receive its send. */
enum err_code relate_remote_end(struct relate_remote *remote, enum err_code code, struct err *e);
void relate_remote_release(struct relate_remote *remote);

/* The process of an event in the columns, whoever's it is. */
uint32_t relate_remote_process(const struct relate_remote *remote, uint32_t event);

/* And the number that it has on its rank. */
uint32_t relate_remote_event(const struct relate_remote *remote, uint32_t event);

/* Of all that came: the source of send i of a rank. */
static inline uint32_t remote_source(const struct remote_sends *from, uint32_t i)
{
	return from->channels[from->channel[i]].source;
}

/* ---- instance ---- */

/* One instance of a collective: the k-th that members of a communicator call (docs/explain/method.md, "Messages and
 * collectives"). Those of one type belong together, and are a ring through match[].
 */

/* Do n events agree on their type? */
bool instance_agrees(const struct trace *t, const uint32_t *events, uint32_t n);

/* By type, and then by number. */
void instance_sort(const struct trace *t, uint32_t *events, uint32_t n);

/* Close the ring of the events from `begin` of the sorted list on; returned is where the next ring begins. */
uint32_t instance_close(struct trace *t, const uint32_t *events, uint32_t n, uint32_t begin);

struct instance_odd {
	uint32_t comm, k, event; /* its first member's */
	uint32_t members, expected;
	bool agree;
};

/* The members do not agree, or are not all there. Noted in the order of communicators and k. */
void instance_note(struct notes *notes, const struct trace *t, const struct instance_odd *odd);

/* ---- spanning ---- */

/* Relating collectives of communicators that have members on several ranks (docs/internals/scale.md 2).
 *
 *     s = spanning_new(t);
 *     spanning_count(s, comm, members, longest, &e);  of each communicator with collectives here
 *     spanning_exchange(s, &e);                           a collective step
 *     spanning_has(s, comm)                           has it collectives on other ranks, too?
 *     spanning_send(s, comm, ...);                    of each such one, in order
 *     spanning_relate(s, notes, &e);                  a collective step: t->remote has the instances that span ranks
 *     spanning_free(s);
 *
 * The instances of a communicator are shared out among the ranks that have some, by ranges of k. A rank closes the
 * rings of its own members and tells, of each ring, its type and how many are in it: 8 bytes. Who relates an instance
 * tells each what its owner is: the lowest rank that takes part; and the lowest one whether it is odd.
 */

struct spanning;

/* The collectives of one member of a communicator: places in the sorted list. */
struct spanning_member {
	uint32_t begin, end;
};

struct spanning *spanning_new(struct trace *t); /* NULL: no memory */
void spanning_free(struct spanning *s);         /* NULL is fine */

/* longest: collectives of the busiest member. */
enum err_code spanning_count(struct spanning *s, uint32_t comm, uint32_t members, uint32_t longest, struct err *e);
enum err_code spanning_exchange(struct spanning *s, struct err *e);
bool spanning_has(const struct spanning *s, uint32_t comm);

/* room: for twice as many numbers as there are processes. */
enum err_code spanning_send(struct spanning *s, uint32_t comm, const uint32_t *sorted, const struct spanning_member *members, uint32_t count,
			    uint32_t *room, struct err *e);
enum err_code spanning_relate(struct spanning *s, struct notes *notes, struct err *e);

#endif
