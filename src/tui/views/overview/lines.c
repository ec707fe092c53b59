/* The page's lines: a label and the known values. */
#include <stdio.h>
#include <string.h>

#include "overview_int.h"
#include "tui/screen/glyphs.h"
#include "tui/widgets/bars.h"

static const struct {
	const char *whole, *brief;
} labels[PAGE_LINES] = {
	[PAGE_PATTERNS] = {"time by pattern", "patterns"},
	[PAGE_TIME] = {"time breakdown", "time"}, [PAGE_EFFICIENCY] = {"parallel eff.", "par. eff."},
	[PAGE_STRUCTURE] = {"loop structure", "loops"}, [PAGE_PHASES] = {"phases", "phases"},
	[PAGE_ITERATION] = {"main loop", "loop"}, [PAGE_LOST] = {"longest wait", "waiting"},
	[PAGE_SLOWEST] = {"most computation", "compute"}, [PAGE_HEAVIEST] = {"most data", "data"},
	[PAGE_SIGNATURE] = {"signature", "signature"}, [PAGE_WARNINGS] = {"warnings", "warnings"},
	[PAGE_NEXT] = {"next steps", "next"},
};

bool overview_selected(const struct overview_view *s, enum overview_line line, uint32_t index)
{
	const struct overview_item *i = overview_here(s);

	return i && i->line == line && (line < PAGE_LINES || i->index == index);
}

/* What is selected has its name reversed: plots and words beside it keep their colours. */
static void overview_label(const struct overview_view *s, struct pane page, const struct overview_item *i, const char *label)
{
	bool here = overview_here(s) == i;

	if (here)
		pane_put(page, i->x, i->y, GLYPH_POINTER, ROLE_KEY, 0);
	pane_text_in(page, i->x + 1, i->y, overview_label_width(s) - 2, here ? ROLE_SELECTED : ROLE_HEADER, 0, label);
}

/* Numbers of a sentence stand out. */
static void put_sentence(struct pane p, int x, int y, int room, enum role role, const char *text)
{
	char part[OVERVIEW_TEXT];
	int from = x;

	if (text_width(text) > room) {
		pane_text_in(p, x, y, room, role, 0, text);
		return;
	}
	for (size_t at = 0; text[at] && x - from < room;) {
		size_t n = strcspn(text + at, "0123456789"), word = strcspn(text + at, " ");
		bool number = n < word && role == ROLE_DEFAULT && (n == 0 || strchr("+-", text[at]));
		size_t len = word + strspn(text + at + word, " ");

		snprintf(part, sizeof part, "%.*s", (int)len, text + at);
		x += pane_text_in(p, x, y, room - (x - from), number ? ROLE_VALUE : role, 0, part);
		at += len;
	}
}

static char *last_of(char *text, const char *any)
{
	char *last = NULL;

	for (char *c = text; (c = strpbrk(c, any)) != NULL; c++)
		last = c;
	return last;
}

static char *last_before(char *text, const char *end, const char *word)
{
	char *last = NULL;

	for (char *c = text; (c = strstr(c, word)) != NULL && c < end; c++)
		last = c;
	return last;
}

/* What does not fit goes: words that say nothing new, then what is in brackets, then clauses from the last on. */
static void shorten(char *text, int room)
{
	static const char *const spare[] = {" in the trace"};
	char *cut, *end;

	for (size_t i = 0; text_width(text) > room && i < sizeof spare / sizeof *spare; i++)
		if ((cut = strstr(text, spare[i])) != NULL)
			memmove(cut, cut + strlen(spare[i]), strlen(cut + strlen(spare[i])) + 1);
	if (text_width(text) > room && (cut = strstr(text, " (")) != NULL && (end = strchr(cut, ')')) != NULL)
		memmove(cut, end + 1, strlen(end));
	text_drop_facts(text, room);
	/* Marks a list that goes on. */
	while (text_width(text) > room && (cut = last_of(text, ",;")) != NULL) {
		size_t digits = cut[1] == ' ' ? strspn(cut + 2, "0123456789") : 0;
		bool list = cut[0] == ',' && cut[1] == ' ' && (digits == strcspn(cut + 2, ",…") || (digits && !strncmp(cut + 2 + digits, " and ", 5)));

		strcpy(cut, list && cut[2] ? ", …" : "");
		if (list && text_width(text) > room)
			*cut = 0;
	}
	/* Factors from the last on, then all of them. */
	for (end = text + strlen(text); text_width(text) > room && (cut = last_before(text, end, " x ")) != NULL; end = cut)
		strcpy(cut, " x …");
	if (text_width(text) > room && (cut = strstr(text, " = ")) != NULL)
		*cut = 0;
}

/* The parts of the account in the order in which they stand; letters for screens without colours. */
#define PARTS 5
#define LEGEND_LEFT 10 /* columns */
#define NOT_ANALYSED 3 /* has no name where it is 0.0 % */

static void account_parts(const struct overview_account *a, struct bar_part parts[PARTS])
{
	parts[0] = (struct bar_part){ROLE_COMPUTE, 0, a->compute};
	parts[1] = (struct bar_part){ROLE_WAIT, 'W', a->waiting};
	parts[2] = (struct bar_part){ROLE_SEND, 'T', a->moving};
	parts[NOT_ANALYSED] = (struct bar_part){ROLE_DIM, 'N', a->not_analysed};
	parts[4] = (struct bar_part){ROLE_MPI, 'O', a->other};
}

static bool has_name(const struct bar_part parts[PARTS], int k)
{
	return k != NOT_ANALYSED || parts[k].value >= 0.0005;
}

static const char *part_text(const struct overview_view *s, const struct bar_part parts[PARTS], int k, bool brief, char text[OVERVIEW_TEXT])
{
	char share[UNIT_TEXT];

	if (parts[k].role != ROLE_WAIT)
		return unit_percent(text, parts[k].value);
	overview_waiting_text(&s->facts, text);
	if (brief && has_name(parts, NOT_ANALYSED))
		snprintf(text, OVERVIEW_TEXT, parts[k].value > 0 ? ">=%s" : "?", unit_percent(share, parts[k].value));
	return text;
}

static void draw_account(const struct overview_view *s, struct pane page, int x, int room)
{
	static const char *const names[] = {"computation", "waiting", "transfer", "not analysed", "other"},
		*const middle[] = {"compute", "waiting", "transfer", "not analysed", "other"},
		 *const brief[] = {"comp", "wait", "trans", "n.a.", "other"};
	static const char *const *const all[] = {names, middle, brief};
	const struct overview_account *a = &s->facts.account;
	struct bar_part parts[PARTS];
	char share[OVERVIEW_TEXT];
	int gap = 3, which = 0, mark = 2, under = s->bar_y >= 0 ? room : 0;

	/* On a line of its own the legend begins below the label. */
	if (under && s->w >= OVERVIEW_ROOMY) {
		x -= LEGEND_LEFT;
		room += LEGEND_LEFT;
	}
	account_parts(a, parts);
	for (;; which++) {
		int wide = 0;

		mark = which == 2 ? 1 : 2;
		for (int k = 0; k < PARTS; k++)
			wide += has_name(parts, k) ? mark + 1 + text_width(all[which][k]) + text_width(part_text(s, parts, k, which == 2, share)) : 0;
		for (gap = 3; gap > 1 && wide + 3 * gap > room; gap--)
			;
		if (which == 2 || wide + 3 * gap <= room)
			break;
	}
	if (s->bar_y >= 0)
		stacked_bar_draw(page, x + room - under, s->bar_y, under, parts, PARTS, 1);
	for (int k = 0, at = x; k < PARTS; k++) {
		struct bar_part one = parts[k];

		if (!has_name(parts, k))
			continue;
		if (at + mark + 1 + text_width(all[which][k]) + text_width(part_text(s, parts, k, which == 2, share)) > x + room)
			break;
		one.value = 1;
		stacked_bar_draw(page, at, s->times_y, 1, &one, 1, 1);
		at += mark + pane_text(page, at + mark, s->times_y, ROLE_DEFAULT, 0, all[which][k]) + 1;
		at += pane_text(page, at, s->times_y, ROLE_VALUE, 0, part_text(s, parts, k, which == 2, share)) + gap;
	}
}

int overview_steps_width(const struct overview_view *s)
{
	int w = 0;
	char key[16];

	for (uint32_t k = 0; s->known && k < s->facts.next_count; k++)
		w += (k ? 3 : 0) + 1 + text_width(overview_step_text(s->facts.next[k])) +
		     text_width(keymap_first(s->view.model->keymap, overview_step_action(s->facts.next[k]), key));
	return w;
}

/* Steps side by side, as many as there is room for: key, and what it shows. */
static void draw_steps(const struct overview_view *s, struct pane page, const struct overview_item *i, int x, int room)
{
	const struct overview *o = &s->facts;
	const struct keymap *keys = s->view.model->keymap;
	int from = x, end = x + room, y = i->y;
	char key[16];

	for (uint32_t k = 0; k < o->next_count; k++) {
		const char *what = overview_step_text(o->next[k]);
		bool here = overview_here(s) == i && s->step == k;

		keymap_first(keys, overview_step_action(o->next[k]), key);
		if (x > from && x + text_width(key) + 1 + text_width(what) > end) {
			if (++y >= i->y + i->h)
				return;
			x = from;
		}
		x += pane_text(page, x, y, ROLE_KEY, 0, key) + 1;
		x += pane_text_in(page, x, y, end - x, ROLE_DEFAULT, here ? ATTR_CURSOR : 0, what) + 3;
	}
	keymap_first(keys, ACTION_HELP, key);
	if (x + text_width(key) + 9 <= end) {
		x += pane_text(page, x, y, ROLE_KEY, 0, key) + 1;
		pane_text(page, x, y, ROLE_DIM, 0, "all keys");
	}
}

static void overview_draw_line(const struct overview_view *s, struct pane page, const struct overview_item *i)
{
	int label = overview_label_width(s), x = i->x + label, room = i->w - label - 1;
	char text[OVERVIEW_TEXT];
	const char *why;
	bool warn;

	if (i->line == PAGE_STRUCTURE && overview_reads(s))
		overview_label(s, page, i, "reading");
	else
		overview_label(s, page, i, s->w >= OVERVIEW_ROOMY ? labels[i->line].whole : labels[i->line].brief);
	why = overview_why_not(s, i->line, text);
	if (why) {
		shorten(text, room);
		pane_text_in(page, x, i->y, room, ROLE_DIM, 0, text);
		return;
	}
	switch (i->line) {
	case PAGE_TIME: draw_account(s, page, x, room); return;
	case PAGE_STRUCTURE: overview_loops_draw(s, pane_part(page, x, s->words_y, room, s->words_h)); return;
	case PAGE_NEXT: draw_steps(s, page, i, x, room); return;
	default: break;
	}
	overview_line_text(s, i->line, text);
	shorten(text, room);
	warn = i->line == PAGE_WARNINGS && (s->facts.notes.warnings || s->facts.notes.apart || s->facts.notes.damage || s->facts.crowded.crowded);
	put_sentence(page, x, i->y, room, overview_is_old(s, i->line) ? ROLE_DIM : warn ? ROLE_WARN : ROLE_DEFAULT, text);
	if (i->line == PAGE_ITERATION && s->spark_h)
		overview_bars_draw(s, pane_part(page, s->spark_h > 1 ? 1 : x, s->spark_y, s->spark_h > 1 ? s->w - 2 : room, s->spark_h));
}

void overview_lines_draw(const struct overview_view *s, struct pane page)
{
	for (uint32_t i = 0; i < s->item_count; i++)
		if (s->items[i].line < PAGE_LINES && s->items[i].y >= s->top)
			overview_draw_line(s, page, &s->items[i]);
}
