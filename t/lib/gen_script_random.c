/* Random runs: one thing after another happens between processes whose clocks advance by whole sixteenths of a second,
 * so that sums are exact and ties are frequent. */
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "gen_script.h"

#define MOST 6       /* processes */
#define THREADS 2
#define PENDING 8
#define DEEP 6

struct pending {
	int32_t from, tag, size;
	bool sent;
	double at;       /* when the send began */
	int32_t request; /* its number; 0: it is not told */
};

/* A nonblocking collective that has not been completed. */
struct joined {
	int32_t request;
	double last;     /* when the last member began */
};

struct run {
	struct gen_script *g;
	uint64_t state;
	bool messy, numbered;
	int32_t n, threads, half, tag;
	bool in_half[MOST];
	double clock[MOST][THREADS], offset[MOST]; /* true time; what the process's clock is ahead by */
	struct pending pending[MOST][PENDING];
	int32_t pendings[MOST];
	struct joined joined[MOST][PENDING];
	int32_t joins[MOST], numbers[MOST], single[MOST];
	int32_t members; /* of the half */
	const char *open[MOST][THREADS][DEEP];     /* user states */
	int32_t opens[MOST][THREADS];
};

static int32_t below(struct run *r, uint32_t n)
{
	return (int32_t)gen_below(&r->state, n);
}

static bool one_in(struct run *r, uint32_t n)
{
	return below(r, n) == 0;
}

static const char *any(struct run *r, const char *const *names)
{
	uint32_t n = 0;

	while (names[n])
		n++;
	return names[below(r, n)];
}

static double span(struct run *r)
{
	return below(r, 9) / 16.0;
}

static double later(double a, double b)
{
	return a > b ? a : b;
}

static void enter(struct run *r, int32_t p, double t, const char *name)
{
	script_enter(r->g, p, t + r->offset[p], name);
}

static void leave(struct run *r, int32_t p, double t, const char *name)
{
	script_leave(r->g, p, t + r->offset[p], name);
}

/* The next n numbers of a process's; now and then none, or in a messy run one that was given before. */
static int32_t a_number(struct run *r, int32_t p, int32_t n)
{
	if (!r->numbered || one_in(r, 12))
		return 0;
	if (n == 1 && r->messy && r->single[p] && one_in(r, 12))
		return r->single[p];
	r->numbers[p] += n;
	if (n == 1)
		r->single[p] = r->numbers[p];
	return r->numbers[p] - n + 1;
}

/* With what is told of it. */
static void enter_told(struct run *r, int32_t p, double t, const char *name, int32_t root, int32_t request)
{
	if (r->numbered)
		script_enter_told(r->g, p, t + r->offset[p], name, root, request);
	else
		enter(r, p, t, name);
}

static void solo_told(struct run *r, int32_t p, double t, const char *event, int32_t request, int32_t count)
{
	script_solo_told(r->g, p, t + r->offset[p], event, request, count);
}

/* The end of an outermost call, which a messy run may lose; not that of a start, which would take the collectives
 * behind it for its own, and their roots. */
static void end(struct run *r, int32_t p, int32_t thread, double t, const char *name)
{
	if (!r->messy || (r->numbered && !strncmp(name, "MPI_Start", 9)) || !one_in(r, 150))
		leave(r, p, t, name);
	r->clock[p][thread] = t;
}

static void sent(struct run *r, int32_t p, double t, int32_t to, int32_t tag, int32_t size)
{
	script_sent(r->g, p, t + r->offset[p], to, tag, size);
}

static void received(struct run *r, int32_t p, double t, int32_t from, int32_t tag, int32_t size)
{
	script_received(r->g, p, t + r->offset[p], from, tag, size);
}

static int32_t a_size(struct run *r)
{
	return r->messy && one_in(r, 40) ? -1 : below(r, 4) * 1000;
}

/* A call of a thread, in which nothing or something of no account happens. */
static void plain(struct run *r, int32_t p, int32_t thread, const char *name)
{
	double t = r->clock[p][thread], to = t + span(r);

	enter(r, p, t, name);
	if (one_in(r, 8)) {
		enter(r, p, t, "CLOG_Buffer_write2disk");
		leave(r, p, (t + to) / 2, "CLOG_Buffer_write2disk");
	}
	if (r->messy && one_in(r, 4)) { /* a call in the call */
		enter(r, p, (t + to) / 2, "MPI_Comm_rank");
		if (!one_in(r, 4))
			leave(r, p, (t + to) / 2, "MPI_Comm_rank");
	}
	end(r, p, thread, to, name);
}

static void message(struct run *r, int32_t p, int32_t pt, int32_t q, int32_t qt)
{
	static const char *const sends[] = {"MPI_Send", "MPI_Send", "MPI_Ssend", "MPI_Rsend", "MPI_Bsend", "MPI_Isend",
					    "MPI_Issend", NULL};
	static const char *const receives[] = {"MPI_Recv", "MPI_Recv", "MPI_Recv", "MPI_Mrecv", NULL};
	const char *send = any(r, sends), *receive = any(r, receives);
	double ts = r->clock[p][pt], tr = r->clock[q][qt], te = ts + span(r), re = later(ts, tr) + span(r);
	int32_t tag = below(r, 3), size = a_size(r);
	bool lost = r->messy && one_in(r, 12);

	if (p == q && pt == qt && !r->messy)
		send = "MPI_Isend"; /* a blocking one might wait for its own process */
	if (strcmp(send, "MPI_Ssend") == 0 || (send[4] != 'I' && one_in(r, 2)))
		te = later(ts, tr) + span(r);
	enter(r, p, ts, send);
	if (!lost || one_in(r, 2))
		sent(r, p, ts, q, tag, size);
	end(r, p, pt, te, send);
	if (p == q && pt == qt) {
		tr = later(tr, te);
		re = tr + span(r);
	}
	enter(r, q, tr, receive);
	if (!lost || one_in(r, 2))
		received(r, q, re, p, tag, size);
	end(r, q, qt, re, receive);
}

static void exchange(struct run *r, int32_t p, int32_t q)
{
	const char *name = one_in(r, 3) ? "MPI_Sendrecv_replace" : "MPI_Sendrecv";
	double tp = r->clock[p][0], tq = r->clock[q][0], both = later(tp, tq), pe = both + span(r), qe = both + span(r);

	enter(r, p, tp, name);
	sent(r, p, tp, q, 7, 2000);
	received(r, p, pe, q, 7, 2000);
	end(r, p, 0, pe, name);
	if (p == q)
		return;
	enter(r, q, tq, "MPI_Sendrecv");
	sent(r, q, tq, p, 7, 2000);
	received(r, q, qe, p, 7, 2000);
	end(r, q, 0, qe, "MPI_Sendrecv");
}

/* Each waits for what the other sends afterwards. */
static void cycle(struct run *r, int32_t p, int32_t q)
{
	int32_t of[2] = {p, q};

	for (int i = 0; i < 2; i++) {
		double t = r->clock[of[i]][0], to = t + span(r), more = to + span(r);

		enter(r, of[i], t, "MPI_Recv");
		received(r, of[i], to, of[1 - i], 8, 8);
		end(r, of[i], 0, to, "MPI_Recv");
		enter(r, of[i], to, "MPI_Send");
		sent(r, of[i], to, of[1 - i], 8, 8);
		end(r, of[i], 0, more, "MPI_Send");
	}
}

static void post(struct run *r, int32_t p)
{
	static const char *const posts[] = {"MPI_Irecv", "MPI_Irecv", "MPI_Irecv", "MPI_Start", "MPI_Startall", NULL};
	const char *name = any(r, posts);
	double t = r->clock[p][0], to = t + span(r);
	int32_t n = strcmp(name, "MPI_Startall") == 0 ? 1 + below(r, 3) : 1, request = 0;

	request = a_number(r, p, n);
	if (name[4] == 'I')
		enter_told(r, p, t, name, -1, request);
	else
		enter(r, p, t, name);
	if (name[4] == 'S' && request)
		solo_told(r, p, t, "PAS2P_posted", request, n);
	for (int32_t i = 0; i < n && r->pendings[p] < PENDING; i++)
		r->pending[p][r->pendings[p]++] = (struct pending){below(r, (uint32_t)r->n), r->tag++, a_size(r), false, 0,
								   request ? request + i : 0};
	if (name[4] == 'S' && one_in(r, 4)) { /* a persistent send with them */
		int32_t to_whom = below(r, (uint32_t)r->n);

		enter(r, p, to, "MPE_Isend_waited");
		sent(r, p, to, to_whom, r->tag++, 8);
		leave(r, p, to, "MPE_Isend_waited");
	}
	end(r, p, 0, to, name);
}

static void send_posted(struct run *r, int32_t q)
{
	for (int32_t i = 0; i < r->pendings[q]; i++) {
		struct pending *m = &r->pending[q][i];
		double t = r->clock[m->from][0];
		const char *name = one_in(r, 2) ? "MPI_Isend" : "MPI_Send";

		if (m->sent || one_in(r, 2))
			continue;
		enter(r, m->from, t, name);
		sent(r, m->from, t, q, m->tag, m->size);
		m->sent = true;
		m->at = t;
		end(r, m->from, 0, t + span(r), name);
	}
}

static void complete(struct run *r, int32_t p)
{
	static const char *const several[] = {"MPI_Waitall", "MPI_Waitsome", "MPI_Testsome", "MPI_Testall", NULL};
	static const char *const single[] = {"MPI_Wait", "MPI_Waitany", "MPI_Test", "MPI_Testany", NULL};
	bool all = one_in(r, 2);
	const char *name = any(r, all ? several : single);
	double t = r->clock[p][0], to = t;
	int32_t kept = 0, done = 0, joins = 0;
	bool inner = one_in(r, 2);

	for (int32_t i = 0; i < r->pendings[p]; i++)
		if (r->pending[p][i].sent && (all || done++ == 0))
			to = later(to, r->pending[p][i].at);
	for (int32_t i = 0; i < r->joins[p] && (all || i == 0); i++)
		to = later(to, r->joined[p][i].last);
	to += span(r);
	enter(r, p, t, name);
	for (; r->joins[p] > 0 && (all || joins++ == 0); r->joins[p]--) {
		if (r->joined[p][0].request && !(r->messy && one_in(r, 12)))
			solo_told(r, p, to, "PAS2P_completed", r->joined[p][0].request, 0);
		memmove(r->joined[p], r->joined[p] + 1, (PENDING - 1) * sizeof *r->joined[p]);
	}
	done = 0;
	for (int32_t i = 0; i < r->pendings[p]; i++) {
		struct pending m = r->pending[p][i];

		if (!m.sent || (!all && done++)) {
			r->pending[p][kept++] = m;
			continue;
		}
		if (r->numbered && one_in(r, 10)) { /* cancelled */
			if (m.request)
				solo_told(r, p, to, "PAS2P_completed", m.request, 0);
			continue;
		}
		if (m.request || inner)
			enter_told(r, p, to, "MPE_Irecv_waited", -1, m.request);
		received(r, p, to, m.from, m.tag, m.size);
		if (m.request || inner)
			leave(r, p, to, "MPE_Irecv_waited");
	}
	r->pendings[p] = kept;
	end(r, p, 0, to, name);
}

static void collective(struct run *r)
{
	static const char *const for_all[] = {"MPI_Barrier", "MPI_Allreduce", "MPI_Alltoall", "MPI_Allgather",
					      "MPI_Reduce_scatter", "MPI_Alltoallw", NULL};
	static const char *const rooted[] = {"MPI_Bcast", "MPI_Reduce", "MPI_Gather", "MPI_Scatterv", "MPI_Scan", "MPI_Exscan",
					     NULL};
	static const char *const others[] = {"MPI_Iallreduce", "MPI_Ibarrier", "MPI_Neighbor_alltoall", NULL};
	static const char *const begun[] = {"MPI_Iallreduce", "MPI_Ibarrier", "MPI_Ibcast", "MPI_Igatherv", "MPI_Ireduce", "MPI_Iscan",
					    "MPI_Ineighbor_alltoall", "MPI_Iscatter", NULL};
	int kind = r->numbered ? below(r, 16) : below(r, 8);
	const char *name = any(r, kind < 4 ? for_all : kind < 7 ? rooted : kind == 7 ? others : begun);
	bool on_half = one_in(r, 3), starts = kind > 8 && one_in(r, 4);
	int32_t root = r->numbered && !one_in(r, 4) ? below(r, (uint32_t)(on_half ? r->members : r->n)) : -1;
	double last = 0;

	for (int32_t p = 0; p < r->n; p++)
		if (!on_half || r->in_half[p])
			last = later(last, r->clock[p][0]);
	script_on(r->g, on_half ? r->half : 0);
	for (int32_t p = 0; p < r->n; p++) {
		double t = r->clock[p][0], to = t + span(r);

		if (on_half && !r->in_half[p])
			continue;
		if (kind < 4 || (kind < 8 && one_in(r, 3)))
			to = later(t, last) + span(r);
		if (r->messy && one_in(r, 40))
			continue; /* this one is missing */
		if (kind >= 8) {
			int32_t request = a_number(r, p, 1);

			if (starts) /* a persistent one */
				enter(r, p, t, "MPI_Start");
			enter_told(r, p, t, name, root, request);
			if (starts)
				leave(r, p, t, name);
			end(r, p, 0, to, starts ? "MPI_Start" : name);
			if (r->joins[p] < PENDING)
				r->joined[p][r->joins[p]++] = (struct joined){request, last};
			continue;
		}
		if (kind < 7 && r->numbered)
			enter_told(r, p, t, name, root, 0);
		else
			enter(r, p, t, name);
		if (r->messy && one_in(r, 6)) { /* made of messages, which are none of the collective's */
			enter(r, p, t, "MPI_Isend");
			sent(r, p, t, r->in_half[p] && on_half ? p : 0, 20, 8);
			leave(r, p, t, "MPI_Isend");
		}
		end(r, p, 0, to, name);
	}
	script_on(r->g, 0);
}

static void user(struct run *r, int32_t p, int32_t thread)
{
	static const char *const names[] = {"alpha", "beta", "gamma", NULL};
	int32_t *opens = &r->opens[p][thread], at;
	double t = r->clock[p][thread];

	if (*opens < DEEP && !one_in(r, 3)) {
		const char *name = any(r, names);

		r->open[p][thread][(*opens)++] = name;
		enter(r, p, t, name);
	} else if (*opens > 0) {
		const char *name;

		at = one_in(r, 3) ? below(r, (uint32_t)*opens) : *opens - 1;
		name = r->open[p][thread][at];
		for (; at + 1 < *opens; at++)
			r->open[p][thread][at] = r->open[p][thread][at + 1];
		--*opens;
		leave(r, p, t, name);
	}
	r->clock[p][thread] += span(r);
}

/* What no proper run has. */
static void mess(struct run *r, int32_t p, int32_t thread)
{
	double t = r->clock[p][thread];

	switch (below(r, 6)) {
	case 0:
		r->offset[p] -= span(r); /* the clock steps back */
		break;
	case 1:
		leave(r, p, t, one_in(r, 2) ? "MPI_Recv" : "delta");
		break;
	case 2:
		sent(r, p, t, below(r, (uint32_t)r->n), 9, 100); /* outside of any call */
		break;
	case 3:
		received(r, p, t, below(r, (uint32_t)r->n), 9, 100);
		break;
	case 4:
		cycle(r, p, (p + 1) % r->n);
		break;
	default:
		plain(r, p, thread, "MPI_Pcontrol");
	}
}

static void step(struct run *r)
{
	static const char *const others[] = {"MPI_Comm_dup", "MPI_Iprobe", "MPI_File_open", "MPI_Wait", "MPI_Probe", NULL};
	int32_t p = below(r, (uint32_t)r->n), q = below(r, (uint32_t)r->n), thread = below(r, (uint32_t)r->threads);

	script_thread(r->g, thread);
	switch (below(r, r->messy ? 15 : 14)) {
	case 0:
	case 1:
		user(r, p, thread);
		break;
	case 2:
		plain(r, p, thread, any(r, others));
		break;
	case 3: {
		double t = r->clock[p][thread];

		enter(r, p, t, "CLOG_Buffer_write2disk");
		r->clock[p][thread] = t + span(r);
		leave(r, p, r->clock[p][thread], "CLOG_Buffer_write2disk");
		break;
	}
	case 14:
		mess(r, p, thread);
		break;
	case 4:
	case 5:
	case 6:
		r->clock[q][thread] += span(r);
		message(r, p, thread, q, thread);
		break;
	default:
		script_thread(r->g, 0);
		switch (below(r, 7)) {
		case 0:
			exchange(r, p, q);
			break;
		case 1:
		case 2:
			post(r, p);
			break;
		case 3:
			send_posted(r, p);
			break;
		case 4:
			complete(r, p);
			break;
		default:
			r->clock[p][0] += span(r);
			collective(r);
		}
	}
	r->clock[p][thread] += span(r);
}

struct gen_bytes gen_script_random(uint64_t seed, enum gen_script_kind kind, const struct gen_script_options *o)
{
	static const char *const hosts[] = {"n1", "n2", "n2", "n1", "n3", "n1"};
	struct run r = {.state = seed * 2 + (kind & 1), .messy = kind == GEN_SCRIPT_MESSY || kind == GEN_SCRIPT_NUMBERED_MESSY,
			.numbered = kind >= GEN_SCRIPT_NUMBERED, .tag = 100};
	struct gen_script_options with = *o;
	int32_t members[MOST], count = 0, steps;

	r.n = 1 + below(&r, MOST);
	r.threads = r.messy && one_in(&r, 4) ? 2 : 1;
	with.threads = r.threads;
	with.hosts = hosts;
	r.g = gen_script_new(r.n, &with);
	for (int32_t p = r.n; p-- > 0;)
		if (one_in(&r, 2)) {
			r.in_half[p] = true;
			members[count++] = p;
		}
	if (count == 0)
		members[count++] = 0;
	r.in_half[members[0]] = true;
	r.half = script_communicator(r.g, members, count);
	r.members = count;
	for (int32_t p = 0; p < r.n; p++) {
		r.clock[p][0] = r.clock[p][1] = span(&r);
		if (r.messy)
			r.offset[p] = below(&r, 65) / 16.0 - 2;
		script_solo(r.g, p, r.clock[p][0] + r.offset[p]);
	}
	for (steps = 5 + below(&r, 120); steps > 0; steps--)
		step(&r);
	script_thread(r.g, 0);
	for (int32_t p = 0; p < r.n; p++)
		if (!one_in(&r, 4))
			script_solo(r.g, p, r.clock[p][0] + r.offset[p] + span(&r));
	return gen_script_bytes(r.g);
}
