#include "logical.h"

#include <stdlib.h>
#include <string.h>

#include "logical_order.h"
#include "core/base/parallel.h"
#include "core/trace/trace_part.h"

/* Receives of one process at one LT, in the order of docs/method.md 3. */
static int compare_receives(const struct trace *t, uint32_t a, uint32_t b)
{
	uint32_t sa = EVENT_INDEX(t->type[a]), sb = EVENT_INDEX(t->type[b]);

	if (sa != sb)
		return sa < sb ? -1 : 1;
	if (t->comm[a] != t->comm[b])
		return t->comm[a] < t->comm[b] ? -1 : 1;
	if (t->tag[a] != t->tag[b])
		return t->tag[a] < t->tag[b] ? -1 : 1;
	/* Events of one process are numbered in its order, and NO_EVENT is the largest number. */
	if (t->match[a] != t->match[b])
		return t->match[a] < t->match[b] ? -1 : 1;
	return a < b ? -1 : 1;
}

static int compare_receives_r(const void *a, const void *b, void *arg)
{
	return compare_receives(arg, *(const uint32_t *)a, *(const uint32_t *)b);
}

static void sort_receives(const struct trace *t, uint32_t *list, size_t n)
{
	if (n > 16) {
		qsort_r(list, n, sizeof *list, compare_receives_r, (void *)(uintptr_t)t);
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

/* The ticks of a range of LTs, made on one thread; numbered from 0 until all ranges are put together. */
struct tick_maker {
	struct logical *l;
	uint32_t lt_begin, lt_end;      /* the range */
	uint32_t begin, end;            /* its place in order_of */
	uint32_t *ends;                 /* per tick: where it ends in order_of */
	uint8_t *kinds;                 /* per tick: 1 if it holds a send or collective */
	uint32_t count, base;           /* ticks; number of the first */
	size_t ends_cap, kinds_cap;
	struct scratch receives, sends; /* the events of one LT */
	struct scratch from, to;        /* receives of each process that has some: [from, to) in receives */
	bool failed;
};

struct ticks {
	struct logical *l;
	uint32_t lt_count;
	uint32_t *lt_first;             /* per LT: its place in order_of; lt_count + 1 */
	struct tick_maker *makers;
	unsigned parts;
	struct parallel_stop stop;
};

static void tick_maker_release(struct tick_maker *m)
{
	mem_free(m->ends);
	mem_free(m->kinds);
	mem_free(m->receives.list);
	mem_free(m->sends.list);
	mem_free(m->from.list);
	mem_free(m->to.list);
}

/* Close a tick that ends, in order_of, before `end`. */
static bool tick_add(struct tick_maker *m, uint32_t end, bool holds_send)
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
	kinds[m->count++] = holds_send;
	return true;
}

/* One LT in `pas2p` order: order_of[begin..end) holds its events by process and number; make of them the
 * ticks of a TickRecv, as many as the process with most receives needs, and the tick of a TickSend. */
static bool split_lt(struct tick_maker *m, uint32_t begin, uint32_t end)
{
	struct logical *l = m->l;
	const struct trace *t = l->trace;
	uint32_t receives = 0, sends = 0, groups = 0, at = begin, limit = 0;

	if (!scratch_room(&m->receives, end - begin) || !scratch_room(&m->sends, end - begin) ||
	    !scratch_room(&m->from, end - begin) || !scratch_room(&m->to, end - begin))
		return false;
	for (uint32_t i = begin; i < end; i++) {
		uint32_t ev = l->order_of[i];

		if (EVENT_KIND(t->type[ev]) != EVENT_RECEIVE) {
			m->sends.list[sends++] = ev;
			continue;
		}
		if (!groups || ev >= limit) {
			limit = t->first[trace_process_of(t, ev) + 1];
			m->from.list[groups++] = receives;
		}
		m->receives.list[receives++] = ev;
		m->to.list[groups - 1] = receives;
	}
	for (uint32_t g = 0; g < groups; g++)
		if (m->to.list[g] - m->from.list[g] > 1)
			sort_receives(t, m->receives.list + m->from.list[g], m->to.list[g] - m->from.list[g]);
	while (groups) {
		uint32_t kept = 0;

		for (uint32_t g = 0; g < groups; g++) {
			uint32_t from = m->from.list[g], to = m->to.list[g];
			uint32_t ev = m->receives.list[from++];

			l->tick[ev] = m->count;
			l->order_of[at++] = ev;
			if (from < to) {
				m->from.list[kept] = from;
				m->to.list[kept++] = to;
			}
		}
		groups = kept;
		if (!tick_add(m, at, false))
			return false;
	}
	for (uint32_t i = 0; i < sends; i++) {
		l->tick[m->sends.list[i]] = m->count;
		l->order_of[at++] = m->sends.list[i];
	}
	return !sends || tick_add(m, at, true);
}

/* One LT in `lamport` order is one tick. */
static bool keep_lt(struct tick_maker *m, uint32_t begin, uint32_t end)
{
	struct logical *l = m->l;
	bool holds_send = false;

	for (uint32_t i = begin; i < end; i++) {
		uint32_t ev = l->order_of[i];

		l->tick[ev] = m->count;
		holds_send = holds_send || EVENT_KIND(l->trace->type[ev]) != EVENT_RECEIVE;
	}
	return begin == end || tick_add(m, end, holds_send);
}

/* Sort the events of a range of LTs into order_of (by LT, then process, then number), and make their ticks. */
static void make_range(void *arg, unsigned part)
{
	struct ticks *all = arg;
	struct tick_maker *m = &all->makers[part];
	struct logical *l = all->l;
	uint32_t n = l->trace->event_count, width = m->lt_end - m->lt_begin;
	uint32_t *at = all->lt_first + m->lt_begin;

	/* Filling moves each LT's place from its start to its end. */
	for (uint32_t i = 0; i < n; i++)
		if (l->lt[i] - m->lt_begin < width)
			l->order_of[at[l->lt[i] - m->lt_begin]++] = i;
	for (uint32_t k = m->lt_begin, begin = m->begin; k < m->lt_end && !m->failed; k++) {
		uint32_t end = all->lt_first[k];

		m->failed = !(l->order == ORDER_PAS2P ? split_lt(m, begin, end) : keep_lt(m, begin, end));
		begin = end;
		if ((k & 4095) == 0) {
			if (part == 0)
				job_progress(all->stop.job, JOB_TICKS, (uint64_t)(begin - m->begin) * all->parts, n);
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
		l->tick_sends[m->base + k] = m->kinds[k];
	}
	for (uint32_t i = m->begin; m->base && i < m->end; i++)
		l->tick[l->order_of[i]] += m->base;
}

/* Count the events of each LT, and cut the LTs into ranges of about as many events. */
static enum err_code share_lts(struct ticks *all, struct err *e)
{
	struct logical *l = all->l;
	uint32_t n = l->trace->event_count, highest = 0, total = 0, k = 0;

	for (uint32_t i = 0; i < n; i++)
		if (l->lt[i] > highest)
			highest = l->lt[i];
	all->lt_count = n ? highest + 1 : 0;
	all->lt_first = mem_zero((size_t)all->lt_count + 1, sizeof *all->lt_first);
	all->makers = mem_zero(all->parts, sizeof *all->makers);
	if (!all->lt_first || !all->makers)
		return err_memory(e, "the ticks");
	for (uint32_t i = 0; i < n; i++)
		all->lt_first[l->lt[i]]++;
	for (uint32_t i = 0; i <= all->lt_count; i++) {
		uint32_t count = all->lt_first[i];

		all->lt_first[i] = total;
		total += count;
	}
	for (unsigned i = 0; i < all->parts; i++) {
		struct tick_maker *m = &all->makers[i];

		m->l = l;
		m->lt_begin = k;
		m->begin = all->lt_first[k];
		while (k < all->lt_count && all->lt_first[k] < (uint64_t)n * (i + 1) / all->parts)
			k++;
		if (i + 1 == all->parts)
			k = all->lt_count;
		m->lt_end = k;
		m->end = all->lt_first[k];
	}
	return ERR_OK;
}

static enum err_code make_ticks(struct logical *l, const struct job *job, struct err *e)
{
	struct ticks all = {.l = l, .parts = l->trace->threads ? l->trace->threads : 1, .stop = {.job = job}};
	enum err_code code = share_lts(&all, e);
	uint64_t total = 0;

	if (code == ERR_OK) {
		parallel_run(all.parts, make_range, &all);
		for (unsigned i = 0; i < all.parts; i++) {
			if (all.makers[i].failed)
				code = err_memory(e, "the ticks");
			all.makers[i].base = (uint32_t)total;
			total += all.makers[i].count;
		}
		if (code == ERR_OK && atomic_load(&all.stop.stopped))
			code = err_set(e, ERR_CANCELLED, "stopped while making ticks");
	}
	if (code == ERR_OK) {
		l->tick_count = (uint32_t)total;
		l->tick_first = mem_zero((size_t)total + 1, sizeof *l->tick_first);
		l->tick_sends = mem_alloc(total, sizeof *l->tick_sends);
		if (l->tick_first && l->tick_sends)
			parallel_run(all.parts, number_range, &all);
		else
			code = err_memory(e, "the ticks");
	}
	for (unsigned i = 0; all.makers && i < all.parts; i++)
		tick_maker_release(&all.makers[i]);
	mem_free(all.makers);
	mem_free(all.lt_first);
	return code;
}

/* The sends and collectives of each process: counted, then listed, each part of the processes on a thread. */
struct listing {
	struct logical *l;
	unsigned parts;
	bool fill;
};

static void list_part(void *arg, unsigned part)
{
	const struct listing *s = arg;
	struct logical *l = s->l;
	const struct trace *t = l->trace;
	uint32_t first, end;

	trace_part(t, part, s->parts, &first, &end);
	for (uint32_t p = first; p < end; p++) {
		uint32_t n = s->fill ? l->send_first[p] : 0;

		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++) {
			if (EVENT_KIND(t->type[i]) == EVENT_RECEIVE)
				continue;
			if (s->fill)
				l->sends[n] = i;
			n++;
		}
		if (!s->fill)
			l->send_first[p + 1] = n;
	}
}

static enum err_code list_sends(struct logical *l, struct err *e)
{
	const struct trace *t = l->trace;
	struct listing s = {.l = l, .parts = t->threads ? t->threads : 1};

	l->send_first = mem_zero((size_t)t->process_count + 1, sizeof *l->send_first);
	if (!l->send_first)
		return err_memory(e, "the sends of each process");
	parallel_run(s.parts, list_part, &s);
	for (uint32_t p = 0; p < t->process_count; p++)
		l->send_first[p + 1] += l->send_first[p];
	l->sends = mem_alloc(l->send_first[t->process_count], sizeof *l->sends);
	if (!l->sends)
		return err_memory(e, "the sends of each process");
	s.fill = true;
	parallel_run(s.parts, list_part, &s);
	return ERR_OK;
}

enum err_code logical_new(struct logical **out, const struct trace *t, enum order order, enum collectives collectives,
			  const struct job *job, struct err *e)
{
	struct logical *l = mem_zero(1, sizeof *l);
	enum err_code code;

	*out = NULL;
	if (!l)
		return err_memory(e, "the logical trace");
	atomic_init(&l->references, 1);
	l->self = l;
	notes_init(&l->notes);
	l->trace = t;
	l->order = order;
	l->collectives = collectives;
	if (collectives == COLLECTIVES_IGNORE) {
		code = trace_without_collectives(&l->filtered, t, e);
		if (code != ERR_OK)
			goto fail;
		l->trace = l->filtered;
	}
	l->lt = mem_alloc(l->trace->event_count, sizeof *l->lt);
	if (!l->lt) {
		code = err_memory(e, "logical times");
		goto fail;
	}
	code = logical_order(l, job, e);
	if (code != ERR_OK)
		goto fail;
	l->tick = mem_alloc(l->trace->event_count, sizeof *l->tick);
	l->order_of = mem_alloc(l->trace->event_count, sizeof *l->order_of);
	if (!l->tick || !l->order_of) {
		code = err_memory(e, "the ticks");
		goto fail;
	}
	code = make_ticks(l, job, e);
	if (code == ERR_OK)
		code = list_sends(l, e);
	if (code != ERR_OK)
		goto fail;
	*out = l;
	return ERR_OK;
fail:
	logical_unref(l);
	return code;
}

const struct logical *logical_ref(const struct logical *l)
{
	if (l)
		atomic_fetch_add(&l->self->references, 1);
	return l;
}

void logical_unref(const struct logical *l)
{
	if (!l || atomic_fetch_sub(&l->self->references, 1) != 1)
		return;
	trace_free(l->filtered);
	mem_free(l->lt);
	mem_free(l->tick);
	mem_free(l->tick_first);
	mem_free(l->order_of);
	mem_free(l->tick_sends);
	mem_free(l->send_first);
	mem_free(l->sends);
	notes_release(&l->self->notes);
	mem_free(l->self);
}

uint32_t logical_event_at(const struct logical *l, uint32_t tick, uint32_t process)
{
	const struct trace *t = l->trace;
	uint32_t low, high;

	if (tick >= l->tick_count || process >= t->process_count)
		return NO_EVENT;
	low = l->tick_first[tick];
	high = l->tick_first[tick + 1];
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (l->order_of[mid] < t->first[process])
			low = mid + 1;
		else
			high = mid;
	}
	if (low < l->tick_first[tick + 1] && l->order_of[low] < t->first[process + 1])
		return l->order_of[low];
	return NO_EVENT;
}

/* Ticks of a process's sends and collectives rise with their number: both orders see to that. */
uint32_t logical_sends_before(const struct logical *l, uint32_t process, uint32_t tick)
{
	uint32_t first = l->send_first[process];
	uint32_t low = first, high = l->send_first[process + 1];

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (l->tick[l->sends[mid]] < tick)
			low = mid + 1;
		else
			high = mid;
	}
	return low - first;
}

uint32_t logical_send_number(const struct logical *l, uint32_t process, uint32_t event)
{
	uint32_t first = l->send_first[process];
	uint32_t low = first, high = l->send_first[process + 1];

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (l->sends[mid] < event)
			low = mid + 1;
		else
			high = mid;
	}
	return low < l->send_first[process + 1] && l->sends[low] == event ? low - first + 1 : 0;
}
