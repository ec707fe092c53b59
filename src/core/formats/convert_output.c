#include "core/records/records.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/progress.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/io/descriptor.h"
#include "core/io/files.h"
#include "core/io/walk.h"
#include "core/records/format_write.h"
#include "inputs.h"

#define PARTIALS 1000
#define STANDARD_OUTPUT "/dev/stdout"

enum err_code convert_refuse(const char *path, const char *why, struct err *e)
{
	char safe[300];

	return err_set(e, ERR_IO, "cannot write %s: %s", text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8), why);
}

enum err_code convert_failed(const char *path, int error, struct err *e)
{
	char text[DESCRIPTOR_TEXT];

	return convert_refuse(path, descriptor_reason(error, text), e);
}

/* ---- may it be there ---- */

static bool ends_in(const char *name, size_t n, const char *ending)
{
	size_t length = strlen(ending);

	return n > length && !memcmp(name + n - length, ending, length);
}

static enum err_code split_name(struct convert_output *o, const struct format_writer *writer, struct err *e)
{
	enum packing packing = packing_of_name(o->path);
	o->stem = strlen(o->path) - strlen(packing_ending(packing));
	if (packing != PACKING_NONE && !writer->compresses)
		return err_set(e, ERR_USAGE, "%s: the output of --to %s is not compressed", o->shown, writer->to);
	if (packing != PACKING_NONE && !packing_built(packing))
		return err_set(e, ERR_USAGE, "%s: this build of pas2p cannot compress with "
			       "%s", o->shown, packing_name(packing));
	o->packing = packing;
	if (!o->folder && ends_in(o->path, o->stem, writer->ending))
		o->stem -= strlen(writer->ending);
	return ERR_OK;
}

enum err_code convert_look_at_file(const struct convert_output *o, const char *path, struct err *e)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && !o->replace)
		return convert_refuse(path, "it exists already; --force replaces it", e);
	return ERR_OK;
}

static enum err_code try_file(const struct convert_output *o, struct err *e)
{
	struct out_file *f;
	enum err_code code = convert_look_at_file(o, o->path, e);

	if (code)
		return code;
	f = mem_alloc(1, sizeof *f);
	if (!f)
		return err_memory(e, "the output");
	code = out_file_begin(f, o->path, e);
	if (!code)
		out_file_abort(f);
	mem_free(f);
	return code;
}

/* Is it one of the names, in which # stands for a number? */
static bool is_made(const char *makes, const char *name)
{
	for (const char *at = makes; *at; at += strspn(at, " ")) {
		const char *rest = name;

		for (; *at && *at != ' '; at++) {
			size_t digits = *at == '#' ? strspn(rest, "0123456789") : *rest == *at;

			if (!digits)
				break;
			rest += digits;
		}
		if (!*rest && (!*at || *at == ' '))
			return true;
		at += strcspn(at, " ");
	}
	return false;
}

/* The first thing in a folder that no conversion made; "": there is none. Takes over the descriptor. */
static void find_other(int fd, const char *makes, char *other, size_t size)
{
	DIR *d = fdopendir(fd);
	struct dirent *entry;

	other[0] = 0;
	if (!d) {
		close(fd);
		return;
	}
	while (!other[0] && (entry = readdir(d)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && !is_made(makes, entry->d_name))
			text_safe(other, size, entry->d_name, SIZE_MAX, TEXT_UTF8);
	closedir(d);
}

/* A folder that is there: what may be replaced is what a conversion made, or nothing. */
static enum err_code look_at_folder(const struct convert_output *o, struct err *e)
{
	char text[320], other[160];
	struct stat st;
	int fd;

	if (stat(o->target, &st) < 0)
		return errno == ENOENT ? ERR_OK : convert_failed(o->path, errno, e);
	if (!S_ISDIR(st.st_mode))
		return convert_refuse(o->path, "it exists already, and it is not a folder", e);
	if (!o->replace)
		return convert_refuse(o->path, "it exists already; --force replaces it", e);
	fd = files_open_folder(AT_FDCWD, o->target);
	if (fd < 0)
		return convert_failed(o->path, errno, e);
	if (fstatat(fd, o->sign, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		snprintf(text, sizeof text, "it exists already, but without %s, so pas2p convert did not write "
			 "it", o->sign);
		return convert_refuse(o->path, text, e);
	}
	find_other(fd, o->makes, other, sizeof other);
	if (!other[0])
		return ERR_OK;
	snprintf(text, sizeof text, "it exists already with %s, which pas2p convert does not write", other);
	return convert_refuse(o->path, text, e);
}

static enum err_code folder_above(const struct convert_output *o, char above[PATH_MAX], struct err *e)
{
	const char *slash = strrchr(o->target, '/');

	if (!slash)
		strcpy(above, ".");
	else
		snprintf(above, PATH_MAX, "%.*s", slash == o->target ? 1 : (int)(slash - o->target), o->target);
	if (faccessat(AT_FDCWD, above, W_OK | X_OK, AT_EACCESS) < 0)
		return convert_failed(o->path, errno, e);
	return ERR_OK;
}

static enum err_code try_folder(struct convert_output *o, struct err *e)
{
	char above[PATH_MAX];
	struct stat st;
	enum err_code code;

	if (lstat(o->path, &st) == 0 && S_ISLNK(st.st_mode)) {
		if (!realpath(o->path, o->target))
			return convert_refuse(o->path, "it is a broken link", e);
	} else {
		strcpy(o->target, o->path);
	}
	if (strlen(o->target) + 32 >= sizeof o->partial)
		return convert_failed(o->path, ENAMETOOLONG, e);
	code = look_at_folder(o, e);
	return code ? code : folder_above(o, above, e);
}

enum err_code convert_output_new(struct convert_output **out, const char *path, const struct format_writer *writer, bool replace,
				 const struct progress *progress, struct err *e)
{
	struct convert_output *o = mem_zero(1, sizeof *o);
	enum err_code code;
	size_t n = strlen(path);

	*out = NULL;
	if (!o)
		return err_memory(e, "the output");
	o->fd = -1;
	o->folder = !writer->ending;
	o->sign = writer->sign;
	o->makes = writer->makes;
	o->companions = writer->companions;
	o->replace = replace;
	o->progress = progress;
	if (!strcmp(path, "-")) {
		path = STANDARD_OUTPUT;
		n = strlen(path);
		o->replace = true; /* what it was redirected to was opened for this */
		if (o->folder || writer->companions) {
			code = err_set(e, ERR_USAGE, "--output: - is standard output, but --to %s writes %s: give a "
				       "name", writer->to,
				       o->folder ? "a folder" : "several files");
			convert_output_free(o);
			return code;
		}
	}
	while (o->folder && n > 1 && path[n - 1] == '/')
		n--;
	if (!n || n >= sizeof o->path) {
		code = n ? convert_failed(path, ENAMETOOLONG, e) : err_set(e, ERR_IO, "cannot write a file without a name");
	} else {
		memcpy(o->path, path, n);
		text_safe(o->shown, sizeof o->shown, o->path, SIZE_MAX, TEXT_UTF8);
		code = split_name(o, writer, e);
	}
	if (!code)
		code = o->folder ? try_folder(o, e) : try_file(o, e);
	if (code)
		convert_output_free(o);
	else
		*out = o;
	return code;
}

bool convert_name_file(const struct convert_output *o, const char *ending, char path[PATH_MAX])
{
	if (!*ending)
		return strcpy(path, o->path) != NULL;
	return snprintf(path, PATH_MAX, "%.*s%s", (int)o->stem, o->path, ending) < PATH_MAX;
}

enum err_code convert_output_refuse(const struct convert_output *o, const char *const *inputs, uint32_t count, struct err *e)
{
	char path[PATH_MAX];
	enum err_code code = inputs_refuse(o->path, inputs, count, e);

	for (uint32_t i = 0; !code && o->companions && o->companions[i]; i++)
		if (convert_name_file(o, o->companions[i], path))
			code = inputs_refuse(path, inputs, count, e);
	return code;
}

/* ---- the folder ---- */

static enum err_code make_folder(struct convert_output *o, struct err *e)
{
	struct stat st;

	for (int i = 1; i <= PARTIALS; i++) {
		snprintf(o->partial, sizeof o->partial, "%.*s.partial-%d", PATH_MAX - 32, o->target, i);
		if (mkdir(o->partial, 0777) == 0)
			break;
		if (errno != EEXIST || i == PARTIALS) {
			int error = errno;

			o->partial[0] = '\0';
			return convert_failed(o->path, error, e);
		}
	}
	o->fd = files_open_folder(AT_FDCWD, o->partial);
	if (o->fd < 0 || fstat(o->fd, &st) < 0 || st.st_uid != geteuid()) {
		o->partial[0] = '\0';
		return convert_refuse(o->path, "the new folder next to it was replaced", e);
	}
	return ERR_OK;
}

enum err_code convert_output_begin(struct convert_output *o, struct err *e)
{
	return o->folder ? make_folder(o, e) : ERR_OK; /* a file's is made when it is opened */
}

const char *convert_output_folder(const struct convert_output *o)
{
	return o->partial;
}

const char *convert_output_shown(const struct convert_output *o)
{
	return o->shown;
}

/* ---- the end ---- */

static enum err_code count_one(void *arg, const struct walk_entry *entry, struct err *e)
{
	struct convert_output *o = arg;

	(void)e;
	if (S_ISREG(entry->st->st_mode)) {
		o->files++;
		o->bytes += (uint64_t)entry->st->st_size;
	}
	return ERR_OK;
}

/* What was there is in the partial folder's place now, and goes. */
static enum err_code remove_old(struct convert_output *o, struct err *e)
{
	char partial[PATH_MAX];
	enum err_code code;

	strcpy(partial, o->partial);
	o->partial[0] = '\0';
	close(o->fd);
	o->fd = files_open_folder(AT_FDCWD, partial);
	code = o->fd < 0 ? convert_failed(partial, errno, e) : files_remove(AT_FDCWD, partial, o->fd, e);
	if (code)
		err_prefix(e, "the output is complete, but its previous version could not be removed");
	return code;
}

/* Both names change what they are of; where the file system cannot do that in one step, in two. */
static int output_exchange_names(struct convert_output *o)
{
	char old[PATH_MAX];

	if (renameat2(AT_FDCWD, o->partial, AT_FDCWD, o->target, RENAME_EXCHANGE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
		return errno;
	if (snprintf(old, sizeof old, "%s.old", o->partial) >= (int)sizeof old)
		return ENAMETOOLONG;
	if (rename(o->target, old) < 0)
		return errno;
	if (rename(o->partial, o->target) < 0) {
		int error = errno;

		rename(old, o->target);
		return error;
	}
	strcpy(o->partial, old);
	return 0;
}

static enum err_code commit_folder(struct convert_output *o, struct err *e)
{
	struct stat st;
	bool exists;
	int error;
	enum err_code code = walk_folder(o->fd, count_one, o, e);

	if (!code)
		code = look_at_folder(o, e);
	if (code)
		return code;
	exists = stat(o->target, &st) == 0;
	(void)fsync(o->fd);
	if (!exists) {
		if (renameat2(AT_FDCWD, o->partial, AT_FDCWD, o->target, RENAME_NOREPLACE) < 0 &&
		    (errno == EEXIST || rename(o->partial, o->target) < 0))
			return convert_failed(o->path, errno, e);
		o->partial[0] = '\0';
		return ERR_OK;
	}
	error = output_exchange_names(o);
	return error ? convert_failed(o->path, error, e) : remove_old(o, e);
}

static enum err_code commit_file(struct convert_output *o, struct out_file *f, struct err *e)
{
	struct stat st;
	enum err_code code = ERR_OK;

	o->files++;
	if (fstat(f->fd, &st) == 0 && S_ISREG(st.st_mode))
		o->bytes += (uint64_t)st.st_size;
	if (!f->straight)
		code = convert_look_at_file(o, f->target, e);
	return code ? code : out_file_commit(f, e);
}

/* The old file gets another name; "": there is none, or no companion to tell it by. */
static enum err_code step_aside(const struct convert_output *o, char aside[PATH_MAX], struct err *e)
{
	const struct out_file *f = o->done[0];
	int error;

	aside[0] = '\0';
	if (o->done_count < 2 || !o->replace || f->straight)
		return ERR_OK;
	error = out_file_beside(f, "", ".old", aside);
	if (!error && rename(f->target, aside) == 0)
		return ERR_OK;
	error = error ? error : errno;
	aside[0] = '\0';
	return error == ENOENT ? ERR_OK : convert_failed(o->path, error, e);
}

/* The file itself last, and the old one away first: where it is, its companions are its own, also after a kill. */
static enum err_code commit_files(struct convert_output *o, struct err *e)
{
	char aside[PATH_MAX], target[PATH_MAX], safe[200];
	enum err_code code = step_aside(o, aside, e);
	uint32_t named = 0;

	if (o->done_count)
		strcpy(target, o->done[0]->target);
	while (!code && o->done_count) {
		code = commit_file(o, o->done[o->done_count - 1], e);
		if (code)
			break;
		mem_free(o->done[--o->done_count]);
		named++;
	}
	if (!aside[0])
		return code;
	if (!code)
		unlink(aside);
	else if (!named && rename(aside, target) == 0)
		aside[0] = '\0';
	return !code || !aside[0] ? code : err_prefix(e, "the previous version is now %s, because the files next to it "
						      "are replaced",
						     text_safe(safe, sizeof safe, aside, SIZE_MAX, TEXT_UTF8));
}

enum err_code convert_output_commit(struct convert_output *o, struct err *e)
{
	return o->folder ? commit_folder(o, e) : commit_files(o, e);
}

void convert_output_free(struct convert_output *o)
{
	struct err e;

	if (!o)
		return;
	while (o->done_count) {
		out_file_abort(o->done[--o->done_count]);
		mem_free(o->done[o->done_count]);
	}
	if (o->partial[0])
		files_remove(AT_FDCWD, o->partial, o->fd, &e);
	if (o->fd >= 0)
		close(o->fd);
	mem_free(o);
}

uint32_t convert_output_files(const struct convert_output *o)
{
	return o->files;
}

uint64_t convert_output_bytes(const struct convert_output *o)
{
	return o->bytes;
}
