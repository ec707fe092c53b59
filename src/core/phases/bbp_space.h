/* The space of the basic blocks, inside: what bbps_new() works on (bbp.h says what it is for). */
#ifndef PAS2P_BBP_SPACE_H
#define PAS2P_BBP_SPACE_H

#include "bbp.h"
#include "core/logical/tick_classes.h"

struct bbp_space {
	const struct logical *l;
	struct tick_classes types;  /* by type */
	struct tick_classes sizes;  /* by type and size */
	double *largest, *sum;      /* per tick: compute times that follow its events */
	uint32_t *size_values;      /* the sizes that there are, ascending */
	uint32_t size_count;
};

#endif
