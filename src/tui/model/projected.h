/* What if: how long the run would take with something changed (core/metrics/project.h), and with nothing changed, which
 * it is compared with. Two derived results (tui/jobs/derived.h) of the phases that the run spent its time in.
 */
#ifndef PAS2P_TUI_PROJECTED_H
#define PAS2P_TUI_PROJECTED_H

#include "core/metrics/project.h"
#include "spending.h"

struct projected {
	struct what_if change;    /* count 0: nothing is asked */
	char text[256];           /* the same for people */
	struct derived changed, unchanged;
};

struct projected_run {
	struct made made;
	struct spent_phases *of;  /* a reference */
	struct what_if change;
	double runtime;           /* s */
	struct factors factors;   /* serialisation and transfer are not known */
};

/* A change takes the place of what was asked before; none ends it. */
void projected_change(struct model *m, const struct what_if *change);
/* What a text says takes the place of what was asked before; an empty one ends it. ERR_USAGE: as what_if_parse(). */
enum err_code projected_ask(struct model *m, const char *text, struct err *e);
/* After spending_update(): begins it, and again when phases change; takes what has come. */
void projected_update(struct model *m);
/* With the change, and without; both NULL: not known (yet). */
const struct projected_run *projected_changed(const struct model *m);
const struct projected_run *projected_unchanged(const struct model *m);
const char *projected_failure(const struct model *m); /* "": none */

#endif
