/* The communicators of a Paraver trace: its "c:" lines, and each application's world, which may have none. */
#ifndef PAS2P_PRV_COMMS_H
#define PAS2P_PRV_COMMS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/map.h"
#include "core/trace/trace_make.h"
#include "prv_header.h"
#include "prv_scan.h"

struct prv_comms {
	struct map *of;        /* (application, number): index + 1 */
	uint32_t *world_of;    /* per application */
	const struct trace *trace;
};

/* Tells the maker processes, worlds and communicators. Release them also after an error. */
enum err_code prv_comms_init(struct prv_comms *comms, struct maker *maker, const struct prv_header *header,
			     const struct prv_scan *scan, struct err *e);
void prv_comms_release(struct prv_comms *comms);

/* That of a number; false: no line describes it, and *comm is the application's world. */
static inline bool prv_comm_find(const struct prv_comms *comms, uint32_t app, uint64_t number, uint32_t *comm)
{
	uint32_t at = map_get(comms->of, app, number);

	*comm = at ? at - 1 : comms->world_of[app];
	return at;
}

#endif
