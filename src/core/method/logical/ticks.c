#include "logical_int.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/parallel.h"
#include "core/trace/remote.h"
#include "core/trace/trace.h"

/* A match of an event of a trace that ranks share, so that it compares as the whole trace's: a rank's processes are
 * behind those of the ranks before it. */
static uint64_t match_of_all(const struct trace *t, uint32_t match)
{
	const struct remote_message *remote = t->remote && is_remote(match) ? remote_message(t, match) : NULL;

	if (match == NO_EVENT)
		return UINT64_MAX;
	return remote ? (uint64_t)remote->rank << 32 | remote->other : (uint64_t)team_rank(t->remote->team) << 32 | match;
}

/* Receives of one process at one LT, in the order of docs/explain/method.md, "Ticks". */
static int compare_receives(const struct trace *t, uint32_t a, uint32_t b)
{
	uint32_t sa = EVENT_INDEX(t->type[a]), sb = EVENT_INDEX(t->type[b]);

	if (sa != sb)
		return sa < sb ? -1 : 1;
	if (trace_comm(t, a) != trace_comm(t, b))
		return trace_comm(t, a) < trace_comm(t, b) ? -1 : 1;
	if (trace_tag(t, a) != trace_tag(t, b))
		return trace_tag(t, a) < trace_tag(t, b) ? -1 : 1;
	/* Events of one process are numbered in its order, and NO_EVENT is the largest number. */
	if (t->match[a] != t->match[b]) {
		if (t->remote)
			return match_of_all(t, t->match[a]) < match_of_all(t, t->match[b]) ? -1 : 1;
		return t->match[a] < t->match[b] ? -1 : 1;
	}
	return a < b ? -1 : 1;
}

struct tick_comparing {
	const struct trace *t;
};

static int compare_receives_r(const void *a, const void *b, void *arg)
{
	const struct tick_comparing *comparing = arg;

	return compare_receives(comparing->t, *(const uint32_t *)a, *(const uint32_t *)b);
}

static void sort_receives(const struct trace *t, uint32_t *list, size_t n)
{
	if (n > 16) {
		qsort_r(list, n, sizeof *list, compare_receives_r, &(struct tick_comparing){t});
		return;
	}
	for (size_t i = 1; i < n; i++) {
		uint32_t x = list[i];
		size_t j = i;

		for (; j > 0 && compare_receives(t, x, list[j - 1]) < 0; j--)
			list[j] = list[j - 1];
		list[j] = x;
	}
}

/* Growing scratch of one LT at a time. */
struct scratch {
	uint32_t *list;
	size_t cap;
};

static bool scratch_room(struct scratch *s, size_t want)
{
	uint32_t *more;

	if (want <= s->cap)
		return true;
	more = mem_resize(s->list, want * 2, sizeof *more);
	if (!more)
		return false;
	s->list = more;
	s->cap = want * 2;
	return true;
}

/* Until ticks are numbered, tick[] holds the events' LTs. Events are sorted by key: the LT, in `pas2p` order doubled,
 * with its receives before its sends and collectives. Whole keys become ticks, so that an event's tick is looked up by
 * its key; only where a process has several receives at one LT (a deep key) each of them is told its own. */
#define DEEP UINT32_MAX

/* For a tick: what it holds. */
#define HOLDS_SEND 1
#define IS_DEEP 2

/* The ticks of a range of LTs, made on one thread; numbered from 0 until all ranges are put together. */
struct tick_maker {
	struct logical *l;
	uint32_t lt_begin, lt_end;      /* the range */
	uint32_t begin;                 /* its place in order_of */
	uint32_t *ends;                 /* per tick: where it ends in order_of */
	uint8_t *kinds;                 /* per tick */
	uint32_t count, base;           /* ticks; number of the first */
	size_t ends_cap, kinds_cap;
	struct scratch receives;        /* the receives of one LT */
	struct scratch from, to;        /* receives of each process that has some: [from, to) in receives */
	bool failed;
};

struct ticks {
	struct logical *l;
	unsigned split;                 /* 1: an LT has two keys */
	uint32_t *at;                   /* per key: its end in order_of; then its tick, or DEEP */
	uint32_t *places;               /* per sorter and key: how many events, then the place of the next in order_of. The
	                                   last sorter's become at[] */
	size_t keys;
	unsigned sorters;               /* parts of the processes */
	struct tick_maker *makers;
	unsigned parts;
	struct parallel_stop stop;
	/* For a trace that ranks share, what the whole one has at each LT: its ticks, without that of its sends where it
	 * has one of its own; and a bit for whether it has sends. */
	uint32_t *depth, *sends;
};

static inline size_t key_of(const struct ticks *all, uint32_t lt, event_type type)
{
	return (size_t)lt << all->split | (all->split & (EVENT_KIND(type) != EVENT_RECEIVE));
}

static void tick_maker_release(struct tick_maker *m)
{
	mem_free(m->ends);
	mem_free(m->kinds);
	mem_free(m->receives.list);
	mem_free(m->from.list);
	mem_free(m->to.list);
}

/* Close a tick that ends, in order_of, before `end`. */
static bool tick_add(struct tick_maker *m, uint32_t end, uint8_t kind)
{
	uint32_t *ends = mem_grow(m->ends, m->count, &m->ends_cap, sizeof *ends);
	uint8_t *kinds;

	if (!ends)
		return false;
	m->ends = ends;
	kinds = mem_grow(m->kinds, m->count, &m->kinds_cap, sizeof *kinds);
	if (!kinds)
		return false;
	m->kinds = kinds;
	ends[m->count] = end;
	kinds[m->count++] = kind;
	return true;
}

/* Does some process have several of these events, which are listed by process? */
static bool is_deep(const struct logical *l, uint32_t begin, uint32_t end)
{
	const struct trace *t = l->trace;
	uint32_t limit = 0;

	for (uint32_t i = begin; i < end; i++) {
		if (l->order_of[i] < limit)
			return true;
		limit = t->first[trace_process_of(t, l->order_of[i]) + 1];
	}
	return false;
}

/* The receives of one LT, order_of[begin..end), where some process has several: as many ticks as the process with most
 * needs. */
static bool split_receives(struct tick_maker *m, uint32_t begin, uint32_t end)
{
	struct logical *l = m->l;
	const struct trace *t = l->trace;
	uint32_t groups = 0, at = begin, limit = 0;

	if (!scratch_room(&m->receives, end - begin) || !scratch_room(&m->from, end - begin) ||
	    !scratch_room(&m->to, end - begin))
		return false;
	memcpy(m->receives.list, l->order_of + begin, (end - begin) * sizeof *l->order_of);
	for (uint32_t i = 0; i < end - begin; i++) {
		uint32_t ev = m->receives.list[i];

		if (!groups || ev >= limit) {
			limit = t->first[trace_process_of(t, ev) + 1];
			m->from.list[groups++] = i;
		}
		m->to.list[groups - 1] = i + 1;
	}
	for (uint32_t g = 0; g < groups; g++)
		if (m->to.list[g] - m->from.list[g] > 1)
			sort_receives(t, m->receives.list + m->from.list[g], m->to.list[g] - m->from.list[g]);
	while (groups) {
		uint32_t kept = 0;

		for (uint32_t g = 0; g < groups; g++) {
			uint32_t from = m->from.list[g], to = m->to.list[g];

			l->order_of[at++] = m->receives.list[from++];
			if (from < to) {
				m->from.list[kept] = from;
				m->to.list[kept++] = to;
			}
		}
		groups = kept;
		if (!tick_add(m, at, IS_DEEP))
			return false;
	}
	return true;
}

/* The events of one key, order_of[begin..end): *at becomes their tick. */
static bool make_key(struct tick_maker *m, uint32_t *at, uint32_t begin, uint32_t end, uint8_t kind)
{
	if (begin == end)
		return true;
	*at = m->count;
	if (m->l->order == ORDER_LAMPORT || (kind & HOLDS_SEND) || !is_deep(m->l, begin, end))
		return tick_add(m, end, kind);
	*at = DEEP;
	return split_receives(m, begin, end);
}

/* One LT in `lamport` order is one tick, whatever it holds. */
static uint8_t kind_of_mixed(const struct logical *l, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; i++)
		if (EVENT_KIND(l->trace->type[l->order_of[i]]) != EVENT_RECEIVE)
			return HOLDS_SEND;
	return 0;
}

/* One LT, from order_of[begin]: in `pas2p` order the ticks of its TickRecv, and the tick of its TickSend. */
static bool make_lt(struct tick_maker *m, const struct ticks *all, uint32_t k, uint32_t begin, uint32_t *end)
{
	uint32_t *at = all->at + ((size_t)k << all->split), middle = *at;

	if (!all->split) {
		*end = middle;
		return make_key(m, at, begin, middle, kind_of_mixed(m->l, begin, middle));
	}
	*end = at[1];
	return make_key(m, at, begin, middle, 0) && make_key(m, at + 1, middle, *end, HOLDS_SEND);
}

/* The same where the whole trace's ticks are known: some may have no event here. */
static bool make_known_lt(struct tick_maker *m, const struct ticks *all, uint32_t k, uint32_t begin, uint32_t *end)
{
	uint32_t *at = all->at + ((size_t)k << all->split), middle = *at, before = m->count;
	uint8_t kind = all->sends[k / 32] >> k % 32 & 1 ? HOLDS_SEND : 0;

	*end = at[all->split];
	if (!all->split) {
		*at = m->count;
		return !all->depth[k] || tick_add(m, *end, kind);
	}
	if (!make_key(m, at, begin, middle, 0))
		return false;
	while (m->count - before < all->depth[k])
		if (!tick_add(m, middle, 0))
			return false;
	at[1] = m->count;
	return !kind || tick_add(m, *end, kind);
}

/* Sort the events of some processes into order_of, by key, then process, then number. */
static void sort_part(void *arg, unsigned part)
{
	struct ticks *all = arg;
	struct logical *l = all->l;
	const struct trace *t = l->trace;
	uint32_t *places = all->places + part * all->keys, first, end;

	trace_part(t, part, all->sorters, &first, &end);
	for (uint32_t i = t->first[first]; i < t->first[end]; i++)
		l->order_of[places[key_of(all, l->tick[i], t->type[i])]++] = i;
}

/* Make the ticks of a range of LTs. */
static void make_range(void *arg, unsigned part)
{
	struct ticks *all = arg;
	struct tick_maker *m = &all->makers[part];
	struct logical *l = all->l;
	uint32_t n = l->trace->event_count;

	for (uint32_t k = m->lt_begin, begin = m->begin; k < m->lt_end && !m->failed; k++) {
		l->lt_first[k] = m->count;
		m->failed = all->depth ? !make_known_lt(m, all, k, begin, &begin) : !make_lt(m, all, k, begin, &begin);
		if ((k & 4095) == 0) {
			if (part == 0)
				progress_report(all->stop.progress, PROGRESS_TICKS, (uint64_t)(begin - m->begin) * all->parts, n);
			if (parallel_stopped(&all->stop, part))
				return;
		}
	}
}

/* The number of a range's first tick is known when all are made. */
static void number_range(void *arg, unsigned part)
{
	struct ticks *all = arg;
	struct tick_maker *m = &all->makers[part];
	struct logical *l = all->l;

	for (uint32_t k = 0; k < m->count; k++) {
		l->tick_first[m->base + k + 1] = m->ends[k];
		l->tick_sends[m->base + k] = m->kinds[k] & HOLDS_SEND;
	}
	for (uint32_t k = m->lt_begin; k < m->lt_end; k++)
		l->lt_first[k] += m->base;
	for (size_t k = (size_t)m->lt_begin << all->split; k < (size_t)m->lt_end << all->split; k++)
		if (all->at[k] != DEEP)
			all->at[k] += m->base;
}

/* The ticks of the events of some processes, but of deep keys; and the list of their sends. */
static void number_events(void *arg, unsigned part)
{
	const struct ticks *all = arg;
	struct logical *l = all->l;
	const struct trace *t = l->trace;
	uint32_t first, end;

	trace_part(t, part, all->parts, &first, &end);
	for (uint32_t p = first; p < end; p++) {
		uint32_t n = l->send_first[p];

		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			uint32_t tick = all->at[key_of(all, l->tick[i], t->type[i])];

			if (tick != DEEP)
				l->tick[i] = tick;
			if (EVENT_KIND(t->type[i]) != EVENT_RECEIVE)
				l->sends[n++] = i;
		}
	}
}

static void number_deep(void *arg, unsigned part)
{
	const struct ticks *all = arg;
	const struct tick_maker *m = &all->makers[part];
	struct logical *l = all->l;

	for (uint32_t k = 0; k < m->count; k++)
		for (uint32_t i = l->tick_first[m->base + k]; (m->kinds[k] & IS_DEEP) && i < m->ends[k]; i++)
			l->tick[l->order_of[i]] = m->base + k;
}

/* Of some processes: the number of events of each key, and of each process's sends. */
static void count_part(void *arg, unsigned part)
{
	struct ticks *all = arg;
	const struct logical *l = all->l;
	const struct trace *t = l->trace;
	uint32_t *places = all->places + part * all->keys, first, end;

	trace_part(t, part, all->sorters, &first, &end);
	for (uint32_t p = first; p < end; p++) {
		uint32_t n = 0;

		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			n += EVENT_KIND(t->type[i]) != EVENT_RECEIVE;
			places[key_of(all, l->tick[i], t->type[i])]++;
		}
		l->send_first[p + 1] = n;
	}
}

/* From counts to places: by key, and within one by process. */
static void place_keys(struct ticks *all)
{
	uint32_t total = 0;

	for (size_t k = 0; k < all->keys; k++)
		for (unsigned i = 0; i < all->sorters; i++) {
			uint32_t *place = &all->places[i * all->keys + k], count = *place;

			*place = total;
			total += count;
		}
}

static bool has_lt(const struct ticks *all, uint32_t lt)
{
	for (size_t k = (size_t)lt << all->split; k < (size_t)(lt + 1) << all->split; k++)
		for (unsigned i = 0; i < all->sorters; i++)
			if (all->places[i * all->keys + k])
				return true;
	return false;
}

/* Cut the LTs into ranges of about as many events; where ranks share the trace, of whole numbers of sends[]. */
static void share_lts(struct ticks *all)
{
	struct logical *l = all->l;
	uint32_t n = l->trace->event_count;

	for (uint32_t i = 0, k = 0; i < all->parts; i++) {
		struct tick_maker *m = &all->makers[i];

		m->l = l;
		m->lt_begin = k;
		m->begin = k < l->lt_count ? all->places[(size_t)k << all->split] : n;
		while (k < l->lt_count &&
		       (i + 1 == all->parts || all->places[(size_t)k << all->split] < (uint64_t)n * (i + 1) / all->parts ||
			(l->trace->remote && k % 32)))
			k++;
		m->lt_end = k;
	}
}

/* Count sends by process, and sort events by key. */
static enum err_code sort_events(struct ticks *all, struct err *e)
{
	struct logical *l = all->l;
	const struct trace *t = l->trace;
	uint32_t n = t->event_count;

	all->keys = (size_t)l->lt_count << all->split;
	all->sorters = all->keys * all->parts <= n ? all->parts : 1; /* with few processes there are many keys */
	l->send_first = mem_zero((size_t)t->process_count + 1, sizeof *l->send_first);
	all->makers = mem_zero(all->parts, sizeof *all->makers);
	all->places = mem_zero(all->keys * all->sorters, sizeof *all->places);
	if (!l->send_first || !all->makers || !all->places)
		return err_memory(e, "the ticks");
	parallel_run(all->sorters, count_part, all);
	for (uint32_t p = 0; p < t->process_count; p++)
		l->send_first[p + 1] += l->send_first[p];
	while (!t->remote && l->lt_count && !has_lt(all, l->lt_count - 1))
		l->lt_count--;
	place_keys(all);
	share_lts(all);
	all->at = all->places + (all->sorters - 1) * all->keys;
	l->lt_first = mem_alloc(l->lt_count, sizeof *l->lt_first);
	l->order_of = mem_alloc(n, sizeof *l->order_of);
	l->sends = mem_alloc(l->send_first[t->process_count], sizeof *l->sends);
	if (!l->lt_first || !l->order_of || !l->sends)
		return err_memory(e, "the ticks");
	parallel_run(all->sorters, sort_part, all);
	return ERR_OK;
}

/* --- a trace that ranks share --- */

/* The most receives that a process has of these, which are listed by process. */
static uint32_t depth_of(const struct logical *l, uint32_t begin, uint32_t end)
{
	const struct trace *t = l->trace;
	uint32_t depth = 0, limit = 0, here = 0;

	for (uint32_t i = begin; i < end; i++) {
		if (l->order_of[i] >= limit) {
			limit = t->first[trace_process_of(t, l->order_of[i]) + 1];
			here = 0;
		}
		if (++here > depth)
			depth = here;
	}
	return depth;
}

/* What the rank's local events need of a range of LTs. */
static void measure_range(void *arg, unsigned part)
{
	struct ticks *all = arg;
	const struct tick_maker *m = &all->makers[part];
	const struct logical *l = all->l;

	for (uint32_t k = m->lt_begin, begin = m->begin, end; k < m->lt_end; k++, begin = end) {
		const uint32_t *at = all->at + ((size_t)k << all->split);
		bool sends;

		end = at[all->split];
		all->depth[k] = all->split ? depth_of(l, begin, at[0]) : end > begin;
		sends = all->split ? end > at[0] : kind_of_mixed(l, begin, end) & HOLDS_SEND;
		all->sends[k / 32] |= (uint32_t)sends << k % 32;
		if ((k & 4095) == 0 && parallel_stopped(&all->stop, part))
			return;
	}
}

static enum err_code ticks_stopped(struct err *e)
{
	return err_set(e, ERR_CANCELLED, "stopped while making ticks");
}

/* The ticks that all ranks together need at each LT. Returns the team's code. */
static enum err_code share_depths(struct ticks *all, struct err *e)
{
	struct logical *l = all->l;
	const struct team *team = trace_team(l->trace);
	uint32_t n = l->lt_count;
	uint64_t total = 0;
	enum err_code code;

	all->depth = mem_zero(n, sizeof *all->depth);
	all->sends = mem_zero((size_t)n / 32 + 1, sizeof *all->sends);
	if (!all->depth || !all->sends)
		return team_agree(team, err_memory(e, "the ticks"), e);
	parallel_run(all->parts, measure_range, all);
	if (atomic_load(&all->stop.stopped))
		return team_agree(team, ticks_stopped(e), e);
	code = team_reduce_u32(team, all->depth, n, TEAM_MAX, e);
	if (!code)
		code = team_reduce_u32(team, all->sends, (size_t)n / 32 + 1, TEAM_OR, e);
	if (code)
		return code;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t sends = all->sends[k / 32] >> k % 32 & 1;

		total += (uint64_t)all->depth[k] + (sends & all->split);
		if (all->depth[k] || sends)
			l->lt_count = k + 1;
	}
	if (!total)
		l->lt_count = 0;
	return total < NO_EVENT ? ERR_OK : err_set(e, ERR_LIMIT, "the logical trace has more than %u ticks", NO_EVENT - 1);
}

/* From sorted events to ticks. */
static enum err_code number_all(struct ticks *all, struct err *e)
{
	struct logical *l = all->l;
	uint64_t total = 0;
	enum err_code code = ERR_OK;

	parallel_run(all->parts, make_range, all);
	for (unsigned i = 0; i < all->parts; i++) {
		if (all->makers[i].failed)
			code = err_memory(e, "the ticks");
		all->makers[i].base = (uint32_t)total;
		total += all->makers[i].count;
	}
	if (!code && atomic_load(&all->stop.stopped))
		code = ticks_stopped(e);
	if (code)
		return code;
	l->tick_count = (uint32_t)total;
	l->tick_first = mem_zero((size_t)total + 1, sizeof *l->tick_first);
	l->tick_sends = mem_alloc(total, sizeof *l->tick_sends);
	if (!l->tick_first || !l->tick_sends)
		return err_memory(e, "the ticks");
	parallel_run(all->parts, number_range, all);
	parallel_run(all->parts, number_events, all);
	parallel_run(all->parts, number_deep, all);
	return ERR_OK;
}

enum err_code logical_ticks(struct logical *l, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(l->trace);
	struct ticks all = {.l = l, .parts = l->trace->threads ? l->trace->threads : 1, .split = l->order == ORDER_PAS2P,
			    .stop = {.progress = progress}};
	enum err_code code = sort_events(&all, e);

	if (code)
		code = team_agree(team, code, e);
	else if (l->trace->remote)
		code = share_depths(&all, e);
	if (!code)
		code = team_agree(team, number_all(&all, e), e);
	for (unsigned i = 0; all.makers && i < all.parts; i++)
		tick_maker_release(&all.makers[i]);
	mem_free(all.makers);
	mem_free(all.places);
	mem_free(all.depth);
	mem_free(all.sends);
	return code;
}
