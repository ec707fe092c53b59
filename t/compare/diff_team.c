/* Two runs are compared to the same by any number of ranks that share them: people run the job on as many nodes as the
 * traces need, and a verdict that depended on it would be worth nothing. Equal runs, resized, edited and restructured
 * ones, ones with other numbers of processes, strictly and not, within the effort and beyond, are compared by teams:
 * the document with all hunks and groups is held against what one process writes, and what all ranks know against each
 * other's. Files are loaded by the ranks themselves. And ranks fail together.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/io/source.h"
#include "core/compare/diff/diff.h"
#include "gen.h"
#include "tap.h"
#include "team_drive.h"
#include "trace_split.h"

#define SEEDS CASES(240)
#define BLOCK 80

static struct err err;

struct asked {
	const struct trace *trace[2];
	const char *const *path;     /* of two files, instead */
	struct settings settings;
	struct diff_asked of;
};

/* What all ranks must have alike. */
static uint64_t known(const struct diff_report *r)
{
	const struct run_diff *d = r->diff;
	uint64_t h = hash_mix(d->verdict, d->first.there);

	h = hash_mix(hash_mix(h, d->first.tick), d->first.process);
	for (int side = DIFF_A; side <= DIFF_B; side++)
		h = hash_mix(hash_mix(h, d->first.cell[side].type), d->first.cell[side].size);
	for (uint32_t p = 0; d->processes && p < d->process_count; p++) {
		const struct process_diff *x = &d->processes[p];

		h = hash_mix(hash_mix(h, x->script.removed), x->script.added);
		h = hash_mix(hash_mix(hash_mix(h, x->resized), x->resized_far), x->script.beyond);
	}
	for (uint32_t i = 0; r->align && i < r->align->row_count; i++) {
		const struct diff_row *row = &r->align->rows[i];

		h = hash_mix(hash_mix(h, row->tick[DIFF_A]), row->tick[DIFF_B]);
		h = hash_mix(hash_mix(h, row->changes), row->removed);
	}
	return h;
}

static enum err_code check_known(const struct diff_report *r, const struct team *team, struct err *e)
{
	uint64_t both[2];
	enum err_code code;

	if (!r->diff)
		return ERR_OK;
	both[0] = known(r);
	both[1] = ~both[0];
	code = team_reduce(team, both, 2, TEAM_MAX, e);
	return code || both[0] == ~both[1] ? code : err_set(e, ERR_FORMAT, "ranks do not know the same");
}

/* The two traces, or the rank's parts of them, in part[] where they are to be freed. */
static enum err_code take_traces(const struct asked *asked, const struct team *team, const struct trace *t[2], struct trace *part[2], struct err *e)
{
	struct trace_options o = {.threads = 1, .team = team};
	enum err_code code = ERR_OK;

	for (int side = 0; side < 2; side++) {
		o.beside = side ? part[0] : NULL;
		if (asked->path && !code)
			code = trace_load(&part[side], &asked->path[side], 1, &o, NULL, e);
		else if (team && !asked->path)
			part[side] = trace_split_beside(asked->trace[side], o.beside, team);
		if (code == ERR_DAMAGED && part[side])
			code = ERR_OK;
		t[side] = part[side] ? part[side] : asked->trace[side];
	}
	return code;
}

static enum err_code compare(void *arg, const struct team *team, const struct progress *progress, struct out *out, struct err *e)
{
	const struct asked *asked = arg;
	struct diff_asked of = asked->of;
	struct trace *part[2] = {NULL, NULL};
	const struct trace *t[2];
	struct analysis *a[2] = {NULL, NULL};
	struct diff_of sides[2] = {{.file = "A"}, {.file = "B"}};
	struct diff_report *r = NULL;
	enum err_code code = take_traces(asked, team, t, part, e);

	of.team = team;
	team_fails_from(team);
	for (int side = 0; side < 2 && !code; side++) {
		code = analysis_new(&a[side], t[side], &asked->settings, NULL, of.phases ? ANALYSIS_PHASES : ANALYSIS_ORDER, progress, e);
		sides[side].analysis = a[side];
	}
	if (!code)
		code = diff_report_new(&r, sides, &of, progress, e);
	if (!code)
		code = team_agree(team, diff_write(r, true, out, true, NULL, e), e);
	if (!code)
		code = check_known(r, team, e);
	diff_report_free(r);
	for (int side = 0; side < 2; side++) {
		analysis_unref(a[side]);
		trace_free(part[side]);
	}
	return code;
}

static struct asked asking(void)
{
	struct asked asked = {.of = {.edits = true, .ticks = true, .phases = true}};

	settings_init(&asked.settings);
	return asked;
}

/* ---- runs that differ in little ---- */

enum change { CHANGE_NOTHING, CHANGE_SIZE, CHANGE_PARTNER, CHANGE_OTHER, CHANGES };

static struct trace *changed(uint64_t seed, enum change change)
{
	uint64_t state = seed + 99;
	struct trace *t = gen_random(change == CHANGE_OTHER ? seed + GEN_KINDS : seed, (enum gen_kind)(seed % GEN_KINDS));

	for (uint32_t n = 1 + gen_below(&state, 6); n-- && t->event_count;) {
		uint32_t event = gen_below(&state, t->event_count);

		if (change == CHANGE_SIZE)
			t->size_code[event] += 1 + gen_below(&state, 100);
		else if (change == CHANGE_PARTNER && EVENT_KIND(t->type[event]) != EVENT_COLLECTIVE)
			t->type[event] = EVENT_KIND(t->type[event]) | (1 + gen_below(&state, t->process_count));
	}
	return t;
}

static void random_pairs(void)
{
	for (uint64_t from = 0; from < SEEDS; from += BLOCK) {
		bool good = true;

		for (uint64_t seed = from; seed < from + BLOCK && seed < SEEDS && good; seed++) {
			struct trace *a = changed(seed, CHANGE_NOTHING), *b = changed(seed, (enum change)(seed / GEN_KINDS % CHANGES));
			struct asked asked = asking();
			char name[40];

			asked.trace[0] = a;
			asked.trace[1] = b;
			asked.of.options.strict = seed & 1;
			asked.of.options.effort = seed % 5 ? 0 : 1 + seed % 3; /* some beyond it */
			gen_settings(seed, &asked.settings);
			snprintf(name, sizeof name, "seed %" PRIu64, seed);
			good = team_same(&(struct team_case){.name = name, .run = compare, .arg = &asked}, 1u << (2 + seed % 3) | 1u << (1 + seed / 2 % 8));
			trace_free(a);
			trace_free(b);
		}
		ok(good, "random runs %" PRIu64 " to %" PRIu64, from, from + BLOCK - 1);
	}
}

static void made(struct trace *a, struct trace *b, const char *name)
{
	bool good = true;

	for (uint32_t way = 0; way < 4 && good; way++) {
		struct asked asked = asking();

		asked.trace[0] = a;
		asked.trace[1] = b;
		asked.of.options.strict = way & 1;
		asked.of.options.effort = way & 2 ? 3 : 0;
		asked.of.min_share = way & 1 ? 0.3 : 0;
		asked.settings.order = way & 2 ? ORDER_LAMPORT : ORDER_PAS2P;
		asked.settings.collectives = way == 3 ? COLLECTIVES_IGNORE : COLLECTIVES_EVENTS;
		good = team_same(&(struct team_case){.name = name, .run = compare, .arg = &asked}, TEAM_SOME);
	}
	ok(good, "%s", name);
	trace_free(a);
	trace_free(b);
}

/* More ticks, and more lines of hunks, than ranks tell each other at once. */
static void many(void)
{
	struct trace *a = gen_wavefront(4, 1, 3000, 0.001), *b = gen_wavefront(4, 1, 3000, 0.001);
	struct asked asked = asking();

	for (uint32_t i = 0; i < b->event_count; i++)
		b->size_code[i] += i % 3 != 0;
	for (uint32_t i = 100; i < b->event_count; i += 4000)
		b->type[i] = EVENT_KIND(b->type[i]) | (1 + (EVENT_INDEX(b->type[i]) + 1) % 4);
	asked.trace[0] = a;
	asked.trace[1] = b;
	ok(team_same(&(struct team_case){.name = "many ticks", .run = compare, .arg = &asked}, 1u << 2 | 1u << 3), "%" PRIu32 " events, most of them resized", b->event_count);
	trace_free(a);
	trace_free(b);
}

/* ---- files ---- */

static void files(const char *a, const char *b, bool strict, unsigned ranks)
{
	const char *const paths[2] = {a, b};
	struct asked asked = asking();
	char name[600];
	struct source s;

	snprintf(name, sizeof name, "%s : %s%s", a, b, strict ? ", strictly" : "");
	if (source_open_file(&s, a, &err)) {
		skip(1, "there is no %s", a);
		return;
	}
	source_release(&s);
	asked.path = paths;
	asked.of.options.strict = strict;
	ok(team_same(&(struct team_case){.name = name, .run = compare, .arg = &asked}, ranks), "%s", name);
}

/* ---- failing ---- */

static void fails(void)
{
	struct trace *a = gen_random(7, GEN_LOOP), *b = changed(7, CHANGE_PARTNER);
	struct asked asked = asking();

	asked.trace[0] = a;
	asked.trace[1] = b;
	asked.of.options.strict = true;
	team_fails(&(struct team_case){.name = "two runs", .run = compare, .arg = &asked}, 3, 100);
	trace_free(a);
	trace_free(b);
}

int main(void)
{
	made(gen_cg(5), gen_cg(5), "equal runs");
	made(gen_cg(5), gen_cg(7), "a longer one");
	made(gen_cg(6), gen_smg(6), "two programs");
	made(gen_wavefront(4, 4, 5, 0.001), gen_wavefront(4, 4, 6, 0.001), "wavefronts");
	made(gen_wavefront(4, 4, 5, 0.001), gen_wavefront(4, 3, 5, 0.001), "other numbers of processes");
	made(gen_fan(7, 5, 3), gen_fan(7, 5, 4), "a fan in another order");
	made(gen_trace(gen_new(3)), gen_trace(gen_new(3)), "no events");
	made(gen_trace(gen_new(3)), gen_wavefront(3, 1, 2, 0.001), "events on one side");
	made(gen_trace(gen_new(0)), gen_trace(gen_new(0)), "no processes");
	many();
	random_pairs();
	files("sample-traces/cg.S.4.clog2", "sample-traces/cg.S.4.clog2", true, TEAM_SOME);
	files("sample-traces/cg.S.4.clog2", "sample-traces/lu.S.4.clog2", false, 1u << 3);
	files("sample-traces/coll.6.clog2", "sample-traces/comms.6.clog2", true, 1u << 2 | 1u << 4);
	files("sample-traces/coll.6.clog2", "sample-traces/lu.S.4.clog2", false, 1u << 3);
	files("sample-traces/lu.S.4.clog2", "sample-traces/lu.S.4.clog2", true, 1u << 4);
	files(TEST_TRACES "/sp.S.4.clog2", TEST_TRACES "/bt.S.4.clog2", false, 1u << 2);
	fails();
	return done_testing();
}
