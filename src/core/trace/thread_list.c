#include "thread_list.h"

#include <stdlib.h>

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/order.h"

#define FEW 8 /* as quickly looked through as looked up, and without an index's memory for each process */

static uint64_t hash_entry(const void *list, uint32_t i)
{
	return hash_mix(0, (uint32_t)((const struct thread_entry *)list)[i].thread);
}

static inline bool same_entry(const void *list, uint32_t i, const void *thread)
{
	return ((const struct thread_entry *)list)[i].thread == *(const int32_t *)thread;
}

void *thread_find(const struct thread_list *l, int32_t thread)
{
	uint32_t at = 0;

	if (l->count > FEW) {
		at = index_find(&l->index, hash_mix(0, (uint32_t)thread), l->list, same_entry, &thread);
		return at ? l->list[at - 1].of : NULL;
	}
	while (at < l->count && l->list[at].thread != thread)
		at++;
	return at < l->count ? l->list[at].of : NULL;
}

bool thread_add(struct thread_list *l, int32_t thread, void *of)
{
	struct thread_entry *list = mem_grow(l->list, l->count, &l->cap, sizeof *list);

	if (!list)
		return false;
	l->list = list;
	list[l->count] = (struct thread_entry){thread, of};
	if (l->count >= FEW) {
		uint32_t *slot = index_slot(&l->index, hash_mix(0, (uint32_t)thread), list, l->count, same_entry, hash_entry, &thread);

		if (!slot)
			return false;
		*slot = l->count + 1;
	}
	l->count++;
	return true;
}

void thread_sort(struct thread_list *l)
{
	SORT(l->list, l->count, order_i32);
	index_release(&l->index);
}

void thread_list_release(struct thread_list *l)
{
	mem_free(l->list);
	index_release(&l->index);
	*l = (struct thread_list){0};
}
