/* What a process's threads have, found by their numbers: a trace may have as many threads as records.
 *
 *     mine = thread_find(&l, thread);              NULL: there is none yet
 *     if (!mine && thread_add(&l, thread, made))   ...
 *     for (uint32_t i = 0; i < l.count; i++) ... l.list[i].of
 *
 * In the order in which they came, or by number (thread_sort()). What is in it is the caller's. */
#ifndef PAS2P_THREAD_LIST_H
#define PAS2P_THREAD_LIST_H

#include <stdbool.h>

#include "core/base/index.h"

struct thread_entry {
	int32_t thread; /* first: they are sorted by it */
	void *of;
};

struct thread_list {
	struct thread_entry *list;
	uint32_t count;
	size_t cap;
	struct index index;
};

void *thread_find(const struct thread_list *l, int32_t thread);
/* For a thread that is not there yet. False: no memory. */
bool thread_add(struct thread_list *l, int32_t thread, void *of);
/* By number; from here on none is added or found. */
void thread_sort(struct thread_list *l);
void thread_list_release(struct thread_list *l);

#endif
