/* Where ordering a shared trace fails on one rank, all ranks get its error, and nobody waits for it: each allocation of
 * any rank is made to fail, once with all later ones and once alone, and a job is stopped on one rank at each of its
 * questions. All ranks come back with one code, and leave nothing; where all come back well, what they have is the
 * whole trace's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/team/team_threads.h"
#include "gen.h"
#include "logical_split.h"
#include "tap.h"

#define RANKS 3

/* What the ranks are asked, and what each came to. */
struct asked {
	const struct trace *trace;
	const struct logical *whole;
	long fail;              /* the allocation of all ranks that fails, -1: none */
	bool once;
	long made;              /* allocations of all ranks, if one was to fail */
	uint32_t stops;         /* the rank whose job is stopped, */
	long patience;          /* at this question; -1: never */
	struct found {
		enum err_code code;
		char text[ERR_TEXT];
		bool same;
		char why[TRACE_SPLIT_WHY];
		long questions;
	} found[RANKS];
};

struct asking {
	long patience, questions;
};

static bool stopped(void *arg)
{
	struct asking *asking = arg;

	return asking->questions++ == asking->patience;
}

static void rank(void *arg, const struct team *team)
{
	struct asked *asked = arg;
	struct found *found = &asked->found[team->rank];
	struct asking asking = {team->rank == asked->stops ? asked->patience : -1, 0};
	struct job job = {.stopped = stopped, .arg = &asking};
	struct trace *part = trace_split(asked->trace, team);
	struct logical *l = NULL;
	struct err e = {0};

	/* All parts are there before anything fails, and nothing fails any more when they go. */
	team_agree(team, ERR_OK, NULL);
	if (team->rank == 0 && asked->fail >= 0)
		(asked->once ? mem_fail_once : mem_fail_after)(asked->fail);
	team_agree(team, ERR_OK, NULL);
	found->code = logical_new(&l, part, asked->whole->order, asked->whole->collectives, &job, &e);
	team_agree(team, ERR_OK, NULL);
	if (team->rank == 0) {
		asked->made = mem_count();
		mem_fail_after(-1);
	}
	team_agree(team, ERR_OK, NULL);
	snprintf(found->text, sizeof found->text, "%s", e.text);
	found->questions = asking.questions;
	/* Only notes may be lacking, and they say so. */
	found->same = l && (l->notes.lost || logical_split_is(l, asked->whole, found->why));
	if (!l && !found->code)
		snprintf(found->why, sizeof found->why, "nothing came out");
	logical_unref(l);
	trace_free(part);
}

/* All have come to one end: that code, or well. */
static bool together(const struct asked *asked, enum err_code expected)
{
	for (uint32_t r = 0; r < RANKS; r++) {
		const struct found *f = &asked->found[r];

		if (f->code != asked->found[0].code || (f->code && f->code != expected) || (!f->code && !f->same) ||
		    strcmp(f->text, asked->found[0].text)) {
			diag("allocation %ld, question %ld of rank %u: rank %u: %d %s%s", asked->fail, asked->patience, asked->stops, r, f->code,
			     f->text, f->why);
			return false;
		}
	}
	return true;
}

static bool run(struct asked *asked, enum err_code expected)
{
	long before = mem_live();

	memset(asked->found, 0, sizeof asked->found);
	if (!team_threads_run(RANKS, rank, asked))
		bail_out("no threads");
	if (mem_live() != before)
		diag("allocation %ld, question %ld: %ld are left", asked->fail, asked->patience, mem_live() - before);
	return together(asked, expected) && mem_live() == before;
}

static struct trace *some_trace(void)
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

static void allocations(struct asked *asked, const char *name)
{
	uint64_t failed = 0;
	bool good;
	long n;

	asked->fail = 1000000; /* none, but they are counted */
	good = run(asked, ERR_OK);
	n = asked->made;
	for (int once = 0; once < 2 && good; once++) {
		asked->once = once;
		for (asked->fail = 0; good && asked->fail < n; asked->fail++) {
			good = run(asked, ERR_MEMORY);
			failed += asked->found[0].code == ERR_MEMORY;
		}
	}
	asked->fail = -1;
	ok(good && failed > (uint64_t)n, "%s: each of %ld allocations fails for all or for none", name, n);
}

static void stops(struct asked *asked, const char *name)
{
	bool good = true, any = false;

	for (asked->stops = 0; asked->stops < RANKS && good; asked->stops++) {
		enum err_code code = ERR_CANCELLED;

		for (asked->patience = 0; good && code; asked->patience++) {
			good = run(asked, ERR_CANCELLED) && asked->patience < 10000;
			code = asked->found[0].code;
			any = any || code;
		}
	}
	asked->patience = -1;
	ok(good && any, "%s: stopped on one rank, stopped on all", name);
}

int main(void)
{
	struct trace *t = some_trace();
	struct err e;

	for (int i = 0; i < 2; i++) {
		struct asked asked = {.trace = t, .fail = -1, .patience = -1};
		const char *name = i ? "without collectives, lamport order" : "with collectives, pas2p order";
		struct logical *whole;

		if (logical_new(&whole, t, i ? ORDER_LAMPORT : ORDER_PAS2P, i ? COLLECTIVES_IGNORE : COLLECTIVES_EVENTS, NULL, &e))
			bail_out("%s", e.text);
		asked.whole = whole;
		ok(run(&asked, ERR_OK) && !asked.found[0].code, "%s: it works, %" PRIu64 " relations cut", name, whole->broken);
		allocations(&asked, name);
		stops(&asked, name);
		ok(run(&asked, ERR_OK) && !asked.found[0].code, "%s: and works again", name);
		logical_unref(whole);
	}
	trace_free(t);
	return done_testing();
}
