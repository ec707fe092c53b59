#include "maps.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/metrics/calls/span_sums.h"

/* What a call has: waiting, moving, not analysed, other (computing is not in calls), messages, bytes. */
enum { SUM_MESSAGES = SPENT_KINDS - 1, SUM_BYTES, SUM_KINDS };

struct call_sums {
	const struct call_log *log;
	const struct waits *waits;
	struct span_sums *lists; /* per list */
	uint32_t *first_block; /* per list; list_count + 1 */
	uint32_t *longest;     /* per SPAN_EVERY calls of a list; NO_LOGGED_CALL: none of it is a function's */
	double *took;          /* and how long: less than 0 for none */
};

const char *spent_kind_name(enum spent_kind k)
{
	static const char *const names[SPENT_KINDS] = {"computation", "waiting", "transfer", "not analysed", "other"};

	return names[k];
}

/* --- one call --- */

/* A list, as its sums are told of it. */
struct summed_list {
	const struct call_sums *sums;
	uint32_t first;  /* call */
};

static void add_call(const void *arg, uint32_t number, double t0, double t1, double *sum)
{
	const struct summed_list *x = arg;
	const struct call_sums *s = x->sums;
	uint32_t call = x->first + number;
	const struct logged_call *c = &s->log->calls[call];
	const struct trace *t = s->log->trace;
	enum account_kind kind = s->log->nodes[c->node].time;
	double all = span_overlap(c->start, c->end, t0, t1);
	double waited = s->waits ? fmin(span_overlap(c->start, c->start + s->waits->sync[call], t0, t1), all) : 0;
	enum spent_kind beyond = call_is_not_analysed(s->log, call)                             ? SPENT_NOT_ANALYSED
			       : kind >= ACCOUNT_SEND && kind <= ACCOUNT_COLLECTIVE ? SPENT_MOVING
										    : SPENT_OTHER;

	sum[SPENT_WAITING - 1] += waited;
	sum[beyond - 1] += all - waited;
	for (uint32_t e = c->first_event; e != NO_EVENT; e = call_log_next_event(s->log, call, e)) {
		double at;

		if (EVENT_KIND(t->type[e]) != EVENT_SEND)
			continue;
		at = call_log_event_time(s->log, e);
		if (at < t0 || at >= t1)
			continue;
		sum[SUM_MESSAGES]++;
		sum[SUM_BYTES] += trace_size(t, e) == SIZE_UNKNOWN ? 0 : (double)trace_size(t, e);
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
	return (l->end - l->first + SPAN_EVERY - 1) / SPAN_EVERY;
}

static enum err_code sum_list(struct call_sums *s, uint32_t list, const struct progress *progress, struct err *e)
{
	const struct call_list *l = &s->log->lists[list];
	const struct summed_list of = {s, l->first};
	uint32_t block = s->first_block[list];

	for (uint32_t c = l->first; c < l->end; c++) {
		if ((c - l->first) % SPAN_EVERY == 0)
			s->longest[block++] = NO_LOGGED_CALL;
		s->longest[block - 1] = longer(s->log, s->longest[block - 1], function_or_none(s->log, c));
		s->took[block - 1] = s->longest[block - 1] == NO_LOGGED_CALL ? -1 : duration(s->log, s->longest[block - 1]);
	}
	return span_sums_init(&s->lists[list], s->log->calls + l->first, l->end - l->first, SUM_KINDS, add_call, &of, progress, e);
}

enum err_code call_sums_new(struct call_sums **out, const struct call_log *log, const struct waits *waits, const struct progress *progress, struct err *e)
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
		blocks += blocks_of(&log->lists[l]);
	}
	if (s->first_block)
		s->first_block[log->list_count] = (uint32_t)blocks;
	s->lists = mem_zero(log->list_count, sizeof *s->lists);
	s->longest = mem_alloc(blocks + 1, sizeof *s->longest);
	s->took = mem_alloc(blocks + 1, sizeof *s->took);
	if (!s->first_block || !s->lists || !s->longest || !s->took)
		code = err_memory(e, "the sums of calls");
	for (uint32_t l = 0; !code && l < log->list_count; l++)
		code = sum_list(s, l, progress, e);
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
	for (uint32_t l = 0; s->lists && l < s->log->list_count; l++)
		span_sums_release(&s->lists[l]);
	mem_free(s->lists);
	mem_free(s->first_block);
	mem_free(s->longest);
	mem_free(s->took);
	mem_free(s);
}

/* --- asking --- */

/* The longest of the calls [a, b) of a list. */
static uint32_t longest_between(const struct call_sums *s, uint32_t list, uint32_t a, uint32_t b)
{
	uint32_t first = s->log->lists[list].first, from = (a + SPAN_EVERY - 1) / SPAN_EVERY, to = b / SPAN_EVERY, longest = NO_LOGGED_CALL, best;

	if (b - a <= 2 * SPAN_EVERY) {
		for (uint32_t c = a; c < b; c++)
			longest = longer(s->log, longest, function_or_none(s->log, first + c));
		return longest;
	}
	longest = longest_between(s, list, a, from * SPAN_EVERY);
	best = s->first_block[list] + from;
	for (uint32_t block = best; block < s->first_block[list] + to; block++)
		if (s->took[block] > s->took[best])
			best = block;
	longest = longer(s->log, longest, s->longest[best]);
	return longer(s->log, longest, longest_between(s, list, to * SPAN_EVERY, b));
}

static void add_list(const struct call_sums *s, uint32_t list, double t0, double t1, double *sum, uint32_t *longest)
{
	const struct summed_list of = {s, s->log->lists[list].first};
	uint32_t a = 0, b;

	span_sums_between(&s->lists[list], &a, &b, t0, t1, add_call, &of, sum);
	/* One that only touches the beginning has no time in it. */
	if (a < b && s->lists[list].calls[a].end <= t0 && s->lists[list].calls[a].start < t0)
		a++;
	if (a < b)
		*longest = longer(s->log, *longest, longest_between(s, list, a, b));
}

void call_sums_add(const struct call_sums *s, uint32_t first, uint32_t last, double t0, double t1, struct call_totals *out)
{
	const struct call_log *log = s->log;

	for (uint32_t p = first; p <= last; p++)
		for (uint32_t l = log->list_first[p]; l < log->list_first[p + 1]; l++) {
			double covered = span_overlap(log->lists[l].start, log->lists[l].stop, t0, t1), calls = 0;
			double sum[SUM_KINDS] = {0};

			add_list(s, l, t0, t1, sum, &out->longest);
			out->messages += (uint64_t)(sum[SUM_MESSAGES] + .5);
			out->bytes += (uint64_t)(sum[SUM_BYTES] + .5);
			if (!log->lists[l].account)
				continue;
			for (int k = 0; k < SPENT_KINDS - 1; k++) {
				out->by_kind[k + 1] += sum[k];
				calls += sum[k];
			}
			out->by_kind[SPENT_COMPUTE] += fmax(covered - calls, 0);
			out->covered += covered;
			if (sum[SPENT_WAITING - 1] > out->waited) {
				out->waited = sum[SPENT_WAITING - 1];
				out->waits_most = p;
			}
		}
	for (int k = 0; !s->waits && k < SPENT_KINDS; k++)
		out->by_kind[k] = (double)NAN;
}
