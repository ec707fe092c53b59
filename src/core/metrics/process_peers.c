#include "process_peers.h"

#include <stdlib.h>

#include "meetings.h"
#include "traffic.h"

#define ASK_EVERY 8192

/* --- partners --- */

static int by_pair(const void *a, const void *b)
{
	const struct comm_pair *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Partners come in the order of their numbers, but those that only send to it: so ties are decided here. */
static void offer(struct process_peer *p, uint32_t partner, uint64_t bytes, uint64_t messages)
{
	p->partners++;
	if (p->heaviest != NO_PROCESS) {
		if (bytes != p->bytes ? bytes < p->bytes : messages != p->messages ? messages < p->messages : partner > p->heaviest)
			return;
	}
	p->heaviest = partner;
	p->bytes = bytes;
	p->messages = messages;
}

static enum err_code add_partners(struct process_peers *p, const struct trace *t, const struct job *job, struct err *e)
{
	struct comm_pair *pairs;
	uint32_t count;
	enum err_code code = comm_pairs(&pairs, &count, t, job, e);

	if (code)
		return code;
	for (uint32_t i = 0; i < count; i++) {
		struct comm_pair back = {.from = pairs[i].to, .to = pairs[i].from};
		const struct comm_pair *other = bsearch(&back, pairs, count, sizeof *pairs, by_pair);
		uint64_t bytes = pairs[i].sent.bytes + (other ? other->sent.bytes : 0);
		uint64_t messages = pairs[i].sent.messages + (other ? other->sent.messages : 0);

		if (pairs[i].from == pairs[i].to)
			continue;
		offer(&p->of[pairs[i].from], pairs[i].to, bytes, messages);
		if (!other)
			offer(&p->of[pairs[i].to], pairs[i].from, bytes, messages);
	}
	mem_free(pairs);
	return ERR_OK;
}

/* --- waits --- */

struct sums {
	double *seconds;     /* per process: how long the one at hand waited for it; 0 between processes */
	uint32_t *touched;
	uint32_t count;
};

static void add_waits_of(struct process_peer *p, struct sums *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t other = s->touched[i];
		double seconds = s->seconds[other];

		if (seconds > p->waited || (seconds >= p->waited && other < p->waited_for)) {
			p->waited = seconds;
			p->waited_for = other;
		}
		s->seconds[other] = 0;
	}
	s->count = 0;
}

static enum err_code walk(struct process_peers *p, const struct waits *w, const struct meetings *m, struct sums *s, const struct job *job,
			  struct err *e)
{
	const struct call_log *log = w->log;

	for (uint32_t l = 0; l < log->list_count; l++) {
		const struct call_list *list = &log->lists[l];

		for (uint32_t c = list->first; list->account && c < list->end; c++) {
			uint32_t late, other;

			if (c % ASK_EVERY == 0 && job_stopped(job))
				return err_set(e, ERR_CANCELLED, "stopped while looking for whom each process waited");
			if (!(w->sync[c] > 0) || (late = waits_for_among(w, m, c)) == NO_LOGGED_CALL)
				continue;
			other = log->lists[call_log_list_of(log, late)].process;
			if (!(s->seconds[other] > 0))
				s->touched[s->count++] = other;
			s->seconds[other] += w->sync[c];
		}
		add_waits_of(&p->of[list->process], s);
	}
	return ERR_OK;
}

static enum err_code add_waits(struct process_peers *p, const struct waits *w, const struct job *job, struct err *e)
{
	struct sums s = {mem_zero(p->count, sizeof *s.seconds), mem_alloc(p->count, sizeof *s.touched), 0};
	struct meetings m;
	enum err_code code = s.seconds && s.touched ? ERR_OK : err_memory(e, "whom each process waited for");

	if (!code && !(code = meetings_init(&m, w->log, job, e))) {
		code = walk(p, w, &m, &s, job, e);
		meetings_release(&m);
	}
	mem_free(s.seconds);
	mem_free(s.touched);
	return code;
}

enum err_code process_peers_new(struct process_peers **out, const struct trace *t, const struct waits *w, const struct job *job,
				struct err *e)
{
	struct process_peers *p = mem_zero(1, sizeof *p);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (p)
		p->of = mem_zero(t->process_count, sizeof *p->of);
	if (!p || !p->of) {
		process_peers_free(p);
		return err_memory(e, "whom each process has to do with");
	}
	p->count = t->process_count;
	for (uint32_t i = 0; i < p->count; i++)
		p->of[i].heaviest = p->of[i].waited_for = NO_PROCESS;
	code = add_partners(p, t, job, e);
	if (!code && w)
		code = add_waits(p, w, job, e);
	if (code)
		process_peers_free(p);
	else
		*out = p;
	return code;
}

void process_peers_free(struct process_peers *p)
{
	if (!p)
		return;
	mem_free(p->of);
	mem_free(p);
}
