/* The replay of a run that the ranks of a team share is that of the whole run, to the last bit: when each call is left,
 * what is left out where calls wait for each other in circles, the critical path piece by piece; in the ideal run, the
 * measured one, and with both changed. Real traces; random runs with roots that are known, completions and several
 * threads; and logs of anything, full of circles. And ranks fail together: where one of them runs out of memory or is
 * stopped, all of them end, and say the same.
 *
 * Numbers of ranks and ways of replaying take turns. `replay_team.t all`: all of them, on all of these. `replay_team.t
 * FILE...`: on these traces alone, with the collective steps that they take and the bytes that ranks send.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/metrics/replay/replay.h"
#include "gen_log.h"
#include "log_case.h"
#include "log_split.h"
#include "tap.h"
#include "team_drive.h"
#include "trace_split.h"

#define MOST 8
#define SEEDS 6
#define WILD 80

static const uint32_t sizes[] = {2, 3, 4, 7};
#define SIZES (sizeof sizes / sizeof *sizes)

/* --- what is replayed --- */

static double useful(const void *arg, uint32_t list, double from, double to)
{
	const struct call_log *log = arg;

	return (to - from) * (log->lists[list].process % 3 ? 0.7 : 1.9);
}

static double call(const void *arg, uint32_t list, uint32_t c, double transfer)
{
	const struct call_log *log = arg;

	(void)c;
	return transfer * (log->lists[list].process % 2 ? 0.25 : 1.5);
}

static const struct way {
	const char *name;
	struct replay_rules rules;
	bool changed, ideal, computing, calls;
} ways[] = {
	{"ideal", {false, REPLAY_NEVER}, false, true, false, false},
	{"ideal, all members of rooted collectives", {true, REPLAY_NEVER}, false, true, false, false},
	{"ideal, rendezvous of all messages", {false, 0}, false, true, false, false},
	{"ideal, computing changed", {false, REPLAY_NEVER}, true, true, true, false},
	{"measured", {false, REPLAY_NEVER}, true, false, false, false},
	{"measured, calls changed", {false, REPLAY_NEVER}, true, false, false, true},
	{"measured, computing and calls changed", {false, REPLAY_NEVER}, true, false, true, true},
};
#define WAYS (sizeof ways / sizeof *ways)

struct one {
	struct replay *replay;
	struct critical_path *path;    /* of unchanged ideal runs */
	uint64_t steps, bytes, path_steps;
};

static enum err_code replay_one(struct one *o, const struct way *way, const struct call_log *log, const struct waits *waits,
				const struct team *team, struct err *e)
{
	struct replay_change change = {way->computing ? useful : NULL, way->calls ? call : NULL, log, way->ideal};
	uint64_t steps = team ? *team->steps : 0, bytes = team ? *team->bytes_sent : 0;
	enum err_code code = replay_new(&o->replay, log, waits, &way->rules, way->changed ? &change : NULL, NULL, e);

	o->steps = team ? *team->steps - steps : 0;
	o->bytes = team ? *team->bytes_sent - bytes : 0;
	if (!code && !way->changed)
		code = critical_new(&o->path, o->replay, NULL, e);
	o->path_steps = team ? *team->steps - steps - o->steps : 0;
	return code;
}

static void close_one(struct one *o)
{
	replay_free(o->replay);
	critical_free(o->path);
	*o = (struct one){0};
}

/* --- one rank against the whole --- */

struct rank {
	struct call_log *log;
	struct trace *trace;
	struct one one;
	uint32_t lists, calls;   /* of the ranks before it */
	uint64_t sums[2];        /* of all ranks: what was left out, pieces of the path */
	char why[300];             /* how it differs */
	uint64_t steps, bytes, path_steps;
};

struct asked {
	const struct part_input *in;   /* NULL: the log is split */
	const struct call_log *log;    /* the whole one */
	const struct one *whole;       /* per way */
	uint32_t turn, step;           /* every step-th way is tried, from this one on */
	struct rank ranks[MOST];
};

static bool __attribute__((format(printf, 2, 3))) differ(struct rank *r, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(r->why, sizeof r->why, format, ap);
	va_end(ap);
	return false;
}

static bool same_bits(double a, double b)
{
	return !memcmp(&a, &b, sizeof a);
}

static bool same_replay(const struct asked *a, struct rank *r, const struct replay *w)
{
	const struct replay *p = r->one.replay;

	if (!same_bits(p->t0, w->t0) || !same_bits(p->runtime, w->runtime) || p->broken != w->broken)
		return differ(r, "from %.17g, %.17g s, %" PRIu64 " left out; not from %.17g, %.17g s, %" PRIu64, p->t0, p->runtime, p->broken, w->t0,
			      w->runtime, w->broken);
	for (uint32_t c = 0; c < r->log->call_count; c++)
		if (!same_bits(p->exit[c], w->exit[r->calls + c]))
			return differ(r, "call %" PRIu32 " is left at %.17g, not %.17g", r->calls + c, p->exit[c], w->exit[r->calls + c]);
	for (uint32_t l = 0; l < r->log->list_count; l++)
		if (!same_bits(p->end[l], w->end[r->lists + l]))
			return differ(r, "list %" PRIu32 " ends at %.17g, not %.17g", r->lists + l, p->end[l], w->end[r->lists + l]);
	for (uint32_t i = 0; i < p->dropped_count; i++) {
		uint32_t on = a->ranks[p->dropped[i].on.rank].calls + p->dropped[i].on.call;

		if (!replay_dropped(w, r->calls + p->dropped[i].call, (struct call_at){0, on}))
			return differ(r, "call %" PRIu32 " leaves out %" PRIu32, r->calls + p->dropped[i].call, on);
	}
	return r->sums[0] == w->broken || differ(r, "%" PRIu64 " are left out, not %" PRIu64, r->sums[0], w->broken);
}

static bool same_path(struct rank *r, const struct critical_path *w)
{
	const struct critical_path *p = r->one.path;

	if (p->all != w->count || r->sums[1] != w->count)
		return differ(r, "%" PRIu32 " pieces, of which there are %" PRIu64 ", not %" PRIu32, p->all, r->sums[1], w->count);
	for (uint32_t i = 0; i < p->count; i++) {
		const struct critical_piece *x = &p->pieces[i], *y = &w->pieces[x->place];

		if (i && x->place <= x[-1].place)
			return differ(r, "piece %" PRIu32 " is not in order", i);
		if (x->list + r->lists != y->list || x->call + r->calls != y->call || x->what != y->what || !same_bits(x->from, y->from) ||
		    !same_bits(x->to, y->to))
			return differ(r, "piece %" PRIu32 " is before call %" PRIu32 ", %.17g to %.17g, not %" PRIu32 ", %.17g to %.17g", x->place,
				      x->call + r->calls, x->from, x->to, y->call, y->from, y->to);
	}
	return true;
}

/* --- runs --- */

static void must(enum err_code code, const struct err *e)
{
	if (code)
		bail_out("%s", e->text);
}

static void scan(const struct team *team, uint32_t n, uint32_t *before)
{
	uint64_t sum;
	struct err e;

	must(team_scan(team, n, &sum, NULL, &e), &e);
	*before = (uint32_t)sum;
}

static enum err_code replay_ways(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *err)
{
	struct asked *a = arg;
	const char *differs = NULL;
	struct rank *r;
	struct waits *waits;
	struct err e;

	(void)progress;
	(void)said;
	if (!team) /* the whole is there */
		return ERR_OK;
	r = &a->ranks[team->rank];
	if (a->in) {
		must(log_load(&r->log, &r->trace, a->in, team, &e) == ERR_CANCELLED ? ERR_CANCELLED : ERR_OK, &e);
	} else {
		r->trace = trace_split(a->log->trace, team);
		r->log = log_split(a->log, r->trace);
	}
	scan(team, r->log->list_count, &r->lists);
	scan(team, r->log->call_count, &r->calls);
	must(team_agree(team, waits_new(&waits, r->log, NULL, &e), &e), &e);
	for (size_t i = a->turn % a->step; i < WAYS; i += a->step) {
		const struct one *w = &a->whole[i];

		must(replay_one(&r->one, &ways[i], r->log, waits, team, &e), &e);
		r->sums[0] = r->one.replay->dropped_count;
		r->sums[1] = r->one.path ? r->one.path->count : 0;
		must(team_reduce(team, r->sums, 2, TEAM_SUM, &e), &e);
		if (!i) {
			r->steps = r->one.steps;
			r->bytes = r->one.bytes;
			r->path_steps = r->one.path_steps;
		}
		if (!differs && !(same_replay(a, r, w->replay) && (!w->path || same_path(r, w->path))))
			differs = ways[i].name;
		must(team_agree(team, ERR_OK, &e), &e);
		close_one(&r->one);
	}
	waits_free(waits);
	call_log_free(r->log);
	trace_free(r->trace);
	if (!differs)
		return ERR_OK;
	team_differs(err, r->why);
	return err_prefix(err, "%s", differs);
}

static uint64_t left_out, on_path;
static bool in_full, in_files;

static bool same_by(struct asked *a, uint32_t size, const char *what)
{
	bool good;

	memset(a->ranks, 0, sizeof a->ranks);
	good = team_same(&(struct team_case){.name = what, .run = replay_ways, .arg = a}, 1u << size);
	if (in_full && in_files) {
		uint64_t bytes = 0;

		for (uint32_t k = 0; k < size; k++)
			bytes += a->ranks[k].bytes;
		diag("%" PRIu32 " ranks: %" PRIu64 " meetings and %" PRIu64 " bytes to replay %" PRIu32 " calls, %" PRIu64 " meetings for %" PRIu32
		     " pieces of the path", size, a->ranks[0].steps, bytes, a->log->call_count, a->ranks[0].path_steps, a->whole[0].path->count);
	}
	return good;
}

static uint32_t turn;

static bool same(const struct part_input *in, const struct call_log *log, const char *what)
{
	struct one whole[WAYS] = {0};
	struct asked a = {.in = in, .log = log, .whole = whole, .turn = turn, .step = in_full ? 1 : 3};
	struct waits *waits;
	bool good = true;
	struct err e;

	must(waits_new(&waits, log, NULL, &e), &e);
	for (size_t i = 0; i < WAYS; i++) {
		must(replay_one(&whole[i], &ways[i], log, waits, NULL, &e), &e);
		left_out += whole[i].replay->broken;
		on_path += whole[i].path ? whole[i].path->count : 0;
	}
	for (size_t i = in_full ? 0 : turn % 2; good && i < SIZES; i += in_full ? 1 : 2)
		good = same_by(&a, sizes[i], what);
	turn++;
	for (size_t i = 0; i < WAYS; i++)
		close_one(&whole[i]);
	waits_free(waits);
	return good;
}

static void each(void *arg, const struct part_input *in, const char *what)
{
	struct call_log *log;
	struct trace *t;
	struct err e;

	(void)arg;
	if (log_load(&log, &t, in, NULL, &e) && !log)
		return;
	ok(same(in, log, what), "%s: %" PRIu32 " calls", what, log->call_count);
	call_log_free(log);
	trace_free(t);
}

static void anything(void)
{
	uint32_t bad = 0, pieces = (uint32_t)on_path;

	left_out = 0;
	for (uint64_t seed = 1; seed <= (in_full ? 10 * WILD : WILD) && bad < 3; seed++) {
		struct call_log *log = seed % 5 ? gen_log_wild(seed) : gen_log_run(seed, seed % 2);
		char what[40];

		snprintf(what, sizeof what, "log %" PRIu64, seed);
		bad += !same(NULL, log, what);
		gen_log_free(log);
	}
	ok(!bad && left_out > 1000 && on_path > pieces + 1000, "logs of anything: %" PRIu64 " dependences are left out to get out of circles", left_out);
}

/* --- failures --- */

struct split {
	const struct call_log *log;
	struct one whole;
};

static bool same_ends(const struct split *s, const struct call_log *log, const struct replay *r, const struct critical_path *p)
{
	const struct replay *whole = s->whole.replay;
	uint32_t begin, end;

	trace_local(log->trace, &begin, &end);
	return same_bits(r->runtime, whole->runtime) && r->broken == whole->broken && p->all == s->whole.path->count &&
	       !memcmp(r->end, whole->end + s->log->list_first[begin], log->list_count * sizeof *r->end);
}

static enum err_code replay_part(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e)
{
	struct split *s = arg;
	struct critical_path *path = NULL;
	struct replay *r = NULL;
	struct call_log *log;
	struct trace *part;
	enum err_code code;

	(void)said;
	if (!team)
		return ERR_OK;
	part = trace_split(s->log->trace, team);
	log = log_split(s->log, part);
	team_fails_from(team);
	code = replay_new(&r, log, NULL, NULL, NULL, progress, e);
	if (!code)
		code = critical_new(&path, r, progress, e);
	team_fails_to(team);
	if (!code && !same_ends(s, log, r, path))
		code = team_differs(e, "lists end otherwise");
	critical_free(path);
	replay_free(r);
	call_log_free(log);
	trace_free(part);
	return code;
}

/* The first log of anything on whose path something was left out, of enough processes. */
static struct call_log *some_circle(void)
{
	for (uint64_t seed = 1;; seed++) {
		struct call_log *log = gen_log_wild(seed);
		struct replay *r;
		struct err e;
		bool good;

		must(replay_new(&r, log, NULL, NULL, NULL, NULL, &e), &e);
		good = r->broken > 5 && log->trace->process_count == 6 && log->list_count > 6;
		replay_free(r);
		if (good)
			return log;
		gen_log_free(log);
	}
}

static void fail_together(struct call_log *log, const char *name)
{
	struct split s = {.log = log};
	struct err e;

	must(replay_one(&s.whole, &ways[0], log, NULL, NULL, &e), &e);
	team_fails(&(struct team_case){.name = name, .run = replay_part, .arg = &s}, 3, 0);
	close_one(&s.whole);
	gen_log_free(log);
}

int main(int argc, char **argv)
{
	bool all = argc == 2 && !strcmp(argv[1], "all");

	in_full = argc > 1;
	in_files = in_full && !all;
	for (int i = 1; i < argc && !all; i++)
		log_files(argv[i], false, each, NULL);
	if (argc > 1 && !all)
		return done_testing();
	log_all(all ? 10 * SEEDS : SEEDS, each, NULL);
	anything();
	fail_together(some_circle(), "a log full of circles");
	fail_together(gen_log_run(4, true), "a run");
	return done_testing();
}
