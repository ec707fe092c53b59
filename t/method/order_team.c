/* Logical times and ticks of a trace that the ranks of a team share are those of the whole trace, on every rank,
 * however many there are: each trace is split into parts, ordered by a team of threads, and every column, look-up and
 * note compared. Sample traces and real ones; small ones that show one thing; random ones with cycles across ranks,
 * torn collectives, and messages across collectives. And ranks fail together: where one of them runs out of memory or is
 * stopped, all of them end, and say the same.
 *
 * `order_team.t all` does every trace in every way with every number of ranks up to 8, which takes a minute; otherwise
 * ways and numbers take turns. `order_team.t FILE...` says how many collective steps these traces take.
 */
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "gen.h"
#include "logical_split.h"
#include "tap.h"
#include "team_drive.h"

#define MOST 8
#define SEEDS CASES(1200)
#define BLOCK 150

/* A trace that a team orders. */
struct asked {
	const struct logical *whole;
	const struct trace *trace;  /* before its collectives were left out */
	unsigned threads;           /* in a rank */
	struct cost {
		uint64_t bytes, steps;
		uint64_t remote;    /* messages and instances */
	} cost[MOST];               /* of a rank */
};

static struct err err;
static bool in_full;

static enum err_code order_part(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e)
{
	struct asked *asked = arg;
	char why[TRACE_SPLIT_WHY] = "";
	struct logical *l = NULL;
	enum err_code code;
	struct trace *part;

	(void)said;
	if (!team) /* the whole is there */
		return ERR_OK;
	part = trace_split(asked->trace, team);
	part->threads = asked->threads;
	team_fails_from(team);
	code = logical_new(&l, part, asked->whole->order, asked->whole->collectives, progress, e);
	team_fails_to(team);
	/* Without memory only notes may be lacking, and they say so. */
	if (!code && l->notes.lost <= asked->whole->notes.lost && !logical_split_is(l, asked->whole, why))
		code = team_differs(e, why);
	asked->cost[team->rank] = (struct cost){*team->bytes_sent, *team->steps, part->remote->message_count + part->remote->instance_count};
	logical_unref(l);
	trace_free(part);
	return code;
}

/* Whether a team of `ranks` finds the same. */
static bool team_agrees(struct asked *asked, uint32_t ranks, const char *name)
{
	char what[400];

	snprintf(what, sizeof what, "%s, %s order, collectives %d", name, asked->whole->order == ORDER_PAS2P ? "pas2p" : "lamport",
		 (int)asked->whole->collectives);
	return team_same(&(struct team_case){.name = what, .run = order_part, .arg = asked}, 1u << ranks);
}

static const struct logical *order_whole(const struct trace *t, enum order order, enum collectives collectives)
{
	struct logical *l;

	if (logical_new(&l, t, order, collectives, NULL, &err))
		bail_out("%s", err.text);
	return l;
}

/* Both orders, with and without collectives, with all numbers of ranks; where it is `real`, one way for each number,
 * and few for large ones. */
static bool all_agree(const struct trace *t, bool real, const char *name)
{
	uint32_t most = real && !in_full && t->event_count > 5000 ? 4 : MOST;
	bool good = true;

	for (uint32_t i = 0; i < 4 && good; i++) {
		struct asked asked = {.trace = t, .threads = 1 + i % 2};

		asked.whole = order_whole(t, i & 1 ? ORDER_PAS2P : ORDER_LAMPORT, i & 2 ? COLLECTIVES_EVENTS : COLLECTIVES_IGNORE);
		for (uint32_t n = 1; n <= most && good; n++)
			if (in_full || !real || n % 4 == i)
				good = team_agrees(&asked, n, name);
		logical_unref(asked.whole);
	}
	return good;
}

/* --- traces that are there --- */

static struct trace *load(const char *path)
{
	struct trace_options options = {.threads = 1};
	struct trace *t;

	trace_load(&t, &path, 1, &options, NULL, &err);
	return t;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void folder(const char *name)
{
	char *paths[200];
	uint32_t n = 0;
	DIR *d = opendir(name);

	if (!d) {
		skip(1, "there is no %s", name);
		return;
	}
	for (struct dirent *entry; (entry = readdir(d)) && n < 200;) {
		char path[PATH_MAX];

		snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
		if (strstr(path, ".clog2"))
			paths[n++] = mem_strdup(path);
	}
	closedir(d);
	qsort(paths, n, sizeof *paths, compare_paths);
	for (uint32_t i = 0; i < n; i++) {
		struct trace *t = load(paths[i]);

		if (t)
			ok(all_agree(t, true, paths[i]), "%s: %u events of %u processes", paths[i],
			   t->event_count, t->process_count);
		trace_free(t);
		mem_free(paths[i]);
	}
}

/* --- small ones --- */

/* Checks, and frees the trace. breaks: it has cycles. */
static void agrees(struct trace *t, bool breaks, const char *name)
{
	const struct logical *l = order_whole(t, ORDER_PAS2P, COLLECTIVES_EVENTS);

	ok((l->broken > 0) == breaks && all_agree(t, false, name), "%s: %u processes, %u events, %" PRIu64 " relations cut", name,
	   t->process_count, t->event_count, l->broken);
	logical_unref(l);
	trace_free(t);
}

/* All wait for another one, in rings; once for each way. */
static void rings(void)
{
	struct gen *g = gen_new(8);

	for (uint32_t way = 1; way < 8; way += 6)
		for (uint32_t p = 0; p < 8; p++) {
			gen_clock(g, p, (p * 5 + way) % 8); /* who is cut is not the first */
			gen_receive(g, p, (p + way) % 8, 8);
			gen_send(g, p, (p + 8 - way) % 8, 8);
		}
	agrees(gen_trace(g), true, "rings of receives");
}

/* Every event has one time: of those that wait the lowest process's is cut. */
static void at_once(void)
{
	struct gen *g = gen_new(7);

	for (uint32_t i = 0; i < 3; i++)
		for (uint32_t p = 7; p-- > 0;) {
			gen_receive(g, p, (p + 3) % 7, 8);
			gen_send(g, p, (p + 4) % 7, 8);
		}
	agrees(gen_trace(g), true, "rings at one time");
}

/* A member of a collective. last: of its ring. */
static void member(struct gen *g, uint32_t p, const char *op, gen_event *last)
{
	gen_event c = gen_collective(g, p, op, 0, 0);

	if (*last != GEN_NONE)
		gen_relate(g, *last, c);
	*last = c;
}

/* Two collectives that processes come to in different order: some are cut where others wait already, and their values
 * count no longer. */
static void crossed(uint32_t way, bool backwards, uint32_t more)
{
	gen_event last[2] = {GEN_NONE, GEN_NONE};
	struct gen *g = gen_new(8);
	char name[60];

	for (uint32_t p = 0; p < 8; p++) {
		gen_clock(g, p, backwards ? 8 - p : p);
		for (uint32_t i = 0; i < 2; i++) {
			uint32_t which = i ^ (way >> p & 1);

			for (uint32_t k = 0; k < (p * 3) % 8 + more; k++)
				gen_send(g, p, 7 - p, 8); /* values differ */
			member(g, p, which ? "Bcast" : "Barrier", &last[which]);
			gen_spend(g, p, 0.25);
		}
		gen_send(g, p, (p + 1) % 8, 8);
	}
	for (uint32_t p = 0; p < 8; p++)
		gen_receive(g, p, (p + 7) % 8, 8);
	snprintf(name, sizeof name, "collectives crossed by %02x%s%s", way, backwards ? ", backwards" : "", more ? ", far apart" : "");
	agrees(gen_trace(g), way != 0 && way != 0xff, name);
}

static void collective(struct gen *g, uint32_t processes)
{
	gen_event last = GEN_NONE;

	for (uint32_t p = 0; p < processes; p++)
		member(g, p, "Barrier", &last);
}

/* A message is on its way while all meet; or it is received before they meet and sent afterwards, which cannot be. */
static void across(bool forward)
{
	struct gen *g = gen_new(6);

	for (uint32_t i = 0; i < 4; i++) {
		uint32_t from = i, to = 5 - i;

		gen_send(g, 2, 3, 8);
		gen_receive(g, 3, 2, 8);
		if (forward)
			gen_send(g, from, to, 8);
		else
			gen_receive(g, to, from, 8);
		gen_send(g, to, (to + 1) % 6, 8);
		collective(g, 6);
		if (forward)
			gen_receive(g, to, from, 8);
		else
			gen_send(g, from, to, 8);
		gen_receive(g, (to + 1) % 6, to, 8);
	}
	agrees(gen_trace(g), !forward, forward ? "messages sent before collectives" : "messages sent after collectives");
}

static void lost(void)
{
	struct gen *g = gen_new(5);

	for (uint32_t i = 0; i < 5; i++) {
		for (uint32_t p = 0; p < 5; p++) {
			gen_event e = gen_send(g, p, (p + i) % 5, 8);

			if ((p + i) % 3 == 0)
				gen_relate(g, e, GEN_NONE);
		}
		for (uint32_t p = 0; p < 5; p++) {
			gen_event e = gen_receive(g, p, (p + 5 - i) % 5, 8);

			if ((p + i) % 4 == 0)
				gen_relate(g, e, GEN_NONE);
		}
	}
	agrees(gen_trace(g), false, "lost messages");
}

/* Two receives of one process at one LT, whose sends on another are in the other order: one of them is cut. */
static void overtaken(void)
{
	struct gen *g = gen_new(2);
	gen_event first, second, late, early;

	gen_send(g, 0, 1, 8);
	late = gen_receive(g, 0, 1, 8);
	early = gen_receive(g, 0, 1, 8);
	gen_send(g, 0, 1, 8);
	gen_clock(g, 1, 1);
	first = gen_send(g, 1, 0, 8);
	gen_receive(g, 1, 0, 8);
	gen_receive(g, 1, 0, 8);
	second = gen_send(g, 1, 0, 8);
	gen_relate(g, first, early);
	gen_relate(g, second, late);
	agrees(gen_trace(g), true, "messages that overtake");
}

/* Nothing to tell each other, or nothing at all. */
static void nothing(void)
{
	static const uint32_t alone[5] = {0, 3, 0, 4, 0};
	struct gen *g;
	struct trace *t;

	agrees(gen_trace(gen_new(3)), false, "no events");
	g = gen_new(5);
	for (uint32_t i = 0; i < 3; i++)
		collective(g, 5);
	agrees(gen_trace(g), false, "no messages");
	if (trace_new(&t, 0, NULL, &err))
		bail_out("%s", err.text);
	agrees(t, false, "no processes");
	if (trace_new(&t, 5, alone, &err))
		bail_out("%s", err.text);
	for (uint32_t e = 0; e < t->event_count; e++)
		t->type[e] = EVENT_RECEIVE | 1;
	agrees(t, false, "receives alone");
}

/* More processes than groups: a rank's share begins between any two groups. */
static void many(void)
{
	struct gen *g = gen_new(150);

	for (uint32_t i = 1; i < 6; i++) {
		for (uint32_t p = 0; p < 150; p++)
			gen_send(g, p, (p + i * 17) % 150, 8);
		for (uint32_t p = 0; p < 150; p++)
			gen_receive(g, p, (p + 150 - i * 17) % 150, 8);
		collective(g, 140 + i);
	}
	agrees(gen_trace(g), false, "many processes");
}

/* --- random ones --- */

/* Stretches in which every process does what it has to in an order of its own: sends, receives of what anybody sends in
 * this stretch or one nearby, and collectives of random sets. Few of them can be as they are. */
static struct trace *tangle(uint64_t seed)
{
	uint64_t state = seed ^ 0x7a9137;
	uint32_t processes = 2 + gen_below(&state, 23), stretches = 1 + gen_below(&state, 6), mixed = gen_below(&state, 4) * 30;
	struct gen *g = gen_new(processes);
	struct deed { uint32_t kind, process, other, group; } deeds[400];
	gen_event last[40];
	uint32_t n = 0, groups = 0;

	for (uint32_t s = 0; s < stretches; s++) {
		uint32_t messages = gen_below(&state, 20), collectives = gen_below(&state, 3);

		for (uint32_t i = 0; i < messages && n + 2 <= 400; i++) {
			uint32_t a = gen_below(&state, processes), b = gen_below(&state, processes);

			deeds[n++] = (struct deed){0, a, b, 0};
			deeds[n++] = (struct deed){1, b, a, 0};
		}
		for (uint32_t i = 0; i < collectives && groups < 40; i++, groups++)
			for (uint32_t p = 0; p < processes && n < 400; p++)
				if (i || gen_below(&state, 100) >= mixed)
					deeds[n++] = (struct deed){2, p, 0, groups};
	}
	/* Deeds change places, with a neighbour or with any. */
	for (uint32_t i = 0; n > 1 && i < n * mixed / 50; i++) {
		uint32_t a = gen_below(&state, n), b = gen_below(&state, 3) ? (a + 1 + gen_below(&state, 6)) % n : gen_below(&state, n);
		struct deed deed = deeds[a];

		deeds[a] = deeds[b];
		deeds[b] = deed;
	}
	memset(last, 0xff, sizeof last);
	for (uint32_t i = 0; i < n; i++) {
		const struct deed *d = &deeds[i];
		gen_event e;

		if (d->kind == 0) {
			e = gen_send(g, d->process, d->other, 8);
			gen_with(g, e, 0, (int32_t)gen_below(&state, 2));
		} else if (d->kind == 1) {
			e = gen_receive(g, d->process, d->other, 8);
			gen_with(g, e, 0, (int32_t)gen_below(&state, 2));
		} else {
			member(g, d->process, "Barrier", &last[d->group]);
		}
		gen_spend(g, d->process, 0.001 * gen_below(&state, 3));
	}
	return gen_trace(g);
}

/* Many collectives of all processes, with messages between them and across them, and collectives of some. In every
 * fourth something is on the wrong side of a collective of all: it is a cycle. */
static struct trace *epochs(uint64_t seed)
{
	uint64_t state = seed ^ 0xe90c45;
	uint32_t processes = 2 + gen_below(&state, 11), rounds = 3 + gen_below(&state, 40), busy = 1 + gen_below(&state, 12);
	uint32_t wrong = seed % 4 ? rounds : gen_below(&state, rounds), late = gen_below(&state, 3) * 30;
	struct gen *g = gen_new(processes);
	struct flying { gen_event send; uint32_t to, from; } flying[1000];
	uint32_t n = 0;

	for (uint32_t r = 0; r < rounds; r++) {
		gen_event all = GEN_NONE, some = GEN_NONE;
		uint32_t a = gen_below(&state, processes), b = (a + 1 + gen_below(&state, processes - 1)) % processes;
		uint32_t kind = gen_below(&state, 2);

		for (uint32_t i = 0; i < busy * processes && n < 1000; i++) {
			uint32_t from = gen_below(&state, processes), to = gen_below(&state, processes);

			flying[n++] = (struct flying){gen_send(g, from, to, 8), to, from};
			gen_spend(g, from, 0.001);
			for (uint32_t k = 0; k < 3 && n && gen_below(&state, 100) >= late; k++) {
				uint32_t x = gen_below(&state, n);

				gen_relate(g, flying[x].send, gen_receive(g, flying[x].to, flying[x].from, 8));
				flying[x] = flying[--n];
			}
		}
		if (r == wrong && kind) {
			gen_event e = gen_receive(g, a, b, 8);

			collective(g, processes);
			gen_relate(g, gen_send(g, b, a, 8), e);
			continue;
		}
		member(g, a, "Bcast", &some);
		if (r != wrong)
			member(g, b, "Bcast", &some);
		for (uint32_t p = 0; p < processes; p++)
			member(g, p, "Barrier", &all);
		if (r == wrong)
			member(g, b, "Bcast", &some);
	}
	for (uint32_t i = 0; i < n; i++)
		gen_relate(g, flying[i].send, i % 5 ? gen_receive(g, flying[i].to, flying[i].from, 8) : GEN_NONE);
	return gen_trace(g);
}

static struct trace *some_trace(uint64_t seed)
{
	switch (seed % 3) {
	case 0: return tangle(seed);
	case 1: return epochs(seed / 3);
	default: return gen_random(seed / 3, (enum gen_kind)(seed / 3 % GEN_KINDS));
	}
}

/* Each seed in one of the ways; those that differ say their seed. */
static void random_traces(void)
{
	uint64_t broken = 0, cut = 0;

	for (uint64_t from = 0; from < SEEDS; from += BLOCK) {
		bool good = true;

		for (uint64_t seed = from; seed < from + BLOCK && seed < SEEDS && good; seed++) {
			struct trace *t = some_trace(seed);
			struct asked asked = {.trace = t, .threads = 1 + seed % 3};
			char name[40];

			snprintf(name, sizeof name, "seed %" PRIu64, seed);
			asked.whole = order_whole(t, seed / 3 % 5 ? ORDER_PAS2P : ORDER_LAMPORT,
						  seed / 3 % 7 ? COLLECTIVES_EVENTS : COLLECTIVES_IGNORE);
			broken += asked.whole->broken;
			cut += asked.whole->broken > 0;
			for (uint32_t n = 1; n <= MOST && good; n++)
				if (in_full || n == 1 + seed / 3 % MOST || n == 2 + seed / 3 % 2)
					good = team_agrees(&asked, n, name);
			logical_unref(asked.whole);
			trace_free(t);
		}
		ok(good, "random traces %" PRIu64 " to %" PRIu64, from, from + BLOCK - 1);
	}
	ok(cut > SEEDS / 5, "%" PRIu64 " of these have cycles; %" PRIu64 " relations were cut", cut, broken);
}

/* --- failures --- */

static struct trace *cut_ring(void)
{
	struct gen *g = gen_new(6);

	for (uint32_t i = 0; i < 3; i++) {
		gen_event last = GEN_NONE;

		for (uint32_t p = 0; p < 6; p++) {
			gen_clock(g, p, p * 0.1);
			gen_receive(g, p, (p + 1) % 6, 8); /* a ring that is cut */
			gen_send(g, p, (p + 5) % 6, 8);
			gen_send(g, p, (p + 2) % 6, 16);
			gen_send(g, p, (p + 2) % 6, 16);
		}
		for (uint32_t p = 0; p < 6; p++) {
			gen_event c = gen_collective(g, p, "Barrier", 0, 0);

			if (last != GEN_NONE)
				gen_relate(g, last, c);
			last = c;
			gen_receive(g, p, (p + 4) % 6, 16);
			gen_receive(g, p, (p + 4) % 6, 16);
		}
	}
	return gen_trace(g);
}

static void fail_together(void)
{
	struct trace *t = cut_ring();

	for (int i = 0; i < 2; i++) {
		struct asked asked = {.trace = t, .threads = 1};
		const char *name = i ? "without collectives, lamport order" : "with collectives, pas2p order";

		asked.whole = order_whole(t, i ? ORDER_LAMPORT : ORDER_PAS2P, i ? COLLECTIVES_IGNORE : COLLECTIVES_EVENTS);
		team_fails(&(struct team_case){.name = name, .run = order_part, .arg = &asked}, 3, 0);
		logical_unref(asked.whole);
	}
	trace_free(t);
}

/* --- collective steps --- */

static void count_steps(const char *path)
{
	struct trace *t = load(path);
	struct asked asked = {.trace = t, .threads = 1};

	if (!t)
		bail_out("%s: %s", path, err.text);
	asked.whole = order_whole(t, ORDER_PAS2P, COLLECTIVES_EVENTS);
	diag("%s: %u events of %u processes, %u LTs, %u ticks", path, t->event_count, t->process_count, asked.whole->lt_count,
	     asked.whole->tick_count);
	for (uint32_t n = 1; n <= MOST && n <= t->process_count; n++) {
		uint64_t bytes = 0, remote = 0;
		bool good = team_agrees(&asked, n, path);

		for (uint32_t r = 0; r < n; r++) {
			bytes += asked.cost[r].bytes;
			remote += asked.cost[r].remote;
		}
		ok(good, "%u ranks: %" PRIu64 " meetings, %" PRIu64 " bytes, %" PRIu64 " far ends", n, asked.cost[0].steps, bytes, remote);
	}
	logical_unref(asked.whole);
	trace_free(t);
}

int main(int argc, char **argv)
{
	in_full = argc > 1 && !strcmp(argv[1], "all");
	for (int i = 1; i < argc && !in_full; i++)
		count_steps(argv[i]);
	if (argc > 1 && !in_full)
		return done_testing();
	rings();
	at_once();
	for (uint32_t i = 0; i < 12; i++)
		crossed((uint32_t[]){0, 1, 0x80, 0x0f, 0x55, 0xee}[i / 2], i % 2, i % 4 < 2 ? 0 : 40);
	across(true);
	across(false);
	lost();
	overtaken();
	nothing();
	many();
	agrees(gen_cg(3), false, "CG");
	agrees(gen_smg(3), false, "SMG2000");
	agrees(gen_windows(), false, "windows");
	agrees(gen_wavefront(4, 4, 6, 0.001), false, "wavefronts");
	agrees(gen_fan(7, 5, 3), false, "a fan");
	random_traces();
	fail_together();
	folder("sample-traces");
	folder(TEST_TRACES);
	return done_testing();
}
