/* Declarations that only the files of src/doctor use. Each part begins with its own description. */
#ifndef PAS2P_DOCTOR_DOCTOR_INT_H
#define PAS2P_DOCTOR_DOCTOR_INT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doctor.h"
#include "runner/launch.h"

/* ---- cgroup ---- */

/* The limits of the control groups that this process is in, of version 1 or 2: the least from its own group up to the
 * root. */

struct cgroup_limits {
	int version;      /* 2, 1 (also where memory is of 1 and the rest of 2), 0: there are none */
	uint64_t memory;  /* bytes; 0: no limit */
	double cpus;      /* processors whose time may be used; 0: no limit */
};

/* By the machine's /proc/self/cgroup and /sys/fs/cgroup. */
void cgroup_look(const struct doctor *d, struct cgroup_limits *l);

/* ---- check ---- */

/* For the checks alone: each is a function, check_NAME() in the check_FILE.c that fits, which makes findings in the order in which
 * they are to be told.
 *
 *     doctor_find(d, STANDING_NOTE, "the locale %s is not UTF-8", safe);
 *     doctor_mend(d, "export LC_ALL=C.UTF-8");        of the last finding
 *     doctor_needed(d);                               so that it counts as needed
 */

#define CHECK(id, name, what, mend) void check_##id(struct doctor *d);
#include "checks.def"

void doctor_find(struct doctor *d, enum standing standing, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void doctor_mend(struct doctor *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doctor_needed(struct doctor *d);

/* The last finding is mended by installing what Debian has in these packages ("libzstd-dev"), and, if `build`, by
 * building pas2p again. */
void doctor_mend_by(struct doctor *d, const char *packages, bool build);

/* What a command needs in front that only root may give: "", "sudo ", or, if there is none, "as root: ". */
const char *doctor_as_root(const struct doctor *d);

/* Or by installing this package of our own, which no archive of Debian's has. */
void doctor_mend_or(struct doctor *d, const char *package);
void doctor_mend_before(struct doctor *d, const char *first); /* what to try before the last finding's fix */

/* The machine's file of that name: below its root. false: the name is too long. */
bool doctor_path(const struct doctor *d, const char *name, char path[PATH_MAX]);

/* The first line of such a file, as safe text without its end. false: it cannot be read. */
bool doctor_line(const struct doctor *d, const char *name, char *line, size_t size);

/* The variable of the environment as safe text in buf; NULL: it is not set, or empty. */
const char *doctor_variable(const char *name, char *buf, size_t size);

/* ---- mpi_packages ---- */

/* The packages to install for an MPI: Debian's and our own. */

struct mpi_packages {
	const char *launcher; /* has mpirun */
	const char *headers;  /* has mpicc: what a build of pas2p needs */
	const char *own;      /* of pas2p: all that it has for this MPI */
};

extern const struct mpi_packages mpi_packages[MPI_KINDS];

/* Whether the library for the ranks of this MPI is there: then the tools that built it are there, too. */
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
