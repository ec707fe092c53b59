#include "cargo.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

#define CARGO_BYTES 32u

static uint64_t get_big(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v = v << 8 | p[i];
	return v;
}

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == ',' || c == ';';
}

/* The text before a token, without the separator behind the field before it and the sign before its own. */
static void set_label(struct cargo_field *f, const char *from, const char *to)
{
	size_t n;

	while (from < to && is_blank(*from))
		from++;
	while (to > from && is_blank(to[-1]))
		to--;
	if (to > from && (to[-1] == '=' || to[-1] == ':'))
		to--;
	while (to > from && is_blank(to[-1]))
		to--;
	n = (size_t)(to - from);
	if (n >= sizeof f->label)
		n = sizeof f->label - 1;
	memcpy(f->label, from, n);
	f->label[n] = '\0';
}

/* Bytes of a token's number; 0: not a number. */
static unsigned width(char token)
{
	switch (token) {
	case 'h':
		return 2;
	case 'd':
	case 'x':
	case 'e':
		return 4;
	case 'l':
	case 'X':
	case 'E':
		return 8;
	default:
		return 0;
	}
}

static void set_number(struct cargo_field *f, uint64_t v)
{
	uint32_t low = (uint32_t)v;
	float single;

	switch (f->token) {
	case 'h':
		f->type = CARGO_INT;
		f->i = (int16_t)v;
		break;
	case 'd':
		f->type = CARGO_INT;
		f->i = (int32_t)low;
		break;
	case 'l':
		f->type = CARGO_INT;
		f->i = (int64_t)v;
		break;
	case 'e':
		f->type = CARGO_REAL;
		memcpy(&single, &low, sizeof single);
		f->d = (double)single;
		break;
	case 'E':
		f->type = CARGO_REAL;
		memcpy(&f->d, &v, sizeof f->d);
		break;
	default: /* x, X */
		f->type = CARGO_HEX;
		f->i = (int64_t)v;
	}
}

/* One field from the cargo's bytes at `at`; returns the bytes it takes, 0 if they are not there. */
static unsigned take(struct cargo_field *f, const uint8_t bytes[32], unsigned at)
{
	unsigned left = CARGO_BYTES - at, n = width(f->token), len;

	f->offset = at;
	if (n) {
		if (n > left)
			return 0;
		set_number(f, get_big(bytes + at, n));
		return n;
	}
	if (f->token != 's' || left < 2)
		return 0;
	len = (unsigned)get_big(bytes + at, 2); /* a negative length is a large one here: refused as well */
	if (len > left - 2)
		return 0;
	f->type = CARGO_TEXT;
	f->i = (int64_t)len;
	memcpy(f->text, bytes + at + 2, len);
	return len + 2;
}

size_t cargo_decode(const char *format, const uint8_t bytes[32], struct cargo_field out[CARGO_FIELDS], bool *whole)
{
	const char *label = format, *p = format;
	unsigned at = 0, used;
	size_t n = 0;

	*whole = true;
	while ((p = strchr(p, '%')) != NULL) {
		if (n == CARGO_FIELDS)
			goto malformed;
		out[n] = (struct cargo_field){.token = p[1]};
		set_label(&out[n], label, p);
		used = take(&out[n], bytes, at);
		if (!used)
			goto malformed;
		at += used;
		n++;
		p += 2;
		label = p;
	}
	return n;

malformed:
	*whole = false;
	return n;
}

/* The fewest digits that read back as the same number. */
static void print_real(char *buf, size_t size, const struct cargo_field *f)
{
	int most = f->token == 'e' ? 9 : 17;

	for (int digits = 6; digits <= most; digits++) {
		double back;

		snprintf(buf, size, "%.*g", digits, f->d);
		back = strtod(buf, NULL);
		if (f->token == 'e' ? (float)back == (float)f->d : !(back < f->d || back > f->d))
			return;
	}
}

/* A line that grows; `need` runs on where `size` ends. */
struct line {
	char *buf;
	size_t size, need;
};

static void put(struct line *l, const char *s)
{
	size_t n = strlen(s);

	if (l->need < l->size) {
		text_safe(l->buf + l->need, l->size - l->need, s, n, TEXT_UTF8);
		if (l->size - l->need <= n)
			l->size = l->need + strlen(l->buf + l->need); /* cut: nothing may follow */
	}
	l->need += n;
}

static void put_field(struct line *l, const struct cargo_field *f)
{
	char label[sizeof f->label * 3], value[sizeof f->text * 3];

	switch (f->type) {
	case CARGO_INT:
		snprintf(value, sizeof value, "%" PRId64, f->i);
		break;
	case CARGO_HEX:
		snprintf(value, sizeof value, "0x%" PRIx64, (uint64_t)f->i);
		break;
	case CARGO_REAL:
		print_real(value, sizeof value, f);
		break;
	case CARGO_TEXT:
		text_safe(value, sizeof value, f->text, (size_t)f->i, TEXT_UTF8);
		break;
	}
	text_safe(label, sizeof label, f->label, SIZE_MAX, TEXT_UTF8);
	put(l, l->need ? " " : "");
	put(l, label);
	put(l, *label ? "=" : "");
	put(l, value);
}

/* Without a format the bytes are a C string, or junk that is better not shown. */
static void put_unformatted(struct line *l, const uint8_t bytes[32])
{
	size_t n = strnlen((const char *)bytes, CARGO_BYTES);
	char text[CARGO_BYTES + 1];

	for (size_t i = 0; i < n; i++)
		if (bytes[i] < 0x20 || bytes[i] > 0x7E)
			return;
	memcpy(text, bytes, n);
	text[n] = '\0';
	put(l, text);
}

size_t cargo_format(const char *format, const uint8_t bytes[32], char *buf, size_t size)
{
	struct cargo_field fields[CARGO_FIELDS];
	struct line l = {buf, size, 0};
	bool whole;
	size_t n;

	if (size)
		*buf = '\0';
	if (!*format) {
		put_unformatted(&l, bytes);
		return l.need;
	}
	n = cargo_decode(format, bytes, fields, &whole);
	for (size_t i = 0; i < n; i++)
		put_field(&l, &fields[i]);
	if (!whole)
		put(&l, n ? " ?" : "?");
	return l.need;
}
