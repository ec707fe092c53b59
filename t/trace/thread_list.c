/* A process's threads are found by their numbers, each and no other, however many there are and in whatever order they come: a call that was taken
 * for another thread's would pair with that one's calls. As a search from the first to the last finds them. */
#include "core/trace/thread_list.h"
#include "core/base/mem.h"
#include "tap.h"

#define MOST 2000

static int32_t numbers[MOST];
static char things[MOST];

static void *naive(uint32_t count, int32_t thread)
{
	for (uint32_t i = 0; i < count; i++)
		if (numbers[i] == thread)
			return &things[i];
	return NULL;
}

static void against_a_list(uint32_t range)
{
	struct thread_list l = {0};
	uint64_t state = range;
	unsigned wrong = 0;

	for (int i = 0; i < MOST; i++) {
		int32_t thread;

		state = state * 6364136223846793005u + 1442695040888963407u;
		thread = (int32_t)(state >> 33) % (int32_t)range - (int32_t)range / 4;
		wrong += thread_find(&l, thread) != naive(l.count, thread);
		if (!naive(l.count, thread)) {
			numbers[l.count] = thread;
			wrong += !thread_add(&l, thread, &things[l.count]);
		}
	}
	for (uint32_t i = 0; i < l.count; i++)
		wrong += l.list[i].thread != numbers[i] || l.list[i].of != &things[i];
	thread_sort(&l);
	for (uint32_t i = 0; i < l.count; i++)
		wrong += l.list[i].of != naive(l.count, l.list[i].thread) || (i && l.list[i - 1].thread >= l.list[i].thread);
	is_int(wrong, 0, "%u threads", l.count);
	thread_list_release(&l);
}

static void without_memory(void)
{
	struct thread_list l = {0};
	uint32_t refused = 0, wrong = 0;

	for (int32_t thread = 0; thread < 100; thread++) {
		mem_fail_after(0);
		if (!thread_add(&l, thread, &things[thread])) {
			refused++;
			wrong += thread_find(&l, thread) != NULL;
			mem_fail_after(-1);
			wrong += !thread_add(&l, thread, &things[thread]);
		}
		mem_fail_after(-1);
	}
	for (int32_t thread = 0; thread < 100; thread++)
		wrong += thread_find(&l, thread) != &things[thread];
	ok(refused > 2 && !wrong, "what had no room is not there, and can be added later (%u times)", refused);
	thread_list_release(&l);
}

int main(void)
{
	against_a_list(4);
	against_a_list(12);
	against_a_list(100000);
	without_memory();
	return done_testing();
}
