#include "otf2_int.h"

#include <otf2/otf2.h>
#include <stdio.h>

#include "core/base/text.h"

#define SAID 160

static _Thread_local char said[SAID];

__attribute__((format(printf, 6, 0)))
static OTF2_ErrorCode said_hear(void *arg, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code, const char *format,
			   va_list values)
{
	char text[2 * SAID] = "";
	int n;

	(void)arg;
	(void)file;
	(void)line;
	(void)function;
	if (*said)
		return code;
	n = snprintf(text, sizeof text, "%s", OTF2_Error_GetDescription(code));
	if (format && *format && n > 0 && (size_t)n < sizeof text - 2) {
		n += snprintf(text + n, sizeof text - (size_t)n, ": ");
		vsnprintf(text + n, sizeof text - (size_t)n, format, values);
	}
	text_safe(said, sizeof said, text, SIZE_MAX, TEXT_UTF8);
	return code;
}

void otf_said_begin(void)
{
	*said = '\0';
	OTF2_Error_RegisterCallback(said_hear, NULL);
}

const char *otf_said(void)
{
	return *said ? said : "nothing more is known";
}

bool otf_said_any(void)
{
	return *said != '\0';
}
