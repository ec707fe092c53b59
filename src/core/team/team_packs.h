/* What each rank of a team has for each other one, packed (team_pack.h), and what came of it: several exchanges, one
 * after the other.
 *
 *     code = team_packs_init(&p, team, code, &e);         what was come to before is passed on
 *     team_put(&p.to[rank], ...);                         failures stick, and are told at the exchange
 *     code = team_packs_exchange(&p, code, "what", &e);   a meeting: p.from[rank] came from there, p.to is empty again
 *     team_take(&(struct team_take){p.from[rank].bytes, p.from[rank].n}, ...);
 *     team_packs_release(&p);
 */
#ifndef PAS2P_TEAM_PACKS_H
#define PAS2P_TEAM_PACKS_H

#include "team.h"
#include "team_pack.h"

struct team_packs {
	const struct team *team;
	struct team_pack *to;    /* per rank; NULL: there was no memory */
	struct team_bytes *from; /* per rank, since the last exchange */
};

/* Not a meeting. An error goes to the exchange. */
enum err_code team_packs_init(struct team_packs *p, const struct team *team, enum err_code code, struct err *e);
/* code, e: what packing has come to. `what` there was no memory for, if a pack failed. The team's code. */
enum err_code team_packs_exchange(struct team_packs *p, enum err_code code, const char *what, struct err *e);
void team_packs_release(struct team_packs *p);

static inline struct team_take team_packs_from(const struct team_packs *p, uint32_t rank)
{
	return (struct team_take){p->from[rank].bytes, p->from[rank].n};
}

#endif
