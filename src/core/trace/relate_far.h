/* Sends to processes of other ranks of a team (docs/scale.md 2). They go to the rank of the destination, which relates
 * them with its own receives, and which then tells the sender's rank what became of them.
 *
 *     relate_far_begin(&far, t, &remote, related, &e);  a meeting: what came stands behind the own events
 *     ... messages are related ...
 *     relate_far_end(&far, code, &e);                   a meeting: match[] and t->far->message are complete
 *     relate_far_release(&far);                         also after an error
 *
 * In between the columns type, time, size and match have what came, too, as events from t->event_count on, by rank and
 * then as their processes made them. So who goes through all messages in the order of a whole trace goes through those
 * of the lower ranks, the own events, and those of the higher ranks.
 */
#ifndef PAS2P_RELATE_FAR_H
#define PAS2P_RELATE_FAR_H

#include "core/team/team.h"
#include "relate_channels.h"

struct far_sends {
	uint32_t first, count;          /* where the sends of a rank are in the columns */
	const struct channel *channels; /* theirs */
	uint32_t channel_count;
	const uint32_t *channel;        /* per send: index into channels */
	const uint32_t *event;          /* per send: as its rank numbers it */
};

struct relate_far {
	struct trace *t;
	uint32_t rank, ranks;
	uint32_t count;                 /* sends that came */
	struct far_sends *from;         /* per rank */
	uint32_t *owner;                /* per process */
	struct team_bytes *bytes;       /* what came, per rank */
};

/* related: match[] has a format's numbers of relations, and so it is with what came. */
enum err_code relate_far_begin(struct relate_far *far, struct trace *t, const struct remote_messages *remote, bool related, struct err *e);
/* code, e: what relating came to here. match[] has the receive of each send that came, NO_EVENT: none; and of each own
 * receive its send. */
enum err_code relate_far_end(struct relate_far *far, enum err_code code, struct err *e);
void relate_far_release(struct relate_far *far);

/* The process of an event in the columns, whoever's it is. */
uint32_t relate_far_process(const struct relate_far *far, uint32_t event);

/* And the number that it has on its rank. */
uint32_t relate_far_event(const struct relate_far *far, uint32_t event);

/* Of all that came: the source of send i of a rank. */
static inline uint32_t far_source(const struct far_sends *from, uint32_t i)
{
	return from->channels[from->channel[i]].source;
}

#endif
