#include "mpi_packages.h"

#include <stdio.h>

#include "check.h"

const struct mpi_packages mpi_packages[MPI_KINDS] = {
	[MPI_OPENMPI] = {"openmpi-bin", "libopenmpi-dev", "pas2p-mpi-openmpi"},
	[MPI_MPICH] = {"mpich", "libmpich-dev", "pas2p-mpi-mpich"},
};

bool mpi_built(enum mpi_kind kind)
{
	char name[64], path[PATH_MAX];

	snprintf(name, sizeof name, "libpas2p-%s.so", launch_mpi(kind));
	return launch_file(name, path);
}

void mpi_mend(struct doctor *d, enum mpi_kind kind)
{
	if (d->machine->sources && mpi_built(kind))
		doctor_mend(d, "make");
	else if (d->machine->sources)
		doctor_mend_by(d, mpi_packages[kind].headers, true);
	else
		doctor_mend(d, "install the package %s; or %s's mpicc, and then, where pas2p was built: make install", mpi_packages[kind].own,
			    launch_mpi_title(kind));
}
