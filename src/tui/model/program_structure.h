/* The program's structure (core/windows/structure.h), as all views share it: its loops, folded out of the phases of the
 * analysis that is shown, and the iterations of its main loop.
 *
 *     program_structure_update(m);          in the update of a view that shows some of it: asks for it, takes what has come
 *     m->structure.now                      NULL: being made, or there is a failure
 *     program_structure_is_current(m)       of the phases that are shown, not of those before a knob moved
 *
 * It is made behind the screen, again when the phases move. Until the new one is there, the old one stays: its own
 * analysis says which phases it is of. Immutable and counted: a task, or a view that keeps it, holds a reference.
 * Occurrences and iterations are counted from 0.
 */
#ifndef PAS2P_TUI_PROGRAM_STRUCTURE_H
#define PAS2P_TUI_PROGRAM_STRUCTURE_H

#include <stdatomic.h>

#include "core/analysis/analysis.h"
#include "core/base/err.h"
#include "core/windows/structure.h"

struct model;

struct program_structure {
	atomic_int references;
	const struct analysis *analysis;  /* a reference: its phases are the structure's */
	struct structure *structure;
	struct structure_word *words;     /* all of them, however deep */
	uint32_t word_count;
};

struct model_structure {
	struct program_structure *now;
	const struct analysis *asked_for; /* a reference; NULL: nothing was asked for */
	char failure[ERR_TEXT];           /* "": none */
	uint64_t serial;                  /* grows with each that comes */
};

void program_structure_update(struct model *m);
bool program_structure_is_current(const struct model *m);
bool program_structure_busy(const struct model *m);
void program_structure_cancel(struct model *m);
void program_structure_again(struct model *m);   /* after a failure */
void program_structure_release(struct model_structure *s);

struct program_structure *program_structure_ref(struct program_structure *s);
void program_structure_unref(struct program_structure *s); /* NULL is fine */

/* The structure of the phases that are shown; NULL: not there (yet). */
const struct structure *program_structure(const struct model *m);

/* The tick at which an iteration of the main loop begins, and the one behind its last; false: there is none, or not of
 * what is shown. */
bool program_structure_iteration(const struct model *m, uint32_t iteration, uint32_t *first, uint32_t *end);

#endif
