#include "correct_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/base/search.h"

/* The record that has the event's time. */
static uint32_t record_of(const struct clock_knots *k, uint32_t process, uint32_t event, bool send)
{
	const struct clock_event_time *started = send ? clock_times_started(k->points->times, event) : NULL;

	return started ? started->record : clock_records_of_event(k->records, process, event);
}

uint32_t clock_knots_instance(const struct clock_knots *k, uint32_t entry)
{
	return k->points->first_member[entry];
}

static const struct coll_type *type_of(const struct clock_knots *k, uint32_t entry)
{
	const struct trace *t = k->records->trace;

	return &t->colls[EVENT_INDEX(t->type[k->points->times->held[entry].event])];
}

uint32_t clock_knots_members(const struct clock_knots *k, uint32_t entry)
{
	return k->records->trace->comms[type_of(k, entry)->comm].size;
}

static bool holds(const struct clock_knots *k, uint32_t entry)
{
	return k->points->first_member[entry] != NO_MEMBERS &&
	       !(k->points->barriers && strcmp(type_of(k, entry)->op, "Barrier") != 0);
}

static bool is_related(const struct trace *t, uint32_t event)
{
	return EVENT_KIND(t->type[event]) != EVENT_COLLECTIVE && t->match[event] != NO_EVENT;
}

static size_t count_all(const struct clock_knots *k)
{
	const struct trace *t = k->records->trace;
	const struct clock_times *times = k->points->times;
	size_t n = 0;

	for (uint32_t event = 0; event < t->event_count; event++)
		n += is_related(t, event);
	for (uint32_t i = 0; i < times->held_count; i++)
		n += 2 * (size_t)holds(k, i);
	return n;
}

ORDER_BY(by_record, struct knot, UP(record) UP(what) UP(kind_process))

/* They come by event; ends of collectives and starts of persistent sends are other records. */
static void sort(struct knot *list, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (list[i].record < list[i - 1].record) {
			SORT(list, n, by_record);
			return;
		}
}

static struct knot knot_make(enum knot_kind kind, uint32_t record, uint32_t what, uint32_t process)
{
	return (struct knot){record, what, (event_type)kind << 30 | process};
}

static struct knot of_message(const struct clock_knots *k, uint32_t process, uint32_t event)
{
	const struct trace *t = k->records->trace;
	bool send = EVENT_KIND(t->type[event]) == EVENT_SEND;
	uint32_t other = t->match[event], there = EVENT_INDEX(t->type[event]) - 1;

	return knot_make(send ? KNOT_SEND : KNOT_RECEIVE, record_of(k, process, event, send), record_of(k, there, other, !send), there);
}

static void knots_take_all(struct clock_knots *k)
{
	const struct trace *t = k->records->trace;
	const struct clock_times *times = k->points->times;
	uint32_t entry = 0;
	size_t n = 0;

	for (uint32_t p = 0; p < t->process_count; p++) {
		k->first[p] = n;
		for (uint32_t event = t->first[p]; event < t->first[p + 1]; event++) {
			if (is_related(t, event))
				k->list[n++] = of_message(k, p, event);
			while (entry < times->held_count && times->held[entry].event < event)
				entry++;
			if (entry == times->held_count || times->held[entry].event != event || !holds(k, entry))
				continue;
			k->list[n++] = knot_make(KNOT_BEGIN, clock_records_of_event(k->records, p, event), entry, p);
			k->list[n++] = knot_make(KNOT_END, times->held[entry].record, entry, p);
		}
		sort(k->list + k->first[p], n - k->first[p]);
	}
	k->first[t->process_count] = n;
}

enum err_code clock_knots_init(struct clock_knots *k, const struct clock_points *points, const struct clock_records *records, struct err *e)
{
	*k = (struct clock_knots){.points = points, .records = records};
	k->list = mem_alloc(count_all(k), sizeof *k->list);
	k->first = mem_alloc((size_t)records->trace->process_count + 1, sizeof *k->first);
	if (!k->list || !k->first) {
		clock_knots_release(k);
		return err_memory(e, "the messages");
	}
	knots_take_all(k);
	return ERR_OK;
}

void clock_knots_release(struct clock_knots *k)
{
	mem_free(k->list);
	mem_free(k->first);
	*k = (struct clock_knots){0};
}

size_t clock_knots_send(const struct clock_knots *k, uint32_t process, const struct knot *receive)
{
	size_t low = SEARCH_PAST(i, k->first[knot_process(receive)], k->first[knot_process(receive) + 1], k->list[i].record < receive->what);

	while (knot_kind(&k->list[low]) != KNOT_SEND || knot_process(&k->list[low]) != process || k->list[low].what != receive->record)
		low++;
	return low;
}

void knot_extremes_add(struct knot_extremes *x, uint32_t entry, double time, bool largest)
{
	if (largest ? time > x->first : time < x->first) {
		x->second = x->first;
		x->first = time;
		x->entry = entry;
	} else if (largest ? time > x->second : time < x->second) {
		x->second = time;
	}
}

double knot_receive_after(double send, double latency)
{
	double receive = send + latency;

	while (receive - send - latency < 0)
		receive = nextafter(receive, INFINITY);
	return receive;
}

double knot_send_before(double receive, double latency)
{
	double send = receive - latency;

	while (receive - send - latency < 0)
		send = nextafter(send, -INFINITY);
	return send;
}

enum err_code clock_knots_violations(const struct clock_knots *k, const double *time, uint64_t *count, struct err *e)
{
	const struct clock_records *r = k->records;
	uint32_t entries = k->points->times->held_count;
	struct knot_extremes *begun = mem_alloc(entries, sizeof *begun);
	double latency = k->points->latency;

	*count = 0;
	if (!begun)
		return err_memory(e, "the collectives");
	for (uint32_t i = 0; i < entries; i++)
		begun[i] = (struct knot_extremes){-INFINITY, -INFINITY, UINT32_MAX};
	for (uint32_t p = 0; p < r->trace->process_count; p++)
		for (size_t i = k->first[p]; i < k->first[p + 1]; i++)
			if (knot_kind(&k->list[i]) == KNOT_BEGIN)
				knot_extremes_add(&begun[clock_knots_instance(k, k->list[i].what)], k->list[i].what,
						  time[r->first[p] + k->list[i].record], true);
	for (uint32_t p = 0; p < r->trace->process_count; p++)
		for (size_t i = k->first[p]; i < k->first[p + 1]; i++) {
			const struct knot *knot = &k->list[i];
			double at = time[r->first[p] + knot->record], since;

			if (knot_kind(knot) == KNOT_RECEIVE)
				since = time[r->first[knot_process(knot)] + knot->what];
			else if (knot_kind(knot) == KNOT_END)
				since = knot_extremes_of_others(&begun[clock_knots_instance(k, knot->what)], knot->what);
			else
				continue;
			*count += at - since - latency < 0;
		}
	mem_free(begun);
	return ERR_OK;
}
