/* Parallel basic blocks and their labels (docs/explain/method.md, "Basic blocks"; thesis figures 3.13-3.18, table 3.2).
 *
 * With T ticks there are T-1 BBPs; BBP i (from 1) lies between ticks i-1 and i. label[i] is the number of
 * the first earlier leader it is similar to, or i itself. Arrays are indexed by BBP number; index 0 unused.
 *
 * Sums of compute times over processes are exact before they are rounded once (exact_sum.h): the same however processes
 * are shared out.
 *
 * With a team (trace_team()) all ranks call what makes spaces and blocks, which takes collective steps (team.h); rank 0
 * labels, and all have the labels. What asks a logical trace for cells of a block asks a whole one.
 */
#ifndef PAS2P_CORE_METHOD_PHASES_BBP_H
#define PAS2P_CORE_METHOD_PHASES_BBP_H

#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/method/logical/logical.h"
#include "core/settings/settings.h"

struct bbps {
	uint32_t count;       /* T - 1, or 0 */
	uint32_t *label;      /* count + 1 */
	uint32_t *weight;     /* of a leader: how often its label occurs; 0 for all others */
	uint32_t label_count; /* distinct labels */
};

/* What of the blocks does not depend on thresholds: ticks interned by content, compute times by tick. Made
 * once per logical trace, so that a moved knob costs little. */
struct bbp_space;
enum err_code bbp_space_new(struct bbp_space **out, const struct logical *l, const struct progress *progress, struct err *e);
void bbp_space_free(struct bbp_space *space);

enum err_code bbps_new(struct bbps **out, const struct bbp_space *space, const struct settings *settings,
		       const struct progress *progress, struct err *e);
void bbps_free(struct bbps *b);

/* One process's row of BBP i (table 3.2). */
struct bbp_cell {
	event_type entry_type, exit_type;
	uint64_t entry_size, exit_size;
	double compute; /* NAN: not known */
};
void bbp_cell(const struct logical *l, uint32_t i, uint32_t process, struct bbp_cell *c);
/* Max or sum over the processes; NAN: that of one of them is not known. */
double bbp_compute(const struct logical *l, uint32_t i, enum compute_of of);

/* Processes, of one's own, with an event at a block's entry, exit, or both. */
uint32_t bbp_active(const struct logical *l, uint32_t i);
/* Compute times of the blocks [begin, end), by all ranks of a team, which all get it. Collective (team.h). */
enum err_code bbp_computes(double *list, const struct logical *l, uint32_t begin, uint32_t end, enum compute_of of, struct err *e);

/* The two comparisons of criteria 2 and 3, in the one place where they are written. Unknown sizes (SIZE_UNKNOWN)
 * and unknown compute times (NAN) are similar to all. At a threshold of 0 compute times are equal if they are so
 * to 10 ps: they are sums and differences of time stamps, and what is finer is rounding. */
int size_similar(uint64_t a, uint64_t b, double volume);
int compute_similar(double a, double b, double compute);
double compute_exact(double seconds); /* in units of 10 ps, a whole number */

#endif
