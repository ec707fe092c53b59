#include "panes.h"

#include <stdio.h>
#include <string.h>

#define LABEL 15      /* columns for what it is called */
#define ROWS_FITTING 2

/* Words as they come, one after the other. */
struct words_layout {
	const struct structure_line *line;
	const struct model *m;
	const struct program_structure *s;
	bool old;              /* it is of the phases before */
	uint32_t depth;
	int w, x, y;
	int most;              /* rows that there are */
	struct pane *p;        /* NULL: only to see how many it takes */
};

/* Until that of the phases shown is there, the old one stays, dimmed: a knob that is turned moves nothing about. */
void structure_line_update(struct structure_line *l, const struct model *m)
{
	const struct program_structure *s = program_structure_now(m);

	if (!s || l->serial == m->structure.serial)
		return;
	l->serial = m->structure.serial;
	l->deepest = 0;
	for (uint32_t i = 0; i < s->word_count; i++)
		if (s->words[i].depth > l->deepest)
			l->deepest = s->words[i].depth;
}

static uint32_t phase_of(const struct program_structure *s, const struct structure_word *w)
{
	const struct fold *f = s->structure->shown->fold;

	return fold_is_loop(f, w->symbol) ? 0 : fold_id(f, w->symbol);
}

/* A word in its parts: the count, and what is counted. */
struct word_parts {
	char count[16], what[16];
};

static bool is_folded(const struct words_layout *l, const struct structure_word *w)
{
	return w->opens && w->depth >= l->depth;
}

static int parts_of(const struct words_layout *l, const struct structure_word *w, struct word_parts *parts)
{
	uint32_t phase = phase_of(l->s, w);

	*parts = (struct word_parts){.count = ""};
	if (w->closes)
		strcpy(parts->what, ")");
	else if (!phase)
		snprintf(parts->what, sizeof parts->what, "%s", is_folded(l, w) ? "(...)" : "(");
	else
		snprintf(parts->what, sizeof parts->what, "%u", (unsigned)phase);
	if (!w->closes && (w->times > 1 || !phase))
		snprintf(parts->count, sizeof parts->count, "%u%s", (unsigned)w->times, phase ? "*" : "");
	return (int)(strlen(parts->count) + strlen(parts->what));
}

/* The last word that this one stands for, where it is folded. */
static uint32_t end_of(const struct words_layout *l, uint32_t i)
{
	uint32_t end = i, depth = l->s->words[i].depth;

	if (is_folded(l, &l->s->words[i]))
		while (!(l->s->words[end].closes && l->s->words[end].depth == depth))
			end++;
	return end;
}

/* Columns of a word and of those that no blank parts from it. */
static int word_columns_together(const struct words_layout *l, uint32_t i)
{
	struct word_parts parts;
	int wide = 0;

	for (;;) {
		uint32_t end = end_of(l, i);

		wide += parts_of(l, &l->s->words[i], &parts);
		if (end + 1 >= l->s->word_count || wide > l->w || structure_words_apart(&l->s->words[end], &l->s->words[end + 1]))
			return wide;
		i = end + 1;
	}
}

static void word_put(struct words_layout *l, const struct structure_word *w, bool selected)
{
	uint32_t phase = phase_of(l->s, w);
	bool main = w->loop != STRUCTURE_NO_LOOP && structure_is_main(l->s->structure, w->loop);
	unsigned attr = (selected ? ATTR_REVERSE : 0) | (main ? ATTR_BOLD : 0);
	enum role role = l->old ? ROLE_DIM : main ? ROLE_TITLE : ROLE_DEFAULT;
	struct word_parts parts;
	int x = LABEL + l->x;

	l->x += parts_of(l, w, &parts);
	if (!l->p)
		return;
	x += pane_text(*l->p, x, l->y, role, attr, parts.count);
	pane_text(*l->p, x, l->y, phase && !l->old ? phase_look(l->m, phase).role : role, attr, parts.what);
}

static bool has_selected(const struct words_layout *l, uint32_t from, uint32_t end)
{
	for (uint32_t i = from; l->line->phase && !l->old && i <= end; i++)
		if (!l->s->words[i].closes && phase_of(l->s, &l->s->words[i]) == l->line->phase)
			return true;
	return false;
}

/* Returns the rows that were taken; more than there are: something was cut. */
static int words_lay_out(struct words_layout *l)
{
	const struct structure_word *before = NULL;

	for (uint32_t i = 0, end; i < l->s->word_count; i = end + 1) {
		const struct structure_word *w = &l->s->words[i];

		end = end_of(l, i);
		if (before && structure_words_apart(before, w)) {
			l->x++;
			if (l->x + word_columns_together(l, i) > l->w) {
				l->x = 0;
				l->y++;
			}
		}
		if (l->y >= l->most)
			return l->most + 1;
		word_put(l, w, has_selected(l, i, end));
		before = &l->s->words[end];
	}
	return l->y + 1;
}

static int structure_rows_at(const struct structure_line *line, const struct model *m, uint32_t depth, int w, int most)
{
	struct words_layout l = {.line = line, .m = m, .s = program_structure_now(m), .depth = depth, .w = w - LABEL - 1, .most = most};

	return words_lay_out(&l);
}

/* As it is drawn: what is asked for, or what fits. */
static uint32_t depth_of(const struct structure_line *l, const struct model *m, int w)
{
	uint32_t most = l->deepest, fits = 0;

	if (l->depth != STRUCTURE_AS_FITS)
		return l->depth < most ? l->depth : most;
	while (fits < most && structure_rows_at(l, m, fits + 1, w, ROWS_FITTING) <= ROWS_FITTING)
		fits++;
	return fits;
}

uint32_t structure_line_deeper(const struct structure_line *l, const struct model *m, int w)
{
	uint32_t depth;

	if (!program_structure_now(m))
		return l->depth;
	depth = depth_of(l, m, w);
	return depth < l->deepest ? depth + 1 : 0;
}

int structure_line_rows(const struct structure_line *l, const struct model *m, int w, int most)
{
	int rows;

	if (most < 1 || !program_structure_now(m))
		return most >= 1 && !m->structure.failure[0];
	if (l->depth == STRUCTURE_AS_FITS && most > ROWS_FITTING)
		most = ROWS_FITTING;
	rows = structure_rows_at(l, m, depth_of(l, m, w), w, most);
	return rows < most ? rows : most;
}

void structure_line_draw(const struct structure_line *line, const struct model *m, struct pane p)
{
	struct words_layout l = {.line = line, .m = m, .s = program_structure_now(m), .w = p.w - LABEL - 1, .most = p.h, .p = &p,
			   .old = !program_structure(m)};

	if (p.h < 1)
		return;
	if (!l.s) {
		pane_text(p, 1, 0, ROLE_DIM, 0, "structure");
		pane_text(p, LABEL, 0, ROLE_DIM, 0, "Looking for loops…");
		return;
	}
	pane_text(p, 1, 0, ROLE_HEADER, 0, l.s->structure->kind == STRUCTURE_RELEVANT ? "relevant" : "structure");
	l.depth = depth_of(line, m, p.w);
	if (words_lay_out(&l) > p.h)
		pane_text(p, p.w - 2, p.h - 1, ROLE_DIM, 0, "…");
}

void structure_line_describe(const struct structure_line *l, const struct model *m, int w, char *text, size_t size)
{
	uint32_t depth;

	if (!program_structure_now(m)) {
		snprintf(text, size, "Still looking for loops; try again in a moment.");
		return;
	}
	depth = depth_of(l, m, w);
	if (!l->deepest)
		snprintf(text, size, "The run has no loops to unfold.");
	else if (!depth)
		snprintf(text, size, "All loops are folded.");
	else if (depth == l->deepest)
		snprintf(text, size, "All loops are unfolded.");
	else
		snprintf(text, size, "Loops are unfolded %u of %u levels deep.", (unsigned)depth, (unsigned)l->deepest);
}
