/* Results of `pas2p run` beside the trace: what was measured, here or elsewhere, of the phases that are shown.
 *
 * A result belongs to a trace by the SHA-256 of its files. Until that is known (it is computed in the background)
 * nothing of a result is shown; one of another trace is dropped.
 *
 * Its phases are those of the table that it was measured by. With other settings the phases on the screen may be
 * others: which of them was measured is told as everywhere (core/documents/result_same.h). What cannot be told to be
 * the same has no measured time.
 */
#ifndef PAS2P_TUI_RESULTS_H
#define PAS2P_TUI_RESULTS_H

#include "core/analysis/analysis.h"
#include "core/documents/result.h"
#include "core/trace/trace.h"

#define RESULT_LABEL 80

struct results {
	struct result *list;     /* owned; in the order in which they were opened */
	uint32_t count;
	uint32_t shown;          /* number from 1; 0: none */
	char sha256[65];         /* of the trace; "": not known yet */
	uint64_t serial;         /* grows with all that changes what is shown */
	const struct result_phase **phase; /* what was measured of phase id - 1, NULL: nothing; owned */
	uint32_t phase_count;
	uint32_t found;          /* how many of the measured phases are among those on the screen */
};

void results_release(struct results *r);

/* Takes the result over, and shows it; of one file read twice the later reading stays. ERR_USAGE: it is of another
 * trace (NULL: not loaded yet). */
enum err_code results_add(struct results *r, struct result *result, const struct trace *t, struct err *e);

/* Drop what is not of this trace; its SHA-256 is looked at once it is known. ERR_USAGE says what was dropped, and
 * why. */
enum err_code results_check(struct results *r, const struct trace *t, struct err *e);

void results_clear(struct results *r); /* leave none */
void results_next(struct results *r); /* show the next one, after the last none */

/* Find the measured phases among those of an analysis (NULL: none), after anything has changed. */
void results_match(struct results *r, const struct analysis *a);

/* The one that is shown; NULL: none, or it is not known yet whether it is of this trace. */
const struct result *results_shown(const struct results *r);
const struct result_phase *results_phase(const struct results *r, uint32_t id); /* NULL: not measured */

/* "laptop · replay · 3 runs" */
void results_label(const struct result *r, char label[RESULT_LABEL]);
/* Why some measured phases are not to be seen, as "2 of 3 ..."; "": all are. */
void results_missing(const struct results *r, const struct settings *now, char *text, size_t size);

#endif
