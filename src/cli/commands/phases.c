/* pas2p phases: the prediction and the phases, or the loops that they make; yaml is the phase table, byte for byte what
 * the workbench exports. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "commands_int.h"
#include "core/base/mem.h"
#include "core/base/unit.h"
#include "core/documents/table.h"
#include "core/method/figures/figures.h"
#include "core/lists/lists.h"
#include "core/compare/graph/graph.h"
#include "core/trace/remote.h"
#include "cli/listing.h"
#include "cli/plural.h"

#define BIMODAL_NAMED 3 /* phases of two kinds of occurrences */
#define LABEL "%-16s"   /* in front of a line of the head */
#define LABEL_WIDTH 16
#define RUN_TIME "of the run time"

struct listed_phases {
	struct phases_list list;
	struct shown_table shown;
};

/* For people: yes and no, a dash for a value that is not defined, and a word for a phase that no window measures. */
static void for_people(const struct listed_phases *l, uint32_t row, struct cell *c)
{
	bool relevant = l->list.analysis->figures->phase[row].relevant;

	for (int i = 0; i < l->shown.count; i++) {
		const struct column *column = shown_column(&l->shown, i);

		if (c[i].kind == CELL_BOOL)
			c[i] = cell_text(c[i].yes ? "yes" : "no");
		else if (c[i].kind != CELL_EMPTY)
			continue;
		else if (column == &phases_columns.column[PHASE_IN_OCCURRENCES])
			c[i] = cell_text(relevant ? "not measured" : "-");
		else if (column->kind == COLUMN_SHARE || column->in == PHASES_WINDOWS)
			c[i] = cell_text("-");
	}
}

static enum err_code phase_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	struct listed_phases *l = arg;

	(void)keep;
	shown_cells(&l->shown, (uint32_t)i, c);
	if (phases_texts_failed(l->list.texts))
		return err_memory(e, "a row");
	if (l->list.ranges)
		for_people(l, (uint32_t)i, c);
	return ERR_OK;
}

/* What the occurrences that a signature measures say of the trace itself: does one stand for all? */
static void measured(struct out *o, const struct table *t)
{
	struct table_measure m = table_measure(t);
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT];

	if (m.occurrences)
		out_printf(o, LABEL "%s of a signature: its %" PRIu32 " occurrence%s (%s) predict%s %s%s\n", "expected error",
			   unit_multiple(c, m.off, 1), m.occurrences, plural(m.occurrences), unit_figure_time(b, m.seconds),
			   m.occurrences == 1 ? "s" : "", unit_figure_time(a, m.pet_scaled), m.off > 0.1 ? "; see pas2p plan" : "");
}

/* What windows cost, and what they would predict of the traced run itself. */
static void windows(struct out *o, const struct table *t, const struct windows *w, double restore)
{
	const struct estimate *x = &w->estimate;
	double cost = windows_cost(w, restore, t->settings.warmup_seconds);
	char share[UNIT_OF_TEXT], a[UNIT_TEXT], both[UNIT_WITHIN_TEXT];

	out_printf(o, LABEL "%" PRIu32 " of %g s", "windows", w->regular, t->settings.window_seconds);
	if (w->main_iterations)
		out_printf(o, ", each %" PRIu32 " of %" PRIu32 " iterations", w->main_group, w->main_iterations);
	out_printf(o, "; %" PRIu32 " checkpoint%s, %s measured", w->count, plural(w->count), unit_figure_time(a, w->measured));
	if (t->aet > 0)
		out_printf(o, "\n" LABEL "%s, %s", "signature cost", unit_figure_time(a, cost), unit_multiple_of(share, cost / t->aet, 1, "the run time"));
	out_printf(o, "\n" LABEL "%s", "predicted time", unit_within(both, x->pet_scaled, x->half));
	if (isnan(x->half))
		out_printf(o, ", from the windows; no interval: %s\n", windows_gap(w));
	else
		out_str(o, " (95 %), from the windows\n");
	if (!isnan(x->half) && x->unseen > ESTIMATE_UNSEEN)
		out_printf(o, LABEL "the interval is too small: %.0f %% of the time is in phases that only one window measures\n", "", 100 * x->unseen);
	if (t->settings.window_span < 1)
		out_printf(o, LABEL "the interval covers only the first %g %% of the run\n", "", 100 * t->settings.window_span);
	out_printf(o, LABEL "%.1f %%\n", "typical error", 100 * w->spread);
	for (uint32_t i = 0; i < w->left_count; i++) {
		if (i)
			out_printf(o, ", %" PRIu32, w->left[i]);
		else
			out_printf(o, LABEL "phase%s %" PRIu32, "not measured", plural(w->left_count), w->left[i]);
	}
	if (w->left_count)
		out_str(o, ": estimated from the measured phases\n");
}

static void prediction(struct out *o, const struct table *t)
{
	char a[UNIT_TEXT], b[UNIT_TEXT];

	out_printf(o, LABEL "%s, %s %s (SET)\n", "signature time", unit_figure_time(a, t->set), unit_share(b, t->set / t->aet, 1),
		   settings_share_of(&t->settings, RUN_TIME));
	if (!t->windows)
		measured(o, t);
}

/* Phases with short and long occurrences, and what may part these. */
static enum err_code bimodal_phases(struct out *o, const struct analysis *a, struct err *e)
{
	uint32_t found = 0;
	enum err_code code = ERR_OK;

	for (uint32_t id = 1; !code && a->settings.similarity == SIMILARITY_PHASE && id <= a->phases->count; id++) {
		struct phase_modes u;
		char low[UNIT_TEXT], high[UNIT_TEXT];

		if (!a->figures->phase[id - 1].relevant)
			continue;
		code = phase_modes_find(&u, a->clockwork, a->phases, id, e);
		if (code || !u.count[0] || found++ >= BIMODAL_NAMED)
			continue;
		out_printf(o, LABEL "phase %" PRIu32 ": %" PRIu32 " occurrences of %s, %" PRIu32 " of %s\n", found == 1 ? "bimodal" : "", id, u.count[0],
			   unit_figure_time(low, u.median[0]), u.count[1], unit_figure_time(high, u.median[1]));
	}
	if (found > BIMODAL_NAMED)
		out_printf(o, LABEL "and %" PRIu32 " more phase%s\n", "", found - BIMODAL_NAMED, plural(found - BIMODAL_NAMED));
	if (found)
		out_printf(o, LABEL "--similarity bbp --compute 20%% separates occurrences with different compute times\n", "");
	return code;
}

/* What stands over the table's rows: is the prediction any good? */
static enum err_code summary(struct batch *b, const struct table *t, struct err *e)
{
	const struct windows *w = b->analysis->windows;
	struct out *o = &b->sink.out;
	size_t from = o->len;
	uint32_t relevant = 0;
	enum err_code code;
	char text[UNIT_TEXT];

	for (uint32_t i = 0; i < t->phase_count; i++)
		relevant += t->phases[i].relevant;
	out_printf(o, "%s: %" PRIu32 " process%s, %" PRIu32 " send%s, %" PRIu32 " receive%s, %" PRIu32 " collective%s\n",
		   t->application, t->processes, t->processes == 1 ? "" : "es", t->sends, plural(t->sends), t->receives,
		   plural(t->receives), t->collectives, plural(t->collectives));
	out_printf(o, LABEL "%s\n", "run time", unit_figure_time(text, t->aet));
	out_printf(o, LABEL "%" PRIu32 ", %" PRIu32 " of them relevant\n", "phases", t->phase_count, relevant);
	if (isnan(t->coverage))
		out_printf(o, LABEL "-\n", "coverage");
	else
		out_printf(o, LABEL "%s %s\n", "coverage", unit_share(text, t->coverage, 1), settings_share_of(&t->settings, RUN_TIME));
	if (!settings_shares_tile(&t->settings))
		out_printf(o, LABEL "%s: they may add up to more than 100 %%\n", "shares", settings_share_of(&t->settings, ""));
	if (isnan(t->pet))
		out_printf(o, LABEL "-\n" LABEL "-, no prediction: %s\n", "signature time", "expected error", figures_gap(t->aet, t->phase_count));
	else
		prediction(o, t);
	if (w)
		windows(o, t, w, plan_budget_of(b->options, 0).restore);
	code = bimodal_phases(o, b->analysis, e);
	out_str(o, "\n");
	sink_fit(&b->sink, from, LABEL_WIDTH);
	return code;
}

/* What the table has of each representative. */
static struct phase_points *points(const struct table *t)
{
	struct phase_points *points = mem_alloc(t->phase_count, sizeof *points);

	for (uint32_t i = 0; points && i < t->phase_count; i++)
		points[i] = t->phases[i].points;
	return points;
}

static enum err_code list_phases(struct batch *b, const struct table *t, struct err *e)
{
	struct phases_texts texts;
	struct phase_points *of_table = points(t);
	struct listed_phases l = {0};
	struct rows rows;
	enum err_code code = of_table ? phases_list_init(&l.list, b->analysis, e) : err_memory(e, "the phases");

	if (!code) {
		phases_texts_init(&texts);
		l.list.texts = &texts;
		l.shown.list = &l.list;
		l.list.points = of_table;
		l.list.ranges = b->options->format == FORMAT_TABLE;
		if (l.list.ranges)
			code = summary(b, t, e);
		l.shown.rows = t->phase_count;
		l.shown.people = l.list.ranges;
		shown_pick(&l.shown, &phases_columns, PHASES_BATCH | (b->analysis->windows ? PHASES_WINDOWS : 0) |
			     (b->options->content ? PHASES_BLOCKS : 0), true);
		l.shown.people = false; /* for_people() */
		rows = shown_rows(&l.shown);
		rows.row = phase_row;
		rows.arg = &l;
		if (!code)
			code = listing_write(b, &rows, e);
		phases_texts_release(&texts);
		phases_list_release(&l.list);
	}
	mem_free(of_table);
	return code;
}

static enum err_code write_table(struct batch *b, const struct table *t, struct err *e)
{
	char *text;
	size_t size;
	enum err_code code = b->options->format == FORMAT_YAML ? table_write(t, &text, &size, e)
								: table_write_json(t, &text, &size, e);

	if (code)
		return code;
	code = sink_write(&b->sink, text, size, e);
	mem_free(text);
	return code;
}

/* The analysis again, with the windows that a budget buys. */
static enum err_code plan_windows(struct batch *b, struct err *e)
{
	const struct plan_budget budget = plan_budget_of(b->options, b->options->plan);
	struct analysis *a = b->analysis, *planned;
	struct settings s = a->settings;
	char text[PLAN_TEXT];
	struct plan *p;
	enum err_code code = plan_new(&p, a->clockwork, a->phases, a->figures, &s, &budget, b->progress, e);

	if (code)
		return code;
	if (p->choice < 0) {
		code = err_set(e, ERR_USAGE, "%s", plan_gap(p, text));
		err_hint(e, "signatures pay off for runs of minutes; leave out --budget for a table of phases without windows");
	} else {
		plan_apply(p, &s);
	}
	plan_free(p);
	if (!code)
		code = analysis_new(&planned, b->trace, &s, a, ANALYSIS_PHASES | ANALYSIS_PATTERNS, b->progress, e);
	if (code)
		return code;
	b->analysis = planned;
	analysis_unref(a);
	return ERR_OK;
}

/* Rows, otherwise the phase table. */
static bool is_listed(const struct options *o)
{
	return o->format == FORMAT_TABLE || o->format == FORMAT_CSV;
}

enum err_code phases_check(const struct options *o, struct err *e)
{
	static const enum setting_id planned[] = {SETTING_windows, SETTING_window_seconds, SETTING_window_rare};

	for (size_t i = 0; i < sizeof planned / sizeof *planned && o->plan > 0; i++)
		if (o->setting[planned[i]])
			return err_set(e, ERR_USAGE, "--budget cannot be combined with --%s: it chooses the windows itself",
				       setting_info(planned[i])->key);
	if (o->graph_of && (o->match || o->structure || o->plan > 0))
		return err_set(e, ERR_USAGE, "--graph-of draws one phase: it cannot be combined with --match, --structure or --budget");
	if (o->graph_of)
		return graph_out_check(o, e);
	if (o->match && (o->format == FORMAT_JSON || o->format == FORMAT_YAML))
		return err_set(e, ERR_USAGE, "--match needs --format table or csv: a phase table in yaml or json is always complete");
	if (o->content && o->structure && is_listed(o))
		return err_set(e, ERR_USAGE, "--content with --structure needs --format yaml or json: tables of loops have no content");
	return ERR_OK;
}

/* One phase as a program, drawn or as a model; rank 0 has it. */
static enum err_code graph_of(struct batch *b, struct err *e)
{
	const struct options *o = b->options;
	char text[UNIT_TEXT], t[UNIT_TEXT], one[UNIT_TEXT];
	const char *(*const time_text)(char buf[UNIT_TEXT], double s) = o->ascii ? unit_time_ascii : unit_figure_time;
	struct arena arena;
	const char *application = o->application;
	struct phase_graph g;
	struct out *out = &b->sink.out;
	enum err_code code;

	arena_init(&arena);
	if (!application)
		application = table_application(&arena, b->trace);
	code = phase_graph_init(&g, b->analysis, o->graph_of, application, b->progress, e);
	if (code || team_rank(trace_team(b->trace))) {
		phase_graph_release(&g);
		arena_release(&arena);
		return code;
	}
	if (o->format == FORMAT_YAML) {
		code = sink_write(&b->sink, g.text.text, g.text.len, e);
	} else {
		struct evaluate_input in = {.model = &g.model, .values = g.values, .progress = b->progress};

		if (!graph_out_is_picture(o)) {
			const struct phase_block *p = &g.block;

			out_printf(out, "phase %" PRIu32 "%s%s, occurrence %" PRIu32 " of %" PRIu32 "\ngraph %s, phase time %s, this occurrence %s\n",
				   p->id, g.name ? ": " : "", g.name ? g.name : "", p->place, p->weight, time_text(text, p->time), time_text(t, p->traced), time_text(one, p->occurrence));
			phase_block_notes(p, "", out);
			out_str(out, "\n");
		}
		code = graph_out(o, &in, g.model.name, &b->sink, e);
	}
	phase_graph_release(&g);
	arena_release(&arena);
	return code;
}

/* What rank 0 writes, or who is alone. */
static enum err_code write_phases(struct batch *b, struct table *t, struct err *e)
{
	bool listed = is_listed(b->options);
	struct structure *s;
	enum err_code code = structure_asked(&s, b, e);

	t->structure = s;
	if (!code && !listed)
		code = write_table(b, t, e);
	else if (!code)
		code = s ? structure_list(b, t, s, e) : list_phases(b, t, e);
	structure_free(s);
	return code;
}

enum err_code cmd_phases(struct batch *b, struct err *e)
{
	const struct team *team = trace_team(b->trace);
	bool first = !team_rank(team), document = !is_listed(b->options);
	struct table t;
	enum err_code code;

	if (b->options->graph_of)
		return graph_of(b, e);
	if (b->options->content && is_listed(b->options) && b->settings->similarity != SIMILARITY_BBP)
		return err_set(e, ERR_USAGE, "--content in a table or csv needs phases of basic blocks: add --similarity bbp, or --format yaml or json");
	/* The checksum reads the whole file once more: only where it is shown. */
	code = team_agree(team, document && first ? trace_hash(b->trace, b->progress, e) : ERR_OK, e);
	if (!code && b->options->plan > 0)
		code = plan_windows(b, e);
	if (!code)
		code = table_from_analysis(&t, b->analysis, b->options->application, b->progress, e);
	if (code)
		return code;
	if (b->options->content && document)
		code = table_add_content(&t, b->analysis, b->progress, e);
	if (!code && first)
		code = write_phases(b, &t, e);
	table_release(&t);
	return code;
}
