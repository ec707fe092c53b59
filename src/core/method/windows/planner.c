#include "planner.h"

#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/unit.h"
#include "core/method/figures/clockwork.h"
#include "core/trace/remote.h"

static const uint32_t numbers[] = {3, 5, 8, 12, 20, 32};
static const double lengths[] = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300};
#define NUMBERS (sizeof numbers / sizeof *numbers)
#define LENGTHS (sizeof lengths / sizeof *lengths)
#define ENOUGH 5 /* windows that a choice should have */

static bool plan_is_stopped(void *arg)
{
	return progress_stopped(arg);
}

static struct plan_candidate plan_make_candidate(const struct plan *p, const struct window_design *d, const struct windows *w)
{
	struct plan_candidate c = {
		.windows = d->windows, .seconds = d->seconds, .checkpoints = w->count, .measured = w->measured, .replay = w->replay,
		.cost = windows_cost(w, p->budget.restore, p->warmup), .misfit = w->misfit, .spread = w->spread,
		.se = w->estimate.se / p->aet, .half = w->estimate.half / p->aet, .left = w->left_count,
	};

	c.cost_share = c.cost / p->aet;
	c.fits = c.cost <= p->budget.share * p->aet + WINDOW_SLACK;
	return c;
}

static void find_frontier(struct plan *p)
{
	for (uint32_t i = 0; i < p->count; i++) {
		struct plan_candidate *c = &p->candidate[i];

		c->frontier = true;
		for (uint32_t k = 0; k < p->count; k++)
			if (p->candidate[k].cost <= c->cost + WINDOW_SLACK && p->candidate[k].spread < c->spread - 1e-9)
				c->frontier = false;
	}
}

/* The smallest spread of those that fit; with fewer windows only where no other does. */
static void plan_choose(struct plan *p)
{
	p->choice = -1;
	for (int few = 0; few < 2 && p->choice < 0; few++)
		for (uint32_t i = 0; i < p->count; i++) {
			const struct plan_candidate *c = &p->candidate[i];

			if (c->fits && (c->windows < ENOUGH) == few &&
			    (p->choice < 0 || c->spread < p->candidate[p->choice].spread - 1e-9))
				p->choice = (int)i;
		}
}

static enum err_code try_all(struct plan *p, struct window_run *r, const struct loops *loops, const struct progress *progress,
			     struct err *e)
{
	const struct progress inner = {.stopped = plan_is_stopped, .arg = (void *)(uintptr_t)progress};
	uint32_t done = 0;

	for (size_t n = 0; n < NUMBERS; n++)
		for (size_t s = 0; s < LENGTHS; s++) {
			struct window_design d = {numbers[n], lengths[s], p->rare, p->span};
			struct loop_iterations loop = {0};
			struct windows *w = NULL;
			enum err_code code = ERR_OK;

			progress_report(progress, PROGRESS_PLAN, done++, NUMBERS * LENGTHS);
			if (d.windows * d.seconds > p->aet / 2 + WINDOW_SLACK)
				continue;
			if (loops)
				code = loops_pick(&loop, loops, r->u, r->aet, d.seconds, e);
			if (!code)
				code = windows_of(&w, r, &d, &loop, &inner, e);
			loop_iterations_release(&loop);
			if (code)
				return code;
			p->candidate[p->count] = plan_make_candidate(p, &d, w);
			p->least = fmin(p->least, p->candidate[p->count++].cost);
			windows_free(w);
		}
	return ERR_OK;
}

static enum err_code plan_fill(struct plan *p, struct window_run *r, const struct settings *s, const struct progress *progress, struct err *e)
{
	struct loops *loops = NULL;
	enum err_code code = ERR_OK;

	if (!(p->aet > 0) || !r->relevant_count)
		return ERR_OK; /* nothing to measure */
	if (s->window_align == WINDOW_ALIGN_ITERATIONS)
		code = loops_new(&loops, r->phases, r->is_relevant, progress, e);
	if (!code)
		code = try_all(p, r, loops, progress, e);
	loops_free(loops);
	find_frontier(p);
	plan_choose(p);
	return code;
}

/* Rank 0's plan is there on all. */
static enum err_code plan_share(struct plan *p, const struct team *team, struct err *e)
{
	struct plan_candidate *list = p->candidate;
	enum err_code code = team_broadcast(team, p, sizeof *p, e);

	p->candidate = list;
	return code ? code : team_broadcast(team, list, p->count * sizeof *list, e);
}

enum err_code plan_new(struct plan **out, const struct clockwork *c, const struct phases *phases, const struct figures *f,
		       const struct settings *s, const struct plan_budget *b, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(c->l->trace);
	struct plan *p = mem_zero(1, sizeof *p);
	struct window_run r = {0};
	enum err_code code;

	*out = NULL;
	if (p) {
		*p = (struct plan){.aet = f->aet, .budget = *b, .warmup = s->warmup_seconds, .rare = b->share / 4,
				   .span = s->window_span, .choice = -1, .least = (double)NAN};
		p->candidate = mem_zero(NUMBERS * LENGTHS, sizeof *p->candidate);
	}
	code = p && p->candidate ? window_run_init(&r, c, phases, f, s, progress, e) : err_memory(e, "a plan");
	code = team_agree(team, code, e);
	if (!code)
		code = window_run_join(&r, progress, e);
	if (!code)
		code = team_agree(team, team_rank(team) ? ERR_OK : plan_fill(p, &r, s, progress, e), e);
	if (!code)
		code = plan_share(p, team, e);
	window_run_release(&r);
	if (code)
		plan_free(p);
	else
		*out = p;
	return code;
}

void plan_free(struct plan *p)
{
	if (!p)
		return;
	mem_free(p->candidate);
	mem_free(p);
}

void plan_apply(const struct plan *p, struct settings *s)
{
	const struct plan_candidate *c = &p->candidate[p->choice];

	s->windows = c->windows;
	s->window_seconds = c->seconds;
	s->window_rare = p->rare;
}

const char *plan_gap(const struct plan *p, char text[PLAN_TEXT])
{
	char share[NUMBER_TEXT], times[UNIT_OF_TEXT], budget[UNIT_TEXT], least[UNIT_TEXT];

	text[0] = '\0';
	number_format(round(p->budget.share * 1e10) / 1e8, share);
	if (p->choice >= 0)
		return text;
	if (isnan(p->aet) || p->aet <= 0 || !p->count)
		snprintf(text, PLAN_TEXT, "no signature fits into %s %% of the run time: %s", share,
			 isnan(p->aet) || p->aet <= 0 ? "the run time is unknown" : "the run is too short, or no phase is relevant");
	else
		snprintf(text, PLAN_TEXT, "no signature fits into %s %% of the run time (%s); the cheapest costs %s, %s", share,
			 unit_time_ascii(budget, p->budget.share * p->aet), unit_time_ascii(least, p->least),
			 unit_multiple_of(times, p->least / p->aet, 1, "the run time"));
	return text;
}
