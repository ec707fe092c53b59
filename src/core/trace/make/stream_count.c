#include "make_int.h"

#include <math.h>

#include "core/base/mem.h"

bool stream_count_begin(struct stream *s, double *column)
{
	struct stream_count *count = mem_zero(1, sizeof *count);

	if (!count)
		return false;
	stream_init(&count->increases, s->thread, true);
	count->column = column;
	s->count = count;
	s->account = STREAM_WITH_COUNT;
	return true;
}

void stream_count_end(struct stream *s)
{
	mem_free(stream_count(s));
}

static void store(const struct stream_count *count, struct stream_complete complete)
{
	if (complete.event != NO_EVENT)
		count->column[complete.event] = complete.compute;
}

void stream_count_add(struct stream *s, double time, double increase)
{
	struct stream_count *count = s->count;

	if (!(increase >= 0) || !isfinite(count->sum + increase)) {
		count->falls = true;
		return;
	}
	count->sum += increase;
	count->increases.mpi_depth = s->mpi_depth;
	store(count, stream_sample(&count->increases, time, count->sum));
}

void stream_count_event(struct stream *s, uint32_t event)
{
	store(s->count, stream_event(&s->count->increases, event));
}

void stream_count_leave(struct stream *s, double time)
{
	struct stream *increases = &s->count->increases;

	if (s->event_in_call)
		increases->last_event = s->last_event; /* it was told the first one of the call */
	store(s->count, stream_leave(increases, time));
}

void stream_count_finish(struct stream *s, double end, bool followed)
{
	store(s->count, stream_finish(&s->count->increases, end, followed));
}
