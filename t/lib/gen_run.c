#include "gen_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define TICK (1.0 / 1024)
enum { SEND = 160, RECV = 154, ALLREDUCE = 4 };
enum where { WORLD, HALF, INTER };

/* One record of one process, as it is meant; what its numbers are depends on the file. */
struct item {
	enum { BARE, MESSAGE, WORLD_COMM, SELF_COMM, HALF_COMM, INTER_COMM, LOCAL_COMM, REMOTE_COMM, CLOCK, DEFS } kind;
	double time;
	enum where where;
	int32_t value;   /* etype */
	int32_t partner; /* world rank */
	int32_t tag, size;
	bool odd;        /* the record that the fault is in */
};

struct list {
	struct item *items;
	size_t n, cap;
	double now;
};

static void add(struct list *l, struct item x)
{
	if (l->n == l->cap) {
		l->cap = l->cap ? l->cap * 2 : 64;
		l->items = realloc(l->items, l->cap * sizeof *l->items);
		if (!l->items)
			bail_out("no memory for a test's run");
	}
	x.time = l->now;
	l->items[l->n++] = x;
	l->now += TICK;
}

static int32_t half_of(int32_t p)
{
	return p & 1;
}

/* Ranks in the halves are reversed: the last process is the first. */
static int32_t half_rank(const struct gen_run *r, int32_t p)
{
	return (r->processes / 2 - 1) - p / 2;
}

static void call(struct list *l, enum where where, int32_t etype, struct item *inside)
{
	add(l, (struct item){.kind = BARE, .where = where, .value = etype});
	if (inside)
		add(l, *inside);
	l->now += 3 * TICK;
	add(l, (struct item){.kind = BARE, .where = where, .value = etype + 1});
}

static void message(const struct gen_run *r, struct list *l, int32_t p, bool send, enum where where, int32_t partner, int32_t tag,
		    bool middle)
{
	struct item m = {.kind = MESSAGE, .where = where, .value = send ? -101 : -102, .partner = partner, .tag = tag, .size = 64};

	m.odd = middle && p == r->at;
	if (m.odd && ((r->fault == GEN_LOSES_SEND && send) || (r->fault == GEN_LOSES_RECEIVE && !send))) {
		call(l, where, send ? SEND : RECV, NULL);
		return;
	}
	if (m.odd && r->fault == GEN_WRONG_SIZE && send)
		m.size = 99;
	call(l, where, send ? SEND : RECV, &m);
}

static void begin(struct list *l)
{
	add(l, (struct item){.kind = CLOCK});
	add(l, (struct item){.kind = WORLD_COMM});
	add(l, (struct item){.kind = SELF_COMM});
	add(l, (struct item){.kind = HALF_COMM});
	add(l, (struct item){.kind = INTER_COMM, .where = HALF});
	add(l, (struct item){.kind = LOCAL_COMM, .where = HALF});
	add(l, (struct item){.kind = REMOTE_COMM, .where = HALF});
}

/* One round, whose every receive comes after its send: around the ring of the world, across to the other half and back,
 * and an Allreduce on the half and on the world. */
static void one_round(const struct gen_run *r, struct list *l, int32_t p, double start, bool middle)
{
	int32_t next = (p + 1) % r->processes, before = (p + r->processes - 1) % r->processes, across = p ^ 1;
	bool cycle = middle && r->fault == GEN_CYCLE && (p == r->at || p == (r->at ^ 1));

	if (middle && p == r->at && r->fault == GEN_SILENT)
		return;
	l->now = start + p * TICK;
	if (cycle) {
		/* Each has received before it has sent, says the trace. */
		message(r, l, p, false, WORLD, across, 77, false);
		message(r, l, p, true, WORLD, across, 77, false);
	}
	message(r, l, p, true, WORLD, next, 5, middle);
	l->now = start + 0.25 + p * TICK;
	message(r, l, p, false, WORLD, before, 5, middle);
	l->now = start + 0.5 + (p + 7) * TICK;
	message(r, l, p, true, INTER, across, 6, false);
	l->now = start + 0.75 + p * TICK;
	message(r, l, p, false, INTER, across, 6, false);
	l->now = start + 1 + (p ^ 3) * TICK;
	call(l, HALF, middle && p == r->at && r->fault == GEN_WRONG_COLLECTIVE ? ALLREDUCE + 6 : ALLREDUCE, NULL);
	if (middle && p == r->at && r->fault == GEN_NO_END)
		add(l, (struct item){.kind = BARE, .value = SEND});
	call(l, WORLD, ALLREDUCE, NULL);
}

static struct list script(const struct gen_run *r, int32_t p)
{
	struct list l = {.now = 0.5};

	begin(&l);
	for (int k = 0; k < r->rounds; k++)
		one_round(r, &l, p, 1 + 2 * k, k == r->rounds / 2);
	if (p == 0)
		add(&l, (struct item){.kind = DEFS});
	return l;
}

static double shift_of(const struct gen_run *r, int32_t p)
{
	return r->unshifted ? 0 : (p * 37 % 11 - 5) * 64 * TICK;
}

static struct clog2_gid gid(const struct gen_run *r, uint8_t what, uint8_t which)
{
	struct clog2_gid g = {{0, 0, 0, r->id, 0x41, 0xd0, 0, 0, 0, 0, what, which, 'n', 'o', 'd', 'e'}};

	return g;
}

/* The numbers of communicators: of the whole file, or a process's own. */
static int32_t icomm_of(const struct gen_run *r, int32_t p, enum where where, bool local)
{
	switch (where) {
	case WORLD: return 0;
	case HALF: return local ? 2 : 1 + r->processes + half_of(p);
	default: return local ? 3 : 3 + r->processes + half_of(p);
	}
}

static void write_comm(struct clog2_writer *w, const struct gen_run *r, int32_t p, const struct item *x,
		       struct clog2_head h, bool local)
{
	uint8_t mine = (uint8_t)half_of(p), other = (uint8_t)!half_of(p);
	int32_t half = icomm_of(r, p, HALF, local);
	struct clog2_comm c = {.wrank = p, .rank = half_rank(r, p)};

	switch (x->kind) {
	case WORLD_COMM:
		c = (struct clog2_comm){.etype = 0, .icomm = 0, .rank = p, .wrank = p, .gid = gid(r, 1, 0)};
		break;
	case SELF_COMM:
		c = (struct clog2_comm){.etype = 1, .icomm = local ? 1 : 1 + p, .wrank = p, .gid = gid(r, 2, (uint8_t)p)};
		break;
	case HALF_COMM:
		c.etype = 100;
		c.icomm = half;
		c.gid = gid(r, 3, mine);
		break;
	case INTER_COMM:
		c.etype = 1000;
		c.icomm = icomm_of(r, p, INTER, local);
		c.gid = gid(r, 4, mine);
		break;
	case LOCAL_COMM:
		c.etype = 101;
		c.icomm = local ? 4 : half;
		c.gid = gid(r, 3, mine);
		break;
	default:
		c.etype = 102;
		c.icomm = local ? 5 : icomm_of(r, p ^ 1, HALF, false);
		c.rank = -1;
		c.gid = gid(r, 3, other);
	}
	clog2_write_comm(w, h, &c);
}

static void define(struct clog2_writer *w, const struct gen_run *r, struct clog2_head h)
{
	static const struct clog2_constdef constants[] = {{-201, -1, "MPI_PROC_NULL"}, {-201, -2, "MPI_ANY_SOURCE"},
							  {-201, -1, "MPI_ANY_TAG"}};
	static const struct clog2_statedef states[] = {{80, SEND, SEND + 1, "blue", "MPI_Send", ""},
						       {77, RECV, RECV + 1, "green", "MPI_Recv", ""},
						       {2, ALLREDUCE, ALLREDUCE + 1, "purple", "MPI_Allreduce", ""},
						       {5, ALLREDUCE + 6, ALLREDUCE + 7, "yellow", "MPI_Barrier", ""}};

	for (size_t i = 0; i < sizeof states / sizeof *states; i++)
		clog2_write_statedef(w, h, &states[i]);
	for (size_t i = 0; r->constants && i < sizeof constants / sizeof *constants; i++)
		clog2_write_constdef(w, h, &constants[i]);
}

static double odd_time(const struct gen_run *r, const struct item *x, double time)
{
	if (!x->odd)
		return time;
	switch (r->fault) {
	case GEN_TIME_NAN: return (double)NAN;
	case GEN_TIME_HUGE: return 1e300;
	case GEN_TIME_BACK: return time - 0.25;
	default: return time;
	}
}

static void write_message(struct clog2_writer *w, const struct gen_run *r, int32_t p, const struct item *x,
			  struct clog2_head h, bool local)
{
	struct clog2_msg m = {.etype = x->value, .tag = x->tag, .size = x->size, .rank = x->partner};

	m.icomm = local ? CLOG2_NULL_COMM : 0;
	if (x->where == INTER) {
		m.rank = half_rank(r, x->partner);
		m.icomm = local ? CLOG2_NULL_COMM : icomm_of(r, x->partner, HALF, false);
		/* The merge puts the local side in the place of an intercommunicator. */
		h.icomm = icomm_of(r, p, local ? INTER : HALF, local);
		h.rank = half_rank(r, p);
	}
	if (x->odd && r->fault == GEN_WRONG_PARTNER)
		m.rank = 999;
	if (x->odd && r->fault == GEN_WRONG_RANK)
		h.rank = 777;
	if (x->odd && r->fault == GEN_UNKNOWN_COMM)
		h.icomm = 4242;
	clog2_write_msg(w, h, &m);
}

static void write_item(struct clog2_writer *w, const struct gen_run *r, int32_t p, const struct item *x, bool local)
{
	struct clog2_head h = {odd_time(r, x, x->time - (local ? shift_of(r, p) : 0)), 0, p, 0};

	if (x->where == HALF || (x->where == INTER && x->kind == BARE)) {
		h.icomm = icomm_of(r, p, local && x->where == INTER ? INTER : HALF, local);
		h.rank = half_rank(r, p);
	}
	switch (x->kind) {
	case CLOCK:
		clog2_write_timeshift(w, h, local ? shift_of(r, p) : -shift_of(r, p));
		break;
	case BARE:
		clog2_write_bare(w, h, x->value);
		break;
	case MESSAGE:
		write_message(w, r, p, x, h, local);
		break;
	case DEFS:
		define(w, r, h);
		break;
	default:
		write_comm(w, r, p, x, h, local);
	}
}

static struct gen_bytes write_run(const struct gen_run *r, int32_t rank)
{
	bool local = rank >= 0;
	struct clog2_write_options o = {.minor = r->minor ? r->minor : 44, .big_endian = !local || r->big_endian, .finalized = !local,
					.block_size = r->block_size ? r->block_size : 1024, .world_size = r->processes, .max_threads = 1};
	struct list lists[64];
	size_t at[64] = {0};
	FILE *file = tmpfile();
	struct clog2_writer w;
	struct gen_bytes b;
	struct err e;

	if (!file || r->processes > 64 || clog2_writer_init(&w, fileno(file), &o, &e))
		bail_out("a test's run cannot be written");
	for (int32_t p = 0; p < r->processes; p++)
		lists[p] = local && p != rank ? (struct list){0} : script(r, p);
	/* Of all heads the earliest, as the merge takes them. */
	for (;;) {
		int32_t best = -1;

		for (int32_t p = 0; p < r->processes; p++)
			if (at[p] < lists[p].n && (best < 0 || lists[p].items[at[p]].time < lists[best].items[at[best]].time))
				best = p;
		if (best < 0)
			break;
		write_item(&w, r, best, &lists[best].items[at[best]++], local);
	}
	if (clog2_writer_finish(&w, !(local && r->crashed), &e))
		bail_out("a test's run cannot be written: %s", e.text);
	clog2_writer_release(&w);
	b = gen_slurp_fd(fileno(file));
	fclose(file);
	for (int32_t p = 0; p < r->processes; p++)
		free(lists[p].items);
	return b;
}

struct gen_bytes gen_run_finalized(const struct gen_run *r)
{
	return write_run(r, -1);
}

struct gen_bytes gen_run_local(const struct gen_run *r, int32_t rank)
{
	return write_run(r, rank);
}
