/* The effect of the thresholds at which the two compared phases would merge, shown before you set them. It is an
 * additional analysis, made in the background for the selected pair. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare_int.h"
#include "tui/widgets/units.h"

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

static bool merged_can(const void *from)
{
	return ((const struct compare_view *)from)->merge.possible;
}

static void merged_begin(void *made, const void *from)
{
	const struct compare_view *s = from;
	struct compare_merged *x = made;

	x->analysis = analysis_ref(s->view.model->analysis);
	x->settings = s->merge.settings;
	x->blocks = s->blocks;
}

static bool merged_is_of(const void *made, const void *from)
{
	const struct compare_view *s = from;
	const struct compare_merged *x = made;

	return x->analysis == s->view.model->analysis && x->blocks == s->blocks && settings_equal(&x->settings, &s->merge.settings);
}

static enum err_code merged_make(void *made, const struct progress *progress, struct err *e)
{
	struct compare_merged *x = made;
	struct analysis *a;
	enum err_code code = analysis_new(&a, x->analysis->source, &x->settings, x->analysis,
					  x->blocks ? ANALYSIS_PHASES | ANALYSIS_BBPS : ANALYSIS_PHASES, progress, e);

	if (code)
		return code;
	x->phases = a->phases->count;
	x->labels = a->bbps ? a->bbps->label_count : 0;
	x->coverage = a->figures->coverage;
	analysis_unref(a);
	return ERR_OK;
}

static void merged_release(void *made)
{
	analysis_unref(((struct compare_merged *)made)->analysis);
}

static const struct derived_kind merged_kind = {
	"the merged phases", sizeof(struct compare_merged), merged_can, merged_begin, merged_is_of, merged_make, merged_release,
};

void compare_merge_update(struct compare_view *s)
{
	struct compare_merge *m = &s->merge;

	m->settings = s->view.model->analysis->settings;
	m->possible = s->ready && thresholds(s, &m->settings);
	derived_update(&m->trying, &merged_kind, s->view.model->background, s);
}

static void merge_change_text(const struct compare_view *s, char *text, size_t size)
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
	const struct compare_merged *m = derived_current(&s->merge.trying, s);
	const struct analysis *a = s->view.model->analysis;
	char from[UNIT_TEXT], to[UNIT_TEXT];
	size_t n;

	text[0] = 0;
	if (!s->merge.possible)
		return;
	merge_change_text(s, text, size);
	n = strlen(text);
	if (!m)
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

	if (!s->merge.possible) {
		snprintf(m->message, sizeof m->message, "%s", s->ready && (s->blocks ? s->pair.similar : s->windows.similar) ?
			 "They are already similar." : "No threshold makes them similar.");
		return false;
	}
	m->planned = m->settings;
	m->planned.volume = s->merge.settings.volume;
	m->planned.events = s->merge.settings.events;
	m->planned.compute = s->merge.settings.compute;
	return true;
}
