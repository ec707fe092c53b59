/* What has to be installed for an MPI: by what Debian calls it, and by our own packages. */
#ifndef PAS2P_MPI_PACKAGES_H
#define PAS2P_MPI_PACKAGES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "doctor.h"
#include "runner/launch.h"

struct mpi_packages {
	const char *launcher; /* has mpirun */
	const char *headers;  /* has mpicc: what a build of pas2p needs */
	const char *own;      /* of pas2p: all that it has for this MPI */
};

extern const struct mpi_packages mpi_packages[MPI_KINDS];

/* Whether the library that is loaded into this MPI's ranks is there: then what built it is there, too. */
bool mpi_built(enum mpi_kind kind);

/* The last finding is that something of pas2p for this MPI is not there. */
void mpi_mend(struct doctor *d, enum mpi_kind kind);

/* Whether what of pas2p is linked with this MPI would not find a library of it, such as libmpi.so.40, whose name is put
 * into `library`: it was built with another version, or there is no such MPI here. Nothing of it is executed: the
 * loader is asked. */
bool mpi_lacks(struct doctor *d, enum mpi_kind kind, char *library, size_t size);

/* Where the PATH has a program, by the name that it really has. */
bool in_path(const char *name, char path[PATH_MAX]);

#endif
