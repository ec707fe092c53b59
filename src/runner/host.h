/* Looking at the machine that this runs on (struct host of core/documents/result.h). */
#ifndef PAS2P_HOST_H
#define PAS2P_HOST_H

#include <stdint.h>

#include "core/base/err.h"
#include "core/documents/result.h"
#include "runner.h"

void host_look(struct host *h, const struct nest_cpus *cpus);

/* The flags of the processor, one blank between and around: " fpu vme ... ". Owned by the caller (mem_free); NULL:
 * none. */
char *host_cpu_flags(void);

uint64_t host_memory_available(void); /* bytes; 0: not known */

void cpus_allowed(struct nest_cpus *cpus); /* those that this process may use; none: not known */
unsigned cpus_count(const struct nest_cpus *cpus);

/* "0-3,8" to a set and back. ERR_USAGE says what is expected. */
enum err_code cpus_parse(struct nest_cpus *cpus, const char *text, struct err *e);
void cpus_format(const struct nest_cpus *cpus, char *buf, size_t size);

#endif
