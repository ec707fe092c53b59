/* Reading a phase table back: every key is asked for by its path, so that a sentence can name it. Unknown keys are
 * passed over, as a later version of the schema may add some; what is there and known must be right. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "table.h"
#include "core/base/text.h"
#include "core/io/yaml_in.h"

struct reading {
	struct table *t;
	const struct yaml_in *y;
	struct err *e;
	enum err_code code; /* the first error; later steps do nothing */
};

/* A mapping and its path in the document, "phases[3].tick", for sentences. */
struct place {
	const struct yaml_node *map;
	char path[64];
};

static void wrong(struct reading *r, const struct yaml_node *n, const char *path, const char *key, const char *expected)
{
	char given[80];

	if (r->code != ERR_OK)
		return;
	if (n->kind == YAML_SCALAR)
		r->code = err_set(r->e, ERR_FORMAT, "%s: line %u: %s%s is '%s': expected %s", r->y->name, n->line, path,
				  key, text_safe(given, sizeof given, n->text, SIZE_MAX, TEXT_UTF8), expected);
	else
		r->code = err_set(r->e, ERR_FORMAT, "%s: line %u: %s%s is %s: expected %s", r->y->name, n->line, path,
				  key, yaml_kind_name(n), expected);
}

/* The node of a key, which must be there; NULL after an error. */
static const struct yaml_node *need(struct reading *r, const struct place *at, const char *key)
{
	const struct yaml_node *n;

	if (r->code != ERR_OK)
		return NULL;
	n = yaml_get(at->map, key);
	if (!n)
		r->code = err_set(r->e, ERR_FORMAT, "%s: line %u: %s%s is missing", r->y->name, at->map->line, at->path,
				  key);
	return n;
}

static struct place enter(struct reading *r, const struct place *at, const char *key)
{
	struct place in = {0};
	const struct yaml_node *n = need(r, at, key);

	if (n && n->kind != YAML_MAP)
		wrong(r, n, at->path, key, "a mapping");
	in.map = n;
	snprintf(in.path, sizeof in.path, "%.40s%.20s.", at->path, key);
	return in;
}

static const struct yaml_node *need_scalar(struct reading *r, const struct place *at, const char *key,
					   const char *expected)
{
	const struct yaml_node *n = need(r, at, key);

	if (n && (n->kind != YAML_SCALAR || yaml_is_null(n))) {
		wrong(r, n, at->path, key, expected);
		return NULL;
	}
	return n;
}

static char *get_text(struct reading *r, const struct place *at, const char *key)
{
	const struct yaml_node *n = need_scalar(r, at, key, "a text");
	char *copy = NULL;

	if (!n)
		return NULL;
	copy = arena_strndup(&r->t->arena, n->text, strlen(n->text));
	if (!copy)
		r->code = err_memory(r->e, r->y->name);
	return copy;
}

static bool is_whole(const struct yaml_node *n, uint64_t min, uint64_t max, uint64_t *v)
{
	return n->kind == YAML_SCALAR && !n->quoted && number_parse_whole(n->text, strlen(n->text), v) && *v >= min &&
	       *v <= max;
}

static uint64_t get_whole(struct reading *r, const struct place *at, const char *key, uint64_t min, uint64_t max)
{
	const struct yaml_node *n = need(r, at, key);
	char expected[96];
	uint64_t v = 0;

	if (n && !is_whole(n, min, max, &v)) {
		snprintf(expected, sizeof expected, "a whole number from %llu to %llu", (unsigned long long)min,
			 (unsigned long long)max);
		wrong(r, n, at->path, key, expected);
		return 0;
	}
	return v;
}

static uint32_t get_count(struct reading *r, const struct place *at, const char *key, uint32_t min, uint32_t max)
{
	return (uint32_t)get_whole(r, at, key, min, max);
}

static bool get_real(struct reading *r, const struct place *at, const char *key, double min, double max, double *v)
{
	const struct yaml_node *n = need(r, at, key);
	char expected[96], low[NUMBER_TEXT], high[NUMBER_TEXT];

	*v = 0;
	if (!n)
		return false;
	if (n->kind == YAML_SCALAR && !n->quoted && number_parse(n->text, strlen(n->text), v) && *v >= min && *v <= max)
		return true;
	number_format(min, low);
	number_format(max, high);
	if (isinf(max))
		snprintf(expected, sizeof expected, isinf(min) ? "a number" : "a number, %s or more", low);
	else
		snprintf(expected, sizeof expected, "a number from %s to %s", low, high);
	wrong(r, n, at->path, key, expected);
	*v = 0;
	return false;
}

/* Is a figure null, because the trace does not define it? */
static bool undefined(const struct reading *r, const struct place *at, const char *key)
{
	const struct yaml_node *n = r->code ? NULL : yaml_get(at->map, key);

	return n && n->kind == YAML_SCALAR && !n->quoted && !strcmp(n->text, "null");
}

static double any_real(struct reading *r, const struct place *at, const char *key)
{
	double v;

	get_real(r, at, key, -INFINITY, INFINITY, &v);
	return v;
}

static double figure(struct reading *r, const struct place *at, const char *key)
{
	return undefined(r, at, key) ? (double)NAN : any_real(r, at, key);
}

static double positive(struct reading *r, const struct place *at, const char *key)
{
	double v;

	get_real(r, at, key, 0, INFINITY, &v);
	return v;
}

/* Which of "a|b|c" a scalar is, as an index. */
static int get_choice(struct reading *r, const struct place *at, const char *key, const char *choices)
{
	const struct yaml_node *n;
	char expected[96];
	const char *choice = choices;

	snprintf(expected, sizeof expected, "one of %s", choices);
	n = need_scalar(r, at, key, expected);
	if (!n)
		return 0;
	for (int i = 0;; i++) {
		size_t length = strcspn(choice, "|");

		if (strlen(n->text) == length && !memcmp(choice, n->text, length))
			return i;
		if (!choice[length])
			break;
		choice += length + 1;
	}
	wrong(r, n, at->path, key, expected);
	return 0;
}

static bool get_bool(struct reading *r, const struct place *at, const char *key)
{
	return get_choice(r, at, key, "false|true") == 1;
}

/* A list of as many items as there are processes; NULL after an error. */
static const struct yaml_node *get_list(struct reading *r, const struct place *at, const char *key)
{
	const struct yaml_node *n = need(r, at, key);

	if (!n)
		return NULL;
	if (n->kind != YAML_LIST) {
		wrong(r, n, at->path, key, "a list with one item per process");
		return NULL;
	}
	if (n->count != r->t->processes) {
		r->code = err_set(r->e, ERR_FORMAT, "%s: line %u: %s%s has %u items: expected %u, one per process",
				  r->y->name, n->line, at->path, key, n->count, r->t->processes);
		return NULL;
	}
	return n;
}

static void item_name(char *buf, size_t size, const char *key, uint32_t index)
{
	snprintf(buf, size, "%s[%u]", key, index);
}

/* A number per process, each at least that of `least` (NULL: any). */
static uint32_t *get_numbers(struct reading *r, const struct place *at, const char *key, const uint32_t *least)
{
	const struct yaml_node *n = get_list(r, at, key);
	char name[48], expected[96];
	uint32_t *list;
	uint32_t i = 0;

	if (!n)
		return NULL;
	list = arena_alloc(&r->t->arena, (size_t)n->count * sizeof *list);
	if (!list) {
		r->code = err_memory(r->e, r->y->name);
		return NULL;
	}
	for (n = n->first; n; n = n->next, i++) {
		uint64_t v = 0;

		if (!is_whole(n, least ? least[i] : 0, UINT32_MAX, &v)) {
			item_name(name, sizeof name, key, i);
			snprintf(expected, sizeof expected, "a whole number from %u to %u", least ? least[i] : 0,
				 UINT32_MAX);
			wrong(r, n, at->path, name, expected);
			return NULL;
		}
		list[i] = (uint32_t)v;
	}
	return list;
}

static uint8_t *get_stops(struct reading *r, const struct place *at, const char *key)
{
	const struct yaml_node *n = get_list(r, at, key);
	char name[48];
	uint8_t *list;
	uint32_t i = 0;

	if (!n)
		return NULL;
	list = arena_alloc(&r->t->arena, n->count);
	if (!list) {
		r->code = err_memory(r->e, r->y->name);
		return NULL;
	}
	for (n = n->first; n; n = n->next, i++) {
		list[i] = n->kind == YAML_SCALAR && !strcmp(n->text, "before");
		if (!list[i] && (n->kind != YAML_SCALAR || strcmp(n->text, "after") != 0)) {
			item_name(name, sizeof name, key, i);
			wrong(r, n, at->path, name, "before or after");
			return NULL;
		}
	}
	return list;
}

static void get_sha256(struct reading *r, const struct place *at)
{
	const struct yaml_node *n = need_scalar(r, at, "sha256", "64 hexadecimal digits");

	if (!n)
		return;
	if (strlen(n->text) != 64 || strspn(n->text, "0123456789abcdef") != 64)
		wrong(r, n, at->path, "sha256", "64 hexadecimal digits in lower case");
	else
		memcpy(r->t->sha256, n->text, 65);
}

static void read_trace(struct reading *r, const struct place *root)
{
	struct place at = enter(r, root, "trace");
	struct place events;
	struct table *t = r->t;

	t->trace_file = get_text(r, &at, "file");
	get_sha256(r, &at);
	t->format = get_text(r, &at, "format");
	t->processes = get_count(r, &at, "processes", 0, UINT32_MAX);
	events = enter(r, &at, "events");
	t->sends = get_count(r, &events, "send", 0, UINT32_MAX);
	t->receives = get_count(r, &events, "receive", 0, UINT32_MAX);
	t->collectives = get_count(r, &events, "collective", 0, UINT32_MAX);
	t->compute_source = (enum compute_source)get_choice(r, &at, "compute", "events|states|gaps");
	t->aet = undefined(r, &at, "aet") ? (double)NAN : positive(r, &at, "aet");
	t->warnings = get_whole(r, &at, "warnings", 0, UINT64_MAX);
}

static void read_setting(struct reading *r, const struct place *at, enum setting_id id, const char *key)
{
	const struct setting_info *info = setting_info(id);
	double v;

	switch (info->kind) {
	case SETTING_CHOICE:
		v = get_choice(r, at, key, info->choices);
		break;
	case SETTING_WHOLE:
		v = (double)get_whole(r, at, key, (uint64_t)info->min, (uint64_t)info->max);
		break;
	default:
		get_real(r, at, key, info->min, info->max, &v);
	}
	if (r->code == ERR_OK)
		settings_set_number(&r->t->settings, id, v);
}

static void read_settings(struct reading *r, const struct place *root)
{
	struct place analysis = enter(r, root, "analysis");

	settings_init(&r->t->settings);
	for (enum setting_id id = 0; id < SETTING_COUNT && r->code == ERR_OK; id++) {
		const char *name = setting_info(id)->yaml;
		const char *dot = strchr(name, '.');
		struct place in = analysis;
		char group[32];

		if (dot) {
			snprintf(group, sizeof group, "%.*s", (int)(dot - name), name);
			if (setting_info(id)->sparing && !yaml_get(analysis.map, group))
				continue;
			in = enter(r, &analysis, group);
		}
		read_setting(r, &in, id, dot ? dot + 1 : name);
	}
}

static void read_prediction(struct reading *r, const struct place *root)
{
	struct place at = enter(r, root, "prediction");

	r->t->coverage = figure(r, &at, "coverage");
	r->t->set = figure(r, &at, "set");
	r->t->pet = figure(r, &at, "pet");
	r->t->pet_scaled = figure(r, &at, "pet_scaled");
	r->t->pete = undefined(r, &at, "pete") ? (double)NAN : positive(r, &at, "pete");
}

static void read_points(struct reading *r, const struct place *at, struct table_phase *p)
{
	struct place in = enter(r, at, "tick");

	p->tick_first = get_count(r, &in, "first", 0, UINT32_MAX);
	p->tick_last = get_count(r, &in, "last", p->tick_first, UINT32_MAX);
	in = enter(r, at, "checkpoint");
	p->checkpoint_tick = get_count(r, &in, "tick", 0, p->tick_first);
	p->checkpoint = get_numbers(r, &in, "sends", NULL);
	p->before = get_stops(r, &in, "stop");
	in = enter(r, at, "entry");
	p->entry = get_numbers(r, &in, "sends", p->checkpoint);
	in = enter(r, at, "exit");
	p->exit = get_numbers(r, &in, "sends", p->entry);
}

static void read_sample(struct reading *r, const struct place *at, struct table_phase *p, uint32_t i)
{
	const uint32_t least = i ? p->samples[i - 1].occurrence : p->occurrence;
	struct table_sample *s = &p->samples[i];

	if (least >= p->weight) {
		r->code = err_set(r->e, ERR_FORMAT, "%s: line %u: %.*s is one too many: the phase has no more occurrences",
				  r->y->name, at->map->line, (int)strlen(at->path) - 1, at->path);
		return;
	}
	s->occurrence = get_count(r, at, "occurrence", least + 1, p->weight);
	s->entry = get_numbers(r, at, "entry", i ? p->samples[i - 1].exit : p->exit);
	s->exit = get_numbers(r, at, "exit", s->entry);
}

/* Optional: what is measured besides the representative. */
static void read_samples(struct reading *r, const struct place *at, struct table_phase *p)
{
	const struct yaml_node *list = r->code ? NULL : yaml_get(at->map, "samples");

	if (!list)
		return;
	if (list->kind != YAML_LIST) {
		wrong(r, list, at->path, "samples", "a list");
		return;
	}
	p->samples = arena_alloc(&r->t->arena, (size_t)list->count * sizeof *p->samples);
	if (!p->samples) {
		r->code = err_memory(r->e, r->y->name);
		return;
	}
	for (const struct yaml_node *n = list->first; n && r->code == ERR_OK; n = n->next) {
		struct place in = {.map = n};
		char name[32];

		item_name(name, sizeof name, "samples", p->sample_count);
		snprintf(in.path, sizeof in.path, "%.30s%.30s.", at->path, name);
		if (n->kind != YAML_MAP)
			wrong(r, n, at->path, name, "a mapping");
		else
			read_sample(r, &in, p, p->sample_count++);
	}
}

static void read_phase(struct reading *r, const struct place *at, struct table_phase *p, uint32_t least_id)
{
	p->id = get_count(r, at, "id", least_id, UINT32_MAX);
	p->relevant = get_bool(r, at, "relevant");
	p->weight = get_count(r, at, "weight", 1, UINT32_MAX);
	p->ticks = get_count(r, at, "ticks", 1, UINT32_MAX);
	p->time = any_real(r, at, "time");
	p->time_min = any_real(r, at, "time_min");
	p->time_max = any_real(r, at, "time_max");
	p->share = figure(r, at, "share");
	if (r->code == ERR_OK)
		p->occurrence = get_count(r, at, "occurrence", 1, p->weight);
	read_points(r, at, p);
	p->samples = NULL;
	p->sample_count = 0;
	p->sampled = p->time;
	read_samples(r, at, p);
}

static void read_phases(struct reading *r, const struct place *root)
{
	const struct yaml_node *list = need(r, root, "phases");
	uint32_t least_id = 1, i = 0;

	if (!list)
		return;
	if (list->kind != YAML_LIST) {
		wrong(r, list, "", "phases", "a list");
		return;
	}
	r->t->phases = arena_alloc(&r->t->arena, (size_t)list->count * sizeof *r->t->phases);
	if (!r->t->phases) {
		r->code = err_memory(r->e, r->y->name);
		return;
	}
	for (const struct yaml_node *n = list->first; n && r->code == ERR_OK; n = n->next, i++) {
		struct place at = {.map = n};
		char name[32];

		item_name(name, sizeof name, "phases", i);
		snprintf(at.path, sizeof at.path, "%s.", name);
		if (n->kind != YAML_MAP) {
			wrong(r, n, "", name, "a mapping");
			return;
		}
		read_phase(r, &at, &r->t->phases[i], least_id);
		least_id = r->t->phases[i].id + (r->t->phases[i].id < UINT32_MAX);
	}
	r->t->phase_count = list->count;
}

static enum err_code read_document(struct table *t, const struct yaml_in *y, struct err *e)
{
	struct reading r = {.t = t, .y = y, .e = e};
	struct place root = {.map = y->root};

	if (!y->root || y->root->kind != YAML_MAP)
		return err_set(e, ERR_FORMAT, "%s: not a phase table: expected a mapping that starts with 'pas2p: %d'",
			       y->name, TABLE_VERSION);
	r.code = yaml_version(y, "pas2p", "a phase table", TABLE_VERSION, e);
	t->application = get_text(&r, &root, "application");
	read_trace(&r, &root);
	read_settings(&r, &root);
	read_prediction(&r, &root);
	read_phases(&r, &root);
	return r.code;
}

static enum err_code read_tree(struct table *t, struct yaml_in *y, struct err *e)
{
	enum err_code code = read_document(t, y, e);

	yaml_in_release(y);
	if (code != ERR_OK)
		table_release(t);
	return code;
}

enum err_code table_read(struct table *t, const char *name, const char *text, size_t size, struct err *e)
{
	struct yaml_in y;
	enum err_code code;

	*t = (struct table){0};
	code = yaml_in_init(&y, name, text, size, e);
	return code == ERR_OK ? read_tree(t, &y, e) : code;
}

enum err_code table_read_file(struct table *t, const char *path, struct err *e)
{
	struct yaml_in y;
	enum err_code code;

	*t = (struct table){0};
	code = yaml_in_file(&y, path, TABLE_BYTES, e);
	return code == ERR_OK ? read_tree(t, &y, e) : code;
}
