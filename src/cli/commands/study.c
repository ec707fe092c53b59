/* pas2p study: many runs of one program as functions of their parameters (docs/explain/fits.md, "Studies";
 * docs/internals/compare-rules.md, "Output of study"). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/batch.h"
#include "cli/complain.h"
#include "cli/cli.h"
#include "cli/plural.h"
#include "core/base/mem.h"
#include "core/io/source.h"
#include "core/study/study.h"
#include "core/team/team.h"
#include "core/team/team_pack.h"

#define LEAST_SHARE 0.001 /* of rows in tables */

struct studying {
	struct batch *batch;
	struct study_file file;
	struct settings settings;
	struct study_runs runs;
	struct study *study;
	struct study_models models;
	struct study_prediction *predictions;
	uint32_t predicted;
	struct study_rows_to to;
};

enum err_code study_check_options(const struct options *o, struct err *e)
{
	if (o->check_runs && (o->models || o->at.count || o->model_file))
		return err_set(e, ERR_USAGE, "--check cannot be combined with --models, --at or --model");
	if (o->models && o->at.count && (o->format == FORMAT_TABLE || o->format == FORMAT_CSV))
		return err_set(e, ERR_USAGE, "--models and --at cannot be combined in a table or csv: use --format json or yaml");
	if (o->named[OPTION_study_tolerance] && !o->check_runs)
		return err_set(e, ERR_USAGE, "--tolerance needs --check");
	if (o->model_graph && !o->model_file)
		return err_set(e, ERR_USAGE, "--graph needs --model FILE");
	return ERR_OK;
}

/* ---- what is studied ---- */

static enum err_code read_runs(struct study_file *f, const struct options *o, struct err *e)
{
	enum err_code code = ERR_OK;

	if (o->file_count == 1 && study_is_file(o->files[0])) {
		code = study_file_read(f, o->files[0], e);
	} else {
		for (uint32_t i = 0; !code && i < o->file_count; i++) {
			code = study_file_operand(f, o->files[i], e);
			if (!code && study_is_file(f->runs[i].files[0]))
				code = err_set(e, ERR_USAGE, "expected one study, or runs: a study lists its runs itself");
		}
		if (!code)
			code = study_join(f, e);
	}
	if (!code && o->from_name)
		code = study_file_names(f, o->from_name, e);
	/* What is asked for here goes before what the file asks for. */
	if (o->at.count)
		f->place_count = 0;
	for (uint32_t i = 0; !code && i < o->at.count; i++)
		code = study_file_at(f, o->at.text[i], e);
	return code;
}

/* Defaults and config files, the study, the command line: later wins. */
static enum err_code make_settings(struct studying *s, struct err *e)
{
	s->settings = *s->batch->settings;
	for (enum setting_id id = 0; id < SETTING_COUNT; id++)
		if (s->file.given[id] && !s->batch->given[id])
			settings_copy(&s->settings, &s->file.settings, id);
	return settings_check(&s->settings, e);
}

/* The runs that the study names. */
static enum err_code refuse_runs(const struct studying *s, struct err *e)
{
	const struct options *o = s->batch->options;
	enum err_code code = ERR_OK;

	for (size_t i = 0; !code && i < s->file.run_count; i++) {
		const struct study_source *run = &s->file.runs[i];

		code = own_inputs_refuse_more(o, run->files, run->file_count, e);
		if (!code && run->result)
			code = own_inputs_refuse_more(o, &run->result, 1, e);
	}
	return code;
}

/* What is worth saying of the runs' traces beside the result. */
static void tell_runs(const struct studying *s)
{
	const struct options *o = s->batch->options;
	char counts[NOTE_COUNTS_TEXT];

	if (!o->quiet && !settings_shares_tile(&s->settings))
		complain("shares are %s: they may add up to more than 100 %%", settings_share_of(&s->settings, ""));
	for (uint32_t i = 0; i < s->runs.count; i++) {
		const struct study_run *r = &s->runs.list[i];

		if (r->damage.code) {
			complain("%s", r->damage.text);
			s->batch->finding = EXIT_DAMAGED;
		}
		if (!o->quiet && *note_counts_text(&r->notes, counts))
			complain("%s: %s; see pas2p check", r->name, counts);
	}
}

/* ---- what is said ---- */

static enum err_code study_to_sink(void *arg, const char *bytes, size_t n, struct err *e)
{
	return sink_write(arg, bytes, n, e);
}

static unsigned wants(const struct options *o)
{
	bool document = o->format == FORMAT_JSON || o->format == FORMAT_YAML;

	return (document || o->models ? STUDY_SHOWS : 0) | (o->model_file ? STUDY_WRITES : 0) | STUDY_PREDICTS;
}

static enum err_code make_predictions(struct studying *s, struct err *e)
{
	enum err_code code = ERR_OK;

	s->predictions = mem_zero(s->file.place_count, sizeof *s->predictions);
	if (!s->predictions)
		return err_memory(e, "the predictions");
	for (size_t i = 0; !code && i < s->file.place_count; i++) {
		code = study_predict(&s->predictions[i], &s->models, &s->file.places[i], e);
		s->predicted += !code;
	}
	if (code == ERR_USAGE)
		err_prefix(e, s->batch->options->at.count ? "--at" : "predict");
	return code;
}

/* By all ranks: the graphs need traces again. */
static enum err_code write_model(struct studying *s, struct err *e)
{
	const struct options *o = s->batch->options;
	struct study_graphs graphs = {0};
	struct out out;
	enum err_code code = ERR_OK;

	out_init(&out);
	if (o->model_graph)
		code = study_graphs_make(&graphs, s->study, &s->file, &s->settings, o->threads, o->team, s->batch->progress, e);
	if (!code && s->study)
		code = study_model_write(&s->models, o->model_graph ? &graphs : NULL, &out, e);
	if (!code && s->study) {
		code = out_replace_file(o->model_file, out.text, out.len, e);
		if (code)
			s->batch->sink.err = *e; /* an error of writing */
	}
	study_graphs_release(&graphs);
	out_release(&out);
	return code;
}

static void put_place(const struct study_prediction *p, struct out *out)
{
	const struct study *s = p->models->study;

	for (uint32_t k = 0; k < s->axis_count; k++) {
		out_printf(out, "%s%s = ", k ? ", " : "at ", s->axes[k].name);
		if (s->axes[k].number)
			out_double(out, p->at[k].number);
		else
			out_str(out, p->at[k].text);
	}
	out_str(out, "\n");
}

/* In a table each prediction stands under its place, with what must be known of it. */
static enum err_code print_prediction(struct studying *s, const struct study_prediction *p, bool first, struct err *e)
{
	struct out *out = &s->batch->sink.out;
	enum err_code code;
	size_t from;

	out_str(out, first ? "" : "\n");
	put_place(p, out);
	code = sink_drain(&s->batch->sink, e);
	if (!code)
		code = study_rows_predictions(p, 1, &s->to, e);
	from = out->len;
	if (p->extrapolation > 1 && !isinf(p->extrapolation))
		out_printf(out, "extrapolation: %.3g times the range of the runs\n", p->extrapolation);
	for (uint32_t i = 0; i < p->warning_count; i++)
		out_printf(out, "note: %s\n", p->warnings[i]);
	sink_fit(&s->batch->sink, from, 6);
	return code ? code : sink_drain(&s->batch->sink, e);
}

static enum err_code print_predictions(struct studying *s, bool first, struct err *e)
{
	enum err_code code = ERR_OK;

	if (s->to.format != ROWS_TABLE) {
		for (uint32_t i = 0; !s->batch->options->quiet && i < s->predicted; i++)
			for (uint32_t k = 0; k < s->predictions[i].warning_count; k++)
				complain("%s", s->predictions[i].warnings[k]);
		return study_rows_predictions(s->predictions, s->predicted, &s->to, e);
	}
	for (uint32_t i = 0; !code && i < s->predicted; i++)
		code = print_prediction(s, &s->predictions[i], first && !i, e);
	return code;
}

static void print_kinds(struct studying *s)
{
	struct out *out = &s->batch->sink.out;
	size_t from = out->len;

	for (uint32_t i = 0; i < s->study->family_count; i++) {
		const struct study_family *f = &s->study->families[i];
		const struct study_member *a = f->first_named, *b = f->other;

		if (!b || f->share < s->to.least)
			continue;
		out_printf(out, "note: phase family %" PRIu32 ": ", f->id);
		kinds_other_text(out, &(struct phase_called){a->largest->id, a->largest->name, s->runs.list[a->run].name},
				 &(struct phase_called){b->largest->id, b->largest->name, s->runs.list[b->run].name});
		out_str(out, "\n");
	}
	sink_fit(&s->batch->sink, from, 6);
}

static enum err_code print_study(struct studying *s, struct err *e)
{
	const struct options *o = s->batch->options;
	enum err_code code;

	if (o->format == FORMAT_JSON || o->format == FORMAT_YAML) {
		code = study_write(&s->models, s->predictions, s->predicted, s->to.least, o->format == FORMAT_JSON, &s->batch->sink.out, e);
		return code ? code : sink_drain(&s->batch->sink, e);
	}
	if (o->models)
		return study_rows_models(&s->models, &s->to, e);
	if (o->at.count)
		return print_predictions(s, true, e);
	code = study_rows_families(s->study, &s->to, e);
	if (!code && o->format == FORMAT_TABLE) {
		print_kinds(s);
		code = sink_drain(&s->batch->sink, e);
	}
	if (!code && o->format == FORMAT_TABLE && s->predicted)
		code = print_predictions(s, false, e);
	return code;
}

static enum err_code make_models(struct studying *s, struct err *e)
{
	const struct options *o = s->batch->options;
	enum err_code code = study_models_make(&s->models, s->study, wants(o), STUDY_ALL_RUNS, o->threads, s->batch->progress, e);

	return code ? code : make_predictions(s, e);
}

static enum err_code study(struct studying *s, struct err *e)
{
	const struct options *o = s->batch->options;
	enum err_code code = team_agree(o->team, s->study ? make_models(s, e) : ERR_OK, e);

	if (!code && o->model_file)
		code = team_agree(o->team, write_model(s, e), e);
	batch_prints(s->batch);
	return code || !s->study ? code : print_study(s, e);
}

static enum err_code study_check_runs(struct studying *s, struct err *e)
{
	const struct options *o = s->batch->options;
	struct study_checked *list = mem_zero(s->runs.count, sizeof *list);
	enum err_code code;

	if (!list)
		return err_memory(e, "the runs");
	code = study_check(s->study, list, o->threads, s->batch->progress, e);
	batch_prints(s->batch);
	if (!code)
		code = study_rows_checked(s->study, list, &s->to, e);
	for (uint32_t i = 0; !code && i < s->runs.count; i++)
		if (o->named[OPTION_study_tolerance] && !(fabs(list[i].error) <= o->study_tolerance) && s->batch->finding == EXIT_OK)
			s->batch->finding = EXIT_FINDING;
	mem_free(list);
	return code;
}

static void studying_release(struct studying *s)
{
	for (uint32_t i = 0; i < s->predicted; i++)
		study_prediction_release(&s->predictions[i]);
	mem_free(s->predictions);
	study_models_release(&s->models);
	study_free(s->study);
	study_runs_release(&s->runs);
	study_file_release(&s->file);
}

static enum err_code read_study(struct studying *s, struct err *e)
{
	enum err_code code = read_runs(&s->file, s->batch->options, e);

	if (!code)
		code = make_settings(s, e);
	return code ? code : refuse_runs(s, e);
}

/* All ranks read what the study says, which is to be one study. */
static enum err_code same_study(const struct studying *s, enum err_code code, struct err *e)
{
	const struct options *o = s->batch->options;
	struct team_pack facts = {0};
	struct source source;
	char text[SOURCE_SAMPLE];

	if (!code && team_size(o->team) > 1 && study_is_file(o->files[0])) {
		code = source_open_file(&source, o->files[0], e);
		if (!code) {
			code = source_sample(&source, text, e);
			source_release(&source);
		}
	} else {
		snprintf(text, sizeof text, "no study");
	}
	if (!code)
		team_fact(&facts, o->files[0], text);
	return team_alike(o->team, &facts, code, "the analysis ranks read different studies", e);
}

static enum err_code make_study(struct studying *s, struct err *e)
{
	struct batch *b = s->batch;

	tell_runs(s);
	return study_new(&s->study, s->file.name, &s->runs, s->settings.relevance, b->progress, e);
}

/* Ranks of a team share the traces; rank 0 has the runs, the study, and all that comes of it. */
enum err_code cmd_study(struct batch *b, struct err *e)
{
	static const enum rows_format formats[] = {
		[FORMAT_TABLE] = ROWS_TABLE, [FORMAT_CSV] = ROWS_CSV, [FORMAT_JSON] = ROWS_JSON, [FORMAT_YAML] = ROWS_YAML,
	};
	const struct options *o = b->options;
	const struct rows_sink sink = {study_to_sink, &b->sink};
	struct studying s = {.batch = b, .to = {formats[o->format], &sink, b->progress, o->min_share, sink_width(&b->sink)}};
	bool first = !team_rank(o->team);
	enum err_code code;

	if (o->format == FORMAT_TABLE && !o->named[OPTION_min_share])
		s.to.least = LEAST_SHARE;
	study_file_init(&s.file);
	code = same_study(&s, read_study(&s, e), e);
	if (!code)
		code = study_load(&s.runs, &s.file, &s.settings, o->threads, o->team, b->progress, e);
	b->loaded = b->loaded || !code;
	if (!code)
		code = team_agree(o->team, first ? make_study(&s, e) : ERR_OK, e);
	if (!code && o->check_runs)
		code = first ? study_check_runs(&s, e) : ERR_OK;
	else if (!code)
		code = study(&s, e);
	studying_release(&s);
	return code;
}
