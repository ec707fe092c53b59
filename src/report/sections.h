/* Between the files of the report: its sections, in the order of the page. Each writes itself, or what is absent and
 * why. */
#ifndef PAS2P_REPORT_SECTIONS_H
#define PAS2P_REPORT_SECTIONS_H

#include "core/base/unit.h"
#include "page.h"

/* What sections share. */
struct sheet {
	struct page page;
	const struct report *report;
	const struct overview *o;
	const struct metrics_run *run; /* that the report is about, with its rows; NULL: no metrics */
	uint32_t *ranked;              /* ids of phases, those of the largest shares first; NULL: no phases */
	enum role *role;               /* by id - 1 */
};

void section_glance(struct sheet *s);
void section_ran(struct sheet *s);
void section_structure(struct sheet *s);
void section_account(struct sheet *s);
void section_phases(struct sheet *s);
void section_maps(struct sheet *s);
void section_processes(struct sheet *s);
void section_scaling(struct sheet *s);
void section_results(struct sheet *s);
void section_notes(struct sheet *s);

/* ---- texts that several have ---- */

#define SHEET_TEXT 256

static inline const struct trace *sheet_trace(const struct sheet *s)
{
	return s->o->of.trace;
}

const char *ratio_text(char buf[UNIT_TEXT], double v); /* "3.42", "-" */

#endif
