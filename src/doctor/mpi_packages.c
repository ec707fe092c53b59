#include "doctor_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text.h"
#include "runner/runner.h"

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

bool in_path(const char *name, char path[PATH_MAX])
{
	char found[PATH_MAX];

	for (const char *at = getenv("PATH"); at && *at;) {
		size_t n = strcspn(at, ":");

		if (n && snprintf(found, sizeof found, "%.*s/%s", (int)n, at, name) < (int)sizeof found && access(found, X_OK) == 0)
			return realpath(found, path) != NULL;
		at += n + (at[n] == ':');
	}
	return false;
}

/* By a name that tells whose it is, as Debian has it. */
static bool compiler_there(enum mpi_kind kind)
{
	char name[64], path[PATH_MAX];

	snprintf(name, sizeof name, "mpicc.%s", launch_mpi(kind));
	return in_path(name, path);
}

/* "	libmpi.so.40 => not found", of the loader's list. */
static bool not_found(const char *list, char *library, size_t size)
{
	static const char end[] = " => not found";

	for (const char *line = list, *at; (at = strstr(line, end)); line = at + strlen(end)) {
		const char *name = at;

		while (name > line && name[-1] != '\n' && name[-1] != '\t')
			name--;
		if (!strncmp(name, "libmpi", strlen("libmpi"))) {
			text_safe(library, size, name, (size_t)(at - name), TEXT_UTF8);
			return true;
		}
	}
	return false;
}

bool mpi_lacks(struct doctor *d, enum mpi_kind kind, char *library, size_t size)
{
	static const char *const listing[] = {"LD_TRACE_LOADED_OBJECTS=1", NULL};
	char name[64], path[PATH_MAX], list[8192];
	const char *argv[] = {path, NULL};
	struct err e;
	int status;

	snprintf(name, sizeof name, "pas2p-probe-%s", launch_mpi(kind));
	return launch_file(name, path) && !ask_program(argv, listing, list, sizeof list, &status, d->job, &e) &&
	       not_found(list, library, size);
}

void mpi_mend(struct doctor *d, enum mpi_kind kind)
{
	if (d->machine->make && (mpi_built(kind) || compiler_there(kind)))
		doctor_mend(d, "%s", d->machine->make);
	else
		doctor_mend_by(d, mpi_packages[kind].headers, true);
	if (!d->machine->make)
		doctor_mend_or(d, mpi_packages[kind].own);
}
