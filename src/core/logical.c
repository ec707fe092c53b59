#include "logical.h"

#include <stdlib.h>
#include <string.h>

#include "logical_order.h"

/* Receives of one process at one LT, in the order of method.md 3. */
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

/* The ticks as they are made. */
struct tick_maker {
	struct logical *l;
	size_t firsts_cap, kinds_cap;
	struct scratch receives, sends; /* the events of one LT */
	struct scratch from, to;        /* receives of each process that has some: [from, to) in receives */
};

static void tick_maker_release(struct tick_maker *m)
{
	mem_free(m->receives.list);
	mem_free(m->sends.list);
	mem_free(m->from.list);
	mem_free(m->to.list);
}

/* Close a tick that ends, in order_of, before `end`. */
static bool tick_add(struct tick_maker *m, uint32_t end, bool holds_send)
{
	struct logical *l = m->l;
	uint32_t *firsts = mem_grow(l->tick_first, (size_t)l->tick_count + 1, &m->firsts_cap, sizeof *firsts);
	uint8_t *kinds;

	if (!firsts)
		return false;
	l->tick_first = firsts;
	kinds = mem_grow(l->tick_sends, l->tick_count, &m->kinds_cap, sizeof *kinds);
	if (!kinds)
		return false;
	l->tick_sends = kinds;
	kinds[l->tick_count++] = holds_send;
	firsts[l->tick_count] = end;
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

			l->tick[ev] = l->tick_count;
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
		l->tick[m->sends.list[i]] = l->tick_count;
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

		l->tick[ev] = l->tick_count;
		holds_send = holds_send || EVENT_KIND(l->trace->type[ev]) != EVENT_RECEIVE;
	}
	return begin == end || tick_add(m, end, holds_send);
}

/* Sort all events by LT (counting sort: by LT, then process, then number) into order_of; returns the number
 * of LTs and in *lt_end, indexed by LT, where each ends. */
static uint32_t *sort_by_lt(struct logical *l, uint32_t *lt_count)
{
	uint32_t n = l->trace->event_count, highest = 0, total = 0;
	uint32_t *ends;

	for (uint32_t i = 0; i < n; i++)
		if (l->lt[i] > highest)
			highest = l->lt[i];
	*lt_count = n ? highest + 1 : 0;
	ends = mem_zero((size_t)*lt_count + 1, sizeof *ends);
	if (!ends)
		return NULL;
	for (uint32_t i = 0; i < n; i++)
		ends[l->lt[i]]++;
	for (uint32_t k = 0; k < *lt_count; k++) {
		uint32_t count = ends[k];

		ends[k] = total;
		total += count;
	}
	for (uint32_t i = 0; i < n; i++)
		l->order_of[ends[l->lt[i]]++] = i;
	return ends;
}

static enum err_code make_ticks(struct logical *l, const struct job *job, struct err *e)
{
	struct tick_maker m = {.l = l};
	uint32_t lt_count, begin = 0;
	uint32_t *ends = sort_by_lt(l, &lt_count);
	enum err_code code = ERR_OK;
	void *shrunk;

	l->tick_first = mem_zero(1, sizeof *l->tick_first);
	m.firsts_cap = 1;
	if (!ends || !l->tick_first)
		code = err_memory(e, "the ticks");
	for (uint32_t k = 0; code == ERR_OK && k < lt_count; k++) {
		uint32_t end = ends[k];

		if (!(l->order == ORDER_PAS2P ? split_lt(&m, begin, end) : keep_lt(&m, begin, end)))
			code = err_memory(e, "the ticks");
		begin = end;
		if ((k & 4095) == 0) {
			job_progress(job, JOB_TICKS, begin, l->trace->event_count);
			if (job_stopped(job))
				code = err_set(e, ERR_CANCELLED, "stopped while making ticks");
		}
	}
	tick_maker_release(&m);
	mem_free(ends);
	if (code != ERR_OK)
		return code;
	/* Give back what doubling took too much; that it can fail does not matter. */
	shrunk = mem_resize(l->tick_first, (size_t)l->tick_count + 1, sizeof *l->tick_first);
	if (shrunk)
		l->tick_first = shrunk;
	shrunk = l->tick_count ? mem_resize(l->tick_sends, l->tick_count, sizeof *l->tick_sends) : NULL;
	if (shrunk)
		l->tick_sends = shrunk;
	return ERR_OK;
}

static enum err_code list_sends(struct logical *l, struct err *e)
{
	const struct trace *t = l->trace;
	uint32_t n = 0;

	l->send_first = mem_zero((size_t)t->process_count + 1, sizeof *l->send_first);
	for (uint32_t i = 0; i < t->event_count; i++)
		n += EVENT_KIND(t->type[i]) != EVENT_RECEIVE;
	l->sends = mem_alloc(n, sizeof *l->sends);
	if (!l->send_first || !l->sends)
		return err_memory(e, "the sends of each process");
	n = 0;
	for (uint32_t p = 0; p < t->process_count; p++) {
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++)
			if (EVENT_KIND(t->type[i]) != EVENT_RECEIVE)
				l->sends[n++] = i;
		l->send_first[p + 1] = n;
	}
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

struct logical *logical_ref(struct logical *l)
{
	if (l)
		atomic_fetch_add(&l->references, 1);
	return l;
}

void logical_unref(struct logical *l)
{
	if (!l || atomic_fetch_sub(&l->references, 1) != 1)
		return;
	trace_free(l->filtered);
	mem_free(l->lt);
	mem_free(l->tick);
	mem_free(l->tick_first);
	mem_free(l->order_of);
	mem_free(l->tick_sends);
	mem_free(l->send_first);
	mem_free(l->sends);
	notes_release(&l->notes);
	mem_free(l);
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
