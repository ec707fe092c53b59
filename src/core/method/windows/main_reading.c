/* The main loop as the reading has it: its iterations are instances of patterns, drawn on the occurrences of phases. */
#include "windows.h"

#include "core/base/mem.h"

#define LATE_MOST 0.05 /* of the iterations: those that begin in the occurrence of the one before */

/* Where instances of patterns begin, and how much lies before each. */
struct instance_begins {
	double *before;       /* sends and collective calls of all processes; instance_count + 1 */
	uint32_t *first;      /* ticks */
	double whole;         /* with the unmatched ones, which are of no instance */
};

static void begins_release(struct instance_begins *s)
{
	mem_free(s->before);
	mem_free(s->first);
}

static enum err_code begins_init(struct instance_begins *s, const struct patterns *x, const struct logical *l, struct err *e)
{
	const struct trace *t = x->trace;
	const uint32_t *ticks = x->gathered_tick ? x->gathered_tick : l->tick; /* of all processes, where ranks share the trace */
	uint32_t n = x->instance_count;

	*s = (struct instance_begins){mem_zero((size_t)n + 1, sizeof *s->before), mem_alloc(n, sizeof *s->first), 0};
	if (!s->before || !s->first)
		return err_memory(e, "the main loop");
	for (uint32_t i = 0; i < n; i++)
		s->first[i] = UINT32_MAX;
	for (uint32_t k = 0; k < t->event_count; k++) {
		uint32_t i = x->instance_of[k], tick = ticks[k];

		if (EVENT_KIND(t->type[k]) == EVENT_RECEIVE)
			continue;
		s->whole++;
		if (i == INSTANCE_NONE)
			continue;
		s->before[i + 1]++;
		s->first[i] = tick < s->first[i] ? tick : s->first[i];
	}
	for (uint32_t i = 0; i < n; i++)
		s->before[i + 1] += s->before[i];
	return ERR_OK;
}

static uint32_t occurrence_of(const struct phases *p, uint32_t tick)
{
	uint32_t k = phases_occurrence_at(p, tick);

	return k == UINT32_MAX ? 0 : k;
}

/* Iterations, which are instances [begins, ends), as occurrences: in order, none empty. Returns how many do not begin
 * where they should, or `count` if there are not enough occurrences. */
static uint32_t iterations_draw(uint32_t *from, uint32_t *to, const uint32_t *begins, const uint32_t *ends, uint32_t count,
				const struct main_loop_run *r, const struct instance_begins *s)
{
	uint32_t late = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t first = UINT32_MAX, free = i ? from[i - 1] + 1 : 0;

		for (uint32_t k = begins[i]; k < ends[i]; k++)
			first = s->first[k] < first ? s->first[k] : first;
		from[i] = occurrence_of(r->phases, first);
		if (from[i] < free) {
			late++;
			from[i] = free;
		}
		if (from[i] >= r->phases->occurrence_count)
			return count;
		to[i] = ends[i] < r->patterns->instance_count ? occurrence_of(r->phases, s->first[ends[i]]) : r->phases->occurrence_count;
		if (to[i] <= from[i])
			to[i] = from[i] + 1;
		if (i && (ends[i - 1] == begins[i] || to[i - 1] > from[i]))
			to[i - 1] = from[i];
	}
	return late;
}

enum err_code main_loop_read(struct main_loop *out, const struct main_loop_run *r, const struct progress *progress, struct err *e)
{
	const struct patterns *x = r->patterns;
	struct instance_begins s = {0};
	struct folding *f;
	uint32_t loop = UINT32_MAX;
	enum err_code code = folding_of(&f, x->reading->fold, progress, e);

	if (!code)
		code = begins_init(&s, x, r->logical, e);
	if (!code)
		code = main_loop_choose(&loop, f, s.before, s.whole, false, e);
	if (!code && loop != UINT32_MAX) {
		uint32_t n = (uint32_t)folding_iterations(f, loop), *from = mem_alloc(n, 2 * sizeof *from), *to = from ? from + n : NULL;

		if (!from) {
			code = err_memory(e, "the main loop");
		} else if (iterations_draw(from, to, f->from + f->first[loop], f->to + f->first[loop], n, r, &s) > LATE_MOST * n) {
			mem_free(from);
		} else {
			*out = (struct main_loop){.iterations = n, .patterns = x, .fold = x->reading->fold, .loop = loop,
						  .from = from, .to = to, .drawn = from};
		}
	}
	begins_release(&s);
	folding_free(f);
	return code;
}
