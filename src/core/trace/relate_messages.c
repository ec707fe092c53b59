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
	struct part *parts;
	unsigned part_count;
	const struct job *job;
};

/* Channels are numbered, events sorted by them, and paired: each a pass over all events, and a third of the work. */
enum pass { NUMBERING, SORTING, PAIRING, PASSES };

/* The first part stands for all, as they are of one size. */
static void tell(const struct relating *r, const struct part *c, enum pass pass, uint64_t done, uint64_t of)
{
	uint64_t events = r->t->event_count;

	if (c == r->parts)
		job_progress(r->job, JOB_RELATE, (events * pass + (of ? events * done / of : 0)) / PASSES, events);
}

static uint64_t hash_channel(const struct channel *x)
{
	return hash_mix(hash_mix((uint32_t)x->tag, (uint64_t)x->source << 32 | x->destination),
			(uint64_t)x->source_comm << 32 | x->destination_comm);
}

static bool grow(struct part *c)
{
	size_t want = c->slot_count ? c->slot_count * 2 : 1024;
	uint32_t *slots = mem_zero(want, sizeof *slots);

	if (!slots)
		return false;
	mem_free(c->slots);
	c->slots = slots;
	c->slot_count = want;
	for (size_t i = 0; i < c->count; i++) {
		size_t at = hash_channel(&c->list[i]) & (want - 1);

		while (slots[at])
			at = (at + 1) & (want - 1);
		slots[at] = (uint32_t)i + 1;
	}
	return true;
}

/* The number of a channel, made where new; NO_EVENT: no memory. */
static uint32_t channel_number(struct part *c, const struct channel *x)
{
	size_t at;
	struct channel *list;

	if ((c->count + 1) * 2 > c->slot_count && !grow(c))
		return NO_EVENT;
	for (at = hash_channel(x) & (c->slot_count - 1); c->slots[at]; at = (at + 1) & (c->slot_count - 1)) {
		const struct channel *y = &c->list[c->slots[at] - 1];

		if (y->source == x->source && y->destination == x->destination && y->tag == x->tag &&
		    y->source_comm == x->source_comm && y->destination_comm == x->destination_comm)
			return c->slots[at] - 1;
	}
	list = mem_grow(c->list, c->count, &c->cap, sizeof *list);
	if (!list)
		return NO_EVENT;
	c->list = list;
	list[c->count] = *x;
	c->slots[at] = (uint32_t)++c->count;
	return (uint32_t)c->count - 1;
}

static int compare_remote(const void *a, const void *b)
{
	const struct remote_message *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* The communicator on the partner's side of process p's message number n: its own but between intercommunicators. */
static uint32_t partner_comm(const struct relating *r, uint32_t p, uint32_t n, uint32_t own)
{
	struct remote_message key = {p, n, 0}, *found = NULL;

	if (r->remote_count)
		found = bsearch(&key, r->remote, r->remote_count, sizeof key, compare_remote);
	return found ? found->comm : own;
}

/* Is event i, of process p, a message of this part? Its channel's number is kept in match[]. */
static bool is_mine(const struct part *c, const struct trace *t, uint32_t i, uint32_t p)
{
	event_type type = t->type[i];
	uint32_t destination = EVENT_KIND(type) == EVENT_SEND ? EVENT_INDEX(type) - 1 : p;

	return EVENT_KIND(type) != EVENT_COLLECTIVE && EVENT_INDEX(type) && destination - c->first < c->end - c->first;
}

static bool number_channels(const struct relating *r, struct part *c)
{
	const struct trace *t = r->t;

	for (uint32_t p = 0; p < t->process_count; p++) {
		tell(r, c, NUMBERING, t->first[p], t->event_count);
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			uint32_t comm = trace_comm(t, i);
			struct channel k = {.tag = trace_tag(t, i), .source_comm = comm, .destination_comm = comm};
			uint32_t other, number;

			if (!is_mine(c, t, i, p))
				continue;
			other = partner_comm(r, p, i - t->first[p], comm);
			if (EVENT_KIND(t->type[i]) == EVENT_SEND) {
				k.source = p;
				k.destination = EVENT_INDEX(t->type[i]) - 1;
				k.destination_comm = other;
			} else {
				k.source = EVENT_INDEX(t->type[i]) - 1;
				k.destination = p;
				k.source_comm = other;
			}
			number = channel_number(c, &k);
			if (number == NO_EVENT)
				return false;
			t->match[i] = number;
			if (EVENT_KIND(t->type[i]) == EVENT_SEND)
				c->list[number].sends++;
			else
				c->list[number].receives++;
		}
	}
	return true;
}

/* Clocks that disagree by this much, and by more than 1 % of the run, are worth a warning. */
#define CLOCKS_APART 0.01

static void pair(struct part *c, struct trace *t, uint32_t send, uint32_t receive)
{
	double early = t->time[send] - t->time[receive];

	t->match[send] = receive;
	t->match[receive] = send;
	if (early > 0)
		notes_add(&c->notes,
			  early > CLOCKS_APART && early > 0.01 * trace_aet(t) ? NOTE_CLOCKS_APART : NOTE_RECEIVE_EARLY,
			  (struct note_place){-1, (int32_t)trace_process_of(t, receive), -1, -1, receive},
			  "rank %u receives from rank %u %.3g s before it is sent", trace_process_of(t, receive),
			  trace_process_of(t, send), early);
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
static void pair_by_size(struct part *c, struct trace *t, uint32_t *sends, uint32_t n, uint32_t *receives, uint32_t m)
{
	uint32_t i = 0, j = 0;

	qsort_r(sends, n, sizeof *sends, compare_sizes, t);
	qsort_r(receives, m, sizeof *receives, compare_sizes, t);
	while (i < n && j < m) {
		uint32_t a = t->size[sends[i]], b = t->size[receives[j]];

		if (a == b)
			pair(c, t, sends[i++], receives[j++]);
		else if (a < b)
			i++;
		else
			j++;
	}
}

static void pair_channel(struct part *c, struct trace *t, const struct channel *k, uint32_t *sends, uint32_t n,
			 uint32_t *receives, uint32_t m)
{
	bool straight = n == m;

	for (uint32_t i = 0; i < n; i++)
		t->match[sends[i]] = NO_EVENT;
	for (uint32_t i = 0; i < m; i++)
		t->match[receives[i]] = NO_EVENT;
	for (uint32_t i = 0; straight && i < n; i++) {
		uint32_t a = t->size[sends[i]], b = t->size[receives[i]];

		straight = a == b || a == SIZE_UNKNOWN || b == SIZE_UNKNOWN;
	}
	if (straight) {
		for (uint32_t i = 0; i < n; i++)
			pair(c, t, sends[i], receives[i]);
		return;
	}
	notes_add(&c->notes, NOTE_REPAIRED_KEY, (struct note_place){-1, (int32_t)k->source, -1, -1, -1},
		  "from rank %u to rank %u with tag %d: %u send%s and %u receive%s%s", k->source, k->destination,
		  k->tag, n, n == 1 ? "" : "s", m, m == 1 ? "" : "s", n == m ? " whose sizes differ" : "");
	pair_by_size(c, t, sends, n, receives, m);
}

/* By destination, and then as they were numbered: an order that does not depend on the parts. */
static uint32_t *order_channels(const struct part *c)
{
	uint32_t *order = mem_alloc(c->count, sizeof *order);
	uint32_t *at = mem_zero((size_t)(c->end - c->first) + 1, sizeof *at);

	if (order && at) {
		for (size_t k = 0; k < c->count; k++)
			at[c->list[k].destination - c->first + 1]++;
		for (uint32_t d = 0; d < c->end - c->first; d++)
			at[d + 1] += at[d];
		for (size_t k = 0; k < c->count; k++)
			order[at[c->list[k].destination - c->first]++] = (uint32_t)k;
	} else {
		mem_free(order);
		order = NULL;
	}
	mem_free(at);
	return order;
}

static bool pair_all(const struct relating *r, struct part *c)
{
	struct trace *t = r->t;
	uint32_t *order = order_channels(c), total = 0, begin = 0;

	for (size_t k = 0; order && k < c->count; k++) {
		struct channel *x = &c->list[order[k]];
		uint32_t sends = x->sends, receives = x->receives;

		x->sends = total;
		x->receives = total + sends;
		total += sends + receives;
	}
	c->sorted = mem_alloc(total, sizeof *c->sorted);
	if (!order || !c->sorted) {
		mem_free(order);
		return false;
	}
	for (uint32_t p = 0; p < t->process_count; p++) {
		tell(r, c, SORTING, t->first[p], t->event_count);
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++)
			if (is_mine(c, t, i, p)) {
				struct channel *x = &c->list[t->match[i]];

				c->sorted[EVENT_KIND(t->type[i]) == EVENT_SEND ? x->sends++ : x->receives++] = i;
			}
	}
	for (size_t k = 0; k < c->count; k++) {
		const struct channel *x = &c->list[order[k]];

		if (k % TELL_EVERY == 0)
			tell(r, c, PAIRING, begin, total);
		pair_channel(c, t, x, c->sorted + begin, x->sends - begin, c->sorted + x->sends, x->receives - x->sends);
		begin = x->receives;
	}
	mem_free(order);
	return true;
}

static void relate_part(void *arg, unsigned i)
{
	const struct relating *r = arg;
	struct part *c = &r->parts[i];

	c->failed = !number_channels(r, c) || !pair_all(r, c);
}

enum err_code relate_messages(struct trace *t, struct remote_message *remote, size_t count, const struct job *job, struct err *e)
{
	struct relating r = {.t = t, .remote = remote, .remote_count = count, .part_count = t->threads, .job = job};
	bool failed = false;

	r.parts = mem_zero(r.part_count, sizeof *r.parts);
	if (!r.parts)
		return err_memory(e, "relating messages");
	job_progress(job, JOB_RELATE, 0, t->event_count);
	if (count)
		qsort(remote, count, sizeof *remote, compare_remote);
	parallel_set(t->match, 0xff, (size_t)t->event_count * sizeof *t->match, t->threads);
	for (unsigned i = 0; i < r.part_count; i++) {
		trace_part(t, i, r.part_count, &r.parts[i].first, &r.parts[i].end);
		notes_init(&r.parts[i].notes);
	}
	parallel_run(r.part_count, relate_part, &r);
	for (unsigned i = 0; i < r.part_count; i++) {
		struct part *c = &r.parts[i];

		failed = failed || c->failed;
		notes_append(&t->notes, &c->notes);
		notes_release(&c->notes);
		mem_free(c->list);
		mem_free(c->slots);
		mem_free(c->sorted);
	}
	mem_free(r.parts);
	return failed ? err_memory(e, "relating messages") : ERR_OK;
}
