/* Reading a phase table back: every key is read by its path, so that an error can name it. Unknown keys are ignored,
 * since a later version of the schema may add some; known keys must be right. */
#include <math.h>
#include <string.h>

#include "documents_int.h"
#include "core/io/fields.h"
#include "core/io/regular.h"
#include "core/settings/settings_tree.h"

#define EACH "process" /* what most lists have an item for */

static uint8_t *read_stops(struct fields *f, const struct fields_map *at, const char *key, uint32_t processes)
{
	const struct yaml_node *list = fields_list_of(f, at, key, processes, EACH), *n = list ? list->first : NULL;
	uint8_t *before = list ? fields_room(f, processes, sizeof *before) : NULL;

	for (uint32_t i = 0; n && !f->code; i++, n = n->next) {
		before[i] = n->kind == YAML_SCALAR && !strcmp(n->text, "before");
		if (!before[i] && (n->kind != YAML_SCALAR || strcmp(n->text, "after") != 0))
			fields_wrong_item(f, n, at, key, i, "before or after");
	}
	return f->code ? NULL : before;
}

static void read_sha256(struct fields *f, const struct fields_map *at, char sha256[65])
{
	const struct yaml_node *n = fields_find(f, at, "sha256");

	if (!n)
		fields_text(f, at, "sha256"); /* which says that it is missing */
	else if (n->kind != YAML_SCALAR || strlen(n->text) != 64 || strspn(n->text, "0123456789abcdef") != 64)
		fields_wrong(f, n, at->path, "sha256", "64 lower-case hexadecimal digits");
	else
		memcpy(sha256, n->text, 65);
}

static void read_trace(struct fields *f, const struct fields_map *root, struct table *t)
{
	struct fields_map at = fields_enter(f, root, "trace"), events;

	t->trace_file = fields_text(f, &at, "file");
	read_sha256(f, &at, t->sha256);
	t->format = fields_text(f, &at, "format");
	t->processes = fields_count(f, &at, "processes", 0, UINT32_MAX);
	events = fields_enter(f, &at, "events");
	t->sends = fields_count(f, &events, "send", 0, UINT32_MAX);
	t->receives = fields_count(f, &events, "receive", 0, UINT32_MAX);
	t->collectives = fields_count(f, &events, "collective", 0, UINT32_MAX);
	t->compute_source = (enum compute_source)fields_choice(f, &at, "compute", "events|states|gaps|counter");
	t->aet = fields_figure(f, &at, "aet", 0);
	t->warnings = fields_whole(f, &at, "warnings", 0, UINT64_MAX);
	t->content = content_begin(f, &at, t->processes, t->aet);
}

static void read_prediction(struct fields *f, const struct fields_map *root, struct table *t)
{
	struct fields_map at = fields_enter(f, root, "prediction");

	t->coverage = fields_figure(f, &at, "coverage", -INFINITY);
	t->set = fields_figure(f, &at, "set", -INFINITY);
	t->pet = fields_figure(f, &at, "pet", -INFINITY);
	t->pet_scaled = fields_figure(f, &at, "pet_scaled", -INFINITY);
	t->pete = fields_figure(f, &at, "pete", 0);
	/* Tables that were written before there was one have none. */
	t->expected_error = fields_find(f, &at, "expected_error") ? fields_figure(f, &at, "expected_error", 0) : (double)NAN;
}

void table_read_points(struct fields *f, const struct fields_map *at, uint32_t latest_tick, uint32_t processes,
		       struct phase_points *p)
{
	struct fields_map in = fields_enter(f, at, "checkpoint");

	p->checkpoint_tick = fields_count(f, &in, "tick", 0, latest_tick);
	p->checkpoint = fields_counts(f, &in, "sends", processes, EACH, NULL);
	p->before = read_stops(f, &in, "stop", processes);
	in = fields_enter(f, at, "entry");
	p->entry = fields_counts(f, &in, "sends", processes, EACH, p->checkpoint);
	in = fields_enter(f, at, "exit");
	p->exit = fields_counts(f, &in, "sends", processes, EACH, p->entry);
}

static void read_points(struct fields *f, const struct fields_map *at, struct phase_points *p, uint32_t processes)
{
	struct fields_map in = fields_enter(f, at, "tick");

	p->first = fields_count(f, &in, "first", 0, UINT32_MAX);
	p->last = fields_count(f, &in, "last", p->first, UINT32_MAX);
	table_read_points(f, at, p->first, processes, p);
}

static void read_sample(struct fields *f, const struct fields_map *at, struct table_phase *p, uint32_t i,
			uint32_t processes)
{
	const uint32_t least = i ? p->samples[i - 1].occurrence : p->points.occurrence;
	struct table_sample *sample = &p->samples[i];

	if (f->code)
		return;
	if (least >= p->weight) {
		fields_fail(f, at->map->line, "%.*s is too many: the phase has fewer occurrences",
			    (int)strlen(at->path) - 1, at->path);
		return;
	}
	sample->occurrence = fields_count(f, at, "occurrence", least + 1, p->weight);
	sample->entry = fields_counts(f, at, "entry", processes, EACH, i ? p->samples[i - 1].exit : p->points.exit);
	sample->exit = fields_counts(f, at, "exit", processes, EACH, sample->entry);
}

/* Optional: what is measured besides the representative. */
static void read_samples(struct fields *f, const struct fields_map *at, struct table_phase *p, uint32_t processes)
{
	const struct yaml_node *list;

	if (!fields_find(f, at, "samples"))
		return;
	list = fields_list(f, at, "samples");
	p->samples = list ? fields_room(f, list->count, sizeof *p->samples) : NULL;
	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next) {
		struct fields_map in = fields_item(f, at, "samples", p->sample_count, n);

		read_sample(f, &in, p, p->sample_count++, processes);
	}
}

static void read_phase(struct fields *f, const struct fields_map *at, struct table_phase *p, uint32_t least_id,
		       uint32_t processes)
{
	p->id = fields_count(f, at, "id", least_id, UINT32_MAX);
	p->relevant = fields_bool(f, at, "relevant");
	p->name = phase_text_read(f, at, "name");
	p->kinds = phase_text_read(f, at, "kinds");
	if (!p->name)
		p->kinds = NULL; /* what has no name is of no kind */
	p->weight = fields_count(f, at, "weight", 1, UINT32_MAX);
	p->ticks = fields_count(f, at, "ticks", 1, UINT32_MAX);
	p->time = fields_real(f, at, "time", -INFINITY, INFINITY);
	p->between_sends = fields_find(f, at, "between_sends") ? fields_real(f, at, "between_sends", -INFINITY, INFINITY) : (double)NAN;
	p->time_min = fields_real(f, at, "time_min", -INFINITY, INFINITY);
	p->time_max = fields_real(f, at, "time_max", -INFINITY, INFINITY);
	p->share = fields_figure(f, at, "share", -INFINITY);
	p->points.occurrence = fields_count(f, at, "occurrence", 1, p->weight);
	read_points(f, at, &p->points, processes);
	p->samples = NULL;
	p->sample_count = 0;
	p->sampled = table_between_sends(p);
	read_samples(f, at, p, processes);
}

static void read_content(struct fields *f, const struct fields_map *at, struct run_phases *r, const struct table_phase *p)
{
	struct run_phase *phase = f->code ? NULL : &r->list[r->count++];

	if (!phase)
		return;
	*phase = (struct run_phase){.id = p->id, .weight = p->weight, .time = p->time, .relevant = p->relevant};
	if (!run_phase_name(&r->arena, phase, p->name, p->kinds))
		fields_memory(f);
	content_read(f, at, r, phase);
}

static void read_phases(struct fields *f, const struct fields_map *root, struct table *t)
{
	const struct yaml_node *list = fields_list(f, root, "phases");
	uint32_t least_id = 1, i = 0;

	t->phases = list ? fields_room(f, list->count, sizeof *t->phases) : NULL;
	if (t->content && list && !content_make_room(f, t->content, list->count))
		return;
	for (const struct yaml_node *n = list ? list->first : NULL; n && !f->code; n = n->next, i++) {
		struct fields_map at = fields_item(f, root, "phases", i, n);

		read_phase(f, &at, &t->phases[i], least_id, t->processes);
		if (t->content)
			read_content(f, &at, t->content, &t->phases[i]);
		least_id = t->phases[i].id + (t->phases[i].id < UINT32_MAX);
	}
	t->phase_count = i;
	if (t->content && !f->code)
		run_phases_sum(t->content);
}

static enum err_code table_read_document(struct table *t, const struct yaml_in *yaml, struct err *e)
{
	struct fields f;
	struct fields_map root, analysis;
	unsigned version;

	if (!yaml->root || yaml->root->kind != YAML_MAP)
		return err_set(e, ERR_FORMAT, "%s: not a phase table: expected a mapping that starts with 'pas2p: %d'",
			       yaml->name, TABLE_VERSION);
	fields_init(&f, yaml, &t->arena, ERR_FORMAT, e);
	version = fields_version(&f, "pas2p", "a phase table", TABLE_VERSION, TABLE_VERSION_WINDOWS);
	root = fields_root(&f);
	t->application = fields_text(&f, &root, "application");
	read_trace(&f, &root, t);
	analysis = fields_enter(&f, &root, "analysis");
	settings_init(&t->settings);
	settings_read_tree(&f, &analysis, true, &t->settings);
	read_prediction(&f, &root, t);
	if (!f.code && (version == TABLE_VERSION_WINDOWS) != (t->settings.windows > 0))
		fields_fail(&f, analysis.map->line, version == TABLE_VERSION ?
			    "analysis.windows needs a phase table of version 2, but this one has version 1" :
			    "analysis.windows.count is missing or 0, but a phase table of version 2 needs windows");
	read_phases(&f, &root, t);
	if (version == TABLE_VERSION_WINDOWS)
		table_windows_read(&f, &root, t);
	return f.code;
}

static enum err_code read_tree(struct table *t, struct yaml_in *yaml, struct err *e)
{
	enum err_code code = table_read_document(t, yaml, e);

	yaml_in_release(yaml);
	if (code)
		table_release(t);
	return code;
}

enum err_code table_read(struct table *t, const char *name, const char *text, size_t size, struct err *e)
{
	struct yaml_in yaml;
	enum err_code code;

	*t = (struct table){0};
	code = yaml_in_init(&yaml, name, text, size, e);
	return code ? code : read_tree(t, &yaml, e);
}

enum err_code table_read_file(struct table *t, const char *path, struct err *e)
{
	struct yaml_in yaml;
	enum err_code code;

	*t = (struct table){0};
	code = yaml_in_file(&yaml, path, TABLE_BYTES, e);
	return code ? code : read_tree(t, &yaml, e);
}

bool table_is_file(const char *path)
{
	return regular_begins(path, "pas2p:");
}
