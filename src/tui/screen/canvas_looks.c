/* The look of a screen: golden screens hold roles, which are the same in every theme; this dumps the colours and
 * attributes of these roles. */
#include <stdio.h>
#include <string.h>

#include "canvas.h"
#include "theme.h"

#define ATTRS 64 /* combinations of them */

static const struct {
	enum palette palette;
	const char *name;
} shown[] = {{PALETTE_256, "256 colours"}, {PALETTE_16, "16 colours"}, {PALETTE_8, "8 colours"}, {PALETTE_MONO, "no colours"}};

#define SHOWN (sizeof shown / sizeof *shown)

/* As in "#d78700 b", and with what is behind it where that is not the ground: "#16191d on #d78700". */
static void add_look(struct out *o, struct shade l)
{
	char text[40];
	int n = snprintf(text, sizeof text, "#%06x", (unsigned)l.fg);

	if (l.filled)
		n += snprintf(text + n, sizeof text - (size_t)n, " on #%06x", (unsigned)l.bg);
	if (l.bold || l.dim || l.underline)
		snprintf(text + n, sizeof text - (size_t)n, " %s%s%s", l.bold ? "b" : "", l.dim ? "d" : "", l.underline ? "u" : "");
	out_printf(o, "  %-21s", text);
}

static void add_kind(struct out *o, char letter, enum role role, unsigned attr)
{
	static const char marks[] = "bdru@m"; /* by the bits of ATTR_ */
	char stress[sizeof marks] = ".";
	size_t n = 0;

	for (unsigned bit = 0; marks[bit]; bit++)
		if (attr & 1u << bit)
			stress[n++] = marks[bit];
	out_printf(o, "%c %-6s", letter, stress);
	for (int light = 0; light < 2; light++)
		for (size_t i = 0; i < SHOWN; i++)
			add_look(o, theme_shade(shown[i].palette, light, role, attr));
	while (o->len && o->text[o->len - 1] == ' ')
		o->text[--o->len] = 0;
	out_str(o, "\n");
}

void canvas_dump_looks(const struct canvas *c, struct out *o)
{
	static const char letters[] = {
#define ROLE(id, letter, c256, b256, c16, b16, c8, b8, attr, mono) letter,
#include "roles.def"
	};
	bool there[ROLE_COUNT][ATTRS] = {{false}};
	size_t n = (size_t)c->w * (size_t)c->h;

	for (size_t i = 0; i < n; i++)
		if (c->cells[i].role < ROLE_COUNT)
			there[c->cells[i].role][c->cells[i].attr % ATTRS] = true;
	out_str(o, "        ");
	for (int light = 0; light < 2; light++)
		for (size_t i = 0; i < SHOWN; i++) {
			char text[40];

			snprintf(text, sizeof text, "%s, %s", shown[i].name, light ? "light" : "dark");
			out_printf(o, light && i == SHOWN - 1 ? "  %s" : "  %-21s", text);
		}
	out_str(o, "\n");
	for (int r = 0; r < ROLE_COUNT; r++)
		for (unsigned a = 0; a < ATTRS; a++)
			if (there[r][a])
				add_kind(o, letters[r], (enum role)r, a);
}
