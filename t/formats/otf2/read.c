/* Reading OTF2: the page's vector, every figure of it (docs/internals/otf2-example.md, "OTF2 example"), and that the
 * same run said awkwardly, as other tools say it, is the same run. What goes wrong here is believed without a second
 * look: nobody reads an archive by eye. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/formats/api/load.h"
#include "core/method/logical/logical.h"
#include "otf2_case.h"
#include "tap.h"

struct expected {
	uint32_t process;
	const char *type;
	uint32_t size;
	double time, compute; /* ns */
	uint32_t lt;
};

static const struct expected vector[] = {
	{0, "+2", 100, 4001, 990, 0},	      {0, "CIallreduce", 8, 5000, 1490, 1}, {0, "-3", 50, 7002, 1133, 1},
	{0, "CBcast", 0, 8200, 609, 3},	      {1, "-1", 100, 4600, 440, 1},	    {1, "CIallreduce", 8, 5050, 2930, 1},
	{1, "+3", 10, 6001, 1996, 2},	      {2, "+1", 50, 3001, 2090, 0},	    {2, "CIallreduce", 8, 5100, 990, 1},
	{2, "-2", 10, 6200, 1984, 3},	      {2, "CBcast", 128, 8210, 27, 3},
};

#define VECTOR (sizeof vector / sizeof *vector)

static struct trace *load(const struct otf_case *c, unsigned threads)
{
	struct trace *t = NULL;
	struct err e = {0};
	enum err_code code = otf_case_load(c, &t, threads, &e);

	if (code)
		diag("%s", e.text);
	return t;
}

static void check_vector(void)
{
	struct otf_case c;
	struct trace *t;
	struct logical *logical = NULL;
	struct err e;

	otf_case_make(&c, &otf_make_vector);
	t = load(&c, 1);
	if (!ok(t, "the vector is read") || !is_int(t->event_count, VECTOR, "its events")) {
		trace_free(t);
		return;
	}
	for (uint32_t i = 0; i < VECTOR; i++) {
		char type[16];

		is_int(trace_process_of(t, i), vector[i].process, "event %u: process", i);
		is_str(trace_type_name(t, t->type[i], type, sizeof type), vector[i].type, "event %u: type", i);
		is_int(trace_size(t, i), vector[i].size, "event %u: size", i);
		is_double(t->time[i] * 1e9, vector[i].time, 1e-3, "event %u: time", i);
		is_double(t->compute[i] * 1e9, vector[i].compute, 1e-3, "event %u: compute", i);
	}
	is_double(trace_aet(t) * 1e9, 8900, 1e-3, "AET");
	is_u64(t->record_count, c.records, "all records were told");
	is_int(t->lost_sends + t->lost_receives, 0, "nothing is lost");
	is_u64(notes_total(&t->notes, NOTE_WARNING) + notes_total(&t->notes, NOTE_DAMAGE), 0, "nothing is odd");
	is_int(t->comm_count, 2, "communicators that are used");
	is_str(t->comms[0].kind, "world", "the first one's kind");
	is_int(t->comms[1].size, 2, "members of the other one");
	is_int((int)t->comm_members[t->comms[1].members], 2, "its first member");
	is_int((int)t->processes[1].threads, 2, "threads of rank 1");
	is_str(t->processes[0].host, "node07", "the host");
	is_str(t->files[0].format, "OTF2 3.0", "the format");
	if (ok(!logical_new(&logical, t, ORDER_PAS2P, COLLECTIVES_EVENTS, NULL, &e), "logical times")) {
		for (uint32_t i = 0; i < VECTOR; i++)
			is_int(logical_lt(logical, i), vector[i].lt, "event %u: logical time", i);
		is_int(logical->tick_count, 6, "ticks");
		logical_unref(logical);
	}
	trace_free(t);
	otf_case_remove(&c);
}

/* ---- the same, awkwardly ---- */

#define MOST 16

/* The vector's locations and more. */
static struct otf_make_location locations[MOST];

static struct otf_make copy_of_vector(void)
{
	struct otf_make make = otf_make_vector;

	memcpy(locations, make.locations, (size_t)make.location_count * sizeof *locations);
	make.locations = locations;
	return make;
}

static void add_location(struct otf_make *make, struct otf_make_location location)
{
	locations[make->location_count++] = location;
}

static void same(const struct otf_make *make, bool times, const char *what)
{
	struct otf_case plain, awkward;
	struct trace *a, *b, *alone;
	char *x, *y, *z;

	otf_case_make(&plain, &otf_make_vector);
	otf_case_make(&awkward, make);
	a = load(&plain, 1);
	b = load(&awkward, 8);
	alone = load(&awkward, 1);
	if (ok(a && b && alone, "%s: read", what)) {
		x = otf_case_text(a, times);
		y = otf_case_text(b, times);
		z = otf_case_text(alone, times);
		is_str(y, x, "%s: the same", what);
		is_str(z, y, "%s: by one thread", what);
		is_u64(notes_total(&b->notes, NOTE_WARNING) + notes_total(&b->notes, NOTE_DAMAGE), 0, "%s: nothing is odd", what);
		free(x);
		free(y);
		free(z);
	}
	trace_free(a);
	trace_free(b);
	trace_free(alone);
	otf_case_remove(&plain);
	otf_case_remove(&awkward);
}

static void check_awkward(void)
{
	struct otf_make make = copy_of_vector();

	make.map = true;
	make.region_base = 536870912;
	same(&make, true, "numbers of each location's own");
	make = copy_of_vector();
	make.groups_backwards = true;
	make.region_base = 5000;
	same(&make, true, "definitions in another order");
	make = copy_of_vector();
	make.one_group_number = make.user_paradigm = true;
	same(&make, true, "as EZTrace says it");
	make = copy_of_vector();
	make.attributes = true;
	same(&make, true, "with attributes");
	make = copy_of_vector();
	locations[0].id = (uint64_t)7 << 32;
	locations[1].id = 3;
	locations[2].id = (uint64_t)1 << 40;
	locations[3].id = 12345678;
	for (int i = 0; i < 4; i++)
		locations[i].group = (uint32_t)(i == 2 ? 2 : 3 - i - (i == 3 ? 0 : 0));
	locations[3].group = 0;
	make.ranks[0] = locations[0].id;
	make.ranks[1] = locations[1].id;
	make.ranks[2] = locations[3].id;
	same(&make, true, "locations numbered anyhow");
	make = copy_of_vector();
	make.metric_before_enter = true;
	same(&make, true, "a counter before each call");
	make = copy_of_vector();
	for (int i = 0; i < 4; i++)
		locations[i].skew = 1000 * (i == 1) + 77 * i;
	same(&make, true, "clocks apart, with their offsets");
	for (int i = 0; i < 4; i++)
		locations[i].drift = 0.001 * i;
	same(&make, false, "clocks that drift, with their offsets");
	make = copy_of_vector();
	add_location(&make, (struct otf_make_location){.id = 900, .group = 0, .script = "3100 [ helper; 3105 other; 9000 ]"});
	add_location(&make, (struct otf_make_location){.id = 901, .group = 0, .type = OTF_MAKE_ACCELERATOR, .script = "1 [ kernel; 99000 ]"});
	add_location(&make, (struct otf_make_location){.id = 902, .group = 2, .type = OTF_MAKE_METRICS, .script = "5 metric 7"});
	add_location(&make, (struct otf_make_location){.id = 903, .group = 4, .script = "5 [ nobody; 6 ]"});
	same(&make, true, "helpers, accelerators and metrics beside");
}

/* ---- what is not in the vector ---- */

static struct trace *of_scripts(struct otf_case *c, const char *first, const char *second, struct otf_make *more)
{
	static struct otf_make_location two[2];
	static const struct otf_make_comm comms[] = {
		{.ref = 0, .count = 2, .members = {0, 1}},
		{.ref = 1, .self = true},
		{.ref = 5, .count = 1, .members = {0}, .other_count = 1, .others = {1}},
	};
	struct otf_make make = {.ticks = 1000000, .offset = 0, .locations = two, .location_count = 2, .ranks = {0, 1}, .rank_count = 2,
				.comms = comms, .comm_count = 3};

	two[0] = (struct otf_make_location){.id = 0, .group = 0, .script = first};
	two[1] = (struct otf_make_location){.id = 1, .group = 1, .script = second};
	if (more) {
		make.metric = more->metric;
		make.rank_count = more->rank_count;
		make.no_local = more->no_local;
	}
	otf_case_make(c, &make);
	return load(c, 1);
}

static void is_events(const struct trace *t, const char *expected, const char *what)
{
	char *text = t ? otf_case_text(t, false) : NULL;

	is_str(text, expected, "%s", what);
	free(text);
}

static uint64_t count(const struct trace *t, enum note_kind kind)
{
	return t ? t->notes.count[kind] : UINT64_MAX;
}

struct oddity {
	const char *what, *first, *second, *events;
	enum note_kind note;
	uint64_t notes;
};

static const struct oddity oddities[] = {
	{"a collective's size and root", "10 [ MPI_Reduce; 11 begin; 15 end REDUCE 0 1 40; 16 ]", "10 [ MPI_Reduce; 11 begin; 15 end REDUCE 0 1 8; 16 ]",
	 "0.1 CReduce 40 c0 t0 m1\n1.1 CReduce 8 c0 t0 m0\n", NOTE_UNPAIRED_STATE, 0},
	{"a neighbourhood collective is told apart by its call's name", "10 [ MPI_Neighbor_alltoall; 11 begin; 15 end ALLTOALL 0 - 4; 16 ]",
	 "10 [ MPI_Neighbor_alltoall; 11 begin; 15 end ALLTOALL 0 - 4; 16 ]",
	 "0.1 CNeighbor_alltoall 4 c0 t0 m1\n1.1 CNeighbor_alltoall 4 c0 t0 m0\n", NOTE_UNPAIRED_STATE, 0},
	{"a collective outside of calls", "11 begin; 15 end BARRIER 0 - 0", "15 end BARRIER 0 - 0",
	 "0.1 CBarrier 0 c0 t0 m1\n1.1 CBarrier 0 c0 t0 m0\n", NOTE_UNPAIRED_STATE, 0},
	{"a collective within another call's", "10 [ MPI_Comm_dup; 11 [ MPI_Allreduce; 12 begin; 13 end ALLREDUCE 0 - 4; 14 ]; 15 ]", "10 other", "",
	 NOTE_UNPAIRED_STATE, 0},
	{"one that does not end", "10 [ MPI_Barrier; 11 begin; 16 ]; 20 [ MPI_Send; 21 send 1 0 0 8; 22 ]", "20 [ MPI_Recv; 23 recv 0 0 0 8; 24 ]",
	 "0.1 +2 8 c0 t0 m1\n1.1 -1 8 c0 t0 m0\n", NOTE_UNPAIRED_STATE, 1},
	{"a nonblocking one that never completes", "10 [ MPI_Ibarrier; 11 nbc 4; 16 ]; 20 [ MPI_Send; 21 send 1 0 0 8; 22 ]",
	 "20 [ MPI_Recv; 23 recv 0 0 0 8; 24 ]", "0.1 +2 8 c0 t0 m1\n1.1 -1 8 c0 t0 m0\n", NOTE_UNPAIRED_STATE, 1},
	{"one that completes unbegun", "10 [ MPI_Wait; 11 done BARRIER 0 - 0 4; 16 ]", "10 other", "", NOTE_UNPAIRED_STATE, 1},
	{"two that overlap", "10 [ MPI_Ibcast; 11 nbc 4; 12 ]; 13 [ MPI_Ibarrier; 14 nbc 5; 15 ]; 20 [ MPI_Waitall; 21 done BARRIER 0 - 0 5;"
	 "22 done BCAST 0 0 64 4; 23 ]",
	 "10 [ MPI_Ibcast; 11 nbc 1; 12 ]; 13 [ MPI_Ibarrier; 14 nbc 2; 15 ]; 20 [ MPI_Waitall; 21 done BCAST 0 0 0 1; 22 done BARRIER 0 - 0 2; 23 ]",
	 "0.1 CIbcast 64 c0 t0 m2\n0.2 CIbarrier 0 c0 t0 m3\n1.1 CIbcast 0 c0 t0 m0\n1.2 CIbarrier 0 c0 t0 m1\n", NOTE_UNPAIRED_STATE, 0},
	{"a partner beyond the group", "10 [ MPI_Send; 11 send 99 0 0 8; 12 ]", "10 other", "0.1 +? 8 c0 t0 m4294967295\n", NOTE_BAD_PARTNER, 1},
	{"a partner beyond a group that is not the world's", "10 [ MPI_Send; 11 send 1 5 0 8; 12 ]", "10 other", "0.1 +? 8 c0 t0 m4294967295\n",
	 NOTE_BAD_PARTNER, 1},
	{"a communicator that nothing defines", "10 [ MPI_Send; 11 send 1 77 0 8; 12 ]", "10 other", "0.1 +? 8 c0 t0 m4294967295\n",
	 NOTE_BAD_PARTNER, 1},
	{"a large size", "10 [ MPI_Send; 11 send 1 0 0 18446744073709551614; 12 ]", "10 [ MPI_Recv; 11 recv 0 0 0 18446744073709551614; 12 ]",
	 "0.1 +2 18446744073709551615 c0 t0 m1\n1.1 -1 18446744073709551615 c0 t0 m0\n", NOTE_UNKNOWN_SIZE, 2},
	{"a large tag", "10 [ MPI_Send; 11 send 1 0 4294967295 8; 12 ]", "10 [ MPI_Recv; 11 recv 0 0 4294967295 8; 12 ]",
	 "0.1 +2 8 c0 t-1 m1\n1.1 -1 8 c0 t-1 m0\n", NOTE_BAD_MESSAGE, 2},
	{"an intercommunicator", "10 [ MPI_Send; 11 send 0 5 0 8; 12 ]", "10 [ MPI_Recv; 11 recv 0 5 0 8; 12 ]",
	 "0.1 +2 8 c1 t0 m1\n1.1 -1 8 c1 t0 m0\n", NOTE_BAD_PARTNER, 0},
	{"a message to itself", "10 [ MPI_Isend; 11 isend 0 1 0 8 1; 12 ]; 13 [ MPI_Recv; 14 recv 0 1 0 8; 15 ]; 16 isdone 1", "10 other",
	 "0.1 +1 8 c1 t0 m1\n0.2 -1 8 c1 t0 m0\n", NOTE_BAD_PARTNER, 0},
	{"a send that is cancelled", "10 [ MPI_Isend; 11 isend 1 0 0 8 3; 12 ]; 13 [ MPI_Cancel; 14 cancel 3; 15 ]", "10 other",
	 "0.1 +2 8 c0 t0 m4294967295\n", NOTE_DISTRUST, 1},
	{"a receive that is cancelled", "10 [ MPI_Irecv; 11 irreq 3; 12 ]; 13 [ MPI_Cancel; 14 cancel 3; 15 ]", "10 other", "", NOTE_DISTRUST, 0},
	{"one-sided communication", "10 [ MPI_Put; 11 rma; 12 ]", "10 other", "", NOTE_ONE_SIDED, 1},
	{"measurement switched off", "10 off; 1000010 on; 1000011 other", "10 other", "", NOTE_MEASUREMENT_OFF, 1},
	{"a call that is left unbegun", "10 ] MPI_Send; 11 [ MPI_Send; 12 send 1 0 0 8; 13 ]", "20 [ MPI_Recv; 23 recv 0 0 0 8; 24 ]",
	 "0.1 +2 8 c0 t0 m1\n1.1 -1 8 c0 t0 m0\n", NOTE_UNPAIRED_STATE, 1},
	{"a call within one that ends", "10 [ MPI_Send; 12 send 1 0 0 8; 13 [ MPI_Wait; 14 ] MPI_Send", "20 [ MPI_Recv; 23 recv 0 0 0 8; 24 ]",
	 "0.1 +2 8 c0 t0 m1\n1.1 -1 8 c0 t0 m0\n", NOTE_UNPAIRED_STATE, 1},
};

static void check_oddities(void)
{
	for (size_t i = 0; i < sizeof oddities / sizeof *oddities; i++) {
		const struct oddity *o = &oddities[i];
		struct otf_case c;
		struct trace *t = of_scripts(&c, o->first, o->second, NULL);

		is_events(t, o->events, o->what);
		is_u64(count(t, o->note), o->notes, "%s: notes", o->what);
		ok(t && t->record_count == c.records && !t->damaged, "%s: all records, no damage", o->what);
		trace_free(t);
		otf_case_remove(&c);
	}
}

static void check_others(void)
{
	struct otf_case c;
	struct otf_make no_mpi = {.rank_count = 0}, cpu = {.rank_count = 2, .metric = "pas2p::cpu_time"};
	struct trace *t = of_scripts(&c, "10 [ work; 11 send 1 0 0 8; 12 ]; 2000010 other", "10 [ work; 12 ]", &no_mpi);

	if (ok(t, "an archive without MPI is read")) {
		is_int((int)t->process_count, 2, "without MPI: processes");
		is_int((int)t->event_count, 0, "without MPI: no events");
		is_double(trace_aet(t), 2, 1e-9, "without MPI: run time");
	}
	trace_free(t);
	otf_case_remove(&c);
	/* 100 ns of the CPU between two sends that are a second apart. */
	t = of_scripts(&c, "1000 metric 100; 1001 [ MPI_Send; 1002 send 1 0 0 8; 1003 ]; 1004 metric 110; 1000000 metric 200; 1000001 [ MPI_Send;"
		       "1000002 send 1 0 0 8; 1000003 ]; 1000004 metric 300",
		       "1000 metric 100; 2000 [ MPI_Recv; 2001 recv 0 0 0 8; 2002 ]; 2003 metric 101; 3000 metric 105", &cpu);
	if (ok(t && t->event_count == 3, "readings of the CPU clock are read")) {
		is_int(t->compute_source, COMPUTE_FROM_EVENTS, "readings: the source");
		is_double(t->compute[0] * 1e9, 90, 1e-6, "readings: compute");
	}
	trace_free(t);
	otf_case_remove(&c);
}

int main(void)
{
	if (!otf_make_able()) {
		printf("1..0 # SKIP built without OTF2\n");
		return 0;
	}
	check_vector();
	check_awkward();
	check_oddities();
	check_others();
	return done_testing();
}
