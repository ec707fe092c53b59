/* Runs as text, for tests of patterns: what each process does, in its order.
 *
 *     # what is known of it
 *     processes 4
 *     0 >1:2048:7 <3:7 Allreduce:* Barrier:0,1
 *
 * A line for each process: its rank, then >to:bytes:tag, <from:tag, and operations with their members (* for all).
 * Messages of one source, destination and tag match in order; so do calls of one operation of the same members.
 */
#ifndef PAS2P_PATTERN_CASE_H
#define PAS2P_PATTERN_CASE_H

#include "core/method/figures/figures.h"
#include "core/method/logical/logical.h"
#include "core/patterns/patterns.h"
#include "core/patterns/phase_names.h"

struct pattern_case {
	char *text;               /* the whole file */
	struct trace *trace;
	struct patterns *patterns;
	/* The whole run as one phase. */
	struct logical *logical;
	struct phase phase;
	struct occurrence occurrence;
	struct phases phases;
	struct phase_figures figure;
	struct figures figures;
	struct phase_names *names;
};

void pattern_case_read(struct pattern_case *c, const char *path); /* bails out where it cannot */
/* The same of a text, and without what only phases need. */
void pattern_case_make(struct pattern_case *c, const char *text);
void pattern_case_free(struct pattern_case *c);

/* What its comment "# key: value" says; NULL: it has none. free() it. */
char *pattern_case_known(const struct pattern_case *c, const char *key);
char *pattern_case_reading(const struct pattern_case *c); /* free() it */

#endif
