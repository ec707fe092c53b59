#include "number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 400 /* digits of a number that is worth reading */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t digits(const char *text, size_t n, size_t at)
{
	size_t from = at;

	while (at < n && is_digit(text[at]))
		at++;
	return at - from;
}

/* Whether text is -?(D+(.D+)?|.D+)([eE][+-]?D+)?; *mantissa is the length without the exponent. */
static bool well_formed(const char *text, size_t n, size_t *mantissa)
{
	size_t at = n && text[0] == '-';
	size_t whole = digits(text, n, at);
	size_t part;

	at += whole;
	if (at < n && text[at] == '.') {
		part = digits(text, n, at + 1);
		if (!part)
			return false;
		at += part + 1;
	} else if (!whole) {
		return false;
	}
	*mantissa = at;
	if (at < n && (text[at] == 'e' || text[at] == 'E')) {
		at++;
		at += at < n && (text[at] == '+' || text[at] == '-');
		part = digits(text, n, at);
		if (!part)
			return false;
		at += part;
	}
	return at == n;
}

/* The C locale object is a constant of the C library: asking for it neither allocates nor fails. */
static locale_t plain(void)
{
	return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

bool number_parse_shifted(const char *text, size_t n, int shift, double *v)
{
	char buf[LONGEST + 32];
	size_t mantissa;
	long exponent = 0;

	if (n > LONGEST || !well_formed(text, n, &mantissa))
		return false;
	memcpy(buf, text, n);
	buf[n] = '\0';
	if (mantissa < n) {
		exponent = strtol(buf + mantissa + 1, NULL, 10);
		exponent = exponent > 100000 ? 100000 : exponent < -100000 ? -100000 : exponent;
	}
	snprintf(buf + mantissa, sizeof buf - mantissa, "e%ld", exponent + shift);
	*v = strtod_l(buf, NULL, plain());
	return isfinite(*v);
}

bool number_parse(const char *text, size_t n, double *v)
{
	return number_parse_shifted(text, n, 0, v);
}

bool number_parse_whole(const char *text, size_t n, uint64_t *v)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned digit = (unsigned)(text[i] - '0');

		if (!is_digit(text[i]) || sum > (UINT64_MAX - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*v = sum;
	return n > 0;
}

/* "1e-06" to "1.0e-06". */
static size_t add_fraction(char *buf, size_t n)
{
	char *e = memchr(buf, 'e', n);

	if (!e || memchr(buf, '.', n))
		return n;
	memmove(e + 2, e, n - (size_t)(e - buf) + 1);
	memcpy(e, ".0", 2);
	return n + 2;
}

size_t number_format(double v, char buf[NUMBER_TEXT])
{
	locale_t c = plain(), before;
	int n = 0;

	if (!isfinite(v) || v == 0)
		v = 0; /* also takes the sign off -0 */
	before = uselocale(c);
	/* A decimal of up to 15 digits survives a double, so fewer than 15 never need to be tried. */
	for (int precision = 15; precision <= 17; precision++) {
		n = snprintf(buf, NUMBER_TEXT, "%.*g", precision, v);
		if (strtod_l(buf, NULL, c) == v)
			break;
	}
	uselocale(before);
	return add_fraction(buf, (size_t)n);
}

size_t number_fixed(double v, int decimals, char *buf, size_t size)
{
	locale_t before = uselocale(plain());
	int n = snprintf(buf, size, "%.*f", decimals, isfinite(v) ? v : 0.0);

	uselocale(before);
	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size ? size - 1 : 0;
}

size_t number_whole(uint64_t v, char buf[NUMBER_TEXT])
{
	char back[NUMBER_TEXT];
	size_t n = 0;

	do {
		back[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	for (size_t i = 0; i < n; i++)
		buf[i] = back[n - 1 - i];
	buf[n] = '\0';
	return n;
}

bool number_parse_bytes(const char *text, size_t n, double *v)
{
	static const char units[] = "KMGT";
	const char *unit = n ? strchr(units, text[n - 1]) : NULL;
	double scale = 1;

	if (unit && *unit) {
		n--;
		for (const char *u = units; u <= unit; u++)
			scale *= 1024;
	}
	if (!number_parse(text, n, v) || *v < 0)
		return false;
	*v *= scale;
	return true;
}
