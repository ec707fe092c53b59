#include "correct_int.h"

#include <math.h>

#include "core/base/mem.h"

#define POLL 0x10000 /* records between two looks at progress */

/* A process on its way: forward the next record and knot, backward the one behind the next. */
struct walker {
	size_t record, knot;
	bool listed;         /* among those that may go on */
};

struct controlled_instance {
	struct knot_extremes times; /* of begins, forward; of ends, backward */
	uint32_t missing;    /* of these, that are not known yet */
};

struct controlled {
	double *out;
	const double *given;
	const struct clock_knots *knots;
	const struct clock_records *records;
	const struct trace *trace;
	double latency, amortise;
	struct controlled_figures *figures;
	const struct progress *progress;
	bool back;
	struct walker *walker;     /* per process */
	uint32_t *ready, ready_count;
	struct controlled_instance *instance; /* per entry of member[] that names one */
	uint64_t *dropped;         /* a bit per knot: it binds nothing; NULL: none is */
	size_t done;               /* records, of both passes */
};

static size_t record_number_of(const struct controlled *x, uint32_t process, uint32_t record)
{
	return x->records->first[process] + record;
}

static void walker_wake(struct controlled *x, uint32_t process)
{
	if (x->walker[process].listed)
		return;
	x->walker[process].listed = true;
	x->ready[x->ready_count++] = process;
}

static struct controlled_instance *instance_of(const struct controlled *x, uint32_t entry)
{
	return &x->instance[clock_knots_instance(x->knots, entry)];
}

static bool is_dropped(const struct controlled *x, const struct knot *knot)
{
	size_t number = (size_t)(knot - x->knots->list);

	return x->dropped && (x->dropped[number / 64] >> number % 64 & 1);
}

static void knot_drop(struct controlled *x, size_t number)
{
	x->dropped[number / 64] |= (uint64_t)1 << number % 64;
}

/* Is the time of the message's other end known? */
static bool is_known(const struct controlled *x, const struct knot *knot)
{
	uint32_t process = knot_process(knot);
	size_t at = record_number_of(x, process, knot->what);

	return x->back ? at >= x->walker[process].record : at < x->walker[process].record;
}

static bool is_of_message(const struct knot *knot)
{
	return knot_kind(knot) == KNOT_SEND || knot_kind(knot) == KNOT_RECEIVE;
}

/* Does the knot bind its record in this direction? */
static inline bool binds(const struct controlled *x, const struct knot *knot)
{
	enum knot_kind kind = knot_kind(knot);

	if (is_dropped(x, knot))
		return false;
	if (kind == KNOT_SEND)
		return x->back;
	return x->back ? kind == KNOT_BEGIN : kind != KNOT_BEGIN;
}

static inline bool is_ready(const struct controlled *x, const struct knot *knot)
{
	if (!binds(x, knot))
		return true;
	if (is_of_message(knot))
		return is_known(x, knot);
	return !instance_of(x, knot->what)->missing;
}

/* From when on the record may be (forward), or until when (backward). */
static inline double bound_of(const struct controlled *x, const struct knot *knot)
{
	double other;

	if (is_of_message(knot))
		other = x->out[record_number_of(x, knot_process(knot), knot->what)];
	else
		other = knot_extremes_of_others(&instance_of(x, knot->what)->times, knot->what);
	return x->back ? knot_send_before(other, x->latency) : knot_receive_after(other, x->latency);
}

/* All members of a collective. */
static void wake_members(struct controlled *x, uint32_t entry)
{
	const struct clock_points *points = x->knots->points;
	uint32_t first = clock_knots_instance(x->knots, entry);

	for (uint32_t r = 0; r < clock_knots_members(x->knots, entry); r++)
		walker_wake(x, trace_process_of(x->trace, points->times->held[points->member[first + r]].event));
}

/* The record's time is known: to whom that matters. */
static inline void knot_tell_time(struct controlled *x, const struct knot *knot, double time)
{
	struct controlled_instance *instance;

	if (knot_kind(knot) == (x->back ? KNOT_RECEIVE : KNOT_SEND)) {
		walker_wake(x, knot_process(knot));
		return;
	}
	if (knot_kind(knot) != (x->back ? KNOT_END : KNOT_BEGIN) || is_dropped(x, knot))
		return;
	instance = instance_of(x, knot->what);
	knot_extremes_add(&instance->times, knot->what, time, !x->back);
	if (!--instance->missing)
		wake_members(x, knot->what);
}

static bool progress_observe(const struct controlled *x)
{
	size_t all = 2 * x->records->first[x->trace->process_count];

	progress_report(x->progress, PROGRESS_CLOCKS, (uint64_t)((double)x->done / (double)all * x->trace->event_count), x->trace->event_count);
	return !progress_stopped(x->progress);
}

static inline bool controlled_poll(struct controlled *x, size_t records)
{
	size_t before = x->done;

	x->done += records;
	return x->done / POLL == before / POLL || progress_observe(x);
}

/* ---- forward ---- */

static double later_time(double a, double b)
{
	return a > b ? a : b;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Records that nothing binds, from `i` on. */
static void run_forward(const struct controlled *x, uint32_t process, size_t i, size_t end)
{
	const double *given = x->given;
	double *out = x->out, keep = 1 - x->amortise, before, last;

	if (i == x->records->first[process]) {
		out[i] = given[i];
		i++;
	}
	before = given[i - 1];
	last = out[i - 1];
	for (; i < end; i++) {
		double time = given[i];

		if (last != before)
			time = later_time(time, last + keep * (time - before));
		if (time < last)
			time = last; /* rounding */
		before = given[i];
		out[i] = last = time;
	}
}

static double forward_time(const struct controlled *x, uint32_t process, size_t i, double least)
{
	double time = x->given[i];

	if (i > x->records->first[process] && x->out[i - 1] != x->given[i - 1])
		time = later_time(time, x->out[i - 1] + (1 - x->amortise) * (x->given[i] - x->given[i - 1]));
	if (i > x->records->first[process] && time < x->out[i - 1])
		time = x->out[i - 1]; /* rounding */
	return later_time(time, least);
}

/* The next record that has a knot, at most `end`, and a stretch that is not too long. */
static size_t next_bound(const struct controlled *x, uint32_t process, size_t end)
{
	const struct walker *w = &x->walker[process];

	if (w->knot < x->knots->first[process + 1])
		end = record_number_of(x, process, x->knots->list[w->knot].record);
	return end - w->record < POLL ? end : w->record + POLL;
}

/* As far as it goes. False: stopped. */
static bool go_forward(struct controlled *x, uint32_t process)
{
	struct walker *w = &x->walker[process];
	const struct knot *knots = x->knots->list;
	size_t first = x->records->first[process], end = x->records->first[process + 1], last = x->knots->first[process + 1];

	while (w->record < end) {
		double least = -INFINITY;
		size_t k = w->knot, from = w->record, bound = next_bound(x, process, end);

		if (from < bound) {
			run_forward(x, process, from, bound);
			w->record = bound;
			if (!controlled_poll(x, bound - from))
				return false;
			continue;
		}
		for (; k < last && first + knots[k].record == w->record; k++) {
			if (!is_ready(x, &knots[k]))
				return true;
			if (binds(x, &knots[k]))
				least = fmax(least, bound_of(x, &knots[k]));
		}
		x->out[w->record] = forward_time(x, process, w->record, least);
		w->record++;
		for (; w->knot < k; w->knot++)
			knot_tell_time(x, &knots[w->knot], x->out[w->record - 1]);
		if (!controlled_poll(x, 1))
			return false;
	}
	return true;
}

/* ---- backward ---- */

static double backward_time(struct controlled *x, uint32_t process, size_t i, double limit)
{
	double time = x->out[i], length, wanted;

	if (i + 1 == x->records->first[process + 1])
		return time;
	length = (1 + x->amortise) * (x->given[i + 1] - x->given[i]);
	wanted = x->out[i + 1] == x->given[i + 1] ? time : x->out[i + 1] - length;
	time = later_time(time, smaller(limit, wanted));
	if (time < wanted) {
		x->figures->abrupt++;
		x->figures->abrupt_worst = later_time(x->figures->abrupt_worst, x->out[i + 1] - time - length);
	}
	return time;
}

/* Records that nothing binds, from the one before `i` down to `end`. */
static void run_back(const struct controlled *x, uint32_t process, size_t i, size_t end)
{
	const double *given = x->given;
	double *out = x->out, keep = 1 + x->amortise, behind, last;

	i -= i == x->records->first[process + 1]; /* the last one stays */
	behind = given[i];
	last = out[i];
	for (; i > end; i--) {
		double time = out[i - 1];

		if (last != behind)
			time = later_time(time, last - keep * (behind - given[i - 1]));
		behind = given[i - 1];
		out[i - 1] = last = time;
	}
}

/* Behind the next record that has a knot, likewise. */
static size_t next_bound_back(const struct controlled *x, uint32_t process)
{
	const struct walker *w = &x->walker[process];
	size_t bound = x->records->first[process];

	if (w->knot > x->knots->first[process])
		bound = record_number_of(x, process, x->knots->list[w->knot - 1].record) + 1;
	return w->record - bound < POLL ? bound : w->record - POLL;
}

static bool go_back(struct controlled *x, uint32_t process)
{
	struct walker *w = &x->walker[process];
	const struct knot *knots = x->knots->list;
	size_t first = x->records->first[process], last = x->knots->first[process];

	while (w->record > first) {
		double limit = INFINITY;
		size_t k = w->knot, from = w->record, bound = next_bound_back(x, process);

		if (from > bound) {
			run_back(x, process, from, bound);
			w->record = bound;
			if (!controlled_poll(x, from - bound))
				return false;
			continue;
		}
		for (; k > last && first + knots[k - 1].record == w->record - 1; k--) {
			if (!is_ready(x, &knots[k - 1]))
				return true;
			if (binds(x, &knots[k - 1]))
				limit = fmin(limit, bound_of(x, &knots[k - 1]));
		}
		x->out[w->record - 1] = backward_time(x, process, w->record - 1, limit);
		w->record--;
		for (; w->knot > k; w->knot--)
			knot_tell_time(x, &knots[w->knot - 1], x->out[w->record]);
		if (!controlled_poll(x, 1))
			return false;
	}
	return true;
}

/* ---- cycles ---- */

/* Nothing can go on: of the processes that wait, the one whose record is the earliest stops waiting. False: none
 * waits. */
static bool break_cycle(struct controlled *x, struct err *e, enum err_code *code)
{
	const struct clock_records *r = x->records;
	uint32_t chosen = NO_PROCESS;

	for (uint32_t p = 0; p < x->trace->process_count; p++) {
		const struct walker *w = &x->walker[p];

		if (w->record < r->first[p + 1] &&
		    (chosen == NO_PROCESS || x->given[w->record] < x->given[x->walker[chosen].record]))
			chosen = p;
	}
	if (chosen == NO_PROCESS)
		return false;
	for (size_t k = x->walker[chosen].knot; k < x->knots->first[chosen + 1]; k++) {
		const struct knot *knot = &x->knots->list[k];

		if (record_number_of(x, chosen, knot->record) != x->walker[chosen].record)
			break;
		if (is_ready(x, knot))
			continue;
		x->figures->broken++;
		if (!x->dropped)
			x->dropped = mem_zero(x->knots->first[x->trace->process_count] / 64 + 1, sizeof *x->dropped);
		if (!x->dropped) {
			*code = err_memory(e, "the messages");
			return false;
		}
		knot_drop(x, k);
		if (knot_kind(knot) == KNOT_RECEIVE)
			knot_drop(x, clock_knots_send(x->knots, chosen, knot));
	}
	walker_wake(x, chosen);
	return true;
}

/* ---- a pass ---- */

static void begin_pass(struct controlled *x)
{
	const struct clock_records *r = x->records;
	uint32_t n = x->trace->process_count;
	double none = x->back ? INFINITY : -INFINITY;

	for (uint32_t i = 0; i < x->knots->points->times->held_count; i++)
		x->instance[i] = (struct controlled_instance){{none, none, UINT32_MAX}, 0};
	for (size_t k = 0; k < x->knots->first[n]; k++) {
		const struct knot *knot = &x->knots->list[k];

		if (knot_kind(knot) == (x->back ? KNOT_END : KNOT_BEGIN) && !is_dropped(x, knot))
			instance_of(x, knot->what)->missing++;
	}
	x->ready_count = 0;
	for (uint32_t p = n; p-- > 0;) {
		x->walker[p] = (struct walker){r->first[p + x->back], x->knots->first[p + x->back], false};
		walker_wake(x, p);
	}
}

static enum err_code controlled_pass(struct controlled *x, bool back, struct err *e)
{
	enum err_code code = ERR_OK;

	x->back = back;
	begin_pass(x);
	do {
		while (x->ready_count) {
			uint32_t process = x->ready[--x->ready_count];

			x->walker[process].listed = false;
			if (!(back ? go_back(x, process) : go_forward(x, process)))
				return err_set(e, ERR_CANCELLED, "stopped while correcting times");
		}
	} while (!back && break_cycle(x, e, &code));
	return code;
}

/* Threads log without a lock, so a process's times may step back. */
static void make_rise(double *given, const struct clock_records *records)
{
	for (uint32_t p = 0; p < records->trace->process_count; p++)
		for (size_t i = records->first[p] + 1; i < records->first[p + 1]; i++)
			given[i] = later_time(given[i], given[i - 1]);
}

enum err_code clock_controlled(double *out, double *given, const struct clock_knots *knots, double amortise, struct controlled_figures *figures,
			       const struct progress *progress, struct err *e)
{
	const struct trace *t = knots->records->trace;
	struct controlled x = {.out = out, .given = given, .knots = knots, .records = knots->records, .trace = t,
			       .latency = knots->points->latency, .amortise = amortise, .figures = figures, .progress = progress,
			       .walker = mem_alloc(t->process_count, sizeof *x.walker),
			       .ready = mem_alloc(t->process_count, sizeof *x.ready),
			       .instance = mem_alloc(knots->points->times->held_count, sizeof *x.instance)};
	enum err_code code = x.walker && x.ready && x.instance ? ERR_OK : err_memory(e, "the corrected times");

	*figures = (struct controlled_figures){0};
	if (!code) {
		make_rise(given, knots->records);
		code = controlled_pass(&x, false, e);
	}
	if (!code)
		code = controlled_pass(&x, true, e);
	mem_free(x.walker);
	mem_free(x.ready);
	mem_free(x.instance);
	mem_free(x.dropped);
	return code;
}
