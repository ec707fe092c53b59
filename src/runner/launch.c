#include "launch.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/io/beside.h"
#include "host.h"
#include "preload/control_file.h"
#include "runner.h"
#include "runner_int.h"

#define OPENMPI_TELLS "OMPI_MCA_mca_base_env_list"
#define SLURM_TELLS "SLURM_EXPORT_ENV"
#define OPENMPI_BINDS "OMPI_MCA_hwloc_base_binding_policy"

static const struct { const char *name, *title; } kinds[MPI_KINDS] = {{"openmpi", "Open MPI"}, {"mpich", "MPICH"}};

const char *launch_mpi(enum mpi_kind mpi)
{
	return kinds[mpi].name;
}

const char *launch_mpi_title(enum mpi_kind mpi)
{
	return kinds[mpi].title;
}

/* The length of a name's first word, and where the file name starts. */
static size_t first_word(const char **name)
{
	const char *slash = strrchr(*name, '/');

	if (slash)
		*name = slash + 1;
	return strcspn(*name, ".-_");
}

/* Is the command's first word one of these programs? A wrapper would take what follows it for its own. */
static bool is_program(const char *word, const char *const *names)
{
	size_t n = first_word(&word);

	for (; *names; names++)
		if (strlen(*names) == n && memcmp(*names, word, n) == 0)
			return true;
	return false;
}

static const char *const openmpi_launchers[] = {"mpirun", "mpiexec", "orterun", "prterun", NULL};
/* Of batch systems: they hand their environment to all ranks. */
static const char *const slurm_launchers[] = {"srun", NULL};
const char *const launch_batch[] = {"srun", "flux", "aprun", NULL};

/* The first number with a dot in it is the version: "mpirun (Open MPI) 4.1.4", "    Version:   4.0.2", "Version 2021.9
 * Build". */
static void note_version(struct launch *l, const char *text)
{
	const char *title = strstr(text, "Intel(R) MPI") ? "Intel MPI" : kinds[l->mpi].title;
	size_t n = 0;

	for (text += strcspn(text, "0123456789"); *text; text += n, text += strcspn(text, "0123456789")) {
		n = strspn(text, "0123456789.");
		if (memchr(text, '.', n))
			break;
	}
	snprintf(l->version, sizeof l->version, "%s%s%.*s", title, *text ? " " : "", *text ? (int)(n < 40 ? n : 40) : 0, text);
}

static enum err_code ask_launcher(struct launch *l, const char *directory, const struct progress *progress, struct err *e)
{
	const char *argv[] = {l->argv[0], "--version", NULL};
	char text[4096], safe[256];
	int status;

	if (ask_program(argv, NULL, text, sizeof text, &status, progress, e))
		return e->code;
	if (strstr(text, "Open MPI") || strstr(text, "open-mpi")) {
		l->mpi = MPI_OPENMPI;
		note_version(l, text);
	} else if (strstr(text, "HYDRA") || strstr(text, "MPICH") || strstr(text, "Intel(R) MPI")) {
		l->mpi = MPI_MPICH;
		note_version(l, text);
	} else if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) != 127) {
		text_safe(safe, sizeof safe, l->argv[0], SIZE_MAX, TEXT_UTF8);
		if (!is_program(l->argv[0], launch_batch))
			return err_set(e, ERR_USAGE, "--mpi: cannot determine whether %s belongs to Open MPI or "
				       "MPICH\nhint: give --mpi openmpi or --mpi mpich, and put the command that "
				       "starts all ranks after --", safe);
		if (!linked_mpi(l->argv, directory, &l->mpi))
			return err_set(e, ERR_USAGE, "--mpi: cannot determine the MPI of the program that %s "
				       "starts\nhint: give --mpi openmpi or --mpi mpich", safe);
	} else {
		text_safe(safe, sizeof safe, l->argv[0], SIZE_MAX, TEXT_UTF8);
		return err_set(e, ERR_USAGE, "cannot find the program %s", safe);
	}
	return ERR_OK;
}

bool launch_file(const char *name, char path[PATH_MAX])
{
	return beside_library(name, path);
}

static enum err_code find_library(struct launch *l, struct err *e)
{
	char name[64];

	snprintf(name, sizeof name, "libpas2p-%s.so", kinds[l->mpi].name);
	if (launch_file(name, l->library))
		return ERR_OK;
	return err_set(e, ERR_IO, "cannot find the library %s, which pas2p loads into the ranks: install the package "
		       "pas2p-mpi-%s, or the mpicc of %s and build pas2p again", name, kinds[l->mpi].name, kinds[l->mpi].title);
}

enum err_code launch_look(struct launch *l, const char *const *argv, const char *mpi, const char *directory,
			  const struct progress *progress, struct err *e)
{
	char resolved[PATH_MAX], safe[80];
	int k = 0;

	*l = (struct launch){.argv = argv};
	while (mpi && k < MPI_KINDS && strcmp(mpi, kinds[k].name) != 0)
		k++;
	if (mpi && k == MPI_KINDS) {
		text_safe(safe, sizeof safe, mpi, SIZE_MAX, TEXT_UTF8);
		return err_set(e, ERR_USAGE, "--mpi is '%s': expected openmpi or mpich", safe);
	}
	if (mpi)
		l->mpi = (enum mpi_kind)k;
	else if (ask_launcher(l, directory, progress, e))
		return e->code;
	if (find_library(l, e))
		return e->code;
	if (realpath(l->library, resolved))
		memcpy(l->library, resolved, sizeof resolved);
	/* What separates names in LD_PRELOAD, and folders in LD_LIBRARY_PATH. */
	l->by_name = strchr(l->library, ' ') != NULL;
	if (strpbrk(l->library, l->by_name ? ":;" : ":")) {
		text_safe(resolved, sizeof resolved, l->library, SIZE_MAX, TEXT_UTF8);
		return err_set(e, ERR_IO, "the ranks cannot load %s: the loader accepts no colon%s in %spath; install "
			       "pas2p in another folder", resolved,
			       l->by_name ? " or semicolon" : "", l->by_name ? "such a " : "a ");
	}
	return ERR_OK;
}

enum err_code launch_program(const struct launch *l, const char *name, const char *task, char path[PATH_MAX], struct err *e)
{
	const char *slash = strrchr(l->library, '/');
	int n = snprintf(path, PATH_MAX, "%.*s/pas2p-%s-%s", slash ? (int)(slash - l->library) : 1, slash ? l->library : ".", name,
			 kinds[l->mpi].name);

	if (n < PATH_MAX && access(path, X_OK) == 0)
		return ERR_OK;
	return err_set(e, ERR_IO, "cannot find the program pas2p-%s-%s, which measures %s, next to %s: build pas2p "
		       "again", name,
		       kinds[l->mpi].name, task, l->library);
}

bool launch_is_application(const char *const *argv, const char *application)
{
	size_t want = first_word(&application);

	for (; *argv; argv++) {
		const char *name = *argv;
		size_t n = first_word(&name);

		if (n && n == want && strncasecmp(name, application, n) == 0)
			return true;
	}
	return false;
}

static const char *variable_text(struct arena *a, const char *name, const char *value, const char *more)
{
	size_t size = strlen(name) + strlen(value) + (more ? strlen(more) + 1 : 0) + 2;
	char *text = arena_alloc(a, size);

	if (text)
		snprintf(text, size, "%s=%s%s%s", name, value, more ? ":" : "", more ? more : "");
	return text;
}

bool launch_preload(const struct launch *l, struct arena *a, const char *env[3])
{
	const char *slash = strrchr(l->library, '/'), *loaded = getenv("LD_PRELOAD"), *folders = getenv("LD_LIBRARY_PATH");
	char folder[PATH_MAX];

	env[0] = variable_text(a, "LD_PRELOAD", l->by_name && slash ? slash + 1 : l->library, loaded && *loaded ? loaded : NULL);
	env[1] = env[2] = NULL;
	if (!l->by_name || !slash)
		return env[0] != NULL;
	snprintf(folder, sizeof folder, "%.*s", (int)(slash - l->library), l->library);
	env[1] = variable_text(a, "LD_LIBRARY_PATH", folder, folders && *folders ? folders : NULL);
	return env[0] && env[1];
}

const char **launch_environment(const struct launch *l, const char *control, bool confined, struct arena *a, unsigned own,
				unsigned *n)
{
	const char **env = arena_alloc(a, (own + 6) * sizeof *env), *preload[3];

	*n = 0;
	if (!env || !launch_preload(l, a, preload))
		return NULL;
	for (size_t i = 0; preload[i]; i++)
		env[(*n)++] = preload[i];
	env[*n] = variable_text(a, CONTROL_ENVIRONMENT, control, NULL);
	if (!env[(*n)++])
		return NULL;
	env[(*n)++] = "PAS2P_TRACE";
	if (confined && l->mpi == MPI_OPENMPI && !getenv(OPENMPI_BINDS))
		env[(*n)++] = OPENMPI_BINDS "=none";
	return env;
}

/* The variables that have it preloaded, up to a NULL. */
static const char *const *preload_names(const struct launch *l)
{
	static const char *const names[] = {"LD_LIBRARY_PATH", "LD_PRELOAD", NULL};

	return l->by_name ? names : names + 1;
}

/* Those and the names, with `between` in between. */
static const char *names_join(const struct launch *l, const char *const *names, const char *between, struct arena *a)
{
	const char *const *lists[] = {preload_names(l), names};
	size_t size = 1;
	char *text, *end;

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; lists[k][i]; i++)
			size += strlen(between) + strlen(lists[k][i]);
	text = arena_alloc(a, size);
	if (!text)
		return NULL;
	end = text;
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; lists[k][i]; i++)
			end = stpcpy(stpcpy(end, end == text ? "" : between), lists[k][i]);
	return text;
}

/* srun hands on all of its environment, unless a variable has the list of what it hands on: a job has that when sbatch
 * was told one. */
static bool slurm_tells(const struct launch *l, const char *const *names, struct arena *a, const char **told)
{
	const char *given = getenv(SLURM_TELLS), *list;
	bool none = given && (!strcmp(given, "NONE") || !strcmp(given, "NIL"));
	size_t size;
	char *text;

	if (!given || !*given || !strcmp(given, "ALL") || !strncmp(given, "ALL,", 4))
		return true;
	list = names_join(l, names, ",", a);
	size = sizeof SLURM_TELLS + strlen(given) + (list ? strlen(list) : 0) + 16;
	text = list ? arena_alloc(a, size) : NULL;
	if (text)
		snprintf(text, size, "%s=%s%s%s", SLURM_TELLS, none ? "" : given, none ? "" : ",", list);
	*told = text;
	return text != NULL;
}

const char *const *launch_words(const struct launch *l, const char *const *names, struct arena *a, const char **told)
{
	const char *given = getenv(OPENMPI_TELLS);
	const char **words;
	bool exports = false;
	size_t n = 0, more = 0, at = 0;

	*told = NULL;
	if (is_program(l->argv[0], slurm_launchers))
		return slurm_tells(l, names, a, told) ? l->argv : NULL;
	if (l->mpi != MPI_OPENMPI)
		return l->argv;
	for (; l->argv[n]; n++)
		exports = exports || strcmp(l->argv[n], "-x") == 0 || strcmp(l->argv[n], "--x") == 0;
	if (!exports) {
		const char *list = names_join(l, names, ";", a);
		size_t size = sizeof OPENMPI_TELLS + (given ? strlen(given) : 0) + (list ? strlen(list) : 0) + 16;
		char *text = list ? arena_alloc(a, size) : NULL;

		if (!text)
			return NULL;
		snprintf(text, size, "%s=%s%s%s", OPENMPI_TELLS, given ? given : "", given && *given ? ";" : "", list);
		*told = text;
		return l->argv;
	}
	if (!is_program(l->argv[0], openmpi_launchers))
		return l->argv;
	while (names[more])
		more++;
	words = arena_alloc(a, (n + 2 * more + 5) * sizeof *words);
	if (!words)
		return NULL;
	words[at++] = l->argv[0];
	for (const char *const *name = preload_names(l); *name; name++) {
		words[at++] = "-x";
		words[at++] = *name;
	}
	for (size_t i = 0; i < more; i++) {
		words[at++] = "-x";
		words[at++] = names[i];
	}
	memcpy(words + at, l->argv + 1, (n - 1) * sizeof *words);
	return words; /* the arena's memory is cleared: it ends with NULL */
}

#define BY_SLOTS "not enough slots for the processes"
#define BY_PROCESSORS "not enough processors for the processes"

/* What launchers print: Open MPI 3 to 5, Slurm's srun. Each stands on one line. */
static const struct { const char *printed, *lacks, *helps; bool fewer; } refusals[] = {
	{"not enough slots available", BY_SLOTS, "--oversubscribe", true},
	{"would result in binding more", BY_PROCESSORS " to bind them to", "--bind-to none", true},
	{"More processors requested than permitted", BY_PROCESSORS, "--overcommit", true},
	{"Requested node configuration is not available", BY_PROCESSORS, "--overcommit", true},
	{"attempt to run as root", "the launcher refuses to run as root", "--allow-run-as-root", false},
};

static unsigned processors(void)
{
	struct nest_cpus allowed;
	unsigned n;

	cpus_allowed(&allowed);
	n = cpus_count(&allowed);
	return n ? n : 1;
}

bool refusal_explain(const char *printed, char sentence[REFUSAL_TEXT])
{
	unsigned n = processors();

	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		if (!strstr(printed, refusals[i].printed))
			continue;
		if (refusals[i].fewer)
			snprintf(sentence, REFUSAL_TEXT, "%s: give the launcher %s, or start fewer processes (this "
				 "machine has %u processor%s)",
				 refusals[i].lacks, refusals[i].helps, n, n == 1 ? "" : "s");
		else
			snprintf(sentence, REFUSAL_TEXT, "%s: give it %s, or run as another user", refusals[i].lacks, refusals[i].helps);
		return true;
	}
	return false;
}

bool refusal_in_file(const char *path, char sentence[REFUSAL_TEXT])
{
	char printed[REFUSAL_PRINTED];
	int fd = *path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	ssize_t n = fd < 0 ? 0 : read(fd, printed, sizeof printed - 1);

	if (fd >= 0)
		close(fd);
	printed[n > 0 ? n : 0] = '\0';
	return refusal_explain(printed, sentence);
}
