/* Memory beyond the caches: what reading, writing and copying a byte takes (docs/models.md 7). Private to
 * machine_measured.c. */
#ifndef PAS2P_MACHINE_MEMORY_H
#define PAS2P_MACHINE_MEMORY_H

#include "machine_measured.h"

/* Fills the figures of memory, buffer, and, if asked for, shared. ERR_MEMORY. */
enum err_code machine_measure_memory(struct machine_measured *m, bool shared, const struct job *job, struct err *e);

#endif
