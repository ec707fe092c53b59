/* The terminal, as the workbench would find it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor_int.h"

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
			 no && *no ? ", not used since NO_COLOR is set" : "");
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
		doctor_find(d, STANDING_NOTE, "standard input is no terminal: pas2p TRACE prints the overview, and pas2p --plain TRACE is the "
			    "workbench as text");
	} else if (!name) {
		doctor_find(d, STANDING_MISSING, "TERM is not set, so the workbench cannot draw: --plain is the workbench as text");
		doctor_mend(d, USUAL);
		doctor_needed(d);
	} else if (!strcmp(name, "dumb")) {
		doctor_find(d, STANDING_NOTE, "TERM is dumb, on which nothing can be drawn: pas2p TRACE prints the overview, and pas2p "
			    "--plain TRACE is the workbench as text");
		doctor_mend(d, USUAL);
	} else if (!d->machine->terminal.known) {
		doctor_find(d, STANDING_MISSING, "TERM is %s, a terminal that is not known here, or on which nothing can be placed", name);
		doctor_mend(d, USUAL);
		doctor_needed(d);
	} else {
		look_closer(d, name);
	}
}
