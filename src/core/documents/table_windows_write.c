/* The windows of a phase table as text, its keys in the order of docs/reference/phase-table.md. */
#include <math.h>

#include "core/settings/settings_tree.h"
#include "documents_int.h"

static void write_settings(struct tree_out *t, const struct settings *s)
{
	char align[16];

	settings_get(s, SETTING_window_align, align, sizeof align);
	tree_put_whole(t, "count", s->windows);
	tree_put_real(t, "seconds", s->window_seconds);
	tree_put_real(t, "rare", s->window_rare);
	tree_put_real(t, "span", s->window_span);
	tree_put_text(t, "align", align);
}

static void write_choice(struct tree_out *t, const struct table_windows *w)
{
	if (w->main_iterations) {
		tree_put_map(t, "main", true);
		tree_put_whole(t, "iterations", w->main_iterations);
		tree_put_real(t, "mean", w->main_mean);
		tree_put_real(t, "share", w->main_share);
		tree_put_whole(t, "group", w->main_group);
		tree_end(t);
	} else {
		tree_put_null(t, "main");
	}
	tree_put_whole(t, "candidate", w->candidate);
	tree_put_real(t, "offset", w->offset);
	tree_put_real(t, "misfit", w->misfit);
	tree_put_real(t, "spread", w->spread);
}

static void write_expected(struct tree_out *t, const struct table_windows *w)
{
	const double interval[] = {w->low, w->high};

	tree_put_whole(t, "checkpoints", w->checkpoints);
	tree_put_real(t, "measured", w->measured);
	tree_put_real(t, "replay", w->replay);
	tree_put_real(t, "coverage", w->coverage);
	tree_put_real(t, "pet", w->pet);
	tree_put_real(t, "pet_scaled", w->pet_scaled);
	tree_put_real(t, "pete_scaled", w->pete_scaled);
	tree_put_real(t, "se", w->se);
	tree_put_real(t, "half", w->half);
	if (isnan(w->half))
		tree_put_null(t, "interval");
	else
		tree_put_reals(t, "interval", interval, 2);
	tree_put_wholes(t, "left", w->left, w->left_count);
}

static void write_measured(struct tree_out *t, const struct table_measured *p)
{
	tree_map(t, true);
	tree_put_whole(t, "id", p->id);
	tree_put_bool(t, "extra", p->extra);
	tree_put_whole(t, "occurrences", p->occurrences);
	tree_put_whole(t, "in_windows", p->in_windows);
	tree_put_real(t, "time", p->time);
	tree_put_real(t, "se", p->se);
	tree_end(t);
}

static void write_pattern(struct tree_out *t, const struct table_pattern *p, uint32_t processes)
{
	tree_map(t, true);
	tree_put_whole(t, "phase", p->phase);
	tree_put_wholes(t, "sends", p->sends, processes);
	tree_end(t);
}

static void write_window(struct tree_out *t, const struct table_window *w, uint32_t processes)
{
	tree_map(t, false);
	tree_put_bool(t, "extra", w->extra);
	tree_put_whole(t, "first", w->first);
	tree_put_whole(t, "last", w->last);
	tree_put_real(t, "start", w->start);
	tree_put_real(t, "seconds", w->seconds);
	table_write_points(t, &w->points, processes);
	tree_put_list(t, "steps", true);
	for (uint32_t i = 0; i < w->step_count; i++) {
		tree_list(t, true);
		tree_whole(t, w->steps[i].pattern);
		tree_whole(t, w->steps[i].times);
		tree_end(t);
	}
	tree_end(t);
	tree_end(t);
}

void table_windows_write(struct tree_out *t, const struct table *table)
{
	const struct table_windows *w = table->windows;

	tree_put_map(t, "windows", false);
	write_settings(t, &table->settings);
	write_choice(t, w);
	write_expected(t, w);
	tree_put_list(t, "phases", !w->phase_count);
	for (uint32_t i = 0; i < w->phase_count; i++)
		write_measured(t, &w->phases[i]);
	tree_end(t);
	tree_put_list(t, "patterns", !w->pattern_count);
	for (uint32_t i = 0; i < w->pattern_count; i++)
		write_pattern(t, &w->patterns[i], table->processes);
	tree_end(t);
	tree_put_list(t, "list", !w->count);
	for (uint32_t i = 0; i < w->count; i++)
		write_window(t, &w->list[i], table->processes);
	tree_end(t);
	tree_end(t);
}
