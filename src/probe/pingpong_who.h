/* Who measures with whom: nodes, and the groups of ranks that the launch offers (docs/models.md 5). */
#ifndef PAS2P_PINGPONG_WHO_H
#define PAS2P_PINGPONG_WHO_H

#include <stdbool.h>

struct who {
	int rank, size;
	int *node;       /* per rank: the lowest rank on its node */
	int nodes;
};

void who_find(struct who *w); /* collective over the world */
void who_release(struct who *w);

/* Some ranks that measure together. */
struct group {
	const char *where; /* "intra": on one node; "inter": not */
	int first, second; /* a pair; second -1: ranks 0 ... count-1 */
	int count;
};

/* Pair number i: the first two ranks on one node, the first of two nodes. False: there are no more. */
bool who_pair(const struct who *w, int i, struct group *g);
/* Of all, number i: 2, 4, 8 ... and all. */
bool who_all(const struct who *w, int i, struct group *g);
bool who_is_in(const struct who *w, const struct group *g);

#endif
