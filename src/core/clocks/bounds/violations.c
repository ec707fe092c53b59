#include "bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bounds_int.h"
#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/trace/remote.h"

#define NONE UINT32_MAX
#define POLL 0xffff /* events between two looks at progress */

struct violation_counting {
	struct clock_violations *v;
	const struct clock_points *points;
	const struct trace *trace;
	uint32_t *number;      /* per sender: of its pair with the receiver at hand, in v->pair; NONE: there is none yet */
	size_t pair_cap;
	const struct progress *progress;
};

static void count_one(struct violation_count *c, double margin)
{
	if (!c->all++ || margin < c->worst)
		c->worst = margin;
	c->violated += margin < 0;
}

static const struct violation_count none = {0, 0, (double)NAN};

static struct pair_violations *pair_of(struct violation_counting *x, uint32_t from, uint32_t to)
{
	struct clock_violations *v = x->v;
	struct pair_violations *grown;

	if (x->number[from] == NONE) {
		grown = mem_grow(v->pair, v->pair_count, &x->pair_cap, sizeof *grown);
		if (!grown)
			return NULL;
		v->pair = grown;
		x->number[from] = v->pair_count;
		grown[v->pair_count++] = (struct pair_violations){from, to, none, NAN};
	}
	return &v->pair[x->number[from]];
}

static struct bin_violations *bin_of(struct clock_violations *v, double at)
{
	double start, part;

	if (!v->bin_count)
		return NULL;
	start = v->bin[0].start;
	part = (at - start) / (v->bin[v->bin_count - 1].end - start) * v->bin_count;
	return &v->bin[part >= v->bin_count ? v->bin_count - 1 : part > 0 ? (uint32_t)part : 0];
}

/* How much later than it must a message arrives. */
static double margin_of(const struct violation_counting *x, uint32_t receive)
{
	const struct trace *t = x->trace;

	return t->time[receive] - clock_times_sent(x->points->times, t->match[receive]) - x->points->latency;
}

static bool is_received(const struct trace *t, uint32_t event)
{
	return EVENT_KIND(t->type[event]) == EVENT_RECEIVE && t->match[event] != NO_EVENT;
}

static bool count_message(struct violation_counting *x, uint32_t to, uint32_t receive)
{
	struct clock_violations *v = x->v;
	uint32_t from = EVENT_INDEX(x->trace->type[receive]) - 1;
	struct pair_violations *pair = pair_of(x, from, to);
	struct bin_violations *bin = bin_of(v, x->trace->time[receive]);
	double margin = margin_of(x, receive);

	if (!pair)
		return false;
	count_one(&v->messages, margin);
	count_one(&v->process[from].sent, margin);
	count_one(&v->process[to].received, margin);
	count_one(&pair->messages, margin);
	if (bin)
		count_one(&bin->messages, margin);
	return true;
}

static enum err_code count_messages(struct violation_counting *x, struct err *e)
{
	const struct trace *t = x->trace;
	struct clock_violations *v = x->v;

	memset(x->number, 0xff, t->process_count * sizeof *x->number);
	for (uint32_t to = 0, k = 0; to < t->process_count; to++) {
		for (uint32_t event = t->first[to]; event < t->first[to + 1]; event++) {
			if ((event & POLL) == 0 && progress_stopped(x->progress))
				return err_set(e, ERR_CANCELLED, "stopped while comparing clocks");
			if (is_received(t, event) && !count_message(x, to, event))
				return err_memory(e, "the messages");
		}
		for (; k < v->pair_count; k++)
			x->number[v->pair[k].from] = NONE;
	}
	return ERR_OK;
}

/* ---- medians: of all margins, pair by pair ---- */

#define PATIENCE 64 /* times that a part may be divided badly before it is sorted */
#define SHORT 32

static double middle_of(double a, double b, double c)
{
	return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Puts the k-th smallest of n in its place: what is before it is not larger. */
static double values_put_nth(double *v, size_t n, size_t k)
{
	size_t from = 0, to = n; /* it lies in [from, to) */

	for (int round = 0; to - from > SHORT && round < PATIENCE; round++) {
		double pivot = middle_of(v[from], v[from + (to - from) / 2], v[to - 1]);
		size_t i = from, j = to - 1;

		for (;; i++, j--) {
			double swapped;

			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			swapped = v[i];
			v[i] = v[j];
			v[j] = swapped;
		}
		if (k <= j)
			to = j + 1;
		else
			from = j + 1;
	}
	SORT(v + from, to - from, order_double);
	return v[k];
}

static double median_of(double *v, size_t n)
{
	double upper = values_put_nth(v, n, n / 2), lower = -INFINITY;

	if (n % 2)
		return upper;
	for (size_t i = 0; i < n / 2; i++)
		lower = fmax(lower, v[i]);
	return lower / 2 + upper / 2;
}

ORDER_BY(by_ends, struct pair_violations, UP(from) UP(to))

static void take_medians(struct clock_violations *v, double *margin, const size_t *end)
{
	for (uint32_t k = 0; k < v->pair_count; k++) {
		size_t n = v->pair[k].messages.all;

		v->pair[k].median = median_of(margin + (end[k] - n), n);
	}
}

static enum err_code find_medians(struct violation_counting *x, struct err *e)
{
	const struct trace *t = x->trace;
	struct clock_violations *v = x->v;
	double *margin = mem_alloc(v->messages.all, sizeof *margin);
	size_t *next = mem_alloc(v->pair_count, sizeof *next), sum = 0;
	bool done = margin && next;

	for (uint32_t k = 0; done && k < v->pair_count; k++) {
		next[k] = sum;
		sum += v->pair[k].messages.all;
	}
	for (uint32_t to = 0, k = 0; done && to < t->process_count; to++) {
		for (; k < v->pair_count && v->pair[k].to == to; k++) /* they come by receiver */
			x->number[v->pair[k].from] = k;
		for (uint32_t event = t->first[to]; event < t->first[to + 1]; event++)
			if (is_received(t, event))
				margin[next[x->number[EVENT_INDEX(t->type[event]) - 1]]++] = margin_of(x, event);
	}
	if (done)
		take_medians(v, margin, next);
	mem_free(margin);
	mem_free(next);
	return done ? ERR_OK : err_memory(e, "the messages");
}

/* ---- collectives ---- */

static void count_end(struct violation_counting *x, uint32_t process, double end, double needed)
{
	double margin = end - needed - x->points->latency;

	count_one(&x->v->collective, margin);
	count_one(&x->v->process[process].collective, margin);
}

/* For an instance the last two to begin: each member is held by the last of the others. */
static void count_instance(struct violation_counting *x, uint32_t first, const struct comm_info *comm)
{
	const struct clock_stamps *member = x->points->stamps + first;
	uint32_t last = 0;
	double second = -INFINITY;

	for (uint32_t r = 1; r < comm->size; r++) {
		double begun = member[r].begin, latest = member[last].begin;

		if (begun > latest) {
			second = latest;
			last = r;
		} else if (begun > second) {
			second = begun;
		}
	}
	for (uint32_t r = 0; r < comm->size; r++)
		count_end(x, x->trace->comm_members[comm->members + r], member[r].end, r == last ? second : member[last].begin);
}

/* The same of members here, if there are others elsewhere. */
static void count_spanning(struct violation_counting *x, const struct spanning_instance *in)
{
	const struct clock_points *p = x->points;
	const struct coll_type *type = &x->trace->colls[EVENT_INDEX(x->trace->type[p->times->held[p->member[in->first]].event])];
	bool counts = in->holds && !(p->barriers && strcmp(type->op, "Barrier") != 0);

	for (uint32_t i = in->first; counts && i < in->first + in->count; i++) {
		const struct clock_event_time *held = &p->times->held[p->member[i]];

		count_end(x, trace_process_of(x->trace, held->event), held->time, p->rank[p->member[i]] == in->last_rank ? in->second : in->last);
	}
}

static bool is_spanning(const struct clock_points *p, uint32_t entry)
{
	return p->spanning && p->spanning->of[entry] != NO_MEMBERS;
}

static void count_collectives(struct violation_counting *x)
{
	const struct clock_points *p = x->points;
	const struct trace *t = x->trace;

	for (uint32_t i = 0; i < p->times->held_count; i++) {
		const struct coll_type *type = &t->colls[EVENT_INDEX(t->type[p->times->held[i].event])];

		if (p->first_member[i] == NO_MEMBERS || p->rank[i] != 0 || (p->barriers && strcmp(type->op, "Barrier") != 0))
			continue;
		if (!is_spanning(p, i))
			count_instance(x, p->first_member[i], &t->comms[type->comm]);
	}
	for (uint32_t i = 0; p->spanning && i < p->spanning->count; i++)
		count_spanning(x, &p->spanning->list[i]);
}

static enum err_code violations_make_room(struct clock_violations *v, const struct trace *t, uint32_t bins, struct err *e)
{
	v->process_count = t->process_count;
	v->process = mem_alloc(t->process_count, sizeof *v->process);
	v->bin = mem_alloc(bins, sizeof *v->bin);
	if (!v->process || !v->bin)
		return err_memory(e, "the violations");
	v->messages = v->collective = none;
	for (uint32_t p = 0; p < t->process_count; p++)
		v->process[p] = (struct process_violations){none, none, none};
	for (; v->bin_count < bins && t->end > t->start; v->bin_count++) {
		double length = t->end - t->start;
		uint32_t k = v->bin_count;

		v->bin[k] = (struct bin_violations){t->start + length * ((double)k / bins),
						    k + 1 == bins ? t->end : t->start + length * ((double)(k + 1) / bins), none};
	}
	return ERR_OK;
}

enum err_code clock_violations_new(struct clock_violations **out, const struct clock_points *points, uint32_t bins, bool medians,
				   const struct progress *progress, struct err *e)
{
	struct violation_counting x = {.v = mem_zero(1, sizeof *x.v), .points = points, .trace = points->times->trace, .progress = progress,
			     .number = mem_alloc(points->times->trace->process_count, sizeof *x.number)};
	enum err_code code = x.v && x.number ? violations_make_room(x.v, x.trace, bins, e) : err_memory(e, "the violations");

	if (!code)
		code = count_messages(&x, e);
	if (!code && medians)
		code = find_medians(&x, e);
	if (!code)
		count_collectives(&x);
	if (trace_team(x.trace))
		code = clock_violations_gather(x.v, x.trace, code, e);
	if (!code && x.v->pair_count)
		SORT(x.v->pair, x.v->pair_count, by_ends);
	mem_free(x.number);
	if (code) {
		clock_violations_free(x.v);
		x.v = NULL;
	}
	*out = x.v;
	return code;
}

void clock_violations_free(struct clock_violations *v)
{
	if (!v)
		return;
	mem_free(v->process);
	mem_free(v->pair);
	mem_free(v->bin);
	mem_free(v);
}
