/* MPI: the launchers in the PATH, their versions, and the parts of pas2p that are there for each. */
#include "doctor_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/io/beside.h"
#include "runner/runner.h"

/* As MPIs and Debian call them; those that are one program by several names are told once, by the first. */
static const char *const launchers[] = {
	"mpirun", "mpiexec", "mpirun.openmpi", "mpiexec.openmpi", "orterun", "prterun", "mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra",
};
#define LAUNCHERS (sizeof launchers / sizeof *launchers)

/* The programs that measure inside a job, and what they measure. */
static const struct { const char *name, *task; } programs[] = {{"probe", "clocks"}, {"pingpong", "messages"}};

static void works(struct doctor *d, const char *name, const struct launch *l)
{
	char path[PATH_MAX], library[64];
	struct err e;

	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (launch_program(l, programs[i].name, programs[i].task, path, &e)) {
			doctor_find(d, STANDING_MISSING, "%s is %s: %s", name, l->version, e.text);
			mpi_mend(d, l->mpi);
			doctor_needed(d);
			return;
		}
	if (mpi_lacks(d, l->mpi, library, sizeof library)) {
		doctor_find(d, STANDING_MISSING, "%s is %s and libpas2p-%s.so matches it, but %s is missing: tracing "
			    "works, measuring clocks, messages and machines does not", name, l->version, launch_mpi(l->mpi), library);
		mpi_mend(d, l->mpi);
		return;
	}
	doctor_find(d, STANDING_OK, "%s is %s; libpas2p-%s.so matches it", name, l->version, launch_mpi(l->mpi));
}

static void launcher_look_at(struct doctor *d, const char *name)
{
	const char *argv[] = {name, NULL};
	struct launch l;
	struct err e = {0};

	switch (launch_look(&l, argv, NULL, NULL, d->progress, &e)) {
	case ERR_OK:
		works(d, name, &l);
		break;
	case ERR_IO:
		if (!l.version[0]) { /* it could not be asked */
			doctor_find(d, STANDING_NOTE, "%s: %s", name, e.text);
			break;
		}
		doctor_find(d, STANDING_MISSING, "%s is %s, but libpas2p-%s.so was not found, which pas2p loads into "
			    "the ranks: programs of this MPI cannot be traced or "
			    "measured", name, l.version, launch_mpi(l.mpi));
		mpi_mend(d, l.mpi);
		doctor_needed(d);
		break;
	default:
		doctor_find(d, STANDING_NOTE, "%s does not report whether it belongs to Open MPI or MPICH: commands "
			    "that use it need --mpi", name);
		doctor_mend(d, "%s trace --mpi mpich -- %s -np 2 ./program", d->machine->program, name);
	}
}

/* Nothing here starts MPI programs. An MPI for which the library is there is the one to install. */
static void launchers_note_none(struct doctor *d)
{
	enum mpi_kind kind = !mpi_built(MPI_OPENMPI) && mpi_built(MPI_MPICH) ? MPI_MPICH : MPI_OPENMPI;
	bool built = mpi_built(kind);
	char names[64];

	doctor_find(d, STANDING_MISSING, "no mpirun or mpiexec in the PATH: traces can be read, but programs cannot be "
		    "traced or measured here");
	if (getenv("LMOD_CMD") || getenv("MODULESHOME")) {
		doctor_mend(d, "module load %s (module avail lists the modules)", launch_mpi(kind));
		return;
	}
	snprintf(names, sizeof names, "%s%s%s", built ? "" : mpi_packages[kind].headers, built ? "" : " ", mpi_packages[kind].launcher);
	doctor_mend_by(d, names, !built);
	doctor_mend_before(d, "load an MPI module, or ");
}

/* It is not executed: the program says which MPI it is. */
static void batch(struct doctor *d, const char *name)
{
	static const char *const there[] = {NULL, "libpas2p-openmpi.so is", "libpas2p-mpich.so is",
					    "libpas2p-openmpi.so and libpas2p-mpich.so are"};
	int which = mpi_built(MPI_OPENMPI) + 2 * mpi_built(MPI_MPICH);

	if (there[which]) {
		doctor_find(d, STANDING_OK, "%s starts programs of any MPI, and %s installed", name, there[which]);
		return;
	}
	doctor_find(d, STANDING_MISSING, "%s starts programs of any MPI, but neither libpas2p-openmpi.so nor "
		    "libpas2p-mpich.so was found: programs cannot be traced or measured", name);
	mpi_mend(d, MPI_OPENMPI);
	doctor_needed(d);
}

void check_mpi(struct doctor *d)
{
	char real[LAUNCHERS][PATH_MAX], path[PATH_MAX];
	size_t n = 0;
	bool any = false;

	for (size_t i = 0; i < LAUNCHERS && !progress_stopped(d->progress); i++) {
		size_t same = 0;

		if (!in_path(launchers[i], real[n]))
			continue;
		while (same < n && strcmp(real[same], real[n]))
			same++;
		if (same < n)
			continue;
		n++;
		launcher_look_at(d, launchers[i]);
	}
	for (const char *const *name = launch_batch; *name; name++)
		if (in_path(*name, path)) {
			batch(d, *name);
			any = true;
		}
	if (!n && !any)
		launchers_note_none(d);
}

/* The libraries through which the analysis itself runs as an MPI job: one for each MPI, opened where a launcher has
 * started pas2p. */

void check_job(struct doctor *d)
{
	for (enum mpi_kind kind = 0; kind < MPI_KINDS; kind++) {
		char name[64], path[PATH_MAX], library[64];
		bool there;

		snprintf(name, sizeof name, "libpas2p-job-%s.so", launch_mpi(kind));
		there = launch_file(name, path);
		if (there && mpi_lacks(d, kind, library, sizeof library)) {
			doctor_find(d, STANDING_NOTE, "%s is installed, but %s, which it needs, is missing: the "
				    "analysis cannot run as an MPI job of %s", name,
				    library, launch_mpi_title(kind));
			continue;
		}
		if (there) {
			doctor_find(d, STANDING_OK, "%s is installed: the analysis can run as an MPI job of "
				    "%s", name, launch_mpi_title(kind));
			continue;
		}
		doctor_find(d, STANDING_MISSING, "%s is missing: the analysis cannot run as an MPI job of %s; without "
			    "MPI it works", name,
			    launch_mpi_title(kind));
		mpi_mend(d, kind);
	}
}

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

	return path_find(name, found) && realpath(found, path) != NULL;
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
	return launch_file(name, path) && !ask_program(argv, listing, list, sizeof list, &status, d->progress, &e) &&
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
