/* The trace that comes with the program, for who has none yet: beside the program as it was built, or where make
 * install puts it. */
#ifndef PAS2P_SAMPLE_TRACE_H
#define PAS2P_SAMPLE_TRACE_H

#include <stddef.h>

#include "core/base/err.h"

/* ERR_IO: it is in neither place. */
enum err_code sample_trace(char *path, size_t size, struct err *e);

#endif
