#include "otf2_int.h"

#include "core/base/mem.h"

bool otf_refs_init(struct otf_refs *refs)
{
	refs->dense = mem_zero(OTF2_REFS_DENSE, sizeof *refs->dense);
	refs->rest = map_new();
	return refs->dense && refs->rest;
}

void otf_refs_release(struct otf_refs *refs)
{
	mem_free(refs->dense);
	map_free(refs->rest);
}

bool otf_refs_set(struct otf_refs *refs, uint64_t ref, uint32_t place)
{
	uint32_t *at = ref < OTF2_REFS_DENSE ? &refs->dense[ref] : map_at(refs->rest, ref, 0);

	if (at)
		*at = place + 1;
	return at;
}
