#include "windows.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/order.h"
#include "core/method/figures/clockwork.h"
#include "core/trace/remote.h"

ORDER_BY(by_first, struct window, UP(first) UP(extra))

/* The occurrences of extra phases, in order; consecutive ones are one window. */
static enum err_code add_extra(struct windows *w, struct window_run *r, const struct window_choice *c, struct err *e)
{
	uint32_t *list = mem_alloc(r->relevant_count, 2 * sizeof *list), n = 0;
	enum err_code code = list ? ERR_OK : err_memory(e, "the windows");

	for (uint32_t i = 0; !code && i < r->relevant_count; i++) {
		const struct window_extra *x;

		if (c->how[r->relevant[i]] != WINDOW_EXTRA)
			continue;
		code = window_run_extra(&x, r, r->relevant[i], e);
		for (uint32_t k = 0; !code && k < x->count; k++)
			list[n++] = x->occurrence[k];
	}
	if (!code)
		SORT(list, n, order_u32);
	for (uint32_t i = 0; !code && i < n; i++) {
		struct window *last = w->count > w->regular ? &w->list[w->count - 1] : NULL;

		if (last && last->end == list[i])
			last->end++;
		else
			w->list[w->count++] = (struct window){.extra = true, .first = list[i], .end = list[i] + 1};
	}
	mem_free(list);
	return code;
}

static enum err_code list_windows(struct windows *w, struct window_run *r, const struct window_choice *c, struct err *e)
{
	enum err_code code;

	w->list = mem_alloc((size_t)c->count + 2 * (size_t)r->relevant_count, sizeof *w->list);
	if (!w->list)
		return err_memory(e, "the windows");
	for (uint32_t i = 0; i < c->count; i++)
		w->list[w->count++] = (struct window){.first = c->stretch[i].first, .end = c->stretch[i].end};
	w->regular = w->count;
	code = add_extra(w, r, c, e);
	SORT(w->list, w->count, by_first);
	for (uint32_t i = 0; i < w->count; i++) {
		struct window *x = &w->list[i];

		x->start = r->u[x->first] - r->start;
		x->seconds = r->u[x->end] - r->u[x->first];
		w->measured += x->seconds;
		w->replay = r->u[x->end] - r->start;
	}
	return code;
}

static enum err_code list_left(struct windows *w, const struct window_run *r, const struct window_choice *c, struct err *e)
{
	w->left = mem_alloc(r->relevant_count, sizeof *w->left);
	if (!w->left)
		return err_memory(e, "the windows");
	for (uint32_t i = 0; i < r->relevant_count; i++)
		if (c->how[r->relevant[i]] == WINDOW_LEFT)
			w->left[w->left_count++] = r->relevant[i] + 1;
	return ERR_OK;
}

/* What the estimate asks for, of occurrences one behind another. */
struct asked_occurrences {
	const struct window_run *r;
	const uint32_t *occurrence;
};

static void asked_add_occurrence(const void *arg, uint32_t i, double *parts)
{
	const struct asked_occurrences *a = arg;

	window_run_add(a->r, a->occurrence[i], parts);
}

static double regular_share(const struct windows *w, const struct window_run *r)
{
	double seconds = 0;

	for (uint32_t i = 0; i < w->count; i++)
		if (!w->list[i].extra)
			seconds += w->list[i].seconds;
	/* All of it is all of it, whatever the last digit says. */
	return seconds >= r->whole - WINDOW_SLACK ? 1 : seconds / r->whole;
}

static enum err_code expect(struct windows *w, const struct window_run *r, const struct window_choice *c, struct err *e)
{
	uint32_t n = 0, phases = r->phases->count, *weight = mem_zero(phases, sizeof *weight), *first, *occurrence, *phase;
	bool *extra = mem_alloc(w->count, sizeof *extra);
	struct asked_occurrences asked = {r, NULL};
	struct estimate_input in = {.windows = w->count, .extra = extra, .parts = r->parts, .add = asked_add_occurrence, .arg = &asked,
				    .phases = phases, .weight = weight, .coverage = w->coverage};
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; i < w->count; i++)
		n += w->list[i].end - w->list[i].first;
	in.first = first = mem_alloc((size_t)w->count + 1, sizeof *first);
	asked.occurrence = occurrence = mem_alloc(n, sizeof *occurrence);
	in.phase = phase = mem_alloc(n, sizeof *phase);
	if (!weight || !extra || !first || !occurrence || !phase)
		code = err_memory(e, "the windows");
	n = 0;
	for (uint32_t i = 0; !code && i < w->count; i++) {
		first[i] = n;
		extra[i] = w->list[i].extra;
		for (uint32_t k = w->list[i].first; k < w->list[i].end; k++, n++) {
			uint32_t id = r->phases->occurrences[k].phase;

			occurrence[n] = k;
			phase[n] = c->how[id - 1] == WINDOW_NOT ? UINT32_MAX : id - 1;
		}
	}
	if (!code) {
		first[w->count] = n;
		for (uint32_t i = 0; i < r->relevant_count; i++)
			weight[r->relevant[i]] = r->phases->list[r->relevant[i]].weight;
		in.share = regular_share(w, r);
		code = estimate_init(&w->estimate, &in, e);
	}
	mem_free(weight);
	mem_free(extra);
	mem_free(first);
	mem_free(occurrence);
	mem_free(phase);
	return code;
}

static void cover(struct windows *w, const struct window_run *r, const struct window_choice *c)
{
	double covered = 0;

	for (uint32_t i = 0; i < r->relevant_count; i++)
		if (c->how[r->relevant[i]] != WINDOW_LEFT)
			covered += r->phases->list[r->relevant[i]].weight * r->figures->phase[r->relevant[i]].between_sends;
	w->coverage = r->phases->count && r->aet > 0 ? covered / r->aet : (double)NAN;
}

static enum err_code windows_fill(struct windows *w, struct window_run *r, const struct window_design *d,
			  const struct loop_iterations *loop, const struct progress *progress, struct err *e)
{
	struct window_choice c;
	enum err_code code = window_choice_make(&c, r, d, loop, progress, e);

	if (code)
		return code;
	w->candidate = c.candidate;
	w->offset = c.offset;
	w->misfit = c.misfit;
	w->spread = c.spread;
	if (c.group) {
		w->main_iterations = loop->count;
		w->main_group = c.group;
		w->main_mean = loop->mean;
		w->main_share = loop->share;
	}
	cover(w, r, &c);
	code = list_windows(w, r, &c, e);
	if (!code)
		code = list_left(w, r, &c, e);
	if (!code)
		code = expect(w, r, &c, e);
	window_choice_release(&c);
	if (isnan(w->coverage))
		w->estimate.pet = (double)NAN;
	w->pete_scaled = fabs(w->estimate.pet_scaled - r->aet) / r->aet;
	return code;
}

enum err_code windows_of(struct windows **out, struct window_run *r, const struct window_design *d,
			 const struct loop_iterations *loop, const struct progress *progress, struct err *e)
{
	struct windows *w = mem_zero(1, sizeof *w);
	enum err_code code = w ? windows_fill(w, r, d, loop, progress, e) : err_memory(e, "the windows");

	*out = NULL;
	if (code)
		windows_free(w);
	else
		*out = w;
	return code;
}

/* Rank 0's. */
static enum err_code windows_lay(struct windows **out, struct window_run *r, const struct settings *s, const struct progress *progress, struct err *e)
{
	struct window_design d = {s->windows, s->window_seconds, s->window_rare, s->window_span};
	struct loop_iterations loop = {0};
	enum err_code code = ERR_OK;

	if (s->window_align == WINDOW_ALIGN_ITERATIONS)
		code = loops_main(&loop, r->phases, r->is_relevant, r->u, r->aet, s->window_seconds, progress, e);
	if (!code)
		code = windows_of(out, r, &d, &loop, progress, e);
	loop_iterations_release(&loop);
	return code;
}

static enum err_code broadcast_lists(struct windows *w, const struct team *team, uint32_t phases, struct err *e)
{
	void *list = w->list, *left = w->left, *phase = w->estimate.phase;
	size_t count = w->count, left_count = w->left_count, phase_count = phases;
	enum err_code code = team_broadcast_list(team, &list, &count, sizeof *w->list, e);

	w->list = list;
	if (!code)
		code = team_broadcast_list(team, &left, &left_count, sizeof *w->left, e);
	w->left = left;
	if (!code)
		code = team_broadcast_list(team, &phase, &phase_count, sizeof *w->estimate.phase, e);
	w->estimate.phase = phase;
	return code;
}

/* What rank 0 has laid is there on all. */
static enum err_code windows_share(struct windows **w, const struct team *team, uint32_t phases, struct err *e)
{
	struct windows head = {0};
	enum err_code code = ERR_OK;

	if (team_size(team) == 1)
		return ERR_OK;
	if (team_rank(team))
		*w = mem_zero(1, sizeof **w);
	else
		head = **w;
	if (!*w)
		code = err_memory(e, "the windows");
	code = team_agree(team, code, e);
	if (!code)
		code = team_broadcast(team, &head, sizeof head, e);
	if (!code && team_rank(team)) {
		head.list = NULL;
		head.left = NULL;
		head.estimate.phase = NULL;
		**w = head;
	}
	return code ? code : broadcast_lists(*w, team, phases, e);
}

enum err_code windows_new(struct windows **out, const struct clockwork *c, const struct phases *p, const struct figures *f,
			  const struct settings *s, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(c->l->trace);
	struct window_run r;
	enum err_code code = team_agree(team, window_run_init(&r, c, p, f, s, progress, e), e);

	*out = NULL;
	if (!code)
		code = window_run_join(&r, progress, e);
	if (!code)
		code = team_agree(team, team_rank(team) ? ERR_OK : windows_lay(out, &r, s, progress, e), e);
	window_run_release(&r);
	if (!code)
		code = windows_share(out, team, p->count, e);
	if (code) {
		windows_free(*out);
		*out = NULL;
	}
	return code;
}

void windows_free(struct windows *w)
{
	if (!w)
		return;
	mem_free(w->list);
	mem_free(w->left);
	estimate_release(&w->estimate);
	mem_free(w);
}

double windows_cost(const struct windows *w, double restore, double warmup)
{
	return w->count * (restore + warmup) + w->measured;
}

const char *windows_gap(const struct windows *w)
{
	if (!isnan(w->estimate.half))
		return NULL;
	return w->coverage > 0 ? "fewer than three windows" : "no phase is measured";
}
