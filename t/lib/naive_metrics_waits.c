/* Waiting inside calls, computing under communication, and the ideal run. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive_metrics_parts.h"
#include "tap.h"

static const char *const sending[] = {"Send", "Ssend", "Rsend", "Sendrecv", "Sendrecv_replace", NULL};
static const char *const at_once[] = {"Recv", "Mrecv", "Sendrecv", "Sendrecv_replace", NULL};
static const char *const completing[] = {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome", NULL};
static const char *const for_all[] = {"Barrier", "Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Alltoallw",
				      "Reduce_scatter", "Reduce_scatter_block", NULL};
static const char *const from_root[] = {"Bcast", "Scatter", "Scatterv", NULL};
static const char *const to_root[] = {"Gather", "Gatherv", "Reduce", NULL};
static const char *const rooted[] = {"Bcast", "Scatter", "Scatterv", "Gather", "Gatherv", "Reduce", "Scan", "Exscan", NULL};

struct naive_call *naive_call_of(const struct naive_metrics *m, uint32_t event)
{
	return &m->list[m->where[event].list].call[m->where[event].call];
}

bool naive_completes_at_once(const struct naive_call *c)
{
	return naive_is(c->name, at_once);
}

/* What a collective is that completes in this call: that of the call, or the nonblocking one that was begun as this
 * event. NULL: none in which members depend on each other. Which neighbours somebody has, no trace tells. */
static const char *awaited(const struct naive_metrics *m, const struct naive_call *c, uint32_t event, char name[64])
{
	if (naive_call_of(m, event) == c) {
		snprintf(name, 64, "%s", c->name);
	} else {
		const char *op = m->trace->colls[EVENT_INDEX(m->trace->type[event])].op;

		if (op[0] != 'I')
			return NULL;
		snprintf(name, 64, "%s", op + 1);
		name[0] = (char)toupper((unsigned char)name[0]);
	}
	return naive_is(name, for_all) || naive_is(name, rooted) ? name : NULL;
}

/* Of the others in a collective who says that it is the root; of several, where a trace is damaged, the one that came
 * last. */
static bool is_root(const struct naive_metrics *m, uint32_t mine, uint32_t candidate)
{
	uint32_t last = NAIVE_NONE;

	for (uint32_t e = m->trace->match[mine]; e != mine && e != NO_EVENT; e = m->trace->match[e])
		if (m->where[e].root == m->list[m->where[e].list].process &&
		    (last == NAIVE_NONE || naive_call_of(m, e)->start >= naive_call_of(m, last)->start))
			last = e;
	return last != NAIVE_NONE && naive_call_of(m, candidate)->start == naive_call_of(m, last)->start &&
	       m->where[candidate].root == m->list[m->where[candidate].list].process;
}

/* Does who is in that collective by `mine` wait for who is in it by `other`, as far as roots say? */
static bool roots_say(const struct naive_metrics *m, const char *name, uint32_t mine, uint32_t other)
{
	uint32_t root = m->where[mine].root, me = m->list[m->where[mine].list].process;

	if (root == NAIVE_NONE)
		return true;
	if (naive_is(name, from_root))
		return me != root && is_root(m, mine, other);
	if (naive_is(name, to_root))
		return me == root;
	return true;
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
}

static void wait_in(const struct naive_metrics *m, struct naive_call *c, uint32_t event)
{
	const uint32_t *match = m->trace->match;
	char buf[64];
	const char *name = kind_of(m, event) == EVENT_COLLECTIVE ? awaited(m, c, event, buf) : NULL;

	if (!name)
		return;
	for (uint32_t other = match[event]; other != event && other != NO_EVENT; other = match[other]) {
		const struct naive_call *d = naive_call_of(m, other);

		if (d->start <= c->end && roots_say(m, name, event, other))
			late(c, NAIVE_COLLECTIVE_WAIT, d->start - c->start);
	}
}

/* The nonblocking collective number i that has completed in this call: its event, if it is one that the call waits
 * at. */
static bool completes(const struct naive_call *c, uint32_t i, uint32_t *event)
{
	*event = c->done[i].event;
	return naive_is(c->name, completing) && c->done[i].collective && !c->done[i].message;
}

/* The receive of what a probe found: by the next of up to 64 calls that receives, if that is a receive and nothing else, and what
 * it got was sent by then. */
static uint32_t probed(const struct naive_metrics *m, const struct naive_list *l, uint32_t probe)
{
	static const char *const probes[] = {"Probe", "Mprobe", NULL}, *const receives[] = {"Recv", "Mrecv", NULL};
	static const char *const others[] = {"Probe", "Mprobe", "Irecv", "Imrecv", "Isendrecv", "Isendrecv_replace", "Sendrecv", "Sendrecv_replace",
					     "Start", "Startall", NULL};

	if (!naive_is(l->call[probe].name, probes) || l->call[probe].events)
		return NO_EVENT;
	for (uint32_t k = probe + 1; k < l->calls && k <= probe + 64; k++) {
		const struct naive_call *c = &l->call[k];

		for (uint32_t e = 0; naive_is(c->name, receives) && e < c->events; e++)
			if (kind_of(m, c->event[e]) == EVENT_RECEIVE) {
				uint32_t match = m->trace->match[c->event[e]];

				return match != NO_EVENT && naive_call_of(m, match)->start < l->call[probe].end ? c->event[e] : NO_EVENT;
			}
		if (naive_is(c->name, receives) || naive_is(c->name, others) || naive_is(c->name, completing))
			break;
	}
	return NO_EVENT;
}

void naive_waits(struct naive_metrics *m)
{
	for (uint32_t i = 0; i < m->lists; i++)
		for (uint32_t k = 0; k < m->list[i].calls; k++) {
			struct naive_call *c = &m->list[i].call[k];

			uint32_t found = probed(m, &m->list[i], k);

			if (found != NO_EVENT)
				wait_for(m, c, found);
			for (uint32_t e = 0; e < c->events; e++)
				wait_for(m, c, c->event[e]);
			for (uint32_t e = 0; e < c->events; e++)
				wait_in(m, c, c->event[e]);
			for (uint32_t d = 0, e; d < c->dones; d++)
				if (completes(c, d, &e))
					wait_in(m, c, e);
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

static const char *const irecv[] = {"Irecv", NULL}, *const start[] = {"Start", NULL}, *const startall[] = {"Startall", NULL};

static bool posts_one(const struct naive_call *c)
{
	return !c->told && (naive_is(c->name, irecv) || (naive_is(c->name, start) && c->sends == 0));
}

static bool posts_any(const struct naive_call *c)
{
	return !c->told && naive_is(c->name, startall);
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

		for (uint32_t k = c->messages_done; naive_is(c->name, completing) && k < c->receives; k++)
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

/* What has a number is pending from the call that began it to the one of the same thread in which it completes. */
static void hide_numbered(const struct naive_metrics *m, struct naive_list *l)
{
	for (uint32_t i = 0; i < l->calls; i++)
		for (uint32_t d = 0; naive_is(l->call[i].name, completing) && d < l->call[i].dones; d++) {
			const struct naive_done *done = &l->call[i].done[d];

			if (&m->list[done->list] != l || done->collective == done->message)
				continue;
			for (uint32_t k = done->call + 1; k <= i; k++)
				l->call[k].hidden = true;
		}
}

void naive_hidden(struct naive_metrics *m)
{
	for (uint32_t i = 0; i < m->lists; i++)
		hide(&m->list[i]);
	for (uint32_t i = 0; i < m->lists; i++)
		hide_numbered(m, &m->list[i]);
}

static uint32_t collectives_in(const struct naive_metrics *m, const struct naive_call *c)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < c->events; e++)
		n += kind_of(m, c->event[e]) == EVENT_COLLECTIVE;
	return n;
}

int naive_overlap_known(const struct naive_metrics *m, uint32_t process)
{
	static const char *const sends[] = {"Isend", "Ibsend", "Issend", "Irsend", "Isendrecv", "Isendrecv_replace", NULL};
	bool posts = false, others = false;

	for (uint32_t p = 0; p < m->processes; p++) {
		const struct naive_list *l = m->process[p].list == NAIVE_NONE ? NULL : &m->list[m->process[p].list];

		for (uint32_t k = 0; l && (process == NAIVE_NONE || process == p) && k < l->calls; k++) {
			const struct naive_call *c = &l->call[k];

			posts = posts || posts_one(c) || posts_any(c) || c->posted > 0;
			others = others || naive_is(c->name, sends) ||
				 ((naive_is(c->name, start) || naive_is(c->name, startall)) &&
				  (c->sends > 0 || collectives_in(m, c) > c->joined)) ||
				 (c->kind == NAIVE_COLLECTIVE && c->name[0] == 'I' && !c->told);
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
	uint32_t match = m->trace->match[event];
	uint64_t size = trace_size(m->trace, event);

	if (kind_of(m, event) == EVENT_RECEIVE && match != NO_EVENT)
		depend(m, c, match);
	if (kind_of(m, event) == EVENT_SEND && match != NO_EVENT && naive_completes_at_once(naive_call_of(m, match))) {
		bool large = choices->rendezvous >= 0 && size != SIZE_UNKNOWN && size > (uint64_t)choices->rendezvous;

		if (naive_is(c->name, ssend) || (large && naive_is(c->name, sending)))
			depend(m, c, match);
	}
}

static void depend_in(const struct naive_metrics *m, struct naive_call *c, uint32_t event, const struct naive_choices *choices)
{
	char buf[64];
	const char *name = kind_of(m, event) == EVENT_COLLECTIVE ? awaited(m, c, event, buf) : NULL;

	if (!name)
		return;
	for (uint32_t other = m->trace->match[event]; other != event && other != NO_EVENT; other = m->trace->match[other])
		if (choices->rooted_all || (roots_say(m, name, event, other) &&
					    (naive_is(name, for_all) || naive_call_of(m, other)->start <= c->end)))
			depend(m, c, other);
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
		for (uint32_t k = 0; k < m->list[i].calls; k++) {
			struct naive_call *c = &m->list[i].call[k];
			uint32_t found = probed(m, &m->list[i], k);

			if (found != NO_EVENT)
				depend_on(m, c, found, choices);
			for (uint32_t e = 0; e < c->events; e++) {
				depend_on(m, c, c->event[e], choices);
				depend_in(m, c, c->event[e], choices);
			}
			for (uint32_t d = 0, e; d < c->dones; d++)
				if (completes(c, d, &e))
					depend_in(m, c, e, choices);
		}
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
