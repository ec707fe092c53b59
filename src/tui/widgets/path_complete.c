#include "widgets.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/text.h"

#define PATH_BYTES 1024

static bool name_ends_as(const char *name, const char *endings)
{
	size_t n = strlen(name);

	for (;;) {
		size_t m = strcspn(endings, " ");

		if (n > m && !strncmp(name + n - m, endings, m))
			return true;
		if (!endings[m])
			return false;
		endings += m + 1;
	}
}

static bool showable(const char *name)
{
	char safe[NAME_MAX * 3 + 1];

	return !strcmp(text_safe(safe, sizeof safe, name, SIZE_MAX, TEXT_UTF8), name);
}

/* Whether an entry is a candidate; a folder's name gets its slash. */
static bool suits(DIR *d, struct dirent *entry, const char *begins, const char *ending, char *name, size_t size)
{
	struct stat st;

	if (strncmp(entry->d_name, begins, strlen(begins)) || (entry->d_name[0] == '.' && begins[0] != '.') ||
	    !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || !showable(entry->d_name) ||
	    fstatat(dirfd(d), entry->d_name, &st, 0))
		return false;
	snprintf(name, size, "%s%s", entry->d_name, S_ISDIR(st.st_mode) ? "/" : "");
	return S_ISDIR(st.st_mode) || (S_ISREG(st.st_mode) && name_ends_as(entry->d_name, ending));
}

/* The first name after another one; a folder of thousands is read once for each Tab, which is fast enough. */
static bool next_name(const char *folder, const char *begins, const char *ending, const char *after, char *best, size_t size)
{
	DIR *d = opendir(folder);
	struct dirent *entry;
	char name[NAME_MAX + 2];
	bool found = false;

	while (d && (entry = readdir(d)))
		if (suits(d, entry, begins, ending, name, sizeof name) && strcmp(name, after) > 0 &&
		    (!found || strcmp(name, best) < 0)) {
			snprintf(best, size, "%s", name);
			found = true;
		}
	if (d)
		closedir(d);
	return found;
}

bool path_complete(const char *typed, const char *ending, int nth, char *out, size_t size)
{
	const char *slash = strrchr(typed, '/'), *begins = slash ? slash + 1 : typed, *home = getenv("HOME");
	char folder[PATH_BYTES * 2] = ".", after[NAME_MAX + 2] = "", best[NAME_MAX + 2] = "";
	int lead = (int)(begins - typed);
	bool tilde = typed[0] == '~' && typed[1] == '/' && home;

	if (lead)
		snprintf(folder, sizeof folder, "%s%.*s", tilde ? home : "", lead - tilde, typed + tilde);
	for (int i = 0; i <= nth; i++) {
		if (!next_name(folder, begins, ending, after, best, sizeof best))
			return false;
		memcpy(after, best, sizeof after);
	}
	return snprintf(out, size, "%.*s%s", lead, typed, best) < (int)size;
}
