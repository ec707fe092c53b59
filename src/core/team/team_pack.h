/* Packed messages to other ranks of a team: numbers and structs one after the other, taken out in the order in which
 * they were put in. The ranks run one program on machines of one kind, so the bytes are as in memory.
 *
 *     team_put(&pack, &n, sizeof n);                 a failure sticks: pack.failed
 *     team_gather_all(team, pack.bytes, pack.n, from, &e);
 *     team_take(&take, &n, sizeof n);                 of take = {from[r].bytes, from[r].n}; false: there are no more
 */
#ifndef PAS2P_TEAM_PACK_H
#define PAS2P_TEAM_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/base/mem.h"
#include "team.h"

struct team_pack {
	uint8_t *bytes;        /* mem_free() it */
	size_t n, cap;
	bool failed;           /* out of memory */
};

struct team_take {
	const uint8_t *bytes;
	size_t n;              /* that are left */
};

static inline void team_put(struct team_pack *pack, const void *from, size_t n)
{
	if (n > pack->cap - pack->n) {
		size_t cap = pack->cap * 2 > pack->n + n ? pack->cap * 2 : pack->n + n + 64;
		uint8_t *bytes = pack->failed ? NULL : mem_resize(pack->bytes, cap, 1);

		if (!bytes) {
			pack->failed = true;
			return;
		}
		pack->bytes = bytes;
		pack->cap = cap;
	}
	if (n)
		memcpy(pack->bytes + pack->n, from, n);
	pack->n += n;
}

static inline bool team_take(struct team_take *take, void *to, size_t n)
{
	if (n > take->n)
		return false;
	if (n)
		memcpy(to, take->bytes, n);
	take->bytes += n;
	take->n -= n;
	return true;
}

/* What each rank of a team has for each other one, packed (team_pack.h), and what came of it: several exchanges, one
 * after the other.
 *
 *     code = team_packs_init(&p, team, code, &e);         what was come to before is passed on
 *     team_put(&p.to[rank], ...);                         failures stick, and are told at the exchange
 *     code = team_packs_exchange(&p, code, "what", &e);   a collective step: p.from[rank] came from there, p.to is empty again
 *     team_take(&(struct team_take){p.from[rank].bytes, p.from[rank].n}, ...);
 *     team_packs_release(&p);
 */

struct team_packs {
	const struct team *team;
	struct team_pack *to;    /* per rank; NULL: there was no memory */
	struct team_bytes *from; /* per rank, since the last exchange */
};

/* Not a collective step. An error goes to the exchange. */
enum err_code team_packs_init(struct team_packs *p, const struct team *team, enum err_code code, struct err *e);
/* code, e: what packing has come to. `what` there was no memory for, if a pack failed. The team's code. */
enum err_code team_packs_exchange(struct team_packs *p, enum err_code code, const char *what, struct err *e);
void team_packs_release(struct team_packs *p);

static inline struct team_take team_packs_from(const struct team_packs *p, uint32_t rank)
{
	return (struct team_take){p->from[rank].bytes, p->from[rank].n};
}

#endif
