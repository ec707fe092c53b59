#include "log_split.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/metrics/calls/remote.h"
#include "trace_split.h"

static void *must(void *p)
{
	if (p)
		return p;
	fprintf(stderr, "no memory to split a call log\n");
	exit(255);
}

static void *copy(const void *list, size_t count, size_t size)
{
	void *made = must(mem_alloc(count, size));

	if (count)
		memcpy(made, list, count * size);
	return made;
}

static void split_lists(struct call_log *log, const struct call_log *whole, uint32_t begin, uint32_t end)
{
	uint32_t first = whole->list_first[begin], processes = whole->trace->process_count;

	log->list_count = whole->list_first[end] - first;
	log->lists = copy(whole->lists + first, log->list_count, sizeof *log->lists);
	log->list_first = must(mem_alloc((size_t)processes + 1, sizeof *log->list_first));
	for (uint32_t p = 0; p <= processes; p++) {
		uint32_t in = p < begin ? begin : p > end ? end : p;

		log->list_first[p] = whole->list_first[in] - first;
	}
	for (uint32_t l = 0; l < log->list_count; l++) {
		log->lists[l].first -= whole->lists[first].first;
		log->lists[l].end -= whole->lists[first].first;
		log->lists[l].first_piece = log->lists[l].end_piece = 0;
		log->threaded |= l && log->lists[l].process == log->lists[l - 1].process;
	}
}

static void split_completed(struct call_log *log, const struct call_log *whole, uint32_t call, uint32_t event)
{
	log->completed = must(mem_alloc(whole->completed_count, sizeof *log->completed));
	for (uint32_t i = 0; i < whole->completed_count; i++) {
		struct completed_collective c = whole->completed[i];

		if (c.call < call || c.call - call >= log->call_count)
			continue;
		c.call -= call;
		c.event -= event;
		log->completed[log->completed_count++] = c;
	}
}

struct call_log *log_split(const struct call_log *whole, const struct trace *part)
{
	struct call_log *log = must(mem_zero(1, sizeof *log));
	uint32_t begin, end, call, event;
	struct err e;

	trace_local(part, &begin, &end);
	arena_init(&log->arena);
	log->trace = part;
	split_lists(log, whole, begin, end);
	call = log->list_count ? whole->lists[whole->list_first[begin]].first : 0;
	event = whole->trace->first[begin];
	log->call_count = log->list_count ? log->lists[log->list_count - 1].end : 0;
	log->calls = copy(whole->calls + call, log->call_count, sizeof *log->calls);
	log->flags = copy(whole->flags + call, log->call_count, 1);
	log->call_of = copy(whole->call_of + event, part->event_count, sizeof *log->call_of);
	for (uint32_t c = 0; c < log->call_count; c++)
		if (log->calls[c].first_event != NO_EVENT)
			log->calls[c].first_event -= event;
	for (uint32_t ev = 0; ev < part->event_count; ev++)
		if (log->call_of[ev] != NO_LOGGED_CALL)
			log->call_of[ev] -= call;
	split_completed(log, whole, call, event);
	log->nodes = copy(whole->nodes, whole->node_count, sizeof *log->nodes);
	log->node_count = whole->node_count;
	log->states_seen = whole->states_seen;
	log->users_seen = whole->users_seen;
	if (call_remote_new(&log->remote, log, &e)) {
		fprintf(stderr, "%s\n", e.text);
		exit(255);
	}
	return log;
}
