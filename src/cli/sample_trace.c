#include "cli.h"

#include <stdio.h>
#include <unistd.h>

#include "core/io/beside.h"

#define NAME "lu.S.4.clog2"

enum err_code sample_trace(char *path, size_t size, struct err *e)
{
	static const char *const built[] = {".", "..", NULL};
	char found[PATH_MAX];

	if (beside_find(built, BESIDE_DATA, "sample-traces/" NAME, R_OK, found) && snprintf(path, size, "%s", found) < (int)size)
		return ERR_OK;
	return err_set(e, ERR_IO, "the sample trace " NAME " was not found beside the program: give a trace, as in pas2p --tutorial TRACE");
}
