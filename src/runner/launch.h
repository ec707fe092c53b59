/* The launch command: which MPI it starts, and what it needs in its environment.
 *
 * The library that is preloaded into the ranks exists once per MPI, libpas2p-openmpi.so and libpas2p-mpich.so. It is
 * looked for in $PAS2P_LIBDIR and beside the program (core/io/beside.h): in preload and build/preload as it is built.
 */
#ifndef PAS2P_LAUNCH_H
#define PAS2P_LAUNCH_H

#include <limits.h>
#include <stdbool.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/mem.h"

enum mpi_kind { MPI_OPENMPI, MPI_MPICH, MPI_KINDS };

struct launch {
	const char *const *argv;   /* ends with NULL; the caller's */
	enum mpi_kind mpi;
	char version[128];         /* of what the launcher belongs to, as it says: "Open MPI 4.1.4"; safe text; "": it did not say */
	char library[PATH_MAX];    /* to be preloaded */
	bool by_name;              /* its folder has a blank in its name, which the loader's list cannot: it is preloaded by its name, and looked for there */
};

const char *launch_mpi(enum mpi_kind mpi);       /* "openmpi", as files are called */
const char *launch_mpi_title(enum mpi_kind mpi); /* "Open MPI" */

/* Launchers of batch systems, which start programs of any MPI: "srun" ... Ends with NULL. */
extern const char *const launch_batch[];

/* Where the file of that name is, in the folders above. */
bool launch_file(const char *name, char path[PATH_MAX]);

/* mpi: NULL to ask the launcher with --version, or the name of one. A batch system's launcher (srun) starts programs of
 * any MPI: there the program is looked at (runner_int.h), from `directory` (NULL: here). progress (NULL: none) can stop
 * that. ERR_USAGE if the launcher is none that is known or cannot be run, ERR_IO if the library is not installed, or
 * where no loader finds it. */
enum err_code launch_look(struct launch *l, const char *const *argv, const char *mpi, const char *directory,
			  const struct progress *progress, struct err *e);

/* A program of ours for the ranks, pas2p-NAME-openmpi or pas2p-NAME-mpich, which measures `task` ("clocks"): it lies
 * beside the library. ERR_IO if it is not installed. */
enum err_code launch_program(const struct launch *l, const char *name, const char *task, char path[PATH_MAX], struct err *e);

/* Whether the command can be of the application: its first word (up to the first of . - _) is that of some word's file
 * name in the command, as "cg" of "cg.S.4" is that of "./cg.S.x", letter case aside. */
bool launch_is_application(const char *const *argv, const char *application);

/* What has the library preloaded, as "NAME=VALUE" up to a NULL: LD_PRELOAD, perhaps LD_LIBRARY_PATH, with what they
 * were before behind it. In the arena. False: no memory. */
bool launch_preload(const struct launch *l, struct arena *a, const char *env[3]);

/* What the ranks on other nodes need, those and more variables by name (up to a NULL). Hydra and srun hand them their
 * whole environment (srun less if SLURM_EXPORT_ENV says so, to which they are added), Open MPI only what it is told to:
 * in a variable of its own, or, where the command has -x, by -x (it refuses both at once). So: the words to start, and
 * in *told the "NAME=VALUE" to put into the environment, or NULL. In the arena (the words perhaps the command's own).
 * NULL: no memory. */
const char *const *launch_words(const struct launch *l, const char *const *names, struct arena *a, const char **told);

/* The environment that preloads the library with the control directory, as nest_command takes it; `own` more pairs may
 * be added at [n ...]. A job confined to processors must not be bound to others: Open MPI binds ranks to cores whether
 * the job may use them or not. In the arena. NULL: no memory. */
const char **launch_environment(const struct launch *l, const char *control, bool confined, struct arena *a, unsigned own,
				unsigned *n);

/* ---- refusal ---- */

/* A launcher that starts nothing, because there are more processes than it has room for, or because it is run by root,
 * and the option that helps. Hydra (MPICH) refuses neither. */

#define REFUSAL_PRINTED 8192 /* bytes of what a job prints first: a refusal is in them */
#define REFUSAL_TEXT 320

/* Does what a job printed hold a launcher's refusal? Then the sentence says what it lacks and what to do: "there
 * are not enough slots for the processes: give the launcher --oversubscribe, or start fewer processes (this
 * machine has 2 processors)". */
bool refusal_explain(const char *printed, char sentence[REFUSAL_TEXT]);

/* The same for what a job has printed into a file. */
bool refusal_in_file(const char *path, char sentence[REFUSAL_TEXT]);

#endif
