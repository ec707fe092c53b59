#include "windows.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/base/mem.h"
#include "core/method/figures/clockwork.h"
#include "core/team/team.h"
#include "core/trace/remote.h"

/* A pattern's key: what one occurrence does. */
struct calls {
	uint32_t phase;
	uint32_t *made;          /* per process, 0 except for those in active[] */
	uint32_t *active;
	uint32_t active_count;
	uint64_t hash;           /* whatever the order of active[] */
};

struct stepping {
	struct window_steps *s;
	struct calls calls;
	struct index by_calls;
	uint64_t *hash;          /* per pattern */
	uint32_t *active;        /* per pattern: how many processes do something */
	uint32_t *pattern;       /* of each occurrence that windows hold, one window behind another */
	uint32_t held;
	size_t hash_cap, active_cap, phase_cap, sends_cap, step_cap, steps;
};

static bool same_calls(const void *records, uint32_t i, const void *key)
{
	const struct stepping *x = records;
	const struct calls *c = key;
	const uint32_t *sends = x->s->sends + (size_t)i * x->s->processes;

	if (x->hash[i] != c->hash || x->s->phase[i] != c->phase || x->active[i] != c->active_count)
		return false;
	for (uint32_t k = 0; k < c->active_count; k++)
		if (sends[c->active[k]] != c->made[c->active[k]])
			return false;
	return true;
}

static uint64_t hash_of(const void *records, uint32_t i)
{
	const struct stepping *x = records;

	return x->hash[i];
}

static void calls_look_at(struct calls *c, const struct clockwork *k, const struct phases *p, uint32_t occurrence)
{
	const struct logical *l = k->l;
	uint32_t end = l->tick_first[occurrence_exit(k, p, occurrence)];

	for (uint32_t i = 0; i < c->active_count; i++)
		c->made[c->active[i]] = 0;
	c->active_count = 0;
	c->phase = p->occurrences[occurrence].phase;
	c->hash = hash_mix(0, c->phase);
	for (uint32_t at = l->tick_first[p->occurrences[occurrence].first]; at < end; at++) {
		uint32_t event = l->order_of[at], process;

		if (EVENT_KIND(l->trace->type[event]) == EVENT_RECEIVE)
			continue;
		process = trace_process_of(l->trace, event);
		if (!c->made[process]++)
			c->active[c->active_count++] = process;
	}
	for (uint32_t i = 0; i < c->active_count; i++)
		c->hash += hash_mix(hash_mix(1, c->active[i]), c->made[c->active[i]]);
}

/* Room for `count` of them in an array of a step's. */
static bool steps_grow(void **array, size_t count, size_t *cap, size_t size)
{
	while (*cap < count) {
		void *grown = mem_grow(*array, *cap, cap, size);

		if (!grown)
			return false;
		*array = grown;
	}
	return true;
}

static bool add_pattern(struct stepping *x)
{
	struct window_steps *s = x->s;
	uint32_t i = s->patterns, *sends;
	void *phase = s->phase, *all = s->sends, *hash = x->hash, *active = x->active;
	bool good = steps_grow(&phase, i + 1, &x->phase_cap, sizeof *s->phase) &&
		    steps_grow(&all, (size_t)(i + 1) * s->processes, &x->sends_cap, sizeof *s->sends) &&
		    steps_grow(&hash, i + 1, &x->hash_cap, sizeof *x->hash) && steps_grow(&active, i + 1, &x->active_cap, sizeof *x->active);

	s->phase = phase;
	s->sends = all;
	x->hash = hash;
	x->active = active;
	if (!good)
		return false;
	s->phase[i] = x->calls.phase;
	x->hash[i] = x->calls.hash;
	x->active[i] = x->calls.active_count;
	sends = s->sends + (size_t)i * s->processes;
	for (uint32_t p = 0; p < s->processes; p++)
		sends[p] = x->calls.made[p];
	s->patterns++;
	return true;
}

/* The pattern of the occurrence looked at; false: no memory. */
static bool find_pattern(struct stepping *x, uint32_t *pattern)
{
	uint32_t *slot = index_slot(&x->by_calls, x->calls.hash, x, x->s->patterns, same_calls, hash_of, &x->calls);

	if (!slot)
		return false;
	if (!*slot) {
		if (!add_pattern(x))
			return false;
		*slot = x->s->patterns;
	}
	*pattern = *slot - 1;
	return true;
}

/* The patterns, by what local processes do. */
static enum err_code find_patterns(struct stepping *x, const struct windows *w, const struct clockwork *c, const struct phases *p,
				   const struct progress *progress, struct err *e)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->count; i++)
		for (uint32_t k = w->list[i].first; k < w->list[i].end; k++) {
			calls_look_at(&x->calls, c, p, k);
			if (!find_pattern(x, &x->pattern[n++]))
				return err_memory(e, "the steps of windows");
			if ((k & 4095) == 0 && progress_stopped(progress))
				return err_set(e, ERR_CANCELLED, "stopped while looking at windows");
		}
	return ERR_OK;
}

/* The lists of the joint patterns, of which of[] is each occurrence's: with what local processes do. */
static enum err_code take_patterns(struct stepping *x, const uint32_t *of, uint32_t count, struct err *e)
{
	struct window_steps *s = x->s;
	size_t row = s->processes;
	uint32_t *phase = mem_alloc(count, sizeof *phase), *sends = mem_zero(count * row, sizeof *sends), taken = 0;

	if (!phase || !sends) {
		mem_free(phase);
		mem_free(sends);
		return err_memory(e, "the steps of windows");
	}
	for (uint32_t i = 0; i < x->held; i++) {
		if (of[i] != taken)
			continue;
		phase[taken] = s->phase[x->pattern[i]];
		if (row)
			memcpy(sends + taken * row, s->sends + x->pattern[i] * row, row * sizeof *sends);
		taken++;
	}
	mem_free(s->phase);
	mem_free(s->sends);
	s->phase = phase;
	s->sends = sends;
	s->patterns = count;
	return ERR_OK;
}

/* Patterns by what local processes do become patterns by what all do. */
static enum err_code join_patterns(struct stepping *x, const struct team *team, struct err *e)
{
	uint32_t *of = mem_alloc(x->held, sizeof *of), count = 0;
	enum err_code code = team_agree(team, of ? ERR_OK : err_memory(e, "the steps of windows"), e);

	if (!code && x->held)
		memcpy(of, x->pattern, x->held * sizeof *of);
	if (!code)
		code = team_intern(team, of, x->held, &count, e);
	if (!code)
		code = team_agree(team, take_patterns(x, of, count, e), e);
	if (!code)
		code = team_reduce_u32(team, x->s->sends, (size_t)count * x->s->processes, TEAM_SUM, e);
	mem_free(x->pattern);
	x->pattern = of;
	return code;
}

/* One occurrence more; `from`: the window's first step. */
static bool steps_add_occurrence(struct stepping *x, size_t from, uint32_t pattern)
{
	void *steps = x->s->step;

	if (x->steps > from && x->s->step[x->steps - 1].pattern == pattern) {
		x->s->step[x->steps - 1].times++;
		return true;
	}
	if (!steps_grow(&steps, x->steps + 1, &x->step_cap, sizeof *x->s->step))
		return false;
	x->s->step = steps;
	x->s->step[x->steps++] = (struct window_step){pattern, 1};
	return true;
}

static enum err_code all_steps(struct stepping *x, const struct windows *w, struct err *e)
{
	const uint32_t *pattern = x->pattern;

	for (uint32_t i = 0; i < w->count; i++) {
		size_t from = x->steps;

		x->s->first[i] = (uint32_t)from;
		for (uint32_t k = w->list[i].first; k < w->list[i].end; k++)
			if (!steps_add_occurrence(x, from, *pattern++))
				return err_memory(e, "the steps of windows");
		x->s->first[i + 1] = (uint32_t)x->steps;
	}
	return ERR_OK;
}

enum err_code window_steps_init(struct window_steps *s, const struct windows *w, const struct clockwork *c, const struct phases *p,
				const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(c->l->trace);
	struct stepping x = {.s = s};
	enum err_code code;

	*s = (struct window_steps){.processes = c->l->trace->process_count};
	for (uint32_t i = 0; i < w->count; i++)
		x.held += w->list[i].end - w->list[i].first;
	s->first = mem_zero((size_t)w->count + 1, sizeof *s->first);
	x.calls.made = mem_zero(s->processes, sizeof *x.calls.made);
	x.calls.active = mem_alloc(s->processes, sizeof *x.calls.active);
	x.pattern = mem_alloc(x.held, sizeof *x.pattern);
	if (s->first && x.calls.made && x.calls.active && x.pattern)
		code = find_patterns(&x, w, c, p, progress, e);
	else
		code = err_memory(e, "the steps of windows");
	code = team_agree(team, code, e);
	if (!code && team_size(team) > 1)
		code = join_patterns(&x, team, e);
	if (!code)
		code = team_agree(team, all_steps(&x, w, e), e);
	mem_free(x.calls.made);
	mem_free(x.calls.active);
	mem_free(x.hash);
	mem_free(x.active);
	mem_free(x.pattern);
	index_release(&x.by_calls);
	if (code)
		window_steps_release(s);
	return code;
}

void window_steps_release(struct window_steps *s)
{
	mem_free(s->phase);
	mem_free(s->sends);
	mem_free(s->step);
	mem_free(s->first);
	*s = (struct window_steps){0};
}
