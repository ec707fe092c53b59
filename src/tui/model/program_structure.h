/* The program's structure (core/windows/structure.h), as all views share it: its loops, folded out of the phases of the
 * analysis that is shown, and the iterations of its main loop. A derived result (tui/jobs/derived.h), `m->structure`,
 * made again when the phases move; its own analysis says which phases it is of. Occurrences and iterations are counted
 * from 0.
 */
#ifndef PAS2P_TUI_PROGRAM_STRUCTURE_H
#define PAS2P_TUI_PROGRAM_STRUCTURE_H

#include "core/analysis/analysis.h"
#include "core/windows/structure.h"
#include "tui/jobs/derived.h"

struct model;

struct program_structure {
	struct made made;
	const struct analysis *analysis;  /* a reference: its phases are the structure's */
	struct structure *structure;
	struct structure_word *words;     /* all of them, however deep */
	uint32_t word_count;
};

void program_structure_update(struct model *m);
/* The latest; NULL: being made, or there is a failure. */
struct program_structure *program_structure_now(const struct model *m);
/* The structure of the phases that are shown; NULL: not there (yet). */
const struct structure *program_structure(const struct model *m);

/* The tick at which an iteration of the main loop begins, and the one behind its last; false: there is none, or not of
 * what is shown. */
bool program_structure_iteration(const struct model *m, uint32_t iteration, uint32_t *first, uint32_t *end);

#endif
