#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/io/fields.h"
#include "core/io/out.h"
#include "core/io/tree_out.h"
#include "core/trace/trace.h"

#define RECENT_BYTES (1 << 20)

/* One item; a mistake in it is that of the reader's fields. */
static enum err_code read_item(struct trace_folder *recent, struct fields *f, const struct fields_map *item, bool look, struct err *e)
{
	const struct yaml_node *files = fields_list(f, item, "files");
	uint32_t processes = fields_find(f, item, "processes") ? fields_count(f, item, "processes", 0, UINT32_MAX) : 0;
	uint32_t count = 0;
	const char **paths;
	enum err_code code;

	if (f->code || !files->count)
		return ERR_OK;
	paths = mem_alloc(files->count, sizeof *paths);
	if (!paths)
		return err_memory(e, "the traces");
	for (const struct yaml_node *n = files->first; n; n = n->next)
		if (n->kind == YAML_SCALAR && n->text[0] == '/')
			paths[count++] = n->text;
	code = count == files->count ? trace_folder_add(recent, paths, count, processes, look, e) : ERR_OK;
	mem_free(paths);
	return code;
}

enum err_code recent_read(struct trace_folder *recent, const char *file, bool look, struct err *e)
{
	struct yaml_in yaml;
	struct arena arena;
	struct err mistake;
	enum err_code code = ERR_OK;
	struct fields f;
	struct fields_map root;
	const struct yaml_node *list;
	uint32_t i = 0;

	trace_folder_init(recent);
	if (yaml_in_file(&yaml, file, RECENT_BYTES, &mistake))
		return ERR_OK;
	arena_init(&arena);
	fields_init(&f, &yaml, &arena, ERR_FORMAT, &mistake);
	root = fields_root(&f);
	list = fields_list(&f, &root, "recent");
	for (const struct yaml_node *n = f.code ? NULL : list->first; !code && !f.code && n && i < RECENT_MOST; n = n->next, i++) {
		struct fields_map item = fields_item(&f, &root, "recent", i, n);

		if (!f.code)
			code = read_item(recent, &f, &item, look, e);
	}
	arena_release(&arena);
	yaml_in_release(&yaml);
	if (code)
		trace_folder_release(recent);
	return code;
}

/* --- writing --- */

static void write_run(struct tree_out *t, const char *const *paths, uint32_t count, uint32_t processes)
{
	tree_map(t, false);
	tree_put_list(t, "files", false);
	for (uint32_t i = 0; i < count; i++)
		tree_text(t, paths[i]);
	tree_end(t);
	if (processes)
		tree_put_whole(t, "processes", processes);
	tree_end(t);
}

static bool is_same(const struct found_run *run, const char *const *paths, uint32_t count)
{
	for (uint32_t i = 0; run->path_count == count && i < count; i++)
		if (strcmp(run->paths[i], paths[i]))
			return false;
	return run->path_count == count;
}

static enum err_code write_list(const char *file, const struct trace_folder *before, const char *const *paths, uint32_t count,
				const struct trace *trace, struct err *e)
{
	uint32_t kept = 1;
	struct tree_out t;
	struct out o;
	enum err_code code;

	out_init(&o);
	tree_out_init(&t, &o, false);
	tree_map(&t, false);
	tree_put_list(&t, "recent", false);
	write_run(&t, paths, count, trace->process_count);
	for (uint32_t i = 0; i < before->count && kept < RECENT_MOST; i++) {
		const struct found_run *run = &before->list[i];

		if (is_same(run, paths, count))
			continue;
		write_run(&t, run->paths, run->path_count, run->processes);
		kept++;
	}
	tree_end(&t);
	tree_end(&t);
	code = tree_out_finish(&t, e);
	if (!code)
		code = out_replace_file(file, o.text, o.len, e);
	out_release(&o);
	return code;
}

/* Names that are no UTF-8 cannot be written down. */
static bool can_be_written(const char *path)
{
	uint32_t c;

	for (size_t n; *path; path += n) {
		n = text_decode(path, strlen(path), &c);
		if (c == 0xfffd || c < ' ')
			return false;
	}
	return true;
}

enum err_code recent_note(const char *file, const char *const *paths, uint32_t count, const struct trace *t, struct err *e)
{
	char **full = mem_zero(count, sizeof *full);
	struct trace_folder before;
	bool good = full != NULL;
	enum err_code code = good ? recent_read(&before, file, false, e) : err_memory(e, "the traces");

	for (uint32_t i = 0; !code && good && i < count; i++) {
		full[i] = realpath(paths[i], NULL);
		good = full[i] && can_be_written(full[i]);
	}
	if (!code && good)
		code = write_list(file, &before, (const char *const *)full, count, t, e);
	for (uint32_t i = 0; full && i < count; i++)
		free(full[i]);
	if (full && !code)
		trace_folder_release(&before);
	mem_free(full);
	return code;
}
