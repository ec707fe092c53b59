/* What goes wrong on one rank of a team ends the loading on all, with that rank's sentence: a file that it cannot read,
 * or reads otherwise than the others, memory that runs out, a stop. Nobody waits for a rank that has gone.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/trace/remote.h"
#include "core/trace/make/trace_make.h"
#include "gen_clog2.h"
#include "gen_prv.h"
#include "gen_run.h"
#include "gen_script.h"
#include "otf2_make.h"
#include "tap.h"
#include "team_drive.h"
#include "team_threads.h"

#define MOST_RANKS 8 /* so many read in stripes */

static uint32_t team_ranks;

static bool always(void *arg)
{
	(void)arg;
	return true;
}

static const struct progress stop = {.stopped = always};

/* What each rank is given to load, and what comes of it. */
struct rank {
	struct gen_bytes bytes;
	const char *path;          /* instead of bytes */
	const struct progress *progress;
	enum err_code code;
	struct err err;
	bool loaded, partial;
	uint64_t events;
};

static void load(struct rank *rank, const struct team *team)
{
	struct trace_options o = {.threads = 1, .team = team};
	struct trace *t = NULL;
	struct source source;

	memset(&rank->err, 0, sizeof rank->err);
	if (rank->path) {
		rank->code = trace_load(&t, &rank->path, 1, &o, rank->progress, &rank->err);
	} else {
		rank->code = source_open_memory(&source, "a file", rank->bytes.bytes, rank->bytes.size, &rank->err);
		if (rank->code)
			rank->code = team_agree(team, rank->code, &rank->err);
		else
			rank->code = trace_load_sources(&t, &source, 1, &o, rank->progress, &rank->err);
		source_release(&source);
	}
	rank->loaded = t;
	rank->partial = t && t->partial;
	rank->events = t ? trace_all_events(t) : 0;
	trace_free(t);
}

static void run(void *arg, const struct team *team)
{
	load((struct rank *)arg + team->rank, team);
}

static void run_all(struct rank *ranks)
{
	if (!team_threads_run(team_ranks, run, ranks))
		bail_out("no team");
}

static void give_all(struct rank *ranks, struct gen_bytes bytes)
{
	for (uint32_t r = 0; r < team_ranks; r++)
		ranks[r] = (struct rank){.bytes = bytes};
}

static bool all_are(const struct rank *ranks, enum err_code code, bool loaded)
{
	bool all = true;

	for (uint32_t r = 0; r < team_ranks; r++) {
		if (ranks[r].code != code || ranks[r].loaded != loaded)
			diag("rank %u: code %d: %s", r, ranks[r].code, ranks[r].err.text);
		all = all && ranks[r].code == code && ranks[r].loaded == loaded && !strcmp(ranks[r].err.text, ranks[0].err.text);
	}
	return all;
}

static void test_missing(void)
{
	struct rank ranks[MOST_RANKS];

	for (uint32_t r = 0; r < team_ranks; r++)
		ranks[r] = (struct rank){.path = r == 1 ? "sample-traces/none.clog2" : "sample-traces/coll.6.clog2"};
	run_all(ranks);
	ok(all_are(ranks, ERR_IO, false), "a file that one rank cannot open is an error on all");
	ok(strstr(ranks[0].err.text, "rank 1: ") && strstr(ranks[0].err.text, "none.clog2"), "which names the rank and the file: %s",
	   ranks[0].err.text);
}

static void test_other_bytes(void)
{
	struct gen_bytes whole = gen_slurp("sample-traces/coll.6.clog2"), text = {(uint8_t *)strdup("no trace"), 8};
	struct rank ranks[MOST_RANKS];
	int together = 0, cuts = 0;

	give_all(ranks, whole);
	ranks[2].bytes = text;
	run_all(ranks);
	ok(all_are(ranks, ERR_USAGE, false), "a file that is no trace to one of them, and so not the same");
	ok(strstr(ranks[0].err.text, "rank 2: ") != NULL, "is an error that names it: %s", ranks[0].err.text);
	for (size_t cut = 1; cut < whole.size; cut += whole.size / 60 + 1, cuts++) {
		ranks[2].bytes = (struct gen_bytes){whole.bytes, whole.size - cut};
		run_all(ranks);
		together += ranks[0].code == ranks[1].code && ranks[0].code == ranks[2].code && ranks[0].loaded == ranks[1].loaded &&
			    ranks[0].loaded == ranks[2].loaded;
		if (ranks[0].code == ERR_OK)
			diag("cut by %zu: nobody notices", cut);
		together -= ranks[0].code == ERR_OK;
	}
	is_int(together, cuts, "a file that is shorter for one of them is an error on all, wherever it ends");
	free(whole.bytes);
	free(text.bytes);
}

static void test_stop(void)
{
	struct gen_bytes b = gen_slurp("sample-traces/lu.S.4.clog2");
	struct rank ranks[MOST_RANKS];

	give_all(ranks, b);
	ranks[1].progress = &stop;
	run_all(ranks);
	ok(ranks[0].code == ERR_CANCELLED && ranks[1].code == ERR_CANCELLED && ranks[2].code == ERR_CANCELLED, "a stop of one stops all");
	ok(ranks[0].loaded == ranks[1].loaded && ranks[0].events == ranks[2].events, "and all have as much of the trace");
	free(b.bytes);
}

static enum err_code load_rank(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e)
{
	struct rank rank = *(const struct rank *)arg;

	rank.progress = progress;
	load(&rank, team);
	out_printf(said, "%" PRIu64 " events, %d", rank.events, rank.partial);
	if (!rank.code)
		return ERR_OK;
	/* Where several fail at once they may say why in their own words. */
	return err_set(e, rank.code, "%s, %s", rank.loaded ? "loaded" : "not loaded", rank.err.text[0] ? "with a sentence" : "without one");
}

static void fail_all(struct rank one, const char *name)
{
	team_fails(&(struct team_case){.name = name, .run = load_rank, .arg = &one, .loads = true, .lenient = true}, team_ranks, 150);
}

static void fail_allocations(struct gen_bytes b, const char *name)
{
	fail_all((struct rank){.bytes = b}, name);
}

static void test_memory(void)
{
	struct gen_bytes b = gen_script_random(5, GEN_SCRIPT_MESSY, &(struct gen_script_options){0});
	char *text = gen_prv(3, 0);
	struct gen_run r = {.processes = 6, .rounds = 2};

	fail_allocations(b, "a random run");
	free(b.bytes);
	fail_allocations((struct gen_bytes){(uint8_t *)text, strlen(text)}, "a run whose format relates messages");
	free(text);
	b = gen_run_finalized(&r);
	fail_allocations(b, "a run with intercommunicators");
	free(b.bytes);
	if (otf_make_able())
		fail_all((struct rank){.path = "sample-traces/nonblock.4.otf2"}, "a run of several files");
}

/* A watch is told what the rank's local processes did. */
struct watched {
	enum err_code code;
	uint64_t told[6], others; /* records by process; of processes that another rank has */
	uint32_t begin, end;
};

static bool begin_watch(void *arg, uint32_t processes, const struct make_kind *kinds, uint32_t count)
{
	struct watched *w = arg;

	(void)kinds;
	(void)count;
	memset(w->told, 0, sizeof w->told);
	return processes == sizeof w->told / sizeof *w->told;
}

static bool watch_record(void *arg, uint32_t process, int32_t thread, double time)
{
	(void)thread;
	(void)time;
	((struct watched *)arg)->told[process]++;
	return true;
}

static void load_watched(struct watched *w, const struct team *team)
{
	const struct make_watch watch = {.arg = w, .begin = begin_watch, .record = watch_record};
	struct trace_options o = {.threads = 1, .team = team, .watch = &watch};
	const char *path = "sample-traces/coll.6.clog2";
	struct trace *t = NULL;
	struct err e;

	w->code = trace_load(&t, &path, 1, &o, NULL, &e);
	if (!w->code)
		trace_local(t, &w->begin, &w->end);
	for (uint32_t p = 0; p < 6; p++)
		w->others += p >= w->begin && p < w->end ? 0 : w->told[p];
	trace_free(t);
}

static void run_watched(void *arg, const struct team *team)
{
	load_watched((struct watched *)arg + team->rank, team);
}

static void test_watch(void)
{
	struct watched ranks[MOST_RANKS] = {{.code = ERR_IO}}, alone = {.code = ERR_IO};
	bool good = true;
	uint32_t local = 0;

	load_watched(&alone, NULL);
	if (!team_threads_run(team_ranks, run_watched, ranks))
		bail_out("no team");
	for (uint32_t r = 0; r < team_ranks; r++) {
		good = good && !ranks[r].code && !ranks[r].others;
		for (uint32_t p = ranks[r].begin; p < ranks[r].end; p++)
			local += alone.told[p] && ranks[r].told[p] == alone.told[p];
	}
	ok(good && local == 6, "a watch is told all records of the own processes, and no others");
}

int main(void)
{
	static const uint32_t sizes[] = {3, MOST_RANKS};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		team_ranks = sizes[i];
		diag("%u ranks", team_ranks);
		test_missing();
		test_other_bytes();
		test_stop();
		test_memory();
		test_watch();
	}
	return done_testing();
}
