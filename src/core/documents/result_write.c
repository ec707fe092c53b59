/* A result as text: one walk names every key once, for YAML and for JSON. */
#include "result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "documents_int.h"
#include "core/settings/settings_tree.h"
#include "core/io/tree_out.h"

void result_set_aet(struct result *r, double aet, const char *from)
{
	r->aet = aet;
	r->aet_from = from;
	if (aet <= 0)
		return;
	r->pete = fabs(r->pet - aet) / aet;
	r->pete_scaled = fabs(r->pet_scaled - aet) / aet;
	r->set_share = r->set / aet;
}

bool result_has_interval(const struct result *r)
{
	return r->by_windows && !isnan(r->half);
}

bool result_held(const struct result *r)
{
	return result_has_interval(r) && r->aet >= r->low && r->aet <= r->high;
}

bool result_note(struct result *r, const char *fmt, ...)
{
	char text[ERR_TEXT], safe[ERR_TEXT];
	size_t n = 0;
	const char **list;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	text_safe(safe, sizeof safe, text, SIZE_MAX, TEXT_UTF8);
	for (; r->notes && r->notes[n]; n++)
		if (!strcmp(r->notes[n], safe))
			return true;
	list = arena_alloc(&r->arena, (n + 2) * sizeof *list);
	if (!list)
		return false;
	for (size_t i = 0; i < n; i++)
		list[i] = r->notes[i];
	list[n] = arena_strndup(&r->arena, safe, strlen(safe));
	list[n + 1] = NULL;
	r->notes = list;
	return list[n] != NULL;
}

void result_release(struct result *r)
{
	mem_free(r->times);
	run_phases_free(r->content);
	arena_release(&r->arena);
	*r = (struct result){0};
}

static void write_host(struct tree_out *t, const struct host *h)
{
	tree_put_map(t, "host", false);
	tree_put_text(t, "name", h->name);
	tree_put_text(t, "kernel", h->kernel);
	tree_put_text(t, "cpu", h->cpu);
	tree_put_whole(t, "cpus", h->cpus);
	tree_put_text(t, "allowed", h->allowed);
	tree_put_whole(t, "memory", h->memory);
	tree_put_text(t, "mpi", h->mpi);
	tree_put_whole(t, "nodes", h->nodes);
	tree_end(t);
}

static void write_interval(struct tree_out *t, const struct result *r)
{
	const double ends[] = {r->low, r->high};

	tree_put_real(t, "se", r->se);
	tree_put_real(t, "half", r->half);
	if (result_has_interval(r))
		tree_put_reals(t, "interval", ends, 2);
	else
		tree_put_null(t, "interval");
	tree_put_whole(t, "df", r->df);
	tree_put_real(t, "settling", r->settling);
}

static void write_prediction(struct tree_out *t, const struct result *r)
{
	tree_put_map(t, "prediction", false);
	tree_put_real(t, "coverage", r->coverage);
	tree_put_real(t, "set", r->set);
	tree_put_real(t, "pet", r->pet);
	tree_put_real(t, "pet_scaled", r->pet_scaled);
	if (r->by_windows)
		write_interval(t, r);
	tree_put_real(t, "measured", r->measured);
	tree_put_real(t, "elapsed", r->elapsed);
	if (r->pause > 0)
		tree_put_real(t, "pause", r->pause);
	if (r->by_windows && r->restore > 0)
		tree_put_real(t, "restore", r->restore);
	if (r->aet > 0) {
		tree_put_real(t, "aet", r->aet);
		tree_put_text(t, "aet_from", r->aet_from);
		tree_put_real(t, "pete", r->pete);
		tree_put_real(t, "pete_scaled", r->pete_scaled);
		tree_put_real(t, "set_share", r->set_share);
		if (result_has_interval(r))
			tree_put_bool(t, "held", result_held(r));
	}
	tree_end(t);
}

static void write_window(struct tree_out *t, const struct result *r, const struct result_window *w)
{
	tree_map(t, false);
	tree_put_bool(t, "extra", w->extra);
	tree_put_whole(t, "first", w->first);
	tree_put_whole(t, "last", w->last);
	tree_put_real(t, "traced", w->traced);
	tree_put_real(t, "seconds", w->seconds);
	tree_put_reals(t, "runs", w->runs, r->runs);
	tree_end(t);
}

static void write_texts(struct tree_out *t, const char *key, const char *const *texts, bool flow)
{
	tree_put_list(t, key, flow || !texts || !texts[0]);
	for (; texts && *texts; texts++)
		tree_text(t, *texts);
	tree_end(t);
}

static void write_phase(struct tree_out *t, const struct result *r, const struct result_phase *p)
{
	tree_map(t, false);
	tree_put_whole(t, "id", p->id);
	tree_put_whole(t, "weight", p->weight);
	tree_put_whole(t, "ticks", p->ticks);
	if (r->by_windows) {
		tree_put_bool(t, "extra", p->extra);
		tree_put_whole(t, "occurrences", p->samples);
		tree_put_whole(t, "in_windows", p->in_windows);
	} else {
		tree_put_whole(t, "samples", p->samples);
	}
	tree_put_real(t, "traced", p->traced);
	tree_put_real(t, "time", p->time);
	if (r->by_windows)
		tree_put_real(t, "se", p->se);
	tree_put_real(t, "deviation", p->deviation);
	tree_put_real(t, "min", p->min);
	tree_put_real(t, "max", p->max);
	tree_put_wholes(t, "sends", p->sends, r->processes);
	tree_put_reals(t, "runs", p->runs, r->runs);
	if (!r->by_windows)
		tree_put_reals(t, "ranks", p->ranks, r->processes);
	if (p->name) {
		tree_put_text(t, "name", p->name);
		tree_put_text(t, "kinds", p->kinds);
	}
	if (r->content)
		content_write(t, &r->content->types, run_phases_find(r->content, p->id));
	tree_end(t);
}

static void write(struct tree_out *t, const struct result *r)
{
	tree_map(t, false);
	tree_put_whole(t, "pas2p_result", r->by_windows ? RESULT_VERSION : 1);
	tree_put_text(t, "application", r->application);
	tree_put_text(t, "label", r->label);
	tree_put_map(t, "mechanism", true);
	tree_put_text(t, "name", r->mechanism);
	tree_put_text(t, "version", r->mechanism_version);
	tree_end(t);
	write_texts(t, "command", r->command, true);
	tree_put_map(t, "trace", false);
	tree_put_text(t, "sha256", r->sha256);
	tree_put_whole(t, "processes", r->processes);
	tree_put_real(t, "aet", r->traced_aet);
	if (r->content)
		tree_put_real(t, "mean_message", r->content->mean_message);
	tree_end(t);
	write_host(t, &r->host);
	tree_put_text(t, "started", r->started);
	tree_put_whole(t, "runs", r->runs);
	tree_put_text(t, "phase_time", r->settings.phase_time == PHASE_TIME_SLOWEST ? "slowest" : "mean");
	if (r->has_settings)
		settings_write_tree(t, "analysis", &r->settings);
	write_prediction(t, r);
	if (r->by_windows) {
		write_texts(t, "notes", r->notes, false);
		tree_put_list(t, "windows", !r->window_count);
		for (uint32_t i = 0; i < r->window_count; i++)
			write_window(t, r, &r->windows[i]);
		tree_end(t);
	}
	tree_put_list(t, "phases", false);
	for (uint32_t i = 0; i < r->phase_count; i++)
		write_phase(t, r, &r->phases[i]);
	tree_end(t);
	tree_end(t);
}

enum err_code result_write_yaml(const struct result *r, struct out *out, struct err *e)
{
	struct tree_out t;

	tree_out_init(&t, out, false);
	write(&t, r);
	return tree_out_finish(&t, e);
}

enum err_code result_write_json(const struct result *r, struct out *out, struct err *e)
{
	struct tree_out t;

	tree_out_init(&t, out, true);
	write(&t, r);
	return tree_out_finish(&t, e);
}
