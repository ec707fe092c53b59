#include "err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "spill.h"

/* What is cut, by a precision or by the end of the text, may end with half a character: take such halves out. */
static void keep_whole_characters(char *text)
{
	char *to = text;

	while (*text) {
		unsigned char lead = (unsigned char)*text;
		unsigned want = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4, n = 1;

		while (n < want && ((unsigned char)text[n] & 0xc0) == 0x80)
			n++;
		if (n == want) {
			memmove(to, text, n);
			to += n;
		}
		text += n;
	}
	*to = '\0';
}

enum err_code err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	if (e) {
		va_list ap;
		e->code = code;
		va_start(ap, fmt);
		vsnprintf(e->text, sizeof e->text, fmt, ap);
		va_end(ap);
		keep_whole_characters(e->text);
	}
	return code;
}

enum err_code err_prefix(struct err *e, const char *fmt, ...)
{
	char before[ERR_TEXT];
	char after[ERR_TEXT];
	size_t room = sizeof e->text - 1 - strlen(": ");
	char *hint;
	va_list ap;

	if (!e)
		return ERR_OK;
	va_start(ap, fmt);
	vsnprintf(before, sizeof before, fmt, ap);
	va_end(ap);
	room -= strlen(before) < 200 ? strlen(before) : 200;
	memcpy(after, e->text, sizeof after);
	hint = strstr(after, "\nhint: ");
	if (hint) {
		/* A long sentence gives way to its hint. */
		room -= strlen(hint) <= 200 ? strlen(hint) : 0;
		*hint = '\0';
	}
	snprintf(e->text, sizeof e->text, "%.200s: %.*s", before, (int)room, after);
	keep_whole_characters(e->text);
	return hint ? err_hint(e, "%s", hint + strlen("\nhint: ")) : e->code;
}

enum err_code err_hint(struct err *e, const char *fmt, ...)
{
	size_t used;
	int lead, body = -1;
	va_list ap;

	if (!e)
		return ERR_OK;
	used = strlen(e->text);
	lead = snprintf(e->text + used, sizeof e->text - used, "\nhint: ");
	if (lead > 0 && used + (size_t)lead < sizeof e->text) {
		va_start(ap, fmt);
		body = vsnprintf(e->text + used + lead, sizeof e->text - used - (size_t)lead, fmt, ap);
		va_end(ap);
	}
	if (body < 0 || used + (size_t)lead + (size_t)body >= sizeof e->text)
		e->text[used] = '\0'; /* a hint that is cut is no help */
	keep_whole_characters(e->text);
	return e->code;
}

enum err_code err_memory(struct err *e, const char *what)
{
	char why[ERR_TEXT];

	if (spill_failure(why))
		return err_set(e, ERR_MEMORY, "not enough space for %s in %s", what, why);
	return err_set(e, ERR_MEMORY, "not enough memory for %s", what);
}
