/* Strongly connected components in one pass (Pearce 2016, his algorithm with one number a node), iterative.
 *
 * The search follows edges backwards, from a node to those right before it. So a component is found when all that it
 * depends on has been, and components come in an order in which the parse can consume them. Roots are tried in strides
 * of all processes, from the run's start on, which keeps the search shallow.
 *
 * A node stands for itself by one event: a message by its send, a collective by the member that was met first.
 * index[] of that event is the node's number: 0 not visited, small while it is open, and from DONE downwards once its
 * component is complete.
 */
#include "patterns_int.h"

#define DONE 0x7ffffffeu
#define MEMBER 0x80000000u   /* | the event that stands for the collective */
#define STRIDE 32
#define POLL 65536

struct atom_frame {
	uint32_t node;
	uint32_t at;              /* the event whose predecessor is followed */
	bool root;
};

struct atom_search {
	const struct trace *t;
	uint32_t *index;
	uint64_t *begins;         /* bit per event: the first one of its process */
	uint32_t next, done;
	struct atom_frame *frames;
	size_t depth, frames_cap;
	uint32_t *open;           /* nodes of components that are not complete */
	size_t open_count, open_cap;
	struct atoms *atoms;
	size_t left_cap;
	const struct progress *progress;
	uint64_t steps;           /* of the search, since the last look at progress */
	bool stopped;
};

static inline uint32_t node_of(const struct atom_search *s, uint32_t event)
{
	event_type kind = EVENT_KIND(s->t->type[event]);

	if (kind == EVENT_RECEIVE)
		return s->t->match[event];
	if (kind == EVENT_COLLECTIVE && s->index[event] & MEMBER)
		return s->index[event] & ~MEMBER;
	return event;
}

/* The event of a node right before this one on its process; NO_EVENT: there is none. */
static inline uint32_t event_before(const struct atom_search *s, uint32_t event)
{
	for (;;) {
		if (s->begins[event >> 6] >> (event & 63) & 1)
			return NO_EVENT;
		event--;
		if (event_is_related(s->t, event))
			return event;
	}
}

/* The next of the node's events; NO_EVENT: that was the last. */
static inline uint32_t event_of_node_after(const struct atom_search *s, uint32_t node, uint32_t event)
{
	uint32_t next = s->t->match[event];

	return next == node ? NO_EVENT : next;
}

static bool node_enter(struct atom_search *s, uint32_t node)
{
	struct atom_frame *more = mem_grow(s->frames, s->depth, &s->frames_cap, sizeof *more);

	if (!more)
		return false;
	s->frames = more;
	s->frames[s->depth++] = (struct atom_frame){node, node, true};
	s->index[node] = s->next++;
	if (EVENT_KIND(s->t->type[node]) == EVENT_COLLECTIVE)
		for (uint32_t m = s->t->match[node]; m != node; m = s->t->match[m])
			s->index[m] = MEMBER | node;
	return true;
}

static bool node_keep_open(struct atom_search *s, uint32_t node)
{
	uint32_t *more = mem_grow(s->open, s->open_count, &s->open_cap, sizeof *more);

	if (!more)
		return false;
	s->open = more;
	s->open[s->open_count++] = node;
	return true;
}

static enum atom_sort single_sort(const struct trace *t, uint32_t node)
{
	if (EVENT_KIND(t->type[node]) == EVENT_COLLECTIVE)
		return ATOM_CALL;
	return message_partner(t, node) == message_partner(t, t->match[node]) ? ATOM_SEVERAL : ATOM_ONE_WAY;
}

/* The node ends its component, with all that is open above it. */
static bool atom_complete(struct atom_search *s, uint32_t node)
{
	uint32_t number = s->index[node], nodes = 1;
	uint32_t *left = mem_grow(s->atoms->left, s->atoms->count, &s->left_cap, sizeof *left);

	if (!left)
		return false;
	s->atoms->left = left;
	s->next--;
	while (s->open_count && number <= s->index[s->open[s->open_count - 1]]) {
		s->index[s->open[--s->open_count]] = s->done;
		s->next--;
		nodes++;
	}
	s->index[node] = s->done--;
	left[s->atoms->count++] = (uint32_t)(nodes > 1 ? ATOM_SEVERAL : single_sort(s->t, node)) << 30;
	return true;
}

static bool search_from(struct atom_search *s, uint32_t root)
{
	if (!node_enter(s, root))
		return false;
	while (s->depth) {
		struct atom_frame *f = &s->frames[s->depth - 1];

		if (++s->steps % POLL == 0 && progress_stopped(s->progress)) {
			s->stopped = true;
			return false;
		}
		if (f->at != NO_EVENT) {
			uint32_t before = event_before(s, f->at);

			if (before != NO_EVENT) {
				uint32_t to = node_of(s, before);

				if (!s->index[to]) {
					/* The same edge is looked at again when this is done. */
					if (!node_enter(s, to))
						return false;
					continue;
				}
				if (s->index[to] < s->index[f->node]) {
					s->index[f->node] = s->index[to];
					f->root = false;
				}
			}
			f->at = event_of_node_after(s, f->node, f->at);
			continue;
		}
		s->depth--;
		if (!(f->root ? atom_complete(s, f->node) : node_keep_open(s, f->node)))
			return false;
	}
	return true;
}

/* From numbers of nodes to atoms of events, in place, and how many processes come to each. */
static void atoms_settle(struct atom_search *s)
{
	const struct trace *t = s->t;
	struct atoms *a = s->atoms;

	a->of = s->index;
	s->index = NULL;
	for (uint32_t e = 0; e < t->event_count; e++) {
		event_type kind = EVENT_KIND(t->type[e]);

		if (!event_is_related(t, e)) {
			a->of[e] = ATOM_NONE;
		} else if (kind == EVENT_SEND) {
			a->of[e] = DONE - a->of[e];
			a->of[t->match[e]] = a->of[e];
		} else if (kind == EVENT_COLLECTIVE) {
			uint32_t node = a->of[e] & MEMBER ? a->of[e] & ~MEMBER : e;

			/* Those before this one have their atoms already. */
			a->of[e] = node < e ? a->of[node] : DONE - a->of[node];
		}
	}
	for (uint32_t p = 0; p < t->process_count; p++) {
		uint32_t last = ATOM_NONE, one_way = 0;

		for (uint32_t e = t->first[p]; e < t->first[p + 1]; e++) {
			if (a->of[e] == ATOM_NONE)
				continue;
			if (a->of[e] != last) {
				last = a->of[e];
				one_way = ATOM_SORT(++a->left[last]) == ATOM_ONE_WAY ? ATOM_IS_ONE_WAY : 0;
			}
			a->of[e] |= one_way;
		}
	}
}

static enum err_code search_stride(struct atom_search *s, uint64_t begin, uint64_t end, struct err *e)
{
	for (uint32_t v = (uint32_t)begin; v < end; v++) {
		uint32_t node;

		if (!event_is_related(s->t, v))
			continue;
		node = node_of(s, v);
		if (!s->index[node] && !search_from(s, node))
			return s->stopped ? progress_step(s->progress, PROGRESS_PATTERNS, 0, s->t->event_count, e) : err_memory(e, "patterns");
	}
	return ERR_OK;
}

static enum err_code search_all(struct atom_search *s, struct err *e)
{
	const struct trace *t = s->t;
	uint32_t *going = mem_alloc(t->process_count, sizeof *going), count = 0; /* processes that have events left */
	uint64_t seen = 0, polled = 0;
	enum err_code code = going ? ERR_OK : err_memory(e, "patterns");

	for (uint32_t p = 0; !code && p < t->process_count; p++)
		going[count++] = p;
	for (uint64_t k = 0; !code && count; k += STRIDE) {
		uint32_t kept = 0;

		for (uint32_t i = 0; !code && i < count; i++) {
			uint64_t begin = t->first[going[i]] + k, end = t->first[going[i] + 1];

			if (begin >= end)
				continue;
			if (end - begin > STRIDE)
				end = begin + STRIDE;
			going[kept++] = going[i];
			code = search_stride(s, begin, end, e);
			seen += end - begin;
			if (!code && seen - polled >= POLL) {
				polled = seen;
				code = progress_step(s->progress, PROGRESS_PATTERNS, seen / 2, t->event_count, e);
			}
		}
		count = kept;
	}
	mem_free(going);
	return code;
}

enum err_code atoms_init(struct atoms *a, const struct trace *t, const struct progress *progress, struct err *e)
{
	struct atom_search s = {.t = t, .next = 1, .done = DONE, .atoms = a, .progress = progress};
	size_t events = t->event_count, words = events / 64 + 1;
	enum err_code code = ERR_OK;

	*a = (struct atoms){0};
	s.index = mem_zero(events, sizeof *s.index);
	s.begins = mem_zero(words, sizeof *s.begins);
	a->left = mem_alloc(0, sizeof *a->left);
	if (!s.index || !s.begins || !a->left)
		code = err_memory(e, "patterns");
	if (!code) {
		for (uint32_t p = 0; p < t->process_count; p++)
			if (t->first[p] < t->first[p + 1])
				s.begins[t->first[p] >> 6] |= UINT64_C(1) << (t->first[p] & 63);
		code = search_all(&s, e);
	}
	if (!code)
		atoms_settle(&s);
	mem_free(s.frames);
	mem_free(s.open);
	mem_free(s.begins);
	mem_free(s.index);
	if (code)
		atoms_release(a);
	return code;
}

void atoms_release(struct atoms *a)
{
	mem_free(a->of);
	mem_free(a->left);
	*a = (struct atoms){0};
}
