/* The terminal, as the workbench would find it, and the locale. */
#include "doctor_int.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

/* What the workbench needs at least (docs/terminals.md). */
#define LEAST_COLUMNS 40
#define LEAST_ROWS 10

#define USUAL "export TERM=xterm-256color"

static void look_closer(struct doctor *d, const char *name)
{
	const char *no = getenv("NO_COLOR");
	int columns = d->machine->terminal.columns, rows = d->machine->terminal.rows;
	char colours[64] = "no colours", size[64] = "";
	bool small = columns && rows && (columns < LEAST_COLUMNS || rows < LEAST_ROWS);

	if (d->machine->terminal.colours > 1)
		snprintf(colours, sizeof colours, "%d colours%s", d->machine->terminal.colours,
			 no && *no ? ", not used because NO_COLOR is set" : "");
	if (columns && rows)
		snprintf(size, sizeof size, ", %dx%d", columns, rows);
	doctor_find(d, small ? STANDING_NOTE : STANDING_OK, "%s: %s%s%s", name, colours, size,
		    small ? "; the workbench needs 40x10" : "");
	if (small)
		doctor_mend(d, "make the window larger");
}

void check_terminal(struct doctor *d)
{
	char buf[64];
	const char *name = doctor_variable("TERM", buf, sizeof buf);

	if (!d->machine->terminal.there) {
		doctor_find(d, STANDING_NOTE, "standard input is not a terminal: pas2p TRACE prints the overview; "
			    "pas2p --plain TRACE is the workbench as text");
	} else if (!name) {
		doctor_find(d, STANDING_MISSING, "TERM is not set, so the workbench cannot draw; --plain shows it as "
			    "text");
		doctor_mend(d, USUAL);
		doctor_needed(d);
	} else if (!strcmp(name, "dumb")) {
		doctor_find(d, STANDING_NOTE, "TERM is dumb, so the workbench cannot draw: pas2p TRACE prints the "
			    "overview; pas2p --plain TRACE is the workbench as text");
		doctor_mend(d, USUAL);
	} else if (!d->machine->terminal.known) {
		doctor_find(d, STANDING_MISSING, "TERM is %s, which is unknown here or cannot position text", name);
		doctor_mend(d, USUAL);
		doctor_needed(d);
	} else {
		look_closer(d, name);
	}
}

/* The locale, which says whether characters beyond ASCII can be drawn. It is looked up again: the program's own may be
 * another. */

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
		doctor_find(d, STANDING_NOTE, "%s is %s, a locale that is not installed here: the workbench draws in "
			    "ASCII", variable,
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
		doctor_find(d, STANDING_NOTE, "%s is %s, which is not UTF-8: the workbench draws in "
			    "ASCII", variable, given);
	else
		doctor_find(d, STANDING_NOTE, "LC_ALL, LC_CTYPE and LANG are not set: the workbench draws in ASCII");
	doctor_mend(d, "export LC_ALL=C.UTF-8");
}
