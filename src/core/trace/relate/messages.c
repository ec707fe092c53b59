/* Relating sends to receives, FIFO per channel (docs/explain/method.md, "Messages and collectives"; relate_int.h says
 * what a channel is).
 *
 * Threads share the channels by destination: each numbers its own, sorts their events by channel (a counting sort,
 * which keeps each side in its process's order), and pairs them, destination by destination.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/parallel.h"
#include "core/base/unit.h"
#include "relate_int.h"
#include "core/trace/remote.h"
#include "core/trace/trace.h"

/* One thread's channels: those to the processes from `first` up to, not including, `end`. */
struct message_part {
	uint32_t first, end;
	struct message_channels channels;
	uint32_t *sorted;         /* events by channel */
	struct notes notes;
	bool failed;
};

#define REPORT_EVERY 64 /* channels */

/* Done for every message: out of line it costs a sixth of relating. */
#define EACH_EVENT static inline __attribute__((always_inline))

struct message_relating {
	struct trace *t;
	const struct intercomm_messages *intercomm;
	const struct relate_remote *remote; /* NULL: all messages are here */
	const uint64_t *given;    /* of relate_given(); NULL: no message was */
	struct message_part *parts;
	unsigned part_count;
	const struct progress *progress;
};

/* Channels are numbered, events sorted by them, and paired: each a pass over all events, and a third of the work. */
enum pass { NUMBERING, SORTING, PAIRING, PASSES };

/* The first part stands for all, as they are of one size. */
static void relating_report_progress(const struct message_relating *relating, const struct message_part *part, enum pass pass, uint64_t done, uint64_t of)
{
	uint64_t events = relating->t->event_count;

	if (part == relating->parts)
		progress_report(relating->progress, PROGRESS_RELATE, (events * pass + (of ? events * done / of : 0)) / PASSES, events);
}

static bool is_given(const struct message_relating *relating, uint32_t i)
{
	return relating->given && relating->given[i / 64] >> i % 64 & 1;
}

/* Is event i, of process p, a message of this part? Its channel's number is kept in match[]. */
static bool is_mine(const struct message_part *part, const struct trace *t, uint32_t i, uint32_t p)
{
	event_type type = t->type[i];
	uint32_t destination = EVENT_KIND(type) == EVENT_SEND ? EVENT_INDEX(type) - 1 : p;

	return EVENT_KIND(type) != EVENT_COLLECTIVE && EVENT_INDEX(type) && destination - part->first < part->end - part->first;
}

/* A process comes back to a few channels again and again: these tell them without the table. Where envelopes do not
 * hold the tags, or some messages are between communicators, type and envelope do not tell a channel. */
#define RECENT 256

struct recent {
	event_type type;   /* EVENT_NONE: nothing yet */
	uint32_t envelope, process, number;
};

static struct recent *recent_of(struct recent *list, event_type type, uint32_t envelope)
{
	return &list[((type ^ envelope * 0x9e3779b1u) * 0x85ebca6bu) >> 24];
}

EACH_EVENT void count_event(struct message_part *part, const struct trace *t, uint32_t i, uint32_t channel)
{
	t->match[i] = channel;
	if (EVENT_KIND(t->type[i]) == EVENT_SEND)
		part->channels.list[channel].sends++;
	else
		part->channels.list[channel].receives++;
}

static bool number_local(const struct message_relating *relating, struct message_part *part)
{
	const struct trace *t = relating->t;
	struct recent list[RECENT] = {{0}};
	bool told_by_type = !t->tag && !relating->intercomm->count;

	for (uint32_t p = 0; p < t->process_count; p++) {
		relating_report_progress(relating, part, NUMBERING, t->first[p], t->event_count);
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			struct recent *recent = recent_of(list, t->type[i], t->envelope[i]);

			if (!is_mine(part, t, i, p) || is_given(relating, i))
				continue;
			if (recent->type != t->type[i] || recent->envelope != t->envelope[i] || recent->process != p || !told_by_type) {
				struct channel channel = channel_of(t, relating->intercomm, p, i);
				uint32_t number = channel_number(&part->channels, &channel);

				if (number == NO_EVENT)
					return false;
				*recent = (struct recent){t->type[i], t->envelope[i], p, number};
			}
			count_event(part, t, i, recent->number);
		}
	}
	return true;
}

/* What came from the ranks of [first, end): it is each part's to take its own. */
static bool number_remote(const struct message_relating *relating, struct message_part *part, uint32_t first, uint32_t end)
{
	const struct trace *t = relating->t;

	for (uint32_t r = first; r < end; r++) {
		const struct remote_sends *from = &relating->remote->from[r];
		uint32_t last = NO_EVENT, number = 0;

		for (uint32_t i = 0; i < from->count; i++) {
			const struct channel *channel = &from->channels[from->channel[i]];

			if (channel->destination - part->first >= part->end - part->first || is_given(relating, from->first + i))
				continue;
			if (from->channel[i] != last)
				number = channel_number(&part->channels, channel);
			if (number == NO_EVENT)
				return false;
			last = from->channel[i];
			count_event(part, t, from->first + i, number);
		}
	}
	return true;
}

static bool number_channels(const struct message_relating *relating, struct message_part *part)
{
	const struct relate_remote *remote = relating->remote;

	if (!remote)
		return number_local(relating, part);
	return number_remote(relating, part, 0, remote->rank) && number_local(relating, part) && number_remote(relating, part, remote->rank + 1, remote->ranks);
}

/* Clocks that disagree by this much, and by more than 1 % of the run, are worth a warning. */
#define CLOCKS_APART 0.01

void relate_note_early(struct notes *notes, const struct trace *t, uint32_t source, uint32_t receive, double early)
{
	enum note_kind kind = early > CLOCKS_APART && early > 0.01 * trace_aet(t) ? NOTE_CLOCKS_APART : NOTE_RECEIVE_EARLY;
	char text[UNIT_TEXT];
	uint32_t p;

	/* There may be as many of them as messages. */
	if (notes_only_count(notes, kind))
		return;
	p = trace_process_of(t, receive);
	notes_add(notes, kind, (struct note_place){-1, (int32_t)p, -1, -1, receive - t->first[p]},
		  "rank %u receives from rank %u %s before it is sent", p, source, unit_time_ascii(text, early));
}

static int compare_sizes(const void *a, const void *b, void *arg)
{
	const struct trace *t = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (t->size_code[x] != t->size_code[y])
		return t->size_code[x] < t->size_code[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Counts or sizes of a channel differ: FIFO within equal size. Reorders both lists. */
static void pair_by_size(struct message_part *part, struct trace *t, uint32_t source, uint32_t *sends, uint32_t n, uint32_t *receives, uint32_t m)
{
	uint32_t i = 0, j = 0;

	qsort_r(sends, n, sizeof *sends, compare_sizes, t);
	qsort_r(receives, m, sizeof *receives, compare_sizes, t);
	while (i < n && j < m) {
		uint32_t a = t->size_code[sends[i]], b = t->size_code[receives[j]];

		if (a == b)
			relate_pair(&part->notes, t, source, sends[i++], receives[j++]);
		else if (a < b)
			i++;
		else
			j++;
	}
}

static void pair_channel(struct message_part *part, struct trace *t, const struct channel *channel, uint32_t *sends, uint32_t n,
			 uint32_t *receives, uint32_t m)
{
	bool straight = n == m;

	for (uint32_t i = 0; straight && i < n; i++) {
		uint32_t a = t->size_code[sends[i]], b = t->size_code[receives[i]];

		straight = a == b || a == SIZE_CODE_UNKNOWN || b == SIZE_CODE_UNKNOWN;
	}
	if (straight) {
		for (uint32_t i = 0; i < n; i++)
			relate_pair(&part->notes, t, channel->source, sends[i], receives[i]);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		t->match[sends[i]] = NO_EVENT;
	for (uint32_t i = 0; i < m; i++)
		t->match[receives[i]] = NO_EVENT;
	notes_add(&part->notes, NOTE_REPAIRED_KEY, (struct note_place){-1, (int32_t)channel->source, -1, -1, -1},
		  "from rank %u to rank %u with tag %d: %u send%s and %u receive%s%s", channel->source, channel->destination,
		  channel->tag, n, n == 1 ? "" : "s", m, m == 1 ? "" : "s", n == m ? " whose sizes differ" : "");
	pair_by_size(part, t, channel->source, sends, n, receives, m);
}

/* By destination, and then as they were numbered: an order that does not depend on the parts. */
static uint32_t *order_channels(const struct message_part *part)
{
	uint32_t *order = mem_alloc(part->channels.count, sizeof *order);
	uint32_t *at = mem_zero((size_t)(part->end - part->first) + 1, sizeof *at);

	if (order && at) {
		for (size_t k = 0; k < part->channels.count; k++)
			at[part->channels.list[k].destination - part->first + 1]++;
		for (uint32_t d = 0; d < part->end - part->first; d++)
			at[d + 1] += at[d];
		for (size_t k = 0; k < part->channels.count; k++)
			order[at[part->channels.list[k].destination - part->first]++] = (uint32_t)k;
	} else {
		mem_free(order);
		order = NULL;
	}
	mem_free(at);
	return order;
}

/* Channels' counts become places in the sorted list. Returned is how long that is. */
static uint32_t place_channels(struct message_part *part, const uint32_t *order)
{
	uint32_t total = 0;

	for (size_t k = 0; k < part->channels.count; k++) {
		struct channel *channel = &part->channels.list[order[k]];
		uint32_t sends = channel->sends, receives = channel->receives;

		channel->sends = total;
		channel->receives = total + sends;
		total += sends + receives;
	}
	return total;
}

EACH_EVENT void sort_event(struct message_part *part, const struct trace *t, uint32_t i)
{
	struct channel *channel = &part->channels.list[t->match[i]];

	part->sorted[EVENT_KIND(t->type[i]) == EVENT_SEND ? channel->sends++ : channel->receives++] = i;
}

/* Those of one channel come from one process, or are at one: so what came from other ranks may be sorted behind the
 * own. */
static void sort_events(const struct message_relating *relating, struct message_part *part)
{
	const struct trace *t = relating->t;
	uint32_t remote = relating->remote ? relating->remote->count : 0;

	for (uint32_t p = 0; p < t->process_count; p++) {
		relating_report_progress(relating, part, SORTING, t->first[p], t->event_count);
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++)
			if (is_mine(part, t, i, p) && !is_given(relating, i))
				sort_event(part, t, i);
	}
	for (uint32_t i = t->event_count; i < t->event_count + remote; i++)
		if (is_mine(part, t, i, NO_PROCESS) && !is_given(relating, i))
			sort_event(part, t, i);
}

static bool pair_all(const struct message_relating *relating, struct message_part *part)
{
	struct trace *t = relating->t;
	uint32_t *order = order_channels(part), total = order ? place_channels(part, order) : 0, begin = 0;

	part->sorted = mem_alloc(total, sizeof *part->sorted);
	if (!order || !part->sorted) {
		mem_free(order);
		return false;
	}
	sort_events(relating, part);
	for (size_t k = 0; k < part->channels.count; k++) {
		const struct channel *channel = &part->channels.list[order[k]];

		if (k % REPORT_EVERY == 0)
			relating_report_progress(relating, part, PAIRING, begin, total);
		pair_channel(part, t, channel, part->sorted + begin, channel->sends - begin, part->sorted + channel->sends,
			     channel->receives - channel->sends);
		begin = channel->receives;
	}
	mem_free(order);
	return true;
}

static void relate_part(void *arg, unsigned i)
{
	const struct message_relating *relating = arg;
	struct message_part *part = &relating->parts[i];

	part->failed = !number_channels(relating, part) || !pair_all(relating, part);
}

/* The rank's local processes, shared out. */
static void part_init(struct message_part *part, const struct trace *t, unsigned i, unsigned parts)
{
	uint32_t begin, end;

	trace_local(t, &begin, &end);
	trace_part(t, i, parts, &part->first, &part->end);
	part->first = part->first > begin ? part->first : begin;
	part->end = part->end < end ? part->end : end;
	part->end = part->end > part->first ? part->end : part->first;
	notes_init(&part->notes);
}

enum err_code relate_messages(struct trace *t, const struct intercomm_messages *intercomm, const struct relate_remote *remote, const uint64_t *given,
			      struct notes *notes, const struct progress *progress, struct err *e)
{
	struct message_relating relating = {.t = t, .intercomm = intercomm, .remote = remote, .given = given, .part_count = t->threads, .progress = progress};
	bool failed = false;

	relating.parts = mem_zero(relating.part_count, sizeof *relating.parts);
	if (!relating.parts)
		return err_memory(e, "relating messages");
	progress_report(progress, PROGRESS_RELATE, 0, t->event_count);
	if (!given)
		parallel_set(t->match, 0xff, ((size_t)t->event_count + (remote ? remote->count : 0)) * sizeof *t->match, t->threads);
	for (unsigned i = 0; i < relating.part_count; i++)
		part_init(&relating.parts[i], t, i, relating.part_count);
	parallel_run(relating.part_count, relate_part, &relating);
	for (unsigned i = 0; i < relating.part_count; i++) {
		struct message_part *part = &relating.parts[i];

		failed = failed || part->failed;
		notes_append(notes, &part->notes);
		notes_release(&part->notes);
		message_channels_release(&part->channels);
		mem_free(part->sorted);
	}
	mem_free(relating.parts);
	return failed ? err_memory(e, "relating messages") : ERR_OK;
}
