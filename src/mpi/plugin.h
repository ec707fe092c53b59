/* What the program and a plug-in for an MPI library know of each other (docs/internals/scale.md 2).
 *
 * The program links no MPI, and runs if there is none. A plug-in, libpas2p-job-openmpi.so or libpas2p-job-mpich.so, is
 * plugin.c compiled against that library; it is opened where the launcher's environment says that there is more than
 * one rank (mpi_team.h). It has one symbol, PLUGIN_SYMBOL, a struct plugin. Memory that it hands out is made by what
 * the program gives it, and a rank that was interrupted does not wait for the others for more than a second.
 */
#ifndef PAS2P_PLUGIN_H
#define PAS2P_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/team/team.h"

#define PLUGIN_VERSION 3 /* of this interface: program and plug-in must agree */
#define PLUGIN_SYMBOL pas2p_job_plugin

/* What the program gives. */
struct plugin_host {
	void *(*alloc)(size_t count, size_t size); /* mem_alloc() */
	void (*free)(void *p);
	bool (*interrupted)(void);                 /* was the program asked to end? */
};

struct plugin {
	uint32_t version;
	const char *mpi;          /* as MPI calls its library, the first line is shown */
	/* Become a rank of the job. False: MPI cannot be started, and text says why. stop() it then, which does nothing if
	 * MPI was not started. */
	int (*begin)(const struct plugin_host *host, uint32_t *rank, uint32_t *size, void **of, char text[ERR_TEXT]);
	const struct team_kind *kind; /* release() or stop() leaves the job; the last thing that a rank does with it */
};

#endif
