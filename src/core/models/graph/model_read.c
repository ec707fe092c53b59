#include "model_read.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/index.h"
#include "core/base/text.h"
#include "graph_int.h"

/* What names stand for; each kind has names of its own. */
enum defined { DEFINED_PARAMETER, DEFINED_RESOURCE, DEFINED_FUNCTION, DEFINED_BLOCK, DEFINED_KINDS };

static const char *const defined_names[DEFINED_KINDS] = {"parameter", "resource", "function", "block"};

struct definition {
	enum defined kind;
	union {
		struct model_parameter parameter;
		struct model_resource resource;
		struct function function;
		struct model_block block;
	};
	const char *name;
	struct place at;
	const struct source_file *file;
};

/* A file that is read, and who includes it. */
struct source_file {
	struct model_document d;
	const char *path;                /* NULL: a text that has none */
	const struct source_file *parent;
};

struct identity {
	dev_t device;
	ino_t inode;
	bool open; /* being read: to include it is a circle */
};

struct model_reader {
	struct program_model *m;
	struct err *e;
	struct definition *definitions;
	size_t count, cap;
	struct index by_name;
	struct identity files[MODEL_FILES];
	uint32_t file_count;
};

static enum err_code read_file(struct model_reader *r, const char *path, const struct source_file *parent);

static uint64_t hash_name(enum defined kind, const char *name)
{
	return hash_text(hash_mix(0, kind), name);
}

static bool same_definition(const void *records, uint32_t i, const void *key)
{
	const struct definition *a = (const struct definition *)records + i, *b = key;

	return a->kind == b->kind && !strcmp(a->name, b->name);
}

static uint64_t hash_definition(const void *records, uint32_t i)
{
	const struct definition *a = (const struct definition *)records + i;

	return hash_name(a->kind, a->name);
}

static bool is_around(const struct source_file *outer, const struct source_file *file)
{
	for (const struct source_file *f = file->parent; f; f = f->parent)
		if (f == outer)
			return true;
	return false;
}

/* Takes a definition, unless a file around has one of the name. */
static enum err_code define(struct model_reader *r, const struct definition *made)
{
	struct definition *grown = mem_grow(r->definitions, r->count, &r->cap, sizeof *grown);
	const struct definition *there;
	uint32_t *slot;

	if (!grown)
		return err_memory(r->e, "a model");
	r->definitions = grown;
	slot = index_slot(&r->by_name, hash_name(made->kind, made->name), r->definitions, (uint32_t)r->count, same_definition,
			  hash_definition, made);
	if (!slot)
		return err_memory(r->e, "a model");
	if (!*slot) {
		r->definitions[r->count++] = *made;
		*slot = (uint32_t)r->count;
		return ERR_OK;
	}
	there = &r->definitions[*slot - 1];
	if (is_around(there->file, made->file) || (there->file != made->file && made->kind <= DEFINED_RESOURCE))
		return ERR_OK;
	if (there->file == made->file)
		return place_err(&made->at, ERR_FORMAT, r->e, "the %s '%s' is defined twice, first in line %u",
				 defined_names[made->kind], made->name, there->at.line);
	return place_err(&made->at, ERR_FORMAT, r->e, "the %s '%s' is also defined in %s, line "
			 "%u", defined_names[made->kind],
			 made->name, there->at.file, there->at.line);
}

/* A name with a value each: parameters and resources. */
static enum err_code read_values(struct model_reader *r, const struct source_file *f, const char *key,
				 enum defined kind, const char *what)
{
	const struct yaml_node *map = yaml_get(f->d.yaml->root, key);
	enum err_code code = ERR_OK;

	if (map && map->kind != YAML_MAP)
		return document_expected(&f->d, map, "names with values, such as {n: 400}");
	for (const struct yaml_node *n = map ? map->first : NULL; n && !code; n = n->next) {
		struct definition made = {.kind = kind, .file = f, .at = document_key_place(&f->d, n)};
		const struct expression *x;

		code = document_name(&f->d, &made.at, n->key, what, &made.name);
		if (!code)
			code = document_expression(&f->d, n, &x);
		if (code)
			break;
		if (kind == DEFINED_PARAMETER)
			made.parameter = (struct model_parameter){made.name, x, made.at};
		else
			made.resource = (struct model_resource){made.name, x, made.at};
		code = define(r, &made);
	}
	return code;
}

static enum err_code read_functions(struct model_reader *r, const struct source_file *f)
{
	const struct yaml_node *map = yaml_get(f->d.yaml->root, "functions");
	struct expression_functions list = {.count = 0};
	enum err_code code = map ? document_functions(&f->d, map, &list) : ERR_OK;

	for (uint32_t i = 0; i < list.count && !code; i++) {
		struct definition made = {.kind = DEFINED_FUNCTION, .file = f, .name = list.items[i].name, .at = list.items[i].at};

		made.function = list.items[i];
		code = define(r, &made);
	}
	return code;
}

static enum err_code read_blocks(struct model_reader *r, const struct source_file *f)
{
	const struct yaml_node *map = yaml_get(f->d.yaml->root, "blocks");
	enum err_code code = ERR_OK;

	if (map && map->kind != YAML_MAP)
		return document_expected(&f->d, map, "blocks, such as exchange(b): [...]");
	for (const struct yaml_node *n = map ? map->first : NULL; n && !code; n = n->next) {
		struct definition made = {.kind = DEFINED_BLOCK, .file = f, .at = document_key_place(&f->d, n)};
		struct model_signature s;

		code = document_signature(&f->d, n, "a block", &s);
		if (code)
			break;
		made.name = s.name;
		made.block = (struct model_block){.name = s.name, .arguments = s.arguments, .argument_count = s.count,
						  .place = made.at};
		code = nodes_read(&f->d, n, &made.block.body);
		if (!code)
			code = define(r, &made);
	}
	return code;
}

/* The path of an included file: from the folder of the file that names it. */
static char *path_beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash && name[0] != '/' ? (size_t)(slash - path) + 1 : 0, n = strlen(name);
	char *joined = mem_alloc(folder + n + 1, 1);

	if (!joined)
		return NULL;
	memcpy(joined, path, folder);
	memcpy(joined + folder, name, n + 1);
	return joined;
}

static enum err_code include_one(struct model_reader *r, const struct source_file *f, const struct yaml_node *n)
{
	char *path;
	enum err_code code;

	if (n->kind != YAML_SCALAR || yaml_is_null(n))
		return document_expected(&f->d, n, "the path of a file");
	if (!f->path)
		return document_fail(&f->d, n, "only a model in a file can include files");
	path = path_beside(f->path, n->text);
	if (!path)
		return err_memory(r->e, "the path of a file");
	code = read_file(r, path, f);
	if (code && code != ERR_MEMORY)
		code = err_prefix(r->e, "%s: line %u: include", f->d.file, n->line);
	mem_free(path);
	return code;
}

static enum err_code read_includes(struct model_reader *r, const struct source_file *f)
{
	const struct yaml_node *list = yaml_get(f->d.yaml->root, "include");
	enum err_code code = ERR_OK;

	if (!list)
		return ERR_OK;
	if (list->kind != YAML_LIST)
		return include_one(r, f, list);
	for (const struct yaml_node *n = list->first; n && !code; n = n->next)
		code = include_one(r, f, n);
	return code;
}

/* Of the outermost file: name and program. */
static enum err_code read_own(struct model_reader *r, const struct source_file *f, bool functions_only)
{
	const struct yaml_node *name = yaml_get(f->d.yaml->root, "name"), *program = yaml_get(f->d.yaml->root, "program");
	enum err_code code = name ? document_text(&f->d, name, &r->m->name) : ERR_OK;

	if (code || functions_only)
		return code;
	if (!program)
		return err_set(r->e, ERR_FORMAT, "%s: the model has no 'program', the list of steps of each "
			       "process", f->d.file);
	return nodes_read(&f->d, program, &r->m->program);
}

static enum err_code model_read_document(struct model_reader *r, const struct source_file *f)
{
	static const char *const model_keys[] = {"pas2p_model", "name", "parameters", "resources", "functions", "blocks",
						 "program", "include", NULL};
	static const char *const function_keys[] = {"pas2p_functions", "name", "functions", "blocks", "include", NULL};
	const struct yaml_in *y = f->d.yaml;
	bool functions_only = !yaml_get(y->root, "pas2p_model") && yaml_get(y->root, "pas2p_functions");
	unsigned version;
	enum err_code code = functions_only ? yaml_version(y, "pas2p_functions", "a file of functions", 1, 1, &version, r->e) :
			     yaml_version(y, "pas2p_model", "a model", 1, 1, &version, r->e);

	if (!code)
		code = document_keys(&f->d, y->root, functions_only ? "a file of functions" : "a model",
				     functions_only ? function_keys : model_keys);
	if (!code)
		code = read_values(r, f, "parameters", DEFINED_PARAMETER, "a parameter");
	if (!code)
		code = read_values(r, f, "resources", DEFINED_RESOURCE, "a resource");
	if (!code)
		code = read_functions(r, f);
	if (!code)
		code = read_blocks(r, f);
	if (!code && !f->parent)
		code = read_own(r, f, functions_only);
	return code ? code : read_includes(r, f);
}

static enum err_code read_yaml(struct model_reader *r, struct yaml_in *y, const char *path,
			       const struct source_file *parent)
{
	struct source_file *f = arena_alloc(&r->m->arena, sizeof *f);
	const char *name = f ? arena_strndup(&r->m->arena, y->name, strlen(y->name)) : NULL;
	enum err_code code;

	if (!name)
		return err_memory(r->e, "a model");
	*f = (struct source_file){.d = {.arena = &r->m->arena, .yaml = y, .file = name, .e = r->e}, .path = path,
				  .parent = parent};
	if (!parent)
		r->m->file = name;
	code = model_read_document(r, f);
	f->d.yaml = NULL;
	f->path = NULL;
	return code;
}

/* Notes that a file is read from now on; *known: it was. */
static enum err_code note_file(struct model_reader *r, const char *path, bool *known)
{
	struct stat st;
	char safe[256];

	*known = false;
	if (stat(path, &st)) /* opening it says why */
		st = (struct stat){0};
	text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8);
	for (uint32_t i = 0; i < r->file_count; i++)
		if (r->files[i].device == st.st_dev && r->files[i].inode == st.st_ino) {
			*known = true;
			return !r->files[i].open ? ERR_OK :
			       err_set(r->e, ERR_FORMAT, "%s includes itself, or a file that includes it", safe);
		}
	if (r->file_count == MODEL_FILES)
		return err_set(r->e, ERR_LIMIT, "%s: more than %d included files", safe, MODEL_FILES);
	if (!r->m->files)
		r->m->files = arena_alloc(&r->m->arena, MODEL_FILES * sizeof *r->m->files);
	if (!r->m->files || !(r->m->files[r->m->file_count] = arena_strndup(&r->m->arena, path, strlen(path))))
		return err_memory(r->e, "a model");
	r->m->file_count++;
	r->files[r->file_count++] = (struct identity){.device = st.st_dev, .inode = st.st_ino, .open = true};
	return ERR_OK;
}

static enum err_code read_file(struct model_reader *r, const char *path, const struct source_file *parent)
{
	uint32_t own = r->file_count;
	struct yaml_in y;
	bool known;
	enum err_code code = note_file(r, path, &known);

	if (code || known)
		return code;
	code = yaml_in_file(&y, path, MODEL_FILE_MOST, r->e);
	if (code)
		return code;
	code = read_yaml(r, &y, path, parent);
	yaml_in_release(&y);
	r->files[own].open = false;
	return code;
}

/* p always exists. */
static enum err_code define_processes(struct model_reader *r)
{
	static const struct source_file nowhere = {.parent = NULL};
	struct definition p = {.kind = DEFINED_PARAMETER, .name = "p", .at = {.file = r->m->file, .line = 1},
			       .file = &nowhere};

	p.parameter = (struct model_parameter){"p", expression_number(&r->m->arena, 1, p.at), p.at};
	return p.parameter.value ? define(r, &p) : err_memory(r->e, "a model");
}

static enum err_code definitions_keep(struct model_reader *r)
{
	struct program_model *m = r->m;
	size_t counts[DEFINED_KINDS] = {0};

	for (size_t i = 0; i < r->count; i++)
		counts[r->definitions[i].kind]++;
	m->parameters = arena_alloc(&m->arena, (counts[DEFINED_PARAMETER] + 1) * sizeof *m->parameters);
	m->resources = arena_alloc(&m->arena, (counts[DEFINED_RESOURCE] + 1) * sizeof *m->resources);
	m->functions.items = arena_alloc(&m->arena, (counts[DEFINED_FUNCTION] + 1) * sizeof *m->functions.items);
	m->blocks = arena_alloc(&m->arena, (counts[DEFINED_BLOCK] + 1) * sizeof *m->blocks);
	if (!m->parameters || !m->resources || !m->functions.items || !m->blocks)
		return err_memory(r->e, "a model");
	for (size_t i = 0; i < r->count; i++) {
		const struct definition *made = &r->definitions[i];

		switch (made->kind) {
		case DEFINED_PARAMETER: m->parameters[m->parameter_count++] = made->parameter; break;
		case DEFINED_RESOURCE: m->resources[m->resource_count++] = made->resource; break;
		case DEFINED_FUNCTION: m->functions.items[m->functions.count++] = made->function; break;
		default: m->blocks[m->block_count++] = made->block;
		}
	}
	return ERR_OK;
}

static enum err_code model_reader_finish(struct model_reader *r, enum err_code code)
{
	if (!code)
		code = define_processes(r);
	if (!code)
		code = definitions_keep(r);
	mem_free(r->definitions);
	index_release(&r->by_name);
	if (code)
		program_model_release(r->m);
	return code;
}

enum err_code model_read(struct program_model *m, const char *path, struct err *e)
{
	struct model_reader r = {.m = m, .e = e};

	program_model_init(m);
	return model_reader_finish(&r, read_file(&r, path, NULL));
}

enum err_code model_parse(struct program_model *m, const char *name, const char *text, size_t size, struct err *e)
{
	struct model_reader r = {.m = m, .e = e};
	struct yaml_in y;
	enum err_code code;

	program_model_init(m);
	code = yaml_in_init(&y, name, text, size, e);
	if (!code) {
		code = read_yaml(&r, &y, NULL, NULL);
		yaml_in_release(&y);
	}
	return model_reader_finish(&r, code);
}

#define HEAD 16384

/* What the file begins with, as a text; empty: it is none. */
static void read_head(const char *path, char head[HEAD + 1])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n = 0;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = pread(fd, head, HEAD, 0);
	if (fd >= 0)
		close(fd);
	head[n > 0 ? n : 0] = 0;
	for (ssize_t i = 0; i < n; i++)
		if ((unsigned char)head[i] < ' ' && !memchr("\t\r\n", head[i], 3))
			head[0] = 0;
}

/* The first line that says something: no comment, no YAML's beginning of a document. */
static const char *first_line(const char *text)
{
	for (;;) {
		size_t blank = strspn(text, " \t\r\n");

		if (text[blank] != '#' && strncmp(text + blank, "---", 3) != 0)
			return text + blank;
		text += strcspn(text + blank, "\n") + blank;
	}
}

static bool begins(const char *line, const char *key)
{
	return strncmp(line, key, strlen(key)) == 0;
}

/* Two names or more, with commas between them. */
static bool names_columns(const char *line)
{
	bool name = false;
	int cells = 1;

	for (; *line && *line != '\n' && *line != '\r'; line++) {
		if (*line == ',') {
			if (!name)
				return false;
			name = false;
			cells++;
		} else if (isalpha((unsigned char)*line)) {
			name = true;
		} else if (!isalnum((unsigned char)*line) && !strchr("_ \t\"./()[]%-", *line)) {
			return false;
		}
	}
	return name && cells > 1;
}

enum model_file model_file_kind(const char *path)
{
	char head[HEAD + 1];
	const char *line;

	read_head(path, head);
	if (begins(head, "#Paraver"))
		return MODEL_FILE_NONE; /* a trace, whose first line looks like a comment */
	/* Behind the mark that some programs begin UTF-8 with. */
	line = first_line(begins(head, "\xef\xbb\xbf") ? head + 3 : head);
	if (begins(line, "pas2p_model:") || begins(line, "pas2p_functions:"))
		return MODEL_FILE_MODEL;
	if (begins(line, "pas2p_machine:"))
		return MODEL_FILE_MACHINE;
	return names_columns(line) ? MODEL_FILE_MEASUREMENTS : MODEL_FILE_NONE;
}
