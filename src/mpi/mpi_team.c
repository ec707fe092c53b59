#include "mpi_team.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/io/beside.h"
#include "plugin.h"

/* Which variables tell of a job. The first row whose size is there holds. */
static const struct {
	const char *mpi, *rank, *size;
} launchers[] = {
	{"openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
	{"mpich", "PMI_RANK", "PMI_SIZE"},
	{"openmpi", "PMIX_RANK", "SLURM_NTASKS"}, /* of a step that srun --mpi=pmix started */
	{NULL, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}, /* --mpi=none; sbatch's script, which is no step, has no such size */
};

static bool environment_number_of(const char *name, uint32_t *n)
{
	const char *text = getenv(name);
	char *end;
	unsigned long value;

	if (!text || !text[0])
		return false;
	value = strtoul(text, &end, 10);
	*n = (uint32_t)value;
	return !*end && value <= INT32_MAX;
}

enum err_code mpi_place(struct mpi_place *place, struct err *e)
{
	const char *asked = getenv("PAS2P_JOB");
	char safe[80];

	*place = (struct mpi_place){NULL, 0, 1};
	bool none = asked && strcmp(asked, "none") == 0, known = asked && (!strcmp(asked, "openmpi") || !strcmp(asked, "mpich"));

	if (asked && !asked[0])
		asked = NULL;
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		uint32_t rank, size;

		if (none)
			break;
		if (!environment_number_of(launchers[i].size, &size) || !environment_number_of(launchers[i].rank, &rank) || !size || rank >= size)
			continue;
		*place = (struct mpi_place){known ? asked : launchers[i].mpi, rank, size};
		break;
	}
	if (asked && !known && !none)
		return err_set(e, ERR_USAGE, "PAS2P_JOB is '%s': expected openmpi, mpich or none",
			       text_safe(safe, sizeof safe, asked, SIZE_MAX, TEXT_UTF8));
	return ERR_OK;
}

static struct team joined;
static uint64_t bytes_sent, steps;
static struct err broken;

enum err_code mpi_team_join(const struct mpi_place *place, bool (*interrupted)(void), const struct team **team, struct err *e)
{
	struct plugin_host host = {mem_alloc, mem_free, interrupted};
	const struct plugin *plugin;
	char name[64], path[PATH_MAX], text[ERR_TEXT] = "";
	void *library;

	*team = NULL;
	if (!place->mpi)
		return err_set(e, ERR_USAGE, "srun started %u ranks that cannot find each other\nhint: give srun "
			       "--mpi=pmi2 (MPICH) or --mpi=pmix (Open MPI), or set PAS2P_JOB=none for separate "
			       "runs", place->size);
	snprintf(name, sizeof name, "libpas2p-job-%s.so", place->mpi);
	if (!beside_library(name, path))
		return err_set(e, ERR_IO, "this is a rank of an MPI job, but %s was not found\nhint: install the package "
			       "pas2p-mpi-%s, or build pas2p with that MPI's mpicc; PAS2P_JOB=none runs each rank alone", name, place->mpi);
	/* MPI libraries open parts of themselves later, which look for its symbols. */
	library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	plugin = library ? dlsym(library, "pas2p_job_plugin") : NULL;
	if (!plugin || plugin->version != PLUGIN_VERSION)
		return err_set(e, ERR_IO, "%s cannot be used: %s", path, plugin ? "it is from another version of pas2p" : dlerror());
	joined = (struct team){.kind = plugin->kind, .broken = &broken, .bytes_sent = &bytes_sent, .steps = &steps};
	*team = &joined;
	if (!plugin->begin(&host, &joined.rank, &joined.size, &joined.of, text))
		return err_set(e, ERR_IO, "%s", text);
	if (joined.size == 1) {
		mpi_team_leave(&joined); /* nobody misses this rank there */
		*team = NULL;
	}
	if (joined.size != place->size)
		return err_set(e, ERR_IO, "the launcher started %u ranks, but %s sees %u, because it is for another "
			       "MPI\nhint: set PAS2P_JOB to %s", place->size,
			       path, joined.size, strcmp(place->mpi, "mpich") ? "mpich" : "openmpi");
	return ERR_OK;
}

void mpi_team_abandon(int status)
{
	const char *fd = getenv("PMI_FD");
	char message[64];
	int n = snprintf(message, sizeof message, "cmd=abort exitcode=%d\n", status);

	/* Of MPICH's launcher alone, Hydra, which waits for ranks that wait for one that has ended; others end them. */
	if (fd && getenv("MPI_LOCALRANKID") && write(atoi(fd), message, (size_t)n) != n)
		return;
}

void mpi_team_leave(const struct team *team)
{
	if (team)
		team->kind->release(team->of);
}
