#include "relate_int.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/search.h"
#include "core/trace/remote.h"

/* What goes to a rank: this, then per send its time, channel, event, size and, where the format gives some, relation;
 * then the channels. */
struct sends_header {
	uint32_t sends, channels;
};

struct outgoing {
	struct team_bytes bytes;
	uint32_t sends, filled, channels;
};

static size_t sends_bytes_of(uint32_t sends, bool related)
{
	return sizeof(struct sends_header) + sends * (sizeof(double) + (related ? 4 : 3) * sizeof(uint32_t));
}

/* The columns of so many sends. */
static double *times_of(void *bytes)
{
	void *times = (char *)bytes + sizeof(struct sends_header);

	return times;
}

enum column { CHANNEL, EVENT, SIZE, RELATION };

static uint32_t *column_of(void *bytes, uint32_t sends, enum column column)
{
	void *columns = times_of(bytes) + sends;

	return (uint32_t *)columns + (size_t)sends * column;
}

/* The rank that a send goes to; the own one: it stays here, or is of nobody that is known. */
static uint32_t rank_of(const struct relate_remote *remote, uint32_t i)
{
	event_type type = remote->t->type[i];

	return EVENT_KIND(type) == EVENT_SEND && EVENT_INDEX(type) ? remote->owner[EVENT_INDEX(type) - 1] : remote->rank;
}

static bool make_buffers(const struct relate_remote *remote, struct outgoing *out, bool related)
{
	bool made = true;

	for (uint32_t i = 0; i < remote->t->event_count; i++)
		out[rank_of(remote, i)].sends++;
	out[remote->rank].sends = 0;
	for (uint32_t r = 0; r < remote->ranks; r++) {
		if (!out[r].sends)
			continue;
		out[r].bytes.n = sends_bytes_of(out[r].sends, related);
		out[r].bytes.bytes = mem_alloc(out[r].bytes.n, 1);
		made = made && out[r].bytes.bytes;
	}
	return made;
}

/* A channel's number among those to its rank is kept in `receives`, which nothing else needs. */
static bool fill_buffers(const struct relate_remote *remote, struct outgoing *out, struct message_channels *channels,
			 const struct intercomm_messages *intercomm, bool related)
{
	const struct trace *t = remote->t;

	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			struct outgoing *to = &out[rank_of(remote, i)];
			struct channel channel;
			uint32_t number, known = (uint32_t)channels->count;

			if (to == &out[remote->rank])
				continue;
			channel = channel_of(t, intercomm, p, i);
			number = channel_number(channels, &channel);
			if (number == NO_EVENT)
				return false;
			if (number == known)
				channels->list[number].receives = to->channels++;
			times_of(to->bytes.bytes)[to->filled] = t->time[i];
			column_of(to->bytes.bytes, to->sends, CHANNEL)[to->filled] = channels->list[number].receives;
			column_of(to->bytes.bytes, to->sends, EVENT)[to->filled] = i;
			column_of(to->bytes.bytes, to->sends, SIZE)[to->filled] = t->size_code[i];
			if (related)
				column_of(to->bytes.bytes, to->sends, RELATION)[to->filled] = t->match[i];
			to->filled++;
		}
	return true;
}

static bool append_channels(const struct relate_remote *remote, struct outgoing *out, const struct message_channels *channels)
{
	for (uint32_t r = 0; r < remote->ranks; r++) {
		struct team_bytes *to = &out[r].bytes;
		void *grown;

		if (!to->n)
			continue;
		*(struct sends_header *)to->bytes = (struct sends_header){out[r].sends, out[r].channels};
		grown = mem_resize(to->bytes, to->n + out[r].channels * sizeof(struct channel), 1);
		if (!grown)
			return false;
		to->bytes = grown;
	}
	for (size_t c = 0; c < channels->count; c++) {
		struct team_bytes *to = &out[remote->owner[channels->list[c].destination]].bytes;

		memcpy((char *)to->bytes + to->n, &channels->list[c], sizeof channels->list[c]);
		to->n += sizeof channels->list[c];
	}
	return true;
}

/* One column longer; the old one stands if there is no memory. */
#define LENGTHEN(t, column, n)                                                                  \
	do {                                                                                    \
		void *longer = mem_resize((t)->column, (n), sizeof *(t)->column);               \
		(t)->column = longer ? longer : (t)->column;                                    \
		made = made && longer;                                                          \
	} while (0)

static bool set_columns(struct relate_remote *remote, bool related)
{
	struct trace *t = remote->t;
	size_t n = (size_t)t->event_count + remote->count;
	bool made = true;

	LENGTHEN(t, type, n);
	LENGTHEN(t, time, n);
	LENGTHEN(t, size_code, n);
	LENGTHEN(t, match, n);
	for (uint32_t r = 0; made && r < remote->ranks; r++) {
		const struct remote_sends *from = &remote->from[r];
		void *bytes = remote->bytes[r].bytes;

		if (!from->count)
			continue;
		memcpy(t->time + from->first, times_of(bytes), from->count * sizeof *t->time);
		memcpy(t->size_code + from->first, column_of(bytes, from->count, SIZE), from->count * sizeof *t->size_code);
		if (related)
			memcpy(t->match + from->first, column_of(bytes, from->count, RELATION), from->count * sizeof *t->match);
		for (uint32_t i = 0; i < from->count; i++)
			t->type[from->first + i] = EVENT_SEND | (from->channels[from->channel[i]].destination + 1);
	}
	return made;
}

static enum err_code remote_sends_take(struct relate_remote *remote, bool related, struct err *e)
{
	uint64_t at = remote->t->event_count;

	for (uint32_t r = 0; r < remote->ranks; r++) {
		struct remote_sends *from = &remote->from[r];
		char *bytes = remote->bytes[r].bytes;
		const struct sends_header *header = (const struct sends_header *)bytes;

		from->first = (uint32_t)at;
		if (!remote->bytes[r].n)
			continue;
		from->count = header->sends;
		from->channel_count = header->channels;
		from->channel = column_of(bytes, from->count, CHANNEL);
		from->event = column_of(bytes, from->count, EVENT);
		from->channels = (const struct channel *)(bytes + sends_bytes_of(from->count, related));
		at += from->count;
		if (at >= NO_EVENT)
			return err_set(e, ERR_LIMIT, "an analysis rank has more than %u events and messages of other ranks: start the analysis with more ranks", NO_EVENT - 1);
	}
	remote->count = (uint32_t)at - remote->t->event_count;
	return set_columns(remote, related) ? ERR_OK : err_memory(e, "messages from other ranks");
}

static enum err_code remote_sends_prepare(struct relate_remote *remote, struct outgoing *out, const struct intercomm_messages *intercomm, bool related,
			     struct err *e)
{
	struct message_channels channels = {0};
	bool made = out && remote->from && remote->owner && remote->bytes;

	for (uint32_t r = 0; made && r < remote->ranks; r++)
		for (uint32_t p = remote->t->remote->owner_first[r]; p < remote->t->remote->owner_first[r + 1]; p++)
			remote->owner[p] = r;
	made = made && make_buffers(remote, out, related) && fill_buffers(remote, out, &channels, intercomm, related) &&
	       append_channels(remote, out, &channels);
	message_channels_release(&channels);
	return made ? ERR_OK : err_memory(e, "messages to other ranks");
}

enum err_code relate_remote_begin(struct relate_remote *remote, struct trace *t, const struct intercomm_messages *intercomm, bool related, struct err *e)
{
	const struct team *team = t->remote->team;
	struct outgoing *out = mem_zero(team->size, sizeof *out);
	struct team_bytes *to = mem_zero(team->size, sizeof *to);
	enum err_code code;

	*remote = (struct relate_remote){.t = t, .rank = team->rank, .ranks = team->size};
	remote->from = mem_zero(remote->ranks, sizeof *remote->from);
	remote->owner = mem_alloc(t->process_count, sizeof *remote->owner);
	remote->bytes = mem_zero(remote->ranks, sizeof *remote->bytes);
	code = to ? remote_sends_prepare(remote, out, intercomm, related, e) : err_memory(e, "messages to other ranks");
	for (uint32_t r = 0; !code && r < remote->ranks; r++)
		to[r] = out[r].bytes;
	code = code ? team_agree(team, code, e) : team_exchange(team, to, remote->bytes, e);
	for (uint32_t r = 0; out && r < remote->ranks; r++)
		mem_free(out[r].bytes.bytes);
	mem_free(out);
	mem_free(to);
	return code ? code : team_agree(team, remote_sends_take(remote, related, e), e);
}

/* The rank that an event came from. */
static const struct remote_sends *from_of(const struct relate_remote *remote, uint32_t event)
{
	return &remote->from[SEARCH_LAST(i, 0, remote->ranks, remote->from[i].first <= event)];
}

uint32_t relate_remote_process(const struct relate_remote *remote, uint32_t event)
{
	const struct remote_sends *from;

	if (event < remote->t->event_count)
		return trace_process_of(remote->t, event);
	from = from_of(remote, event);
	return remote_source(from, event - from->first);
}

uint32_t relate_remote_event(const struct relate_remote *remote, uint32_t event)
{
	const struct remote_sends *from;

	if (event < remote->t->event_count)
		return event;
	from = from_of(remote, event);
	return from->event[event - from->first];
}

/* ---- and back ---- */

/* How many of the local events have their partner elsewhere. replies: per rank, for each send that went there. */
static uint32_t count_remote(const struct relate_remote *remote, const struct team_bytes *replies)
{
	uint32_t count = 0;

	for (uint32_t r = 0; r < remote->ranks; r++) {
		const uint32_t *reply = replies[r].bytes;

		for (size_t i = 0; r != remote->rank && i < replies[r].n / sizeof *reply; i++)
			count += reply[i] != NO_EVENT;
	}
	for (uint32_t i = 0; i < remote->count; i++)
		count += remote->t->match[remote->t->event_count + i] != NO_EVENT;
	return count;
}

static void set_messages(const struct relate_remote *remote, const struct team_bytes *replies, uint32_t *taken)
{
	struct trace *t = remote->t;
	struct trace_remote *to = t->remote;

	for (uint32_t i = 0; i < t->event_count; i++) {
		struct remote_message message = {.event = i};

		if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE)
			continue;
		message.rank = rank_of(remote, i);
		if (message.rank != remote->rank) {
			message.other = ((const uint32_t *)replies[message.rank].bytes)[taken[message.rank]++];
			t->match[i] = message.other;
		} else if (t->match[i] >= t->event_count && t->match[i] != NO_EVENT) {
			message.rank = remote->owner[EVENT_INDEX(t->type[i]) - 1];
			message.other = remote->from[message.rank].event[t->match[i] - remote->from[message.rank].first];
		}
		if (message.rank == remote->rank || t->match[i] == NO_EVENT)
			continue;
		t->match[i] = REMOTE_EVENT + to->message_count;
		to->message[to->message_count++] = message;
	}
}

/* The local events alone again. Where a column cannot be made shorter it stays longer. */
static void shorten(struct trace *t)
{
	bool made = true;

	LENGTHEN(t, type, t->event_count);
	LENGTHEN(t, time, t->event_count);
	LENGTHEN(t, size_code, t->event_count);
	LENGTHEN(t, match, t->event_count);
	(void)made;
}

enum err_code relate_remote_end(struct relate_remote *remote, enum err_code code, struct err *e)
{
	struct trace *t = remote->t;
	const struct team *team = t->remote->team;
	struct team_bytes *to = mem_zero(remote->ranks, sizeof *to), *replies = mem_zero(remote->ranks, sizeof *replies);
	uint32_t *taken = mem_zero(remote->ranks, sizeof *taken);

	if (!code && (!to || !replies || !taken))
		code = err_memory(e, "messages from other ranks");
	for (uint32_t r = 0; !code && r < remote->ranks; r++)
		to[r] = (struct team_bytes){t->match + remote->from[r].first, remote->from[r].count * sizeof *t->match};
	code = code ? team_agree(team, code, e) : team_exchange(team, to, replies, e);
	if (!code) {
		t->remote->message = mem_alloc(count_remote(remote, replies), sizeof *t->remote->message);
		if (t->remote->message)
			set_messages(remote, replies, taken);
		code = team_agree(team, t->remote->message ? ERR_OK : err_memory(e, "messages from other ranks"), e);
	}
	if (replies)
		team_bytes_free(replies, remote->ranks);
	mem_free(to);
	mem_free(replies);
	mem_free(taken);
	if (!code)
		shorten(t);
	return code;
}

void relate_remote_release(struct relate_remote *remote)
{
	if (remote->bytes)
		team_bytes_free(remote->bytes, remote->ranks);
	mem_free(remote->bytes);
	mem_free(remote->from);
	mem_free(remote->owner);
}
