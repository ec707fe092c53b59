#include "convert.h"

#include <string.h>

#include "core/base/text.h"
#include "core/io/packing.h"

const struct format_writer *convert_writer(const char *to)
{
	for (const struct format_writer *const *writer = format_writers; *writer; writer++)
		if (!strcmp((*writer)->to, to))
			return *writer;
	return NULL;
}

/* ---- which format ---- */

/* How names of files end that say what is in them, whether this build can write it or not. */
static const struct { const char *ending, *to; } names[] = {
	{".clog2", "clog2"}, {".otf2", "otf2"}, {".prv", "prv"}, {".json", "perfetto"},
};

/* The word for the format that a file's name says by its ending, compressed or not: "prv" of "lu.prv.gz"; NULL: it
 * says none. */
static const char *convert_named(const char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/') /* a folder's name */
		n--;
	n = packing_stem(path, n);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t ending = strlen(names[i].ending);

		if (n > ending && !memcmp(path + n - ending, names[i].ending, ending))
			return names[i].to;
	}
	return NULL;
}

enum err_code convert_choose(const struct format_writer **writer, const char *to, const char *path, struct err *e)
{
	const char *named = path ? convert_named(path) : NULL;
	char safe[200];

	*writer = NULL;
	if (to && named && strcmp(to, named) != 0)
		return err_set(e, ERR_USAGE, "%s is a name for %s, but --to is %s: change one of "
			       "them", text_safe(safe, sizeof safe, path,
			       SIZE_MAX, TEXT_UTF8), named, to);
	to = to ? to : named;
	*writer = to ? convert_writer(to) : NULL;
	return !to || *writer ? ERR_OK : err_set(e, ERR_USAGE, "this build of pas2p cannot write %s, because its "
						 "library was missing", to);
}

enum err_code convert_plain_clog2(const char *path, struct err *e)
{
	const char *named = convert_named(path);
	char safe[200];

	if ((!named || !strcmp(named, "clog2")) && packing_of_name(path) == PACKING_NONE)
		return ERR_OK;
	return err_set(e, ERR_USAGE, "%s: this command writes CLOG2 without compression\nhint: give a name that ends "
		       "in .clog2, then use pas2p convert",
		       text_safe(safe, sizeof safe, path, SIZE_MAX, TEXT_UTF8));
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
	if (!writer->numbers) {
		convert_lost(run, CONVERT_LOST_REQUESTS, record_log_requests(run->log));
		convert_lost(run, CONVERT_LOST_GATHERINGS, record_log_gatherings(run->log));
	}
	if (!code && progress_stopped(run->progress))
		code = err_set(e, ERR_CANCELLED, "stopped while writing");
	return code ? code : convert_output_commit(run->output, e);
}
