/* Records into plain lists, one of each thread: what was open from record to record, which calls there were, which of
 * the trace's events happened in which, and the call tree. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/clog2/clog2.h"
#include "core/io/source.h"
#include "naive_metrics_parts.h"
#include "tap.h"

#define DEEPEST 256

struct record {
	struct clog2_rec rec;
	uint8_t payload[136];
};

struct state {
	int32_t start, final;
	char name[34];
	bool defined;
	char format[41];
};

/* Something with a number that a process has begun. */
struct post {
	uint32_t process, number;
	struct naive_done begun;
	bool taken;
};

struct rank {
	int32_t icomm, rank, world;
};

/* What a file holds. */
struct file {
	struct clog2_file clog2;
	struct record *record;
	uint32_t records;
	struct state *state;
	uint32_t states;
	struct rank *rank;
	uint32_t ranks;
	int32_t proc_null;
	struct state *solo;
	uint32_t solos;
	struct post *post;
	uint32_t posts;
};

/* A state that has begun. */
struct naive_open {
	uint32_t state;
	uint32_t node;      /* of a user state; NAIVE_NONE: a call, the tracer's write, or part of a call */
};

void *naive_more(void *list, uint32_t *count, size_t size)
{
	uint32_t n = *count;

	/* Room doubles where the count is a power of two. */
	if ((n & (n - 1)) == 0) {
		list = realloc(list, (n ? 2 * (size_t)n : 1) * size);
		if (!list)
			bail_out("no memory for the naive metrics");
	}
	memset((char *)list + n * size, 0, size);
	++*count;
	return list;
}

bool naive_is(const char *name, const char *const *names)
{
	size_t n = strlen(name);

	if (n > 2 && strcmp(name + n - 2, "_c") == 0)
		n -= 2;
	for (; *names; names++)
		if (strlen(*names) == n && strncmp(*names, name, n) == 0)
			return true;
	return false;
}

/* --- the file --- */

static void define(struct file *f, int32_t start, int32_t final, const char *name, const char *format, bool defined)
{
	struct state *s;

	for (uint32_t i = 0; i < f->states; i++)
		if (f->state[i].defined && (f->state[i].start == start || f->state[i].final == final))
			return; /* of several the first stands */
	for (uint32_t i = 0; i < f->states; i++)
		if (f->state[i].start == start && f->state[i].final == final) {
			snprintf(f->state[i].name, sizeof f->state[i].name, "%s", name);
			snprintf(f->state[i].format, sizeof f->state[i].format, "%s", format);
			f->state[i].defined = defined;
			return;
		}
	f->state = naive_more(f->state, &f->states, sizeof *f->state);
	s = &f->state[f->states - 1];
	s->start = start;
	s->final = final;
	s->defined = defined;
	snprintf(s->name, sizeof s->name, "%s", name);
	snprintf(s->format, sizeof s->format, "%s", format);
}

static void define_solo(struct file *f, const struct clog2_eventdef *d)
{
	f->solo = naive_more(f->solo, &f->solos, sizeof *f->solo);
	f->solo[f->solos - 1].start = d->etype;
	snprintf(f->solo[f->solos - 1].name, sizeof f->solo[0].name, "%s", d->name);
	snprintf(f->solo[f->solos - 1].format, sizeof f->solo[0].format, "%s", d->format);
}

/* The whole number called `name` in a record's cargo, which has only whole numbers; `none` if there is none. *there:
 * the format has it. */
static int64_t told(const char *format, const struct record *r, const char *name, int64_t none, bool *there)
{
	size_t n = strlen(name), at = 0;

	*there = false;
	for (const char *word = format; *word; word += strcspn(word, " "), word += *word == ' ') {
		bool wide = word[strcspn(word, "%")] && word[strcspn(word, "%") + 1] == 'l';
		uint64_t v = 0;

		if (strncmp(word, name, n) != 0 || word[n] != '=') {
			at += wide ? 8 : 4;
			continue;
		}
		*there = true;
		if (r->rec.type != CLOG2_CARGOEVT)
			return none;
		for (size_t i = 0; i < (wide ? 8 : 4); i++)
			v = v << 8 | clog2_get_cargo(&r->rec)[at + i];
		return wide ? (int64_t)v : (int32_t)(uint32_t)v;
	}
	return none;
}

static void community(struct naive_metrics *m, struct file *f, const struct record *r)
{
	struct clog2_comm c;

	clog2_get_comm(&f->clog2, &r->rec, &c);
	if (c.rank < 0 || c.etype == 10 || c.etype == 102)
		return;
	if (c.wrank < 0 || (uint32_t)c.wrank >= m->processes)
		bail_out("the naive metrics know one MPI_COMM_WORLD only");
	f->rank = naive_more(f->rank, &f->ranks, sizeof *f->rank);
	f->rank[f->ranks - 1] = (struct rank){c.icomm, c.rank, c.wrank};
	if (c.etype == 1)
		memcpy(m->process[c.wrank].host, c.gid.bytes + 12, 20);
}

static uint32_t process_of(const struct file *f, int32_t icomm, int32_t rank)
{
	for (uint32_t i = 0; i < f->ranks; i++)
		if (f->rank[i].icomm == icomm && f->rank[i].rank == rank)
			return (uint32_t)f->rank[i].world;
	return NAIVE_NONE;
}

static bool of_several(const struct file *f, int32_t icomm)
{
	for (uint32_t i = 0; i < f->ranks; i++)
		for (uint32_t j = 0; j < i; j++)
			if (f->rank[i].icomm == icomm && f->rank[j].icomm == icomm && f->rank[i].rank != f->rank[j].rank)
				return true;
	return false;
}

/* Etypes of user states that nothing defines are unnamed states, in pairs. */
static void define_unnamed(struct file *f)
{
	for (uint32_t i = 0; i < f->records; i++) {
		enum clog2_type type = f->record[i].rec.type;
		char name[34];
		int32_t etype;
		bool known = false;

		if (type != CLOG2_BAREEVT && type != CLOG2_CARGOEVT)
			continue;
		etype = clog2_get_etype(&f->clog2, &f->record[i].rec);
		for (uint32_t s = 0; s < f->states; s++)
			known = known || f->state[s].start == etype || f->state[s].final == etype;
		if (known || etype < 600 || etype >= 5000)
			continue;
		snprintf(name, sizeof name, "state %d", etype & ~1);
		define(f, etype & ~1, etype | 1, name, "", false);
	}
}

static void load(struct naive_metrics *m, struct file *f, const struct source *source)
{
	enum clog2_end end = CLOG2_END_BLOCK;
	struct clog2_block b;
	struct clog2_rec r;
	struct notes notes;
	struct err e;

	notes_init(&notes);
	if (clog2_open(&f->clog2, source, &notes, &e))
		bail_out("%s", e.text);
	clog2_block_init(&b);
	for (uint64_t k = 0; k < f->clog2.block_count && end == CLOG2_END_BLOCK; k++) {
		if (clog2_block_read(&f->clog2, k, &b, &e))
			bail_out("%s", e.text);
		while (clog2_block_next(&b, &r)) {
			struct record *kept;

			f->record = naive_more(f->record, &f->records, sizeof *f->record);
			kept = &f->record[f->records - 1];
			kept->rec = r;
			memcpy(kept->payload, r.payload, r.length - f->clog2.header_size);
		}
		end = b.end;
	}
	clog2_block_release(&b);
	notes_release(&notes);
	for (int s = 0; s < 300; s++)
		if (clog2_known_name(s))
			define(f, 2 * s, 2 * s + 1, clog2_known_name(s), "", false);
	for (uint32_t i = 0; i < f->records; i++) {
		struct record *kept = &f->record[i];
		struct clog2_statedef s;
		struct clog2_constdef c;
		struct clog2_eventdef d;

		kept->rec.payload = kept->payload;
		if (kept->rec.type == CLOG2_STATEDEF) {
			clog2_get_statedef(&f->clog2, &kept->rec, &s);
			define(f, s.start, s.final, s.name, s.format, true);
		} else if (kept->rec.type == CLOG2_CONSTDEF) {
			clog2_get_constdef(&f->clog2, &kept->rec, &c);
			if (strcmp(c.name, "MPI_PROC_NULL") == 0)
				f->proc_null = c.value;
		} else if (kept->rec.type == CLOG2_EVENTDEF) {
			clog2_get_eventdef(&f->clog2, &kept->rec, &d);
			define_solo(f, &d);
		} else if (kept->rec.type == CLOG2_COMMEVT) {
			community(m, f, kept);
		}
	}
	define_unnamed(f);
}

/* --- what calls are --- */

static bool is_mpi(const struct file *f, uint32_t state)
{
	return strncmp(f->state[state].name, "MPI_", 4) == 0;
}

static bool is_tracer(const struct file *f, uint32_t state)
{
	return strcmp(f->state[state].name, "CLOG_Buffer_write2disk") == 0;
}

static bool is_collective(const char *name)
{
	static const char *const these[] = {
		"Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv", "Alltoall",
		"Alltoallv", "Alltoallw", "Reduce", "Allreduce", "Reduce_scatter", "Reduce_scatter_block", "Scan", "Exscan",
		"Ibarrier", "Ibcast", "Igather", "Igatherv", "Iscatter", "Iscatterv", "Iallgather", "Iallgatherv", "Ialltoall",
		"Ialltoallv", "Ialltoallw", "Ireduce", "Iallreduce", "Ireduce_scatter", "Ireduce_scatter_block", "Iscan",
		"Iexscan", "Neighbor_allgather", "Neighbor_allgatherv", "Neighbor_alltoall", "Neighbor_alltoallv",
		"Neighbor_alltoallw", "Ineighbor_allgather", "Ineighbor_allgatherv", "Ineighbor_alltoall",
		"Ineighbor_alltoallv", "Ineighbor_alltoallw", NULL};

	return naive_is(name, these);
}

static enum naive_kind kind_of(const char *name)
{
	static const char *const sends[] = {"Send", "Bsend", "Ssend", "Rsend", "Isend", "Ibsend", "Issend", "Irsend", "Sendrecv",
					    "Sendrecv_replace", "Isendrecv", "Isendrecv_replace", "Start", "Startall", NULL};
	static const char *const receives[] = {"Recv", "Irecv", "Probe", "Iprobe", "Mprobe", "Improbe", "Mrecv", "Imrecv",
					       NULL};
	static const char *const waits[] = {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany",
					    "Testsome", NULL};

	if (strcmp(name, "Pcontrol") == 0)
		return NAIVE_UNTRACED;
	return is_collective(name) ? NAIVE_COLLECTIVE
	     : naive_is(name, sends) ? NAIVE_SEND
	     : naive_is(name, receives) ? NAIVE_RECEIVE
	     : naive_is(name, waits) ? NAIVE_WAIT
				     : NAIVE_OTHER_MPI;
}

/* --- the call tree --- */

static uint32_t node_of(struct naive_metrics *m, uint32_t parent, enum naive_node_kind kind, const char *name)
{
	struct naive_node *n;

	if (kind == NAIVE_USER && m->node[parent].depth == DEEPEST)
		return parent;
	for (uint32_t i = 0; i < m->node_count; i++)
		if (m->node[i].parent == parent && m->node[i].kind == kind && strcmp(m->node[i].name, name) == 0)
			return i;
	m->node = naive_more(m->node, &m->node_count, sizeof *m->node);
	n = &m->node[m->node_count - 1];
	n->parent = parent;
	n->kind = kind;
	n->name = name;
	n->depth = parent == NAIVE_NONE ? 0 : m->node[parent].depth + 1;
	return m->node_count - 1;
}

/* The innermost open user state. */
static uint32_t top_node(const struct naive_list *l)
{
	for (uint32_t i = l->opens; i-- > 0;)
		if (l->open[i].node != NAIVE_NONE)
			return l->open[i].node;
	return 0;
}

/* Only the account's thread has a part in the tree. */
static bool is_accounts(const struct naive_metrics *m, const struct naive_list *l)
{
	return m->process[l->process].list == (uint32_t)(l - m->list);
}

/* --- walking --- */

static struct naive_list *list_of(struct naive_metrics *m, uint32_t process, int32_t thread)
{
	for (uint32_t i = 0; i < m->lists; i++)
		if (m->list[i].process == process && m->list[i].thread == thread)
			return &m->list[i];
	m->list = naive_more(m->list, &m->lists, sizeof *m->list);
	m->list[m->lists - 1] = (struct naive_list){.process = process, .thread = thread, .outermost = NAIVE_NONE};
	return &m->list[m->lists - 1];
}

static bool tracer_open(const struct file *f, const struct naive_list *l)
{
	for (uint32_t i = 0; i < l->opens; i++)
		if (is_tracer(f, l->open[i].state))
			return true;
	return false;
}

/* The moment since the record before: as its states were open then. */
static void moment(const struct file *f, struct naive_list *l, double now)
{
	struct naive_moment *at;

	l->moment = naive_more(l->moment, &l->moments, sizeof *l->moment);
	at = &l->moment[l->moments - 1];
	at->from = l->end;
	at->to = now;
	at->in_call = l->outermost != NAIVE_NONE;
	at->call = at->in_call ? l->outermost : l->calls;
	at->kind = at->in_call ? l->call[l->outermost].kind : tracer_open(f, l) ? NAIVE_TRACER : NAIVE_USEFUL;
	at->node = at->in_call ? l->call[l->outermost].node : top_node(l);
}

static uint32_t begin_call(struct naive_metrics *m, struct naive_list *l, const char *name, enum naive_kind kind, double now)
{
	struct naive_call *c;

	l->call = naive_more(l->call, &l->calls, sizeof *l->call);
	c = &l->call[l->calls - 1];
	c->start = c->end = now;
	c->name = name;
	c->kind = kind;
	c->node = NAIVE_NONE;
	for (int r = 0; r < NAIVE_REASONS; r++)
		c->late[r] = -INFINITY;
	if (is_accounts(m, l) && !*name) {
		c->node = top_node(l); /* no function, no leaf */
	} else if (is_accounts(m, l)) {
		c->node = node_of(m, top_node(l), NAIVE_MPI, name - 4);
		m->node[c->node].count++;
	}
	return l->calls - 1;
}

/* The next event of the process is this one, or the trace and this disagree on what an event is. */
static void event(struct naive_metrics *m, struct naive_list *l, uint32_t call, event_type kind, const char *op, uint32_t *next,
		  double now)
{
	struct naive_call *c = &l->call[call];
	const struct trace *t = m->trace;
	uint32_t e = *next;

	if (e == t->first[l->process + 1] || EVENT_KIND(t->type[e]) != kind ||
	    (op && strcmp(t->colls[EVENT_INDEX(t->type[e])].op, op) != 0))
		bail_out("event %u of process %u at %.9f is not what its record says", e - t->first[l->process] + 1, l->process,
			 now);
	++*next;
	m->where[e] = (struct naive_place){(uint32_t)(l - m->list), call, NAIVE_NONE, now};
	c->event = naive_more(c->event, &c->events, sizeof *c->event);
	c->event[c->events - 1] = e;
}

/* --- numbers --- */

static void begin_numbered(struct file *f, struct naive_metrics *m, struct naive_list *l, int64_t number, bool collective, uint32_t event)
{
	struct naive_call *c = &l->call[l->outermost];

	c->posted++;
	c->joined += collective;
	f->post = naive_more(f->post, &f->posts, sizeof *f->post);
	f->post[f->posts - 1] = (struct post){l->process, (uint32_t)number,
					      {(uint32_t)(l - m->list), l->outermost, collective, false, event}, false};
}

/* Of those with that number the one that came last. */
static void complete_numbered(struct file *f, struct naive_list *l, int64_t number, bool message)
{
	struct naive_call *c = &l->call[l->outermost];
	bool found = false;

	c->messages_done += message;
	for (uint32_t i = f->posts; i-- > 0;) {
		struct post *p = &f->post[i];

		if (p->process != l->process || p->number != number || p->taken)
			continue;
		p->taken = true; /* and with it those before it */
		if (found)
			continue;
		found = true;
		c->done = naive_more(c->done, &c->dones, sizeof *c->done);
		c->done[c->dones - 1] = p->begun;
		c->done[c->dones - 1].message = message;
	}
}

static void solo(struct file *f, struct naive_metrics *m, struct naive_list *l, const struct state *s, const struct record *r)
{
	static const char *const starting[] = {"Start", "Startall", NULL};
	bool there;
	int64_t number = told(s->format, r, "request", 0, &there), count = told(s->format, r, "count", 1, &there);

	if (l->outermost == NAIVE_NONE || number <= 0)
		return;
	if (strcmp(s->name, "PAS2P_completed") == 0)
		complete_numbered(f, l, number, false);
	if (strcmp(s->name, "PAS2P_posted") != 0 || !naive_is(l->call[l->outermost].name, starting))
		return;
	l->call[l->outermost].told = true;
	while (count-- > 0)
		begin_numbered(f, m, l, number++, false, 0);
}

/* For a state that begins: what it begins or completes that has a number. event: the collective that it is. */
static void numbered(struct file *f, struct naive_metrics *m, struct naive_list *l, const struct state *s, const struct record *r,
		     uint32_t event)
{
	static const char *const posting[] = {"Irecv", "Imrecv", "Isendrecv", "Isendrecv_replace", NULL};
	static const char *const starting[] = {"Start", "Startall", NULL};
	const char *name = l->outermost == NAIVE_NONE ? "" : l->call[l->outermost].name;
	bool there, starts = naive_is(name, starting), nonblocking = *name == 'I' && is_collective(name);
	int64_t number = told(s->format, r, "request", 0, &there);

	if (!there || l->outermost == NAIVE_NONE)
		return;
	if (strcmp(s->name, "MPE_Irecv_waited") == 0 && number > 0)
		complete_numbered(f, l, number, true);
	if (strncmp(s->name, "MPI_", 4) != 0 || !(naive_is(name, posting) || nonblocking || starts))
		return;
	if (!starts || number > 0)
		l->call[l->outermost].told = true;
	if (number > 0 && (!nonblocking || event != NAIVE_NONE))
		begin_numbered(f, m, l, number, event != NAIVE_NONE, event);
}

static void enter(struct naive_metrics *m, struct file *f, struct naive_list *l, uint32_t state, const struct record *r,
		  uint32_t *next, double now)
{
	const char *name = f->state[state].name;
	const struct naive_open *top = l->opens ? &l->open[l->opens - 1] : NULL;
	bool starts = top && (strcmp(f->state[top->state].name, "MPI_Start") == 0 ||
			      strcmp(f->state[top->state].name, "MPI_Startall") == 0);
	bool outermost = false, there;
	uint32_t node = NAIVE_NONE, made = NAIVE_NONE;
	int64_t root;

	if (is_mpi(f, state)) {
		if (l->outermost == NAIVE_NONE) {
			outermost = !tracer_open(f, l);
			l->outermost = begin_call(m, l, name + 4, kind_of(name + 4), now);
		}
		if (is_collective(name + 4) && (outermost || starts) && of_several(f, r->rec.icomm)) {
			made = *next;
			event(m, l, l->outermost, EVENT_COLLECTIVE, name + 4, next, now);
			root = told(f->state[state].format, r, "root", -1, &there);
			if (root >= 0 && root <= INT32_MAX && strcmp(l->call[l->outermost].name, "Startall") != 0)
				m->where[made].root = process_of(f, r->rec.icomm, (int32_t)root);
		}
	} else if (!is_tracer(f, state) && l->outermost == NAIVE_NONE && is_accounts(m, l)) {
		node = node_of(m, top_node(l), NAIVE_USER, name);
		m->node[node].count++;
	}
	numbered(f, m, l, &f->state[state], r, made);
	l->open = naive_more(l->open, &l->opens, sizeof *l->open);
	l->open[l->opens - 1] = (struct naive_open){state, node};
}

static void take_out(struct naive_list *l, uint32_t at)
{
	memmove(&l->open[at], &l->open[at + 1], (l->opens - at - 1) * sizeof *l->open);
	l->opens--;
}

static bool is_call(const struct file *f, uint32_t state)
{
	return is_mpi(f, state) || is_tracer(f, state);
}

static void leave(struct naive_metrics *m, const struct file *f, struct naive_list *l, uint32_t state, double now)
{
	uint32_t at = l->opens;
	bool inner = false;

	/* States of one name are one routine. */
	while (at > 0 && (is_call(f, state) ? l->open[at - 1].state != state
					    : strcmp(f->state[l->open[at - 1].state].name, f->state[state].name) != 0))
		at--;
	if (at == 0) {
		m->unpaired++;
		return;
	}
	at--;
	/* Calls that are open within this one have lost their ends: they last until now. */
	for (uint32_t i = l->opens; is_call(f, state) && i-- > at + 1;)
		if (is_call(f, l->open[i].state)) {
			m->unpaired++;
			take_out(l, i);
		}
	take_out(l, at);
	for (uint32_t i = 0; i < l->opens; i++)
		inner = inner || is_mpi(f, l->open[i].state);
	if (l->outermost != NAIVE_NONE && !inner) {
		l->call[l->outermost].end = now;
		l->outermost = NAIVE_NONE;
	}
}

static void message(struct naive_metrics *m, const struct file *f, struct naive_list *l, const struct record *r, uint32_t *next,
		    double now)
{
	struct clog2_msg msg;
	bool sends;
	uint32_t call = l->outermost;

	clog2_get_msg(&f->clog2, &r->rec, &msg);
	if (msg.rank < 0 && msg.rank == f->proc_null)
		return;
	sends = msg.etype == -101;
	if (call == NAIVE_NONE)
		call = begin_call(m, l, "", sends ? NAIVE_SEND : NAIVE_RECEIVE, now);
	l->call[call].sends += sends;
	l->call[call].receives += !sends;
	event(m, l, call, sends ? EVENT_SEND : EVENT_RECEIVE, NULL, next, now);
}

static void record(struct naive_metrics *m, struct file *f, const struct record *r, uint32_t *next)
{
	uint32_t process = process_of(f, r->rec.icomm, r->rec.rank);
	struct naive_list *l;
	int32_t etype;
	double now;

	if (process == NAIVE_NONE)
		bail_out("a record of no process");
	l = list_of(m, process, r->rec.thread);
	now = r->rec.time;
	m->t0 = fmin(m->t0, now);
	m->last = fmax(m->last, now);
	if (l->records++ == 0) {
		l->start = l->end = now;
	} else if (!(now >= l->end)) {
		now = l->end;
		m->back++;
	}
	if (l->records > 1)
		moment(f, l, now);
	l->end = now;
	if (r->rec.type == CLOG2_MSGEVT) {
		message(m, f, l, r, &next[process], now);
		return;
	}
	if (r->rec.type != CLOG2_BAREEVT && r->rec.type != CLOG2_CARGOEVT)
		return;
	etype = clog2_get_etype(&f->clog2, &r->rec);
	for (uint32_t s = 0; s < f->solos; s++)
		if (f->solo[s].start == etype)
			solo(f, m, l, &f->solo[s], r);
	for (uint32_t s = 0; s < f->states; s++) {
		if (f->state[s].start == etype)
			enter(m, f, l, s, r, &next[process], now);
		else if (f->state[s].final == etype)
			leave(m, f, l, s, now);
		else
			continue;
		break;
	}
}

/* Who has records of which threads, so that it is known whose account is whose. */
static void accounts(struct naive_metrics *m, const struct file *f)
{
	for (uint32_t i = 0; i < f->records; i++) {
		const struct clog2_rec *r = &f->record[i].rec;

		if (r->type == CLOG2_BAREEVT || r->type == CLOG2_CARGOEVT || r->type == CLOG2_MSGEVT ||
		    r->type == CLOG2_COLLEVT || r->type == CLOG2_SRCLOC)
			list_of(m, process_of(f, r->icomm, r->rank), r->thread);
	}
	for (uint32_t i = 0; i < m->lists; i++) {
		struct naive_process *p = &m->process[m->list[i].process];

		if (p->list == NAIVE_NONE || m->list[i].thread < m->list[p->list].thread)
			p->list = i;
	}
}

static void finish(struct naive_metrics *m, const struct file *f, struct naive_list *l)
{
	if (l->outermost != NAIVE_NONE)
		l->call[l->outermost].end = l->end;
	for (uint32_t i = 0; i < l->opens; i++) {
		m->unpaired += is_mpi(f, l->open[i].state);
		if (l->open[i].node != NAIVE_NONE)
			m->node[l->open[i].node].unfinished++;
	}
	free(l->open);
	l->open = NULL;
}

void naive_read(struct naive_metrics *m, const void *bytes, size_t size)
{
	struct file f = {.proc_null = INT32_MIN};
	uint32_t *next = NULL, processes = 0;
	struct source source;
	struct err e;

	if (source_open_memory(&source, "a trace", bytes, size, &e))
		bail_out("%s", e.text);
	load(m, &f, &source);
	source_release(&source);
	accounts(m, &f);
	node_of(m, NAIVE_NONE, NAIVE_PROGRAM, "(program)");
	for (uint32_t p = 0; p < m->processes; p++) {
		next = naive_more(next, &processes, sizeof *next);
		next[p] = m->trace->first[p];
	}
	for (uint32_t i = 0; i < f.records; i++) {
		enum clog2_type type = f.record[i].rec.type;

		if (type == CLOG2_BAREEVT || type == CLOG2_CARGOEVT || type == CLOG2_MSGEVT || type == CLOG2_COLLEVT ||
		    type == CLOG2_SRCLOC)
			record(m, &f, &f.record[i], next);
	}
	for (uint32_t i = 0; i < m->lists; i++)
		finish(m, &f, &m->list[i]);
	for (uint32_t p = 0; p < m->processes; p++)
		if (next[p] != m->trace->first[p + 1])
			bail_out("process %u has more events than records of them", p);
	m->node[0].count = m->processes;
	m->states = (struct naive_states *)f.state;
	free(f.record);
	free(f.rank);
	free(f.solo);
	free(f.post);
	free(next);
}
