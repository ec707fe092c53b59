/* pas2p tune: settings that cover more of the run with fewer phases, and commands that show those of the fewest
 * phases at some levels of coverage. */
#include <inttypes.h>
#include <math.h>

#include "cli/batch.h"
#include "cli/listing.h"
#include "cli/plural.h"
#include "cli/cli.h"
#include "core/method/analysis/tune.h"
#include "core/base/unit.h"
#include "core/documents/table.h"
#include "core/io/shell_words.h"
#include "core/io/tree_out.h"
#include "core/lists/lists.h"
#include "core/settings/config.h"

struct tuned {
	const struct batch *batch;
	const struct tune *tune;
	struct settings usual; /* without options, by the user's config files: what a command's options are added to */
	struct shown_table shown;
};

static enum err_code usual_settings(const struct options *o, struct settings *s, struct err *e)
{
	struct config c;
	enum err_code code;

	config_init(&c);
	code = o->no_config ? ERR_OK : config_load_default(&c, e);
	*s = c.settings;
	config_release(&c);
	return code;
}

/* The command that shows the phases of a row. */
static void phases_command(const struct tuned *t, const struct tune_point *p, struct out *o)
{
	const struct options *given = t->batch->options;

	shell_word(o, given->program);
	out_str(o, " phases");
	if (given->no_config)
		out_str(o, " --no-config");
	setting_options(o, &p->settings, &t->usual);
	for (uint32_t i = 0; i < given->file_count; i++) {
		out_str(o, " ");
		shell_file(o, given->files[i]);
	}
}

static enum err_code tune_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	struct tuned *t = arg;

	(void)keep;
	(void)e;
	shown_cells(&t->shown, (uint32_t)i, c);
	if (t->shown.people && !t->tune->points[i].levels)
		c[0] = cell_text(""); /* no dash where most rows would have one */
	return ERR_OK;
}

/* ---- for people ---- */

static void put_figures(struct out *o, const struct settings *s, double coverage, double off)
{
	const char *of = settings_share_of(s, "");
	char share[UNIT_TEXT], error[UNIT_TEXT];

	out_printf(o, "coverage %s%s%s, expected error %s\n", unit_figure_percent(share, coverage), *of ? " " : "", of,
		   isnan(off) ? "-" : unit_multiple(error, off, 1));
}

/* What was searched, and what the settings as they are give. */
static enum err_code print_search(struct sink *sink, const struct tuned *t, struct err *e)
{
	const struct analysis *a = t->batch->analysis;
	bool blocks = a->settings.similarity == SIMILARITY_BBP;
	struct out *o = &sink->out;
	size_t from = o->len;
	struct table_measure m;
	enum err_code code = analysis_measure(&m, a, t->batch->progress, e);

	if (code)
		return code;
	out_printf(o, "searched    volume, %s, relevance%s (%" PRIu32 " settings tried); similarity %s and collectives %s are kept\n",
		   blocks ? "compute" : "events", blocks ? " and order" : ", order and absent", t->tune->searches, blocks ? "bbp" : "phase",
		   a->settings.collectives == COLLECTIVES_IGNORE ? "ignore" : "events");
	out_printf(o, "now         %" PRIu32 " of %" PRIu32 " phase%s relevant, ", a->figures->relevant, a->phases->count, plural(a->phases->count));
	put_figures(o, &a->settings, a->figures->coverage, m.occurrences ? m.off : (double)NAN);
	out_str(o, "\n");
	sink_fit(sink, from, 12);
	return ERR_OK;
}

/* Commands stay on one line each, to be copied. */
static void print_levels(struct sink *sink, const struct tuned *t)
{
	struct out *o = &sink->out;
	char level[UNIT_TEXT], coverage[UNIT_TEXT];

	for (int i = 0; i < TUNE_LEVELS; i++) {
		const struct tune_point *p = tune_at_level(t->tune, i);
		size_t from = o->len;

		out_printf(o, "fewest phases at %s: ", unit_share(level, tune_levels[i], 0));
		if (!p) {
			const struct tune_point *widest = tune_widest(t->tune);

			out_printf(o, "no settings reach this coverage; the highest is %s\n", unit_figure_percent(coverage, widest ? widest->coverage : (double)NAN));
			sink_fit(sink, from, 4);
			continue;
		}
		out_printf(o, "%" PRIu32 " of %" PRIu32 " relevant, ", p->relevant, p->phases);
		put_figures(o, &p->settings, p->coverage, p->off);
		sink_fit(sink, from, 4);
		out_str(o, "    ");
		phases_command(t, p, o);
		out_str(o, "\n");
	}
	out_str(o, "\n");
}

/* As options take them. */
static void thresholds_as_given(struct shown_table *s)
{
	for (int i = 0; i < s->count; i++)
		if (s->look[i].id >= TUNE_VOLUME && s->look[i].id <= TUNE_RELEVANCE) {
			s->look[i].as = AS_IT_IS;
			s->look[i].decimals = ROWS_SHORTEST;
		}
}

static enum err_code as_rows(struct batch *b, struct tuned *t, struct err *e)
{
	struct rows rows;
	bool blocks = b->settings->similarity == SIMILARITY_BBP;
	enum err_code code = ERR_OK;

	if (t->shown.people) {
		code = print_search(&b->sink, t, e);
		print_levels(&b->sink, t);
	}
	t->shown.list = t->tune;
	t->shown.rows = t->tune->count;
	shown_pick(&t->shown, &tune_columns, !t->shown.people ? TUNE_ALL : blocks ? TUNE_OF_BLOCKS : TUNE_OF_PHASES, true);
	thresholds_as_given(&t->shown);
	rows = shown_rows(&t->shown);
	rows.row = tune_row;
	rows.arg = t;
	return code ? code : listing_write(b, &rows, e);
}

/* ---- for programs ---- */

static enum err_code put_level(struct tree_out *d, const struct tuned *t, int level, struct err *e)
{
	const struct tune_point *p = tune_at_level(t->tune, level);
	enum err_code code = ERR_OK;
	struct out command;

	if (!p)
		return ERR_OK; /* no settings reach it */
	out_init(&command);
	phases_command(t, p, &command);
	if (command.failed)
		code = err_memory(e, "a command");
	else {
		tree_map(d, false);
		tree_put_real(d, "level", tune_levels[level]);
		list_tree(d, &tune_columns, TUNE_ALL, t->tune, (uint32_t)(p - t->tune->points));
		tree_put_text(d, "command", command.text);
		tree_end(d);
	}
	out_release(&command);
	return code;
}

static enum err_code as_document(struct batch *b, const struct tuned *t, struct err *e)
{
	const struct tune *tune = t->tune;
	enum err_code code = ERR_OK, end;
	struct err later;
	struct tree_out d;
	bool reached = false;

	for (int i = 0; i < TUNE_LEVELS; i++)
		reached |= tune_at_level(tune, i) != NULL;
	tree_out_init(&d, &b->sink.out, b->options->format == FORMAT_JSON);
	tree_map(&d, false);
	tree_put_real(&d, "aet", b->analysis->figures->aet);
	tree_put_whole(&d, "searches", tune->searches);
	tree_put_list(&d, "levels", !reached);
	for (int i = 0; !code && i < TUNE_LEVELS; i++)
		code = put_level(&d, t, i, e);
	tree_end(&d);
	tree_put_list(&d, "rows", !tune->count);
	for (uint32_t i = 0; i < tune->count; i++) {
		tree_map(&d, false);
		list_tree(&d, &tune_columns, TUNE_ALL, tune, i);
		tree_end(&d);
	}
	tree_end(&d);
	tree_end(&d);
	end = tree_out_finish(&d, code ? &later : e); /* the first error counts */
	return code ? code : end;
}

enum err_code cmd_tune(struct batch *b, struct err *e)
{
	struct tuned t = {.batch = b, .shown.people = b->options->format == FORMAT_TABLE};
	struct tune tune = {0};
	enum err_code code = usual_settings(b->options, &t.usual, e);

	if (!code)
		code = tune_run(&tune, b->analysis, NULL, NULL, b->progress, e);
	batch_prints(b);
	t.tune = &tune;
	if (!code && (t.shown.people || b->options->format == FORMAT_CSV))
		code = as_rows(b, &t, e);
	else if (!code)
		code = as_document(b, &t, e);
	tune_release(&tune);
	return code;
}
