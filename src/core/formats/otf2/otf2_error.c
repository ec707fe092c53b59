#include "otf2_error.h"

#include <otf2/otf2.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/base/text.h"

#define SAID 240

/* Handed to nobody, and of the thread alone: the library's callback is all that it has to tell which call it is about. */
static _Thread_local char said[SAID];

__attribute__((format(printf, 6, 0)))
static OTF2_ErrorCode keep(void *arg, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code, const char *format,
			   va_list values)
{
	char text[SAID], whole[2 * SAID];

	(void)arg;
	(void)file;
	(void)line;
	(void)function;
	if (*said)
		return code;
	if (!format || vsnprintf(text, sizeof text, format, values) < 0)
		*text = '\0';
	snprintf(whole, sizeof whole, "%s%s%s", OTF2_Error_GetDescription(code), *text ? ": " : "", text);
	text_safe(said, sizeof said, whole, SIZE_MAX, TEXT_UTF8);
	return code;
}

void otf2_errors_take(void)
{
	OTF2_Error_RegisterCallback(keep, NULL);
	*said = '\0';
}

const char *otf2_errors_said(void)
{
	return said;
}
