#include "app_int.h"

#include <string.h>

#include "core/base/text.h"
#include "tui/screen/glyphs.h"

#define BAR_LEAST 4      /* of one letter: no word has so many */
#define STACKED_LEAST 8  /* of several letters */
#define SELECTED_LEAST 8 /* cells: fewer are a place, of which the status speaks */

/* A sentence that is being put together: blanks and commas wait until a word follows them. */
struct sentence {
	struct out *o;
	bool ascii, blank, comma, begun;
};

static bool is_drawing(uint32_t c)
{
	return (c >= 0x2190 && c < 0x2200 && c != GLYPH_ARROW) || (c >= 0x2300 && c < 0x2400) || (c >= 0x2500 && c < 0x2600) ||
	       (c >= 0x2800 && c < 0x2900);
}

static void sentence_add(struct sentence *s, uint32_t c)
{
	char bytes[4];

	if (s->begun && s->comma)
		out_str(s->o, ", ");
	else if (s->begun && s->blank)
		out_str(s->o, " ");
	s->comma = s->blank = false;
	s->begun = true;
	out_add(s->o, bytes, text_encode(c, bytes));
}

static void add_word(struct sentence *s, const char *word)
{
	s->blank = true;
	while (*word)
		sentence_add(s, (unsigned char)*word++);
	s->blank = true;
}

static void sentence_say(struct sentence *s, uint32_t c)
{
	if (c == ' ' || is_drawing(c))
		s->blank = true;
	else if (c == GLYPH_DOT || c == '\n')
		s->comma = true;
	else if (c == GLYPH_ARROW)
		add_word(s, "to");
	else if (c == GLYPH_PLUS_MINUS && s->ascii)
		add_word(s, "+-");
	else if (c == GLYPH_CHECK)
		add_word(s, "yes");
	else if (c == GLYPH_MINUS)
		sentence_add(s, '-');
	else
		sentence_add(s, !text_is_safe(c) ? '?' : s->ascii ? glyph_fold(c) : c);
}

static void say_text(struct sentence *s, const char *text)
{
	size_t n = strlen(text);
	uint32_t c;

	for (size_t used; (used = text_decode(text, n, &c)) > 0; text += used, n -= used)
		sentence_say(s, c);
}

void spoken_text(struct out *o, const char *text, bool ascii)
{
	say_text(&(struct sentence){.o = o, .ascii = ascii}, text);
}

/* Whether a text says anything; a lone dash means that there is no figure. */
static bool has_words(const char *text)
{
	size_t n = strlen(text);
	uint32_t c;

	for (size_t used; (used = text_decode(text, n, &c)) > 0; text += used, n -= used)
		if (c != ' ' && c != '-' && c != GLYPH_DASH && c != GLYPH_DOT && !is_drawing(c))
			return true;
	return false;
}

void spoken_row(struct out *o, const struct row_source *s, const void *ctx, uint32_t row, bool ascii)
{
	struct sentence said = {.o = o, .ascii = ascii};

	for (int c = 0; c < s->column_count; c++) {
		struct field f = {.text = "", .role = ROLE_DEFAULT};

		s->field(ctx, row, c, &f);
		if (f.picture || !has_words(f.text))
			continue;
		said.comma = true;
		say_text(&said, s->columns[c].title);
		said.blank = true;
		say_text(&said, f.text);
	}
}

static const struct screen_cell *pane_cell_of(struct pane p, int x, int y)
{
	return &p.canvas->cells[(size_t)(p.y + y) * (size_t)p.canvas->w + (size_t)(p.x + x)];
}

static bool is_word(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c >= 0xc0 && c < 0x2000 && c != GLYPH_TIMES) || c >= 0x3000;
}

static bool is_letter(struct pane p, int x, int y)
{
	const struct screen_cell *cell = pane_cell_of(p, x, y);

	return cell->ch >= 'a' && cell->ch <= 'z' && cell->attr & ATTR_REVERSE;
}

/* A letter that goes on from the cell before, in a bar: one of them says what the bar is of. */
static bool is_bar(struct pane p, int x, int y)
{
	uint32_t c = pane_cell_of(p, x, y)->ch;
	int from = x, to = x;

	if (!is_word(c) || (c >= '0' && c <= '9') || x == 0 || pane_cell_of(p, x - 1, y)->ch != c)
		return false;
	while (from > 0 && pane_cell_of(p, from - 1, y)->ch == c)
		from--;
	while (to + 1 < p.w && pane_cell_of(p, to + 1, y)->ch == c)
		to++;
	return to - from + 1 >= BAR_LEAST;
}

/* A cell of a bar of several letters, of which each stands for a part. */
static bool is_stacked(struct pane p, int x, int y)
{
	int from = x, to = x, runs = 1;

	if (!is_letter(p, x, y))
		return false;
	while (from > 0 && is_letter(p, from - 1, y))
		from--;
	while (to + 1 < p.w && is_letter(p, to + 1, y))
		to++;
	for (int i = from + 1; i <= to; i++)
		runs += pane_cell_of(p, i, y)->ch != pane_cell_of(p, i - 1, y)->ch;
	return to - from + 1 >= STACKED_LEAST && (to - from + 1) / runs >= 2;
}

void spoken_line(struct out *o, struct pane p, int y, bool ascii)
{
	struct sentence s = {.o = o, .ascii = ascii};
	bool words = false;
	int blanks = 0;

	for (int x = 0; x < p.w; x++)
		words = words || is_word(pane_cell_of(p, x, y)->ch);
	for (int x = 0; words && x < p.w; x++) {
		const struct screen_cell *cell = pane_cell_of(p, x, y);

		if (!cell->ch || is_bar(p, x, y) || is_stacked(p, x, y))
			continue; /* the right half of a wide one; what is said already */
		blanks = cell->ch == ' ' || is_drawing(cell->ch) ? blanks + 1 : 0;
		s.comma = s.comma || blanks > 1;
		sentence_say(&s, cell->ch);
		if (cell->combining && !ascii)
			sentence_say(&s, cell->combining);
	}
}

int spoken_selected(struct pane p)
{
	int reversed = -1;

	for (int y = 0; y < p.h; y++) {
		int n = 0;

		for (int x = 0; x < p.w; x++) {
			const struct screen_cell *cell = pane_cell_of(p, x, y);

			if (cell->role == ROLE_SELECTED)
				return y;
			n = cell->attr & (ATTR_REVERSE | ATTR_CURSOR) && !is_stacked(p, x, y) ? n + 1 : 0;
			if (n >= SELECTED_LEAST && reversed < 0)
				reversed = y;
		}
	}
	return reversed;
}
