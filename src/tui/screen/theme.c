#include "theme.h"

#include <string.h>

static const struct theme themes[] = {
#define THEME(name, colours, help) {name, colours, help},
#include "themes.def"
	{NULL, 0, NULL},
};

const struct theme *theme_list(void)
{
	return themes;
}

int theme_palette(const char *name, int colors)
{
	const struct theme *t = themes;

	while (name && t->name && strcmp(t->name, name))
		t++;
	if (!t->name)
		return -1;
	colors = colors < t->colors ? colors : t->colors;
	return colors >= 256 ? PALETTE_256 : colors >= 16 ? PALETTE_16 : colors >= 8 ? PALETTE_8 : PALETTE_MONO;
}

struct style theme_style(enum palette palette, enum role role, unsigned attr)
{
	static const struct {
		struct style style[PALETTE_256 + 1];
	} styles[ROLE_COUNT] = {
#define ROLE(id, letter, c256, b256, c16, b16, c8, b8, attr, mono) \
	{{{-1, -1, mono}, {c8, b8, attr}, {c16, b16, attr}, {c256, b256, attr}}},
#include "roles.def"
	};
	struct style s = styles[role < ROLE_COUNT ? role : ROLE_DEFAULT].style[palette];

	s.attr |= attr & (ATTR_BOLD | ATTR_DIM | ATTR_REVERSE | ATTR_UNDERLINE);
	if (attr & ATTR_MATCH)
		s.attr |= ATTR_UNDERLINE | ATTR_BOLD;
	if (attr & ATTR_CURSOR) /* seen on a selected row too: there it is what is not reversed */
		s.attr = (s.attr ^ ATTR_REVERSE) | ATTR_BOLD;
	return s;
}

uint32_t theme_rgb(short color)
{
	static const uint32_t first[16] = {
		0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa,
		0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff,
	};
	static const uint32_t steps[6] = {0x00, 0x5f, 0x87, 0xaf, 0xd7, 0xff};

	if (color < 16)
		return first[color < 0 ? 7 : color];
	if (color < 232) {
		unsigned c = (unsigned)color - 16;

		return steps[c / 36] << 16 | steps[c / 6 % 6] << 8 | steps[c % 6];
	}
	return (uint32_t)(8 + (color - 232) * 10) * 0x010101;
}

uint32_t theme_ground(bool light)
{
	return light ? 0xfdfdfb : 0x16191d;
}

struct shade theme_shade(enum palette palette, bool light, enum role role, unsigned attr)
{
	struct style s = theme_style(palette, role, attr);
	uint32_t fg = s.fg >= 0 ? theme_rgb(s.fg) : light ? 0x24292e : 0xd4d7db;
	uint32_t bg = s.bg >= 0 ? theme_rgb(s.bg) : theme_ground(light);
	bool reversed = s.attr & ATTR_REVERSE;

	return (struct shade){
		.fg = reversed ? bg : fg,
		.bg = reversed ? fg : bg,
		.bold = s.attr & ATTR_BOLD,
		.dim = s.attr & ATTR_DIM,
		.underline = s.attr & ATTR_UNDERLINE,
		.filled = reversed || s.bg >= 0,
	};
}
