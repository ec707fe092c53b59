#include "anchor.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/base/mem.h"
#include "core/base/text.h"

static const char *const parts[] = {".def", ".evt", ".thumb", ".snap", ".marker", "scorep.cfg"};

static bool ends_with(const char *name, const char *ending)
{
	size_t n = strlen(name), m = strlen(ending);

	return n >= m && !strcasecmp(name + n - m, ending);
}

/* How many anchors the folder holds, and the name of one. A folder that cannot be read holds none. */
static unsigned look(const char *folder, char name[NAME_MAX + 1])
{
	DIR *dir = opendir(folder);
	unsigned found = 0;
	struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL)
		if (ends_with(entry->d_name, ANCHOR_ENDING)) {
			snprintf(name, NAME_MAX + 1, "%s", entry->d_name);
			found++;
		}
	if (dir)
		closedir(dir);
	return found;
}

enum err_code anchor_in_folder(char **anchor, const char *path, struct err *e)
{
	char name[NAME_MAX + 1], shown[200];
	size_t n = strlen(path);
	struct stat st;
	unsigned found;

	*anchor = NULL;
	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return ERR_OK;
	found = look(path, name);
	text_safe(shown, sizeof shown, path, SIZE_MAX, TEXT_UTF8);
	if (!found)
		return err_set(e, ERR_IO, "%s is a directory, and no OTF2 trace is in it (no file *" ANCHOR_ENDING ")", shown);
	if (found > 1)
		return err_set(e, ERR_FORMAT, "%s is a directory with %u OTF2 traces in it; give one of its files *" ANCHOR_ENDING, shown, found);
	while (n > 1 && path[n - 1] == '/')
		n--;
	*anchor = mem_alloc(n + strlen(name) + 2, 1);
	if (!*anchor)
		return err_memory(e, "a file name");
	sprintf(*anchor, "%.*s%s%s", (int)n, path, path[n - 1] == '/' ? "" : "/", name);
	return ERR_OK;
}

bool anchor_of_part(const char *path, char *anchor, size_t size)
{
	const char *slash = strrchr(path, '/');
	int n = slash ? (int)(slash - path) + 1 : 0;
	bool part = false;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		part = part || ends_with(path, parts[i]);
	for (int up = 0; part && up < 2; up++) {
		char folder[PATH_MAX], name[NAME_MAX + 1];

		if (snprintf(folder, sizeof folder, "%.*s%s", n, path, up ? "../" : n ? "" : "./") >= (int)sizeof folder)
			return false;
		if (look(folder, name) == 1)
			return snprintf(anchor, size, "%s%s", n || up ? folder : "", name) < (int)size;
	}
	return false;
}
