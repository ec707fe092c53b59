/* What a team of threads comes to, as text at rank 0, held against what comes of it alone; and how it fails.
 *
 *     static enum err_code work(void *arg, const struct team *team, struct out *out, struct err *e)
 *
 * is done by each rank, and with NULL for a team. What ranks other than 0 put out does not count. The error is to be
 * that of all ranks.
 */
#ifndef PAS2P_TEAM_SAME_H
#define PAS2P_TEAM_SAME_H

#include <stdbool.h>

#include "core/io/out.h"
#include "core/team/team.h"

#define TEAM_SAME_MOST 8

typedef enum err_code team_work(void *arg, const struct team *team, struct out *out, struct err *e);

/* Which numbers of ranks: bit n for n of them. */
#define TEAM_SAME_ALL 0x1feu
#define TEAM_SAME_SOME (1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 7)

/* True: the same code, the same text; of errors the same sentence, too, on all ranks. Else diag() says what differs of
 * `name`. */
bool team_same(team_work *work, void *arg, unsigned ranks, const char *name);

/* With an allocation of any rank failing, one after another, from where `work` calls team_same_begin() on: all ranks
 * come to the same code and sentence. Returns how often that was an error; -1: they do not. */
int team_fails_together(team_work *work, void *arg, uint32_t ranks, const char *name);
void team_same_begin(const struct team *team);

#endif
