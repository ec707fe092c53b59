#include "critical.h"

#define ASK_EVERY 8192

struct seeking {
	const struct replay *r;
	uint32_t call;
	double at;       /* when the call that is sought was entered */
	uint32_t found;  /* the lowest */
};

static bool see(void *arg, uint32_t call)
{
	struct seeking *s = arg;
	const struct call_log *log = s->r->log;
	const struct call_list *l = &log->lists[call_log_list_of(log, call)];

	if (call < s->found && replay_entry(s->r, l, call) >= s->at && !replay_dropped(s->r, s->call, call))
		s->found = call;
	return true;
}

/* The call that this one waited for; itself: none. */
static uint32_t waited_for(const struct replay *r, const struct call_list *l, uint32_t call)
{
	struct seeking s = {r, call, r->exit[call], NO_LOGGED_CALL};

	if (!(r->exit[call] > replay_entry(r, l, call)))
		return call;
	replay_dependences(r->log, &r->rules, call, see, &s);
	return s.found == NO_LOGGED_CALL ? call : s.found;
}

struct making {
	struct critical_path *p;
	size_t room;
	bool no_memory;
};

static void add(struct making *m, struct critical_piece piece)
{
	struct critical_piece *grown;

	if (!(piece.to > piece.from) || m->no_memory)
		return;
	grown = mem_grow(m->p->pieces, m->p->count, &m->room, sizeof *grown);
	if (!grown) {
		m->no_memory = true;
		return;
	}
	m->p->pieces = grown;
	grown[m->p->count++] = piece;
}

static uint32_t last_list(const struct replay *r)
{
	uint32_t last = 0;

	for (uint32_t l = 1; l < r->log->list_count; l++)
		if (r->end[l] > r->end[last])
			last = l;
	return last;
}

/* From the end back in time: pieces come in reverse order. */
static enum err_code walk(struct making *m, const struct replay *r, const struct job *job)
{
	const struct call_log *log = r->log;
	uint32_t list = last_list(r), at = log->lists[list].end, steps = 0;

	for (;;) {
		const struct call_list *l = &log->lists[list];
		double from = at == l->first ? l->start - r->t0 : r->exit[at - 1];
		double to = replay_entry(r, l, at);

		add(m, (struct critical_piece){list, at, CRITICAL_USEFUL, from, to});
		if (at == l->first) {
			add(m, (struct critical_piece){list, at, CRITICAL_LATE_START, 0, from});
			return ERR_OK;
		}
		at--;
		if (log->nodes[log->calls[at].node].time == ACCOUNT_TRACER) {
			add(m, (struct critical_piece){list, at, CRITICAL_TRACER, replay_entry(r, l, at), from});
		} else {
			at = waited_for(r, l, at);
			list = call_log_list_of(log, at);
		}
		if (m->no_memory)
			return ERR_MEMORY;
		if (++steps % ASK_EVERY == 0 && job_stopped(job))
			return ERR_CANCELLED;
	}
}

enum err_code critical_new(struct critical_path **out, const struct replay *r, const struct job *job, struct err *e)
{
	struct making m = {.p = mem_zero(1, sizeof *m.p)};
	enum err_code code = m.p ? ERR_OK : ERR_MEMORY;

	*out = NULL;
	if (!code && r->log->list_count)
		code = walk(&m, r, job);
	if (code || m.no_memory) {
		critical_free(m.p);
		return code == ERR_CANCELLED ? err_set(e, code, "stopped while following the critical path") :
					       err_memory(e, "the critical path");
	}
	for (uint32_t i = 0, j = m.p->count; i + 1 < j; i++) {
		struct critical_piece piece = m.p->pieces[i];

		m.p->pieces[i] = m.p->pieces[--j];
		m.p->pieces[j] = piece;
	}
	*out = m.p;
	return ERR_OK;
}

void critical_free(struct critical_path *p)
{
	if (!p)
		return;
	mem_free(p->pieces);
	mem_free(p);
}
