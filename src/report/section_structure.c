/* What the program does again and again: its phases folded into loops, and how long an iteration takes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "sections.h"
#include "tui/widgets/svg.h"

#define MOST_WORDS 400
#define MOST_LOOPS 8
#define LOOP_TEXT 60

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
	bool phase = !fold_is_loop(f, w->symbol), main = st->main.iterations && w->loop == st->main.loop;
	struct out text;

	out_init(&text);
	structure_word_text(st, w, &text);
	page_word(&s->page, phase ? role_of(s, fold_id(f, w->symbol)) : ROLE_DEFAULT, main, joined, text.text ? text.text : "");
	s->page.out->failed |= text.failed;
	out_release(&text);
}

static void line(struct sheet *s, const struct structure *st)
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
		snprintf(text, sizeof text, "The first %u of %u words.", MOST_WORDS, (unsigned)count);
		page_sentence(&s->page, text);
	}
	mem_free(words);
}

/* ---- loops ---- */

/* "14(3 2*2 ...)". */
static void loop_text(char text[LOOP_TEXT], const struct fold *f, uint32_t loop)
{
	const struct fold_loop *l = &f->loops[loop];
	size_t n = (size_t)snprintf(text, LOOP_TEXT, "%u(", (unsigned)l->count);

	for (uint32_t i = 0; i < l->length; i++) {
		uint32_t symbol = f->symbols[l->body + i];
		const char *blank = i ? " " : "";

		if (n > LOOP_TEXT - 24) {
			n += (size_t)snprintf(text + n, LOOP_TEXT - n, "%s...", blank);
			break;
		}
		if (!fold_is_loop(f, symbol))
			n += (size_t)snprintf(text + n, LOOP_TEXT - n, "%s%u", blank, (unsigned)fold_id(f, symbol));
		else
			n += (size_t)snprintf(text + n, LOOP_TEXT - n, "%s%u(...)", blank, (unsigned)fold_loop(f, symbol)->count);
	}
	snprintf(text + n, LOOP_TEXT - n, ")");
}

struct shown_loop {
	uint32_t loop;
	double seconds;
};

static int by_seconds(const void *a, const void *b)
{
	const struct shown_loop *x = a, *y = b;

	if (x->seconds != y->seconds)
		return x->seconds > y->seconds ? -1 : 1;
	return x->loop < y->loop ? -1 : x->loop > y->loop;
}

static void loops(struct sheet *s, const struct structure *st)
{
	static const struct page_column columns[] = {
		{"loop", false}, {"iterations", true}, {"mean", true}, {"share of the run", true},
	};
	const struct folding *g = st->shown;
	struct shown_loop *list = mem_alloc(g->fold->loop_count, sizeof *list);
	char text[LOOP_TEXT], number[UNIT_TEXT];

	if (!list || !g->fold->loop_count) {
		s->page.out->failed |= !list;
		mem_free(list);
		return;
	}
	for (uint32_t i = 0; i < g->fold->loop_count; i++)
		list[i] = (struct shown_loop){i, folding_seconds(g, i, st->run.u)};
	qsort(list, g->fold->loop_count, sizeof *list, by_seconds);
	page_table(&s->page, columns, 4);
	for (uint32_t i = 0; i < g->fold->loop_count && i < MOST_LOOPS; i++) {
		size_t iterations = folding_iterations(g, list[i].loop);

		loop_text(text, g->fold, list[i].loop);
		page_name(&s->page, text);
		page_cell(&s->page, unit_count(number, iterations));
		page_cell(&s->page, unit_figure_time(number, list[i].seconds / (double)iterations));
		page_share(&s->page, unit_figure_percent(number, list[i].seconds / st->aet), list[i].seconds / st->aet);
	}
	page_table_end(&s->page);
	mem_free(list);
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
		{.name = "stands out", .kind = PLOT_POINTS, .role = ROLE_WARN, .count = m->outlier_count, .x = x, .y = y},
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
	if (x && y && page_picture(&s->page, "How long each iteration of the main loop takes", true)) {
		plot_svg(&plot, "Time of each iteration of the main loop", 760, 220, s->page.out);
		page_picture_end(&s->page);
	}
	s->page.out->failed |= !x || !y;
	mem_free(x);
	mem_free(y);
}

void section_structure(struct sheet *s)
{
	const struct structure *st = s->o->of.structure;
	char text[OVERVIEW_TEXT], sentence[OVERVIEW_TEXT + 160], share[UNIT_TEXT];

	page_section(&s->page, "structure", "Structure");
	if (!st) {
		page_absent(&s->page, "The structure is not known.");
		return;
	}
	if (!st->run.count) {
		page_absent(&s->page, "No phase occurs, so there is no structure.");
		return;
	}
	page_sentence(&s->page, "The run as its phases: 2*7 is phase 7 twice, 14(...) is what is inside 14 times.");
	line(s, st);
	if (!st->main.iterations) {
		page_absent(&s->page, "There is no main loop: no loop of five iterations or more.");
	} else {
		snprintf(sentence, sizeof sentence, "The main loop has %u iterations and takes %s of the run: %s.",
			 (unsigned)st->main.iterations, unit_figure_percent(share, st->main.share), overview_iteration_text(s->o, text));
		page_sentence(&s->page, sentence);
		iterations(s, st);
	}
	loops(s, st);
}
