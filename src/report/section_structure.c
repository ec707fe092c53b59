/* The repeated behaviour of the program: its phases folded into loops, and the time of an iteration. */
#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "core/base/spark.h"
#include "core/lists/lists.h"
#include "report_int.h"
#include "tui/widgets/svg.h"

#define MOST_WORDS 400u
#define MOST_LOOPS 16
#define SPARK 72u      /* columns of the iterations in text */
#define LOOP_WIDTH 48 /* characters of a loop */

static enum role role_of(const struct sheet *s, uint32_t id)
{
	return s->role ? s->role[id - 1] : ROLE_DEFAULT;
}

/* ---- the line ---- */

/* As deep as there is room for. */
static enum err_code words_that_fit(struct structure_word **words, uint32_t *count, const struct structure *st)
{
	enum err_code code = structure_words(words, count, st, UINT32_MAX, NULL);

	for (uint32_t depth = 8; !code && *count > MOST_WORDS && depth-- > 0;) {
		mem_free(*words);
		code = structure_words(words, count, st, depth, NULL);
	}
	return code;
}

static void add_word(struct sheet *s, const struct structure *st, const struct structure_word *w, bool joined)
{
	const struct fold *f = st->shown->fold;
	bool phase = !fold_is_loop(f, w->symbol), main = structure_is_main(st, w->loop);
	struct out text;

	out_init(&text);
	structure_word_text(st, w, &text);
	page_word(&s->page, phase ? role_of(s, fold_id(f, w->symbol)) : ROLE_DEFAULT, main, joined, text.text ? text.text : "");
	s->page.out->failed |= text.failed;
	out_release(&text);
}

static void structure_put_line(struct sheet *s, const struct structure *st)
{
	struct structure_word *words = NULL;
	uint32_t count = 0;
	char text[SHEET_TEXT];

	if (words_that_fit(&words, &count, st)) {
		s->page.out->failed = true;
		return;
	}
	page_words(&s->page);
	for (uint32_t i = 0; i < count && i < MOST_WORDS; i++)
		add_word(s, st, &words[i], i && !structure_words_apart(&words[i - 1], &words[i]));
	if (count > MOST_WORDS)
		page_word(&s->page, ROLE_DEFAULT, false, false, "...");
	page_words_end(&s->page);
	if (count > MOST_WORDS) {
		snprintf(text, sizeof text, "The first %u of %u items.", MOST_WORDS, (unsigned)count);
		page_sentence(&s->page, text);
	}
	mem_free(words);
}

/* ---- loops ---- */

static struct cell loop_cell_of(const struct loops_list *l, enum loop_column column, uint32_t row)
{
	return loops_columns.column[column].value(l, row);
}

static void loop_row(struct sheet *s, const struct loops_list *l, uint32_t row)
{
	const struct loop_row *of = &l->row[row];
	const char *text;
	char number[UNIT_TEXT];

	page_cell(&s->page, unit_count(number, (uint64_t)row + 1));
	text = loop_cell_of(l, LOOP_TEXT, row).text;
	s->page.out->failed |= !text;
	page_name(&s->page, text ? text : "");
	page_cell(&s->page, loop_cell_of(l, LOOP_MAIN, row).yes ? "main" : "");
	page_cell(&s->page, unit_count(number, loop_cell_of(l, LOOP_ITERATIONS, row).whole));
	page_cell(&s->page, unit_figure_time(number, of->mean));
	page_share(&s->page, unit_figure_percent(number, of->share), of->share);
}

static void loops(struct sheet *s, const struct structure *st)
{
	static const struct column_look columns[] = {
		{.title = "loop", .align = LOOK_RIGHT}, {.title = "phases"}, {.title = ""}, {.title = "iterations", .align = LOOK_RIGHT}, {.title = "mean iteration", .align = LOOK_RIGHT},
		{.title = "of the run time", .align = LOOK_RIGHT},
	};
	struct loops_list l;
	struct out words;
	char text[SHEET_TEXT];

	if (loops_list_init(&l, st, NULL)) {
		s->page.out->failed = true;
		return;
	}
	out_init(&words);
	l.text = &words;
	l.width = LOOP_WIDTH;
	if (l.count) {
		page_table(&s->page, columns, sizeof columns / sizeof *columns);
		for (uint32_t i = 0; i < l.count && i < MOST_LOOPS; i++)
			loop_row(s, &l, i);
		page_table_end(&s->page);
	}
	if (l.count > MOST_LOOPS) {
		snprintf(text, sizeof text, "%u more loops are not listed.", (unsigned)(l.count - MOST_LOOPS));
		page_sentence(&s->page, text);
	}
	s->page.out->failed |= words.failed;
	out_release(&words);
	loops_list_release(&l);
}

/* ---- iterations ---- */

static void iterations(struct sheet *s, const struct structure *st)
{
	const struct main_loop *m = &st->main;
	double *x = mem_alloc(m->outlier_count, sizeof *x), *y = mem_alloc(m->outlier_count, sizeof *y);
	double ends[2] = {1, m->iterations}, median[2] = {m->median, m->median};
	struct plot_series series[] = {
		{.name = "median", .kind = PLOT_CURVE, .role = ROLE_DIM, .dashed = true, .count = 2, .x = ends, .y = median},
		{.name = "iteration", .kind = PLOT_CURVE, .role = ROLE_SEND, .count = m->iterations, .y = m->seconds},
		{.name = "outlier", .kind = PLOT_POINTS, .role = ROLE_WARN, .count = m->outlier_count, .x = x, .y = y},
	};
	struct plot plot = PLOT_INIT;

	for (uint32_t i = 0; x && y && i < m->outlier_count; i++) {
		x[i] = m->outliers[i] + 1;
		y[i] = m->seconds[m->outliers[i]];
	}
	plot.series = series;
	plot.series_count = m->outlier_count ? 3 : 2;
	plot.x = (struct plot_axis){.from = 1, .to = m->iterations, .unit = PLOT_COUNT};
	plot.y.unit = PLOT_SECONDS;
	plot.y.from = 0;
	plot.y.to = (double)NAN;
	for (uint32_t i = 0; i < m->iterations; i++)
		plot.y.to = fmax(plot.y.to, m->seconds[i]);
	plot.y.to *= 1.05;
	if (x && y && page_picture(&s->page, "Time of each iteration of the main loop", true)) {
		plot_svg(&plot, "Time of each iteration of the main loop", 760, 220, s->page.out);
		page_picture_end(&s->page);
	}
	s->page.out->failed |= !x || !y;
	mem_free(x);
	mem_free(y);
}

/* If there are no pictures. */
static void spark(struct sheet *s)
{
	double values[SPARK];
	char text[SPARK * 4];
	uint32_t n = overview_iteration_times(s->o, values, SPARK);

	if (!n || s->page.format == REPORT_HTML)
		return;
	spark_text(values, (int)n, TEXT_UTF8, text, sizeof text);
	page_code(&s->page, text);
}

/* ---- the reading ---- */

/* "299 x [ sweep from 0; halo 2x4 ]. 60 % of the run time is in sweeps, 40 % in halo exchanges." */
static void structure_put_reading(struct sheet *s)
{
	const struct analysis *a = s->o->of.analysis;
	struct out text, shares;

	if (!a || !a->patterns || !a->patterns->instance_count)
		return;
	out_init(&text);
	out_init(&shares);
	reading_text(a->patterns, READING_TOP, &text);
	phase_names_shares_text(a->names, SHARES_SENTENCE, &shares);
	if (shares.len)
		out_printf(&text, ". %s", shares.text);
	out_str(&text, ".");
	page_sentence(&s->page, text.text ? text.text : "");
	s->page.out->failed |= text.failed || shares.failed;
	out_release(&text);
	out_release(&shares);
}

void section_structure(struct sheet *s)
{
	const struct structure *st = s->o->of.structure;
	char text[OVERVIEW_TEXT], sentence[OVERVIEW_TEXT + 160], share[UNIT_TEXT];

	page_section(&s->page, "structure", "Loop structure");
	structure_put_reading(s);
	if (!st) {
		page_absent(&s->page, "The loop structure is unknown.");
		return;
	}
	if (!st->run.count) {
		page_absent(&s->page, "There are no phases, so there is no loop structure.");
		return;
	}
	page_sentence(&s->page, "The sequence of phases: 2*7 is phase 7 twice, 14(...) repeats the sequence inside 14 times.");
	structure_put_line(s, st);
	if (!st->main.iterations) {
		page_absent(&s->page, "There is no main loop: no loop has five or more iterations.");
	} else {
		snprintf(sentence, sizeof sentence, "The main loop takes %s of the run time: %s.",
			 unit_figure_percent(share, st->main.share), overview_iteration_text(s->o, text));
		page_sentence(&s->page, sentence);
		iterations(s, st);
		spark(s);
	}
	loops(s, st);
}
