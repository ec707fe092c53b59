/* In place of out_file.c: what is fuzzed can name any file, so none is written. */
#include <stdio.h>
#include <string.h>

#include "core/io/out.h"
#include "core/io/out_file.h"

static enum err_code refuse(struct err *e)
{
	return err_set(e, ERR_IO, "cannot write while being fuzzed");
}

enum err_code out_file_begin(struct out_file *f, const char *path, struct err *e)
{
	memset(f, 0, sizeof *f);
	f->fd = -1;
	return *path == 'x' ? ERR_OK : refuse(e);
}

enum err_code out_file_write(struct out_file *f, const char *bytes, size_t n, struct err *e)
{
	(void)f;
	return n && bytes[n - 1] == 'x' ? refuse(e) : ERR_OK;
}

enum err_code out_file_commit(struct out_file *f, struct err *e)
{
	(void)f;
	(void)e;
	return ERR_OK;
}

void out_file_abort(struct out_file *f)
{
	(void)f;
}

int out_file_beside(const struct out_file *f, const char *before, const char *behind, char name[PATH_MAX])
{
	(void)f;
	return snprintf(name, PATH_MAX, "%sx%s", before, behind) < 0;
}

enum err_code out_replace_file(const char *path, const char *bytes, size_t n, struct err *e)
{
	struct out_file f;
	enum err_code code = out_file_begin(&f, path, e);

	return code ? code : out_file_write(&f, bytes, n, e);
}
