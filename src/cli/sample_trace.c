#include "sample_trace.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAME "lu.S.4.clog2"

static bool is_in(const char *folder, const char *below, char *path, size_t size)
{
	/* Packagers compress what lies among documentation. */
	static const char *const names[] = {NAME, NAME ".gz"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (snprintf(path, size, "%s%s%s", folder, below, names[i]) < (int)size && access(path, R_OK) == 0)
			return true;
	return false;
}

enum err_code sample_trace(char *path, size_t size, struct err *e)
{
	/* From the program's folder: in the tree, in build/, installed. */
	static const char *const places[] = {"/sample-traces/", "/../sample-traces/", "/../share/doc/pas2p/"};
	char program[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
	char *slash;

	program[n > 0 ? n : 0] = '\0';
	slash = strrchr(program, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++)
		if (is_in(program, places[i], path, size))
			return ERR_OK;
	if (is_in(EXAMPLEDIR, "/", path, size))
		return ERR_OK;
	return err_set(e, ERR_IO, "the sample trace " NAME " is neither beside the program nor in " EXAMPLEDIR
		       ": give a trace, as in pas2p --tutorial TRACE");
}
