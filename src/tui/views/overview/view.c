/* The overview: one page about what the run repeats, how efficient it is, where its time goes and what to do next. */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "overview_int.h"

static struct overview_view *self(struct view *v)
{
	return (struct overview_view *)v;
}

static void close_overview(struct view *v)
{
	struct overview_view *s = self(v);

	overview_forget(s);
	analysis_unref(s->read);
	mem_free(s->reading);
	mem_free(s->phase_order);
	mem_free(s->state_order);
	mem_free(s->folded);
	mem_free(s->words);
	mem_free(s->bars);
	mem_free(s->outliers);
	mem_free(s->marks);
	mem_free(s->items);
}

static void update_overview(struct view *v, int w, int h)
{
	struct overview_view *s = self(v);

	if (overview_take(s) || s->w != w || s->h != h || !s->item_count)
		overview_lay_out(s, w, h);
	if (s->step >= s->facts.next_count)
		s->step = 0;
}

static void draw_overview(const struct view *v, struct pane p)
{
	const struct overview_view *s = (const struct overview_view *)v;
	/* The pane shows a part of the page; items above it are not drawn. */
	struct pane page = {p.canvas, p.x, p.y - s->top, p.w, p.h + s->top};

	if (!s->item_count)
		return;
	overview_lines_draw(s, page);
	overview_blocks_draw(s, page);
}

/* --- keys --- */

/* To the item that is nearest on the page: the next row, at about the same column. */
static void overview_move_item(struct overview_view *s, int by)
{
	const struct overview_item *here = overview_here(s);
	uint32_t best = UINT32_MAX;
	int away = 0;

	if (!here)
		return;
	for (uint32_t k = 0; k < s->item_count; k++) {
		const struct overview_item *i = &s->items[k];
		int rows = (i->y - here->y) * by, columns = i->x > here->x ? i->x - here->x : here->x - i->x, d;

		if (rows <= 0)
			continue;
		d = rows * 1000 + columns;
		if (best == UINT32_MAX || d < away) {
			best = k;
			away = d;
		}
	}
	if (best != UINT32_MAX)
		s->at = best;
}

/* To what stands beside it, if anything does. */
static bool sideways(struct overview_view *s, int by)
{
	const struct overview_item *here = overview_here(s);
	uint32_t best = UINT32_MAX;
	int away = 0;

	for (uint32_t k = 0; k < s->item_count; k++) {
		const struct overview_item *i = &s->items[k];
		int columns = (i->x - here->x) * by, rows = i->y > here->y ? i->y - here->y : here->y - i->y;

		if (columns <= 0 || (here->block < 0 && rows) || (here->block >= 0 && i->block < 0))
			continue;
		if (best == UINT32_MAX || columns * 1000 + rows < away) {
			best = k;
			away = columns * 1000 + rows;
		}
	}
	if (best == UINT32_MAX)
		return false;
	s->at = best;
	return true;
}

static void next_outlier(struct overview_view *s, int by)
{
	const struct main_loop *m = &s->structure->structure->main;
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < m->outlier_count; i++) {
		if (by > 0 && m->outliers[i] > s->iteration) {
			best = m->outliers[i];
			break;
		}
		if (by < 0 && m->outliers[i] < s->iteration)
			best = m->outliers[i];
	}
	if (best != UINT32_MAX)
		s->iteration = best;
	else
		snprintf(s->view.model->message, sizeof s->view.model->message, "No other outlier there.");
}

/* Along the line: its words, iterations, steps; otherwise to what stands beside it. */
static void along(struct overview_view *s, int by, bool far)
{
	const struct overview_item *here = overview_here(s);

	if (!here)
		return;
	if (here->line == PAGE_STRUCTURE && s->word_count) {
		for (int k = 0; k < (far ? 10 : 1); k++)
			overview_word_move(s, by);
	} else if (here->line == PAGE_ITERATION && s->known && s->facts.iterations) {
		if (far)
			next_outlier(s, by);
		else if (by < 0 ? s->iteration > 0 : s->iteration + 1 < s->facts.iterations)
			s->iteration += (uint32_t)by;
	} else if (here->line == PAGE_NEXT && s->known) {
		if (by < 0 ? s->step > 0 : s->step + 1 < s->facts.next_count)
			s->step += (uint32_t)by;
	} else {
		sideways(s, by);
	}
}

/* Esc ends what is made in the background, once the analysis is there; Enter on a line that misses it begins it
 * again. */
static bool overview_stop_work(struct overview_view *s)
{
	struct model *m = s->view.model;
	bool busy = m->analysis && !m->busy && (spending_busy(m) || derived_busy(&m->structure) || derived_busy(&m->plan));

	if (!busy)
		return false;
	spending_cancel(m);
	derived_cancel(&m->structure);
	derived_cancel(&m->plan);
	return true;
}

static void again(struct model *m)
{
	if (spending_failure(m)[0])
		spending_again(m);
	if (m->structure.failure[0])
		derived_again(&m->structure);
	if (m->plan.failure[0])
		derived_again(&m->plan);
}

static void show_numbers(struct overview_view *s, bool numbers)
{
	if (s->read && s->reading_words)
		s->numbers = numbers;
	else
		snprintf(s->view.model->message, sizeof s->view.model->message, "There is no reading of this trace, or not yet.");
}

static unsigned act_overview(struct view *v, enum action a)
{
	struct overview_view *s = self(v);

	switch (a) {
	case ACTION_READING: show_numbers(s, !s->numbers); break;
	case ACTION_UP: overview_move_item(s, -1); break;
	case ACTION_DOWN: overview_move_item(s, 1); break;
	case ACTION_PAGE_UP:
	case ACTION_HALF_UP:
		for (int i = 0; i < s->h / 2; i++)
			overview_move_item(s, -1);
		break;
	case ACTION_PAGE_DOWN:
	case ACTION_HALF_DOWN:
		for (int i = 0; i < s->h / 2; i++)
			overview_move_item(s, 1);
		break;
	case ACTION_FIRST: s->at = 0; break;
	case ACTION_BACK: return overview_stop_work(s) ? REACT_DONE : REACT_IGNORED;
	case ACTION_LAST: s->at = s->item_count ? s->item_count - 1 : 0; break;
	case ACTION_LEFT: along(s, -1, false); break;
	case ACTION_RIGHT: along(s, 1, false); break;
	case ACTION_PAGE_LEFT: along(s, -1, true); break;
	case ACTION_PAGE_RIGHT: along(s, 1, true); break;
	case ACTION_ENTER: {
		unsigned reaction;

		again(v->model);
		reaction = overview_go(s);

		if (reaction == REACT_DONE)
			overview_lay_out(s, s->w, s->h);
		return reaction;
	}
	default: return REACT_IGNORED;
	}
	overview_lay_out(s, s->w, s->h);
	return REACT_DONE;
}

static bool click_overview(struct view *v, int x, int y)
{
	struct overview_view *s = self(v);
	uint32_t was = s->at, word = s->word;

	for (uint32_t k = 0; k < s->item_count; k++) {
		const struct overview_item *i = &s->items[k];

		if (y + s->top < i->y || y + s->top >= i->y + i->h || x < i->x || x >= i->x + i->w)
			continue;
		s->at = k;
		if (i->line == PAGE_STRUCTURE)
			overview_word_click(s, x - overview_label_width(s), y + s->top - s->words_y);
		return was == k && word == s->word;
	}
	return false;
}

/* --- status --- */

static const char *meaning(enum overview_line line)
{
	switch (line) {
	case PAGE_PATTERNS: return "share of the run time by kind of pattern";
	case PAGE_TIME: return "time breakdown of the total time";
	case PAGE_EFFICIENCY: return "mean computation / run time, and its factors; ideal: 100 %";
	case PAGE_PHASES: return "repeated stretches of the run; the relevant ones predict it, with this error";
	case PAGE_LOST: return "pair of ranks with the longest waiting time";
	case PAGE_SLOWEST: return "rank with the most computation, against the mean";
	case PAGE_HEAVIEST: return "pair of ranks with the most data";
	case PAGE_SIGNATURE: return "windows to measure on a target machine, to predict the run";
	case PAGE_WARNINGS: return "issues in the trace that may affect the values";
	default: return "";
	}
}

static void status_overview(const struct view *v, char *text, size_t size, int room)
{
	const struct overview_view *s = (const struct overview_view *)v;
	const struct overview_item *i = overview_here(s);
	static const char *const where[PAGE_LINES] = {
		[PAGE_PATTERNS] = "phases", [PAGE_TIME] = "metrics", [PAGE_EFFICIENCY] = "metrics", [PAGE_PHASES] = "phases", [PAGE_LOST] = "show it",
		[PAGE_SLOWEST] = "by rank", [PAGE_HEAVIEST] = "messages between ranks", [PAGE_SIGNATURE] = "plans",
		[PAGE_WARNINGS] = "list",
		[PAGE_NEXT] = "do it",
	};
	char key[16], why[OVERVIEW_TEXT];
	(void)room;

	text[0] = 0;
	if (!i)
		return;
	keymap_first(v->model->keymap, ACTION_ENTER, key);
	if (i->line >= PAGE_LINES)
		overview_row_describe(s, i, text, size);
	else if (i->line == PAGE_STRUCTURE && s->word_count)
		overview_word_describe(s, text, size);
	else if (i->line == PAGE_ITERATION && s->known && s->facts.iterations)
		overview_iteration_describe(s, text, size);
	else if (i->line == PAGE_NEXT && s->known && s->step < s->facts.next_count)
		snprintf(text, size, "%s · ←→ another · %s: %s", overview_step_text(s->facts.next[s->step]), key, where[PAGE_NEXT]);
	else if (overview_why_not(s, i->line, why))
		snprintf(text, size, "%s", meaning(i->line));
	else
		snprintf(text, size, "%s · %s: %s", meaning(i->line), key, where[i->line] ? where[i->line] : "");
}

static const struct hint hints[] = {
	{ACTION_UP, ACTION_DOWN, "lines"},
	{ACTION_LEFT, ACTION_RIGHT, "along"},
	{ACTION_ENTER, ACTION_NONE, "details"},
	{ACTION_READING, ACTION_NONE, "words, numbers"},
	{ACTION_HELP, ACTION_NONE, "help"},
	{ACTION_NONE, ACTION_NONE, NULL},
};

const struct view_ops view_overview = {
	.size = sizeof(struct overview_view),
	.hints = hints,
	.early = PAGE_LINES - 1, /* that of the patterns comes with the trace */
	.close = close_overview,
	.update = update_overview,
	.draw = draw_overview,
	.act = act_overview,
	.click = click_overview,
	.status = status_overview,
	.table = overview_table,
};
