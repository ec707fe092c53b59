#include "lists.h"

#include <stdlib.h>

#include "core/base/mem.h"

static const struct state_total *state(const struct states_list *l, uint32_t row)
{
	return &l->trace->states[l->state[row]];
}

#define LIST states
#define LIST_NAME "states"
#define LIST_OF struct states_list
#define LIST_DEF "core/lists/list_states.def"
#include "core/table/list.inc"

static int most_time(const void *a, const void *b, void *list)
{
	const struct state_total *states = ((const struct states_list *)list)->trace->states;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (states[x].exclusive != states[y].exclusive)
		return states[x].exclusive < states[y].exclusive ? 1 : -1;
	return x < y ? -1 : x > y;
}

enum err_code states_list_init(struct states_list *l, const struct trace *t, struct err *e)
{
	*l = (struct states_list){.trace = t, .state = mem_alloc(t->state_count, sizeof *l->state)};
	if (!l->state)
		return err_memory(e, "the states");
	for (uint32_t i = 0; i < t->state_count; i++)
		if (t->states[i].count)
			l->state[l->count++] = i;
	qsort_r(l->state, l->count, sizeof *l->state, most_time, l);
	return ERR_OK;
}

void states_list_release(struct states_list *l)
{
	mem_free(l->state);
	*l = (struct states_list){0};
}
