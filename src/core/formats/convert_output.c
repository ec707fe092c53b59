#include "convert_output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/job.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/io/descriptor.h"
#include "core/io/files.h"
#include "core/io/out_file.h"
#include "core/io/walk.h"
#include "format_write.h"
#include "pack.h"

#define BUFFER ((size_t)65536)
#define PARTIALS 1000
#define STANDARD_OUTPUT "/dev/stdout"

struct convert_file {
	struct convert_output *output;
	struct convert_file *next;
	char name[64];               /* within the folder, or what it is a companion by */
	struct out_file *file;       /* not in a folder: it gets its name at the commit */
	int fd;                      /* in a folder */
	int scratch;                 /* written by descriptor, to be copied; -1 */
	struct packer *packer;
	size_t used;
	struct err err;
	uint8_t bytes[];             /* BUFFER */
};

struct convert_output {
	char path[PATH_MAX];         /* as given, without slashes at the end */
	char shown[300];
	char target[PATH_MAX];       /* a folder's: links followed */
	char partial[PATH_MAX];      /* the folder that is being filled; "": there is none */
	int fd;                      /* open on it */
	bool folder, replace;
	const char *sign, *makes;
	size_t stem;                 /* of the path: what companions have in common */
	enum packing packing;
	const struct job *job;
	struct out_file *done[4];    /* the closed files, which wait for their names: the file itself first */
	uint32_t done_count;
	uint32_t files;
	uint64_t bytes;
};

static enum err_code refuse(const char *path, const char *why, struct err *e)
{
	char safe[300];

	return err_set(e, ERR_IO, "cannot write %s: %s", text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8), why);
}

static enum err_code failed(const char *path, int error, struct err *e)
{
	char text[DESCRIPTOR_TEXT];

	return refuse(path, descriptor_reason(error, text), e);
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
		return err_set(e, ERR_USAGE, "%s: what --to %s makes is not compressed", o->shown, writer->to);
	if (packing != PACKING_NONE && !packing_built(packing))
		return err_set(e, ERR_USAGE, "%s: this build of pas2p cannot compress with %s", o->shown, packing_name(packing));
	o->packing = packing;
	if (!o->folder && ends_in(o->path, o->stem, writer->ending))
		o->stem -= strlen(writer->ending);
	return ERR_OK;
}

/* Devices and pipes are written to; nothing of them is replaced. */
static enum err_code look_at_file(const struct convert_output *o, const char *path, struct err *e)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && !o->replace)
		return refuse(path, "it is there already; --force replaces it", e);
	return ERR_OK;
}

static enum err_code try_file(const struct convert_output *o, struct err *e)
{
	struct out_file *f;
	enum err_code code = look_at_file(o, o->path, e);

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
		return errno == ENOENT ? ERR_OK : failed(o->path, errno, e);
	if (!S_ISDIR(st.st_mode))
		return refuse(o->path, "it is there already, and it is not a folder", e);
	if (!o->replace)
		return refuse(o->path, "it is there already; --force replaces it", e);
	fd = files_open_folder(AT_FDCWD, o->target);
	if (fd < 0)
		return failed(o->path, errno, e);
	if (fstatat(fd, o->sign, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		snprintf(text, sizeof text, "it is there already and holds no %s, so it is nothing that a conversion made", o->sign);
		return refuse(o->path, text, e);
	}
	find_other(fd, o->makes, other, sizeof other);
	if (!other[0])
		return ERR_OK;
	snprintf(text, sizeof text, "it is there already and holds %s, which no conversion makes", other);
	return refuse(o->path, text, e);
}

static enum err_code folder_above(const struct convert_output *o, char above[PATH_MAX], struct err *e)
{
	const char *slash = strrchr(o->target, '/');

	if (!slash)
		strcpy(above, ".");
	else
		snprintf(above, PATH_MAX, "%.*s", slash == o->target ? 1 : (int)(slash - o->target), o->target);
	if (faccessat(AT_FDCWD, above, W_OK | X_OK, AT_EACCESS) < 0)
		return failed(o->path, errno, e);
	return ERR_OK;
}

static enum err_code try_folder(struct convert_output *o, struct err *e)
{
	char above[PATH_MAX];
	struct stat st;
	enum err_code code;

	if (lstat(o->path, &st) == 0 && S_ISLNK(st.st_mode)) {
		if (!realpath(o->path, o->target))
			return refuse(o->path, "it is a link to what is not there", e);
	} else {
		strcpy(o->target, o->path);
	}
	if (strlen(o->target) + 32 >= sizeof o->partial)
		return failed(o->path, ENAMETOOLONG, e);
	code = look_at_folder(o, e);
	return code ? code : folder_above(o, above, e);
}

enum err_code convert_output_new(struct convert_output **out, const char *path, const struct format_writer *writer, bool replace,
				 const struct job *job, struct err *e)
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
	o->replace = replace;
	o->job = job;
	if (!strcmp(path, "-")) {
		path = STANDARD_OUTPUT;
		n = strlen(path);
		o->replace = true; /* what it was redirected to was opened for this */
		if (o->folder || writer->companions) {
			code = err_set(e, ERR_USAGE, "--output - is standard output, and --to %s makes %s: give it a name", writer->to,
				       o->folder ? "a folder" : "several files");
			convert_output_free(o);
			return code;
		}
	}
	while (o->folder && n > 1 && path[n - 1] == '/')
		n--;
	if (!n || n >= sizeof o->path) {
		code = n ? failed(path, ENAMETOOLONG, e) : err_set(e, ERR_IO, "cannot write a file without a name");
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
			return failed(o->path, error, e);
		}
	}
	o->fd = files_open_folder(AT_FDCWD, o->partial);
	if (o->fd < 0 || fstat(o->fd, &st) < 0 || st.st_uid != geteuid()) {
		o->partial[0] = '\0';
		return refuse(o->path, "the folder that was just made beside it has been replaced", e);
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

/* ---- files ---- */

static void keep_error(struct convert_file *file, int error)
{
	struct convert_output *o = file->output;
	char path[PATH_MAX];

	if (file->err.code)
		return;
	if (o->folder && snprintf(path, sizeof path, "%s/%s", o->path, file->name) < (int)sizeof path)
		failed(path, error, &file->err);
	else
		failed(file->file ? file->file->path : o->path, error, &file->err);
}

static enum err_code open_in_folder(struct convert_file *file, struct err *e)
{
	file->fd = openat(file->output->fd, file->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (file->fd >= 0)
		return ERR_OK;
	keep_error(file, errno);
	*e = file->err;
	return e->code;
}

/* What is there is replaced with the file that it belongs to; without that it is somebody else's, of an input
 * perhaps. */
static enum err_code look_at_companion(const struct convert_output *o, const char *path, struct err *e)
{
	struct stat st;

	if (o->replace && stat(path, &st) == 0 && stat(o->path, &st) < 0)
		return refuse(path, "it is there already, and not of a file that is replaced; give the output another name", e);
	return look_at_file(o, path, e);
}

static enum err_code open_beside(struct convert_file *file, const char *name, struct err *e)
{
	struct convert_output *o = file->output;
	char path[PATH_MAX];
	enum err_code code;

	if (!name[0])
		strcpy(path, o->path);
	else if (snprintf(path, sizeof path, "%.*s%s", (int)o->stem, o->path, name) >= (int)sizeof path)
		return failed(o->path, ENAMETOOLONG, e);
	code = name[0] ? look_at_companion(o, path, e) : look_at_file(o, path, e);
	if (code)
		return code;
	file->file = mem_alloc(1, sizeof *file->file);
	if (!file->file)
		return err_memory(e, "the output");
	code = out_file_begin(file->file, path, e);
	if (!code && !name[0] && o->packing != PACKING_NONE)
		code = packer_new(&file->packer, o->packing, e);
	return code;
}

static void file_free(struct convert_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	if (file->scratch >= 0)
		close(file->scratch);
	if (file->file)
		out_file_abort(file->file);
	mem_free(file->file);
	packer_free(file->packer);
	mem_free(file);
}

enum err_code convert_file_open(struct convert_file **out, struct convert_output *o, const char *name, struct err *e)
{
	struct convert_file *file = mem_alloc(1, sizeof *file + BUFFER);
	enum err_code code;

	*out = NULL;
	if (!file)
		return err_memory(e, "the output");
	*file = (struct convert_file){.output = o, .fd = -1, .scratch = -1};
	snprintf(file->name, sizeof file->name, "%s", name);
	code = o->folder ? open_in_folder(file, e) : open_beside(file, name, e);
	if (code)
		file_free(file);
	else
		*out = file;
	return code;
}

static bool put(void *arg, const uint8_t *bytes, size_t n)
{
	struct convert_file *file = arg;
	int error = descriptor_write(file->file ? file->file->fd : file->fd, bytes, n, -1);

	if (error)
		keep_error(file, error);
	return !error;
}

static void flush(struct convert_file *file, bool last)
{
	struct err e;

	if (file->err.code)
		return;
	if (!file->packer)
		put(file, file->bytes, file->used);
	else if (packer_run(file->packer, file->bytes, file->used, last, put, file, &e) && !file->err.code)
		file->err = e;
	file->used = 0;
}

void convert_file_write(struct convert_file *file, const void *bytes, size_t n)
{
	const uint8_t *from = bytes;

	while (n) {
		size_t fits = BUFFER - file->used < n ? BUFFER - file->used : n;

		memcpy(file->bytes + file->used, from, fits);
		file->used += fits;
		from += fits;
		n -= fits;
		if (file->used == BUFFER)
			flush(file, false);
		if (file->err.code)
			return;
	}
}

void convert_file_printf(struct convert_file *file, const char *format, ...)
{
	char text[512];
	va_list args, again;
	int n;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(text, sizeof text, format, args);
	if (n < (int)sizeof text) {
		convert_file_write(file, text, n > 0 ? (size_t)n : 0);
	} else {
		char *longer = mem_alloc((size_t)n + 1, 1);

		if (longer) {
			vsnprintf(longer, (size_t)n + 1, format, again);
			convert_file_write(file, longer, (size_t)n);
		} else if (!file->err.code) {
			err_memory(&file->err, "the output");
		}
		mem_free(longer);
	}
	va_end(again);
	va_end(args);
}

bool convert_file_failed(const struct convert_file *file)
{
	return file->err.code != ERR_OK;
}

int convert_file_descriptor(struct convert_file *file)
{
	if (!file->packer && (!file->file || !file->file->straight))
		return file->file ? file->file->fd : file->fd;
	file->scratch = descriptor_scratch(&file->err);
	return file->scratch;
}

static void copy_scratch(struct convert_file *file)
{
	struct stat st;
	uint8_t *bytes = mem_alloc(BUFFER, 1);

	if (!bytes) {
		err_memory(&file->err, "the output");
		return;
	}
	if (fstat(file->scratch, &st) < 0)
		descriptor_scratch_failed(errno, &file->err);
	for (int64_t at = 0; !file->err.code && at < st.st_size;) {
		size_t n = st.st_size - at < (int64_t)BUFFER ? (size_t)(st.st_size - at) : BUFFER;
		int error = descriptor_read(file->scratch, bytes, n, at);

		if (error)
			descriptor_scratch_failed(error, &file->err);
		else
			convert_file_write(file, bytes, n);
		at += (int64_t)n;
		if (!file->err.code && job_stopped(file->output->job))
			err_set(&file->err, ERR_CANCELLED, "stopped while writing");
	}
	mem_free(bytes);
}

enum err_code convert_file_close(struct convert_file *file, struct err *e)
{
	struct convert_output *o;
	enum err_code code;

	if (!file)
		return ERR_OK;
	o = file->output;
	if (file->scratch >= 0 && !file->err.code)
		copy_scratch(file);
	flush(file, true);
	if (!file->err.code && file->file && o->done_count == sizeof o->done / sizeof *o->done)
		err_set(&file->err, ERR_LIMIT, "too many files beside the output");
	code = file->err.code;
	if (code) {
		*e = file->err;
	} else if (file->file) {
		uint32_t at = file->name[0] ? o->done_count : 0;

		memmove(o->done + at + 1, o->done + at, (o->done_count - at) * sizeof(*o->done));
		o->done[at] = file->file;
		o->done_count++;
		file->file = NULL;
	} else if (fsync(file->fd) < 0 && errno != EINVAL && errno != ENOTSUP) {
		keep_error(file, errno);
		*e = file->err;
		code = e->code;
	}
	file_free(file);
	return code;
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
	code = o->fd < 0 ? failed(partial, errno, e) : files_remove(AT_FDCWD, partial, o->fd, e);
	if (code)
		err_prefix(e, "the output is there, but what it replaced could not be removed");
	return code;
}

/* Both names change what they are of; where the file system cannot do that in one step, in two. */
static int exchange(struct convert_output *o)
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
			return failed(o->path, errno, e);
		o->partial[0] = '\0';
		return ERR_OK;
	}
	error = exchange(o);
	return error ? failed(o->path, error, e) : remove_old(o, e);
}

/* The file itself last: where it is, its companions are. */
static enum err_code commit_files(struct convert_output *o, struct err *e)
{
	while (o->done_count) {
		struct out_file *f = o->done[--o->done_count];
		struct stat st;
		enum err_code code = ERR_OK;

		o->files++;
		if (fstat(f->fd, &st) == 0 && S_ISREG(st.st_mode))
			o->bytes += (uint64_t)st.st_size;
		if (!f->straight)
			code = look_at_file(o, f->target, e);
		if (code)
			out_file_abort(f);
		else
			code = out_file_commit(f, e);
		mem_free(f);
		if (code)
			return code;
	}
	return ERR_OK;
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
