#include "program_model.h"

#include <string.h>

#include "core/base/text.h"

const struct model_node_info *model_node_info(enum model_node_kind kind)
{
	static const struct model_node_info infos[] = {
#define NODE(id, name, family, meaning) {name, meaning, family},
#include "core/models/language/nodes.def"
	};

	return &infos[kind];
}

void program_model_init(struct program_model *m)
{
	*m = (struct program_model){0};
	arena_init(&m->arena);
}

void program_model_release(struct program_model *m)
{
	arena_release(&m->arena);
	*m = (struct program_model){0};
}

uint32_t model_parameter(const struct program_model *m, const char *name)
{
	for (uint32_t i = 0; i < m->parameter_count; i++)
		if (strcmp(m->parameters[i].name, name) == 0)
			return i;
	return UINT32_MAX;
}

uint32_t model_resource(const struct program_model *m, const char *name)
{
	for (uint32_t i = 0; i < m->resource_count; i++)
		if (strcmp(m->resources[i].name, name) == 0)
			return i;
	return UINT32_MAX;
}

uint32_t model_block(const struct program_model *m, const char *name)
{
	for (uint32_t i = 0; i < m->block_count; i++)
		if (strcmp(m->blocks[i].name, name) == 0)
			return i;
	return UINT32_MAX;
}

enum err_code model_run_block(struct program_model *m, const char *name, struct err *e)
{
	uint32_t at = model_block(m, name);
	struct model_node *call;
	char safe[128];

	text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8);
	if (at == UINT32_MAX)
		return err_set(e, ERR_USAGE, "%s: unknown block '%s'%s%s", m->file, safe, m->block_count ? "; the "
			       "first one is " : "",
			       m->block_count ? m->blocks[0].name : "");
	if (m->blocks[at].argument_count)
		return err_set(e, ERR_USAGE, "%s: block '%s' has arguments: write a program that calls "
			       "it", m->file, safe);
	call = arena_alloc(&m->arena, sizeof *call);
	if (!call)
		return err_memory(e, "the model's program");
	*call = (struct model_node){.kind = NODE_CALL, .place = m->blocks[at].place, .word = m->blocks[at].name};
	m->program = call;
	return ERR_OK;
}
