#include "relate_int.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/trace/far.h"

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
static uint32_t rank_of(const struct relate_far *far, uint32_t i)
{
	event_type type = far->t->type[i];

	return EVENT_KIND(type) == EVENT_SEND && EVENT_INDEX(type) ? far->owner[EVENT_INDEX(type) - 1] : far->rank;
}

static bool make_buffers(const struct relate_far *far, struct outgoing *out, bool related)
{
	bool made = true;

	for (uint32_t i = 0; i < far->t->event_count; i++)
		out[rank_of(far, i)].sends++;
	out[far->rank].sends = 0;
	for (uint32_t r = 0; r < far->ranks; r++) {
		if (!out[r].sends)
			continue;
		out[r].bytes.n = sends_bytes_of(out[r].sends, related);
		out[r].bytes.bytes = mem_alloc(out[r].bytes.n, 1);
		made = made && out[r].bytes.bytes;
	}
	return made;
}

/* A channel's number among those to its rank is kept in `receives`, which nothing else needs. */
static bool fill_buffers(const struct relate_far *far, struct outgoing *out, struct message_channels *channels,
			 const struct remote_messages *remote, bool related)
{
	const struct trace *t = far->t;

	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			struct outgoing *to = &out[rank_of(far, i)];
			struct channel channel;
			uint32_t number, known = (uint32_t)channels->count;

			if (to == &out[far->rank])
				continue;
			channel = channel_of(t, remote, p, i);
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

static bool append_channels(const struct relate_far *far, struct outgoing *out, const struct message_channels *channels)
{
	for (uint32_t r = 0; r < far->ranks; r++) {
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
		struct team_bytes *to = &out[far->owner[channels->list[c].destination]].bytes;

		memcpy((char *)to->bytes + to->n, &channels->list[c], sizeof channels->list[c]);
		to->n += sizeof channels->list[c];
	}
	return true;
}

/* One column longer; the old one stands where there is no memory. */
#define LENGTHEN(t, column, n)                                                                  \
	do {                                                                                    \
		void *longer = mem_resize((t)->column, (n), sizeof *(t)->column);               \
		(t)->column = longer ? longer : (t)->column;                                    \
		made = made && longer;                                                          \
	} while (0)

static bool set_columns(struct relate_far *far, bool related)
{
	struct trace *t = far->t;
	size_t n = (size_t)t->event_count + far->count;
	bool made = true;

	LENGTHEN(t, type, n);
	LENGTHEN(t, time, n);
	LENGTHEN(t, size_code, n);
	LENGTHEN(t, match, n);
	for (uint32_t r = 0; made && r < far->ranks; r++) {
		const struct far_sends *from = &far->from[r];
		void *bytes = far->bytes[r].bytes;

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

static enum err_code far_sends_take(struct relate_far *far, bool related, struct err *e)
{
	uint64_t at = far->t->event_count;

	for (uint32_t r = 0; r < far->ranks; r++) {
		struct far_sends *from = &far->from[r];
		char *bytes = far->bytes[r].bytes;
		const struct sends_header *header = (const struct sends_header *)bytes;

		from->first = (uint32_t)at;
		if (!far->bytes[r].n)
			continue;
		from->count = header->sends;
		from->channel_count = header->channels;
		from->channel = column_of(bytes, from->count, CHANNEL);
		from->event = column_of(bytes, from->count, EVENT);
		from->channels = (const struct channel *)(bytes + sends_bytes_of(from->count, related));
		at += from->count;
		if (at >= NO_EVENT)
			return err_set(e, ERR_LIMIT, "a rank has more than %u events and messages from others; give the job more ranks", NO_EVENT - 1);
	}
	far->count = (uint32_t)at - far->t->event_count;
	return set_columns(far, related) ? ERR_OK : err_memory(e, "messages from other ranks");
}

static enum err_code far_sends_prepare(struct relate_far *far, struct outgoing *out, const struct remote_messages *remote, bool related,
			     struct err *e)
{
	struct message_channels channels = {0};
	bool made = out && far->from && far->owner && far->bytes;

	for (uint32_t r = 0; made && r < far->ranks; r++)
		for (uint32_t p = far->t->far->owner_first[r]; p < far->t->far->owner_first[r + 1]; p++)
			far->owner[p] = r;
	made = made && make_buffers(far, out, related) && fill_buffers(far, out, &channels, remote, related) &&
	       append_channels(far, out, &channels);
	message_channels_release(&channels);
	return made ? ERR_OK : err_memory(e, "messages to other ranks");
}

enum err_code relate_far_begin(struct relate_far *far, struct trace *t, const struct remote_messages *remote, bool related, struct err *e)
{
	const struct team *team = t->far->team;
	struct outgoing *out = mem_zero(team->size, sizeof *out);
	struct team_bytes *to = mem_zero(team->size, sizeof *to);
	enum err_code code;

	*far = (struct relate_far){.t = t, .rank = team->rank, .ranks = team->size};
	far->from = mem_zero(far->ranks, sizeof *far->from);
	far->owner = mem_alloc(t->process_count, sizeof *far->owner);
	far->bytes = mem_zero(far->ranks, sizeof *far->bytes);
	code = to ? far_sends_prepare(far, out, remote, related, e) : err_memory(e, "messages to other ranks");
	for (uint32_t r = 0; !code && r < far->ranks; r++)
		to[r] = out[r].bytes;
	code = code ? team_agree(team, code, e) : team_exchange(team, to, far->bytes, e);
	for (uint32_t r = 0; out && r < far->ranks; r++)
		mem_free(out[r].bytes.bytes);
	mem_free(out);
	mem_free(to);
	return code ? code : team_agree(team, far_sends_take(far, related, e), e);
}

/* The rank that an event came from. */
static const struct far_sends *from_of(const struct relate_far *far, uint32_t event)
{
	uint32_t low = 0, high = far->ranks; /* the last one that does not begin behind it */

	while (low + 1 < high) {
		uint32_t mid = low + (high - low) / 2;

		if (far->from[mid].first <= event)
			low = mid;
		else
			high = mid;
	}
	return &far->from[low];
}

uint32_t relate_far_process(const struct relate_far *far, uint32_t event)
{
	const struct far_sends *from;

	if (event < far->t->event_count)
		return trace_process_of(far->t, event);
	from = from_of(far, event);
	return far_source(from, event - from->first);
}

uint32_t relate_far_event(const struct relate_far *far, uint32_t event)
{
	const struct far_sends *from;

	if (event < far->t->event_count)
		return event;
	from = from_of(far, event);
	return from->event[event - from->first];
}

/* ---- and back ---- */

/* How many of the own events have their partner elsewhere. replies: per rank, for each send that went there. */
static uint32_t count_far(const struct relate_far *far, const struct team_bytes *replies)
{
	uint32_t count = 0;

	for (uint32_t r = 0; r < far->ranks; r++) {
		const uint32_t *reply = replies[r].bytes;

		for (size_t i = 0; r != far->rank && i < replies[r].n / sizeof *reply; i++)
			count += reply[i] != NO_EVENT;
	}
	for (uint32_t i = 0; i < far->count; i++)
		count += far->t->match[far->t->event_count + i] != NO_EVENT;
	return count;
}

static void set_messages(const struct relate_far *far, const struct team_bytes *replies, uint32_t *taken)
{
	struct trace *t = far->t;
	struct trace_far *to = t->far;

	for (uint32_t i = 0; i < t->event_count; i++) {
		struct far_message message = {.event = i};

		if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE)
			continue;
		message.rank = rank_of(far, i);
		if (message.rank != far->rank) {
			message.other = ((const uint32_t *)replies[message.rank].bytes)[taken[message.rank]++];
			t->match[i] = message.other;
		} else if (t->match[i] >= t->event_count && t->match[i] != NO_EVENT) {
			message.rank = far->owner[EVENT_INDEX(t->type[i]) - 1];
			message.other = far->from[message.rank].event[t->match[i] - far->from[message.rank].first];
		}
		if (message.rank == far->rank || t->match[i] == NO_EVENT)
			continue;
		t->match[i] = FAR_EVENT + to->message_count;
		to->message[to->message_count++] = message;
	}
}

/* The own events alone again. Where a column cannot be made shorter it stays longer. */
static void shorten(struct trace *t)
{
	bool made = true;

	LENGTHEN(t, type, t->event_count);
	LENGTHEN(t, time, t->event_count);
	LENGTHEN(t, size_code, t->event_count);
	LENGTHEN(t, match, t->event_count);
	(void)made;
}

enum err_code relate_far_end(struct relate_far *far, enum err_code code, struct err *e)
{
	struct trace *t = far->t;
	const struct team *team = t->far->team;
	struct team_bytes *to = mem_zero(far->ranks, sizeof *to), *replies = mem_zero(far->ranks, sizeof *replies);
	uint32_t *taken = mem_zero(far->ranks, sizeof *taken);

	if (!code && (!to || !replies || !taken))
		code = err_memory(e, "messages from other ranks");
	for (uint32_t r = 0; !code && r < far->ranks; r++)
		to[r] = (struct team_bytes){t->match + far->from[r].first, far->from[r].count * sizeof *t->match};
	code = code ? team_agree(team, code, e) : team_exchange(team, to, replies, e);
	if (!code) {
		t->far->message = mem_alloc(count_far(far, replies), sizeof *t->far->message);
		if (t->far->message)
			set_messages(far, replies, taken);
		code = team_agree(team, t->far->message ? ERR_OK : err_memory(e, "messages from other ranks"), e);
	}
	if (replies)
		team_bytes_free(replies, far->ranks);
	mem_free(to);
	mem_free(replies);
	mem_free(taken);
	if (!code)
		shorten(t);
	return code;
}

void relate_far_release(struct relate_far *far)
{
	if (far->bytes)
		team_bytes_free(far->bytes, far->ranks);
	mem_free(far->bytes);
	mem_free(far->from);
	mem_free(far->owner);
}
