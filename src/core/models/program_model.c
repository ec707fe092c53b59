#include "program_model.h"

#include <string.h>

const struct model_node_info *model_node_info(enum model_node_kind kind)
{
	static const struct model_node_info infos[] = {
#define NODE(id, name, family, meaning) {name, meaning, family},
#include "nodes.def"
#undef NODE
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
