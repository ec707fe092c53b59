/* Each process's stretches of a measure in order of time, cut where columns end. */
#include "maps.h"

#include <math.h>
#include <string.h>

#include "core/base/map.h"
#include "traffic.h"

#define ASK_EVERY 8192

const char *heat_measure_name(enum heat_measure m)
{
	static const char *const names[HEAT_MEASURES] = {"phase", "compute", "waiting", "bytes", "messages"};

	return (unsigned)m < HEAT_MEASURES ? names[m] : "?";
}

/* What a phase has of a cell. */
struct phase_part {
	uint32_t column, phase;
	double time;
};

struct heat_making {
	struct heat_map *h;
	const struct heat_from *from;
	const struct trace *trace;      /* whose events: of the ticks, otherwise of the log */
	const struct progress *progress;
	bool whole;                     /* columns of time, all of the run: its last moment belongs to the last one */
	uint32_t first_tick, ticks;
	uint64_t steps;

	/* Of the row that is being made. */
	double *value, *time;           /* per column */
	double total;                   /* of columns of time: a cell's, processes x width */
	double *most;                   /* per column: the time of the phase that has most of it so far */
	uint8_t *seen;                  /* per column: some event is in it */
	struct map *places;             /* column, phase -> index into parts, + 1 */
	struct phase_part *parts;
	uint32_t part_count;
	size_t part_cap;
	uint32_t last;                  /* the part that grew last; UINT32_MAX: none */
};

static enum err_code asked(struct heat_making *m, struct err *e)
{
	if (m->steps++ % ASK_EVERY == 0 && progress_stopped(m->progress))
		return err_set(e, ERR_CANCELLED, "stopped while making the heat map");
	return ERR_OK;
}

/* --- columns --- */

static double column_edge(const struct heat_map *h, uint32_t column)
{
	return column == h->columns ? h->to : h->from + (h->to - h->from) * column / h->columns;
}

/* For a time within the map. */
static uint32_t column_at(const struct heat_map *h, double t)
{
	double at = h->to > h->from ? floor((t - h->from) / (h->to - h->from) * h->columns) : 0;
	uint32_t c = at <= 0 ? 0 : at >= h->columns ? h->columns - 1 : (uint32_t)at;

	while (c > 0 && t < column_edge(h, c))
		c--;
	while (c + 1 < h->columns && t >= column_edge(h, c + 1))
		c++;
	return c;
}

static bool tick_column(const struct heat_making *m, uint32_t event, uint32_t *column)
{
	uint32_t tick = m->from->ticks->tick[event];

	if (tick < m->first_tick || tick - m->first_tick >= m->ticks)
		return false;
	*column = matrix_group(tick - m->first_tick, m->h->columns, m->ticks);
	return true;
}

/* A walk along a process's time; what it is asked for must not step back. */
struct cutter {
	uint32_t event, end; /* the event whose time it is, and behind its process's last */
	uint32_t logged;     /* the next event as the log numbers it */
	double until;        /* when the next event's time begins */
};

/* When an event's time begins: with the call that it is the first of. */
static double begins(const struct call_log *log, uint32_t logged)
{
	uint32_t call = log->call_of[logged];
	double time = log->trace->time[logged];

	return call != NO_LOGGED_CALL && log->calls[call].first_event == logged ? fmin(time, log->calls[call].start) : time;
}

/* Ticks may be of a trace whose collectives are out. */
static void skip_collectives(const struct heat_making *m, struct cutter *c)
{
	const struct trace *t = m->from->log->trace;

	while (t != m->trace && EVENT_KIND(t->type[c->logged]) == EVENT_COLLECTIVE)
		c->logged++;
}

static void next_event(const struct heat_making *m, struct cutter *c)
{
	c->event++;
	if (c->event + 1 < c->end) {
		c->logged++;
		skip_collectives(m, c);
		c->until = fmax(c->until, begins(m->from->log, c->logged));
	} else {
		c->until = INFINITY;
	}
}

static struct cutter cutter_of(const struct heat_making *m, uint32_t process)
{
	struct cutter c = {m->trace->first[process], m->trace->first[process + 1], m->from->log->trace->first[process], INFINITY};

	if (m->from->ticks && c.event + 1 < c.end) {
		skip_collectives(m, &c);
		c.until = begins(m->from->log, c.logged++);
		skip_collectives(m, &c);
		c.until = fmax(c.until, begins(m->from->log, c.logged));
	}
	return c;
}

/* The next piece of [*from, to) that lies in one column: which, and how long. *from moves behind it. */
static bool next_piece(const struct heat_making *m, struct cutter *c, double *from, double to, uint32_t *column, double *length)
{
	const struct heat_map *h = m->h;
	double until = to;

	if (!m->from->ticks) {
		*from = fmax(*from, h->from);
		to = fmin(to, h->to);
		if (!(*from < to))
			return false;
		*column = column_at(h, *from);
		until = fmin(to, column_edge(h, *column + 1));
		*length = until - *from;
		*from = until;
		return true;
	}
	while (c->event < c->end && *from < to) {
		bool in;

		while (c->until <= *from)
			next_event(m, c);
		until = fmin(to, c->until);
		*length = until - *from;
		in = tick_column(m, c->event, column);
		*from = until;
		if (in)
			return true;
	}
	return false;
}

static void spend(const struct heat_making *m, struct cutter *c, double from, double to, double *into)
{
	uint32_t column;
	double length;

	while (next_piece(m, c, &from, to, &column, &length))
		into[column] += length;
}

/* --- measures --- */

static void add_time(struct heat_making *m, const struct call_list *l)
{
	struct cutter c = cutter_of(m, l->process);

	spend(m, &c, l->start, l->stop, m->time);
}

static enum err_code add_compute(struct heat_making *m, const struct call_list *l, struct err *e)
{
	const struct logged_call *calls = m->from->log->calls;
	struct cutter cut = cutter_of(m, l->process);
	enum err_code code = ERR_OK;

	for (uint32_t c = l->first; !code && c <= l->end; c++) {
		spend(m, &cut, c == l->first ? l->start : calls[c - 1].end, c == l->end ? l->stop : calls[c].start, m->value);
		code = asked(m, e);
	}
	return code;
}

static enum err_code add_waiting(struct heat_making *m, const struct call_list *l, struct err *e)
{
	const struct logged_call *calls = m->from->log->calls;
	struct cutter cut = cutter_of(m, l->process);
	enum err_code code = ERR_OK;

	for (uint32_t c = l->first; !code && c < l->end; c++) {
		if (m->from->waits->sync[c] > 0)
			spend(m, &cut, calls[c].start, calls[c].start + m->from->waits->sync[c], m->value);
		code = asked(m, e);
	}
	return code;
}

static enum err_code add_to_phase(struct heat_making *m, uint32_t column, uint32_t phase, double time, struct err *e)
{
	struct phase_part *part = m->last == UINT32_MAX ? NULL : &m->parts[m->last];
	uint32_t *place;

	if (part && part->column == column && part->phase == phase) {
		part->time += time;
		return ERR_OK;
	}
	place = map_at(m->places, column, phase);
	part = mem_grow(m->parts, m->part_count, &m->part_cap, sizeof *m->parts);
	if (part)
		m->parts = part;
	if (!place || !part)
		return err_memory(e, "the heat map");
	if (!*place) {
		m->parts[m->part_count++] = (struct phase_part){column, phase, 0};
		*place = m->part_count;
	}
	m->last = *place - 1;
	m->parts[m->last].time += time;
	return ERR_OK;
}

static enum err_code add_phases(struct heat_making *m, const struct call_list *l, struct err *e)
{
	const struct phase_spans *s = m->from->spans;
	struct cutter cut = cutter_of(m, l->process);
	enum err_code code = ERR_OK;

	for (uint32_t i = s->first[l->process]; !code && i < s->first[l->process + 1]; i++) {
		double from = fmax(s->spans[i].from, l->start), length;
		double to = i + 1 < s->first[l->process + 1] ? fmin(s->spans[i + 1].from, l->stop) : l->stop;
		uint32_t column;

		if (s->spans[i].phase == SPAN_BEFORE || s->spans[i].phase == SPAN_AFTER)
			continue;
		while (!code && next_piece(m, &cut, &from, to, &column, &length))
			code = add_to_phase(m, column, s->spans[i].phase, length, e);
		if (!code)
			code = asked(m, e);
	}
	return code;
}

/* Events where they are, whatever their thread; what was sent where that is asked for. */
static enum err_code add_events(struct heat_making *m, uint32_t process, struct err *e)
{
	const struct trace *t = m->trace;
	const struct heat_map *h = m->h;
	double now = -INFINITY;
	enum err_code code = ERR_OK;

	for (uint32_t ev = t->first[process]; !code && ev < t->first[process + 1]; ev++) {
		uint32_t column;

		code = asked(m, e);
		now = fmax(now, t->time[ev]);
		if (m->from->ticks) {
			if (!tick_column(m, ev, &column))
				continue;
		} else {
			if (now < h->from || now > h->to || (now >= h->to && !m->whole))
				continue;
			column = column_at(h, now);
		}
		m->seen[column] = 1;
		if (EVENT_KIND(t->type[ev]) != EVENT_SEND)
			continue;
		if (h->measure == HEAT_MESSAGES)
			m->value[column]++;
		else if (h->measure == HEAT_BYTES && trace_size(t, ev) != SIZE_UNKNOWN)
			m->value[column] += (double)trace_size(t, ev);
	}
	return code;
}

static bool is_count(enum heat_measure m)
{
	return m == HEAT_BYTES || m == HEAT_MESSAGES;
}

/* Does the trace say it at all? */
static bool is_known(const struct heat_making *m)
{
	switch (m->h->measure) {
	case HEAT_COMPUTE: return m->from->log->states_seen;
	case HEAT_WAITING: return m->from->waits != NULL;
	default: return true;
	}
}

static enum err_code add_process(struct heat_making *m, uint32_t process, struct err *e)
{
	const struct call_log *log = m->from->log;
	enum err_code code = asked(m, e);

	for (uint32_t i = log->list_first[process]; !code && i < log->list_first[process + 1]; i++) {
		const struct call_list *l = &log->lists[i];

		if (!l->account)
			continue;
		add_time(m, l);
		if (m->h->measure == HEAT_PHASE)
			code = add_phases(m, l, e);
		else if (is_known(m) && m->h->measure == HEAT_COMPUTE)
			code = add_compute(m, l, e);
		else if (is_known(m) && m->h->measure == HEAT_WAITING)
			code = add_waiting(m, l, e);
	}
	if (!code && is_count(m->h->measure))
		code = add_events(m, process, e);
	return code;
}

/* --- rows --- */

/* The phase with most of each cell's time, the lowest of several. */
static void settle_phases(struct heat_making *m)
{
	for (uint32_t i = 0; i < m->part_count; i++) {
		const struct phase_part *part = &m->parts[i];
		double *most = &m->most[part->column], *id = &m->value[part->column];

		if (part->time > *most || (part->time == *most && part->phase < *id)) {
			*most = part->time;
			*id = part->phase;
		}
	}
}

static void settle_row(struct heat_making *m)
{
	struct heat_map *h = m->h;

	if (h->measure == HEAT_PHASE)
		settle_phases(m);
	for (uint32_t c = 0; c < h->columns; c++) {
		double *v = &m->value[c];

		if (is_count(h->measure) ? !(m->time[c] > 0 || m->seen[c]) : !(m->time[c] > 0) || !is_known(m))
			*v = NAN;
		else if (h->measure == HEAT_COMPUTE || h->measure == HEAT_WAITING)
			*v = fmin(*v / (m->from->ticks ? m->time[c] : m->total), 1);
		h->most = fmax(h->most, *v);
	}
}

static uint32_t first_process(const struct heat_making *m, uint32_t row)
{
	uint64_t first = (uint64_t)row * m->from->each;

	if (!m->from->each)
		return matrix_first(row, m->h->rows, m->h->processes);
	return first < m->h->processes ? (uint32_t)first : m->h->processes;
}

static enum err_code make_row(struct heat_making *m, uint32_t row, struct err *e)
{
	struct heat_map *h = m->h;
	uint32_t end = first_process(m, row + 1);
	enum err_code code = ERR_OK;

	m->value = h->value + (size_t)row * h->columns;
	m->total = (end - first_process(m, row)) * (h->to - h->from) / h->columns;
	memset(m->time, 0, h->columns * sizeof *m->time);
	memset(m->most, 0, h->columns * sizeof *m->most);
	memset(m->seen, 0, h->columns);
	m->part_count = 0;
	m->last = UINT32_MAX;
	map_free(m->places);
	m->places = map_new();
	if (!m->places)
		return err_memory(e, "the heat map");
	for (uint32_t p = first_process(m, row); !code && p < end; p++)
		code = add_process(m, p, e);
	if (!code)
		settle_row(m);
	return code;
}

static void heat_lay_out(struct heat_making *m)
{
	const struct heat_from *from = m->from;
	const struct trace *t = from->log->trace;
	struct heat_map *h = m->h;

	if (from->ticks) {
		m->first_tick = from->first_tick;
		m->ticks = m->first_tick < from->end_tick ? from->end_tick - m->first_tick : 0;
		if (h->columns > m->ticks)
			h->columns = m->ticks;
		return;
	}
	m->whole = !(from->from < from->to);
	h->from = from->from;
	h->to = from->to;
	if (!m->whole)
		return;
	h->from = trace_has_time(t) ? t->start : 0;
	h->to = trace_has_time(t) ? t->end : 0;
}

static enum err_code heat_map_make(struct heat_making *m, struct err *e)
{
	struct heat_map *h = m->h;
	enum err_code code = ERR_OK;

	h->value = mem_zero((size_t)h->rows * h->columns, sizeof *h->value);
	m->time = mem_alloc(h->columns, sizeof *m->time);
	m->most = mem_alloc(h->columns, sizeof *m->most);
	m->seen = mem_alloc(h->columns, sizeof *m->seen);
	if (!h->value || !m->time || !m->most || !m->seen)
		return err_memory(e, "the heat map");
	for (uint32_t row = 0; !code && h->columns && row < h->rows; row++)
		code = make_row(m, row, e);
	return code;
}

enum err_code heat_map_new(struct heat_map **out, enum heat_measure measure, const struct heat_from *from, uint32_t rows,
			   uint32_t columns, const struct progress *progress, struct err *e)
{
	struct heat_making m = {.h = mem_zero(1, sizeof *m.h), .from = from, .progress = progress};
	uint32_t processes = from->log->trace->process_count;
	enum err_code code;

	*out = NULL;
	if (!m.h)
		return err_memory(e, "the heat map");
	if (from->each)
		rows = (uint32_t)(((uint64_t)processes + from->each - 1) / from->each);
	m.trace = from->ticks ? from->ticks->trace : from->log->trace;
	*m.h = (struct heat_map){.measure = measure, .rows = rows < processes ? rows : processes, .columns = columns,
				 .processes = processes};
	heat_lay_out(&m);
	code = heat_map_make(&m, e);
	map_free(m.places);
	mem_free(m.parts);
	mem_free(m.time);
	mem_free(m.most);
	mem_free(m.seen);
	if (code)
		heat_map_free(m.h);
	else
		*out = m.h;
	return code;
}

void heat_map_free(struct heat_map *h)
{
	if (!h)
		return;
	mem_free(h->value);
	mem_free(h);
}
