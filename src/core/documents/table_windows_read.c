/* Reading the windows of a phase table back. It checks everything that other readers rely on: each relevant phase is
 * either measured or left out; windows are in order, regular ones adjacent; and the calls of the steps end at the
 * exit. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/base/search.h"
#include "documents_int.h"

static const struct table_phase *phase_of(const struct table *t, uint32_t id)
{
	uint32_t low = SEARCH_PAST(i, 0, t->phase_count, t->phases[i].id < id);

	return low < t->phase_count && t->phases[low].id == id ? &t->phases[low] : NULL;
}

/* The settings stand here too, as in `analysis`. */
static void read_settings(struct fields *f, const struct fields_map *at, const struct settings *s)
{
	static const struct { const char *key; enum setting_id id; } keys[] = {
		{"count", SETTING_windows}, {"seconds", SETTING_window_seconds}, {"rare", SETTING_window_rare},
		{"span", SETTING_window_span},
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		double v = fields_real(f, at, keys[i].key, 0, INFINITY), wanted = settings_number(s, keys[i].id);
		const struct yaml_node *n = fields_find(f, at, keys[i].key);

		if (n && (v < wanted || v > wanted))
			fields_wrong(f, n, at->path, keys[i].key, "the value of analysis.windows");
	}
	if (fields_choice(f, at, "align", setting_info(SETTING_window_align)->choices) != s->window_align)
		fields_fail(f, at->map ? at->map->line : 0, "windows.align differs from analysis.windows");
}

static void read_choice(struct fields *f, const struct fields_map *at, struct table_windows *w)
{
	if (fields_undefined(f, at, "main")) {
		w->offset = fields_real(f, at, "offset", 0, INFINITY);
	} else {
		struct fields_map main = fields_enter(f, at, "main");

		w->main_iterations = fields_count(f, &main, "iterations", 1, UINT32_MAX);
		w->main_mean = fields_real(f, &main, "mean", -INFINITY, INFINITY);
		w->main_share = fields_real(f, &main, "share", -INFINITY, INFINITY);
		w->main_group = fields_count(f, &main, "group", 1, UINT32_MAX);
		w->offset = (double)NAN;
		if (fields_find(f, at, "offset") && !fields_undefined(f, at, "offset"))
			fields_wrong(f, fields_find(f, at, "offset"), at->path, "offset", "null, because windows "
						    "follow iterations");
	}
	w->candidate = fields_count(f, at, "candidate", 0, WINDOW_CANDIDATES);
	w->misfit = fields_real(f, at, "misfit", -INFINITY, INFINITY);
	w->spread = fields_real(f, at, "spread", 0, INFINITY);
}

static void read_interval(struct fields *f, const struct fields_map *at, struct table_windows *w)
{
	double *interval;

	w->low = w->high = (double)NAN;
	if (isnan(w->half) && fields_undefined(f, at, "interval"))
		return;
	interval = fields_reals(f, at, "interval", 2, "end");
	if (interval) {
		w->low = interval[0];
		w->high = interval[1];
	}
	if (!f->code && (isnan(w->half) || w->low > w->high))
		fields_wrong_kind(f, fields_find(f, at, "interval"), "windows.interval", "[low, high], or null like "
						 "half");
}

static void read_expected(struct fields *f, const struct fields_map *at, struct table_windows *w)
{
	w->checkpoints = fields_count(f, at, "checkpoints", 0, UINT32_MAX);
	w->measured = fields_real(f, at, "measured", -INFINITY, INFINITY);
	w->replay = fields_real(f, at, "replay", -INFINITY, INFINITY);
	w->coverage = fields_figure(f, at, "coverage", -INFINITY);
	w->pet = fields_figure(f, at, "pet", -INFINITY);
	w->pet_scaled = fields_figure(f, at, "pet_scaled", -INFINITY);
	w->pete_scaled = fields_figure(f, at, "pete_scaled", 0);
	w->se = fields_figure(f, at, "se", 0);
	w->half = fields_figure(f, at, "half", 0);
	read_interval(f, at, w);
}

static void need_relevant(struct fields *f, const struct table *t, uint32_t line, const char *path, uint32_t id)
{
	const struct table_phase *p = phase_of(t, id);

	if (!f->code && (!p || !p->relevant))
		fields_fail(f, line, "%s is %" PRIu32 ", which is not a relevant phase", path, id);
}

static void read_left(struct fields *f, const struct fields_map *at, const struct table *t, struct table_windows *w)
{
	const struct yaml_node *list = fields_list(f, at, "left");
	char path[48];

	w->left = list ? fields_room(f, list->count, sizeof *w->left) : NULL;
	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next, w->left_count++) {
		uint32_t least = w->left_count ? w->left[w->left_count - 1] : 0;

		if (least == UINT32_MAX)
			least--;
		w->left[w->left_count] = fields_item_count(f, at, "left", w->left_count, n, least + 1, UINT32_MAX);
		snprintf(path, sizeof path, "windows.left[%" PRIu32 "]", w->left_count);
		need_relevant(f, t, n->line, path, w->left[w->left_count]);
	}
}

static void read_measured(struct fields *f, const struct fields_map *at, const struct table *t, struct table_measured *p,
			  uint32_t least_id)
{
	const struct table_phase *phase;
	char path[FIELDS_PATH + 2];

	p->id = fields_count(f, at, "id", least_id, UINT32_MAX);
	snprintf(path, sizeof path, "%sid", at->path);
	need_relevant(f, t, at->map ? at->map->line : 0, path, p->id);
	phase = phase_of(t, p->id);
	p->extra = fields_bool(f, at, "extra");
	p->occurrences = fields_count(f, at, "occurrences", 1, phase ? phase->weight : 0);
	p->in_windows = fields_count(f, at, "in_windows", !p->extra, p->extra ? 0 : p->occurrences);
	p->time = fields_real(f, at, "time", -INFINITY, INFINITY);
	p->se = fields_figure(f, at, "se", 0);
}

static void read_phases(struct fields *f, const struct fields_map *at, const struct table *t, struct table_windows *w)
{
	const struct yaml_node *list = fields_list(f, at, "phases");
	uint32_t least_id = 1, left = 0, measured = 0;

	w->phases = list ? fields_room(f, list->count, sizeof *w->phases) : NULL;
	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next, w->phase_count++) {
		struct fields_map in = fields_item(f, at, "phases", w->phase_count, n);
		struct table_measured *p = &w->phases[w->phase_count];

		read_measured(f, &in, t, p, least_id);
		least_id = p->id + (p->id < UINT32_MAX);
	}
	for (uint32_t i = 0; i < t->phase_count && !f->code; i++) {
		bool is_left = left < w->left_count && w->left[left] == t->phases[i].id;
		bool is_measured = measured < w->phase_count && w->phases[measured].id == t->phases[i].id;

		left += is_left;
		measured += is_measured;
		if (t->phases[i].relevant && is_left == is_measured)
			fields_fail(f, list->line, "phase %" PRIu32 " is relevant: expected it in windows.phases or in "
				    "windows.left", t->phases[i].id);
	}
}

static void read_patterns(struct fields *f, const struct fields_map *at, const struct table *t, struct table_windows *w)
{
	const struct yaml_node *list = fields_list(f, at, "patterns");

	w->patterns = list ? fields_room(f, list->count, sizeof *w->patterns) : NULL;
	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next, w->pattern_count++) {
		struct fields_map in = fields_item(f, at, "patterns", w->pattern_count, n);
		struct table_pattern *p = &w->patterns[w->pattern_count];

		p->phase = fields_count(f, &in, "phase", 1, UINT32_MAX);
		p->sends = fields_counts(f, &in, "sends", t->processes, "process", NULL);
		if (!f->code && !phase_of(t, p->phase))
			fields_fail(f, n->line, "%sphase is %" PRIu32 ", which is not a phase of this table", in.path, p->phase);
	}
}

static void read_step(struct fields *f, const struct fields_map *at, const struct yaml_node *n, uint32_t i, uint32_t patterns,
		      struct table_step *s)
{
	char key[32];

	if (n->kind != YAML_LIST) {
		fields_wrong_item(f, n, at, "steps", i, "two numbers, a pattern and its count");
		return;
	}
	if (n->count != 2) {
		fields_fail(f, n->line, "%ssteps[%" PRIu32 "] has %" PRIu32 " items: expected two, a pattern and its "
			    "count", at->path,
			    i, n->count);
		return;
	}
	snprintf(key, sizeof key, "steps[%" PRIu32 "]", i);
	s->pattern = fields_item_count(f, at, key, 0, n->first, 1, patterns);
	s->times = fields_item_count(f, at, key, 1, n->first->next, 1, UINT32_MAX);
}

/* Step by step from the entry, every process comes out at its exit, and the occurrences are as many as there are. */
static void follow_steps(struct fields *f, const struct fields_map *at, const struct table *t, const struct table_windows *windows,
			 const struct table_window *w)
{
	uint64_t occurrences = 0;

	for (uint32_t i = 0; i < w->step_count; i++)
		occurrences += w->steps[i].times;
	if (!f->code && occurrences != (uint64_t)w->last - w->first + 1)
		fields_fail(f, at->map->line, "%ssteps has %" PRIu64 " occurrences: expected %" PRIu64 ", from first "
			    "to last", at->path,
			    occurrences, (uint64_t)w->last - w->first + 1);
	for (uint32_t p = 0; p < t->processes && !f->code; p++) {
		uint64_t sends = w->points.entry[p];

		for (uint32_t i = 0; i < w->step_count && sends <= w->points.exit[p]; i++)
			sends += (uint64_t)w->steps[i].times * windows->patterns[w->steps[i].pattern - 1].sends[p];
		if (sends != w->points.exit[p])
			fields_fail(f, at->map->line, "%sexit.sends[%" PRIu32 "] is %" PRIu32 ", but the steps from entry end %s",
				    at->path, p, w->points.exit[p], sends > w->points.exit[p] ? "after it" : "before it");
	}
}

static void read_window(struct fields *f, const struct fields_map *at, const struct table *t, const struct table_windows *windows,
			struct table_window *w, uint32_t occurrences)
{
	const struct yaml_node *list;

	w->extra = fields_bool(f, at, "extra");
	w->first = fields_count(f, at, "first", 1, occurrences);
	w->last = fields_count(f, at, "last", w->first, occurrences);
	w->start = fields_real(f, at, "start", -INFINITY, INFINITY);
	w->seconds = fields_real(f, at, "seconds", -INFINITY, INFINITY);
	table_read_points(f, at, UINT32_MAX, t->processes, &w->points);
	list = fields_list(f, at, "steps");
	w->steps = list ? fields_room(f, list->count, sizeof *w->steps) : NULL;
	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next, w->step_count++)
		read_step(f, at, n, w->step_count, windows->pattern_count, &w->steps[w->step_count]);
	follow_steps(f, at, t, windows, w);
}

static void read_list(struct fields *f, const struct fields_map *at, const struct table *t, struct table_windows *w)
{
	const struct yaml_node *list = fields_list(f, at, "list");
	const struct table_window *before = NULL, *regular = NULL;
	uint64_t occurrences = 0;

	for (uint32_t i = 0; i < t->phase_count; i++)
		occurrences += t->phases[i].weight;
	if (occurrences > UINT32_MAX)
		occurrences = UINT32_MAX;
	if (list && list->count != w->checkpoints)
		fields_fail(f, list->line, "windows.list has %" PRIu32 " items: expected %" PRIu32 ", as many as "
			    "checkpoints",
			    list->count, w->checkpoints);
	w->list = list && !f->code ? fields_room(f, list->count, sizeof *w->list) : NULL;
	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next, w->count++) {
		struct fields_map in = fields_item(f, at, "list", w->count, n);
		struct table_window *x = &w->list[w->count];

		read_window(f, &in, t, w, x, (uint32_t)occurrences);
		if (!f->code && before && (x->first < before->first || (x->first == before->first && before->extra && !x->extra)))
			fields_fail(f, n->line, "%sfirst is %" PRIu32 ": expected the windows in ascending "
				    "order", in.path, x->first);
		if (!f->code && regular && !x->extra && x->first <= regular->last)
			fields_fail(f, n->line, "%sfirst is %" PRIu32 ", but the window before ends with "
				    "%" PRIu32, in.path, x->first,
				    regular->last);
		before = x;
		regular = x->extra ? regular : x;
	}
}

void table_windows_read(struct fields *f, const struct fields_map *root, struct table *t)
{
	struct fields_map at = fields_enter(f, root, "windows");
	struct table_windows *w = fields_room(f, 1, sizeof *w);

	if (!w)
		return;
	t->windows = w;
	read_settings(f, &at, &t->settings);
	read_choice(f, &at, w);
	read_expected(f, &at, w);
	read_left(f, &at, t, w);
	read_phases(f, &at, t, w);
	read_patterns(f, &at, t, w);
	read_list(f, &at, t, w);
}
