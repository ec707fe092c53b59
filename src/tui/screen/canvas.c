#include "canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "glyphs.h"

/* Ranges of characters that take two columns, or none. Only what a name in a trace may hold matters here;
 * term.c checks each against the terminal's own idea. */
struct glyph_range {
	uint32_t first, last;
};

static const struct glyph_range wide[] = {
	{0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x2E80, 0x303E},
	{0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},
	{0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
	{0x16FE0, 0x18AFF}, {0x1B000, 0x1B2FF}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
	{0x20000, 0x3FFFD},
};

static const struct glyph_range zero[] = {
	{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2}, {0x0610, 0x061A},
	{0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06DC}, {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D},
	{0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF},
	{0x302A, 0x302D}, {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF},
};

static bool in_ranges(uint32_t c, const struct glyph_range *r, size_t n)
{
	for (size_t i = 0; i < n && r[i].first <= c; i++)
		if (c <= r[i].last)
			return true;
	return false;
}

int char_width(uint32_t c)
{
	if (c < 0x300)
		return 1;
	if (in_ranges(c, zero, sizeof zero / sizeof *zero))
		return 0;
	return in_ranges(c, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

/* What stands for the end of a line: a message may have a second one, its hint. */
static const char line_end[] = " · ";
#define LINE_END_W 3

static int columns_of(const char *text, size_t n)
{
	int columns = 0;
	uint32_t c;

	for (size_t used; (used = text_decode(text, n, &c)) > 0; text += used, n -= used)
		columns += c == '\n' ? LINE_END_W : text_is_safe(c) ? char_width(c) : 1;
	return columns;
}

int text_width(const char *text)
{
	return columns_of(text, strlen(text));
}

bool text_drop(char *text, const char *between, int room)
{
	bool dropped = false;

	while (text_width(text) > room) {
		char *last = NULL;

		for (char *at = text; (at = strstr(at, between)); at += strlen(between))
			last = at;
		if (!last)
			break;
		*last = 0;
		dropped = true;
	}
	return dropped;
}

void text_drop_facts(char *text, int room)
{
	text_drop(text, " · ", room);
}

uint32_t glyph_fold(uint32_t c)
{
	static const struct {
		uint32_t code;
		char ascii;
	} folds[] = {
#define GLYPH(id, code, ascii) {code, ascii},
#include "glyphs.def"
	};

	if (c < 0x80)
		return c;
	for (size_t i = 0; i < sizeof folds / sizeof *folds; i++)
		if (folds[i].code == c)
			return (uint32_t)folds[i].ascii;
	return '?';
}

void canvas_init(struct canvas *c, bool ascii)
{
	*c = (struct canvas){.ascii = ascii, .letters = ascii};
}

void canvas_release(struct canvas *c)
{
	mem_free(c->cells);
	*c = (struct canvas){.ascii = c->ascii, .letters = c->letters};
}

bool canvas_resize(struct canvas *c, int w, int h)
{
	struct screen_cell *cells;

	if (w < 0 || h < 0)
		w = h = 0;
	if (w != c->w || h != c->h || !c->cells) {
		cells = mem_resize(c->cells, (size_t)w * (size_t)h, sizeof *cells);
		if (!cells) {
			canvas_release(c);
			return false;
		}
		c->cells = cells;
		c->w = w;
		c->h = h;
	}
	canvas_clear(c);
	return true;
}

void canvas_clear(struct canvas *c)
{
	size_t n = (size_t)c->w * (size_t)c->h;

	for (size_t i = 0; i < n; i++)
		c->cells[i] = (struct screen_cell){.ch = ' ', .role = ROLE_DEFAULT};
}

struct pane canvas_pane(struct canvas *c)
{
	return (struct pane){c, 0, 0, c->w, c->h};
}

struct pane pane_part(struct pane p, int x, int y, int w, int h)
{
	if (x < 0) {
		w += x;
		x = 0;
	}
	if (y < 0) {
		h += y;
		y = 0;
	}
	if (w > p.w - x)
		w = p.w - x;
	if (h > p.h - y)
		h = p.h - y;
	return (struct pane){p.canvas, p.x + x, p.y + y, w > 0 ? w : 0, h > 0 ? h : 0};
}

static struct screen_cell *cell_at(struct pane p, int x, int y)
{
	if (x < 0 || y < 0 || x >= p.w || y >= p.h)
		return NULL;
	return &p.canvas->cells[(size_t)(p.y + y) * (size_t)p.canvas->w + (size_t)(p.x + x)];
}

/* Overwriting one half of a wide character leaves a blank in place of the other. */
static void part_wide(struct pane p, int x, int y)
{
	struct pane all = canvas_pane(p.canvas);
	struct screen_cell *here = cell_at(p, x, y), *left = cell_at(all, p.x + x - 1, p.y + y);
	struct screen_cell *right = cell_at(all, p.x + x + 1, p.y + y);

	if (here->ch == 0 && left)
		left->ch = ' ';
	else if (right && right->ch == 0)
		right->ch = ' ';
}

void pane_put(struct pane p, int x, int y, uint32_t ch, enum role role, unsigned attr)
{
	struct screen_cell *cell = cell_at(p, x, y), *right;

	if (!cell)
		return;
	if (!text_is_safe(ch))
		ch = GLYPH_UNSAFE;
	if (p.canvas->ascii)
		ch = glyph_fold(ch);
	part_wide(p, x, y);
	switch (char_width(ch)) {
	case 0:
		ch = ' '; /* a mark without a letter */
		break;
	case 2:
		right = cell_at(p, x + 1, y);
		if (right) {
			part_wide(p, x + 1, y);
			*right = (struct screen_cell){.ch = 0, .role = (uint8_t)role, .attr = (uint8_t)attr};
		} else {
			ch = ' '; /* only half of it fits */
		}
		break;
	}
	*cell = (struct screen_cell){.ch = ch, .role = (uint8_t)role, .attr = (uint8_t)attr};
}

void pane_fill(struct pane p, uint32_t ch, enum role role, unsigned attr)
{
	for (int y = 0; y < p.h; y++)
		for (int x = 0; x < p.w; x++)
			pane_put(p, x, y, ch, role, attr);
}

void pane_hline(struct pane p, int x, int y, int n, uint32_t ch, enum role role)
{
	for (int i = 0; i < n; i++)
		pane_put(p, x + i, y, ch, role, 0);
}

void pane_vline(struct pane p, int x, int y, int n, uint32_t ch, enum role role)
{
	for (int i = 0; i < n; i++)
		pane_put(p, x, y + i, ch, role, 0);
}

static void put_mark(struct pane p, int x, int y, uint32_t mark)
{
	struct screen_cell *cell = cell_at(p, x, y);

	if (cell && cell->ch == 0)
		cell = cell_at(p, x - 1, y);
	if (cell && !p.canvas->ascii)
		cell->combining = mark;
}

int pane_text_in(struct pane p, int x, int y, int room, enum role role, unsigned attr, const char *text)
{
	size_t n = text_width(text) <= room ? strlen(text) : strcspn(text, "\n");
	bool cut = columns_of(text, n) > room;
	int at = 0;
	uint32_t c, before = 0;

	for (size_t used; (used = text_decode(text, n, &c)) > 0; text += used, n -= used, before = c) {
		int w = text_is_safe(c) ? char_width(c) : 1;

		if (c == '\n') {
			at += pane_text_in(p, x + at, y, room - at, role, attr, line_end);
			continue;
		}
		if (w == 0) {
			if (at > 0)
				put_mark(p, x + at - 1, y, c);
			continue;
		}
		if (at + w > room - (cut ? 1 : 0))
			break;
		pane_put(p, x + at, y, before == GLYPH_PLUS_MINUS && c == ' ' && p.canvas && p.canvas->ascii ? '-' : c, role, attr);
		at += w;
	}
	if (cut && at < room)
		pane_put(p, x + at++, y, GLYPH_ELLIPSIS, role, attr);
	return at;
}

int pane_text(struct pane p, int x, int y, enum role role, unsigned attr, const char *text)
{
	return pane_text_in(p, x, y, text_width(text), role, attr, text);
}

int pane_textf(struct pane p, int x, int y, enum role role, unsigned attr, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return pane_text(p, x, y, role, attr, text);
}

int pane_text_right(struct pane p, int x, int y, enum role role, unsigned attr, const char *text)
{
	int w = text_width(text);

	pane_text(p, x - w, y, role, attr, text);
	return w;
}

void pane_stress(struct pane p, int x, int y, int n, unsigned attr)
{
	for (int i = 0; i < n; i++) {
		struct screen_cell *cell = cell_at(p, x + i, y);

		if (cell)
			cell->attr |= (uint8_t)attr;
	}
}

void pane_dim(struct pane p)
{
	for (int y = 0; y < p.h; y++)
		for (int x = 0; x < p.w; x++)
			cell_at(p, x, y)->role = ROLE_DIM;
}

static void add_char(struct out *o, uint32_t c)
{
	char bytes[4];

	out_add(o, bytes, text_encode(c, bytes));
}

void canvas_dump_text(const struct canvas *c, struct out *o)
{
	for (int y = 0; y < c->h; y++) {
		const struct screen_cell *row = &c->cells[(size_t)y * (size_t)c->w];
		int n = c->w;

		while (n > 0 && row[n - 1].ch == ' ')
			n--;
		for (int x = 0; x < n; x++) {
			if (row[x].ch)
				add_char(o, row[x].ch);
			if (row[x].combining)
				add_char(o, row[x].combining);
		}
		out_str(o, "\n");
	}
}

static void dump_letters(const struct canvas *c, struct out *o, char (*letter)(const struct screen_cell *))
{
	for (int y = 0; y < c->h; y++) {
		const struct screen_cell *row = &c->cells[(size_t)y * (size_t)c->w];
		int n = c->w;

		while (n > 0 && letter(&row[n - 1]) == '.')
			n--;
		for (int x = 0; x < n; x++) {
			char l = letter(&row[x]);

			out_add(o, &l, 1);
		}
		out_str(o, "\n");
	}
}

static char role_letter(const struct screen_cell *cell)
{
	static const char letters[] = {
#define ROLE(id, letter, c256, b256, c16, b16, c8, b8, attr, mono) letter,
#include "roles.def"
	};

	return cell->role < ROLE_COUNT ? letters[cell->role] : '?';
}

static char attr_letter(const struct screen_cell *cell)
{
	return cell->attr & ATTR_CURSOR      ? '@'
	       : cell->attr & ATTR_MATCH     ? 'm'
	       : cell->attr & ATTR_REVERSE   ? 'r'
	       : cell->attr & ATTR_UNDERLINE ? 'u'
	       : cell->attr & ATTR_BOLD      ? 'b'
	       : cell->attr & ATTR_DIM       ? 'd'
					     : '.';
}

void canvas_dump_roles(const struct canvas *c, struct out *o)
{
	size_t n = (size_t)c->w * (size_t)c->h;
	bool stressed = false;

	dump_letters(c, o, role_letter);
	for (size_t i = 0; i < n; i++)
		stressed = stressed || c->cells[i].attr;
	if (!stressed)
		return;
	out_str(o, "-- stressed\n");
	dump_letters(c, o, attr_letter);
}
