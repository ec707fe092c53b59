/* The calls of a maker to a watch of the trace being made. */
#include "trace_make.h"
#include "inline.h"

bool make_watch_event(struct make_share *share, uint32_t process, double time, event_type type, int32_t tag)
{
	const struct make_watch *watch = share->watch;
	struct make_process *mine = &share->processes[process];

	if (watch->event) {
		if (mine->next >= mine->limit || !trace_keeps_tag(share->trace, tag)) {
			make_note_more(share, process);
			return false;
		}
		if (!watch->event(watch->arg, process, mine->next - share->maker->room[process], type, time))
			share->failed = true;
		mine->next += share->watch_alone;
	}
	return !share->watch_alone;
}

void make_watch_root(struct make_share *share, uint32_t process, uint32_t root)
{
	const struct make_watch *watch = share->watch;
	uint32_t number = share->processes[process].next - share->maker->room[process] - 1;

	if (watch->root && root != NO_PROCESS && !watch->root(watch->arg, process, number, root))
		share->failed = true;
}

void make_watch_received(struct make_share *share, uint32_t process, uint64_t bytes)
{
	const struct make_watch *watch = share->watch;
	uint32_t number = share->processes[process].next - share->maker->room[process] - 1;

	if (watch->received && !watch->received(watch->arg, process, number, bytes))
		share->failed = true;
}

void make_watch_cpu_sample(struct make_share *share, uint32_t process, double seconds)
{
	const struct make_watch *watch = share->watch;

	if (watch->cpu_sample && !watch->cpu_sample(watch->arg, process, seconds))
		share->failed = true;
}

void make_watch_begun(struct make_share *share, uint32_t process, bool event, uint32_t request, uint32_t count)
{
	const struct make_watch *watch = share->watch;
	uint32_t number = event ? share->processes[process].next - share->maker->room[process] - 1 : MAKE_NO_NUMBER;

	if (watch->begun && !watch->begun(watch->arg, process, number, request, count))
		share->failed = true;
}

void make_watch_completed(struct make_share *share, uint32_t process, uint32_t request, bool message)
{
	const struct make_watch *watch = share->watch;

	if (watch->completed && !watch->completed(watch->arg, process, request, message))
		share->failed = true;
}

void make_watch_gathering(struct make_share *share, uint32_t process, uint32_t comm, uint32_t number)
{
	const struct make_watch *watch = share->watch;

	if (watch->gathering && !watch->gathering(watch->arg, process, comm, number))
		share->failed = true;
}

void make_watch_neighbour(struct make_share *share, uint32_t process, uint32_t comm, uint32_t from)
{
	const struct make_watch *watch = share->watch;

	if (watch->neighbour && !watch->neighbour(watch->arg, process, comm, from))
		share->failed = true;
}

void make_watch_empty(struct make_share *share, uint32_t process)
{
	const struct make_watch *watch = share->watch;
	uint32_t number = share->processes[process].next - share->maker->room[process] - 1;

	if (watch->empty && !watch->empty(watch->arg, process, number))
		share->failed = true;
}

void make_watch_size(struct make_share *share, uint32_t process)
{
	const struct make_watch *watch = share->watch;

	if (watch->size && !watch->size(watch->arg, process))
		share->failed = true;
}

void make_watch_clock(struct make_share *share, uint32_t process, double low, double high)
{
	const struct make_watch *watch = share->watch;

	if (watch->clock && !watch->clock(watch->arg, process, low, high))
		share->failed = true;
}
