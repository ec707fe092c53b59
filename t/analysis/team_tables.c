/* An analysis by the ranks of a team comes to what the whole trace's comes to, bit for bit, on every rank, however many
 * there are: phase tables as YAML and JSON, with windows and content, labels of basic blocks, plans. Each trace is
 * split into parts and analysed by a team of threads, under settings of all kinds: sample traces and real ones, small
 * ones that show one thing, random ones.
 *
 * And ranks fail together: where one of them runs out of memory or is stopped, all of them end, and say the same.
 *
 * `team_tables.t all` does every trace in every way with more numbers of ranks; `team_tables.t FILE...` these traces
 * alone, in every way.
 */
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/documents/table.h"
#include "core/formats/load.h"
#include "core/team/team_threads.h"
#include "core/windows/planner.h"
#include "gen.h"
#include "tap.h"
#include "trace_split.h"

#define MOST 8
#define SEEDS 300
#define BLOCK 50

static struct err err;
static bool in_full;

/* What comes out of an analysis. */
struct outcome {
	enum err_code code;
	char text[ERR_TEXT];
	char *yaml;
	char *json;          /* with content, which is rank 0's alone */
	struct bbps *labels; /* a copy */
	struct plan *plan;
};

struct asked {
	const struct trace *trace;
	const struct settings *settings;
	unsigned threads;            /* in a rank */
	struct outcome want, got[MOST];
	/* What fails: an allocation of anyone's, or what asks whether to stop, of one rank's. */
	long fail_at;
	uint32_t stop_rank;
	int stop_at;
};

static enum err_code digest(struct outcome *o, const struct trace *t, const struct settings *s, const struct job *job, struct err *e)
{
	const struct plan_budget budget = {0.02, 0.0001};
	struct analysis *a;
	struct table table;
	size_t size;
	enum err_code code = analysis_new(&a, t, s, NULL, ANALYSIS_PHASES | ANALYSIS_BBPS, job, e);

	if (code)
		return code;
	code = table_from_analysis(&table, a, "x", job, e);
	if (!code) {
		memset(table.sha256, '0', 64);
		table.sha256[64] = 0;
		code = team_agree(trace_team(t), table_write(&table, &o->yaml, &size, e), e);
		if (!code)
			code = table_add_content(&table, a, job, e);
		if (!code && !team_rank(trace_team(t)))
			code = table_write_json(&table, &o->json, &size, e);
		code = team_agree(trace_team(t), code, e);
		table_release(&table);
	}
	if (!code)
		code = plan_new(&o->plan, a->clockwork, a->phases, a->figures, s, &budget, job, e);
	if (!code) {
		o->labels = calloc(1, sizeof *o->labels);
		*o->labels = *a->bbps;
		o->labels->label = calloc(a->bbps->count + 1, sizeof(uint32_t));
		o->labels->weight = calloc(a->bbps->count + 1, sizeof(uint32_t));
		memcpy(o->labels->label, a->bbps->label, (a->bbps->count + 1) * sizeof(uint32_t));
		memcpy(o->labels->weight, a->bbps->weight, (a->bbps->count + 1) * sizeof(uint32_t));
	}
	analysis_unref(a);
	return code;
}

static void forget(struct outcome *o)
{
	mem_free(o->yaml);
	mem_free(o->json);
	plan_free(o->plan);
	if (o->labels) {
		free(o->labels->label);
		free(o->labels->weight);
		free(o->labels);
	}
	*o = (struct outcome){0};
}

static bool same_plan(const struct plan *a, const struct plan *b)
{
	bool same = a->count == b->count && a->choice == b->choice;

	for (uint32_t i = 0; same && i < a->count; i++) {
		const struct plan_candidate *x = &a->candidate[i], *y = &b->candidate[i];

		same = x->windows == y->windows && x->checkpoints == y->checkpoints && x->left == y->left && x->fits == y->fits &&
		       x->frontier == y->frontier && !memcmp(&x->cost, &y->cost, sizeof x->cost) &&
		       !memcmp(&x->spread, &y->spread, sizeof x->spread) && !memcmp(&x->half, &y->half, sizeof x->half);
	}
	return same;
}

/* What differs; NULL: nothing. */
static const char *differs(const struct outcome *a, const struct outcome *b)
{
	if (a->code != b->code)
		return "the code";
	if (a->code)
		return NULL;
	if (strcmp(a->yaml, b->yaml))
		return "the table as YAML";
	if (a->json && strcmp(a->json, b->json))
		return "the table as JSON";
	if (a->labels->count != b->labels->count || a->labels->label_count != b->labels->label_count ||
	    memcmp(a->labels->label, b->labels->label, (a->labels->count + 1) * sizeof(uint32_t)) ||
	    memcmp(a->labels->weight, b->labels->weight, (a->labels->count + 1) * sizeof(uint32_t)))
		return "labels";
	return same_plan(a->plan, b->plan) ? NULL : "the plan";
}

struct stopping {
	int left;
};

static bool stopped(void *arg)
{
	struct stopping *s = arg;

	return s->left-- <= 0;
}

static void rank(void *arg, const struct team *team)
{
	struct asked *asked = arg;
	struct outcome *got = &asked->got[team->rank];
	struct trace *part = trace_split(asked->trace, team);
	struct stopping stopping = {asked->stop_rank == team->rank ? asked->stop_at : INT_MAX};
	const struct job job = {.stopped = stopped, .arg = &stopping};
	struct err e = {0};

	part->threads = asked->threads;
	team_agree(team, ERR_OK, &e);
	if (!team->rank && asked->fail_at >= 0)
		mem_fail_once(asked->fail_at);
	team_agree(team, ERR_OK, &e);
	got->code = digest(got, part, asked->settings, &job, &e);
	team_agree(team, ERR_OK, NULL);
	if (!team->rank)
		mem_fail_after(-1);
	snprintf(got->text, sizeof got->text, "%s", got->code ? e.text : "");
	trace_free(part);
}

static void diag_lines(const char *a, const char *b)
{
	while (a && b && *a && *b) {
		size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");

		if (n != m || memcmp(a, b, n)) {
			diag("  %.*s\n  instead of %.*s", (int)(n < 400 ? n : 400), a, (int)(m < 400 ? m : 400), b);
			return;
		}
		a += n + 1;
		b += m + 1;
	}
}

static bool team_agrees(struct asked *asked, uint32_t ranks, const char *name)
{
	bool good = true;

	if (!team_threads_run(ranks, rank, asked))
		bail_out("no threads");
	for (uint32_t r = 0; r < ranks; r++) {
		const char *what = good ? differs(&asked->got[r], &asked->want) : NULL;

		if (what) {
			diag("%s, rank %" PRIu32 " of %" PRIu32 ": %s %s", name, r, ranks, what, asked->got[r].text);
			diag_lines(asked->got[r].yaml, asked->want.yaml);
			good = false;
		}
		forget(&asked->got[r]);
	}
	return good;
}

/* With all numbers of ranks that the bits say. */
static bool agree(const struct trace *t, const struct settings *s, unsigned ranks, const char *name)
{
	struct asked asked = {.trace = t, .settings = s, .threads = 1, .fail_at = -1, .stop_rank = UINT32_MAX};
	bool good = true;

	asked.want.code = digest(&asked.want, t, s, NULL, &err);
	if (asked.want.code)
		bail_out("%s: %s", name, err.text);
	for (uint32_t n = 1; n <= MOST && good; n++) {
		asked.threads = 1 + n % 2;
		if (ranks >> n & 1)
			good = team_agrees(&asked, n, name);
	}
	forget(&asked.want);
	return good;
}

#define RANKS(a, b) (1u << (a) | 1u << (b))
#define ALL_RANKS 0x1fe
#define SOME_RANKS (1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 7)

/* --- settings --- */

/* Ways that differ in what is distributed; the last one has most. */
#define WAYS 8

static void setting(struct settings *s, uint32_t way)
{
	settings_init(s);
	s->similarity = way & 1 ? SIMILARITY_BBP : SIMILARITY_PHASE;
	s->order = way & 2 ? ORDER_LAMPORT : ORDER_PAS2P;
	s->phase_time = way & 4 ? PHASE_TIME_SLOWEST : PHASE_TIME_MEAN;
	s->collectives = way % 3 == 2 ? COLLECTIVES_IGNORE : COLLECTIVES_EVENTS;
	s->compute_of = way % 3 == 0 ? COMPUTE_EACH : way % 3 == 1 ? COMPUTE_SUM : COMPUTE_MAX;
	s->representative = way % 4 == 1 ? REPRESENTATIVE_FIRST : way % 4 == 2 ? REPRESENTATIVE_LAST : REPRESENTATIVE_MEDIAN;
	s->warmup_sends = way;
	s->warmup_seconds = way % 2 ? 0.001 : 0;
	s->sample_seconds = way % 4 ? 0 : 0.01;
	s->windows = way % 4 == 0 ? 0 : 3 + way;
	s->window_seconds = 0.002 * (1 + way);
	s->window_rare = 0.5;
	s->window_align = way & 1 ? WINDOW_ALIGN_ITERATIONS : WINDOW_ALIGN_NONE;
}

/* --- traces that are there --- */

static struct trace *load(const char *path)
{
	struct trace_options options = {.threads = 1};
	struct trace *t;

	trace_load(&t, &path, 1, &options, NULL, &err);
	return t;
}

/* In every `step`-th way from `from` on. */
static void one_file(const char *path, uint32_t from, uint32_t step)
{
	struct trace *t = load(path);
	bool good = true;

	for (uint32_t way = from; t && way < WAYS && good; way += step) {
		static const unsigned some[] = {RANKS(2, 4), RANKS(3, 7), RANKS(4, 1), RANKS(2, 5), RANKS(3, 2), RANKS(7, 2), RANKS(6, 4), RANKS(3, 8)};
		struct settings s;
		char name[PATH_MAX + 20];

		snprintf(name, sizeof name, "%s, way %" PRIu32, path, way);
		setting(&s, way);
		good = agree(t, &s, in_full ? SOME_RANKS : t->event_count > 3000 ? some[way] & -some[way] : some[way], name);
	}
	if (t)
		ok(good, "%s: %" PRIu32 " events of %" PRIu32 " processes", path, t->event_count, t->process_count);
	trace_free(t);
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
		one_file(paths[i], in_full ? 0 : i % 4, in_full ? 1 : 4);
		mem_free(paths[i]);
	}
}

/* --- made ones --- */

static void agrees(struct trace *t, const char *name)
{
	bool good = true;

	for (uint32_t way = 0; way < WAYS && good; way++) {
		struct settings s;

		setting(&s, way);
		good = agree(t, &s, in_full ? ALL_RANKS : SOME_RANKS, name);
	}
	ok(good, "%s", name);
	trace_free(t);
}

static struct trace *nothing(uint32_t processes)
{
	return gen_trace(gen_new(processes));
}

/* Times that double sums in another order round otherwise, some of them stepping back. */
static struct trace *uneven(void)
{
	struct gen *g = gen_new(9);
	uint64_t state = 7;

	for (uint32_t i = 0; i < 40; i++)
		for (uint32_t p = 0; p < 9; p++) {
			gen_send(g, p, (p + 1) % 9, 8 << gen_below(&state, 3));
			gen_spend(g, p, 1e-9 * gen_below(&state, 1000000) / 3 + (gen_below(&state, 5) ? 0 : 1.1));
			gen_receive(g, (p + 1) % 9, p, 8);
			if (!gen_below(&state, 20))
				gen_clock(g, p, gen_now(g, p) * 0.9);
		}
	return gen_trace(g);
}

static void random_traces(void)
{
	for (uint64_t from = 0; from < SEEDS; from += BLOCK) {
		bool good = true;

		for (uint64_t seed = from; seed < from + BLOCK && good; seed++) {
			struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
			struct settings s;
			char name[40];

			gen_settings(seed, &s);
			snprintf(name, sizeof name, "seed %" PRIu64, seed);
			good = agree(t, &s, in_full ? ALL_RANKS : RANKS(2 + seed % 2, 1 + seed / 2 % MOST), name);
			trace_free(t);
		}
		ok(good, "random traces %" PRIu64 " to %" PRIu64, from, from + BLOCK - 1);
	}
}

/* --- failures --- */

/* All ranks end with an error, the same one, or none does. */
static bool end_together(struct asked *asked, uint32_t ranks, bool *failed)
{
	bool good = true;

	if (!team_threads_run(ranks, rank, asked))
		bail_out("no threads");
	*failed = asked->got[0].code != ERR_OK;
	for (uint32_t r = 0; r < ranks; r++) {
		good = good && asked->got[r].code == asked->got[0].code && !strcmp(asked->got[r].text, asked->got[0].text);
		if (!good)
			diag("rank %" PRIu32 ": %s; rank 0: %s", r, asked->got[r].text, asked->got[0].text);
	}
	for (uint32_t r = 0; r < ranks; r++)
		forget(&asked->got[r]);
	return good;
}

static void fail_together(uint32_t way)
{
	struct trace *t = gen_wavefront(3, 2, 6, 0.001);
	struct settings s;
	struct asked asked = {.trace = t, .settings = &s, .threads = 1, .stop_rank = UINT32_MAX};
	bool good = true, failed = true;
	uint32_t failures = 0, stops = 0;

	setting(&s, way);
	for (asked.fail_at = 0; good && asked.fail_at < 20000 && (failed || failures < 100); asked.fail_at += 1 + asked.fail_at / 40) {
		good = end_together(&asked, 3, &failed);
		failures += failed;
		if (!failed && asked.fail_at > 2000)
			break;
	}
	ok(good && failures > 20, "way %" PRIu32 ": without memory all ranks end, %" PRIu32 " times", way, failures);
	asked.fail_at = -1;
	failed = true;
	good = true;
	for (asked.stop_at = 0; good && failed && asked.stop_at < 1000; asked.stop_at++)
		for (asked.stop_rank = 0; good && asked.stop_rank < 3; asked.stop_rank++) {
			good = end_together(&asked, 3, &failed);
			stops += failed;
		}
	ok(good && stops > 5, "way %" PRIu32 ": where one is stopped all are, %" PRIu32 " times", way, stops);
	trace_free(t);
}

int main(int argc, char **argv)
{
	in_full = argc > 1 && !strcmp(argv[1], "all");
	for (int i = 1; i < argc && !in_full; i++)
		one_file(argv[i], 0, 1);
	if (argc > 1 && !in_full)
		return done_testing();
	agrees(nothing(3), "no events");
	agrees(nothing(0), "no processes");
	agrees(gen_cg(3), "CG");
	agrees(gen_smg(3), "SMG2000");
	agrees(gen_windows(), "windows");
	agrees(gen_wavefront(4, 4, 6, 0.001), "wavefronts");
	agrees(gen_fan(7, 5, 3), "a fan");
	agrees(gen_irregular(1), "irregular");
	agrees(uneven(), "uneven times");
	random_traces();
	fail_together(3);
	fail_together(6);
	folder("sample-traces");
	folder(TEST_TRACES);
	return done_testing();
}
