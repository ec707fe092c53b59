/* The Chrome trace event format, one JSON object, as ui.perfetto.dev, chrome://tracing and speedscope open it
 * (docs/reference/formats.md, "Perfetto output").
 *
 * Each rank is a separate process: slices for calls and user states of its threads, arrows for related messages, and
 * the occurrences of its phases on a separate thread. Times count from the run's start. A window keeps everything that
 * overlaps it; a slice that begins before the window is cut there.
 */
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/records/format_write.h"

#define POLL 0x3fff
#define PHASES 1000              /* tid */
#define LARGE (UINT64_C(200) << 20)
#define DEEPEST 4096             /* how far down an end looks for its start */

/* A slice that is open, and the first event in it. */
struct open_slice {
	double from;
	uint32_t state;
	uint32_t event, root;    /* NO_EVENT: there was none */
	uint64_t received;
	int32_t thread;
};

struct perfetto_writing {
	struct convert_run *run;
	struct convert_file *file;
	const struct record_state *states;
	uint32_t process;
	struct open_slice *open;
	uint32_t depth;
	size_t cap;
	double from, to;         /* the window, as the trace has times */
	double last;             /* time told of the rank */
	bool begun;              /* an entry was written */
	uint64_t records, bytes;
	uint64_t outside, unnamed_ends, cpu_samples;
};

/* ---- JSON ---- */

static void perfetto_put(struct perfetto_writing *w, const char *text)
{
	size_t n = strlen(text);

	convert_file_write(w->file, text, n);
	w->bytes += n;
}

static void put_whole(struct perfetto_writing *w, int64_t v)
{
	char text[NUMBER_TEXT];

	if (v < 0)
		perfetto_put(w, "-");
	text[number_whole(v < 0 ? 0 - (uint64_t)v : (uint64_t)v, text)] = '\0';
	perfetto_put(w, text);
}

/* Microseconds with three decimals, from the run's start. */
static int64_t nanoseconds(const struct perfetto_writing *w, double time)
{
	return (int64_t)llround((time - w->run->trace->start) * 1e9);
}

static void put_micros(struct perfetto_writing *w, int64_t ns)
{
	char decimals[5] = ".000";
	uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	if (ns < 0)
		perfetto_put(w, "-");
	put_whole(w, (int64_t)(v / 1000));
	v %= 1000;
	for (int i = 3; i > 0; i--, v /= 10)
		decimals[i] = (char)('0' + v % 10);
	perfetto_put(w, decimals);
}

static void put_string(struct perfetto_writing *w, const char *text)
{
	char safe[512], one[2] = "";

	text_safe(safe, sizeof safe, text, SIZE_MAX, TEXT_UTF8);
	perfetto_put(w, "\"");
	for (const char *at = safe; *at;) {
		size_t plain = strcspn(at, "\"\\");

		convert_file_write(w->file, at, plain);
		w->bytes += plain;
		at += plain;
		if (!*at)
			break;
		one[0] = *at++;
		perfetto_put(w, "\\");
		perfetto_put(w, one);
	}
	perfetto_put(w, "\"");
}

static void begin_entry(struct perfetto_writing *w, const char *phase, int64_t tid)
{
	perfetto_put(w, w->begun ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	w->begun = true;
	perfetto_put(w, phase);
	perfetto_put(w, "\",\"pid\":");
	put_whole(w, w->process);
	perfetto_put(w, ",\"tid\":");
	put_whole(w, tid);
}

static void put_time(struct perfetto_writing *w, double time)
{
	perfetto_put(w, ",\"ts\":");
	put_micros(w, nanoseconds(w, time));
}

/* ---- names ---- */

static void write_name(struct perfetto_writing *w, const char *what, int64_t tid, const char *name, int64_t number)
{
	begin_entry(w, "M", tid);
	perfetto_put(w, ",\"name\":\"");
	perfetto_put(w, what);
	perfetto_put(w, "\",\"args\":{\"name\":\"");
	perfetto_put(w, name);
	if (number >= 0)
		put_whole(w, number);
	perfetto_put(w, "\"}}");
}

static void write_rank_names(struct perfetto_writing *w)
{
	write_name(w, "process_name", 0, "rank ", w->process);
	begin_entry(w, "M", 0);
	perfetto_put(w, ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":");
	put_whole(w, w->process);
	perfetto_put(w, "}}");
	if (w->run->phases)
		write_name(w, "thread_name", PHASES, "phases", -1);
}

/* ---- events ---- */

static void put_arg(struct perfetto_writing *w, const char *name, int64_t v)
{
	perfetto_put(w, ",\"");
	perfetto_put(w, name);
	perfetto_put(w, "\":");
	put_whole(w, v);
}

static void put_args(struct perfetto_writing *w, uint32_t event, uint32_t root, uint64_t received)
{
	const struct trace *t = w->run->trace;
	const struct convert_phases *phases = w->run->phases;
	uint32_t comm = trace_comm(t, event);
	char type[64];

	perfetto_put(w, ",\"args\":{\"type\":");
	put_string(w, trace_type_name(t, t->type[event], type, sizeof type));
	put_arg(w, "number", trace_number_of(t, w->process, event));
	if (trace_size(t, event) != SIZE_UNKNOWN)
		put_arg(w, "size", (int64_t)trace_size(t, event));
	if (comm < t->comm_count)
		put_arg(w, "comm", t->comms[comm].number);
	if (EVENT_KIND(t->type[event]) != EVENT_COLLECTIVE)
		put_arg(w, "tag", trace_tag(t, event));
	if (root != NO_PROCESS)
		put_arg(w, "root", root);
	if (received <= INT64_MAX)
		put_arg(w, "received", (int64_t)received);
	if (phases && phases->lt[event] != UINT32_MAX) {
		put_arg(w, "lt", phases->lt[event]);
		put_arg(w, "tick", phases->tick[event]);
	}
	perfetto_put(w, "}");
}

static bool is_inside(const struct perfetto_writing *w, double from, double to)
{
	return to >= w->from && from <= w->to;
}

/* An end of an arrow lies in the slice that is open there. */
static void write_arrow(struct perfetto_writing *w, uint32_t event, double time, int32_t thread)
{
	const struct trace *t = w->run->trace;
	uint32_t match = t->match[event], process;
	bool sends = EVENT_KIND(t->type[event]) == EVENT_SEND;

	if (match == NO_EVENT || EVENT_KIND(t->type[event]) == EVENT_COLLECTIVE)
		return;
	process = trace_process_of(t, match);
	if (process < w->run->first_rank || process > w->run->last_rank || !is_inside(w, t->time[match], t->time[match]))
		return;
	begin_entry(w, sends ? "s" : "f", thread);
	put_time(w, time);
	perfetto_put(w, ",\"name\":\"message\",\"cat\":\"message\",\"id\":");
	put_whole(w, sends ? event : match);
	perfetto_put(w, sends ? "}" : ",\"bp\":\"e\"}");
}

/* ---- slices ---- */

static void begin_slice(struct perfetto_writing *w, double from, double to, int64_t tid)
{
	int64_t begin, end;

	from = from > w->from ? from : w->from;
	to = to < w->to ? to : w->to;
	begin = nanoseconds(w, from);
	end = nanoseconds(w, to);
	begin_entry(w, "X", tid);
	perfetto_put(w, ",\"ts\":");
	put_micros(w, begin);
	perfetto_put(w, ",\"dur\":");
	put_micros(w, end > begin ? end - begin : 0);
}

static void close_slice(struct perfetto_writing *w, uint32_t at, double time)
{
	struct open_slice slice = w->open[at];
	const struct record_state *state = &w->states[slice.state];

	w->depth--;
	memmove(&w->open[at], &w->open[at + 1], (w->depth - at) * sizeof *w->open);
	if (!is_inside(w, slice.from, time))
		return;
	begin_slice(w, slice.from, time, slice.thread);
	perfetto_put(w, ",\"name\":");
	put_string(w, state->name);
	perfetto_put(w, state->mpi ? ",\"cat\":\"mpi\"" : state->tracer ? ",\"cat\":\"tracer\"" : ",\"cat\":\"user\"");
	if (slice.event != NO_EVENT)
		put_args(w, slice.event, slice.root, slice.received);
	perfetto_put(w, "}");
}

static bool open_slice(struct perfetto_writing *w, const struct record *r)
{
	struct open_slice *open = mem_grow(w->open, w->depth, &w->cap, sizeof *open);

	if (!open)
		return false;
	w->open = open;
	open[w->depth++] = (struct open_slice){.from = r->time, .state = r->state, .event = NO_EVENT, .thread = r->thread};
	return true;
}

/* The topmost one of that state and thread; those of calls above it have lost their ends. */
static void perfetto_leave_state(struct perfetto_writing *w, const struct record *r)
{
	uint32_t at = w->depth, limit = w->depth > DEEPEST ? w->depth - DEEPEST : 0;

	while (at > limit && !(w->open[at - 1].state == r->state && w->open[at - 1].thread == r->thread))
		at--;
	if (at == limit) {
		w->unnamed_ends++;
		return;
	}
	for (uint32_t above = w->depth; w->states[r->state].mpi && above-- > at;)
		if (w->open[above].thread == r->thread && w->states[w->open[above].state].mpi)
			close_slice(w, above, r->time);
	close_slice(w, at - 1, r->time);
}

/* The call that a thread is in, if it has had no event yet. */
static struct open_slice *call_without_event(struct perfetto_writing *w, int32_t thread)
{
	uint32_t limit = w->depth > DEEPEST ? w->depth - DEEPEST : 0;

	for (uint32_t at = w->depth; at-- > limit;)
		if (w->open[at].thread == thread && w->states[w->open[at].state].mpi)
			return w->open[at].event == NO_EVENT ? &w->open[at] : NULL;
	return NULL;
}

/* What is known of an event is known of its call; of those that follow, and of one outside of any call, an instant says
 * it. */
static void write_event(struct perfetto_writing *w, const struct record *r)
{
	const struct trace *t = w->run->trace;
	uint32_t kind = EVENT_KIND(t->type[r->event]);
	struct open_slice *call = call_without_event(w, r->thread);

	if (!is_inside(w, r->time, r->time)) {
		w->outside++;
		return;
	}
	if (call) {
		call->event = r->event;
		call->root = r->root;
		call->received = r->received;
	} else {
		begin_slice(w, r->time, r->time, r->thread);
		perfetto_put(w, ",\"name\":");
		put_string(w, kind == EVENT_COLLECTIVE ? t->colls[EVENT_INDEX(t->type[r->event])].op : kind == EVENT_SEND ? "send" : "receive");
		perfetto_put(w, ",\"cat\":\"mpi\"");
		put_args(w, r->event, r->root, r->received);
		perfetto_put(w, "}");
	}
	write_arrow(w, r->event, r->time, r->thread);
	w->run->events[kind == EVENT_SEND ? 0 : kind == EVENT_RECEIVE ? 1 : 2]++;
}

/* ---- phases ---- */

static void write_phases(struct perfetto_writing *w)
{
	const struct convert_phases *p = w->run->phases;
	const struct process *process = &w->run->trace->processes[w->process];

	for (uint32_t i = p->first[w->process]; i < p->first[w->process + 1]; i++) {
		const struct convert_span *span = &p->spans[i];
		double to = i + 1 < p->first[w->process + 1] ? span[1].from : process->end;

		if (!span->phase || span->phase == UINT32_MAX || !is_inside(w, span->from, to))
			continue;
		begin_slice(w, span->from, to, PHASES);
		perfetto_put(w, ",\"name\":\"phase ");
		put_whole(w, span->phase);
		perfetto_put(w, "\",\"cat\":\"phase\",\"args\":{\"weight\":");
		put_whole(w, p->phases[span->phase - 1].weight);
		perfetto_put(w, p->phases[span->phase - 1].relevant ? ",\"relevant\":true}}" : ",\"relevant\":false}}");
	}
}

/* ---- a rank ---- */

static enum err_code write_records(struct perfetto_writing *w, struct record_cursor *cursor, struct err *e)
{
	struct record r;

	while (record_cursor_next(cursor, &r)) {
		w->last = r.time;
		w->cpu_samples += r.kind == RECORD_CPU_SAMPLE;
		if (r.kind == RECORD_ENTER && !open_slice(w, &r))
			return err_memory(e, "open calls");
		if (r.kind == RECORD_LEAVE)
			perfetto_leave_state(w, &r);
		else if (r.kind == RECORD_EVENT)
			write_event(w, &r);
		if ((++w->records & POLL) != 0)
			continue;
		if (convert_file_failed(w->file))
			break;
		if (progress_step(w->run->progress, PROGRESS_WRITE, w->records, w->run->trace->record_count, e))
			return e->code;
	}
	if (cursor->err.code) {
		*e = cursor->err;
		return e->code;
	}
	while (w->depth)
		close_slice(w, w->depth - 1, w->last);
	return ERR_OK;
}

static enum err_code write_rank(struct perfetto_writing *w, struct err *e)
{
	struct record_cursor cursor;
	enum err_code code = record_cursor_init(&cursor, w->run->log, w->process, e);

	w->depth = 0;
	if (!code) {
		write_rank_names(w);
		code = write_records(w, &cursor, e);
	}
	if (!code && w->run->phases)
		write_phases(w);
	record_cursor_release(&cursor);
	return code;
}

static enum err_code write_ranks(struct perfetto_writing *w, struct err *e)
{
	const struct convert_run *run = w->run;
	enum err_code code = ERR_OK;

	if (run->first_rank >= run->trace->process_count)
		return err_set(e, ERR_USAGE, "there is no rank %u: the run has ranks 0 to %u", run->first_rank, run->trace->process_count - 1);
	perfetto_put(w, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	for (w->process = run->first_rank; !code && w->process < run->trace->process_count && w->process <= run->last_rank; w->process++)
		code = write_rank(w, e);
	perfetto_put(w, "\n]}\n");
	return code;
}

static uint64_t events_outside(const struct perfetto_writing *w)
{
	const struct trace *t = w->run->trace;
	uint64_t n = w->outside;

	for (uint32_t p = 0; p < t->process_count; p++)
		if (p < w->run->first_rank || p > w->run->last_rank)
			n += t->first[p + 1] - t->first[p];
	return n;
}

static enum err_code write_perfetto(struct convert_run *run, struct err *e)
{
	uint32_t count;
	struct perfetto_writing w = {.run = run, .states = record_log_states(run->log, &count), .from = run->trace->start + run->from,
			    .to = run->trace->start + run->to};
	struct err closing;
	enum err_code code = convert_file_open(&w.file, run->output, "", e), closed;

	if (code)
		return code;
	code = write_ranks(&w, e);
	mem_free(w.open);
	closed = convert_file_close(w.file, &closing);
	if (!code && closed)
		*e = closing;
	convert_lost(run, "events outside the window or the ranks", events_outside(&w));
	convert_lost(run, "readings of the CPU clock", w.cpu_samples);
	convert_lost(run, "ends of functions that never began", w.unnamed_ends);
	if (w.bytes > LARGE)
		convert_lost(run, "bytes, which slows viewers down: --window and --ranks write less", w.bytes);
	return code ? code : closed;
}

const struct format_writer perfetto_writer = {
	.to = "perfetto",
	.what = "Chrome's trace event JSON, for ui.perfetto.dev",
	.ending = ".json",
	.compresses = true,
	.takes = CONVERT_TAKES_WINDOW | CONVERT_TAKES_PHASES,
	.write = write_perfetto,
};
