/* What the regions of an archive are to the maker: kinds of state; and which collectives there are (docs/formats.md 2).
 *
 * Regions of the same name are one kind: some tracers define a region anew for each process. Kind 0 is a region that
 * nothing defines, kind 1 the tracer's writing.
 */
#ifndef PAS2P_OTF2_KINDS_H
#define PAS2P_OTF2_KINDS_H

#include "core/trace/trace_make.h"
#include "otf2_defs.h"

#define OTF2_KIND_UNDEFINED 0u
#define OTF2_KIND_FLUSH 1u
#define OTF2_NO_OP UINT16_MAX

struct otf_kind {
	bool mpi;
	uint16_t op;           /* of a collective: that the call's name says */
};

struct otf_kinds {
	struct otf_kind *list;
	uint32_t count;
	uint32_t *of_region;   /* at its place in the definitions */
	const char **ops;      /* "Allreduce"; the first ones are those that records name */
	uint32_t op_count;
	size_t cap, op_cap;
	const struct otf_defs *defs;
};

enum err_code otf_kinds_init(struct otf_kinds *kinds, const struct otf_defs *defs, struct maker *maker, struct err *e);
void otf_kinds_release(struct otf_kinds *kinds);

static inline uint32_t otf_kind_of(const struct otf_kinds *kinds, uint32_t region)
{
	uint32_t at = otf_refs_get(&kinds->defs->region_at, region);

	return at == OTF2_NOWHERE ? OTF2_KIND_UNDEFINED : kinds->of_region[at];
}

/* The operation of a record; OTF2_NO_OP: it makes or frees something, or is not known. */
uint16_t otf_record_op(OTF2_CollectiveOp op, bool nonblocking);

#endif
