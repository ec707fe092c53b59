/* The libraries through which the analysis itself runs as an MPI job: one for each MPI, opened where a launcher has
 * started pas2p. */
#include <stdio.h>

#include "doctor_int.h"

void check_job(struct doctor *d)
{
	for (enum mpi_kind kind = 0; kind < MPI_KINDS; kind++) {
		char name[64], path[PATH_MAX], library[64];
		bool there;

		snprintf(name, sizeof name, "libpas2p-job-%s.so", launch_mpi(kind));
		there = launch_file(name, path);
		if (there && mpi_lacks(d, kind, library, sizeof library)) {
			doctor_find(d, STANDING_NOTE, "%s is there, but %s, which it needs, is not: %s cannot run the analysis as a job here", name,
				    library, launch_mpi_title(kind));
			continue;
		}
		if (there) {
			doctor_find(d, STANDING_OK, "%s is there: %s can run the analysis as a job", name, launch_mpi_title(kind));
			continue;
		}
		doctor_find(d, STANDING_MISSING, "%s is not there: %s cannot run the analysis as a job, pas2p alone can", name,
			    launch_mpi_title(kind));
		mpi_mend(d, kind);
	}
}
