/* What a team of threads comes to, held against what one process comes to; and how it fails.
 *
 *     static enum err_code run(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e)
 *
 * is a case's work: each rank does it, and one process with NULL for a team. What rank 0 says is to be what the process
 * says; code and, of errors, the sentence are to be the same on all ranks. A rank that looks at its local part, and
 * finds another than the whole one's, returns team_differs().
 */
#ifndef PAS2P_TEAM_DRIVE_H
#define PAS2P_TEAM_DRIVE_H

#include <stdbool.h>

#include "core/base/progress.h"
#include "core/io/out.h"
#include "core/team/team.h"

#define TEAM_MOST 16

struct team_case {
	const char *name;
	enum err_code (*run)(void *arg, const struct team *team, const struct progress *progress, struct out *said, struct err *e);
	void *arg;
	bool all_say; /* what the other ranks say is to be the beginning of what the process says */
	bool loads;   /* memory may fail from the first line of `run`; then it is also to free all that it takes */
	bool lenient; /* it may do without what there is no memory for, and say something else then, or with another code */
};

/* Which numbers of ranks: bit n for n of them. */
#define TEAM_ALL 0x1feu
#define TEAM_SOME (1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 7)

/* False: diag() says what differs, and where. */
bool team_same(const struct team_case *c, unsigned ranks);

/* Each allocation of any of the ranks fails, once alone and once with all later ones; one of them is stopped at each of
 * its questions. All are to end with one code and sentence, or well as if nothing had been. Of allocations and of
 * questions `tries` are taken, evenly spread; 0: all. An ok() for each, and for a run after all that. */
void team_fails(const struct team_case *c, uint32_t ranks, long tries);

/* From here on, and up to there (the end of `run`, without it), memory fails, where that is tried. Of all ranks. */
void team_fails_from(const struct team *team);
void team_fails_to(const struct team *team);

enum err_code team_differs(struct err *e, const char *why);

#endif
