/* What `pas2p bbps --processes` and the workbench say of each process in each basic block is what the logical trace
 * holds there: every cell of every column is held against a scan over all events, of sample traces and of random ones,
 * with unknown sizes and unknown compute times. The ranks of a team find the same together, of all blocks and of leaders
 * alone, and fail together. And the labels that phases of blocks are said to be made of, one occurrence behind the
 * other, are the labels of all blocks.
 */
#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/api/load.h"
#include "core/lists/lists.h"
#include "core/trace/remote.h"
#include "gen.h"
#include "naive.h"
#include "tap.h"
#include "team_drive.h"
#include "trace_split.h"

#define SEEDS CASES(1500)
#define BLOCK 250
#define TEAM_SEEDS CASES(100)

static struct err err;
static uint64_t cells, dashes, unknown; /* that were compared; so that a comparison of nothing does not pass */

static void must(enum err_code code)
{
	if (code)
		bail_out("%s", err.text);
}

/* Some compute times of the events that are here are not known: the same ones of a whole trace and of its parts. */
static void forget_some(const struct logical *l)
{
	const struct trace *t = l->trace;

	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t e = t->first[p]; e < t->first[p + 1]; e++)
			if ((7 * p + (e - t->first[p])) % 5 == 0)
				t->compute[e] = (double)NAN;
}

/* Which event each process has at each tick. */
static uint32_t *scan(const struct logical *l)
{
	const struct trace *t = l->trace;
	size_t n = (size_t)l->tick_count * t->process_count;
	uint32_t *at = malloc((n + 1) * sizeof *at);

	for (size_t i = 0; i < n; i++)
		at[i] = NO_EVENT;
	for (uint32_t p = 0; p < t->process_count; p++)
		for (uint32_t e = t->first[p]; e < t->first[p + 1]; e++)
			at[(size_t)l->tick[e] * t->process_count + p] = e;
	return at;
}

static struct cell value(const struct bbp_processes_list *l, uint32_t process, enum bbp_process_column column)
{
	return bbp_processes_columns.column[column].value(l, process);
}

static bool is_whole(struct cell c, uint64_t want)
{
	cells++;
	return c.kind == CELL_WHOLE && c.whole == want;
}

static bool is_text(struct cell c, const char *text, const char *shown)
{
	cells++;
	return c.kind == CELL_TEXT && !strcmp(c.text, text) && !strcmp(cell_shown(&c), shown);
}

/* A type as files and as tables have it, written down from what an event is. */
static bool is_type(struct cell c, const struct trace *t, uint32_t event)
{
	char text[80], shown[80];
	event_type type;

	if (event == NO_EVENT) {
		dashes++;
		return is_text(c, "0", "-");
	}
	type = t->type[event];
	if (EVENT_KIND(type) == EVENT_COLLECTIVE) {
		snprintf(text, sizeof text, "C%s", t->colls[EVENT_INDEX(type)].op);
		return is_text(c, text, text + 1);
	}
	snprintf(text, sizeof text, "%c", EVENT_KIND(type) == EVENT_SEND ? '+' : '-');
	snprintf(shown, sizeof shown, "%c", EVENT_KIND(type) == EVENT_SEND ? '>' : '<');
	if (EVENT_INDEX(type)) {
		snprintf(text + 1, sizeof text - 1, "%u", (unsigned)EVENT_INDEX(type));
		snprintf(shown + 1, sizeof shown - 1, "%u", (unsigned)EVENT_INDEX(type) - 1);
	} else {
		strcat(text, "?");
		strcat(shown, "?");
	}
	return is_text(c, text, shown);
}

static bool is_size(struct cell c, const struct trace *t, uint32_t event)
{
	if (event != NO_EVENT && trace_size(t, event) != SIZE_UNKNOWN)
		return is_whole(c, trace_size(t, event));
	unknown += event != NO_EVENT;
	cells++;
	return c.kind == CELL_EMPTY;
}

static bool is_compute(struct cell c, const struct trace *t, uint32_t event)
{
	cells++;
	if (event == NO_EVENT || isnan(t->compute[event])) {
		unknown += event != NO_EVENT;
		return c.kind == CELL_EMPTY;
	}
	return c.kind == CELL_REAL && !memcmp(&c.real, &t->compute[event], sizeof c.real);
}

static bool same_cells(const struct analysis *a, const char *name)
{
	const struct trace *t = a->logical->trace;
	uint32_t *at = scan(a->logical), n = t->process_count;
	struct bbp_process_texts texts = {0};
	struct bbp_processes_list l = {.analysis = a, .texts = &texts};
	bool good = true;

	for (uint32_t block = 1; block <= a->bbps->count && good; block++) {
		l.block = block;
		for (uint32_t p = 0; p < n && good; p++) {
			uint32_t entry = at[(size_t)(block - 1) * n + p], exit = at[(size_t)block * n + p];

			good = is_whole(value(&l, p, BBP_PROCESS_BLOCK), block) &&
			       is_whole(value(&l, p, BBP_PROCESS_LABEL), a->bbps->label[block]) &&
			       is_whole(value(&l, p, BBP_PROCESS_RANK), p) &&
			       is_type(value(&l, p, BBP_PROCESS_ENTRY_TYPE), t, entry) &&
			       is_size(value(&l, p, BBP_PROCESS_ENTRY_SIZE), t, entry) &&
			       is_compute(value(&l, p, BBP_PROCESS_COMPUTE), t, entry) &&
			       is_type(value(&l, p, BBP_PROCESS_EXIT_TYPE), t, exit) &&
			       is_size(value(&l, p, BBP_PROCESS_EXIT_SIZE), t, exit);
			if (!good)
				diag("%s: block %" PRIu32 ", process %" PRIu32 " differs", name, block, p);
		}
	}
	free(at);
	return good;
}

/* label: of all blocks; by whom it was found out. */
static bool same_labels(const struct analysis *a, const uint32_t *label, const char *name)
{
	uint32_t block = 1;

	for (uint32_t i = 0; i < a->phases->occurrence_count; i++) {
		uint32_t count;
		const uint32_t *list = analysis_labels(a, a->phases->occurrences[i].phase, &count);

		if (a->phases->similarity != SIMILARITY_BBP && (list || count)) {
			diag("%s: phases that are not made of blocks have labels", name);
			return false;
		}
		for (uint32_t k = 0; k < count; k++, block++)
			if (block > a->bbps->count || list[k] != label[block]) {
				diag("%s: occurrence %" PRIu32 ", label %" PRIu32 " differs", name, i, k);
				return false;
			}
	}
	return a->phases->similarity != SIMILARITY_BBP || block == a->bbps->count + 1;
}

static struct analysis *analyse(const struct trace *t, const struct settings *s)
{
	struct analysis *a;

	must(analysis_new(&a, t, s, NULL, ANALYSIS_BBPS | ANALYSIS_PHASES, NULL, &err));
	return a;
}

static void sample_traces(void)
{
	glob_t found;

	if (glob("sample-traces/*.clog2", 0, NULL, &found))
		bail_out("no sample traces");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i];
		struct trace *t = NULL;
		bool good = true;

		trace_load(&t, &path, 1, NULL, NULL, &err);
		for (int way = 0; t && good && way < 4; way++) {
			struct settings s;
			struct analysis *a;

			settings_init(&s);
			s.order = way & 1 ? ORDER_LAMPORT : ORDER_PAS2P;
			s.similarity = way == 3 ? SIMILARITY_PHASE : SIMILARITY_BBP;
			s.collectives = way == 2 ? COLLECTIVES_IGNORE : COLLECTIVES_EVENTS;
			a = analyse(t, &s);
			good = same_labels(a, a->bbps->label, path) && same_cells(a, path);
			analysis_unref(a);
		}
		ok(t && good, "%s: each cell is that of the logical trace", path);
		trace_free(t);
	}
	globfree(&found);
}

static void random_traces(void)
{
	for (uint64_t from = 1; from <= SEEDS; from += BLOCK) {
		bool good = true;

		for (uint64_t seed = from; seed < from + BLOCK && seed < SEEDS && good; seed++) {
			struct trace *t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
			struct settings s;
			struct analysis *a;
			struct naive *n;
			char name[40];

			snprintf(name, sizeof name, "seed %" PRIu64, seed);
			gen_settings(seed, &s);
			n = naive_new(t, &s);
			a = analyse(t, &s);
			good = same_labels(a, n->label, name);
			if (seed % 2)
				forget_some(a->logical);
			good = same_cells(a, name) && good;
			analysis_unref(a);
			naive_free(n);
			trace_free(t);
		}
		ok(good, "random traces %" PRIu64 " to %" PRIu64, from, from + BLOCK - 1);
	}
}

/* --- ranks --- */

struct asked {
	const struct trace *trace;
	const struct settings *settings;
	bool leaders;
};

static void print_row(const struct bbp_processes_list *l, uint32_t process, struct out *to)
{
	for (int i = 0; i < BBP_PROCESS_COLUMNS; i++) {
		struct cell c = value(l, process, (enum bbp_process_column)i);

		if (c.kind == CELL_TEXT)
			out_printf(to, "%s %s,", c.text, cell_shown(&c));
		else if (c.kind == CELL_WHOLE)
			out_printf(to, "%" PRIu64 ",", c.whole);
		else if (c.kind == CELL_REAL)
			out_printf(to, "%a,", c.real);
		else
			out_str(to, ",");
	}
	out_str(to, "\n");
}

static void print_blocks(struct bbp_processes_list *l, const uint32_t *blocks, uint32_t begin, uint32_t end, struct out *to)
{
	for (uint32_t place = begin; place < end; place++) {
		l->block = blocks ? blocks[place] : place + 1;
		for (uint32_t p = 0; p < l->analysis->logical->trace->process_count; p++)
			print_row(l, p, to);
	}
}

/* By slices that are shorter than the list, where it can be. */
static enum err_code list_shared(struct bbp_processes_list *l, const uint32_t *blocks, uint32_t count, struct out *to, struct err *e)
{
	struct bbp_process_facts f;
	enum err_code code = bbp_process_facts_init(&f, l->analysis, blocks, e);

	if (code)
		return code;
	l->facts = &f;
	for (uint32_t at = 0, end; !code && at < count; at = end) {
		end = at + (count > 3 ? count / 3 : 1);
		end = end < count ? end : count;
		code = bbp_process_facts_gather(&f, at, end, e);
		if (!code)
			print_blocks(l, blocks, at, end, to);
	}
	bbp_process_facts_release(&f);
	return code;
}

static enum err_code list_all(void *arg, const struct team *team, const struct progress *progress, struct out *to, struct err *e)
{
	const struct asked *asked = arg;
	struct trace *part = team ? trace_split(asked->trace, team) : NULL;
	struct bbp_process_texts texts = {0};
	struct bbp_processes_list l = {.texts = &texts};
	const struct trace *t;
	struct analysis *a;
	uint32_t *blocks = NULL, count;
	double *known;
	enum err_code code = analysis_new(&a, part ? part : asked->trace, asked->settings, NULL, ANALYSIS_BBPS, NULL, e);

	(void)progress;
	if (code)
		bail_out("%s", e->text);
	t = a->logical->trace;
	known = malloc((t->event_count + 1) * sizeof *known); /* the trace is analysed again */
	memcpy(known, t->compute, t->event_count * sizeof *known);
	forget_some(a->logical);
	l.analysis = a;
	count = a->bbps->count;
	if (asked->leaders) {
		blocks = calloc(a->bbps->label_count + 1, sizeof *blocks);
		count = 0;
		for (uint32_t i = 1; i <= a->bbps->count; i++)
			if (a->bbps->weight[i])
				blocks[count++] = i;
	}
	team_fails_from(team);
	if (team)
		code = list_shared(&l, blocks, count, to, e);
	else
		print_blocks(&l, blocks, 0, count, to);
	memcpy(t->compute, known, t->event_count * sizeof *known);
	free(known);
	free(blocks);
	analysis_unref(a);
	trace_free(part);
	return code;
}

static void by_ranks(void)
{
	bool good = true;
	struct trace *t;
	struct settings s;
	struct asked asked = {.settings = &s};

	for (uint64_t seed = 1; seed <= TEAM_SEEDS && good; seed++) {
		char name[40];

		snprintf(name, sizeof name, "seed %" PRIu64, seed);
		t = gen_random(seed, (enum gen_kind)(seed % GEN_KINDS));
		gen_settings(seed, &s);
		asked.trace = t;
		asked.leaders = seed / 3 % 2;
		good = team_same(&(struct team_case){.name = name, .run = list_all, .arg = &asked}, TEAM_SOME);
		trace_free(t);
	}
	ok(good, "ranks find together what one process finds");
	settings_init(&s);
	t = gen_wavefront(3, 2, 6, 0.001);
	asked.trace = t;
	team_fails(&(struct team_case){.name = "wavefronts", .run = list_all, .arg = &asked}, 3, 100);
	trace_free(t);
}

int main(void)
{
	sample_traces();
	random_traces();
	by_ranks();
	ok(cells > 1000000 && dashes > 1000 && unknown > CASES(1000), "%" PRIu64 " cells were compared, %" PRIu64 " without an event, %" PRIu64 " not known",
	   cells, dashes, unknown);
	return done_testing();
}
