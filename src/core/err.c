#include "err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum err_code err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	if (e) {
		va_list ap;
		e->code = code;
		va_start(ap, fmt);
		vsnprintf(e->text, sizeof e->text, fmt, ap);
		va_end(ap);
	}
	return code;
}

enum err_code err_prefix(struct err *e, const char *fmt, ...)
{
	char before[ERR_TEXT];
	char after[ERR_TEXT];
	va_list ap;

	if (!e)
		return ERR_OK;
	va_start(ap, fmt);
	vsnprintf(before, sizeof before, fmt, ap);
	va_end(ap);
	memcpy(after, e->text, sizeof after);
	snprintf(e->text, sizeof e->text, "%.200s: %.300s", before, after);
	return e->code;
}

enum err_code err_memory(struct err *e, const char *what)
{
	return err_set(e, ERR_MEMORY, "not enough memory for %s", what);
}
