/* A phase as a program does not depend on how many ranks share the trace: rank 0 cuts the occurrence together from what
 * they have, messages and collectives among it, and those that reach out of it. Every phase of sample traces, of ones
 * that were made for it and of random ones is written by teams and held against what one process writes; and ranks fail
 * together.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/formats/api/load.h"
#include "core/compare/graph/graph.h"
#include "gen.h"
#include "tap.h"
#include "team_drive.h"
#include "trace_split.h"

#define SEEDS CASES(120)
#define PHASES 12 /* of a trace, at most */

static struct err err;

struct asked {
	const struct trace *trace;
	struct settings settings;
};

/* Phases one after another; one that has no graph says why. */
static enum err_code graphs(void *arg, const struct team *team, const struct progress *progress, struct out *out, struct err *e)
{
	const struct asked *asked = arg;
	struct trace *part = team ? trace_split(asked->trace, team) : NULL;
	struct analysis *a = NULL;
	enum err_code code;

	team_fails_from(team);
	code = analysis_new(&a, part ? part : asked->trace, &asked->settings, NULL, ANALYSIS_PHASES, progress, e);

	for (uint32_t id = 1; !code && id <= a->phases->count + 1 && id <= PHASES; id++) {
		struct phase_graph g;

		code = phase_graph_init(&g, a, id, "some", progress, e);
		if (!code && !team_rank(team))
			out_add(out, g.text.text, g.text.len);
		else if (code && code != ERR_MEMORY && code != ERR_CANCELLED)
			out_printf(out, "%s\n", e->text);
		code = code == ERR_MEMORY || code == ERR_CANCELLED ? code : ERR_OK;
		phase_graph_release(&g);
	}
	analysis_unref(a);
	trace_free(part);
	return code;
}

static void setting(struct asked *asked, uint32_t way)
{
	settings_init(&asked->settings);
	asked->settings.order = way & 1 ? ORDER_LAMPORT : ORDER_PAS2P;
	asked->settings.phase_time = way & 2 ? PHASE_TIME_SLOWEST : PHASE_TIME_MEAN;
	asked->settings.representative = way % 3 == 1 ? REPRESENTATIVE_LAST : way % 3 == 2 ? REPRESENTATIVE_FIRST : REPRESENTATIVE_MEDIAN;
	asked->settings.collectives = way % 5 == 4 ? COLLECTIVES_IGNORE : COLLECTIVES_EVENTS;
}

static void made(struct trace *t, const char *name)
{
	bool good = true;

	for (uint32_t way = 0; way < 6 && good; way++) {
		struct asked asked = {.trace = t};

		setting(&asked, way);
		good = team_same(&(struct team_case){.name = name, .run = graphs, .arg = &asked}, TEAM_SOME);
	}
	ok(good, "%s", name);
	trace_free(t);
}

static void file(const char *path, uint32_t way)
{
	struct trace_options options = {.threads = 1};
	struct asked asked = {0};
	struct trace *t;

	if (trace_load(&t, &path, 1, &options, NULL, &err) && err.code != ERR_DAMAGED) {
		skip(1, "%s: %s", path, err.text);
		return;
	}
	asked.trace = t;
	setting(&asked, way);
	ok(team_same(&(struct team_case){.name = path, .run = graphs, .arg = &asked}, 1u << 2 | 1u << 3 | 1u << 7), "%s", path);
	trace_free(t);
}

static void random_traces(void)
{
	bool good = true;

	for (uint64_t seed = 0; seed < SEEDS && good; seed++) {
		struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
		struct asked asked = {.trace = t};
		char name[40];

		gen_settings(seed, &asked.settings);
		snprintf(name, sizeof name, "seed %" PRIu64, seed);
		good = team_same(&(struct team_case){.name = name, .run = graphs, .arg = &asked}, 1u << (2 + seed % 2) | 1u << (1 + seed / 2 % 8));
		trace_free(t);
	}
	ok(good, "%u random traces", SEEDS);
}

static void fails(void)
{
	struct trace *t = gen_wavefront(3, 2, 6, 0.001);
	struct asked asked = {.trace = t};

	settings_init(&asked.settings);
	team_fails(&(struct team_case){.name = "wavefronts", .run = graphs, .arg = &asked}, 3, 100);
	trace_free(t);
}

int main(void)
{
	made(gen_cg(3), "CG");
	made(gen_smg(3), "SMG2000");
	made(gen_wavefront(4, 4, 6, 0.001), "wavefronts");
	made(gen_fan(7, 5, 3), "a fan");
	made(gen_irregular(1), "irregular");
	random_traces();
	file("sample-traces/coll.6.clog2", 0);
	file("sample-traces/comms.6.clog2", 1);
	file("sample-traces/comms.6.clog2", 2);
	file("sample-traces/cg.S.4.clog2", 3);
	file("sample-traces/lu.S.4.clog2", 4);
	file("sample-traces/nonblock.4.clog2", 0);
	file("sample-traces/anysrc.5.clog2", 2);
	fails();
	return done_testing();
}
