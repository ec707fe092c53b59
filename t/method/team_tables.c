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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/documents/table.h"
#include "core/formats/api/load.h"
#include "core/method/windows/planner.h"
#include "gen.h"
#include "tap.h"
#include "team_drive.h"
#include "trace_split.h"

#define MOST 8
#define SEEDS CASES(300)
#define BLOCK 50

static struct err err;
static bool in_full;

struct asked {
	const struct trace *trace;
	const struct settings *settings;
	unsigned threads;            /* in a rank */
};

/* All digits: to the last bit. */
static void say_plan(struct out *said, const struct plan *plan)
{
	out_printf(said, "choice %" PRIu32 "\n", plan->choice);
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct plan_candidate *c = &plan->candidate[i];

		out_printf(said, "%" PRIu32 " %" PRIu32 " %" PRIu32 " %d %d %a %a %a\n", c->windows, c->checkpoints, c->left, c->fits, c->frontier,
			   c->cost, c->spread, c->half);
	}
}

static void say_labels(struct out *said, const struct bbps *b)
{
	out_printf(said, "%" PRIu32 " blocks, %" PRIu32 " labels\n", b->count, b->label_count);
	for (uint32_t i = 0; i <= b->count; i++)
		out_printf(said, "%" PRIu32 " %" PRIu32 "\n", b->label[i], b->weight[i]);
}

/* The table with content is rank 0's alone. */
static enum err_code say_table(struct out *said, const struct analysis *a, const struct team *team, const struct progress *progress, struct err *e)
{
	char *yaml = NULL, *json = NULL;
	struct table table;
	size_t size;
	enum err_code code = table_from_analysis(&table, a, "x", progress, e);

	if (code)
		return code;
	memset(table.sha256, '0', 64);
	table.sha256[64] = 0;
	code = team_agree(team, table_write(&table, &yaml, &size, e), e);
	if (!code)
		code = table_add_content(&table, a, progress, e);
	if (!code && !team_rank(team))
		code = table_write_json(&table, &json, &size, e);
	code = team_agree(team, code, e);
	if (!code)
		out_printf(said, "%s%s", yaml, json ? json : "");
	mem_free(yaml);
	mem_free(json);
	table_release(&table);
	return code;
}

static enum err_code analyse(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e)
{
	const struct plan_budget budget = {0.02, 0.0001};
	const struct asked *asked = arg;
	struct trace *part = team ? trace_split(asked->trace, team) : NULL;
	struct plan *plan = NULL;
	struct analysis *a = NULL;
	enum err_code code;

	if (part)
		part->threads = asked->threads;
	team_fails_from(team);
	code = analysis_new(&a, part ? part : asked->trace, asked->settings, NULL, ANALYSIS_PHASES | ANALYSIS_BBPS, progress, e);
	if (!code)
		code = plan_new(&plan, a->clockwork, a->phases, a->figures, asked->settings, &budget, progress, e);
	if (!code) {
		say_plan(said, plan);
		say_labels(said, a->bbps);
		code = say_table(said, a, team, progress, e);
	}
	plan_free(plan);
	analysis_unref(a);
	trace_free(part);
	return code;
}

/* With all numbers of ranks that the bits say. */
static bool agree(const struct trace *t, const struct settings *s, unsigned ranks, const char *name)
{
	bool good = true;

	for (uint32_t n = 1; n <= MOST && good; n++) {
		struct asked asked = {t, s, 1 + n % 2};

		if (ranks >> n & 1)
			good = team_same(&(struct team_case){.name = name, .run = analyse, .arg = &asked, .all_say = true}, 1u << n);
	}
	return good;
}

#define RANKS(a, b) (1u << (a) | 1u << (b))

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
		good = agree(t, &s, in_full ? TEAM_SOME : t->event_count > 3000 ? some[way] & -some[way] : some[way], name);
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
	/* Under a sanitizer every third. */
	for (uint32_t i = 0; i < n; i++) {
		if (!SANITIZED || i % 3 == 0)
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
		good = agree(t, &s, in_full ? TEAM_ALL : TEAM_SOME, name);
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

		for (uint64_t seed = from; seed < from + BLOCK && seed < SEEDS && good; seed++) {
			struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
			struct settings s;
			char name[40];

			gen_settings(seed, &s);
			snprintf(name, sizeof name, "seed %" PRIu64, seed);
			good = agree(t, &s, in_full ? TEAM_ALL : RANKS(2 + seed % 2, 1 + seed / 2 % MOST), name);
			trace_free(t);
		}
		ok(good, "random traces %" PRIu64 " to %" PRIu64, from, from + BLOCK - 1);
	}
}

/* --- failures --- */

static void fail_together(uint32_t way)
{
	struct trace *t = gen_wavefront(3, 2, 6, 0.001);
	struct settings s;
	struct asked asked = {t, &s, 1};
	char name[20];

	setting(&s, way);
	snprintf(name, sizeof name, "way %" PRIu32, way);
	team_fails(&(struct team_case){.name = name, .run = analyse, .arg = &asked, .all_say = true}, 3, 150);
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
