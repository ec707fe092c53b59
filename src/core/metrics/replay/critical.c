#include "replay_int.h"

#define ASK_EVERY 8192

struct seeking {
	const struct replay *r;
	uint32_t call;
	double at;       /* when the call that is sought was entered */
	uint32_t found;  /* the lowest */
};

static bool seeking_see_call(void *arg, uint32_t call)
{
	struct seeking *s = arg;
	const struct call_log *log = s->r->log;
	const struct call_list *l = &log->lists[call_log_list_of(log, call)];

	if (call < s->found && replay_entry(s->r, l, call) >= s->at &&
	    !replay_dropped(s->r, s->call, (struct call_at){team_rank(trace_team(log->trace)), call}))
		s->found = call;
	return true;
}

uint32_t critical_waited_for(const struct replay *r, uint32_t call)
{
	struct seeking s = {r, call, r->exit[call], NO_LOGGED_CALL};

	replay_dependences(r->log, &r->rules, call, seeking_see_call, &s);
	return s.found;
}

static void critical_add_piece(struct critical_walk *w, struct critical_piece piece)
{
	struct critical_piece *grown;

	if (!(piece.to > piece.from) || w->no_memory)
		return;
	grown = mem_grow(w->p->pieces, w->p->count, &w->room, sizeof *grown);
	if (!grown) {
		w->no_memory = true;
		return;
	}
	piece.place = w->passed++;
	w->p->pieces = grown;
	grown[w->p->count++] = piece;
}

enum critical_stop critical_go_back(struct critical_walk *w, const struct progress *progress)
{
	const struct replay *r = w->r;
	const struct call_log *log = r->log;
	const struct call_list *l = &log->lists[w->list];

	for (;;) {
		double from = w->at == l->first ? l->start - r->t0 : r->exit[w->at - 1];

		critical_add_piece(w, (struct critical_piece){w->list, w->at, CRITICAL_USEFUL, from, replay_entry(r, l, w->at), 0});
		if (w->at == l->first) {
			critical_add_piece(w, (struct critical_piece){w->list, w->at, CRITICAL_LATE_START, 0, from, 0});
			return w->no_memory ? CRITICAL_NO_MEMORY : CRITICAL_AT_START;
		}
		w->at--;
		if (w->no_memory)
			return CRITICAL_NO_MEMORY;
		if (++w->steps % ASK_EVERY == 0 && progress_stopped(progress))
			return CRITICAL_CANCELLED;
		if (log->nodes[log->calls[w->at].node].time == ACCOUNT_TRACER)
			critical_add_piece(w, (struct critical_piece){w->list, w->at, CRITICAL_TRACER, replay_entry(r, l, w->at), from, 0});
		else if (r->exit[w->at] > replay_entry(r, l, w->at))
			return CRITICAL_AT_WAIT;
	}
}

static uint32_t last_list(const struct replay *r)
{
	uint32_t last = 0;

	for (uint32_t l = 1; l < r->log->list_count; l++)
		if (r->end[l] > r->end[last])
			last = l;
	return last;
}

static enum err_code critical_walk_path(struct critical_walk *w, const struct progress *progress, struct err *e)
{
	const struct call_log *log = w->r->log;
	enum critical_stop stop;

	if (!log->list_count)
		return ERR_OK;
	w->list = last_list(w->r);
	w->at = log->lists[w->list].end;
	while ((stop = critical_go_back(w, progress)) == CRITICAL_AT_WAIT) {
		uint32_t other = critical_waited_for(w->r, w->at);

		if (other != NO_LOGGED_CALL) {
			w->at = other;
			w->list = call_log_list_of(log, other);
		}
	}
	if (stop == CRITICAL_AT_START)
		return ERR_OK;
	return stop == CRITICAL_CANCELLED ? err_set(e, ERR_CANCELLED, "stopped while following the critical path") :
					    err_memory(e, "the critical path");
}

enum err_code critical_new(struct critical_path **out, const struct replay *r, const struct progress *progress, struct err *e)
{
	const struct team *team = r->log->remote ? trace_team(r->log->trace) : NULL;
	struct critical_walk w = {.r = r, .p = mem_zero(1, sizeof *w.p)};
	enum err_code code = team_agree(team, w.p ? ERR_OK : err_memory(e, "the critical path"), e);

	*out = NULL;
	if (!code)
		code = team ? critical_walk_team(&w, progress, e) : critical_walk_path(&w, progress, e);
	if (code) {
		critical_free(w.p);
		return code;
	}
	w.p->all = w.passed;
	for (uint32_t i = 0, j = w.p->count; i + 1 < j; i++) {
		struct critical_piece piece = w.p->pieces[i];

		w.p->pieces[i] = w.p->pieces[--j];
		w.p->pieces[j] = piece;
	}
	for (uint32_t i = 0; i < w.p->count; i++)
		w.p->pieces[i].place = w.passed - 1 - w.p->pieces[i].place;
	*out = w.p;
	return ERR_OK;
}

void critical_free(struct critical_path *p)
{
	if (!p)
		return;
	mem_free(p->pieces);
	mem_free(p);
}
