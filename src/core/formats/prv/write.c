/* pas2p convert --to prv: the trace, and beside it the files with the names of its numbers (.pcf) and rows (.row)
 * (docs/reference/formats.md, "PRV output"). */
#include "prv_int.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/number.h"

#define POLL 65536

/* ---- the first walk: times of receives ---- */

static enum err_code stream_error(const struct prv_stream *s, struct err *e)
{
	if (s->failed)
		return err_memory(e, "the lines of the trace");
	if (s->walk.err.code)
		*e = s->walk.err;
	return s->walk.err.code;
}

static void count_odd(struct convert_run *run, const struct nested_odd *odd)
{
	convert_lost(run, "times before that of the previous record", odd->lifted);
	convert_lost(run, "ends of functions without a start", odd->stray);
	convert_lost(run, "missing ends of calls", odd->open);
	convert_lost(run, "positions of functions that overlap others", odd->moved);
}

static enum err_code keep_going(const struct prv_writing *w, struct err *e)
{
	return progress_step(w->run->progress, PROGRESS_WRITE, w->done, 2 * w->run->trace->record_count, e);
}

static enum err_code streams_measure(struct prv_writing *w, struct err *e)
{
	enum err_code code = ERR_OK;

	for (uint32_t i = 0; !code && i < w->threads.count; i++) {
		struct prv_stream s;

		code = prv_stream_init(&s, w, i, true, e);
		if (code)
			return code;
		prv_stream_peek(&s); /* there are no lines: to the end */
		code = stream_error(&s, e);
		if (s.seen > w->last)
			w->last = s.seen;
		count_odd(w->run, &s.walk.odd);
		prv_stream_release(&s);
		if (!code)
			code = keep_going(w, e);
	}
	return code;
}

/* ---- lines ---- */

struct prv_text {
	char bytes[512];
	size_t n;
};

static void add_number(struct prv_text *text, uint64_t v)
{
	text->n += number_whole(v, text->bytes + text->n);
}

static void add_field(struct prv_text *text, uint64_t v)
{
	text->bytes[text->n++] = ':';
	add_number(text, v);
}

/* Where something happened: CPU, application, task, thread. The process has a CPU of its own. */
static void add_place(struct prv_text *text, uint32_t task, uint32_t thread)
{
	add_field(text, task);
	add_field(text, 1);
	add_field(text, task);
	add_field(text, thread);
}

static void add_collective(struct prv_text *text, const struct prv_writing *w, const struct prv_line *line, uint32_t process)
{
	const struct trace *t = w->run->trace;

	if (trace_size(t, line->event) != SIZE_UNKNOWN) {
		add_field(text, PRV_BYTES_SENT);
		add_field(text, trace_size(t, line->event));
	}
	if (line->received != UINT64_MAX) {
		add_field(text, PRV_BYTES_RECEIVED);
		add_field(text, line->received);
	}
	if (line->root == process) {
		add_field(text, PRV_ROOT);
		add_field(text, 1);
	}
	add_field(text, PRV_COMMUNICATOR);
	add_field(text, trace_comm(t, line->event) + 1);
}

static void add_message(struct prv_text *text, const struct prv_writing *w, const struct prv_line *line)
{
	const struct trace *t = w->run->trace;
	uint32_t receive = t->match[line->event];
	uint64_t size = trace_size(t, line->event);

	add_field(text, line->time);
	add_field(text, line->time);
	add_place(text, trace_process_of(t, receive) + 1, w->received_by ? w->received_by[receive] : 1);
	add_field(text, w->received_at[receive]);
	add_field(text, w->received_at[receive]);
	add_field(text, size == SIZE_UNKNOWN ? 0 : size);
	add_field(text, (uint32_t)trace_tag(t, line->event));
}

static void write_line(const struct prv_writing *w, const struct prv_stream *s, const struct prv_line *line, struct convert_file *file)
{
	static const char first[] = {[PRV_LINE_ENDS] = '2', [PRV_LINE_STATE] = '1', [PRV_LINE_BEGINS] = '2', [PRV_LINE_MESSAGE] = '3'};
	struct prv_text text;

	text.bytes[0] = first[line->order];
	text.n = 1;
	add_place(&text, s->task, s->thread);
	if (line->order == PRV_LINE_MESSAGE) {
		add_message(&text, w, line);
	} else {
		add_field(&text, line->time);
		if (line->order == PRV_LINE_STATE)
			add_field(&text, line->until);
		else
			add_field(&text, line->value.type);
		add_field(&text, line->value.type == PRV_CPU_CLOCK ? line->amount : line->value.value);
		if (line->order == PRV_LINE_BEGINS && line->event != NO_EVENT)
			add_collective(&text, w, line, s->task - 1);
	}
	text.bytes[text.n++] = '\n';
	convert_file_write(file, text.bytes, text.n);
}

static void write_header(const struct prv_writing *w, struct convert_file *file)
{
	const struct trace *t = w->run->trace;

	convert_file_printf(file, "#Paraver (01/01/1970 at 00:00):%llu_ns:1(%u):1:%u(", (unsigned long long)w->last, t->process_count,
			    t->process_count);
	for (uint32_t i = 0; i < w->threads.count; i++)
		if (i + 1 == w->threads.count || w->threads.list[i + 1].process != w->threads.list[i].process)
			convert_file_printf(file, "%s%u:1", w->threads.list[i].process ? "," : "", w->thread_number[i]);
	convert_file_printf(file, "),%u\n", t->comm_count);
	for (uint32_t c = 0; c < t->comm_count; c++) {
		const uint32_t *members = t->comm_members + t->comms[c].members;

		convert_file_printf(file, "c:1:%u:%u", c + 1, t->comms[c].size);
		for (uint32_t i = 0; i < t->comms[c].size; i++)
			convert_file_printf(file, ":%u", members[i] + 1);
		convert_file_write(file, "\n", 1);
	}
}

/* ---- the second walk: streams are merged ---- */

struct stream_merge {
	struct prv_stream *streams;
	uint32_t *heap;              /* of streams that have a line; the first is next */
	uint32_t count;
};

static bool stream_is_before(const struct stream_merge *m, uint32_t a, uint32_t b)
{
	const struct prv_stream *x = &m->streams[a], *y = &m->streams[b];
	const struct prv_line *p = &x->lines[x->line_next], *q = &y->lines[y->line_next];

	if (p->time != q->time)
		return p->time < q->time;
	return p->order != q->order ? p->order < q->order : a < b;
}

static void streams_sink(struct stream_merge *m, uint32_t at)
{
	uint32_t moved = m->heap[at];

	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child >= m->count)
			break;
		if (child + 1 < m->count && stream_is_before(m, m->heap[child + 1], m->heap[child]))
			child++;
		if (!stream_is_before(m, m->heap[child], moved))
			break;
		m->heap[at] = m->heap[child];
		at = child;
	}
	m->heap[at] = moved;
}

static enum err_code merge_lines(struct prv_writing *w, struct stream_merge *m, struct convert_file *file, struct err *e)
{
	uint64_t polled = w->done;

	for (uint32_t at = m->count / 2; at-- > 0;)
		streams_sink(m, at);
	while (m->count && !convert_file_failed(file)) {
		struct prv_stream *s = &m->streams[m->heap[0]];

		write_line(w, s, &s->lines[s->line_next], file);
		prv_stream_take(s);
		if (!prv_stream_peek(s)) {
			enum err_code code = stream_error(s, e);

			if (code)
				return code;
			m->heap[0] = m->heap[--m->count];
		}
		if (m->count)
			streams_sink(m, 0);
		if (w->done - polled >= POLL) {
			enum err_code code = keep_going(w, e);

			if (code)
				return code;
			polled = w->done;
		}
	}
	return ERR_OK;
}

static enum err_code write_lines(struct prv_writing *w, struct convert_file *file, struct err *e)
{
	struct stream_merge m = {.streams = mem_zero(w->threads.count, sizeof *m.streams), .heap = mem_alloc(w->threads.count, sizeof *m.heap)};
	enum err_code code = m.streams && m.heap ? ERR_OK : err_memory(e, "the lines of the trace");
	uint32_t opened = 0;

	while (!code && opened < w->threads.count) {
		code = prv_stream_init(&m.streams[opened], w, opened, false, e);
		if (code)
			break;
		if (prv_stream_peek(&m.streams[opened]))
			m.heap[m.count++] = opened;
		else
			code = stream_error(&m.streams[opened], e);
		opened++;
	}
	if (!code)
		code = merge_lines(w, &m, file, e);
	while (opened)
		prv_stream_release(&m.streams[--opened]);
	mem_free(m.streams);
	mem_free(m.heap);
	return code;
}

/* ---- files ---- */

static void write_rows(const struct prv_writing *w, struct convert_file *file)
{
	uint32_t processes = w->run->trace->process_count;

	convert_file_printf(file, "LEVEL CPU SIZE %u\n", processes);
	for (uint32_t p = 0; p < processes; p++)
		convert_file_printf(file, "1.%u\n", p + 1);
	convert_file_printf(file, "\nLEVEL NODE SIZE 1\nnode\n\nLEVEL THREAD SIZE %u\n", w->threads.count);
	for (uint32_t i = 0; i < w->threads.count; i++)
		convert_file_printf(file, "THREAD 1.%u.%u\n", w->threads.list[i].process + 1, w->thread_number[i]);
}

static enum err_code write_files(struct prv_writing *w, struct err *e)
{
	struct convert_file *file;
	enum err_code code = convert_file_open(&file, w->run->output, "", e), closed;

	if (!code) {
		write_header(w, file);
		code = write_lines(w, file, e);
		closed = convert_file_close(file, e);
		code = code ? code : closed;
	}
	if (!code)
		code = convert_file_open(&file, w->run->output, ".pcf", e);
	if (!code) {
		prv_write_names_write(&w->names, w->run->trace, file);
		code = convert_file_close(file, e);
	}
	if (!code)
		code = convert_file_open(&file, w->run->output, ".row", e);
	if (!code) {
		write_rows(w, file);
		code = convert_file_close(file, e);
	}
	return code;
}

/* ---- all of it ---- */

/* The lowest communicator of all: to who reads the trace, messages are on that. */
static uint32_t find_world(const struct trace *t)
{
	for (uint32_t c = 0; c < t->comm_count; c++)
		if (t->comms[c].size == t->process_count)
			return c;
	return UINT32_MAX;
}

static enum err_code writing_init(struct prv_writing *w, struct convert_run *run, struct err *e)
{
	const struct trace *t = run->trace;
	enum err_code code;

	*w = (struct prv_writing){.run = run, .world = find_world(t)};
	code = nested_threads_list(&w->threads, run->log, t, run->progress, e);
	if (code)
		return code;
	w->thread_number = mem_alloc(w->threads.count, sizeof *w->thread_number);
	w->received_at = mem_zero(t->event_count, sizeof *w->received_at);
	if (w->threads.count > t->process_count)
		w->received_by = mem_zero(t->event_count, sizeof *w->received_by);
	if (!w->thread_number || !w->received_at || (w->threads.count > t->process_count && !w->received_by))
		return err_memory(e, "the times of receives");
	for (uint32_t i = 0; i < w->threads.count; i++)
		w->thread_number[i] = i && w->threads.list[i].process == w->threads.list[i - 1].process ? w->thread_number[i - 1] + 1 : 1;
	return prv_write_names_init(&w->names, t, run->log, e);
}

static void writing_release(struct prv_writing *w)
{
	nested_threads_release(&w->threads);
	prv_write_names_release(&w->names);
	mem_free(w->thread_number);
	mem_free(w->received_at);
	mem_free(w->received_by);
}

static void count_losses(const struct prv_writing *w)
{
	struct convert_run *run = w->run;
	uint64_t colours = 0;

	for (uint32_t i = 0; i < w->names.state_count; i++)
		colours += state_has_colour(w->names.states[i].colour);
	convert_lost(run, "unmatched messages", w->partnerless);
	convert_lost(run, "communicators of messages", w->elsewhere);
	convert_lost(run, "sizes that the trace does not have", w->unknown_sizes);
	convert_lost(run, "times moved to keep the order", w->moved);
	convert_lost(run, "calls within calls", w->nested);
	convert_lost(run, "collectives started together by one call", w->merged);
	convert_lost(run, "records other than calls, events or readings, such as those of requests", w->unwritten);
	convert_lost(run, "colours of functions", colours);
}

static enum err_code write_prv(struct convert_run *run, struct err *e)
{
	struct prv_writing w;
	enum err_code code = writing_init(&w, run, e);

	if (!code)
		code = streams_measure(&w, e);
	if (!code)
		code = write_files(&w, e);
	if (!code)
		count_losses(&w);
	writing_release(&w);
	return code;
}

static const char *const companions[] = {".pcf", ".row", NULL};

const struct format_writer prv_writer = {
	.to = "prv",
	.what = "PRV, for Paraver, with .pcf and .row next to it",
	.ending = ".prv",
	.compresses = true,
	.companions = companions,
	.write = write_prv,
};
