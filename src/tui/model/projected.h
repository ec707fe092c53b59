/* What if: how long the run would take with something changed (core/metrics/project.h), computed behind the screen. */
#ifndef PAS2P_TUI_PROJECTED_H
#define PAS2P_TUI_PROJECTED_H

#include "core/metrics/project.h"
#include "spending.h"

struct projected {
	struct what_if change;    /* count 0: nothing is asked */
	char text[256];           /* the same for people */
	struct spent_phases *of;  /* that it is, or is being, computed from; a reference; NULL: not asked yet */
	bool known;
	double runtime;           /* s */
	struct factors factors;   /* serialisation and transfer are not known */
	struct spent_phases *unchanged_of; /* that the next two are of; a reference; NULL: not computed yet */
	double unchanged;         /* s: of the replay in which nothing is changed, which the others are compared with */
	struct factors unchanged_factors;
	char failure[ERR_TEXT];
};

/* A change takes the place of what was asked before; none ends it. */
void projected_change(struct model *m, const struct what_if *change);
/* What a text says takes the place of what was asked before; an empty one ends it. ERR_USAGE: as what_if_parse(). */
enum err_code projected_ask(struct model *m, const char *text, struct err *e);
/* After spending_update(): begins it, and again when phases change; takes what has come. */
void projected_update(struct model *m);
void projected_release(struct projected *p);

#endif
