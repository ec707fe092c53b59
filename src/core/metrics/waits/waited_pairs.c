#include "waited_pairs.h"

#include <stdlib.h>

#include "core/base/order.h"
#include "instances.h"

#define ASK_EVERY 8192

/* What one process waited, by the others; all 0 between two processes. */
struct waited_sums {
	struct waited_pair *of;  /* per process */
	uint32_t *touched;       /* those above 0 */
	uint32_t count;
};

static enum err_code add_calls(struct waited_sums *s, const struct waits *w, const struct instances *m, const struct call_list *l, const struct progress *progress,
			       struct err *e)
{
	const struct call_log *log = w->log;

	for (uint32_t c = l->first; c < l->end; c++) {
		uint32_t call = waits_for_among(w, m, c), other;
		struct waited_pair *sum;

		if (c % ASK_EVERY == 0 && progress_step(progress, PROGRESS_METRICS, c, log->call_count, e))
			return e->code;
		if (call == NO_LOGGED_CALL)
			continue;
		other = log->lists[call_log_list_of(log, call)].process;
		sum = &s->of[other];
		if (!(sum->seconds > 0))
			s->touched[s->count++] = other;
		sum->seconds += w->sync[c];
		sum->by_reason[w->reason[c]] += w->sync[c];
	}
	return ERR_OK;
}

static enum err_code waited_sums_keep(struct waited_pairs *p, size_t *cap, struct waited_sums *s, uint32_t process, struct err *e)
{
	SORT(s->touched, s->count, order_u32);
	for (uint32_t i = 0; i < s->count; i++) {
		struct waited_pair *grown = mem_grow(p->pair, p->count, cap, sizeof *p->pair), *sum = &s->of[s->touched[i]];

		if (!grown)
			return err_memory(e, "the pairs of ranks that waited");
		p->pair = grown;
		sum->process = process;
		sum->other = s->touched[i];
		p->pair[p->count++] = *sum;
		if (sum->seconds > p->pair[p->longest].seconds)
			p->longest = p->count - 1;
		p->seconds += sum->seconds;
		*sum = (struct waited_pair){.seconds = 0};
	}
	s->count = 0;
	return ERR_OK;
}

static enum err_code waited_pairs_find(struct waited_pairs *p, const struct waits *w, struct waited_sums *s, const struct progress *progress, struct err *e)
{
	const struct call_log *log = w->log;
	struct instances m;
	size_t cap = 0;
	enum err_code code = instances_init(&m, log, progress, e);

	if (code)
		return code;
	for (uint32_t l = 0; !code && l < log->list_count; l++) {
		if (!log->lists[l].account)
			continue;
		code = add_calls(s, w, &m, &log->lists[l], progress, e);
		if (!code)
			code = waited_sums_keep(p, &cap, s, log->lists[l].process, e);
	}
	instances_release(&m);
	return code;
}

enum err_code waited_pairs_new(struct waited_pairs **out, const struct waits *w, const struct progress *progress, struct err *e)
{
	uint32_t n = w->log->trace->process_count;
	struct waited_pairs *p = mem_zero(1, sizeof *p);
	struct waited_sums s = {.of = mem_zero(n, sizeof *s.of), .touched = mem_alloc(n, sizeof *s.touched)};
	enum err_code code = p && s.of && s.touched ? waited_pairs_find(p, w, &s, progress, e) : err_memory(e, "the pairs of ranks that waited");

	mem_free(s.of);
	mem_free(s.touched);
	*out = NULL;
	if (code)
		waited_pairs_free(p);
	else
		*out = p;
	return code;
}

void waited_pairs_free(struct waited_pairs *p)
{
	if (!p)
		return;
	mem_free(p->pair);
	mem_free(p);
}
