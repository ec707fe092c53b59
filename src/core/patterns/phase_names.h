/* Names of phases: which patterns the messages of each phase belong to (docs/explain/patterns.md, "Names of phases").
 *
 *     phase_names_new(&n, patterns, logical, phases, figures, progress, &e);
 *     n->list[id - 1].name          "sweeps from 3,7,4", "halo 4x4 + allreduce ...", "mixed"
 *     phase_names_free(n);
 *
 * A phase's weight of a pattern is the number of its sends and collective calls, over all its occurrences, in instances
 * of that pattern, times the share of them that the pattern explains. A phase of which less than 95 % is explained by at most
 * four patterns has no name: `named` is false, and `name` is a description.
 *
 * Immutable once made; keeps nothing of logical, phases and figures; the patterns must outlive it.
 */
#ifndef PAS2P_CORE_PATTERNS_PHASE_NAMES_H
#define PAS2P_CORE_PATTERNS_PHASE_NAMES_H

#include "core/method/figures/figures.h"
#include "patterns.h"

#define PART_UNMATCHED UINT32_MAX /* in place of a pattern: sends whose receive is missing */

struct phase_part {
	uint32_t pattern;
	double share;             /* of the phase's sends and collective calls, as far as they are explained */
};

struct phase_name {
	const char *name, *meaning;
	const char *kinds;        /* of what it does: the words of its kinds with at least 20 %, "neighbours + sweep"; NULL: it is not named */
	bool named;
	double explained;
	double compute;           /* share of the phase's time outside MPI; NAN: the trace does not say, or there is no time */
	const struct phase_part *parts; /* by share, the largest first */
	uint32_t part_count;
};

/* The run's time by kind of pattern: that of each phase, divided by the shares of its parts. */
struct pattern_time {
	const char *word, *shown; /* as of a pattern */
	double share;             /* of the run time; NAN: the run has none */
};

struct phase_names {
	struct arena arena;
	struct phase_name *list;  /* by id - 1 */
	uint32_t count;
	double named_share;       /* of the time of all phases, that of those that have a name; NAN without a time */
	struct pattern_time *kinds; /* the largest first */
	uint32_t kind_count;
	double *pattern_share;    /* per pattern that is the first of its name, of the run time; NAN likewise */
};

enum err_code phase_names_new(struct phase_names **out, const struct patterns *x, const struct logical *l, const struct phases *p,
			      const struct figures *f, const struct progress *progress, struct err *e);
void phase_names_free(struct phase_names *n); /* NULL is fine */

/* The largest shares of run time by kind, four of 1 % or more, and what has no name if that is much: "60 % sweeps, 31 %
 * halo exchanges; 8 % of phase time has no name". sentence: "60 % of the run time is in sweeps, 31 % in halo
 * exchanges; ...". No end of a line or a sentence. Nothing is added if the run has no time or no pattern; n may be NULL. */
enum shares_form { SHARES_SHORT, SHARES_SENTENCE };
void phase_names_shares_text(const struct phase_names *n, enum shares_form form, struct out *out);

#endif
