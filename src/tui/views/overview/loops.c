/* The reading, or the structure in numbers, as words that fold; and the iterations of the main loop. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "overview_int.h"
#include "tui/model/describe.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/plot.h"
#include "tui/widgets/bars.h"

#define WORDS_MOST 20000 /* that are laid out */
#define FIRST_ROWS 3     /* the structure is folded at first, until it has no more rows */
#define PLOT_ROWS 5      /* from here on iterations are a plot with axes */

static const struct structure *structure_of(const struct overview_view *s)
{
	return s->structure ? s->structure->structure : NULL;
}

/* The words that are shown: of the reading, or of the structure. */
struct shown_words {
	const struct structure_word *word; /* NULL: there are none (yet) */
	uint32_t count;
	const struct fold *fold;
	uint32_t main; /* the main loop; STRUCTURE_NO_LOOP: none */
};

static struct shown_words words_shown(const struct overview_view *s)
{
	const struct structure *x = structure_of(s);

	if (overview_reads(s))
		return (struct shown_words){s->reading, s->reading_words, s->read->patterns->reading->fold, overview_reading_main(s)};
	if (!x)
		return (struct shown_words){.main = STRUCTURE_NO_LOOP};
	return (struct shown_words){s->structure->words, s->structure->word_count, x->shown->fold,
				    x->main.iterations && x->main.fold == x->shown->fold ? x->main.loop : STRUCTURE_NO_LOOP};
}

/* Of what is shown: never 0. */
static uint64_t overview_words_serial(const struct overview_view *s)
{
	return overview_reads(s) ? 2 * s->readings + 1 : 2 * (s->of.structure + 1);
}

static size_t word_text(const struct overview_view *s, const struct structure_word *w, bool folded, char text[64])
{
	struct structure_word word = *w;
	struct out o;

	if (overview_reads(s)) {
		overview_reading_word_text(s, w, folded, text);
		return strlen(text);
	}
	if (folded)
		word.opens = false;
	out_init(&o);
	structure_word_text(structure_of(s), &word, &o);
	snprintf(text, 64, "%s", o.text ? o.text : "");
	out_release(&o);
	return strlen(text);
}

/* Behind the ")" of the loop that opens at i. */
static uint32_t behind_loop(const struct shown_words *p, uint32_t i)
{
	uint32_t depth = p->word[i].depth;

	for (i++; i < p->count; i++)
		if (p->word[i].closes && p->word[i].depth == depth)
			return i + 1;
	return i;
}

/* In a reading, what closes loops stays with the word before it. */
static int columns_of_closing(const struct shown_words *p, uint32_t i)
{
	int columns = 0;

	for (; i < p->count && p->word[i].closes; i++)
		columns += 2;
	return columns + (columns && i < p->count);
}

/* Lays them out in so many columns; the rows that they take. */
static int lay_out_words(struct overview_view *s, int room)
{
	const struct shown_words p = words_shown(s);
	bool reads = overview_reads(s);
	int x = 0, row = 0;
	uint32_t n = 0;
	char text[64];

	s->words_cut = reads && p.fold->top_count > READING_TOP;
	for (uint32_t i = 0; i < p.count;) {
		const struct structure_word *w = &p.word[i];
		bool folded = w->opens && s->folded[w->loop];
		int wide = (int)word_text(s, w, folded, text), with = 0;
		bool apart = n && (reads || structure_words_apart(&p.word[s->words[n - 1].word], w));
		uint32_t next = folded ? behind_loop(&p, i) : i + 1;
		bool parted = reads && next < p.count && !p.word[next].closes && (folded || !w->opens);

		/* A folded loop is a word of its own. */
		if (n && !reads && s->words[n - 1].folded)
			apart = !w->closes;
		if (n == WORDS_MOST) {
			s->words_cut = true;
			break;
		}
		if (reads)
			with = parted + columns_of_closing(&p, next);
		if (x && x + apart + wide + with > room && !(reads && w->closes)) {
			x = 0;
			row++;
			apart = false;
		}
		x += apart;
		s->words[n++] = (struct overview_word){i, x, row, wide, folded, parted};
		x += wide + parted;
		i = next;
	}
	s->word_count = n;
	s->word_rows = n ? row + 1 : 0;
	return s->word_rows;
}

/* Inner loops are folded first, until the rest has room. A reading stays as it is: its main loop is what it says. */
static void fold_to(struct overview_view *s, int room, int rows)
{
	const struct shown_words p = words_shown(s);
	uint32_t deepest = 0;

	memset(s->folded, 0, p.fold->loop_count);
	for (uint32_t i = 0; i < p.count; i++)
		if (p.word[i].opens && p.word[i].depth > deepest)
			deepest = p.word[i].depth;
	for (uint32_t depth = deepest + 1; !overview_reads(s) && lay_out_words(s, room) > rows && depth-- > 0;)
		for (uint32_t i = 0; i < p.count; i++)
			if (p.word[i].opens && p.word[i].depth == depth)
				s->folded[p.word[i].loop] = true;
	lay_out_words(s, room);
}

/* Puts the cursor on the main loop as soon as that is known, unless it was moved before. */
static void find_main_loop(struct overview_view *s)
{
	const struct shown_words p = words_shown(s);

	if (s->main_found || p.main == STRUCTURE_NO_LOOP)
		return;
	s->main_found = true;
	for (uint32_t i = 0; i < s->word_count && !s->word; i++)
		if (p.word[s->words[i].word].loop == p.main)
			s->word = i;
}

int overview_loops_rows(struct overview_view *s, int room, int rows)
{
	const struct structure *x = structure_of(s);
	const struct shown_words p = words_shown(s);
	uint32_t most;
	void *words, *folded;

	if (!p.word) {
		s->word_count = 0;
		return 0;
	}
	if (s->words_of == overview_words_serial(s) && s->words_w == room) {
		find_main_loop(s);
		return s->word_rows;
	}
	most = p.count < WORDS_MOST ? p.count : WORDS_MOST;
	words = mem_resize(s->words, (size_t)most + 1, sizeof *s->words);
	if (words)
		s->words = words;
	folded = mem_resize(s->folded, (size_t)p.fold->loop_count + 1, sizeof *s->folded);
	if (folded)
		s->folded = folded;
	if (!words || !folded) {
		s->word_count = 0;
		return 0;
	}
	if (s->words_of != overview_words_serial(s)) {
		s->words_of = overview_words_serial(s);
		s->word = 0;
		s->main_found = false;
		fold_to(s, room, rows > 40 ? 2 * FIRST_ROWS : FIRST_ROWS);
	} else {
		lay_out_words(s, room);
	}
	if (x && s->iteration >= x->main.iterations)
		s->iteration = 0;
	s->words_w = room;
	find_main_loop(s);
	if (s->word >= s->word_count)
		s->word = s->word_count ? s->word_count - 1 : 0;
	return s->word_rows;
}

/* The row of the ")" of the loop at the cursor, if that is open; otherwise the cursor's. */
static int last_row_here(const struct overview_view *s)
{
	const struct shown_words p = words_shown(s);
	const struct overview_word *here = &s->words[s->word];
	uint32_t i = s->word;

	if (p.word[here->word].opens && !here->folded)
		while (i + 1 < s->word_count && !(p.word[s->words[i].word].closes && p.word[s->words[i].word].depth == p.word[here->word].depth))
			i++;
	return s->words[i].row;
}

/* The rows that are seen, so that the cursor's is; of a reading, with as much of the loop there as has room. */
static int first_row(const struct overview_view *s, int h)
{
	int row = s->word < s->word_count ? s->words[s->word].row : 0, last = row;

	if (overview_reads(s) && s->word < s->word_count)
		last = last_row_here(s);
	if (last < h)
		return 0;
	return last - h + 1 < row ? last - h + 1 : row;
}

/* How to read it, by the first of its own words that is not plain. */
static void legend(const struct overview_view *s, char *text, size_t size)
{
	const struct structure *x = structure_of(s);
	char n[UNIT_TEXT];
	uint32_t i = 0;

	text[0] = 0;
	while (i < s->word_count && s->structure->words[s->words[i].word].times < 2)
		i++;
	if (i < s->word_count) {
		const struct structure_word *w = &s->structure->words[s->words[i].word];

		if (fold_is_loop(x->shown->fold, w->symbol))
			snprintf(text, size, "%u(): loop, %s iterations", (unsigned)w->times, unit_count(n, w->times));
		else
			snprintf(text, size, "%u*%u: phase %u, %s times", (unsigned)w->times, (unsigned)fold_id(x->shown->fold, w->symbol),
				 (unsigned)fold_id(x->shown->fold, w->symbol), unit_count(n, w->times));
	} else if (s->word_count) {
		snprintf(text, size, "numbers: phases");
	}
	if (x->kind == STRUCTURE_RELEVANT)
		snprintf(text + strlen(text), size - strlen(text), "; relevant phases only");
}

/* Phases of before may be more than there are now; a description is no name. */
static enum role role_of(const struct overview_view *s, const struct shown_words *p, const struct structure_word *w)
{
	bool loop = w->opens || w->closes;

	if (overview_is_old(s, PAGE_STRUCTURE))
		return ROLE_DIM;
	if (loop)
		return w->loop == p->main ? ROLE_VALUE : ROLE_DEFAULT;
	if (overview_reads(s))
		return pattern_is_named((enum pattern_kind)overview_word_pattern(s, w)->key.kind) ? ROLE_DEFAULT : ROLE_DIM;
	return phase_look(s->view.model, fold_id(p->fold, w->symbol)).role;
}

void overview_loops_draw(const struct overview_view *s, struct pane p)
{
	const struct shown_words shown = words_shown(s);
	bool here = overview_selected(s, PAGE_STRUCTURE, 0), old = overview_is_old(s, PAGE_STRUCTURE);
	int top, behind = 0;
	char text[64], note[96] = "";

	if (!shown.word)
		return;
	if (!overview_reads(s))
		legend(s, note, sizeof note);
	top = first_row(s, p.h);
	for (uint32_t i = 0; i < s->word_count; i++) {
		const struct overview_word *w = &s->words[i];
		const struct structure_word *word = &shown.word[w->word];

		if (w->row < top || w->row >= top + p.h)
			continue;
		word_text(s, word, w->folded, text);
		behind = w->row == s->word_rows - 1 || w->row == top + p.h - 1 ? w->x + w->w + w->parted : behind;
		pane_text(p, w->x, w->row - top, role_of(s, &shown, word), here && i == s->word ? ATTR_CURSOR : 0, text);
		if (w->parted)
			pane_text(p, w->x + w->w, w->row - top, old ? ROLE_DIM : ROLE_DEFAULT, 0, ";");
	}
	if (top > 0) /* in the blanks behind the label */
		pane_text((struct pane){p.canvas, p.x - 2, p.y, 2, 1}, 0, 0, ROLE_DIM, 0, "…");
	if (s->word_rows > top + p.h || s->words_cut)
		pane_text(p, behind < p.w - 1 ? behind + 1 : p.w - 1, p.h - 1, ROLE_DIM, 0, "…");
	else if (s->word_count && note[0] && behind + 3 + text_width(note) <= p.w)
		pane_text(p, behind + 3, s->word_rows - 1 - top, ROLE_DIM, 0, note);
}

bool overview_fold(struct overview_view *s)
{
	const struct shown_words p = words_shown(s);
	uint32_t at = s->word < s->word_count ? s->words[s->word].word : UINT32_MAX;
	const struct structure_word *w;

	if (at == UINT32_MAX || !p.word)
		return false;
	w = &p.word[at];
	if (!w->opens && !w->closes)
		return false;
	s->folded[w->loop] = !s->folded[w->loop];
	/* At its "14(" again, wherever that stands now. */
	while (w->closes && at && !(p.word[at].opens && p.word[at].depth == w->depth))
		at--;
	lay_out_words(s, s->words_w);
	s->word = 0;
	while (s->word + 1 < s->word_count && s->words[s->word + 1].word <= at)
		s->word++;
	return true;
}

const struct structure_word *overview_word_here(const struct overview_view *s)
{
	const struct shown_words p = words_shown(s);

	return p.word && s->word < s->word_count ? &p.word[s->words[s->word].word] : NULL;
}

uint32_t overview_word_phase(const struct overview_view *s)
{
	const struct structure *x = structure_of(s);
	const struct structure_word *w = overview_word_here(s);

	if (!x || !w || overview_reads(s))
		return 0;
	return w->opens || w->closes || fold_is_loop(x->shown->fold, w->symbol) ? 0 : fold_id(x->shown->fold, w->symbol);
}

void overview_word_move(struct overview_view *s, int by)
{
	if (by < 0 && s->word)
		s->word--;
	if (by > 0 && s->word + 1 < s->word_count)
		s->word++;
}

void overview_word_click(struct overview_view *s, int x, int y)
{
	int row = first_row(s, s->words_h) + y;

	for (uint32_t i = 0; i < s->word_count; i++)
		if (s->words[i].row == row && x >= s->words[i].x && x < s->words[i].x + s->words[i].w) {
			s->word = i;
			return;
		}
}

void overview_word_describe(const struct overview_view *s, char *text, size_t size)
{
	const struct structure *x = structure_of(s);
	uint32_t phase = overview_word_phase(s);
	const struct structure_word *w = overview_word_here(s);
	const struct phase_figures *f;
	char a[UNIT_TEXT], b[UNIT_TEXT], n[UNIT_TEXT], key[16];
	double seconds;

	text[0] = 0;
	if (!w)
		return;
	if (overview_reads(s)) {
		overview_reading_describe(s, w, s->words[s->word].folded, text, size);
		return;
	}
	keymap_first(s->view.model->keymap, ACTION_ENTER, key);
	if (phase) {
		f = &s->structure->analysis->figures->phase[phase - 1];
		snprintf(text, size, "phase %u", (unsigned)phase);
		if (w->times > 1)
			snprintf(text + strlen(text), size - strlen(text), ", %s times in a row", unit_count(n, w->times));
		snprintf(text + strlen(text), size - strlen(text), " · %s each · %s %s in total · %s: show it",
			 unit_figure_time(a, f->time), unit_figure_percent(b, f->share), settings_share_of(&s->structure->analysis->settings, "of the run"), key);
		return;
	}
	seconds = folding_length(x->shown, w->loop, x->run.u);
	snprintf(text, size, "%s of %s iterations · %s of the run · %s each · %s: %s · ←→ along",
		 structure_is_main(x, w->loop) ? "main loop" : "loop", unit_count(n, w->times),
		 unit_figure_percent(b, x->aet > 0 ? seconds / x->aet : (double)NAN),
		 unit_figure_time(a, seconds / (double)folding_iterations(x->shown, w->loop)), key,
		 s->folded[w->loop] ? "unfold" : "fold");
}

/* --- iterations --- */

/* A place in each column of the bars that stand out: the plot's bars that have places are one column wide. */
static void make_marks(struct overview_view *s, int room, uint32_t iterations)
{
	uint32_t n = 0;

	for (int x = 0; x < room; x++)
		n += s->outliers[(uint64_t)x * s->bar_count / (uint64_t)room] > 0;
	s->mark_count = n;
	n = 0;
	for (int x = 0; x < room; x++) {
		double y = s->outliers[(uint64_t)x * s->bar_count / (uint64_t)room];

		if (!(y > 0))
			continue;
		s->marks[n] = 0.5 + (x + 0.5) / room * iterations;
		s->marks[s->mark_count + n++] = y;
	}
}

/* Columns that the plot's axis takes are not known beforehand: a few bars less than there are columns do no harm. */
void overview_bars_make(struct overview_view *s, int room)
{
	const struct main_loop *m = structure_of(s) ? &structure_of(s)->main : NULL;
	uint32_t n = m && room > 0 ? m->iterations < (uint32_t)room ? m->iterations : (uint32_t)room : 0;
	void *bars, *outliers, *marks;

	if (s->bars_of == s->of.structure + 1 && s->bars_w == room)
		return;
	s->bar_count = s->mark_count = 0;
	if (!n)
		return;
	bars = mem_resize(s->bars, n, sizeof *s->bars);
	if (bars)
		s->bars = bars;
	outliers = mem_resize(s->outliers, n, sizeof *s->outliers);
	if (outliers)
		s->outliers = outliers;
	marks = mem_resize(s->marks, 2 * (size_t)room, sizeof *s->marks);
	if (marks)
		s->marks = marks;
	if (!bars || !outliers || !marks)
		return;
	for (uint32_t k = 0, next = 0; k < n; k++) {
		uint32_t end = (uint32_t)((uint64_t)(k + 1) * m->iterations / n);

		s->bars[k] = 0;
		s->outliers[k] = 0;
		for (uint32_t i = (uint32_t)((uint64_t)k * m->iterations / n); i < end; i++)
			s->bars[k] = fmax(s->bars[k], m->seconds[i]);
		for (; next < m->outlier_count && m->outliers[next] < end; next++)
			s->outliers[k] = s->bars[k];
	}
	s->bar_count = n;
	make_marks(s, room, m->iterations);
	s->bars_of = s->of.structure + 1;
	s->bars_w = room;
}

static uint32_t bar_of(const struct overview_view *s, uint32_t iteration)
{
	uint32_t all = structure_of(s)->main.iterations, k = (uint32_t)((uint64_t)iteration * s->bar_count / all);

	while (k + 1 < s->bar_count && (uint64_t)(k + 1) * all / s->bar_count <= iteration)
		k++;
	return k;
}

static void draw_spark(const struct overview_view *s, struct pane p)
{
	bool here = overview_selected(s, PAGE_ITERATION, 0), old = overview_is_old(s, PAGE_ITERATION);
	int each = s->bar_count ? (p.w < (int)s->bar_count * 2 ? 1 : 2) : 1;
	double top = 0;

	for (uint32_t k = 0; k < s->bar_count; k++)
		top = fmax(top, s->bars[k]);
	for (uint32_t k = 0; k < s->bar_count; k++) {
		bool out = s->outliers[k] > 0, cursor = here && bar_of(s, s->iteration) == k;

		/* Seen without colours too: what stands out is underlined, the cursor's has a mark beside it. */
		for (int x = 0; x < each; x++)
			pane_put(p, (int)k * each + x, 0, (uint32_t)GLYPH_EIGHTHS(spark_eighths(s->bars[k], top)),
				 cursor ? ROLE_MATCH : old ? ROLE_DIM : out ? ROLE_WARN : ROLE_SEND, out ? ATTR_UNDERLINE : 0);
	}
}

static void draw_plot(const struct overview_view *s, struct pane p)
{
	const struct main_loop *m = &structure_of(s)->main;
	struct plot_series series[] = {
		{.name = "iteration", .kind = PLOT_BARS, .role = ROLE_SEND, .count = s->bar_count, .y = s->bars, .silent = true},
		{.name = "outlier", .kind = PLOT_BARS, .role = ROLE_WARN, .count = s->mark_count, .x = s->marks,
		 .y = s->marks + s->mark_count},
	};
	struct plot plot = PLOT_INIT;

	plot.x.from = 0.5;
	plot.x.to = m->iterations + 0.5;
	plot.x.unit = PLOT_COUNT;
	plot.y.from = 0;
	plot.y.unit = PLOT_SECONDS;
	plot.series = series;
	plot.series_count = m->outlier_count ? 2 : 1;
	if (overview_selected(s, PAGE_ITERATION, 0))
		plot.mark = s->iteration + 1.0;
	plot_draw(&plot, p);
	if (overview_is_old(s, PAGE_ITERATION))
		pane_dim(p);
}

void overview_bars_draw(const struct overview_view *s, struct pane p)
{
	if (!s->bar_count || !structure_of(s))
		return;
	if (p.h >= PLOT_ROWS)
		draw_plot(s, p);
	else
		draw_spark(s, p);
}

void overview_iteration_describe(const struct overview_view *s, char *text, size_t size)
{
	const struct structure *x = structure_of(s);
	char a[UNIT_TEXT], n[UNIT_TEXT], of[UNIT_TEXT], key[16], back[16], on[16], at[MOMENT_TEXT];
	const struct keymap *keys = s->view.model->keymap;
	uint32_t i = s->iteration, from, to;

	text[0] = 0;
	if (!x || i >= x->main.iterations || !program_structure_iteration(s->view.model, i, &from, &to))
		return;
	snprintf(text, size, "iteration %s of %s: %s%s, from %s · %s: logical view · ←→ another · %s %s: outliers",
		 unit_count(n, i + 1ull), unit_count(of, x->main.iterations), unit_figure_time(a, x->main.seconds[i]),
		 structure_stands_out(x, i) ? ", outlier" : "", moment_text(moment_of_tick(model_logical(s->view.model), from), at),
		 keymap_first(keys, ACTION_ENTER, key), keymap_first(keys, ACTION_PAGE_LEFT, back), keymap_first(keys, ACTION_PAGE_RIGHT, on));
}
