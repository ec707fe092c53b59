#include "clog2_int.h"

#include <string.h>

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
static void set_label(struct cargo_field *field, const char *from, const char *to)
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
	if (n >= sizeof field->label)
		n = sizeof field->label - 1;
	memcpy(field->label, from, n);
	field->label[n] = '\0';
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

static void set_number(struct cargo_field *field, uint64_t v)
{
	uint32_t low = (uint32_t)v;
	float single;

	switch (field->token) {
	case 'h':
		field->type = CARGO_INT;
		field->i = (int16_t)v;
		break;
	case 'd':
		field->type = CARGO_INT;
		field->i = (int32_t)low;
		break;
	case 'l':
		field->type = CARGO_INT;
		field->i = (int64_t)v;
		break;
	case 'e':
		field->type = CARGO_REAL;
		memcpy(&single, &low, sizeof single);
		field->d = (double)single;
		break;
	case 'E':
		field->type = CARGO_REAL;
		memcpy(&field->d, &v, sizeof field->d);
		break;
	default: /* x, X */
		field->type = CARGO_HEX;
		field->i = (int64_t)v;
	}
}

/* One field from the cargo's bytes at `at`; returns the bytes it takes, 0 if they are not there. */
static unsigned cargo_take_field(struct cargo_field *field, const uint8_t bytes[32], unsigned at)
{
	unsigned left = CARGO_BYTES - at, n = width(field->token), len;

	field->offset = at;
	if (n) {
		if (n > left)
			return 0;
		set_number(field, get_big(bytes + at, n));
		return n;
	}
	if (field->token != 's' || left < 2)
		return 0;
	len = (unsigned)get_big(bytes + at, 2); /* a negative length is a large one here: refused as well */
	if (len > left - 2)
		return 0;
	field->type = CARGO_TEXT;
	field->i = (int64_t)len;
	memcpy(field->text, bytes + at + 2, len);
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
		used = cargo_take_field(&out[n], bytes, at);
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
