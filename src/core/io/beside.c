#include "beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef PLACE_LIBRARIES
#define PLACE_LIBRARIES "../lib/pas2p"
#endif
#ifndef PLACE_DATA
#define PLACE_DATA "../share/pas2p"
#endif
#ifndef PLACE_MAN
#define PLACE_MAN "../share/man/man1"
#endif

bool beside_program(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

	path[n > 0 ? n : 0] = '\0';
	return n > 0;
}

static bool is_plain_file(const char *path, int mode)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, mode) == 0;
}

static bool there(const char *folder, const char *from, const char *name, int mode, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s/%s/%s", folder, from, name) < PATH_MAX && is_plain_file(path, mode);
}

bool beside_find(const char *const *built, enum beside_place place, const char *name, int mode, char path[PATH_MAX])
{
	static const char *const places[] = {
		[BESIDE_LIBRARIES] = PLACE_LIBRARIES, [BESIDE_DATA] = PLACE_DATA, [BESIDE_MAN] = PLACE_MAN,
	};
	char folder[PATH_MAX];
	char *slash;

	if (!beside_program(folder))
		return false;
	slash = strrchr(folder, '/');
	if (!slash)
		return false;
	*slash = '\0';
	for (; *built; built++)
		if (there(folder, *built, name, mode, path))
			return true;
	return there(folder, places[place], name, mode, path);
}

bool beside_library(const char *name, char path[PATH_MAX])
{
	static const char *const built[] = {"preload", "build/preload", NULL};
	const char *given = getenv("PAS2P_LIBDIR");

	if (given && given[0] && snprintf(path, PATH_MAX, "%s/%s", given, name) < PATH_MAX && access(path, R_OK) == 0)
		return true;
	return beside_find(built, BESIDE_LIBRARIES, name, R_OK, path);
}

bool path_find(const char *name, char path[PATH_MAX])
{
	for (const char *at = getenv("PATH"); at && *at;) {
		size_t n = strcspn(at, ":");

		if (n && snprintf(path, PATH_MAX, "%.*s/%s", (int)n, at, name) < PATH_MAX && is_plain_file(path, X_OK))
			return true;
		at += n + (at[n] == ':');
	}
	return false;
}
