#include "runner.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/io/files.h"
#include "signature.h"
#include "core/io/walk.h"

/* Something that no maker of signatures puts there? */
static enum err_code find_stranger(void *arg, const struct walk_entry *entry, struct err *e)
{
	const char *name = entry->name;
	bool *found = arg;

	(void)e;
	*found = *found || !(strcmp(name, "table.yaml") == 0 || strcmp(name, "command") == 0 ||
			     strcmp(name, "signature.yaml") == 0 || strncmp(name, "cut-", 4) == 0);
	*entry->skip = true;
	return ERR_OK;
}

/* Where others may rename what is not theirs, any of the caller's folders may have got this name. */
static bool is_half_made(int parent, int fd)
{
	struct stat st;
	bool strangers = false;

	if (fstat(parent, &st) == 0 && (st.st_uid == geteuid() || st.st_uid == 0) &&
	    (!(st.st_mode & 022) || st.st_mode & S_ISVTX))
		return true;
	return walk_folder(fd, find_stranger, &strangers, NULL) == ERR_OK && !strangers;
}

/* Is the folder one that a dead maker, who was the caller, left? Then it is removed. */
static bool sweep_folder(int parent, const char *name)
{
	int fd = files_open_folder(parent, name);
	struct stat st;
	bool dead = fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & 022) &&
		    flock(fd, LOCK_EX | LOCK_NB) == 0 && is_half_made(parent, fd);

	if (dead)
		dead = files_remove(parent, name, fd, NULL) == ERR_OK;
	if (fd >= 0)
		close(fd);
	return dead;
}

unsigned sweep_signatures(const char *path)
{
	char folder[PATH_MAX], *name;
	unsigned removed = 0;
	struct dirent *entry;
	size_t n = strlen(path), mark = strlen(SIGNATURE_PARTIAL);
	DIR *d;

	while (n > 1 && path[n - 1] == '/')
		n--;
	/* "./" is in front of what has no folder, and does no harm if there is one. */
	if (snprintf(folder, sizeof folder, "%s%.*s", path[0] == '/' ? "" : "./", (int)n, path) >= (int)sizeof folder)
		return 0;
	name = strrchr(folder, '/');
	*name++ = '\0';
	n = strlen(name);
	d = opendir(*folder ? folder : "/");
	while (d && (entry = readdir(d))) {
		const char *rest = entry->d_name + n;

		if (strncmp(entry->d_name, name, n) == 0 && strncmp(rest, SIGNATURE_PARTIAL, mark) == 0 &&
		    strlen(rest) == mark + 6)
			removed += sweep_folder(dirfd(d), entry->d_name);
	}
	if (d)
		closedir(d);
	return removed;
}
