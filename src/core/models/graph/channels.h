/* Messages under way, first in first out for each source, destination and tag (docs/models.md 8).
 *
 * A message keeps when it can arrive under both views, and what copying it takes; nothing here knows of processes. Each
 * channel says when it was last touched, so that graph_int.h can tell which matter.
 */
#ifndef PAS2P_CORE_MODELS_GRAPH_CHANNELS_H
#define PAS2P_CORE_MODELS_GRAPH_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/index.h"
#include "core/models/language/language.h"

/* Clocks of both views: free low, free high, nested low, nested high. */
#define CLOCKS 4

#define NO_MESSAGE UINT32_MAX

struct message {
	double arrival[CLOCKS];
	struct interval copy;
	uint32_t box;  /* that it was sent in, where that is recorded */
	uint32_t next; /* in its channel, or free */
};

struct process_channel {
	double tag;
	uint32_t from, to;
	uint32_t first, last; /* messages; NO_MESSAGE: none is under way */
	uint32_t count;
	uint64_t touched;
};

struct channels {
	struct process_channel *items;
	size_t count, cap;
	struct index index;
	struct message *messages;
	size_t message_count, message_cap; /* with those that are free */
	uint32_t free;
	uint64_t under_way;
	uint64_t now; /* what `touched` becomes */
};

void channels_init(struct channels *c);
void channels_release(struct channels *c);

/* The channel's number, made where there was none; UINT32_MAX: no memory. */
uint32_t channels_find(struct channels *c, uint32_t from, uint32_t to, double tag);
/* A message behind the others, to be filled in at once; NULL: no memory. */
struct message *channels_put(struct channels *c, uint32_t channel);
/* Takes the first one out; false: there is none. */
bool channels_take(struct channels *c, uint32_t channel, struct message *m);

#endif
