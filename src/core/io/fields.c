#include "fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/text.h"

#define ITEM_TEXT 48 /* "samples[4294967295]" */

void fields_init(struct fields *f, const struct yaml_in *yaml, struct arena *arena, enum err_code mistake,
		 struct err *e)
{
	*f = (struct fields){.y = yaml, .arena = arena, .mistake = mistake, .e = e};
}

unsigned fields_version(struct fields *f, const char *key, const char *what, unsigned oldest, unsigned newest)
{
	unsigned version = 0;

	if (!f->code)
		f->code = yaml_version(f->y, key, what, oldest, newest, &version, f->e);
	return version;
}

void fields_fail(struct fields *f, uint32_t line, const char *fmt, ...)
{
	char sentence[ERR_TEXT];
	va_list ap;

	if (f->code)
		return;
	va_start(ap, fmt);
	vsnprintf(sentence, sizeof sentence, fmt, ap);
	va_end(ap);
	f->code = err_set(f->e, f->mistake, "%s: line %" PRIu32 ": %s", f->y->name, line, sentence);
}

void fields_memory(struct fields *f)
{
	if (!f->code)
		f->code = err_memory(f->e, f->y->name);
}

void fields_wrong(struct fields *f, const struct yaml_node *n, const char *path, const char *key, const char *expected)
{
	char name[FIELDS_PATH * 2], safe[sizeof name], given[80];

	if (n->kind != YAML_SCALAR) {
		snprintf(name, sizeof name, "%s%s", path, key);
		fields_wrong_kind(f, n, name, expected);
		return;
	}
	snprintf(name, sizeof name, "%s%s", path, key);
	fields_fail(f, n->line, "%s is '%s': expected %s", text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8),
		    text_safe(given, sizeof given, n->text, SIZE_MAX, TEXT_UTF8), expected);
}

void fields_wrong_kind(struct fields *f, const struct yaml_node *n, const char *path, const char *expected)
{
	char safe[128];

	fields_fail(f, n->line, "%s is %s: expected %s", text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8),
		    yaml_kind_name(n), expected);
}

static void item_name(char name[ITEM_TEXT], const char *key, uint32_t index)
{
	snprintf(name, ITEM_TEXT, "%.32s[%" PRIu32 "]", key, index);
}

void fields_wrong_item(struct fields *f, const struct yaml_node *n, const struct fields_map *at, const char *key,
		       uint32_t index, const char *expected)
{
	char name[ITEM_TEXT];

	item_name(name, key, index);
	fields_wrong(f, n, at->path, name, expected);
}

struct fields_map fields_root(struct fields *f)
{
	struct fields_map root = {.map = f->y->root};

	if (root.map && root.map->kind == YAML_MAP)
		return root;
	if (!f->code && root.map)
		fields_wrong(f, root.map, "", "the file", "a mapping");
	else if (!f->code)
		f->code = err_set(f->e, f->mistake, "%s: the file is empty: expected a mapping", f->y->name);
	return (struct fields_map){0};
}

/* The node of a key, which must be there; NULL after an error. */
static const struct yaml_node *fields_need_node(struct fields *f, const struct fields_map *at, const char *key)
{
	const struct yaml_node *n;

	if (f->code)
		return NULL;
	n = yaml_get(at->map, key);
	if (!n)
		fields_fail(f, at->map->line, "%s%s is missing", at->path, key);
	return n;
}

static const struct yaml_node *need_scalar(struct fields *f, const struct fields_map *at, const char *key,
					   const char *expected)
{
	const struct yaml_node *n = fields_need_node(f, at, key);

	if (n && (n->kind != YAML_SCALAR || yaml_is_null(n))) {
		fields_wrong(f, n, at->path, key, expected);
		return NULL;
	}
	return n;
}

static struct fields_map below(const struct fields_map *at, const struct yaml_node *map, const char *name)
{
	struct fields_map in = {.map = map};

	snprintf(in.path, sizeof in.path, "%.46s%.47s.", at->path, name);
	return in;
}

struct fields_map fields_enter(struct fields *f, const struct fields_map *at, const char *key)
{
	const struct yaml_node *n = fields_need_node(f, at, key);

	if (n && n->kind != YAML_MAP)
		fields_wrong(f, n, at->path, key, "a mapping");
	return below(at, f->code ? NULL : n, key);
}

struct fields_map fields_item(struct fields *f, const struct fields_map *at, const char *key, uint32_t index,
			      const struct yaml_node *item)
{
	char name[ITEM_TEXT];

	if (item->kind != YAML_MAP)
		fields_wrong_item(f, item, at, key, index, "a mapping");
	item_name(name, key, index);
	return below(at, f->code ? NULL : item, name);
}

const struct yaml_node *fields_find(const struct fields *f, const struct fields_map *at, const char *key)
{
	return f->code ? NULL : yaml_get(at->map, key);
}

bool fields_undefined(const struct fields *f, const struct fields_map *at, const char *key)
{
	const struct yaml_node *n = fields_find(f, at, key);

	return n && n->kind == YAML_SCALAR && !n->quoted && !strcmp(n->text, "null");
}

void *fields_room(struct fields *f, size_t n, size_t size)
{
	void *room = f->code ? NULL : arena_alloc(f->arena, n * size);

	if (!room)
		fields_memory(f);
	return room;
}

static const char *fields_keep_text(struct fields *f, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = fields_room(f, size, 1);

	return copy ? memcpy(copy, text, size) : "";
}

const char *fields_keep_safe(struct fields *f, const char *text)
{
	size_t size = strlen(text) * 3 + 1; /* as long as it gets */
	char *safe = fields_room(f, size, 1);

	return safe ? text_safe(safe, size, text, SIZE_MAX, TEXT_UTF8) : "";
}

const char *fields_word(struct fields *f, const struct fields_map *at, const char *key)
{
	const struct yaml_node *n = need_scalar(f, at, key, "a text");

	return n ? n->text : "";
}

const char *fields_text(struct fields *f, const struct fields_map *at, const char *key)
{
	const struct yaml_node *n = need_scalar(f, at, key, "a text");

	return n ? fields_keep_text(f, n->text) : "";
}

const char *fields_safe_text(struct fields *f, const struct fields_map *at, const char *key)
{
	const struct yaml_node *n = need_scalar(f, at, key, "a text");

	return n ? fields_keep_safe(f, n->text) : "";
}

static bool node_is_whole(const struct yaml_node *n, uint64_t min, uint64_t max, uint64_t *v)
{
	return n->kind == YAML_SCALAR && !n->quoted && number_parse_whole(n->text, strlen(n->text), v) && *v >= min &&
	       *v <= max;
}

static bool is_real(const struct yaml_node *n, double min, double max, double *v)
{
	return n->kind == YAML_SCALAR && !n->quoted && number_parse(n->text, strlen(n->text), v) && *v >= min && *v <= max;
}

static const char *whole_from(char expected[96], uint64_t min, uint64_t max)
{
	snprintf(expected, 96, "a whole number from %" PRIu64 " to %" PRIu64, min, max);
	return expected;
}

uint64_t fields_whole(struct fields *f, const struct fields_map *at, const char *key, uint64_t min, uint64_t max)
{
	const struct yaml_node *n = fields_need_node(f, at, key);
	char expected[96];
	uint64_t v = 0;

	if (!n || node_is_whole(n, min, max, &v))
		return v;
	fields_wrong(f, n, at->path, key, whole_from(expected, min, max));
	return 0;
}

uint32_t fields_count(struct fields *f, const struct fields_map *at, const char *key, uint32_t min, uint32_t max)
{
	return (uint32_t)fields_whole(f, at, key, min, max);
}

double fields_real(struct fields *f, const struct fields_map *at, const char *key, double min, double max)
{
	const struct yaml_node *n = fields_need_node(f, at, key);
	char expected[96], low[NUMBER_TEXT], high[NUMBER_TEXT];
	double v = 0;

	if (!n || is_real(n, min, max, &v))
		return v;
	number_format(min, low);
	number_format(max, high);
	if (isinf(max))
		snprintf(expected, sizeof expected, isinf(min) ? "a number" : "a number, %s or more", low);
	else
		snprintf(expected, sizeof expected, "a number from %s to %s", low, high);
	fields_wrong(f, n, at->path, key, expected);
	return 0;
}

double fields_figure(struct fields *f, const struct fields_map *at, const char *key, double min)
{
	return fields_undefined(f, at, key) ? (double)NAN : fields_real(f, at, key, min, INFINITY);
}

int fields_choice(struct fields *f, const struct fields_map *at, const char *key, const char *choices)
{
	const struct yaml_node *n;
	const char *choice = choices;
	char expected[96];

	snprintf(expected, sizeof expected, "one of %s", choices);
	n = need_scalar(f, at, key, expected);
	for (int i = 0; n; i++) {
		size_t length = strcspn(choice, "|");

		if (strlen(n->text) == length && !memcmp(choice, n->text, length))
			return i;
		if (!choice[length])
			break;
		choice += length + 1;
	}
	if (n)
		fields_wrong(f, n, at->path, key, expected);
	return 0;
}

bool fields_bool(struct fields *f, const struct fields_map *at, const char *key)
{
	return fields_choice(f, at, key, "false|true") == 1;
}

const struct yaml_node *fields_list(struct fields *f, const struct fields_map *at, const char *key)
{
	const struct yaml_node *n = fields_need_node(f, at, key);

	if (n && n->kind != YAML_LIST)
		fields_wrong(f, n, at->path, key, "a list");
	return f->code ? NULL : n;
}

const struct yaml_node *fields_list_of(struct fields *f, const struct fields_map *at, const char *key, uint32_t count,
				       const char *each)
{
	const struct yaml_node *n = fields_need_node(f, at, key);
	char expected[64];

	if (n && n->kind != YAML_LIST) {
		snprintf(expected, sizeof expected, "a list with one item per %s", each);
		fields_wrong(f, n, at->path, key, expected);
	} else if (n && n->count != count) {
		fields_fail(f, n->line, "%s%s has %" PRIu32 " items: expected %" PRIu32 ", one per %s", at->path, key, n->count,
			    count, each);
	}
	return f->code ? NULL : n;
}

const char **fields_safe_texts(struct fields *f, const struct fields_map *at, const char *key)
{
	const struct yaml_node *list = fields_list(f, at, key), *n = list ? list->first : NULL;
	const char **texts = list ? fields_room(f, (size_t)list->count + 1, sizeof *texts) : NULL;

	for (uint32_t i = 0; n && !f->code; i++, n = n->next)
		if (n->kind != YAML_SCALAR || yaml_is_null(n))
			fields_wrong_item(f, n, at, key, i, "a text");
		else
			texts[i] = fields_keep_safe(f, n->text);
	return f->code ? NULL : texts;
}

uint32_t fields_item_count(struct fields *f, const struct fields_map *at, const char *key, uint32_t index,
			   const struct yaml_node *item, uint32_t min, uint32_t max)
{
	char expected[96];
	uint64_t v = 0;

	if (f->code || node_is_whole(item, min, max, &v))
		return (uint32_t)v;
	fields_wrong_item(f, item, at, key, index, whole_from(expected, min, max));
	return 0;
}

uint32_t *fields_counts(struct fields *f, const struct fields_map *at, const char *key, uint32_t count, const char *each,
			const uint32_t *least)
{
	const struct yaml_node *list = fields_list_of(f, at, key, count, each), *n = list ? list->first : NULL;
	uint32_t *v = list ? fields_room(f, count, sizeof *v) : NULL;
	char expected[96];

	for (uint32_t i = 0; n && !f->code; i++, n = n->next) {
		uint64_t one;

		if (node_is_whole(n, least ? least[i] : 0, UINT32_MAX, &one))
			v[i] = (uint32_t)one;
		else
			fields_wrong_item(f, n, at, key, i, whole_from(expected, least ? least[i] : 0, UINT32_MAX));
	}
	return f->code ? NULL : v;
}

double *fields_reals(struct fields *f, const struct fields_map *at, const char *key, uint32_t count, const char *each)
{
	const struct yaml_node *list = fields_list_of(f, at, key, count, each), *n = list ? list->first : NULL;
	double *v = list ? fields_room(f, count, sizeof *v) : NULL;

	for (uint32_t i = 0; n && !f->code; i++, n = n->next)
		if (!is_real(n, -INFINITY, INFINITY, &v[i]))
			fields_wrong_item(f, n, at, key, i, "a number");
	return f->code ? NULL : v;
}
