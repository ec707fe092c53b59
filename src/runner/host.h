/* What a machine is: told with every result, and compared where a checkpoint is restored. All texts are safe. */
#ifndef PAS2P_HOST_H
#define PAS2P_HOST_H

#include <stdint.h>

#include "core/err.h"
#include "nest.h"

struct host {
	char name[64], kernel[128], cpu[128];
	uint32_t cpus;       /* online */
	char allowed[128];   /* processors that the job could use, "0-3,8" */
	uint64_t memory;     /* bytes */
	char mpi[128];       /* the MPI library as the ranks name it; "" until a job has run */
	uint32_t nodes;      /* distinct host names among the ranks; 0: not known */
};

void host_look(struct host *h, const struct nest_cpus *cpus);

/* The flags of the processor, one blank between and around: " fpu vme ... ". Owned by the caller (mem_free); NULL:
 * none. */
char *host_cpu_flags(void);

uint64_t host_memory_available(void); /* bytes; 0: not known */

/* "0-3,8" to a set and back. ERR_USAGE says what is expected. */
enum err_code cpus_parse(struct nest_cpus *cpus, const char *text, struct err *e);
void cpus_format(const struct nest_cpus *cpus, char *buf, size_t size);

#endif
