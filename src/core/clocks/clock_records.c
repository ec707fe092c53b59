#include "clock_records.h"

#include <stdatomic.h>
#include <string.h>

#include "clock_read.h"
#include "core/base/mem.h"
#include "core/trace/trace_make.h"

struct reading {
	struct clock_records *out;
	const struct trace *trace;
	size_t *next;        /* per process: its next record */
	atomic_bool changed; /* more than was loaded; threads say so */
};

static bool begin(void *arg, uint32_t processes, const struct make_kind *kinds, uint32_t count)
{
	struct reading *r = arg;

	(void)kinds;
	(void)count;
	atomic_store(&r->changed, processes != r->trace->process_count);
	memcpy(r->next, r->out->first, r->trace->process_count * sizeof *r->next);
	return true;
}

static bool record(void *arg, uint32_t process, int32_t thread, double time)
{
	struct reading *r = arg;

	(void)thread;
	if (process < r->trace->process_count && r->next[process] < r->out->first[process + 1])
		r->out->time[r->next[process]++] = time;
	else
		atomic_store(&r->changed, true);
	return true;
}

static bool event(void *arg, uint32_t process, uint32_t number, event_type type, double time)
{
	struct reading *r = arg;
	const struct trace *t = r->trace;

	(void)time;
	if (process >= t->process_count || number >= t->first[process + 1] - t->first[process] ||
	    t->type[t->first[process] + number] != type || r->next[process] == r->out->first[process])
		atomic_store(&r->changed, true);
	else
		r->out->of_event[t->first[process] + number] = (uint32_t)(r->next[process] - 1 - r->out->first[process]);
	return true;
}

static enum err_code read_files(struct clock_records *out, const struct job *job, struct err *e)
{
	struct reading r = {.out = out, .trace = out->trace, .next = mem_zero(out->trace->process_count, sizeof *r.next)};
	const struct make_watch watch = {.arg = &r, .begin = begin, .record = record, .event = event};
	enum err_code code = r.next ? clock_read_again(out->trace, &watch, job, e) : err_memory(e, "the trace's records");

	for (uint32_t p = 0; !code && p < out->trace->process_count; p++)
		if (r.next[p] != out->first[p + 1])
			atomic_store(&r.changed, true);
	if (!code && atomic_load(&r.changed))
		code = clock_read_changed(e);
	mem_free(r.next);
	return code;
}

static void take_events(struct clock_records *out)
{
	const struct trace *t = out->trace;

	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t event = t->first[p]; event < t->first[p + 1]; event++) {
			out->time[event] = t->time[event];
			out->of_event[event] = event - t->first[p];
		}
}

static enum err_code allocate(struct clock_records *out, struct err *e)
{
	const struct trace *t = out->trace;

	out->first = mem_zero((size_t)t->process_count + 1, sizeof *out->first);
	if (!out->first)
		return err_memory(e, "the trace's records");
	for (uint32_t p = 0; p < t->process_count; p++) {
		uint64_t n = t->file_count ? t->processes[p].records : t->first[p + 1] - t->first[p];

		if (n >= UINT32_MAX)
			return err_set(e, ERR_LIMIT, "rank %u has more records than times can be corrected for, %u", p, UINT32_MAX - 1);
		out->first[p + 1] = out->first[p] + (size_t)n;
	}
	out->time = mem_alloc(out->first[t->process_count], sizeof *out->time);
	out->of_event = mem_zero(t->event_count, sizeof *out->of_event);
	return out->time && out->of_event ? ERR_OK : err_memory(e, "the trace's records");
}

enum err_code clock_records_read(struct clock_records *out, const struct trace *t, const struct job *job, struct err *e)
{
	enum err_code code;

	*out = (struct clock_records){.trace = t};
	if (t->partial)
		return err_set(e, ERR_USAGE, "the trace was not read to its end; load all of it to correct its times");
	code = allocate(out, e);
	if (!code && t->file_count)
		code = read_files(out, job, e);
	else if (!code)
		take_events(out);
	if (code)
		clock_records_release(out);
	return code;
}

void clock_records_release(struct clock_records *r)
{
	mem_free(r->first);
	mem_free(r->time);
	mem_free(r->of_event);
	*r = (struct clock_records){0};
}
