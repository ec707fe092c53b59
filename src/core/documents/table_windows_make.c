/* The windows of a phase table, from an analysis that has some. */
#include "core/trace/remote.h"
#include "core/method/windows/windows.h"
#include "documents_int.h"

static bool make_window(struct table *t, struct table_window *to, const struct window *from, const struct phase_points *pp)
{
	to->extra = from->extra;
	to->first = from->first + 1;
	to->last = from->end;
	to->start = from->start;
	to->seconds = from->seconds;
	return table_copy_points(t, &to->points, pp);
}

static enum err_code make_steps(struct table *t, struct table_window *to, const struct window_step *from, uint32_t count, struct err *e)
{
	to->steps = arena_alloc(&t->arena, count * sizeof *to->steps);
	if (!to->steps)
		return err_memory(e, "the phase table");
	for (uint32_t k = 0; k < count; k++)
		to->steps[k] = (struct table_step){from[k].pattern + 1, from[k].times};
	to->step_count = count;
	return ERR_OK;
}

static enum err_code make_list(struct table *t, const struct analysis *a, const struct window_steps *s, const struct progress *progress,
			       struct err *e)
{
	const struct windows *from = a->windows;
	struct table_windows *w = t->windows;
	enum err_code code = ERR_OK;

	for (w->count = 0; !code && w->count < from->count; w->count++) {
		struct table_window *to = &w->list[w->count];
		const struct window *one = &from->list[w->count];
		uint32_t first = s->first[w->count];
		struct phase_points pp;

		code = stretch_points_init(&pp, a->clockwork, a->phases, one->first, one->end, &a->settings, e);
		if (code)
			return code;
		if (!make_window(t, to, one, &pp))
			code = err_memory(e, "the phase table");
		phase_points_release(&pp);
		if (!code)
			code = make_steps(t, to, s->step + first, s->first[w->count + 1] - first, e);
		if (!code && progress_stopped(progress))
			code = err_set(e, ERR_CANCELLED, "stopped before the phase table was made");
		code = team_agree(trace_team(a->source), code, e);
	}
	return code;
}

static enum err_code make_patterns(struct table *t, const struct window_steps *s, struct err *e)
{
	struct table_windows *w = t->windows;

	w->patterns = arena_alloc(&t->arena, s->patterns * sizeof *w->patterns);
	if (!w->patterns)
		return err_memory(e, "the phase table");
	for (w->pattern_count = 0; w->pattern_count < s->patterns; w->pattern_count++) {
		struct table_pattern *p = &w->patterns[w->pattern_count];

		p->phase = s->phase[w->pattern_count];
		p->sends = table_copy(t, s->sends + (size_t)w->pattern_count * s->processes, s->processes, sizeof *p->sends);
		if (!p->sends)
			return err_memory(e, "the phase table");
	}
	return ERR_OK;
}

static enum err_code make_measured(struct table *t, const struct analysis *a, struct err *e)
{
	const struct estimate *x = &a->windows->estimate;
	struct table_windows *w = t->windows;

	w->phases = arena_alloc(&t->arena, a->phases->count * sizeof *w->phases);
	w->left = table_copy(t, a->windows->left, a->windows->left_count, sizeof *w->left);
	if (!w->phases || !w->left)
		return err_memory(e, "the phase table");
	w->left_count = a->windows->left_count;
	for (uint32_t i = 0; i < a->phases->count; i++) {
		const struct phase_estimate *p = &x->phase[i];

		if (p->measured)
			w->phases[w->phase_count++] = (struct table_measured){i + 1, p->extra, p->occurrences, p->in_windows, p->time,
									      p->se};
	}
	return ERR_OK;
}

enum err_code table_windows_make(struct table *t, const struct analysis *a, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(a->source);
	const struct windows *from = a->windows;
	struct window_steps steps;
	enum err_code code;

	t->windows = arena_alloc(&t->arena, sizeof *t->windows);
	code = team_agree(team, t->windows ? ERR_OK : err_memory(e, "the phase table"), e);
	if (code)
		return code;
	*t->windows = (struct table_windows){
		.main_iterations = from->main_iterations, .main_group = from->main_group, .main_mean = from->main_mean,
		.main_share = from->main_share, .candidate = from->candidate, .offset = from->offset, .misfit = from->misfit,
		.spread = from->spread, .checkpoints = from->count, .measured = from->measured, .replay = from->replay,
		.coverage = from->coverage, .pet = from->estimate.pet, .pet_scaled = from->estimate.pet_scaled,
		.pete_scaled = from->pete_scaled, .se = from->estimate.se, .half = from->estimate.half, .low = from->estimate.low,
		.high = from->estimate.high,
	};
	code = window_steps_init(&steps, from, a->clockwork, a->phases, progress, e);
	if (code)
		return code;
	code = make_measured(t, a, e);
	if (!code)
		code = make_patterns(t, &steps, e);
	t->windows->list = arena_alloc(&t->arena, from->count * sizeof *t->windows->list);
	if (!code && !t->windows->list)
		code = err_memory(e, "the phase table");
	code = team_agree(team, code, e);
	if (!code)
		code = make_list(t, a, &steps, progress, e);
	window_steps_release(&steps);
	return code;
}
