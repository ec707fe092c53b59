/* References of an archive to places in a table: they are dense and ascending in what Score-P writes, and anything up
 * to 2^64 - 1 elsewhere. */
#ifndef PAS2P_OTF2_REFS_H
#define PAS2P_OTF2_REFS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/map.h"

#define OTF2_REFS_DENSE 4096
#define OTF2_NOWHERE UINT32_MAX

struct otf_refs {
	uint32_t *dense;  /* place + 1 of references below OTF2_REFS_DENSE */
	struct map *rest;
};

bool otf_refs_init(struct otf_refs *refs); /* false: no memory */
void otf_refs_release(struct otf_refs *refs);

/* False: no memory. The last one to set a reference wins. */
bool otf_refs_set(struct otf_refs *refs, uint64_t ref, uint32_t place);

static inline uint32_t otf_refs_get(const struct otf_refs *refs, uint64_t ref)
{
	return (ref < OTF2_REFS_DENSE ? refs->dense[ref] : map_get(refs->rest, ref, 0)) - 1;
}

#endif
