/* Phases from the logical trace (docs/explain/method.md, "Phases").
 *
 * The search follows the rules exactly; it is fast because it never compares anything twice. Windows of send ticks are
 * paths in a trie of tick classes, so that equal windows are one node. A node remembers how many saved phases have been
 * searched for it: the first similar phase wins and phases are only appended, so a match stays valid and a failed
 * search continues where it stopped. Ticks are compared by their classes, and the counts are kept per pair of classes
 * (of the last million: for windows of one tick each pair occurs only once). If there are many saved phases, an index
 * selects those that have something in common with the window.
 */
#include <string.h>

#include "core/base/hash.h"
#include "core/base/index.h"
#include "phases_int.h"
#include "core/trace/remote.h"

#define NONE UINT32_MAX
#define FEW 32                  /* so many saved phases are compared one by one */
#define PAIRS_MOST (1u << 20)   /* remembered: 40 MB at most */

/* A window of send ticks from some startpoint: the path of classes from the root. */
struct window_node {
	uint32_t parent, class;
	uint32_t match;   /* phase id, 0: none found yet */
	uint32_t tried;   /* the last phase (id) of its length that was found not similar, 0: nothing tried yet */
	uint32_t cells;   /* events in the window */
	uint32_t child;   /* the one that was gone to last, 0: none yet; in a program that repeats itself mostly the next one too */
};

struct window_pair {
	uint64_t key;     /* classes a << 32 | b */
	uint32_t same, different, absent;
};

/* A saved phase: its content is that of the window where it first occurred. */
struct saved {
	uint32_t first;   /* send tick */
	uint32_t cells;
	uint32_t next;    /* the next saved phase of the same length: id, 0: none yet */
	uint32_t number;  /* among those of its length, from 1 */
};

/* The saved phases of one length: ids, 0: none. */
struct length {
	uint32_t first, last, count;
	uint32_t indexed; /* the last one that the index has */
};

struct phase_search {
	const struct phase_space *p;
	const struct settings *s;
	struct phase_list list;

	struct window_node *nodes; /* nodes[0] is the root: the empty window */
	size_t node_count, nodes_cap;
	struct index children; /* of the nodes, by parent and class */

	struct window_pair *pairs;
	size_t pair_count, pairs_cap;
	struct index pair_at; /* of the pairs, by key */

	struct saved *saved; /* by id - 1 */
	size_t saved_cap;
	struct length *lengths; /* by length */
	size_t length_count;
	struct phase_index *index; /* NULL until it pays */
};

static uint64_t child_key(uint32_t parent, uint32_t class)
{
	return (uint64_t)parent << 32 | class;
}

static inline bool is_child(const void *nodes, uint32_t i, const void *key)
{
	const struct window_node *n = &((const struct window_node *)nodes)[i];

	return child_key(n->parent, n->class) == *(const uint64_t *)key;
}

static uint64_t child_hash(const void *nodes, uint32_t i)
{
	const struct window_node *n = &((const struct window_node *)nodes)[i];

	return hash_mix(0, child_key(n->parent, n->class));
}

/* The node of a window one tick longer; NONE: no memory. */
static uint32_t extend(struct phase_search *w, uint32_t parent, uint32_t send_tick)
{
	uint32_t class = w->p->class.of[send_tick], child = w->nodes[parent].child;
	uint64_t key = child_key(parent, class);
	uint32_t *slot;
	struct window_node *nodes;

	if (child && w->nodes[child].class == class)
		return child;
	slot = index_slot(&w->children, hash_mix(0, key), w->nodes, (uint32_t)w->node_count, is_child, child_hash, &key);
	if (!slot)
		return NONE;
	if (*slot)
		return w->nodes[parent].child = *slot - 1;
	nodes = mem_grow(w->nodes, w->node_count, &w->nodes_cap, sizeof *nodes);
	if (!nodes)
		return NONE;
	w->nodes = nodes;
	nodes[w->node_count] = (struct window_node){.parent = parent, .class = class, .cells = nodes[parent].cells + w->p->cells[class]};
	*slot = (uint32_t)w->node_count + 1;
	return nodes[parent].child = (uint32_t)w->node_count++;
}

static inline bool is_pair(const void *pairs, uint32_t i, const void *key)
{
	return ((const struct window_pair *)pairs)[i].key == *(const uint64_t *)key;
}

static uint64_t pair_hash(const void *pairs, uint32_t i)
{
	return hash_mix(0, ((const struct window_pair *)pairs)[i].key);
}

static struct phase_counts compare_classes(const struct phase_search *w, uint32_t a, uint32_t b)
{
	struct cell_walk x = phase_cells(w->p, a), y = phase_cells(w->p, b);

	return cells_compare(&x, &y, w->s->volume);
}

/* Counts of two classes of ticks, remembered. NULL: no memory. */
static const struct window_pair *pair_counts(struct phase_search *w, uint32_t a, uint32_t b)
{
	uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; /* counts are symmetric */
	struct phase_counts c;
	struct window_pair *pairs;
	uint32_t *slot;

	if (w->pair_count == PAIRS_MOST) {
		index_clear(&w->pair_at);
		w->pair_count = 0;
	}
	slot = index_slot(&w->pair_at, hash_mix(0, key), w->pairs, (uint32_t)w->pair_count, is_pair, pair_hash, &key);
	if (!slot || *slot)
		return slot ? &w->pairs[*slot - 1] : NULL;
	pairs = mem_grow(w->pairs, w->pair_count, &w->pairs_cap, sizeof *pairs);
	if (!pairs)
		return NULL;
	w->pairs = pairs;
	c = compare_classes(w, a, b);
	pairs[w->pair_count] = (struct window_pair){key, (uint32_t)c.same, (uint32_t)c.different, (uint32_t)c.absent};
	*slot = (uint32_t)w->pair_count + 1;
	return &pairs[w->pair_count++];
}

/* Is the window [first, first + length) similar to a saved phase of that length? -1: no memory. */
static int similar(struct phase_search *w, uint32_t first, uint32_t length, uint32_t cells, uint32_t id)
{
	const struct saved *saved = &w->saved[id - 1];
	struct phase_counts sum = {.comparable = true};
	uint64_t most = (uint64_t)cells + saved->cells; /* the sum of counts cannot be larger */
	uint64_t unlike;

	if (length == 1) {
		sum = compare_classes(w, w->p->class.of[saved->first], w->p->class.of[first]);
		return phases_similar(&sum, w->s);
	}
	for (uint32_t i = 0; i < length; i++) {
		const struct window_pair *c = pair_counts(w, w->p->class.of[saved->first + i], w->p->class.of[first + i]);

		if (!c)
			return -1;
		sum.same += c->same;
		sum.different += c->different;
		sum.absent += c->absent;
		/* Each cell that both have is counted once and is in both sizes. */
		most -= c->same + c->different;
		unlike = sum.different + (w->s->absent == ABSENT_DIFFERENT ? sum.absent : 0);
		if ((double)(most - unlike) < w->s->events * (double)most - 0.5)
			return 0;
	}
	return phases_similar(&sum, w->s);
}

/* The candidates among the phases of a length that come after `after`, by the index; *count NONE: it does not narrow
 * them down. */
static bool narrow(struct phase_search *w, uint32_t first, uint32_t length, uint32_t after, uint32_t untested,
		   const uint32_t **ids, uint32_t *count)
{
	struct length *of = &w->lengths[length];
	uint32_t id = of->indexed ? w->saved[of->indexed - 1].next : of->first;

	if (!w->index)
		w->index = phase_index_new(w->p, w->s);
	if (!w->index)
		return false;
	for (; id; id = w->saved[id - 1].next) {
		if (!phase_index_add(w->index, id, w->saved[id - 1].first, length))
			return false;
		of->indexed = id;
	}
	return phase_index_find(w->index, first, length, after, untested, ids, count);
}

/* Rule 4's question: the first saved phase that the window is similar to. 0: none, NONE: no memory. */
static uint32_t look_up(struct phase_search *w, uint32_t node, uint32_t first, uint32_t length)
{
	struct window_node *n = &w->nodes[node];
	const struct length *of;
	const uint32_t *ids = NULL;
	uint32_t untested, count = NONE, id;

	if (n->match)
		return n->match;
	if (length >= w->length_count)
		return 0;
	of = &w->lengths[length];
	if (!of->count)
		return 0;
	untested = of->count - (n->tried ? w->saved[n->tried - 1].number : 0);
	if (untested > FEW && untested > n->cells && !narrow(w, first, length, n->tried, untested, &ids, &count))
		return NONE;
	id = n->tried ? w->saved[n->tried - 1].next : of->first;
	for (uint32_t i = 0; count == NONE ? id != 0 : i < count; i++) {
		int answer = similar(w, first, length, n->cells, count == NONE ? id : ids[i]);

		if (answer < 0)
			return NONE;
		if (answer) {
			n->match = count == NONE ? id : ids[i];
			return n->match;
		}
		id = count == NONE ? w->saved[id - 1].next : 0;
	}
	n->tried = of->last;
	return 0;
}

static bool window_save_phase(struct phase_search *w, uint32_t node, uint32_t first, uint32_t length, uint32_t *id)
{
	struct saved *saved = mem_grow(w->saved, w->list.p->count, &w->saved_cap, sizeof *saved);
	size_t want = ((size_t)length + 1) * 2;
	struct length *of;

	if (!saved)
		return false;
	w->saved = saved;
	if (length >= w->length_count) {
		struct length *more = mem_resize(w->lengths, want, sizeof *more);

		if (!more)
			return false;
		memset(more + w->length_count, 0, (want - w->length_count) * sizeof *more);
		w->lengths = more;
		w->length_count = want;
	}
	*id = phase_list_save(&w->list, length);
	if (!*id)
		return false;
	of = &w->lengths[length];
	saved[*id - 1] = (struct saved){.first = first, .cells = w->nodes[node].cells, .number = ++of->count};
	if (of->last)
		saved[of->last - 1].next = *id;
	else
		of->first = *id;
	of->last = *id;
	return true;
}

static bool occur(struct phase_search *w, uint32_t id, uint32_t first, uint32_t last)
{
	return phase_list_occur(&w->list, id, w->p->tick[first], w->p->tick[last]);
}

/* Rule 4: close the window [first, last] of send ticks. */
static bool close_window(struct phase_search *w, uint32_t node, uint32_t first, uint32_t last)
{
	uint32_t length = last - first + 1, id = look_up(w, node, first, length);

	if (id == NONE || (!id && !window_save_phase(w, node, first, length, &id)))
		return false;
	return occur(w, id, first, last);
}

/* The node of a window that was not walked tick by tick from its start. */
static uint32_t window_walk_ticks(struct phase_search *w, uint32_t first, uint32_t last)
{
	uint32_t node = 0;

	for (uint32_t k = first; node != NONE && k <= last; k++)
		node = extend(w, node, k);
	return node;
}

/* Rule 3's question: some process has at tick k a type that it already had within [s, k-1]: the earliest tick at
 * which a type so repeated first occurred; NONE: no type repeats. */
static uint32_t first_repeat(const struct phase_space *p, uint32_t s, uint32_t k)
{
	uint32_t low = p->repeat_first[k], end = p->repeat_first[k + 1];

	if (low == end || p->repeat[end - 1] < s)
		return NONE;
	while (p->repeat[low] < s)
		low++;
	return p->repeat[low];
}

/* From one startpoint to the next (returned); NONE: no memory. */
static uint32_t one_phase(struct phase_search *w, uint32_t s)
{
	uint32_t e = s, node = extend(w, 0, s);

	for (; node != NONE; e++) {
		uint32_t f, id;

		if (e + 1 == w->p->count)
			return close_window(w, node, s, e) ? e + 1 : NONE;
		f = first_repeat(w->p, s, e + 1);
		if (f == s)
			return close_window(w, node, s, e) ? e + 1 : NONE;
		if (f != NONE) {
			node = window_walk_ticks(w, s, f - 1);
			if (node == NONE || !close_window(w, node, s, f - 1))
				return NONE;
			node = window_walk_ticks(w, f, e);
			return node != NONE && close_window(w, node, f, e) ? e + 1 : NONE;
		}
		node = extend(w, node, e + 1);
		if (node == NONE)
			return NONE;
		id = look_up(w, node, s, e + 2 - s);
		if (id == NONE)
			return NONE;
		if (id)
			return occur(w, id, s, e + 1) ? e + 2 : NONE;
	}
	return NONE;
}

static enum err_code search(struct phases **out, const struct phase_space *p, const struct settings *settings, const struct progress *progress,
			    struct err *e)
{
	struct phase_search w = {.p = p, .s = settings};
	enum err_code code = phase_list_init(&w.list, SIMILARITY_PHASE, e);
	uint32_t report = 0;

	*out = NULL;
	if (!code) {
		w.nodes = mem_grow(NULL, 0, &w.nodes_cap, sizeof *w.nodes);
		if (w.nodes)
			w.nodes[w.node_count++] = (struct window_node){.parent = NONE}; /* nobody's child */
		else
			code = err_memory(e, "the search for phases");
	}
	for (uint32_t k = 0; !code && k < p->count;) {
		k = one_phase(&w, k);
		if (k == NONE)
			code = err_memory(e, "the search for phases");
		else if (k >= report) {
			report = k + 4096;
			code = progress_step(progress, PROGRESS_PHASES, k, p->count, e);
		}
	}
	mem_free(w.nodes);
	index_release(&w.children);
	mem_free(w.pairs);
	index_release(&w.pair_at);
	mem_free(w.saved);
	mem_free(w.lengths);
	phase_index_free(w.index);
	if (!code)
		return phase_list_finish(&w.list, out, e);
	phase_list_release(&w.list);
	return code;
}

enum err_code phases_search(struct phases **out, const struct phase_space *p, const struct settings *settings,
			    const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(p->l->trace);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (!team_rank(team))
		code = search(out, p, settings, progress, e);
	code = team_agree(team, code, e);
	if (!code)
		return phases_broadcast(out, team, SIMILARITY_PHASE, e);
	phases_free(*out);
	*out = NULL;
	return code;
}
