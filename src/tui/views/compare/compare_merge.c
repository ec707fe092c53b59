#include "compare_merge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare_view.h"
#include "core/base/mem.h"
#include "tui/jobs/background.h"
#include "tui/widgets/units.h"

struct merge_task {
	struct task task;
	const struct analysis *analysis; /* a reference */
	struct compare_merge merge;
};

static enum err_code try_thresholds(struct task *t, const struct job *job, struct err *e)
{
	struct merge_task *x = (struct merge_task *)t;
	struct compare_merge *m = &x->merge;
	struct analysis *a;
	enum err_code code = analysis_new(&a, x->analysis->source, &m->settings, x->analysis,
					  m->blocks ? ANALYSIS_PHASES | ANALYSIS_BBPS : ANALYSIS_PHASES, job, e);

	if (code)
		return code;
	m->phases = a->phases->count;
	m->labels = a->bbps ? a->bbps->label_count : 0;
	m->coverage = a->figures->coverage;
	m->known = true;
	analysis_unref(a);
	return ERR_OK;
}

static void free_task(struct task *t)
{
	analysis_unref(((struct merge_task *)t)->analysis);
	mem_free(t);
}

/* Blocks need both thresholds. Phases merge by either: the one that has to move less, relative to what it is. */
static bool thresholds(const struct compare_view *s, struct settings *set)
{
	const struct why_windows *w = &s->windows;
	const struct why_bbps *p = &s->pair;
	double volume, events;

	if (s->blocks) {
		if (p->similar || !p->types.holds || p->volume.needed > 1 || p->compute.needed > 1)
			return false;
		if (!p->volume.holds)
			set->volume = why_round(p->volume.needed, true);
		if (!p->compute.holds)
			set->compute = why_round(p->compute.needed, true);
		return true;
	}
	if (w->similar || (w->volume > 1 && w->events < 0))
		return false;
	volume = w->volume <= 1 ? why_round(w->volume, true) : (double)INFINITY;
	events = w->events >= 0 ? why_round(w->events, false) : -(double)INFINITY;
	if (volume - set->volume <= set->events - events)
		set->volume = volume;
	else
		set->events = events;
	return true;
}

static void ask(struct compare_view *s)
{
	struct compare_merge *m = &s->merge;
	const struct model *model = s->view.model;
	struct merge_task *x;

	*m = (struct compare_merge){.settings = model->analysis->settings, .serial = model->serial, .a = s->a, .b = s->b, .blocks = s->blocks,
				    .asked = true};
	m->possible = thresholds(s, &m->settings);
	if (!m->possible)
		return;
	x = mem_zero(1, sizeof *x);
	if (!x)
		return;
	x->task = (struct task){try_thresholds, free_task};
	x->analysis = analysis_ref(model->analysis);
	x->merge = *m;
	background_ask(model->background, BACKGROUND_MERGE, &x->task);
}

static bool is_of(const struct compare_merge *m, const struct compare_view *s)
{
	return m->asked && m->serial == s->view.model->serial && m->a == s->a && m->b == s->b && m->blocks == s->blocks;
}

void compare_merge_update(struct compare_view *s)
{
	struct err e;
	struct merge_task *x = (struct merge_task *)background_take(s->view.model->background, BACKGROUND_MERGE, &e);

	if (x && is_of(&x->merge, s))
		s->merge = x->merge;
	if (x)
		free_task(&x->task);
	if (s->ready && s->b && !is_of(&s->merge, s))
		ask(s);
}

static void what(const struct compare_view *s, char *text, size_t size)
{
	static const enum setting_id knobs[] = {SETTING_volume, SETTING_events, SETTING_compute};
	const struct settings *now = &s->view.model->analysis->settings, *then = &s->merge.settings;
	char value[UNIT_TEXT];
	size_t n = 0;

	text[0] = 0;
	for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++) {
		double a = settings_number(now, knobs[i]), b = settings_number(then, knobs[i]);

		if (!(a < b || a > b) || n >= size)
			continue;
		unit_setting(then, knobs[i], value, sizeof value);
		n += (size_t)snprintf(text + n, size - n, "%s%s %s", n ? " and " : "", setting_info(knobs[i])->key, value);
	}
}

void compare_merge_text(const struct compare_view *s, char *text, size_t size)
{
	const struct compare_merge *m = &s->merge;
	const struct analysis *a = s->view.model->analysis;
	char from[UNIT_TEXT], to[UNIT_TEXT];
	size_t n;

	text[0] = 0;
	if (!is_of(m, s) || !m->possible)
		return;
	what(s, text, size);
	n = strlen(text);
	if (!m->known)
		return;
	if (m->blocks)
		n += (size_t)snprintf(text + n, size - n, ": %s → %s labels", unit_count(from, a->bbps->label_count), unit_count(to, m->labels));
	if (n < size && (!m->blocks || a->settings.similarity == SIMILARITY_BBP))
		n += (size_t)snprintf(text + n, size - n, "%s %s → %s phases", m->blocks ? "," : ":", unit_count(from, a->phases->count),
				      unit_count(to, m->phases));
	if (n < size && !isnan(m->coverage) && !isnan(a->figures->coverage) && (!m->blocks || a->settings.similarity == SIMILARITY_BBP))
		snprintf(text + n, size - n, ", coverage %+.1f", (m->coverage - a->figures->coverage) * 100);
}

bool compare_merge_take(struct compare_view *s)
{
	struct model *m = s->view.model;

	if (!is_of(&s->merge, s) || !s->merge.possible) {
		snprintf(m->message, sizeof m->message, "%s", s->ready && (s->blocks ? s->pair.similar : s->windows.similar) ?
			 "They are similar already." : "No threshold makes them similar.");
		return false;
	}
	m->planned = m->settings;
	m->planned.volume = s->merge.settings.volume;
	m->planned.events = s->merge.settings.events;
	m->planned.compute = s->merge.settings.compute;
	return true;
}
