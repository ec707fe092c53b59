#include "yaml_in.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

#include "core/base/number.h"
#include "regular.h"
#include "core/base/text.h"

#define LOOKED_AT 4096 /* bytes of a file that is not read */
#define MOST_KEYS 4096 /* in a mapping: each is compared with those before it */

struct yaml_reader {
	struct yaml_in *y;
	yaml_parser_t parser;
	struct err *e;
};

static uint32_t line_of(yaml_mark_t mark)
{
	return (uint32_t)mark.line + 1;
}

/* Where a text's first character stands, if the others stand behind it one by one. */
static uint32_t column_of(const yaml_event_t *event)
{
	uint32_t column = (uint32_t)event->start_mark.column + 1, quotes = 0;
	size_t characters = 0;

	if (event->type != YAML_SCALAR_EVENT)
		return column;
	if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
		quotes = 1;
	for (size_t i = 0; i < event->data.scalar.length; i++)
		characters += (event->data.scalar.value[i] & 0xc0) != 0x80;
	if (event->start_mark.line != event->end_mark.line ||
	    event->end_mark.column != event->start_mark.column + characters + 2 * quotes)
		return 0;
	return column + quotes;
}

static enum err_code at_line(struct yaml_reader *r, uint32_t line, const char *what)
{
	return err_set(r->e, ERR_FORMAT, "%s: line %u: %s", r->y->name, line, what);
}

static enum err_code next_event(struct yaml_reader *r, yaml_event_t *event)
{
	const yaml_parser_t *p = &r->parser;
	uint32_t line;

	if (yaml_parser_parse(&r->parser, event))
		return ERR_OK;
	if (p->error == YAML_MEMORY_ERROR)
		return err_memory(r->e, r->y->name);
	line = line_of(p->problem_mark.line ? p->problem_mark : p->mark);
	if (p->error == YAML_READER_ERROR)
		return err_set(r->e, ERR_FORMAT, "%s: byte %zu: not text: %s", r->y->name, p->problem_offset,
			       p->problem ? p->problem : "unreadable");
	return err_set(r->e, ERR_FORMAT, "%s: line %u: not YAML: %s", r->y->name, line,
		       p->problem ? p->problem : "unreadable");
}

static const char *scalar_text(struct yaml_reader *r, const yaml_event_t *event, enum err_code *code)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t n = event->data.scalar.length;
	const char *copy;

	if (memchr(text, '\0', n)) {
		*code = at_line(r, line_of(event->start_mark), "the text contains a NUL character");
		return NULL;
	}
	copy = arena_strndup(&r->y->arena, text, n);
	*code = copy ? ERR_OK : err_memory(r->e, r->y->name);
	return copy;
}

static bool anchored(const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_ALIAS_EVENT: return true;
	case YAML_SCALAR_EVENT: return event->data.scalar.anchor != NULL;
	case YAML_SEQUENCE_START_EVENT: return event->data.sequence_start.anchor != NULL;
	case YAML_MAPPING_START_EVENT: return event->data.mapping_start.anchor != NULL;
	default: return false;
	}
}

static enum err_code make_node(struct yaml_reader *r, const yaml_event_t *event, struct yaml_node **out)
{
	struct yaml_node *n;
	enum err_code code = ERR_OK;

	if (anchored(event))
		return at_line(r, line_of(event->start_mark),
			       "anchors and aliases are not accepted; write the value out");
	n = arena_alloc(&r->y->arena, sizeof *n);
	if (!n)
		return err_memory(r->e, r->y->name);
	n->line = line_of(event->start_mark);
	n->column = column_of(event);
	if (event->type == YAML_SCALAR_EVENT) {
		n->kind = YAML_SCALAR;
		n->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
		n->text = scalar_text(r, event, &code);
	} else {
		n->kind = event->type == YAML_MAPPING_START_EVENT ? YAML_MAP : YAML_LIST;
	}
	*out = n;
	return code;
}

/* The open mappings and lists, innermost last. */
struct yaml_level {
	struct yaml_node *node, *last;
	const char *key;         /* read, its value not yet */
	uint32_t key_line, key_column;
};

static enum err_code take_key(struct yaml_reader *r, struct yaml_level *l, const yaml_event_t *event)
{
	enum err_code code;
	char safe[64];

	if (event->type != YAML_SCALAR_EVENT || anchored(event))
		return at_line(r, line_of(event->start_mark), "a key must be a plain word");
	l->key = scalar_text(r, event, &code);
	l->key_line = line_of(event->start_mark);
	l->key_column = column_of(event);
	if (code)
		return code;
	if (l->node->count == MOST_KEYS)
		return at_line(r, l->key_line, "too many keys in one mapping");
	for (const struct yaml_node *n = l->node->first; n; n = n->next)
		if (!strcmp(n->key, l->key))
			return err_set(r->e, ERR_FORMAT, "%s: line %u: the key '%s' appears twice, first in line %u",
				       r->y->name, l->key_line,
				       text_safe(safe, sizeof safe, l->key, SIZE_MAX, TEXT_UTF8), n->key_line);
	return ERR_OK;
}

static void level_put_node(struct yaml_level *l, struct yaml_node *n)
{
	n->key = l->key;
	n->key_line = l->key ? l->key_line : n->line;
	n->key_column = l->key ? l->key_column : n->column;
	l->key = NULL;
	if (l->last)
		l->last->next = n;
	else
		l->node->first = n;
	l->last = n;
	l->node->count++;
}

/* One event inside the document; *depth 0 again means that the root is complete. */
static enum err_code reader_take_event(struct yaml_reader *r, struct yaml_level *levels, unsigned *depth, const yaml_event_t *event)
{
	struct yaml_level *l = *depth ? &levels[*depth - 1] : NULL;
	struct yaml_node *n = NULL;
	enum err_code code;

	if (event->type == YAML_MAPPING_END_EVENT || event->type == YAML_SEQUENCE_END_EVENT) {
		--*depth;
		return ERR_OK;
	}
	if (l && l->node->kind == YAML_MAP && !l->key)
		return take_key(r, l, event);
	code = make_node(r, event, &n);
	if (code)
		return code;
	if (l)
		level_put_node(l, n);
	else
		r->y->root = n;
	if (n->kind == YAML_SCALAR)
		return ERR_OK;
	if (*depth == YAML_DEPTH)
		return at_line(r, n->line, "nested too deeply");
	levels[*depth] = (struct yaml_level){.node = n};
	++*depth;
	return ERR_OK;
}

static enum err_code reader_read_all(struct yaml_reader *r)
{
	struct yaml_level levels[YAML_DEPTH];
	unsigned depth = 0;
	bool done = false;

	while (!done) {
		yaml_event_t event;
		enum err_code code = next_event(r, &event);

		if (code)
			return code;
		switch (event.type) {
		case YAML_STREAM_END_EVENT:
			done = true;
			break;
		case YAML_NO_EVENT:
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		case YAML_DOCUMENT_START_EVENT:
			if (r->y->root)
				code = at_line(r, line_of(event.start_mark),
					       "a second document starts here: expected only one");
			break;
		default:
			code = reader_take_event(r, levels, &depth, &event);
		}
		yaml_event_delete(&event);
		if (code)
			return code;
	}
	return ERR_OK;
}

enum err_code yaml_in_init(struct yaml_in *yaml, const char *name, const char *text, size_t size, struct err *e)
{
	struct yaml_reader r = {.y = yaml, .e = e};
	char safe[256];
	enum err_code code;

	yaml->root = NULL;
	arena_init(&yaml->arena);
	text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8);
	yaml->name = arena_strndup(&yaml->arena, safe, strlen(safe));
	if (!yaml->name)
		return err_memory(e, "a YAML document");
	if (!yaml_parser_initialize(&r.parser)) {
		yaml_in_release(yaml);
		return err_memory(e, "a YAML document");
	}
	/* The parser takes the mark that some programs begin UTF-8 with for text when it is told the encoding. */
	if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
		text = (const char *)text + 3;
		size -= 3;
	}
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, size);
	code = reader_read_all(&r);
	yaml_parser_delete(&r.parser);
	if (code)
		yaml_in_release(yaml);
	return code;
}

enum err_code yaml_in_file(struct yaml_in *yaml, const char *path, size_t most, struct err *e)
{
	enum err_code code;
	char *text;
	size_t size;

	*yaml = (struct yaml_in){0};
	code = regular_read(path, most, &text, &size, e);
	if (code)
		return code;
	code = yaml_in_init(yaml, path, text, size, e);
	mem_free(text);
	return code;
}

void yaml_in_release(struct yaml_in *yaml)
{
	arena_release(&yaml->arena);
	yaml->root = NULL;
	yaml->name = NULL;
}

const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key)
{
	if (!map || map->kind != YAML_MAP)
		return NULL;
	for (const struct yaml_node *n = map->first; n; n = n->next)
		if (!strcmp(n->key, key))
			return n;
	return NULL;
}

enum err_code yaml_version(const struct yaml_in *yaml, const char *key, const char *what, unsigned oldest, unsigned newest,
			   unsigned *version, struct err *e)
{
	const struct yaml_node *n = yaml_get(yaml->root, key);
	char safe[64], and_newest[32] = "";
	uint64_t v;

	if (!n)
		return err_set(e, ERR_FORMAT, "%s: not %s: the key '%s' is missing", yaml->name, what, key);
	if (n->kind != YAML_SCALAR)
		return err_set(e, ERR_FORMAT, "%s: line %u: %s is %s: expected a version number", yaml->name,
			       n->line, key, yaml_kind_name(n));
	text_safe(safe, sizeof safe, n->text, SIZE_MAX, TEXT_UTF8);
	if (n->quoted || !*n->text || n->text[strspn(n->text, "0123456789")])
		return err_set(e, ERR_FORMAT, "%s: line %u: %s is '%s': expected a version number", yaml->name, n->line,
			       key, safe);
	if (oldest < newest)
		snprintf(and_newest, sizeof and_newest, " %s %u", newest - oldest == 1 ? "and" : "to", newest);
	if (!number_parse_whole(n->text, strlen(n->text), &v) || v < oldest || v > newest)
		return err_set(e, ERR_FORMAT, "%s: line %u: %s has version %s, but this pas2p reads version%s "
			       "%u%s", yaml->name,
			       n->line, what, safe, oldest < newest ? "s" : "", oldest, and_newest);
	*version = (unsigned)v;
	return ERR_OK;
}

bool yaml_file_has(const char *path, const char *key)
{
	char head[LOOKED_AT + 2], line[64];
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = 0;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = pread(fd, head + 1, LOOKED_AT, 0);
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	*head = '\n'; /* so that the first line is as any other */
	head[n + 1] = '\0';
	snprintf(line, sizeof line, "\n%s:", key);
	return strstr(head, line) != NULL;
}

bool yaml_is_null(const struct yaml_node *n)
{
	return n->kind == YAML_SCALAR && !n->quoted &&
	       (!*n->text || !strcmp(n->text, "~") || !strcasecmp(n->text, "null"));
}

const char *yaml_kind_name(const struct yaml_node *n)
{
	return n->kind == YAML_MAP ? "a mapping" : n->kind == YAML_LIST ? "a list" : "a value";
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Starts with a digit, but is no number and no date in any notation: letters and digits only, some letter that
 * is no exponent's, and no prefix of another base. */
static bool is_digest_like(const char *text)
{
	bool letter = false;

	if (text[0] == '0' && is_letter(text[1]) && strchr("xXoObB", text[1]))
		return false;
	for (; *text; text++) {
		if (!is_digit(*text) && !is_letter(*text))
			return false;
		letter = letter || (is_letter(*text) && *text != 'e' && *text != 'E');
	}
	return letter;
}

bool yaml_needs_quotes(const char *text)
{
	static const char *const words[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+";
	size_t n = strlen(text);

	/* A letter first and only harmless characters after it: most else is quoted rather than thought about. */
	if (strspn(text, plain) != n)
		return true;
	if (is_digit(text[0]))
		return !is_digest_like(text);
	if (!is_letter(text[0]))
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcasecmp(text, words[i]))
			return true;
	return false;
}
