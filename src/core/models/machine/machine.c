#include "machine.h"

#include <string.h>

void machine_init(struct machine *m)
{
	*m = (struct machine){0};
	arena_init(&m->arena);
}

void machine_release(struct machine *m)
{
	arena_release(&m->arena);
	*m = (struct machine){0};
}

static const struct machine_op *machine_op_find(const struct machine_op *ops, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(ops[i].name, name) == 0)
			return &ops[i];
	return NULL;
}

const struct machine_op *machine_op(const struct machine *m, uint32_t group, const char *name)
{
	const struct machine_op *own = machine_op_find(m->nodes[group].ops, m->nodes[group].op_count, name);

	return own ? own : machine_op_find(m->ops, m->op_count, name);
}
