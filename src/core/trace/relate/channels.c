#include "relate_int.h"

#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/mem.h"

void message_channels_release(struct message_channels *channels)
{
	mem_free(channels->list);
	mem_free(channels->slots);
}

static uint64_t hash_channel(const struct channel *channel)
{
	return hash_mix(hash_mix((uint32_t)channel->tag, (uint64_t)channel->source << 32 | channel->destination),
			(uint64_t)channel->source_comm << 32 | channel->destination_comm);
}

static bool channels_grow(struct message_channels *channels)
{
	size_t want = channels->slot_count ? channels->slot_count * 2 : 1024;
	uint32_t *slots = mem_zero(want, sizeof *slots);

	if (!slots)
		return false;
	mem_free(channels->slots);
	channels->slots = slots;
	channels->slot_count = want;
	for (size_t i = 0; i < channels->count; i++) {
		size_t at = hash_channel(&channels->list[i]) & (want - 1);

		while (slots[at])
			at = (at + 1) & (want - 1);
		slots[at] = (uint32_t)i + 1;
	}
	return true;
}

uint32_t channel_number(struct message_channels *channels, const struct channel *channel)
{
	size_t at, mask;
	struct channel *list;

	if ((channels->count + 1) * 2 > channels->slot_count && !channels_grow(channels))
		return NO_EVENT;
	mask = channels->slot_count - 1;
	for (at = hash_channel(channel) & mask; channels->slots[at]; at = (at + 1) & mask) {
		const struct channel *other = &channels->list[channels->slots[at] - 1];

		if (other->source == channel->source && other->destination == channel->destination &&
		    other->tag == channel->tag && other->source_comm == channel->source_comm &&
		    other->destination_comm == channel->destination_comm)
			return channels->slots[at] - 1;
	}
	list = mem_grow(channels->list, channels->count, &channels->cap, sizeof *list);
	if (!list)
		return NO_EVENT;
	channels->list = list;
	list[channels->count] = *channel;
	list[channels->count].sends = list[channels->count].receives = 0;
	channels->slots[at] = (uint32_t)++channels->count;
	return (uint32_t)channels->count - 1;
}

int relate_compare_intercomm(const void *a, const void *b)
{
	const struct intercomm_message *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* The communicator on the partner's side of process p's message number n: its own but between intercommunicators. */
static uint32_t partner_comm(const struct intercomm_messages *intercomm, uint32_t p, uint32_t n, uint32_t own)
{
	struct intercomm_message key = {p, n, 0}, *found = NULL;

	if (intercomm->count)
		found = bsearch(&key, intercomm->list, intercomm->count, sizeof key, relate_compare_intercomm);
	return found ? found->comm : own;
}

struct channel channel_of(const struct trace *t, const struct intercomm_messages *intercomm, uint32_t p, uint32_t i)
{
	uint32_t comm = trace_comm(t, i), other = partner_comm(intercomm, p, i - t->first[p], comm);
	struct channel channel = {.tag = trace_tag(t, i), .source_comm = comm, .destination_comm = comm};

	if (EVENT_KIND(t->type[i]) == EVENT_SEND) {
		channel.source = p;
		channel.destination = EVENT_INDEX(t->type[i]) - 1;
		channel.destination_comm = other;
	} else {
		channel.source = EVENT_INDEX(t->type[i]) - 1;
		channel.destination = p;
		channel.source_comm = other;
	}
	return channel;
}
