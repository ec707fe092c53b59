/* Reading a result back. Errors name the missing or wrong key with its place; unknown keys are ignored. */
#include "result.h"

#include <math.h>
#include <string.h>

#include "documents_int.h"
#include "core/base/text.h"
#include "core/io/fields.h"
#include "core/io/regular.h"
#include "core/settings/settings_tree.h"

#define RESULT_BYTES ((size_t)256 << 20)

/* A text with little room of its own: cut at a character. */
static void copy_text(struct fields *f, const struct fields_map *at, const char *key, char *to, size_t size)
{
	text_safe(to, size, fields_safe_text(f, at, key), SIZE_MAX, TEXT_UTF8);
}

static uint32_t result_field_count(struct fields *f, const struct fields_map *at, const char *key)
{
	return fields_count(f, at, key, 0, UINT32_MAX);
}

static double result_field_seconds(struct fields *f, const struct fields_map *at, const char *key)
{
	return fields_real(f, at, key, 0, INFINITY);
}

static void read_phase(struct fields *f, const struct fields_map *at, const struct result *r, struct result_phase *p)
{
	p->id = result_field_count(f, at, "id");
	p->weight = result_field_count(f, at, "weight");
	p->ticks = result_field_count(f, at, "ticks");
	p->name = phase_text_read(f, at, "name");
	p->kinds = phase_text_read(f, at, "kinds");
	if (!p->name)
		p->kinds = NULL; /* what has no name is of no kind */
	if (r->by_windows) {
		p->extra = fields_bool(f, at, "extra");
		p->samples = result_field_count(f, at, "occurrences");
		p->in_windows = result_field_count(f, at, "in_windows");
		p->se = fields_figure(f, at, "se", 0);
	} else {
		p->samples = fields_find(f, at, "samples") ? result_field_count(f, at, "samples") : 1;
		p->in_windows = 0;
		p->extra = false;
		p->se = NAN;
	}
	p->traced = result_field_seconds(f, at, "traced");
	p->time = result_field_seconds(f, at, "time");
	p->deviation = result_field_seconds(f, at, "deviation");
	p->min = result_field_seconds(f, at, "min");
	p->max = result_field_seconds(f, at, "max");
	p->sends = fields_counts(f, at, "sends", r->processes, "process", NULL);
	p->runs = fields_reals(f, at, "runs", r->runs, "run");
	p->ranks = r->by_windows ? NULL : fields_reals(f, at, "ranks", r->processes, "process");
}

static void read_windows(struct fields *f, const struct fields_map *root, struct result *r)
{
	const struct yaml_node *list = fields_list(f, root, "windows");

	r->windows = list ? fields_room(f, list->count, sizeof *r->windows) : NULL;
	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next) {
		struct fields_map at = fields_item(f, root, "windows", r->window_count, n);
		struct result_window *w = &r->windows[r->window_count++];

		w->extra = fields_bool(f, &at, "extra");
		w->first = fields_count(f, &at, "first", 1, UINT32_MAX);
		w->last = fields_count(f, &at, "last", w->first, UINT32_MAX);
		w->traced = fields_real(f, &at, "traced", -INFINITY, INFINITY);
		w->seconds = result_field_seconds(f, &at, "seconds");
		w->runs = fields_reals(f, &at, "runs", r->runs, "run");
	}
}

static void read_content(struct fields *f, const struct fields_map *at, struct run_phases *r, const struct result_phase *p)
{
	struct run_phase *phase = f->code ? NULL : &r->list[r->count++];

	if (!phase)
		return;
	*phase = (struct run_phase){.id = p->id, .weight = p->weight, .time = p->traced, .relevant = true};
	if (r->count > 1 && p->id <= phase[-1].id)
		fields_fail(f, at->map->line, "%sid is %u: expected a number above that of the phase "
			    "before", at->path, p->id);
	if (!run_phase_name(&r->arena, phase, p->name, p->kinds))
		fields_memory(f);
	content_read(f, at, r, phase);
}

static void read_phases(struct fields *f, const struct fields_map *root, struct result *r)
{
	const struct yaml_node *list = fields_list(f, root, "phases");

	r->phases = list ? fields_room(f, list->count, sizeof *r->phases) : NULL;
	if (r->content && list && !content_make_room(f, r->content, list->count))
		return;
	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next) {
		struct fields_map at = fields_item(f, root, "phases", r->phase_count, n);

		read_phase(f, &at, r, &r->phases[r->phase_count++]);
		if (r->content)
			read_content(f, &at, r->content, &r->phases[r->phase_count - 1]);
	}
	if (r->content && !f->code)
		run_phases_sum(r->content);
}

static void read_host(struct fields *f, const struct fields_map *root, struct host *h)
{
	struct fields_map at = fields_enter(f, root, "host");

	copy_text(f, &at, "name", h->name, sizeof h->name);
	copy_text(f, &at, "kernel", h->kernel, sizeof h->kernel);
	copy_text(f, &at, "cpu", h->cpu, sizeof h->cpu);
	h->cpus = result_field_count(f, &at, "cpus");
	copy_text(f, &at, "allowed", h->allowed, sizeof h->allowed);
	h->memory = fields_whole(f, &at, "memory", 0, UINT64_MAX);
	copy_text(f, &at, "mpi", h->mpi, sizeof h->mpi);
	h->nodes = result_field_count(f, &at, "nodes");
}

static void read_interval(struct fields *f, const struct fields_map *at, struct result *r)
{
	const double *ends;

	r->se = fields_figure(f, at, "se", 0);
	r->half = fields_figure(f, at, "half", 0);
	r->low = r->high = NAN;
	ends = isnan(r->half) && fields_undefined(f, at, "interval") ? NULL : fields_reals(f, at, "interval", 2, "end");
	if (ends && isnan(r->half))
		fields_fail(f, at->map->line, "%sinterval is a list: expected null, because half is null", at->path);
	if (ends && !(ends[0] <= ends[1]))
		fields_fail(f, at->map->line, "%sinterval ends before it begins", at->path);
	if (ends) {
		r->low = ends[0];
		r->high = ends[1];
	}
	r->df = result_field_count(f, at, "df");
	r->settling = fields_figure(f, at, "settling", 0);
}

static void read_prediction(struct fields *f, const struct fields_map *root, struct result *r)
{
	struct fields_map at = fields_enter(f, root, "prediction");

	r->coverage = result_field_seconds(f, &at, "coverage");
	r->set = result_field_seconds(f, &at, "set");
	r->pet = result_field_seconds(f, &at, "pet");
	r->pet_scaled = result_field_seconds(f, &at, "pet_scaled");
	if (r->by_windows)
		read_interval(f, &at, r);
	r->measured = fields_find(f, &at, "measured") ? result_field_seconds(f, &at, "measured") : r->set;
	r->elapsed = result_field_seconds(f, &at, "elapsed");
	if (fields_find(f, &at, "pause"))
		r->pause = result_field_seconds(f, &at, "pause");
	if (r->by_windows && fields_find(f, &at, "restore"))
		r->restore = result_field_seconds(f, &at, "restore");
	r->aet_from = "";
	if (fields_find(f, &at, "aet"))
		result_set_aet(r, result_field_seconds(f, &at, "aet"), fields_safe_text(f, &at, "aet_from"));
}

static void read_settings(struct fields *f, const struct fields_map *root, struct result *r)
{
	const char *choices = setting_info(SETTING_phase_time)->choices;
	struct fields_map at;
	int phase_time = fields_choice(f, root, "phase_time", choices);

	settings_init(&r->settings);
	r->has_settings = fields_find(f, root, "analysis");
	if (r->has_settings) {
		at = fields_enter(f, root, "analysis");
		settings_read_tree(f, &at, false, &r->settings);
	}
	r->settings.phase_time = phase_time;
}

static void result_read_document(struct fields *f, struct result *r)
{
	struct fields_map root, at;

	r->by_windows = fields_version(f, "pas2p_result", "a result", 1, RESULT_VERSION) == RESULT_VERSION;
	root = fields_root(f);
	r->application = fields_safe_text(f, &root, "application");
	r->label = fields_safe_text(f, &root, "label");
	at = fields_enter(f, &root, "mechanism");
	r->mechanism = fields_safe_text(f, &at, "name");
	r->mechanism_version = fields_safe_text(f, &at, "version");
	r->command = fields_safe_texts(f, &root, "command");
	at = fields_enter(f, &root, "trace");
	r->sha256 = fields_safe_text(f, &at, "sha256");
	r->processes = result_field_count(f, &at, "processes");
	r->traced_aet = result_field_seconds(f, &at, "aet");
	r->content = content_begin(f, &at, r->processes, r->traced_aet);
	read_host(f, &root, &r->host);
	r->started = fields_safe_text(f, &root, "started");
	r->runs = result_field_count(f, &root, "runs");
	read_settings(f, &root, r);
	r->se = r->half = r->low = r->high = r->settling = NAN;
	read_prediction(f, &root, r);
	if (r->by_windows) {
		r->notes = fields_safe_texts(f, &root, "notes");
		read_windows(f, &root, r);
	}
	read_phases(f, &root, r);
}

static enum err_code read_tree(struct result *r, struct yaml_in *yaml, const char *path, struct err *e)
{
	struct fields f;

	*r = (struct result){.expected_error = NAN};
	arena_init(&r->arena);
	fields_init(&f, yaml, &r->arena, ERR_FORMAT, e);
	result_read_document(&f, r);
	r->path = fields_keep_safe(&f, path);
	yaml_in_release(yaml);
	if (f.code)
		result_release(r);
	return f.code;
}

enum err_code result_read(struct result *r, const char *name, const char *text, size_t size, struct err *e)
{
	struct yaml_in yaml;

	return yaml_in_init(&yaml, name, text, size, e) ? e->code : read_tree(r, &yaml, name, e);
}

enum err_code result_read_file(struct result *r, const char *path, struct err *e)
{
	struct yaml_in yaml;

	return yaml_in_file(&yaml, path, RESULT_BYTES, e) ? e->code : read_tree(r, &yaml, path, e);
}

bool result_is_file(const char *path)
{
	return regular_begins(path, "pas2p_result:");
}
