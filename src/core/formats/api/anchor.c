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

/* By its name. */
static bool is_part(const char *name)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (ends_with(name, parts[i]))
			return true;
	return false;
}

/* How many anchors the folder holds, and the name of one. A folder that cannot be read holds none. */
static unsigned folder_find_anchors(const char *folder, char name[NAME_MAX + 1])
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

/* There is none: perhaps one a level below, where EZTrace puts it, or a profile of Score-P. */
static enum err_code refuse_folder(const char *path, const char *shown, struct err *e)
{
	char name[NAME_MAX + 1], below[PATH_MAX], anchor[PATH_MAX] = "", text[200];
	DIR *dir = opendir(path);
	bool profile = false;
	unsigned found = 0;
	struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL) {
		profile = profile || ends_with(entry->d_name, ".cubex");
		if (entry->d_name[0] == '.' || snprintf(below, sizeof below, "%s%s%s", path, ends_with(path, "/") ? "" : "/", entry->d_name) >=
		    (int)sizeof below)
			continue;
		if (folder_find_anchors(below, name) == 1 && found++ == 0 && snprintf(anchor, sizeof anchor, "%s/%s", below, name) >= (int)sizeof anchor)
			found++;
	}
	if (dir)
		closedir(dir);
	if (found == 1)
		return err_set(e, ERR_FORMAT, "%s is a directory without an OTF2 trace\nhint: there is one below: give "
			       "%s", shown,
			       text_safe(text, sizeof text, anchor, SIZE_MAX, TEXT_UTF8));
	if (profile)
		return err_set(e, ERR_FORMAT, "%s is a directory with a Score-P profile, but without an OTF2 "
			       "trace\nhint: trace the run with SCOREP_ENABLE_TRACING=true",
			       shown);
	return err_set(e, ERR_IO, "%s is a directory without an OTF2 trace (no file *" ANCHOR_ENDING ")", shown);
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
	found = folder_find_anchors(path, name);
	text_safe(shown, sizeof shown, path, SIZE_MAX, TEXT_UTF8);
	if (!found)
		return refuse_folder(path, shown, e);
	if (found > 1)
		return err_set(e, ERR_FORMAT, "%s is a directory with %u OTF2 traces: give one of its files "
			       "*" ANCHOR_ENDING, shown, found);
	while (n > 1 && path[n - 1] == '/')
		n--;
	*anchor = mem_alloc(n + strlen(name) + 2, 1);
	if (!*anchor)
		return err_memory(e, "a file name");
	sprintf(*anchor, "%.*s%s%s", (int)n, path, path[n - 1] == '/' ? "" : "/", name);
	return ERR_OK;
}

/* The folder above one, whose name ends in a slash or is none: "a/" of "a/b/". */
static bool go_up(char *folder, size_t size)
{
	size_t n = strlen(folder);

	while (n && folder[n - 1] == '/')
		n--;
	while (n && folder[n - 1] != '/')
		n--;
	if (!*folder || ends_with(folder, "./")) {
		if (strlen(folder) + 4 > size)
			return false;
		strcat(folder, "../");
		return true;
	}
	folder[n] = '\0';
	return true;
}

bool anchor_of_part(const char *path, char *anchor, size_t size)
{
	const char *slash = strrchr(path, '/');
	int n = slash ? (int)(slash - path) + 1 : 0;
	bool part = is_part(path);

	for (int up = 0; part && up < 2; up++) {
		char folder[PATH_MAX], name[NAME_MAX + 1];

		if (snprintf(folder, sizeof folder, "%.*s", n, path) >= (int)sizeof folder || (up && !go_up(folder, sizeof folder)))
			return false;
		if (folder_find_anchors(*folder ? folder : ".", name) == 1)
			return snprintf(anchor, size, "%s%s", folder, name) < (int)size;
	}
	return false;
}

void anchor_parts(const char *anchor, format_part *part, void *arg)
{
	size_t n = strlen(anchor) - (ends_with(anchor, ANCHOR_ENDING) ? strlen(ANCHOR_ENDING) : 0);
	char path[PATH_MAX];
	struct dirent *entry;
	bool more = true;
	DIR *dir;

	for (size_t i = 0; more && i < sizeof parts / sizeof *parts; i++)
		more = snprintf(path, sizeof path, "%.*s%s", (int)n, anchor, parts[i]) >= (int)sizeof path || part(arg, path);
	dir = snprintf(path, sizeof path, "%.*s", (int)n, anchor) < (int)sizeof path ? opendir(path) : NULL;
	while (dir && more && (entry = readdir(dir)) != NULL)
		if (is_part(entry->d_name) && snprintf(path, sizeof path, "%.*s/%s", (int)n, anchor, entry->d_name) < (int)sizeof path)
			more = part(arg, path);
	if (dir)
		closedir(dir);
}
