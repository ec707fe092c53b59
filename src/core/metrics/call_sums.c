#include "call_sums.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/search.h"

#define EVERY 16 /* calls in a block */

/* Of some calls of one list. Computing is not in calls. */
struct sum {
	double by_kind[SPENT_KINDS - 1]; /* waiting, moving, not analysed, other */
	uint64_t messages, bytes;
};

struct call_sums {
	const struct call_log *log;
	const struct waits *waits;
	uint32_t *first_block; /* per list; list_count + 1 */
	struct sum *before;    /* per block, and one behind a list's last: of its list's calls before the block */
	uint32_t *longest;     /* per block; NO_LOGGED_CALL: none of it is a function's */
	double *took;          /* and how long: less than 0 for none */
};

const char *spent_kind_name(enum spent_kind k)
{
	static const char *const names[SPENT_KINDS] = {"compute", "waiting", "moving", "not analysed", "other"};

	return names[k];
}

/* --- one call --- */

static double overlap(double a, double b, double t0, double t1)
{
	return fmax(fmin(b, t1) - fmax(a, t0), 0);
}

static void add_call(const struct call_sums *s, uint32_t call, double t0, double t1, struct sum *sum)
{
	const struct logged_call *c = &s->log->calls[call];
	const struct trace *t = s->log->trace;
	enum account_kind kind = s->log->nodes[c->node].time;
	double all = overlap(c->start, c->end, t0, t1);
	double waited = s->waits ? fmin(overlap(c->start, c->start + s->waits->sync[call], t0, t1), all) : 0;
	enum spent_kind beyond = call_is_not_analysed(s->log, call)                             ? SPENT_NOT_ANALYSED
			       : kind >= ACCOUNT_SEND && kind <= ACCOUNT_COLLECTIVE ? SPENT_MOVING
										    : SPENT_OTHER;

	sum->by_kind[SPENT_WAITING - 1] += waited;
	sum->by_kind[beyond - 1] += all - waited;
	for (uint32_t e = c->first_event; e != NO_EVENT; e = call_log_next_event(s->log, call, e)) {
		double at;

		if (EVENT_KIND(t->type[e]) != EVENT_SEND)
			continue;
		at = call_log_event_time(s->log, e);
		if (at < t0 || at >= t1)
			continue;
		sum->messages++;
		sum->bytes += trace_size(t, e) == SIZE_UNKNOWN ? 0 : trace_size(t, e);
	}
}

static double duration(const struct call_log *log, uint32_t call)
{
	return log->calls[call].end - log->calls[call].start;
}

/* The longer of two, which stand in the order of lists and calls. */
static uint32_t longer(const struct call_log *log, uint32_t a, uint32_t b)
{
	if (a == NO_LOGGED_CALL || b == NO_LOGGED_CALL)
		return a == NO_LOGGED_CALL ? b : a;
	return duration(log, b) > duration(log, a) ? b : a;
}

static uint32_t function_or_none(const struct call_log *log, uint32_t call)
{
	return call_node_is_function(&log->nodes[log->calls[call].node]) ? call : NO_LOGGED_CALL;
}

/* --- making --- */

static uint32_t blocks_of(const struct call_list *l)
{
	return (l->end - l->first + EVERY - 1) / EVERY;
}

static enum err_code sum_list(struct call_sums *s, uint32_t list, const struct job *job, struct err *e)
{
	const struct call_list *l = &s->log->lists[list];
	struct sum sum = {0};
	uint32_t block = s->first_block[list];

	for (uint32_t c = l->first; c < l->end; c++) {
		if ((c - l->first) % EVERY == 0) {
			if ((c & 0x3fff) < EVERY && job_stopped(job))
				return err_set(e, ERR_CANCELLED, "stopped while adding up the calls");
			s->before[block] = sum;
			s->longest[block++] = NO_LOGGED_CALL;
		}
		add_call(s, c, -INFINITY, INFINITY, &sum);
		s->longest[block - 1] = longer(s->log, s->longest[block - 1], function_or_none(s->log, c));
		s->took[block - 1] = s->longest[block - 1] == NO_LOGGED_CALL ? -1 : duration(s->log, s->longest[block - 1]);
	}
	s->before[block] = sum;
	return ERR_OK;
}

enum err_code call_sums_new(struct call_sums **out, const struct call_log *log, const struct waits *waits, const struct job *job, struct err *e)
{
	struct call_sums *s = mem_zero(1, sizeof *s);
	enum err_code code = ERR_OK;
	size_t blocks = 0;

	*out = NULL;
	if (!s)
		return err_memory(e, "the sums of calls");
	s->log = log;
	s->waits = waits;
	s->first_block = mem_alloc((size_t)log->list_count + 1, sizeof *s->first_block);
	for (uint32_t l = 0; s->first_block && l < log->list_count; l++) {
		s->first_block[l] = (uint32_t)blocks;
		blocks += blocks_of(&log->lists[l]) + 1;
	}
	if (s->first_block)
		s->first_block[log->list_count] = (uint32_t)blocks;
	s->before = mem_alloc(blocks + 1, sizeof *s->before);
	s->longest = mem_alloc(blocks + 1, sizeof *s->longest);
	s->took = mem_alloc(blocks + 1, sizeof *s->took);
	if (!s->first_block || !s->before || !s->longest || !s->took)
		code = err_memory(e, "the sums of calls");
	for (uint32_t l = 0; !code && l < log->list_count; l++)
		code = sum_list(s, l, job, e);
	if (code) {
		call_sums_free(s);
		return code;
	}
	*out = s;
	return ERR_OK;
}

void call_sums_free(struct call_sums *s)
{
	if (!s)
		return;
	mem_free(s->first_block);
	mem_free(s->before);
	mem_free(s->longest);
	mem_free(s->took);
	mem_free(s);
}

/* --- asking --- */

/* The first call of a list that ends at t or later, or, with `begins`, that begins at t or later; the list's end:
 * none. */
static uint32_t first_from(const struct call_log *log, const struct call_list *l, double t, bool begins)
{
	return SEARCH_PAST(i, l->first, l->end, (begins ? log->calls[i].start : log->calls[i].end) < t);
}

/* Calls [a, b) of a list, all of them within the stretch. Few are added up one by one: a difference of sums over a long
 * run says little of a microsecond. */
static void add_whole(const struct call_sums *s, uint32_t list, uint32_t a, uint32_t b, struct sum *sum, uint32_t *longest)
{
	uint32_t first = s->log->lists[list].first, from = (a - first + EVERY - 1) / EVERY, to = (b - first) / EVERY;
	uint32_t block, best;
	const struct sum *x, *y;

	if (b - a <= 2 * EVERY) {
		for (uint32_t c = a; c < b; c++) {
			add_call(s, c, -INFINITY, INFINITY, sum);
			*longest = longer(s->log, *longest, function_or_none(s->log, c));
		}
		return;
	}
	add_whole(s, list, a, first + from * EVERY, sum, longest);
	x = &s->before[s->first_block[list] + from];
	y = &s->before[s->first_block[list] + to];
	for (int k = 0; k < SPENT_KINDS - 1; k++)
		sum->by_kind[k] += y->by_kind[k] - x->by_kind[k];
	sum->messages += y->messages - x->messages;
	sum->bytes += y->bytes - x->bytes;
	block = best = s->first_block[list] + from;
	for (uint32_t end = s->first_block[list] + to; block < end; block++)
		if (s->took[block] > s->took[best])
			best = block;
	*longest = longer(s->log, *longest, s->longest[best]);
	add_whole(s, list, first + to * EVERY, b, sum, longest);
}

/* Only a stretch's first and last call may lie in it in part: the calls of a list do not overlap. */
static void add_list(const struct call_sums *s, uint32_t list, double t0, double t1, struct sum *sum, uint32_t *longest)
{
	const struct call_list *l = &s->log->lists[list];
	uint32_t a = first_from(s->log, l, t0, false), b = first_from(s->log, l, t1, true);

	if (a >= b)
		return;
	add_call(s, a, t0, t1, sum);
	if (s->log->calls[a].end > t0 || s->log->calls[a].start >= t0)
		*longest = longer(s->log, *longest, function_or_none(s->log, a));
	if (b - a > 2)
		add_whole(s, list, a + 1, b - 1, sum, longest);
	if (b - a > 1) {
		add_call(s, b - 1, t0, t1, sum);
		*longest = longer(s->log, *longest, function_or_none(s->log, b - 1));
	}
}

void call_sums_add(const struct call_sums *s, uint32_t first, uint32_t last, double t0, double t1, struct call_totals *out)
{
	const struct call_log *log = s->log;

	for (uint32_t p = first; p <= last; p++)
		for (uint32_t l = log->list_first[p]; l < log->list_first[p + 1]; l++) {
			double covered = overlap(log->lists[l].start, log->lists[l].stop, t0, t1), calls = 0;
			struct sum sum = {0};

			add_list(s, l, t0, t1, &sum, &out->longest);
			out->messages += sum.messages;
			out->bytes += sum.bytes;
			if (!log->lists[l].account)
				continue;
			for (int k = 0; k < SPENT_KINDS - 1; k++) {
				out->by_kind[k + 1] += sum.by_kind[k];
				calls += sum.by_kind[k];
			}
			out->by_kind[SPENT_COMPUTE] += fmax(covered - calls, 0);
			out->covered += covered;
			if (sum.by_kind[SPENT_WAITING - 1] > out->waited) {
				out->waited = sum.by_kind[SPENT_WAITING - 1];
				out->waits_most = p;
			}
		}
	for (int k = 0; !s->waits && k < SPENT_KINDS; k++)
		out->by_kind[k] = (double)NAN;
}

void call_sums_between(const struct call_sums *s, uint32_t first, uint32_t last, double t0, double t1, struct call_totals *out)
{
	*out = (struct call_totals)CALL_TOTALS_NONE;
	call_sums_add(s, first, last, t0, t1, out);
}
