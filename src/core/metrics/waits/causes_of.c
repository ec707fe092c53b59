/* The causes of one wait: the chain is followed through the calls of each list that is waited for. */
#include <math.h>
#include <stdlib.h>

#include "waits.h"
#include "core/base/order.h"
#include "core/base/search.h"

#define DEEPEST 10000

struct following {
	const struct waits *w;
	struct wait_cause *found;
	uint32_t count;
	size_t room;
	bool no_memory;
};

/* The lists that wait for each other, up to the one whose wait is asked about. */
struct wait_link {
	uint32_t list, depth;
	const struct wait_link *up;
};

static void found(struct following *f, struct wait_cause cause)
{
	struct wait_cause *grown;

	if (!(cause.seconds > 0) || f->no_memory)
		return;
	grown = mem_grow(f->found, f->count, &f->room, sizeof *grown);
	if (!grown) {
		f->no_memory = true;
		return;
	}
	f->found = grown;
	grown[f->count++] = cause;
}

static double common(double from, double to, double a, double b)
{
	double d = fmin(to, b) - fmax(from, a);

	return d > 0 ? d : 0;
}

/* The first call of l that ends behind t. */
static uint32_t first_behind(const struct call_log *log, const struct call_list *l, double t)
{
	return SEARCH_PAST(i, l->first, l->end, log->calls[i].end <= t);
}

/* What a list did from `from` to `to`, while the one above it waited for it. */
static void wait_follow_list(struct following *f, uint32_t list, double from, double to, const struct wait_link *up)
{
	const struct call_log *log = f->w->log;
	const struct call_list *l = &log->lists[list];
	struct wait_link link = {list, up->depth + 1, up};
	uint32_t through = up->depth, c;

	for (const struct wait_link *above = up; above; above = above->up)
		if (above->list == list)
			return;
	if (link.depth > DEEPEST)
		return;
	for (c = first_behind(log, l, from); c < l->end && log->calls[c].start < to; c++) {
		const struct logged_call *call = &log->calls[c];
		double waited = fmin(call->start + f->w->sync[c], call->end);

		found(f, (struct wait_cause){list, c, false, common(from, to, c == l->first ? l->start : call[-1].end, call->start), through});
		found(f, (struct wait_cause){list, c, true, common(from, to, waited, call->end), through});
		if (common(from, to, call->start, waited) > 0)
			wait_follow_list(f, call_log_list_of(log, waits_for(f->w, c)), fmax(from, call->start), fmin(to, waited), &link);
	}
	found(f, (struct wait_cause){list, c, false,
				     common(from, to, c == l->first ? l->start : log->calls[c - 1].end,
					    c < l->end ? log->calls[c].start : l->stop), through});
}

/* By list too: a call behind a list's last one is the next list's first. */
ORDER_BY(compare_place, struct wait_cause, UP(call) UP(list) UP(in_call))

ORDER_BY(compare_seconds, struct wait_cause, DOWN(seconds) UP(call) UP(list) UP(in_call))

uint32_t causes_of(const struct waits *w, uint32_t call, struct wait_cause *out, uint32_t most)
{
	const struct call_log *log = w->log;
	struct following f = {.w = w};
	uint32_t other = waits_for(w, call), n = 0;
	struct wait_link own = {.depth = 0};

	if (other == NO_LOGGED_CALL)
		return 0;
	own.list = call_log_list_of(log, call);
	wait_follow_list(&f, call_log_list_of(log, other), log->calls[call].start,
	       fmin(log->calls[call].start + w->sync[call], log->calls[call].end), &own);
	if (f.count && !f.no_memory) {
		SORT(f.found, f.count, compare_place);
		for (uint32_t i = 0; i < f.count; i++) {
			if (!n || compare_place(&f.found[n - 1], &f.found[i])) {
				f.found[n++] = f.found[i];
				continue;
			}
			f.found[n - 1].seconds += f.found[i].seconds;
			if (f.found[i].through < f.found[n - 1].through)
				f.found[n - 1].through = f.found[i].through;
		}
		SORT(f.found, n, compare_seconds);
	}
	if (n > most)
		n = most;
	for (uint32_t i = 0; i < n; i++)
		out[i] = f.found[i];
	mem_free(f.found);
	return n;
}
