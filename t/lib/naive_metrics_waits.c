/* Waiting inside calls, computing under communication, and the ideal run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "naive_metrics_parts.h"
#include "tap.h"

static const char *const sending[] = {"Send", "Ssend", "Rsend", "Sendrecv", "Sendrecv_replace", NULL};
static const char *const at_once[] = {"Recv", "Mrecv", "Sendrecv", "Sendrecv_replace", NULL};
static const char *const for_all[] = {"Barrier", "Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Alltoallw",
				      "Reduce_scatter", "Reduce_scatter_block", NULL};
static const char *const rooted[] = {"Bcast", "Scatter", "Scatterv", "Gather", "Gatherv", "Reduce", "Scan", "Exscan", NULL};

struct naive_call *naive_call_of(const struct naive_metrics *m, uint32_t event)
{
	return &m->list[m->where[event].list].call[m->where[event].call];
}

bool naive_completes_at_once(const struct naive_call *c)
{
	return naive_is(c->name, at_once);
}

/* Those in which members depend on each other. Which neighbours somebody has, no trace tells. */
static bool is_blocking_collective(const struct naive_call *c)
{
	return naive_is(c->name, for_all) || naive_is(c->name, rooted);
}

static event_type kind_of(const struct naive_metrics *m, uint32_t event)
{
	return EVENT_KIND(m->trace->type[event]);
}

/* --- waiting --- */

static void late(struct naive_call *c, enum naive_reason reason, double seconds)
{
	if (seconds > c->late[reason])
		c->late[reason] = seconds;
}

static void wait_for(const struct naive_metrics *m, struct naive_call *c, uint32_t event)
{
	const uint32_t *match = m->trace->match;

	if (kind_of(m, event) == EVENT_RECEIVE && match[event] != NO_EVENT)
		late(c, NAIVE_LATE_SENDER, fmin(naive_call_of(m, match[event])->start, c->end) - c->start);
	if (kind_of(m, event) == EVENT_SEND && match[event] != NO_EVENT && naive_is(c->name, sending)) {
		const struct naive_call *r = naive_call_of(m, match[event]);

		if (naive_completes_at_once(r) && c->start < r->start && r->start <= c->end)
			late(c, NAIVE_LATE_RECEIVER, r->start - c->start);
	}
	if (kind_of(m, event) == EVENT_COLLECTIVE && is_blocking_collective(c))
		for (uint32_t other = match[event]; other != event && other != NO_EVENT; other = match[other]) {
			const struct naive_call *d = naive_call_of(m, other);

			if (d->start <= c->end)
				late(c, NAIVE_COLLECTIVE_WAIT, d->start - c->start);
		}
}

void naive_waits(struct naive_metrics *m)
{
	for (uint32_t i = 0; i < m->lists; i++)
		for (uint32_t k = 0; k < m->list[i].calls; k++) {
			struct naive_call *c = &m->list[i].call[k];

			for (uint32_t e = 0; e < c->events; e++)
				wait_for(m, c, c->event[e]);
			c->sync = 0;
			for (int r = 0; r < NAIVE_REASONS; r++)
				c->sync = fmax(c->sync, c->late[r]);
			for (int r = NAIVE_REASONS; r-- > 0;)
				if (c->late[r] == c->sync)
					c->reason = (enum naive_reason)r;
			/* What is no communication is not divided. */
			if (c->kind == NAIVE_OTHER_MPI || c->kind == NAIVE_UNTRACED)
				c->sync = 0;
		}
}

/* --- computing under communication --- */

static const char *const completing[] = {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome", NULL};
static const char *const irecv[] = {"Irecv", NULL}, *const start[] = {"Start", NULL}, *const startall[] = {"Startall", NULL};

static bool posts_one(const struct naive_call *c)
{
	return naive_is(c->name, irecv) || (naive_is(c->name, start) && c->sends == 0);
}

static bool posts_any(const struct naive_call *c)
{
	return naive_is(c->name, startall);
}

static void hide(struct naive_list *l)
{
	uint32_t *counted = calloc(l->calls + 1, sizeof *counted);
	uint64_t posts = 0, completions = 0, need = 0;
	bool any = false;

	if (!counted)
		bail_out("no memory for the naive metrics");
	for (uint32_t i = 0; i < l->calls; i++) {
		const struct naive_call *c = &l->call[i];

		for (uint32_t k = 0; naive_is(c->name, completing) && k < c->receives; k++)
			if (any || posts > completions) {
				completions++;
				counted[i]++;
			}
		posts += posts_one(c);
		any = any || posts_any(c);
	}
	for (uint32_t i = l->calls; i-- > 0;) {
		struct naive_call *c = &l->call[i];

		need += counted[i];
		if (posts_one(c) && need > 0)
			need--;
		if (posts_any(c))
			need = 0;
		c->hidden = need > 0;
	}
	free(counted);
}

void naive_hidden(struct naive_metrics *m)
{
	for (uint32_t i = 0; i < m->lists; i++)
		hide(&m->list[i]);
}

int naive_overlap_known(const struct naive_metrics *m, uint32_t process)
{
	static const char *const sends[] = {"Isend", "Ibsend", "Issend", "Irsend", "Isendrecv", "Isendrecv_replace", NULL};
	bool posts = false, others = false;

	for (uint32_t p = 0; p < m->processes; p++) {
		const struct naive_list *l = m->process[p].list == NAIVE_NONE ? NULL : &m->list[m->process[p].list];

		for (uint32_t k = 0; l && (process == NAIVE_NONE || process == p) && k < l->calls; k++) {
			const struct naive_call *c = &l->call[k];

			posts = posts || posts_one(c) || posts_any(c);
			others = others || naive_is(c->name, sends) || (naive_is(c->name, start) && c->sends > 0) ||
				 (c->kind == NAIVE_COLLECTIVE && c->name[0] == 'I');
		}
	}
	return posts ? 2 : others ? 0 : 1;
}

/* --- the ideal run --- */

static void depend(const struct naive_metrics *m, struct naive_call *c, uint32_t event)
{
	uint64_t on = (uint64_t)m->where[event].list << 32 | m->where[event].call;

	for (uint32_t i = 0; i < c->needs; i++)
		if (c->need[i] == on)
			return; /* two messages are one dependence */
	c->need = naive_more(c->need, &c->needs, sizeof *c->need);
	c->need[c->needs - 1] = on;
}

static void depend_on(const struct naive_metrics *m, struct naive_call *c, uint32_t event, const struct naive_choices *choices)
{
	static const char *const ssend[] = {"Ssend", NULL};
	uint32_t match = m->trace->match[event], size = m->trace->size[event];

	if (kind_of(m, event) == EVENT_RECEIVE && match != NO_EVENT)
		depend(m, c, match);
	if (kind_of(m, event) == EVENT_SEND && match != NO_EVENT && naive_completes_at_once(naive_call_of(m, match))) {
		bool large = choices->rendezvous >= 0 && size != SIZE_UNKNOWN && size > choices->rendezvous;

		if (naive_is(c->name, ssend) || (large && naive_is(c->name, sending)))
			depend(m, c, match);
	}
	if (kind_of(m, event) != EVENT_COLLECTIVE)
		return;
	for (; match != event && match != NO_EVENT; match = m->trace->match[match])
		if (naive_is(c->name, for_all) ||
		    (naive_is(c->name, rooted) && (choices->rooted_all || naive_call_of(m, match)->start <= c->end)))
			depend(m, c, match);
}

static struct naive_call *needed(const struct naive_metrics *m, uint64_t need)
{
	return &m->list[need >> 32].call[(uint32_t)need];
}

static double entry_of(const struct naive_metrics *m, const struct naive_list *l, uint32_t k)
{
	if (k == 0)
		return l->start - m->t0 + (l->call[0].start - l->start);
	return l->call[k - 1].exit + (l->call[k].start - l->call[k - 1].end);
}

static double exit_of(const struct naive_metrics *m, const struct naive_call *c)
{
	double x = c->entry;

	for (uint32_t i = 0; i < c->needs; i++)
		x = fmax(x, needed(m, c->need[i])->entry);
	return x;
}

/* One step: some call is entered or left. */
static bool step(struct naive_metrics *m)
{
	bool moved = false;

	for (uint32_t i = 0; i < m->lists; i++)
		for (uint32_t k = 0; k < m->list[i].calls; k++) {
			struct naive_call *c = &m->list[i].call[k];
			bool ready = true;

			if (c->left)
				continue;
			if (!c->entered) {
				if (k > 0 && !c[-1].left)
					break;
				c->entry = entry_of(m, &m->list[i], k);
				c->entered = moved = true;
			}
			for (uint32_t n = 0; n < c->needs; n++)
				ready = ready && needed(m, c->need[n])->entered;
			if (!ready)
				break;
			c->exit = exit_of(m, c);
			c->left = moved = true;
		}
	return moved;
}

/* Nothing moves: the pending call with the smallest start, then process, then thread, drops what has no E. */
static bool cut(struct naive_metrics *m)
{
	const struct naive_list *of = NULL;
	struct naive_call *first = NULL;

	for (uint32_t i = 0; i < m->lists; i++) {
		const struct naive_list *l = &m->list[i];

		for (uint32_t k = 0; k < l->calls; k++) {
			struct naive_call *c = &l->call[k];

			if (!c->entered || c->left)
				continue;
			if (!first || c->start < first->start ||
			    (c->start == first->start &&
			     (l->process < of->process || (l->process == of->process && l->thread < of->thread)))) {
				first = c;
				of = l;
			}
		}
	}
	if (!first)
		return false;
	for (uint32_t n = first->needs; n-- > 0;)
		if (!needed(m, first->need[n])->entered) {
			first->need[n] = first->need[--first->needs];
			m->broken++;
		}
	return true;
}

void naive_replay(struct naive_metrics *m, const struct naive_choices *choices)
{
	for (uint32_t i = 0; i < m->lists; i++)
		for (uint32_t k = 0; k < m->list[i].calls; k++)
			for (uint32_t e = 0; e < m->list[i].call[k].events; e++)
				depend_on(m, &m->list[i].call[k], m->list[i].call[k].event[e], choices);
	do {
		while (step(m))
			;
	} while (cut(m));
	m->ideal_runtime = -INFINITY;
	for (uint32_t i = 0; i < m->lists; i++) {
		struct naive_list *l = &m->list[i];

		if (l->calls)
			l->ideal_end = l->call[l->calls - 1].exit + (l->end - l->call[l->calls - 1].end);
		else
			l->ideal_end = l->start - m->t0 + (l->end - l->start);
		m->ideal_runtime = fmax(m->ideal_runtime, l->ideal_end);
	}
}

uint32_t naive_metrics_unsolved(const struct naive_metrics *m)
{
	uint32_t bad = 0;

	for (uint32_t i = m->lists; i-- > 0;)
		for (uint32_t k = m->list[i].calls; k-- > 0;) {
			const struct naive_call *c = &m->list[i].call[k];

			bad += !c->left || c->entry != entry_of(m, &m->list[i], k) || c->exit != exit_of(m, c);
		}
	return bad;
}
