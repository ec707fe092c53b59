/* A trace in a file, with all that correcting it needs; and the same trace by other clocks.
 *
 *     struct clock_case c = clock_case_open("a.clog2", 0);
 *     ... c.trace, c.times, c.bounds, c.points ...
 *     clock_case_close(&c);
 */
#ifndef PAS2P_CLOCK_CASE_H
#define PAS2P_CLOCK_CASE_H

#include "core/clocks/correct/correct.h"
#include "core/clocks/bounds/bounds.h"
#include "gen_clog2.h"

struct clock_case {
	struct trace *trace;
	struct call_log *log;
	struct clock_times *times;
	struct clock_bounds *bounds;
	struct clock_points points;
};

/* Bails out if it cannot be loaded; damage is borne. */
struct clock_case clock_case_open(const char *path, double latency);
struct clock_case clock_case_open_all(const char *const *paths, uint32_t count, double latency);
void clock_case_close(struct clock_case *c);

void clock_case_write(const char *path, struct gen_bytes bytes); /* and frees the bytes */

/* Of one file make another whose processes have clocks of their own: random offsets, rates, steps and slews. Times of a
 * process still rise. Deterministic by the seed. scale: s, of the offsets. */
void clock_case_skew(const char *from, const char *to, uint64_t seed, double scale);

/* Violations of messages and collectives in all. */
uint64_t clock_case_violations(const struct clock_case *c);

#endif
