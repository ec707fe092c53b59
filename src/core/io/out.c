#include "out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "core/base/text.h"

void out_init(struct out *o)
{
	*o = (struct out){0};
}

void out_release(struct out *o)
{
	mem_free(o->text);
	out_init(o);
}

/* Room for n more bytes and a NUL. */
static bool reserve(struct out *o, size_t n)
{
	size_t want = o->cap ? o->cap : 256;
	char *moved;

	if (o->failed)
		return false;
	if (n < o->cap - o->len)
		return true;
	if (n > SIZE_MAX / 4 || o->len > SIZE_MAX / 4) {
		o->failed = true;
		return false;
	}
	while (want - o->len <= n)
		want *= 2;
	moved = mem_resize(o->text, want, 1);
	if (!moved) {
		o->failed = true;
		return false;
	}
	o->text = moved;
	o->cap = want;
	return true;
}

void out_add(struct out *o, const char *bytes, size_t n)
{
	if (!reserve(o, n))
		return;
	if (n)
		memcpy(o->text + o->len, bytes, n);
	o->len += n;
	o->text[o->len] = '\0';
}

void out_str(struct out *o, const char *s)
{
	out_add(o, s, strlen(s));
}

void out_printf(struct out *o, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		o->failed = true;
	else if (reserve(o, (size_t)n))
		o->len += (size_t)vsnprintf(o->text + o->len, o->cap - o->len, fmt, again);
	va_end(again);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "-3", "+2>-2 +1>CBarrier": a number, or types of events as files have them (docs/explain/method.md, "Events").
 * Nothing in it can be a call, a reference to another place or a program. */
static bool is_plain(const char *text)
{
	double v;

	if (number_parse(text + (*text == '+'), strlen(text) - (*text == '+'), &v))
		return true;
	for (const char *at = text; *at; at++)
		if (*at == 'C' && at != text && strchr("> ", at[-1]))
			while (is_letter(at[1]))
				at++;
		else if (!strchr("0123456789+-.,>? ", *at))
			return false;
	return true;
}

void out_csv(struct out *o, const char *text)
{
	bool formula = *text && (strchr("=@", *text) || (strchr("+-", *text) && !is_plain(text)));

	if (!strpbrk(text, ",\"\r\n")) {
		out_str(o, formula ? "'" : "");
		out_str(o, text);
		return;
	}
	out_str(o, formula ? "\"'" : "\"");
	for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
		out_add(o, text, (size_t)(quote - text) + 1);
		out_str(o, "\"");
	}
	out_str(o, text);
	out_str(o, "\"");
}

void out_double(struct out *o, double v)
{
	char buf[NUMBER_TEXT];

	out_add(o, buf, number_format(v, buf));
}

#define REPLACEMENT 0xFFFDu

void xml_char(struct out *o, uint32_t c)
{
	char bytes[4];

	switch (c) {
	case '<': out_str(o, "&lt;"); break;
	case '>': out_str(o, "&gt;"); break;
	case '&': out_str(o, "&amp;"); break;
	case '"': out_str(o, "&quot;"); break;
	default: out_add(o, bytes, text_encode(text_is_safe(c) ? c : REPLACEMENT, bytes));
	}
}

void xml_text(struct out *o, const char *text)
{
	size_t n;
	uint32_t c;

	for (; (n = text_decode(text, SIZE_MAX, &c)) > 0; text += n)
		xml_char(o, c);
}
