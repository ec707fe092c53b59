/* Telling the maker the records of a Paraver trace, once they are in order (prv_arrange.h). */
#ifndef PAS2P_PRV_TELL_H
#define PAS2P_PRV_TELL_H

#include "prv_arrange.h"
#include "prv_roots.h"

struct prv_telling {
	const struct prv_header *header;
	const struct prv_scan *scan;
	const struct prv_kinds *kinds;
	const struct prv_comms *comms;
	const struct prv_arranged *all;
	const struct prv_roots *roots;
	uint64_t bytes;        /* the file's, for progress */
};

/* make_events(). */
enum err_code prv_tell(const struct prv_telling *to, struct maker *maker, struct err *e);

#endif
