#include "loops.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/order.h"

#define POLL 262144   /* iterations between two looks at progress */
#define SHOWN_TOP 64
#define LEAST_SHARE 0.7
#define MOST_WINDOWS 2

void folding_free(struct folding *f)
{
	if (!f)
		return;
	fold_free(f->owned);
	mem_free(f->first);
	mem_free(f->from);
	mem_free(f->to);
	mem_free(f->order);
	mem_free(f);
}

/* --- where iterations lie --- */

/* A walk through the unfolded sequence. */
struct symbol_walk {
	struct folding *f;
	size_t *next;         /* per loop: where its next iteration goes */
	const struct progress *progress;
	uint32_t until_poll;
	bool stopped;
};

/* The symbols begin at `at`; returns where they end. Each level at least doubles what is below it, so the depth is at
 * most 32. */
static uint32_t symbols_walk(struct symbol_walk *w, const uint32_t *symbols, uint32_t count, uint32_t at)
{
	const struct fold *fold = w->f->fold;

	for (uint32_t i = 0; i < count && !w->stopped; i++) {
		uint32_t loop = symbols[i] - fold->id_count;
		const struct fold_loop *l;

		if (!fold_is_loop(fold, symbols[i])) {
			at++;
			continue;
		}
		l = &fold->loops[loop];
		for (uint32_t k = 0; k < l->count && !w->stopped; k++) {
			size_t place = w->next[loop]++;

			w->f->from[place] = at;
			at = l->unfolded == l->length ? at + l->length : symbols_walk(w, fold->symbols + l->body, l->length, at);
			w->f->to[place] = at;
			if (--w->until_poll == 0) {
				w->until_poll = POLL;
				w->stopped = progress_stopped(w->progress);
			}
		}
	}
	return at;
}

/* How often each loop goes round: what is around a loop comes behind it. */
static size_t count_iterations(const struct fold *f, size_t *times)
{
	size_t sum = 0;

	for (uint32_t i = 0; i < f->top_count; i++)
		if (fold_is_loop(f, f->top[i]))
			times[f->top[i] - f->id_count]++;
	for (uint32_t k = f->loop_count; k-- > 0; ) {
		const struct fold_loop *l = &f->loops[k];

		times[k] *= l->count;
		sum += times[k];
		for (uint32_t i = 0; i < l->length; i++)
			if (fold_is_loop(f, f->symbols[l->body + i]))
				times[f->symbols[l->body + i] - f->id_count] += times[k];
	}
	return sum;
}

struct ended_loop {
	uint32_t end, loop;
};

ORDER_BY(compare_ends, struct ended_loop, UP(end) UP(loop))

static bool order_loops(struct folding *f)
{
	uint32_t loops = f->fold->loop_count;
	struct ended_loop *ends = mem_alloc(loops, sizeof *ends);

	f->order = mem_alloc(loops, sizeof *f->order);
	if (!ends || !f->order) {
		mem_free(ends);
		return false;
	}
	for (uint32_t k = 0; k < loops; k++)
		ends[k] = (struct ended_loop){f->to[f->first[k]], k};
	SORT(ends, loops, compare_ends);
	for (uint32_t k = 0; k < loops; k++)
		f->order[k] = ends[k].loop;
	mem_free(ends);
	return true;
}

/* kept[i] is the occurrence of symbol i, kept[count] the number of all; NULL: each its own. */
static enum err_code locate(struct folding *f, const uint32_t *kept, const struct progress *progress, struct err *e)
{
	uint32_t loops = f->fold->loop_count;
	size_t *next = mem_zero(loops, sizeof *next), sum = 0;
	struct symbol_walk w = {.f = f, .next = next, .progress = progress, .until_poll = POLL};

	f->first = mem_alloc((size_t)loops + 1, sizeof *f->first);
	if (next)
		sum = count_iterations(f->fold, next);
	f->from = mem_alloc(sum, sizeof *f->from);
	f->to = mem_alloc(sum, sizeof *f->to);
	if (!next || !f->first || !f->from || !f->to) {
		mem_free(next);
		return err_memory(e, "the iterations of loops");
	}
	sum = 0;
	for (uint32_t k = 0; k < loops; k++) {
		f->first[k] = sum;
		sum += next[k];
		next[k] = f->first[k];
	}
	f->first[loops] = sum;
	symbols_walk(&w, f->fold->top, f->fold->top_count, 0);
	mem_free(next);
	if (w.stopped)
		return err_set(e, ERR_CANCELLED, "stopped while folding loops");
	for (size_t i = 0; kept && i < sum; i++) {
		f->from[i] = kept[f->from[i]];
		f->to[i] = kept[f->to[i]];
	}
	return order_loops(f) ? ERR_OK : err_memory(e, "the iterations of loops");
}

enum err_code folding_new(struct folding **out, const struct phases *p, const bool *keep, const struct progress *progress, struct err *e)
{
	uint32_t n = p->occurrence_count, count = 0;
	struct folding *f = mem_zero(1, sizeof *f);
	uint32_t *sequence = mem_alloc(n, sizeof *sequence), *kept = keep ? mem_alloc((size_t)n + 1, sizeof *kept) : NULL;
	enum err_code code = f && sequence && (kept || !keep) ? ERR_OK : err_memory(e, "the loops of a run");

	*out = NULL;
	for (uint32_t i = 0; !code && i < n; i++) {
		uint32_t id = p->occurrences[i].phase;

		if (keep && !keep[id - 1])
			continue;
		if (keep)
			kept[count] = i;
		sequence[count++] = id;
	}
	if (!code) {
		f->exact = count == n;
		if (keep)
			kept[count] = n;
		code = fold_new(&f->owned, sequence, count, progress, e);
	}
	if (!code) {
		f->fold = f->owned;
		code = locate(f, f->exact ? NULL : kept, progress, e);
	}
	mem_free(sequence);
	mem_free(kept);
	if (code)
		folding_free(f);
	else
		*out = f;
	return code;
}

enum err_code folding_of(struct folding **out, const struct fold *fold, const struct progress *progress, struct err *e)
{
	struct folding *f = mem_zero(1, sizeof *f);
	enum err_code code = f ? ERR_OK : err_memory(e, "the loops of a run");

	*out = NULL;
	if (!code) {
		f->fold = fold;
		f->exact = true;
		code = locate(f, NULL, progress, e);
	}
	if (code)
		folding_free(f);
	else
		*out = f;
	return code;
}

enum err_code loops_new(struct loops **out, const struct phases *p, const bool *relevant, const struct progress *progress,
			struct err *e)
{
	struct loops *l = mem_zero(1, sizeof *l);
	enum err_code code = l ? ERR_OK : err_memory(e, "the loops of a run");
	bool all = true;

	*out = NULL;
	if (!code)
		code = folding_new(&l->exact, p, NULL, progress, e);
	for (uint32_t i = 0; !code && relevant && all && i < p->occurrence_count; i++)
		all = relevant[p->occurrences[i].phase - 1];
	if (!code) {
		l->occurrence_count = p->occurrence_count;
		l->relevant = l->exact;
		if (!all)
			code = folding_new(&l->relevant, p, relevant, progress, e);
	}
	if (code)
		loops_free(l);
	else
		*out = l;
	return code;
}

void loops_free(struct loops *l)
{
	if (!l)
		return;
	if (l->relevant != l->exact)
		folding_free(l->relevant);
	folding_free(l->exact);
	mem_free(l);
}

const struct folding *loops_shown(const struct loops *l)
{
	uint32_t exact = l->exact->fold->top_count, relevant = l->relevant->fold->top_count;

	return exact <= SHOWN_TOP || exact <= relevant || !relevant ? l->exact : l->relevant;
}

double folding_length(const struct folding *f, uint32_t loop, const double *at)
{
	double sum = 0;

	for (size_t i = f->first[loop]; i < f->first[loop + 1]; i++)
		sum += at[f->to[i]] - at[f->from[i]];
	return sum;
}

/* --- the loop that windows follow --- */

struct choice {
	const struct folding *f; /* NULL: none yet */
	uint32_t loop;
	double mean, seconds;
};

/* Loops come in the order in which ties are decided, so a later one must be longer. */
static void loop_choose_best(struct choice *best, const struct folding *f, const double *u, double aet, double window_seconds)
{
	for (uint32_t i = 0; i < f->fold->loop_count; i++) {
		uint32_t loop = f->order[i];
		double count = (double)folding_iterations(f, loop), seconds, mean;

		if (count < LOOPS_ITERATIONS)
			continue;
		seconds = folding_length(f, loop, u);
		mean = seconds / count;
		if (seconds < LEAST_SHARE * aet - LOOPS_SLACK || mean > MOST_WINDOWS * window_seconds + LOOPS_SLACK)
			continue;
		if (!best->f || mean > best->mean + LOOPS_SLACK)
			*best = (struct choice){f, loop, mean, seconds};
	}
}

enum err_code loops_pick(struct loop_iterations *out, const struct loops *l, const double *u, double aet,
			 double window_seconds, struct err *e)
{
	struct choice best = {0};
	size_t count;

	*out = (struct loop_iterations){0};
	if (!(aet > 0))
		return ERR_OK;
	loop_choose_best(&best, l->exact, u, aet, window_seconds);
	if (l->relevant != l->exact)
		loop_choose_best(&best, l->relevant, u, aet, window_seconds);
	if (!best.f)
		return ERR_OK;
	count = folding_iterations(best.f, best.loop);
	out->from = mem_alloc(count, sizeof *out->from);
	out->to = mem_alloc(count, sizeof *out->to);
	if (!out->from || !out->to) {
		loop_iterations_release(out);
		return err_memory(e, "the iterations of the main loop");
	}
	memcpy(out->from, best.f->from + best.f->first[best.loop], count * sizeof *out->from);
	memcpy(out->to, best.f->to + best.f->first[best.loop], count * sizeof *out->to);
	out->count = (uint32_t)count;
	out->mean = best.mean;
	out->share = best.seconds / aet;
	out->exact = best.f->exact;
	return ERR_OK;
}

void loop_iterations_release(struct loop_iterations *x)
{
	mem_free(x->from);
	mem_free(x->to);
	*x = (struct loop_iterations){0};
}

enum err_code loops_main(struct loop_iterations *out, const struct phases *p, const bool *relevant, const double *u,
			 double aet, double window_seconds, const struct progress *progress, struct err *e)
{
	struct loops *l;
	enum err_code code = loops_new(&l, p, relevant, progress, e);

	*out = (struct loop_iterations){0};
	if (code)
		return code;
	code = loops_pick(out, l, u, aet, window_seconds, e);
	loops_free(l);
	return code;
}
