#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/records/records.h"
#include "core/base/progress.h"
#include "core/base/mem.h"
#include "core/io/descriptor.h"

static void keep_error(struct convert_file *file, int error)
{
	struct convert_output *o = file->output;
	char path[PATH_MAX];

	if (file->err.code)
		return;
	if (o->folder && snprintf(path, sizeof path, "%s/%s", o->path, file->name) < (int)sizeof path)
		convert_failed(path, error, &file->err);
	else
		convert_failed(file->file ? file->file->path : o->path, error, &file->err);
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

/* What is there is replaced with the file that it belongs to; without that it is somebody else's, or a kill left it
 * (commit_files()). */
static enum err_code look_at_companion(const struct convert_output *o, const char *path, struct err *e)
{
	struct stat st;

	if (o->replace && stat(path, &st) == 0 && stat(o->path, &st) < 0)
		return convert_refuse(path, "it exists already, but the file that it belongs to does not: remove it, "
				      "or give another name", e);
	return convert_look_at_file(o, path, e);
}

static enum err_code open_beside(struct convert_file *file, const char *name, struct err *e)
{
	struct convert_output *o = file->output;
	char path[PATH_MAX];
	enum err_code code;

	if (!convert_name_file(o, name, path))
		return convert_failed(o->path, ENAMETOOLONG, e);
	code = name[0] ? look_at_companion(o, path, e) : convert_look_at_file(o, path, e);
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
	struct convert_file *file = mem_alloc(1, sizeof *file + CONVERT_BUFFER);
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

static bool convert_file_put(void *arg, const uint8_t *bytes, size_t n)
{
	struct convert_file *file = arg;
	int error = descriptor_write(file->file ? file->file->fd : file->fd, bytes, n, -1);

	if (error)
		keep_error(file, error);
	return !error;
}

static void convert_file_flush(struct convert_file *file, bool last)
{
	struct err e;

	if (file->err.code)
		return;
	if (!file->packer)
		convert_file_put(file, file->bytes, file->used);
	else if (packer_run(file->packer, file->bytes, file->used, last, convert_file_put, file, &e) && !file->err.code)
		file->err = e;
	file->used = 0;
}

void convert_file_write(struct convert_file *file, const void *bytes, size_t n)
{
	const uint8_t *from = bytes;

	while (n) {
		size_t fits = CONVERT_BUFFER - file->used < n ? CONVERT_BUFFER - file->used : n;

		memcpy(file->bytes + file->used, from, fits);
		file->used += fits;
		from += fits;
		n -= fits;
		if (file->used == CONVERT_BUFFER)
			convert_file_flush(file, false);
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
	uint8_t *bytes = mem_alloc(CONVERT_BUFFER, 1);

	if (!bytes) {
		err_memory(&file->err, "the output");
		return;
	}
	if (fstat(file->scratch, &st) < 0)
		descriptor_scratch_failed(errno, &file->err);
	for (int64_t at = 0; !file->err.code && at < st.st_size;) {
		size_t n = st.st_size - at < (int64_t)CONVERT_BUFFER ? (size_t)(st.st_size - at) : CONVERT_BUFFER;
		int error = descriptor_read(file->scratch, bytes, n, at);

		if (error)
			descriptor_scratch_failed(error, &file->err);
		else
			convert_file_write(file, bytes, n);
		at += (int64_t)n;
		if (!file->err.code && progress_stopped(file->output->progress))
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
	convert_file_flush(file, true);
	if (!file->err.code && file->file && o->done_count == sizeof o->done / sizeof *o->done)
		err_set(&file->err, ERR_LIMIT, "too many files next to the output");
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
