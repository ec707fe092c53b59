/* A glance at a file: what its beginning tells, without reading more. */
#ifndef PAS2P_CORE_FORMATS_API_GLANCE_H
#define PAS2P_CORE_FORMATS_API_GLANCE_H

#include <stdint.h>

#include "core/base/err.h"
#include "format.h"

struct glance {
	const struct format *format; /* that recognises it; NULL: none does */
	struct format_run run;       /* what of a run it is; what no format knows is whole, and an empty file a part */
	uint32_t processes;          /* of its run; 0: it does not say */
};

/* What source_read() and the format's run() say; *glance is set in any case. */
enum err_code glance_at(struct glance *glance, const struct source *source, struct err *e);
/* The same except for its run, from the file's head alone. */
enum err_code glance_format(struct glance *glance, const struct source *source, struct err *e);

#endif
