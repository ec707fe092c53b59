/* MPE's known states: number 0 to 299, start etype twice the number, final etype one more. The numbers are the
 * same in all versions and are what identifies a call where its STATEDEF is missing. */
#include "clog2.h"

#include <string.h>

#define KNOWN_STATES 300

static const char *const names[KNOWN_STATES] = {
	[0] = "MPI_Allgather", "MPI_Allgatherv", "MPI_Allreduce", "MPI_Alltoall", "MPI_Alltoallv", "MPI_Barrier",
	"MPI_Bcast", "MPI_Gather", "MPI_Gatherv", "MPI_Op_create", "MPI_Op_free", "MPI_Reduce_scatter", "MPI_Reduce",
	"MPI_Scan", "MPI_Scatter", "MPI_Scatterv",
	[16] = "MPI_Attr_delete", "MPI_Attr_get", "MPI_Attr_put", "MPI_Comm_compare", "MPI_Comm_create", "MPI_Comm_dup",
	"MPI_Comm_free", "MPI_Comm_group", "MPI_Comm_rank", "MPI_Comm_remote_group", "MPI_Comm_remote_size",
	"MPI_Comm_size", "MPI_Comm_split", "MPI_Comm_test_inter",
	[30] = "MPI_Group_compare", "MPI_Group_difference", "MPI_Group_excl", "MPI_Group_free", "MPI_Group_incl",
	"MPI_Group_intersection", "MPI_Group_rank", "MPI_Group_range_excl", "MPI_Group_range_incl", "MPI_Group_size",
	"MPI_Group_translate_ranks", "MPI_Group_union",
	[42] = "MPI_Intercomm_create", "MPI_Intercomm_merge", "MPI_Keyval_create", "MPI_Keyval_free",
	[46] = "MPI_Abort", "MPI_Error_class", "MPI_Errhandler_create", "MPI_Errhandler_free", "MPI_Errhandler_get",
	"MPI_Error_string", "MPI_Errhandler_set", "MPI_Get_processor_name", "MPI_Initialized", "MPI_Wtick", "MPI_Wtime",
	"MPI_Address",
	[58] = "MPI_Bsend", "MPI_Bsend_init", "MPI_Buffer_attach", "MPI_Buffer_detach", "MPI_Cancel", "MPI_Request_free",
	"MPI_Recv_init", "MPI_Send_init", "MPI_Get_elements", "MPI_Get_count", "MPI_Ibsend", "MPI_Iprobe", "MPI_Irecv",
	"MPI_Irsend", "MPI_Isend", "MPI_Issend", "MPI_Pack", "MPI_Pack_size", "MPI_Probe", "MPI_Recv", "MPI_Rsend",
	"MPI_Rsend_init", "MPI_Send", "MPI_Sendrecv", "MPI_Sendrecv_replace", "MPI_Ssend", "MPI_Ssend_init", "MPI_Start",
	"MPI_Startall", "MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Test_cancelled", "MPI_Testsome",
	[92] = "MPI_Type_commit", "MPI_Type_contiguous", "MPI_Type_extent", "MPI_Type_free", "MPI_Type_hindexed",
	"MPI_Type_hvector", "MPI_Type_indexed", "MPI_Type_lb", "MPI_Type_size", "MPI_Type_struct", "MPI_Type_ub",
	"MPI_Type_vector",
	[104] = "MPI_Unpack", "MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome", "MPI_Cart_coords",
	"MPI_Cart_create", "MPI_Cart_get", "MPI_Cart_map", "MPI_Cart_shift", "MPI_Cartdim_get", "MPI_Dims_create",
	"MPI_Graph_create", "MPI_Graph_get", "MPI_Graph_map", "MPI_Graph_neighbors", "MPI_Graph_neighbors_count",
	"MPI_Graphdims_get", "MPI_Topo_test", "MPI_Recv_idle", "MPI_Cart_rank", "MPI_Cart_sub",
	[128] = "MPI_File_open", "MPI_File_close",
	[140] = "MPI_File_read_at",
	[142] = "MPI_File_write_at",
	[146] = "MPI_File_read",
	[148] = "MPI_File_write",
	[179] = "MPI_File_sync",
	[181] = "MPI_Accumulate",
	[184] = "MPI_Get", "MPI_Put",
	[187] = "MPI_Win_create", "MPI_Win_fence", "MPI_Win_free",
	[201] = "MPI_Comm_spawn", "MPI_Comm_spawn_multiple", "MPI_Comm_get_parent", "MPI_Comm_accept", "MPI_Comm_connect",
	"MPI_Comm_disconnect", "MPI_Comm_join",
	[250] = "MPE_Isend_waited", "MPE_Irecv_waited",
	[280] = "CLOG_Buffer_write2disk",
};

int clog2_known_state(const char *name)
{
	for (int i = 0; i < KNOWN_STATES; i++)
		if (names[i] && !strcmp(names[i], name))
			return i;
	return -1;
}

const char *clog2_known_name(int state)
{
	return state >= 0 && state < KNOWN_STATES ? names[state] : NULL;
}
