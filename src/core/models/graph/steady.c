#include "graph_int.h"

#include <string.h>

#include "core/base/hash.h"

#define TOLERANCE 1e-12
#define ROUNDING 4.5e-16

struct steady_state {
	uint64_t hash;         /* where all are */
	uint64_t stamp, age;
	struct model_process *items;
	struct process_frame *frames;
	struct interval *loads;
	struct interval network;
	size_t channel_count;
	size_t *first;         /* of each channel: its messages in `messages`; one more than there are */
	struct message *messages;
};

static void state_free(struct steady_state *s)
{
	if (!s)
		return;
	mem_free(s->items);
	mem_free(s->frames);
	mem_free(s->loads);
	mem_free(s->first);
	mem_free(s->messages);
	mem_free(s);
}

void steady_release(struct steady *s)
{
	for (int i = 0; i < STEADY_STATES; i++) {
		state_free(s->states[i]);
		s->states[i] = NULL;
	}
}

static size_t state_bytes(const struct processes *p)
{
	return p->count * (sizeof *p->items + p->frame_room * sizeof *p->frames) + p->channels.count * sizeof(size_t) +
	       (size_t)p->channels.under_way * sizeof(struct message);
}

static uint64_t processes_hash(const struct processes *p)
{
	uint64_t h = 0;

	for (uint32_t i = 0; i < p->count; i++) {
		const struct model_process *one = &p->items[i];

		h = hash_mix(h, (uint64_t)(uintptr_t)one->at ^ (uint64_t)one->state << 60 ^ (uint64_t)one->frame_count << 52);
		if (one->frame_count)
			h = hash_mix(h, (uint64_t)(uintptr_t)process_frames(p, i)[one->frame_count - 1].code);
	}
	return h;
}

static struct steady_state *remember(struct processes *p, uint64_t hash)
{
	struct steady_state *s = mem_zero(1, sizeof *s);
	size_t frames = (size_t)p->count * p->frame_room, n = 0;

	if (!s)
		return NULL;
	s->items = mem_alloc(p->count, sizeof *s->items);
	s->frames = mem_alloc(frames, sizeof *s->frames);
	s->loads = mem_alloc(p->run->resource_count, sizeof *s->loads);
	s->first = mem_alloc(p->channels.count + 1, sizeof *s->first);
	s->messages = mem_alloc((size_t)p->channels.under_way, sizeof *s->messages);
	if (!s->items || !s->frames || !s->loads || !s->first || !s->messages) {
		state_free(s);
		return NULL;
	}
	s->hash = hash;
	s->stamp = p->channels.now++;
	memcpy(s->items, p->items, p->count * sizeof *s->items);
	for (uint32_t i = 0; i < p->count; i++)
		memcpy(s->frames + (size_t)i * p->frame_room, process_frames(p, i), p->items[i].frame_count * sizeof *s->frames);
	memcpy(s->loads, p->loads, p->run->resource_count * sizeof *s->loads);
	s->network = p->run->network;
	s->channel_count = p->channels.count;
	for (size_t c = 0; c < p->channels.count; c++) {
		s->first[c] = n;
		for (uint32_t m = p->channels.items[c].first; m != NO_MESSAGE; m = p->channels.messages[m].next)
			s->messages[n++] = p->channels.messages[m];
	}
	s->first[s->channel_count] = n;
	return s;
}

/* Whether a process is where it was, some iterations of one loop later; *left: how often as many are still to come. */
static bool further_on(const struct steady_state *s, const struct processes *p, uint32_t rank, double *left)
{
	const struct model_process *now = &p->items[rank], *then = &s->items[rank];
	const struct process_frame *a = s->frames + (size_t)rank * p->frame_room, *b = process_frames(p, rank);
	bool found = false;

	if (now->at != then->at || now->state != then->state || now->frame_count != then->frame_count ||
	    (now->state == PROCESS_WAITING && now->channel != then->channel))
		return false;
	for (uint32_t i = 0; i < now->frame_count; i++) {
		if (a[i].code != b[i].code)
			return false;
		if (a[i].left == b[i].left)
			continue;
		if (found || a[i].left < b[i].left || (b[i].code->node->word && b[i].code->index_named))
			return false;
		found = true;
		*left = floor(b[i].left / (a[i].left - b[i].left));
	}
	return found;
}

static bool by_one_amount(const double *then, const double *now, double *amount, bool *known)
{
	for (int k = 0; k < CLOCKS; k++) {
		double d = now[k] - then[k];

		if (!*known)
			amount[k] = d;
		else if (!(fabs(d - amount[k]) <= TOLERANCE * fabs(amount[k]) + ROUNDING * fabs(now[k])))
			return false;
	}
	*known = true;
	return true;
}

static bool messages_in_step(const struct steady_state *s, const struct processes *p, double *amount, bool *known)
{
	for (size_t c = 0; c < p->channels.count; c++) {
		const struct process_channel *ch = &p->channels.items[c];
		size_t from = c < s->channel_count ? s->first[c] : 0, n = c < s->channel_count ? s->first[c + 1] - from : 0;

		if (ch->touched <= s->stamp)
			continue;
		if (ch->count != n)
			return false;
		for (uint32_t m = ch->first; m != NO_MESSAGE; m = p->channels.messages[m].next, from++) {
			const struct message *now = &p->channels.messages[m], *then = &s->messages[from];

			if (now->copy.lo != then->copy.lo || now->copy.hi != then->copy.hi ||
			    !by_one_amount(then->arrival, now->arrival, amount, known))
				return false;
		}
	}
	return !(p->open_collective.count && p->open_collective.touched > s->stamp);
}

/* Whether all that moved is in step; *left: how often all of it still does the same. */
static bool in_step(const struct steady_state *s, const struct processes *p, double *amount, double *left)
{
	bool known = false;

	*left = INFINITY;
	for (uint32_t i = 0; i < p->count; i++) {
		double mine = 0;

		if (p->items[i].moved == s->items[i].moved)
			continue;
		if (!further_on(s, p, i, &mine) || !by_one_amount(s->items[i].clock, p->items[i].clock, amount, &known))
			return false;
		*left = fmin(*left, mine);
	}
	return known && messages_in_step(s, p, amount, &known);
}

static void interval_repeat(struct interval *v, struct interval then, double n)
{
	v->lo += n * (v->lo - then.lo);
	v->hi += n * (v->hi - then.hi);
}

static void iterations_skip(const struct steady_state *s, struct processes *p, const double *amount, double n)
{
	for (uint32_t i = 0; i < p->count; i++) {
		struct model_process *one = &p->items[i];
		struct process_frame *a = s->frames + (size_t)i * p->frame_room, *b = process_frames(p, i);

		if (one->moved == s->items[i].moved)
			continue;
		for (int k = 0; k < CLOCKS; k++)
			one->clock[k] += n * amount[k];
		interval_repeat(&one->compute, s->items[i].compute, n);
		interval_repeat(&one->processor, s->items[i].processor, n);
		for (uint32_t f = 0; f < one->frame_count; f++)
			if (a[f].left != b[f].left)
				b[f].left -= n * (a[f].left - b[f].left);
		one->moved++;
	}
	for (size_t c = 0; c < p->channels.count; c++)
		for (uint32_t m = p->channels.items[c].first; p->channels.items[c].touched > s->stamp && m != NO_MESSAGE;
		     m = p->channels.messages[m].next)
			for (int k = 0; k < CLOCKS; k++)
				p->channels.messages[m].arrival[k] += n * amount[k];
	for (uint32_t i = 0; i < p->run->resource_count; i++)
		interval_repeat(&p->loads[i], s->loads[i], n);
	interval_repeat(&p->run->network, s->network, n);
}

enum err_code steady_look(struct steady *s, struct processes *p, struct err *e)
{
	size_t bytes = state_bytes(p);
	double amount[CLOCKS], left;
	uint64_t hash;
	int at = 0, rooms = (int)fmin(STEADY_STATES, (double)STEADY_BYTES / (double)(bytes + 1));

	/* What looking costs, all messages under way included, must not be more than what was done since. */
	if (!rooms || (p->run->nodes - s->asked) * 4 < p->count + p->channels.count + p->channels.under_way)
		return ERR_OK;
	s->asked = p->run->nodes;
	hash = processes_hash(p);
	for (int i = 0; i < rooms; i++) {
		if (s->states[i] && s->states[i]->hash == hash) {
			at = i;
			break;
		}
		if (s->states[at] && (!s->states[i] || s->states[i]->age < s->states[at]->age))
			at = i;
	}
	if (s->states[at] && s->states[at]->hash == hash && in_step(s->states[at], p, amount, &left) && left > 0) {
		iterations_skip(s->states[at], p, amount, left);
		steady_release(s);
		return ERR_OK;
	}
	state_free(s->states[at]);
	s->states[at] = remember(p, hash);
	if (!s->states[at])
		return err_memory(e, "the state of the model's processes");
	s->states[at]->age = ++s->age;
	return ERR_OK;
}
