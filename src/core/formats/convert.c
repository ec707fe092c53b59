#include "convert.h"

#include <string.h>

const struct format_writer *convert_writer(const char *to)
{
	for (const struct format_writer *const *writer = format_writers; *writer; writer++)
		if (!strcmp((*writer)->to, to))
			return *writer;
	return NULL;
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
	convert_lost(run, "request numbers of nonblocking calls", record_log_requests(run->log));
	if (!code && job_stopped(run->job))
		code = err_set(e, ERR_CANCELLED, "stopped while writing");
	return code ? code : convert_output_commit(run->output, e);
}
