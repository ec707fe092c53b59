/* Channels that messages go through, numbered as they are met: (communicator, source, destination, tag); between the
 * sides of an intercommunicator each side's own local communicator stands for it, so a channel names both.
 */
#ifndef PAS2P_RELATE_CHANNELS_H
#define PAS2P_RELATE_CHANNELS_H

#include "relate.h"

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
struct remote_messages {
	const struct remote_message *list;
	size_t count;
};

/* The channel of message i of process p, whose partner is known. */
struct channel channel_of(const struct trace *t, const struct remote_messages *remote, uint32_t p, uint32_t i);

#endif
