/* pas2p FILE without a terminal: the first page of the workbench as text. For several runs, the page of the first run,
 * and a line for each. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/batch.h"
#include "cli/complain.h"
#include "cli/listing.h"
#include "core/base/mem.h"
#include "core/base/unit.h"
#include "core/formats/runs.h"
#include "core/reports/reports.h"

struct overview_runs {
	struct scaling_run *figures; /* per run, in the order of the files */
	uint32_t *run_of;            /* per file */
	const char **files;          /* of the run at hand */
	const char **name;           /* per run: its first file */
	char (*clocks)[TIMES_SENTENCE]; /* per run; "": times are the file's */
	struct call_mix *calls;      /* per run */
	uint32_t count;
};

/* b->trace and b->analysis are run number `run`, and its metrics are made; to be released whatever comes. */
static enum err_code overview_load_run(struct batch *b, struct overview_runs *r, uint32_t run, unsigned wants, struct metrics_run *metrics, struct err *e)
{
	static const struct replay_rules rules = {.rendezvous = REPLAY_NEVER};
	struct call_log *log;
	uint32_t count = 0;
	enum err_code code;

	*metrics = (struct metrics_run){0};

	for (uint32_t i = 0; i < b->options->file_count; i++)
		if (r->run_of[i] == run)
			r->files[count++] = b->options->files[i];
	r->name[run] = r->files[0];
	batch_unload(b);
	code = batch_load(b, r->files, count, wants, &log, e);
	if (code)
		return code;
	metrics_run_init(metrics, r->name[run], log);
	if (metrics->own_times)
		times_sentence(&metrics->times, r->clocks[run]);
	code = metrics_run_make(metrics, &rules, b->progress, e);
	if (!code) {
		r->figures[run] = metrics->figures;
		r->calls[run] = metrics->calls;
		metrics->calls = (struct call_mix){0};
	}
	return code;
}

static void add_reading(const struct overview *o, struct out *out)
{
	if (o->of.analysis && o->of.analysis->patterns)
		reading_text(o->of.analysis->patterns, UINT32_MAX, out);
}

static void add_pattern_times(const struct overview *o, struct out *out)
{
	if (o->of.analysis)
		phase_names_shares_text(o->of.analysis->names, SHARES_SHORT, out);
}

static void add_structure(const struct overview *o, struct out *out)
{
	if (o->of.structure)
		structure_text(o->of.structure, out);
}

/* For other programs: the sentences by their names. Figures are in `pas2p metrics`. */
static const struct {
	const char *name;
	char *(*text)(const struct overview *o, char *text);
	void (*add)(const struct overview *o, struct out *out); /* what is as long as it is; NULL: a sentence */
} facts[] = {
	{"title", overview_title_text, NULL},
	{"reading", NULL, add_reading},
	{"pattern_times", NULL, add_pattern_times},
	{"nodes", overview_crowded_text, NULL},
	{"tracing", overview_tracing_text, NULL},
	{"clocks", overview_clocks_text, NULL},
	{"time", overview_time_text, NULL},
	{"efficiency", overview_efficiency_text, NULL},
	{"structure", NULL, add_structure},
	{"iterations", overview_iteration_text, NULL},
	{"lost", overview_lost_text, NULL},
	{"cause", overview_cause_text, NULL},
	{"slowest", overview_slowest_text, NULL},
	{"heaviest", overview_heaviest_text, NULL},
	{"phases", overview_prediction_text, NULL},
	{"signature", overview_signature_text, NULL},
	{"warnings", overview_warnings_text, NULL},
};

struct fact_rows {
	const struct overview *overview;
	char text[OVERVIEW_TEXT];
	struct out line;
};

static enum err_code fact_row(void *arg, uint64_t i, struct cell *c, bool *keep, struct err *e)
{
	struct fact_rows *f = arg;

	f->line.len = 0;
	if (facts[i].add)
		facts[i].add(f->overview, &f->line);
	else
		out_str(&f->line, facts[i].text(f->overview, f->text));
	*keep = f->line.len > 0;
	c[0] = cell_text(facts[i].name);
	c[1] = cell_text(f->line.text);
	return f->line.failed ? err_memory(e, "the overview") : ERR_OK;
}

static enum err_code write_facts(struct batch *b, const struct overview *o, struct err *e)
{
	static const struct column_look columns[] = {{"fact", "fact", .align = LOOK_LEFT}, {"text", "text", .align = LOOK_LEFT}};
	struct fact_rows f = {.overview = o};
	const struct rows rows = {columns, 2, sizeof facts / sizeof *facts, fact_row, &f};
	enum err_code code;

	out_init(&f.line);
	code = listing_write(b, &rows, e);
	out_release(&f.line);
	return code;
}

static enum err_code first_run(struct batch *b, struct overview_runs *r, struct err *e)
{
	struct overview_run made = {0};
	struct metrics_run metrics;
	enum err_code code = overview_load_run(b, r, 0, ANALYSIS_PHASES | ANALYSIS_PATTERNS, &metrics, e);

	if (!code)
		code = overview_run_init(&made, b->trace, b->analysis, &metrics, b->progress, e);
	made.overview.of.program = b->options->program;
	if (!code && r->count == 1)
		batch_prints(b);
	if (!code && b->options->format != FORMAT_TABLE)
		code = write_facts(b, &made.overview, e);
	else if (!code)
		code = overview_text(&made.overview, (int)sink_columns(&b->sink), batch_text_flags(b->options), &b->sink.out, e);
	overview_run_release(&made);
	metrics_run_release(&metrics);
	/* Whatever the others turn out to be, this is worth having. */
	return code || r->count == 1 ? code : sink_write(&b->sink, "", 0, e);
}

static enum err_code other_run(struct batch *b, struct overview_runs *r, uint32_t run, struct err *e)
{
	struct metrics_run metrics;
	enum err_code code = overview_load_run(b, r, run, 0, &metrics, e);

	metrics_run_release(&metrics);
	return code;
}

static void run_line(struct out *o, const char *name, const char *clocks, const struct scaling_run *f, bool other, enum text_flags flags)
{
	char safe[256], n[UNIT_TEXT], text[UNIT_TEXT];

	out_printf(o, "  %8s process%-2s  %10s  parallel efficiency %6s", unit_count(n, f->processes), f->processes == 1 ? "" : "es",
		   unit_figure_time(text, f->runtime), unit_figure_percent(safe, f->parallel_efficiency));
	if (!isnan(f->speedup))
		out_printf(o, "  speedup %5.2f", f->speedup);
	out_printf(o, "\n    %s\n", text_safe(safe, sizeof safe, name, SIZE_MAX, flags));
	if (*clocks)
		out_printf(o, "    clocks: %s\n", clocks);
	if (other)
		out_str(o, "    seems to be another program: its MPI calls differ; speedups need one program\n");
}

static enum err_code print_runs(struct batch *b, const struct overview_runs *r, struct err *e)
{
	struct out *o = &b->sink.out;
	uint32_t *processes = mem_alloc(r->count, sizeof *processes), *order = mem_alloc(r->count, sizeof *order);
	struct scaling_run *figures = mem_alloc(r->count, sizeof *figures);
	bool room = processes && order && figures;
	char equals[SCALING_TEXT];
	uint32_t reference;

	for (uint32_t i = 0; room && i < r->count; i++)
		processes[i] = r->figures[i].processes;
	if (room) {
		scaling_order(processes, r->count, order);
		for (uint32_t i = 0; i < r->count; i++)
			figures[i] = r->figures[order[i]];
		reference = scaling_fill(figures, r->count, SCALING_STRONG, NAN);
		out_str(o, "\nruns\n");
		for (uint32_t i = 0; i < r->count; i++)
			if (figures[i].equals > 1 && (!i || figures[i].processes != figures[i - 1].processes))
				out_printf(o, "  %s\n", scaling_equals_text(&figures[i], equals));
		for (uint32_t i = 0; i < r->count; i++)
			run_line(o, r->name[order[i]], r->clocks[order[i]], &figures[i], reference != NO_RUN &&
				 call_mix_differs(&r->calls[order[i]], &r->calls[order[reference]]),
				 batch_text_flags(b->options));
		out_str(o, "  # compare and see how they scale\n  ");
		command_line(o, b->options, "metrics", b->options->files, b->options->file_count);
		out_str(o, "\n");
	}
	mem_free(processes);
	mem_free(order);
	mem_free(figures);
	return room ? ERR_OK : err_memory(e, "the runs");
}

static enum err_code find_runs(const struct options *o, struct overview_runs *r, struct err *e)
{
	enum err_code code;

	r->run_of = mem_zero(o->file_count, sizeof *r->run_of);
	r->files = mem_zero(o->file_count, sizeof *r->files);
	if (!r->run_of || !r->files)
		return err_memory(e, "the files");
	code = runs_of_files(o->files, o->file_count, r->run_of, &r->count, e);
	if (code)
		return code;
	r->figures = mem_zero(r->count, sizeof *r->figures);
	r->name = mem_zero(r->count, sizeof *r->name);
	r->clocks = mem_zero(r->count, sizeof *r->clocks);
	r->calls = mem_zero(r->count, sizeof *r->calls);
	return r->figures && r->name && r->clocks && r->calls ? ERR_OK : err_memory(e, "the runs");
}

enum err_code cmd_overview(struct batch *b, struct err *e)
{
	struct overview_runs r = {0};
	enum err_code code = find_runs(b->options, &r, e);

	if (!code)
		code = first_run(b, &r, e);
	if (!code && r.count > 1 && b->options->format != FORMAT_TABLE && !b->options->quiet)
		complain_command(b->options, "this output is of the first run; for all runs use ", "metrics -f json", b->options->files, b->options->file_count);
	for (uint32_t i = 1; !code && i < r.count; i++)
		code = other_run(b, &r, i, e);
	if (!code && r.count > 1 && b->options->format == FORMAT_TABLE) {
		batch_prints(b);
		code = print_runs(b, &r, e);
	}
	batch_unload(b);
	for (uint32_t i = 0; r.calls && i < r.count; i++)
		call_mix_release(&r.calls[i]);
	mem_free(r.calls);
	mem_free(r.figures);
	mem_free(r.run_of);
	mem_free(r.files);
	mem_free(r.name);
	mem_free(r.clocks);
	return code;
}
