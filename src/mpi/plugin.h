/* What the program and a plug-in for an MPI library know of each other (docs/scale.md 2).
 *
 * The program links no MPI, and runs where there is none. A plug-in, libpas2p-job-openmpi.so or libpas2p-job-mpich.so, is plugin.c
 * compiled against that library; it is opened where the launcher's environment says that there is more than one rank (job_team.h).
 * It has one symbol, PLUGIN_SYMBOL, a struct plugin. Memory that it hands out is made by what the program gives it.
 */
#ifndef PAS2P_PLUGIN_H
#define PAS2P_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#include "core/team/team.h"

#define PLUGIN_VERSION 2 /* of this interface: program and plug-in must agree */
#define PLUGIN_SYMBOL pas2p_job_plugin

struct plugin_memory {
	void *(*alloc)(size_t count, size_t size); /* mem_alloc() */
	void (*free)(void *p);
};

struct plugin {
	uint32_t version;
	const char *mpi;          /* as MPI calls its library, the first line is shown */
	/* Become a rank of the job. False: MPI cannot be started, and text says why. */
	int (*begin)(const struct plugin_memory *memory, uint32_t *rank, uint32_t *size, void **of, char text[ERR_TEXT]);
	const struct team_kind *kind; /* release() leaves the job; the last thing that a rank does with it */
};

#endif
