/* pas2p diff: compares two runs event by event, and explains the time difference. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/listing.h"
#include "cli/plural.h"
#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/documents/table.h"
#include "core/compare/diff/diff.h"
#include "commands_int.h"

#define MIN_SHARE 0.001 /* in tables */

/* ---- what is asked for ---- */

struct diff_operands {
	struct diff_asked of;
	double tolerance;          /* NAN: none */
	const char *const *files[2];
	uint32_t count[2];
};

/* A B, or what is before and behind a lone colon. */
static enum err_code read_operands(const struct options *o, struct diff_operands *a, struct err *e)
{
	uint32_t colon = 0, colons = 0;

	for (uint32_t i = 0; i < o->file_count; i++)
		if (strcmp(o->files[i], ":") == 0) {
			colon = i;
			colons++;
		}
	if (!colons && o->file_count == 2) {
		*a->files = o->files;
		a->files[DIFF_B] = o->files + 1;
		a->count[DIFF_A] = a->count[DIFF_B] = 1;
		return ERR_OK;
	}
	if (!colons)
		return err_set(e, ERR_USAGE, "diff needs two runs, found %" PRIu32 " file%s; separate the files of the runs with ':', as in A.0 A.1 : B.0 B.1",
			       o->file_count, plural(o->file_count));
	if (colons > 1 || !colon || colon + 1 == o->file_count)
		return err_set(e, ERR_USAGE, "expected one ':', between the files of the two runs");
	*a->files = o->files;
	a->count[DIFF_A] = colon;
	a->files[DIFF_B] = o->files + colon + 1;
	a->count[DIFF_B] = o->file_count - colon - 1;
	return ERR_OK;
}

static enum err_code diff_read_options(const struct options *o, struct diff_operands *a, struct err *e)
{
	bool document = o->format == FORMAT_JSON || o->format == FORMAT_YAML, list = o->edits || o->hunks;

	*a = (struct diff_operands){.tolerance = (double)NAN};
	a->of.options = (struct diff_options){.effort = o->effort, .strict = o->strict};
	a->of.edits = !o->phases_only && !o->hunks;
	a->of.ticks = !o->phases_only && (document || o->hunks);
	a->of.phases = document || !list;
	a->of.phases_only = o->phases_only;
	a->of.team = o->team;
	a->of.min_share = o->format == FORMAT_TABLE ? MIN_SHARE : 0;
	if (o->edits && o->hunks)
		return err_set(e, ERR_USAGE, "--edits and --hunks cannot be combined");
	if (o->phases_only && (list || o->strict || o->effort))
		return err_set(e, ERR_USAGE, "--phases-only cannot be combined with --%s: it compares no events",
			       o->edits ? "edits" : o->hunks ? "hunks" : o->strict ? "strict" : "effort");
	if (o->named[OPTION_min_share])
		a->of.min_share = o->min_share;
	if (o->named[OPTION_tolerance])
		a->tolerance = o->tolerance;
	return read_operands(o, a, e);
}

static bool is_table(const struct diff_operands *a, enum diff_side side)
{
	return a->count[side] == 1 && table_is_file(a->files[side][0]);
}

enum err_code diff_check(const struct options *o, struct err *e)
{
	struct diff_operands a;
	enum err_code code = diff_read_options(o, &a, e);

	if (!code && !o->phases_only && (is_table(&a, DIFF_A) || is_table(&a, DIFF_B)))
		code = err_set(e, ERR_USAGE, "a phase table has no events to compare: add --phases-only");
	return code;
}

/* ---- runs ---- */

struct loaded {
	struct trace *trace;
	struct analysis *analysis;
};

/* The phases of a table that was written with them. */
static enum err_code load_table(struct batch *b, struct diff_of *of, struct err *e)
{
	struct table t;
	enum err_code code = table_read_file(&t, of->file, e);
	char safe[256];

	if (!code && !t.content) {
		code = err_set(e, ERR_FORMAT, "%s lacks the content of its phases", text_safe(safe, sizeof safe, of->file, SIZE_MAX, TEXT_UTF8));
		err_hint(e, "write it with: pas2p phases --content --format yaml");
	}
	if (!code) {
		of->phases = t.content;
		t.content = NULL;
		b->loaded = true;
	}
	table_release(&t);
	return code;
}

/* B stands beside A: processes are compared where they are. Tables are read by rank 0, which says which files are
 * some. */
static enum err_code diff_load_side(struct batch *b, const struct diff_operands *a, enum diff_side side, struct loaded *l, struct diff_of *of, struct err *e)
{
	const struct team *team = b->options->team;
	unsigned wants = a->of.phases ? ANALYSIS_PHASES | ANALYSIS_PATTERNS : ANALYSIS_ORDER;
	bool first = !team_rank(team), table = first && is_table(a, side);
	enum err_code code = team_broadcast(team, &table, sizeof table, e);

	*of = (struct diff_of){.file = a->files[side][0]};
	if (code)
		return code;
	if (table)
		return team_agree(team, first ? load_table(b, of, e) : ERR_OK, e);
	code = batch_load(b, a->files[side], a->count[side], wants, NULL, e);
	*l = (struct loaded){b->trace, b->analysis};
	b->beside = b->trace;
	b->trace = NULL;
	b->analysis = NULL;
	of->analysis = l->analysis;
	return code;
}

/* ---- all of it ---- */

/* Hunks take what all ranks have; the rest is rank 0's. */
static enum err_code diff_print_report(struct batch *b, const struct diff_report *r, struct err *e)
{
	const struct options *o = b->options;

	if (o->format == FORMAT_JSON || o->format == FORMAT_YAML)
		return diff_write(r, o->hunks, &b->sink.out, o->format == FORMAT_JSON, b->progress, e);
	if (o->hunks)
		return diff_hunks(b, r, e);
	if (!diff_report_here(r))
		return ERR_OK;
	if (o->edits)
		return diff_edits(b, r, e);
	if (o->format == FORMAT_TABLE) {
		diff_verdict_lines(&b->sink.out, r);
		if (r->match && !settings_shares_tile(b->settings))
			out_printf(&b->sink.out, "shares            %s: they may add up to more than 100 %%\n", settings_share_of(b->settings, ""));
		out_str(&b->sink.out, "\n");
	}
	return diff_groups(b, r, e);
}

enum err_code cmd_diff(struct batch *b, struct err *e)
{
	struct diff_operands asked;
	struct loaded loaded[2] = {{0}};
	struct diff_of of[2] = {{0}};
	struct diff_report *r = NULL;
	enum err_code code = diff_read_options(b->options, &asked, e);

	for (int side = DIFF_A; !code && side <= DIFF_B; side++)
		code = diff_load_side(b, &asked, (enum diff_side)side, &loaded[side], &of[side], e);
	if (!code)
		code = diff_report_new(&r, of, &asked.of, b->progress, e);
	else
		run_phases_free(of[DIFF_A].phases);
	batch_prints(b);
	if (!code)
		code = diff_print_report(b, r, e);
	if (!code && (r->verdict != DIFF_IDENTICAL || (!isnan(asked.tolerance) && diff_report_beyond(r, asked.tolerance))))
		b->finding = EXIT_FINDING;
	diff_report_free(r);
	b->beside = NULL;
	for (int side = DIFF_A; side <= DIFF_B; side++) {
		analysis_unref(loaded[side].analysis);
		trace_free(loaded[side].trace);
	}
	return code;
}
