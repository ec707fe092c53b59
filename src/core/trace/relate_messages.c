/* Relating sends to receives, FIFO per channel (docs/method.md 1.1).
 *
 * A channel is (communicator, source, destination, tag); between the sides of an intercommunicator each side's own
 * local communicator stands for it, so a channel names both. Threads share the channels by destination: each numbers its
 * own through a hash table, sorts their events by channel (a counting sort, which keeps each side in its process's order),
 * and pairs them, destination by destination.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/parallel.h"
#include "core/base/unit.h"
#include "relate.h"
#include "trace_part.h"

struct channel {
	uint32_t source, destination, source_comm, destination_comm;
	int32_t tag;
	uint32_t sends, receives; /* counts, then ends in the sorted list */
};

/* One thread's channels: those to the processes from `first` up to, not including, `end`. */
struct part {
	uint32_t first, end;
	struct channel *list;
	uint32_t *slots;          /* channel + 1 */
	size_t count, cap, slot_count;
	uint32_t *sorted;         /* events by channel */
	struct notes notes;
	bool failed;
};

#define TELL_EVERY 64 /* channels */

struct relating {
	struct trace *t;
	const struct remote_message *remote;
	size_t remote_count;
	const uint64_t *given;    /* of relate_given(); NULL: no message was */
	struct part *parts;
	unsigned part_count;
	const struct job *job;
};

/* Channels are numbered, events sorted by them, and paired: each a pass over all events, and a third of the work. */
enum pass { NUMBERING, SORTING, PAIRING, PASSES };

/* The first part stands for all, as they are of one size. */
static void tell(const struct relating *relating, const struct part *part, enum pass pass, uint64_t done, uint64_t of)
{
	uint64_t events = relating->t->event_count;

	if (part == relating->parts)
		job_progress(relating->job, JOB_RELATE, (events * pass + (of ? events * done / of : 0)) / PASSES, events);
}

static uint64_t hash_channel(const struct channel *channel)
{
	return hash_mix(hash_mix((uint32_t)channel->tag, (uint64_t)channel->source << 32 | channel->destination),
			(uint64_t)channel->source_comm << 32 | channel->destination_comm);
}

static bool grow(struct part *part)
{
	size_t want = part->slot_count ? part->slot_count * 2 : 1024;
	uint32_t *slots = mem_zero(want, sizeof *slots);

	if (!slots)
		return false;
	mem_free(part->slots);
	part->slots = slots;
	part->slot_count = want;
	for (size_t i = 0; i < part->count; i++) {
		size_t at = hash_channel(&part->list[i]) & (want - 1);

		while (slots[at])
			at = (at + 1) & (want - 1);
		slots[at] = (uint32_t)i + 1;
	}
	return true;
}

/* The number of a channel, made where new; NO_EVENT: no memory. */
static uint32_t channel_number(struct part *part, const struct channel *channel)
{
	size_t at, mask;
	struct channel *list;

	if ((part->count + 1) * 2 > part->slot_count && !grow(part))
		return NO_EVENT;
	mask = part->slot_count - 1;
	for (at = hash_channel(channel) & mask; part->slots[at]; at = (at + 1) & mask) {
		const struct channel *other = &part->list[part->slots[at] - 1];

		if (other->source == channel->source && other->destination == channel->destination &&
		    other->tag == channel->tag && other->source_comm == channel->source_comm &&
		    other->destination_comm == channel->destination_comm)
			return part->slots[at] - 1;
	}
	list = mem_grow(part->list, part->count, &part->cap, sizeof *list);
	if (!list)
		return NO_EVENT;
	part->list = list;
	list[part->count] = *channel;
	part->slots[at] = (uint32_t)++part->count;
	return (uint32_t)part->count - 1;
}

static int compare_remote(const void *a, const void *b)
{
	const struct remote_message *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* The communicator on the partner's side of process p's message number n: its own but between intercommunicators. */
static uint32_t partner_comm(const struct relating *relating, uint32_t p, uint32_t n, uint32_t own)
{
	struct remote_message key = {p, n, 0}, *found = NULL;

	if (relating->remote_count)
		found = bsearch(&key, relating->remote, relating->remote_count, sizeof key, compare_remote);
	return found ? found->comm : own;
}

static bool is_given(const struct relating *relating, uint32_t i)
{
	return relating->given && relating->given[i / 64] >> i % 64 & 1;
}

/* Is event i, of process p, a message of this part? Its channel's number is kept in match[]. */
static bool is_mine(const struct part *part, const struct trace *t, uint32_t i, uint32_t p)
{
	event_type type = t->type[i];
	uint32_t destination = EVENT_KIND(type) == EVENT_SEND ? EVENT_INDEX(type) - 1 : p;

	return EVENT_KIND(type) != EVENT_COLLECTIVE && EVENT_INDEX(type) && destination - part->first < part->end - part->first;
}

/* A process comes back to a few channels again and again: these tell them without the table. Where envelopes do not hold the
 * tags, or some messages are between communicators, type and envelope do not tell a channel. */
#define RECENT 256

struct recent {
	event_type type;   /* EVENT_NONE: nothing yet */
	uint32_t envelope, process, number;
};

static struct recent *recent_of(struct recent *list, event_type type, uint32_t envelope)
{
	return &list[((type ^ envelope * 0x9e3779b1u) * 0x85ebca6bu) >> 24];
}

static uint32_t number_channel(const struct relating *relating, struct part *part, uint32_t p, uint32_t i)
{
	const struct trace *t = relating->t;
	uint32_t comm = trace_comm(t, i), other = partner_comm(relating, p, i - t->first[p], comm);
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
	return channel_number(part, &channel);
}

static bool number_channels(const struct relating *relating, struct part *part)
{
	const struct trace *t = relating->t;
	struct recent list[RECENT] = {{0}};
	bool told_by_type = !t->tag && !relating->remote_count;

	for (uint32_t p = 0; p < t->process_count; p++) {
		tell(relating, part, NUMBERING, t->first[p], t->event_count);
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			struct recent *recent = recent_of(list, t->type[i], t->envelope[i]);

			if (!is_mine(part, t, i, p) || is_given(relating, i))
				continue;
			if (recent->type != t->type[i] || recent->envelope != t->envelope[i] || recent->process != p || !told_by_type) {
				uint32_t number = number_channel(relating, part, p, i);

				if (number == NO_EVENT)
					return false;
				*recent = (struct recent){t->type[i], t->envelope[i], p, number};
			}
			t->match[i] = recent->number;
			if (EVENT_KIND(t->type[i]) == EVENT_SEND)
				part->list[recent->number].sends++;
			else
				part->list[recent->number].receives++;
		}
	}
	return true;
}

/* Clocks that disagree by this much, and by more than 1 % of the run, are worth a warning. */
#define CLOCKS_APART 0.01

void relate_note_early(struct notes *notes, const struct trace *t, uint32_t send, uint32_t receive, double early)
{
	char text[UNIT_TEXT];

	notes_add(notes, early > CLOCKS_APART && early > 0.01 * trace_aet(t) ? NOTE_CLOCKS_APART : NOTE_RECEIVE_EARLY,
		  (struct note_place){-1, (int32_t)trace_process_of(t, receive), -1, -1, receive},
		  "rank %u receives from rank %u %s before it is sent", trace_process_of(t, receive), trace_process_of(t, send),
		  unit_time_ascii(text, early));
}

static int compare_sizes(const void *a, const void *b, void *arg)
{
	const struct trace *t = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (t->size[x] != t->size[y])
		return t->size[x] < t->size[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Counts or sizes of a channel differ: FIFO within equal size. Reorders both lists. */
static void pair_by_size(struct part *part, struct trace *t, uint32_t *sends, uint32_t n, uint32_t *receives, uint32_t m)
{
	uint32_t i = 0, j = 0;

	qsort_r(sends, n, sizeof *sends, compare_sizes, t);
	qsort_r(receives, m, sizeof *receives, compare_sizes, t);
	while (i < n && j < m) {
		uint32_t a = t->size[sends[i]], b = t->size[receives[j]];

		if (a == b)
			relate_pair(&part->notes, t, sends[i++], receives[j++]);
		else if (a < b)
			i++;
		else
			j++;
	}
}

static void pair_channel(struct part *part, struct trace *t, const struct channel *channel, uint32_t *sends, uint32_t n,
			 uint32_t *receives, uint32_t m)
{
	bool straight = n == m;

	for (uint32_t i = 0; straight && i < n; i++) {
		uint32_t a = t->size[sends[i]], b = t->size[receives[i]];

		straight = a == b || a == SIZE_UNKNOWN || b == SIZE_UNKNOWN;
	}
	if (straight) {
		for (uint32_t i = 0; i < n; i++)
			relate_pair(&part->notes, t, sends[i], receives[i]);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		t->match[sends[i]] = NO_EVENT;
	for (uint32_t i = 0; i < m; i++)
		t->match[receives[i]] = NO_EVENT;
	notes_add(&part->notes, NOTE_REPAIRED_KEY, (struct note_place){-1, (int32_t)channel->source, -1, -1, -1},
		  "from rank %u to rank %u with tag %d: %u send%s and %u receive%s%s", channel->source, channel->destination,
		  channel->tag, n, n == 1 ? "" : "s", m, m == 1 ? "" : "s", n == m ? " whose sizes differ" : "");
	pair_by_size(part, t, sends, n, receives, m);
}

/* By destination, and then as they were numbered: an order that does not depend on the parts. */
static uint32_t *order_channels(const struct part *part)
{
	uint32_t *order = mem_alloc(part->count, sizeof *order);
	uint32_t *at = mem_zero((size_t)(part->end - part->first) + 1, sizeof *at);

	if (order && at) {
		for (size_t k = 0; k < part->count; k++)
			at[part->list[k].destination - part->first + 1]++;
		for (uint32_t d = 0; d < part->end - part->first; d++)
			at[d + 1] += at[d];
		for (size_t k = 0; k < part->count; k++)
			order[at[part->list[k].destination - part->first]++] = (uint32_t)k;
	} else {
		mem_free(order);
		order = NULL;
	}
	mem_free(at);
	return order;
}

static bool pair_all(const struct relating *relating, struct part *part)
{
	struct trace *t = relating->t;
	uint32_t *order = order_channels(part), total = 0, begin = 0;

	for (size_t k = 0; order && k < part->count; k++) {
		struct channel *channel = &part->list[order[k]];
		uint32_t sends = channel->sends, receives = channel->receives;

		channel->sends = total;
		channel->receives = total + sends;
		total += sends + receives;
	}
	part->sorted = mem_alloc(total, sizeof *part->sorted);
	if (!order || !part->sorted) {
		mem_free(order);
		return false;
	}
	for (uint32_t p = 0; p < t->process_count; p++) {
		tell(relating, part, SORTING, t->first[p], t->event_count);
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++)
			if (is_mine(part, t, i, p) && !is_given(relating, i)) {
				struct channel *channel = &part->list[t->match[i]];

				part->sorted[EVENT_KIND(t->type[i]) == EVENT_SEND ? channel->sends++ : channel->receives++] = i;
			}
	}
	for (size_t k = 0; k < part->count; k++) {
		const struct channel *channel = &part->list[order[k]];

		if (k % TELL_EVERY == 0)
			tell(relating, part, PAIRING, begin, total);
		pair_channel(part, t, channel, part->sorted + begin, channel->sends - begin, part->sorted + channel->sends,
			     channel->receives - channel->sends);
		begin = channel->receives;
	}
	mem_free(order);
	return true;
}

static void relate_part(void *arg, unsigned i)
{
	const struct relating *relating = arg;
	struct part *part = &relating->parts[i];

	part->failed = !number_channels(relating, part) || !pair_all(relating, part);
}

enum err_code relate_messages(struct trace *t, struct remote_message *remote, size_t count, const uint64_t *given, const struct job *job,
			      struct err *e)
{
	struct relating relating = {.t = t, .remote = remote, .remote_count = count, .given = given, .part_count = t->threads, .job = job};
	bool failed = false;

	relating.parts = mem_zero(relating.part_count, sizeof *relating.parts);
	if (!relating.parts)
		return err_memory(e, "relating messages");
	job_progress(job, JOB_RELATE, 0, t->event_count);
	if (count)
		qsort(remote, count, sizeof *remote, compare_remote);
	if (!given)
		parallel_set(t->match, 0xff, (size_t)t->event_count * sizeof *t->match, t->threads);
	for (unsigned i = 0; i < relating.part_count; i++) {
		trace_part(t, i, relating.part_count, &relating.parts[i].first, &relating.parts[i].end);
		notes_init(&relating.parts[i].notes);
	}
	parallel_run(relating.part_count, relate_part, &relating);
	for (unsigned i = 0; i < relating.part_count; i++) {
		struct part *part = &relating.parts[i];

		failed = failed || part->failed;
		notes_append(&t->notes, &part->notes);
		notes_release(&part->notes);
		mem_free(part->list);
		mem_free(part->slots);
		mem_free(part->sorted);
	}
	mem_free(relating.parts);
	return failed ? err_memory(e, "relating messages") : ERR_OK;
}
