/* What goes to other ranks of a team, packed: numbers and structs one after the other, taken out in the order in which
 * they were put in. The ranks run one program on machines of one kind, so that bytes are as they lie in memory.
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

#endif
