/* The lines of one thread, in order of time (docs/reference/formats.md, "PRV output").
 *
 * The line of a state is at its beginning and contains its end, so that later lines wait for the end of the state. To
 * keep memory bounded, a state with much content is written in pieces.
 */
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "prv_int.h"

#define MOST_LINES 4096 /* waiting behind an open state */
#define POLL 65536

enum err_code prv_stream_init(struct prv_stream *s, struct prv_writing *writing, uint32_t thread, bool measures, struct err *e)
{
	const struct nested_thread *of = &writing->threads.list[thread];

	*s = (struct prv_stream){.writing = writing, .task = of->process + 1, .thread = writing->thread_number[thread], .measures = measures,
				 .state = PRV_NO_LINE, .begin = PRV_NO_LINE};
	return nested_walk_init(&s->walk, writing->run->log, &writing->threads, thread, e);
}

void prv_stream_release(struct prv_stream *s)
{
	nested_walk_release(&s->walk);
	mem_free(s->lines);
}

static uint64_t ticks(const struct prv_stream *s, double time)
{
	double ns = rint((time - s->writing->run->trace->start) * 1e9);

	return ns > 0 ? (uint64_t)ns : 0;
}

/* The time of a point: later than that of the one before. */
static uint64_t point(struct prv_stream *s, double time)
{
	uint64_t now = ticks(s, time);

	if (s->any && now <= s->last) {
		now = s->last + 1;
		s->writing->moved += s->measures;
	}
	s->any = true;
	s->last = now;
	if (now > s->seen)
		s->seen = now;
	return now;
}

/* What is counted is so in the first walk. */
static void prv_stream_count(const struct prv_stream *s, uint64_t *what)
{
	*what += s->measures;
}

/* ---- lines ---- */

/* Its index. */
static size_t prv_stream_push(struct prv_stream *s, const struct prv_line *line)
{
	struct prv_line *lines;

	if (s->measures)
		return PRV_NO_LINE;
	lines = mem_grow(s->lines, s->line_count, &s->line_cap, sizeof *lines);
	if (!lines) {
		s->failed = true;
		return PRV_NO_LINE;
	}
	s->lines = lines;
	lines[s->line_count] = *line;
	return s->line_count++;
}

static size_t push_event(struct prv_stream *s, uint64_t time, enum prv_order order, uint32_t type, uint32_t value)
{
	return prv_stream_push(s, &(struct prv_line){.time = time, .order = order, .value = {type, value}, .event = NO_EVENT});
}

static void open_state(struct prv_stream *s, uint64_t time, uint32_t value)
{
	s->state = prv_stream_push(s, &(struct prv_line){.time = time, .order = PRV_LINE_STATE, .value = {0, value}, .until = PRV_OPEN});
}

static void close_state(struct prv_stream *s, uint64_t time)
{
	if (s->state != PRV_NO_LINE)
		s->lines[s->state].until = time;
	s->state = PRV_NO_LINE;
}

/* Before a line that is no end. */
static void cut_state(struct prv_stream *s, uint64_t time)
{
	uint32_t value;

	if (s->state == PRV_NO_LINE || s->line_count - s->state < MOST_LINES)
		return;
	value = s->lines[s->state].value.value;
	close_state(s, time);
	open_state(s, time, value);
	s->begin = PRV_NO_LINE;
}

/* ---- what happens ---- */

static void begin_call(struct prv_stream *s, double time, struct prv_value value)
{
	uint64_t now = point(s, time);

	/* Only as an event it is one to who reads the trace. */
	if (value.type == PRV_COLLECTIVE)
		value.type = PRV_OTHER;
	close_state(s, now);
	open_state(s, now, PRV_IN_CALL);
	s->open = value;
	s->begin = push_event(s, now, PRV_LINE_BEGINS, value.type, value.value);
}

static void end_call(struct prv_stream *s, double time)
{
	uint64_t now = point(s, time);

	close_state(s, now);
	push_event(s, now, PRV_LINE_ENDS, s->open.type, 0);
	open_state(s, now, PRV_RUNNING);
	s->begin = PRV_NO_LINE;
}

static void prv_stream_enter(struct prv_stream *s, const struct record *step)
{
	struct prv_value value = s->writing->names.of_state[step->state];

	if (s->walk.states[step->state].mpi) {
		if (!s->calls++)
			begin_call(s, step->time, value);
		else
			prv_stream_count(s, &s->writing->nested);
	} else {
		uint64_t now = point(s, step->time);

		cut_state(s, now);
		push_event(s, now, PRV_LINE_BEGINS, value.type, value.value);
	}
}

static void prv_stream_leave(struct prv_stream *s, const struct record *step)
{
	if (!s->walk.states[step->state].mpi)
		push_event(s, point(s, step->time), PRV_LINE_ENDS, s->writing->names.of_state[step->state].type, 0);
	else if (!--s->calls)
		end_call(s, step->time);
}

/* The call that is open is that of a collective. */
static void collective(struct prv_stream *s, const struct record *step)
{
	struct prv_writing *w = s->writing;
	struct prv_value value = w->names.of_coll[EVENT_INDEX(w->run->trace->type[step->event])];
	bool alone = !s->calls;

	if (alone)
		begin_call(s, step->time, value);
	if (s->open.type == PRV_COLLECTIVE) {
		prv_stream_count(s, &w->merged);
		return;
	}
	s->open = value;
	w->run->events[2] += s->measures;
	if (s->begin != PRV_NO_LINE) {
		struct prv_line *line = &s->lines[s->begin];

		line->value = value;
		line->event = step->event;
		line->root = step->root;
		line->received = step->received;
	}
	if (alone)
		end_call(s, step->time);
}

static void prv_stream_message(struct prv_stream *s, const struct record *step)
{
	struct prv_writing *w = s->writing;
	const struct trace *t = w->run->trace;
	bool send = EVENT_KIND(t->type[step->event]) == EVENT_SEND;
	uint64_t now;

	if (t->match[step->event] == NO_EVENT) {
		prv_stream_count(s, &w->partnerless);
		return;
	}
	now = point(s, step->time);
	if (s->measures) {
		w->run->events[!send]++;
		w->elsewhere += trace_comm(t, step->event) != w->world;
		w->unknown_sizes += send && trace_size(t, step->event) == SIZE_UNKNOWN;
		w->received_at[step->event] = now;
		if (w->received_by)
			w->received_by[step->event] = s->thread;
	} else if (send) {
		cut_state(s, now);
		prv_stream_push(s, &(struct prv_line){.time = now, .order = PRV_LINE_MESSAGE, .event = step->event});
	}
}

static void cpu_sample(struct prv_stream *s, const struct record *step)
{
	uint64_t now = point(s, step->time);

	cut_state(s, now);
	prv_stream_push(s, &(struct prv_line){.time = now, .order = PRV_LINE_BEGINS, .value = {PRV_CPU_CLOCK, 0}, .amount = (uint64_t)rint(step->seconds * 1e9),
				   .event = NO_EVENT});
}

static void take_step(struct prv_stream *s, const struct record *step)
{
	uint64_t now = ticks(s, step->time);

	if (!s->started) {
		s->started = true;
		s->seen = now;
		open_state(s, now, PRV_RUNNING);
	}
	if (now > s->seen)
		s->seen = now;
	switch (step->kind) {
	case RECORD_ENTER:
		prv_stream_enter(s, step);
		break;
	case RECORD_LEAVE:
		prv_stream_leave(s, step);
		break;
	case RECORD_EVENT:
		if (EVENT_KIND(s->writing->run->trace->type[step->event]) == EVENT_COLLECTIVE)
			collective(s, step);
		else
			prv_stream_message(s, step);
		break;
	case RECORD_CPU_SAMPLE:
		cpu_sample(s, step);
		break;
	default:
		prv_stream_count(s, &s->writing->unwritten);
		break;
	}
	if (++s->writing->done % POLL == 0 && progress_stopped(s->writing->run->progress))
		err_set(&s->walk.err, ERR_CANCELLED, "stopped while writing");
}

/* ---- to be merged ---- */

/* Its end is not known yet. */
static bool waits(const struct prv_line *line)
{
	return line->order == PRV_LINE_STATE && line->until == PRV_OPEN;
}

/* Lines that are written go. */
static void compact(struct prv_stream *s)
{
	size_t gone = s->line_next;

	if (2 * gone < s->line_count)
		return;
	memmove(s->lines, s->lines + gone, (s->line_count - gone) * sizeof *s->lines);
	s->line_next = 0;
	s->line_count -= gone;
	if (s->state != PRV_NO_LINE)
		s->state -= gone;
	if (s->begin != PRV_NO_LINE)
		s->begin -= gone;
}

const struct prv_line *prv_stream_peek(struct prv_stream *s)
{
	while (!s->failed) {
		struct record step;

		while (s->line_next < s->line_count && !waits(&s->lines[s->line_next])) {
			const struct prv_line *line = &s->lines[s->line_next];

			if (line->order != PRV_LINE_STATE || line->until > line->time)
				return line;
			s->line_next++;
		}
		if (s->done)
			return NULL;
		if (s->line_next)
			compact(s);
		if (nested_walk_next(&s->walk, &step)) {
			take_step(s, &step);
		} else {
			s->done = true;
			close_state(s, s->seen);
		}
	}
	return NULL;
}

void prv_stream_take(struct prv_stream *s)
{
	s->line_next++;
}
