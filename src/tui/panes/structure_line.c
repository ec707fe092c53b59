#include "structure_line.h"

#include <stdio.h>
#include <string.h>

#define LABEL 15      /* columns for what it is called */
#define ROWS_FITTING 2

/* Words as they come, one after the other. */
struct layout {
	const struct structure_line *line;
	const struct model *m;
	const struct program_structure *s;
	uint32_t depth;
	int w, x, y;
	int most;              /* rows that there are */
	struct pane *p;        /* NULL: only to see how many it takes */
};

static const struct program_structure *current(const struct model *m)
{
	return program_structure_is_current(m) ? m->structure.now : NULL;
}

void structure_line_update(struct structure_line *l, const struct model *m)
{
	const struct program_structure *s = current(m);

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

/* A word in its parts: the count, and what is counted. False: there are no more rows. */
static bool put(struct layout *l, const struct structure_word *w, bool folded, bool selected, bool apart)
{
	uint32_t phase = phase_of(l->s, w);
	bool main = w->loop != STRUCTURE_NO_LOOP && l->s->structure->main.iterations && w->loop == l->s->structure->main.loop;
	unsigned attr = (selected ? ATTR_REVERSE : 0) | (main ? ATTR_BOLD : 0);
	char count[16] = "", what[16] = "";
	int wide;

	if (w->closes)
		strcpy(what, ")");
	else if (!phase)
		snprintf(what, sizeof what, "%s", folded ? "(...)" : "(");
	else
		snprintf(what, sizeof what, "%u", (unsigned)phase);
	if (!w->closes && (w->times > 1 || !phase))
		snprintf(count, sizeof count, "%u%s", (unsigned)w->times, phase ? "*" : "");
	wide = (int)(strlen(count) + strlen(what));
	if (apart && l->x > 0)
		l->x++;
	if (l->x + wide > l->w && l->x > 0) {
		l->x = 0;
		l->y++;
	}
	if (l->y >= l->most)
		return false;
	if (l->p) {
		int x = LABEL + l->x;

		x += pane_text(*l->p, x, l->y, main ? ROLE_TITLE : ROLE_DEFAULT, attr, count);
		pane_text(*l->p, x, l->y, phase ? phase_look(l->m, phase).role : main ? ROLE_TITLE : ROLE_DEFAULT, attr, what);
	}
	l->x += wide;
	return true;
}

/* Returns the rows that were taken; more than there are: something was cut. */
static int lay_out(struct layout *l)
{
	const struct structure_word *words = l->s->words, *before = NULL;

	for (uint32_t i = 0; i < l->s->word_count; i++) {
		const struct structure_word *w = &words[i];
		uint32_t end = i;
		bool selected = l->line->phase && !w->closes && phase_of(l->s, w) == l->line->phase;
		bool folded = w->opens && w->depth >= l->depth;

		for (; folded && !(words[end].closes && words[end].depth == w->depth); end++)
			selected = selected || (l->line->phase && phase_of(l->s, &words[end]) == l->line->phase);
		if (!put(l, w, folded, selected, before && structure_words_apart(before, w)))
			return l->most + 1;
		before = &words[folded ? end : i];
		i = end;
	}
	return l->y + 1;
}

static int rows_of(const struct structure_line *line, const struct model *m, uint32_t depth, int w, int most)
{
	struct layout l = {.line = line, .m = m, .s = current(m), .depth = depth, .w = w - LABEL - 1, .most = most};

	return lay_out(&l);
}

/* As it is drawn: what is asked for, or what fits. */
static uint32_t depth_of(const struct structure_line *l, const struct model *m, int w)
{
	uint32_t most = l->deepest, fits = 0;

	if (l->depth != STRUCTURE_AS_FITS)
		return l->depth < most ? l->depth : most;
	while (fits < most && rows_of(l, m, fits + 1, w, ROWS_FITTING) <= ROWS_FITTING)
		fits++;
	return fits;
}

uint32_t structure_line_deeper(const struct structure_line *l, const struct model *m, int w)
{
	uint32_t depth;

	if (!current(m))
		return l->depth;
	depth = depth_of(l, m, w);
	return depth < l->deepest ? depth + 1 : 0;
}

int structure_line_rows(const struct structure_line *l, const struct model *m, int w, int most)
{
	int rows;

	if (most < 1 || !current(m))
		return most >= 1 && !m->structure.failure[0];
	if (l->depth == STRUCTURE_AS_FITS && most > ROWS_FITTING)
		most = ROWS_FITTING;
	rows = rows_of(l, m, depth_of(l, m, w), w, most);
	return rows < most ? rows : most;
}

void structure_line_draw(const struct structure_line *line, const struct model *m, struct pane p)
{
	struct layout l = {.line = line, .m = m, .s = current(m), .w = p.w - LABEL - 1, .most = p.h, .p = &p};

	if (p.h < 1)
		return;
	if (!l.s) {
		pane_text(p, 1, 0, ROLE_DIM, 0, "structure");
		pane_text(p, LABEL, 0, ROLE_DIM, 0, "Looking for loops…");
		return;
	}
	pane_text(p, 1, 0, ROLE_HEADER, 0, l.s->structure->kind == STRUCTURE_RELEVANT ? "relevant ones" : "structure");
	l.depth = depth_of(line, m, p.w);
	if (lay_out(&l) > p.h)
		pane_text(p, p.w - 2, p.h - 1, ROLE_DIM, 0, "…");
}

void structure_line_describe(const struct structure_line *l, const struct model *m, int w, char *text, size_t size)
{
	uint32_t depth;

	if (!current(m)) {
		snprintf(text, size, "The loops of the run are still being looked for.");
		return;
	}
	depth = depth_of(l, m, w);
	if (!l->deepest)
		snprintf(text, size, "The structure has no loops to unfold.");
	else if (!depth)
		snprintf(text, size, "All loops are folded.");
	else if (depth == l->deepest)
		snprintf(text, size, "All loops are unfolded.");
	else
		snprintf(text, size, "Loops are unfolded %u deep, of %u.", (unsigned)depth, (unsigned)l->deepest);
}
