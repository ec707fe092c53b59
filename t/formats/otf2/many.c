/* OTF2 archives of many locations, and of long ones: what is open and what is held back has its bounds, and which of
 * them is met does not show in the trace. Reading tells how far it is, and stops when asked to.
 * (docs/reference/formats.md, "OTF2 records") */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/formats/api/load.h"
#include "otf2_case.h"
#include "tap.h"

#define RANKS 16
#define MANY 512           /* locations, of all ranks */
#define THREADS 12         /* of one rank, each long */
#define STEPS 4200         /* more records than are held rather than an event file left open */
#define WAITING 280000     /* records that follow a request which is not completed: more than are held back */

static const struct otf_make_comm world = {.ref = 0, .count = RANKS, .members = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
static const struct otf_make_comm pair = {.ref = 0, .count = 2, .members = {0, 1}};

/* In order of rank; the first location of each has its number. */
static struct otf_make make_of(const struct otf_make_location *locations, int count, int ranks, const struct otf_make_comm *comm)
{
	struct otf_make make = {.ticks = 1000000000, .offset = 1000, .locations = locations, .location_count = count, .rank_count = ranks,
				.comms = comm, .comm_count = 1};

	for (int r = 0; r < ranks; r++)
		make.ranks[r] = (uint64_t)r;
	return make;
}

static rlim_t set_descriptors(rlim_t most)
{
	struct rlimit limit;
	rlim_t before;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		bail_out("no limit of open files");
	before = limit.rlim_cur;
	limit.rlim_cur = most;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		bail_out("the limit of open files cannot be %lu", (unsigned long)most);
	return before;
}

static char *text_of(const struct otf_case *c, unsigned threads, const char *what)
{
	struct trace *t;
	struct err e = {0};
	enum err_code code = otf_case_load(c, &t, threads, &e);
	char *text = NULL;

	if (!is_int(code, ERR_OK, "%s: it is read", what))
		diag("%s", e.text);
	if (t) {
		text = otf_case_text(t, true);
		is_u64(t->record_count, c->records, "%s: all records", what);
	}
	trace_free(t);
	return text ? text : strdup("");
}

/* With few descriptors it is the same trace. */
static void check_descriptors(const struct otf_make *make, const char *what, unsigned events)
{
	struct otf_case c;
	unsigned lines = 0;
	rlim_t before;
	char *plenty, *few;

	otf_case_make(&c, make);
	plenty = text_of(&c, 2, what);
	before = set_descriptors(32);
	few = text_of(&c, 2, what);
	set_descriptors(before);
	for (const char *at = plenty; *at; at++)
		lines += *at == '\n';
	is_int((int)lines, (int)events, "%s: events", what);
	is_str(few, plenty, "%s: with 32 descriptors it is the same", what);
	free(plenty);
	free(few);
	otf_case_remove(&c);
}

/* Each location sends to the next rank and receives from the one before it. */
static void many(void)
{
	static char scripts[MANY][160];
	struct otf_make_location locations[MANY];
	struct otf_make make;

	for (int i = 0; i < MANY; i++) {
		int rank = i % RANKS, thread = i / RANKS, at = 2000 + 100 * thread + rank;

		snprintf(scripts[i], sizeof scripts[i], "%d [ MPI_Send; %d send %d 0 %d 8; %d ]; %d [ MPI_Recv; %d recv %d 0 %d 8; %d ]", at, at + 1,
			 (rank + 1) % RANKS, thread, at + 2, at + 30, at + 40, (rank + RANKS - 1) % RANKS, thread, at + 41);
		locations[i] = (struct otf_make_location){.id = (uint64_t)i, .group = (uint32_t)rank, .script = scripts[i]};
	}
	make = make_of(locations, MANY, RANKS, &world);
	check_descriptors(&make, "512 locations", 2 * MANY);
}

/* A rank whose threads interleave record by record. */
static void long_threads(void)
{
	struct otf_make_location locations[THREADS + 1];
	struct otf_make make;

	for (int i = 0; i <= THREADS; i++) {
		size_t size;
		char *script = NULL;
		FILE *out = open_memstream(&script, &size);

		for (int s = 0; out && s < STEPS && i < THREADS; s++)
			fprintf(out, "%d other;%d other;", 2000 + s * 40 + i, 2020 + s * 40 + THREADS - i);
		if (!out)
			bail_out("no memory");
		fprintf(out, "%d [ MPI_%s; %d %s %d 0 %d 8; %d ]", 900000 + i, i ? "Recv" : "Send", 900020 + i, i < THREADS ? "send" : "recv",
			i < THREADS ? 1 : 0, i < THREADS ? i : 0, 900030 + i);
		fclose(out);
		locations[i] = (struct otf_make_location){.id = i == THREADS ? 1 : (uint64_t)i + (i ? 10 : 0), .group = i == THREADS, .script = script};
	}
	make = make_of(locations, THREADS + 1, 2, &pair);
	check_descriptors(&make, "12 long threads", THREADS + 1);
	for (int i = 0; i <= THREADS; i++)
		free((char *)(uintptr_t)locations[i].script);
}

/* ---- what is never completed ---- */

static char *waiting_script(int records, const char *end)
{
	size_t size;
	char *script = NULL;
	FILE *out = open_memstream(&script, &size);

	if (!out)
		bail_out("no memory");
	fprintf(out, "2000 [ MPI_Iallreduce; 2001 nbc 7; 2002 ]; 2003 [ MPI_Send; 2004 send 1 0 1 8; 2005 ];");
	for (int i = 0; i < records; i++)
		fprintf(out, "%d other;", 3000 + i);
	fprintf(out, "9000000 [ MPI_Wait; 9000001 %s; 9000002 ]", end);
	fclose(out);
	return script;
}

static void waits(int records, bool given_up)
{
	static const char other[] = "2100 [ MPI_Recv; 2104 recv 0 0 1 8; 2105 ]; 2200 [ MPI_Iallreduce; 2201 nbc 1; 2202 ]; "
				    "2300 [ MPI_Wait; 2301 done ALLREDUCE 0 - 8 1; 2302 ]";
	char *script = waiting_script(records, "done ALLREDUCE 0 - 8 7");
	const struct otf_make_location locations[] = {{.id = 0, .group = 0, .script = script}, {.id = 1, .group = 1, .script = other}};
	struct otf_make make = make_of(locations, 2, 2, &pair);
	struct otf_case c;
	struct trace *t;
	struct err e = {0};

	otf_case_make(&c, &make);
	is_int(otf_case_load(&c, &t, 1, &e), ERR_OK, "a request that is completed %d records later: it is read", records);
	if (t) {
		is_int((int)t->event_count, given_up ? 3 : 4, "the collective %s one", given_up ? "is none, the send is" : "is");
		is_int((int)t->notes.count[NOTE_UNPAIRED_STATE], given_up ? 1 : 0, "which is %snoted", given_up ? "" : "not ");
		is_u64(t->record_count, c.records, "all records were told");
	}
	trace_free(t);
	otf_case_remove(&c);
	free(script);
}

/* ---- progress and stopping ---- */

struct told {
	unsigned calls, reads, left;
	uint64_t done;
	bool forward;
};

static void tell(void *arg, enum progress_stage stage, uint64_t done, uint64_t total)
{
	struct told *told = arg;

	if (stage != PROGRESS_READ)
		return;
	told->forward = told->forward && done >= told->done && done <= total;
	told->done = done;
	told->reads++;
}

static bool stop(void *arg)
{
	struct told *told = arg;

	told->calls++;
	return told->left && told->calls >= told->left;
}

static enum err_code load(const struct otf_case *c, struct told *told, struct trace **t)
{
	const char *path = c->anchor;
	const struct progress progress = {.report = tell, .stopped = stop, .arg = told};
	struct trace_options o = {.threads = 1};
	struct err e;

	return trace_load(t, &path, 1, &o, &progress, &e);
}

static void test_progress(void)
{
	char *script = waiting_script(WAITING, "isdone 3");
	const struct otf_make_location locations[] = {{.id = 0, .group = 0, .script = script}, {.id = 1, .group = 1, .script = "2000 other"}};
	struct otf_make make = make_of(locations, 2, 2, &pair);
	struct told told = {.forward = true};
	struct otf_case c;
	struct trace *t;
	unsigned all, bad = 0;

	otf_case_make(&c, &make);
	is_int(load(&c, &told, &t), ERR_OK, "progress is told");
	trace_free(t);
	ok(told.reads > 4 && told.forward, "of reading %u times, forwards", told.reads);
	all = told.calls;
	ok(all > 4, "it is asked %u times whether to stop", all);
	for (unsigned left = 1; left <= all; left++) {
		struct told stopped = {.left = left, .forward = true};
		enum err_code code = load(&c, &stopped, &t);

		bad += code != ERR_CANCELLED || (t && !t->partial);
		trace_free(t);
	}
	is_int((int)bad, 0, "and stops each time");
	otf_case_remove(&c);
	free(script);
}

int main(void)
{
	if (!otf_make_able()) {
		skip(1, "built without OTF2");
		return done_testing();
	}
	many();
	long_threads();
	waits(1000, false);
	waits(WAITING, true);
	test_progress();
	return done_testing();
}
