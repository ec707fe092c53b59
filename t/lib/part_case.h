/* A trace in parts, one on each rank of a team of threads, held against the whole one.
 *
 *     struct part_input in = {.paths = paths, .count = n};
 *     part_same(&in, 3, "a trace");              an ok(): each of three ranks has what the whole trace has of its processes
 *
 * or, for a test that goes on with the parts, on each rank:
 *
 *     code = part_load(&trace, &in, team, &err); NULL: the whole
 *     part_differs(trace, whole, why);           a collective step; NULL: nothing does
 */
#ifndef PAS2P_PART_CASE_H
#define PAS2P_PART_CASE_H

#include "core/team/team.h"
#include "core/trace/trace.h"
#include "gen_clog2.h"

struct part_input {
	const char *const *paths;      /* of files; or */
	const struct gen_bytes *bytes; /* bytes of each */
	uint32_t count;
	const char *counter;
	unsigned threads;              /* of each rank; 0: one */
};

enum err_code part_load(struct trace **out, const struct part_input *in, const struct team *team, struct err *e);

#define PART_WHY 1024
/* What is first found to differ, in `why`. */
const char *part_differs(const struct trace *part, const struct trace *whole, char why[PART_WHY]);

/* One check. A run that cannot be loaded must give its error on all ranks. */
bool part_is_same(const struct part_input *in, uint32_t ranks);
void part_same(const struct part_input *in, uint32_t ranks, const char *what);
void part_same_files(const char *const *paths, uint32_t count, uint32_t ranks, const char *what);

#endif
