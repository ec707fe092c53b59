#include "files.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.h"

static enum err_code failed(const char *path, const char *doing, struct err *e)
{
	char safe[256];
	int why = errno;

	text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8);
	return err_set(e, ERR_IO, "cannot %s %s: %s", doing, safe, strerror(why));
}

enum err_code files_join(char to[PATH_MAX], const char *folder, const char *name, struct err *e)
{
	if (snprintf(to, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
		return err_set(e, ERR_LIMIT, "the name of a folder is too long");
	return ERR_OK;
}

enum err_code files_make(const char *folder, struct err *e)
{
	return mkdir(folder, 0777) == 0 ? ERR_OK : failed(folder, "make the folder", e);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

enum err_code files_remove(const char *folder, struct err *e)
{
	struct stat st;

	if (!folder[0] || (lstat(folder, &st) != 0 && errno == ENOENT))
		return ERR_OK;
	if (nftw(folder, remove_one, 32, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0)
		return failed(folder, "remove", e);
	return ERR_OK;
}

/* nftw() passes no argument through; the runner has one thread that walks. */
static _Thread_local uint64_t sum;

static int add_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)path;
	(void)at;
	if (kind == FTW_F)
		sum += (uint64_t)st->st_blocks * 512;
	return 0;
}

enum err_code files_size(const char *folder, uint64_t *bytes, struct err *e)
{
	sum = 0;
	if (nftw(folder, add_one, 32, FTW_PHYS | FTW_MOUNT) != 0)
		return failed(folder, "look through", e);
	*bytes = sum;
	return ERR_OK;
}
