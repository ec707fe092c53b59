/* Collective operations as OTF2 numbers them. It has no numbers for nonblocking and neighbourhood ones: those are told
 * by other records, and by the name of the call. */
#ifndef PAS2P_OTF2_OPERATIONS_H
#define PAS2P_OTF2_OPERATIONS_H

#include <otf2/otf2.h>
#include <stdbool.h>

struct otf2_operation {
	OTF2_CollectiveOp op;
	OTF2_RegionRole role;  /* of its call */
	bool rooted;
	bool nonblocking, neighbours;
};

/* "Allreduce", "Iallreduce", "Ineighbor_alltoall", also with _c behind it. False: of another name. */
bool otf2_operation_of(struct otf2_operation *found, const char *name);

#endif
