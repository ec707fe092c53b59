#include "correct_int.h"

#include <stdatomic.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/trace/make/trace_make.h"

static void *block_of(void ***list, size_t *cap, size_t at, size_t size)
{
	size_t block = at / RECORDS_BLOCK;
	void **grown;

	if (at % RECORDS_BLOCK)
		return (*list)[block];
	grown = mem_grow(*list, block, cap, sizeof *grown);
	if (!grown)
		return NULL;
	*list = grown;
	return grown[block] = mem_alloc(RECORDS_BLOCK, size);
}

static bool records_add(struct clock_records *r, uint32_t process, double time)
{
	struct clock_recorded *p = &r->process[process];
	double *block = block_of(&p->time, &p->time_cap, p->records, sizeof *block);

	if (block)
		block[p->records++ % RECORDS_BLOCK] = time;
	return block != NULL;
}

static bool records_add_event(struct clock_records *r, uint32_t process, uint32_t number)
{
	struct clock_recorded *p = &r->process[process];

	while (p->events <= number) {
		uint32_t *block = block_of(&p->of_event, &p->event_cap, p->events, sizeof *block);

		if (!block)
			return false;
		block[p->events++ % RECORDS_BLOCK] = p->records ? (uint32_t)(p->records - 1) : 0;
	}
	return true;
}

static size_t blocks(size_t n)
{
	return (n + RECORDS_BLOCK - 1) / RECORDS_BLOCK;
}

void clock_records_forget_events(struct clock_records *r)
{
	for (uint32_t p = 0; p < r->process_count; p++) {
		struct clock_recorded *x = &r->process[p];

		for (size_t i = 0; i < blocks(x->events); i++)
			mem_free(x->of_event[i]);
		mem_free(x->of_event);
		x->of_event = NULL;
		x->events = 0;
	}
}

void clock_records_release(struct clock_records *r)
{
	clock_records_forget_events(r);
	for (uint32_t p = 0; p < r->process_count; p++) {
		struct clock_recorded *x = &r->process[p];

		for (size_t i = 0; i < blocks(x->records); i++)
			mem_free(x->time[i]);
		mem_free(x->time);
	}
	mem_free(r->process);
	mem_free(r->first);
	*r = (struct clock_records){0};
}

static bool records_begin(struct clock_records *r, uint32_t processes)
{
	clock_records_release(r);
	r->process = mem_zero(processes, sizeof *r->process);
	if (r->process)
		r->process_count = processes;
	return r->process != NULL;
}

static enum err_code records_changed(struct err *e)
{
	return err_set(e, ERR_IO, "the trace files have changed since they were loaded: load them again");
}

static enum err_code records_end(struct clock_records *r, const struct trace *t, struct err *e)
{
	r->trace = t;
	if (r->process_count != t->process_count)
		return records_changed(e);
	r->first = mem_zero((size_t)t->process_count + 1, sizeof *r->first);
	if (!r->first)
		return err_memory(e, "the trace's records");
	for (uint32_t p = 0; p < t->process_count; p++) {
		const struct clock_recorded *x = &r->process[p];

		if (x->events != t->first[p + 1] - t->first[p] || (t->file_count && x->records != t->processes[p].records))
			return records_changed(e);
		if (x->records >= UINT32_MAX)
			return err_set(e, ERR_LIMIT, "rank %u has more than %u records: their times cannot be corrected", p, UINT32_MAX - 1);
		r->first[p + 1] = r->first[p] + x->records;
	}
	return ERR_OK;
}

void clock_records_copy(double *to, const struct clock_records *r)
{
	for (uint32_t p = 0; p < r->process_count; p++)
		for (size_t i = 0; i < r->process[p].records; i += RECORDS_BLOCK) {
			size_t left = r->process[p].records - i;

			memcpy(to + r->first[p] + i, r->process[p].time[i / RECORDS_BLOCK],
			       (left < RECORDS_BLOCK ? left : RECORDS_BLOCK) * sizeof *to);
		}
}

/* ---- later than the trace ---- */

struct records_reading {
	struct clock_records *out;
	const struct trace *trace;
	atomic_bool changed; /* not what was loaded; threads say so */
};

static bool records_reading_begin(void *arg, uint32_t processes, const struct make_kind *kinds, uint32_t count)
{
	struct records_reading *r = arg;

	(void)kinds;
	(void)count;
	atomic_store(&r->changed, processes != r->trace->process_count);
	return records_begin(r->out, processes);
}

static bool record(void *arg, uint32_t process, int32_t thread, double time)
{
	struct records_reading *r = arg;
	const struct trace *t = r->trace;

	(void)thread;
	if (process < t->process_count && r->out->process[process].records < t->processes[process].records)
		return records_add(r->out, process, time);
	atomic_store(&r->changed, true);
	return true;
}

/* Which collectives there are, a reader may find out as it reads, and number them only then. */
static bool same_type(event_type a, event_type b)
{
	return a == b || (EVENT_KIND(a) == EVENT_COLLECTIVE && EVENT_KIND(b) == EVENT_COLLECTIVE);
}

static bool event(void *arg, uint32_t process, uint32_t number, event_type type, double time)
{
	struct records_reading *r = arg;
	const struct trace *t = r->trace;

	(void)time;
	if (process < t->process_count && number < t->first[process + 1] - t->first[process] &&
	    same_type(t->type[t->first[process] + number], type) && r->out->process[process].records)
		return records_add_event(r->out, process, number);
	atomic_store(&r->changed, true);
	return true;
}

/* Tell a watch the trace's files once more. */
static enum err_code records_read_again(const struct trace *t, const struct make_watch *watch, const struct progress *progress, struct err *e)
{
	const struct trace_options options = {.threads = t->threads, .watch = watch, .times = t->times};
	struct source *sources;
	struct trace *again;
	enum err_code code = trace_open_files(&sources, t, e);

	if (code)
		return code;
	code = trace_load_watched(&again, sources, t->file_count, &options, progress, e);
	source_release_files(sources, t->file_count);
	if (!code)
		trace_free(again);
	return code;
}

static enum err_code records_read_files(struct clock_records *out, const struct trace *t, const struct progress *progress, struct err *e)
{
	struct records_reading r = {.out = out, .trace = t};
	const struct make_watch watch = {.arg = &r, .begin = records_reading_begin, .record = record, .event = event};
	enum err_code code = records_read_again(t, &watch, progress, e);

	if (!code && atomic_load(&r.changed))
		code = records_changed(e);
	return code;
}

static bool take_events(struct clock_records *out, const struct trace *t)
{
	bool done = records_begin(out, t->process_count);

	for (uint32_t p = 0; done && p < t->process_count; p++)
		for (uint32_t event = t->first[p]; done && event < t->first[p + 1]; event++)
			done = records_add(out, p, t->time[event]) && records_add_event(out, p, event - t->first[p]);
	return done;
}

enum err_code clock_records_read(struct clock_records *out, const struct trace *t, const struct progress *progress, struct err *e)
{
	enum err_code code = ERR_OK;

	*out = (struct clock_records){0};
	if (t->partial)
		return err_set(e, ERR_USAGE, "the trace was not read completely: its times cannot be corrected");
	if (t->file_count)
		code = records_read_files(out, t, progress, e);
	else if (!take_events(out, t))
		code = err_memory(e, "the trace's records");
	if (!code)
		code = records_end(out, t, e);
	if (code)
		clock_records_release(out);
	return code;
}
