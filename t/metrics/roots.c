/* Where a trace says who is the root, a broadcast waits for the root alone, and in a reduction the root alone waits: in
 * what calls waited for, and in the replay. Without roots, or with ones that cannot be, all is as it was: the members
 * that came in time. */
#include <stdlib.h>

#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/metrics/waits/instances.h"
#include "core/metrics/replay/replay.h"
#include "core/metrics/waits/waits.h"
#include "gen_calls.h"
#include "tap.h"

#define NOBODY 77

static struct err err;

static void must(enum err_code code)
{
	if (code != ERR_OK)
		bail_out("%s", err.text);
}

/* Calls are numbered by process: two of each. */
enum { P0_BCAST, P0_REDUCE, P1_BCAST, P1_REDUCE, P2_BCAST, P2_REDUCE, CALLS };

/* A broadcast of process 1, in which process 2 comes last but before process 0 returns; a reduction to process 2. */
static struct gen_bytes run(int32_t from, int32_t to)
{
	struct gen_calls *g = gen_calls_new(3, NULL);

	for (int32_t p = 0; p < 3; p++)
		gen_mark(g, p, 0);
	gen_rooted(g, 0, 1, 5, "MPI_Bcast", from);
	gen_rooted(g, 1, 4, 5, "MPI_Bcast", from);
	gen_rooted(g, 2, 4.75, 6, "MPI_Bcast", from);
	gen_rooted(g, 0, 10, 12.5, "MPI_Reduce", to);
	gen_rooted(g, 1, 12, 12.5, "MPI_Reduce", to);
	gen_rooted(g, 2, 11, 13, "MPI_Reduce", to);
	for (int32_t p = 0; p < 3; p++)
		gen_mark(g, p, 20);
	return gen_calls_bytes(g);
}

static uint32_t told[8];
static uint32_t told_count;

static bool tell(void *arg, uint32_t call)
{
	(void)arg;
	if (told_count < 8)
		told[told_count++] = call;
	return true;
}

static uint32_t depends(const struct call_log *log, bool rooted_all, uint32_t call)
{
	struct replay_rules rules = {.rooted_all = rooted_all, .rendezvous = REPLAY_NEVER};

	told_count = 0;
	replay_dependences(log, &rules, call, tell, NULL);
	return told_count;
}

struct result {
	double sync[CALLS];
	uint32_t by[CALLS];
	double exit[CALLS];
	uint32_t known, roots;
	uint32_t bcast, reduce, at_root, all; /* calls that some depend on */
	uint32_t first;
};

static struct result look(int32_t from, int32_t to)
{
	struct gen_bytes b = run(from, to);
	struct replay_rules rules = {.rendezvous = REPLAY_NEVER};
	struct result r = {0};
	struct call_log *log;
	struct replay *replay;
	struct source source;
	struct instances m;
	struct trace *t;
	struct waits *w;

	must(source_open_memory(&source, "run", b.bytes, b.size, &err));
	must(trace_load_sources(&t, &source, 1, NULL, NULL, &err));
	must(call_log_new_sources(&log, t, &source, 1, NULL, &err));
	must(waits_new(&w, log, NULL, &err));
	must(instances_init(&m, log, NULL, &err));
	must(replay_new(&replay, log, NULL, &rules, NULL, NULL, &err));
	if (log->call_count != CALLS)
		bail_out("%u calls", log->call_count);
	for (uint32_t c = 0; c < CALLS; c++) {
		r.sync[c] = w->sync[c];
		r.by[c] = waits_for(w, c);
		if (waits_for_among(w, &m, c) != r.by[c])
			r.by[c] = 1000;
		r.exit[c] = replay->exit[c];
		r.known += log->flags[c] & CALL_ROOT_KNOWN ? 1 : 0;
		r.roots += log->flags[c] & CALL_ROOT ? 1 : 0;
	}
	r.reduce = depends(log, false, P0_REDUCE);
	r.at_root = depends(log, false, P2_REDUCE);
	r.all = depends(log, true, P0_BCAST);
	r.bcast = depends(log, false, P0_BCAST);
	r.first = r.bcast ? told[0] : NO_LOGGED_CALL;
	replay_free(replay);
	instances_release(&m);
	waits_free(w);
	call_log_free(log);
	trace_free(t);
	source_release(&source);
	free(b.bytes);
	return r;
}

static void as_before(int32_t from, int32_t to, const char *name)
{
	struct result r = look(from, to);

	is_int(r.known, 0, "%s: no root is known", name);
	is_double(r.sync[P0_BCAST], 3.75, 0, "%s: a broadcast waits for the last that came in time", name);
	is_double(r.sync[P0_REDUCE], 2, 0, "%s: so does a reduction", name);
	is_double(r.exit[P0_BCAST], 4.75, 1e-12, "%s: and the replay", name);
}

int main(void)
{
	struct result r = look(1, 2);

	is_int(r.known, CALLS, "each call knows whether its root is known");
	is_int(r.roots, 2, "and each root that it is one");
	is_double(r.sync[P0_BCAST], 3, 0, "a broadcast waits for the root, not for who comes later");
	is_int(r.by[P0_BCAST], P1_BCAST, "it is the root that it waits for");
	is_double(r.sync[P1_BCAST], 0, 0, "the root of a broadcast waits for nobody");
	is_double(r.sync[P2_BCAST], 0, 0, "nor does who comes after it");
	is_double(r.sync[P0_REDUCE], 0, 0, "who gives to the root of a reduction does not wait");
	is_double(r.sync[P2_REDUCE], 1, 0, "the root waits for the last");
	is_int(r.by[P2_REDUCE], P1_REDUCE, "it is that one that it waits for");
	is_double(r.exit[P0_BCAST], 4, 1e-12, "replay: a broadcast is there when the root comes");
	is_double(r.exit[P1_BCAST], 4, 1e-12, "... the root goes on at once");
	is_double(r.exit[P0_REDUCE], 9, 1e-12, "... as do those who give");
	is_double(r.exit[P2_REDUCE], 11, 1e-12, "... and the root with the last of them");
	is_int(r.bcast, 1, "a broadcast depends on one call");
	is_int(r.first, P1_BCAST, "... the root's");
	is_int(r.reduce, 0, "who gives depends on nobody");
	is_int(r.at_root, 2, "the root on all");
	is_int(r.all, 2, "with all members asked for, a broadcast depends on all");
	as_before(-1, -1, "root not told");
	as_before(NOBODY, INT32_MIN, "roots that nobody is");
	r = look(2, 0);
	is_double(r.sync[P0_BCAST], 3.75, 0, "another root, another wait");
	is_double(r.sync[P1_BCAST], 0.75, 0, "... of the others too");
	is_double(r.sync[P2_REDUCE], 0, 0, "... and none where it is not the root");
	return done_testing();
}
