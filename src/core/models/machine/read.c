#include "machine.h"

#include <math.h>
#include <string.h>

#include "core/base/text.h"
#include "core/models/language/model_document.h"
#include "core/models/language/language.h"

#define MOST_WHOLE 9007199254740992.0 /* 2^53 */

static enum err_code read_whole(const struct model_document *d, const struct yaml_node *n, uint64_t *v)
{
	struct interval value;
	enum err_code code = document_constant(d, n, &value);

	if (code)
		return code;
	if (!interval_is_point(value) || value.lo < 1 || value.lo > MOST_WHOLE || floor(value.lo) != value.lo)
		return document_expected(d, n, "a whole number, 1 or more");
	*v = (uint64_t)value.lo;
	return ERR_OK;
}

/* The operations of a family: a mapping of names to times. They go behind those that are there. */
static enum err_code read_operations(const struct model_document *d, const struct yaml_node *map,
				     enum operation_family family, struct machine_op *ops, uint32_t *count)
{
	if (map->kind != YAML_MAP)
		return document_expected(d, map, "times of operations by name");
	for (const struct yaml_node *n = map->first; n; n = n->next) {
		struct machine_op *op = &ops[*count];
		char safe[64];
		enum err_code code;

		if (operation_family(n->key) != family)
			return document_fail_key(d, n, "unknown operation '%s': expected one of %s",
						 text_safe(safe, sizeof safe, n->key, SIZE_MAX, TEXT_UTF8), operation_names(family));
		op->name = arena_strndup(d->arena, n->key, strlen(n->key));
		if (!op->name)
			return err_memory(d->e, "an operation");
		op->place = document_key_place(d, n);
		code = document_constant(d, n, &op->seconds);
		if (code)
			return code;
		if (op->seconds.lo < 0)
			return document_expected(d, n, "a time of 0 or more");
		++*count;
	}
	return ERR_OK;
}

/* `ops` and `memory` of a machine or of some nodes. */
static enum err_code read_times(const struct model_document *d, const struct yaml_node *map, struct machine_op **ops,
				uint32_t *count)
{
	const struct yaml_node *processor = yaml_get(map, "ops"), *memory = yaml_get(map, "memory");
	enum err_code code = ERR_OK;

	*ops = arena_alloc(d->arena, ((processor ? processor->count : 0) + (memory ? memory->count : 0) + 1) * sizeof **ops);
	if (!*ops)
		return err_memory(d->e, "operations");
	if (processor)
		code = read_operations(d, processor, OPERATION_PROCESSOR, *ops, count);
	if (!code && memory)
		code = read_operations(d, memory, OPERATION_MEMORY, *ops, count);
	return code;
}

static enum err_code read_group(const struct model_document *d, const struct yaml_node *n, struct machine_nodes *group)
{
	static const char *const keys[] = {"count", "cores", "speed", "ops", "memory", NULL};
	const struct yaml_node *count = yaml_get(n, "count"), *cores = yaml_get(n, "cores"), *speed = yaml_get(n, "speed");
	enum err_code code = document_keys(d, n, "nodes of a machine", keys);

	*group = (struct machine_nodes){.count = 1, .speed = {1, 1}, .place = document_place(d, n)};
	if (!code && count)
		code = read_whole(d, count, &group->count);
	if (!code && cores)
		code = read_whole(d, cores, &group->cores);
	if (!code && speed)
		code = document_constant(d, speed, &group->speed);
	if (!code && !(group->speed.lo > 0))
		code = document_expected(d, speed, "a speed above 0");
	return code ? code : read_times(d, n, &group->ops, &group->op_count);
}

static enum err_code read_nodes(const struct model_document *d, const struct yaml_node *list, struct machine *m)
{
	uint32_t count = list ? list->count : 1;

	if (list && (list->kind != YAML_LIST || !count))
		return document_expected(d, list, "a list of at least one node");
	m->nodes = arena_alloc(&m->arena, count * sizeof *m->nodes);
	if (!m->nodes)
		return err_memory(d->e, "nodes");
	if (!list) {
		m->nodes[0] = (struct machine_nodes){.count = 1, .speed = {1, 1}, .place = {.file = d->file, .line = 1}};
		m->group_count = 1;
		return ERR_OK;
	}
	for (const struct yaml_node *n = list->first; n; n = n->next) {
		enum err_code code = read_group(d, n, &m->nodes[m->group_count]);

		if (code)
			return code;
		m->group_count++;
	}
	return ERR_OK;
}

static enum err_code machine_read_document(struct machine *m, const struct yaml_in *y, struct err *e)
{
	static const char *const keys[] = {"pas2p_machine", "name", "ops", "memory", "functions", "network", "nodes", NULL};
	struct model_document d = {.arena = &m->arena, .yaml = y, .file = arena_strndup(&m->arena, y->name, strlen(y->name)),
				   .e = e};
	const struct yaml_node *n;
	unsigned version;
	enum err_code code;

	if (!d.file)
		return err_memory(e, "a machine");
	m->file = d.file;
	code = yaml_version(y, "pas2p_machine", "a machine", 1, 1, &version, e);
	if (!code)
		code = document_keys(&d, y->root, "a machine", keys);
	n = yaml_get(y->root, "name");
	if (!code && n)
		code = document_text(&d, n, &m->name);
	if (!code)
		code = read_times(&d, y->root, &m->ops, &m->op_count);
	n = yaml_get(y->root, "functions");
	if (!code && n)
		code = document_functions(&d, n, &m->functions);
	n = yaml_get(y->root, "network");
	if (!code && n)
		code = read_whole(&d, n, &m->network);
	return code ? code : read_nodes(&d, yaml_get(y->root, "nodes"), m);
}

static enum err_code machine_take_document(struct machine *m, struct yaml_in *y, struct err *e)
{
	enum err_code code;

	machine_init(m);
	code = machine_read_document(m, y, e);
	yaml_in_release(y);
	if (code)
		machine_release(m);
	return code;
}

enum err_code machine_read(struct machine *m, const char *path, struct err *e)
{
	struct yaml_in y;
	enum err_code code = yaml_in_file(&y, path, MODEL_FILE_MOST, e);

	return code ? code : machine_take_document(m, &y, e);
}

enum err_code machine_parse(struct machine *m, const char *name, const char *text, size_t size, struct err *e)
{
	struct yaml_in y;
	enum err_code code = yaml_in_init(&y, name, text, size, e);

	return code ? code : machine_take_document(m, &y, e);
}
