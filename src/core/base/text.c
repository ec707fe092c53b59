#include "text.h"

#include <string.h>

#include "mem.h"

#define REPLACEMENT 0xFFFDu

/* What must not reach a terminal or a text export: it moves the cursor, reverses or hides other text, or
 * has no meaning that two readers would agree on. Sorted, inclusive. */
static const struct {
	uint32_t first, last;
} unsafe[] = {
	{0x0000, 0x001F},   /* C0: escape sequences start here */
	{0x007F, 0x009F},   /* DEL and C1: the same in one character */
	{0x00AD, 0x00AD},   /* soft hyphen: invisible */
	{0x034F, 0x034F},   /* combining grapheme joiner */
	{0x061C, 0x061C},   /* Arabic letter mark: bidi */
	{0x115F, 0x1160},   /* Hangul fillers: look like blanks */
	{0x17B4, 0x17B5},   /* invisible Khmer vowels */
	{0x180B, 0x180F},   /* Mongolian selectors */
	{0x200B, 0x200F},   /* zero width, direction marks */
	{0x2028, 0x202E},   /* line separators, bidi embedding and override */
	{0x2060, 0x206F},   /* word joiner, invisible operators, bidi isolates */
	{0x3164, 0x3164},   /* Hangul filler */
	{0xD800, 0xF8FF},   /* surrogates, private use */
	{0xFDD0, 0xFDEF},   /* noncharacters */
	{0xFE00, 0xFE0F},   /* variation selectors */
	{0xFEFF, 0xFEFF},   /* byte order mark */
	{0xFFA0, 0xFFA0},   /* halfwidth Hangul filler */
	{0xFFF0, 0xFFFB},   /* interlinear annotation */
	{0xFFFE, 0xFFFF},   /* noncharacters */
	{0x1BCA0, 0x1BCA3}, /* shorthand format controls */
	{0x1D173, 0x1D17A}, /* musical format controls */
	{0x1FFFE, 0x1FFFF},
	{0x2FFFE, 0x2FFFF},
	{0x323B0, UINT32_MAX}, /* unassigned planes, tags, private planes, beyond Unicode */
};

bool text_is_safe(uint32_t c)
{
	if (c >= 0x20 && c < 0x7F)
		return true;
	for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe && unsafe[i].first <= c; i++)
		if (c <= unsafe[i].last)
			return false;
	return true;
}

size_t text_decode(const char *s, size_t n, uint32_t *out)
{
	uint32_t c, least;
	size_t more;

	if (!n || !*s)
		return 0;
	c = (unsigned char)*s;
	*out = c;
	if (c < 0x80)
		return 1;
	*out = REPLACEMENT;
	if (c >= 0xC2 && c <= 0xDF) {
		more = 1, least = 0x80, c &= 0x1F;
	} else if (c >= 0xE0 && c <= 0xEF) {
		more = 2, least = 0x800, c &= 0x0F;
	} else if (c >= 0xF0 && c <= 0xF4) {
		more = 3, least = 0x10000, c &= 0x07;
	} else {
		return 1;
	}
	for (size_t i = 1; i <= more; i++) {
		if (i >= n || ((unsigned char)s[i] & 0xC0) != 0x80)
			return 1;
		c = c << 6 | ((unsigned char)s[i] & 0x3F);
	}
	if (c < least || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
		return 1;
	*out = c;
	return more + 1;
}

size_t text_encode(uint32_t c, char out[4])
{
	if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
		c = REPLACEMENT;
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xC0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3F));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xE0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3F));
		out[2] = (char)(0x80 | (c & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3F));
	out[2] = (char)(0x80 | (c >> 6 & 0x3F));
	out[3] = (char)(0x80 | (c & 0x3F));
	return 4;
}

const char *text_sign(uint32_t c)
{
	static const struct {
		uint32_t sign;
		const char *ascii;
	} signs[] = {{0x00B1, "+-"}, {0x00B5, "u"}, {0x00D7, "x"}, {0x2013, "-"}, {0x2026, "..."}};

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (signs[i].sign == c)
			return signs[i].ascii;
	return NULL;
}

/* The character, or what ASCII has instead. */
static size_t encode_as(uint32_t c, enum text_flags flags, char out[4])
{
	const char *sign;

	if (!(flags & TEXT_ASCII) || c < 0x7F)
		return text_encode(c, out);
	sign = text_sign(c);
	sign = sign ? sign : "?";
	memcpy(out, sign, strlen(sign));
	return strlen(sign);
}

char *text_safe(char *dst, size_t size, const char *src, size_t n, enum text_flags flags)
{
	size_t at = 0;

	if (!size)
		return dst;
	if (n == SIZE_MAX)
		n = strlen(src);
	for (size_t i = 0; i < n;) {
		uint32_t c = 0;
		char bytes[4];
		size_t step = text_decode(src + i, n - i, &c), len;

		i += step ? step : 1; /* a NUL among n bytes is one more control character */
		if (!text_is_safe(c))
			c = REPLACEMENT;
		len = encode_as(c, flags, bytes);
		if (len >= size - at)
			break;
		memcpy(dst + at, bytes, len);
		at += len;
	}
	dst[at] = '\0';
	return dst;
}

char *text_keep_safe(struct arena *arena, const char *src, size_t n)
{
	size_t room = 3 * (n == SIZE_MAX ? strlen(src) : n) + 1; /* one bad byte becomes three of U+FFFD */
	char *copy = arena_alloc(arena, room);

	return copy ? text_safe(copy, room, src, n, TEXT_UTF8) : NULL;
}

#define USUAL_ANCHOR "traces.otf2" /* what archives have in common: they are told apart by their folders */

const char *path_trace_name(const char *path, size_t *n)
{
	const char *name = path_name(path), *begin = name;

	*n = strlen(name);
	if (strcmp(name, USUAL_ANCHOR) || name == path)
		return name;
	for (begin--; begin > path && begin[-1] != '/';)
		begin--;
	if (strspn(begin, ".") >= (size_t)(name - 1 - begin))
		return name;
	*n = (size_t)(name - 1 - begin);
	return begin;
}
