#include "otf2_int.h"

#include <string.h>
#include <strings.h>

#define ONE_TO_ALL OTF2_REGION_ROLE_COLL_ONE2ALL
#define ALL_TO_ONE OTF2_REGION_ROLE_COLL_ALL2ONE
#define ALL_TO_ALL OTF2_REGION_ROLE_COLL_ALL2ALL
#define OTHER OTF2_REGION_ROLE_COLL_OTHER

static const struct {
	const char *name;
	struct otf2_operation operation;
} operations[] = {
	{"Barrier", {OTF2_COLLECTIVE_OP_BARRIER, OTF2_REGION_ROLE_BARRIER, false, false, false}},
	{"Bcast", {OTF2_COLLECTIVE_OP_BCAST, ONE_TO_ALL, true, false, false}},
	{"Gather", {OTF2_COLLECTIVE_OP_GATHER, ALL_TO_ONE, true, false, false}},
	{"Gatherv", {OTF2_COLLECTIVE_OP_GATHERV, ALL_TO_ONE, true, false, false}},
	{"Scatter", {OTF2_COLLECTIVE_OP_SCATTER, ONE_TO_ALL, true, false, false}},
	{"Scatterv", {OTF2_COLLECTIVE_OP_SCATTERV, ONE_TO_ALL, true, false, false}},
	{"Allgather", {OTF2_COLLECTIVE_OP_ALLGATHER, ALL_TO_ALL, false, false, false}},
	{"Allgatherv", {OTF2_COLLECTIVE_OP_ALLGATHERV, ALL_TO_ALL, false, false, false}},
	{"Alltoall", {OTF2_COLLECTIVE_OP_ALLTOALL, ALL_TO_ALL, false, false, false}},
	{"Alltoallv", {OTF2_COLLECTIVE_OP_ALLTOALLV, ALL_TO_ALL, false, false, false}},
	{"Alltoallw", {OTF2_COLLECTIVE_OP_ALLTOALLW, ALL_TO_ALL, false, false, false}},
	{"Allreduce", {OTF2_COLLECTIVE_OP_ALLREDUCE, ALL_TO_ALL, false, false, false}},
	{"Reduce", {OTF2_COLLECTIVE_OP_REDUCE, ALL_TO_ONE, true, false, false}},
	{"Reduce_scatter", {OTF2_COLLECTIVE_OP_REDUCE_SCATTER, ALL_TO_ALL, false, false, false}},
	{"Reduce_scatter_block", {OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, ALL_TO_ALL, false, false, false}},
	{"Scan", {OTF2_COLLECTIVE_OP_SCAN, OTHER, false, false, false}},
	{"Exscan", {OTF2_COLLECTIVE_OP_EXSCAN, OTHER, false, false, false}},
};

/* Of the n bytes at name, whatever the case of the first. */
static bool operation_find(struct otf2_operation *found, const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (strlen(operations[i].name) == n && !strncasecmp(operations[i].name, name, 1) &&
		    !memcmp(operations[i].name + 1, name + 1, n - 1)) {
			*found = operations[i].operation;
			return true;
		}
	return false;
}

bool otf2_operation_of(struct otf2_operation *found, const char *name)
{
	size_t n = strlen(name);
	bool nonblocking = *name == 'I', neighbours;

	if (n > 2 && !strcmp(name + n - 2, "_c"))
		n -= 2;
	name += nonblocking;
	n -= nonblocking;
	neighbours = n > 9 && !strncasecmp(name, "Neighbor_", 9);
	if (neighbours) {
		name += 9;
		n -= 9;
	}
	if (!n || !operation_find(found, name, n))
		return false;
	found->nonblocking = nonblocking;
	found->neighbours = neighbours;
	if (neighbours)
		found->role = OTHER;
	return true;
}
