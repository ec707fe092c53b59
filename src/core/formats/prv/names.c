#include "prv_int.h"

#include <ctype.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/io/regular.h"
#include "core/io/source.h"
#include "core/team/team.h"
#include "core/team/team_pack.h"

#define NAMES_MOST ((size_t)16 << 20) /* bytes of a file of names */

struct name {
	const char *text;
	size_t n;
};

struct prv_names {
	char *pcf, *row;       /* NULL: not its own */
	size_t pcf_size, row_size;
	struct name *list;
	uint32_t count;
	size_t cap;
	struct map *types, *values, *states, *nodes; /* index + 1 */
	struct map *block_of;  /* of a type: types of a block share its values */
	uint32_t blocks;
	bool failed;
};

/* ---- lines ---- */

struct names_text {
	const char *p, *end;
};

static struct names_text next_line(struct names_text *rest)
{
	const char *end = memchr(rest->p, '\n', (size_t)(rest->end - rest->p));
	struct names_text line = {rest->p, end ? end : rest->end};

	rest->p = end ? end + 1 : rest->end;
	while (line.end > line.p && isspace((unsigned char)line.end[-1]))
		line.end--;
	while (line.p < line.end && isspace((unsigned char)*line.p))
		line.p++;
	return line;
}

static bool is_word(struct names_text line, const char *word)
{
	return (size_t)(line.end - line.p) == strlen(word) && !memcmp(line.p, word, strlen(word));
}

/* A number and the blanks behind it. */
static bool take_number(struct names_text *line, uint64_t *v)
{
	const char *end = line->p;

	while (end < line->end && isdigit((unsigned char)*end))
		end++;
	if (end == line->p || (end < line->end && !isspace((unsigned char)*end)) || !number_parse_whole(line->p, (size_t)(end - line->p), v))
		return false;
	while (end < line->end && isspace((unsigned char)*end))
		end++;
	line->p = end;
	return true;
}

static void names_add_text(struct prv_names *names, struct map *map, uint64_t a, uint64_t b, struct names_text text)
{
	uint32_t *at = map_at(map, a, b);
	struct name *list;

	if (at && *at)
		return;
	list = at ? mem_grow(names->list, names->count, &names->cap, sizeof *list) : NULL;
	if (!list) {
		names->failed = true;
		return;
	}
	names->list = list;
	list[names->count] = (struct name){text.p, (size_t)(text.end - text.p)};
	*at = ++names->count;
}

/* ---- .pcf ---- */

enum section { NOTHING, STATES, EVENT_TYPES, VALUES };

static void add_type(struct prv_names *names, uint64_t type, struct names_text line)
{
	uint32_t *at = map_at(names->block_of, type, 0);

	names_add_text(names, names->types, type, 0, line);
	if (!at)
		names->failed = true;
	else if (!*at)
		*at = names->blocks;
}

static enum section pcf_line(struct prv_names *names, enum section section, struct names_text line)
{
	uint64_t number, type;

	if (is_word(line, "EVENT_TYPE")) {
		names->blocks++;
		return EVENT_TYPES;
	}
	if (is_word(line, "VALUES") && section == EVENT_TYPES)
		return VALUES;
	if (is_word(line, "STATES"))
		return STATES;
	if (line.p == line.end)
		return section == EVENT_TYPES ? EVENT_TYPES : NOTHING;
	if (!take_number(&line, &number))
		return NOTHING;
	if (section == STATES)
		names_add_text(names, names->states, number, 0, line);
	else if (section == VALUES)
		names_add_text(names, names->values, names->blocks, number, line);
	else if (section == EVENT_TYPES && take_number(&line, &type))
		add_type(names, type, line);
	return section;
}

static void parse_pcf(struct prv_names *names, struct names_text pcf)
{
	enum section section = NOTHING;

	while (pcf.p < pcf.end)
		section = pcf_line(names, section, next_line(&pcf));
}

/* ---- .row ---- */

/* "LEVEL NODE SIZE 2", then a name a line. */
static void parse_row(struct prv_names *names, struct names_text row)
{
	uint64_t node = 0, size = 0;

	while (row.p < row.end) {
		struct names_text line = next_line(&row);

		if (line.end - line.p > 6 && !memcmp(line.p, "LEVEL ", 6)) {
			const char *at = memmem(line.p, (size_t)(line.end - line.p), "SIZE ", 5);
			struct names_text number = {at ? at + 5 : line.end, line.end};
			bool nodes = line.end - line.p > 11 && !memcmp(line.p, "LEVEL NODE ", 11);

			node = 0;
			if (!nodes || !take_number(&number, &size))
				size = 0;
		} else if (node < size && line.p < line.end) {
			names_add_text(names, names->nodes, ++node, 0, line);
		}
	}
}

/* ---- the whole ---- */

static enum err_code names_new(struct prv_names **out, struct err *e)
{
	struct prv_names *names = mem_zero(1, sizeof *names);

	*out = NULL;
	if (!names)
		return err_memory(e, "names");
	names->types = map_new();
	names->values = map_new();
	names->states = map_new();
	names->nodes = map_new();
	names->block_of = map_new();
	if (!names->types || !names->values || !names->states || !names->nodes || !names->block_of) {
		prv_names_free(names);
		return err_memory(e, "names");
	}
	*out = names;
	return ERR_OK;
}

static enum err_code parse(struct prv_names **names, struct names_text pcf, struct names_text row, struct err *e)
{
	if (pcf.p)
		parse_pcf(*names, pcf);
	if (row.p)
		parse_row(*names, row);
	if (!(*names)->failed)
		return ERR_OK;
	prv_names_free(*names);
	*names = NULL;
	return err_memory(e, "names");
}

enum err_code prv_names_parse(struct prv_names **out, const char *pcf, size_t pcf_size, const char *row, size_t row_size, struct err *e)
{
	enum err_code code = names_new(out, e);

	if (code)
		return code;
	return parse(out, (struct names_text){pcf, pcf ? pcf + pcf_size : NULL}, (struct names_text){row, row ? row + row_size : NULL}, e);
}

/* The file beside the trace of this path, for mem_free(); NULL: no memory. */
static char *path_beside(const char *path, const char *ending)
{
	static const char *const endings[] = {".gz", ".xz", ".zst", ".prv"};
	size_t n = strlen(path);
	char *name = mem_alloc(n + strlen(ending) + 1, 1);

	if (!name)
		return NULL;
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t m = strlen(endings[i]);

		if (n > m && !memcmp(path + n - m, endings[i], m))
			n -= m;
	}
	memcpy(name, path, n);
	strcpy(name + n, ending);
	return name;
}

/* The file beside the trace, whole; NULL: it is not there, or is not to be read. */
static char *read_beside(const char *path, const char *ending, size_t *size)
{
	char *name = path_beside(path, ending), *bytes = NULL;
	struct err e;

	if (!name || regular_read(name, NAMES_MOST, &bytes, size, &e))
		bytes = NULL;
	mem_free(name);
	return bytes;
}

void prv_parts(const char *path, format_part *part, void *arg)
{
	static const char *const endings[] = {".pcf", ".row"};
	bool more = true;

	for (size_t i = 0; more && i < sizeof endings / sizeof *endings; i++) {
		char *name = path_beside(path, endings[i]);

		more = name && part(arg, name);
		mem_free(name);
	}
}

enum err_code prv_names_load(struct prv_names **out, const char *path, struct err *e)
{
	enum err_code code = names_new(out, e);
	struct prv_names *names = *out;

	if (code || !path)
		return code;
	names->pcf = read_beside(path, ".pcf", &names->pcf_size);
	names->row = read_beside(path, ".row", &names->row_size);
	return parse(out, (struct names_text){names->pcf, names->pcf ? names->pcf + names->pcf_size : NULL},
		     (struct names_text){names->row, names->row ? names->row + names->row_size : NULL}, e);
}

static enum err_code put_fact(struct team_pack *facts, const char *name, const char *bytes, size_t size, struct err *e)
{
	char text[SOURCE_SAMPLE] = "not there";
	struct source source;
	enum err_code code = bytes ? source_open_memory(&source, name, bytes, size, e) : ERR_OK;

	if (!code && bytes) {
		code = source_sample(&source, text, e);
		source_release(&source);
	}
	team_fact(facts, name, text);
	return code;
}

enum err_code prv_names_facts(const struct prv_names *names, struct team_pack *facts, struct err *e)
{
	enum err_code code = put_fact(facts, "the .pcf file next to the trace", names->pcf, names->pcf_size, e);

	return code ? code : put_fact(facts, "the .row file next to the trace", names->row, names->row_size, e);
}

void prv_names_free(struct prv_names *names)
{
	if (!names)
		return;
	mem_free(names->pcf);
	mem_free(names->row);
	mem_free(names->list);
	map_free(names->types);
	map_free(names->values);
	map_free(names->states);
	map_free(names->nodes);
	map_free(names->block_of);
	mem_free(names);
}

static const char *names_find_text(const struct prv_names *names, const struct map *map, uint64_t a, uint64_t b, size_t *n)
{
	uint32_t at = map_get(map, a, b);

	*n = at ? names->list[at - 1].n : 0;
	return *n ? names->list[at - 1].text : NULL;
}

const char *prv_name_of_type(const struct prv_names *names, uint64_t type, size_t *n)
{
	return names_find_text(names, names->types, type, 0, n);
}

const char *prv_name_of_value(const struct prv_names *names, uint64_t type, uint64_t value, size_t *n)
{
	uint32_t block = map_get(names->block_of, type, 0);

	*n = 0;
	return block ? names_find_text(names, names->values, block, value, n) : NULL;
}

const char *prv_name_of_state(const struct prv_names *names, uint64_t state, size_t *n)
{
	return names_find_text(names, names->states, state, 0, n);
}

const char *prv_name_of_node(const struct prv_names *names, uint32_t node, size_t *n)
{
	return names_find_text(names, names->nodes, node, 0, n);
}

uint64_t prv_type_of_name(const struct prv_names *names, const char *name, uint64_t first, uint64_t end)
{
	uint64_t type, zero;
	uint32_t at;

	for (size_t i = 0; map_each(names->types, &i, &type, &zero, &at);) {
		const struct name *of = &names->list[at - 1];
		size_t n = 0;

		while (n < of->n && !isspace((unsigned char)of->text[n]))
			n++;
		if (type >= first && type < end && n == strlen(name) && !memcmp(of->text, name, n))
			return type;
	}
	return 0;
}
