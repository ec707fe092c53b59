/* Which insertions and deletions turn one sequence of numbers into another (docs/studies.md 2).
 *
 * A script is as short as any. Of the shortest it is the one that the page decides: the common prefix is kept, then the
 * common suffix of what is left, and of the scripts for the rest it is the lexicographically first with keep < delete <
 * insert. So equal sequences give equal scripts, however they were computed.
 *
 * Myers' O(ND) from the end, remembering the furthest points of each distance, then a walk from the front. Time O((n +
 * m) D), memory 2 D^2 bytes for a script of D edits: D grows no further than `effort`.
 */
#ifndef PAS2P_CORE_COMPARE_DIFF_EDIT_SCRIPT_H
#define PAS2P_CORE_COMPARE_DIFF_EDIT_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/parallel.h"

enum edit { EDIT_KEEP, EDIT_DELETE, EDIT_INSERT };

struct edit_run {
	enum edit edit;
	uint32_t count;
};

struct edit_script {
	struct edit_run *runs;   /* neighbours differ in what they do; NULL where beyond */
	uint32_t run_count;
	uint32_t removed, added; /* 0 where beyond */
	bool beyond;             /* it takes more than `effort` edits */
};

/* stop: asked as the part that it says; NULL: never stopped. ERR_MEMORY and ERR_CANCELLED without a sentence: others
 * work beside it. */
enum err_code edit_script_init(struct edit_script *s, const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint32_t effort,
			       struct parallel_stop *stop, unsigned part);
void edit_script_release(struct edit_script *s);

#endif
