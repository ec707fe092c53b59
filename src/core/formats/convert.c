#include "convert.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/text.h"

const struct format_writer *convert_writer(const char *to)
{
	for (const struct format_writer *const *writer = format_writers; *writer; writer++)
		if (!strcmp((*writer)->to, to))
			return *writer;
	return NULL;
}

/* ---- what is read stays ---- */

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The folder that a file is in. */
static bool stat_above(const char *path, struct stat *st)
{
	char above[PATH_MAX];
	const char *slash = strrchr(path, '/');
	int n = slash == path ? 1 : slash ? (int)(slash - path) : 0;

	if (snprintf(above, sizeof above, "%.*s", n, path) >= (int)sizeof above)
		return false;
	return stat(n ? above : ".", st) == 0;
}

enum err_code convert_check_inputs(const char *path, const struct format_writer *writer, const char *const *paths, uint32_t count,
				   struct err *e)
{
	struct stat out, in, above;
	char safe[300];

	if (stat(path, &out) < 0 || !(S_ISREG(out.st_mode) || S_ISDIR(out.st_mode)))
		return ERR_OK;
	for (uint32_t i = 0; i < count; i++)
		if ((stat(paths[i], &in) == 0 && is_same(&in, &out)) ||
		    (!writer->ending && stat_above(paths[i], &above) && is_same(&above, &out)))
			return err_set(e, ERR_USAGE, "%s is what is to be converted; give the output another name",
				       text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8));
	return ERR_OK;
}

/* ---- writing ---- */

void convert_lost(struct convert_run *run, const char *what, uint64_t count)
{
	uint32_t i = 0;

	if (!count)
		return;
	while (i < run->loss_count && strcmp(run->losses[i].what, what) != 0)
		i++;
	if (i == CONVERT_LOSSES)
		return;
	if (i == run->loss_count)
		run->losses[run->loss_count++] = (struct convert_loss){what, 0};
	run->losses[i].count += count;
}

enum err_code convert_write(struct convert_run *run, const struct format_writer *writer, struct err *e)
{
	enum err_code code = convert_output_begin(run->output, e);

	if (!code)
		code = writer->write(run, e);
	if (!code && job_stopped(run->job))
		code = err_set(e, ERR_CANCELLED, "stopped while writing");
	return code ? code : convert_output_commit(run->output, e);
}
