/* Machines out of their files (docs/models.md 7). */
#ifndef PAS2P_MACHINE_READ_H
#define PAS2P_MACHINE_READ_H

#include <stddef.h>

#include "core/base/err.h"
#include "machine.h"

/* From a regular file of at most 4 MiB; ERR_FORMAT with line and what was found there. On an error nothing is kept. */
enum err_code machine_read(struct machine *m, const char *path, struct err *e);
/* From a text; `name` is for sentences. */
enum err_code machine_parse(struct machine *m, const char *name, const char *text, size_t size, struct err *e);

#endif
