/* One walk along the calls of each process and its stretches of phases: a call that extends over a stretch's end is cut
 * there. */
#include <math.h>

#include "core/trace/remote.h"
#include "rows_int.h"
#include "core/metrics/waits/not_analysed.h"

#define ASK_EVERY 8192

struct phase_walk {
	const struct run_metrics *m;
	const struct phase_spans *spans;
	uint32_t rows;          /* before, the phases, after */
	struct group_sums sums; /* struct part_sum per row */
	struct critical_sums critical;
	struct part *here;      /* per row: of the process at hand, all 0 between processes */
	uint32_t *touched;      /* rows that it has a share of */
	uint8_t *is_touched;
	uint32_t touched_count;
	uint32_t at, end;       /* the stretch that the walk is in; behind the process's last */
	double until;           /* where that ends; INFINITY: nowhere */
	struct part *part;      /* what is spent in it */
};

static uint32_t phase_row_of(const struct phase_walk *w, uint32_t phase)
{
	return phase == SPAN_AFTER ? w->rows - 1 : phase;
}

/* The walk is in the stretch w->at. */
static void phase_walk_settle(struct phase_walk *w)
{
	uint32_t row = phase_row_of(w, w->spans->spans[w->at].phase);

	if (!w->is_touched[row]) {
		w->is_touched[row] = 1;
		w->touched[w->touched_count++] = row;
	}
	w->part = &w->here[row];
	w->until = w->at + 1 < w->end ? w->spans->spans[w->at + 1].from : INFINITY;
}

static __attribute__((noinline)) void phase_walk_advance(struct phase_walk *w, double t)
{
	while (w->at + 1 < w->end && w->spans->spans[w->at + 1].from <= t)
		w->at++;
	phase_walk_settle(w);
}

/* Go on to the stretch of time t. Times do not step back. */
static inline void go_to(struct phase_walk *w, double t)
{
	if (w->until <= t)
		phase_walk_advance(w, t);
}

struct call_spent {
	enum account_kind kind;
	bool hidden, waited, not_analysed;
	enum wait_reason reason;
};

static inline void spend(struct phase_walk *w, double from, double to, struct call_spent s)
{
	while (from < to) {
		double until, spent;

		go_to(w, from);
		until = w->until < to ? w->until : to;
		spent = until - from;
		w->part->account.by_kind[s.kind] += spent;
		if (s.hidden)
			w->part->account.hidden += spent;
		if (s.not_analysed)
			not_analysed_add(&w->part->account, s.kind, spent);
		if (s.waited)
			w->part->account.by_reason[s.reason] += spent;
		from = until;
	}
}

static void spend_call(struct phase_walk *w, const struct call_list *list, uint32_t c)
{
	const struct call_log *log = w->m->log;
	const struct logged_call *call = &log->calls[c];
	struct call_spent s = {.kind = log->nodes[call->node].time};
	double sync = w->m->waits ? w->m->waits->sync[c] : 0;

	go_to(w, call->start);
	w->part->waiting += part_call_waiting(w->m, list, c);
	if (sync > 0) {
		s.waited = true;
		s.reason = w->m->waits->reason[c];
		s.kind = account_waiting(s.kind);
		spend(w, call->start, call->start + sync, s);
	}
	s.waited = false;
	s.kind = log->nodes[call->node].time;
	s.not_analysed = call_is_not_analysed(log, c);
	spend(w, call->start + sync, call->end, s);
}

static void spend_gap(struct phase_walk *w, const struct call_list *list, uint32_t c)
{
	const struct call_log *log = w->m->log;
	struct call_spent s = {.kind = ACCOUNT_USEFUL, .hidden = c < list->end && log->flags[c] & CALL_HIDDEN_BEFORE};

	spend(w, c == list->first ? list->start : log->calls[c - 1].end, c == list->end ? list->stop : log->calls[c].start, s);
}

static void phase_sum_join(void *to, const void *from)
{
	part_sum_join(to, from);
}

static void phase_walk_flush(struct phase_walk *w, uint32_t process)
{
	group_sums_begin(&w->sums, process);
	for (uint32_t i = 0; i < w->touched_count; i++) {
		uint32_t row = w->touched[i];

		part_sum_add(group_sums_at(&w->sums, row), process, &w->here[row]);
		w->here[row] = (struct part){0};
		w->is_touched[row] = 0;
	}
	w->touched_count = 0;
}

static enum err_code walk_list(struct phase_walk *w, const struct call_list *list, const struct progress *progress, struct err *e)
{
	w->at = w->spans->first[list->process];
	w->end = w->spans->first[list->process + 1];
	phase_walk_settle(w);
	for (uint32_t c = list->first; c < list->end; c++) {
		spend_gap(w, list, c);
		spend_call(w, list, c);
		if (c % ASK_EVERY == 0 && progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped while making the rows of the phases");
	}
	spend_gap(w, list, list->end);
	phase_walk_flush(w, list->process);
	return ERR_OK;
}

/* --- the critical path: what was computed in the stretches --- */

static void add_critical_stretch(struct phase_walk *w, uint32_t process, double from, double to)
{
	w->at = phase_span_at(w->spans, process, from);
	w->end = w->spans->first[process + 1];
	while (from < to) {
		bool last = w->at + 1 >= w->end || w->spans->spans[w->at + 1].from >= to;
		double until = last ? to : w->spans->spans[w->at + 1].from;

		critical_sums_add(&w->critical, phase_row_of(w, w->spans->spans[w->at].phase), until - from);
		from = until;
		w->at++;
	}
}

static void add_critical_piece(struct phase_walk *w, const struct critical_piece *piece)
{
	const struct call_log *log = w->m->log;
	const struct call_list *list = &log->lists[piece->list];
	uint32_t c = piece->call;

	switch (piece->what) {
	case CRITICAL_LATE_START:
		critical_sums_add(&w->critical, 0, piece->to - piece->from);
		break;
	case CRITICAL_TRACER:
		add_critical_stretch(w, list->process, log->calls[c].start, log->calls[c].end);
		break;
	case CRITICAL_USEFUL:
		add_critical_stretch(w, list->process, c == list->first ? list->start : log->calls[c - 1].end,
				     c == list->end ? list->stop : log->calls[c].start);
		break;
	}
}

static enum err_code add_critical(struct phase_walk *w, struct err *e)
{
	uint64_t most = (uint64_t)w->m->critical_count + w->spans->first[w->spans->process_count];
	enum err_code code = critical_sums_init(&w->critical, w->m, w->rows, most, e);

	for (uint32_t i = 0; !code && i < w->m->critical_count; i++) {
		struct critical_piece piece = run_metrics_critical(w->m, i);

		add_critical_piece(w, &piece);
	}
	return code ? code : critical_sums_finish(&w->critical, w->m, e);
}

static void phase_walk_release(struct phase_walk *w)
{
	group_sums_release(&w->sums);
	critical_sums_release(&w->critical);
	mem_free(w->here);
	mem_free(w->touched);
	mem_free(w->is_touched);
}

static enum err_code phase_walk_prepare(struct phase_walk *w, struct phase_rows *r, struct err *e)
{
	bool room = group_sums_init(&w->sums, w->m->log->trace, w->rows, sizeof(struct part_sum), phase_sum_join);

	w->here = mem_zero(w->rows, sizeof *w->here);
	w->touched = mem_alloc(w->rows, sizeof *w->touched);
	w->is_touched = mem_zero(w->rows, sizeof *w->is_touched);
	r->row = mem_zero(w->rows, sizeof *r->row);
	return room && w->here && w->touched && w->is_touched && r->row ? ERR_OK : err_memory(e, "the rows of the phases");
}

enum err_code phase_rows_init(struct phase_rows *r, const struct run_metrics *m, const struct phase_spans *spans,
			      const struct figures *figures, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(m->log->trace);
	struct phase_walk w = {.m = m, .spans = spans, .rows = spans->phases->count + 2};
	enum err_code code;

	*r = (struct phase_rows){0};
	code = phase_walk_prepare(&w, r, e);
	for (uint32_t l = 0; !code && l < m->log->list_count; l++)
		if (m->log->lists[l].account)
			code = walk_list(&w, &m->log->lists[l], progress, e);
	code = team_agree(team, code, e);
	if (!code)
		code = group_sums_finish(&w.sums, e);
	if (!code)
		code = add_critical(&w, e);
	for (uint32_t i = 0; !code && !team_rank(team) && i < w.rows; i++) {
		struct phase_row *row = &r->row[i];
		bool phase = i > 0 && i + 1 < w.rows;

		row->phase = i + 1 < w.rows ? i : SPAN_AFTER;
		row->weight = phase ? spans->phases->list[i - 1].weight : 0;
		row->relevant = phase && figures && figures->phase[i - 1].relevant;
		part_sum_row(&row->part, group_sums_of(&w.sums, i), w.critical.seconds[i], m);
		r->count++;
	}
	phase_walk_release(&w);
	if (code)
		phase_rows_release(r);
	return code;
}

void phase_rows_release(struct phase_rows *r)
{
	mem_free(r->row);
	*r = (struct phase_rows){0};
}
