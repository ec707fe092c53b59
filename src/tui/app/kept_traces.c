#include "app_int.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/trace/trace.h"
#include "tui/jobs/session.h"

#define EVENT_BYTES 160 /* a trace's columns, its calls, its logical order and what is counted by event, about */

void kept_traces_init(struct kept_traces *k)
{
	*k = (struct kept_traces){.most_bytes = mem_of_machine() / 4};
}

/* What is loaded is known. */
static void kept_trace_settle(struct kept_trace *trace)
{
	const struct trace *t;
	bool twice;

	if (!trace->leaving)
		return;
	trace->loaded = leaving_end(trace->leaving);
	trace->leaving = NULL;
	if (!trace->loaded)
		return;
	t = session_loaded_trace(trace->loaded, &twice);
	trace->bytes = kept_trace_bytes(t, twice);
}

static void kept_trace_release(struct kept_trace *trace)
{
	kept_trace_settle(trace);
	session_loaded_free(trace->loaded);
	out_release(&trace->state);
	kept_lists_release(&trace->lists);
}

void kept_traces_release(struct kept_traces *k)
{
	for (uint32_t i = 0; i < k->count; i++)
		kept_trace_release(&k->list[i]);
	mem_free(k->list);
	*k = (struct kept_traces){0};
}

struct kept_trace *kept_traces_find(const struct kept_traces *k, uint32_t id)
{
	for (uint32_t i = 0; i < k->count; i++)
		if (k->list[i].id == id)
			return &k->list[i];
	return NULL;
}

void kept_traces_drop(struct kept_traces *k, uint32_t id)
{
	struct kept_trace *trace = kept_traces_find(k, id);

	if (!trace)
		return;
	kept_trace_release(trace);
	k->count--;
	memmove(trace, trace + 1, (size_t)(k->list + k->count - trace) * sizeof *trace);
}

/* The latest first, for as long as there is room. Of the latest itself all may still be being stopped, which is not
 * waited for. */
static void let_go(struct kept_traces *k)
{
	uint64_t bytes = 0;
	uint32_t loaded = 0;

	for (uint32_t i = k->count; i-- > 0;) {
		struct kept_trace *trace = &k->list[i];

		if (i + 1 < k->count)
			kept_trace_settle(trace);
		if (!trace->loaded && !trace->leaving)
			continue;
		bytes += trace->bytes;
		if (++loaded <= KEPT_MOST && bytes <= k->most_bytes)
			continue;
		kept_trace_settle(trace);
		session_loaded_free(trace->loaded);
		trace->loaded = NULL;
	}
}

void kept_traces_put(struct kept_traces *k, const struct kept_trace *trace)
{
	struct kept_trace *list, own = *trace;

	kept_traces_drop(k, trace->id);
	list = mem_grow(k->list, k->count, &k->room, sizeof *list);
	if (!list) {
		kept_trace_release(&own);
		return;
	}
	k->list = list;
	list[k->count++] = own;
	let_go(k);
}

struct session_loaded *kept_trace_take(struct kept_trace *trace, uint64_t files)
{
	struct session_loaded *loaded;

	kept_trace_settle(trace);
	loaded = trace->loaded;
	trace->loaded = NULL;
	if (trace->files == files)
		return loaded;
	session_loaded_free(loaded);
	return NULL;
}

uint64_t kept_trace_bytes(const struct trace *t, bool twice)
{
	return (uint64_t)t->event_count * EVENT_BYTES * (twice ? 2 : 1);
}

static uint64_t fingerprint_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

uint64_t files_fingerprint(const char *const *paths, uint32_t count)
{
	uint64_t h = count;
	struct stat st;

	for (uint32_t i = 0; i < count; i++) {
		if (stat(paths[i], &st))
			memset(&st, 0, sizeof st);
		h = fingerprint_mix(fingerprint_mix(h, (uint64_t)st.st_ino), (uint64_t)st.st_size);
		h = fingerprint_mix(fingerprint_mix(h, (uint64_t)st.st_mtim.tv_sec), (uint64_t)st.st_mtim.tv_nsec);
	}
	return h;
}
