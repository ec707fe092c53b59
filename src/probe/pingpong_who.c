#include "pingpong_who.h"

#include <mpi.h>
#include <stdlib.h>

#include "probe_wait.h"

void who_find(struct who *w)
{
	MPI_Comm node;
	int lowest;

	MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &w->size);
	w->node = must(malloc((size_t)w->size * sizeof *w->node));
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, w->rank, MPI_INFO_NULL, &node);
	MPI_Allreduce(&w->rank, &lowest, 1, MPI_INT, MPI_MIN, node);
	MPI_Comm_free(&node);
	MPI_Allgather(&lowest, 1, MPI_INT, w->node, 1, MPI_INT, MPI_COMM_WORLD);
	w->nodes = 0;
	for (int i = 0; i < w->size; i++)
		w->nodes += w->node[i] == i;
}

void who_release(struct who *w)
{
	free(w->node);
}

static bool find_intra(const struct who *w, struct group *g)
{
	for (int i = 0; i < w->size; i++)
		for (int k = i + 1; k < w->size; k++)
			if (w->node[k] == w->node[i]) {
				*g = (struct group){"intra", i, k, 2};
				return true;
			}
	return false;
}

static bool find_inter(const struct who *w, struct group *g)
{
	for (int k = 1; k < w->size; k++)
		if (w->node[k] == k) {
			*g = (struct group){"inter", 0, k, 2};
			return true;
		}
	return false;
}

bool who_pair(const struct who *w, int i, struct group *g)
{
	bool intra = find_intra(w, g);

	if (i == 0 && intra)
		return true;
	return i == (intra ? 1 : 0) && find_inter(w, g);
}

bool who_all(const struct who *w, int i, struct group *g)
{
	int count = 2;

	for (; i > 0 && count < w->size; i--)
		count *= 2;
	if (i > 0 || w->size < 2)
		return false;
	*g = (struct group){"intra", 0, -1, count < w->size ? count : w->size};
	for (int k = 1; k < g->count; k++)
		if (w->node[k] != w->node[0])
			g->where = "inter";
	return true;
}

bool who_is_in(const struct who *w, const struct group *g)
{
	return g->second < 0 ? w->rank < g->count : w->rank == g->first || w->rank == g->second;
}
