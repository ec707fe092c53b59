#include "open.h"

#include "core/base/mem.h"
#include "core/io/source.h"

enum err_code trace_file_open(struct source *source, const char *path, struct err *e)
{
	return source_open_file(source, path, e);
}

enum err_code trace_files_open(struct source **sources, const char *const *paths, uint32_t count, struct err *e)
{
	struct source *list = mem_zero(count, sizeof *list);
	enum err_code code = list ? ERR_OK : err_memory(e, "the trace's files");
	uint32_t opened = 0;

	*sources = NULL;
	while (!code && opened < count) {
		code = trace_file_open(&list[opened], paths[opened], e);
		opened += !code;
	}
	if (code)
		source_release_files(list, opened);
	else
		*sources = list;
	return code;
}
