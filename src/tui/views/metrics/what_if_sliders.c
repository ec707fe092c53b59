#include "metrics_int.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/bars.h"

#define STEPS 10   /* of a factor of 1 */
#define MOST 2.0

/* Columns: pointer, name, bar, factor; then, if there is room, the figures. */
#define NAME_X 3
#define NAME_W 14
#define BAR_X (NAME_X + NAME_W)
#define BAR_W 20   /* a column per step */
#define FACTOR_X (BAR_X + BAR_W + 1)
#define FACTOR_W 6
#define TABLE_X (FACTOR_X + FACTOR_W + 2)
#define FIGURES 4
#define FIGURE_W 10
#define TABLE_LEAST (TABLE_X + 13 + 2 * FIGURE_W)

/* --- what they are of --- */

static struct what_if *change_of(const struct metrics_view *s)
{
	return &s->view.model->projected.change;
}

static struct what slider(const struct metrics_view *s, int line)
{
	const struct what_if_sliders *w = &s->sliders;

	switch (line) {
	case 0: return (struct what){.kind = WHAT_NETWORK, .factor = 1};
	case 1: return (struct what){.kind = WHAT_RANKS, .factor = 1, .first = w->rank, .last = w->rank};
	case 2:
		if (w->phase)
			return (struct what){.kind = WHAT_PHASE, .factor = 1, .first = w->phase, .last = w->phase};
		/* fall through */
	default: return (struct what){.kind = WHAT_BALANCE, .factor = 1};
	}
}

static int slider_count(const struct metrics_view *s)
{
	return s->sliders.phase ? 4 : 3;
}

static bool same_thing(const struct what *a, const struct what *b)
{
	return a->kind == b->kind && (a->kind != WHAT_RANKS || (a->first == b->first && a->last == b->last)) &&
	       (a->kind != WHAT_PHASE || a->first == b->first);
}

/* What the text says of it, more than once as a product. Of balance: 1 where it is asked for. */
static double factor_of(const struct metrics_view *s, const struct what *what)
{
	const struct what_if *change = change_of(s);
	double factor = 1;
	bool there = false;

	for (uint32_t i = 0; i < change->count; i++)
		if (same_thing(&change->list[i], what)) {
			factor *= change->list[i].factor;
			there = true;
		}
	return what->kind == WHAT_BALANCE ? there : factor;
}

/* In the place where it stood, otherwise at the end; a factor of 1, and balance off, is nothing. */
static void set_factor(struct metrics_view *s, struct what what, double factor)
{
	struct model *m = s->view.model;
	const struct what_if *old = change_of(s);
	struct what_if change = {.count = 0};
	bool nothing = what.kind == WHAT_BALANCE ? factor <= 0 : fabs(factor - 1) < 0.5 / STEPS, placed = nothing;

	if (what.kind != WHAT_BALANCE)
		what.factor = factor;
	for (uint32_t i = 0; i < old->count; i++) {
		bool it = same_thing(&old->list[i], &what);

		if (!it)
			change.list[change.count++] = old->list[i];
		else if (!placed)
			change.list[change.count++] = what;
		placed = placed || it;
	}
	if (!placed && change.count == WHAT_MOST) {
		snprintf(m->message, sizeof m->message, "At most %d changes at once.", WHAT_MOST);
		return;
	}
	if (!placed)
		change.list[change.count++] = what;
	projected_change(m, &change);
}

/* The process of a row under the cursor; UINT32_MAX: rows are not by process. */
static uint32_t rank_under_cursor(const struct metrics_view *s)
{
	uint32_t row = list_row(&s->lists[GUILTY_BY_PROCESS]);

	if (s->page != METRICS_GUILTY || s->by != GUILTY_BY_PROCESS || row >= s->run->processes.count)
		return UINT32_MAX;
	return s->run->processes.row[row].process;
}

static uint32_t heaviest_rank(const struct metrics_view *s)
{
	const struct run_metrics *m = s->run->metrics;
	uint32_t heaviest = 0;

	for (uint32_t i = 1; i < m->processes; i++)
		if (m->of_process[i].by_kind[ACCOUNT_USEFUL] > m->of_process[heaviest].by_kind[ACCOUNT_USEFUL])
			heaviest = i;
	return heaviest;
}

static bool is_phase(const struct phase_row *row)
{
	return row->phase != SPAN_BEFORE && row->phase != SPAN_AFTER;
}

static bool has_phase(const struct metrics_view *s, uint32_t phase)
{
	for (uint32_t i = 0; s->phases && i < s->phases->rows.count; i++)
		if (is_phase(&s->phases->rows.row[i]) && s->phases->rows.row[i].phase == phase)
			return true;
	return false;
}

/* 0: none. */
static uint32_t phase_under_cursor(const struct metrics_view *s)
{
	uint32_t row = list_row(&s->lists[GUILTY_BY_PHASE]);

	if (s->page != METRICS_GUILTY || s->by != GUILTY_BY_PHASE || !s->phases || row >= s->phases->rows.count ||
	    !is_phase(&s->phases->rows.row[row]))
		return 0;
	return s->phases->rows.row[row].phase;
}

static uint32_t costliest_phase(const struct metrics_view *s)
{
	double most = -1;
	uint32_t phase = 0;

	for (uint32_t i = 0; s->phases && i < s->phases->rows.count; i++) {
		double lost = metrics_row_lost(s, GUILTY_BY_PHASE, i, metrics_selected(s));

		if (!is_phase(&s->phases->rows.row[i]) || !(lost > most))
			continue;
		most = lost;
		phase = s->phases->rows.row[i].phase;
	}
	return phase;
}

/* The first of a kind that a text names; NULL: none. */
static const struct what *named(const struct metrics_view *s, enum what_kind kind)
{
	const struct what_if *change = change_of(s);

	for (uint32_t i = 0; i < change->count; i++)
		if (change->list[i].kind == kind && change->list[i].first == change->list[i].last)
			return &change->list[i];
	return NULL;
}

void what_if_sliders_open(struct metrics_view *s)
{
	const struct what *rank = named(s, WHAT_RANKS), *phase = named(s, WHAT_PHASE);
	uint32_t at;

	s->sliders = (struct what_if_sliders){.open = true};
	at = rank_under_cursor(s);
	s->sliders.rank = at != UINT32_MAX ? at : rank && rank->first < s->run->metrics->processes ? rank->first : heaviest_rank(s);
	at = phase_under_cursor(s);
	s->sliders.phase = at ? at : phase && has_phase(s, phase->first) ? phase->first : costliest_phase(s);
}

void what_if_sliders_update(struct metrics_view *s)
{
	struct what_if_sliders *w = &s->sliders;

	if (!w->open)
		return;
	if (!s->run->metrics->has_account) {
		w->open = false;
		return;
	}
	if (w->rank >= s->run->metrics->processes)
		w->rank = heaviest_rank(s);
	if (!has_phase(s, w->phase))
		w->phase = costliest_phase(s);
	if (w->selected >= slider_count(s))
		w->selected = slider_count(s) - 1;
}

/* --- keys --- */

static void slider_turn(struct metrics_view *s, int by)
{
	struct what what = slider(s, s->sliders.selected);
	double factor = factor_of(s, &what), steps = factor * STEPS;

	if (what.kind == WHAT_BALANCE) {
		if ((by > 0) != (factor > 0))
			set_factor(s, what, by > 0);
		return;
	}
	/* From between two steps to the next; the tenth of a whole number is what the same text says. */
	steps = by > 0 ? floor(steps + 1e-9) + 1 : ceil(steps - 1e-9) - 1;
	steps = steps < 0 ? 0 : steps > MOST * STEPS ? MOST * STEPS : steps;
	if ((by > 0 && steps / STEPS > factor) || (by < 0 && steps / STEPS < factor))
		set_factor(s, what, steps / STEPS);
}

unsigned what_if_sliders_act(struct metrics_view *s, enum action a)
{
	struct what_if_sliders *w = &s->sliders;

	switch (a) {
	case ACTION_UP: w->selected -= w->selected > 0; break;
	case ACTION_DOWN: w->selected += w->selected + 1 < slider_count(s); break;
	case ACTION_LEFT: slider_turn(s, -1); break;
	case ACTION_RIGHT: slider_turn(s, 1); break;
	case ACTION_ENTER:
	case ACTION_WHAT_IF: return REACT_DONE | REACT_ACCEPT;
	case ACTION_BACK:
		w->open = false;
		projected_change(s->view.model, &(struct what_if){.count = 0});
		break;
	default: return REACT_IGNORED;
	}
	return REACT_DONE;
}

/* --- drawing --- */

int what_if_sliders_rows(const struct metrics_view *s)
{
	return s->sliders.open ? 1 + FIGURES : 0;
}

bool what_if_sliders_compare(const struct metrics_view *s)
{
	return s->sliders.open && s->w >= TABLE_LEAST + 1;
}

static void draw_head(const struct metrics_view *s, struct pane p)
{
	const struct model *m = s->view.model;
	const struct projected_run *would = projected_changed(m), *unchanged = projected_unchanged(m);
	int x = 1 + pane_text(p, 1, 0, ROLE_HEADER, 0, "what if "), right = p.w - 1;
	char text[64] = "", of[UNIT_TEXT];

	if (what_if_sliders_compare(s)) {
		pane_text_right(p, TABLE_LEAST - FIGURE_W, 0, ROLE_HEADER, 0, would ? "unchanged" : "measured");
		pane_text_right(p, TABLE_LEAST, 0, ROLE_HEADER, 0, "projected");
		right = TABLE_LEAST - 2 * FIGURE_W - 1;
	}
	if (!m->projected.change.count) {
		pane_text_in(p, x, 0, right - x, ROLE_DIM, 0, "no changes");
		return;
	}
	if (projected_failure(m)[0] && s->page == METRICS_GUILTY) { /* the others have a line for notes */
		pane_text_in(p, x, 0, right - x, ROLE_WARN, 0, projected_failure(m));
		return;
	}
	if (would && unchanged->runtime > 0)
		snprintf(text, sizeof text, ": %+.1f %%%s%s%s", 100 * (would->runtime / unchanged->runtime - 1),
			 what_if_sliders_compare(s) ? "" : " on ", what_if_sliders_compare(s) ? "" : unit_time(of, unchanged->runtime),
			 what_if_sliders_compare(s) ? "" : " unchanged"); /* the table says it */
	else if (!projected_failure(m)[0])
		snprintf(text, sizeof text, " …");
	x += pane_text_in(p, x, 0, right - x - text_width(text), ROLE_VALUE, 0, m->projected.text);
	pane_text_in(p, x, 0, right - x, !would ? ROLE_DIM : would->runtime < unchanged->runtime ? ROLE_BETTER : ROLE_WORSE, 0, text);
}

static void draw_slider(const struct metrics_view *s, struct pane p, int line)
{
	struct what what = slider(s, line);
	struct what_if one = {.count = 1, .list = {what}};
	double factor = factor_of(s, &what);
	bool here = line == s->sliders.selected;
	char text[WHAT_NAME + NUMBER_TEXT + 8], number[NUMBER_TEXT], *cut;

	if (here)
		pane_put(p, 1, 0, GLYPH_POINTER, ROLE_KEY, 0);
	what_if_text(&one, text, sizeof text);
	if ((cut = strstr(text, " x ")))
		*cut = '\0';
	pane_text_in(p, NAME_X, 0, NAME_W - 1, here ? ROLE_VALUE : ROLE_DEFAULT, 0, text);
	if (what.kind == WHAT_BALANCE) {
		pane_text(p, BAR_X, 0, factor > 0 ? ROLE_VALUE : ROLE_DIM, 0, factor > 0 ? "on" : "off");
		return;
	}
	bar_draw_eighths(p, BAR_X, 0, BAR_W, factor / MOST, ROLE_SLIDER);
	number_format(factor, number);
	snprintf(text, sizeof text, "x %s", number);
	pane_text_in(p, FACTOR_X, 0, FACTOR_W, factor < 1 || factor > 1 ? ROLE_VALUE : ROLE_DIM, 0, text);
}

/* A figure as it was, and as it would be: dots while that is computed, nothing where nothing is asked. */
static void draw_figure(const struct metrics_view *s, struct pane p, int line)
{
	static const char *const names[FIGURES] = {"run time", "parallel eff.", "load balance", "comm. eff."};
	static const struct projected_run nothing = {.runtime = 0};
	const struct model *m = s->view.model;
	const struct projected_run *unchanged = projected_unchanged(m), *would = unchanged ? projected_changed(m) : &nothing;
	const struct factors *f = unchanged ? &unchanged->factors : &s->run->metrics->factors;
	const double was[FIGURES] = {unchanged ? unchanged->runtime : s->run->metrics->runtime, f->parallel_efficiency, f->load_balance,
				     f->communication_efficiency};
	const double is[FIGURES] = {would->runtime, would->factors.parallel_efficiency, would->factors.load_balance,
			     would->factors.communication_efficiency};
	const char *(*unit)(char *, double) = line ? unit_figure_percent : unit_figure_time;
	bool better = line ? is[line] > was[line] : is[line] < was[line], same = is[line] >= was[line] && is[line] <= was[line];
	char text[UNIT_TEXT];

	pane_text(p, TABLE_X, 0, ROLE_DEFAULT, 0, names[line]);
	pane_text_right(p, TABLE_LEAST - FIGURE_W, 0, ROLE_DEFAULT, 0, unit(text, was[line]));
	if (unchanged)
		pane_text_right(p, TABLE_LEAST, 0, same ? ROLE_DEFAULT : better ? ROLE_BETTER : ROLE_WORSE, 0, unit(text, is[line]));
	else if (m->projected.change.count && !projected_failure(m)[0])
		pane_text_right(p, TABLE_LEAST, 0, ROLE_DIM, 0, "…");
}

void what_if_sliders_draw(const struct metrics_view *s, struct pane p)
{
	/* On a low screen the selected one is the last that is seen. */
	int top = s->sliders.selected > p.h - 2 ? s->sliders.selected - (p.h - 2) : 0;

	draw_head(s, pane_part(p, 0, 0, p.w, 1));
	p = pane_part(p, 0, 1, p.w, p.h - 1);
	for (int i = top; i < slider_count(s); i++)
		draw_slider(s, pane_part(p, 0, i - top, p.w, 1), i);
	for (int i = 0; i < FIGURES && what_if_sliders_compare(s); i++)
		draw_figure(s, pane_part(p, 0, i, p.w, 1), i);
}
