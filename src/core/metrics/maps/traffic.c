#include "traffic.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/trace/remote.h"

#define POLL 0xfffff /* events between two looks at progress */

static enum err_code traffic_stopped(struct err *e)
{
	return err_set(e, ERR_CANCELLED, "stopped while counting messages");
}

static void add_message(struct comm_cell *c, uint64_t size)
{
	c->messages++;
	c->bytes += size == SIZE_UNKNOWN ? 0 : size;
}

static uint64_t count_larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

enum err_code comm_matrix_init(struct comm_matrix *m, const struct trace *t, uint32_t rows, uint32_t columns,
			       const struct progress *progress, struct err *e)
{
	uint32_t n = t->process_count;

	*m = (struct comm_matrix){.rows = rows < n ? rows : n, .columns = columns < n ? columns : n, .processes = n};
	m->cell = mem_zero((size_t)m->rows * m->columns, sizeof *m->cell);
	if (!m->cell)
		return err_memory(e, "the communication matrix");
	for (uint32_t p = 0; p < n && m->rows && m->columns; p++) {
		struct comm_cell *row = m->cell + (size_t)matrix_group(p, m->rows, n) * m->columns;

		for (uint32_t ev = t->first[p]; ev < t->first[p + 1]; ev++) {
			uint32_t to = EVENT_INDEX(t->type[ev]);

			if ((ev & POLL) == POLL && progress_stopped(progress)) {
				comm_matrix_release(m);
				return traffic_stopped(e);
			}
			if (EVENT_KIND(t->type[ev]) != EVENT_SEND)
				continue;
			add_message(&m->all, trace_size(t, ev));
			m->unknown += trace_size(t, ev) == SIZE_UNKNOWN;
			if (!to || to > n)
				m->nowhere++;
			else
				add_message(&row[matrix_group(to - 1, m->columns, n)], trace_size(t, ev));
		}
	}
	for (size_t i = 0; i < (size_t)m->rows * m->columns; i++) {
		m->most.messages = count_larger(m->most.messages, m->cell[i].messages);
		m->most.bytes = count_larger(m->most.bytes, m->cell[i].bytes);
	}
	return ERR_OK;
}

void comm_matrix_release(struct comm_matrix *m)
{
	mem_free(m->cell);
	*m = (struct comm_matrix){0};
}

ORDER_BY(compare_pairs, struct comm_pair, UP(to))

/* Pairs are found in the order of their first message; place[to] is where in the list, for the sender at hand. */
struct comm_pairing {
	struct comm_pair *list;
	size_t n, cap;
	uint32_t *place; /* 0: no message to it yet; otherwise place + 1 from the sender's first */
};

static enum err_code pairs_of(struct comm_pairing *w, const struct trace *t, uint32_t p, const struct progress *progress, struct err *e)
{
	size_t first = w->n;

	for (uint32_t ev = t->first[p]; ev < t->first[p + 1]; ev++) {
		uint32_t to = EVENT_INDEX(t->type[ev]);

		if ((ev & POLL) == POLL && progress_stopped(progress))
			return traffic_stopped(e);
		if (EVENT_KIND(t->type[ev]) != EVENT_SEND || !to || to > t->process_count)
			continue;
		if (!w->place[to - 1]) {
			struct comm_pair *list = mem_grow(w->list, w->n, &w->cap, sizeof *list);

			if (!list)
				return err_memory(e, "the pairs of processes");
			w->list = list;
			list[w->n++] = (struct comm_pair){.from = p, .to = to - 1};
			w->place[to - 1] = (uint32_t)(w->n - first);
		}
		add_message(&w->list[first + w->place[to - 1] - 1].sent, trace_size(t, ev));
	}
	for (size_t i = first; i < w->n; i++)
		w->place[w->list[i].to] = 0;
	if (w->n > first)
		SORT(w->list + first, w->n - first, compare_pairs);
	return ERR_OK;
}

enum err_code comm_pairs(struct comm_pair **out, uint32_t *count, const struct trace *t, const struct progress *progress,
			 struct err *e)
{
	struct comm_pairing w = {.place = mem_zero(t->process_count, sizeof *w.place)};
	enum err_code code = w.place ? ERR_OK : err_memory(e, "the pairs of processes");

	*out = NULL;
	*count = 0;
	for (uint32_t p = 0; !code && p < t->process_count; p++)
		code = pairs_of(&w, t, p, progress, e);
	mem_free(w.place);
	if (code) {
		mem_free(w.list);
		return code;
	}
	*out = w.list;
	*count = (uint32_t)w.n;
	return ERR_OK;
}

enum err_code comm_heaviest(struct comm_pair *out, const struct trace *t, const struct progress *progress, struct err *e)
{
	struct comm_pair *list;
	uint32_t count;
	enum err_code code = comm_pairs(&list, &count, t, progress, e);

	*out = (struct comm_pair){NO_PROCESS, NO_PROCESS, {0, 0}};
	for (uint32_t i = 0; !code && i < count; i++) {
		const struct comm_cell *sent = &list[i].sent;

		if (sent->bytes > out->sent.bytes || (sent->bytes == out->sent.bytes && sent->messages > out->sent.messages))
			*out = list[i];
	}
	mem_free(list);
	return code;
}

static enum err_code count_sizes(struct size_histogram *h, const struct trace *t, const struct progress *progress, struct err *e)
{
	for (uint32_t ev = 0; ev < t->event_count; ev++) {
		uint64_t size = trace_size(t, ev);

		if ((ev & POLL) == POLL && progress_stopped(progress))
			return traffic_stopped(e);
		if (EVENT_KIND(t->type[ev]) != EVENT_SEND)
			continue;
		if (size == SIZE_UNKNOWN) {
			h->unknown++;
			continue;
		}
		add_message(&h->bin[size_bin(size)], size);
		h->smallest = size < h->smallest ? size : h->smallest;
		h->largest = size > h->largest ? size : h->largest;
	}
	return ERR_OK;
}

/* What all ranks have counted. */
static enum err_code histogram_add_up(struct size_histogram *h, const struct team *team, struct err *e)
{
	uint64_t sums[2 * SIZE_BINS + 1] = {[2 * SIZE_BINS] = h->unknown};
	enum err_code code;

	for (size_t k = 0; k < SIZE_BINS; k++) {
		sums[2 * k] = h->bin[k].messages;
		sums[2 * k + 1] = h->bin[k].bytes;
	}
	code = team_reduce(team, sums, sizeof sums / sizeof *sums, TEAM_SUM, e);
	for (size_t k = 0; k < SIZE_BINS; k++)
		h->bin[k] = (struct comm_cell){sums[2 * k], sums[2 * k + 1]};
	h->unknown = sums[2 * SIZE_BINS];
	if (!code)
		code = team_reduce(team, &h->smallest, 1, TEAM_MIN, e);
	return code ? code : team_reduce(team, &h->largest, 1, TEAM_MAX, e);
}

enum err_code size_histogram(struct size_histogram *h, const struct trace *t, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(t);
	enum err_code code;

	*h = (struct size_histogram){.smallest = SIZE_UNKNOWN};
	code = team_agree(team, count_sizes(h, t, progress, e), e);
	if (!code)
		code = histogram_add_up(h, team, e);
	if (code)
		return code;
	if (h->smallest == SIZE_UNKNOWN)
		h->smallest = 0;
	while (h->first < SIZE_BINS && !h->bin[h->first].messages)
		h->first++;
	for (uint32_t k = h->first; k < SIZE_BINS; k++)
		if (h->bin[k].messages)
			h->last = k;
	return ERR_OK;
}

ORDER_BY(compare_colls, struct coll_stats, DOWN(instances) UP(coll))

enum err_code coll_stats(struct coll_stats **out, uint32_t *count, const struct trace *t, const struct progress *progress,
			 struct err *e)
{
	struct coll_stats *list = mem_zero(t->coll_count, sizeof *list);
	uint8_t *seen = mem_zero((size_t)t->event_count / 8 + 1, 1); /* a bit per event: its instance is counted */
	enum err_code code = list && seen ? ERR_OK : err_memory(e, "the statistics of collectives");

	*out = NULL;
	*count = 0;
	for (uint32_t i = 0; !code && i < t->coll_count; i++)
		list[i].coll = i;
	for (uint32_t ev = 0; !code && ev < t->event_count; ev++) {
		struct coll_stats *c;
		uint32_t member = ev;

		if ((ev & POLL) == POLL && progress_stopped(progress))
			code = traffic_stopped(e);
		if (EVENT_KIND(t->type[ev]) != EVENT_COLLECTIVE)
			continue;
		c = &list[EVENT_INDEX(t->type[ev])];
		c->events++;
		c->bytes += trace_size(t, ev) == SIZE_UNKNOWN ? 0 : trace_size(t, ev);
		if (seen[ev / 8] & 1 << ev % 8)
			continue;
		c->instances++;
		for (; member != NO_EVENT && !(seen[member / 8] & 1 << member % 8); member = t->match[member])
			seen[member / 8] |= (uint8_t)(1 << member % 8);
	}
	mem_free(seen);
	if (code) {
		mem_free(list);
		return code;
	}
	SORT(list, t->coll_count, compare_colls);
	*out = list;
	while (*count < t->coll_count && list[*count].events)
		++*count;
	return ERR_OK;
}
