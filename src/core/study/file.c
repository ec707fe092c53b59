#include "file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/query.h"
#include "core/base/text.h"
#include "core/io/fields.h"
#include "core/models/fit/write.h"
#include "core/models/language/model_document.h"

#define STUDY_BYTES ((size_t)16 << 20) /* of a study file */

void study_file_init(struct study_file *f)
{
	*f = (struct study_file){.name = "study"};
	arena_init(&f->arena);
	settings_init(&f->settings);
}

void study_file_release(struct study_file *f)
{
	arena_release(&f->arena);
	mem_free(f->runs);
	mem_free(f->places);
	*f = (struct study_file){0};
}

const struct study_parameter *study_parameter_find(const struct study_parameters *p, const char *name)
{
	for (uint32_t i = 0; i < p->count; i++)
		if (!strcmp(p->list[i].name, name))
			return &p->list[i];
	return NULL;
}

/* ---- parameters ---- */

/* ERR_USAGE: it is none. `shown`: the name, safe. */
static enum err_code check_name(const char *name, const char *shown, struct err *e)
{
	struct out out;
	bool same, failed;

	out_init(&out);
	fit_name(name, "", &out);
	failed = out.failed;
	same = !failed && out.len && !strcmp(out.text, name);
	out_release(&out);
	if (failed)
		return err_memory(e, "the study");
	if (same)
		return ERR_OK;
	return err_set(e, ERR_USAGE, "invalid parameter name '%.60s': expected letters, digits and _, and no word of the model language", shown);
}

/* A parameter more, to its place in the order of names. The sentence of an error is to be prefixed with where it is. */
static enum err_code add_parameter(struct study_file *f, struct study_parameters *to, const char *name, const char *text, size_t n, bool word,
				   struct err *e)
{
	struct study_parameter p = {.name = text_keep_safe(&f->arena, name, strlen(name)), .text = text_keep_safe(&f->arena, text, n), .number = NAN};
	uint32_t at = to->count;
	enum err_code code;

	if (!p.name || !p.text)
		return err_memory(e, "the study");
	code = check_name(name, p.name, e);
	if (code)
		return code;
	if (study_parameter_find(to, name))
		return err_set(e, ERR_USAGE, "duplicate parameter %.60s", p.name);
	if (to->count == STUDY_PARAMETERS)
		return err_set(e, ERR_USAGE, "more than %u parameters", STUDY_PARAMETERS);
	if (!n)
		return err_set(e, ERR_USAGE, "parameter %.60s has no value", p.name);
	if (word || !number_parse(text, n, &p.number))
		p.number = NAN;
	for (; at && strcmp(to->list[at - 1].name, p.name) > 0; at--)
		to->list[at] = to->list[at - 1];
	to->list[at] = p;
	to->count++;
	return ERR_OK;
}

/* "n=75000,p=16" */
static enum err_code add_list(struct study_file *f, struct study_parameters *to, const char *text, struct err *e)
{
	enum err_code code = ERR_OK;

	for (const char *from = text, *end; !code && from; from = end ? end + 1 : NULL) {
		size_t n = (end = strchr(from, ',')) ? (size_t)(end - from) : strlen(from);
		const char *equals = memchr(from, '=', n);
		const char *name = equals ? arena_strndup(&f->arena, from, (size_t)(equals - from)) : "";

		if (!equals)
			return err_set(e, ERR_USAGE, "expected NAME=VALUE,..., such as n=1000");
		if (!name)
			return err_memory(e, "the study");
		code = add_parameter(f, to, name, equals + 1, n - (size_t)(equals + 1 - from), false, e);
	}
	return code;
}

/* ---- runs and places ---- */

static struct study_source *study_file_add(struct study_file *f, uint32_t files, struct err *e)
{
	struct study_source *moved;

	if (f->run_count == STUDY_RUNS) {
		err_set(e, ERR_LIMIT, "more than %u runs", STUDY_RUNS);
		return NULL;
	}
	moved = mem_grow(f->runs, f->run_count, &f->run_cap, sizeof *f->runs);
	if (moved) {
		f->runs = moved;
		f->runs[f->run_count] = (struct study_source){.files = arena_alloc(&f->arena, files * sizeof *f->runs->files)};
	}
	if (!moved || !f->runs[f->run_count].files) {
		err_memory(e, "the study");
		return NULL;
	}
	return &f->runs[f->run_count++];
}

static struct study_parameters *add_place(struct study_file *f, struct err *e)
{
	struct study_parameters *moved = mem_grow(f->places, f->place_count, &f->place_cap, sizeof *f->places);

	if (!moved) {
		err_memory(e, "the study");
		return NULL;
	}
	f->places = moved;
	f->places[f->place_count].count = 0;
	return &f->places[f->place_count++];
}

static enum err_code prefix_option(struct err *e, const char *what, const char *text)
{
	char safe[120];

	return e->code == ERR_USAGE ? err_prefix(e, "%s%s", what, text_safe(safe, sizeof safe, text, SIZE_MAX, TEXT_UTF8)) : e->code;
}

enum err_code study_file_operand(struct study_file *f, const char *text, struct err *e)
{
	const char *at = strrchr(text, '@');
	struct study_source *run = study_file_add(f, 1, e);

	if (!run)
		return e->code;
	if (at && !strchr(at, '='))
		at = NULL;
	run->file_count = 1;
	run->files[0] = arena_strndup(&f->arena, text, at ? (size_t)(at - text) : strlen(text));
	if (!run->files[0])
		return err_memory(e, "the study");
	if (!*run->files[0]) {
		err_set(e, ERR_USAGE, "expected a file name before the @");
		return prefix_option(e, "", text);
	}
	return at && add_list(f, &run->parameters, at + 1, e) ? prefix_option(e, "", text) : ERR_OK;
}

enum err_code study_file_at(struct study_file *f, const char *text, struct err *e)
{
	struct study_parameters *place = add_place(f, e);

	if (!place)
		return e->code;
	return add_list(f, place, text, e) ? prefix_option(e, "--at ", text) : ERR_OK;
}

/* ---- out of names ---- */

static enum err_code take_groups(struct study_file *f, struct query *q, struct study_source *run, struct err *e)
{
	const char *name = path_name(run->files[0]);
	enum err_code code = ERR_OK;

	switch (query_match(q, name, strlen(name), NULL, NULL)) {
	case QUERY_GAVE_UP:
		return query_gave_up(q, e);
	case QUERY_NO:
		err_set(e, ERR_USAGE, "the pattern does not match this name");
		return prefix_option(e, "--from-name: ", name);
	case QUERY_YES:
		break;
	}
	for (uint32_t i = 0; !code && i < query_groups(q); i++) {
		size_t from, to;
		const char *group = query_group(q, i, &from, &to);

		if (from != SIZE_MAX)
			code = add_parameter(f, &run->parameters, group, name + from, to - from, false, e);
	}
	return code ? prefix_option(e, "--from-name: ", name) : ERR_OK;
}

enum err_code study_file_names(struct study_file *f, const char *pattern, struct err *e)
{
	struct query *q;
	enum err_code code = query_new(&q, pattern, QUERY_GROUPS, NULL, e);

	if (code == ERR_USAGE)
		return err_prefix(e, "--from-name");
	if (code)
		return code;
	if (!query_groups(q))
		code = err_set(e, ERR_USAGE, "--from-name: expected a named group, such as (?<class>[A-Z])");
	for (size_t i = 0; !code && i < f->run_count; i++)
		code = take_groups(f, q, &f->runs[i], e);
	query_free(q);
	return code;
}

/* ---- the file ---- */

struct study_reading {
	struct study_file *f;
	struct fields fields;
	struct model_document document;
	const char *folder;
};

static void check_keys(struct study_reading *r, const struct yaml_node *map, const char *what, const char *const *keys)
{
	if (!r->fields.code)
		r->fields.code = document_keys(&r->document, map, what, keys);
}

/* A path as the program can open it. */
static const char *path_of(struct study_reading *r, const struct yaml_node *n)
{
	size_t folder = strlen(r->folder), size = folder + strlen(n->text) + 1;
	char *path;

	if (!*n->text) {
		fields_fail(&r->fields, n->line, "empty file name");
		return "";
	}
	path = fields_room(&r->fields, size, 1);
	if (!path)
		return "";
	snprintf(path, size, "%s%s", *n->text == '/' ? "" : r->folder, n->text);
	return path;
}

static void read_parameters(struct study_reading *r, const struct yaml_node *map, const char *what, struct study_parameters *to)
{
	struct fields *f = &r->fields;

	if (f->code || !map || yaml_is_null(map))
		return;
	if (map->kind != YAML_MAP)
		fields_wrong_kind(f, map, what, "a mapping of names to values");
	for (const struct yaml_node *n = map->first; n && !f->code; n = n->next) {
		struct err why = {0};

		if (n->kind != YAML_SCALAR || yaml_is_null(n)) {
			char safe[64];

			fields_fail(f, n->line, "the parameter '%s' is %s: expected a number or a word",
				    text_safe(safe, sizeof safe, n->key, SIZE_MAX, TEXT_UTF8),
				    n->kind == YAML_SCALAR ? "empty" : yaml_kind_name(n));
		} else if (add_parameter(r->f, to, n->key, n->text, strlen(n->text), n->quoted, &why)) {
			if (why.code == ERR_MEMORY)
				fields_memory(f);
			else
				fields_fail(f, n->key_line, "%s", why.text);
		}
	}
}

static void study_read_files(struct study_reading *r, const struct fields_map *at, struct study_source *run, const struct yaml_node *file)
{
	struct fields *f = &r->fields;
	const struct yaml_node *n = file->kind == YAML_LIST ? file->first : file;

	if (file->kind == YAML_MAP || (file->kind == YAML_LIST && !file->count) || yaml_is_null(file))
		fields_wrong(f, file, at->path, "file", "a file name or a list of file names");
	for (; n && !f->code; n = file->kind == YAML_LIST ? n->next : NULL) {
		if (n->kind != YAML_SCALAR || yaml_is_null(n))
			fields_wrong_item(f, n, at, "file", run->file_count, "a file name");
		else
			run->files[run->file_count++] = path_of(r, n);
	}
}

static void read_run(struct study_reading *r, const struct fields_map *root, const struct yaml_node *item, uint32_t index)
{
	static const char *const keys[] = {"file", "name", "parameters", "result", NULL};
	struct fields *f = &r->fields;
	struct fields_map at = fields_item(f, root, "runs", index, item);
	const struct yaml_node *file, *result;
	struct study_source *run;

	if (f->code)
		return;
	check_keys(r, item, "a run", keys);
	file = fields_find(f, &at, "file");
	if (!f->code && !file)
		fields_fail(f, item->line, "%sfile is missing", at.path);
	if (f->code)
		return;
	run = study_file_add(r->f, file->kind == YAML_LIST && file->count ? file->count : 1, f->e);
	if (!run) {
		f->code = f->e->code;
		return;
	}
	study_read_files(r, &at, run, file);
	if (fields_find(f, &at, "name"))
		run->name = fields_safe_text(f, &at, "name");
	result = fields_find(f, &at, "result");
	if (result && (result->kind != YAML_SCALAR || yaml_is_null(result)))
		fields_wrong(f, result, at.path, "result", "a file name");
	else if (result)
		run->result = path_of(r, result);
	read_parameters(r, fields_find(f, &at, "parameters"), "parameters", &run->parameters);
}

static void read_place(struct study_reading *r, const struct yaml_node *item)
{
	struct study_parameters *place;

	if (r->fields.code)
		return;
	place = add_place(r->f, r->fields.e);
	if (!place)
		r->fields.code = r->fields.e->code;
	else
		read_parameters(r, item, "an item of predict", place);
}

/* By the names that options have. */
static void read_settings(struct study_reading *r, const struct yaml_node *map)
{
	struct fields *f = &r->fields;

	if (f->code || !map || yaml_is_null(map))
		return;
	if (map->kind != YAML_MAP)
		fields_wrong_kind(f, map, "settings", "a mapping of settings to values");
	for (const struct yaml_node *n = map->first; n && !f->code; n = n->next) {
		const struct setting_info *s = setting_find(n->key);
		char safe[64];
		struct err why;

		if (!s)
			fields_fail(f, n->key_line, "'%s' is not an analysis setting", text_safe(safe, sizeof safe, n->key, SIZE_MAX, TEXT_UTF8));
		else if (n->kind != YAML_SCALAR)
			fields_wrong_kind(f, n, s->key, "one value");
		else if (settings_set(&r->f->settings, s->id, n->text, &why))
			fields_fail(f, n->line, "%s", why.text);
		else
			r->f->given[s->id] = true;
	}
}

static void study_read_all(struct study_reading *r)
{
	static const char *const keys[] = {"study", "name", "settings", "runs", "predict", NULL};
	struct fields *f = &r->fields;
	struct fields_map root = fields_root(f);
	const struct yaml_node *n;
	uint32_t index = 0;

	fields_version(f, "study", "a study", 1, 1);
	if (f->code)
		return;
	check_keys(r, root.map, "a study", keys);
	if (fields_find(f, &root, "name"))
		r->f->name = fields_safe_text(f, &root, "name");
	read_settings(r, fields_find(f, &root, "settings"));
	n = fields_list(f, &root, "runs");
	if (n && !n->count)
		fields_fail(f, n->line, "expected at least one run");
	for (n = n ? n->first : NULL; n && !f->code; n = n->next)
		read_run(r, &root, n, index++);
	n = fields_find(f, &root, "predict");
	if (n && n->kind != YAML_LIST && !yaml_is_null(n))
		fields_wrong_kind(f, n, "predict", "a list of parameter sets");
	for (n = n ? n->first : NULL; n && !f->code; n = n->next)
		read_place(r, n);
}

static enum err_code read_tree(struct study_file *f, const struct yaml_in *y, const char *folder, struct err *e)
{
	struct study_reading r = {.f = f, .folder = folder, .document = {&f->arena, y, y->name, e}};

	fields_init(&r.fields, y, &f->arena, ERR_FORMAT, e);
	study_read_all(&r);
	return r.fields.code;
}

/* A study is called what its file is, unless it says something else. */
static enum err_code name_by_path(struct study_file *f, const char *path, struct err *e)
{
	const char *name = path_name(path), *dot;
	size_t n = strlen(name);

	dot = memchr(name, '.', n);
	f->name = text_keep_safe(&f->arena, name, dot && dot > name ? (size_t)(dot - name) : n);
	return f->name ? ERR_OK : err_memory(e, "the study");
}

enum err_code study_file_parse(struct study_file *f, const char *name, const char *folder, const char *text, size_t size, struct err *e)
{
	struct yaml_in y;
	enum err_code code = name_by_path(f, name, e);

	if (!code)
		code = yaml_in_init(&y, name, text, size, e);
	if (code)
		return code;
	code = read_tree(f, &y, folder, e);
	yaml_in_release(&y);
	return code;
}

enum err_code study_file_read(struct study_file *f, const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	const char *folder = arena_strndup(&f->arena, path, slash ? (size_t)(slash + 1 - path) : 0);
	struct yaml_in y;
	enum err_code code = folder ? name_by_path(f, path, e) : err_memory(e, "the study");

	if (!code)
		code = yaml_in_file(&y, path, STUDY_BYTES, e);
	if (code)
		return code;
	code = read_tree(f, &y, folder, e);
	yaml_in_release(&y);
	return code;
}

bool study_is_file(const char *path)
{
	return yaml_file_has(path, "study");
}
