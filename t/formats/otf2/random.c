/* Random OTF2 archives give the events, with communicators and compute times, that a plain second implementation finds
 * in what otf2-print says of them (t/lib/naive_otf2.py): threads, calls within calls and in functions, requests that
 * complete in another order, communicators of part of the world and between two groups, the tracer's own writing, and
 * what is no event. (docs/reference/formats.md, "OTF2 records")
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otf2_case.h"
#include "tap.h"

#define SEEDS CASES(12)
#define RANKS 4
#define SCRIPT 40000

static uint64_t state;

static unsigned below(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

struct script {
	char *text;
	size_t used;
	unsigned long now;
	int rank, requests;
};

/* What is done next, some ticks later, or at the same one. */
#define SAY(s, ...) (say_time(s), (s)->used += (size_t)snprintf((s)->text + (s)->used, SCRIPT - (s)->used, __VA_ARGS__))

static void say_time(struct script *s)
{
	s->now += below(4) ? below(900) : 0;
	s->used += (size_t)snprintf(s->text + s->used, SCRIPT - s->used, "%lu ", s->now);
}

/* 0 all; 1 each alone; 2 ranks 3, 0, 1; 5 between ranks 0, 1 and ranks 2, 3. */
static unsigned comm_of(int rank)
{
	static const unsigned comms[] = {0, 0, 2, 5, 1};
	unsigned comm = comms[below(5)];

	return comm == 2 && rank == 2 ? 0 : comm;
}

static void message(struct script *s, const char *how)
{
	static const unsigned partners[] = {RANKS, 1, 3, 0, 0, 2};
	unsigned comm = comm_of(s->rank), bytes = below(100000);

	SAY(s, "%s %u %u %u %lu", how, below(partners[comm]), comm, below(9), bytes % 5 ? bytes : (unsigned long)bytes << 24);
	s->used += (size_t)snprintf(s->text + s->used, SCRIPT - s->used, how[0] == 'i' ? " %d;" : ";", how[0] == 'i' ? s->requests++ : 0);
}

static void collective(struct script *s, bool called)
{
	static const char *const calls[] = {"MPI_Allreduce", "MPI_Neighbor_allgather", "mpi_reduce_scatter_", "MPI_Comm_dup", "MPI_Cart_create"};
	static const char *const is[] = {"ALLREDUCE", "ALLGATHER", "REDUCE_SCATTER", "CREATE_HANDLE", "BARRIER"};
	unsigned which = below(5), comm = comm_of(s->rank);

	if (called)
		SAY(s, "[ %s;", calls[which]);
	if (called && !below(5)) {
		SAY(s, "[ MPI_Allreduce;");
		SAY(s, "begin;");
		SAY(s, "end ALLREDUCE 0 - 8;");
		SAY(s, "];");
	}
	SAY(s, "begin;");
	SAY(s, "end %s %u %s %u;", is[which], comm, which == 4 ? "0" : "-", below(5000));
	if (called)
		SAY(s, "];");
}

/* Two that are completed in any order, later and in one call. */
static void nonblocking(struct script *s)
{
	unsigned comm = comm_of(s->rank);
	int first = s->requests++, second = s->requests++, turn = (int)below(2);

	SAY(s, "[ MPI_Ireduce_scatter_block;");
	SAY(s, "nbc %d;", first);
	SAY(s, "];");
	message(s, "send");
	SAY(s, "[ MPI_Ibarrier;");
	SAY(s, "nbc %d;", second);
	SAY(s, "];");
	SAY(s, "[ MPI_Waitall;");
	for (int i = 0; i < 2; i++)
		if ((i ^ turn) == 0)
			SAY(s, "done REDUCE_SCATTER_BLOCK %u - %u %d;", comm, below(90), first);
		else
			SAY(s, "done BARRIER 0 - 0 %d;", second);
	message(s, "irecv");
	SAY(s, "];");
}

static void step(struct script *s, int depth)
{
	switch (below(depth < 3 ? 9 : 7)) {
	case 0:
		SAY(s, "[ MPI_Sendrecv;");
		message(s, "send");
		message(s, "recv");
		SAY(s, "];");
		break;
	case 1:
		SAY(s, "[ MPI_Waitsome;");
		for (unsigned i = below(4); i > 0; i--)
			message(s, below(2) ? "irecv" : "isend");
		SAY(s, "[ MPI_Test;");
		message(s, "recv");
		SAY(s, "];");
		SAY(s, "];");
		break;
	case 2:
		collective(s, below(6) != 0);
		break;
	case 3:
		nonblocking(s);
		break;
	case 4:
		message(s, "isend");
		break;
	case 5:
		s->now += below(200);
		s->used += (size_t)snprintf(s->text + s->used, SCRIPT - s->used, "%lu flush %lu;", s->now, s->now + 700);
		s->now += 700 + below(2) * 300;
		break;
	case 6:
		SAY(s, "[ MPI_Comm_rank;");
		SAY(s, "%s;", below(2) ? "other" : "rma");
		SAY(s, "];");
		break;
	default:
		SAY(s, "[ function_%d;", depth);
		for (unsigned i = below(4); i > 0; i--)
			step(s, depth + 1);
		SAY(s, "];");
	}
}

static void check(uint64_t seed)
{
	static char texts[RANKS + 2][SCRIPT];
	static const struct otf_make_comm comms[] = {
		{.ref = 0, .count = 4, .members = {0, 1, 2, 3}},
		{.ref = 1, .self = true},
		{.ref = 2, .count = 3, .members = {3, 0, 1}},
		{.ref = 5, .count = 2, .members = {0, 1}, .other_count = 2, .others = {2, 3}},
	};
	struct otf_make_location locations[RANKS + 2] = {0};
	struct otf_make make = {.ticks = 1000000000, .offset = 5000, .locations = locations, .location_count = RANKS + 2,
				.rank_count = RANKS, .comms = comms, .comm_count = 4, .user_paradigm = seed % 2, .map = seed % 3 == 1,
				.one_group_number = seed % 4 == 3};
	struct trace *t = NULL;
	struct otf_case c;
	struct err e = {0};
	char command[160], line[200];
	uint32_t i = 0, wrong = 0;
	FILE *naive;

	state = seed * 977 + 1;
	for (int l = 0; l < RANKS + 2; l++) { /* ranks 1 and 3 have two threads */
		struct script s = {.text = texts[l], .now = 5000 + below(3000), .rank = l < RANKS ? l : 2 * (l - RANKS) + 1, .requests = 1};

		for (int n = 0; n < 60; n++)
			step(&s, 0);
		SAY(&s, "other");
		locations[l] = (struct otf_make_location){.id = seed % 2 ? (uint64_t)(20 - l) << 32 : (uint64_t)l, .group = (uint32_t)s.rank,
							  .script = s.text};
		if (l < RANKS)
			make.ranks[l] = locations[l].id;
	}
	otf_case_make(&c, &make);
	if (!ok(otf_case_load(&c, &t, 2, &e) == ERR_OK, "archive %d: it is read: %s", (int)seed, e.text)) {
		otf_case_remove(&c);
		return;
	}
	snprintf(command, sizeof command, "python3 t/lib/naive_otf2.py %s", c.anchor);
	naive = popen(command, "r");
	for (; naive && fgets(line, sizeof line, naive); i++) {
		char mine[200] = "", type[40];

		if (i < t->event_count) {
			uint32_t p = trace_process_of(t, i);

			snprintf(mine, sizeof mine, "%u,%u,%s,%" PRIu64 ",%u,%d,%.9f,%.9f\n", p, trace_number_of(t, p, i),
				 trace_type_name(t, t->type[i], type, sizeof type), trace_size(t, i),
				 (unsigned)t->comms[trace_comm(t, i)].number, EVENT_KIND(t->type[i]) == EVENT_COLLECTIVE ? 0 : trace_tag(t, i),
				 t->time[i], t->compute[i]);
		}
		if (strcmp(mine, line) != 0 && wrong++ < 3)
			diag("here  %snaive %s", *mine ? mine : "nothing\n", line);
	}
	ok(naive && pclose(naive) == 0, "archive %d: the second implementation reads it", (int)seed);
	is_int((int)i, (int)t->event_count, "archive %d: as many events", (int)seed);
	ok(i > 300 && !wrong, "archive %d: each is the same: %u are not", (int)seed, wrong);
	trace_free(t);
	otf_case_remove(&c);
}

int main(void)
{
	if (!otf_make_able() || system("command -v otf2-print >/dev/null && command -v python3 >/dev/null") != 0) {
		skip(1, "OTF2, otf2-print or python3 is not here");
		return done_testing();
	}
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		check(seed);
	return done_testing();
}
