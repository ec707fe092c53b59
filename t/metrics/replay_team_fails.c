/* Where replaying a shared log, or following its critical path, fails on one rank, all ranks get its error, and nobody
 * waits for it: each allocation of any rank is made to fail, once with all later ones and once alone, and a job is
 * stopped on one rank at each of its questions. All ranks come back with one code, and leave nothing; where all come
 * back well, what they have is the whole log's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/metrics/critical.h"
#include "core/metrics/replay.h"
#include "core/team/team_threads.h"
#include "gen_log.h"
#include "log_split.h"
#include "tap.h"
#include "trace_split.h"

#define RANKS 3

/* What the ranks are asked, and what each came to. */
struct asked {
	const struct call_log *log;
	const struct replay *whole;
	const struct critical_path *path;
	long fail;              /* the allocation of all ranks that fails, -1: none */
	bool once;
	long made;              /* allocations of all ranks, if one was to fail */
	uint32_t stops;         /* the rank whose job is stopped, */
	long patience;          /* at this question; -1: never */
	struct found {
		enum err_code code;
		char text[ERR_TEXT];
		bool same;
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

static bool same(const struct asked *asked, const struct call_log *log, const struct replay *r, const struct critical_path *p)
{
	uint32_t begin, end, first;

	trace_own(log->trace, &begin, &end);
	first = asked->log->list_first[begin];
	for (uint32_t l = 0; l < log->list_count; l++)
		if (memcmp(&r->end[l], &asked->whole->end[first + l], sizeof *r->end))
			return false;
	return r->runtime >= asked->whole->runtime && r->runtime <= asked->whole->runtime && r->broken == asked->whole->broken &&
	       p->all == asked->path->count;
}

static void rank(void *arg, const struct team *team)
{
	struct asked *asked = arg;
	struct found *found = &asked->found[team->rank];
	struct asking asking = {team->rank == asked->stops ? asked->patience : -1, 0};
	struct job job = {.stopped = stopped, .arg = &asking};
	struct trace *part = trace_split(asked->log->trace, team);
	struct call_log *log = log_split(asked->log, part);
	struct critical_path *path = NULL;
	struct replay *r = NULL;
	struct err e = {0};

	/* All parts are there before anything fails, and nothing fails any more when they go. */
	team_agree(team, ERR_OK, NULL);
	if (team->rank == 0 && asked->fail >= 0)
		(asked->once ? mem_fail_once : mem_fail_after)(asked->fail);
	team_agree(team, ERR_OK, NULL);
	found->code = replay_new(&r, log, NULL, NULL, NULL, &job, &e);
	if (!found->code)
		found->code = critical_new(&path, r, &job, &e);
	team_agree(team, ERR_OK, NULL);
	if (team->rank == 0) {
		asked->made = mem_count();
		mem_fail_after(-1);
	}
	team_agree(team, ERR_OK, NULL);
	snprintf(found->text, sizeof found->text, "%s", e.text);
	found->questions = asking.questions;
	found->same = path && same(asked, log, r, path);
	critical_free(path);
	replay_free(r);
	call_log_free(log);
	trace_free(part);
}

/* All have come to one end: that code, or well. */
static bool together(const struct asked *asked, enum err_code expected)
{
	for (uint32_t r = 0; r < RANKS; r++) {
		const struct found *f = &asked->found[r];

		if (f->code != asked->found[0].code || (f->code && f->code != expected) || (!f->code && !f->same) ||
		    strcmp(f->text, asked->found[0].text)) {
			diag("allocation %ld, question %ld of rank %" PRIu32 ": rank %" PRIu32 ": %d %s", asked->fail, asked->patience, asked->stops, r,
			     f->code, f->text);
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

static void allocations(struct asked *asked, const char *name)
{
	uint64_t failed = 0;
	bool good;
	long n;

	asked->fail = 1000000; /* none, but they are counted */
	good = run(asked, ERR_OK);
	n = asked->made;
	for (int once = 0; once < 2 && good; once++)
		for (asked->fail = 0; asked->fail < n && good; asked->fail++) {
			asked->once = once;
			good = run(asked, ERR_MEMORY);
			failed += asked->found[0].code != ERR_OK;
		}
	asked->fail = -1;
	ok(good && n > 20 && failed > (uint64_t)n, "%s: %ld allocations fail, and all ranks are told", name, n);
}

static void stopping(struct asked *asked, const char *name)
{
	long most = 0, cancelled = 0;
	bool good = run(asked, ERR_OK);

	for (uint32_t r = 0; r < RANKS; r++)
		most = asked->found[r].questions > most ? asked->found[r].questions : most;
	for (asked->stops = 0; asked->stops < RANKS && good; asked->stops++)
		for (asked->patience = 0; asked->patience < most && good; asked->patience++) {
			good = run(asked, ERR_CANCELLED);
			cancelled += asked->found[0].code == ERR_CANCELLED;
		}
	asked->stops = 0;
	asked->patience = -1;
	ok(good && cancelled > most, "%s: stopped on one rank, stopped on all", name);
	ok(run(asked, ERR_OK), "%s: and works again", name);
}

static void with(struct call_log *log, const char *name)
{
	struct replay *r = NULL;
	struct critical_path *path = NULL;
	struct err e;

	if (replay_new(&r, log, NULL, NULL, NULL, NULL, &e) || critical_new(&path, r, NULL, &e))
		bail_out("%s", e.text);
	allocations(&(struct asked){.log = log, .whole = r, .path = path, .fail = -1, .patience = -1}, name);
	stopping(&(struct asked){.log = log, .whole = r, .path = path, .fail = -1, .patience = -1}, name);
	critical_free(path);
	replay_free(r);
	gen_log_free(log);
}

/* The first log of anything on whose path something was left out, of enough processes. */
static struct call_log *some_circle(void)
{
	for (uint64_t seed = 1;; seed++) {
		struct call_log *log = gen_log_wild(seed);
		struct replay *r;
		struct err e;
		bool good;

		if (replay_new(&r, log, NULL, NULL, NULL, NULL, &e))
			bail_out("%s", e.text);
		good = r->broken > 5 && log->trace->process_count == 6 && log->list_count > 6;
		replay_free(r);
		if (good)
			return log;
		gen_log_free(log);
	}
}

int main(void)
{
	with(some_circle(), "a log full of circles");
	with(gen_log_run(4, true), "a run");
	return done_testing();
}
