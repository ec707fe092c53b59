#include "refusal.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BY_SLOTS "there are not enough slots for the processes"
#define BY_PROCESSORS "there are not enough processors for the processes"

/* What launchers print: Open MPI 3 to 5, Slurm's srun. Each stands on one line. */
static const struct { const char *printed, *lacks, *helps; bool fewer; } refusals[] = {
	{"not enough slots available", BY_SLOTS, "--oversubscribe", true},
	{"would result in binding more", BY_PROCESSORS " to bind them to", "--bind-to none", true},
	{"More processors requested than permitted", BY_PROCESSORS, "--overcommit", true},
	{"Requested node configuration is not available", BY_PROCESSORS, "--overcommit", true},
	{"attempt to run as root", "the launcher does not run as root", "--allow-run-as-root", false},
};

static int processors(void)
{
	cpu_set_t may;
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	return sched_getaffinity(0, sizeof may, &may) == 0 ? CPU_COUNT(&may) : online > 0 ? (int)online : 1;
}

bool refusal_explain(const char *printed, char sentence[REFUSAL_TEXT])
{
	int n = processors();

	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		if (!strstr(printed, refusals[i].printed))
			continue;
		if (refusals[i].fewer)
			snprintf(sentence, REFUSAL_TEXT, "%s: give the launcher %s, or start fewer processes (this machine has %d processor%s)",
				 refusals[i].lacks, refusals[i].helps, n, n == 1 ? "" : "s");
		else
			snprintf(sentence, REFUSAL_TEXT, "%s: give it %s, or run it as another user", refusals[i].lacks, refusals[i].helps);
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
