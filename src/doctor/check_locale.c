/* The locale, which says whether characters beyond ASCII can be drawn. It is looked up anew: the program's own may be
 * another. */
#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "doctor_int.h"
#include "core/base/text.h"

/* What of the environment decides about characters: the first that is set. */
static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};

void check_locale(struct doctor *d)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	char value[64], codes[64];
	const char *given = NULL, *variable = "LANG";

	for (size_t i = 0; !given && i < sizeof variables / sizeof *variables; i++) {
		variable = variables[i];
		given = doctor_variable(variable, value, sizeof value);
	}
	if (!locale) {
		doctor_find(d, STANDING_NOTE, "%s is %s, a locale that is not installed here: the workbench draws with ASCII", variable,
			    given ? given : "empty");
		doctor_mend(d, "export LC_ALL=C.UTF-8");
		return;
	}
	text_safe(codes, sizeof codes, nl_langinfo_l(CODESET, locale), SIZE_MAX, TEXT_UTF8);
	freelocale(locale);
	if (!strcmp(codes, "UTF-8")) {
		doctor_find(d, STANDING_OK, "%s=%s, which is UTF-8", variable, given ? given : "");
		return;
	}
	if (given)
		doctor_find(d, STANDING_NOTE, "%s is %s, which is not UTF-8: the workbench draws with ASCII", variable, given);
	else
		doctor_find(d, STANDING_NOTE, "neither LC_ALL, LC_CTYPE nor LANG is set, so nothing but ASCII is drawn");
	doctor_mend(d, "export LC_ALL=C.UTF-8");
}
