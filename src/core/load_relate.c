/* Relating events: sends to receives FIFO per channel, collectives of one instance to each other (method.md 1).
 *
 * A channel is (communicator, source, destination, tag); between the sides of an intercommunicator each side's own
 * local communicator stands for it, so a channel names both. Channels are numbered through a hash table, events
 * sorted by channel (counting sort, which keeps each side in its process's order), and then paired.
 */
#include <stdlib.h>
#include <string.h>

#include "tick_classes.h"
#include "trace_load.h"

struct channel {
	uint32_t source, destination, source_comm, destination_comm;
	int32_t tag;
	uint32_t sends, receives; /* counts, then ends in the sorted list */
};

struct channels {
	struct channel *list;
	uint32_t *slots; /* channel + 1 */
	size_t count, cap, slot_count;
};

static bool channels_grow(struct channels *c)
{
	size_t want = c->slot_count ? c->slot_count * 2 : 1024;
	uint32_t *slots = mem_zero(want, sizeof *slots);

	if (!slots)
		return false;
	mem_free(c->slots);
	c->slots = slots;
	c->slot_count = want;
	for (size_t i = 0; i < c->count; i++) {
		const struct channel *x = &c->list[i];
		size_t at = hash_mix(hash_mix((uint32_t)x->tag, (uint64_t)x->source << 32 | x->destination),
				     (uint64_t)x->source_comm << 32 | x->destination_comm) & (want - 1);

		while (slots[at])
			at = (at + 1) & (want - 1);
		slots[at] = (uint32_t)i + 1;
	}
	return true;
}

/* The number of a channel, made where new; NO_EVENT: no memory. */
static uint32_t channel_number(struct channels *c, const struct channel *x)
{
	size_t at;
	struct channel *list;

	if ((c->count + 1) * 2 > c->slot_count && !channels_grow(c))
		return NO_EVENT;
	at = hash_mix(hash_mix((uint32_t)x->tag, (uint64_t)x->source << 32 | x->destination),
		      (uint64_t)x->source_comm << 32 | x->destination_comm) & (c->slot_count - 1);
	for (; c->slots[at]; at = (at + 1) & (c->slot_count - 1)) {
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

/* Number the channel of each message into match[]; lost ones (no known partner) keep NO_EVENT. */
static enum err_code number_channels(struct loader *x, struct channels *c, struct err *e)
{
	struct trace *t = x->t;
	size_t remote = 0;

	if (x->remote_count)
		qsort(x->remote, x->remote_count, sizeof *x->remote, compare_remote);
	for (uint32_t p = 0; p < t->process_count; p++) {
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			struct channel k = {.tag = t->tag[i], .source_comm = t->comm[i], .destination_comm = t->comm[i]};
			uint32_t other = EVENT_INDEX(t->type[i]), partner_comm = t->comm[i];
			bool send = EVENT_KIND(t->type[i]) == EVENT_SEND;

			t->match[i] = NO_EVENT;
			if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE || !other)
				continue;
			for (; remote < x->remote_count; remote++) {
				const struct remote_message *m = &x->remote[remote];

				if (m->process > p || (m->process == p && m->number >= i - t->first[p]))
					break;
			}
			if (remote < x->remote_count && x->remote[remote].process == p &&
			    x->remote[remote].number == i - t->first[p])
				partner_comm = x->remote[remote].comm;
			k.source = send ? p : other - 1;
			k.destination = send ? other - 1 : p;
			*(send ? &k.destination_comm : &k.source_comm) = partner_comm;
			t->match[i] = channel_number(c, &k);
			if (t->match[i] == NO_EVENT)
				return err_memory(e, "relating messages");
			if (send)
				c->list[t->match[i]].sends++;
			else
				c->list[t->match[i]].receives++;
		}
	}
	return ERR_OK;
}

/* Clocks that disagree by this much, and by more than 1 % of the run, are worth a warning. */
#define CLOCKS_APART 0.01

static void pair(struct trace *t, uint32_t send, uint32_t receive)
{
	double early = t->time[send] - t->time[receive];

	t->match[send] = receive;
	t->match[receive] = send;
	if (early > 0)
		notes_add(&t->notes,
			  early > CLOCKS_APART && early > 0.01 * trace_aet(t) ? NOTE_CLOCKS_APART : NOTE_RECEIVE_EARLY,
			  (struct note_place){-1, (int32_t)trace_process_of(t, receive), -1, -1, receive},
			  "process %u receives from process %u %.3g s before it is sent", trace_process_of(t, receive),
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
static void pair_by_size(struct trace *t, uint32_t *sends, uint32_t n, uint32_t *receives, uint32_t m)
{
	uint32_t i = 0, j = 0;

	qsort_r(sends, n, sizeof *sends, compare_sizes, t);
	qsort_r(receives, m, sizeof *receives, compare_sizes, t);
	while (i < n && j < m) {
		uint32_t a = t->size[sends[i]], b = t->size[receives[j]];

		if (a == b)
			pair(t, sends[i++], receives[j++]);
		else if (a < b)
			i++;
		else
			j++;
	}
}

static void pair_channel(struct trace *t, const struct channel *c, uint32_t *sends, uint32_t n, uint32_t *receives,
			 uint32_t m)
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
			pair(t, sends[i], receives[i]);
		return;
	}
	notes_add(&t->notes, NOTE_REPAIRED_KEY, (struct note_place){-1, (int32_t)c->source, -1, -1, -1},
		  "from process %u to %u with tag %d: %u sends and %u receives%s", c->source, c->destination, c->tag, n, m,
		  n == m ? " whose sizes differ" : "");
	pair_by_size(t, sends, n, receives, m);
}

static enum err_code relate_messages(struct loader *x, struct err *e)
{
	struct trace *t = x->t;
	struct channels c = {0};
	uint32_t *sorted = NULL, total = 0;
	enum err_code code = number_channels(x, &c, e);

	if (code == ERR_OK) {
		for (size_t k = 0; k < c.count; k++) {
			uint32_t sends = c.list[k].sends, receives = c.list[k].receives;

			c.list[k].sends = total;
			c.list[k].receives = total + sends;
			total += sends + receives;
		}
		sorted = mem_alloc(total, sizeof *sorted);
		if (!sorted)
			code = err_memory(e, "relating messages");
	}
	if (code == ERR_OK) {
		uint32_t begin = 0;

		for (uint32_t i = 0; i < t->event_count; i++) {
			struct channel *k;

			if (t->match[i] == NO_EVENT)
				continue;
			k = &c.list[t->match[i]];
			sorted[EVENT_KIND(t->type[i]) == EVENT_SEND ? k->sends++ : k->receives++] = i;
		}
		for (size_t k = 0; k < c.count; k++) {
			const struct channel *z = &c.list[k];

			pair_channel(t, z, sorted + begin, z->sends - begin, sorted + z->sends, z->receives - z->sends);
			begin = z->receives;
		}
	}
	mem_free(sorted);
	mem_free(c.list);
	mem_free(c.slots);
	return code;
}

static void count_lost(struct trace *t)
{
	for (uint32_t p = 0; p < t->process_count; p++) {
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			bool send = EVENT_KIND(t->type[i]) == EVENT_SEND;
			char name[16];

			if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE) {
				t->collective_count++;
				continue;
			}
			if (send)
				t->send_count++;
			else
				t->receive_count++;
			if (t->match[i] != NO_EVENT)
				continue;
			if (send)
				t->lost_sends++;
			else
				t->lost_receives++;
			notes_add(&t->notes, send ? NOTE_LOST_SEND : NOTE_LOST_RECEIVE,
				  (struct note_place){-1, (int32_t)p, -1, -1, i}, "process %u, event %u (%s, tag %d, time %.9g s)", p,
				  trace_number_of(t, p, i), trace_type_name(t, t->type[i], name, sizeof name), t->tag[i], t->time[i]);
		}
	}
}

/* The collectives of one communicator: event lists of its members, one behind the other. */
struct member {
	uint32_t process, at, end; /* at: its next collective, in the sorted list */
};

/* Close a ring of events through match[]. */
static void close_ring(struct trace *t, const uint32_t *events, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		t->match[events[i]] = events[i + 1 < n ? i + 1 : 0];
}

/* The k-th collectives of all members, in list: those of one type belong together. */
static void relate_instance(struct trace *t, uint32_t comm, uint32_t expected, uint32_t *list, uint32_t n, uint32_t *scratch)
{
	bool agree = true;

	for (uint32_t i = 1; agree && i < n; i++)
		agree = t->type[list[i]] == t->type[list[0]];
	if (!agree || n != expected) {
		char name[40];

		notes_add(&t->notes, NOTE_COLLECTIVE_MISMATCH,
			  (struct note_place){-1, (int32_t)trace_process_of(t, list[0]), -1, -1, list[0]},
			  agree ? "%s on communicator %d: %u of its %u members take part" :
				  "%s on communicator %d: the %u of %u members that take part do not agree on the operation",
			  trace_type_name(t, t->type[list[0]], name, sizeof name), t->comms[comm].icomm, n, expected);
	}
	if (agree) {
		close_ring(t, list, n);
		return;
	}
	while (n) {
		event_type type = t->type[list[0]];
		uint32_t same = 0, kept = 0;

		for (uint32_t i = 0; i < n; i++) {
			if (t->type[list[i]] == type)
				scratch[same++] = list[i];
			else
				list[kept++] = list[i];
		}
		close_ring(t, scratch, same);
		n = kept;
	}
}

static void relate_comm(struct trace *t, uint32_t comm, struct member *members, uint32_t n, const uint32_t *sorted,
			uint32_t *list, uint32_t *scratch)
{
	uint32_t expected = t->comms[comm].size > n ? t->comms[comm].size : n;

	while (n) {
		uint32_t taking = 0, left = 0;

		for (uint32_t i = 0; i < n; i++) {
			list[taking++] = sorted[members[i].at++];
			if (members[i].at < members[i].end)
				members[left++] = members[i];
		}
		relate_instance(t, comm, expected, list, taking, scratch);
		n = left;
	}
}

static enum err_code relate_collectives(struct trace *t, struct err *e)
{
	uint32_t *ends = mem_zero((size_t)t->comm_count + 1, sizeof *ends);
	uint32_t *list = mem_alloc(t->process_count, sizeof *list), *scratch = mem_alloc(t->process_count, sizeof *scratch);
	struct member *members = mem_alloc(t->process_count, sizeof *members);
	uint32_t *sorted = NULL, total = 0;
	enum err_code code = ERR_OK;

	if (!ends || !list || !scratch || !members)
		code = err_memory(e, "relating collectives");
	for (uint32_t i = 0; code == ERR_OK && i < t->event_count; i++)
		if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE)
			ends[t->comm[i]]++;
	for (uint32_t c = 0; code == ERR_OK && c < t->comm_count; c++) {
		uint32_t n = ends[c];

		ends[c] = total;
		total += n;
	}
	if (code == ERR_OK) {
		sorted = mem_alloc(total, sizeof *sorted);
		if (!sorted)
			code = err_memory(e, "relating collectives");
	}
	for (uint32_t i = 0; code == ERR_OK && i < t->event_count; i++)
		if (EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE)
			sorted[ends[t->comm[i]]++] = i;
	for (uint32_t c = 0, at = 0; code == ERR_OK && c < t->comm_count; c++) {
		uint32_t n = 0;

		while (at < ends[c]) {
			uint32_t process = trace_process_of(t, sorted[at]), begin = at;

			while (at < ends[c] && sorted[at] < t->first[process + 1])
				at++;
			members[n++] = (struct member){process, begin, at};
		}
		relate_comm(t, c, members, n, sorted, list, scratch);
	}
	mem_free(ends);
	mem_free(list);
	mem_free(scratch);
	mem_free(members);
	mem_free(sorted);
	return code;
}

enum err_code load_relate(struct loader *x, struct err *e)
{
	enum err_code code = relate_messages(x, e);

	if (code == ERR_OK)
		code = relate_collectives(x->t, e);
	if (code == ERR_OK)
		count_lost(x->t);
	return code;
}
